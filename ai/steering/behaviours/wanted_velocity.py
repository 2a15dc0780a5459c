"""How the wanted velocity comes about: plain following, blended vectors, context maps, or a swarm
(ai.steering.behaviours.swarm).

Whoever follows a path knows where it wants to go.  These methods say what it makes of that beside the others, all from
the same columns and the same order, so that one scene can be seen with each of them.  Source: Game AI Pro 2, chapter
18 (vectors and context maps).
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
    """What a unit makes of where it wants to go."""

    PLAIN = 0
    VECTORS = 1
    CONTEXT = 2
    SWARM = 3


@record
class ContextMaps:
    """Maps of every slot, float64[slots, N]; empty until context steering is on.  ``heading``: nan when it has none.

    ``turn`` (radians) and ``share``: what was made of the wanted velocity by who looked last, until he looks again.
    """

    kept: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    turn: np.ndarray = field(default_factory=lambda: np.zeros(0))
    share: np.ndarray = field(default_factory=lambda: np.zeros(0))
    interest: np.ndarray = unhashed(lambda: np.zeros((0, 0)))
    danger: np.ndarray = unhashed(lambda: np.zeros((0, 0)))
    heading: np.ndarray = unhashed(lambda: np.zeros(0))

    def reserve(self, slots: int, directions: int) -> None:
        """Room for so many unit slots and directions; other numbers of directions start anew."""
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
"""Tiles from its place within which a unit does not go round those who stand about and may be asked to make room."""

CLOSEST = 0.1
"""Gap below which another is a danger in any case, tiles."""

PATIENCE = 20.0
"""Ticks without progress that halve the distance a unit keeps from others."""


@device
def comes_nearer(j: int, q: int, body: np.ndarray) -> bool:
    """Whether what both want brings the two nearer at more than a fifth of a tile a second."""
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
    """Context steering: the wanted direction is the interest, walls and neighbours that come nearer are the danger.

    ``settings``: :func:`ai.steering.behaviours.context_steering.context_settings`.  ``want`` is turned to the
    heading chosen,
    slower the
    less it is of interest; without any interest left it becomes 0.  Who is not ``awake`` has no neighbours listed and
    turns as he did when he last was.  For rows ``first`` to ``last - 1`` of the lattice,
    in which ``body`` still has what was wanted before.
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
        # Where all round is danger the least of it leads away from the goal: who gets nowhere keeps less distance.
        keep_away = settings[2] * PATIENCE / (PATIENCE + stuck[i])
        # Who comes to its place lets those who stand about it be: no farther than half of what is left of its way.
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
                continue  # it steps aside for who comes at it
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
    """The classic average of a chase vector and the sum of avoid vectors (18.2), with its stalemate.

    For rows ``first`` to ``last - 1`` of the lattice, in which ``body`` still has what was wanted before.
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
                continue  # it steps aside for who comes at it
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
        # Unhindered the average of one vector is that vector.
        most = go if (ax != 0.0 or ay != 0.0) and v > go else v
        if ax == 0.0 and ay == 0.0:
            most = go
        if v > 1e-9:
            want_x[i] *= most / v
            want_y[i] *= most / v
