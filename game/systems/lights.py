"""Lights of the world: lamps that can be switched, and carried torches.

:func:`shine` computes the light field once, before any unit looks. Eyes, the HUD's light gem and the picture of
the night all read the same field.
"""

from __future__ import annotations

from ai.perception.sight.light_field import Lamp
from ai.perception.sight.view_cone import MAX_REACH
from game.world.places import LightSource
from game.world.world import World

DAY, NIGHT, BY_MAP = "day", "night", "map"
TORCH_RADIUS, TORCH_STRENGTH = 5.0, 0.85
TORCH_COLOR = "#ffb46a"


def ambient_of(world: World) -> float:
    """Return the light 0..1 of a place that no lamp reaches.

    It is 1 by day; by night the rules give the number.
    """
    rules = world.settings.rules
    night = world.night if rules.daylight == BY_MAP else rules.daylight == NIGHT
    return float(rules.night_light) if night else 1.0


def shine(world: World) -> None:
    """Update the light field for the hour, the lamps, the torches and the map."""
    u = world.units
    for light in world.lights:
        if light.carrier >= 0:
            slot = u.slot(light.carrier)
            if not u.alive[slot]:
                light.carrier = -1
                continue
            light.x, light.y, light.facing = float(u.x[slot]), float(u.y[slot]), float(u.head[slot])
            light.on = not u.asleep[slot]
    bits = world.sight.bits
    if bits is None:
        return
    field, terrain = world.light, world.terrain
    field.ambient = ambient_of(world)
    revision = terrain.revision
    if field.ambient >= 1.0:
        # By day lamps add nothing: one empty update keeps the field in step with the map.
        field.update(bits, revision, (), ())
        return
    changes = terrain.changes_since(field.revision, ("opaque",)) if field.revision >= 0 else None
    field.update(bits, revision, lamps_of(world), changes)


def lamps_of(world: World) -> list[Lamp]:
    """Return the lights as the library takes them."""
    return [Lamp(s.x, s.y, min(s.radius, MAX_REACH), s.strength, s.facing, s.half_angle, s.on) for s in world.lights]


def switch(world: World, light: LightSource, on: bool, by: int = -1) -> None:
    """Light a lamp or put it out; publishes it."""
    if light.on == on:
        return
    light.on, light.changed = on, world.tick
    world.happen("lamp", by, light.id, "lit" if on else "put out")
    event = world.events[-1]
    event.x, event.y = light.x, light.y


def torch(number: int, unit: int, x: float, y: float) -> LightSource:
    """Return the torch that a unit carries."""
    return LightSource(number, "", x, y, TORCH_RADIUS, TORCH_STRENGTH, TORCH_COLOR, switchable=False, carrier=unit)
