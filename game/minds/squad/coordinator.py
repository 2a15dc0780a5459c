"""Coordinator: members that cover instead of their task, for a role or token.

Sources: Travis McIntosh, Game AI Pro 2, ch. 34 (whenever a member can shoot, one does); Jeet Shroff, ibidem, ch. 36
(limited tokens for an action). The tasks of the manoeuvre stay as they are. A member that may go again gets its order
again.
"""

from __future__ import annotations

import numpy as np

from ai.squad.command.command_styles import AUTHORITARIAN, ORDER_VALUE, obeys, threat_value
from ai.squad.coordination import action_tokens, role_tokens
from ai.squad.coordination.role_tokens import APPROACHER, SHOOTER
from ai.squad.manoeuvres.manoeuvre import MemberTask, SquadTask
from game.minds.agent_view import FRESH
from game.systems.tactics.danger_memory import Passage, passage
from game.world.groups.squads import KnownPassage, Squad
from game.world.world import World

RUSH = 60
"""Ticks for which a member keeps its token of assault."""
AGAIN = 80
"""Ticks until it may take the next one."""
BRAVES = "pull_back", "fall_back", "fire_and_movement"
"""Manoeuvres in which no member refuses a region."""
LOOKS = 2
"""Members of a squad that look for a passage in one thought."""


def held_back(world: World, squad: Squad, task: SquadTask) -> set[int]:
    """Return the rows of members that cover now, whatever their task says."""
    rows: set[int] = set()
    settings = world.settings.tactics
    alive = world.units.alive[world.units.slots(squad.members)] == 1
    if settings.assault_tokens > 0:
        rows |= _without_token(world, squad, task, alive, settings.assault_tokens)
    if settings.one_shooter:
        rows |= _shooter(world, squad, alive)
    return rows


def passages(world: World, squad: Squad, task: SquadTask) -> dict[int, Passage]:
    """Return how the members that run pass the danger they remember, by row.

    Rows whose passage is free are left out. An answer is kept until the goal or the memory changes. A retreat refuses
    nothing, and neither do members that choose each position by themselves.
    """
    if task.kind in BRAVES:
        return {}
    found: dict[int, Passage] = {}
    looks = 0
    for row, unit in enumerate(squad.members):
        seen = world.tactics.dangers.of(unit)
        if not seen or task.task[row] != MemberTask.RUN or not world.units.alive[world.units.slot(unit)]:
            squad.passages.pop(unit, None)
            continue
        x, y = task.goal[row].tolist()
        known = squad.passages.get(unit)
        if known is None or (known.x, known.y) != (x, y) or known.rows != seen:
            if looks >= LOOKS:
                found[row] = Passage.REFUSED
                continue
            looks += 1
            known = KnownPassage(x, y, list(seen), int(passage(world, unit, (x, y))))
            squad.passages[unit] = known
        if known.answer != Passage.FREE:
            found[row] = Passage(known.answer)
    return found


def turned(world: World, squad: Squad, task: SquadTask) -> set[int]:
    """Return the rows of members that turn to an enemy of their own.

    Each decides by the style of command, from the distance of the enemy that its own eyes see.
    """
    style, u = world.settings.tactics.command_style, world.units
    if style == AUTHORITARIAN:
        return set()
    slots = u.slots(squad.members)
    rows = set()
    for row in np.flatnonzero(can_shoot(world, slots)).tolist():
        slot = int(slots[row])
        far = float(np.hypot(u.seen_x[slot] - u.x[slot], u.seen_y[slot] - u.y[slot]))
        threat = threat_value(far, world.weapons[int(u.weapon[slot])].reach)
        if not obeys(style, ORDER_VALUE[int(task.task[row])], threat):
            rows.add(row)
    return rows


def can_shoot(world: World, slots: np.ndarray) -> np.ndarray:
    """Return which units can shoot at an identified enemy that they see."""
    u = world.units
    reach = np.array([w.reach for w in world.weapons])[u.weapon[slots]]
    seen = (u.meter[slots] >= 1.0) & (u.meter_target[slots] >= 0) & (world.tick - u.seen_tick[slots] <= FRESH)
    near = np.hypot(u.seen_x[slots] - u.x[slots], u.seen_y[slots] - u.y[slots]) <= reach
    return np.asarray(seen & near & (u.blocked_by[slots] < 0) & (u.alive[slots] == 1))


def _shooter(world: World, squad: Squad, alive: np.ndarray) -> set[int]:
    """Return the row of the member that halts to shoot, if no other does."""
    u, board = world.units, squad.roles
    slots = u.slots(squad.members)
    can = can_shoot(world, slots)
    role_tokens.keep_only(board, [squad.members[k] for k in np.flatnonzero(can)])
    fires = can & (u.moving[slots] == 0) & (u.target[slots] >= 0)
    holder = board.holders.get(SHOOTER, -1)
    if any(squad.members[k] != holder for k in np.flatnonzero(fires)):
        role_tokens.release(board, holder, SHOOTER)
        return set()
    for k in np.flatnonzero(can).tolist():
        if role_tokens.request(board, SHOOTER, squad.members[k], {}):
            role_tokens.acknowledge(board, SHOOTER, squad.members[k])
            return {k}
    return set()


def _without_token(world: World, squad: Squad, task: SquadTask, alive: np.ndarray, most: int) -> set[int]:
    """Return the rows of members that wait for a token of assault.

    The nearest to its goal is the next to get one.
    """
    u, pool, board = world.units, squad.assaults, squad.roles
    rows = [k for k in np.flatnonzero(alive).tolist() if task.task[k] == MemberTask.ASSAULT]
    units = [squad.members[k] for k in rows]
    fresh = [unit for unit in units if world.tick - pool.taken.get(unit, world.tick) < RUSH]
    action_tokens.keep_only(pool, fresh, world.tick)
    slots = u.slots(units)
    goals = task.goal[rows]
    far = np.hypot(u.x[slots] - goals[:, 0], u.y[slots] - goals[:, 1])
    costs = {unit: float(cost) for unit, cost in zip(units, far, strict=True) if unit not in pool.taken}
    while costs:
        best = role_tokens.ideal(costs)
        granted = role_tokens.request(board, APPROACHER, best, costs)
        if granted and role_tokens.acknowledge(board, APPROACHER, best):
            action_tokens.acquire(pool, best, world.tick, most, AGAIN)
            role_tokens.release(board, best, APPROACHER)
        del costs[best]
    return {k for k, unit in zip(rows, units, strict=True) if unit not in pool.taken}
