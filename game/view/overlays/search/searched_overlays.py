"""Overlays that repeat a search: its expanded nodes, or its any-angle path."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pygame

from ai.paths.engines.engine_choice import is_uniform
from ai.search.any_angle.any_angle import ThetaStar
from ai.search.explorer import ALGORITHMS, CLOSED, Question, build, why_not
from ai.search.hierarchy.hpa_batch import CLUSTER
from ai.search.jps.jps import JumpPointSearch, UniformGround
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import Layer, cased, centre, class_of, dot, path_of, shown_rows
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.units.order_marks import dashed

MOST_TILES = 1 << 16
MOST_WAYS = 6

ENGINES = {
    "astar": "astar", "jps": "jps", "hpa": "hpa", "flow": "dijkstra", "jps_plus": "jps_plus",
    "jps_plus_gb": "jps_plus_gb", "subgoal": "subgoal_2", "theta": "theta", "lazy_theta": "lazy_theta",
    "regions": "next_hop", "machine": "machine",
}  # fmt: skip
"""Map from the setting ``paths.engine`` to the algorithm of the explorer."""


def algorithm_of(context: LabContext) -> str:
    """Return the explorer's name of the search that serves full requests."""
    settings = context.world.settings.paths
    engine = str(settings.engine)
    if engine == "hpa" and settings.hierarchy == "lazy" and settings.levels > 1:
        return "hpa_2"
    return ENGINES.get(engine, "jps" if is_uniform(context.world.terrain) else "astar")


@overlay
class Expanded(Overlay):
    """Search tree of the selected unit's path: expanded and open nodes (AW 3.1)."""

    name, title, channel, scope = "expanded", "Search tree", Channel.LINE, Scope.SELECTED
    question = "Which nodes did the search for this path expand?"

    def __init__(self) -> None:
        self._key: Any = None
        self._frame: Any = None
        self._layer = Layer()

    def _made(self, context: LabContext) -> Any:
        rows = context.rows(self.scope)
        path = path_of(context, int(rows[0])) if len(rows) and context.selected else None
        terrain = context.world.terrain
        if path is None or terrain.passable.size > MOST_TILES:
            return None
        key = (int(terrain.revision), class_of(context), path, algorithm_of(context))
        if self._key != key:
            # The game's clusters have this size.
            question = Question(key[3], *path, movement_class=key[1], cluster=CLUSTER)
            self._frame = None
            if not why_not(terrain, question):
                explorer = build(terrain, question)
                self._frame = explorer.frame(explorer.total)
            self._key = key
        return self._frame

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw each node with a line to its parent; expanded blue, open yellow."""
        frame = self._made(context)
        if frame is not None:
            self._layer.draw(surface, camera, self._key, lambda layer: self._draw_tree(layer, camera, context, frame))

    def _draw_tree(self, layer: pygame.Surface, camera: Camera, context: LabContext, frame: Any) -> None:
        width = frame.parent.shape[1]
        tiles = np.argwhere(frame.status > 0)
        shown = tiles[shown_rows(camera, tiles)]
        for y, x in shown.tolist():
            parent = int(frame.parent[y, x])
            if parent >= 0:
                a, b = centre(camera, (y, x)), centre(camera, divmod(parent, width))
                pygame.draw.line(layer, self._closed(context), a, b, 2)
        radius = max(camera.zoom // 8, 2)
        for y, x in shown.tolist():
            colour = self._closed(context) if frame.status[y, x] == CLOSED else self._open(context)
            dot(layer, context, centre(camera, (y, x)), colour, radius)

    @staticmethod
    def _open(context: LabContext) -> RGB:
        """Return the colour of the A* explorer; white is invisible on paper."""
        return context.palette.ramps["okabe_ito"][5]

    @staticmethod
    def _closed(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][4]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the counts of expanded and open nodes."""
        frame = self._made(context)
        if frame is None:
            return [LegendRow("select a unit with a path", context.palette["ink"], "")]
        name = ALGORITHMS[algorithm_of(context)]
        return [
            LegendRow("expanded, with its parent", self._closed(context), f"{frame.step} nodes", "line"),
            LegendRow("still open", self._open(context), f"{frame.open_size} nodes"),
            LegendRow(name, context.palette["ink"], f"{frame.looked} {frame.looked_unit}"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return why no tree is shown."""
        if context.world.terrain.passable.size > MOST_TILES:
            return "this map is too large for it"
        if not context.selected:
            return "no unit is selected"
        return "" if self._made(context) is not None else "the selected unit has requested no path yet"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return f, g and h of the tile."""
        frame = self._made(context)
        if frame is None:
            return ""
        tile = int(y), int(x)
        word = ("untouched", "open", "expanded")[int(frame.status[tile])]
        if not np.isfinite(frame.g[tile]):
            return word
        return f"{word}: g {frame.g[tile]:.1f} + h {frame.h[tile]:.1f} = f {frame.f[tile]:.1f} tiles"


@overlay
class AnyAngle(Overlay):
    """Grid path beside the any-angle path of the same request (GP2 16)."""

    name, title, channel, scope = "any_angle", "Any angle", Channel.LINE, Scope.SELECTED
    question = "How much shorter is a path at any angle?"

    def __init__(self) -> None:
        self._revision: tuple = ()
        self._known: dict[tuple, tuple[np.ndarray, np.ndarray, float, float] | None] = {}

    def _paths_found(self, context: LabContext) -> list[tuple[np.ndarray, np.ndarray, float, float]]:
        """Return (grid tiles, any-angle corners, both lengths) of the shown units."""
        terrain = context.world.terrain
        if terrain.passable.size > MOST_TILES:
            return []
        key = (int(terrain.revision), class_of(context))
        if self._revision != key:
            self._revision, self._known = key, {}
        made = []
        for row in context.rows(self.scope)[:MOST_WAYS].tolist():
            path = path_of(context, row)
            if path is None:
                continue
            if path not in self._known:
                self._known[path] = self._search(context, path)
            known = self._known[path]
            if known is not None:
                made.append(known)
        return made

    @staticmethod
    def _search(context: LabContext, path: tuple) -> tuple[np.ndarray, np.ndarray, float, float] | None:
        ground = UniformGround.build(context.world.terrain, class_of(context))
        grid, theta = JumpPointSearch(ground), ThetaStar(ground)
        tiles, corners = grid.find(*path), theta.find(*path)
        return None if tiles is None or corners is None else (tiles, corners, grid.cost, theta.length)

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the grid path dashed and the any-angle path solid with dots."""
        palette = context.palette
        for tiles, corners, _, _ in self._paths_found(context):
            grid = [centre(camera, (y, x)) for y, x in tiles.tolist()]
            free = [centre(camera, (y, x)) for y, x in corners.tolist()]
            if len(grid) < 2 or len(free) < 2:
                continue
            if any(surface.get_clip().clipline(a, b) for a, b in itertools.pairwise(grid)):
                pygame.draw.lines(surface, palette["rim"], False, grid, 5)
            dashed(surface, grid, self._grid(context), None, 3, 8, 6)
            cased(surface, context, free, palette.overlay["full"])
            for at in free:
                dot(surface, context, at, palette["white"], 4)

    @staticmethod
    def _grid(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][2]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the mean lengths of both paths."""
        paths = self._paths_found(context)
        n = max(len(paths), 1)
        grid, free = sum(w[2] for w in paths) / n, sum(w[3] for w in paths) / n
        return [
            LegendRow("on the grid", self._grid(context), f"{grid:.1f} tiles on average", "dash"),
            LegendRow("at any angle", context.palette.overlay["full"], f"{free:.1f} tiles", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no shown unit has requested a path."""
        return "" if self._paths_found(context) else "no unit shown has requested a path yet"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the lengths of the nearest paths."""
        best, words = 2.0, ""
        for tiles, _, grid, free in self._paths_found(context):
            d = float(np.hypot(tiles[:, 0] + 0.5 - y, tiles[:, 1] + 0.5 - x).min())
            if d < best:
                best, words = d, f"grid {grid:.1f} tiles, any angle {free:.1f}: {100 * (1 - free / grid):.1f} % less"
        return words
