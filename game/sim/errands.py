"""Doors as goals: who is sent behind a shut door has somebody open it first.

The way is looked for as if every door that the unit's side may work were open.  Scanned from its end backwards, all
that lies behind the first shut door on it is dropped; what takes its place is: work the switch on this side of it, then
go on (:mod:`ai.decision.goals`).  One of the units goes, the one nearest to the switch; the others go as near
as they can and set out again when the map opens.  What lies behind the door is planned when it is open.

Source: "AI Game Programming Wisdom", 4.5 (doors and switches as goals, lazy expansion).
"""

from __future__ import annotations

import math

import numpy as np

from ai.decision.goals import GoalKind, Link, goals_of_door, goals_of_path
from ai.grid.terrain import Terrain
from ai.search.astar import FOUND, AStarSearch
from game.world.handling import REACH
from game.world.orders import Order, OrderKind
from game.world.places import Door, DoorErrand, Prop
from game.world.world import World

LARGEST = 1 << 18
"""Maps of more tiles than this are not searched for a way through doors: it would take too long for one tick."""


def open_the_way(world: World, slots: np.ndarray, order: Order) -> int:
    """When only a shut door keeps these units from where they are sent: send one of them to its switch first.

    Returns the slot of the one that goes, -1 when nobody need or can.
    """
    terrain, u = world.terrain, world.units
    goal = (math.floor(order.y), math.floor(order.x))
    if not world.settings.rules.open_doors or not len(slots) or terrain.passable.size > LARGEST:
        return -1
    if not terrain.inside(*goal) or not any(not door.open for door in world.doors):
        return -1
    world.components.update(terrain)
    by_id = slots[np.argsort(u.id[slots], kind="stable")]
    away = (u.x[by_id] - order.x) ** 2 + (u.y[by_id] - order.y) ** 2
    lead = int(by_id[np.argmin(away)])
    klass = int(u.klass[lead])
    start = (math.floor(u.y[lead]), math.floor(u.x[lead]))
    home = world.components.label(klass, *start) if terrain.inside(*start) else 0
    if home == 0 or world.components.label(klass, *goal) == home:
        return -1
    doors = [door for door in world.doors if not door.open and _switches(world, door, order.side)]
    path = _way_through(terrain, doors, klass, start, goal)
    if path is None:
        return -1
    owner = np.full(terrain.passable.shape, -1, np.int64)
    for k, door in enumerate(doors):
        owner[door.y0 : door.y1, door.x0 : door.x1] = k
    into = owner[path[1:, 0], path[1:, 1]]
    kinds = np.where(into >= 0, int(Link.DOOR), int(Link.PLAIN))
    # A door is what the path meets last when scanned from its end: the first one on the way.
    goals = goals_of_path(list(range(len(path))), kinds.tolist(), into.tolist())
    last = goals[-1] if goals else None
    if last is None or last.kind != GoalKind.PASS_DOOR:
        return -1
    door = doors[last.about]
    switches = _switches(world, door, order.side)
    homes = [_home_of(world, klass, switch, home) for switch in switches]
    tasks = goals_of_door(door.id, [switch.id for switch in switches], homes, last.node - 1, home)
    if tasks[0].kind != GoalKind.WORK:
        return -1
    at_it = (u.order[: u.count] == OrderKind.USE) & (u.alive[: u.count] == 1) & (u.side[: u.count] == order.side)
    at_it &= np.isin(u.order_target[: u.count], [switch.id for switch in switches])
    if at_it.any():
        # Somebody is at it already; twice worked would be shut again.
        someone = int(u.id[: u.count][at_it].min())
        world.door_errands.append(DoorErrand(someone, door.id, tuple(u.id[by_id].tolist()), order))
        return -1
    chosen = next(switch for switch in switches if switch.id == tasks[0].about)
    x, y = chosen.centre if isinstance(chosen, Door) else (chosen.x, chosen.y)
    able = by_id[(u.klass[by_id] == klass) & (_labels(world, klass, by_id) == home)]
    porter = int(able[np.argmin((u.x[able] - x) ** 2 + (u.y[able] - y) ** 2)])
    unit = int(u.id[porter])
    world.queues[unit] = [
        Order(order.kind, order.side, (unit,), order.x, order.y, order.target, False, facing=order.facing),
        *world.queues.get(unit, []),
    ]
    rest = tuple(int(u.id[s]) for s in by_id.tolist() if s != porter)
    if rest:
        world.door_errands.append(DoorErrand(unit, door.id, rest, order))
    world.happen("errand", unit, chosen.id, f"goes to open the {door.name or door.kind} first")
    return porter


def carry_on(world: World) -> list[tuple[np.ndarray, Order]]:
    """Errands that are done: who waited before the door, and the order with which they set out again."""
    u = world.units
    out: list[tuple[np.ndarray, Order]] = []
    for errand in list(world.door_errands):
        door = world.door(errand.door)
        slot = u.slot(errand.unit)
        if door is not None and door.open:
            slots = u.slots(errand.units)
            same = (u.order_x[slots] - errand.order.x) ** 2 + (u.order_y[slots] - errand.order.y) ** 2 < 1e-12
            group = np.array(
                [world.groups.rows[b].goal if b >= 0 else (np.inf, np.inf) for b in u.band[slots].tolist()]
            )
            same |= (group == (errand.order.x, errand.order.y)).all(axis=1)
            idle = (u.order[slots] == OrderKind.NONE) & (u.moving[slots] == 0)
            out.append((slots[(u.alive[slots] == 1) & (same | idle)], errand.order))
        elif u.alive[slot] and u.order[slot] == OrderKind.USE:
            continue
        world.door_errands.remove(errand)
    return out


def use_order(world: World, slot: int, order: Order) -> Order:
    """The order with which the one who goes begins."""
    unit = int(world.units.id[slot])
    thing = next(e.other for e in reversed(world.events) if e.kind == "errand" and e.unit == unit)
    found = world.prop(thing) or world.door(thing)
    assert found is not None
    x, y = found.centre if isinstance(found, Door) else (found.x, found.y)
    return Order(int(OrderKind.USE), order.side, (unit,), x, y, thing)


def _switches(world: World, door: Door, side: int) -> list[Prop | Door]:
    """What works a door for a side: its winches, and the door itself where hands may."""
    found: list[Prop | Door] = [prop for prop in world.props if prop.door and prop.door == door.name]
    return [*found, door] if side in door.opens_for else found


def _home_of(world: World, klass: int, thing: Prop | Door, home: int) -> int:
    """``home`` if somebody of that component can reach the thing, else another number."""
    labels = world.components.label_map(klass)
    if isinstance(thing, Door):
        y0, x0, y1, x1 = float(thing.y0), float(thing.x0), float(thing.y1), float(thing.x1)
    else:
        y0, x0 = thing.y - thing.height / 2, thing.x - thing.width / 2
        y1, x1 = thing.y + thing.height / 2, thing.x + thing.width / 2
    low_y, low_x = max(0, math.floor(y0 - REACH)), max(0, math.floor(x0 - REACH))
    near = labels[low_y : math.ceil(y1 + REACH), low_x : math.ceil(x1 + REACH)]
    ys, xs = np.nonzero(near == home)
    cy, cx = ys + low_y + 0.5, xs + low_x + 0.5
    off = np.hypot(cx - np.clip(cx, x0, x1), cy - np.clip(cy, y0, y1))
    return home if bool((off <= REACH).any()) else -1


def _labels(world: World, klass: int, slots: np.ndarray) -> np.ndarray:
    u, t = world.units, world.terrain
    ty, tx = np.clip(np.floor(u.y[slots]), 0, t.height - 1), np.clip(np.floor(u.x[slots]), 0, t.width - 1)
    return world.components.labels_of(klass, np.column_stack([ty, tx]).astype(np.int32))


def _way_through(
    terrain: Terrain, doors: list[Door], klass: int, start: tuple[int, int], goal: tuple[int, int]
) -> np.ndarray | None:
    """Tiles int32[n, 2] from start to goal as if these doors stood open, or None."""
    if not doors:
        return None
    passable = terrain.passable.copy()
    for door in doors:
        passable[door.y0 : door.y1, door.x0 : door.x1] |= door.passable_open
    if not passable[goal] >> klass & 1:
        return None
    ground = Terrain.build(passable, terrain.cost)
    search = AStarSearch(ground.height, ground.width)
    search.begin(ground, klass, start, goal)
    search.run(ground, 4 * ground.passable.size)
    return search.path() if search.status == FOUND else None
