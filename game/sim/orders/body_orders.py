"""Orders without movement: stop, hold, face, stance, pace, drop, and the drill."""

from __future__ import annotations

import numpy as np

from game.sim.orders.order_handler import number_fault
from game.systems.groups.formation_orders import drill_units, wheel
from game.systems.groups.membership import leave_groups
from game.systems.interaction.hand_work import drop
from game.systems.movement.posture import take_stance
from game.systems.movement.sneaking import give_up
from game.world.orders import Order, OrderKind
from game.world.units import Event, Fire, Pace, Stance
from game.world.world import World


class _Numbers:
    """Common base of these orders: a check of their numbers, and no queue."""

    to_units, waits = True, False

    def validate(self, world: World, order: Order) -> str:
        """Refuse numbers that mean nothing."""
        return number_fault(order)


class Halt(_Numbers):
    """Stop, or hold the place."""

    kinds = (OrderKind.STOP, OrderKind.HOLD)
    waits = True

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """End movement and paths."""
        u = world.units
        give_up(world, slots)
        leave_groups(world, slots)
        u.moving[slots] = 0
        u.path_request[slots] = 0
        u.target[slots] = -1
        u.stuck[slots] = 0
        world.paths_to_cancel.extend(u.id[slots].tolist())
        u.order[slots] = order.kind
        # A member that covers may be pushed aside by those that run past it.
        u.holding[slots] = order.kind == OrderKind.HOLD and order.squad < 0
        u.event[slots] |= int(Event.ORDERED)
        return True


class Face(_Numbers):
    """Turn towards a place; a formation wheels."""

    kinds = (OrderKind.FACE,)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Wheel the groups, turn the other units."""
        u = world.units
        slots = wheel(world, slots, order)
        u.turn_to[slots] = np.arctan2(order.y - u.y[slots], order.x - u.x[slots])
        u.head[slots] = u.turn_to[slots]
        return True


class TakeStance(_Numbers):
    """Stand, crouch or lie down."""

    kinds = (OrderKind.STANCE,)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Change the stance."""
        take_stance(world, slots, min(max(int(order.value), 0), len(Stance) - 1))
        return True


class SetPace(_Numbers):
    """Walk or run."""

    kinds = (OrderKind.PACE,)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Change the pace."""
        world.units.pace[slots] = min(max(int(order.value), 0), len(Pace) - 1)
        return True


class SetFire(_Numbers):
    """Return fire, fire at will or hold fire."""

    kinds = (OrderKind.FIRE,)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Change the fire discipline."""
        world.units.fire_at_will[slots] = min(max(int(order.value), 0), len(Fire) - 1)
        return True


class Drop(_Numbers):
    """Put down what is carried."""

    kinds = (OrderKind.DROP,)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Drop it where the unit stands."""
        for slot in slots.tolist():
            drop(world, slot)
        return True


class Drill(_Numbers):
    """Change the drill of a formation."""

    kinds = (OrderKind.FORMATION,)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Change it; what the drill does not know it refuses itself."""
        return drill_units(world, slots, order)
