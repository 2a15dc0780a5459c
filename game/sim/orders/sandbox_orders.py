"""Orders of the sandbox: brushes, new units, and debug verbs."""

from __future__ import annotations

import numpy as np

from game.level.model import SIDES
from game.minds.alarm import ALARM
from game.minds.mind_turns import force_skill
from game.sim.create_world import add_unit
from game.sim.orders.order_handler import number_fault
from game.systems.sandbox.brushes import fault_of_paint, paint
from game.systems.sandbox.unit_verbs import BY_MINDS, MOST_UNITS, change_units, enemy_at, fault_of_verb, places_near
from game.world.mind_kinds import mind_can
from game.world.orders import Order, OrderKind
from game.world.world import World

MOST_AT_ONCE = 200
"""Units that one order places."""


class _OfLab:
    """Common base: these orders are for the world, and never wait in a queue."""

    to_units, waits = False, False


class Paint(_OfLab):
    """Paint with a brush of Lab, or undo and redo a stroke."""

    kinds = (OrderKind.PAINT,)

    def validate(self, world: World, order: Order) -> str:
        """Refuse unknown brushes and boxes outside the map."""
        return number_fault(order) or fault_of_paint(world, order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Paint."""
        paint(world, order)
        return False


class Spawn(_OfLab):
    """Add units of type ``name`` for side ``value``: the sandbox palette.

    ``points`` may hold their number. Each stands on one of the nearest walkable tiles.
    """

    kinds = (OrderKind.SPAWN,)

    def validate(self, world: World, order: Order) -> str:
        """Refuse unknown types and sides, and numbers that are no count."""
        fault = number_fault(order)
        if not fault and not any(t.name == order.name for t in world.types):
            fault = f"there is no unit type {order.name!r}"
        if not fault and not 0 <= int(order.value) < len(SIDES):
            fault = f"there is no side {order.value:g}; sides are 0 to {len(SIDES) - 1}"
        if not fault and len(order.points) and not 1 <= order.points[0] <= MOST_AT_ONCE:
            fault = f"1 to {MOST_AT_ONCE} units are placed at once, not {order.points[0]:g}"
        return fault

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Put the units down, or publish that no tile is free."""
        count = int(order.points[0]) if order.points else 1
        if count > 1 and len(world.units.living()) + count > MOST_UNITS:
            world.happen("refused", text=f"a map holds at most {MOST_UNITS} units of the sandbox")
            return False
        kind = next(i for i, t in enumerate(world.types) if t.name == order.name)
        free = places_near(world, order.x, order.y, count)
        if not len(free):
            world.happen("refused", text="no unit can stand there")
        for row, column in free.tolist():
            add_unit(world, kind, int(order.value), column + 0.5, row + 0.5)
        return False


class UnitVerb(_OfLab):
    """Carry out a debug verb on units of any side."""

    kinds = (OrderKind.VERB,)

    def validate(self, world: World, order: Order) -> str:
        """Refuse unknown verbs, sides and places."""
        return number_fault(order) or fault_of_verb(world, order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Change the units, or publish why they do not change."""
        if order.name not in BY_MINDS:
            change_units(world, order)
            return False
        u = world.units
        for unit in sorted({i for i in order.units if 0 <= i < u.next_id and u.alive[u.slot(i)]}):
            slot = u.slot(unit)
            wrong = force_skill(world, slot, order.text) if order.name == "state" else _set_target(world, slot, order)
            if wrong:
                world.happen("refused", unit, text=f"{world.name_of(unit)}: {wrong}")
        return False


def _set_target(world: World, slot: int, order: Order) -> str:
    """Tell a unit of the enemy at a place; return the reason against it.

    The unit then decides for itself: a guard fights the enemy or looks for it. Other units get the order to attack.
    """
    u = world.units
    other = enemy_at(world, slot, order.x, order.y)
    if other < 0:
        return "no enemy of it stands at that place"
    unit, target, x, y = int(u.id[slot]), int(u.id[other]), float(u.x[other]), float(u.y[other])
    if world.router is not None and mind_can(world.types[int(u.kind[slot])], "patrols"):
        data: dict[str, float | int | str] = {"x": x, "y": y, "who": target, "since": world.tick, "of_lab": 1}
        world.router.send(ALARM, target, unit, world.tick, 0, data=data)  # no unit hears itself
    else:
        world.pending.append(Order(int(OrderKind.ATTACK), int(u.side[slot]), (unit,), x, y, target))
    return ""
