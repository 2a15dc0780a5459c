"""Edits of the map while it is played: a house comes down, a breach opens, a ford is filled.

One call changes the terrain; everything derived repairs itself from the rectangle.  What the ground is since then is
kept for the painter and for whoever listens to steps.

Source: "Game AI Pro 2", 1.5 (dynamic walkability).
"""

from __future__ import annotations

import math

from ai.state import record
from game.level.grounds import RULES
from game.level.model import GROUND
from game.world.orders import Order
from game.world.world import World

KEEP = -1.0
"""A value of an edit that stays as it is."""

NUMBERS = 8
"""``points`` of an edit: left, top, right, bottom in tiles, then passability, cost in eighths, opacity and cover."""


@record
class NewGround:
    """Tiles ``[y0:y1, x0:x1]`` that are another ground since ``tick``; ``ground`` indexes GROUNDS."""

    y0: int
    x0: int
    y1: int
    x1: int
    ground: int
    tick: int


def edit_map(world: World, order: Order) -> None:
    """Carry out an order of kind EDIT, or publish why it cannot be."""
    wrong = fault_of(world, order)
    if wrong:
        world.happen("refused", text=wrong)
        return
    x0, y0, x1, y1 = (int(v) for v in order.points[:4])
    values = {
        name: int(value)
        for name, value in zip(("passable", "cost", "opaque", "cover"), order.points[4:], strict=True)
        if value != KEEP
    }
    world.terrain.edit(y0, x0, y1, x1, **values)
    if order.name:
        world.new_ground.append(NewGround(y0, x0, y1, x1, GROUND[order.name], world.tick))
        world.loudness[y0:y1, x0:x1] = RULES[order.name].noise
    world.happen("edit", text=order.text)
    event = world.events[-1]
    event.x, event.y = (x0 + x1) / 2, (y0 + y1) / 2


def fault_of(world: World, order: Order) -> str:
    """What is wrong with an order of kind EDIT, in words; empty when nothing is."""
    points = order.points
    if len(points) != NUMBERS or not all(math.isfinite(p) and p == int(p) for p in points):
        return f"an edit needs {NUMBERS} whole numbers: left, top, right, bottom, passability, cost, opacity, cover"
    x0, y0, x1, y1, passable, cost, opaque, cover = points
    height, width = world.terrain.height, world.terrain.width
    if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
        return f"the box {x0:g}, {y0:g}, {x1:g}, {y1:g} is not inside a map of {width} x {height} tiles"
    for name, value, low, high in (
        ("passability", passable, 0, 255), ("cost", cost, 1, 255), ("opacity", opaque, 0, 1), ("cover", cover, 0, 3),
    ):  # fmt: skip
        if value != KEEP and not low <= value <= high:
            return f"{name} must be {low}..{high}, got {value:g}"
    if order.name and order.name not in GROUND:
        return f"there is no ground {order.name!r}; use one of {', '.join(GROUND)}"
    return ""
