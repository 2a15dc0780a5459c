"""Actions by hand: lift, put down, turn, operate, switch.

Their objects are loads, winches, doors and lamps.
"""

from __future__ import annotations

import math

from ai.perception.stimuli.stimulus_board import StimulusKind
from game.systems.interaction.doors import set_door
from game.systems.lights import switch
from game.systems.stealth.stimulus_sources import changed
from game.world.mind_kinds import mind_can
from game.world.places import Door, LightSource, Prop
from game.world.world import World

Thing = Prop | Door | LightSource

IN_THE_WAY = "something stands in it"
"""Reason for a door that does not shut."""
HOOK = 1.0
"""Tiles that a lamp hook adds to an arm."""
REACH = 1.2
"""A thing can be worked from this far off its edge, in tiles."""


def distance_to(world: World, slot: int, thing: Thing) -> float:
    """Return tiles from a unit's centre to a thing's nearest edge (0 on it)."""
    x, y = float(world.units.x[slot]), float(world.units.y[slot])
    if isinstance(thing, LightSource):
        return math.hypot(x - thing.x, y - thing.y)
    if isinstance(thing, Door):
        x0, y0, x1, y1 = float(thing.x0), float(thing.y0), float(thing.x1), float(thing.y1)
    else:
        x0, x1 = thing.x - thing.width / 2, thing.x + thing.width / 2
        y0, y1 = thing.y - thing.height / 2, thing.y + thing.height / 2
    return math.hypot(x - min(max(x, x0), x1), y - min(max(y, y0), y1))


def can_reach(world: World, slot: int, thing: Thing) -> bool:
    """Return true if the unit is near enough to use the thing."""
    return distance_to(world, slot, thing) <= REACH + (HOOK if isinstance(thing, LightSource) else 0.0)


def why_not(world: World, slot: int, thing: Thing) -> str:
    """Return the reason against using the thing once there, empty if none.

    The player reads it.
    """
    side = int(world.units.side[slot])
    if isinstance(thing, LightSource):
        kind = world.types[int(world.units.kind[slot])]
        if not thing.switchable:
            return "it cannot be put out"
        return "" if "hook" in kind.tools or mind_can(kind, "repairs") else "it has no lamp hook"
    if isinstance(thing, Door):
        return "" if side in thing.opens_for else "it is worked from elsewhere"
    if thing.carryable:
        if thing.carrier >= 0:
            return f"{world.name_of(thing.carrier)} carries it"
        return "hands are full" if world.units.carrying[slot] >= 0 else ""
    if thing.door:
        return "" if world.door(thing.door) is not None else "it works nothing"
    return "nothing to do with it"


def use(world: World, slot: int, thing: Thing) -> str:
    """Finish using a thing; publish the effect; return empty or the reason against."""
    reason = why_not(world, slot, thing)
    if not reason and not can_reach(world, slot, thing):
        reason = "out of reach"
    if reason:
        return reason
    unit = int(world.units.id[slot])
    if isinstance(thing, LightSource):
        switch(world, thing, not thing.on, unit)
        changed(world, StimulusKind.LAMP, thing.id, thing.x, thing.y, unit)
        return ""
    if isinstance(thing, Door):
        return "" if set_door(world, thing, not thing.open, unit) else IN_THE_WAY
    if thing.carryable:
        thing.carrier = unit
        world.units.carrying[slot] = thing.id
        world.happen("lifted", unit, thing.id, thing.name)
        return ""
    door = world.door(thing.door)
    if door is None or not set_door(world, door, not door.open, unit):
        return IN_THE_WAY
    thing.used += 1
    world.happen("used", unit, thing.id, thing.name)
    return ""


def drop(world: World, slot: int) -> None:
    """Put down the carried thing at the unit's position, and release a dragged body."""
    body = int(world.units.dragging[slot])
    if body >= 0:
        world.units.dragging[slot] = -1
        world.happen("dropped", int(world.units.id[slot]), body, "a body")
    prop = world.prop(int(world.units.carrying[slot])) if world.units.carrying[slot] >= 0 else None
    world.units.carrying[slot] = -1
    if prop is not None:
        prop.carrier = -1
        prop.x, prop.y = float(world.units.x[slot]), float(world.units.y[slot])
        world.happen("dropped", int(world.units.id[slot]), prop.id, prop.name)
