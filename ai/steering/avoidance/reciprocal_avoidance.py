"""Reciprocal avoidance: each unit of a pair does half of the avoidance.

Reciprocal velocity obstacles by sampling. Fifteen velocities are tested against the nearest neighbours: seven headings
at two speeds, and standing still. The best one balances the distance from the wanted velocity against the time to the
first collision. Against a moving neighbour, a velocity v counts as 2 v - own, which leaves half of the change to the
neighbour.

It is an alternative to the anticipatory force, for comparison (named in Game AI Pro 2, 19.1).
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.steering.avoidance.anticipatory_avoidance import time_to_collision
from ai.steering.spatial_hash import S_R, S_VX, S_VY, S_WX, S_WY, S_X, S_Y

HEADINGS, PACES = 7, 2
SPREAD = 0.3
"""Radians between two tested headings."""


@kernel(
    "void(float64, float64, float64, float64, int64, int32[::1], float64[:,::1], int32[:,::1], int32[::1], uint8[::1],"
    " float64[::1], int16[::1], float64[::1], float64[::1])",
    group="lab",
)
def avoid_reciprocally(
    horizon: float,
    safety: float,
    gain: float,
    calm: float,
    count: int,
    order: np.ndarray,
    body: np.ndarray,
    nearest: np.ndarray,
    near_count: np.ndarray,
    moving: np.ndarray,
    ahead: np.ndarray,
    stuck: np.ndarray,
    force_x: np.ndarray,
    force_y: np.ndarray,
) -> None:
    """Write the force that leads to the best velocity, tiles/s2.

    It does so at rate ``gain`` (1/s).

    A unit that does not move has no force. ``safety`` weighs a collision one second away against tiles/s of difference
    from the wanted velocity. The weight is halved after ``calm`` ticks without progress. Otherwise a unit could wait
    for ever before an idle body: standing still never collides, and an idle body steps aside only for a unit that
    approaches.
    """
    for j in range(count):
        i = order[j]
        force_x[i] = 0.0
        force_y[i] = 0.0
        wx = body[S_WX, j]
        wy = body[S_WY, j]
        want = math.sqrt(wx * wx + wy * wy)
        if not moving[i] or want < 1e-9 or near_count[j] == 0:
            continue
        until = min(horizon, ahead[i] / want)
        heed = safety * calm / (calm + stuck[i])
        base = math.atan2(wy, wx)
        best = 1e30
        bx = wx
        by = wy
        for k in range(HEADINGS * PACES + 1):
            if k == HEADINGS * PACES:
                cx = 0.0
                cy = 0.0
            else:
                # The wanted heading first, then right before left, because units pass on the right.
                turn = k % HEADINGS
                off = SPREAD * ((turn + 1) // 2) * (1.0 if turn & 1 else -1.0)
                go = want * (1.0 if k < HEADINGS else 0.5)
                cx = go * math.cos(base + off)
                cy = go * math.sin(base + off)
            first = until
            for m in range(near_count[j]):
                q = nearest[j, m]
                share = 2.0 if moving[order[q]] else 1.0
                ux = share * cx - (share - 1.0) * body[S_VX, j] - body[S_VX, q]
                uy = share * cy - (share - 1.0) * body[S_VY, j] - body[S_VY, q]
                dx = body[S_X, q] - body[S_X, j]
                dy = body[S_Y, q] - body[S_Y, j]
                reach = min(body[S_R, j] + body[S_R, q], 0.98 * math.sqrt(dx * dx + dy * dy))
                first = min(first, time_to_collision(dx, dy, ux, uy, reach))
            cost = math.sqrt((cx - wx) * (cx - wx) + (cy - wy) * (cy - wy))
            if first < until:
                cost += heed / (first + 0.05)
            if cost < best - 1e-12:
                best = cost
                bx = cx
                by = cy
        force_x[i] = gain * (bx - wx)
        force_y[i] = gain * (by - wy)
