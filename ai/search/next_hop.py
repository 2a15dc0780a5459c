"""Next-hop tables over regions: the way from anywhere to anywhere as a walk through a table.

``table[i, j]`` is the region after i on the way to j.  A column is filled the first time somebody goes to j, or all
columns at leisure; either way it holds the same, for among equally short ways the next region whose centre comes first
wins.  The region
path gives masses of cheap distance estimates, and a walker who follows it tile by tile heads for the first centre he
cannot see: mostly straight, with about one turn.

Source: "Game AI Pro 2", 31.3 (region paths with furthest-visible hand-off, distance estimates, next-hop cache).
"""

from __future__ import annotations

import numpy as np

from ai.grid.classes import class_bit
from ai.grid.moves import COST_UNIT
from ai.grid.terrain import Terrain
from ai.search import region_kernels as kernels
from ai.search.region_kernels import NO_REGION
from ai.search.regions import Regions
from ai.search.walk import BODY_RADIUS
from ai.state import derived, record, unhashed

MOST_REGIONS = 8192
"""A table takes two bytes for each pair of regions."""


def _nothing() -> np.ndarray:
    return np.zeros((0, 0), np.uint16)


class _Scratch:
    def __init__(self, count: int, edges: int) -> None:
        self.g = np.zeros(count, np.int64)
        self.keys = np.zeros(edges + 1, np.int64)
        self.heap = np.zeros(edges + 1, np.int32)


@record
class NextHops:
    """Next region uint16[n, n] for one kind of unit, column by column as they are asked for.

    ``price`` int64[256] is what ground of each cost is felt to cost.  What is filled follows from the regions alone, so
    it is not hashed.  When regions were mended (:meth:`serves` tells) :meth:`follow` drops what may have changed.
    """

    revision: int
    regions: int
    cuts: int = 0
    price: np.ndarray = unhashed(_nothing)
    table: np.ndarray = unhashed(_nothing)
    filled: np.ndarray = unhashed(_nothing)
    lengths: np.ndarray = unhashed(_nothing)
    places: np.ndarray = unhashed(_nothing)
    expanded: int = 0  # regions expanded for columns, in all
    scratch: _Scratch | None = derived(lambda: None)

    @classmethod
    def build(cls, regions: Regions, price: np.ndarray | None = None) -> NextHops:
        """An empty table.  ValueError when there are more than MOST_REGIONS open regions, or they are not ready."""
        if not regions.ready:
            raise ValueError("the regions are not cut to an end yet")
        if regions.open_count > MOST_REGIONS:
            raise ValueError(f"{regions.open_count} open regions are too many for a table: {MOST_REGIONS} at most")
        made = cls(regions.revision, regions.open_count, regions.cuts)
        made.price = np.arange(256) if price is None else np.array(price, np.int64)
        made.lengths, made.places = regions.lengths(made.price), regions.places()
        made.table = np.full((made.regions, made.regions), NO_REGION, np.uint16)
        made.filled = np.zeros(made.regions, np.uint8)
        return made

    def serves(self, regions: Regions) -> bool:
        """Whether the table is of these regions."""
        return self.cuts == regions.cuts and self.regions == regions.open_count

    def follow(self, regions: Regions) -> int:
        """Drop the columns of goals that could or can be reached from a region that changed; returns how many.

        They are filled again when somebody goes there.  ValueError when there are too many regions now.
        """
        if self.serves(regions):
            self.revision = regions.revision
            return 0
        old, n = self.regions, regions.open_count
        if n > MOST_REGIONS:
            raise ValueError(f"{n} open regions are too many for a table: {MOST_REGIONS} at most")
        if n > old:
            table, filled = np.full((n, n), NO_REGION, np.uint16), np.zeros(n, np.uint8)
            table[:old, :old], filled[:old] = self.table, self.filled
            self.table, self.filled, self.regions = table, filled, n
        changed = np.flatnonzero(regions.changed_at > self.cuts)
        touched = np.unique(np.concatenate([changed, *(regions.neighbours(r) for r in changed.tolist())]))
        stale = (self.table[touched] != NO_REGION).any(axis=0)
        stale[changed] = True
        stale &= self.filled > 0
        self.table[:, stale] = NO_REGION
        self.filled[stale] = 0
        self.lengths, self.places = regions.lengths(self.price), regions.places()
        self.scratch, self.cuts, self.revision = None, regions.cuts, regions.revision
        return int(stale.sum())

    def fill(self, regions: Regions, revolutions: int) -> int:
        """Fill columns ahead of need until ``revolutions`` regions were expanded; returns how many, 0 when all are
        filled."""
        used = 0
        for goal in np.flatnonzero(self.filled == 0).tolist():
            if used >= revolutions:
                break
            used += self._column(regions, goal)
        return used

    def route(self, regions: Regions, start: int, goal: int) -> np.ndarray | None:
        """Regions int32[n] from ``start`` to ``goal``, both included, or None when there is no way, as from walls.

        ValueError for regions that do not exist, and when the regions were cut anew since the table was made.
        """
        for region in (start, goal):
            if region >= regions.open_count:
                raise ValueError(f"there is no region {region} among {regions.open_count}")
        if not self.serves(regions):
            raise ValueError("the regions were cut anew since this table was made")
        if min(start, goal) < 0:
            return None
        if not self.filled[goal]:
            self._column(regions, goal)
        column = self.table[:, goal]
        if column[start] == NO_REGION:
            return None
        found = [start]
        while found[-1] != goal:
            found.append(int(column[found[-1]]))
        return np.array(found, np.int32)

    def estimate(self, regions: Regions, start: tuple[int, int], goal: tuple[int, int]) -> float:
        """Length of the way between two tiles in tiles of ordinary ground, infinite when there is none.

        Centre to centre along the region path, the first and last leg from and to the tiles themselves.
        """
        route = self.route(regions, regions.at(*start), regions.at(*goal))
        if route is None:
            return np.inf
        stops = np.concatenate(([start], regions.centres[route[1:-1]], [goal])).astype(np.int64)
        felt = self.price[regions.cost[route]]
        if len(route) == 1:
            felt = np.repeat(felt, 2)
        dy, dx = np.abs(np.diff(stops, axis=0)).T
        straight = np.maximum(dy, dx) * kernels.STRAIGHT + np.minimum(dy, dx) * (kernels.DIAGONAL - kernels.STRAIGHT)
        return float((straight * (felt[:-1] + felt[1:])).sum() / COST_UNIT)

    def _column(self, regions: Regions, goal: int) -> int:
        if not self.serves(regions):
            raise ValueError("the regions were cut anew since this table was made")
        if self.scratch is None:
            self.scratch = _Scratch(self.regions, len(regions.ends))
        work = self.scratch
        hops = np.empty(self.regions, np.uint16)
        used = kernels.hops_to(
            regions.first, regions.ends, self.lengths, self.places, goal, work.g, work.keys, work.heap, hops
        )
        self.table[:, goal] = hops
        self.filled[goal] = 1
        self.expanded += int(used)
        return int(used)


def centres_of(regions: Regions, route: np.ndarray, goal: tuple[int, int]) -> np.ndarray:
    """What a walker on a route heads for in turn: int32[n, 2] (y, x), centres after his own region, then ``goal``."""
    return np.ascontiguousarray(np.concatenate((regions.centres[route[1:-1]], [goal])), np.int32)


def hand_off(
    terrain: Terrain,
    movement_class: int,
    centres: np.ndarray,
    position: tuple[float, float],
    begin: int = 0,
    radius: float = BODY_RADIUS,
    tally: np.ndarray | None = None,
) -> int:
    """Row of the first of ``centres`` int32[n, 2] (y, x), from ``begin`` on, that no straight walk reaches.

    ``position`` is (x, y) in tiles; the answer is n - 1, the goal, when the walker sees them all.  He searches a tile
    path to that centre, and asks again when he comes near it.  ``tally`` int64[1] grows by the tiles that lines
    come to: 64 of them are a revolution.
    """
    rows = np.ascontiguousarray(centres, np.int32)
    if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) == 0:
        raise ValueError(f"centres must be [n, 2] with n > 0, got {rows.shape}")
    x, y = position
    tally = np.zeros(1, np.int64) if tally is None else tally
    found = kernels.first_hidden(terrain.passable, class_bit(movement_class), rows, begin, y, x, radius, tally)
    return min(int(found), len(rows) - 1)


def half_table(table: np.ndarray) -> np.ndarray:
    """The entries of a full, symmetric next-hop table above its diagonal, row by row: half the memory."""
    return table[np.triu_indices(len(table), 1)]


def route_from_half(half: np.ndarray, count: int, start: int, goal: int) -> list[int] | None:
    """A route from a half table of ``count`` regions, built from both ends; there is only ever one gap.

    Only for ways that can be walked in both directions.  None when there is no way.
    """
    if not (0 <= start < count and 0 <= goal < count) or len(half) != count * (count - 1) // 2:
        raise ValueError(f"{count} regions have a half table of {count * (count - 1) // 2}, got {len(half)}")
    left, right = [start], [goal]
    while left[-1] != right[-1]:
        a, b = left[-1], right[-1]
        low, high = min(a, b), max(a, b)
        hop = int(half[low * (2 * count - low - 1) // 2 + high - low - 1])
        if hop == NO_REGION:
            return None
        (left if a < b else right).append(hop)
    return left + right[-2::-1]


__all__ = ["MOST_REGIONS", "NO_REGION", "NextHops", "centres_of", "half_table", "hand_off", "route_from_half"]
