"""Follows a hierarchical path and refines only the next part of it.

With many moving units, plans are soon out of date. A walk keeps an abstract path and a cursor on every level. It
refines the next hop, level by level, when its unit asks for more tiles. An edit may touch the rest of the plan, or a
unit may block the path. Then the walk drops the abstract path and plans another from the current position.

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
    """The walk of one unit to ``goal``; create it with :meth:`begin`.

    Each call takes the search as an argument. The search holds nothing that the walk needs.

    ``replans`` counts the plans after the first, ``refined`` the tiles made so far. ``found`` is False when there is no
    path. ``hops`` is the abstract path int32[n, 2] of the current plan. ``left`` lists the remaining flat tiles of each
    level, lowest level first; the first tile of a list is where the level below ends. ``avoided`` are flat tiles
    occupied by units.
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
        """Plan the first abstract path without making any tile.

        ValueError as for ``find_abstract`` of the search.
        """
        made = cls((int(goal[0]), int(goal[1])))
        made.plan(search, terrain, start)
        return made

    @property
    def hops_begun(self) -> int:
        """Return how many of the ``len(hops) - 1`` highest-level hops were refined."""
        return max(len(self.hops) - max(len(self.left[-1]), 1), 0) if self.left else 0

    def ahead(self, search: HierarchicalSearch, terrain: Terrain, position: Tile) -> np.ndarray:
        """Return the next tiles int32[n, 2] of the path.

        They follow the tiles that were returned before. The result is empty at the goal or when there is no path.

        Call it when the unit, at ``position``, has reached the end of the last tiles. When an edit has closed the hop,
        a new plan is made from ``position``.
        """
        for _ in range(2):
            tiles = self._next_hop(search, terrain)
            if tiles is not None:
                self.refined += len(tiles)
                return tiles
            self.plan(search, terrain, position)
        return np.zeros((0, 2), np.int32)

    def blocked(self, search: HierarchicalSearch, terrain: Terrain, position: Tile, ahead: np.ndarray) -> bool:
        """Replan from ``position`` around units on the tiles ``ahead`` int[n, 2].

        Tiles that were blocked before are avoided as well, until a plan fails. Returns True when there is another path.
        """
        rows = np.asarray(ahead, np.int64).reshape(-1, 2)
        self.avoided += (rows[:, 0] * terrain.width + rows[:, 1]).tolist()
        # A unit in the middle of a hop closes the hop, so both of its ends are avoided on every level.
        here = position[0] * terrain.width + position[1]
        for hops in self.left:
            self.avoided += [tile for tile in hops[:2] if tile != here][:1]
        self.plan(search, terrain, position, np.array(self.avoided, np.int32))
        return self.found

    def fits(self, graph: ClusterGraph) -> bool:
        """Return whether the plan has as many levels as the graph."""
        return len(self.left) == len(graph.levels)

    def touched(self, graph: ClusterGraph, changes: list[tuple[int, int, int, int]]) -> bool:
        """Return whether an edit touches a cluster of the remaining path.

        ``changes`` are the edited rectangles (y0, x0, y1, x1).
        """
        width = graph.slots.shape[1]
        if not self.fits(graph):
            return True
        for hops, level in zip(self.left, graph.levels, strict=True):
            if len(hops) < 2:
                continue
            tiles = np.array(hops, np.int64)
            y, x = tiles // width // level.size, tiles % width // level.size
            for y0, x0, y1, x1 in changes:
                # A border tile also shapes the crossing in the neighbouring cluster.
                inside = (y >= (y0 - 1) // level.size) & (y <= y1 // level.size)
                if (inside & (x >= (x0 - 1) // level.size) & (x <= x1 // level.size)).any():
                    return True
        return False

    def plan(self, search: HierarchicalSearch, terrain: Terrain, start: Tile, avoid: np.ndarray | None = None) -> None:
        """Drop the abstract path and plan another from ``start``.

        No hop ends at a flat tile of ``avoid``.
        """
        self.replans += 1
        hops = search.find_abstract(terrain, start, self.goal, *(() if avoid is None else (avoid,)))
        self.found = hops is not None
        self.hops = _no_hops() if hops is None else hops
        if hops is None:
            self.avoided = []
        self.left = [[] for _ in search.graph.levels]
        self.left[-1] = [int(y) * terrain.width + int(x) for y, x in self.hops]

    def _next_hop(self, search: HierarchicalSearch, terrain: Terrain) -> np.ndarray | None:
        """Return the tiles of the next lowest-level hop.

        The result is empty at the end of the path and None when the hop is closed.
        """
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
