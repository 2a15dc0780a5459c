"""Doors as goals: a unit opens a shut door on the path first.

An errand is a queue of goals that are made when they are reached. The path to the place beyond is searched as if
every door that the side may operate were open. The first shut door on it becomes a goal, and the rest is planned
once it is passed. Passing the door takes operating the switch on this side, going to the door and going through.
The nearest unit goes to the switch. The others go as near as they can and set out again when the door is open.
When the unit falls or gets another order, another goes. A door that no unit can open is barred and another path
planned.

Source: "AI Game Programming Wisdom", 4.5 (goal queue, doors and switches as goals, lazy expansion).
"""

from __future__ import annotations

import math

import numpy as np

from ai.decision.goal_queue import Goal, GoalKind, GoalQueue, Link, goals_of_door, goals_of_path
from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, RUNNING, AStarSearch
from game.systems.interaction.hand_work import REACH
from game.world.orders import Order, OrderKind
from game.world.places import Door, DoorErrand, Prop
from game.world.world import World

LARGEST = 1 << 20
"""Tiles of a map above which no path through doors is searched."""
THROUGH = 1.6
"""Tiles from the first tile behind a door at which a unit has passed."""
MOST_DOORS = 16
"""Doors planned in one errand, so that repeated shutting cannot prolong it for ever."""

Errand = tuple[int, Order]
"""A slot, and the order with which its unit goes to a switch."""


def open_the_path(world: World, slots: np.ndarray, order: Order) -> Errand | None:
    """Return the units that go to the switch of a shut door first.

    It applies when only that door separates these units from their destination.
    """
    if not world.settings.rules.open_doors or not len(slots) or not any(not door.open for door in world.doors):
        return None
    ids = sorted(world.units.id[slots].tolist())
    errand = next((e for e in world.door_errands if e.order == order and set(ids) <= set(e.units)), None)
    if errand is None:
        errand = _begin(world, ids, order)
        if errand is None:
            return None
        world.door_errands.append(errand)
    goal = _next_goal(world, errand)
    if goal is None or goal.kind != GoalKind.WORK:
        if goal is None and errand.search is None:
            world.door_errands.remove(errand)
        return None
    return _send(world, errand, goal)


def carry_on(world: World) -> list[tuple[np.ndarray, Order]]:
    """Update all errands; return the units that set out now, with their order."""
    out: list[tuple[np.ndarray, Order]] = []
    for errand in list(world.door_errands):
        _leave_out_others(world, errand)
        goal = errand.goals.current
        if not errand.units or goal is None:
            world.door_errands.remove(errand)
            continue
        door = world.door(errand.goals.goals[1].about) if len(errand.goals.goals) > 1 else None
        if errand.search is not None:
            pass  # the path search still runs
        elif goal.kind == GoalKind.WORK:
            if door is not None and door.open:
                errand.goals.succeed()
                errand.porter = -1
                out.append((world.units.slots(errand.units), errand.order))
                continue
            if _at_switch(world, errand.porter, goal.about):
                continue
            errand.failed.append(errand.porter)
            errand.goals.fail()
        elif door is not None and not door.open:
            errand.goals.fail()  # shut again before any unit was through: operate its switch once more
        elif door is not None:
            through = _somebody_at(world, errand, errand.goals.goals[1].node)
            if goal.kind == GoalKind.REACH and (through or _somebody_at(world, errand, goal.node)):
                errand.goals.succeed()  # at the door: what is left is to go through
            if not through:
                continue
            while len(errand.goals.goals) > 1:
                errand.goals.succeed()
            errand.goals.expanded[0] = False  # what lies behind the door is planned now
        goal = _next_goal(world, errand)
        if errand.search is not None:
            continue
        if goal is None or goal.kind != GoalKind.WORK:
            world.door_errands.remove(errand)
            continue
        slot, use = _send(world, errand, goal)
        if world.units.side[slot] == errand.order.side and errand.porter in errand.units and slot >= 0:
            out.append((np.array([slot]), use))
    return out


def _begin(world: World, ids: list[int], order: Order) -> DoorErrand | None:
    """Start an empty errand when a shut door may block the units."""
    terrain, u = world.terrain, world.units
    goal = (math.floor(order.y), math.floor(order.x))
    if terrain.passable.size > LARGEST or not terrain.inside(*goal):
        return None
    world.components.update(terrain)
    lead = _lead(world, ids, order)
    start = (math.floor(u.y[lead]), math.floor(u.x[lead]))
    home = world.components.label(int(u.movement_class[lead]), *start) if terrain.inside(*start) else 0
    if home == 0 or world.components.label(int(u.movement_class[lead]), *goal) == home:
        return None
    errand = DoorErrand(tuple(ids), order, GoalQueue())
    errand.goals.push(Goal(int(GoalKind.REACH), _tile(terrain, goal), _tile(terrain, goal)))
    return errand


def _next_goal(world: World, errand: DoorErrand) -> Goal | None:
    """Return the next goal of the errand, or None.

    None means that no door blocks the path, that no unit could open one, or that the search still runs.
    """
    while True:
        goal = errand.goals.expand(lambda goal: _subgoals(world, errand, goal))
        if errand.search is not None:
            errand.goals.expanded[0] = False
            return None
        if goal is None or len(errand.goals.goals) == 1:
            return None
        # A door without a switch on this side, or without a unit to operate it, cannot be passed.
        if goal.kind == GoalKind.WORK and _able(world, errand):
            return goal
        errand.barred.append(errand.goals.goals[1].about)
        while len(errand.goals.goals) > 1:
            errand.goals.fail()


def _subgoals(world: World, errand: DoorErrand, goal: Goal) -> list[Goal]:
    if goal.kind == GoalKind.REACH and len(errand.goals.goals) == 1:
        return _plan(world, errand, goal)
    if goal.kind != GoalKind.PASS_DOOR:
        return []
    door = world.door(goal.about)
    assert door is not None
    lead = _lead(world, list(errand.units), errand.order)
    movement_class = int(world.units.movement_class[lead])
    home = int(_labels(world, movement_class, np.array([lead]))[0])
    switches = _switches(world, door, errand.order.side)
    homes = [_home_of(world, movement_class, switch, home) for switch in switches]
    return goals_of_door(
        door.id, [switch.id for switch in switches], homes, _entry(world, door, movement_class, home, goal), home
    )


def _entry(world: World, door: Door, movement_class: int, home: int, goal: Goal) -> int:
    """Return the tile before a door, in component ``home``, nearest to its exit.

    Ties go by row, then column.
    """
    terrain = world.terrain
    exit_y, exit_x = divmod(goal.node, terrain.width)
    y0, x0 = max(0, door.y0 - 1), max(0, door.x0 - 1)
    y1, x1 = min(terrain.height, door.y1 + 1), min(terrain.width, door.x1 + 1)
    tiles = [
        (y, x)
        for y in range(y0, y1)
        for x in range(x0, x1)
        if (door.y0 <= y < door.y1) != (door.x0 <= x < door.x1) and world.components.label(movement_class, y, x) == home
    ]
    if not tiles:
        return goal.node
    return _tile(terrain, min(tiles, key=lambda t: ((t[0] - exit_y) ** 2 + (t[1] - exit_x) ** 2, t)))


def _plan(world: World, errand: DoorErrand, goal: Goal) -> list[Goal]:
    """Make the first shut door on the path a goal, its approach included."""
    terrain, u = world.terrain, world.units
    errand.doors += errand.search is None
    if errand.doors > MOST_DOORS:
        return []
    lead = _lead(world, list(errand.units), errand.order)
    start = (math.floor(u.y[lead]), math.floor(u.x[lead]))
    doors = [
        door
        for door in world.doors
        if not door.open and door.id not in errand.barred and _switches(world, door, errand.order.side)
    ]
    end = divmod(goal.node, terrain.width)
    path = _path_through(world, errand, doors, int(u.movement_class[lead]), start, (int(end[0]), int(end[1])))
    if path is None:
        return []
    owner = np.full(terrain.passable.shape, -1, np.int64)
    for door in doors:
        owner[door.y0 : door.y1, door.x0 : door.x1] = door.id
    on = owner[path[:, 0], path[:, 1]]
    # Tiles of one door, or between doors, are one link.
    cuts = np.flatnonzero(np.diff(on)) + 1
    firsts = np.concatenate([[0], cuts])
    nodes = [_tile(terrain, (int(path[k, 0]), int(path[k, 1]))) for k in [*firsts.tolist(), len(path) - 1]]
    kinds = [int(Link.DOOR) if on[k] >= 0 else int(Link.PLAIN) for k in firsts]
    goals = goals_of_path(nodes, kinds, on[firsts].tolist())
    return [made for made in goals if made.kind == GoalKind.PASS_DOOR]


def _send(world: World, errand: DoorErrand, goal: Goal) -> Errand:
    """Choose the unit that operates the switch: one already at it, else the nearest."""
    u = world.units
    chosen = world.prop(goal.about) or world.door(goal.about)
    assert chosen is not None
    x, y = chosen.centre if isinstance(chosen, Door) else (chosen.x, chosen.y)
    n = u.count
    at_it = (u.order[:n] == OrderKind.USE) & (u.order_target[:n] == goal.about)
    at_it &= (u.alive[:n] == 1) & (u.side[:n] == errand.order.side)
    if at_it.any():
        # A switch that is operated twice would shut the door again.
        errand.porter = int(u.id[:n][at_it].min())
    else:
        able = np.array(_able(world, errand))
        errand.porter = int(u.id[able[np.argmin((u.x[able] - x) ** 2 + (u.y[able] - y) ** 2)]])
        door = world.door(errand.goals.goals[1].about)
        assert door is not None
        world.happen("errand", errand.porter, chosen.id, f"goes to open the {door.name or door.kind} first")
    order = Order(int(OrderKind.USE), errand.order.side, (errand.porter,), x, y, goal.about)
    return u.slot(errand.porter), order


def _able(world: World, errand: DoorErrand) -> list[int]:
    """Return slots of units on this side without a failed attempt, by id."""
    u = world.units
    lead = _lead(world, list(errand.units), errand.order)
    movement_class = int(u.movement_class[lead])
    slots = u.slots([unit for unit in errand.units if unit not in errand.failed])
    slots = slots[(u.alive[slots] == 1) & (u.movement_class[slots] == movement_class)]
    if not len(slots):
        return []
    home = int(_labels(world, movement_class, np.array([lead]))[0])
    return [int(slot) for slot in slots[_labels(world, movement_class, slots) == home]]


def _lead(world: World, ids: list[int], order: Order) -> int:
    """Return the slot nearest to the order's place; ties go to the lowest id."""
    u = world.units
    slots = u.slots(ids)
    return int(slots[np.argmin((u.x[slots] - order.x) ** 2 + (u.y[slots] - order.y) ** 2)])


def _leave_out_others(world: World, errand: DoorErrand) -> None:
    """Remove units from the party that have fallen or have another order."""
    u = world.units
    slots = u.slots(errand.units)
    same = (u.ordered_x[slots] - errand.order.x) ** 2 + (u.ordered_y[slots] - errand.order.y) ** 2 < 1e-12
    group = [world.groups.rows[b].goal if b >= 0 else (np.inf, np.inf) for b in u.band[slots].tolist()]
    same |= (np.array(group).reshape(-1, 2) == (errand.order.x, errand.order.y)).all(axis=1)
    idle = (u.order[slots] == OrderKind.NONE) & (u.moving[slots] == 0)
    goal = errand.goals.current
    if goal is not None and goal.kind == GoalKind.WORK:
        same |= (u.id[slots] == errand.porter) & (u.order[slots] == OrderKind.USE)
    same |= _as_near_as_can_be(world, slots, errand.order)
    errand.units = tuple(u.id[slots[(u.alive[slots] == 1) & (same | idle)]].tolist())


def _as_near_as_can_be(world: World, slots: np.ndarray, order: Order) -> np.ndarray:
    """Return bool[n]: units whose path request is for the nearest place instead.

    The request is made already or about to be made.
    """
    u, requests = world.units, world.paths.requests
    known = slots < requests.capacity
    meant = requests.ordered_at[np.where(known, slots, 0)]
    at = np.array([math.floor(order.y), math.floor(order.x)])
    asked = known & (meant == at).all(axis=1)
    asks = (u.path_request[slots] == 1) & (u.ordered_at[slots] == at[0] * world.terrain.width + at[1])
    return (asked | asks) & (u.order[slots] == order.kind)


def _at_switch(world: World, unit: int, switch: int) -> bool:
    u = world.units
    if unit < 0:
        return False
    slot = u.slot(unit)
    return bool(u.alive[slot] == 1 and u.order[slot] == OrderKind.USE and u.order_target[slot] == switch)


def _somebody_at(world: World, errand: DoorErrand, node: int) -> bool:
    u = world.units
    slots = u.slots(errand.units)
    y, x = divmod(node, world.terrain.width)
    return bool((np.hypot(u.x[slots] - x - 0.5, u.y[slots] - y - 0.5) <= THROUGH).any())


def _tile(terrain: Terrain, at: tuple[int, int]) -> int:
    return at[0] * terrain.width + at[1]


def _switches(world: World, door: Door, side: int) -> list[Prop | Door]:
    """Return a door's controls for a side: winches, and doors operated by hand."""
    found: list[Prop | Door] = [prop for prop in world.props if prop.door and prop.door == door.name]
    return [*found, door] if side in door.opens_for else found


def _home_of(world: World, movement_class: int, thing: Prop | Door, home: int) -> int:
    """Return ``home`` if its units can reach the thing, else another number."""
    labels = world.components.label_map(movement_class)
    if isinstance(thing, Door):
        y0, x0, y1, x1 = float(thing.y0), float(thing.x0), float(thing.y1), float(thing.x1)
    else:
        y0, x0 = thing.y - thing.height / 2, thing.x - thing.width / 2
        y1, x1 = thing.y + thing.height / 2, thing.x + thing.width / 2
    low_y, low_x = max(0, math.floor(y0 - REACH)), max(0, math.floor(x0 - REACH))
    near = labels[low_y : math.ceil(y1 + REACH), low_x : math.ceil(x1 + REACH)]
    ys, xs = np.nonzero(near == home)
    cy, cx = ys + low_y + 0.5, xs + low_x + 0.5
    off = np.hypot(cx - np.clip(cx, x0, x1), cy - np.clip(cy, y0, y1))
    return home if bool((off <= REACH).any()) else -1


def _labels(world: World, movement_class: int, slots: np.ndarray) -> np.ndarray:
    u, t = world.units, world.terrain
    ty, tx = np.clip(np.floor(u.y[slots]), 0, t.height - 1), np.clip(np.floor(u.x[slots]), 0, t.width - 1)
    return world.components.labels_of(movement_class, np.column_stack([ty, tx]).astype(np.int32))


def _path_through(
    world: World,
    errand: DoorErrand,
    doors: list[Door],
    movement_class: int,
    start: tuple[int, int],
    goal: tuple[int, int],
) -> np.ndarray | None:
    """Return a path with these doors open, tiles int32[n, 2], or None.

    The search uses the rest of the groups' budget in that tick; ``errand.search`` stays while it is not done.
    """
    terrain, paths, budget = world.terrain, world.group_paths, world.settings.formation.budget
    if errand.looked_at != terrain.revision:
        errand.search = errand.ground = None
    if not doors:
        errand.search = None
        return None
    if errand.ground is None:
        passable = terrain.passable.copy()
        for door in doors:
            passable[door.y0 : door.y1, door.x0 : door.x1] |= door.passable_open
        if not passable[goal] >> movement_class & 1:
            errand.search = None
            return None
        errand.ground = Terrain.build(passable, terrain.cost)
    if errand.search is None:
        errand.looked_at, errand.search = terrain.revision, AStarSearch(terrain.height, terrain.width)
        errand.search.begin(errand.ground, movement_class, start, goal)
    search = errand.search
    before = search.revolutions
    search.run(errand.ground, paths.left(budget))
    paths.pay(search.revolutions - before, budget)
    if search.status == RUNNING:
        return None
    errand.search = errand.ground = None
    return search.path() if search.status == FOUND else None
