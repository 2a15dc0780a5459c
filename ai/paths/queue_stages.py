"""Stages of an update that concern the queue: who reached an end, who is let in, whose search has ended."""

from __future__ import annotations

import numpy as np

from ai.paths.engines.batch_search import part_line, serve_at_once
from ai.paths.engines.path_engines import may_go_long
from ai.paths.replanning import incremental_refinement
from ai.paths.requests.path_queue import OpenSearch
from ai.paths.requests.request_columns import Learnt, Phase
from ai.paths.requests.request_lifecycle import ask_again, lose
from ai.paths.settings import Engine
from ai.paths.sharing.shared_flow_field import grow_late, serve_groups
from ai.paths.sharing.shared_trees import SHARE, serve_crowds
from ai.paths.splice.path_splicing import hand_over
from ai.paths.state.path_state import PathState
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import PathSource
from ai.paths.update_context import PathTick

CROWD = 1000
"""Leading so many units along their paths is not charged."""

NEW_SLAB_TILES = 1 << 19
"""Tiles of new slabs in one tick at most, and one slab at least: their memory has to be had from the system."""

WALKERS_A_REVOLUTION = 1
"""Leading so many more is charged a revolution, until only a quarter of the budget is left to searches."""


def ends_reached(now: PathTick, slots: np.ndarray) -> None:
    """Who stands at the end of all the path there is: arrived, parked, or asks again.  Also whose wait is over."""
    manager, r = now.manager, now.manager.requests
    phase = r.phase[slots]
    there = r.by_unit(slots[phase == Phase.READY])
    parked = there[r.detour[there] > 0]
    arrived = there[r.detour[there] == 0]
    if len(arrived):
        # The last waypoint stays, so that the follower settles on it.
        r.phase[arrived] = Phase.IDLE
        now.arrived.extend(arrived.tolist())
        now.note_many(arrived, Decision.ARRIVED, r.goal[arrived, 0], r.goal[arrived, 1])
    if len(parked):
        r.phase[parked] = Phase.PARKED
        r.deadline[parked] = now.tick + now.settings.patience
        now.note_many(parked, Decision.PARKED, now.settings.patience)
    partial = r.by_unit(slots[phase == Phase.PARTIAL])
    if len(partial):
        now.note_many(partial, Decision.PARTIAL_END, r.tries[partial] + 1)
        ask_again(manager, partial, now.tick)
    waiting = r.in_phase(Phase.PARKED)
    lose(
        now, waiting[r.deadline[waiting] <= now.tick], Decision.LOST, r.tries[waiting[r.deadline[waiting] <= now.tick]]
    )


def serve_queue(now: PathTick) -> None:
    """Let searches in, give turns until the budget is spent, hand over what ends."""
    manager, settings = now.manager, now.settings
    queue = manager.queue
    now.paid = _pay(now)
    held, crowds = serve_crowds(now, int(SHARE * settings.budget))
    waiting, grown = serve_groups(now, max(_left_for_searches(now) - crowds, 0))
    held[waiting] = 1
    grown += crowds
    line = queue.line(manager.requests, settings, settings.admissions, held)
    left = max(_left_for_searches(now) - grown, 0)
    # Who is under way comes before those who are to come.
    left -= incremental_refinement.lead_on(now, left - left // 4)
    line, asked = part_line(now, line)
    line.reverse()
    if asked is not None:
        # Who goes on from tick to tick has a quarter before the others.
        under_way = _give_turns(now, [], left // 4)
        left -= under_way
        if now.for_searches:
            # With the share of the tick in which they had no turn.
            more = min(left, manager.statistics.charged_this_tick) if now.crowded else 0
            left = max(left - serve_at_once(now, asked, left + more), 0)
    _admit(now, line)
    left -= _give_turns(now, line, left)
    grow_late(now, left)


def _give_turns(now: PathTick, line: list[int], budget: int) -> int:
    """Turns for open searches, and for those of ``line`` (last first) that come in; returns the revolutions spent."""
    manager = now.manager
    spent = 0
    may_be_long = may_go_long(now.terrain, now.settings)
    for entry, used, ended in manager.queue.turns(now.terrain, now.settings, budget):
        spent += used
        if ended:
            hand_over(now, entry, PathSource.FULL)
            _admit(now, line)
        elif may_be_long and _long_after_all(now, entry):
            _admit(now, line)
    manager.statistics.revolutions_this_tick += spent
    return spent


def _long_after_all(now: PathTick, entry: OpenSearch) -> bool:
    """Whether the search for a short way has seen so much ground that its goal must be far on foot.

    Then its unit waits, first in the queue, for the search over the clusters."""
    manager, r, slot = now.manager, now.manager.requests, entry.slot
    revolutions = manager.queue.slabs[entry.slab].revolutions
    if revolutions < now.settings.long_after or r.plain[slot] != Learnt.NOTHING:
        return False
    manager.queue.drop(entry)
    r.plain[slot] = Learnt.LONG
    r.phase[slot] = Phase.WAITING
    r.urgent[slot] = 1
    now.note(slot, Decision.LONG_AFTER_ALL, revolutions)
    return True


def crowd_charge(state: PathState, budget: int) -> int:
    """Revolutions that leading a large crowd along its paths is charged, at most three quarters of ``budget``."""
    walking = max(0, int(np.count_nonzero(state.store.path_len)) - CROWD)
    return min(walking // WALKERS_A_REVOLUTION, budget - budget // 4)


def _pay(now: PathTick) -> int:
    """Revolutions of mending, of looking for goals that can be reached, and of strings that were pulled before, that
    this tick is charged: at most three quarters of the budget, the rest is owed.  Strings have an eighth at most."""
    owed = now.manager.owed + now.mended
    paid = min(owed, now.settings.budget - now.settings.budget // 4 - now.pulled)
    now.manager.owed = owed - paid
    return paid + now.pulled


def _left_for_searches(now: PathTick) -> int:
    charge = crowd_charge(now.manager, now.settings.budget) + now.paid
    if now.put_off:
        charge = now.settings.budget  # the quick paths of a crowd are this tick's work
    charge = min(charge, now.settings.budget - now.settings.budget // 4)
    now.manager.statistics.charged_this_tick = charge
    return now.settings.budget - charge


def _admit(now: PathTick, line: list[int]) -> None:
    """Open searches for the next in line (last first) while there are slabs."""
    manager, settings = now.manager, now.settings
    queue, r = manager.queue, manager.requests
    while line:
        made = len(queue.slabs)
        may_grow = now.new_slab_tiles < NEW_SLAB_TILES
        slab = queue.slab_for(now.terrain, settings) if may_grow or queue.free else None
        if slab is None:
            return
        now.new_slab_tiles += (len(queue.slabs) - made) * now.terrain.passable.size
        slot = line.pop()
        start = now.start_of(slot)
        goal = (int(r.goal[slot, 0]), int(r.goal[slot, 1]))
        movement_class = int(r.movement_class[slot])
        if not now.components.reachable(movement_class, *start, *goal):
            # It was pushed into another component since: no search ever runs towards what cannot be reached.
            queue.free.append(slab)
            ask_again(manager, np.array([slot]), now.tick)
            continue
        favoured = bool(r.favoured[slot])
        allowance = queue.first_allowance(settings, favoured)
        queue.slabs[slab].begin(now.terrain, movement_class, start, goal, settings.give_up, settings.cost_ceiling)
        entry = OpenSearch(slot, int(r.unit[slot]), slab, allowance, favoured, now.tick, start, goal)
        queue.open.append(entry)
        queue.biased_turn += 1
        r.phase[slot] = Phase.OPEN
        r.urgent[slot] = 0
        away = max(abs(goal[0] - start[0]), abs(goal[1] - start[1]))
        kinds = int(np.count_nonzero(now.terrain.cost_counts))
        waits = r.plain[slot] == Learnt.NOTHING and manager.engines.waits_for(now.terrain, settings, movement_class)
        reason = Decision.ASTAR_MEANWHILE if waits else Decision.BY_ASTAR
        now.note(slot, reason, away, kinds, int(settings.engine == Engine.ASTAR))
        now.note(slot, Decision.ADMITTED, now.tick - int(r.asked[slot]), len(queue.open))
