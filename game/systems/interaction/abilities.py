"""Abilities with a tool or hands: stone, whistle, takedown, drag and hide.

One table gives each ability its tool, its target, its range and its duration. The functions below check the
requirements and apply the effects. Lamps and doors are operated with the order USE
(game.systems.interaction.hand_work).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ai.perception.hearing.hearing import SoundKind
from ai.perception.sight.line_of_sight import line_clear
from game.systems.interaction.bodies import hide_body, kill, lift_body
from game.systems.noise import emit
from game.world.orders import OrderKind
from game.world.units import Act, LabMark
from game.world.world import World

THROW_REACH = 9.0
TOUCH = 1.25
"""Tiles from which hands reach another unit."""
BEHIND = math.radians(100.0)
"""Least angle off the victim's facing from which a takedown works, in radians."""
HIDERS = ("haystack", "cart", "well", "bush", "tent", "barrel", "crate")
"""Kinds of props a body can be hidden in or behind."""


@dataclass(frozen=True)
class Ability:
    """Ability: one row of the table.

    ``target`` is its object: ``""`` nothing, ``place``, ``enemy``, ``body`` or ``hider``. ``reach`` is in tiles;
    ``ticks`` is the duration of the action.
    """

    name: str
    order: OrderKind
    tool: str
    target: str
    reach: float
    ticks: int
    act: Act


ABILITIES = {
    row.order: row
    for row in (
        Ability("throw", OrderKind.THROW, "stone", "place", THROW_REACH, 12, Act.THROW),
        Ability("whistle", OrderKind.WHISTLE, "whistle", "", 0.0, 8, Act.WHISTLE),
        Ability("take_down", OrderKind.TAKE_DOWN, "take_down", "enemy", TOUCH, 16, Act.TAKE_DOWN),
        Ability("drag", OrderKind.DRAG, "drag", "body", TOUCH, 10, Act.LIFT),
        Ability("hide", OrderKind.HIDE, "drag", "hider", TOUCH + 0.4, 20, Act.LIFT),
    )
}


def has_tool(world: World, slot: int, tool: str) -> bool:
    """Return true if a unit's kind has a tool; ``""`` needs none."""
    return not tool or tool in world.types[int(world.units.kind[slot])].tools


def target_place(world: World, slot: int) -> tuple[float, float]:
    """Return the place of the ordered ability, from the unit's columns."""
    u = world.units
    ability = ABILITIES[OrderKind(int(u.order[slot]))]
    target = int(u.order_target[slot])
    if ability.target in ("enemy", "body") and 0 <= target < u.next_id:
        other = u.slot(target)
        return float(u.x[other]), float(u.y[other])
    if ability.target == "hider":
        prop = world.prop(target)
        if prop is not None:
            return prop.x, prop.y
    if ability.target == "":
        return float(u.x[slot]), float(u.y[slot])
    return float(u.ordered_x[slot]), float(u.ordered_y[slot])


def within_reach(world: World, slot: int) -> bool:
    """Return true if the ability reaches its target from the unit's position."""
    u = world.units
    ability = ABILITIES[OrderKind(int(u.order[slot]))]
    if not ability.target:
        return True
    x, y = target_place(world, slot)
    far = math.hypot(x - float(u.x[slot]), y - float(u.y[slot]))
    if ability.target == "hider":
        prop = world.prop(int(u.order_target[slot]))
        far -= max(prop.width, prop.height) / 2 if prop is not None else 0.0
    if far > ability.reach:
        return False
    if ability.target != "place":
        return True
    opaque, (height, width) = world.terrain.opaque, world.terrain.opaque.shape
    if not (0 <= x < width and 0 <= y < height):
        return False
    return bool(line_clear(opaque, int(u.y[slot]), int(u.x[slot]), int(y), int(x)))


def why_not(world: World, slot: int, near: bool = False) -> str:
    """Return the reason against the ordered ability, empty when it can be used.

    ``near``: it is tested right now, from the unit's position.
    """
    u = world.units
    ability = ABILITIES[OrderKind(int(u.order[slot]))]
    if not has_tool(world, slot, ability.tool):
        return "it has not learnt that" if ability.tool in ("take_down", "drag") else f"it has no {ability.tool}"
    target = int(u.order_target[slot])
    if ability.target in ("enemy", "body") and not 0 <= target < u.next_id:
        return "no unit is there"
    if ability.target == "enemy":
        return _why_not_take_down(world, slot, u.slot(target), near)
    if ability.target == "body":
        other = u.slot(target)
        if u.alive[other]:
            return "it is not a body"
        if u.hidden[other]:
            return "it is hidden already"
        if u.dragging[slot] >= 0 or u.carrying[slot] >= 0:
            return "hands are full"
        return "another drags it" if (u.dragging[: u.count] == target).any() else ""
    if ability.target == "hider":
        if u.dragging[slot] < 0:
            return "it drags no body"
        prop = world.prop(target)
        return "" if prop is not None and prop.kind in HIDERS else "nothing can be hidden there"
    return ""


def _why_not_take_down(world: World, slot: int, victim: int, near: bool) -> str:
    u = world.units
    if not u.alive[victim]:
        return "it is down already"
    if u.lab[victim] & int(LabMark.SAFE):
        return "it is invulnerable"
    if u.side[victim] == u.side[slot]:
        return "it is a friend"
    if not near or u.asleep[victim]:
        return ""
    if u.meter[victim] >= 1.0 and u.meter_target[victim] == u.id[slot]:
        return "it has been seen"
    away = math.atan2(float(u.y[slot] - u.y[victim]), float(u.x[slot] - u.x[victim]))
    if abs(math.remainder(away - float(u.facing[victim]), math.tau)) < BEHIND:
        return "it does not stand behind the victim"
    return ""


def finish(world: World, slot: int, act: Act) -> str:
    """Apply the ability's effect after its duration; return empty or the reason against."""
    u = world.units
    order = OrderKind(int(u.order[slot]))
    if order not in ABILITIES:
        return ""  # another order has come meanwhile
    ability = ABILITIES[order]
    if act != ability.act:
        return ""
    reason = why_not(world, slot, near=True)
    if not reason and ability.target and ability.target != "place" and not within_reach(world, slot):
        reason = "out of reach"
    if reason:
        return reason
    unit, target = int(u.id[slot]), int(u.order_target[slot])
    noise = world.settings.noise
    if order == OrderKind.THROW:
        x, y = float(u.ordered_x[slot]), float(u.ordered_y[slot])
        emit(world, SoundKind.IMPACT, x, y, noise.stone, unit)
        world.happen("thrown", unit, text="a stone")
        world.events[-1].x, world.events[-1].y = x, y
    elif order == OrderKind.WHISTLE:
        emit(world, SoundKind.VOICE, float(u.x[slot]), float(u.y[slot]), noise.whistle, unit)
        world.happen("whistled", unit)
    elif order == OrderKind.TAKE_DOWN:
        victim = u.slot(target)
        x, y = float(u.x[victim]), float(u.y[victim])
        world.last_hit_by[target] = unit
        kill(world, victim)
        world.happen("taken_down", target, unit)
        emit(world, SoundKind.BODY, x, y, noise.take_down, unit)
    elif order == OrderKind.DRAG:
        lift_body(world, slot, target)
    elif order == OrderKind.HIDE:
        prop = world.prop(target)
        assert prop is not None
        hide_body(world, slot, prop)
    return ""
