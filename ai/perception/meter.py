"""The detection meter: from what is seen in a tick to how far a watcher is, and what it is told.

Sources: Steve Rabin, Game AI Pro 2, ch. 4 (exposure time, 4.4.1; meter, 4.4.2); Martin Walsh, Game AI Pro 2, ch. 28
(progress by watcher and target, with a suspicious state between; a timer by distance); Travis McIntosh, Game AI Pro 2,
34.3 (accumulator).

A watcher makes out one at a time, and whom it turns to begins a time of his own: nothing of what it has of one is
carried over to another.  Of the last few it had before its eyes it keeps how far it was with each; that holds and falls
as the meter does.
"""

from __future__ import annotations

import numpy as np

from ai.kernels import device, kernel
from ai.perception.settings import (
    COMBAT_SECONDS,
    FALL_SECONDS,
    FIRST_SECONDS,
    GLIMPSE_AT,
    HOLD_SECONDS,
    METER,
    SUSPICIOUS_AT,
    TICKS_PER_SECOND,
    USUAL_SECONDS,
)

SAW = 16
"""Event bit: this watcher has just identified ``meter_target``."""
LOST_SIGHT = 32
"""Event bit: the target it had identified is out of its sight since this tick."""
NOTICED = 2048
"""Event bit: its meter has just passed the suspicious mark."""

GLIMPSED = 8192
"""Event bit: its meter has just passed the lowest mark, at which a head turns."""

UNAWARE, SUSPICIOUS, IDENTIFIED = 0, 1, 2

_FULL = 1.0 - 1e-9
"""A meter this full is full: so that 40 steps of 1/40 make one."""
_TICK = 1.0 / TICKS_PER_SECOND


OTHERS = 3
"""So many whom a watcher has had before its eyes, besides the one it makes out now, it has in mind."""


@device
def progress_on(unit, meter, target, others, progress):  # type: ignore[no-untyped-def]
    """How far a watcher is with a unit, 0..1: its ``meter`` on its ``target``, ``progress`` on ``others``."""
    if unit == target:
        return meter
    for k in range(len(others)):
        if others[k] == unit:
            return progress[k]
    return 0.0


@device
def _fallen(before, unseen, mark, numbers):  # type: ignore[no-untyped-def]
    """A meter after one more tick without a view of its target, ``unseen`` seconds after the last."""
    counting = numbers[METER] == 1
    if not counting and before < 1.0 and unseen <= numbers[HOLD_SECONDS]:
        return before
    return max(0.0, before - _TICK / (mark if counting else numbers[FALL_SECONDS]))


@device
def _put_by(unit, meter, seen, others, progress, last):  # type: ignore[no-untyped-def]
    """Keep in mind how far it was with a unit, in place of whom it was least far with."""
    least = 0
    for k in range(1, len(others)):
        if progress[k] < progress[least]:
            least = k
    if meter > progress[least]:
        others[least] = unit
        progress[least] = meter
        last[least] = seen


@kernel(
    "void(int64, int32[::1], uint8[::1], float64[::1], float64[::1], uint8[::1], uint8[::1], uint8[::1], float64[::1], "
    "int32[::1], float64[::1], float64[::1], int32[::1], float64[::1], float64[::1], int32[::1], uint32[::1], "
    "int32[:,::1], float64[:,::1], int32[:,::1])"
)
def fill_meters(  # type: ignore[no-untyped-def]
    tick, ids, alive, x, y, watching, alert, experienced, numbers, best, seconds,
    meter, meter_target, seen_x, seen_y, seen_tick, event, others, progress, last,
):  # fmt: skip
    """Let each watcher's meter rise or fall by one tick and raise its event bits.

    ``others, progress, last``: whom each has in mind besides its target (id, -1 nobody), how far it was with each of
    them, and the tick at which it saw him last.
    """
    for i in range(len(ids)):
        if watching[i] == 0 or alive[i] == 0:
            meter[i] = 0.0
            meter_target[i] = -1
            others[i] = -1
            progress[i] = 0.0
            continue
        before = meter[i]
        j = best[i]
        counting = numbers[METER] == 1
        mark = numbers[FIRST_SECONDS]
        if alert[i] != 0:
            mark = numbers[COMBAT_SECONDS]
        elif experienced[i] != 0:
            mark = numbers[USUAL_SECONDS]
        for k in range(others.shape[1]):
            if others[i, k] >= 0:
                progress[i, k] = _fallen(progress[i, k], (tick - last[i, k]) * _TICK, mark, numbers)
                if progress[i, k] == 0.0:
                    others[i, k] = -1
        if before >= 1.0 and (j < 0 or meter_target[i] != ids[j]):
            event[i] |= np.uint32(LOST_SIGHT)
        if j < 0 or meter_target[i] != ids[j]:
            # Whom it had before its eyes is out of them, or another is made out sooner.
            meter[i] = _fallen(before, (tick - seen_tick[i]) * _TICK, mark, numbers)
        if j < 0:
            if meter[i] == 0.0:
                meter_target[i] = -1
            continue
        if meter_target[i] != ids[j]:
            before = 0.0
            for k in range(others.shape[1]):
                if others[i, k] == ids[j]:
                    before = progress[i, k]
                    others[i, k] = -1
                    progress[i, k] = 0.0
            _put_by(meter_target[i], meter[i], seen_tick[i], others[i], progress[i], last[i])
        after = 1.0
        needed = mark if counting else seconds[i]
        if before < 1.0 and needed > _TICK:
            after = before + _TICK / needed
            if after > _FULL:
                after = 1.0
        if before < numbers[SUSPICIOUS_AT] <= after:
            event[i] |= np.uint32(NOTICED)
        elif before < numbers[GLIMPSE_AT] <= after:
            event[i] |= np.uint32(GLIMPSED)
        if after >= 1.0 and (before < 1.0 or meter_target[i] != ids[j]):
            event[i] |= np.uint32(SAW)
            experienced[i] = 1
        meter[i] = after
        meter_target[i] = ids[j]
        seen_x[i] = x[j]
        seen_y[i] = y[j]
        seen_tick[i] = tick
