"""Walking a hierarchical path: only the stretch at hand is ever made into tiles, and plans are cheap to throw away.

With many mobile units plans die young.  A walk keeps an abstract path and a cursor on every level; it refines the next
hop, level by level, when its walker asks for more tiles.  When an edit touches what is left of the plan, near or far,
or somebody stands in the way, the abstract path is thrown away and another planned from where the walker is.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (path refinement; replanning).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record
from ai.grid.terrain import Terrain
from ai.search.hierarchy.cluster_graph import ClusterGraph
from ai.search.hierarchy.hpa import HierarchicalSearch

Tile = tuple[int, int]


def _no_hops() -> np.ndarray:
    return np.zeros((0, 2), np.int32)


@record
class HierarchicalWalk:
    """One walker's way to ``goal``.  Make one with :meth:`begin`; the search is handed in with every question, and
    holds nothing that the walk needs.

    ``replans`` counts plans after the first, ``refined`` tiles made so far; ``found`` is False when there is no way.
    ``hops`` is the abstract path int32[n, 2] of the present plan.  ``left`` are the flat tiles that are left on each
    level, lowest first; the first of a list is where the level below ends.  ``avoided`` flat tiles somebody stands on.
    """

    goal: Tile
    replans: int = -1
    refined: int = 0
    found: bool = False
    hops: np.ndarray = field(default_factory=_no_hops)
    left: list[list[int]] = field(default_factory=list)
    avoided: list[int] = field(default_factory=list)

    @classmethod
    def begin(cls, search: HierarchicalSearch, terrain: Terrain, start: Tile, goal: Tile) -> HierarchicalWalk:
        """Plan the first abstract path; no tile is made yet.  ValueError as for the search's ``find_abstract``."""
        made = cls((int(goal[0]), int(goal[1])))
        made.plan(search, terrain, start)
        return made

    @property
    def hops_begun(self) -> int:
        """Hops of the highest level that were made into something lower, of ``len(hops) - 1``."""
        return max(len(self.hops) - max(len(self.left[-1]), 1), 0) if self.left else 0

    def ahead(self, search: HierarchicalSearch, terrain: Terrain, position: Tile) -> np.ndarray:
        """The next stretch of tiles int32[n, 2] after what was handed out before; empty at the goal or without a way.

        Call it when the walker, at ``position``, has come to the end of the last stretch.  When an edit has closed the
        hop, it is planned anew from there.
        """
        for _ in range(2):
            tiles = self._next_hop(search, terrain)
            if tiles is not None:
                self.refined += len(tiles)
                return tiles
            self.plan(search, terrain, position)
        return np.zeros((0, 2), np.int32)

    def blocked(self, search: HierarchicalSearch, terrain: Terrain, position: Tile, ahead: np.ndarray) -> bool:
        """Somebody stands in the way at the tiles ``ahead`` int[n, 2]: plan anew from ``position``, round them.

        What was found blocked before is avoided as well, until a plan fails; True when there is another way.
        """
        rows = np.asarray(ahead, np.int64).reshape(-1, 2)
        self.avoided += (rows[:, 0] * terrain.width + rows[:, 1]).tolist()
        # Whoever stands in the middle of a hop closes it: neither is its end a way out, on any level.
        here = position[0] * terrain.width + position[1]
        for hops in self.left:
            self.avoided += [tile for tile in hops[:2] if tile != here][:1]
        self.plan(search, terrain, position, np.array(self.avoided, np.int32))
        return self.found

    def fits(self, graph: ClusterGraph) -> bool:
        """Whether the plan was made on as many levels as the graph has."""
        return len(self.left) == len(graph.levels)

    def touched(self, graph: ClusterGraph, changes: list[tuple[int, int, int, int]]) -> bool:
        """Whether an edit of the rectangles ``changes`` (y0, x0, y1, x1) lies in a cluster yet to be crossed."""
        width = graph.slots.shape[1]
        if not self.fits(graph):
            return True
        for hops, level in zip(self.left, graph.levels, strict=True):
            if len(hops) < 2:
                continue
            tiles = np.array(hops, np.int64)
            y, x = tiles // width // level.size, tiles % width // level.size
            for y0, x0, y1, x1 in changes:
                # A tile on a border also shapes the crossing to the other side.
                inside = (y >= (y0 - 1) // level.size) & (y <= y1 // level.size)
                if (inside & (x >= (x0 - 1) // level.size) & (x <= x1 // level.size)).any():
                    return True
        return False

    def plan(self, search: HierarchicalSearch, terrain: Terrain, start: Tile, avoid: np.ndarray | None = None) -> None:
        """Throw the abstract path away and plan another from ``start``; hops end at no flat tile of ``avoid``."""
        self.replans += 1
        hops = search.find_abstract(terrain, start, self.goal, *(() if avoid is None else (avoid,)))
        self.found = hops is not None
        self.hops = _no_hops() if hops is None else hops
        if hops is None:
            self.avoided = []
        self.left = [[] for _ in search.graph.levels]
        self.left[-1] = [int(y) * terrain.width + int(x) for y, x in self.hops]

    def _next_hop(self, search: HierarchicalSearch, terrain: Terrain) -> np.ndarray | None:
        """Tiles of the next hop of the lowest level, empty at the end, None when it is closed."""
        level = 0
        while len(self.left[level]) < 2:
            level += 1
            if level == len(self.left):
                return np.zeros((0, 2), np.int32) if self.found else None
        first_of_all = int(self.hops[0, 0]) * terrain.width + int(self.hops[0, 1])
        last_of_all = self.goal[0] * terrain.width + self.goal[1]
        while True:
            first, last = self.left[level][:2]
            if level > 0 and (first == first_of_all or last == last_of_all):
                search.rejoin(terrain, first_of_all, last_of_all)
            del self.left[level][0]
            if level == 0:
                return search.tiles_of_hop(terrain, first, last)
            below = search.hop_below(terrain, level, first, last)
            if below is None:
                return None
            level -= 1
            self.left[level] = below
