"""Team sight (fog of war): the visible and explored tiles of each side.

Every living unit lights the tiles around it with the shadowcaster. A unit is computed again only when it stands on
another tile, when its range or side changed, or when the map changed within its reach. Its view is kept as bit rows,
and a side's view is the union of its units' rows. At most ``budget`` moved units are computed per tick, in turn by id.
The others keep their last view for a tick or two. Units near a changed tile are always computed in the same tick, so a
closing door hides what is behind it immediately. (It also keeps the rows, which are not saved, derivable from the saved
state.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device, kernel
from ai.core.scheduling.round_robin import RoundRobin
from ai.core.serialization import derived, digested_by, record, unhashed
from ai.core.thread_pool import ThreadPool, halves
from ai.grid.terrain import Terrain
from ai.perception.sight.shadowcast import MAX_RADIUS, SightBits, field_of_view

_PAD = 64
"""Spare bits around a row of a side's bitmap.

With them, shifted rows never leave the row.
"""

SHARED_VIEWS, SHARED_ROWS = 1000, 32
"""Limits for merging on two threads: units, and rows per half map."""

Rectangles = Sequence[tuple[int, int, int, int]]


@record
class TeamSight:
    """Visible and explored tiles of every side.

    ``visible, explored: uint64[sides, H, words]`` hold tile ``x`` at bit ``x + 64`` of its row. Read them with
    :meth:`sees`, :meth:`visible_mask`, :meth:`explored_mask`. The ``seen_*`` columns hold, by unit slot, the position
    of each unit when its view was computed (``seen_y`` is -1 when it sees nothing).
    """

    sides: int
    height: int
    width: int
    max_radius: int
    explored_digest: int
    seen_id: NDArray[np.int32]
    seen_y: NDArray[np.int32]
    seen_x: NDArray[np.int32]
    seen_radius: NDArray[np.int32]
    seen_side: NDArray[np.uint8]
    explored: NDArray[np.uint64] = digested_by("explored_digest")
    visible: NDArray[np.uint64] = unhashed(lambda: np.zeros((0, 0, 0), np.uint64))
    """State that is not hashed: it follows from ``seen_*`` and the map."""
    turns: RoundRobin = field(default_factory=RoundRobin)
    """Round robin of the moved units, a budget per tick."""
    updates: int = 0
    """Number of updates."""
    revision: int = 0
    """Terrain revision of the views, kept by :meth:`changes_of`."""
    computed: int = unhashed(int)
    """Units computed by the last update."""
    waiting: int = unhashed(int)
    """Units that moved but were over the budget of the last update."""
    pool: ThreadPool = derived(ThreadPool)
    bits: SightBits | None = derived(lambda: None)
    rows: NDArray[np.uint64] | None = derived(lambda: None)

    def changes_of(self, terrain: Terrain) -> list[tuple[int, int, int, int]] | None:
        """Return the sight-relevant edits since the last call, for :meth:`update`."""
        changes = terrain.changes_since(self.revision, ("opaque",))
        self.revision = terrain.revision
        return changes

    def sees(self, side: int, y: int, x: int) -> bool:
        """Return whether a side sees a tile now; False off the map."""
        return self._bit(self.visible, side, y, x)

    def sees_positions(self, side: int, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether a side sees the tiles of positions ``x, y: float64[n]``.

        The result is False off the map.
        """
        tx, ty = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
        inside = (tx >= 0) & (ty >= 0) & (tx < self.width) & (ty < self.height)
        column = np.where(inside, tx, 0) + _PAD
        words = self.visible[side, np.where(inside, ty, 0), column >> 6]
        return inside & (words >> (column & 63).astype(np.uint64) & np.uint64(1) != 0)

    def visible_mask(self, side: int, y0: int = 0, x0: int = 0, y1: int = -1, x1: int = -1) -> NDArray[np.bool_]:
        """Return the tiles that a side sees now in a window, as ``bool[h, w]``.

        The window is ``y0..y1, x0..x1``; the default is the whole map.
        """
        return self._mask(self.visible, side, y0, x0, y1, x1)

    def explored_mask(self, side: int, y0: int = 0, x0: int = 0, y1: int = -1, x1: int = -1) -> NDArray[np.bool_]:
        """Return the tiles that a side has ever seen, as :meth:`visible_mask`."""
        return self._mask(self.explored, side, y0, x0, y1, x1)

    def _bit(self, words: NDArray[np.uint64], side: int, y: int, x: int) -> bool:
        if not (0 <= y < self.height and 0 <= x < self.width):
            return False
        return bool(int(words[side, y, (x + _PAD) >> 6]) >> ((x + _PAD) & 63) & 1)

    def _mask(self, words: NDArray[np.uint64], side: int, y0: int, x0: int, y1: int, x1: int) -> NDArray[np.bool_]:
        y1, x1 = self.height if y1 < 0 else y1, self.width if x1 < 0 else x1
        y0, x0, y1, x1 = max(0, y0), max(0, x0), min(self.height, y1), min(self.width, x1)
        if y0 >= y1 or x0 >= x1:
            return np.zeros((max(0, y1 - y0), max(0, x1 - x0)), np.bool_)
        first, last = (x0 + _PAD) >> 6, (x1 + _PAD - 1) >> 6
        part = np.ascontiguousarray(words[side, y0:y1, first : last + 1])
        tiles = np.unpackbits(part.astype("<u8", copy=False).view(np.uint8), axis=1, bitorder="little")
        left = x0 + _PAD - 64 * first
        return tiles[:, left : left + x1 - x0].view(np.bool_)

    def update(
        self,
        opaque: NDArray[np.uint8],
        changes: Rectangles | None,
        ids: NDArray[np.int32],
        alive: NDArray[np.uint8],
        side: NDArray[np.uint8],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        radius: NDArray[np.int32],
        budget: int,
    ) -> int:
        """Update the views; return the number of computed units.

        ``changes`` are the half-open rectangles ``(y0, x0, y1, x1)`` of ``opaque`` edited since the last call (empty
        when none). None means unknown: everything is computed. The unit columns have one row per slot, ``radius:
        int32[n]`` in tiles; slots whose id changes start anew. Raises ValueError for columns that do not fit or radii
        above ``max_radius``.
        """
        count = len(ids)
        if opaque.shape != (self.height, self.width):
            raise ValueError(f"opaque is {opaque.shape}, this sight is for ({self.height}, {self.width})")
        if any(len(column) != count for column in (alive, side, x, y, radius)):
            raise ValueError("unit columns must have one row per slot each")
        if count and (int(radius.max()) > self.max_radius or int(radius.min()) < 0):
            raise ValueError(f"sight radii must lie in 0..{self.max_radius} tiles")
        self._grow(count)
        self._follow_map(opaque, changes)
        stale = np.empty(count, np.int32)
        dropped, moved = stale_observers(
            self.height,
            self.width,
            ids,
            alive,
            side,
            x,
            y,
            radius,
            self.sides,
            self.seen_id,
            self.seen_y,
            self.seen_x,
            self.seen_radius,
            self.seen_side,
            stale,
        )
        self.updates += 1
        chosen = self._within_budget(stale[:moved], ids, budget)
        self.waiting = moved - len(chosen)
        self.computed = len(chosen)
        if len(chosen):
            self.seen_id[chosen] = ids[chosen]
            self.seen_y[chosen] = np.floor(y[chosen])
            self.seen_x[chosen] = np.floor(x[chosen])
            self.seen_radius[chosen] = radius[chosen]
            self.seen_side[chosen] = side[chosen]
            self._compute(chosen)
        if len(chosen) or dropped or changes is None or len(changes):
            views = (
                self.rows, self.seen_y, self.seen_x, self.seen_radius, self.seen_side, self.visible, self.explored,
            )  # fmt: skip
            parts = halves(self.height, SHARED_ROWS if count >= SHARED_VIEWS else self.height)
            for change in self.pool.share(merge_views, [(top, bottom, *views) for top, bottom in parts]):
                self.explored_digest ^= int(change)
        return self.computed

    def _grow(self, count: int) -> None:
        missing = count - len(self.seen_id)
        if missing > 0:
            self.seen_id = np.concatenate([self.seen_id, np.full(missing, -1, np.int32)])
            self.seen_y = np.concatenate([self.seen_y, np.full(missing, -1, np.int32)])
            self.seen_x = np.concatenate([self.seen_x, np.full(missing, -1, np.int32)])
            self.seen_radius = np.concatenate([self.seen_radius, np.zeros(missing, np.int32)])
            self.seen_side = np.concatenate([self.seen_side, np.zeros(missing, np.uint8)])
        if self.rows is not None and len(self.rows) < len(self.seen_id):
            grown = np.zeros((len(self.seen_id), 2 * self.max_radius + 1), np.uint64)
            grown[: len(self.rows)] = self.rows
            self.rows = grown

    def _follow_map(self, opaque: NDArray[np.uint8], changes: Rectangles | None) -> None:
        """Repair the packed map and recompute, at their old positions, affected units."""
        if self.bits is not None and self.rows is not None and changes is not None and not len(changes):
            return
        if self.bits is None or changes is None:
            self.bits = SightBits(opaque)
            concerned = self.seen_y >= 0
        else:
            concerned = np.zeros(len(self.seen_y), np.bool_)
            self.bits.repair(opaque, changes)
            for y0, x0, y1, x1 in changes:
                reach = self.seen_radius
                concerned |= (
                    (self.seen_y >= y0 - reach)
                    & (self.seen_y < y1 + reach)
                    & (self.seen_x >= x0 - reach)
                    & (self.seen_x < x1 + reach)
                )
            concerned &= self.seen_y >= 0
        if self.rows is None:
            self.rows = np.zeros((len(self.seen_id), 2 * self.max_radius + 1), np.uint64)
            concerned = self.seen_y >= 0
        self._compute(np.flatnonzero(concerned))

    def _compute(self, slots: NDArray[np.integer]) -> None:
        if len(slots) and self.bits is not None and self.rows is not None:
            self.rows[slots] = field_of_view(
                self.bits, self.seen_y[slots], self.seen_x[slots], self.seen_radius[slots], self.max_radius
            )

    def _within_budget(self, stale: NDArray[np.int32], ids: NDArray[np.int32], budget: int) -> NDArray[np.int32]:
        if len(stale) <= budget:
            return stale
        unit = ids[stale]
        by_id = np.argsort(unit, kind="stable")
        self.turns.batch = max(0, budget)
        served = self.turns.take(unit[by_id], self.updates)
        return stale[by_id[np.searchsorted(unit[by_id], served)]]


def team_sight(height: int, width: int, sides: int = 4, max_radius: int = MAX_RADIUS) -> TeamSight:
    """Return a fog over an unexplored map.

    Raises ValueError for an empty map or a radius above 31 tiles.
    """
    if height < 1 or width < 1 or sides < 1 or not 0 <= max_radius <= MAX_RADIUS:
        raise ValueError(f"cannot see on {height}x{width} tiles, {sides} sides, radius {max_radius}")
    words = (width + 63) // 64 + 2
    none = np.zeros(0, np.int32)
    return TeamSight(
        sides=sides,
        height=height,
        width=width,
        max_radius=max_radius,
        explored=np.zeros((sides, height, words), np.uint64),
        explored_digest=0,
        seen_id=none.copy(),
        seen_y=none.copy(),
        seen_x=none.copy(),
        seen_radius=none.copy(),
        seen_side=np.zeros(0, np.uint8),
        visible=np.zeros((sides, height, words), np.uint64),
    )


@kernel(
    "UniTuple(int64, 2)(int64, int64, int32[::1], uint8[::1], uint8[::1], float64[::1], float64[::1], int32[::1], "
    "int64, int32[::1], int32[::1], int32[::1], int32[::1], uint8[::1], int32[::1])"
)
def stale_observers(  # type: ignore[no-untyped-def]
    height, width, ids, alive, side, x, y, radius, sides, seen_id, seen_y, seen_x, seen_radius, seen_side, stale
):
    """Clear units that are gone and list the slots to compute in ``stale``.

    Returns (cleared, listed).
    """
    dropped = 0
    listed = 0
    for i in range(len(seen_id)):
        exists = i < len(ids) and alive[i] != 0 and side[i] < sides
        ty = -1
        tx = -1
        if exists:
            ty = int(np.floor(y[i]))
            tx = int(np.floor(x[i]))
            exists = ty >= 0 and tx >= 0 and ty < height and tx < width
        if seen_y[i] >= 0 and (not exists or seen_id[i] != ids[i]):
            seen_y[i] = -1
            seen_x[i] = -1
            seen_id[i] = -1
            dropped += 1
        if exists and (seen_y[i] != ty or seen_x[i] != tx or seen_radius[i] != radius[i] or seen_side[i] != side[i]):
            stale[listed] = i
            listed += 1
    return dropped, listed


@device
def _scramble(value, place):  # type: ignore[no-untyped-def]
    z = np.uint64(value) ^ (np.uint64(place) * np.uint64(0x9E3779B97F4A7C15))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel(
    "uint64(int64, int64, uint64[:,::1], int32[::1], int32[::1], int32[::1], uint8[::1], uint64[:,:,::1],"
    " uint64[:,:,::1])"
)
def merge_views(  # type: ignore[no-untyped-def]
    top, bottom, rows, seen_y, seen_x, seen_radius, seen_side, visible, explored
):
    """Merge all rows into rows ``top`` to ``bottom - 1`` of ``visible``.

    They also go into ``explored``; returns the value to xor into its digest.
    """
    visible[:, top:bottom] = 0
    height = visible.shape[1]
    radius = (rows.shape[1] - 1) // 2
    for i in range(len(seen_y)):
        if seen_y[i] < 0 or seen_y[i] + radius < top or seen_y[i] - radius >= bottom:
            continue
        start = int(seen_x[i]) - 32 + _PAD
        word = start >> 6
        shift = np.uint64(start & 63)
        view = visible[seen_side[i]]
        reach = min(radius, int(seen_radius[i]))
        for dy in range(max(-reach, top - seen_y[i]), min(reach, bottom - 1 - seen_y[i]) + 1):
            row = rows[i, dy + radius]
            if row != 0:
                line = view[seen_y[i] + dy]
                line[word] |= row << shift
                line[word + 1] |= (row >> np.uint64(1)) >> (np.uint64(63) - shift)
    change = np.uint64(0)
    for side in range(visible.shape[0]):
        for y in range(top, bottom):
            for word in range(visible.shape[2]):
                old = explored[side, y, word]
                new = old | visible[side, y, word]
                if new != old:
                    explored[side, y, word] = new
                    place = (side * height + y) * visible.shape[2] + word + 1
                    change ^= _scramble(old, place) ^ _scramble(new, place)
    return change
