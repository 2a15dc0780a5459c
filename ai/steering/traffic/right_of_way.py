"""Right of way: a unit gives way where two cannot pass.

Four rules read the columns of the last tick:

1. *Lane.* In a narrow place with oncoming traffic, the unit farther out of the right-hand lane gives way.
2. *Single file.* Where there is no lane, after some ticks without progress the higher id gives way to the lower.
3. *Making room.* An idle unit steps out of the line of an approaching unit, unless both have the same goal. It walks
   back after one second in which no unit has passed.
4. *Passing it on.* A unit in the way of one that gives way gives way as well, so a column backs out.

A unit that gives way moves in the direction in which the other unit wants to go. It does so for a number of ticks, and
each contact renews that number.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.steering.collision.progress import same_goal
from ai.steering.settings_columns import P_DT, P_GIVE_WAY_AFTER, P_GIVE_WAY_TICKS, P_RIGHT_OF_WAY
from ai.steering.spatial_hash import S_R, S_WX, S_WY, S_X, S_Y
from ai.steering.traffic.traffic_lanes import NARROW, room_beside

HELD = 10
"""Ticks without progress after which a unit out of its lane gives way."""

AGE = 20
"""A unit that waited this many ticks longer keeps its lane."""

OPEN_LEAN = 3.0
"""Sideways part of a step back, relative to its backward part.

The first value is for open ground, the second for narrow places.
"""

NARROW_LEAN = 0.5

AT_HOME = 0.05
"""Distance in tiles from its home at which an idle unit stops."""

ROOM = 0.05
"""Gap in tiles between an idle unit and an approaching unit's line."""

KEPT = 6
"""Ticks for which an idle unit keeps its first side: 0.3 s.

The side is the one that it first stepped to.
"""

WAITS = 20
"""Ticks between the last step aside and the walk home: 1 s.

Without this delay a unit would step back in front of the one that passes, and out again, ten times a second.
"""

OVER = 0.5
"""Share of the needed distance beyond which a unit keeps its side.

A unit farther than this off a line does not cross it, whichever side it kept to.
"""

LOST_HOME = 4.0
"""Tiles from its home beyond which a pushed idle unit moves its home."""


@device
def step_aside(
    j: int,
    order: np.ndarray,
    body: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    moving: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    kept_x: float,
    kept_y: float,
) -> tuple[float, float]:
    """Return the step of idle unit j that lets approaching units pass, tiles.

    The step is half of the missing distance to the line of one unit, and less for each of several. Between two lines
    that are too close, the unit then rests in the middle; whole steps would throw it from one line to the other in
    every tick.

    Near the middle of a line it continues to the side of ``kept``, the direction of its last step. ``kept`` is (0, 0)
    if that was long ago. So it does not hesitate before two units side by side.
    """
    i = order[j]
    sx = 0.0
    sy = 0.0
    count = 1
    for k in range(contact_count[j]):
        q = contacts[j, k]
        o = order[q]
        if not moving[o] or same_goal(i, o, goal_x, goal_y):
            continue
        wx = body[S_WX, q]
        wy = body[S_WY, q]
        w = math.sqrt(wx * wx + wy * wy)
        if w < 1e-9:
            continue
        wx /= w
        wy /= w
        nx = body[S_X, j] - body[S_X, q]
        ny = body[S_Y, j] - body[S_Y, q]
        # Positive to the right of the line.
        aside = wx * ny - wy * nx
        reach = body[S_R, j] + body[S_R, q] + ROOM
        if nx * wx + ny * wy > 0.0 and abs(aside) < reach:
            right = aside >= 0.0
            keeps = wx * kept_y - wy * kept_x
            if keeps != 0.0 and abs(aside) < OVER * reach:
                right = keeps > 0.0
            lacks = reach - aside if right else -reach - aside
            sx -= wy * lacks
            sy += wx * lacks
            count += 1
    share = 1.0 / max(count, 2)
    return sx * share, sy * share


@device
def walk_home(
    j: int,
    home_x: float,
    home_y: float,
    speed: float,
    dt: float,
    order: np.ndarray,
    body: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    moving: np.ndarray,
) -> tuple[float, float]:
    """Return the velocity of idle unit j towards its home; zero while units pass."""
    hx = home_x - body[S_X, j]
    hy = home_y - body[S_Y, j]
    d = math.sqrt(hx * hx + hy * hy)
    if not d >= AT_HOME:  # also true without a home (nan)
        return 0.0, 0.0
    for k in range(contact_count[j]):
        if moving[order[contacts[j, k]]]:
            return 0.0, 0.0
    go = min(0.5 * speed, d / dt) / d
    return hx * go, hy * go


@kernel(
    "void(int64, int64, uint8[:,::1], float64[::1], int32[::1], int32[::1], float64[:,::1], int32[:,::1], int32[::1],"
    " uint8[::1], uint8[::1], uint8[::1], int16[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1],"
    " float64[::1], int32[::1], int32[::1], float64[::1], float64[::1], float64[:,::1])"
)
def give_way(
    first: int,
    last: int,
    passable: np.ndarray,
    p: np.ndarray,
    ids: np.ndarray,
    order: np.ndarray,
    body: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    movement_class: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    stuck: np.ndarray,
    lane_off: np.ndarray,
    speed: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    give_angle: np.ndarray,
    give_left: np.ndarray,
    give_to: np.ndarray,
    home_x: np.ndarray,
    home_y: np.ndarray,
    work: np.ndarray,
) -> None:
    """Select which of rows ``first`` to ``last - 1`` give way.

    :func:`take_path` must follow for all rows.

    - ``give_left``: ticks left of giving way; 0: none; below 0: an idle unit that stepped aside.
    - ``give_angle``: direction, radians.
    - ``give_to``: id of the unit that passes.
    - ``home``: position at which an idle unit came to rest; nan: not known yet.
    - ``work`` float64[3, living]: receives the new values of the first three.
    """
    hold = int(p[P_GIVE_WAY_TICKS])
    patience = int(p[P_GIVE_WAY_AFTER])
    for j in range(first, last):
        i = order[j]
        left = max(0, give_left[i] - 1)
        angle = give_angle[i]
        to = give_to[i] if left > 0 else -1
        if moving[i] and contact_count[j] == 0 and left == 0:
            # No unit is near, so there is none to give way to.
            home_x[i] = body[S_X, j]
            home_y[i] = body[S_Y, j]
            work[0, j] = 0.0
            work[1, j] = angle
            work[2, j] = to
            continue
        wx = body[S_WX, j]
        wy = body[S_WY, j]
        w = math.sqrt(wx * wx + wy * wy)
        if moving[i] and not holding[i] and w > 1e-9 and p[P_RIGHT_OF_WAY] != 0.0:
            wx /= w
            wy /= w
            best = -1.0
            for k in range(contact_count[j]):
                q = contacts[j, k]
                o = order[q]
                if not moving[o]:
                    continue
                if give_left[o] <= 1 and wx * body[S_WX, q] + wy * body[S_WY, q] >= 0.0:
                    continue  # it neither gives way nor comes towards this unit
                nx = body[S_X, q] - body[S_X, j]
                ny = body[S_Y, q] - body[S_Y, j]
                d = math.sqrt(nx * nx + ny * ny)
                if d < 1e-9:
                    continue
                nx /= d
                ny /= d
                if d - body[S_R, j] - body[S_R, q] > 0.35:
                    continue
                gx = 0.0
                gy = 0.0
                claim = -1
                urgency = 0.0
                lean = NARROW_LEAN
                ticks = hold
                if give_left[o] > 1:
                    # Rule 4: it comes towards this unit, which wants to go the opposite direction.
                    gx = math.cos(give_angle[o])
                    gy = math.sin(give_angle[o])
                    aside = abs(nx * gy - ny * gx) * d
                    if (
                        nx * gx + ny * gy < 0.0
                        and aside < body[S_R, j] + body[S_R, q]
                        and wx * gx + wy * gy < 0.3
                        and give_to[o] != ids[j]
                        and give_left[o] > left
                    ):
                        claim = give_to[o]
                        # Each hand-over costs ticks; otherwise two units would keep renewing each other for ever.
                        ticks = give_left[o] - 1
                        lean = 0.0
                        urgency = 1.0 - (nx * gx + ny * gy)
                elif give_left[i] <= 0 or give_to[i] == ids[q]:
                    ox = body[S_WX, q]
                    oy = body[S_WY, q]
                    o_len = math.sqrt(ox * ox + oy * oy)
                    if o_len < 1e-9:
                        continue
                    gx = ox / o_len
                    gy = oy / o_len
                    ahead = nx * wx + ny * wy
                    aside = abs(nx * gy - ny * gx) * d
                    if wx * gx + wy * gy < -0.4 and ahead > 0.0 and aside < body[S_R, j] + body[S_R, q]:
                        mine = lane_off[i]
                        other = lane_off[o]
                        later = ids[j] > ids[q]
                        if mine > 0.1 and stuck[i] >= HELD and stuck[i] < stuck[o] + AGE:
                            if mine > other + 0.05 or (mine > other - 0.05 and later):
                                claim = ids[q]
                                urgency = ahead
                        elif later and stuck[i] >= patience and stuck[o] >= patience:
                            claim = ids[q]
                            urgency = ahead
                if claim >= 0 and urgency > best:
                    best = urgency
                    left = ticks
                    # Step back and to the right, farther to the right where there is room.
                    space_left, space_right = room_beside(
                        passable, 1 << movement_class[i], body[S_X, j], body[S_Y, j], gx, gy, 4
                    )
                    if space_left + space_right > NARROW:
                        lean = OPEN_LEAN
                    angle = math.atan2(gy + lean * wx, gx - lean * wy)
                    to = claim
        elif not moving[i]:
            left = 0
            to = -1
            if not holding[i]:
                # Negative values count the ticks until the walk home; during the first of them the unit keeps its side.
                left = min(0, give_left[i] + 1)
                keeps_side = left < KEPT - WAITS
                kept_x = math.cos(angle) if keeps_side else 0.0
                kept_y = math.sin(angle) if keeps_side else 0.0
                want_x[i], want_y[i] = step_aside(
                    j, order, body, contacts, contact_count, moving, goal_x, goal_y, kept_x, kept_y
                )
                far = math.sqrt(want_x[i] * want_x[i] + want_y[i] * want_y[i])
                if far > 0.0:
                    left = -WAITS
                    angle = math.atan2(want_y[i], want_x[i])
                    s = min(0.5 * speed[i], far / p[P_DT]) / far
                    want_x[i] *= s
                    want_y[i] *= s
                elif left == 0:
                    want_x[i], want_y[i] = walk_home(
                        j, home_x[i], home_y[i], speed[i], p[P_DT], order, body, contacts, contact_count, moving
                    )
        off_x = home_x[i] - body[S_X, j]
        off_y = home_y[i] - body[S_Y, j]
        if not (off_x * off_x + off_y * off_y < LOST_HOME * LOST_HOME):
            home_x[i] = body[S_X, j]
            home_y[i] = body[S_Y, j]
        work[0, j] = left
        work[1, j] = angle
        work[2, j] = to


@kernel(
    "void(int64, int64, int32[::1], float64[:,::1], float64[::1], float64[::1], float64[::1], float64[::1], int32[::1],"
    " int32[::1], float64[:,::1])"
)
def take_path(
    first: int,
    last: int,
    order: np.ndarray,
    body: np.ndarray,
    speed: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    give_angle: np.ndarray,
    give_left: np.ndarray,
    give_to: np.ndarray,
    work: np.ndarray,
) -> None:
    """Replace the wanted velocity of units that give way, also in ``body``."""
    for j in range(first, last):
        i = order[j]
        give_left[i] = int(work[0, j])
        give_angle[i] = work[1, j]
        give_to[i] = int(work[2, j])
        if give_left[i] > 0:
            want_x[i] = min(0.4 * speed[i], 0.8) * math.cos(give_angle[i])
            want_y[i] = min(0.4 * speed[i], 0.8) * math.sin(give_angle[i])
            body[S_WX, j] = want_x[i]
            body[S_WY, j] = want_y[i]


TECHNIQUES = (
    {
        "slug": "right-of-way",
        "name": "Keep right and give way in narrow places",
        "ids": ("GP2-19.5",),
        "source": "Game AI Pro 2, ch. 19 (symmetry corner cases), with lanes and giving way of our own",
        "functions": ("give_way", "step_aside"),
        "test": "tests/ai/steering/traffic/test_right_of_way.py",
        "exhibit": "levels/exhibits/motion/two_ways.toml",
        "overlay": "motion",
        "setting": "steering.keep_right",
        "measure": "scrapes",
        "direction": "down",
        "claim": "Only the corner cases are the source's; lanes, giving way and making room are ours.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
