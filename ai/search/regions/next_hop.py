"""Next-hop tables over regions: a path is read hop by hop.

``table[i, j]`` is the region after i on the path to j. A column is filled when a unit first goes to j, or in advance.
Both give the same values: among equally short paths the next region whose centre comes first wins. The region path
gives cheap distance estimates. A unit that follows it tile by tile heads for the first hidden centre. Its path is
mostly straight, with about one turn.

Source: "Game AI Pro 2", 31.3 (region paths with furthest-visible hand-off, distance estimates, next-hop cache).
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from ai.core.serialization import derived, record, unhashed
from ai.grid.movement_classes import class_bit
from ai.grid.moves import COST_UNIT
from ai.grid.terrain import Terrain
from ai.search.regions import region_kernels as kernels
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_kernels import NO_REGION
from ai.search.smoothing.straight_walk import BODY_RADIUS

MOST_REGIONS = 8192
"""Largest number of regions; a table takes two bytes for each pair."""


def _nothing() -> np.ndarray:
    return np.zeros((0, 0), np.uint16)


class _Scratch:
    def __init__(self, count: int, edges: int) -> None:
        self.g = np.zeros(count, np.int64)
        self.keys = np.zeros(edges + 1, np.int64)
        self.heap = np.zeros(edges + 1, np.int32)


@record
class NextHops:
    """Next regions uint16[n, n] for one kind of unit, filled column by column.

    ``price`` int64[256] is the effective cost of ground of each cost for this kind of unit. The content follows from
    the regions alone, so it is not hashed, and only filled columns are saved. After regions were repaired (see
    :meth:`serves`), :meth:`work` drops the columns that may have changed, slice by slice. Until it is done the table
    answers nothing.
    """

    revision: int
    regions: int
    cuts: int = 0
    toward: int = -1  # version of the regions that the table is built or repaired for
    priced: int = 0  # borders with known lengths
    touched: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # regions whose rows are to be examined
    wanted: list[int] = field(default_factory=list)  # goals whose columns :meth:`work` fills
    saved: int = 0  # revolutions saved for the first of these
    price: np.ndarray = unhashed(_nothing)
    table: np.ndarray = unhashed(_nothing)
    filled: np.ndarray = unhashed(_nothing)
    lengths: np.ndarray = unhashed(_nothing)
    places: np.ndarray = unhashed(_nothing)
    expanded: int = 0  # regions expanded for columns in total
    scratch: _Scratch | None = derived(lambda: None)

    @classmethod
    def build(cls, regions: Regions, price: np.ndarray | None = None) -> NextHops:
        """Return a table that can be read at once.

        ValueError when there are more than MOST_REGIONS open regions, or they are not ready.
        """
        made = cls.begin(regions, price)
        made.work(regions, 1 << 60)
        return made

    @classmethod
    def begin(cls, regions: Regions, price: np.ndarray | None = None) -> NextHops:
        """Return a table that :meth:`work` builds slice by slice.

        ValueError as for :meth:`build`.
        """
        if not regions.ready:
            raise ValueError("the regions are not completely cut yet")
        made = cls(regions.revision, 0, -1)
        made.price = np.arange(256) if price is None else np.array(price, np.int64)
        made._aim(regions)
        return made

    def serves(self, regions: Regions) -> bool:
        """Return whether the table matches these regions."""
        return self.cuts == regions.cuts and self.regions == regions.open_count

    def follow(self, regions: Regions) -> int:
        """Drop, in one call, the columns that changed regions may affect.

        These are the goals that could or can be reached from a changed region. Returns their number. They are filled
        again when needed. ValueError when there are now too many regions.
        """
        before = int(self.filled.sum())
        self.wanted.clear()
        self.work(regions, 1 << 60)
        return before - int(self.filled.sum())

    def work(self, regions: Regions, revolutions: int) -> int:
        """Continue to build or repair the table, then fill :attr:`wanted` columns.

        It uses at most ``revolutions``. Building costs one per 64 examined entries, a column one per region. A column
        is filled once all its revolutions are saved. Returns the revolutions spent. ValueError when there are now too
        many regions.
        """
        if self.serves(regions):
            self.revision = regions.revision
            return self._fill_wanted(regions, revolutions)
        spent = 0
        if self.toward != regions.cuts or self.regions != regions.open_count:
            self._aim(regions)
        n = max(self.regions, 1)
        while spent < revolutions:
            room = 64 * (revolutions - spent)
            if len(self.touched):
                # Zeros in unfilled columns do not matter.
                rows, self.touched = np.split(self.touched, [max(room // n, 1)])
                self.filled[(self.table[rows] != NO_REGION).any(axis=0)] = 0
                spent += -(-len(rows) * n // 64)
            elif self.priced < len(regions.ends):
                last = min(self.priced + room, len(regions.ends))
                self.lengths[self.priced : last] = regions.lengths(self.price, self.priced, last)
                spent += -(-(last - self.priced) // 64)
                self.priced = last
            else:
                self.places = regions.places()
                self.scratch, self.cuts, self.revision, self.toward = None, regions.cuts, regions.revision, -1
                return spent + 1
        return spent

    def _aim(self, regions: Regions) -> None:
        """Start the change from the regions last served to the current ones."""
        n = regions.open_count
        if n > MOST_REGIONS:
            raise ValueError(f"{n} open regions are too many for a table: {MOST_REGIONS} at most")
        changed = np.flatnonzero(regions.changed_at > self.cuts)
        self.touched = changed[:0]
        if n > self.regions or 2 * len(changed) > n:
            # The system does not assign memory that is never written. A filled column is written completely.
            self.table, self.filled = np.zeros((n, n), np.uint16), np.zeros(n, np.uint8)
            self.wanted, self.saved = [], 0
        elif self.filled.any():
            self.filled[changed] = 0
            self.touched = np.unique(np.concatenate([changed, *(regions.neighbours(r) for r in changed.tolist())]))
        self.regions, self.toward = n, regions.cuts
        self.lengths, self.priced = np.zeros(len(regions.ends), np.int64), 0

    def _fill_wanted(self, regions: Regions, revolutions: int) -> int:
        spent = 0
        while self.wanted and spent < revolutions:
            if self.filled[self.wanted[0]]:
                self.wanted = self.wanted[1:]
                continue
            paid = min(self.regions - self.saved, revolutions - spent)
            self.saved += paid
            spent += paid
            if self.saved == self.regions:
                self.saved = 0
                self._column(regions, self.wanted[0])
        return spent

    def fill(self, regions: Regions, revolutions: int) -> int:
        """Fill columns in advance until ``revolutions`` regions were expanded.

        Returns their number, 0 when all columns are filled.
        """
        used = 0
        for goal in np.flatnonzero(self.filled == 0).tolist():
            if used >= revolutions:
                break
            used += self._column(regions, goal)
        return used

    def route(self, regions: Regions, start: int, goal: int) -> np.ndarray | None:
        """Return the regions int32[n] from ``start`` to ``goal``, or None.

        Both ends are included. None means no path, as from walls. ValueError for regions that do not exist, and when
        the regions were cut again after the table was built.
        """
        for region in (start, goal):
            if region >= regions.open_count:
                raise ValueError(f"there is no region {region} among {regions.open_count}")
        if not self.serves(regions):
            raise ValueError("the regions were cut again after this table was built")
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
        """Return the path length between two tiles, in tiles of ordinary ground.

        It is measured from centre to centre along the region path, with the first and last leg from and to the tiles
        themselves. It is infinite when there is no path.
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

    def __digest__(self) -> tuple:
        """Return the hashed values: the progress, not the content.

        The content follows from the regions.
        """
        state = (self.revision, self.regions, self.cuts, self.toward, self.priced, self.saved, self.expanded)
        return *state, self.touched, tuple(self.wanted)

    def __pack__(self) -> dict[str, Any]:
        goals = np.flatnonzero(self.filled)
        return {
            "is": (self.revision, self.regions, self.cuts, self.toward, self.priced, self.saved, self.expanded),
            "does": (self.touched, tuple(self.wanted)),
            "of": (self.price, self.lengths, self.places),
            "goals": goals,
            "columns": np.ascontiguousarray(self.table[:, goals].T),
        }

    @classmethod
    def __unpack__(cls, tree: dict[str, Any]) -> NextHops:
        made = cls(0, 0)
        made.revision, n, made.cuts, made.toward, made.priced, made.saved, made.expanded = tree["is"]
        made.regions, (made.touched, wanted) = n, tree["does"]
        made.wanted = list(wanted)
        made.price, made.lengths, made.places = (np.array(column) for column in tree["of"])
        made.table, made.filled = np.zeros((n, n), np.uint16), np.zeros(n, np.uint8)
        made.table[:, tree["goals"]] = tree["columns"].T
        made.filled[tree["goals"]] = 1
        return made

    def _column(self, regions: Regions, goal: int) -> int:
        if not self.serves(regions):
            raise ValueError("the regions were cut again after this table was built")
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
    """Return the points that a unit on a route heads for.

    They are int32[n, 2] (y, x): the centres after its own region, then ``goal``.
    """
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
    """Return the row of the first centre that no straight walk reaches.

    ``centres`` is int32[n, 2] (y, x); the test begins at row ``begin``. ``position`` is (x, y) in tiles. The answer is
    n - 1, the goal, when all are visible. The unit then searches a tile path to that centre, and asks again when it
    comes near. ``tally`` int64[1] grows by the tiles of the tested lines; 64 of them are a revolution.
    """
    rows = np.ascontiguousarray(centres, np.int32)
    if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) == 0:
        raise ValueError(f"centres must be [n, 2] with n > 0, got {rows.shape}")
    x, y = position
    tally = np.zeros(1, np.int64) if tally is None else tally
    found = kernels.first_hidden(terrain.passable, class_bit(movement_class), rows, begin, y, x, radius, tally)
    return min(int(found), len(rows) - 1)


def half_table(table: np.ndarray) -> np.ndarray:
    """Return the upper half of a full, symmetric next-hop table, row by row.

    It needs half the memory.
    """
    return table[np.triu_indices(len(table), 1)]


def route_from_half(half: np.ndarray, count: int, start: int, goal: int) -> list[int] | None:
    """Return a route from a half table of ``count`` regions, or None.

    The route is built from both ends, so there is only ever one gap. Only for paths that can be walked in both
    directions.
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


TECHNIQUES = (
    {
        "slug": "next-hop-table",
        "name": "Next-hop table",
        "ids": ("GP2-31.9",),
        "source": "Game AI Pro 2, ch. 31",
        "functions": ("NextHops.fill", "NextHops.route"),
        "test": "tests/ai/search/regions/test_next_hop.py",
        "exhibit": "levels/exhibits/search/regions.toml",
        "overlay": "regions",
        "setting": "paths.next_hops",
        "measure": "revolutions",
        "direction": "down",
        "claim": (
            "Whole columns are filled, not pairs along a path. The triangular form and tables by kind of ground are "
            "in the library only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
