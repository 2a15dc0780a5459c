"""Slot following: a wanted velocity for each member from its slot.

Blind following aims at the position of the slot after a period T (Game AI Pro 2, 20.7.3): wanted = slot's velocity +
vector to the slot / T. So no member stops and starts. Autonomous following (20.7.4) lets avoidance decide last. A
member without a straight path to its slot takes a path of its own until it has one. Where many have none, all follow
their group's field (:mod:`ai.formation.slot_flow_fields`).

Slots are in the group's frame. A narrow group bends with its path; a wide one is rigid and wheels. Near walls a slot
is pulled in towards the path until it is on free ground on the same side of the wall.

Units: tiles, radians, seconds; columns have one row per unit slot.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.core.scheduling.turn_kernels import has_turn
from ai.formation.group_entity import (
    G_ALONG,
    G_HEADING,
    G_SPEED,
    G_STEP,
    G_TURN,
    G_VX,
    G_VY,
    G_X,
    G_Y,
    T_BENDS,
    T_FIRST,
    T_PLACED,
    T_POINTS,
    T_STATE,
    T_TIGHT,
)
from ai.formation.path_corridor import on_path, open_at
from ai.formation.slot_flow_fields import GROWING, UNASKED, led_by_field
from ai.search.smoothing.straight_walk_kernels import straight_clear

SEEKING, RESTING, OWN_WAY, AWAY, BY_FIELD = 0, 1, 2, 3, 4
"""Modes of a member.

It goes to its slot, rests in it, walks a path of its own to it, is busy elsewhere (fights), or follows its group's
field.
"""

STALE = 4.0
"""Tiles that a slot moves before a member on its own path requests another."""

(P_DT, P_PERIOD, P_REST, P_LEAVE, P_CATCH_UP, P_FAR, P_MARGIN) = range(7)
"""Rows of the parameter array.

Tick, s; period of extrapolation, s; distance from a standing slot at which a member rests, tiles; extra distance at
which a resting member moves again, tiles; largest speed of catching up, as a multiple of the group's; longest straight
path to a slot, tiles; distance of slots from walls, tiles.
"""


@device
def pulled_in(
    passable: np.ndarray, bit: int, bx: float, by: float, tx: float, ty: float, margin: float
) -> tuple[float, float]:
    """Return the farthest point from b towards t that free ground leads to.

    The point is ``margin`` tiles short of a wall.
    """
    dx = tx - bx
    dy = ty - by
    d = math.sqrt(dx * dx + dy * dy)
    if d < 1e-9 or not open_at(passable, bit, bx, by):
        return bx, by
    if straight_clear(passable, bit, bx, by, tx, ty, margin):
        return tx, ty
    dx /= d
    dy /= d
    at = 0.0
    while at < d:
        more = min(at + 0.2, d)
        reach = more + margin
        if not open_at(passable, bit, bx + dx * reach, by + dy * reach):
            return bx + dx * at, by + dy * at
        at = more
    return tx, ty


@device
def within(paths: np.ndarray, first: int, count: int, step: float, s: float) -> tuple[float, float]:
    """Return the position on a path at ``s`` tiles, or its nearer end."""
    x, y, _, _ = on_path(paths, first, count, step, min(max(s, 0.0), step * (count - 1)))
    return x, y


@device
def slot_place(
    g: int,
    forward: float,
    right: float,
    paths: np.ndarray,
    num: np.ndarray,
    tag: np.ndarray,
) -> tuple[float, float, float, float, float, float, float, float]:
    """Return position (x, y) and velocity of a slot, its path point and heading.

    The path point is the position on the path that the slot belongs to; the heading is a unit vector.
    """
    c = math.cos(num[g, G_HEADING])
    s = math.sin(num[g, G_HEADING])
    first, count = tag[g, T_FIRST], tag[g, T_POINTS]
    if tag[g, T_BENDS] and count > 1:
        at = num[g, G_ALONG] + forward
        px, py, dx, dy = on_path(paths, first, count, num[g, G_STEP], at)
        bx, by = within(paths, first, count, num[g, G_STEP], at)
        v = num[g, G_SPEED]
        return px - dy * right, py + dx * right, dx * v, dy * v, bx, by, dx, dy
    ox = forward * c - right * s
    oy = forward * s + right * c
    w = num[g, G_TURN]
    vx = num[g, G_VX] - w * oy
    vy = num[g, G_VY] + w * ox
    bx, by = num[g, G_X], num[g, G_Y]
    if count > 1:
        bx, by = within(paths, first, count, num[g, G_STEP], num[g, G_ALONG] + forward)
    return num[g, G_X] + ox, num[g, G_Y] + oy, vx, vy, bx, by, c, s


@kernel(
    "void(int64, uint8[:,::1], float64[::1], float64[:,::1], float64[:,::1], int32[:,::1], int32[::1], uint8[::1],"
    " int32[::1], uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], int32[::1],"
    " uint8[::1], float64[::1], float64[::1], float64[::1], uint8[::1], uint8[::1], int32[:,::1], float64[::1],"
    " float64[::1])",
    group="lab",
)
def lead_members(
    tick: int,
    passable: np.ndarray,
    p: np.ndarray,
    paths: np.ndarray,
    num: np.ndarray,
    tag: np.ndarray,
    ids: np.ndarray,
    alive: np.ndarray,
    band: np.ndarray,
    movement_class: np.ndarray,
    holding: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    speed: np.ndarray,
    slot_f: np.ndarray,
    slot_r: np.ndarray,
    slot_a: np.ndarray,
    slot_gap: np.ndarray,
    mode: np.ndarray,
    slot_x: np.ndarray,
    slot_y: np.ndarray,
    wp_x: np.ndarray,
    wp_y: np.ndarray,
    target: np.ndarray,
    moving: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    turn_to: np.ndarray,
    news: np.ndarray,
    moves: np.ndarray,
    boxes: np.ndarray,
    lead_x: np.ndarray,
    lead_y: np.ndarray,
) -> None:
    """Fill slot positions, waypoints, speeds and ``moving`` of all members.

    ``moves`` and ``boxes`` are the groups' fields, as returned by
    :meth:`ai.formation.slot_flow_fields.RallyFields.pack`. A member that follows a field heads for (``lead_x``,
    ``lead_y``).

    ``news`` uint8: 1 the member needs a path of its own, 2 it no longer needs its path, else 0. A waypoint lies on
    the line of the wanted velocity, and ``speed`` is the length of that velocity, so that path following
    reproduces it.
    """
    period = p[P_PERIOD]
    for i in range(band.size):
        news[i] = 0
        g = band[i]
        if g < 0 or alive[i] == 0:
            continue
        state = tag[g, T_STATE]
        sx, sy = slot_x[i], slot_y[i]
        vx = vy = 0.0
        path = slot_a[i]
        bit = np.int64(1) << np.int64(movement_class[i])
        if tag[g, T_PLACED]:
            path += num[g, G_HEADING]
        else:
            sx, sy, vx, vy, bx, by, dx, dy = slot_place(g, slot_f[i], slot_r[i], paths, num, tag)
            path += math.atan2(dy, dx)
            if tag[g, T_TIGHT]:
                # The test for walls is expensive. A newly assigned slot is tested in the same tick,
                # the others every few ticks; in between they only move.
                turns = 4 if vx * vx + vy * vy > 1e-6 else 8
                if slot_gap[i] < 0.0 or has_turn(tick, ids[i], turns):
                    sx, sy = pulled_in(passable, bit, bx, by, sx, sy, p[P_MARGIN])
                else:
                    sx = slot_x[i] + vx * p[P_DT]
                    sy = slot_y[i] + vy * p[P_DT]
            slot_gap[i] = max(slot_gap[i], 0.0)
            slot_x[i] = sx
            slot_y[i] = sy
        if holding[i]:
            continue
        if mode[i] == AWAY or target[i] >= 0 or state == 5:
            # A member that fights stands; a fight of the group stops all members.
            if mode[i] == OWN_WAY:
                news[i] = 2
            mode[i] = AWAY if target[i] >= 0 else SEEKING
            if target[i] >= 0 or state == 5:
                moving[i] = 0
                if state == 5 and target[i] < 0:
                    turn_to[i] = path
                continue
        ex = sx - x[i]
        ey = sy - y[i]
        off = math.sqrt(ex * ex + ey * ey)
        still = vx * vx + vy * vy < 1e-6
        if mode[i] == RESTING:
            if still and off <= max(slot_gap[i] + p[P_LEAVE], 2.0 * p[P_REST]):
                moving[i] = 0
                turn_to[i] = path
                continue
            mode[i] = SEEKING
        # The straight path to the slot is tested every few ticks, more often when the slot is near.
        if has_turn(tick, ids[i], 8 if off < 8.0 else 16):
            straight = off < 0.5
            if not straight and off <= p[P_FAR]:
                straight = straight_clear(passable, bit, x[i], y[i], sx, sy, 0.28)
            if straight and mode[i] == OWN_WAY:
                mode[i] = SEEKING
                news[i] = 2
            elif straight and mode[i] == BY_FIELD:
                mode[i] = SEEKING
            elif not straight and mode[i] == SEEKING and boxes[g, 0] != UNASKED:
                mode[i] = BY_FIELD
                lead_x[i] = math.nan
            elif not straight and mode[i] != BY_FIELD:
                # A new path is requested only when the slot has moved away from the end of the old
                # one.
                dx = sx - goal_x[i]
                dy = sy - goal_y[i]
                if mode[i] != OWN_WAY or moving[i] == 0 or dx * dx + dy * dy > STALE * STALE:
                    news[i] = 1
                mode[i] = OWN_WAY
        if mode[i] == BY_FIELD:
            if boxes[g, 0] == GROWING:
                lead_x[i] = sx
                lead_y[i] = sy
            elif boxes[g, 0] == UNASKED:
                mode[i] = OWN_WAY
                news[i] = 1
            else:
                lx = lead_x[i] - x[i]
                ly = lead_y[i] - y[i]
                if has_turn(tick, ids[i], 4) or not lx * lx + ly * ly > 0.16:
                    led, lead_x[i], lead_y[i] = led_by_field(passable, bit, moves, boxes[g], x[i], y[i])
                    if not led:
                        mode[i] = OWN_WAY
                        news[i] = 1
            if mode[i] == BY_FIELD:
                moving[i] = 1
                turn_to[i] = math.nan
                wp_x[i] = x[i] + (lead_x[i] - x[i]) * 10.0
                wp_y[i] = y[i] + (lead_y[i] - y[i]) * 10.0
        if mode[i] == OWN_WAY or mode[i] == BY_FIELD:
            continue
        if still and off <= p[P_REST]:
            mode[i] = RESTING
            slot_gap[i] = off
            moving[i] = 0
            turn_to[i] = path
            continue
        reach = 0.5 * period if still else period
        wx = vx + ex / reach
        wy = vy + ey / reach
        most = speed[i]
        if not still:
            most = min(most, max(p[P_CATCH_UP] * math.sqrt(vx * vx + vy * vy), 0.5 * speed[i]))
        size = math.sqrt(wx * wx + wy * wy)
        if size < 1e-6:
            moving[i] = 0
            continue
        go = min(size, most)
        if still:
            # A member never creeps: it walks the last part at a tenth of its speed at least, but not
            # beyond its slot.
            go = max(go, min(0.1 * speed[i], off / p[P_DT]))
        moving[i] = 1
        turn_to[i] = math.nan
        speed[i] = go
        wp_x[i] = x[i] + wx / size * 10.0
        wp_y[i] = y[i] + wy / size * 10.0


TECHNIQUES = (
    {
        "slug": "slot-following",
        "name": "Slot following ahead of time",
        "ids": ("GP2-20.12", "GP2-20.13"),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("slot_place", "lead_members"),
        "test": "tests/ai/formation/test_slot_following.py",
        "exhibit": "levels/exhibits/formation/formation_parade.cohesion.toml",
        "overlay": "slots",
        "setting": "formation.period",
        "measure": "unformed",
        "direction": "down",
        "claim": "Slots ahead in time and a smaller horizon among members; personal noise is left out.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
