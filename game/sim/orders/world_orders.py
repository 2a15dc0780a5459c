"""World orders: a setting, an edit of the map."""

from __future__ import annotations

import numpy as np

from game.sim.orders.order_handler import number_fault
from game.systems.interaction.map_edits import edit_map
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
