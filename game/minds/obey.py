"""The skill of doing what one is told: one state an order, and the queue behind it.

The order columns are the truth: moving itself goes on without the mind, which is woken by what happens on the way.
An order that cannot be carried out is given up in words (AI Game Programming Wisdom 1.4: every action has a time-out
and a fallback).
"""

from __future__ import annotations

from ai.decision.machine import Machine, State
from ai.decision.messages import Message
from ai.decision.skills import MindTurn
from ai.steering.interception import intercept_window
from game.minds.body import Body
from game.minds.settings import settings_of
from game.world import abilities, handling
from game.world.abilities import ABILITIES
from game.world.orders import OrderKind
from game.world.units import Act, Pace
from game.world.world import World

Soldier = MindTurn[Body]

BLOCKED_LIMIT = 4
"""So often it tries another way before it says that it cannot get through."""
FORESEEN = 6.0
"""Seconds: nobody counts on a target to go on like that for longer."""
APPROACH_LIMIT = 600
"""Ticks after which an attack that never came to a shot is given up."""
LOST_LIMIT = 100
"""Ticks after which an attacked unit that nobody of one's side sees is given up."""
WATCH = 5
"""Ticks between two looks at an enemy or a thing on the way to it."""

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
            me.turn(me.angle_to(*me.order_at))
        me.drop_order()
    turn.memory["blocked"] = 0
    state = _STATE_OF.get(me.order, "")
    if not state:
        over(turn, "it did as it was told")
    else:
        turn.set_state(state, "it was ordered to", since=me.tick, decided=_decided(me))


def _decided(me: Body) -> str:
    order = me.order
    if order == OrderKind.HOLD:
        return "holds its place and fires at whom it sees"
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
        return f"advances to {place} and fires at whom it sees"
    return f"patrols to {place} and back" if order == OrderKind.PATROL else f"walks to {place}"


def over(turn: Soldier, because: str) -> None:
    """The order is done or given up: wait for the next of the queue, or be done with obeying."""
    me = turn.host
    turn.memory.pop("patrol", None)
    me.drop_order()
    if me.queued:
        turn.set_state("Next", because)
    else:
        turn.finish(because)


def next_update(turn: Soldier) -> None:
    """The orders stage starts what is queued; if that was taken away meanwhile, there is nothing to do."""
    if turn.host.order != OrderKind.NONE:
        turn.set_state("Take", "the next order of the queue came up")
    elif not turn.host.queued:
        turn.finish("the queue is empty")


def gives_up(turn: Soldier, why: str, told: bool = False) -> None:
    """Stop, say so to the player in words (unless it is told already), and go on with the queue."""
    me = turn.host
    me.halt()
    me.aim(-1)
    if not told:
        me.happen("gave_up", text=why)
    me.bark("No way through." if "way" in why or "through" in why else "Cannot do that.")
    over(turn, f"it gave up: {why}")


def go(turn: Soldier) -> None:
    """Set out for the order's place, unless the order itself has already done so."""
    me = turn.host
    if not me.in_group and not me.heads_for(*me.order_at):
        me.go_to(*me.order_at)


def arrived(turn: Soldier, message: Message) -> None:
    """As far as it goes: at the place, or as near as one can get."""
    me = turn.host
    me.happen("arrived")
    over(turn, "it arrived")


def blocked(turn: Soldier, message: Message) -> None:
    """No progress: ask for another way, and in the end say that there is none."""
    me = turn.host
    tries = int(turn.memory.get("blocked", 0)) + 1
    turn.memory["blocked"] = tries
    if tries >= BLOCKED_LIMIT:
        gives_up(turn, "it cannot get through the crowd")
    else:
        u = me.units
        me.go_to(float(u.goal_x[me.slot]), float(u.goal_y[me.slot]))


def path_lost(turn: Soldier, message: Message) -> None:
    """The way is gone and no other leads there; the plan stage has said so."""
    gives_up(turn, "there is no way there any more", told=True)


def ordered(turn: Soldier, message: Message) -> None:
    """A new order came in while this one was under way."""
    turn.host.aim(-1)
    turn.set_state("Take", "a new order came", since=turn.tick)


_WALKING = {"ARRIVED": arrived, "BLOCKED": blocked, "PATH_LOST": path_lost}


def attack_enter(turn: Soldier) -> None:
    """Look for the target on one's own side's map."""
    turn.memory["known"] = turn.tick
    turn.memory["far"] = turn.tick
    attack(turn)


def attack(turn: Soldier) -> None:
    """Close in until the target can be hit, then shoot; gives up on one that stays out of sight."""
    me = turn.host
    target = me.order_target
    if target < 0 or me.knows_dead(target):
        me.aim(-1)
        over(turn, f"{me.call(target)} is down" if target >= 0 else "nobody is to be attacked")
        return
    at = me.reported(target)
    if at is None:
        me.aim(-1)
        if turn.tick - int(turn.memory["known"]) > LOST_LIMIT:
            gives_up(turn, f"nobody sees {me.call(target)} any more")
            return
    else:
        turn.memory["known"] = turn.tick
        if me.distance(*at) <= 0.92 * me.reach and me.line_to(*at):
            if me.moving:
                me.halt()
            me.turn(me.angle_to(*at))
            me.aim(target)
            turn.memory["far"] = turn.tick
        else:
            u = me.units
            at = _meeting(turn, target, at)
            gone = abs(float(u.goal_x[me.slot]) - at[0]) + abs(float(u.goal_y[me.slot]) - at[1])
            if not me.moving or gone > 1.5:
                me.go_to(*at, Pace.RUN)
            if turn.tick - int(turn.memory["far"]) > APPROACH_LIMIT:
                gives_up(turn, f"it cannot come to grips with {me.call(target)}")
                return
    me.again(WATCH)


def _meeting(turn: Soldier, target: int, at: tuple[float, float]) -> tuple[float, float]:
    """Where to run: the earliest place to meet a target that is seen walking, else where it is."""
    me = turn.host
    u = me.units
    slot = u.slot(target)
    velocity = float(u.vx[slot]), float(u.vy[slot])
    if not settings_of(me.world).intercepts or velocity == (0.0, 0.0):
        return at
    run = me.world.types[int(u.kind[me.slot])].run
    window = intercept_window((float(u.x[me.slot]), float(u.y[me.slot])), at, velocity, run)
    if window is None:
        return at
    ahead = min(window.first, FORESEEN)
    terrain = me.world.terrain
    x = min(max(at[0] + velocity[0] * ahead, 0.5), terrain.width - 0.5)
    y = min(max(at[1] + velocity[1] * ahead, 0.5), terrain.height - 0.5)
    return x, y


def stop_aiming(turn: Soldier) -> None:
    """Lower the weapon."""
    turn.host.aim(-1)


def patrol_enter(turn: Soldier) -> None:
    """The first leg leads to the goal, the way back to where it stood when it was told."""
    me, memory = turn.host, turn.memory
    if "patrol" not in memory:
        gx, gy = me.goal
        ox, oy = me.order_at
        memory.update({"patrol": 0, "to_x0": gx, "to_y0": gy, "to_x1": ox, "to_y1": oy})
    _walk_leg(turn)


def _walk_leg(turn: Soldier) -> None:
    leg = int(turn.memory["patrol"])
    x, y = float(turn.memory[f"to_x{leg}"]), float(turn.memory[f"to_y{leg}"])
    if not turn.host.heads_for(x, y):
        turn.host.go_to(x, y)


def patrol_turns(turn: Soldier, message: Message) -> None:
    """At one end of the patrol: back, or on with the queue if something waits there."""
    if turn.host.queued:
        over(turn, "the next order waits")
        return
    turn.memory["patrol"] = 1 - int(turn.memory["patrol"])
    turn.memory["blocked"] = 0
    _walk_leg(turn)


def hold_enter(turn: Soldier) -> None:
    """Stay, come what may."""
    me = turn.host
    me.halt()
    me.units.holding[me.slot] = 1
    if me.queued:
        over(turn, "the next order waits")


def centre_of(thing: handling.Thing) -> tuple[float, float]:
    """Middle of a thing."""
    return (thing.x, thing.y) if isinstance(thing, handling.Prop) else thing.centre


def thing_of(world: World, ref: int) -> handling.Thing | None:
    """The prop, door or lamp with that id."""
    thing: handling.Thing | None = world.prop(ref) or world.door(ref) or world.lamp(ref)
    return thing


def use_enter(turn: Soldier) -> None:
    """Go there, unless it is in reach or cannot be used at all."""
    me = turn.host
    thing = thing_of(me.world, me.order_target)
    if thing is None:
        gives_up(turn, "there is nothing to use")
        return
    reason = handling.why_not(me.world, me.slot, thing)
    if reason:
        gives_up(turn, reason)
    elif handling.can_reach(me.world, me.slot, thing):
        turn.set_state("Handle", "it is in reach")
    elif not me.moving:
        me.go_to(*centre_of(thing))
        me.again(WATCH)
    else:
        me.again(WATCH)


def use_update(turn: Soldier) -> None:
    """On the way: is it in reach yet?"""
    me = turn.host
    thing = thing_of(me.world, me.order_target)
    if thing is not None and handling.can_reach(me.world, me.slot, thing):
        turn.set_state("Handle", "it is in reach")
    else:
        me.again(WATCH)


def use_arrived(turn: Soldier, message: Message) -> None:
    """As near as it gets: in reach or not at all."""
    me = turn.host
    thing = thing_of(me.world, me.order_target)
    if thing is not None and handling.can_reach(me.world, me.slot, thing):
        turn.set_state("Handle", "it is in reach")
    else:
        gives_up(turn, "there is no way to it")


def word_for(thing: handling.Thing) -> str:
    """What people call a thing."""
    return "lamp" if isinstance(thing, handling.LightSource) else thing.kind


def mark_of(thing: handling.Thing) -> int:
    """A number that changes when the thing is worked."""
    if not isinstance(thing, handling.Prop):
        return thing.changed
    return thing.carrier if thing.carryable else thing.used


def handle_enter(turn: Soldier) -> None:
    """Both hands on it; the body stage finishes the act."""
    me = turn.host
    me.halt()
    thing = thing_of(me.world, me.order_target)
    if thing is None:
        gives_up(turn, "there is nothing to use")
        return
    me.turn(me.angle_to(*centre_of(thing)))
    turn.memory["mark"] = mark_of(thing)
    ticks = me.use(thing.id)
    turn.remind("HANDLED", ticks + 1)


def handled(turn: Soldier, message: Message) -> None:
    """Did it work?  A blow interrupts the hands: then once more."""
    me = turn.host
    if me.units.action[me.slot] == Act.USE:
        turn.remind("HANDLED", WATCH)  # somebody stands in the door: the hands stay on it
        return
    thing = thing_of(me.world, me.order_target)
    if thing is not None and mark_of(thing) != int(turn.memory.get("mark", -1)):
        over(turn, f"it worked the {word_for(thing)}")
        return
    tries = int(turn.memory.get("blocked", 0)) + 1
    turn.memory["blocked"] = tries
    why = "there is nothing to use" if thing is None else handling.why_not(me.world, me.slot, thing)
    if why or tries >= BLOCKED_LIMIT:
        gives_up(turn, why or "it does not move")
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
    """Go as near as the ability asks for, unless it cannot be used at all."""
    me = turn.host
    turn.memory["far"] = turn.tick
    reason = abilities.why_not(me.world, me.slot)
    if reason:
        gives_up(turn, reason)
    else:
        approach(turn)


def approach(turn: Soldier) -> None:
    """On the way: whom it is meant for may walk on; of an enemy only what its own side sees is known."""
    me = turn.host
    if me.order not in ABILITIES:
        return  # it has just given up
    me.again(WATCH)
    if abilities.within_reach(me.world, me.slot):
        turn.set_state("Act", "it is in reach")
        return
    if turn.tick - int(turn.memory["far"]) > APPROACH_LIMIT:
        gives_up(turn, "it does not get near enough")
        return
    at = abilities.target_place(me.world, me.slot)
    if ABILITIES[OrderKind(me.order)].target == "enemy":
        seen = me.reported(me.order_target)
        if seen is None:
            if turn.tick - int(turn.memory.get("known", turn.tick)) > LOST_LIMIT:
                gives_up(turn, f"nobody sees {me.call(me.order_target)} any more")
            return
        turn.memory["known"] = turn.tick
        at = seen
    u = me.units
    if not me.moving or abs(float(u.goal_x[me.slot]) - at[0]) + abs(float(u.goal_y[me.slot]) - at[1]) > 1.0:
        me.go_to(*at)


def approached(turn: Soldier, message: Message) -> None:
    """As near as it gets: in reach or not at all."""
    me = turn.host
    if abilities.within_reach(me.world, me.slot):
        turn.set_state("Act", "it is in reach")
    elif ABILITIES[OrderKind(me.order)].target != "enemy":
        gives_up(turn, "there is no way near enough")
    else:
        me.again(WATCH)


def act_enter(turn: Soldier) -> None:
    """The hands begin; the body stage finishes the act."""
    me = turn.host
    me.halt()
    ability = ABILITIES[OrderKind(me.order)]
    reason = abilities.why_not(me.world, me.slot, near=True)
    if reason:
        gives_up(turn, reason)
        return
    if ability.target:
        me.turn(me.angle_to(*abilities.target_place(me.world, me.slot)))
    me.act(ability.act, ability.ticks)
    turn.remind("HANDLED", ability.ticks + 1)


def acted(turn: Soldier, message: Message) -> None:
    """Done, or refused with the reason told by the body stage."""
    over(turn, "its hands are done")


OBEY = Machine(
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
            phrase="goes to do what it was told",
        ),
        State("Act", act_enter, on={"HANDLED": acted}, phrase="is about it", doing="working"),
        State("Next", None, next_update, phrase="waits for its next order", doing="obeying"),
        State("Handle", handle_enter, on={"HANDLED": handled}, phrase="works with both hands", doing="working"),
    ),
    on={"ORDERED": ordered},
)


def has_order(me: Body) -> bool:
    """Whether the player, a script or a squad has ordered something."""
    return me.order != OrderKind.NONE
