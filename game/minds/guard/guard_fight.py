"""Guard in combat: surprise, alarm shout, fire, approach, run to the lost position."""

from __future__ import annotations

import math

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from ai.decision.state_machine import State, StateMachine
from ai.perception.awareness.reaction import Task, reaction_time
from game.minds import alarm
from game.minds.agent_view import AgentView, tiles
from game.minds.guard import standoff
from game.minds.guard.belief_records import CombatState, SearchState
from game.minds.soldier.step_aside import end_step, steps_aside
from game.systems.stealth.side_knowledge import believed_at
from game.world.units import Pace

Guard = MindTurn[AgentView]

WATCH = 4
"""Ticks between two looks at the enemy."""
KEEP_AIM = 10
"""Ticks for which the guard aims at the place where the target vanished."""
RUN_LIMIT = 160
"""Ticks after which a run to the last known position ends, at any place."""
CROWDED, THERE = 10, 1.2
"""Ticks without progress, and tiles from the goal, that end a run.

Other units stand there.
"""
SHOUT_AGAIN = 100
"""Ticks between two shouts of one guard."""
MISTAKEN = 3.0
"""A comrade so near to an enemy makes one look twice."""
MOVED = 1.0
"""Shift of the last known position that redirects a run, in tiles."""
COMFORT = 0.8
"""It closes in to this part of its weapon's reach."""


def combat_of(turn: Guard) -> CombatState:
    """Return the guard's record of its fight."""
    combat: CombatState = turn.beliefs.combat
    return combat


def has_enemy(me: AgentView) -> bool:
    """Return true if the guard's own eyes see an identified enemy."""
    return me.sees_enemy and me.is_enemy(me.quarry)


def sees_whom(me: AgentView) -> tuple[str, int]:
    """Return the reason for the fight: target, distance and start."""
    return f"it saw {me.call(me.quarry)} {tiles(me.seen_distance)} off", me.seen_tick


def start(turn: Guard) -> None:
    """Start with surprise: turn, shout, and raise the weapon after half a second."""
    me, combat = turn.host, combat_of(turn)
    again = turn.tick - combat.cried < SHOUT_AGAIN
    knew = again or turn.tick - combat.warned < me.settings.give_up
    me.stand_up()
    me.halt()
    me.turn(me.angle_to(*me.seen))
    if not knew:
        me.happen("alarm", me.quarry)
    if not again:
        me.bark("there_he_is" if knew else "alarm")
        cry(turn)
    turn.remind("READY", 2 if again else reaction(me, knew))


def reaction(me: AgentView, warned: bool) -> int:
    """Return ticks of surprise, shorter for a warned guard.

    It must have no comrade beside the enemy that it could confuse with it.
    """
    if not me.settings.reactions:
        return alarm.reaction(me.world, me.id)
    u, kind = me.units, me.world.types[int(me.units.kind[me.slot])]
    x, y = me.seen
    mates = u.living(me.side)
    near = (u.x[mates] - x) ** 2 + (u.y[mates] - y) ** 2 <= MISTAKEN * MISTAKEN
    task = Task.SIMPLE if warned and not (near & (mates != me.slot)).any() else Task.RECOGNITION
    return reaction_time(task, me.seen_distance / kind.cone_range, me.dice(5), me.settings.lapses)


def cry(turn: Guard) -> None:
    """Tell comrades within earshot where the enemy is."""
    me = turn.host
    combat_of(turn).cried = turn.tick
    alarm.shout(me, *me.seen, me.quarry, me.seen_tick)


def ready(turn: Guard, message: Message) -> None:
    """Shoot, because the weapon is raised now."""
    raise_weapon(turn)


def raise_weapon(turn: Guard) -> None:
    """Shoot at the visible target."""
    me = turn.host
    why, since = sees_whom(me)
    turn.set_state("Shoot", why, since=since, decided=f"shoots at {me.call(me.quarry)}")


def shoot_enter(turn: Guard) -> None:
    """Stand and aim."""
    me = turn.host
    me.halt()
    shoot(turn)


def shoot(turn: Guard) -> None:
    """Aim at the target; follow one that is too far, or gone."""
    me = turn.host
    combat = combat_of(turn)
    me.again(WATCH)
    if not me.sees_enemy:
        me.aim(-1)  # eyes and weapon track no target through a wall
        if combat.enemy.tick >= 0 and turn.tick - combat.enemy.tick > KEEP_AIM:
            lost(turn)
        return
    me.turn(me.angle_to(*me.seen))
    if combat.standoff.since < 0 or not standoff.out_of_reach(me):
        combat.standoff.since = turn.tick
    if standoff.in_vain(turn) or (me.seen_distance > me.reach and standoff.out_of_reach(me)):
        turn.set_state("FallBack", f"no path leads to {me.call(me.quarry)}", decided="backs off into cover")
        return
    if me.seen_distance > me.reach:
        close_in(turn)
        return
    me.aim(me.quarry)
    steps_aside(me, me.seen)
    if turn.tick - combat.cried > SHOUT_AGAIN:
        cry(turn)


def close_in(turn: Guard) -> None:
    """Approach the target."""
    me = turn.host
    turn.set_state(
        "Chase",
        f"{me.call(me.quarry)} is {tiles(me.seen_distance)} off, out of reach",
        since=me.seen_tick,
        decided=f"runs after {me.call(me.quarry)}",
    )


def chase_enter(turn: Guard) -> None:
    """Run at the target."""
    me = turn.host
    me.aim(-1)
    me.go_to(*me.seen, Pace.RUN)
    me.again(WATCH)


def chase(turn: Guard) -> None:
    """Follow a visible target until it is well within reach."""
    me = turn.host
    me.again(WATCH)
    if not me.sees_enemy:
        lost(turn)
        return
    if standoff.out_of_reach(me):
        raise_weapon(turn)
        return
    x, y = me.seen
    if me.seen_distance <= COMFORT * me.reach:
        raise_weapon(turn)
        return
    me.look(me.angle_to(x, y))
    u = me.units
    if not me.moving or abs(u.goal_x[me.slot] - x) + abs(u.goal_y[me.slot] - y) > 1.5:
        me.go_to(x, y, Pace.RUN)
    if turn.tick - combat_of(turn).cried > SHOUT_AGAIN:
        cry(turn)


def lost(turn: Guard) -> None:
    """Run to the last seen position of a target out of sight."""
    me, enemy = turn.host, combat_of(turn).enemy
    me.aim(-1)
    who = enemy.unit if enemy.tick >= 0 else me.quarry
    turn.set_state(
        "Run",
        f"it lost sight of {me.call(who)}",
        since=enemy.tick if enemy.tick >= 0 else turn.tick,
        decided=f"runs to where {me.call(who)} was last known",
    )


def run_enter(turn: Guard) -> None:
    """Run to the side's last known position, and no further."""
    me = turn.host
    me.go_to(*_last_known(turn), Pace.RUN)
    me.look_ahead()
    me.again(WATCH)


def _last_known(turn: Guard) -> tuple[float, float]:
    """Return the side's believed position of the enemy, else the own memory."""
    me, enemy = turn.host, combat_of(turn).enemy
    return believed_at(me.world, me.side, enemy.unit) or (enemy.x, enemy.y)


def run(turn: Guard) -> None:
    """Run on for a while; fight again on sight of the target."""
    me = turn.host
    me.again(WATCH)
    if me.sees_enemy:
        raise_weapon(turn)
    elif turn.in_state > RUN_LIMIT:
        give_over(turn, "the run there took too long")
    elif me.units.stuck[me.slot] >= CROWDED and _is_there(turn):
        give_over(turn, "comrades stand at the last known position")
    else:
        place, (x, y) = _last_known(turn), me.goal
        if math.hypot(place[0] - x, place[1] - y) > MOVED:
            me.go_to(*place, Pace.RUN)
        me.look_ahead()


def _is_there(turn: Guard) -> bool:
    return turn.host.distance(*_last_known(turn)) <= THERE


def run_ends(turn: Guard, message: Message) -> None:
    """End the fight: the guard ran to the place and sees no enemy."""
    give_over(turn, "the enemy is not there any more")


def give_over(turn: Guard, why: str) -> None:
    """Change from fighting to searching."""
    me, enemy = turn.host, combat_of(turn).enemy
    search: SearchState = turn.beliefs.search
    search.x, search.y = _last_known(turn)
    search.who = enemy.unit  # known to have fallen: then the place is that of the body
    search.tick = search.since = enemy.tick
    search.why = f"it saw {me.call(enemy.unit)}"
    turn.finish(why)


def redirect(turn: Guard, message: Message) -> bool:
    """Redirect a run to the lost position after a comrade's later sighting."""
    if turn.running.state == "Run" and not turn.host.sees_enemy and turn.beliefs.search.active:
        turn.finish("a comrade sees the enemy elsewhere")
    return True


def won(turn: Guard, message: Message) -> None:
    """Look for companions of a dead enemy, unless another is in sight."""
    me = turn.host
    me.aim(-1)
    if not me.sees_enemy:
        me.bark("got_him")
        give_over(turn, "its enemy is down")


def lower(turn: Guard) -> None:
    """Lower the weapon."""
    turn.host.aim(-1)
    end_step(turn.host)


FIGHT = StateMachine(
    "fight",
    (
        State("Start", start, on={"READY": ready}, phrase="starts and raises its weapon", doing="fighting"),
        State("Shoot", shoot_enter, shoot, lower, phrase="shoots", doing="fighting"),
        State("FallBack", standoff.enter, standoff.update, lower, phrase="backs off into cover", doing="backing off"),
        State("Chase", chase_enter, chase, phrase="gives chase", doing="chasing"),
        State(
            "Run",
            run_enter,
            run,
            on={"ARRIVED": run_ends, "PATH_LOST": run_ends, "BLOCKED": run_ends},
            phrase="runs to where it lost the enemy",
            doing="chasing",
        ),
    ),
    on={"KILLED_ENEMY": won, "ALARM": redirect},
)
