"""Plan mode: time is stopped, each unit gets one action, all start together.

A plan holds orders that have not been given. It belongs to the view. When it is run, all its orders are given in one
tick. The log and a replay hold only these orders.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ai.paths.requests.goal_resolution import spread_goals
from ai.tactics.unseen_paths import weighted_path
from game.systems.groups.formation_preview import places_of_each
from game.systems.interaction.abilities import ABILITIES
from game.systems.interaction.hand_work import HOOK, REACH
from game.systems.movement.sneaking import CAP, sneak_path
from game.view.input.order_input import nearest_tile
from game.world.orders import NO_FACING, Order, OrderKind
from game.world.units import Pace, Stance

_WALKS = (OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.SNEAK)
MANNERS = (OrderKind.STANCE, OrderKind.PACE)
"""Orders that set stance or pace, kept beside the action of a unit."""
PLANNED = (
    OrderKind.MOVE, OrderKind.ATTACK, OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.STOP, OrderKind.HOLD,
    OrderKind.USE, OrderKind.DROP, OrderKind.THROW, OrderKind.WHISTLE, OrderKind.TAKE_DOWN, OrderKind.DRAG,
    OrderKind.HIDE, OrderKind.SNEAK,
)  # fmt: skip
"""Orders that are the action of a unit; other orders are given immediately."""
TICKS_PER_SECOND = 20


@dataclass(frozen=True)
class Ghost:
    """Preview of an action: path (x, y) in tiles, end, facing (radians), target.

    ``at`` is the place of the target. ``seconds`` is the time of the walk and the handling together; it is infinite
    when there is no path.
    """

    unit: int
    order: Order
    path: tuple[tuple[float, float], ...]
    x: float
    y: float
    facing: float
    at: tuple[float, float] | None
    stance: int
    seconds: float


@dataclass
class Plan:
    """Planned actions by unit id; ``on`` while time is stopped for planning."""

    on: bool = False
    actions: dict[int, Order] = field(default_factory=dict)
    manners: dict[int, dict[int, Order]] = field(default_factory=dict)
    version: int = 0
    """Grows with every change, so that the ghosts are computed again."""

    @property
    def units(self) -> tuple[int, ...]:
        """Return the ids of all units with a plan."""
        return tuple(sorted({*self.actions, *self.manners}))

    def take(self, order: Order) -> bool:
        """Plan an order for its units; return False when it cannot be planned."""
        kind = OrderKind(order.kind)
        if kind in MANNERS:
            again = all(
                (had := self.manners.get(u, {}).get(order.kind)) is not None and had.value == order.value
                for u in order.units
            )
            for unit in order.units:
                # The same stance or pace a second time removes it from the plan.
                if again:
                    del self.manners[unit][order.kind]
                else:
                    self.manners.setdefault(unit, {})[order.kind] = order
            self.manners = {u: rows for u, rows in self.manners.items() if rows}
        elif kind in PLANNED:
            # One action a unit: a queued order replaces the first one.
            order = replace(order, queued=False)
            for unit in order.units:
                self.actions[unit] = order
        else:
            return False
        self.version += 1
        return True

    def forget(self, unit: int) -> None:
        """Remove the plan of one unit."""
        self.actions.pop(unit, None)
        self.manners.pop(unit, None)
        self.version += 1

    def keep_only(self, living: frozenset[int]) -> None:
        """Drop the plans of dead units."""
        for unit in [u for u in self.units if u not in living]:
            self.forget(unit)

    def drop(self) -> None:
        """Drop the whole plan."""
        self.actions.clear()
        self.manners.clear()
        self.version += 1

    def orders(self) -> list[Order]:
        """Return the orders of the plan: stance and pace first, then the actions.

        Units that share an order get one order together.
        """
        found: list[Order] = []
        of_units = [row for unit in self.units for row in self.manners.get(unit, {}).items()]
        for order in _distinct([order for _, order in of_units]):
            units = tuple(u for u in order.units if self.manners.get(u, {}).get(order.kind) is order)
            found.append(replace(order, units=units))
        for order in _distinct([self.actions[u] for u in self.units if u in self.actions]):
            found.append(replace(order, units=tuple(u for u in order.units if self.actions.get(u) is order)))
        return found


def _distinct(orders: list[Order]) -> list[Order]:
    """Return each object once, in order of first occurrence."""
    seen: dict[int, Order] = {}
    for order in orders:
        seen.setdefault(id(order), order)
    return list(seen.values())


def ghosts_of(plan: Plan, world: Any) -> list[Ghost]:
    """Return the ghost of each planned unit, by id.

    Paths are found by the search of the library on the present terrain.
    """
    places: dict[int, tuple[float, float, float]] = {}
    for order in _distinct(list(plan.actions.values())):
        if OrderKind(order.kind) in _WALKS:
            units = [u for u in order.units if plan.actions.get(u) is order]
            formed = _formed(world, order, units)
            places |= _places(world, order, [u for u in units if u not in formed]) | formed
    return [_ghost(plan, world, unit, places.get(unit)) for unit in plan.units]


def _formed(world: Any, order: Order, units: list[int]) -> dict[int, tuple[float, float, float]]:
    """Return (x, y, facing) by unit for a move in formation, else nothing."""
    if order.kind == OrderKind.SNEAK or not units:
        return {}
    u = world.units
    slots = u.slots(units)
    lead = int(slots[((u.x[slots] - order.x) ** 2 + (u.y[slots] - order.y) ** 2).argmin()])
    path = _path_along(world, lead, order, (order.x, order.y))
    if path is None or len(path) < 2:
        return {}
    return places_of_each(world, tuple(units), order.x, order.y, order.facing, np.array(path))


def _places(world: Any, order: Order, units: list[int]) -> dict[int, tuple[float, float, float]]:
    """Return a tile's centre for each unit of an order without formation.

    The places are assigned as the order stage of the simulation assigns them.
    """
    if not units:
        return {}
    u = world.units
    slots = u.slots(units)
    first = int(slots[0])
    start = int(u.y[first]), int(u.x[first])
    goal = math.floor(order.y), math.floor(order.x)
    tiles = spread_goals(world.terrain, world.components, int(u.movement_class[first]), goal, len(units), start=start)
    if not len(tiles):
        return {}
    return {
        unit: (float(tiles[k % len(tiles)][1]) + 0.5, float(tiles[k % len(tiles)][0]) + 0.5, order.facing)
        for k, unit in enumerate(sorted(units))
    }


def _ghost(plan: Plan, world: Any, unit: int, place: tuple[float, float, float] | None) -> Ghost:
    u, slot = world.units, world.units.slot(unit)
    x, y, facing = float(u.x[slot]), float(u.y[slot]), float(u.facing[slot])
    manners = plan.manners.get(unit, {})
    stance = int(manners[OrderKind.STANCE].value) if OrderKind.STANCE in manners else int(u.stance[slot])
    pace = int(manners[OrderKind.PACE].value) if OrderKind.PACE in manners else int(u.pace[slot])
    order = plan.actions.get(unit)
    if order is None:
        return Ghost(unit, next(iter(manners.values())), (), x, y, facing, None, stance, 0.0)
    at = done_to(world, order)
    goal = place[:2] if place is not None else at
    if goal is None:
        return Ghost(unit, order, (), x, y, facing, None, stance, hands(world, order))
    path = _path_along(world, slot, order, goal)
    if path is None:
        return Ghost(unit, order, ((x, y),), x, y, facing, at, stance, math.inf)
    path = _cut(path, goal, _reach(world, order))
    end = path[-1]
    if place is not None and place[2] != NO_FACING:
        facing = place[2]
    elif at is not None and math.hypot(at[0] - end[0], at[1] - end[1]) > 0.3:
        facing = math.atan2(at[1] - end[1], at[0] - end[0])
    elif len(path) > 1:
        facing = math.atan2(end[1] - path[-2][1], end[0] - path[-2][0])
    length = sum(math.hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(path))
    seconds = length / speed_of(world, slot, stance, pace) + hands(world, order)
    return Ghost(unit, order, tuple(path), *end, facing, at, stance, seconds)


def done_to(world: Any, order: Order) -> tuple[float, float] | None:
    """Return the place (x, y) in tiles of an action, or None.

    It is the place of the order, or that of its unit, prop, door or lamp. A unit that the side does not see counts at
    the place stored in the order.
    """
    kind = OrderKind(order.kind)
    if kind in (OrderKind.STOP, OrderKind.HOLD, OrderKind.DROP, OrderKind.WHISTLE):
        return None
    if kind in (OrderKind.ATTACK, OrderKind.TAKE_DOWN, OrderKind.DRAG) and order.target >= 0:
        slot = world.units.slot(order.target)
        x, y = float(world.units.x[slot]), float(world.units.y[slot])
        own = int(world.units.side[slot]) == order.side
        return (x, y) if own or world.sight.sees(order.side, int(y), int(x)) else (order.x, order.y)
    if kind in (OrderKind.USE, OrderKind.HIDE):
        prop, lamp, door = world.prop(order.target), world.lamp(order.target), world.door(order.target)
        if prop is not None:
            return float(prop.x), float(prop.y)
        if lamp is not None:
            return float(lamp.x), float(lamp.y)
        if door is not None:
            return door.centre[0], door.centre[1]
    return order.x, order.y


def hands(world: Any, order: Order) -> float:
    """Return the seconds of handling that an order takes."""
    if order.kind == OrderKind.USE:
        return float(world.settings.rules.use_ticks) / TICKS_PER_SECOND
    ability = ABILITIES.get(OrderKind(order.kind))
    return ability.ticks / TICKS_PER_SECOND if ability is not None else 0.0


def _reach(world: Any, order: Order) -> float:
    """Return the distance in tiles from the goal at which the walk ends.

    A throw, for example, is done from a distance.
    """
    if order.kind == OrderKind.USE:
        # A hook reaches a lamp from the dark tiles beside it.
        return REACH + (HOOK if world.lamp(order.target) is not None else 0.0)
    ability = ABILITIES.get(OrderKind(order.kind))
    return ability.reach if ability is not None and ability.target else 0.0


def speed_of(world: Any, slot: int, stance: int, pace: int) -> float:
    """Return a unit's speed in tiles/s for a stance and a pace."""
    kind = world.types[int(world.units.kind[slot])]
    if stance == Stance.CROUCH:
        speed = kind.crouch
    elif stance == Stance.PRONE:
        speed = kind.prone
    else:
        speed = kind.run if pace == Pace.RUN else kind.walk
    loaded = world.units.carrying[slot] >= 0 or world.units.dragging[slot] >= 0
    return max(speed * (world.settings.rules.carry_speed if loaded else 1.0), 0.05)


def _path_along(world: Any, slot: int, order: Order, goal: tuple[float, float]) -> list[tuple[float, float]] | None:
    """Return the path to a goal or the nearest reachable tile, or None.

    A sneak order avoids the view of the watchers that the side knows.
    """
    u, terrain = world.units, world.terrain
    movement_class = int(u.movement_class[slot])
    start = int(u.y[slot]), int(u.x[slot])
    tile = min(max(int(goal[1]), 0), terrain.height - 1), min(max(int(goal[0]), 0), terrain.width - 1)
    end = goal
    if not world.components.reachable(movement_class, *start, *tile):
        near = nearest_tile(world, movement_class, start, tile)
        if near is None:
            return None
        tile, end = near, (near[1] + 0.5, near[0] + 0.5)
    if order.kind == OrderKind.SNEAK:
        found = sneak_path(world, slot, start, tile)
    else:
        found = weighted_path(terrain, terrain.cost, movement_class, start, tile, CAP)
    if found is None:
        return None
    own = float(u.x[slot]), float(u.y[slot])
    return [own, *((x + 0.5, y + 0.5) for y, x in found[1:-1].tolist()), end]


def _cut(path: list[tuple[float, float]], goal: tuple[float, float], reach: float) -> list[tuple[float, float]]:
    """Return a path up to its first point within ``reach`` of the goal."""
    if reach <= 0:
        return path
    for k, (x, y) in enumerate(path):
        if math.hypot(goal[0] - x, goal[1] - y) <= reach:
            return path[: k + 1]
    return path
