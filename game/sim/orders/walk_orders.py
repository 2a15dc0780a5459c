"""Walk orders: to a place, patrol, sneak, or own place per unit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from game.sim.orders.order_handler import number_fault, unit_fault
from game.sim.orders.order_places import find_places, own_places
from game.sim.orders.target_orders import begin_at_target
from game.systems.groups.companies import send_companies
from game.systems.groups.group_forming import begin_group
from game.systems.groups.membership import leave_groups
from game.systems.interaction.door_errands import open_the_path
from game.systems.movement.sneaking import begin, give_up
from game.systems.tactics.flank_orders import FIX_AND_FLANK, elements_of
from game.systems.tactics.route_costs import AROUND, LAWS, WARY
from game.systems.tactics.side_influence import influence_of
from game.systems.tactics.tactical_places import find_place, place_names
from game.world.events import AS_NEAR, NO_ROOM
from game.world.orders import Order, OrderKind, brief
from game.world.units import Event
from game.world.world import World


class Walk:
    """Walk to a place, with or without attacking on the path.

    In formation, through doors, or each unit by itself.
    """

    kinds: tuple[OrderKind, ...] = (OrderKind.MOVE, OrderKind.ATTACK_MOVE)
    to_units, waits = True, True
    opens_doors, groups, companies = True, True, True

    def validate(self, world: World, order: Order) -> str:
        """Refuse what is no place."""
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Enter the order: open a door, send groups, then the other units.

        Each other unit gets a place of its own.
        """
        give_up(world, slots)
        porter = open_the_path(world, slots, order) if self.opens_doors else None
        if porter is not None:
            begin_at_target(world, np.array(porter[:1]), porter[1])
            slots = slots[slots != porter[0]]
            together = None if together is None else together[together != porter[0]]
        if self.groups and len(slots):
            slots = begin_group(world, send_companies(world, slots, order) if self.companies else slots, order)
        if not len(slots):
            return True
        together = None if together is None else together[world.units.band[together] < 0]
        leave_groups(world, slots)
        lanes = together is None
        together = slots if together is None else together
        x, y, ordered_at = find_places(world, together, order.x, order.y, lanes)
        mine = np.flatnonzero(np.isin(together, slots))
        send(world, together[mine], OrderKind(order.kind), x[mine], y[mine], ordered_at[mine])
        return True


class Patrol(Walk):
    """To and fro between here and a place."""

    kinds = (OrderKind.PATROL,)
    opens_doors, companies = False, False


class Sneak(Walk):
    """Sneak to a place past the eyes that the side knows of.

    Each unit goes by itself, whatever its drill.
    """

    kinds = (OrderKind.SNEAK,)
    groups = False

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Send the units alone, then look for a path past the eyes."""
        u = world.units
        if (u.band[slots] >= 0).any():
            world.happen("loose", int(u.id[slots[0]]), text="a sneaking unit goes alone, out of formation")
        super().enter(world, slots, replace(order, kind=int(OrderKind.MOVE)), together)
        begin(world, slots)
        return True


class Route(Walk):
    """Go to a place by a law of route, such as a flank.

    Each unit goes by itself, whatever its drill.
    """

    kinds = (OrderKind.ROUTE,)
    groups = False

    def validate(self, world: World, order: Order) -> str:
        """Refuse what is no place, and a law that does not exist."""
        if order.name not in LAWS:
            return f"route: there is no law {brief(order.name)}; one of {', '.join(LAWS)}"
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Send the units alone, then look for their routes."""
        super().enter(world, slots, replace(order, kind=int(OrderKind.MOVE)), together)
        if order.name != WARY:
            influence_of(world, order.side)
        begin(world, slots, order.name)
        return True


class Post:
    """Go to the best place by a selector or a recipe.

    Units choose one after the other. A place that one unit takes is taken for the others. A unit without a place
    keeps what it does, and says so.
    """

    kinds: tuple[OrderKind, ...] = (OrderKind.POST,)
    to_units, waits = True, True

    def validate(self, world: World, order: Order) -> str:
        """Refuse a name that is no selector or recipe, and a wrong target."""
        if order.name != FIX_AND_FLANK and order.name not in place_names(world):
            return f"post: there is no selector {brief(order.name)}; one of {', '.join(place_names(world))}"
        return number_fault(order) if order.target < 0 else unit_fault(world, order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Find a place for each unit, by id, and send it there."""
        u = world.units
        give_up(world, slots)
        leave_groups(world, slots)
        if order.name == FIX_AND_FLANK:
            _fix_and_flank(world, slots, order)
            return True
        for slot in sorted(slots.tolist(), key=lambda s: int(u.id[s])):
            send_to_post(world, slot, order.name, order.target)
        return True


def _fix_and_flank(world: World, slots: np.ndarray, order: Order) -> None:
    """Send one half to pin the enemy, the other around the zone between.

    Without a plan, or with ``tactics.fixes`` off, all go to the nearest places to fire from.
    """
    elements = elements_of(world, slots, order.target) if world.settings.tactics.fixes else None
    if elements is None:
        for slot in sorted(slots.tolist(), key=lambda s: int(world.units.id[s])):
            send_to_post(world, slot, "fire", order.target)
        return
    plan = elements.plan
    for part, tile in ((elements.fix, plan.pin), (elements.flank, plan.goal)):
        members = np.array(part)
        x, y, ordered_at = find_places(world, members, tile[1] + 0.5, tile[0] + 0.5)
        send(world, members, OrderKind.MOVE, x, y, ordered_at)
    begin(world, np.array(elements.flank), AROUND, (plan.pin[1] + 0.5, plan.pin[0] + 0.5))


def send_to_post(world: World, slot: int, name: str, target: int = -1) -> bool:
    """Send a unit to its best place; return whether there was one."""
    u = world.units
    unit = int(u.id[slot])
    world.tactics.posts.pop(unit, None)
    place = find_place(world, slot, name, target)
    if place is None:
        world.happen("no_place", unit, text=f"no place to {name.replace('_', ' ')}")
        return False
    world.tactics.posts[unit] = place.x, place.y
    send(world, np.array([slot]), OrderKind.MOVE, np.array([place.x]), np.array([place.y]))
    return True


class MoveEach:
    """Move each unit to its own place, as named in the order."""

    kinds = (OrderKind.MOVE_EACH,)
    to_units, waits = True, False

    def validate(self, world: World, order: Order) -> str:
        """Refuse what is no place, and other than two numbers for each unit."""
        if len(order.points) != 2 * len(order.units):
            return number_fault(order) or f"{len(order.units)} units have {len(order.points)} numbers for their places"
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Send the units; ``order`` has points for just these.

        Each unit goes to the exact point. If its body does not fit there, or the point is not reachable, it goes as
        near as it can and says so.
        """
        points = np.asarray(order.points, float).reshape(-1, 2)
        leave_groups(world, slots)
        places, ordered_at = own_places(world, slots, points)
        send(world, slots, OrderKind.MOVE_EACH, places[:, 0], places[:, 1], ordered_at)
        moved = np.flatnonzero((places != points).any(axis=1) & (ordered_at < 0))
        if len(moved):
            k = int(moved[0])
            world.happen("nearest", int(world.units.id[slots[k]]), text=NO_ROOM, at=(places[k, 0], places[k, 1]))
        return False


def send(
    world: World, slots: np.ndarray, kind: OrderKind, x: np.ndarray, y: np.ndarray, ordered_at: np.ndarray | int = -1
) -> None:
    """Write the columns of units that set out for ``x``, ``y``.

    Stage plan asks for their paths. ``ordered_at``: the tile that was ordered, for units that cannot reach it, else -1.
    """
    u = world.units
    if kind == OrderKind.PATROL:
        u.ordered_x[slots], u.ordered_y[slots] = u.x[slots], u.y[slots]  # where the patrol turns back to
    else:
        u.ordered_x[slots], u.ordered_y[slots] = x, y
    u.order[slots] = kind
    u.order_target[slots] = -1
    u.goal_x[slots], u.goal_y[slots] = x, y
    u.ordered_at[slots] = ordered_at
    u.path_request[slots] = 1
    u.moving[slots] = 1
    u.holding[slots] = 0
    u.stuck[slots] = 0
    world.steering.still[slots[slots < len(world.steering.still)]] = 0  # a new order starts without a delay
    u.target[slots] = -1
    u.turn_to[slots] = np.nan
    u.event[slots] |= int(Event.ORDERED)
    barred = np.flatnonzero(np.broadcast_to(ordered_at, slots.shape) >= 0)
    if len(barred):
        k = int(barred[0])
        world.happen("nearest", int(u.id[slots[k]]), text=AS_NEAR, at=(float(x[k]), float(y[k])))
