"""Group membership: leaving, dying, splitting and merging, always between updates."""

from __future__ import annotations

import numpy as np

from ai.formation.slot_following import SEEKING
from game.world.groups.movement_groups import Group
from game.world.world import World


def members_of(world: World, group: Group) -> np.ndarray:
    """Slots of a group's members, by id."""
    return world.units.slots(group.members)


def leave_groups(world: World, slots: np.ndarray) -> None:
    """Remove units from their groups; dissolve a group without members."""
    u = world.units
    inside = slots[u.band[slots] >= 0]
    if not len(inside):
        return
    rows = np.unique(u.band[inside]).tolist()
    u.band[inside] = -1
    u.slot_mode[inside] = SEEKING
    for row in rows:
        drop_members(world, row, u.id[inside])


def drop_members(world: World, row: int, ids: np.ndarray) -> None:
    """Strike members off a group's roll; their slots stay empty until it closes up."""
    group = world.groups.rows.get(row)
    if group is None:
        return
    stay = ~np.isin(group.members, ids)
    group.members, group.taken = group.members[stay], group.taken[stay]
    if len(group.kept):
        group.kept = group.kept[stay]
        group.taken = np.arange(len(group.members))
    group.family = None
    group.gaps = True
    if not len(group.members):
        world.group_paths.forget(group.id)
        world.groups.drop(row)


def bury(world: World) -> None:
    """Remove dead units from their groups."""
    u, n = world.units, world.units.count
    dead = np.flatnonzero((u.band[:n] >= 0) & (u.alive[:n] == 0))
    if not len(dead):
        return
    ids = u.id[dead]
    for row in np.unique(u.band[dead]).tolist():
        group = world.groups.rows.get(row)
        if group is not None:
            group.fallen += int(np.isin(group.members, ids).sum())
    leave_groups(world, dead)
