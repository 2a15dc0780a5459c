"""Virtual group entity: position, heading and speed of a group as one row.

Members have no leader. The group moves along its path and members go to their slots around it. The group reads values
of its members from the tick before: their number, the lowest speed, and their distances from their slots. It writes
its own row only, so the order of groups and of units has no effect.

A group turns no faster than its outer members can walk. With half its width h and the limit v of its slowest member,
the turn rate w keeps speed + w h <= v. A pipeline of stages computes its speed, as for a unit.

Source: "Game AI Pro 2", 20.4 (virtual group entity, previous-frame reads); "AI Game Programming Wisdom", 5.6 (speed
control: members ahead wait for members behind, in the extreme all wait).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np

from ai.core.kernels import device, kernel
from ai.formation.group_pipeline import MOST_STAGES
from ai.formation.path_corridor import on_path


class GroupState(IntEnum):
    """States of a group."""

    NONE = 0
    """The row is free."""
    FORMING = 1
    """Members gather at the rally point."""
    MARCHING = 2
    SETTLING = 3
    """At its destination: the group wheels to its facing, members go to slots."""
    STANDING = 4
    FIGHTING = 5
    """The whole group halts and fires."""


class Broken(IntEnum):
    """Reasons for a shape that differs from the preferred one.

    The reason decides whether members stay or leave.
    """

    NO = 0
    CHOKE = 1
    COMBAT = 2
    LOSSES = 3
    WAITING = 4
    """Another group has the right of way at a narrow place."""
    PASSING = 5
    """A unit or a group approaches from the opposite direction."""
    OBSTACLE = 6
    """It is one of two halves that pass an obstacle on both sides."""


(
    G_X, G_Y, G_VX, G_VY, G_HEADING, G_TURN, G_ALONG, G_STEP, G_SPEED, G_CRUISE, G_LIMIT, G_HALF, G_DEPTH, G_ERROR,
    G_WORST, G_MID_X, G_MID_Y, G_FACING, G_SPACING, G_STOP, G_FASTEST, G_STATION, G_STATION_SPEED, G_BEHIND, G_SAID,
) = range(25)  # fmt: skip
NUMBERS = G_SAID + MOST_STAGES
"""Float columns of a group.

Position (tiles), velocity (tiles/s), heading (radians), turn rate (radians/s), distance along the path (tiles), step
of the path's points (tiles), speed, cruise speed and limit of the slowest member (tiles/s). Half width, depth, mean
and greatest distance of members from their slots, and the middle of the members (tiles). Facing at the end (radians),
spacing, distance along the path at which the group must stop (tiles), and limit of the fastest member (tiles/s).

For a station in a group of groups: its distance along the path (tiles), its speed (tiles/s), and how far before the
end of the path the group ends (tiles, 0 or less). From G_SAID on: the wanted speed after each stage of its pipeline
(tiles/s).
"""

(T_STATE, T_BROKEN, T_COUNT, T_FIRST, T_POINTS, T_BENDS, T_TIGHT, T_PLACED, T_RESTING, T_ASTRAY, T_AWAY, T_WAITS,
 T_FIXED, T_FREE, T_OVER, T_STAGE) = range(16)  # fmt: skip
TAGS = T_STAGE + MOST_STAGES
"""Integer columns of a group.

State, reason of a broken shape, number of living members, first point of its path, number of points. Flags: slots bend
with the path; slots must be tested for walls; members have fixed places. Numbers of members at rest, on paths of their
own, and away from their slots. Flags: the group waits for members behind; its heading stays; it moves as fast as its
fastest member; it keeps a station in a group of groups. From T_STAGE on: the stages of its pipeline in order
(:class:`ai.formation.group_pipeline.GroupStage`), 0 for no more.
"""


ERROR_CAP = 4.0
"""Largest part of one member in the mean error, tiles.

One member that is held up must not stop the group.
"""
ACCELERATION = 3.0
"""Acceleration of the group itself, tiles/s2; members can accelerate more."""
BRAKE = 1.5
TURN_GAIN = 3.0
"""Turn rate per radian of heading error, 1/s."""
TURN_MOST = 2.5
STATION_GAIN = 2.0
"""Speed per tile of distance from the group's station, 1/s.

The station is the group's place in a group of groups.
"""
HURRY = 1.1
"""Largest speed towards the station, as a multiple of the cruise speed."""
WHEEL_SHARE = 0.7
"""Share of the slowest member's speed that wheeling alone may demand.

It applies to a member on the outer wing.
"""


@device
def wrapped(a: float) -> float:
    """Return the same angle in [-pi, pi)."""
    return (a + math.pi) % (2.0 * math.pi) - math.pi


@kernel(
    "void(int64, int32[::1], uint8[::1], int32[::1], uint8[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[:,::1], int32[:,::1])",
    group="lab",
)
def measure_groups(
    last_id: int,
    slot_of: np.ndarray,
    alive: np.ndarray,
    band: np.ndarray,
    mode: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    speed: np.ndarray,
    slot_x: np.ndarray,
    slot_y: np.ndarray,
    num: np.ndarray,
    tag: np.ndarray,
) -> None:
    """Measure each group from its members.

    Members are summed in order of id, so that the order in storage does not change the sums.
    """
    for g in range(tag.shape[0]):
        tag[g, T_COUNT] = 0
        tag[g, T_RESTING] = 0
        tag[g, T_ASTRAY] = 0
        tag[g, T_AWAY] = 0
        num[g, G_LIMIT] = 1e9
        num[g, G_FASTEST] = 0.0
        num[g, G_ERROR] = 0.0
        num[g, G_WORST] = 0.0
        num[g, G_MID_X] = 0.0
        num[g, G_MID_Y] = 0.0
    for unit in range(last_id):
        i = slot_of[unit]
        if i < 0 or alive[i] == 0 or band[i] < 0:
            continue
        g = band[i]
        tag[g, T_COUNT] += 1
        num[g, G_MID_X] += x[i]
        num[g, G_MID_Y] += y[i]
        num[g, G_LIMIT] = min(num[g, G_LIMIT], speed[i])
        num[g, G_FASTEST] = max(num[g, G_FASTEST], speed[i])
        ex = slot_x[i] - x[i]
        ey = slot_y[i] - y[i]
        off = math.sqrt(ex * ex + ey * ey)
        if mode[i] == 1:
            tag[g, T_RESTING] += 1
        elif mode[i] == 2 or mode[i] == 4:
            tag[g, T_ASTRAY] += 1
        elif mode[i] == 3:
            tag[g, T_AWAY] += 1
        num[g, G_ERROR] += min(off, ERROR_CAP)
        num[g, G_WORST] = max(num[g, G_WORST], off)
    for g in range(tag.shape[0]):
        n = tag[g, T_COUNT]
        if n > 0:
            num[g, G_ERROR] /= n
            num[g, G_MID_X] /= n
            num[g, G_MID_Y] /= n


@kernel("void(float64, float64[:,::1], float64[:,::1], int32[:,::1])", group="lab")
def advance_groups(dt: float, paths: np.ndarray, num: np.ndarray, tag: np.ndarray) -> None:
    """Advance every group by one tick.

    A marching group moves along its path; any other group only turns. A group at the end of its path becomes
    SETTLING.
    """
    for g in range(tag.shape[0]):
        state = tag[g, T_STATE]
        if state == 0 or tag[g, T_COUNT] == 0:
            continue
        first, count, step = tag[g, T_FIRST], tag[g, T_POINTS], num[g, G_STEP]
        heading = num[g, G_HEADING]
        half = max(num[g, G_HALF], 0.3)
        limit = num[g, G_FASTEST] if tag[g, T_FREE] else num[g, G_LIMIT]
        want = 0.0
        aim = num[g, G_FACING]
        marching = state == 2 and count > 1
        if not marching:
            half = max(half, 0.5 * num[g, G_DEPTH])
        if marching:
            s = num[g, G_ALONG]
            look = min(max(half, 1.0), 5.0)
            _, _, dx, dy = on_path(paths, first, count, step, s + (0.0 if tag[g, T_BENDS] else look))
            aim = math.atan2(dy, dx)
        if tag[g, T_FIXED] or state == 1:
            aim = heading
        gap = wrapped(aim - heading)
        most = min(WHEEL_SHARE * limit / half, TURN_MOST)
        turn = min(max(TURN_GAIN * gap, -most), most)
        if abs(turn) * dt > abs(gap):
            turn = gap / dt
        for k in range(MOST_STAGES if marching else 0):
            stage = tag[g, T_STAGE + k]
            if stage == 1:
                want = min(num[g, G_CRUISE], limit)
                if tag[g, T_OVER]:
                    late = num[g, G_STATION] - num[g, G_ALONG]
                    station = max(num[g, G_STATION_SPEED] + STATION_GAIN * late, 0.0)
                    want = min(station, min(HURRY * num[g, G_CRUISE], limit))
            elif stage == 2 and tag[g, T_WAITS]:
                # The group slows down from a mean error of half a spacing on, and stops at two
                # spacings.
                slack = num[g, G_SPACING]
                want *= min(max((2.0 * slack - num[g, G_ERROR]) / (1.5 * slack), 0.0), 1.0)
            elif stage == 3:
                ahead = max(min(step * (count - 1) + num[g, G_BEHIND], num[g, G_STOP]) - num[g, G_ALONG], 0.0)
                want = min(want, max(math.sqrt(2.0 * BRAKE * ahead), 0.05), ahead / dt)
            elif stage == 4 and not tag[g, T_BENDS]:
                # A wide group wheels before it moves on. Its outer members never need more than their
                # limit.
                want *= max(0.0, math.cos(gap)) ** 2
                want = min(want, max(0.0, limit - abs(turn) * half))
            num[g, G_SAID + k] = want
        speed = num[g, G_SPEED]
        speed += min(max(want - speed, -2.0 * ACCELERATION * dt), ACCELERATION * dt)
        if not marching:
            speed = 0.0
        num[g, G_TURN] = turn
        num[g, G_HEADING] = wrapped(heading + turn * dt)
        num[g, G_SPEED] = speed
        num[g, G_VX] = 0.0
        num[g, G_VY] = 0.0
        if marching:
            s = num[g, G_ALONG] + speed * dt
            end = step * (count - 1) + num[g, G_BEHIND]
            if s >= end - 0.02:
                s = end
                tag[g, T_STATE] = 3
            num[g, G_ALONG] = s
            px, py, dx, dy = on_path(paths, first, count, step, s)
            num[g, G_X] = px
            num[g, G_Y] = py
            num[g, G_VX] = dx * speed
            num[g, G_VY] = dy * speed


TECHNIQUES = (
    {
        "slug": "group-entity",
        "name": "Virtual group entity that reads the tick before",
        "ids": ("AW-5.6-7",),
        "source": "Game AI Pro 2, ch. 20; AI Game Programming Wisdom, 5.6",
        "functions": ("advance_groups",),
        "test": "tests/ai/formation/test_group_entity.py",
        "exhibit": "levels/exhibits/formation/formation_parade.toml",
        "overlay": "group",
        "setting": "formation.together",
        "measure": "spread",
        "direction": "up",
        "claim": "The group walks the path itself, without a lead unit; it slows down for those behind, up to a stop.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
