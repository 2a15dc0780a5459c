"""Full searches that are over within the tick: many questions in one call, their paths handed over together.

They take from the same budget as the queue's turns.  What does not fit is asked again next tick, in front of the
others; a question that does not fit a whole tick takes the resumable search.

Source: "AI Game Programming Wisdom", 3.3.
"""

from __future__ import annotations

import math

import numpy as np

from ai.paths.by_choice import BY_CHOICE, answer
from ai.paths.context import PathTick
from ai.paths.destinations import labels_of
from ai.paths.engines import ASTAR, BOUNDS, CHOSEN, CLUSTERS, JPS, REGIONS, choose_engines, distance
from ai.paths.handover import join, remember
from ai.paths.outcomes import ask_again
from ai.paths.requests import Phase
from ai.paths.route_cache import KEPT_A_TICK
from ai.paths.settings import Engine
from ai.paths.store import APPEND, REPLACE, Stage
from ai.paths.trace import Decision
from ai.search.long_way import WAY
from ai.search.quick import MAX_CAP, quick_search

_SEEN = 64
"""Tiles of a new path among which a walker is looked for."""

_SPLICE_TILES = 96

CROWD = 1000
"""While more than so many wait, ways a few percent longer that take a third of the work serve them better."""

Stretch = tuple[int, np.ndarray, np.ndarray]
"""A row, tiles int32[n, 2] and their stages uint8[n]."""

REASONS = (
    Decision.BY_ASTAR, Decision.BY_JPS, Decision.BY_CLUSTERS,
    Decision.BY_CHOICE, Decision.BY_BOUNDS, Decision.BY_REGIONS,
)  # fmt: skip


def serve_at_once(now: PathTick, line: list[int], budget: int) -> tuple[list[int], int]:
    """Serve those of ``line`` whose engine answers within the tick, out of what is left of the budget: (who waits for a
    resumable search, revolutions)."""
    manager, settings, r = now.manager, now.settings, now.manager.requests
    if not line or settings.engine == Engine.ASTAR:
        return line, 0
    slots = np.array(line, np.int64)
    starts = now.starts(slots)
    goals = r.goal[slots]
    tabled = np.isin(r.klass[slots], manager.engines.static)
    codes = choose_engines(now.terrain, settings, starts, goals, r.plain[slots], tabled)
    for klass in np.unique(r.klass[slots[codes == CLUSTERS]]).tolist():
        if not manager.engines.begin_ways(now.terrain, klass):
            codes[(codes == CLUSTERS) & (r.klass[slots] == klass)] = ASTAR
    sliced = codes == ASTAR
    waiting = slots[sliced].tolist()
    # Searches that go on from tick to tick get a quarter of the budget while there are any.
    limit = budget - budget // 4 if waiting or manager.queue.open else budget
    slots, starts, goals, codes = slots[~sliced], starts[~sliced], goals[~sliced], codes[~sliced]
    if len(slots) == 0:
        return waiting, 0
    here = labels_of(now.components, r.klass[slots], starts)
    there = labels_of(now.components, r.klass[slots], goals)
    cut_off = (here != there) | (here == 0)
    if cut_off.any():
        ask_again(manager, r.by_unit(slots[cut_off]), now.tick)
        keep = ~cut_off
        slots, starts, goals, codes = slots[keep], starts[keep], goals[keep], codes[keep]
    spent = 0
    for code in (JPS, CLUSTERS, CHOSEN, BOUNDS, REGIONS):
        for klass in np.unique(r.klass[slots[codes == code]]).tolist():
            rows = np.flatnonzero((codes == code) & (r.klass[slots] == klass))
            if spent < limit:
                spent += _answer(now, code, klass, slots[rows], starts[rows], goals[rows], limit - spent, spent == 0)
    now.manager.statistics.revolutions_this_tick += spent
    return waiting, spent


def _answer(
    now: PathTick,
    code: int,
    klass: int,
    slots: np.ndarray,
    starts: np.ndarray,
    goals: np.ndarray,
    limit: int,
    first: bool,
) -> int:
    """Answer questions in turn while revolutions last, hand the paths over; returns the revolutions spent."""
    manager, r = now.manager, now.manager.requests
    if code == CLUSTERS:
        crowded = int(np.count_nonzero(r.phase == Phase.WAITING)) > CROWD
        eager = max(now.settings.eager, now.settings.eager_crowd) if crowded else now.settings.eager
        ways = manager.engines.ways_of(now.terrain, klass).plan(now.terrain, starts, goals, limit, eager)
        done, spent, revolutions = ways.done, ways.spent, ways.revolutions
        paths = [ways.tiles[ways.offsets[i] : ways.offsets[i + 1]] for i in range(done)]
        found = ways.outcome[:done] == WAY
    else:
        search = manager.engines.chosen_of(now.terrain, now.settings.engine, klass) if code == CHOSEN else None
        if search is not None:
            paths, revolutions, spent = answer(search, starts, goals, limit)
        elif code in (BOUNDS, REGIONS):
            paths, revolutions, spent = answer(manager.engines.table_of(now.terrain, klass), starts, goals, limit)
        else:
            # Also while the tables that somebody chose are being mended.
            code = JPS
            paths, revolutions, spent = _jump(now, klass, starts, goals, limit)
        done = len(paths)
        found = np.array([len(path) > 0 for path in paths], bool)
    if done < len(slots) and done == 0 and first:
        # Not even alone: it goes where searches may take many ticks.
        r.plain[slots[0]] = 1
        now.note(int(slots[0]), Decision.TOO_DEAR, spent)
    served = slots[:done]
    r.plain[served[~found]] = 1
    if found.any():
        at = served[found]
        kinds = int(np.count_nonzero(now.terrain.cost_counts))
        forced = int(now.settings.engine in (Engine.JPS, Engine.HPA, *BY_CHOICE))
        now.note_many(at, REASONS[code], distance(starts[:done][found], goals[:done][found]), kinds, forced)
        _hand_over(now, at, [p for p, ok in zip(paths, found, strict=True) if ok], revolutions[:done][found])
    return spent


def _jump(
    now: PathTick, klass: int, starts: np.ndarray, goals: np.ndarray, limit: int
) -> tuple[list[np.ndarray], np.ndarray, int]:
    """Paths by jump points (empty: none), revolutions of each, and what was spent, the one that was cut included."""
    search = now.manager.engines.jumps_of(now.terrain, klass)
    paths: list[np.ndarray] = []
    revolutions = np.zeros(len(starts), np.int64)
    spent = 0
    # What one node may scan at most: it is looked at only when that fits.
    slack = 1 + (max(now.terrain.height, now.terrain.width) >> 2)
    for i, (start, goal) in enumerate(zip(starts.tolist(), goals.tolist(), strict=True)):
        if spent + slack >= limit:
            break
        try:
            path = search.find(tuple(start), tuple(goal), limit - spent - slack)
        except OverflowError:
            path = None
        used = search.revolutions
        spent += used
        if search.over_limit:
            break
        revolutions[i] = used
        paths.append(np.zeros((0, 2), np.int32) if path is None else path)
    return paths, revolutions, spent


def _hand_over(now: PathTick, slots: np.ndarray, paths: list[np.ndarray], revolutions: np.ndarray) -> None:
    """Give units their full paths, each joined to the way its unit is on, with the splices in one call."""
    manager, settings, r = now.manager, now.settings, now.manager.requests
    statistics, width = manager.statistics, now.terrain.width
    ages = now.tick - r.asked[slots]
    lengths = np.array([len(p) for p in paths])
    now.note_many(slots, Decision.FULL, lengths, revolutions, ages)
    here = now.footing(slots)
    ends = manager.store.end_tile(slots)
    replaced: list[Stretch] = []
    appended: list[Stretch] = []
    asking: list[int] = []
    targets = np.zeros(len(slots), np.int64)
    lost = np.zeros(len(slots), bool)
    for i, tiles in enumerate(paths):
        follows_on = ends[i] == tiles[0, 0] * width + tiles[0, 1]
        on_it = np.flatnonzero((tiles[:_SEEN, 0] == here[i, 0]) & (tiles[:_SEEN, 1] == here[i, 1]))
        if len(on_it) and (settings.splice or not follows_on):
            k = int(on_it[-1])
            replaced.append((i, tiles[k:], np.full(len(tiles) - k, Stage.FULL, np.uint8)))
            if k > 0:
                statistics.splice += 1
                now.note(int(slots[i]), Decision.SPLICED, 1, k)
        elif settings.splice and here[i, 0] >= 0:
            reach = max(3, int(r.quick[slots[i]]))
            targets[i] = min(len(tiles) - 1, math.ceil(reach * settings.splice_reach))
            asking.append(i)
        else:
            lost[i] = not join(now, int(slots[i]), tiles, Stage.FULL)
    if asking:
        spliced, appended = _splice(now, slots, paths, here, targets, asking, lost)
        replaced += spliced
    _lay(now, slots, replaced, REPLACE)
    _lay(now, slots, appended, APPEND)
    for i, tiles, _ in replaced[:KEPT_A_TICK]:
        remember(now, int(slots[i]), tiles)
    again = slots[lost]
    r.phase[again] = Phase.NEW
    r.tries[again] += 1
    now.note_many(again, Decision.REPLANNED, r.tries[again])
    ready = slots[~lost]
    r.phase[ready] = Phase.READY
    r.urgent[ready] = 0
    r.starved[ready] = 0
    manager.store.final[ready] = 1
    for age in ages[~lost].tolist():
        statistics.full_arrived(int(age))


def _lay(now: PathTick, slots: np.ndarray, stretches: list[Stretch], mode: int) -> None:
    """Write stretches of path in one call."""
    if not stretches:
        return
    at = slots[[i for i, _, _ in stretches]]
    now.manager.store.write(
        now.terrain,
        at,
        now.manager.requests.klass[at],
        np.concatenate([tiles for _, tiles, _ in stretches]),
        np.array([len(tiles) for _, tiles, _ in stretches]),
        np.concatenate([stages for _, _, stages in stretches]),
        mode,
        pull=now.settings.pull,
    )
    now.wrote(at)


def _splice(
    now: PathTick,
    slots: np.ndarray,
    paths: list[np.ndarray],
    here: np.ndarray,
    targets: np.ndarray,
    asking: list[int],
    lost: np.ndarray,
) -> tuple[list[Stretch], list[Stretch]]:
    """Splices from where units stand to tile ``targets`` of their paths, and who walks to its quick path's end first.

    A unit that can do neither is led to its path by a search of its own.
    """
    manager, settings, r = now.manager, now.settings, now.manager.requests
    aims = np.array([paths[i][targets[i]] for i in asking], np.int32)
    result = quick_search(
        now.terrain, here[asking], aims, r.klass[slots[asking]], min(settings.splice_cap, MAX_CAP), _SPLICE_TILES
    )
    manager.statistics.instant_this_tick += int(result.revolutions.sum())
    out: list[Stretch] = []
    appended: list[Stretch] = []
    for row, i in enumerate(asking):
        slot, tiles, k, count = int(slots[i]), paths[i], int(targets[i]), int(result.counts[row])
        way = result.tiles[row, :count]
        spent = int(result.revolutions[row])
        if result.reached[row] and (way[-1] == aims[row]).all():
            whole = np.concatenate([way, tiles[k + 1 :]])
            stages = np.full(len(whole), Stage.FULL, np.uint8)
            stages[:count] = Stage.SPLICE
            out.append((i, whole, stages))
            manager.statistics.splice += 1
            now.note(slot, Decision.SPLICED, count, k, spent)
        elif manager.store.end_of(slot) == tiles[0, 0] * now.terrain.width + tiles[0, 1]:
            now.note(slot, Decision.SPLICE_REFUSED, count, spent)
            appended.append((i, tiles, np.full(len(tiles), Stage.FULL, np.uint8)))
        else:
            lost[i] = not join(now, slot, tiles, Stage.FULL)
    return out, appended
