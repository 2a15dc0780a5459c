"""Velocity integration: combines following, whiskers and avoidance within a body's limits.

The limits are acceleration, speed, turn rate and the product of speed and turn rate. The last one makes a unit slow
down in a corner (Journal of Game Development 1(1), the walk control layer: "turning beats speed"). The resulting
positions are proposals: ``ai.steering.collision.collision_resolution`` tests them against bodies and walls.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.steering.behaviours.waypoint_following import wrap_angle
from ai.steering.collision.collision_resolution import publish_step
from ai.steering.settings_columns import (
    P_ACCELERATION,
    P_ALONG_FACING,
    P_AVOID_WEIGHT,
    P_DT,
    P_GAIN,
    P_TURN_ACCELERATION,
    P_WHISKER_ATTRACT,
    P_WHISKERS,
)
from ai.steering.tile_surroundings import is_roomy
from ai.steering.wall_collision import MAX_RADIUS, nearest_open, tile_open


@kernel(
    "void(int64, int64, uint8[:,::1], uint8[:,:,::1], uint8[::1], int32[::1], int32[::1], float64[::1], uint8[::1],"
    " uint8[::1], uint8[::1], uint8[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], uint8[::1], float64[::1])"
)
def integrate(
    first: int,
    last: int,
    passable: np.ndarray,
    around: np.ndarray,
    roomy: np.ndarray,
    rank: np.ndarray,
    contact_count: np.ndarray,
    p: np.ndarray,
    alive: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    movement_class: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    vx: np.ndarray,
    vy: np.ndarray,
    facing: np.ndarray,
    radius: np.ndarray,
    speed: np.ndarray,
    turn_rate: np.ndarray,
    turn_to: np.ndarray,
    gain: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    push_x: np.ndarray,
    push_y: np.ndarray,
    force_x: np.ndarray,
    force_y: np.ndarray,
    turn: np.ndarray,
    new_x: np.ndarray,
    new_y: np.ndarray,
    new_vx: np.ndarray,
    new_vy: np.ndarray,
    wishing: np.ndarray,
    circle: np.ndarray,
) -> None:
    """Write proposed positions and velocities of slots ``first`` to ``last - 1``.

    Also updates ``facing`` (radians) and ``turn`` (radians in this tick). ``wishing`` uint8[slots] becomes 1 where a
    position must be tested against bodies and walls. It becomes 0 where no body and no wall is near, so that the
    position is final.

    ``circle`` is the turning radius in tiles, 0 without one. ``turn_to`` is the heading to which a standing unit turns,
    nan for none. ``turn_rate`` is in radians/s.
    """
    dt = p[P_DT]
    own = 1.0 - p[P_WHISKER_ATTRACT] if p[P_WHISKERS] != 0.0 else 1.0
    all_along = p[P_ALONG_FACING] != 0.0
    for i in range(first, last):
        new_x[i] = x[i]
        new_y[i] = y[i]
        new_vx[i] = 0.0
        new_vy[i] = 0.0
        wishing[i] = alive[i]
        if not alive[i]:
            continue
        lone = contact_count[rank[i]] == 0
        bit = 1 << movement_class[i]
        if not roomy[i] and not tile_open(passable, bit, math.floor(y[i]), math.floor(x[i])):
            # A map edit closed the tile under the unit.
            new_x[i], new_y[i] = nearest_open(passable, bit, x[i], y[i], min(radius[i], MAX_RADIUS), 8)
            turn[i] = 0.0
            continue
        if not moving[i]:
            goal = turn_to[i]
            step = 0.0
            if not math.isnan(goal):
                most = turn_rate[i] * dt
                step = min(max(wrap_angle(goal - facing[i]), -most), most)
                facing[i] = wrap_angle(facing[i] + step)
            turn[i] = step
            # A standing unit moves only to make room for others.
            if not holding[i]:
                new_x[i] = x[i] + want_x[i] * dt
                new_y[i] = y[i] + want_y[i] * dt
            wishing[i] = not (lone and new_x[i] == x[i] and new_y[i] == y[i])
            continue
        # The part that the whiskers carry as a bias is not added twice.
        wx = own * want_x[i] + push_x[i]
        wy = own * want_y[i] + push_y[i]
        k = p[P_GAIN] * gain[i]
        most_a = p[P_ACCELERATION] * dt
        most_turn = turn_rate[i] * dt
        limit = speed[i]
        along = all_along or circle[i] > 0.0
        if along:
            # The wanted velocity gives a heading to turn to and a speed; the body moves where it faces.
            wx += p[P_AVOID_WEIGHT] * force_x[i] / k
            wy += p[P_AVOID_WEIGHT] * force_y[i] / k
            wish = math.sqrt(wx * wx + wy * wy)
            gap = wrap_angle(math.atan2(wy, wx) - facing[i]) if wish > 1e-9 else 0.0
            step = min(max(k * dt * gap, -most_turn), most_turn)
            v = math.sqrt(vx[i] * vx[i] + vy[i] * vy[i])
            v += min(max(wish - v, -most_a), most_a)
        else:
            ax = (k * (wx - vx[i]) + p[P_AVOID_WEIGHT] * force_x[i]) * dt
            ay = (k * (wy - vy[i]) + p[P_AVOID_WEIGHT] * force_y[i]) * dt
            a2 = ax * ax + ay * ay
            if a2 > most_a * most_a:
                s = most_a / math.sqrt(a2)
                ax *= s
                ay *= s
            ux = vx[i] + ax
            uy = vy[i] + ay
            # Avoidance may stop a unit, but never drives it back.
            w2 = want_x[i] * want_x[i] + want_y[i] * want_y[i]
            back = ux * want_x[i] + uy * want_y[i]
            if back < 0.0 and w2 > 1e-12:
                ux -= want_x[i] * back / w2
                uy -= want_y[i] * back / w2
            v = math.sqrt(ux * ux + uy * uy)
            # Face the direction of motion; if nearly stopped, face the wanted direction.
            if v > 0.25 * limit:
                heading = math.atan2(uy, ux)
            elif want_x[i] != 0.0 or want_y[i] != 0.0:
                heading = math.atan2(want_y[i], want_x[i])
            else:
                heading = facing[i]
            step = min(max(wrap_angle(heading - facing[i]), -most_turn), most_turn)
        facing[i] = wrap_angle(facing[i] + step)
        turn[i] = step
        if abs(step) * limit > p[P_TURN_ACCELERATION] * dt:
            limit = p[P_TURN_ACCELERATION] * dt / abs(step)
        if along:
            v = min(v, limit)
            ux = v * math.cos(facing[i])
            uy = v * math.sin(facing[i])
        elif v > limit:
            ux *= limit / v
            uy *= limit / v
        if holding[i]:
            ux = 0.0
            uy = 0.0
        new_vx[i] = ux
        new_vy[i] = uy
        new_x[i] = x[i] + ux * dt
        new_y[i] = y[i] + uy * dt
        if lone and roomy[i]:
            # Collision resolution computes the same sums; keep them equal to the last bit.
            dx = new_x[i] - x[i]
            dy = new_y[i] - y[i]
            nx = x[i] + dx
            ny = y[i] + dy
            tx = math.floor(nx)
            ty = math.floor(ny)
            if max(abs(dx), abs(dy)) < 0.4 and (
                (tx == math.floor(x[i]) and ty == math.floor(y[i])) or is_roomy(around, bit, ty, tx)
            ):
                wishing[i] = 0
                if dx != 0.0 or dy != 0.0:
                    nx = tx + (nx - tx)
                    ny = ty + (ny - ty)
                publish_step(i, nx, ny, dt, holding, x, y, new_x, new_y, new_vx, new_vy, speed)
