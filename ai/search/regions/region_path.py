"""Tile paths over regions: a region path first, then only the near tiles.

The near part is an almost straight tile path.

Source: "Game AI Pro 2", 31.3 (hierarchical path with furthest-visible region hand-off).
"""

from __future__ import annotations

import numpy as np

from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.regions import region_kernels as kernels
from ai.search.regions.next_hop import NextHops, centres_of, hand_off
from ai.search.regions.region_graph import Regions

SMALLEST = 16
"""Mean size of regions, in tiles, from which region paths pay."""


class RegionSearch:
    """Complete tile paths over regions: the steps of a unit, done in one call.

    The region path is read from ``hops`` when a table is given. Otherwise a search over the borders of regions finds
    it; that is more exact inside large regions. On noise-like ground, where regions have fewer than SMALLEST tiles on
    average, regions mean nothing, and the tiles are searched from end to end. ``revolutions`` counts the expanded
    borders and tiles of the last :meth:`find`, and the regions for a missing table column. ``log`` int64[n, 3] with n >
    0 records flat tile and g of each expanded border. The route search stops when the log is full.
    """

    def __init__(self, regions: Regions, hops: NextHops | None = None, price: np.ndarray | None = None) -> None:
        self.regions = regions
        self.hops = hops
        self.revolutions = 0
        felt = np.arange(256) if price is None else np.asarray(price, np.int64)
        self._price = felt[regions.cost[: regions.open_count]]
        live = regions.tiles[: regions.open_count] > 0
        self._lowest = int(self._price[live].min(initial=1 << 20))
        self._too_small = int(regions.tiles[: regions.open_count].sum()) < SMALLEST * int(live.sum())
        self._search = AStarSearch(*regions.tile_region.shape)
        self._tally = np.zeros(1, np.int64)
        # With a table no border search is needed.
        crossed = (regions.crossings if hops is None else regions.crossings[:0]).astype(np.int64)
        crossed = crossed[:, 0] * regions.tile_region.shape[1] + crossed[:, 1]
        doors, door_of = np.unique(crossed, return_inverse=True)
        self._doors, self._door_of = doors.astype(np.int32), door_of.astype(np.int32)
        self._g, self._parent = np.zeros(len(doors), np.int64), np.zeros(len(doors), np.int32)
        self._keys, self._heap = np.zeros(4 * len(doors) + 64, np.int64), np.zeros(4 * len(doors) + 64, np.int32)
        self._route, self._answer = np.zeros(len(doors) + 1, np.int32), np.zeros(3, np.int64)
        self.log = np.zeros((0, 3), np.int64)

    def route(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return the regions ``int32[n]`` on a short path between tiles, or None.

        ValueError for tiles outside.
        """
        regions = self.regions
        first, last = regions.at(*start), regions.at(*goal)
        if self.hops is not None:
            before = self.hops.expanded
            found = self.hops.route(regions, first, last)
            self.revolutions += self.hops.expanded - before
            return found
        if min(first, last) < 0:
            return None
        while True:
            count = kernels.find_route(
                regions.first,
                regions.tile_region,
                self._door_of,
                self._doors,
                self._price,
                self._answer,
                self._lowest,
                *start,
                *goal,
                self._g,
                self._parent,
                self._keys,
                self._heap,
                self._route,
                self.log,
            )
            if count != kernels.NEED_ROOM:
                break
            self._keys, self._heap = np.zeros(2 * self._keys.size, np.int64), np.zeros(2 * self._keys.size, np.int32)
        self.revolutions += int(self._answer[1])
        return self._route[:count][::-1].copy() if count > 0 else None

    def find(self, terrain: Terrain, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return the tiles int32[n, 2] (y, x), or None.

        ValueError for tiles outside and for regions of another terrain.
        """
        if self.regions.revision != terrain.revision:
            raise ValueError(f"regions are at revision {self.regions.revision}, the terrain is at {terrain.revision}")
        self.revolutions = 0
        self._tally[0] = 0
        route = self.route(start, goal)
        if route is None:
            return None
        if self._too_small:
            return self._leg(terrain, start, goal)
        centres = centres_of(self.regions, route, goal)
        tiles = [np.array([start], np.int32)]
        here, target = start, 0
        while here != goal:
            target = self._seen_to(terrain, centres, here, target)
            leg = self._leg(terrain, here, (int(centres[target, 0]), int(centres[target, 1])))
            if leg is None:
                return None
            # The unit goes on as soon as it sees past its current target.
            stop = 1
            while stop < len(leg) - 1 and target < len(centres) - 1:
                y, x = leg[stop].tolist()
                if self._seen_to(terrain, centres, (y, x), target) > target:
                    break
                stop += 1
            else:
                stop = len(leg) - 1
            tiles.append(leg[1 : stop + 1])
            here = (int(leg[stop, 0]), int(leg[stop, 1]))
            if target < len(centres) - 1 and here == tuple(centres[target].tolist()):
                target += 1
        return np.concatenate(tiles)

    def _seen_to(self, terrain: Terrain, centres: np.ndarray, here: tuple[int, int], begin: int) -> int:
        before = int(self._tally[0]) >> 6
        at = here[1] + 0.5, here[0] + 0.5
        seen = hand_off(terrain, self.regions.movement_class, centres, at, begin, tally=self._tally)
        self.revolutions += (int(self._tally[0]) >> 6) - before
        return seen

    def _leg(self, terrain: Terrain, here: tuple[int, int], there: tuple[int, int]) -> np.ndarray | None:
        self._search.begin(terrain, self.regions.movement_class, here, there)
        self._search.run(terrain, 1 << 40)
        self.revolutions += self._search.revolutions
        return self._search.path() if self._search.status == FOUND else None
