"""Attack order: approach a visible target, shoot, give up on a hidden one.

Visible means seen by the own side.
"""

from __future__ import annotations

from ai.steering.behaviours.interception import intercept_window, lazy_meeting
from game.minds.order_ends import APPROACH_LIMIT, LOST_LIMIT, WATCH, Soldier, gives_up, over
from game.minds.settings import settings_of
from game.minds.soldier.step_aside import end_step, steps_aside
from game.world.units import Pace

FORESEEN = 6.0
"""Seconds for which a target's present walk is predicted at most."""
LAZY_FORESEEN = 20.0
"""Seconds of that prediction for an unhurried unit."""


def attack_enter(turn: Soldier) -> None:
    """Look for the target on one's own side's map."""
    turn.beliefs.order.target_known = turn.beliefs.order.target_far = turn.tick
    attack(turn)


def attack(turn: Soldier) -> None:
    """Approach until the target can be hit, then shoot; give up when hidden long."""
    me = turn.host
    target = me.order_target
    if target < 0 or me.knows_dead(target):
        me.aim(-1)
        over(turn, f"{me.call(target)} is down" if target >= 0 else "there is no target")
        return
    at = me.reported(target)
    if at is None:
        me.aim(-1)
        if turn.tick - turn.beliefs.order.target_known > LOST_LIMIT:
            gives_up(turn, f"no unit sees {me.call(target)} any more")
            return
    else:
        turn.beliefs.order.target_known = turn.tick
        if me.distance(*at) <= 0.92 * me.reach and me.line_to(*at):
            me.aim(target)
            if not steps_aside(me, at):
                if me.moving:
                    me.halt()
                me.turn(me.angle_to(*at))
            turn.beliefs.order.target_far = turn.tick
        else:
            u = me.units
            at, pace = _meeting(turn, target, at)
            gone = abs(float(u.goal_x[me.slot]) - at[0]) + abs(float(u.goal_y[me.slot]) - at[1])
            if not me.moving or gone > 1.5:
                me.go_to(*at, pace)
            if turn.tick - turn.beliefs.order.target_far > APPROACH_LIMIT:
                gives_up(turn, f"it cannot come to grips with {me.call(target)}")
                return
    me.again(WATCH)


def _meeting(turn: Soldier, target: int, at: tuple[float, float]) -> tuple[tuple[float, float], Pace]:
    """Return goal and pace: the earliest meeting with a walking target, else its position.

    An unhurried unit chooses the meeting of least speed, and walks when that suffices ("AI Game Programming
    Wisdom", 9.8).
    """
    me = turn.host
    u = me.units
    slot = u.slot(target)
    velocity = float(u.vx[slot]), float(u.vy[slot])
    if not settings_of(me.world).intercepts or velocity == (0.0, 0.0):
        return at, Pace.RUN
    kind, here = me.world.types[int(u.kind[me.slot])], (float(u.x[me.slot]), float(u.y[me.slot]))
    window = intercept_window(here, at, velocity, kind.run)
    if window is None:
        return at, Pace.RUN
    ahead, pace = min(window.first, FORESEEN), Pace.RUN
    least = lazy_meeting(here, at, velocity) if settings_of(me.world).lazy else None
    if least is not None and least[0] <= LAZY_FORESEEN and least[1] <= kind.run:
        ahead, pace = least[0], Pace.WALK if least[1] <= kind.walk else Pace.RUN
    terrain = me.world.terrain
    x = min(max(at[0] + velocity[0] * ahead, 0.5), terrain.width - 0.5)
    y = min(max(at[1] + velocity[1] * ahead, 0.5), terrain.height - 0.5)
    return (x, y), pace


def stop_aiming(turn: Soldier) -> None:
    """Lower the weapon."""
    turn.host.aim(-1)
    end_step(turn.host)
