"""Squad orders: the units become a squad with an intent."""

from __future__ import annotations

import numpy as np

from game.minds.squad.commander import each_by_itself, set_up
from game.minds.squad.intents import INTENTS
from game.minds.squad.squad_commands import living_of
from game.minds.squad.squad_mind import form_squad
from game.sim.orders.order_handler import number_fault
from game.systems.groups.membership import leave_groups
from game.systems.movement.sneaking import give_up
from game.world.orders import Order, OrderKind, brief
from game.world.world import World

EIGHT = 8
"""Members of a squad that is formed from loose units, at most."""


class SquadIntent:
    """Intent for the units as one squad, such as to take a place."""

    kinds: tuple[OrderKind, ...] = (OrderKind.SQUAD,)
    to_units, waits = True, True

    def validate(self, world: World, order: Order) -> str:
        """Refuse what is no place, and an intent that does not exist."""
        if order.name not in INTENTS:
            return f"squad: there is no intent {brief(order.name)}; one of {', '.join(INTENTS)}"
        height, width = world.terrain.passable.shape
        if order.points and not (
            len(order.points) == 2 and 0 <= order.points[0] < width and 0 <= order.points[1] < height
        ):
            return "squad: points are the place x, y of a bend on the map, or empty"
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Form the squad; its mind gives the members their orders."""
        give_up(world, slots)
        leave_groups(world, slots)
        units = world.units.id[slots].tolist()
        form_squad(world, order.side, units, order.name, order.x, order.y, order.text, order.points)
        return True


class CommandSquads:
    """Objectives for the units as squads under one commander."""

    kinds: tuple[OrderKind, ...] = (OrderKind.COMMAND,)
    to_units, waits = True, True

    def validate(self, world: World, order: Order) -> str:
        """Refuse objectives that are no places, and an intent that does not exist."""
        if order.name not in INTENTS:
            return f"command: there is no intent {brief(order.name)}; one of {', '.join(INTENTS)}"
        if not order.points or len(order.points) % 2:
            return "command: the objectives are points x, y; give at least one"
        height, width = world.terrain.passable.shape
        at = np.asarray(order.points, float).reshape(-1, 2)
        if not ((at >= 0) & (at < (width, height))).all():
            return "command: an objective lies outside the map"
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Form the squads and their command post.

        Without commanders each squad takes the objective nearest to it.
        """
        give_up(world, slots)
        leave_groups(world, slots)
        squads = [form_squad(world, order.side, units, "", 0.0, 0.0) for units in squads_of(world, slots)]
        places = [(x, y) for x, y in np.asarray(order.points, float).reshape(-1, 2).tolist()]
        if world.settings.tactics.commands:
            set_up(world, order.side, squads, order.name, places)
        else:
            each_by_itself(world, squads, order.name, places)
        return True


def squads_of(world: World, slots: np.ndarray) -> list[list[int]]:
    """Return the units of each squad.

    Complete squads stay. Other units go by control group, eight in a squad at most.
    """
    u = world.units
    left = set(u.id[slots].tolist())
    found = []
    for squad in world.squads.rows.values():
        living = living_of(world, squad)
        if living and left.issuperset(living):
            found.append(living)
            left.difference_update(living)
    rest = sorted(left, key=lambda unit: (int(u.group[u.slot(unit)]), unit))
    for group in sorted({int(u.group[u.slot(unit)]) for unit in rest}):
        units = [unit for unit in rest if u.group[u.slot(unit)] == group]
        found += [units[k : k + EIGHT] for k in range(0, len(units), EIGHT)]
    return found
