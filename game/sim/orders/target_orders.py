"""Orders at a unit, a prop or a door.

The mind carries them out, so they only enter the unit's columns.
"""

from __future__ import annotations

import numpy as np

from game.sim.orders.order_handler import number_fault, unit_fault
from game.systems.groups.membership import leave_groups
from game.systems.movement.sneaking import give_up
from game.world.orders import Order, OrderKind
from game.world.units import Event
from game.world.world import World


class AtThing:
    """Something to be done at a thing or a place."""

    kinds: tuple[OrderKind, ...] = (OrderKind.USE, OrderKind.THROW, OrderKind.WHISTLE, OrderKind.HIDE)
    to_units, waits = True, True

    def validate(self, world: World, order: Order) -> str:
        """Refuse what is no place."""
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Write the order for the mind."""
        begin_at_target(world, slots, order)
        return True


class AtUnit(AtThing):
    """Something to be done at a unit."""

    kinds = (OrderKind.ATTACK, OrderKind.TAKE_DOWN, OrderKind.DRAG)

    def validate(self, world: World, order: Order) -> str:
        """Refuse a unit that does not exist."""
        return unit_fault(world, order)


def begin_at_target(world: World, slots: np.ndarray, order: Order) -> None:
    """Write an order at a target into unit columns, and wake their minds."""
    u = world.units
    give_up(world, slots)
    leave_groups(world, slots)
    u.order[slots] = order.kind
    u.order_target[slots] = order.target
    u.ordered_x[slots], u.ordered_y[slots] = order.x, order.y
    u.holding[slots] = 0
    u.target[slots] = -1
    u.event[slots] |= int(Event.ORDERED)
