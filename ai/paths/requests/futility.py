"""Who walks and gets nowhere: the way covered in a second against the way that his speed should have covered.

One second after another without a fifth of it is answered by one step more: wait; a local search round those who
stand in the way; a whole new path; and over again.  Who has tried for long, and for whom not even the local search
knows a way, gives up: his order has failed and he stands still.  A second in which he gets on forgets it all.  To wait
at a shut door is not futile, nor is to let others pass where only one can.

Source: "Lydia vs. the Gate: Will she ever learn?" (2011): agents should notice that what they do has no effect.
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
"""Ticks between two looks at one unit."""

LOCAL, REPLAN = 2, 3
"""Futile seconds on end after which the local search, and then a new path, are asked for; then from the start again."""


def watch(now: PathTick) -> None:
    """Look at those whose turn it is by their ids, and take the next step with each who has got nowhere."""
    bodies, settings, r, store = now.bodies, now.settings, now.manager.requests, now.manager.store
    if bodies is None or not settings.futility:
        return
    n = len(bodies.speed)
    slots = np.flatnonzero(on_turn(now.tick, r.turn[:n], WINDOW) & (store.path_len[:n] > 0))
    # Who has come to the end of the path there is waits for the rest: that is nobody's fault.
    slots = slots[among(r.phase[slots], WALKS) & ((store.flags[slots] & Flag.AT_END) == 0)]
    if len(slots) == 0:
        return
    x, y = now.x[slots], now.y[slots]
    left = np.hypot(store.wp_x[slots] - x, store.wp_y[slots] - y)
    known = (r.looked[slots] == now.tick - WINDOW) & (r.held_by[slots] < 0) & (r.detour[slots] == 0)
    same = (store.written[slots] == r.looked_path[slots]) & (store.path_len[slots] == r.looked_len[slots])
    walked = np.hypot(x - r.looked_at[slots, 0], y - r.looked_at[slots, 1])
    # On the same piece of the same path nearness counts; past a waypoint, or on a new path, the way walked does.
    actual = np.where(same, r.looked_left[slots] - left, walked)
    expected = bodies.speed[slots] * (WINDOW / 20.0)
    futile = known & (actual < settings.futile_share * expected)
    if bodies.waits is not None:
        futile &= ~bodies.waits[slots]
    r.futile[slots] = np.where(futile, np.minimum(r.futile[slots] + 1, 255), 0)
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
        rate_limited &= now.bodies.at_dead_end(slots)
    lose(now, slots[rate_limited], Decision.FUTILE, count[rate_limited])
    slots, step = slots[~rate_limited], (count[~rate_limited] - 1) % REPLAN + 1
    manager.statistics.futile += len(slots)
    local = slots[step == LOCAL] if settings.local_searches else slots[:0]
    if settings.deepening:
        local = local[r.local_due[local] <= now.tick]
    assert now.bodies is not None
    standing = np.flatnonzero(now.bodies.standing) if len(local) else local
    for slot in local.tolist():
        # Traffic that comes the other way is no obstacle to go round: who leaves his lane for it blocks theirs.
        if obstructed(now, slot, standing) and manager.local.ask(slot, now.tick, OBSTRUCTED):
            now.note(slot, Decision.LOCAL_ASKED, len(manager.local.slots) - 1)
    again = slots[step == REPLAN]
    if len(again):
        now.note_many(again, Decision.NO_PROGRESS, r.futile[again])
        ask_again(manager, again, now.tick)
