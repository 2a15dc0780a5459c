"""Answers to path requests of groups: new path, wider path, cut path."""

from __future__ import annotations

import math

import numpy as np

from ai.core.scheduling.update_timeline import Part
from ai.formation.group_entity import G_ALONG, G_SPEED, G_X, G_Y, T_PLACED, GroupState
from ai.grid.terrain import Terrain
from ai.paths.requests.goal_resolution import resolve_goals
from ai.search.smoothing.straight_walk import line_walkable
from game.systems.groups.companies import set_off
from game.systems.groups.group_forming import ends_of, enter, rally, set_path
from game.systems.groups.membership import members_of
from game.systems.groups.slot_arrangement import preferred
from game.systems.timeline_notes import note_groups
from game.world.groups.movement_groups import Group
from game.world.world import World


def take_answer(world: World, number: int, corners: np.ndarray) -> None:
    """Give group ``number`` its path; a group that stood and waited sets out.

    The path has no points when none leads there any more.
    """
    groups = world.groups
    waiting = [row for row, group in groups.rows.items() if group.awaits == number]
    waiting.sort(key=lambda row: groups.rows[row].id)
    if not waiting and len(corners):
        take_wide_path(world, number, corners)
    own = next((row for row in waiting if groups.rows[row].id == number), -1)
    for row in waiting:
        groups.rows[row].awaits = -1
    if own < 0 or not len(corners):
        for row in waiting:
            ask_again(world, groups.rows[row], row)
        return
    group, num, tag = groups.rows[own], groups.num[own], groups.tag[own]
    halted = float(num[G_ALONG]) == 0.0
    assert group.path is not None
    here = group.path.points[0]
    corners = ends_of(group, corners)
    if (np.floor(corners[0]) == np.floor(here)).all():
        corners[0] = here
    set_path(world, group, own, corners, preferred(world, group).width / 2.0)
    if len(waiting) > 1 and set_off(world, group, waiting):
        return
    state = groups.state(own)
    if state == GroupState.FORMING or (state == GroupState.SETTLING and not tag[T_PLACED]):
        rally(world, group, own, halted)
    elif state == GroupState.FIGHTING:
        num[G_ALONG] = 0.0
    for row in waiting:
        if row != own:
            ask_again(world, groups.rows[row], row)


def take_wide_path(world: World, number: int, corners: np.ndarray) -> None:
    """Take a wider path found on the march, from here, if it still helps."""
    row = next((row for row, group in world.groups.rows.items() if group.id == number), -1)
    if row < 0 or world.groups.state(row) not in (GroupState.FORMING, GroupState.MARCHING):
        return
    join_path(world, world.groups.rows[row], row, corners)


def join_path(world: World, group: Group, row: int, corners: np.ndarray) -> bool:
    """Join a path at its first point reachable in a straight line.

    The path begins elsewhere.
    """
    num = world.groups.num[row]
    x, y = float(num[G_X]), float(num[G_Y])
    from_start = num[G_ALONG] <= 1.0
    if not from_start:
        away = np.hypot(corners[:, 0] - x, corners[:, 1] - y)
        first = int(np.argmin(away))
        rest = corners[first:]
        lines = np.column_stack([np.full(len(rest), x), np.full(len(rest), y), rest])
        world.group_paths.pay_lines(lines, world.settings.formation.budget)
        clear, _ = line_walkable(world.terrain, lines, group.movement_class)
        if not clear.any():
            return False
        corners = np.vstack([[x, y], rest[int(np.flatnonzero(clear)[-1]) :]])
    set_path(world, group, row, ends_of(group, corners), preferred(world, group).width / 2.0)
    if not from_start:
        num[G_ALONG] = 0.0
    return True


def follow_edits(world: World) -> None:
    """Request paths again that a map edit has cut."""
    terrain: Terrain = world.terrain
    if world.group_paths.revision == terrain.revision:
        return
    world.group_paths.revision = terrain.revision
    for row in sorted(world.groups.rows):
        group = world.groups.rows[row]
        if group.path is None or world.groups.state(row) not in (GroupState.FORMING, GroupState.MARCHING):
            continue
        tiles = np.floor(group.path.points).astype(int)
        if (terrain.passable[tiles[:, 1], tiles[:, 0]] >> group.movement_class & 1).all():
            continue
        ask_again(world, group, row)


def ask_again(world: World, group: Group, row: int) -> None:
    """Request a new path from here, or to the nearest place; halt until found."""
    num, terrain = world.groups.num[row], world.terrain
    at = np.clip([math.floor(num[G_Y]), math.floor(num[G_X])], 0, [terrain.height - 1, terrain.width - 1])
    start = (int(at[0]), int(at[1]))
    if world.components.label(group.movement_class, *start) == 0:
        slots = members_of(world, group)
        start = (math.floor(world.units.y[slots[0]]), math.floor(world.units.x[slots[0]]))
    meant = [[math.floor(group.goal[1]), math.floor(group.goal[0])]]
    goal = resolve_goals(terrain, world.components, group.movement_class, [start], meant)[0]
    if goal[0] < 0:
        return
    table = preferred(world, group)
    note_groups(world, Part.PATH, [group.id])
    corners = world.group_paths.ask(
        terrain, world.paths.engines, group.id, group.movement_class, start, (int(goal[0]), int(goal[1])),
        table.width + 0.6,
        world.settings.formation.budget,
    )  # fmt: skip
    set_path(world, group, row, corners, table.width / 2.0)
    num[G_ALONG] = 0.0
    if world.group_paths.answered(group.id):
        return
    group.awaits = group.id
    if world.groups.state(row) == GroupState.MARCHING:
        num[G_SPEED] = 0.0
        enter(world, group, row, GroupState.FORMING)
