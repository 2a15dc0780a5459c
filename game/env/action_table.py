"""Action table of an agent: the game's own orders, numbered, with a mask.

An action is one whole number. First come the orders without a target, then each order to a place times the cells
around the unit, then each order at something times the known things nearest to the unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.env.side_memory import SideMemory
from game.systems.interaction.abilities import HIDERS, THROW_REACH, has_tool
from game.world.orders import Order, OrderKind
from game.world.units import Pace, Stance
from game.world.world import World

REACH, STEP = 12, 2
"""Tiles from the unit to the farthest cell, and between two cells."""

PLAIN: tuple[tuple[str, OrderKind | None, float], ...] = (
    ("nothing", None, 0.0),
    ("stop", OrderKind.STOP, 0.0),
    ("hold", OrderKind.HOLD, 0.0),
    ("stand", OrderKind.STANCE, float(Stance.STAND)),
    ("crouch", OrderKind.STANCE, float(Stance.CROUCH)),
    ("prone", OrderKind.STANCE, float(Stance.PRONE)),
    ("walk", OrderKind.PACE, float(Pace.WALK)),
    ("run", OrderKind.PACE, float(Pace.RUN)),
    ("drop", OrderKind.DROP, 0.0),
    ("whistle", OrderKind.WHISTLE, 0.0),
)
"""Orders without a target: name, kind, value."""

TO_PLACES = (OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.SNEAK, OrderKind.THROW)
ENEMIES, BODIES, THINGS = 8, 4, 8
"""Number of enemies in sight, bodies, and things that an order can name."""
AT_THINGS = (
    (OrderKind.ATTACK, "enemies", ENEMIES),
    (OrderKind.TAKE_DOWN, "enemies", ENEMIES),
    (OrderKind.DRAG, "bodies", BODIES),
    (OrderKind.USE, "things", THINGS),
    (OrderKind.HIDE, "things", THINGS),
)

OFFSETS = np.arange(-REACH, REACH + 1, STEP)
CELLS = len(OFFSETS) ** 2
FIRST_PLACE = len(PLAIN)
FIRST_THING = FIRST_PLACE + len(TO_PLACES) * CELLS
COUNT = FIRST_THING + sum(size for _, _, size in AT_THINGS)
"""Number of actions."""


@dataclass(frozen=True)
class Nearby:
    """Ids that the orders at something refer to, nearest first.

    ``enemies`` and ``bodies`` are units, ``things`` props and doors.
    """

    enemies: tuple[int, ...]
    bodies: tuple[int, ...]
    things: tuple[int, ...]


def nearby(world: World, memory: SideMemory, unit: int) -> Nearby:
    """Return the known things nearest to a unit; equal distances go by id."""
    slot = world.units.slot(unit)
    x, y = float(world.units.x[slot]), float(world.units.y[slot])

    def nearest(ids: dict[int, tuple[float, float]], most: int) -> tuple[int, ...]:
        far = {i: (px - x) ** 2 + (py - y) ** 2 for i, (px, py) in ids.items()}
        return tuple(sorted(far, key=lambda i: (far[i], i))[:most])

    enemies = {i: (memory.enemies[i].x, memory.enemies[i].y) for i in memory.in_sight}
    bodies = {i: (at.x, at.y) for i, at in memory.bodies.items()}
    things = {i: (at.x, at.y) for i, at in memory.things.items()}
    return Nearby(nearest(enemies, ENEMIES), nearest(bodies, BODIES), nearest(things, THINGS))


def order_of(world: World, memory: SideMemory, unit: int, action: int) -> Order | None:
    """Return the order of an action, None when it has no effect.

    That is so for ``nothing`` and for a target that is not there. Raises ValueError for a number that is no action.
    """
    if not 0 <= action < COUNT:
        raise ValueError(f"action {action} is not one of 0 to {COUNT - 1}")
    slot = world.units.slot(unit)
    if action < FIRST_PLACE:
        _, kind, value = PLAIN[action]
        return None if kind is None else Order(int(kind), memory.side, (unit,), value=value)
    if action < FIRST_THING:
        verb, cell = divmod(action - FIRST_PLACE, CELLS)
        row, column = divmod(cell, len(OFFSETS))
        x = float(np.floor(world.units.x[slot]) + OFFSETS[column]) + 0.5
        y = float(np.floor(world.units.y[slot]) + OFFSETS[row]) + 0.5
        return Order(int(TO_PLACES[verb]), memory.side, (unit,), x, y)
    rest = action - FIRST_THING
    for kind, what, size in AT_THINGS:
        if rest < size:
            ids = getattr(nearby(world, memory, unit), what)
            if rest >= len(ids):
                return None
            known = {"enemies": memory.enemies, "bodies": memory.bodies, "things": memory.things}[what]
            at = known[ids[rest]]
            return Order(int(kind), memory.side, (unit,), at.x, at.y, ids[rest])
        rest -= size
    raise AssertionError("the sizes of the table do not add up")


def action_of(world: World, memory: SideMemory, unit: int, order: Order) -> int:
    """Return the action nearest to an order, 0 when none is like it.

    It serves to record what a scripted player did, in the numbers that an agent learns.
    """
    for number, (_, plain, value) in enumerate(PLAIN):
        if plain == order.kind and value == order.value:
            return number
    slot = world.units.slot(unit)
    if order.kind in TO_PLACES:
        away = order.x - world.units.x[slot], order.y - world.units.y[slot]
        column, row = (int(np.abs(OFFSETS - v).argmin()) for v in away)
        return FIRST_PLACE + TO_PLACES.index(OrderKind(order.kind)) * CELLS + row * len(OFFSETS) + column
    first, near = FIRST_THING, nearby(world, memory, unit)
    for kind, what, size in AT_THINGS:
        ids = getattr(near, what)
        if order.kind == kind and order.target in ids:
            return first + int(ids.index(order.target))
        first += size
    return 0


def action_mask(world: World, memory: SideMemory, unit: int) -> NDArray[np.int8]:
    """Return int8[COUNT]: 1 for each action that makes sense.

    It follows from what the side knows. Unknown ground may be walked to. The game may still refuse an order that
    the mask allows.
    """
    u, slot = world.units, world.units.slot(unit)
    mask = np.zeros(COUNT, np.int8)
    mask[:FIRST_PLACE] = 1
    mask[3 + int(u.stance[slot])] = 0
    mask[6 + int(u.pace[slot])] = 0
    mask[8] = u.carrying[slot] >= 0 or u.dragging[slot] >= 0
    mask[9] = has_tool(world, slot, "whistle")
    height, width = memory.explored.shape
    rows = int(np.floor(u.y[slot])) + OFFSETS
    columns = int(np.floor(u.x[slot])) + OFFSETS
    inside = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None, :]
    r, c = np.clip(rows, 0, height - 1)[:, None], np.clip(columns, 0, width - 1)[None, :]
    open_ground = memory.passable[r, c] >> int(u.movement_class[slot]) & 1
    walk = inside & ((open_ground == 1) | ~memory.explored[r, c])
    far = np.hypot(OFFSETS[:, None], OFFSETS[None, :])
    throw = inside & (far <= THROW_REACH) & (far > 0) & has_tool(world, slot, "stone")
    for verb, places in enumerate((walk, walk & (u.weapon[slot] != 0), walk, throw)):
        first = FIRST_PLACE + verb * CELLS
        mask[first : first + CELLS] = places.reshape(-1)
    near, first = nearby(world, memory, unit), FIRST_THING
    for kind, what, size in AT_THINGS:
        ids = getattr(near, what)
        mask[first : first + len(ids)] = [_may(world, slot, kind, target) for target in ids]
        first += size
    return mask


def _may(world: World, slot: int, kind: OrderKind, target: int) -> bool:
    """Return whether a unit has what an order at something needs."""
    if kind == OrderKind.ATTACK:
        return bool(world.units.weapon[slot] != 0)
    if kind == OrderKind.TAKE_DOWN:
        return has_tool(world, slot, "take_down")
    if kind == OrderKind.DRAG:
        return has_tool(world, slot, "drag")
    prop = world.prop(target)
    if kind == OrderKind.HIDE:
        return prop is not None and prop.kind in HIDERS and bool(world.units.dragging[slot] >= 0)
    return prop is None or prop.carryable or prop.door != ""
