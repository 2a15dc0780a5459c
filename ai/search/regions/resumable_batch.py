"""Runs the resumable A* and region paths for complete paths.

A call answers one request or a whole batch. Both searches use terrain costs. The A* runs to its end in one call and
finds the same path as in slices.

Sources: "AI Game Programming Wisdom", 3.1, 3.4; "Game AI Pro 2", 31.3.
"""

from __future__ import annotations

import numpy as np

from ai.grid.movement_classes import class_bit
from ai.grid.moves import COST_UNIT, DIAGONAL, STRAIGHT
from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.regions import resumable_batch_kernels as kernels
from ai.search.regions.next_hop import NextHops
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_path import RegionSearch
from ai.search.smoothing.straight_walk import BODY_RADIUS

_NO_ROWS = np.zeros((0, 2), np.int32)
_NO_NUMBERS = np.zeros(0, np.int32)
_NO_LONGS = np.zeros(0, np.int64)


class WholeAStar:
    """The resumable A* on one terrain for one movement class, run to its end.

    ``cost`` in tiles (infinite when there is no path) and ``revolutions`` refer to the last :meth:`find`.
    """

    def __init__(self, terrain: Terrain, movement_class: int = 0) -> None:
        self._bit = class_bit(movement_class)
        self.ground, self.movement_class = terrain, movement_class
        self.height, self.width = terrain.height, terrain.width
        self.cost, self.revolutions = float("inf"), 0
        self._search = AStarSearch(terrain.height, terrain.width)

    def find(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return a shortest path int32[n, 2] (y, x), or None.

        ValueError for tiles outside. A path may leave a blocked start.
        """
        search = self._search
        search.begin(self.ground, self.movement_class, start, goal)
        search.run(self.ground, kernels.NO_LIMIT)
        self.revolutions = search.revolutions
        found = search.status == FOUND
        self.cost = search.cost if found else float("inf")
        return search.path() if found else None

    def answer(self, questions: np.ndarray, begin: int, end: int, told: tuple[np.ndarray, ...]) -> int:
        """Answer rows of a batch.

        The contract is that of :func:`ai.search.regions.resumable_batch_kernels.answer_by_legs`; ``told`` are its last
        four arguments.
        """
        ground = self.ground
        # The context belongs to the terrain of the last request: call :meth:`find` first.
        return int(
            kernels.answer_by_legs(
                kernels.ALONE, self._search._context, ground.passable, ground.cost, self._bit, ground.lowest_cost,
                BODY_RADIUS, _NO_ROWS, _NO_ROWS, _NO_NUMBERS, _NO_NUMBERS, _NO_NUMBERS,
                _NO_LONGS, 0, np.zeros((0, 0), np.uint16), np.zeros(0, np.uint8), _NO_LONGS, _NO_NUMBERS, _NO_LONGS,
                _NO_NUMBERS, _NO_NUMBERS, _NO_ROWS, questions, begin, end, *told,
            )
        )  # fmt: skip


class WholeRegionPaths:
    """Paths over regions of one terrain, by borders or by a next-hop table.

    The paths are not smoothed. ``cost`` and ``revolutions`` are as in :class:`WholeAStar`. An incomplete table is
    filled as requests come, so searches in several threads need one table each.
    """

    def __init__(self, terrain: Terrain, regions: Regions, hops: NextHops | None = None) -> None:
        self.ground, self._hops = terrain, hops
        self.height, self.width = terrain.height, terrain.width
        self.cost, self.revolutions = float("inf"), 0
        self._search = RegionSearch(regions, hops)
        self._made_for = regions.revision

    def find(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return a path int32[n, 2] (y, x), or None.

        ValueError for tiles outside, or for ground that was edited since.
        """
        if self.ground.revision != self._made_for:
            raise ValueError(f"the paths are for revision {self._made_for}, the terrain is at {self.ground.revision}")
        path = self._search.find(self.ground, start, goal)
        self.revolutions = self._search.revolutions
        self.cost = float("inf")
        if path is not None:
            price = self.ground.cost[path[:, 0], path[:, 1]].astype(np.int64)
            steps = np.where((np.diff(path, axis=0) != 0).all(axis=1), DIAGONAL, STRAIGHT)
            self.cost = int(((price[1:] + price[:-1]) * steps).sum()) / COST_UNIT
        return path

    def answer(self, questions: np.ndarray, begin: int, end: int, told: tuple[np.ndarray, ...]) -> int:
        """Answer rows of a batch, as :class:`WholeAStar` does."""
        ground, search, hops = self.ground, self._search, self._hops
        regions = search.regions
        table = np.zeros((0, 0), np.uint16) if hops is None else hops.table
        filled = np.zeros(0, np.uint8) if hops is None else hops.filled
        route = np.zeros(max(search._route.size, regions.open_count + 1), np.int32)
        targets = _NO_ROWS if search._too_small else np.zeros((len(route), 2), np.int32)
        return int(
            kernels.answer_by_legs(
                kernels.ROUTES if hops is None else kernels.HOPS, search._search._context, ground.passable,
                ground.cost, class_bit(regions.movement_class), ground.lowest_cost, BODY_RADIUS, regions.tile_region,
                regions.centres, regions.first, search._door_of, search._doors, search._price,
                search._lowest, table, filled, search._g, search._parent, search._keys, search._heap, route, targets,
                questions, begin, end, *told,
            )
        )  # fmt: skip
