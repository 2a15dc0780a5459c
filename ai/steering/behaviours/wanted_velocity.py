"""Wanted velocity by one of four methods.

A path gives each unit a direction. The methods combine it with the neighbours: plain following, blended vectors,
context maps, or a swarm (:mod:`ai.steering.behaviours.swarm`). All of them read the same columns in the same order, so
one scene can be compared under each method.

Source: Game AI Pro 2, chapter 18 (vectors and context maps).
"""

from __future__ import annotations

import math
from dataclasses import field
from enum import IntEnum

import numpy as np

from ai.core.kernels import device, kernel
from ai.core.serialization import record, unhashed
from ai.steering.behaviours.context_steering import decide, fear_body, fear_walls, write_peak
from ai.steering.spatial_hash import S_R, S_WX, S_WY, S_X, S_Y
from ai.steering.wall_collision import tile_open


class Method(IntEnum):
    """Selects how a unit turns its path direction into a wanted velocity."""

    PLAIN = 0
    VECTORS = 1
    CONTEXT = 2
    SWARM = 3


@record
class ContextMaps:
    """Context maps of every slot, float64[slots, N]; empty without context steering.

    ``heading`` is nan for a unit without one. ``turn`` (radians) and ``share`` keep the last change of the wanted
    velocity for ticks in which the unit does not look.
    """

    kept: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    turn: np.ndarray = field(default_factory=lambda: np.zeros(0))
    share: np.ndarray = field(default_factory=lambda: np.zeros(0))
    interest: np.ndarray = unhashed(lambda: np.zeros((0, 0)))
    danger: np.ndarray = unhashed(lambda: np.zeros((0, 0)))
    heading: np.ndarray = unhashed(lambda: np.zeros(0))

    def reserve(self, slots: int, directions: int) -> None:
        """Grow to ``slots`` slots; another number of directions clears the maps."""
        if self.kept.shape[1] == directions and len(self.kept) >= slots and len(self.turn) >= len(self.kept):
            return
        have = min(len(self.kept), slots) if self.kept.shape[1] == directions else 0
        kept = np.zeros((slots, directions))
        if have:
            kept[:have] = self.kept[:have]
        self.kept, self.interest, self.danger = kept, np.zeros((slots, directions)), np.zeros((slots, directions))
        self.heading = np.full(slots, np.nan)
        turn, share = np.zeros(slots), np.ones(slots)
        have = min(have, len(self.turn))
        turn[:have], share[:have] = self.turn[:have], self.share[:have]
        self.turn, self.share = turn, share


LAST_LEG = 5.0
"""Tiles from its goal within which a unit does not go round idle units.

The idle units step aside there.
"""

CLOSEST = 0.1
"""Gap in tiles below which another unit is always a danger."""

PATIENCE = 20.0
"""Ticks without progress that halve the distance kept from others."""


@device
def comes_nearer(j: int, q: int, body: np.ndarray) -> bool:
    """Return True if wanted velocities close the gap by over 0.2 tiles/s."""
    nx = body[S_X, q] - body[S_X, j]
    ny = body[S_Y, q] - body[S_Y, j]
    d = math.sqrt(nx * nx + ny * ny)
    ux = body[S_WX, j] - body[S_WX, q]
    uy = body[S_WY, j] - body[S_WY, q]
    return ux * nx + uy * ny > 0.2 * d


@kernel(
    "void(int64, int64, uint8[:,::1], float64[::1], int32[::1], float64[:,::1], int32[:,::1], int32[::1], uint8[::1],"
    " uint8[::1], uint8[::1], float64[::1], float64[::1], uint8[::1], int16[::1], float64[::1], float64[::1],"
    " float64[::1], float64[:,::1], float64[:,::1], float64[:,::1], float64[::1], float64[::1], float64[::1])",
    group="lab",
)
def steer_by_maps(
    first: int,
    last: int,
    passable: np.ndarray,
    settings: np.ndarray,
    order: np.ndarray,
    body: np.ndarray,
    nearest: np.ndarray,
    near_count: np.ndarray,
    moving: np.ndarray,
    awake: np.ndarray,
    holding: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    movement_class: np.ndarray,
    stuck: np.ndarray,
    ahead: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    interest: np.ndarray,
    danger: np.ndarray,
    kept: np.ndarray,
    heading: np.ndarray,
    turn: np.ndarray,
    share: np.ndarray,
) -> None:
    """Steer by context maps: the path is the interest, walls and neighbours are danger.

    Only neighbours that come nearer are a danger. ``settings`` comes from
    :func:`ai.steering.behaviours.context_steering.context_settings`. ``want`` is turned to the selected heading, and is
    slower where that heading has less interest. Without any interest it becomes 0.

    A unit that is not ``awake`` has no listed neighbours and repeats the turn of its last look. The kernel serves rows
    ``first`` to ``last - 1`` of the spatial hash; ``body`` still holds the velocities wanted before.
    """
    n = interest.shape[1]
    look = settings[3]
    east = np.empty(n)
    south = np.empty(n)
    for s in range(n):
        east[s] = math.cos(2.0 * math.pi * s / n)
        south[s] = math.sin(2.0 * math.pi * s / n)
    for j in range(first, last):
        i = order[j]
        # Surrounded by danger, the least of it leads away from the goal, so a stuck unit keeps less distance.
        keep_away = settings[2] * PATIENCE / (PATIENCE + stuck[i])
        # Near its goal a unit ignores those around the goal: it keeps at most half of its remaining distance.
        keep_away = min(keep_away, max(CLOSEST, 0.5 * ahead[i]))
        go = math.sqrt(want_x[i] * want_x[i] + want_y[i] * want_y[i])
        if not awake[i] and moving[i] and go >= 1e-9:
            c = math.cos(turn[i]) * share[i]
            sine = math.sin(turn[i]) * share[i]
            want_x[i], want_y[i] = want_x[i] * c - want_y[i] * sine, want_x[i] * sine + want_y[i] * c
            continue
        interest[i] = 0.0
        danger[i] = 0.0
        heading[i] = math.nan
        turn[i] = 0.0
        share[i] = 1.0
        if not moving[i] or go < 1e-9:
            kept[i] = 0.0
            continue
        x = body[S_X, j]
        y = body[S_Y, j]
        r = body[S_R, j]
        bearing = math.atan2(want_y[i], want_x[i])
        write_peak(interest[i], bearing, 1.0, settings[0])
        to_x = goal_x[i] - x
        to_y = goal_y[i] - y
        at_last = to_x * to_x + to_y * to_y < LAST_LEG * LAST_LEG
        for k in range(near_count[j]):
            q = nearest[j, k]
            if at_last and not moving[order[q]] and not holding[order[q]]:
                continue  # an idle unit steps aside
            dx = body[S_X, q] - x
            dy = body[S_Y, q] - y
            d = math.sqrt(dx * dx + dy * dy)
            gap = d - body[S_R, q] - r
            if gap >= keep_away or gap > ahead[i] or not (gap < settings[1] or comes_nearer(j, q, body)):
                continue
            fear_body(danger[i], dx, dy, body[S_R, q] + r, settings[1], keep_away)
        fear_walls(danger[i], passable, 1 << movement_class[i], x, y, r, look, min(look, ahead[i]), east, south)
        _, chosen, strength = decide(settings, interest[i], danger[i], kept[i])
        if strength <= 0.0:
            share[i] = 0.0
            want_x[i] = 0.0
            want_y[i] = 0.0
        else:
            heading[i] = chosen
            turn[i] = chosen - bearing
            share[i] = min(1.0, 0.25 + strength)
            go *= share[i]
            want_x[i] = go * math.cos(chosen)
            want_y[i] = go * math.sin(chosen)


@kernel(
    "void(int64, int64, uint8[:,::1], float64[::1], int32[::1], float64[:,::1], int32[:,::1], int32[::1], uint8[::1],"
    " uint8[::1], float64[::1], float64[::1], uint8[::1], float64[::1], float64[::1], float64[::1])",
    group="lab",
)
def steer_by_vectors(
    first: int,
    last: int,
    passable: np.ndarray,
    settings: np.ndarray,
    order: np.ndarray,
    body: np.ndarray,
    nearest: np.ndarray,
    near_count: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    movement_class: np.ndarray,
    ahead: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
) -> None:
    """Steer by the average of a chase vector and the avoid vectors (18.2).

    This is the classic method, with its stalemate. It serves rows ``first`` to ``last - 1`` of the spatial hash;
    ``body`` still holds the velocities wanted before.
    """
    keep_away = settings[2]
    look = settings[3]
    for j in range(first, last):
        i = order[j]
        go = math.sqrt(want_x[i] * want_x[i] + want_y[i] * want_y[i])
        if not moving[i] or go < 1e-9:
            continue
        x = body[S_X, j]
        y = body[S_Y, j]
        r = body[S_R, j]
        near = min(keep_away, max(CLOSEST, 0.5 * ahead[i]))
        ax = 0.0
        ay = 0.0
        to_x = goal_x[i] - x
        to_y = goal_y[i] - y
        at_last = to_x * to_x + to_y * to_y < LAST_LEG * LAST_LEG
        for k in range(near_count[j]):
            q = nearest[j, k]
            if at_last and not moving[order[q]] and not holding[order[q]]:
                continue  # an idle unit steps aside
            dx = body[S_X, q] - x
            dy = body[S_Y, q] - y
            d = math.sqrt(dx * dx + dy * dy)
            gap = d - body[S_R, q] - r
            if d > 1e-9 and gap < near and gap <= ahead[i] and comes_nearer(j, q, body):
                push = 2.0 * (1.0 - max(gap, 0.0) / near)
                ax -= dx / d * push
                ay -= dy / d * push
        for ty in range(math.floor(y - look), math.floor(y + look) + 1):
            for tx in range(math.floor(x - look), math.floor(x + look) + 1):
                if tile_open(passable, 1 << movement_class[i], ty, tx):
                    continue
                dx = min(max(x, tx), tx + 1.0) - x
                dy = min(max(y, ty), ty + 1.0) - y
                d = math.sqrt(dx * dx + dy * dy)
                if 1e-9 < d < r + 0.5 * look:
                    push = 0.25 * (1.0 - max(d - r, 0.0) / (0.5 * look))
                    ax -= dx / d * push
                    ay -= dy / d * push
        want_x[i] = go * 0.5 * (want_x[i] / go + ax)
        want_y[i] = go * 0.5 * (want_y[i] / go + ay)
        v = math.sqrt(want_x[i] * want_x[i] + want_y[i] * want_y[i])
        # Without obstacles, the average of one vector is that vector.
        most = go if (ax != 0.0 or ay != 0.0) and v > go else v
        if ax == 0.0 and ay == 0.0:
            most = go
        if v > 1e-9:
            want_x[i] *= most / v
            want_y[i] *= most / v
