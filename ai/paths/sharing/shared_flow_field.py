"""Shared flow fields: one field for all units with the same goal.

If enough units go to places around one tile, a field is cheaper than their searches. It grows towards that tile within
the queue's budget, while the units walk their quick paths. Then each unit is led some tiles along the field at a time,
and each step is tested. A quick search covers the last steps to its own place.

After an edit, the field is repaired behind its followers in slices of at most a millisecond. No unit is led through a
shut door.

Source: "Game AI Pro 2", 17.4 (flow field by reverse Dijkstra).
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.paths.engines.engine_choice import rule_of
from ai.paths.requests.request_columns import Phase
from ai.paths.requests.request_filter import RequestFilter
from ai.paths.sharing.led_segments import CLOSE, STRETCH, lay, leave
from ai.paths.sharing.shared_searches import REACH, SharedField, about
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import APPEND
from ai.paths.update_context import PathTick
from ai.search.fields.flow_field import FlowField
from ai.search.fields.flow_field_kernels import follow_moves

MOST_FIELDS = 4

LOOK_AGAIN = 10
"""Ticks before the same waiting units are tested for a crowd again."""

A_TICK = 512
"""Units led on per tick at most; the others follow in the next tick."""

GROWING_TICKS = 40
"""Ticks that units wait for a growing field.

After that they search themselves, and the field grows from the budget that they leave.
"""


def serve_groups(now: PathTick, budget: int) -> tuple[np.ndarray, int]:
    """Begin and grow fields within ``budget`` and lead followers on.

    Returns (slots that wait for a field, revolutions spent).
    """
    manager, settings, r = now.manager, now.settings, now.manager.requests
    shared = manager.shared
    if not rule_of(settings).fields:
        return np.zeros(0, np.int64), 0
    waiting = r.filtered(RequestFilter.STRANGERS)
    held: list[np.ndarray] = []
    for known in shared.fields:
        mine = known.serves(r.movement_class[waiting], r.goal[waiting])
        members, waiting = waiting[mine], waiting[~mine]
        if known.field.ready:
            held.append(members[A_TICK:])
            members = members[:A_TICK]
            r.phase[members] = Phase.FLOWING
            r.urgent[members] = r.starved[members] = 0
            # Lead them from their own tiles: a quick path may have entered a dead end.
            kept = manager.store.goal[members]
            manager.store.clear(members)
            manager.store.goal[members] = kept
            manager.statistics.fulls_arrived(now.tick - r.asked[members])
            now.note_many(members, Decision.BY_FIELD, r.goal[members, 0], r.goal[members, 1], len(members))
        elif now.tick - known.begun < GROWING_TICKS:
            held.append(members)
    fresh = manager.queue.next_ticket != shared.seen or is_due(now.tick, LOOK_AGAIN)
    if fresh and len(waiting) >= settings.flow_group and len(shared.fields) < MOST_FIELDS:
        shared.seen = manager.queue.next_ticket
        held.append(_begin(now, waiting))
    waits = np.concatenate(held) if held else np.zeros(0, np.int64)
    spent = 0
    if shared.fields:
        alone = not manager.queue.open and len(waits) == np.count_nonzero(r.phase == Phase.WAITING)
        spent = _grow(now, budget if alone else budget // 2)
    _lead_on(now)
    return waits, spent


def _begin(now: PathTick, waiting: np.ndarray) -> np.ndarray:
    """Begin a field for the largest crowd among ``waiting``; return its units.

    It must cost fewer revolutions than the searches of these units.
    """
    settings, r = now.settings, now.manager.requests
    square = r.goal[waiting].astype(np.int64) // (2 * REACH)
    rows, columns = now.terrain.height // (2 * REACH) + 1, now.terrain.width // (2 * REACH) + 1
    which = (r.movement_class[waiting].astype(np.int64) * rows + square[:, 0]) * columns + square[:, 1]
    crowd = waiting[which == int(np.argmax(np.bincount(which)))]
    if len(crowd) < settings.flow_group // 4:
        # A crowd across four squares has at least a quarter of its units in one.
        return crowd[:0]
    middle = r.goal[crowd].mean(axis=0)
    first = crowd[int(np.argmin(((r.goal[crowd] - middle) ** 2).sum(axis=1)))]
    movement_class, goal = int(r.movement_class[first]), (int(r.goal[first, 0]), int(r.goal[first, 1]))
    members = waiting[about(movement_class, goal, r.movement_class[waiting], r.goal[waiting])]
    pays = len(members) * settings.flow_worth >= int(now.terrain.cost_counts.sum())
    if len(members) < settings.flow_group or not (pays or rule_of(settings).always_fields):
        return members[:0]
    made = FlowField.build(now.terrain, movement_class, [goal])
    now.manager.shared.fields.append(SharedField(movement_class, goal, made, now.tick, now.tick))
    now.note_many(members, Decision.FIELD_BEGUN, goal[0], goal[1], len(members))
    return members


def _grow(now: PathTick, budget: int) -> int:
    """Grow fields in turn by at most ``budget`` revolutions; drop long unused ones.

    A field in use gets a slice at a time.
    """
    manager, shared = now.manager, now.manager.shared
    r, spent = manager.requests, 0
    flowing = r.in_phase(Phase.FLOWING, Phase.WAITING)
    for each in list(shared.fields):
        if each.serves(r.movement_class[flowing], r.goal[flowing]).any():
            each.used = now.tick
        elif now.tick - each.used > GROWING_TICKS:
            shared.fields.remove(each)
            continue
        left = budget - spent
        if _is_late(now, each):
            continue
        if each.field.ready:
            # Units follow the old field meanwhile; its repair never exceeds a slice of the tick.
            left = min(left, now.settings.flow_slice)
        if left > 0:
            spent += each.field.run(now.terrain, left)
    manager.statistics.revolutions_this_tick += spent
    return spent


def grow_late(now: PathTick, left: int) -> None:
    """Grow fields whose members search for themselves, with what searches leave over."""
    for each in now.manager.shared.fields:
        if left > 0 and _is_late(now, each):
            used = each.field.run(now.terrain, left)
            left -= used
            now.manager.statistics.revolutions_this_tick += used


def _is_late(now: PathTick, shared: SharedField) -> bool:
    return not shared.field.ready and now.tick - shared.begun >= GROWING_TICKS


def _lead_on(now: PathTick) -> None:
    """Lead on units whose path ends here, or that have none."""
    manager, r = now.manager, now.manager.requests
    store = manager.store
    slots = r.filtered(RequestFilter.RUN_DOWN, 0, None, store.path_len, store.flags)[:A_TICK]
    if len(slots) == 0:
        return
    starts = now.starts(slots)
    led = starts[:, 0] < 0
    for each in manager.shared.fields:
        rows = np.flatnonzero(each.serves(r.movement_class[slots], r.goal[slots]) & ~led)
        if len(rows) and each.field.ready:
            _lead_group(now, each, slots[rows], starts[rows])
            led[rows] = True
    leave(now, slots[~led | (starts[:, 0] < 0)])


def _lead_group(now: PathTick, shared: SharedField, slots: np.ndarray, starts: np.ndarray) -> None:
    r = now.manager.requests
    n, goals = len(slots), np.ascontiguousarray(r.goal[slots], np.int32)
    tiles = np.zeros((n, STRETCH + 1, 2), np.int32)
    counts = np.zeros(n, np.int32)
    bit = 1 << shared.movement_class
    follow_moves(
        shared.field.moves,
        now.terrain.passable,
        bit,
        np.ascontiguousarray(starts),
        goals,
        STRETCH,
        CLOSE,
        tiles,
        counts,
    )
    lay(now, slots, tiles, counts, APPEND)
