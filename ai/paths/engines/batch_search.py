"""Full searches that are over within the tick: many questions in one call, their paths handed over together.

They take from the same budget as the queue's turns.  What does not fit is asked again next tick, in front of the
others; a question that does not fit a whole tick takes the resumable search.

Source: "AI Game Programming Wisdom", 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.paths.argument_checks import distinct
from ai.paths.engines.forced_engine import FORCED_ENGINES, answer
from ai.paths.engines.path_engines import (
    ASTAR,
    BOUNDS,
    CLUSTERS,
    FORCED,
    JPS,
    LEGS,
    REGIONS,
    choose_engines,
    distance,
    is_uniform,
    may_go_long,
)  # fmt: skip
from ai.paths.replanning import incremental_refinement
from ai.paths.requests.destinations import labels_of
from ai.paths.requests.request_columns import Learnt, Phase
from ai.paths.requests.request_lifecycle import ask_again
from ai.paths.requests.urgency import are_urgent
from ai.paths.settings import Engine
from ai.paths.splice.batch_splicing import hand_over_many
from ai.paths.state.path_trace import Decision
from ai.paths.update_context import PathTick
from ai.search.hierarchy.hpa_batch import WAY

CROWD_ON_EVEN = 100
"""On ground of one cost while more than so many wait, ways a few percent longer serve them better."""

REASONS = (
    Decision.BY_ASTAR, Decision.BY_JPS, Decision.BY_CLUSTERS,
    Decision.BY_CHOICE, Decision.BY_BOUNDS, Decision.BY_REGIONS,
)  # fmt: skip

HANDED_OVER, HANDED_OVER_OF_CROWD = 50, 80
"""Paths handed over in any tick, if the budget answers so many questions: a thousand have theirs within a second, as
many in one tick as in the next.  While a crowd waits, in every second tick, the share of it that is left to searches,
and their ways are a few percent longer for a third of the work, which serves all of them better."""

HANDED_OVER_ON_EVEN = 60
"""On ground of one cost, where single questions differ most in what they take: some ticks come to fewer."""

LEAST_OF_CROWD = 12
"""So many at least: fewer are not worth a call."""


@dataclass(frozen=True)
class AtOnce:
    """Those of the line whose engine answers within the tick: slots, where their searches start, and the code of each
    one's engine."""

    slots: np.ndarray
    starts: np.ndarray
    codes: np.ndarray


def part_line(now: PathTick, line: list[int]) -> tuple[list[int], AtOnce | None]:
    """Part the line: who waits for a resumable search, and whose engine answers within the tick (None: nobody's)."""
    manager, settings, r = now.manager, now.settings, now.manager.requests
    if not line or settings.engine == Engine.ASTAR:
        return line, None
    slots = np.array(line, np.int64)
    starts = now.starts(slots)
    goals = r.goal[slots]
    tabled = np.isin(r.movement_class[slots], manager.engines.static) if manager.engines.static else None
    urgent = are_urgent(r, slots, now.tick)
    codes = choose_engines(now.terrain, settings, starts, goals, r.plain[slots], tabled, urgent)
    codes = manager.engines.answers(now.terrain, settings, codes, r.movement_class[slots])
    over = (codes == CLUSTERS) | (codes == LEGS)
    for movement_class in distinct(r.movement_class[slots[over]]):
        of_class = over & (r.movement_class[slots] == movement_class)
        if not manager.engines.begin_paths(now.terrain, movement_class):
            # They are being made or mended; jump points need nothing that has to be.
            codes[of_class] = ASTAR
            if settings.engine == Engine.AUTO and is_uniform(now.terrain):
                codes[of_class & (r.plain[slots] == Learnt.NOTHING)] = JPS
        elif not manager.engines.leads_by_legs(now.terrain, movement_class, settings.levels):
            codes[of_class] = CLUSTERS
    sliced = codes == ASTAR
    return slots[sliced].tolist(), None if sliced.all() else AtOnce(slots[~sliced], starts[~sliced], codes[~sliced])


def serve_at_once(now: PathTick, asked: AtOnce, limit: int) -> int:
    """Serve them while ``limit`` revolutions last; returns how many were spent."""
    manager, r = now.manager, now.manager.requests
    slots, starts, codes = asked.slots, asked.starts, asked.codes
    goals = r.goal[slots]
    here = labels_of(now.components, r.movement_class[slots], starts)
    there = labels_of(now.components, r.movement_class[slots], goals)
    cut_off = (here != there) | (here == 0)
    if cut_off.any():
        ask_again(manager, r.by_unit(slots[cut_off]), now.tick)
        keep = ~cut_off
        slots, starts, goals, codes = slots[keep], starts[keep], goals[keep], codes[keep]
    spent = handed = 0
    free = HANDED_OVER_ON_EVEN if is_uniform(now.terrain) else HANDED_OVER
    if now.crowded:
        free = max(LEAST_OF_CROWD, HANDED_OVER_OF_CROWD * limit // max(now.settings.budget, 1))
    # A question to jump points may take all there is, so those who are pressed come first.
    for code in sorted(distinct(codes), key=lambda each: each != CLUSTERS):
        for movement_class in distinct(r.movement_class[slots[codes == code]]):
            rows = np.flatnonzero((codes == code) & (r.movement_class[slots] == movement_class))[: free - handed]
            if len(rows) == 0 or spent >= limit:
                continue
            left = limit - spent
            used, done = _answer(now, code, movement_class, slots[rows], starts[rows], goals[rows], left, spent == 0)
            spent += used
            handed += done
    now.manager.statistics.revolutions_this_tick += spent
    return spent


def _answer(
    now: PathTick,
    code: int,
    movement_class: int,
    slots: np.ndarray,
    starts: np.ndarray,
    goals: np.ndarray,
    limit: int,
    first: bool,
) -> tuple[int, int]:
    """Answer questions in turn while revolutions last, hand the paths over: (revolutions spent, questions answered)."""
    manager, r = now.manager, now.manager.requests
    paths: list[np.ndarray] = []
    if code == LEGS:
        spent, found = incremental_refinement.begin(now, movement_class, slots, goals, limit)
        revolutions = np.zeros(len(found), np.int64)
    elif code == CLUSTERS:
        many = is_uniform(now.terrain) and int(np.count_nonzero(r.phase == Phase.WAITING)) > CROWD_ON_EVEN
        heuristic_weight = (
            max(now.settings.heuristic_weight, now.settings.crowd_heuristic_weight)
            if now.crowded or many
            else now.settings.heuristic_weight
        )
        found_by = manager.engines.paths_of(now.terrain, movement_class)
        planned = found_by.plan(now.terrain, starts, goals, limit, heuristic_weight, manager.store.pool)
        spent, revolutions, tiles, offsets = planned.spent, planned.revolutions, planned.tiles, planned.offsets
        answered, found = planned.answered, planned.outcome == WAY
    else:
        if code == FORCED:
            search = manager.engines.forced_engine_of(now.terrain, now.settings.engine, movement_class)
            search.arrange(now.settings)
            paths, revolutions, spent = answer(search, starts, goals, limit)
        elif code in (BOUNDS, REGIONS):
            paths, revolutions, spent = answer(
                manager.engines.table_of(now.terrain, movement_class), starts, goals, limit
            )
        else:
            paths, revolutions, spent = _jump(now, movement_class, starts, goals, limit)
        offsets = np.zeros(len(paths) + 1, np.int64)
        np.cumsum([len(path) for path in paths], out=offsets[1:])
        tiles = np.concatenate([*paths, np.zeros((0, 2), np.int32)])
        found = np.diff(offsets) > 0
    if code != CLUSTERS:
        answered = np.arange(len(slots)) < len(found)
        found = np.concatenate([found, np.zeros(len(slots) - len(found), bool)])
    if first and not answered[0]:
        # Not even alone, or with half of it: it goes over the clusters, or where searches may take many ticks.
        longer = code == JPS and may_go_long(now.terrain, now.settings)
        r.plain[slots[0]] = Learnt.LONG if longer else Learnt.PLAIN
        now.note(int(slots[0]), Decision.DEAR_TO_JUMP if longer else Decision.TOO_DEAR, spent)
    r.plain[slots[answered & ~found]] = Learnt.PLAIN
    if found.any() and code != LEGS:
        at = slots[found]
        kinds = int(np.count_nonzero(now.terrain.cost_counts))
        forced = int(now.settings.engine in (Engine.JPS, Engine.HPA, *FORCED_ENGINES))
        reason = _reason(code, now.settings.engine)
        if code == CLUSTERS and kinds <= 1 and not forced:
            waiting, age = np.count_nonzero(r.phase == Phase.WAITING), now.tick - r.asked[at]
            now.note_many(at, Decision.CLUSTERS_OF_EVEN, distance(starts[found], goals[found]), waiting, age)
        else:
            now.note_many(at, reason, distance(starts[found], goals[found]), kinds, forced)
        rows = np.flatnonzero(found)
        # Who has no way, or was cut, has no tiles either.
        hand_over_many(now, at, tiles, np.append(offsets[rows], offsets[rows[-1] + 1]), revolutions[rows])
    return spent, int(np.count_nonzero(answered))


def _reason(code: int, engine: str) -> Decision:
    if code == JPS and engine == Engine.JPS_PLUS_GB:
        return Decision.NO_BOUNDS
    return Decision.BEING_MENDED if code == JPS and engine in FORCED_ENGINES else REASONS[code]


def _jump(
    now: PathTick, movement_class: int, starts: np.ndarray, goals: np.ndarray, limit: int
) -> tuple[list[np.ndarray], np.ndarray, int]:
    """Paths by jump points (empty: none), revolutions of each, and what was spent, the one that was cut included."""
    search = now.manager.engines.jumps_of(now.terrain, movement_class)
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
