"""Room for bodies that fight: units that aim or lie step apart.

Collision keeps bodies from overlapping, but a figure with its weapon is wider than its body. Units that stop to shoot
stop where the first of them stand, and would become one heap. A unit that aims or lies therefore steps away from
comrades that stand too near, slowly, until each has its room. It does not step out of its weapon's reach, behind a wall
or out of cover. It walks no path, so its order and its mind go on. Members of a squad stand where the squad sends them.

Source: separation, Craig Reynolds, "Steering Behaviors For Autonomous Characters", GDC 1999. The room is ours.
"""

from __future__ import annotations

import math

import numpy as np

from ai.perception.sight.line_of_sight import line_clear
from game.world.passage_claims import GOES
from game.world.units import Stance
from game.world.world import World

AT_EASE = 1.0
"""Most room in tiles beside units that lie and aim at nobody.

They may have been ordered to tiles beside each other.
"""
PACE = 0.7
"""Largest speed of a step aside, tiles/s."""
HASTE = 2.0
"""Speed of a step aside per missing tile, 1/s.

A unit slows down before it has its room.
"""
ROOTED = 0.05
"""Tiles/s; a unit that is slower is held by an act."""
SLACK = 0.04
"""Tiles by which the room may be missed, so that nobody shuffles for ever."""
REACH_KEPT = 0.9
"""Share of a weapon's reach beyond which no unit steps back."""


def step_apart(world: World) -> None:
    """Set the velocity of a step aside for units too near a comrade.

    Only units that aim or lie step aside.
    """
    u, n, room = world.units, world.units.count, world.settings.rules.body_room
    if room <= 0.0:
        return
    still = (u.alive[:n] == 1) & (u.moving[:n] == 0)
    fights = still & (u.holding[:n] == 0) & ((u.target[:n] >= 0) | (u.stance[:n] == Stance.PRONE))
    fights &= (u.band[:n] < 0) & (world.passages.act[:n] == GOES)
    fights[_placed_by_squads(world)] = False
    if not fights.any():
        return
    s = world.steering
    fights &= (s.give_left[:n] == 0) & (u.speed[:n] > ROOTED)
    slots = np.flatnonzero(still)
    slots = slots[np.argsort(u.id[slots], kind="stable")]
    push = _pushes(world, slots, fights[slots], np.where(u.target[slots] >= 0, room, min(room, AT_EASE)))
    for k in np.flatnonzero((push != 0.0).any(axis=1)).tolist():
        slot = int(slots[k])
        vx, vy = _kept_in_fight(world, slot, float(push[k, 0]), float(push[k, 1]))
        if vx or vy:
            s.want_x[slot], s.want_y[slot] = vx, vy
            # It shall not walk back to where it stood.
            s.home_x[slot], s.home_y[slot] = u.x[slot], u.y[slot]


def _placed_by_squads(world: World) -> np.ndarray:
    """Return the slots of members of squads with an intent, which chose their places."""
    led = {unit for squad in world.squads.rows.values() if squad.intent for unit in squad.members}
    return world.units.slots(sorted(led))


def _pushes(world: World, slots: np.ndarray, fights: np.ndarray, room: np.ndarray) -> np.ndarray:
    """Return velocities float64[n, 2] away from comrades, in tiles/s.

    They are zero for units that do not fight.

    ``slots`` are in order of id, so the sums do not depend on slots. ``room`` float64[n] is the room of each in tiles;
    two that fight keep the larger one.
    """
    from scipy.spatial import cKDTree  # slow to import, and only a fight needs it

    u = world.units
    x, y = u.x[slots], u.y[slots]
    push = np.zeros((len(slots), 2))
    pairs = cKDTree(np.column_stack([x, y])).query_pairs(float(room.max()), output_type="ndarray")
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    a, b = pairs[:, 0], pairs[:, 1]
    friends = (u.side[slots[a]] == u.side[slots[b]]) & (fights[a] | fights[b])
    a, b = a[friends], b[friends]
    dx, dy = x[a] - x[b], y[a] - y[b]
    far = np.hypot(dx, dy)
    lacks = np.maximum(np.where(fights[a], room[a], 0.0), np.where(fights[b], room[b], 0.0)) - far
    near = lacks > SLACK
    a, b, dx, dy, far, lacks = a[near], b[near], dx[near], dy[near], far[near], lacks[near]
    same = far < 1e-9
    dx[same], far[same] = 1.0, 1.0  # two at one place part along x
    for at, sign in ((a, 1.0), (b, -1.0)):
        np.add.at(push, at, sign * (lacks / far)[:, None] * np.column_stack([dx, dy]))
    push[~fights] = 0.0
    length = np.hypot(push[:, 0], push[:, 1])
    push *= np.minimum(HASTE, np.minimum(PACE, u.speed[slots]) / np.maximum(length, 1e-9))[:, None]
    return push


def _kept_in_fight(world: World, slot: int, vx: float, vy: float) -> tuple[float, float]:
    """Return the step's velocity without the part that would end the fight.

    That is a step out of reach of the target, out of its sight, or out of cover.
    """
    u, terrain = world.units, world.terrain
    target = int(u.target[slot])
    x, y, other = float(u.x[slot]), float(u.y[slot]), u.slot(target) if target >= 0 else -1
    if other >= 0:
        tx, ty = float(u.x[other]) - x, float(u.y[other]) - y
        far = math.hypot(tx, ty)
        away = -(vx * tx + vy * ty) / far if far > 1e-9 else 0.0
        if away > 0.0 and far > REACH_KEPT * world.weapons[int(u.weapon[slot])].reach:
            vx, vy = vx + away * tx / far, vy + away * ty / far
    dt = world.settings.steering.dt
    old, new = (math.floor(y), math.floor(x)), (math.floor(y + vy * dt), math.floor(x + vx * dt))
    if new != old:
        height, width = terrain.cover.shape
        if not (0 <= new[0] < height and 0 <= new[1] < width) or terrain.cover[new] < terrain.cover[old]:
            return 0.0, 0.0
        if other >= 0 and not line_clear(terrain.opaque, *new, math.floor(u.y[other]), math.floor(u.x[other])):
            return 0.0, 0.0
    return vx, vy
