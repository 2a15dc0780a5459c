"""The detection meter: from what is seen in a tick to how far a watcher is, and what it is told.

Sources: Steve Rabin, Game AI Pro 2, ch. 4 (exposure time, 4.4.1; meter, 4.4.2); Martin Walsh, Game AI Pro 2, ch. 28
(progress with a suspicious state between; a timer by distance); Travis McIntosh, Game AI Pro 2, 34.3 (accumulator).
"""

from __future__ import annotations

import numpy as np

from ai.kernels import kernel
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


@kernel(
    "void(int64, int32[::1], uint8[::1], float64[::1], float64[::1], uint8[::1], uint8[::1], uint8[::1], float64[::1], "
    "int32[::1], float64[::1], float64[::1], int32[::1], float64[::1], float64[::1], int32[::1], uint32[::1])"
)
def fill_meters(  # type: ignore[no-untyped-def]
    tick, ids, alive, x, y, watching, alert, experienced, numbers, best, seconds,
    meter, meter_target, seen_x, seen_y, seen_tick, event,
):  # fmt: skip
    """Let each watcher's meter rise or fall by one tick and raise its event bits."""
    for i in range(len(ids)):
        if watching[i] == 0 or alive[i] == 0:
            meter[i] = 0.0
            meter_target[i] = -1
            continue
        before = meter[i]
        j = best[i]
        counting = numbers[METER] == 1
        mark = numbers[FIRST_SECONDS]
        if alert[i] != 0:
            mark = numbers[COMBAT_SECONDS]
        elif experienced[i] != 0:
            mark = numbers[USUAL_SECONDS]
        if j < 0:
            if before >= 1.0:
                event[i] |= np.uint32(LOST_SIGHT)
            if not counting and before < 1.0 and (tick - seen_tick[i]) * _TICK <= numbers[HOLD_SECONDS]:
                continue
            meter[i] = max(0.0, before - _TICK / (mark if counting else numbers[FALL_SECONDS]))
            if meter[i] == 0.0:
                meter_target[i] = -1
            continue
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
