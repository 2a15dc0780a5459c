"""Map edits during play: a house falls, a breach opens, a ford is filled.

One call changes the terrain; derived data repairs itself from the rectangle. The new ground is kept for the
painter and for listeners of steps. Units that cannot stand there any more are moved out.

Source: "Game AI Pro 2", 1.5 (dynamic walkability).
"""

from __future__ import annotations

import math

import numpy as np

from ai.paths.requests.goal_resolution import find_footing, spread_goals
from game.level.model import GROUND
from game.level.terrain.grounds import RULES
from game.systems.interaction.bodies import kill
from game.world.orders import Order
from game.world.places import NewGround
from game.world.world import World

KEEP = -1.0
"""A value of an edit that stays as it is."""

NUMBERS = 8
"""Length of an edit's ``points``: left, top, right, bottom (tiles), passability, cost, opacity, cover.

The cost is in eighths.
"""

ROOM = 16
"""Extra tiles searched, beyond one for each buried unit, for a free one."""


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
    if "passable" in values:
        put_out(world, y0, x0, y1, x1)


def put_out(world: World, y0: int, x0: int, y1: int, x1: int) -> None:
    """Move units buried in tiles ``[y0:y1, x0:x1]`` to the nearest ground, by id.

    Each gets a tile of its own. A unit that can stand nowhere on the map dies.
    """
    u, terrain = world.units, world.terrain
    living = u.living()
    ty, tx = np.clip(u.y[living], 0, terrain.height - 1), np.clip(u.x[living], 0, terrain.width - 1)
    tiles = np.column_stack([ty, tx]).astype(np.int32)
    shut = (terrain.passable[tiles[:, 0], tiles[:, 1]] >> u.movement_class[living] & 1) == 0
    shut &= (tiles >= (y0, x0)).all(axis=1) & (tiles < (y1, x1)).all(axis=1)
    if not shut.any():
        return
    world.components.update(terrain)
    taken = set(map(tuple, tiles[~shut].tolist()))
    buried, tiles = living[shut], tiles[shut]
    for i in np.argsort(u.id[buried], kind="stable").tolist():
        slot = int(buried[i])
        movement_class = int(u.movement_class[slot])
        near, rings = np.array([-1, -1]), 1
        while near[0] < 0 and rings < 2 * max(terrain.height, terrain.width):
            near, rings = find_footing(terrain, movement_class, tiles[i : i + 1], rings)[0], 2 * rings
        if near[0] < 0:
            kill(world, slot)
            world.happen("killed", int(u.id[slot]))
            continue
        places = spread_goals(
            terrain, world.components, movement_class, (int(near[0]), int(near[1])), len(buried) + ROOM
        )
        y, x = next((place for place in map(tuple, places.tolist()) if place not in taken), tuple(near.tolist()))
        taken.add((y, x))
        u.x[slot], u.y[slot] = x + 0.5, y + 0.5


def fault_of(world: World, order: Order) -> str:
    """Return an EDIT order's error as a message, empty if valid."""
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
