"""Searches that are over at once: quick paths for all who ask, a way back for who was pushed off (priority paths for
who runs out: :mod:`ai.paths.quick.priority_path`).  None of them takes from the queue's budget; each has a cap of
its own.

Source: "AI Game Programming Wisdom", 3.3; straight lines before searches 3.5; hopeless requests 3.3.
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import whose_turn
from ai.paths.quick.straight_path import BODY, line_revolutions, straight_paths
from ai.paths.replanning.local_replanning import feared_by, join_clear_of, lines_over, put
from ai.paths.replanning.local_replanning_grid import Joined
from ai.paths.requests.destinations import settle_goals
from ai.paths.requests.request_columns import Phase, among
from ai.paths.requests.request_lifecycle import ask_again, lose
from ai.paths.settings import Engine
from ai.paths.splice.path_splicing import lay, search_at_once
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import PREPEND, REPLACE, PathSource
from ai.paths.update_context import PathTick
from ai.search.astar.quick_search import MAX_CAP, quick_search

LED_BACK_A_TICK = 4
"""Most units led back to their paths in one tick; the rest have their turn a few ticks later."""

LED_BACK_OF_MANY, MANY = 2, 5000
"""The same while more than so many walk: each takes as long as to hand over several full paths."""

STRAIGHT = 3
"""A quick path of a crowd over free ground may be so many times as long as one that is searched: who has it comes back
for another later."""

SEEN_AHEAD = 12
"""Waypoints ahead among which one in plain sight is looked for."""


def start_new(now: PathTick, slots: np.ndarray) -> None:
    """All new requests, by unit id: a reachable goal, then a straight line or else a quick path and a ticket."""
    if len(slots) == 0:
        return
    manager, r = now.manager, now.manager.requests
    slots, starts = _with_footing(now, slots)
    goals = settle_goals(now, slots, starts)
    going = _without_rate_limited(now, slots, starts, goals)
    slots, starts, goals = slots[going], starts[going], goals[going]
    manager.store.final[slots] = 0
    manager.store.goal[slots] = goals[:, 0] * now.terrain.width + goals[:, 1]
    r.urgent[slots] = r.starved[slots] = 0
    r.quick[slots] = 0
    r.held_by[slots] = -1

    straight = (starts == goals).all(axis=1)
    if now.settings.straight:
        straight |= straight_paths(now.terrain, r.movement_class[slots], now.x[slots], now.y[slots], goals)
        manager.statistics.quick_this_tick += line_revolutions(now.x[slots], now.y[slots], goals)
    if straight.any():
        at = slots[straight]
        manager.store.write(
            now.terrain, at, r.movement_class[at], goals[straight], np.ones(len(at), np.int64), PathSource.FULL, REPLACE
        )
        manager.store.final[at] = 1
        r.phase[at] = Phase.READY
        manager.statistics.straight += len(at)
        now.wrote(at)
        now.note_many(at, Decision.STRAIGHT, goals[straight, 0], goals[straight, 1])
    slots, starts, goals = slots[~straight], starts[~straight], goals[~straight]
    known = _along_known_routes(now, slots, starts, goals)
    slots, starts, goals = slots[~known], starts[~known], goals[~known]
    if len(slots) == 0:
        return

    ahead = waiting_ahead(now)
    complete = np.zeros(len(slots), bool)
    if now.settings.quick:
        complete = quick_paths(now, slots, starts, goals, REPLACE, ahead + len(slots), explore=True)
    else:
        kept = manager.store.goal[slots]
        manager.store.clear(slots)
        manager.store.goal[slots] = kept
    queued = slots[~complete]
    r.phase[queued] = Phase.WAITING
    r.ticket[queued] = manager.queue.tickets(len(queued))
    now.note_many(queued, Decision.QUEUED, starts[~complete, 0], starts[~complete, 1], ahead + np.arange(len(queued)))


def _along_known_routes(now: PathTick, slots: np.ndarray, starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """bool[n]: who is led along a way that was found lately.  A forced search answers by itself."""
    manager, r = now.manager, now.manager.requests
    known = np.zeros(len(slots), bool)
    if now.settings.engine != Engine.AUTO or now.settings.remembered_routes == 0 or not manager.routes.routes:
        return known
    for i, (slot, start, goal) in enumerate(zip(slots.tolist(), starts.tolist(), goals.tolist(), strict=True)):
        found = manager.routes.find(int(r.movement_class[slot]), (start[0], start[1]), (goal[0], goal[1]))
        if found is None:
            continue
        known[i] = True
        lay(now, slot, found[0], PathSource.FULL, REPLACE)
        now.note(slot, Decision.BY_CACHE, len(found[0]), now.tick - found[1], len(manager.routes.routes))
    at = slots[known]
    manager.store.final[at] = 1
    r.phase[at] = Phase.READY
    manager.statistics.cached += len(at)
    return known


def _with_footing(now: PathTick, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slots whose unit stands on or near ground of its class, and the tiles they start from; the others are lost."""
    starts = now.footing(slots)
    grounded = starts[:, 0] >= 0
    lose(now, slots[~grounded], Decision.NO_GROUND)
    return slots[grounded], starts[grounded]


def _without_rate_limited(now: PathTick, slots: np.ndarray, starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """bool[n]: who may go on.  Lost are those that failed too often without getting nearer, and those that keep asking
    for the same way from the same tile.

    Failures that are proved need no memory of their own: goals out of reach were replaced before this by what the
    components of the terrain's revision say, which is a look-up, and opens with the ground.
    """
    r, settings = now.manager.requests, now.settings
    square = ((goals - starts).astype(np.int64) ** 2).sum(axis=1)
    nearer = square < r.nearest[slots]
    r.nearest[slots[nearer]] = np.minimum(square[nearer], (1 << 30) - 1)
    r.tries[slots] = np.where(nearer, np.minimum(r.tries[slots], 1), r.tries[slots])
    stopped = np.ones(len(slots), bool) if now.bodies is None else now.bodies.at_dead_end(slots)
    tired = (r.tries[slots] > settings.tries) & stopped
    lose(now, slots[tired], Decision.LOST, r.tries[slots[tired]])

    width = now.terrain.width
    source, target = starts[:, 0] * width + starts[:, 1], goals[:, 0] * width + goals[:, 1]
    recent = now.tick - r.same_since[slots] <= settings.rate_limit_ticks
    same = (r.same_from[slots] == source) & (r.same_to[slots] == target) & recent
    r.same_count[slots] = np.where(same, np.minimum(r.same_count[slots] + 1, 30_000), 1)
    r.same_since[slots[~same]] = now.tick
    r.same_from[slots], r.same_to[slots] = source, target
    rate_limited = stopped & ~tired & (r.same_count[slots] > settings.rate_limit_requests) & (source != target)
    asked, ticks = r.same_count[slots[rate_limited]], settings.rate_limit_ticks
    lose(now, slots[rate_limited], Decision.RATE_LIMITED, asked, now.tick - r.same_since[slots[rate_limited]], ticks)
    return ~tired & ~rate_limited


def waiting_ahead(now: PathTick) -> int:
    """Requests in the queue, open or waiting."""
    phase = now.manager.requests.phase
    return int(np.count_nonzero((phase == Phase.WAITING) | (phase == Phase.OPEN)))


def quick_paths(
    now: PathTick, slots: np.ndarray, starts: np.ndarray, goals: np.ndarray, mode: int, load: int, *, explore: bool
) -> np.ndarray:
    """Quick paths for ``slots`` in one kernel call; bool[n]: who reached the goal and needs no search.

    ``explore``: who stands nearest to the goal already goes where the search would look next, rather than nowhere.
    """
    settings = now.settings
    length = settings.quick_tiles(load)
    if load < settings.quick_full_load or not (settings.straight and settings.smooth):
        return _quick_search(now, slots, starts, goals, mode, length, explore=explore)
    # In a crowd most have free ground before them, and need no search for so few tiles, nor for more of them.
    ends, free = _straight_on(now, slots, starts, goals, STRAIGHT * length)
    short = np.flatnonzero(~free)
    if len(short):
        ends[short], free[short] = _straight_on(now, slots[short], starts[short], goals[short], length)
    reached = free & (ends == goals).all(axis=1)
    if free.any():
        at, tiles = slots[free], np.stack([starts[free], ends[free]], axis=1).reshape(-1, 2)
        many = np.abs(ends - starts).max(axis=1)
        _lay_quick(now, at, tiles, np.full(len(at), 2), many[free], np.zeros(len(at), np.int64), reached[free], mode)
    rest = np.flatnonzero(~free)
    if len(rest):
        reached[rest] = _quick_search(now, slots[rest], starts[rest], goals[rest], mode, length, explore=explore)
    return reached


def _straight_on(
    now: PathTick, slots: np.ndarray, starts: np.ndarray, goals: np.ndarray, length: int
) -> tuple[np.ndarray, np.ndarray]:
    """Tiles int32[n, 2] at most ``length`` tiles on from ``starts``, straight towards the goals, and bool[n]: whether a
    body can walk there over ground no dearer than ordinary."""
    path = (goals - starts).astype(np.float64)
    away = np.abs(path).max(axis=1)
    share = np.minimum(1.0, length / np.maximum(away, 1.0))
    ends = starts + np.rint(path * share[:, None]).astype(np.int32)
    movement_class = now.manager.requests.movement_class[slots]
    free = straight_paths(now.terrain, movement_class, starts[:, 1] + 0.5, starts[:, 0] + 0.5, ends, BODY)
    now.manager.statistics.quick_this_tick += line_revolutions(starts[:, 1], starts[:, 0], ends)
    return ends, free & (away > 0.0)


def _quick_search(
    now: PathTick, slots: np.ndarray, starts: np.ndarray, goals: np.ndarray, mode: int, length: int, *, explore: bool
) -> np.ndarray:
    r, settings = now.manager.requests, now.settings
    result = quick_search(
        now.terrain,
        starts,
        goals,
        r.movement_class[slots],
        min(length * settings.quick_effort, MAX_CAP),
        length + 1,
        nearer=length,
        explore=explore,
        pool=now.manager.store.pool,
    )
    tiles = result.tiles[np.arange(length + 1) < result.counts[:, None]]
    _lay_quick(now, slots, tiles, result.counts, result.counts - 1, result.revolutions, result.reached, mode)
    return result.reached


def _lay_quick(
    now: PathTick,
    slots: np.ndarray,
    tiles: np.ndarray,
    counts: np.ndarray,
    many: np.ndarray,
    revolutions: np.ndarray,
    reached: np.ndarray,
    mode: int,
) -> None:
    """Lay quick paths ``tiles`` int32[total, 2], ``counts`` of each slot, that are ``many`` tiles long; who ``reached``
    the goal by it needs no search."""
    manager, r = now.manager, now.manager.requests
    manager.statistics.quick_this_tick += int(revolutions.sum())
    manager.statistics.quick += len(slots)
    manager.store.write(
        now.terrain, slots, r.movement_class[slots], tiles, counts, PathSource.QUICK, mode, smooth=now.settings.smooth
    )
    now.wrote(slots)
    r.quick[slots] = many
    done = slots[reached]
    manager.store.final[done] = 1
    r.phase[done] = Phase.READY
    r.urgent[done] = 0
    now.note_many(done, Decision.QUICK_ONLY, many[reached], revolutions[reached])
    rest = ~reached
    now.note_many(slots[rest], Decision.QUICK, many[rest], revolutions[rest], int(many.max(initial=0)))


def lead_back(now: PathTick, slots: np.ndarray) -> None:
    """Who was pushed off its path gets a short search to its waypoint, or asks again."""
    manager, r = now.manager, now.manager.requests
    slots = r.by_unit(
        slots[among(r.phase[slots], (Phase.WAITING, Phase.OPEN, Phase.READY, Phase.PARTIAL, Phase.FLOWING, Phase.LEGS))]
    )
    # Behind a shut door nothing is in sight: who waits for it is not astray.
    slots = slots[r.held_by[slots] < 0]
    if len(slots) > LED_BACK_OF_MANY and np.count_nonzero(manager.store.path_len) > MANY:
        # Now these go first, now those, so that the lowest ids do not come first for ever.
        mine = whose_turn(now.tick, r.unit[slots], 7)
        slots = slots[np.argsort(~mine, kind="stable")][:LED_BACK_OF_MANY]
    for slot in slots[:LED_BACK_A_TICK].tolist():
        here = now.footing_of(slot)
        if here[0] < 0:
            continue
        if now.settings.rejoin:
            if not rejoin(now, slot):
                ask_again(manager, np.array([slot]), now.tick)
            continue
        point = int(manager.store.wp_y[slot]), int(manager.store.wp_x[slot])
        found, path, spent = search_at_once(now, slot, here, point, now.settings.splice_cap)
        if found:
            lay(now, slot, path, PathSource.SPLICE, PREPEND)
            manager.statistics.led_back += 1
            now.note(slot, Decision.LED_BACK, len(path), spent)
        else:
            ask_again(manager, np.array([slot]), now.tick)


def rejoin(now: PathTick, slot: int) -> bool:
    """Join the path further on: at the farthest waypoint in plain sight past no remembered hazard, else where a local
    search finds it cheapest; False when neither does."""
    store, statistics = now.manager.store, now.manager.statistics
    path = store.waypoints(slot)[:SEEN_AHEAD]
    many = np.full(len(path), slot)
    clear = straight_paths(
        now.terrain, now.manager.requests.movement_class[many], now.x[many], now.y[many], path[:, :2]
    )
    statistics.quick_this_tick += line_revolutions(now.x[many], now.y[many], path)
    tiles, row, spent = np.zeros((0, 2), np.int32), 0, 0
    feared = feared_by(now, slot)
    if len(feared) and clear.any():
        clear &= ~lines_over(feared, float(now.x[slot]), float(now.y[slot]), path[:, :2])
    if clear.any():
        row = int(np.flatnonzero(clear)[-1])
        put(now, slot, Joined(tiles, row, 0.0, 0), PathSource.SPLICE)
    else:
        joined = join_clear_of(now, slot, feared)
        if joined is None:
            return False
        # Pulled straight it would lead over what the terrain does not show.
        put(now, slot, joined, PathSource.LOCAL if len(feared) else PathSource.SPLICE)
        tiles, row, spent = joined.tiles, joined.row, joined.revolutions
        statistics.quick_this_tick += spent
    statistics.rejoined += 1
    statistics.led_back += 1
    now.note(slot, Decision.REJOINED, row, len(tiles), spent)
    return True
