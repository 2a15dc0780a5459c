"""Quick paths: same-tick searches for new requests and for units pushed off their path.

None of them uses the queue's budget; each kind has a limit of its own. Priority paths are in
:mod:`ai.paths.quick.priority_path`.

Source: "AI Game Programming Wisdom", 3.3; straight lines before searches 3.5; hopeless requests 3.3.
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import whose_turn
from ai.paths.engines.engine_choice import rule_of
from ai.paths.quick.straight_path import BODY, line_revolutions, straight_paths
from ai.paths.replanning.local_replanning import feared_by, join_clear_of, lines_over, put
from ai.paths.replanning.local_replanning_grid import Joined
from ai.paths.requests.destinations import settle_goals
from ai.paths.requests.request_columns import Phase, among
from ai.paths.requests.request_lifecycle import ask_again, lose
from ai.paths.splice.path_splicing import lay, search_at_once
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import PREPEND, REPLACE, PathSource
from ai.paths.update_context import PathTick
from ai.search.astar.quick_search import MAX_CAP, quick_search

LED_BACK_A_TICK = 4
"""Largest number of units per tick that are led back to their paths.

The rest wait a few ticks.
"""

LED_BACK_OF_MANY, MANY = 2, 5000
"""The same limit while more than MANY units walk.

It is lower because each costs as much as delivering several full paths.
"""

STRAIGHT = 3
"""Length of a crowd's straight quick path, as a multiple of a searched one.

A longer path delays the next request.
"""

SEEN_AHEAD = 12
"""Waypoints ahead among which a visible one is searched."""


def start_new(now: PathTick, slots: np.ndarray) -> None:
    """Start new requests in order of unit id.

    Each resolves its goal, then takes a straight line or a quick path and a ticket.
    """
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
        points = manager.store.ends_in(slots, goals)
        straight |= straight_paths(now.terrain, r.movement_class[slots], now.x[slots], now.y[slots], points)
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
    """Return bool[n]: units that are led along a recent path.

    A forced search always answers itself.
    """
    manager, r = now.manager, now.manager.requests
    known = np.zeros(len(slots), bool)
    if not rule_of(now.settings).free or now.settings.remembered_routes == 0 or not manager.routes.routes:
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
    """Return the slots with ground of their class nearby, and their start tiles.

    The others are lost.
    """
    starts = now.footing(slots)
    grounded = starts[:, 0] >= 0
    lose(now, slots[~grounded], Decision.NO_GROUND)
    return slots[grounded], starts[grounded]


def _without_rate_limited(now: PathTick, slots: np.ndarray, starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Return bool[n]: units that may go on.

    The path of a unit is lost if it failed too often without getting nearer, or if it repeats one request from one
    tile.

    Proven failures need no memory: the components of the terrain's revision have already replaced unreachable goals.
    That look-up is correct again after each edit.
    """
    r, settings = now.manager.requests, now.settings
    square = ((goals - starts).astype(np.int64) ** 2).sum(axis=1)
    nearer = square < r.nearest[slots]
    r.nearest[slots[nearer]] = square[nearer]
    r.tries[slots] = np.where(nearer, np.minimum(r.tries[slots], 1), r.tries[slots])
    alone = np.ones(len(slots), bool)
    stopped = alone if now.bodies is None else now.bodies.at_dead_end(slots)
    unqueued = alone if now.bodies is None else ~now.bodies.in_moving_queue(slots)
    tired = (r.tries[slots] > settings.tries) & stopped
    lose(now, slots[tired], Decision.LOST, r.tries[slots[tired]])

    width = now.terrain.width
    source, target = starts[:, 0] * width + starts[:, 1], goals[:, 0] * width + goals[:, 1]
    recent = now.tick - r.same_since[slots] <= settings.rate_limit_ticks
    same = (r.same_from[slots] == source) & (r.same_to[slots] == target) & recent
    r.same_count[slots] = np.where(same, np.minimum(r.same_count[slots] + 1, 30_000), 1)
    r.same_since[slots[~same]] = now.tick
    r.same_from[slots], r.same_to[slots] = source, target
    rate_limited = unqueued & ~tired & (r.same_count[slots] > settings.rate_limit_requests) & (source != target)
    asked, ticks = r.same_count[slots[rate_limited]], settings.rate_limit_ticks
    lose(now, slots[rate_limited], Decision.RATE_LIMITED, asked, now.tick - r.same_since[slots[rate_limited]], ticks)
    return ~tired & ~rate_limited


def waiting_ahead(now: PathTick) -> int:
    """Return the number of requests in the queue, open or waiting."""
    phase = now.manager.requests.phase
    return int(np.count_nonzero((phase == Phase.WAITING) | (phase == Phase.OPEN)))


def quick_paths(
    now: PathTick, slots: np.ndarray, starts: np.ndarray, goals: np.ndarray, mode: int, load: int, *, explore: bool
) -> np.ndarray:
    """Search quick paths for ``slots`` in one kernel call; return bool[n]: goal reached.

    ``explore``: a unit already at the nearest known tile goes where the search would look next.
    """
    settings = now.settings
    length = settings.quick_tiles(load)
    if load < settings.quick_full_load or not (settings.straight and settings.smooth):
        return _quick_search(now, slots, starts, goals, mode, length, explore=explore)
    # In a crowd most units have free ground ahead, so even a longer straight path needs no search.
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
    """Return tiles ``int32[n, 2]`` straight towards the goals, and ``bool[n]``: line free.

    Each tile is at most ``length`` tiles from its start. Free means that a body can walk there over ground no more
    expensive than ordinary.
    """
    path = (goals - starts).astype(np.float64)
    away = np.abs(path).max(axis=1)
    share = np.minimum(1.0, length / np.maximum(away, 1.0))
    ends = starts + np.rint(path * share[:, None]).astype(np.int32)
    movement_class = now.manager.requests.movement_class[slots]
    centres = ends[:, ::-1] + 0.5
    free = straight_paths(now.terrain, movement_class, starts[:, 1] + 0.5, starts[:, 0] + 0.5, centres, BODY)
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
    """Store quick paths ``tiles`` int32[total, 2] with ``counts`` tiles per slot.

    ``many`` is their length in tiles. Units in ``reached`` are at the goal by it and need no search.
    """
    manager, r = now.manager, now.manager.requests
    manager.statistics.quick_this_tick += int(revolutions.sum())
    manager.statistics.quick += len(slots)
    manager.store.write(
        now.terrain,
        slots,
        r.movement_class[slots],
        tiles,
        counts,
        PathSource.QUICK,
        mode,
        smoother=now.settings.smooths,
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
    """Lead units back that were pushed off their path.

    A short search leads them back, or they request again.
    """
    manager, r = now.manager, now.manager.requests
    slots = r.by_unit(
        slots[among(r.phase[slots], (Phase.WAITING, Phase.OPEN, Phase.READY, Phase.PARTIAL, Phase.FLOWING, Phase.LEGS))]
    )
    # A shut door hides the waypoint; a unit that waits for it is not off its path.
    slots = slots[r.held_by[slots] < 0]
    if len(slots) > LED_BACK_OF_MANY and np.count_nonzero(manager.store.path_len) > MANY:
        # Rotate the order, so that the lowest ids do not always come first.
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
    """Join the path at the farthest visible waypoint; return False if that fails.

    The line must not cross a remembered hazard. Without such a waypoint, a local search selects the cheapest tile to
    join.
    """
    store, statistics = now.manager.store, now.manager.statistics
    path, points = store.waypoints(slot)[:SEEN_AHEAD], store.points_of(slot)[:SEEN_AHEAD]
    many = np.full(len(path), slot)
    clear = straight_paths(now.terrain, now.manager.requests.movement_class[many], now.x[many], now.y[many], points)
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
        # Smoothing would lead over hazards that the terrain does not show.
        put(now, slot, joined, PathSource.LOCAL if len(feared) else PathSource.SPLICE)
        tiles, row, spent = joined.tiles, joined.row, joined.revolutions
        statistics.quick_this_tick += spent
    statistics.rejoined += 1
    statistics.led_back += 1
    now.note(slot, Decision.REJOINED, row, len(tiles), spent)
    return True


TECHNIQUES = (
    {
        "slug": "quick-path",
        "name": "Quick path",
        "ids": ("AW-3.3-4",),
        "source": "AI Game Programming Wisdom, 3.3",
        "functions": ("quick_paths",),
        "test": "tests/ai/paths/test_stages.py",
        "exhibit": "levels/exhibits/paths/path_stages.quick.toml",
        "overlay": "paths",
        "setting": "paths.quick",
        "measure": "waited",
        "direction": "down",
        "claim": "A crowd tries straight lines over free ground first; length grows with the queue, as told.",
    },
    {
        "slug": "hopeless-requests",
        "name": "Rate limit for hopeless requests",
        "ids": ("AW-3.3-8", "AW-3.5-5"),
        "source": "AI Game Programming Wisdom, 3.3 and 3.5",
        "functions": ("_without_rate_limited",),
        "test": "tests/ai/paths/requests/test_goal_resolution.py",
        "exhibit": "levels/exhibits/paths/in_the_way.hopeless.toml",
        "overlay": "troubles",
        "setting": "paths.rate_limit_requests",
        "measure": "revolutions",
        "direction": "down",
        "claim": (
            "The order fails; no unit is killed. Failed local searches are remembered by their blocked tiles, not by "
            "pair and map counter (paths.remembered_failures)."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
