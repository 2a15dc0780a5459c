"""Interact orders: use a thing or an ability within reach until done."""

from __future__ import annotations

from ai.animation.tracks.act_kinds import Reason, Status
from ai.decision.message_router import Message
from game.minds.order_ends import APPROACH_LIMIT, BLOCKED_LIMIT, LOST_LIMIT, WATCH, Soldier, gives_up, over
from game.systems.interaction import abilities, hand_work
from game.systems.interaction.abilities import ABILITIES
from game.world.orders import OrderKind
from game.world.world import World


def centre_of(thing: hand_work.Thing) -> tuple[float, float]:
    """Middle of a thing."""
    return (thing.x, thing.y) if isinstance(thing, hand_work.Prop) else thing.centre


def thing_of(world: World, ref: int) -> hand_work.Thing | None:
    """Return the prop, door or lamp with that id."""
    thing: hand_work.Thing | None = world.prop(ref) or world.door(ref) or world.lamp(ref)
    return thing


def use_enter(turn: Soldier) -> None:
    """Go there, unless it is in reach or cannot be used at all."""
    me = turn.host
    thing = thing_of(me.world, me.order_target)
    if thing is None:
        gives_up(turn, "there is nothing to use")
        return
    reason = hand_work.why_not(me.world, me.slot, thing)
    if reason:
        gives_up(turn, reason)
    elif hand_work.can_reach(me.world, me.slot, thing):
        turn.set_state("Handle", "it is in reach")
    else:
        if not me.heads_for(*centre_of(thing)):
            me.go_to(*centre_of(thing))
        me.again(WATCH)


def use_update(turn: Soldier) -> None:
    """Continue on the path; test if the target is in reach."""
    me = turn.host
    thing = thing_of(me.world, me.order_target)
    if thing is not None and hand_work.can_reach(me.world, me.slot, thing):
        turn.set_state("Handle", "it is in reach")
    else:
        me.again(WATCH)


def use_arrived(turn: Soldier, message: Message) -> None:
    """Operate the object when it is in reach; otherwise give up."""
    me = turn.host
    thing = thing_of(me.world, me.order_target)
    if thing is not None and hand_work.can_reach(me.world, me.slot, thing):
        turn.set_state("Handle", "it is in reach")
    else:
        gives_up(turn, "no path leads to it")


def word_for(thing: hand_work.Thing) -> str:
    """Return a noun for a thing."""
    return "lamp" if isinstance(thing, hand_work.LightSource) else thing.kind


def mark_of(thing: hand_work.Thing) -> int:
    """Return a number that changes when the object is operated."""
    if not isinstance(thing, hand_work.Prop):
        return thing.changed
    return thing.carrier if thing.carryable else thing.used


def handle_enter(turn: Soldier) -> None:
    """Begin to operate the object; the body stage finishes the act."""
    me = turn.host
    me.halt()
    thing = thing_of(me.world, me.order_target)
    if thing is None:
        gives_up(turn, "there is nothing to use")
        return
    me.turn(me.angle_to(*centre_of(thing)))
    turn.beliefs.order.mark = mark_of(thing)
    turn.beliefs.order.handle = me.use(thing.id)
    turn.remind("HANDLED", me.use_ticks + 1)


def handled(turn: Soldier, message: Message) -> None:
    """End the order when the object changed state.

    An act that a hit interrupted is tried again. One that took too long is given up at once: the fallback is a shrug.
    """
    me = turn.host
    handle = turn.beliefs.order.handle
    end = me.act_status(handle)
    if not end.over:
        turn.remind("HANDLED", WATCH)  # a unit stands in the door: the act goes on
        return
    thing = thing_of(me.world, me.order_target)
    if thing is not None and mark_of(thing) != turn.beliefs.order.mark:
        over(turn, f"it worked the {word_for(thing)}")
        return
    turn.beliefs.order.blocked += 1
    tries = turn.beliefs.order.blocked
    why = "there is nothing to use" if thing is None else hand_work.why_not(me.world, me.slot, thing)
    if why or tries >= BLOCKED_LIMIT or end.reason == Reason.TIMED_OUT:
        gives_up(turn, why or me.why_ended(handle) or "it does not move")
    else:
        turn.set_state("Use", "it did not work yet")


ABILITY_WORDS = {
    OrderKind.THROW: "goes to throw a stone",
    OrderKind.WHISTLE: "whistles",
    OrderKind.TAKE_DOWN: "creeps up from behind",
    OrderKind.DRAG: "goes to drag the body away",
    OrderKind.HIDE: "goes to hide the body",
}


def ability_enter(turn: Soldier) -> None:
    """Approach to the ability's range, unless it cannot be used at all."""
    me = turn.host
    turn.beliefs.order.target_far = turn.beliefs.order.target_known = turn.tick
    reason = abilities.why_not(me.world, me.slot)
    if reason:
        gives_up(turn, reason)
    else:
        approach(turn)


def approach(turn: Soldier) -> None:
    """Approach a target that may walk on.

    Of an enemy only what the own side sees is known.
    """
    me = turn.host
    if me.order not in ABILITIES:
        return  # it has just given up
    me.again(WATCH)
    if abilities.within_reach(me.world, me.slot):
        turn.set_state("Act", "it is in reach")
        return
    if turn.tick - turn.beliefs.order.target_far > APPROACH_LIMIT:
        gives_up(turn, "it does not get near enough")
        return
    at = abilities.target_place(me.world, me.slot)
    if ABILITIES[OrderKind(me.order)].target == "enemy":
        seen = me.reported(me.order_target)
        if seen is None:
            if turn.tick - turn.beliefs.order.target_known > LOST_LIMIT:
                gives_up(turn, f"no unit sees {me.call(me.order_target)} any more")
            return
        turn.beliefs.order.target_known = turn.tick
        at = seen
    u = me.units
    if not me.moving or abs(float(u.goal_x[me.slot]) - at[0]) + abs(float(u.goal_y[me.slot]) - at[1]) > 1.0:
        me.go_to(*at)


def approached(turn: Soldier, message: Message) -> None:
    """Begin the act when the target is in reach; otherwise wait or give up."""
    me = turn.host
    if abilities.within_reach(me.world, me.slot):
        turn.set_state("Act", "it is in reach")
    elif ABILITIES[OrderKind(me.order)].target != "enemy":
        gives_up(turn, "no path leads near enough")
    else:
        me.again(WATCH)


def act_enter(turn: Soldier) -> None:
    """Begin the act; the body stage finishes it."""
    me = turn.host
    me.halt()
    ability = ABILITIES[OrderKind(me.order)]
    reason = abilities.why_not(me.world, me.slot, near=True)
    if reason:
        gives_up(turn, reason)
        return
    if ability.target:
        me.turn(me.angle_to(*abilities.target_place(me.world, me.slot)))
    turn.beliefs.order.handle = me.act(ability.act, ability.ticks, me.order_target)
    turn.remind("HANDLED", ability.ticks + 1)


def acted(turn: Soldier, message: Message) -> None:
    """End the order when the act is over; try again after an interruption."""
    me, progress = turn.host, turn.beliefs.order
    end = me.act_status(progress.handle)
    if not end.over:
        turn.remind("HANDLED", WATCH)
    elif end.status == Status.INTERRUPTED and progress.blocked < BLOCKED_LIMIT:
        progress.blocked += 1
        turn.set_state("Ability", f"it was interrupted: {me.why_ended(progress.handle)}")
    else:
        over(turn, "its hands are done")
