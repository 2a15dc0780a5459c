"""Stage orders: what players and scripts want enters the world.

An order is looked up in the table of handlers (:mod:`game.sim.orders.order_table`), checked, and begun for all its
units at once, by columns.  Only what needs judgement (attacking, using things, patrolling back) is left to the mind,
which wakes with ORDERED.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from game.sim.orders.order_handler import OrderHandler
from game.sim.orders.order_table import HANDLERS
from game.systems.groups.formation_orders import form_up_who_stand
from game.systems.interaction.door_errands import carry_on
from game.systems.order_throttle import enter
from game.world.orders import OF_SQUADS, WITH_SHIFT, Order, OrderKind
from game.world.units import LabMark
from game.world.world import World

MARGIN = 1000.0
"""Tiles outside the map at which order coordinates are clamped.

Then they stay numbers.
"""

_NO_UNITS = np.zeros(0, np.int64)


def run(world: World) -> None:
    """Start the tick, then apply new orders in the order of giving.

    If they concern more units than a tick can start, the last orders wait for the next tick.
    """
    world.tick += 1
    world.events = []
    world.paths_to_cancel = []
    orders, world.pending = enter(world.pending, world.units.next_id - 1)
    world.recording["orders"] = tuple(orders)
    for order in orders:
        apply(world, order)
    start_queued(world)
    for slots, order in carry_on(world):
        slots = slots[world.units.lab[slots] & int(LabMark.FROZEN) == 0]
        if len(slots):
            HANDLERS[OrderKind(order.kind)].enter(world, slots, order)
    form_up_who_stand(world)


def apply(world: World, order: Order) -> None:
    """Carry out one order, or publish why it is refused."""
    kind = OrderKind(order.kind)
    handler = HANDLERS[kind]
    fault = handler.validate(world, order)
    if fault:
        world.happen("refused", text=fault)
        return
    order = replace(order, x=_on_map(order.x, world.terrain.width), y=_on_map(order.y, world.terrain.height))
    if not handler.to_units:
        handler.enter(world, _NO_UNITS, order)
        return
    order, slots = _own_units(world, order)
    if handler.waits and len(slots):
        slots = _past_queues(world, handler, slots, order)
    if not len(slots):
        return
    if order.squad < 0 and world.squads.rows and handler.waits and kind not in (OrderKind.FACE, *OF_SQUADS):
        # A unit leaves its squad with an order that its squad did not give.
        world.squads.release(world.units.id[slots].tolist())
    first = int(world.units.id[slots[0]])
    if handler.enter(world, slots, order) and order.squad < 0:
        world.happen("order", first, order.target, kind.name.lower())


def _on_map(value: float, size: int) -> float:
    """Return a coordinate at most MARGIN tiles off the map.

    A place outside means the nearest place inside.
    """
    return min(max(value, -MARGIN), size + MARGIN)


def _own_units(world: World, order: Order) -> tuple[Order, np.ndarray]:
    """Return the order with known units only, and slots of own living ones.

    An order that names a place for each unit keeps the places of just these.
    """
    u = world.units
    ids = np.array(order.units, np.int64)
    known = (ids >= 0) & (ids < u.next_id)
    ids = ids[known]
    if not known.all():
        order = replace(order, units=tuple(ids.tolist()))  # queues hold the order, and they do not check it again
    slots = u.slots(ids)
    mine = (u.alive[slots] == 1) & (u.side[slots] == order.side)
    still = mine & (u.lab[slots] & int(LabMark.FROZEN) != 0)
    if still.any():
        mine &= ~still
        world.happen("refused", text=f"{world.name_of(int(ids[still][0]))} is frozen and takes no orders")
    foreign = ids[u.side[slots] != order.side].tolist()
    if len(foreign) or not known.all():
        world.happen("refused", text=_stranger(order, foreign, int((~known).sum())))
    if order.kind not in OF_SQUADS and order.points and len(order.points) == 2 * len(known):
        points = np.asarray(order.points, float).reshape(-1, 2)[known][mine]
        points = np.clip(points, -MARGIN, (world.terrain.width + MARGIN, world.terrain.height + MARGIN))
        order = replace(order, points=tuple(points.reshape(-1).tolist()))
    return order, slots[mine]


def _stranger(order: Order, foreign: list[int], unknown: int) -> str:
    """Return which units of an order do not exist, or belong to another side."""
    word = OrderKind(order.kind).name.lower()
    if foreign:
        return f"{word}: unit {foreign[0]} is not of side {order.side}"
    return f"{word}: {unknown} of its units {'does' if unknown == 1 else 'do'} not exist"


def _past_queues(world: World, handler: OrderHandler, slots: np.ndarray, order: Order) -> np.ndarray:
    """Queue an order for busy units; return the units that begin now.

    An order that is not queued empties their queues, unless their squad gives it. A squad sets out as one: if one unit
    is busy, all wait.
    """
    u = world.units
    if order.squad >= 0:
        return slots
    if not (order.queued and OrderKind(order.kind) in WITH_SHIFT):
        if world.queues:
            for unit in u.id[slots].tolist():
                world.queues.pop(unit, None)
        return slots
    busy = ~_idle(world, slots) | np.isin(u.id[slots], list(world.queues))
    if order.kind in OF_SQUADS:
        busy[:] = busy.any()
    for unit in u.id[slots[busy]].tolist():
        world.queues.setdefault(unit, []).append(order)
    return slots[~busy]


def _idle(world: World, slots: np.ndarray) -> np.ndarray:
    """Return the idle units; members of a squad are idle while it rests."""
    u = world.units
    idle = (u.order[slots] == OrderKind.NONE) & (u.moving[slots] == 0)
    for squad in world.squads.rows.values():
        if squad.intent:
            idle[np.isin(u.id[slots], squad.members)] = squad.rests
    return idle


def _sets_out(world: World, order: Order, ready: set[int]) -> bool:
    """Return whether the next order of a free unit may begin.

    An order of a squad waits until it is the next one of all its units.
    """
    if order.kind not in OF_SQUADS:
        return True
    waiting = [unit for unit in order.units if order in world.queues.get(unit, ())]
    return all(unit in ready and world.queues[unit][0] == order for unit in waiting)


def start_queued(world: World) -> None:
    """Start queued orders of free units, by id."""
    u = world.units
    if not world.queues:
        return
    ids = np.sort(np.fromiter(world.queues, np.int64, len(world.queues)))
    slots = u.slot_of[ids]
    free = (u.alive[slots] == 1) & _idle(world, slots)
    free &= u.lab[slots] & int(LabMark.FROZEN) == 0
    turns: list[tuple[Order, list[int]]] = []
    ready = set(ids[free].tolist())
    for unit in sorted(ready):
        queue = world.queues[unit]
        if not _sets_out(world, queue[0], ready):
            continue
        order = queue.pop(0)
        if not queue:
            del world.queues[unit]
        units = next((units for other, units in turns if other == order), None)
        if units is None:
            turns.append((order, units := []))
        units.append(unit)
    for order, units in turns:
        if order.kind not in OF_SQUADS:
            world.squads.release(units)
        # Comrades come one by one, yet each takes its own place among all units that were sent there.
        together = [i for i in order.units if u.alive[u.slot(i)] and u.side[u.slot(i)] == order.side]
        HANDLERS[OrderKind(order.kind)].enter(world, u.slots(units), order, u.slots(together))
