"""Walking a hierarchical path: only the stretch at hand is ever made into tiles, and plans are cheap to throw away.

With many mobile units plans die young.  A walk keeps an abstract path and a cursor on every level; it refines the next
hop, level by level, when its walker asks for more tiles.  When an edit closes the way, or somebody stands in it, the
abstract path is thrown away and another planned from where the walker is.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (path refinement; replanning).
"""

from __future__ import annotations

import numpy as np

from ai.grid.terrain import Terrain
from ai.search.hierarchy import HierarchicalSearch

Tile = tuple[int, int]


class HierarchicalWalk:
    """One walker's way from ``start`` to ``goal``.

    ``replans`` counts plans after the first, ``refined`` tiles made so far; ``found`` is False when there is no way.
    ``hops`` is the abstract path int32[n, 2] of the present plan.
    """

    def __init__(self, search: HierarchicalSearch, terrain: Terrain, start: Tile, goal: Tile) -> None:
        self.search = search
        self.goal = goal
        self.replans = -1
        self.refined = 0
        self.found = False
        self.hops = np.zeros((0, 2), np.int32)
        self._levels: list[list[int]] = []
        self._avoided: list[int] = []
        self._plan(terrain, start, np.zeros(0, np.int32))

    def ahead(self, terrain: Terrain, position: Tile) -> np.ndarray:
        """The next stretch of tiles int32[n, 2] after what was handed out before; empty at the goal or without a way.

        Call it when the walker, at ``position``, has come to the end of the last stretch.  When an edit has closed the
        hop, it is planned anew from there.
        """
        for _ in range(2):
            tiles = self._next_hop(terrain)
            if tiles is not None:
                self.refined += len(tiles)
                return tiles
            self._plan(terrain, position, np.zeros(0, np.int32))
        return np.zeros((0, 2), np.int32)

    def blocked(self, terrain: Terrain, position: Tile, ahead: np.ndarray) -> bool:
        """Somebody stands in the way at the tiles ``ahead`` int[n, 2]: plan anew from ``position``, round them.

        What was found blocked before is avoided as well, until a plan fails; True when there is another way.
        """
        rows = np.asarray(ahead, np.int64).reshape(-1, 2)
        self._avoided += (rows[:, 0] * terrain.width + rows[:, 1]).tolist()
        # Whoever stands in the middle of a hop closes it: neither is its end a way out, on any level.
        here = position[0] * terrain.width + position[1]
        for hops in self._levels:
            self._avoided += [tile for tile in hops[:2] if tile != here][:1]
        self._plan(terrain, position, np.array(self._avoided, np.int32))
        return self.found

    def _plan(self, terrain: Terrain, start: Tile, avoid: np.ndarray) -> None:
        self.replans += 1
        hops = self.search.find_abstract(terrain, start, self.goal, avoid)
        self.found = hops is not None
        self.hops = np.zeros((0, 2), np.int32) if hops is None else hops
        if hops is None:
            self._avoided = []
        flat = [int(y) * terrain.width + int(x) for y, x in self.hops]
        # What is left on each level, lowest first; the first tile of a list is where the level below ends.
        self._levels = [[] for _ in self.search.graph.levels]
        self._levels[-1] = flat

    def _next_hop(self, terrain: Terrain) -> np.ndarray | None:
        """Tiles of the next hop of the lowest level, empty at the end, None when it is closed."""
        level = 0
        while len(self._levels[level]) < 2:
            level += 1
            if level == len(self._levels):
                return np.zeros((0, 2), np.int32) if self.found else None
        while True:
            first, last = self._levels[level][:2]
            del self._levels[level][0]
            if level == 0:
                return self.search.tiles_of_hop(terrain, first, last)
            below = self.search.hop_below(terrain, level, first, last)
            if below is None:
                return None
            level -= 1
            self._levels[level] = below
