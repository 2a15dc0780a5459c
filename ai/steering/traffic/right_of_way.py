"""Who lets whom pass where two cannot: units that give way step back, and those behind them too.

Four rules, each read from the last published columns:

1. *Lane.*  In a narrow place with oncoming traffic, whoever is farther out of the right-hand lane gives way.
2. *Single file.*  Where there is no lane, after a while without progress the higher id gives way to the lower.
3. *Making room.*  An idle unit steps out of the line of one that comes at it, unless that one has the same goal, and
   walks back to its place when for a second nobody has passed.
4. *Passing it on.*  Whoever stands in the way of one that is giving way gives way as well, so a column backs out.

To give way is to want to go where the other wants to go, for a number of ticks that the contact renews.
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
"""Who has waited longer by this many ticks need not give way for its lane."""

OPEN_LEAN = 3.0
"""How far aside against back one steps where there is room; in a narrow place ``NARROW_LEAN``."""

NARROW_LEAN = 0.5

AT_HOME = 0.05
"""So near to its place an idle unit is content, tiles."""

ROOM = 0.05
"""Gap that an idle unit leaves to the line of one that comes at it, tiles."""

KEPT = 6
"""Ticks for which an idle unit keeps to the side that it has begun to step to: 0.3 s."""

WAITS = 20
"""Ticks after its last step aside before an idle unit walks home: 1 s.  Whoever went at once would step into the way of
the one he has just let pass, and out of it again, ten times a second."""

OVER = 0.5
"""Who is farther off a line than this share of the distance it needs does not cross it, whichever side it kept to."""

LOST_HOME = 4.0
"""Pushed farther than this from its place, in tiles, an idle unit takes root where it is."""


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
    """Where idle unit j steps so that those coming at it can pass: how far, in tiles.

    A half of what it lacks to the line of one, less for each when several come: between two lines that lie too close it
    comes to rest in the middle, where whole steps would throw it from one to the other in every tick.  Near the middle
    of a line it goes on to the side of ``kept``, the direction of its last step (0, 0 when that was long ago), so that
    it does not hesitate before two who walk abreast.
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
        # To the right of its line positive.
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
    """Wanted velocity of idle unit j back to where it came to rest; none while anybody passes close by."""
    hx = home_x - body[S_X, j]
    hy = home_y - body[S_Y, j]
    d = math.sqrt(hx * hx + hy * hy)
    if not d >= AT_HOME:  # nor without a place
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
    """Find out who of rows ``first`` to ``last - 1`` gives way; :func:`take_way` has to follow for all rows.

    ``give_left``: ticks of giving way left, 0 none, below 0 for an idle unit that has stepped aside; ``give_angle``:
    where to, radians; ``give_to``: the id whose way is being cleared.  ``home``: where an idle unit came to rest, nan
    when not known yet.  ``work`` float64[3, living] gets the next three.
    """
    hold = int(p[P_GIVE_WAY_TICKS])
    patience = int(p[P_GIVE_WAY_AFTER])
    for j in range(first, last):
        i = order[j]
        left = max(0, give_left[i] - 1)
        angle = give_angle[i]
        to = give_to[i] if left > 0 else -1
        if moving[i] and contact_count[j] == 0 and left == 0:
            # Nobody near: nothing to give way to.
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
                    continue  # neither gives way nor comes the other way
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
                    # Rule 4: it comes at me and I would go on the other way.
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
                        # Fewer ticks from hand to hand, else two would keep each other at it for ever.
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
                    # Back, and out of the way to one's own right: more so where there is room.
                    space_left, space_right = room_beside(
                        passable, 1 << movement_class[i], body[S_X, j], body[S_Y, j], gx, gy
                    )
                    if space_left + space_right > NARROW:
                        lean = OPEN_LEAN
                    angle = math.atan2(gy + lean * wx, gx - lean * wy)
                    to = claim
        elif not moving[i]:
            left = 0
            to = -1
            if not holding[i]:
                # Below zero: for so many ticks it stays away; the first of them it keeps to the side of ``angle``.
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
    """Replace the wanted velocity of units that give way, in the columns and in ``body``."""
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
        "name": "Keeping right and giving way in narrow places",
        "ids": ("GP2-19.5",),
        "source": "Game AI Pro 2, ch. 19 (symmetry corner cases), with lanes and giving way of our own",
        "functions": ("give_way", "step_aside"),
        "test": "tests/ai/steering/collision/test_crowds.py",
        "exhibit": "levels/exhibits/motion/two_ways.toml",
        "overlay": "motion",
        "setting": "steering.keep_right",
        "measure": "arrived",
        "direction": "up",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
