"""Overlays of graphs over the grid: subgoal graphs and clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from ai.search.hierarchy.cluster_graph import ClusterGraph
from ai.search.hierarchy.hpa_batch import CLUSTER
from ai.search.jps.jps import UniformGround
from ai.search.subgoals.subgoal_search import SubgoalGraph, SubgoalSearch
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import (
    Layer,
    cased,
    centre,
    class_of,
    dot,
    focus_tile,
    hops,
    path_of,
    shown_edges,
    shown_rows,
)
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB

MOST_TILES = 1 << 17
MOST_EDGES = 4000
"""Largest number of edges drawn at once; more could not be told apart."""


@overlay
class SubgoalLines(Overlay):
    """Subgoal graph: corners of walls, and edges between corners (GP2 15)."""

    name, title, channel, scope = "subgoal_graph", "Subgoal graph", Channel.LINE, Scope.ALL
    question = "At which corners can shortest paths bend?"

    def __init__(self) -> None:
        self._key: tuple[int, int] | None = None
        self._graph: Any = None
        self._ground: Any = None
        self._edges = np.zeros((0, 2), np.int64)
        self._paths_found: dict[tuple, np.ndarray | None] = {}
        self._lines, self._squares = Layer(), Layer()

    def _made(self, context: LabContext) -> Any:
        terrain = context.world.terrain
        if terrain.passable.size > MOST_TILES:
            return None
        key = (int(terrain.revision), class_of(context))
        if self._key != key:
            changes = None
            if self._key is not None and self._key[1] == key[1] and terrain.revision > self._key[0]:
                changes = terrain.changes_since(self._key[0], ("passable",))
            if changes is None:
                self._ground = UniformGround.build(terrain, key[1])
                self._graph = SubgoalGraph.build(self._ground, 2)
            else:
                self._ground.update(terrain)
                self._graph.edited(self._ground, changes)
                while self._graph.advance(self._ground, 1 << 30):
                    pass
            ends = self._graph.edges()
            self._edges = ends[ends[:, 0] < ends[:, 1]]
            self._key = key
            self._paths_found.clear()
        return self._graph

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw edges, the paths of selected units, and subgoals.

        An edge between two global subgoals is thicker. Global subgoals are filled, local ones open.
        """
        graph = self._made(context)
        if graph is None:
            return
        self._lines.draw(surface, camera, self._key, lambda layer: self._draw_edges(layer, camera, context))
        for row in context.rows(Scope.SELECTED).tolist()[:4] if context.selected else []:
            path = self._path_along(context, path_of(context, row))
            if path is not None:
                hops(surface, camera, context, path.tolist())
        self._squares.draw(surface, camera, self._key, lambda layer: self._draw_nodes(layer, camera, context))

    def _draw_edges(self, layer: pygame.Surface, camera: Camera, context: LabContext) -> None:
        places, local = self._graph.places, self._graph.is_local
        first, last = places[self._edges[:, 0]], places[self._edges[:, 1]]
        for i in shown_edges(camera, first, last)[:MOST_EDGES].tolist():
            a, b = centre(camera, tuple(first[i].tolist())), centre(camera, tuple(last[i].tolist()))
            if not layer.get_clip().clipline(a, b):
                continue
            both = not (local[self._edges[i]]).any()
            if both:
                pygame.draw.line(layer, context.palette["rim"], a, b, 4)
            pygame.draw.line(layer, self._edge(context), a, b, 2 if both else 1)

    def _draw_nodes(self, layer: pygame.Surface, camera: Camera, context: LabContext) -> None:
        places, local, palette = self._graph.places, self._graph.is_local, context.palette
        live = self._graph.live
        radius = max(camera.zoom // 6, 3)
        for i in shown_rows(camera, places).tolist():
            if not live[i]:
                continue
            x, y = centre(camera, tuple(places[i].tolist()))
            box = pygame.Rect(x - radius, y - radius, 2 * radius, 2 * radius)
            pygame.draw.rect(layer, palette["rim"], box.inflate(2, 2))
            pygame.draw.rect(layer, palette["white"] if local[i] else self._node(context), box)
            pygame.draw.rect(layer, palette["ink"], box, 2)

    def _path_along(self, context: LabContext, ends: tuple | None) -> np.ndarray | None:
        """Return the turns int[n, 2] of the path of a request, or None.

        The path is that of a subgoal search. A direct edge is not a straight line: it has a diagonal and a straight
        part.
        """
        if ends is None:
            return None
        if ends not in self._paths_found:
            if len(self._paths_found) > 64:
                self._paths_found.clear()
            tiles = SubgoalSearch(self._graph, self._ground).find(*ends)
            if tiles is not None and len(tiles) > 2:
                turns = (np.diff(tiles, n=2, axis=0) != 0).any(axis=1)
                tiles = tiles[np.concatenate([[True], turns, [True]])]
            self._paths_found[ends] = tiles
        return self._paths_found[ends]

    @staticmethod
    def _edge(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][4]

    @staticmethod
    def _node(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][0]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of nodes and edges, with counts."""
        graph = self._made(context)
        local = int(graph.is_local.sum()) if graph is not None else 0
        both = int(graph.live.sum()) - local if graph is not None else 0
        return [
            LegendRow("global subgoal", self._node(context), f"{both} corners"),
            LegendRow("local: only near an end", context.palette["white"], f"{local} corners"),
            LegendRow("directly reachable", self._edge(context), f"{len(self._edges)} edges", "line"),
            LegendRow("path of a selected unit", context.palette.overlay["full"], "its turns", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message on a map that is too large."""
        return "" if self._made(context) is not None else "this map is too large for it"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the subgoal of the tile, or the number of subgoals that it reaches."""
        graph = self._made(context)
        if graph is None:
            return "map too large for its graph"
        tile = int(y), int(x)
        if not context.world.terrain.passable[tile] >> class_of(context) & 1:
            return ""
        at = np.flatnonzero((graph.places == tile).all(axis=1))
        if len(at):
            kind = "local" if graph.is_local[at[0]] else "global"
            return f"{kind} subgoal {at[0]} with {len(graph.neighbours(int(at[0])))} neighbours"
        return f"reaches {len(graph.reach(self._ground, *tile))} subgoals directly"


@overlay
class HierarchyOverlay(Overlay):
    """Clusters, crossings between them, and edges of the abstract graph (JOGD 1)."""

    name, title, channel, scope = "hierarchy", "Clusters", Channel.LINE, Scope.ALL
    question = "Where do paths cross from cluster to cluster?"

    level = 1
    all_inside = True
    """True when the paths inside all clusters are drawn."""

    def __init__(self) -> None:
        self._key: tuple | None = None
        self._graph: Any = None
        self._inter = self._intra = np.zeros((0, 2, 2), np.int64)
        self._nodes = np.zeros((0, 2), np.int64)
        self._upper = np.zeros(0, bool)
        self._layer = Layer()

    def _made(self, context: LabContext) -> Any:
        """Return a graph of two levels with the cluster size of the game."""
        terrain, movement_class = context.world.terrain, class_of(context)
        if terrain.passable.size > MOST_TILES:
            return None
        key = (int(terrain.revision), movement_class)
        if self._key != key:
            if self._graph is None or self._key is None or self._key[1] != movement_class or key[0] < self._key[0]:
                self._graph = ClusterGraph.build(terrain, movement_class, CLUSTER, levels=2)
            else:
                self._graph.update(terrain)
            self._read(terrain.width)
            self._key = key
        return self._graph

    @property
    def _size(self) -> int:
        """Return the side of a cluster on the shown level, in tiles."""
        return int(self._graph.levels[self.level - 1].size) if self._graph is not None else 0

    def _read(self, width: int) -> None:
        edges = self._graph.edges(self.level)
        self._inter, self._intra = (np.stack([e // width, e % width], axis=-1).astype(np.int64) for e in edges)
        self._nodes = np.argwhere(self._graph.levels[self.level - 1].slots >= 0).astype(np.int64)
        second = self._graph.levels[1].slots
        self._upper = second[self._nodes[:, 0], self._nodes[:, 1]] >= 0

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw cluster borders, edges inside clusters, crossings and nodes.

        Nodes of the second level are larger and have the colour of crossings.
        """
        if self._made(context) is not None:
            self._layer.draw(surface, camera, self._key, lambda layer: self._draw_all(layer, camera, context))

    def _draw_all(self, layer: pygame.Surface, camera: Camera, context: LabContext) -> None:
        self._borders(layer, camera, context, self._size)
        inner, crossing = self._inner(context), self._crossing(context)
        inside = self._intra if self.all_inside else self._intra[:0]
        for i in shown_edges(camera, inside[:, 0], inside[:, 1])[:MOST_EDGES].tolist():
            (ay, ax), (by, bx) = self._intra[i].tolist()
            a, b = centre(camera, (ay, ax)), centre(camera, (by, bx))
            if layer.get_clip().clipline(a, b):
                pygame.draw.line(layer, inner, a, b, 1)
        for i in shown_edges(camera, self._inter[:, 0], self._inter[:, 1])[:MOST_EDGES].tolist():
            (ay, ax), (by, bx) = self._inter[i].tolist()
            cased(layer, context, [centre(camera, (ay, ax)), centre(camera, (by, bx))], crossing)
        radius = max(camera.zoom // 8, 2)
        for i in shown_rows(camera, self._nodes).tolist():
            y, x = self._nodes[i].tolist()
            upper = bool(self._upper[i])
            fill = crossing if upper else context.palette["white"]
            dot(layer, context, centre(camera, (y, x)), fill, radius + upper)

    def _borders(self, surface: pygame.Surface, camera: Camera, context: LabContext, size: int) -> None:
        height, width = context.world.terrain.passable.shape
        ink, rim = context.palette["ink"], context.palette["rim"]
        for n in range(size, max(height, width), size):
            thick = n % (2 * size) == 0 or self.level == 2
            for a, b in (((n, 0), (n, height)), ((0, n), (width, n))):
                if max(a) > 0 and (a[0] < width if a[0] else a[1] < height):
                    start, end = camera.to_screen(*a), camera.to_screen(*b)
                    if not surface.get_clip().inflate(6, 6).clipline(start, end):
                        continue
                    pygame.draw.line(surface, rim, start, end, 5 if thick else 3)
                    pygame.draw.line(surface, ink, start, end, 3 if thick else 1)

    @staticmethod
    def _pointed_at(context: LabContext) -> bool:
        """Return whether the cursor is on the map."""
        return context.cursor[0] >= 0

    def _inner(self, context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][3 if self.level == 2 else 4]

    @staticmethod
    def _crossing(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][2]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of borders, crossings and edges inside clusters."""
        self._made(context)
        ink, size = context.palette["ink"], self._size
        rows = [
            LegendRow("cluster border", ink, f"{size} tiles", "line"),
            LegendRow("crossing", self._crossing(context), f"{len(self._inter)} edges", "line"),
            LegendRow("path inside a cluster", self._inner(context), f"{len(self._intra)} edges", "line"),
        ]
        if self.level > 1:
            # On this level only the paths of the cluster under the cursor are drawn.
            return rows if self._pointed_at(context) else rows[:2]
        count = f"{int(self._upper.sum())} of {len(self._upper)} tiles"
        return [*rows, LegendRow("node of level 2", self._crossing(context), count, "ring")]

    def empty(self, context: LabContext) -> str:
        """Return a message on a map that is too large."""
        return "" if self._made(context) is not None else "this map is too large for it"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the cluster under the cursor."""
        graph = self._made(context)
        if graph is None:
            return "map too large for clusters"
        level = graph.levels[self.level - 1]
        row, column = int(y) // level.size, int(x) // level.size
        nodes = int(level.counts[row * level.shape[1] + column])
        return f"cluster {column}, {row} of level {self.level}: {nodes} nodes"


@overlay
class SecondLevel(HierarchyOverlay):
    """Second level: clusters of twice the side, and the nodes between them."""

    name, title = "hierarchy_2", "Clusters, level 2"
    question = "Which crossings remain on the second level?"
    like = "hierarchy"
    level, all_inside = 2, False

    def empty(self, context: LabContext) -> str:
        """Return a message on a large map, or while no search uses this level."""
        settings = context.world.settings.paths
        plans = settings.hierarchy == "lazy" and settings.levels > 1 and settings.engine in ("auto", "hpa")
        return super().empty(context) or ("" if plans else "no search uses this level now")

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw borders and crossings, and the paths inside the cluster under the cursor."""
        super().draw(surface, camera, context, alpha)
        tile = focus_tile(camera, context) if self._pointed_at(context) else None
        if self._graph is None or tile is None:
            return
        mine = (self._intra // self._size == np.array(tile) // self._size).all(axis=(1, 2))
        for (ay, ax), (by, bx) in self._intra[mine].tolist():
            a, b = centre(camera, (ay, ax)), centre(camera, (by, bx))
            if not surface.get_clip().clipline(a, b):
                continue
            pygame.draw.line(surface, context.palette["rim"], a, b, 4)
            pygame.draw.line(surface, self._inner(context), a, b, 2)
