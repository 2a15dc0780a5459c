"""Detection meter: from sight in a tick to a watcher's progress and events.

Sources: Steve Rabin, Game AI Pro 2, ch. 4 (exposure time, 4.4.1; meter, 4.4.2); Martin Walsh, Game AI Pro 2, ch. 28
(progress by watcher and target, with a suspicious state between; a timer by distance); Travis McIntosh, Game AI Pro 2,
34.3 (accumulator).

Each pair of watcher and target has its own meter (28.2). The meters of all visible targets rise in parallel, each by
the time that the target's position takes. The meters of other targets hold and fall. One unit is the watcher's target:
the one it will identify first. Its meter is displayed and gives the watcher's state. Besides it a watcher remembers up
to ``OTHERS`` units, those with the most progress. In a larger crowd the rest start when there is room.
"""

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
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
"""Event bit: the identified target is out of sight since this tick."""
NOTICED = 2048
"""Event bit: its meter has just passed the suspicious mark."""

GLIMPSED = 4096
"""Event bit: its meter has just passed the lowest mark.

At this mark a head turns.
"""

UNAWARE, SUSPICIOUS, IDENTIFIED = 0, 1, 2

_FULL = 1.0 - 1e-9
"""Level from which a meter counts as full.

So 40 steps of 1/40 fill it.
"""
_TICK = 1.0 / TICKS_PER_SECOND


OTHERS = 7
"""Number of units that a watcher remembers besides its target."""


@device
def progress_on(unit, meter, target, others, progress):  # type: ignore[no-untyped-def]
    """Return a watcher's progress with a unit, 0..1.

    It is its ``meter`` for its ``target``, ``progress`` for ``others``.
    """
    if unit == target:
        return meter
    for k in range(len(others)):
        if others[k] == unit:
            return progress[k]
    return 0.0


@device
def _fallen(before, unseen, mark, numbers):  # type: ignore[no-untyped-def]
    """Return a meter after one more tick without a view of its target.

    The last view was ``unseen`` seconds ago.
    """
    counting = numbers[METER] == 1
    if not counting and before < 1.0 and unseen <= numbers[HOLD_SECONDS]:
        return before
    return max(0.0, before - _TICK / (mark if counting else numbers[FALL_SECONDS]))


@device
def _risen(before, needed):  # type: ignore[no-untyped-def]
    """Return a meter after one more tick in view of its target.

    The target takes ``needed`` seconds from the beginning.
    """
    if before >= 1.0 or needed <= _TICK or before + _TICK / needed > _FULL:
        return 1.0
    return before + _TICK / needed


@device
def _place_of(unit, seen, ids):  # type: ignore[no-untyped-def]
    """Return a unit's position among the slots in view, -1 for none."""
    for k in range(len(seen)):
        if seen[k] < 0:
            return -1
        if ids[seen[k]] == unit:
            return k
    return -1


@device
def _place_in(unit, others):  # type: ignore[no-untyped-def]
    for k in range(len(others)):
        if others[k] == unit:
            return k
    return -1


@device
def _put_by(unit, meter, when, fresh, others, progress, last, full):  # type: ignore[no-untyped-def]
    """Store the progress with a unit.

    It replaces the unit with the least progress.
    """
    least = 0
    for k in range(1, len(others)):
        if progress[k] < progress[least]:
            least = k
    if meter > progress[least]:
        others[least] = unit
        progress[least] = meter
        last[least] = when
        full[least] = fresh


@kernel(
    "void(int64, int32[::1], uint8[::1], float64[::1], float64[::1], uint8[::1], uint8[::1], uint8[::1], float64[::1], "
    "int32[:,::1], float64[:,::1], float64[::1], int32[::1], float64[::1], float64[::1], int32[::1], uint32[::1], "
    "int32[:,::1], float64[:,::1], int32[:,::1], uint8[:,::1])"
)
def fill_meters(  # type: ignore[no-untyped-def]
    tick, ids, alive, x, y, watching, alert, experienced, numbers, seen, seconds,
    meter, meter_target, seen_x, seen_y, seen_tick, event, others, progress, last, full,
):  # fmt: skip
    """Raise or lower each watcher's meters by one tick and set its event bits.

    ``seen, seconds`` come from :func:`ai.perception.awareness.eye_kernels.look`. ``others, progress, last`` are the
    units that each watcher remembers besides its target (id, -1 none), the progress with each, and the tick of the last
    view. ``full`` is 1 for those of them that it identifies in this tick.
    """
    full[:] = 0
    counting = numbers[METER] == 1
    for i in range(len(ids)):
        if watching[i] == 0 or alive[i] == 0:
            meter[i] = 0.0
            meter_target[i] = -1
            others[i] = -1
            progress[i] = 0.0
            continue
        before = meter[i]
        old = meter_target[i]
        j = seen[i, 0]
        target = ids[j] if j >= 0 else -1
        mark = numbers[FIRST_SECONDS]
        if alert[i] != 0:
            mark = numbers[COMBAT_SECONDS]
        elif experienced[i] != 0:
            mark = numbers[USUAL_SECONDS]
        so_far = before
        if target != old:
            so_far = 0.0
        for k in range(others.shape[1]):
            unit = others[i, k]
            if unit < 0:
                continue
            if unit == target:
                so_far = progress[i, k]
                others[i, k] = -1
                progress[i, k] = 0.0
                continue
            place = _place_of(unit, seen[i], ids)
            if place >= 0:
                risen = _risen(progress[i, k], mark if counting else seconds[i, place])
                full[i, k] = progress[i, k] < 1.0 <= risen
                progress[i, k] = risen
                last[i, k] = tick
            else:
                progress[i, k] = _fallen(progress[i, k], (tick - last[i, k]) * _TICK, mark, numbers)
                if progress[i, k] == 0.0:
                    others[i, k] = -1
        if before >= 1.0 and target != old:
            event[i] |= np.uint32(LOST_SIGHT)
        if target != old and old >= 0:
            # The old target is out of sight, or another will be identified sooner.
            place = _place_of(old, seen[i], ids)
            if place >= 0:
                left = _risen(before, mark if counting else seconds[i, place])
                _put_by(old, left, tick, before < 1.0 <= left, others[i], progress[i], last[i], full[i])
            else:
                left = _fallen(before, (tick - seen_tick[i]) * _TICK, mark, numbers)
                if j >= 0:
                    _put_by(old, left, seen_tick[i], 0, others[i], progress[i], last[i], full[i])
                else:
                    meter[i] = left
        if j < 0:
            if meter[i] == 0.0:
                meter_target[i] = -1
            continue
        for place in range(1, seen.shape[1]):
            if seen[i, place] < 0:
                break
            unit = ids[seen[i, place]]
            if unit != old and _place_in(unit, others[i]) < 0:
                first = _risen(0.0, mark if counting else seconds[i, place])
                _put_by(unit, first, tick, first >= 1.0, others[i], progress[i], last[i], full[i])
        after = _risen(so_far, mark if counting else seconds[i, 0])
        if so_far < numbers[SUSPICIOUS_AT] <= after:
            event[i] |= np.uint32(NOTICED)
        elif so_far < numbers[GLIMPSE_AT] <= after:
            event[i] |= np.uint32(GLIMPSED)
        if after >= 1.0 and (so_far < 1.0 or target != old):
            event[i] |= np.uint32(SAW)
            experienced[i] = 1
        meter[i] = after
        meter_target[i] = target
        seen_x[i] = x[j]
        seen_y[i] = y[j]
        seen_tick[i] = tick


TECHNIQUES = (
    {
        "slug": "zones-at-work",
        "name": "Identification time per vision zone",
        "ids": ("GP2-4.4",),
        "source": "Game AI Pro 2, ch. 4",
        "functions": ("progress_on",),
        "test": "tests/ai/perception/awareness/test_vision.py",
        "exhibit": "levels/exhibits/senses/eyes_at_work.graded.toml",
        "overlay": "zones",
        "setting": "minds.graded",
        "measure": "none",
        "reason": "The exhibit compares the two runs by eye.",
        "claim": "Guards show three of the five bands: glance, investigate, engage. To stop and ask is left out.",
    },
    {
        "slug": "awareness-accumulator",
        "name": "Awareness accumulator with state marks",
        "ids": ("GP2-34.5",),
        "source": "Game AI Pro 2, ch. 34",
        "functions": ("fill_meters",),
        "test": "tests/ai/perception/awareness/test_detection_meter.py",
        "exhibit": "levels/exhibits/senses/detection_timer.toml",
        "overlay": "detection",
        "setting": "vision.meter",
        "measure": "noticed",
        "direction": "down",
        "claim": "As told, with seconds of ours; off in the shipped game, where time depends on the place in view.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
