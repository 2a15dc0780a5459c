"""Hierarchical search (HPA*) over a graph of block crossings.

A long path is a chain of crossings that becomes tiles only as a unit follows it. The graph
(:mod:`ai.search.hierarchy.cluster_graph`) is small. Start and goal are connected to it level by level, and the search
runs on the highest level only. A hop is refined level by level, down to tiles, shortly before it is used. The tiles are
then smoothed. The result is near-optimal: an entrance is crossed only at its middle or its ends. More levels do not
make a path longer.

There are two interfaces to one graph. This one uses several levels and returns a path hop by hop, as the source does.
It serves units whose plans are soon out of date, first moves, and stepwise inspection.
:mod:`ai.search.hierarchy.hpa_batch` answers the path manager's requests: many in one call, on the lowest level,
complete paths.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (Botea, Müller, Schaeffer).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ai.grid.movement_classes import class_bit
from ai.grid.moves import COST_UNIT, MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.hierarchy import hpa_kernels as kernels
from ai.search.hierarchy import hpa_level_kernels
from ai.search.hierarchy.cluster_graph import CLUSTER, ClusterGraph, ClusterLevel, SearchScratch
from ai.search.hierarchy.hpa_full import SMOOTHING_REACH, WholePath
from ai.search.hierarchy.hpa_kernels import FAR, FARTHEST, NEED_ROOM, UNIT
from ai.search.smoothing.octile_smoothing import smooth_path

__all__ = ["CLUSTER", "ClusterGraph", "ClusterLevel", "HierarchicalSearch"]

_MOVE_Y, _MOVE_X = MOVE_Y.tolist(), MOVE_X.tolist()
_NO_TILES = np.zeros(0, np.int32)
_NO_LOG = np.zeros((0, 3), np.int64)
_NO_VECTOR = np.zeros(0, np.int64)


@dataclass
class _End:
    """A tile connected to the graph.

    It holds, for each level, lowest first, the distances to the nodes of its cluster, and to the other end inside a
    common cluster.
    """

    tile: int
    vectors: list[np.ndarray]
    directs: list[int]


class HierarchicalSearch:
    """Answers requests to a :class:`ClusterGraph`.

    It holds scratch, but no state that must outlive a request. These counters start at 0 with each
    :meth:`find_abstract`: ``abstract_revolutions`` counts nodes of the main search, ``local_revolutions`` the tiles and
    nodes expanded to connect the ends and to refine, ``smoothing_revolutions`` the lines tried in smoothing,
    ``local_searches`` the refinements. ``log`` int64[n, 3] with n > 0 records tile and g of each expanded node. The
    main search stops when the log is full.
    """

    def __init__(self, graph: ClusterGraph) -> None:
        self.graph = graph
        # Not the graph's own scratch: repairs would overwrite its answers.
        self._work = SearchScratch(graph.slots.size)
        self._out = np.zeros(graph.nodes.size + 4, np.int32)
        self._hop = np.zeros((graph.size * graph.size + 1, 2), np.int32)
        self._whole = WholePath(graph, self._work)
        self._answer = self._whole.answer
        self._ends: dict[int, _End] = {}
        self._question = (-1, -1)
        self._joined_at = -1
        self._spent_before = 0
        self.local_searches = 0
        self.log = _NO_LOG

    @property
    def _g(self) -> np.ndarray:
        return self._work.g

    @property
    def _parent(self) -> np.ndarray:
        return self._work.parent

    @property
    def _stamps(self) -> np.ndarray:
        return self._work.stamps

    @property
    def _stamp(self) -> int:
        return self._work.stamp

    @property
    def cost(self) -> float:
        """Cost of the last abstract path, in tiles."""
        return int(self._answer[kernels.COST]) / COST_UNIT

    @property
    def abstract_revolutions(self) -> int:
        """Abstract nodes expanded."""
        return int(self._answer[kernels.MAIN_REVOLUTIONS])

    @property
    def local_revolutions(self) -> int:
        """Tiles and nodes expanded inside clusters."""
        return int(self._answer[kernels.LOCAL_REVOLUTIONS])

    @property
    def smoothing_revolutions(self) -> int:
        """Revolutions for smoothing: 1 for every 64 tiles of the lines tried."""
        return int(self._answer[kernels.SMOOTHED_TILES]) >> 6

    @property
    def revolutions_ever(self) -> int:
        """Total revolutions of all searches, refinements and smoothing of this object."""
        return self._spent_before + self.abstract_revolutions + self.local_revolutions + self.smoothing_revolutions

    def find_abstract(
        self, terrain: Terrain, start: tuple[int, int], goal: tuple[int, int], avoid: np.ndarray = _NO_TILES
    ) -> np.ndarray | None:
        """Return the hops of a path on the highest level, or None.

        Hops are tiles int32[n, 2] (y, x), start first. No hop ends at the flat tiles ``avoid`` int32[n], where units
        block the path. ValueError for tiles outside the map, and when the graph is older than the terrain.
        """
        graph, width = self.graph, terrain.width
        self._check(terrain, start, goal)
        bit = class_bit(graph.movement_class)
        self._spent_before = self.revolutions_ever
        self._answer[:] = 0
        self.local_searches = 0
        if not terrain.passable[goal] & bit or not terrain.passable[start] & bit:
            return None
        first, last = int(start[0]) * width + int(start[1]), int(goal[0]) * width + int(goal[1])
        self.forget()
        self.rejoin(terrain, first, last)
        top = len(graph.levels) - 1
        blocked = avoid
        if len(avoid):
            blocked = np.setdiff1d(np.asarray(avoid, np.int32), [first, last]).astype(np.int32)
        tiles = self._search(terrain, top, (0, 0, max(terrain.height, terrain.width)), first, last, blocked, self.log)
        if tiles is None:
            return None
        self._answer[kernels.COST] = self._work.g[last]
        return np.column_stack((tiles // width, tiles % width)).astype(np.int32)

    def forget(self) -> None:
        """Forget the connected ends.

        The next refinement connects them again when it needs them, and counts the cost.
        """
        self._ends, self._question = {}, (-1, -1)

    def rejoin(self, terrain: Terrain, start: int, goal: int) -> None:
        """Connect the end tiles of a request before hops at its ends are refined.

        ``start`` and ``goal`` are flat tiles. Does nothing when it was the last request.
        """
        if self._question == (start, goal) and self._joined_at == self.graph.revision:
            return
        goal_end = self._join(terrain, goal, None)
        self._ends = {goal: goal_end, start: self._join(terrain, start, goal_end)}
        self._question, self._joined_at = (start, goal), self.graph.revision

    def _check(self, terrain: Terrain, start: tuple[int, int], goal: tuple[int, int]) -> None:
        if self.graph.revision != terrain.revision:
            raise ValueError(f"the graph is at revision {self.graph.revision}, the terrain is at {terrain.revision}")
        height, width = terrain.passable.shape
        for name, (y, x) in (("start", start), ("goal", goal)):
            if not (0 <= y < height and 0 <= x < width):
                raise ValueError(f"{name} (y={y}, x={x}) is outside a terrain of {height} x {width}")

    def refine(self, terrain: Terrain, hops: np.ndarray, first: int = 0, last: int | None = None) -> np.ndarray:
        """Return the tiles ``int32[n, 2]`` of hops ``first`` to ``last``, from hops[first] on.

        The default is all hops. Refine one hop at a time as it is walked. ValueError when an edit has closed a hop;
        then plan again.
        """
        end = len(hops) - 1 if last is None else last
        parts = [np.asarray(hops[first], np.int32).reshape(1, 2)]
        width = terrain.width
        for hop in range(first, end):
            a, b = (int(hops[i][0]) * width + int(hops[i][1]) for i in (hop, hop + 1))
            for tiles in self._refined(terrain, len(self.graph.levels) - 1, a, b):
                if tiles is None:
                    raise ValueError(f"hop {hop} is closed")
                parts.append(tiles)
        return np.concatenate(parts)

    def lower(self, terrain: Terrain, hops: np.ndarray, level: int) -> np.ndarray:
        """Return highest-level hops as hops of ``level`` (1 is the lowest), int32[n, 2]."""
        width = terrain.width
        tiles = [int(y) * width + int(x) for y, x in hops]
        for above in range(len(self.graph.levels) - 1, level - 1, -1):
            longer = tiles[:1]
            for a, b in itertools.pairwise(tiles):
                found = self.hop_below(terrain, above, a, b)
                if found is None:
                    raise ValueError("a hop is closed")
                longer += found[1:]
            tiles = longer
        flat = np.array(tiles, np.int32)
        return np.column_stack((flat // width, flat % width))

    def smooth(self, terrain: Terrain, path: np.ndarray, reach: int = SMOOTHING_REACH) -> np.ndarray:
        """Smooth a tile path with octile lines of at most ``reach`` steps.

        A line replaces tiles only when it costs no more.
        """
        tally = self._answer[kernels.SMOOTHED_TILES :]
        return smooth_path(terrain, self.graph.movement_class, path, reach, tally)

    def find(self, terrain: Terrain, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return the complete path: abstract, refined, smoothed.

        The result is int32[n, 2] (y, x) or None.
        """
        if len(self.graph.upper) or len(self.log):
            hops = self.find_abstract(terrain, start, goal)
            return None if hops is None else self.smooth(terrain, self.refine(terrain, hops))
        path = self._whole.find(terrain, start, goal)
        self.local_searches = int(self._answer[kernels.LOCAL_SEARCHES])
        return path

    def _refined(self, terrain: Terrain, level: int, a: int, b: int) -> list[np.ndarray | None]:
        """Return the tiles of a hop in pieces, without its first tile.

        The result is None for a closed hop.
        """
        if level == 0 or self.graph.levels[level].cluster_of(a) != self.graph.levels[level].cluster_of(b):
            return [self.tiles_of_hop(terrain, a, b)]
        hops = self.hop_below(terrain, level, a, b)
        if hops is None:
            return [None]
        pieces: list[np.ndarray | None] = []
        for first, last in itertools.pairwise(hops):
            pieces += self._refined(terrain, level - 1, first, last)
        return pieces

    def tiles_of_hop(self, terrain: Terrain, a: int, b: int) -> np.ndarray | None:
        """Return the tiles int32[n, 2] of a lowest-level hop, without its first.

        The hop joins two flat tiles; the result is None when it is closed. The tiles are read from the flow fields of
        the nodes where the graph keeps them. Otherwise a search inside the cluster finds them.
        """
        graph = self.graph
        if graph.arrows.size and graph.base.cluster_of(a) == graph.base.cluster_of(b):
            for node, tile in ((b, a), (a, b)):
                slot = int(graph.slots[node // terrain.width, node % terrain.width])
                if slot >= 0:
                    return self._read_off(node, slot, tile, back=node == a)
        self.local_searches += 1
        bit = class_bit(graph.movement_class)
        count = kernels.refine_hop(
            terrain.passable, terrain.cost, bit, 2 * terrain.lowest_cost, graph.size, a, b, self._hop, self._answer
        )
        return self._hop[:count].copy() if count else None

    def _read_off(self, node: int, slot: int, tile: int, *, back: bool) -> np.ndarray | None:
        """Read the tiles from ``tile`` to a node along the node's flow field.

        With ``back`` the tiles lead from the node to ``tile``.
        """
        graph = self.graph
        size, width = graph.size, graph.slots.shape[1]
        row = graph.base.cluster_of(node) * graph.nodes.shape[1] + slot
        arrows = graph.arrows[row].tolist()
        y, x = divmod(tile, width)
        path = [(y, x)]
        while y * width + x != node:
            k = arrows[y % size * size + x % size]
            if k > 7:
                return None
            y, x = y + _MOVE_Y[k], x + _MOVE_X[k]
            path.append((y, x))
        return np.array(path[-2::-1] if back else path[1:], np.int32).reshape(-1, 2)

    def hop_below(self, terrain: Terrain, level: int, a: int, b: int) -> list[int] | None:
        """Return a hop within a cluster as hops of the level below.

        ``level`` is 1 or higher, counted from 0.
        """
        upper = self.graph.levels[level]
        if upper.cluster_of(a) != upper.cluster_of(b):
            return [a, b]
        self.local_searches += 1
        tiles = self._search(terrain, level - 1, (*upper.corner_of(a), upper.size), a, b, _NO_TILES, None)
        return None if tiles is None else tiles.tolist()

    def _join(self, terrain: Terrain, tile: int, other: _End | None) -> _End:
        """Connect a tile to the graph level by level.

        It is also connected to the tile ``other``, which was connected before.
        """
        graph = self.graph
        base = graph.base
        cluster = base.cluster_of(tile)
        vector = np.full(base.nodes.shape[1], FAR, np.int64)
        if graph.away.size and (other is None or base.cluster_of(other.tile) != cluster):
            # Read from the flow fields of the nodes.
            y, x = divmod(tile, graph.slots.shape[1])
            first, count = cluster * len(vector), int(base.counts[cluster])
            far = graph.away[first : first + count, y % graph.size * graph.size + x % graph.size].astype(np.int64)
            vector[:count] = np.where(far < FARTHEST, far << UNIT, FAR)
            direct = FAR
        else:
            direct = kernels.join_tile(
                terrain.passable,
                terrain.cost,
                class_bit(graph.movement_class),
                graph.size,
                tile,
                tile if other is None else other.tile,
                base.nodes[cluster],
                base.counts[cluster],
                vector,
                self._answer,
            )
        made = _End(tile, [vector], [int(direct)])
        for below, level in itertools.pairwise(graph.levels):
            self._run(terrain, below, (*level.corner_of(tile), level.size), tile, made.vectors[-1], 0)
            if other is not None:
                # Distance to the other end through the nodes of its cluster, if this search reached them.
                there = self._read(below, below.cluster_of(other.tile))
                rest = other.vectors[len(made.directs) - 1]
                known = (there < FAR) & (rest < FAR)
                made.directs.append(min(made.directs[-1], int((there + rest)[known].min(initial=FAR))))
            made.vectors.append(self._read(level, level.cluster_of(tile)))
        return made

    def _vector(self, terrain: Terrain, level: int, tile: int) -> np.ndarray:
        """Return the distances from a tile to the nodes of its cluster.

        They are a node's own, those of an end, or found by a new search.
        """
        at = self.graph.levels[level]
        width = terrain.width
        slot = int(at.slots[tile // width, tile % width])
        if slot >= 0:
            return at.distances[at.cluster_of(tile), slot]
        if self._joined_at != self.graph.revision:
            self.forget()
            self._joined_at = self.graph.revision
        if tile not in self._ends:
            self._ends[tile] = self._join(terrain, tile, None)
        return self._ends[tile].vectors[level]

    def _search(
        self,
        terrain: Terrain,
        level: int,
        rectangle: tuple[int, int, int],
        a: int,
        b: int,
        avoid: np.ndarray,
        log: np.ndarray | None,
    ) -> np.ndarray | None:
        """Return the flat tiles of the nodes between two tiles over a level.

        The path leads from tile a to tile b. ``level`` counts from 0. A search without a log counts as local.
        """
        direct = self._ends[a].directs[level] if (a, b) == self._question and a in self._ends else FAR
        from_a, to_b = self._vector(terrain, level, a), self._vector(terrain, level, b)
        used = self._run(
            terrain,
            self.graph.levels[level],
            rectangle,
            a,
            from_a,
            2 * terrain.lowest_cost,
            b,
            to_b,
            direct,
            avoid,
            log,
        )
        if log is not None:
            # A search that filled its log has expanded as many nodes as the log has rows.
            self._answer[kernels.MAIN_REVOLUTIONS] = used if used >= 0 else len(log)
        if used < 0 or self._out[0] == 0:
            return None
        return self._out[1 : 1 + self._out[0]][::-1].copy()

    def _run(
        self,
        terrain: Terrain,
        level: ClusterLevel,
        rectangle: tuple[int, int, int],
        start: int,
        from_start: np.ndarray,
        lowest: int,
        goal: int = -1,
        to_goal: np.ndarray = _NO_VECTOR,
        direct: int = FAR,
        avoid: np.ndarray = _NO_TILES,
        log: np.ndarray | None = None,
    ) -> int:
        work = self._work
        while True:
            work.stamp += 1
            used = hpa_level_kernels.search_level(
                terrain.cost,
                *level.arrays,
                *rectangle,
                start,
                from_start,
                goal,
                to_goal,
                direct,
                lowest,
                avoid,
                work.g,
                work.parent,
                work.stamps,
                work.stamp,
                work.keys,
                work.heap_tiles,
                self._out,
                _NO_LOG if log is None else log,
            )
            if used != NEED_ROOM:
                break
            work.more_heap()
        if log is None:
            self._answer[kernels.LOCAL_REVOLUTIONS] += used
        return int(used)

    def _read(self, level: ClusterLevel, cluster: int) -> np.ndarray:
        """Return distances of the last search to the nodes of a cluster."""
        out = np.full(level.nodes.shape[1], FAR, np.int64)
        work = self._work
        hpa_level_kernels.read_vector(level.nodes, level.counts, cluster, work.g, work.stamps, work.stamp, out)
        return out


TECHNIQUES = (
    {
        "slug": "hpa-star",
        "name": "Hierarchical search (HPA*)",
        "ids": ("JOGD-1.7", "JOGD-1.9"),
        "source": "Journal of Game Development 1, near-optimal hierarchical path-finding",
        "functions": ("HierarchicalSearch.find_abstract", "HierarchicalSearch.refine"),
        "test": "tests/ai/search/hierarchy/test_hpa.py",
        "exhibit": "levels/exhibits/search/clusters.toml",
        "overlay": "hierarchy",
        "setting": "paths.engine",
        "parts": ("JOGD-1.2", "JOGD-1.3", "JOGD-1.4", "JOGD-1.5", "JOGD-1.6", "JOGD-1.11", "JOGD-1.12"),
        "measure": "revolutions",
        "direction": "down",
        "claim": (
            "Clusters of the game have 16 tiles, the article's 10. Diagonal steps need both sides free. The shipped "
            "game searches one level with landmarks; several levels serve paths that are refined leg by leg."
        ),
    },
    {
        "slug": "dead-end",
        "name": "Dead end for tile search",
        "ids": ("JOGD-1.20",),
        "source": "Journal of Game Development 1, near-optimal hierarchical path-finding (running example)",
        "functions": ("HierarchicalSearch.find",),
        "test": "tests/game/level/test_search_exhibits.py",
        "exhibit": "levels/exhibits/search/dead_end.toml",
        "overlay": "expanded",
        "setting": "paths.engine",
        "measure": "revolutions",
        "direction": "down",
        "claim": "A map of our own, since the printed one is lost.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
