"""One flow field for all who go to the same spot.

When enough units want to go to places about one tile that a field is cheaper than their searches, a field grows
towards it out of the queue's budget, while they walk their quick paths.  Then each is led some tiles along the field at
a time, looking before each step, and takes the last steps to its own place by a quick search.  After an edit the field
in use is mended behind its followers, in slices of at most a millisecond; nobody is led through a door that has shut.

Source: "Game AI Pro 2", 17.4 (flow field by reverse Dijkstra).
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.paths.requests.request_columns import Phase
from ai.paths.requests.request_filter import RequestFilter
from ai.paths.settings import Engine
from ai.paths.sharing.shared_searches import REACH, SharedField, about
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import APPEND, PathSource
from ai.paths.update_context import PathTick
from ai.search.astar.quick_search import MAX_CAP, quick_search
from ai.search.fields.flow_field import FlowField
from ai.search.fields.flow_field_kernels import follow_moves

MOST_FIELDS = 4

STRETCH = 40
"""Tiles a unit is led along a field at a time."""

CLOSE = 24
"""Within this of its own place, by the longer axis, a unit leaves the field, tiles."""

LOOK_AGAIN = 10
"""Ticks after which a crowd is looked for again among the same who wait."""

A_TICK = 512
"""Most units led on in one tick; the others' turn comes next tick."""

GROWING_TICKS = 40
"""So long units wait for a field to grow before they take searches of their own, and it what they leave."""


def serve_groups(now: PathTick, budget: int) -> tuple[np.ndarray, int]:
    """Begin fields and grow them out of ``budget``, lead on who follows one: (slots that wait for a field, revolutions
    spent)."""
    manager, settings, r = now.manager, now.settings, now.manager.requests
    shared = manager.shared
    if settings.engine not in (Engine.AUTO, Engine.FLOW):
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
            # Led from where they stand: a quick path may have run into a dead end.
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
    """A field for the largest crowd among ``waiting`` if it takes fewer revolutions than searches of their own would;
    returns who will share it."""
    settings, r = now.settings, now.manager.requests
    square = r.goal[waiting].astype(np.int64) // (2 * REACH)
    rows, columns = now.terrain.height // (2 * REACH) + 1, now.terrain.width // (2 * REACH) + 1
    which = (r.movement_class[waiting].astype(np.int64) * rows + square[:, 0]) * columns + square[:, 1]
    crowd = waiting[which == int(np.argmax(np.bincount(which)))]
    if len(crowd) < settings.flow_group // 4:
        # A crowd that lies across four squares has at least a quarter of itself in one.
        return crowd[:0]
    middle = r.goal[crowd].mean(axis=0)
    first = crowd[int(np.argmin(((r.goal[crowd] - middle) ** 2).sum(axis=1)))]
    movement_class, goal = int(r.movement_class[first]), (int(r.goal[first, 0]), int(r.goal[first, 1]))
    members = waiting[about(movement_class, goal, r.movement_class[waiting], r.goal[waiting])]
    pays = len(members) * settings.flow_worth >= int(now.terrain.cost_counts.sum())
    if len(members) < settings.flow_group or not (pays or settings.engine == Engine.FLOW):
        return members[:0]
    made = FlowField.build(now.terrain, movement_class, [goal])
    now.manager.shared.fields.append(SharedField(movement_class, goal, made, now.tick, now.tick))
    now.note_many(members, Decision.FIELD_BEGUN, goal[0], goal[1], len(members))
    return members


def _grow(now: PathTick, budget: int) -> int:
    """Up to ``budget`` revolutions for the fields in turn, a slice for one in use; one that nobody has used for long
    goes."""
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
            # Units follow the old one meanwhile: mending it never takes longer than a slice of the tick.
            left = min(left, now.settings.flow_slice)
        if left > 0:
            spent += each.field.run(now.terrain, left)
    manager.statistics.revolutions_this_tick += spent
    return spent


def grow_late(now: PathTick, left: int) -> None:
    """What the searches of this tick leave goes to fields whose members search for themselves by now."""
    for each in now.manager.shared.fields:
        if left > 0 and _is_late(now, each):
            used = each.field.run(now.terrain, left)
            left -= used
            now.manager.statistics.revolutions_this_tick += used


def _is_late(now: PathTick, shared: SharedField) -> bool:
    return not shared.field.ready and now.tick - shared.begun >= GROWING_TICKS


def _lead_on(now: PathTick) -> None:
    """The next stretch for those whose path ends here, or who have none."""
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
    r, store = now.manager.requests, now.manager.store
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
    last = tiles[np.arange(n), counts - 1]
    near = np.abs(last - goals).max(axis=1) <= CLOSE
    moved = (counts > 1) & ~near
    if moved.any():
        at = slots[moved]
        mask = np.arange(STRETCH + 1) < counts[moved][:, None]
        store.write(
            now.terrain,
            at,
            r.movement_class[at],
            tiles[moved][mask],
            counts[moved],
            PathSource.FULL,
            APPEND,
            smooth=now.settings.smooth,
        )
        now.wrote(at)
    if near.any():
        last_steps(now, slots[near], tiles[near], counts[near], last[near], goals[near])
    leave(now, slots[~moved & ~near])


def last_steps(
    now: PathTick, slots: np.ndarray, tiles: np.ndarray, counts: np.ndarray, last: np.ndarray, goals: np.ndarray
) -> None:
    """From where the field is left to each unit's own place."""
    manager, r = now.manager, now.manager.requests
    legs = quick_search(now.terrain, last, goals, r.movement_class[slots], MAX_CAP, 64, pool=now.manager.store.pool)
    manager.statistics.quick_this_tick += int(legs.revolutions.sum())
    ends = legs.tiles[np.arange(len(slots)), legs.counts - 1]
    there = legs.reached & (ends == goals).all(axis=1)
    at = slots[there]
    if len(at):
        paths = np.concatenate([tiles[there], legs.tiles[there, 1:]], axis=1)
        led, own = counts[there], legs.counts[there] - 1
        meant = np.concatenate(
            [np.arange(tiles.shape[1]) < led[:, None], np.arange(legs.tiles.shape[1] - 1) < own[:, None]], axis=1
        )
        manager.store.write(
            now.terrain,
            at,
            r.movement_class[at],
            paths[meant],
            led + own,
            PathSource.FULL,
            APPEND,
            smooth=now.settings.smooth,
        )
        now.wrote(at)
        manager.store.final[at] = 1
        r.phase[at] = Phase.READY
    leave(now, slots[~there])


def leave(now: PathTick, slots: np.ndarray) -> None:
    """Neither field nor tree leads on from here: these take searches of their own."""
    if len(slots) == 0:
        return
    r = now.manager.requests
    r.phase[slots] = Phase.NEW
    r.asked[slots] = now.tick
    r.unled[slots] = 1
    r.led_by[slots] = -1
    r.tries[slots] += 1
    now.note_many(slots, Decision.FIELD_LEFT)
