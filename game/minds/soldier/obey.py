"""Obey skill: one state per order, and the queue behind it.

The order columns are the truth. Moving itself goes on without the mind, which events on the path wake. An order
that cannot be carried out ends with a message (AI Game Programming Wisdom 1.4: every action has a time-out and a
fallback).
"""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.state_machine import State, StateMachine
from game.minds.agent_view import AgentView
from game.minds.order_ends import Soldier, blocked, over, path_lost
from game.minds.soldier.attack_order import attack, attack_enter, stop_aiming
from game.minds.soldier.interact import (
    ABILITY_WORDS,
    ability_enter,
    act_enter,
    acted,
    approach,
    approached,
    handle_enter,
    handled,
    thing_of,
    use_arrived,
    use_enter,
    use_update,
    word_for,
)
from game.systems.interaction.abilities import ABILITIES
from game.world.orders import OrderKind

_STATE_OF: dict[int, str] = {
    OrderKind.MOVE: "Move",
    OrderKind.MOVE_EACH: "Move",
    OrderKind.ATTACK: "Attack",
    OrderKind.ATTACK_MOVE: "Advance",
    OrderKind.PATROL: "Patrol",
    OrderKind.HOLD: "Hold",
    OrderKind.USE: "Use",
    **dict.fromkeys(ABILITIES, "Ability"),
}


def take(turn: Soldier) -> None:
    """Go to the state of the order in the columns."""
    me = turn.host
    if me.order in (OrderKind.STOP, OrderKind.FACE):
        if me.order == OrderKind.STOP:
            me.halt()
        else:
            me.turn(me.angle_to(*me.ordered_at))
        me.drop_order()
    turn.beliefs.order.blocked = 0
    state = _STATE_OF.get(me.order, "")
    if not state:
        over(turn, "it carried out its order")
    else:
        turn.set_state(state, "it was ordered to", since=me.tick, decided=_decided(me))


def _decided(me: AgentView) -> str:
    order = me.order
    if order == OrderKind.HOLD:
        return "holds its place and fires at visible enemies"
    if order == OrderKind.ATTACK:
        return f"attacks {me.call(me.order_target)}"
    if order == OrderKind.USE:
        thing = thing_of(me.world, me.order_target)
        return f"goes to the {word_for(thing) if thing else 'thing'}"
    if order in ABILITIES:
        return ABILITY_WORDS[OrderKind(order)]
    x, y = me.goal
    place = f"({x:.0f}, {y:.0f})"
    if order == OrderKind.ATTACK_MOVE:
        return f"advances to {place} and fires at visible enemies"
    return f"patrols to {place} and back" if order == OrderKind.PATROL else f"walks to {place}"


def next_update(turn: Soldier) -> None:
    """Wait for the orders stage to start a queued order; none may be left."""
    if turn.host.order != OrderKind.NONE:
        turn.set_state("Take", "the next order of the queue came up")
    elif not turn.host.queued:
        turn.finish("the queue is empty")


def go(turn: Soldier) -> None:
    """Set out for the order's place, unless the order itself has already done so."""
    me = turn.host
    if not me.in_group and not me.heads_for(*me.ordered_at):
        me.go_to(*me.ordered_at)


def arrived(turn: Soldier, message: Message) -> None:
    """Finish the order at the place, or as near as possible."""
    me = turn.host
    me.happen("arrived")
    over(turn, "it arrived")


def ordered(turn: Soldier, message: Message) -> None:
    """Start a new order that came in during this one."""
    turn.host.aim(-1)
    turn.set_state("Take", "a new order came", since=turn.tick)


_WALKING = {"ARRIVED": arrived, "BLOCKED": blocked, "PATH_LOST": path_lost}


def patrol_enter(turn: Soldier) -> None:
    """Begin a patrol: first to the goal, then back to the start."""
    me, progress = turn.host, turn.beliefs.order
    if progress.leg < 0:
        progress.leg, progress.ends = 0, [*me.goal, *me.ordered_at]
    if not me.in_group:
        _walk_leg(turn)


def _walk_leg(turn: Soldier) -> None:
    progress = turn.beliefs.order
    x, y = progress.ends[2 * progress.leg : 2 * progress.leg + 2]
    if not turn.host.heads_for(x, y):
        turn.host.go_to(x, y)


def patrol_turns(turn: Soldier, message: Message) -> None:
    """Turn at a patrol end, or start the next queued order."""
    if turn.host.queued or turn.host.in_group:
        over(turn, "the next order waits")
        return
    progress = turn.beliefs.order
    progress.leg, progress.blocked = 1 - progress.leg, 0
    _walk_leg(turn)


def hold_enter(turn: Soldier) -> None:
    """Stay, come what may."""
    me = turn.host
    me.halt()
    me.units.holding[me.slot] = me.world.squads.of(me.id) is None
    if me.queued:
        over(turn, "the next order waits")


OBEY = StateMachine(
    "obey",
    (
        State("Take", take, phrase="thinks about its orders", doing="obeying"),
        State("Move", go, on=_WALKING, phrase="walks where it was sent", doing="walking on"),
        State("Attack", attack_enter, attack, stop_aiming, on={"BLOCKED": blocked, "PATH_LOST": path_lost}),
        State("Advance", go, on=_WALKING, phrase="advances", doing="advancing"),
        State("Patrol", patrol_enter, on={"ARRIVED": patrol_turns, "BLOCKED": blocked, "PATH_LOST": path_lost}),
        State("Hold", hold_enter, phrase="holds its place", doing="holding"),
        State(
            "Use",
            use_enter,
            use_update,
            on={"ARRIVED": use_arrived, "BLOCKED": blocked, "PATH_LOST": path_lost},
            phrase="goes to use something",
        ),
        State(
            "Ability",
            ability_enter,
            approach,
            on={"ARRIVED": approached, "BLOCKED": blocked, "PATH_LOST": path_lost},
            phrase="goes to carry out its order",
        ),
        State("Act", act_enter, on={"HANDLED": acted}, phrase="is about it", doing="working"),
        State("Next", None, next_update, phrase="waits for its next order", doing="obeying"),
        State("Handle", handle_enter, on={"HANDLED": handled}, phrase="works with both hands", doing="working"),
    ),
    on={"ORDERED": ordered},
)


def has_order(me: AgentView) -> bool:
    """Return true if the player, a script or a squad gave an order."""
    return me.order != OrderKind.NONE
