"""Encounters on a group's path: single units and groups, in its own frame.

They feed the candidates. Other groups count as boxes, single units as their bodies. Only the own side is
considered, since the goal of an enemy is not known.

Source: "Game AI Pro 2", 20.8 (groups that avoid as one; an oriented box, not a disc).
"""

from __future__ import annotations

import math

import numpy as np

from ai.formation.formation_adaptation import HORIZON, NOBODY
from ai.formation.group_entity import G_DEPTH, G_HALF, G_HEADING, G_VX, G_VY, G_X, G_Y, T_STATE, GroupState
from game.world.groups.movement_groups import Group
from game.world.world import World

FASTEST = 4.0
"""Tiles/s at which another unit may approach a group."""
MOST = 24
"""Most single units that a group looks at, the nearest."""
SINGLES_UP_TO, GROUPS_UP_TO = 6, 40
"""Members up to which a group avoids single units, and other groups.

In larger ones each member steps aside for itself.
"""
BODY = 0.4
"""Half a body, with what its steps need."""


def met(world: World, group: Group, row: int) -> np.ndarray:
    """Return the possible crossings of a group's path within the horizon: float64[m, 6].

    The columns are those of :func:`ai.formation.formation_adaptation.time_to_meeting`.
    """
    num, count = world.groups.num[row], len(group.members)
    if count > GROUPS_UP_TO:
        return NOBODY
    reach = float(num[G_DEPTH]) + float(num[G_HALF]) + 2.0 * FASTEST * HORIZON
    rows = _groups(world, group, row, reach)
    if count <= SINGLES_UP_TO:
        rows = np.vstack([rows, _singles(world, group, num, reach)])
    c, s = math.cos(num[G_HEADING]), math.sin(num[G_HEADING])
    dx, dy, vx, vy = rows[:, 0] - num[G_X], rows[:, 1] - num[G_Y], rows[:, 2], rows[:, 3]
    framed = np.column_stack([dx * c + dy * s, dy * c - dx * s, vx * c + vy * s, vy * c - vx * s, rows[:, 4:]])
    # A unit in the same direction is followed, not passed; members walk round a standing one on their own.
    return framed[framed[:, 2] < -0.1]


def _groups(world: World, group: Group, row: int, reach: float) -> np.ndarray:
    """Return marching groups of the same side as boxes in the group's axes.

    The columns are place, velocity and half extents.
    """
    groups, mine = world.groups, world.groups.num[row]
    out = []
    for other in sorted(groups.rows, key=lambda k: groups.rows[k].id):
        num = groups.num[other]
        far = math.hypot(num[G_X] - mine[G_X], num[G_Y] - mine[G_Y])
        if other == row or groups.tag[other, T_STATE] != GroupState.MARCHING or far > reach + num[G_DEPTH]:
            continue
        if groups.rows[other].side != group.side:
            continue
        turn = float(num[G_HEADING] - mine[G_HEADING])
        c, s = abs(math.cos(turn)), abs(math.sin(turn))
        half, depth = float(num[G_HALF]) + BODY, float(num[G_DEPTH]) / 2.0 + BODY
        out.append((num[G_X], num[G_Y], num[G_VX], num[G_VY], c * depth + s * half, s * depth + c * half))
    return np.array(out).reshape(-1, 6)


def _singles(world: World, group: Group, num: np.ndarray, reach: float) -> np.ndarray:
    """Units of the same side that walk alone, the nearest by distance, then id."""
    u, n = world.units, world.units.count
    loose = np.flatnonzero((u.band[:n] < 0) & (u.moving[:n] == 1) & (u.alive[:n] == 1) & (u.side[:n] == group.side))
    if not len(loose):
        return NOBODY
    off = np.maximum(np.abs(u.x[loose] - num[G_X]), np.abs(u.y[loose] - num[G_Y]))
    loose, off = loose[off < reach], off[off < reach]
    loose = loose[np.lexsort((u.id[loose], off))[:MOST]]
    body = np.full(len(loose), BODY)
    return np.column_stack([u.x[loose], u.y[loose], u.vx[loose], u.vy[loose], body, body])
