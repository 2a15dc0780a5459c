"""Stage orders: what players and scripts want enters the world.

An order to walk is carried out here for all its units at once, by columns; only what needs judgement (attacking,
using things, patrolling back) is left to the mind, which wakes with ORDERED.  A group's goal is made reachable with
one look-up and spread so that each unit has a tile of its own.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ai.formation.slot_assignment import assign_sorted
from ai.paths.requests.goal_resolution import find_footing, spread_goals
from game.level.model import SIDES
from game.sim.create_world import add_unit
from game.systems.groups.companies import send_companies
from game.systems.groups.formation_orders import drill_units, form_up_who_stand, wheel
from game.systems.groups.group_forming import begin_group
from game.systems.groups.membership import leave_groups
from game.systems.interaction.door_errands import carry_on, open_the_path
from game.systems.interaction.hand_work import drop
from game.systems.interaction.map_edits import edit_map
from game.systems.movement.posture import take_stance
from game.systems.movement.sneaking import begin, give_up
from game.systems.order_throttle import enter
from game.world.orders import ABILITY_ORDERS, AT_A_UNIT, MOST, MOVES, Order, OrderKind
from game.world.settings import set_value
from game.world.units import Event, Pace, Stance
from game.world.world import World

LANES_FROM = 64
"""Units from which on places are given out in parallel lanes, so that nobody has to push through those before him."""

_LEAVING = MOVES | {OrderKind.STOP, OrderKind.HOLD}
"""Orders that a unit carries out by itself, so that it leaves its group."""

MARGIN = 1000.0
"""Orders may lie so far outside the map, tiles; beyond that they are moved nearer, so that they stay numbers."""


def run(world: World) -> None:
    """Start the tick, then apply the orders that were given since the last one, in the order of giving.

    Of more units than a tick can set going, the orders that came last wait for the next.
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
        if len(slots):
            start_order(world, slots, order)
    form_up_who_stand(world)


def apply(world: World, order: Order) -> None:
    """Carry out one order, or publish why it cannot be."""
    kind = OrderKind(order.kind)
    if kind == OrderKind.SETTING:
        try:
            set_value(world.settings, order.name, order.text or order.value)
        except ValueError as error:
            world.happen("refused", text=str(error))
        return
    if math.isnan(order.x) or math.isnan(order.y) or not np.isfinite(np.asarray(order.points, float)).all():
        world.happen("refused", text="that is no place on any map")
        return
    if not -MOST <= order.value <= MOST or not -MOST <= order.facing <= MOST:
        world.happen("refused", text=f"{kind.name.lower()}: that is no number to go by")
        return
    order = replace(order, x=_on_map(order.x, world.terrain.width), y=_on_map(order.y, world.terrain.height))
    if kind == OrderKind.SPAWN:
        _spawn(world, order)
        return
    if kind == OrderKind.EDIT:
        edit_map(world, order)
        return
    u = world.units
    if kind == OrderKind.MOVE_EACH and len(order.points) != 2 * len(order.units):
        world.happen("refused", text=f"{len(order.units)} units have {len(order.points)} numbers for their places")
        return
    if kind in AT_A_UNIT and not 0 <= order.target < u.next_id:
        world.happen("refused", text=f"there is no unit {order.target}")
        return
    ids = np.array(order.units, np.int64)
    known = (ids >= 0) & (ids < u.next_id)
    ids = ids[known]
    if not known.all():
        order = replace(order, units=tuple(ids.tolist()))  # it may wait in queues, where nobody asks any more
    slots = u.slots(ids)
    mine = (u.alive[slots] == 1) & (u.side[slots] == order.side)
    if kind == OrderKind.MOVE_EACH:
        points = np.asarray(order.points, float).reshape(-1, 2)[known][mine]
        points = np.clip(points, -MARGIN, (world.terrain.width + MARGIN, world.terrain.height + MARGIN))
        leave_groups(world, slots[mine])
        _walk(world, slots[mine], kind, points[:, 0], points[:, 1])
        return
    slots = slots[mine]
    if not len(slots):
        return
    if kind == OrderKind.FORMATION:
        if drill_units(world, slots, order):
            world.happen("order", int(u.id[slots[0]]), -1, "formation")
        return
    if order.queued and kind in MOVES:
        busy = (u.moving[slots] == 1) | (u.order[slots] != OrderKind.NONE)
        busy |= np.isin(u.id[slots], list(world.queues))
        for unit in u.id[slots[busy]].tolist():
            world.queues.setdefault(unit, []).append(order)
        slots = slots[~busy]
    elif world.queues and (kind in MOVES or kind in (OrderKind.STOP, OrderKind.HOLD)):
        for unit in u.id[slots].tolist():
            world.queues.pop(unit, None)
    if len(slots):
        start_order(world, slots, order)
        world.happen("order", int(u.id[slots[0]]), order.target, kind.name.lower())


def _on_map(value: float, size: int) -> float:
    """A coordinate no farther off the map than MARGIN: what lies outside means the nearest place inside."""
    return min(max(value, -MARGIN), size + MARGIN)


def start_queued(world: World) -> None:
    """Units that have become free begin what was queued for them, in the order of their ids."""
    u = world.units
    if not world.queues:
        return
    ids = np.sort(np.fromiter(world.queues, np.int64, len(world.queues)))
    slots = u.slot_of[ids]
    free = (u.alive[slots] == 1) & (u.order[slots] == OrderKind.NONE) & (u.moving[slots] == 0)
    turns: list[tuple[Order, list[int]]] = []
    for unit in ids[free].tolist():
        queue = world.queues[unit]
        order = queue.pop(0)
        if not queue:
            del world.queues[unit]
        units = next((units for other, units in turns if other == order), None)
        if units is None:
            turns.append((order, units := []))
        units.append(unit)
    for order, units in turns:
        # Comrades come one by one, yet each takes its own place among all who were sent there.
        together = [i for i in order.units if u.alive[u.slot(i)] and u.side[u.slot(i)] == order.side]
        start_order(world, u.slots(units), order, u.slots(together))


def start_order(
    world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None, alone: bool = False
) -> None:
    """Begin an order for units that are free for it; their places are chosen among those of ``together``.  ``alone``
    keeps them out of formation whatever their drill."""
    u = world.units
    kind = OrderKind(order.kind)
    if kind == OrderKind.SNEAK:
        if (u.band[slots] >= 0).any():
            world.happen("loose", int(u.id[slots[0]]), text="who sneaks goes alone, out of formation")
        start_order(world, slots, replace(order, kind=int(OrderKind.MOVE)), together, alone=True)
        begin(world, slots)
        return
    if kind in MOVES or kind in (OrderKind.STOP, OrderKind.HOLD):
        give_up(world, slots)
    if kind in (OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL):
        patrols = kind == OrderKind.PATROL
        porter = None if patrols else open_the_path(world, slots, order)
        if porter is not None:
            start_order(world, np.array(porter[:1]), porter[1])
            slots = slots[slots != porter[0]]
            together = None if together is None else together[together != porter[0]]
            if not len(slots):
                return
        if not alone:
            slots = begin_group(world, slots if patrols else send_companies(world, slots, order), order)
        if not len(slots):
            return
        together = None if together is None else together[u.band[together] < 0]
    if kind in _LEAVING:
        leave_groups(world, slots)
    if kind in (OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL):
        lanes = together is None
        together = slots if together is None else together
        x, y = _places(world, together, order.x, order.y, lanes)
        mine = np.flatnonzero(np.isin(together, slots))
        _walk(world, together[mine], kind, x[mine], y[mine])
        _ask_for_paths(world, together[mine], order, x[mine], y[mine])
    elif kind in (OrderKind.ATTACK, OrderKind.USE) or kind in ABILITY_ORDERS:
        u.order[slots] = kind
        u.order_target[slots] = order.target
        u.order_x[slots], u.order_y[slots] = order.x, order.y
        u.holding[slots] = 0
        u.target[slots] = -1
        u.event[slots] |= int(Event.ORDERED)
    elif kind in (OrderKind.STOP, OrderKind.HOLD):
        _stop(world, slots)
        u.order[slots] = kind
        u.holding[slots] = kind == OrderKind.HOLD
        u.event[slots] |= int(Event.ORDERED)
    elif kind == OrderKind.FACE:
        slots = wheel(world, slots, order)
        u.turn_to[slots] = np.arctan2(order.y - u.y[slots], order.x - u.x[slots])
        u.head[slots] = u.turn_to[slots]
    elif kind == OrderKind.STANCE:
        take_stance(world, slots, min(max(int(order.value), 0), len(Stance) - 1))
    elif kind == OrderKind.PACE:
        u.pace[slots] = min(max(int(order.value), 0), len(Pace) - 1)
    elif kind == OrderKind.DROP:
        for slot in slots.tolist():
            drop(world, slot)


def _places(world: World, slots: np.ndarray, x: float, y: float, lanes: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """A place for each unit about (x, y), tile centres, nearest first to the lowest id; with ``lanes`` a crowd goes to
    them in parallel, each to the one that lies ahead of it.

    Units of different movement classes or components are placed apart, as each can only stand where it can go.
    """
    u = world.units
    world.components.update(world.terrain)
    gx, gy = np.empty(len(slots)), np.empty(len(slots))
    tiles = _footing_of(world, slots)
    keys = np.zeros(len(slots), np.int64)
    for movement_class in np.unique(u.movement_class[slots]).tolist():
        of_class = u.movement_class[slots] == movement_class
        keys[of_class] = movement_class * (1 << 32) + world.components.labels_of(
            movement_class, tiles[of_class]
        ).astype(np.int64)
    goal = (math.floor(y), math.floor(x))
    taken: dict[int, list[tuple[int, int]]] = {}
    for key in np.unique(keys):
        members = np.flatnonzero(keys == key)
        first = int(members[0])
        movement_class = int(u.movement_class[slots[first]])
        # Who crawls and who walks may want the same tile: it is taken by who comes first.
        others = {tile for other, tiles_taken in taken.items() if other != movement_class for tile in tiles_taken}
        spread = spread_goals(
            world.terrain,
            world.components,
            movement_class,
            goal,
            len(members) + len(others),
            start=(int(tiles[first, 0]), int(tiles[first, 1])),
        )
        if others:
            free = [tile not in others for tile in map(tuple, spread.tolist())]
            spread = spread[free][: len(members)]
        if not len(spread):
            gx[members], gy[members] = u.x[slots[members]], u.y[slots[members]]
            continue
        # Units go to places in the order of their ids; places are nearest first.  More units than tiles share.
        by_id = members[np.argsort(u.id[slots[members]], kind="stable")]
        chosen = spread[np.arange(len(by_id)) % len(spread)]
        taken.setdefault(movement_class, []).extend(map(tuple, chosen.tolist()))
        if lanes and len(by_id) >= LANES_FROM:
            here = np.column_stack([u.x[slots[by_id]], u.y[slots[by_id]]])
            chosen = chosen[assign_sorted(here, chosen[:, ::-1] + 0.5)]
        gx[by_id], gy[by_id] = chosen[:, 1] + 0.5, chosen[:, 0] + 0.5
        single = len(by_id) == 1 and (int(chosen[0, 0]), int(chosen[0, 1])) == goal
        if single:
            gx[by_id], gy[by_id] = math.floor(x) + 0.5, math.floor(y) + 0.5
    return gx, gy


def _ask_for_paths(world: World, slots: np.ndarray, order: Order, x: np.ndarray, y: np.ndarray) -> None:
    """Ask the path manager here, because only the order knows where it really led: a way there may open later."""
    u, terrain = world.units, world.terrain
    meant = (
        min(max(math.floor(order.y), 0), terrain.height - 1),
        min(max(math.floor(order.x), 0), terrain.width - 1),
    )
    tiles = _footing_of(world, slots)
    for movement_class in np.unique(u.movement_class[slots]).tolist():
        labels = world.components.labels_of(movement_class, tiles)
        barred = (u.movement_class[slots] == movement_class) & (
            labels != world.components.label(movement_class, *meant)
        )
        if barred.any():
            at = slots[barred]
            places = np.column_stack([np.floor(y[barred]), np.floor(x[barred])]).astype(np.int32)
            favoured = u.side[at] == 0
            world.paths.request(at, u.id[at], places, movement_class, world.tick, favoured, wanted=meant)


def _footing_of(world: World, slots: np.ndarray) -> np.ndarray:
    """Tiles int32[n, 2] (y, x) that units stand on; where an edit has closed one, the nearest that they get out to."""
    tiles = tiles_of(world, slots)
    footing = find_footing(world.terrain, world.units.movement_class[slots], tiles)
    return np.where(footing >= 0, footing, tiles)


def tiles_of(world: World, slots: np.ndarray) -> np.ndarray:
    """int32[n, 2] (y, x) of the tiles units stand on, clamped to the map."""
    u, t = world.units, world.terrain
    ty = np.clip(np.floor(u.y[slots]), 0, t.height - 1)
    tx = np.clip(np.floor(u.x[slots]), 0, t.width - 1)
    return np.column_stack([ty, tx]).astype(np.int32)


def _walk(world: World, slots: np.ndarray, kind: OrderKind, x: np.ndarray, y: np.ndarray) -> None:
    u = world.units
    if kind == OrderKind.PATROL:
        u.order_x[slots], u.order_y[slots] = u.x[slots], u.y[slots]  # the way back
    else:
        u.order_x[slots], u.order_y[slots] = x, y
    u.order[slots] = kind
    u.order_target[slots] = -1
    u.goal_x[slots], u.goal_y[slots] = x, y
    u.path_request[slots] = 1
    u.moving[slots] = 1
    u.holding[slots] = 0
    u.stuck[slots] = 0
    world.steering.still[slots[slots < len(world.steering.still)]] = 0  # what held up the last order is over
    u.target[slots] = -1
    u.turn_to[slots] = np.nan
    u.event[slots] |= int(Event.ORDERED)


def _stop(world: World, slots: np.ndarray) -> None:
    u = world.units
    u.moving[slots] = 0
    u.path_request[slots] = 0
    u.target[slots] = -1
    u.stuck[slots] = 0
    world.paths_to_cancel.extend(u.id[slots].tolist())


def _spawn(world: World, order: Order) -> None:
    """The sandbox palette: a unit of type ``name`` for side ``value`` on the nearest walkable tile."""
    kind = next((i for i, t in enumerate(world.types) if t.name == order.name), None)
    if kind is None:
        world.happen("refused", text=f"there is no unit type {order.name!r}")
        return
    if not 0 <= int(order.value) < len(SIDES):
        world.happen("refused", text=f"there is no side {order.value:g}; sides are 0 to {len(SIDES) - 1}")
        return
    world.components.update(world.terrain)
    tile = (math.floor(order.y), math.floor(order.x))
    free = spread_goals(world.terrain, world.components, 0, tile, 1)
    if not len(free):
        world.happen("refused", text="nobody can stand there")
        return
    add_unit(world, kind, int(order.value), float(free[0, 1]) + 0.5, float(free[0, 0]) + 0.5)
