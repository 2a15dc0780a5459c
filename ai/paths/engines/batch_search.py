"""Batch search: answers many full requests in one call, within the tick.

It shares the budget with the turns of the queue. Requests that do not fit come first in the next tick. A request that
exceeds a whole tick moves to the resumable search.

Source: "AI Game Programming Wisdom", 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.paths.argument_checks import distinct
from ai.paths.engines.engine_choice import (
    ASTAR,
    BOUNDS,
    CLUSTERS,
    FORCED,
    JPS,
    LEGS,
    REGIONS,
    EngineRule,
    choose_engines,
    distance,
    is_uniform,
    may_go_long,
    rule_of,
)
from ai.paths.engines.forced_engine import answer
from ai.paths.replanning import incremental_refinement
from ai.paths.requests.destinations import labels_of
from ai.paths.requests.request_columns import Learnt, Phase
from ai.paths.requests.request_lifecycle import ask_again
from ai.paths.requests.urgency import are_urgent
from ai.paths.splice.batch_splicing import hand_over_many
from ai.paths.state.path_trace import Decision
from ai.paths.update_context import PathTick
from ai.search.hierarchy.hpa_batch import WAY

CROWD_ON_EVEN = 100
"""Number of waiting requests above which paths may be slightly longer.

They may be a few percent longer, on ground of one cost.
"""

REASONS = (
    Decision.BY_ASTAR, Decision.BY_JPS, Decision.BY_CLUSTERS,
    Decision.BY_CHOICE, Decision.BY_BOUNDS, Decision.BY_REGIONS,
)  # fmt: skip

HANDED_OVER, HANDED_OVER_OF_CROWD = 50, 80
"""Paths delivered per tick, if the budget allows: normally, and in a crowd.

Fifty per tick give a thousand units their paths within a second, evenly spread. In a crowd, deliveries take place in
every second tick, for the share of the budget that remains to searches. Paths are then a few percent longer for a third
of the work, which shortens the wait of all units.
"""

HANDED_OVER_ON_EVEN = 60
"""The same limit on ground of one cost.

Single searches differ most there, so some ticks deliver fewer.
"""

LEAST_OF_CROWD = 12
"""Smallest number of requests per call; fewer are not worth a call."""


@dataclass(frozen=True)
class AtOnce:
    """Requests whose engine answers within the tick.

    It holds slots, start tiles of their searches, and the code of each engine.
    """

    slots: np.ndarray
    starts: np.ndarray
    codes: np.ndarray


def part_line(now: PathTick, line: list[int]) -> tuple[list[int], AtOnce | None]:
    """Split the line into requests for resumable search and for same-tick search.

    The second part is None if it is empty.
    """
    manager, settings, r = now.manager, now.settings, now.manager.requests
    if not line or rule_of(settings).sliced:
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
            # Their tables are being built or repaired; jump point search needs none.
            codes[of_class] = ASTAR
            if rule_of(settings).free and is_uniform(now.terrain):
                codes[of_class & (r.plain[slots] == Learnt.NOTHING)] = JPS
        elif not manager.engines.leads_by_legs(now.terrain, movement_class, settings.levels):
            codes[of_class] = CLUSTERS
    sliced = codes == ASTAR
    return slots[sliced].tolist(), None if sliced.all() else AtOnce(slots[~sliced], starts[~sliced], codes[~sliced])


def serve_at_once(now: PathTick, asked: AtOnce, limit: int) -> int:
    """Answer requests while ``limit`` revolutions last; return the revolutions spent."""
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
    # A question to jump point search may use the whole budget, so urgent requests come first.
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
    """Answer questions in order and deliver the paths: (revolutions spent, questions answered)."""
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
        # Too large even alone, or for half a tick: it moves to the clusters, or to resumable search.
        longer = code == JPS and may_go_long(now.terrain, now.settings)
        r.plain[slots[0]] = Learnt.LONG if longer else Learnt.PLAIN
        now.note(int(slots[0]), Decision.DEAR_TO_JUMP if longer else Decision.TOO_DEAR, spent)
    r.plain[slots[answered & ~found]] = Learnt.PLAIN
    if found.any() and code != LEGS:
        at = slots[found]
        kinds = int(np.count_nonzero(now.terrain.cost_counts))
        rule = rule_of(now.settings)
        forced, reason = int(rule.forced), _reason(code, rule)
        if code == CLUSTERS and kinds <= 1 and not forced:
            waiting, age = np.count_nonzero(r.phase == Phase.WAITING), now.tick - r.asked[at]
            now.note_many(at, Decision.CLUSTERS_OF_EVEN, distance(starts[found], goals[found]), waiting, age)
        else:
            now.note_many(at, reason, distance(starts[found], goals[found]), kinds, forced)
        rows = np.flatnonzero(found)
        # A question without a path, or one that was cut, has no tiles either.
        hand_over_many(now, at, tiles, np.append(offsets[rows], offsets[rows[-1] + 1]), revolutions[rows])
    return spent, int(np.count_nonzero(answered))


def _reason(code: int, rule: EngineRule) -> Decision:
    if code == JPS and rule.static:
        return Decision.NO_BOUNDS
    return Decision.BEING_MENDED if code == JPS and rule.tables else REASONS[code]


def _jump(
    now: PathTick, movement_class: int, starts: np.ndarray, goals: np.ndarray, limit: int
) -> tuple[list[np.ndarray], np.ndarray, int]:
    """Search by jump points: (paths (empty: none), revolutions of each, revolutions spent).

    The sum includes the search that was cut.
    """
    search = now.manager.engines.jumps_of(now.terrain, movement_class)
    paths: list[np.ndarray] = []
    revolutions = np.zeros(len(starts), np.int64)
    spent = 0
    # The largest number of tiles that one node may scan: it is expanded only if that fits.
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
