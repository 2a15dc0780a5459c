"""Squad commands: the tasks of a manoeuvre become orders to the members.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (the squad passes commands; members report completion
and inability). A command is given once. A member that lost its order on the way is sent again, and covers from where it
is after some tries; Ian Millington and John Funge, AI for Games, 6.4.1 (stuck reports).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ai.decision.blackboards.motor_requests import MotorRequest, pass_down
from ai.decision.blackboards.scoped_boards import BoardScope, board_at
from ai.squad.manoeuvres.manoeuvre import MemberTask, SquadTask
from game.minds.squad.boards.member_requests import (
    ACTS,
    COVER,
    GOING,
    NO_NAVIGATION,
    ROUND,
    RUN,
    STAGES,
    WATCH,
    RequestContext,
)
from game.minds.squad.boards.squad_boards import boards_of, threat_of
from game.minds.squad.boards.squad_missions import give_back, rest_request
from game.minds.squad.coordinator import held_back, passages, turned
from game.systems.tactics.danger_memory import Passage
from game.systems.tactics.route_costs import WARY
from game.world.groups.squads import Squad
from game.world.orders import Order, OrderKind
from game.world.units import Pace, Stance
from game.world.world import World


def command(world: World, squad: Squad, task: SquadTask | None) -> None:
    """Order each living member to do its request, unless it was ordered before.

    Without a manoeuvre members on a mission have a request, and those that look away from a threat.
    """
    u = world.units
    held = held_back(world, squad, task) if task is not None else set()
    turns = turned(world, squad, task) if task is not None else set()
    passes = passages(world, squad, task) if task is not None else {}
    stages = STAGES if world.settings.tactics.intercepts else NO_NAVIGATION
    boards = boards_of(world, squad.side)
    runs: list[int] = []
    points: list[float] = []
    for row, unit in enumerate(squad.members):
        slot = u.slot(unit)
        request = _task_request(task, row) if task is not None else rest_request(world, squad, row)
        if not u.alive[slot] or request is None:
            continue
        at = RequestContext(world, squad, row, unit, slot, row in held | turns, passes.get(row, Passage.FREE))
        written = pass_down(request, stages, at)
        board_at(boards, BoardScope.OWN, unit).requests = written
        if at.stuck:
            _give_up(world, squad, task, row)
        act, goal = written[-1].act, _goal_of(written[-1])
        what = ACTS.index(act)
        if what == squad.given[row] and (act == COVER or goal == tuple(squad.given_at[row].tolist())):
            continue
        if row in turns and task is not None and task.task[row] != MemberTask.COVER:
            report(world, squad, unit, "turns to an enemy of its own")
        if at.passage == Passage.REFUSED and unit in squad.passages:
            report(world, squad, unit, "refuses to advance where it saw comrades hit")
        if goal != tuple(squad.given_at[row].tolist()):
            squad.tries[row] = 0
        squad.given[row], squad.given_at[row] = what, goal
        squad.open[row] = act in GOING and _has_way(world, slot, goal)
        if act in (COVER, WATCH):
            _cover(world, squad, unit, (written[-1].watch_x, written[-1].watch_y))
        elif act == ROUND:
            _up(world, squad, (unit,))
            _give(world, squad, OrderKind.ROUTE, (unit,), x=goal[0], y=goal[1], name=WARY)
        elif act == RUN:
            runs.append(unit)
            points += goal
        else:
            _up(world, squad, (unit,))
            _give(world, squad, OrderKind.ATTACK_MOVE, (unit,), x=goal[0], y=goal[1])
    if runs:
        _up(world, squad, tuple(runs))
        _give(world, squad, OrderKind.MOVE_EACH, tuple(runs), points=tuple(points))


def _task_request(task: SquadTask, row: int) -> MotorRequest:
    """Return the request of a member in a manoeuvre."""
    x, y = task.goal[row].tolist()
    return MotorRequest(task.kind, ACTS[int(task.task[row])], x, y, *task.watch[row].tolist())


def _has_way(world: World, slot: int, goal: tuple[float, float]) -> bool:
    """Return whether a path leads from a unit to the tile of a goal."""
    u, t = world.units, world.terrain
    column, row = (math.floor(value) for value in goal)
    if not (0 <= row < t.height and 0 <= column < t.width):
        return False
    y, x = int(u.y[slot]), int(u.x[slot])
    return world.components.reachable(int(u.movement_class[slot]), y, x, row, column)


def barred_way(world: World, squad: Squad, row: int) -> bool:
    """Return whether a member's way was shut after it set out."""
    gx, gy = squad.given_at[row].tolist()
    return bool(squad.open[row]) and not _has_way(world, world.units.slot(squad.members[row]), (gx, gy))


def _goal_of(request: MotorRequest) -> tuple[float, float]:
    """Return the place of a request: of a watch, the one that it watches."""
    return (request.watch_x, request.watch_y) if request.act == WATCH else (request.x, request.y)


def _give_up(world: World, squad: Squad, task: SquadTask | None, row: int) -> None:
    """Let a stuck member cover, or give its mission back."""
    unit = squad.members[row]
    report(world, squad, unit, "cannot get there and covers from here")
    if task is not None:
        task.cover(row)
    else:
        give_back(world, squad, unit)


def _cover(world: World, squad: Squad, unit: int, watch: tuple[float, float]) -> None:
    """Let a member halt, crouch, and turn to its watch or threat.

    The threat is the innermost that it reads: its own, its squad's, then that of the commander's net.
    """
    u = world.units
    slot = u.slot(unit)
    tx, ty = watch
    if math.isnan(tx):
        found = threat_of(world, squad, unit)
        tx, ty = (found[1].x, found[1].y) if found is not None else (squad.x, squad.y)
    _give(world, squad, OrderKind.HOLD, (unit,))
    _give(world, squad, OrderKind.STANCE, (unit,), value=float(Stance.CROUCH))
    if (tx, ty) != (u.x[slot], u.y[slot]):
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
