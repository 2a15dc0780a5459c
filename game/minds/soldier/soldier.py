"""Soldier: obeys, returns fire, and reports when it gives up.

Skills, highest first: *cover* (run to cover when it is shot at, if the settings allow it), *fight* (fire at an enemy in
sight, as far as the order allows), *obey* (the order in its columns, then the queue), *stand*. Under attack-move and
patrol a fight interrupts obeying, which afterwards goes on with the same order.

Sources: AI Game Programming Wisdom 6.5 (machines); Game AI Pro 2, ch. 33 (prioritised skills).
"""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn, Skill, SkillList
from ai.decision.state_machine import State, StateMachine
from game.minds.agent_view import AgentView, tiles
from game.minds.mind import Mind
from game.minds.order_progress import NEVER, SoldierBeliefs
from game.minds.soldier.attack_order import stop_aiming
from game.minds.soldier.obey import OBEY, has_order
from game.minds.soldier.step_aside import steps_aside
from game.minds.soldier.take_cover import TAKE_COVER, cover_wanted
from game.systems.stealth.stimulus_system import STIMULUS
from game.world.orders import OrderKind
from game.world.units import Event, Fire

Soldier = MindTurn[AgentView]

_HIT, _ORDERED = int(Event.HIT), int(Event.ORDERED)

PROVOKED = 200
"""Ticks for which a soldier under hold-fire shoots back after a shot."""
KEEP_AIM = 20
"""Ticks for which it aims at the place where a target vanished."""
WATCH = 5
"""Ticks between two looks at an enemy."""

_FREE_TO_FIRE: set[int] = {
    OrderKind.NONE,
    OrderKind.HOLD,
    OrderKind.ATTACK_MOVE,
    OrderKind.PATROL,
    OrderKind.STOP,
    OrderKind.FACE,
}
_FREE_TO_CLOSE: set[int] = {OrderKind.ATTACK_MOVE, OrderKind.PATROL}


# --- fight ------------------------------------------------------------------------------------------------------
def may_fire(me: AgentView) -> bool:
    """Return true if order, fire discipline and range allow it to shoot."""
    if not me.sees_enemy or me.reach <= 0.0 or not me.may_join_in:
        return False
    if me.order not in _FREE_TO_FIRE and not me.group_fights:
        return False
    discipline = int(me.units.fire_at_will[me.slot])
    if discipline == Fire.HOLD and me.order not in _FREE_TO_CLOSE:
        return False
    mind = me.world.minds.get(me.id)
    last = mind.beliefs.shot_at if mind is not None else NEVER
    told_to = me.order == OrderKind.HOLD or me.order in _FREE_TO_CLOSE or me.group_fights
    free = told_to or discipline == Fire.AT_WILL or me.tick - last < PROVOKED
    return free and (me.seen_distance <= me.reach or (me.order in _FREE_TO_CLOSE and not me.in_group))


def fight_enter(turn: Soldier) -> None:
    """Shoot at once."""
    fight(turn)


def fight(turn: Soldier) -> None:
    """Fire at a visible enemy; approach one out of reach if the order allows.

    The order allows it when it leads onwards anyway.
    """
    me = turn.host
    if not me.sees_enemy:
        me.aim(-1)
        if turn.tick - me.seen_tick > KEEP_AIM:
            turn.finish("the enemy is gone")
            return
        me.again(WATCH)
        return
    me.turn(me.angle_to(*me.seen))
    if me.seen_distance <= me.reach:
        me.aim(me.quarry)
        if not steps_aside(me, me.seen) and me.moving:
            me.halt()
    elif me.order in _FREE_TO_CLOSE and not me.in_group:
        me.aim(-1)
        if not me.moving:
            me.go_to(*me.seen)
    else:
        me.aim(-1)
        turn.finish("the enemy is out of reach")
        return
    me.again(WATCH)


def fight_won(turn: Soldier, message: Message) -> None:
    """End the fight: the enemy is down."""
    turn.host.aim(-1)
    if not turn.host.sees_enemy:
        turn.finish("its enemy is down")


def fight_ordered(turn: Soldier, message: Message) -> None:
    """End the fight: an order precedes a fight of the unit's own choice."""
    turn.finish("a new order came")


def sees_whom(me: AgentView) -> tuple[str, int]:
    """Return the reason for the fight."""
    return f"it saw {me.call(me.quarry)} {tiles(me.seen_distance)} off", me.seen_tick


def fight_cause(turn: Soldier) -> None:
    """Name the target, then begin the fight."""
    me = turn.host
    why, since = sees_whom(me)
    turn.set_state("Fire", why, since=since, decided=f"fires at {me.call(me.quarry)}")


FIGHT = StateMachine(
    "fight",
    (
        State("Raise", fight_cause, phrase="raises its weapon", doing="fighting"),
        State("Fire", fight_enter, fight, stop_aiming, phrase="fires", doing="fighting"),
    ),
    on={"ORDERED": fight_ordered, "KILLED_ENEMY": fight_won},
)


# --- stand ------------------------------------------------------------------------------------------------------
def always(me: AgentView) -> bool:
    """Return True; the last skill of a list is always valid."""
    return True


def told(turn: Soldier, message: Message) -> None:
    """React to a shot: return fire from now, and turn to its source."""
    me = turn.host
    if message.name == STIMULUS and message.data["at_me"]:
        turn.beliefs.shot_at = turn.tick
        if not me.moving and not me.sees:
            me.turn(me.angle_to(float(message.data["x"]), float(message.data["y"])))


STAND = StateMachine("stand", (State("Stand", phrase="stands and waits", doing="standing"),))

SOLDIER = SkillList(
    "soldier",
    (
        Skill("cover", TAKE_COVER, cover_wanted, "taking cover"),
        Skill("fight", FIGHT, may_fire, "fighting", sees_whom),
        Skill("obey", OBEY, has_order, "obeying"),
        Skill("stand", STAND, always, "standing about"),
    ),
)


FORGET = 600
"""Ticks after which a soldier at rest has forgotten that it was shot at."""


def rests(turn: Soldier) -> bool:
    """Return whether the soldier only stands and has nothing to keep in mind."""
    mind, beliefs = turn.mind, turn.beliefs
    if mind is None or mind.skill != "stand" or mind.stack:
        return False
    return turn.host.order == OrderKind.NONE and turn.tick - beliefs.shot_at >= FORGET


def note_percepts(turn: Soldier) -> None:
    """Update the soldier's memory from the events, before it decides."""
    me = turn.host
    if me.events & _HIT:
        turn.beliefs.shot_at = turn.tick
    if me.events & _ORDERED:
        turn.beliefs.order.leg = -1


MIND = Mind("soldier", SOLDIER, SoldierBeliefs, note_percepts, told, rests=rests)
