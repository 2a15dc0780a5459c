"""Groups formed by orders: membership, path and rallying place.

One order to many units asks for one path. Members may come and go only here and in :mod:`membership`, between
updates, so that a reader within a tick finds the group whole (Game AI Pro 2, 20.4.3).
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.scheduling.update_timeline import Part
from ai.formation.formation_shapes import Slots, place
from ai.formation.group_entity import (
    G_ALONG,
    G_BEHIND,
    G_DEPTH,
    G_ERROR,
    G_FACING,
    G_HALF,
    G_HEADING,
    G_SPACING,
    G_STEP,
    G_STOP,
    G_X,
    G_Y,
    T_BENDS,
    T_COUNT,
    T_FIXED,
    T_FREE,
    T_OVER,
    T_PLACED,
    T_POINTS,
    T_STAGE,
    T_STATE,
    T_TIGHT,
    T_WAITS,
    GroupState,
)
from ai.formation.group_pipeline import USUAL_STAGES, read_group_stages
from ai.formation.path_corridor import GroupPath, lay_path
from ai.formation.slot_following import SEEKING
from ai.paths.requests.goal_resolution import find_footing, resolve_goals
from game.systems.groups.membership import leave_groups
from game.systems.groups.slot_arrangement import drill_of, match, rally_of, slots_for, spacing_of, standing
from game.systems.groups.slots_by_arrival import NOBODY, aim_at_the_middle, expect
from game.systems.timeline_notes import note_groups
from game.world.events import AS_NEAR
from game.world.groups.drill import KEEP, LOOSE, PLAY, Rally
from game.world.groups.movement_groups import Group
from game.world.orders import NO_FACING, Order
from game.world.units import Event
from game.world.world import World


def begin_group(world: World, slots: np.ndarray, order: Order, lead: Group | None = None) -> np.ndarray:
    """Form a group of ``slots`` and send it off; return slots that cannot join.

    The reasons are movement class and component. With ``lead`` it takes the path of that group, which was found
    for several.
    """
    u, settings = world.units, world.settings.formation
    drill = drill_of(world, slots, order.facing)
    few = len(slots) < 2 and (order.facing == NO_FACING or not len(slots))
    if drill.shape == LOOSE or not settings.together or few:
        return slots
    slots = slots[np.argsort(u.id[slots], kind="stable")]
    movement_class, able = class_of(world, slots)
    away = np.where(
        u.movement_class[slots] == movement_class, (u.x[slots] - order.x) ** 2 + (u.y[slots] - order.y) ** 2, np.inf
    )
    first = int(slots[np.argmin(away)])
    world.components.update(world.terrain)
    tiles = _tiles(world, slots)
    labels = world.components.labels_of(movement_class, tiles)
    label = int(labels[np.argmin(away)])
    mine = able & (labels == label) & (label > 0)
    out, slots = slots[~mine], slots[mine]
    if (len(slots) < 2 and order.facing == NO_FACING) or not len(slots):
        return np.concatenate([slots, out])
    leave_groups(world, slots)
    group = Group(
        world.groups.next_id, order.side, movement_class, drill, u.id[slots].astype(np.int64), np.arange(len(slots)),
        np.zeros((0, 3)), order.kind, (order.x, order.y), None, world.tick, told=order.facing,
    )  # fmt: skip
    world.groups.next_id += 1
    group.back = (float(u.x[slots].mean()), float(u.y[slots].mean()))
    row = world.groups.add(group)
    u.band[slots] = row
    u.slot_mode[slots] = SEEKING
    num, tag = world.groups.num[row], world.groups.tag[row]
    num[G_SPACING] = spacing_of(world, drill, slots)
    tag[T_COUNT] = len(slots)
    set_stages(world, row, slots)
    tag[T_WAITS], tag[T_FREE] = settings.wait and drill.slowest, not drill.slowest
    tag[T_FIXED] = drill.shape == KEEP and order.facing == NO_FACING
    if lead is None or lead.path is None:
        _find_path(world, group, row, slots, first, label, order)
    else:
        group.awaits = lead.awaits
        take_path(world, group, row, lead.path)
    _columns_of_order(world, slots, order)
    rally(world, group, row)
    return out


def set_stages(world: World, row: int, slots: np.ndarray) -> None:
    """Set the group's pipeline to that of its most frequent type.

    Of several equally frequent ones, the lowest type number counts.
    """
    most = int(np.argmax(np.bincount(world.units.kind[slots])))
    own = world.settings.formation.pipelines
    stages = read_group_stages(world.types[most].group_stages) if own else USUAL_STAGES
    world.groups.tag[row, T_STAGE:] = 0
    world.groups.tag[row, T_STAGE : T_STAGE + len(stages)] = stages


def class_of(world: World, slots: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the group's movement class and the units that can follow: bool[n].

    It is the class of most of the units. Others come along when they may stand wherever that class may.
    """
    own = world.units.movement_class[slots]
    counts = np.bincount(own)
    movement_class, passable = int(np.argmax(counts)), world.terrain.passable
    fits = np.zeros(len(counts), bool)
    for other in np.flatnonzero(counts).tolist():
        fits[other] = other == movement_class or not ((passable >> movement_class & 1) & ~(passable >> other) & 1).any()
    return movement_class, fits[own]


def _tiles(world: World, slots: np.ndarray) -> np.ndarray:
    u, t = world.units, world.terrain
    ty, tx = np.clip(np.floor(u.y[slots]), 0, t.height - 1), np.clip(np.floor(u.x[slots]), 0, t.width - 1)
    return np.column_stack([ty, tx]).astype(np.int32)


def _find_path(world: World, group: Group, row: int, slots: np.ndarray, first: int, label: int, order: Order) -> None:
    """Request one path for the group, from its rally to the reachable goal.

    The goal is the reachable tile nearest to the order's.
    """
    u, terrain = world.units, world.terrain
    xs, ys = u.x[slots], u.y[slots]
    if group.drill.shape == KEEP:
        x0, y0 = (xs.min() + xs.max()) / 2.0, (ys.min() + ys.max()) / 2.0
    elif rally_of(world, group.drill) == Rally.AHEAD:
        x0, y0 = u.x[first], u.y[first]
    else:
        x0, y0 = xs.mean(), ys.mean()
    start = (
        int(np.clip(math.floor(y0), 0, terrain.height - 1)),
        int(np.clip(math.floor(x0), 0, terrain.width - 1)),
    )
    lead_tile = _tiles(world, np.array([first]))
    if world.components.label(group.movement_class, *start) != label:
        found = resolve_goals(terrain, world.components, group.movement_class, lead_tile, [start])[0]
        start = (int(found[0]), int(found[1]))
    meant = np.array([[math.floor(order.y), math.floor(order.x)]])
    goal = resolve_goals(terrain, world.components, group.movement_class, lead_tile, meant)[0]
    if goal[0] < 0:
        goal = find_footing(terrain, group.movement_class, lead_tile)[0]
    end = (int(goal[0]), int(goal[1]))
    if (goal != meant[0]).any():
        world.happen("nearest", int(u.id[first]), text=AS_NEAR, at=(end[1] + 0.5, end[0] + 0.5))
    table = slots_for(world, group.drill, slots, standing(world, slots, 0.0))
    width = table.width + 2.0 * float(u.radius[slots].max())
    note_groups(world, Part.PATH, [group.id])
    budget = world.settings.formation.budget
    corners = world.group_paths.ask(
        terrain, world.paths.engines, group.id, group.movement_class, start, end, width, budget
    )
    inside = (math.floor(y0), math.floor(x0)) == start
    here = (x0, y0) if inside else (start[1] + 0.5, start[0] + 0.5)
    if not world.group_paths.answered(group.id):
        group.awaits = group.id
        # Until its path is found the group stands at its rallying place.
        at_end = rally_of(world, group.drill) == Rally.DESTINATION
        corners = np.array([(end[1] + 0.5, end[0] + 0.5) if at_end else here] * 2)
    else:
        corners = ends_of(group, corners)
        corners[0] = here
    set_path(world, group, row, corners, table.width / 2.0)


def ends_of(group: Group, corners: np.ndarray) -> np.ndarray:
    """Return turning points that end exactly at the ordered place, when on its tile."""
    out = corners.copy()
    if (np.floor(out[-1]) == np.floor(group.goal)).all():
        out[-1] = group.goal
    return out


def set_path(world: World, group: Group, row: int, corners: np.ndarray, half: float) -> None:
    """Lay a group's path along turning points."""
    take_path(world, group, row, lay_path(world.terrain.passable, group.movement_class, corners, half))


def take_path(world: World, group: Group, row: int, path: GroupPath) -> None:
    """Take a path that is already laid; release stations kept on another path."""
    group.path = path
    num, tag = world.groups.num[row], world.groups.tag[row]
    num[G_BEHIND], tag[T_OVER] = 0.0, 0
    num[G_STEP], tag[T_POINTS] = group.path.step, len(group.path.points)
    num[G_STOP] = 1e9
    world.groups.laid = False


def _columns_of_order(world: World, slots: np.ndarray, order: Order) -> None:
    u = world.units
    u.order[slots] = order.kind
    u.ordered_x[slots], u.ordered_y[slots] = order.x, order.y
    u.order_target[slots] = -1
    u.goal_x[slots], u.goal_y[slots] = order.x, order.y
    u.path_request[slots] = 0
    u.holding[slots] = 0
    u.stuck[slots] = 0
    u.target[slots] = -1
    u.event[slots] |= int(Event.ORDERED)
    world.paths_to_cancel.extend(u.id[slots].tolist())


def rally(world: World, group: Group, row: int, halted: bool = False) -> None:
    """Put the group at its rallying place and assign its slots.

    A group that has ``halted`` stays where it is.
    """
    assert group.path is not None
    slots = world.units.slots(group.members)
    num, tag = world.groups.num[row], world.groups.tag[row]
    points = group.path.points
    ahead = points[min(len(points) - 1, 4)] - points[0]
    if group.awaits >= 0:
        ahead = np.array(group.goal) - points[0]  # most likely it will set out in that direction
    heading = math.atan2(ahead[1], ahead[0]) if np.hypot(*ahead) > 1e-6 else float(world.units.facing[slots[0]])
    if tag[T_FIXED]:
        heading = float(world.units.facing[slots[0]])
    end = points[-1] - points[max(0, len(points) - 5)]
    arriving = math.atan2(end[1], end[0]) if np.hypot(*end) > 1e-6 else heading
    num[G_FACING] = group.told if group.told != NO_FACING else (heading if tag[T_FIXED] else arriving)
    if group.drill.shape == KEEP:
        group.kept = standing(world, slots, heading)
    table = slots_for(world, group.drill, slots, group.kept)
    group.family = None
    short = group.path.length < 1.5 and group.awaits < 0
    at_end = short or rally_of(world, group.drill) == Rally.DESTINATION
    if at_end:
        num[G_ALONG], num[G_HEADING] = group.path.length, num[G_FACING]
        num[G_X], num[G_Y] = points[-1]
    else:
        # The front rank forms just ahead of the lead, or the whole about its middle.
        along = 0.0
        if rally_of(world, group.drill) == Rally.AHEAD and group.drill.shape != KEEP and not halted:
            # As far back as the rear rank has ground, straight behind the path's beginning.
            back = free_behind(world, group.movement_class, points[0], heading, table.depth)
            along = max(0.6 - table.depth / 2.0, table.depth / 2.0 - back)
        put_on_path(group.path, num, min(along, group.path.length), heading)
    tag[T_PLACED] = 0
    expect(world, group)
    place_in_slots(world, group, row, slots, table)
    group.patience = ticks_to_rally(world, slots, table, group, row, group.path.length if at_end else 0.0)
    enter(world, group, row, GroupState.SETTLING if at_end else GroupState.FORMING)


def put_on_path(path: GroupPath, num: np.ndarray, along: float, heading: float) -> None:
    """Set group row ``num`` ``along`` tiles from the path's beginning, before it if negative."""
    at = np.arange(len(path.points)) * path.step
    num[G_ALONG], num[G_HEADING] = along, heading
    num[G_X], num[G_Y] = path.points[0] + min(along, 0.0) * np.array([math.cos(heading), math.sin(heading)])
    if along > 0.0:
        num[G_X], num[G_Y] = np.interp(along, at, path.points[:, 0]), np.interp(along, at, path.points[:, 1])


def ticks_to_rally(world: World, slots: np.ndarray, shape: Slots, group: Group, row: int, path: float = 0.0) -> int:
    """Return ticks for the farthest member to its slot, or for ``path`` tiles.

    Half as much again is added for detours round obstacles.
    """
    u, num = world.units, world.groups.num[row]
    there = place(shape, num[G_X], num[G_Y], num[G_HEADING])[group.taken]
    away = np.hypot(there[:, 0] - u.x[slots], there[:, 1] - u.y[slots])
    types = world.types
    pace = np.array(
        [types[k].run if run else types[k].walk for k, run in zip(u.kind[slots], u.pace[slots], strict=True)]
    )
    return math.ceil(1.5 * float((np.maximum(away, path) / pace).max(initial=0.0)) / world.settings.steering.dt)


def filled(world: World, group: Group, row: int) -> bool:
    """Return true if members are near enough to their slots to set out.

    The average counts; for a group that rallies in the middle, every member counts.
    """
    u, num, slots = world.units, world.groups.num[row], world.units.slots(group.members)
    if num[G_ERROR] >= 0.35 * num[G_SPACING] or rally_of(world, group.drill) != Rally.START:
        return bool(num[G_ERROR] < 0.35 * num[G_SPACING])
    gaps = np.hypot(u.slot_x[slots] - u.x[slots], u.slot_y[slots] - u.y[slots])
    return bool(gaps.max(initial=0.0) < 0.5 * num[G_SPACING])


def free_behind(world: World, movement_class: int, start: np.ndarray, heading: float, most: float) -> float:
    """Return tiles of open ground straight behind a path's beginning, at most ``most``."""
    back = np.arange(0.0, most + 0.9, 0.4)
    xs, ys = start[0] - back * math.cos(heading), start[1] - back * math.sin(heading)
    height, width = world.terrain.passable.shape
    inside = (xs >= 0.3) & (ys >= 0.3) & (xs < width - 0.3) & (ys < height - 0.3)
    ty, tx = np.clip(ys.astype(int), 0, height - 1), np.clip(xs.astype(int), 0, width - 1)
    shut = ~(inside & ((world.terrain.passable[ty, tx] >> movement_class & 1) == 1))
    return float(back[max(0, int(np.argmax(shut)) - 1)]) if shut.any() else most


def place_in_slots(world: World, group: Group, row: int, slots: np.ndarray, table: Slots) -> None:
    """Assign each member its slot of the preferred shape at the group's position."""
    num = world.groups.num[row]
    if group.drill.shape in (KEEP, PLAY):
        group.expected = NOBODY.copy()
    there = place(table, num[G_X], num[G_Y], num[G_HEADING])
    group.taken = match(world, group, slots, table, there)
    take_offsets(world, group, row, slots, np.column_stack([table.forward, table.right, table.facing])[group.taken])
    aim_at_the_middle(world, group, row)


def take_offsets(world: World, group: Group, row: int, slots: np.ndarray, offsets: np.ndarray) -> None:
    """Set the members' slots to ``offsets`` float64[n, 3].

    The row gets the width and depth of the formation.
    """
    u, num, tag = world.units, world.groups.num[row], world.groups.tag[row]
    u.slot_f[slots], u.slot_r[slots], u.slot_a[slots] = offsets.T
    u.slot_gap[slots] = -1.0  # its place in the world is looked up again
    half = float(np.abs(offsets[:, 1]).max(initial=0.0))
    num[G_HALF], num[G_DEPTH] = half, float(np.ptp(offsets[:, 0])) if len(offsets) else 0.0
    tag[T_BENDS] = half <= world.settings.formation.bend and group.drill.shape != KEEP
    tag[T_TIGHT] = walls_near(group, float(num[G_ALONG]), float(num[G_DEPTH]), half)


def walls_near(group: Group, along: float, depth: float, half: float) -> bool:
    """Return true if slots at ``along`` tiles of the path might touch walls.

    If so, each slot must be tested.
    """
    path = group.path
    if path is None:
        return False
    reach = depth / 2.0 + half + 3.0
    if along < depth / 2.0 or along > path.length - depth / 2.0:
        return True  # ground beyond a path's ends has not been surveyed
    first = max(0, int((along - reach) / path.step))
    last = max(first + 1, math.ceil((along + reach) / path.step) + 1)
    free = min(path.left[first:last].min(initial=99.0), path.right[first:last].min(initial=99.0))
    return bool(free < half + 1.5)


def enter(world: World, group: Group, row: int, state: GroupState) -> None:
    """Set the state of a group."""
    group.beside = 0.0
    world.groups.fields.forget(group.id)
    world.groups.tag[row, T_STATE] = state
    group.was, group.since = int(state), world.tick


TECHNIQUES = (
    {
        "slug": "rallying",
        "name": "Rally points: middle, ahead or destination",
        "ids": ("AW-5.6-6",),
        "source": "AI Game Programming Wisdom, 5.6",
        "functions": ("rally",),
        "test": "tests/game/systems/groups/test_rallying.py",
        "exhibit": "levels/exhibits/formation/scattered.toml",
        "overlay": "slots",
        "setting": "formation.rally",
        "measure": "unformed",
        "direction": "down",
        "claim": "As told; the default is ahead of the leading unit.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
