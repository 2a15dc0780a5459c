"""Slots filled in order of arrival, from the middle of the formation outward.

The order assigns no slot: all members go to the middle. The first to arrive takes it. Later members take an open
slot next to it, or push aside a unit in their path.

This suits paths round walls and rivers, where a unit that is near in a straight line arrives last ("AI Game
Programming Wisdom", 5.6). Such a group has *expected* members: their slots are reserved by number only, and they
aim at its middle. Once the group sets out, or waits no longer, the others take the slots that are left.
"""

from __future__ import annotations

import numpy as np

from ai.formation.formation_shapes import place
from ai.formation.group_entity import G_FACING, G_HEADING, G_SPACING, G_X, G_Y, T_PLACED
from ai.formation.slot_assignment import assign_arrived, assign_nearest, inside_out
from ai.formation.slot_following import RESTING, SEEKING
from ai.paths.quick.straight_path import LOOK
from ai.search.smoothing.straight_walk import line_walkable
from game.systems.groups.slot_arrangement import assigns_late, expects, preferred
from game.world.groups.drill import KEEP, PLAY
from game.world.groups.movement_groups import Group
from game.world.world import World

REACH = 1.5
"""Spacings between an arrived member and the ring of slots filled next."""
NOBODY = np.zeros(0, np.int64)
APART = 0.02
"""Tiles between bodies that pass each other without a conflict."""


def expect(world: World, group: Group) -> None:
    """Choose whether slots are assigned now or as members arrive, before a group rallies."""
    late = assigns_late(world, group.drill) and group.drill.shape not in (KEEP, PLAY)
    group.expected = group.members.copy() if late else NOBODY.copy()


def aim_at_the_middle(world: World, group: Group, row: int) -> None:
    """Send expected members to the middle of the formation, without own slots."""
    if not len(group.expected):
        return
    u = world.units
    slots = u.slots(group.members)[expects(group)]
    u.slot_f[slots] = u.slot_r[slots] = u.slot_a[slots] = 0.0
    if world.groups.tag[row, T_PLACED]:
        x, y = _middle(world, group, row)
        u.slot_x[slots], u.slot_y[slots] = x, y
        u.goal_x[slots], u.goal_y[slots] = x, y


def _middle(world: World, group: Group, row: int) -> np.ndarray:
    """Return the group's middle, or its nearest slot when walls moved that one.

    The second applies to a group that stands.
    """
    num = world.groups.num[row]
    at = np.array([num[G_X], num[G_Y]])
    if world.groups.tag[row, T_PLACED] and len(group.spots):
        at = group.spots[inside_out(group.spots[:, :2], at)[0], :2].copy()
    return at


def receive(world: World, group: Group, row: int, everybody: bool = False) -> None:
    """Assign slots to newly arrived members.

    With ``everybody`` the others get the slots that are left, each the nearest.
    """
    u, num = world.units, world.groups.num[row]
    placed = bool(world.groups.tag[row, T_PLACED])
    waits = expects(group)
    group.expected = group.members[waits]
    if not waits.any():
        return
    slots, middle = u.slots(group.members), np.array([num[G_X], num[G_Y]])
    table = preferred(world, group)
    heading = float(num[G_FACING if placed else G_HEADING])
    there = (
        group.spots
        if placed and len(group.spots) == len(slots)
        else place(table, float(middle[0]), float(middle[1]), heading)
    )
    here = np.column_stack([u.x[slots], u.y[slots]])
    came = np.flatnonzero(waits)[_who_has_come(world, group, row, here, there[:, :2], waits)]
    held = np.where(waits, -1, group.taken)
    body = 2.0 * float(u.radius[slots].max()) - APART
    mobile = np.array([world.types[k].circle <= 0.0 for k in u.kind[slots].tolist()])
    taken = assign_arrived(here, there[:, :2], held, came, middle, body, mobile)
    if everybody and (taken < 0).any():
        late, free = np.flatnonzero(taken < 0), np.setdiff1d(np.arange(len(there)), taken)
        taken[late] = free[assign_nearest(here[late], there[free, :2])]
    changed = np.flatnonzero(taken != held)
    if not len(changed):
        return
    waits = taken < 0
    group.expected = group.members[waits]
    inner = inside_out(there[:, :2], middle)
    taken[waits] = inner[~np.isin(inner, taken)]
    group.taken = taken
    mine, at = slots[changed], taken[changed]
    offsets = np.column_stack([table.forward, table.right, table.facing])[at]
    u.slot_f[mine], u.slot_r[mine], u.slot_a[mine] = offsets.T
    u.slot_gap[mine] = -1.0
    if placed:
        u.slot_x[mine], u.slot_y[mine] = there[at, 0], there[at, 1]
        u.goal_x[mine], u.goal_y[mine] = there[at, 0], there[at, 1]
        u.ordered_x[mine], u.ordered_y[mine] = there[at, 0], there[at, 1]
    rests = mine[u.slot_mode[mine] == RESTING]
    u.slot_mode[rests] = SEEKING


def _who_has_come(
    world: World, group: Group, row: int, here: np.ndarray, there: np.ndarray, waits: np.ndarray
) -> np.ndarray:
    """Return the arrived members in order of arrival, as indices into the expected.

    The ring that is filled next grows with each. A member that stands before a wall, however near, has not
    arrived. A member that rests has: it got no nearer.
    """
    u, num = world.units, world.groups.num[row]
    slots = u.slots(group.members)[waits]
    middle = np.array([num[G_X], num[G_Y]])
    ring = np.sort(np.hypot(there[:, 0] - middle[0], there[:, 1] - middle[1]))
    away = np.hypot(here[waits, 0] - middle[0], here[waits, 1] - middle[1])
    order = np.lexsort((u.id[slots], np.round(away, 6)))
    tired = u.slot_mode[slots] == RESTING
    near = away <= ring[-1] + REACH * num[G_SPACING]
    sees = np.zeros(len(slots), bool)
    if near.any():
        at = _middle(world, group, row)
        lines = np.column_stack([here[waits][near], np.broadcast_to(at, (int(near.sum()), 2))])
        world.group_paths.pay_lines(lines, world.settings.formation.budget)
        sees[near], _ = line_walkable(world.terrain, lines, group.movement_class, LOOK)
    came: list[int] = []
    held = int((~waits).sum())
    for i in order.tolist():
        reach = ring[min(held + len(came), len(ring) - 1)] + REACH * float(num[G_SPACING])
        if tired[i] or (sees[i] and away[i] <= reach):
            came.append(i)
    return np.array(came, np.int64)
