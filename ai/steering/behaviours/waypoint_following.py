"""Waypoint following with arrival, look-ahead and predictive gain.

Predictive gain prevents orbiting around a waypoint. The present motion describes a circular arc. While that arc misses
the waypoint, the turn gain grows a little in every tick. When it hits, the gain decays to its nominal value.

Source: "Position pursuit with predictive gain" (Journal of Game Development 1(1), the walk control layer).
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.core.scheduling.turn_kernels import has_turn
from ai.steering.settings_columns import (
    P_BRAKE,
    P_DT,
    P_GAIN_LIMIT,
    P_GAIN_RAISE,
    P_KEEP_RIGHT,
    P_LOOKAHEAD,
    P_SETTLE_RADIUS,
    P_WAYPOINT_RADIUS,
)
from ai.steering.tile_surroundings import ROOMY, WIDE
from ai.steering.traffic.traffic_lanes import lane_error, oncoming
from ai.steering.wall_collision import walk_open

REACHED_WAYPOINT = 1
REACHED_GOAL = 2


LOOKS = 4
"""Ticks between two tests whether a unit may skip a corner."""


@device
def wrap_angle(a: float) -> float:
    """Return the same angle in [-pi, pi)."""
    b = a + math.pi
    # Within one turn, give the result of the remainder without its division.
    if 0.0 <= b < 2.0 * math.pi:
        return b - math.pi
    if 2.0 * math.pi <= b < 4.0 * math.pi:
        return b - 2.0 * math.pi - math.pi
    if -2.0 * math.pi < b < 0.0:
        return b + 2.0 * math.pi - math.pi
    return b % (2.0 * math.pi) - math.pi


@device
def arc_hits(x: float, y: float, vx: float, vy: float, turn: float, gx: float, gy: float, tolerance: float) -> bool:
    """Return True if the present motion passes within ``tolerance`` of (gx, gy).

    The motion has velocity (vx, vy) and turns by ``turn`` radians/s.
    """
    wx = gx - x
    wy = gy - y
    if wx * wx + wy * wy <= tolerance * tolerance:
        return True
    v = math.sqrt(vx * vx + vy * vy)
    if v < 1e-9:
        return True
    if abs(turn) < 1e-6 * v:
        along = (wx * vx + wy * vy) / v
        across = (wx * vy - wy * vx) / v
        return along > 0.0 and abs(across) <= tolerance
    # Centre of the circle: one signed radius to the clockwise side (y points down).
    radius = v / turn
    ex = wx + vy / v * radius
    ey = wy - vx / v * radius
    return abs(math.sqrt(ex * ex + ey * ey) - abs(radius)) <= tolerance


@device
def predicted_gain(gain: float, hits: bool, rise: float, limit: float) -> float:
    """Return the gain factor after one tick.

    It grows on a miss, and moves towards 1 on a hit.
    """
    if hits:
        return max(1.0, gain / (1.0 + rise))
    return min(limit, gain * (1.0 + rise))


@kernel(
    "void(int64, int64, uint8[:,::1], uint8[:,:,::1], int32[:,:,::1], int64, float64[::1], int32[::1], uint8[::1],"
    " uint8[::1], uint8[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], uint8[::1], uint8[::1])"
)
def follow(
    first: int,
    last: int,
    passable: np.ndarray,
    around: np.ndarray,
    traffic: np.ndarray,
    tick: int,
    p: np.ndarray,
    ids: np.ndarray,
    alive: np.ndarray,
    moving: np.ndarray,
    movement_class: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    vx: np.ndarray,
    vy: np.ndarray,
    radius: np.ndarray,
    speed: np.ndarray,
    wp_x: np.ndarray,
    wp_y: np.ndarray,
    next_x: np.ndarray,
    next_y: np.ndarray,
    has_next: np.ndarray,
    final: np.ndarray,
    gain: np.ndarray,
    turn: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    course_x: np.ndarray,
    course_y: np.ndarray,
    ahead: np.ndarray,
    lane_off: np.ndarray,
    reached: np.ndarray,
    roomy: np.ndarray,
) -> None:
    """Write wanted velocity (tiles/s) and gain of slots ``first`` to ``last - 1``.

    Inputs:

    - ``has_next``: (next_x, next_y) is the waypoint after this one.
    - ``final``: this waypoint is the destination, so the unit brakes for it.
    - ``turn``: turn of the last tick, radians.
    - ``around``: result of :func:`ai.steering.tile_surroundings.look_around`.

    Outputs:

    - ``course``: unit vector to the waypoint.
    - ``ahead``: tiles to the destination, else 1e9.
    - ``lane_off``: tiles out of the right-hand lane.
    - ``roomy``: 1 if the unit stands on a roomy tile.
    - ``reached``: 1 if the path advances to the next waypoint, 2 at the destination, else 0.

    The path advances when this waypoint is near, or when the unit can walk straight to the next one.
    """
    dt = p[P_DT]
    near2 = p[P_WAYPOINT_RADIUS] * p[P_WAYPOINT_RADIUS]
    settle = p[P_SETTLE_RADIUS]
    for i in range(first, last):
        want_x[i] = 0.0
        want_y[i] = 0.0
        course_x[i] = 0.0
        course_y[i] = 0.0
        ahead[i] = 1e9
        lane_off[i] = 0.0
        reached[i] = 0
        roomy[i] = 0
        if not alive[i]:
            gain[i] = 1.0
            continue
        bit = 1 << movement_class[i]
        wide = False
        tile_y = math.floor(y[i])
        tile_x = math.floor(x[i])
        if 0 <= tile_y < around.shape[0] and 0 <= tile_x < around.shape[1]:
            roomy[i] = (around[tile_y, tile_x, ROOMY] & bit) != 0
            wide = (around[tile_y, tile_x, WIDE] & bit) != 0
        if not moving[i]:
            gain[i] = 1.0
            continue
        tx = wp_x[i] - x[i]
        ty = wp_y[i] - y[i]
        d2 = tx * tx + ty * ty
        at_last = final[i] != 0
        if has_next[i]:
            nx = next_x[i] - x[i]
            ny = next_y[i] - y[i]
            n2 = nx * nx + ny * ny
            pass_on = d2 < near2
            # The test for a straight walk is the slow part of this kernel, so each unit runs it every fourth tick.
            if not pass_on and has_turn(tick, ids[i], LOOKS) and n2 <= p[P_LOOKAHEAD] * p[P_LOOKAHEAD]:
                pass_on = walk_open(passable, bit, x[i], y[i], next_x[i], next_y[i], radius[i])
            if pass_on:
                reached[i] = REACHED_WAYPOINT
                tx = nx
                ty = ny
                d2 = n2
                at_last = False
        elif d2 < near2 and not at_last:
            reached[i] = REACHED_WAYPOINT
        d = math.sqrt(d2)
        go = speed[i]
        aim_x = x[i] + tx
        aim_y = y[i] + ty
        if at_last:
            ahead[i] = d
            if d <= settle:
                reached[i] = REACHED_GOAL
                continue
            # Brake to stop at the destination, but never below one settle radius per second.
            go = min(go, max(math.sqrt(2.0 * p[P_BRAKE] * d), settle), d / dt)
        if d > 1e-9:
            tx /= d
            ty /= d
            course_x[i] = tx
            course_y[i] = ty
            against = 0
            if not wide and p[P_KEEP_RIGHT] > 0.0 and d > 1.0:
                against = oncoming(traffic, x[i], y[i], tx, ty)
            if against > 0:
                # Move into the right-hand lane of the place here or ahead before moving on.
                off = 0.0
                for k in range(3):
                    off = max(off, lane_error(passable, bit, x[i], y[i], tx, ty, 1.5 * k, radius[i], against))
                lane_off[i] = off
                if off > 0.0:
                    side = min(p[P_KEEP_RIGHT] * 2.0 * off, 1.0)
                    on = max(0.0, 1.0 - p[P_KEEP_RIGHT] * off)
                    s = 1.0 / max(1.0, math.sqrt(on * on + side * side))
                    tx, ty = (on * tx - side * ty) * s, (on * ty + side * tx) * s
            want_x[i] = tx * go
            want_y[i] = ty * go
        hits = arc_hits(x[i], y[i], vx[i], vy[i], turn[i] / dt, aim_x, aim_y, max(settle, p[P_WAYPOINT_RADIUS]))
        gain[i] = predicted_gain(gain[i], hits, p[P_GAIN_RAISE], p[P_GAIN_LIMIT])


TECHNIQUES = (
    {
        "slug": "predictive-gain",
        "name": "Predictive gain against orbiting a waypoint",
        "ids": ("JOGD-2.10", "JOGD-2.9"),
        "source": "Journal of Game Development 1(1), the walk control layer",
        "functions": ("predicted_gain",),
        "test": "tests/ai/steering/behaviours/test_motion.py",
        "exhibit": "levels/exhibits/motion/corners.toml",
        "overlay": "motion",
        "setting": "steering.gain_raise",
        "measure": "walked",
        "direction": "down",
        "claim": "As told, with a limit on the gain; rates are ours.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
