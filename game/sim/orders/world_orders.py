"""World orders: a setting, a new unit, an edit of the map, a brush."""

from __future__ import annotations

import math

import numpy as np

from ai.paths.requests.goal_resolution import spread_goals
from game.level.model import SIDES
from game.sim.create_world import add_unit
from game.sim.orders.order_handler import number_fault
from game.systems.interaction.map_edits import edit_map
from game.systems.sandbox.brushes import fault_of_paint, paint
from game.world.orders import Order, OrderKind
from game.world.settings import set_value
from game.world.world import World


class Setting:
    """Change a setting while the game runs."""

    kinds = (OrderKind.SETTING,)
    to_units, waits = False, False

    def validate(self, world: World, order: Order) -> str:
        """Refuse nothing; the setting checks its own range."""
        return ""

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Set it, or publish why it cannot be set."""
        try:
            set_value(world.settings, order.name, order.text or order.value)
        except ValueError as error:
            world.happen("refused", text=str(error))
        return False


class Edit:
    """Change the map."""

    kinds = (OrderKind.EDIT,)
    to_units, waits = False, False

    def validate(self, world: World, order: Order) -> str:
        """Refuse numbers that mean nothing."""
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Edit the map."""
        edit_map(world, order)
        return False


class Paint:
    """Paint with a brush of Lab, or undo and redo a stroke."""

    kinds = (OrderKind.PAINT,)
    to_units, waits = False, False

    def validate(self, world: World, order: Order) -> str:
        """Refuse unknown brushes and boxes outside the map."""
        return number_fault(order) or fault_of_paint(world, order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Paint."""
        paint(world, order)
        return False


class Spawn:
    """Add a unit of type ``name`` for side ``value``: the sandbox palette.

    It stands on the nearest walkable tile.
    """

    kinds = (OrderKind.SPAWN,)
    to_units, waits = False, False

    def validate(self, world: World, order: Order) -> str:
        """Refuse unknown types and sides."""
        fault = number_fault(order)
        if not fault and not any(t.name == order.name for t in world.types):
            fault = f"there is no unit type {order.name!r}"
        if not fault and not 0 <= int(order.value) < len(SIDES):
            fault = f"there is no side {order.value:g}; sides are 0 to {len(SIDES) - 1}"
        return fault

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Put the unit down, or publish that no tile is free."""
        world.components.update(world.terrain)
        free = spread_goals(world.terrain, world.components, 0, (math.floor(order.y), math.floor(order.x)), 1)
        if not len(free):
            world.happen("refused", text="no unit can stand there")
            return False
        kind = next(i for i, t in enumerate(world.types) if t.name == order.name)
        add_unit(world, kind, int(order.value), float(free[0, 1]) + 0.5, float(free[0, 0]) + 0.5)
        return False
