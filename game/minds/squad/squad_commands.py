"""Squad commands: the tasks of a manoeuvre become orders to the members.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (the squad passes commands; members report completion
and inability). A command is given once. A member that lost its order on the way is sent again, and covers from where it
is after some tries; Ian Millington and John Funge, AI for Games, 6.4.1 (stuck reports).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ai.squad.manoeuvres.manoeuvre import THERE, MemberTask, SquadTask
from game.minds.squad.coordinator import held_back, passages
from game.systems.tactics.danger_memory import Passage
from game.systems.tactics.route_costs import WARY
from game.world.groups.squads import Squad
from game.world.orders import Order, OrderKind
from game.world.units import Pace, Stance
from game.world.world import World

_COVER = int(MemberTask.COVER)
TRIES = 3
"""Times that a member is sent to one goal before it covers instead."""


def command(world: World, squad: Squad, task: SquadTask) -> None:
    """Order each living member to do its task, unless it was ordered before."""
    u = world.units
    held = held_back(world, squad, task)
    passes = passages(world, squad, task)
    runs: list[int] = []
    points: list[float] = []
    for row, unit in enumerate(squad.members):
        slot = u.slot(unit)
        if not u.alive[slot]:
            continue
        refuses, rounds = passes.get(row) == Passage.REFUSED, passes.get(row) == Passage.ROUND
        what, goal = _COVER if row in held or refuses else int(task.task[row]), task.goal[row]
        if what != MemberTask.COVER and _lost(world, squad, row, slot):
            squad.tries[row] += 1
            squad.given[row] = -1
            if squad.tries[row] > TRIES:
                report(world, squad, unit, "cannot get there and covers from here")
                task.cover(row)
                what = int(MemberTask.COVER)
        same = what == squad.given[row] and (what == MemberTask.COVER or (goal == squad.given_at[row]).all())
        if same and (what == MemberTask.COVER or rounds == (unit in squad.rounds)):
            continue
        if refuses and unit in squad.passages:
            report(world, squad, unit, "refuses to advance where it saw comrades hit")
        if (goal != squad.given_at[row]).any():
            squad.tries[row] = 0
        squad.given[row], squad.given_at[row] = what, goal
        squad.open[row] = what != MemberTask.COVER and _has_way(world, slot, goal)
        if what == MemberTask.COVER:
            _cover(world, squad, unit, task.watch[row])
        elif rounds:
            _up(world, squad, (unit,))
            _give(world, squad, OrderKind.ROUTE, (unit,), x=float(goal[0]), y=float(goal[1]), name=WARY)
        elif what == MemberTask.RUN:
            runs.append(unit)
            points += goal.tolist()
        else:
            _up(world, squad, (unit,))
            _give(world, squad, OrderKind.ATTACK_MOVE, (unit,), x=float(goal[0]), y=float(goal[1]))
    squad.rounds = sorted(squad.members[row] for row, how in passes.items() if how == Passage.ROUND)
    if runs:
        _up(world, squad, tuple(runs))
        _give(world, squad, OrderKind.MOVE_EACH, tuple(runs), points=tuple(points))


def _lost(world: World, squad: Squad, row: int, slot: int) -> bool:
    """Return whether a member has neither its order any more nor reached its goal."""
    u = world.units
    if squad.given[row] <= _COVER or u.order[slot] != 0:
        return False
    gx, gy = squad.given_at[row].tolist()
    return not u.moving[slot] and math.hypot(u.x[slot] - gx, u.y[slot] - gy) > THERE


def _has_way(world: World, slot: int, goal: np.ndarray) -> bool:
    """Return whether a path leads from a unit to the tile of a goal."""
    u, t = world.units, world.terrain
    column, row = (math.floor(value) for value in goal.tolist())
    if not (0 <= row < t.height and 0 <= column < t.width):
        return False
    y, x = int(u.y[slot]), int(u.x[slot])
    return world.components.reachable(int(u.movement_class[slot]), y, x, row, column)


def barred_way(world: World, squad: Squad, row: int) -> bool:
    """Return whether a member's way was shut after it set out."""
    return bool(squad.open[row]) and not _has_way(world, world.units.slot(squad.members[row]), squad.given_at[row])


def _cover(world: World, squad: Squad, unit: int, watch: np.ndarray) -> None:
    """Let a member halt, crouch, and turn to its watch, an enemy or goal."""
    u = world.units
    slot = u.slot(unit)
    x, y = float(u.x[slot]), float(u.y[slot])
    places = [(e.x, e.y) for _, e in sorted(squad.enemies.items())] or [(squad.x, squad.y)]
    tx, ty = min(places, key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))
    if not np.isnan(watch).any():
        tx, ty = watch.tolist()
    _give(world, squad, OrderKind.HOLD, (unit,))
    _give(world, squad, OrderKind.STANCE, (unit,), value=float(Stance.CROUCH))
    if (tx, ty) != (x, y):
        _give(world, squad, OrderKind.FACE, (unit,), x=tx, y=ty)


def _up(world: World, squad: Squad, units: tuple[int, ...]) -> None:
    _give(world, squad, OrderKind.STANCE, units, value=float(Stance.STAND))
    _give(world, squad, OrderKind.PACE, units, value=float(Pace.RUN))


def _give(
    world: World, squad: Squad, kind: OrderKind, units: tuple[int, ...], *, x: float = 0.0, y: float = 0.0,
    value: float = 0.0, points: tuple[float, ...] = (), name: str = "",
) -> None:  # fmt: skip
    """Put an order into the next tick, as the squad's own."""
    world.pending.append(
        Order(int(kind), squad.side, units, x, y, value=value, points=points, name=name, squad=squad.id)
    )


def give_intent(world: World, squad: Squad, intent: str, x: float, y: float, bend: tuple[float, ...] = ()) -> None:
    """Give a squad an intent; its present manoeuvre ends."""
    u = world.units
    slots = u.slots(living_of(world, squad) or squad.members)
    squad.intent, squad.x, squad.y, squad.bend = intent, x, y, tuple(bend)
    squad.home_x, squad.home_y = float(u.x[slots].mean()), float(u.y[slots].mean())
    squad.task, squad.failed, squad.last, squad.rests = None, [], "", False
    forget_orders(squad)


def living_of(world: World, squad: Squad) -> list[int]:
    """Return the ids of the living members."""
    u = world.units
    return [unit for unit in squad.members if u.alive[u.slot(unit)]]


def squad_made_of(world: World, units: Sequence[int]) -> Squad | None:
    """Return the squad whose living members are just these living units, or None.

    The survivors of a squad are that squad, with its name and memory.
    """
    wanted = sorted(units)
    return next((one for one in world.squads.rows.values() if sorted(living_of(world, one)) == wanted), None)


def forget_orders(squad: Squad) -> None:
    """Forget what the members were ordered, so that each is ordered again."""
    n = len(squad.members)
    squad.given = np.full(n, -1, np.int8)
    squad.given_at = np.full((n, 2), np.nan)
    squad.tries = np.zeros(n, np.int8)
    squad.open = np.zeros(n, np.uint8)


def report(world: World, squad: Squad, unit: int, text: str) -> None:
    """Publish a report of a member or of the leader."""
    world.happen("manoeuvre", unit, text=f"{squad.name}: {text}")
