"""Track controller: schedules the acts of many bodies on tracks with two slots.

The controller is the only way to the acts of a body. An order meets the acts of its unit that share a track with it:

1. If one of them has a higher priority, the order fails as outranked.
2. If one is of the same kind, they merge: the act goes on with the new length, target and value. The old handle ends
   as merged, the new one continues.
3. An act in the first slot is interrupted and goes to its STOP stage. The new act takes the second slot and runs at
   once, so both run together while the old one fades.
4. An act in the second slot is overwritten.

When the old act is through with STOP, the new one moves up to the first slot. Acts on other tracks are not disturbed.
Each order ends exactly once: done, failed, interrupted or merged, with a reason. A deadline ends an act that does not
finish. A mind may not stop an act but by another order; ``cancel`` serves death and scripts.

Rows: int64[capacity, 12] of orders in flight, oldest first, of which ``count`` are in use; float64[capacity] with one
value each, such as an angle in radians. Ends: int64[size, 6], a ring that holds at least the last 40 ticks. Times are
ticks.

Source: "Game AI Pro 2", 12.6 (orders, handles) and 12.7 (controller, tracks, queue of two slots, merging).
"""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

import numpy as np

from ai.animation.tracks.act_kinds import PRIORITY_OF, REPORTS, START_OF, STOP_OF, TRACKS_OF, ActStage, Reason, Status
from ai.animation.tracks.act_order import ActOrder
from ai.core.kernels import device, kernel
from ai.core.serialization import record, unhashed

HANDLE, UNIT, KIND, TRACKS, PRIORITY, SLOT, STAGE, BEGUN, LENGTH, STOPPED, DEADLINE, TARGET = range(12)
"""Columns of an order in flight."""
END_HANDLE, END_UNIT, END_KIND, END_STATUS, END_REASON, END_TICK = range(6)
"""Columns of an end."""
REMEMBERED = 40
"""Ticks for which an end can be read."""
_START, _EXECUTE, _STOP, _GONE = (int(stage) for stage in ActStage)
_DONE, _FAILED = int(Status.DONE), int(Status.FAILED)
_INTERRUPTED, _MERGED = int(Status.INTERRUPTED), int(Status.MERGED)
_OUTRANKED, _REPLACED, _TIMED_OUT = int(Reason.OUTRANKED), int(Reason.REPLACED), int(Reason.TIMED_OUT)


@device
def _note(ends: np.ndarray, total: np.ndarray, row: np.ndarray, status: int, reason: int, tick: int) -> None:
    """Write an end into the ring."""
    at = total[0] % len(ends)
    ends[at, 0], ends[at, 1], ends[at, 2] = row[0], row[1], row[2]
    ends[at, 3], ends[at, 4], ends[at, 5] = status, reason, tick
    total[0] += 1


@device
def _fade(rows: np.ndarray, i: int, kinds: np.ndarray, tick: int) -> None:
    """Send an ended act to STOP, or out of the second slot."""
    rows[i, STOPPED] = tick
    rows[i, STAGE] = _GONE if rows[i, SLOT] == 1 or kinds[rows[i, KIND], STOP_OF] == 0 else _STOP


@kernel("int64(int64[:,::1], int64, int64[:,::1], int64[::1], int64, int64[:,::1], int64[::1])", group="mission")
def enter(
    rows: np.ndarray,
    count: int,
    kinds: np.ndarray,
    wanted: np.ndarray,
    tick: int,
    ends: np.ndarray,
    total: np.ndarray,
) -> int:
    """Apply the rules to an order; return its row, or -1 if refused.

    A new row is ``count``. ``wanted`` is a row whose tracks, priority, slot and stage this kernel fills.
    """
    tracks, priority = kinds[wanted[KIND], TRACKS_OF], kinds[wanted[KIND], PRIORITY_OF]
    wanted[TRACKS], wanted[PRIORITY], wanted[BEGUN], wanted[STOPPED] = tracks, priority, tick, -1
    same = -1
    for i in range(count):
        if rows[i, UNIT] != wanted[UNIT] or rows[i, STAGE] >= _STOP or rows[i, TRACKS] & tracks == 0:
            continue
        if rows[i, PRIORITY] > priority:
            _note(ends, total, wanted, _FAILED, _OUTRANKED, tick)
            return -1
        if rows[i, KIND] == wanted[KIND]:
            same = i
    if same >= 0:
        _note(ends, total, rows[same], _MERGED, _REPLACED, tick)
        for c in (HANDLE, LENGTH, DEADLINE, TARGET):
            rows[same, c] = wanted[c]
        if rows[same, STAGE] == _EXECUTE:
            rows[same, BEGUN] = tick - kinds[wanted[KIND], START_OF]
        return same
    slot = 0
    for i in range(count):
        if rows[i, UNIT] != wanted[UNIT] or rows[i, STAGE] == _GONE or rows[i, TRACKS] & tracks == 0:
            continue
        if rows[i, STAGE] < _STOP:
            _note(ends, total, rows[i], _INTERRUPTED, _REPLACED, tick)
            _fade(rows, i, kinds, tick)
        if rows[i, STAGE] == _STOP:
            slot = 1
    wanted[SLOT] = slot
    wanted[STAGE] = _EXECUTE if kinds[wanted[KIND], START_OF] == 0 else _START
    rows[count] = wanted
    return count


@kernel(
    "int64(int64[:,::1], float64[::1], int64, int64[:,::1], int64, int64[:,::1], int64[::1], int64[::1])",
    group="mission",
)
def carry_on(
    rows: np.ndarray,
    values: np.ndarray,
    count: int,
    kinds: np.ndarray,
    tick: int,
    ends: np.ndarray,
    total: np.ndarray,
    due: np.ndarray,
) -> int:
    """Advance all acts to a tick; return the number of rows that are left.

    ``due`` gets the rows that wait for a report, after their number.
    """
    due[0] = 0
    left = 0
    for i in range(count):
        kind = rows[i, KIND]
        age = tick - rows[i, BEGUN] - kinds[kind, START_OF]
        waits = False
        if rows[i, STAGE] < _STOP:
            rows[i, STAGE] = _EXECUTE if age >= 0 else _START
            over = rows[i, LENGTH] > 0 and age >= rows[i, LENGTH]
            if over and kinds[kind, REPORTS] == 0:
                _note(ends, total, rows[i], _DONE, 0, tick)
                _fade(rows, i, kinds, tick)
            elif tick >= rows[i, DEADLINE]:
                _note(ends, total, rows[i], _FAILED, _TIMED_OUT, tick)
                _fade(rows, i, kinds, tick)
            else:
                waits = over
        elif rows[i, STAGE] == _STOP and tick - rows[i, STOPPED] >= kinds[kind, STOP_OF]:
            rows[i, STAGE] = _GONE
        if rows[i, STAGE] != _GONE:
            rows[left] = rows[i]
            values[left] = values[i]
            if waits:
                due[0] += 1
                due[due[0]] = left
            left += 1
    for i in range(left):
        if rows[i, SLOT] == 1:
            rows[i, SLOT] = 0
            for k in range(left):
                if rows[k, UNIT] == rows[i, UNIT] and rows[k, STAGE] == _STOP and rows[k, TRACKS] & rows[i, TRACKS]:
                    rows[i, SLOT] = 1
    return left


class End(NamedTuple):
    """Status of an order and the reason for its end."""

    status: Status
    reason: Reason = Reason.NONE

    @property
    def over(self) -> bool:
        """Return true if the order has ended."""
        return self.status >= Status.DONE


@record
class TrackController:
    """Acts of all bodies; ``kinds`` is the table of :func:`act_kinds.kind_table`."""

    kinds: np.ndarray
    count: int = 0
    given: int = 0
    """Orders given so far; the handle of the next one."""
    rows: np.ndarray = field(default_factory=lambda: np.zeros((16, 12), np.int64))
    values: np.ndarray = field(default_factory=lambda: np.zeros(16))
    ends: np.ndarray = field(default_factory=lambda: np.full((64, 6), -1, np.int64))
    total: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))
    """Ends so far, int64[1]."""
    read: int = 0
    """Ends that :meth:`news` has returned."""
    merging: bool = unhashed(lambda: True)
    """False: a second order of a kind interrupts the act and begins it again."""

    def order(self, act: ActOrder, tick: int) -> int:
        """Give an order and return its handle."""
        if not 0 <= act.kind < len(self.kinds):
            raise ValueError(f"no act kind {act.kind}: there are {len(self.kinds)}")
        if self.count == len(self.rows):
            self.rows = np.concatenate((self.rows, np.zeros_like(self.rows)))
            self.values = np.concatenate((self.values, np.zeros_like(self.values)))
        if not self.merging:
            self._interrupt_same(act, tick)
        self._make_room(self.count + 1, tick)
        handle, self.given = self.given, self.given + 1
        filled = (0, 0, 0, 0, tick)  # by ``enter``: tracks, priority, slot, stage; and the beginning
        wanted = np.array((handle, act.unit, act.kind, *filled, act.length, -1, act.deadline, act.target), np.int64)
        at = enter(self.rows, self.count, self.kinds, wanted, tick, self.ends, self.total)
        if at >= 0:
            self.values[at] = act.value
            self.count = max(self.count, at + 1)
        return handle

    def _interrupt_same(self, act: ActOrder, tick: int) -> None:
        """Interrupt the act of the same kind that goes on."""
        live = self.rows[: self.count]
        same = (live[:, UNIT] == act.unit) & (live[:, KIND] == act.kind) & (live[:, STAGE] < ActStage.STOP)
        for handle in live[same, HANDLE].tolist():
            self._end(handle, tick, Status.INTERRUPTED, Reason.REPLACED)

    def advance(self, tick: int) -> list[int]:
        """Carry all acts on; return the handles that wait for a report, oldest first."""
        if not self.count:
            return []
        self._make_room(self.count, tick)
        due = np.zeros(self.count + 1, np.int64)
        self.count = carry_on(self.rows, self.values, self.count, self.kinds, tick, self.ends, self.total, due)
        found: list[int] = self.rows[due[1 : 1 + due[0]], HANDLE].tolist()
        return found

    def report(self, handle: int, tick: int, reason: Reason = Reason.NONE) -> None:
        """End an order as done, or as failed for a reason."""
        self._end(handle, tick, Status.DONE if reason == Reason.NONE else Status.FAILED, reason)

    def cancel(self, unit: int, tick: int, tracks: int) -> None:
        """Interrupt all acts of a unit on some tracks."""
        live = self.rows[: self.count]
        found = live[(live[:, UNIT] == unit) & (live[:, STAGE] < ActStage.STOP) & (live[:, TRACKS] & tracks > 0)]
        for handle in found[:, HANDLE].tolist():
            self._end(handle, tick, Status.INTERRUPTED, Reason.CANCELLED)

    def row_of(self, handle: int) -> int:
        """Return the row of an order in flight that has not ended, or -1."""
        live = self.rows[: self.count]
        found = np.flatnonzero((live[:, HANDLE] == handle) & (live[:, STAGE] < ActStage.STOP))
        return int(found[0]) if len(found) else -1

    def status(self, handle: int) -> End:
        """Return the status of an order; ends are kept for 40 ticks."""
        at = self.row_of(handle)
        if at >= 0:
            return End(Status.PENDING if self.rows[at, STAGE] == ActStage.START else Status.RUNNING)
        found = np.flatnonzero(self.ends[:, END_HANDLE] == handle)
        if not len(found):
            return End(Status.FORGOTTEN)
        end = self.ends[found[0]]
        return End(Status(int(end[END_STATUS])), Reason(int(end[END_REASON])))

    def acts_of(self, unit: int) -> np.ndarray:
        """Return the rows of a unit, int64[k, 12], oldest first; fading ones too."""
        live = self.rows[: self.count]
        found: np.ndarray = live[(live[:, UNIT] == unit) & (live[:, STAGE] != ActStage.GONE)]
        return found

    def recent_ends(self, since: int) -> np.ndarray:
        """Return the ends from a tick on, int64[k, 6], oldest first."""
        total, size = int(self.total[0]), len(self.ends)
        ring = self.ends[np.arange(max(0, total - size), total) % size]
        found: np.ndarray = ring[ring[:, END_TICK] >= since]
        return found

    def news(self) -> np.ndarray:
        """Return the ends since the last call, int64[k, 6], oldest first."""
        total, size = int(self.total[0]), len(self.ends)
        found: np.ndarray = self.ends[np.arange(max(self.read, total - size), total) % size]
        self.read = total
        return found

    def length_of(self, handle: int) -> int:
        """Return the ticks of an order in flight, START and EXECUTE together."""
        row = self.rows[self.row_of(handle)]
        return int(row[LENGTH] + self.kinds[row[KIND], START_OF])

    def _end(self, handle: int, tick: int, status: Status, reason: Reason) -> None:
        at = self.row_of(handle)
        if at < 0:
            return
        self._make_room(1, tick)
        row, ring = self.rows[at], self.ends[int(self.total[0]) % len(self.ends)]
        ring[:] = (row[HANDLE], row[UNIT], row[KIND], status, reason, tick)
        self.total[0] += 1
        row[STOPPED] = tick
        gone = row[SLOT] == 1 or self.kinds[row[KIND], STOP_OF] == 0
        row[STAGE] = ActStage.GONE if gone else ActStage.STOP

    def _make_room(self, needed: int, tick: int) -> None:
        """Grow the ring of ends, so that the last 40 ticks stay in it."""
        total, size = int(self.total[0]), len(self.ends)
        last = self.ends[(total + needed - 1) % size]
        while needed > size or (total + needed > size and last[END_TICK] > tick - REMEMBERED):
            old = self.ends[np.arange(max(0, total - size), total) % size]
            size *= 2
            self.ends = np.full((size, 6), -1, np.int64)
            self.ends[np.arange(total - len(old), total) % size] = old
            last = self.ends[(total + needed - 1) % size]


TECHNIQUES = (
    {
        "slug": "act-orders",
        "name": "Orders from mind to body, with handles",
        "ids": ("GP2-12.4", "GP2-12.6", "AW-8.1-1"),
        "source": "Game AI Pro 2, 12.6; AI Game Programming Wisdom, 8.1",
        "functions": ("TrackController.order", "TrackController.status", "carry_on"),
        "test": "tests/ai/animation/tracks/test_track_controller.py",
        "exhibit": "levels/exhibits/minds/two_orders.toml",
        "overlay": "body",
        "setting": "body.merging",
        "measure": "events",
        "direction": "down",
        "claim": (
            "Every act of a unit is an order with one end, and minds read the handle. Walking is no act; poses "
            "after the update and controllers of movement and combat are left out."
        ),
    },
    {
        "slug": "act-tracks",
        "name": "Tracks of a body with a queue of two slots",
        "ids": ("GP2-12.7", "AW-8.1-3"),
        "source": "Game AI Pro 2, 12.7; AI Game Programming Wisdom, 8.1",
        "functions": ("enter",),
        "test": "tests/ai/animation/tracks/test_track_controller.py",
        "exhibit": "levels/exhibits/minds/under_fire.toml",
        "overlay": "body",
        "setting": "body.layers",
        "measure": "on_the_way",
        "direction": "down",
        "claim": (
            "Legs, torso, head and weapon are four tracks in place of one for the body and one for layers. "
            "Standing and walking are no acts, so a track may be empty. Reach and limp are left out."
        ),
    },
)
