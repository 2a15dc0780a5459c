"""Squad orders: the units become a squad with an intent."""

from __future__ import annotations

import numpy as np

from game.minds.squad.intents import INTENTS
from game.minds.squad.squad_mind import form_squad
from game.sim.orders.order_handler import number_fault
from game.systems.groups.membership import leave_groups
from game.systems.movement.sneaking import give_up
from game.world.orders import Order, OrderKind, brief
from game.world.world import World


class SquadIntent:
    """Intent for the units as one squad, such as to take a place."""

    kinds: tuple[OrderKind, ...] = (OrderKind.SQUAD,)
    to_units, waits = True, True

    def validate(self, world: World, order: Order) -> str:
        """Refuse what is no place, and an intent that does not exist."""
        if order.name not in INTENTS:
            return f"squad: there is no intent {brief(order.name)}; one of {', '.join(INTENTS)}"
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Form the squad; its mind gives the members their orders."""
        give_up(world, slots)
        leave_groups(world, slots)
        form_squad(world, order.side, world.units.id[slots].tolist(), order.name, order.x, order.y, order.text)
        return True
