"""Queue stages of an update: path ends, admission of searches and finished searches."""

from __future__ import annotations

import numpy as np

from ai.paths.engines.batch_search import part_line, serve_at_once
from ai.paths.engines.engine_choice import may_go_long, rule_of
from ai.paths.replanning import incremental_refinement
from ai.paths.requests.path_queue import OpenSearch
from ai.paths.requests.request_columns import Learnt, Phase
from ai.paths.requests.request_lifecycle import ask_again, lose
from ai.paths.sharing.shared_flow_field import grow_late, serve_groups
from ai.paths.sharing.shared_trees import SHARE, serve_crowds
from ai.paths.splice.path_splicing import hand_over
from ai.paths.state.path_state import PathState
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import PathSource
from ai.paths.update_context import PathTick

CROWD = 1000
"""Number of units that are led along their paths without charge."""

NEW_SLAB_TILES = 1 << 19
"""Tiles of new slabs per tick at most; at least one slab.

The limit exists because allocating their memory takes time.
"""

WALKERS_A_REVOLUTION = 1
"""Units beyond CROWD per charged revolution.

A quarter of the budget always remains for searches.
"""


def ends_reached(now: PathTick, slots: np.ndarray) -> None:
    """Handle units at the end of their path: arrived, parked, or requesting again.

    Also handles units whose wait is over.
    """
    manager, r = now.manager, now.manager.requests
    phase = r.phase[slots]
    there = r.by_unit(slots[phase == Phase.READY])
    parked = there[r.detour[there] > 0]
    arrived = there[r.detour[there] == 0]
    if len(arrived):
        # The last waypoint stays, so that the unit settles on it.
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
    """Admit searches, give turns until the budget is spent, and deliver finished paths."""
    manager, settings = now.manager, now.settings
    queue = manager.queue
    now.paid = _pay(now)
    held, crowds = serve_crowds(now, int(SHARE * settings.budget))
    waiting, grown = serve_groups(now, max(_left_for_searches(now) - crowds, 0))
    held[waiting] = 1
    grown += crowds
    line = queue.line(manager.requests, settings, settings.admissions, held)
    left = max(_left_for_searches(now) - grown, 0)
    # Units on their way come before new requests.
    left -= incremental_refinement.lead_on(now, left - left // 4)
    line, asked = part_line(now, line)
    line.reverse()
    if asked is not None:
        # Searches that span several ticks get a quarter of the budget first.
        under_way = _give_turns(now, [], left // 4)
        left -= under_way
        if now.for_searches:
            # Includes the share of the tick in which these searches had no turn.
            more = min(left, manager.statistics.charged_this_tick) if now.crowded else 0
            left = max(left - serve_at_once(now, asked, left + more), 0)
    _admit(now, line)
    left -= _give_turns(now, line, left)
    grow_late(now, left)


def _give_turns(now: PathTick, line: list[int], budget: int) -> int:
    """Give turns to open searches and to those admitted from ``line``; return the revolutions.

    ``line`` is in reverse order.
    """
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
    """Return True if the search shows that the goal is far on foot.

    Its unit then waits for the search over clusters, first in the queue.
    """
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
    """Return the revolutions charged for leading a large crowd.

    At most three quarters of ``budget``.
    """
    walking = max(0, int(np.count_nonzero(state.store.path_len)) - CROWD)
    return min(walking // WALKERS_A_REVOLUTION, budget - budget // 4)


def _pay(now: PathTick) -> int:
    """Return the revolutions charged to this tick for work that is already done.

    That work is repair of structures, search for reachable goals, and smoothing. The charge is at most three quarters
    of the budget, of which smoothing takes at most an eighth. The rest stays owed.
    """
    owed = now.manager.owed + now.mended
    paid = min(owed, now.settings.budget - now.settings.budget // 4 - now.pulled)
    now.manager.owed = owed - paid
    return paid + now.pulled


def _left_for_searches(now: PathTick) -> int:
    charge = crowd_charge(now.manager, now.settings.budget) + now.paid
    if now.put_off:
        charge = now.settings.budget  # the quick paths of a crowd are the work of this tick
    charge = min(charge, now.settings.budget - now.settings.budget // 4)
    now.manager.statistics.charged_this_tick = charge
    return now.settings.budget - charge


def _admit(now: PathTick, line: list[int]) -> None:
    """Open searches for the next in ``line`` (reverse order) while slabs are free."""
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
            # The unit was pushed into another component meanwhile: no search may aim at an unreachable tile.
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
        now.note(slot, reason, away, kinds, int(rule_of(settings).sliced))
        now.note(slot, Decision.ADMITTED, now.tick - int(r.asked[slot]), len(queue.open))
