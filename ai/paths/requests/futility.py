"""Futility: compares a unit's real progress per second with its speed.

A unit below a fifth of its speed makes no progress. With each such second it escalates: wait, search locally around
standing bodies, request a new path, and start over. If a unit tried for long and even the local search finds no path,
its order fails and it stops. One second with progress resets the count. Waiting at a shut door is not futile, and
neither is letting others pass in a narrow place.

Source: ``Lydia vs. the Gate: Will she ever learn?`` (2011): agents should notice that their actions have no effect.
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import on_turn
from ai.paths.replanning.local_replanning import OBSTRUCTED, WALKS, obstructed, walled_in
from ai.paths.requests.request_columns import TURNS, among
from ai.paths.requests.request_lifecycle import ask_again, lose
from ai.paths.state.path_trace import Decision
from ai.paths.store.following_kernels import Flag
from ai.paths.update_context import PathTick

WINDOW = TURNS
"""Ticks between two checks of one unit."""

LOCAL, REPLAN = 2, 3
"""Futile seconds in a row before a local search, and before a new path.

After the new path the count restarts.
"""

COUNTED = 255
"""Futile seconds in a row that are counted at most, a multiple of REPLAN.

A unit beyond them takes the last steps again and again.
"""


def watch(now: PathTick) -> None:
    """Check the units whose turn it is by id, and escalate those without progress."""
    bodies, settings, r, store = now.bodies, now.settings, now.manager.requests, now.manager.store
    if bodies is None or not settings.futility:
        return
    n = len(bodies.speed)
    slots = np.flatnonzero(on_turn(now.tick, r.turn[:n], WINDOW) & (store.path_len[:n] > 0))
    # A unit at the end of a partial path waits for the rest; that is not futile.
    slots = slots[among(r.phase[slots], WALKS) & ((store.flags[slots] & Flag.AT_END) == 0)]
    if len(slots) == 0:
        return
    x, y = now.x[slots], now.y[slots]
    left = np.hypot(store.wp_x[slots] - x, store.wp_y[slots] - y)
    known = (r.looked[slots] == now.tick - WINDOW) & (r.held_by[slots] < 0) & (r.detour[slots] == 0)
    same = (store.written[slots] == r.looked_path[slots]) & (store.path_len[slots] == r.looked_len[slots])
    walked = np.hypot(x - r.looked_at[slots, 0], y - r.looked_at[slots, 1])
    # On the same piece of the same path, use the distance to the waypoint; otherwise the distance walked.
    actual = np.where(same, r.looked_left[slots] - left, walked)
    expected = bodies.speed[slots] * (WINDOW / 20.0)
    futile = known & (actual < settings.futile_share * expected)
    if bodies.waits is not None:
        futile &= ~bodies.waits[slots]
    count = r.futile[slots].astype(np.int64) + 1
    count[count > COUNTED] -= REPLAN
    r.futile[slots] = np.where(futile, count, 0)
    r.sealed[slots[~futile]] = 0
    r.looked[slots] = now.tick
    r.looked_at[slots, 0], r.looked_at[slots, 1] = x, y
    r.looked_left[slots] = left
    r.looked_len[slots] = store.path_len[slots]
    r.looked_path[slots] = store.written[slots]
    _escalate(now, r.by_unit(slots[futile]))


def _escalate(now: PathTick, slots: np.ndarray) -> None:
    manager, r, settings = now.manager, now.manager.requests, now.settings
    count = r.futile[slots].astype(np.int64)
    rate_limited = (count >= settings.futile_limit) & walled_in(settings, r.sealed[slots])
    if now.bodies is not None:
        rate_limited &= ~now.bodies.in_moving_queue(slots)
    lose(now, slots[rate_limited], Decision.FUTILE, count[rate_limited])
    slots, step = slots[~rate_limited], (count[~rate_limited] - 1) % REPLAN + 1
    manager.statistics.futile += len(slots)
    local = slots[step == LOCAL] if settings.local_searches else slots[:0]
    if settings.deepening:
        local = local[r.local_due[local] <= now.tick]
    assert now.bodies is not None
    standing = np.flatnonzero(now.bodies.standing) if len(local) else local
    for slot in local.tolist():
        # Oncoming traffic is no obstacle: a unit that leaves its lane for it blocks the other lane.
        if obstructed(now, slot, standing) and manager.local.ask(slot, now.tick, OBSTRUCTED):
            now.note(slot, Decision.LOCAL_ASKED, len(manager.local.slots) - 1)
    again = slots[step == REPLAN]
    if len(again):
        now.note_many(again, Decision.NO_PROGRESS, r.futile[again])
        ask_again(manager, again, now.tick)


TECHNIQUES = (
    {
        "slug": "futility",
        "name": "Futility detection",
        "ids": ("IA.28",),
        "source": "Lydia vs. the Gate: Will she ever learn?",
        "functions": ("watch",),
        "test": "tests/ai/paths/replanning/test_futility.py",
        "exhibit": "levels/exhibits/paths/in_the_way.futile.toml",
        "overlay": "troubles",
        "setting": "paths.futility",
        "measure": "seconds",
        "direction": "down",
        "claim": (
            "For walking only; acts of a body have time-outs of their own. The steps are a wait, a local search and "
            "a new path; the sidestep is left out."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
