"""Skill of a guard that plays a role in a scene of a zone.

The zone chooses the behaviour (``scene_turns``); the mind walks to its place, faces what it should face, and says that
it is there. The skill ranks above the round and below everything else, so a noise, an alarm or an enemy interrupts it
like a patrol.
"""

from __future__ import annotations

import math
from functools import partial

from ai.core.rand import Stream, uniform
from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from ai.decision.smart_zones.scene_script import MIDDLE, OUT
from ai.decision.smart_zones.scene_timeline import Actor, arrive, behaviour_of, drop
from ai.decision.state_machine import State, StateMachine
from game.minds.agent_view import AgentView
from game.world.groups.scene_zones import Zone
from game.world.units import Pace
from game.world.world import World

Guard = MindTurn[AgentView]

AT_PLACE = 0.45
"""Nearer than this to its place an actor plays, tiles."""
NEARLY = 2.0
"""Tiles from its place at which a blocked actor plays where it stands."""
TRIES = 3
"""Times it is blocked before it plays where it stands or leaves."""
DICE = 1000
"""Die from which on the dice of a unit belong to scenes."""


def dice_of(world: World, unit: int, n: int) -> float:
    """Return die ``n`` of a unit's scene in this tick, in [0, 1)."""
    return uniform(world.seed, Stream.GUARD, world.tick, unit, DICE + n)


def has_role(me: AgentView) -> bool:
    """Return true if the unit has a role in a scene."""
    return bool(me.world.scenes.zones) and me.world.scenes.role_of(me.id) is not None


def why_scene(me: AgentView) -> tuple[str, int]:
    """Return the reason for the scene, and the tick of the casting."""
    found = me.world.scenes.role_of(me.id)
    if found is None:
        return "", -1
    zone, actor = found
    script = me.world.scenes.script(zone)
    return f"it is the {script.roles[actor.role].name} in {script.title}", actor.cast_at


def take_role(turn: Guard) -> None:
    """Take the role that the zone gave to the unit."""
    me = turn.host
    found = me.world.scenes.role_of(me.id)
    if found is None:
        turn.finish("the scene is over")
        return
    zone, actor = found
    actor.joined = True
    turn.memory["zone"], turn.memory["blocked"] = zone.id, 0
    me.aim(-1)
    follow(turn)


def follow(turn: Guard) -> None:
    """Follow the cue: walk to the place of the behaviour, or play it there."""
    me, scenes = turn.host, turn.host.world.scenes
    found = scenes.role_of(me.id)
    if found is None:
        zone = next((z for z in scenes.zones if z.id == turn.memory.get("zone", -1)), None)
        turn.finish(zone.state.why if zone is not None and not zone.state.running else "its role is over")
        return
    zone, actor = found
    if actor.since >= 0:
        return
    x, y = scenes.place_of(zone, actor)
    if me.heads_for(x, y):
        return
    if me.distance(x, y) <= AT_PLACE:
        _play(turn, zone, actor)
        return
    me.go_to(x, y, Pace.WALK)
    me.look_ahead()
    if turn.running.state != "Walk":
        turn.set_state("Walk", why_scene(me)[0])


def _play(turn: Guard, zone: Zone, actor: Actor) -> None:
    """Play the behaviour here."""
    me, world = turn.host, turn.host.world
    me.halt()
    me.turn(_facing(turn, zone, actor))
    arrive(world.scenes.script(zone), actor, turn.tick, partial(dice_of, world))
    turn.memory["blocked"] = 0
    words = world.scenes.words_of(zone, actor)
    turn.set_state("Play", why_scene(me)[0], decided=words)


def _facing(turn: Guard, zone: Zone, actor: Actor) -> float:
    """Return the direction in which the actor plays.

    A place in the middle has no direction out of it: there the unit faces as at its post.
    """
    me, world = turn.host, turn.host.world
    script = world.scenes.script(zone)
    behaviour = behaviour_of(script, actor)
    faces = behaviour.faces if behaviour is not None else MIDDLE
    if faces == OUT:
        if me.distance(zone.x, zone.y) <= AT_PLACE:
            post: float = turn.beliefs.patrol.post_facing
            return post
        return me.angle_to(zone.x, zone.y) + math.pi
    if faces != MIDDLE:
        mates = [a for a in zone.state.cast if script.roles[a.role].name == faces and a.unit != me.id]
        if mates:
            return me.angle_to(*world.scenes.place_of(zone, mates[0]))
    return me.angle_to(zone.x, zone.y)


def arrived(turn: Guard, message: Message) -> None:
    """Play at the end of a walk, or set out again."""
    follow(turn)


def held_up(turn: Guard, message: Message) -> None:
    """Set out again; after some tries play here if near, or leave."""
    me, scenes = turn.host, turn.host.world.scenes
    turn.memory["blocked"] = int(turn.memory.get("blocked", 0)) + 1
    found = scenes.role_of(me.id)
    if found is None or int(turn.memory["blocked"]) < TRIES:
        follow(turn)
        return
    zone, actor = found
    if me.distance(*scenes.place_of(zone, actor)) <= NEARLY:
        _play(turn, zone, actor)
    else:
        drop(zone.state, me.id)
        zone.state.note(turn.tick, f"{me.world.name_of(me.id)} cannot get to its place")
        turn.finish("it cannot get to its place in the scene")


_DOING = "taking part in a scene"

SCENE = StateMachine(
    "scene",
    (
        State("Take", take_role, follow, phrase="joins a scene", doing=_DOING),
        State(
            "Walk",
            None,
            follow,
            on={"ARRIVED": arrived, "BLOCKED": held_up, "PATH_LOST": held_up},
            phrase="walks to its place in the scene",
            doing=_DOING,
        ),
        State("Play", None, follow, phrase="plays its role", doing=_DOING),
    ),
)
