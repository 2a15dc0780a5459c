"""The group as an entity of its own: where it is, where it heads and how fast, a row of numbers each.

Members have no leader.  The group goes along its way and members go to their slots about it; it reads what its members
were in the tick before (their number, the slowest one's speed, how far they are from their slots) and writes its own
row only, so the order of groups and of units decides nothing.

A group turns no faster than its outer members can walk: with half its width h and a limit v of its slowest member the
turn rate w keeps speed + w h <= v.  What makes its speed is a pipeline of stages, as it is for a unit.

Source: "Game AI Pro 2", 20.4 (virtual group entity, previous-frame reads); "AI Game Programming Wisdom", 5.6 (speed
control: those ahead wait for those behind, in the extreme all wait).
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
    """What a group does."""

    NONE = 0
    """The row is free."""
    FORMING = 1
    """Members gather at the rallying place."""
    MARCHING = 2
    SETTLING = 3
    """At its destination: wheels to its facing, members take their places."""
    STANDING = 4
    FIGHTING = 5
    """The whole group halts and fires."""


class Broken(IntEnum):
    """Why a group is not in the shape it prefers; decides whether members stay or leave."""

    NO = 0
    CHOKE = 1
    COMBAT = 2
    LOSSES = 3
    WAITING = 4
    """Another group has the right of way at a narrow place."""
    PASSING = 5
    """Somebody comes the other way."""
    OBSTACLE = 6
    """It is one of two halves that pass an obstacle on both sides."""


(
    G_X, G_Y, G_VX, G_VY, G_HEADING, G_TURN, G_ALONG, G_STEP, G_SPEED, G_CRUISE, G_LIMIT, G_HALF, G_DEPTH, G_ERROR,
    G_WORST, G_MID_X, G_MID_Y, G_FACING, G_SPACING, G_STOP, G_FASTEST, G_STATION, G_STATION_SPEED, G_BEHIND, G_SAID,
) = range(25)  # fmt: skip
NUMBERS = G_SAID + MOST_STAGES
"""Columns of numbers: place, velocity (tiles/s), heading (radians), turn rate (radians/s), tiles along the way, step of
the way's points, speed, speed it would like, limit of the slowest member, half its width, its depth, mean and greatest
distance of members from their slots, middle of its members, facing at the end, spacing, where along the way it must
stop, limit of the fastest member; where along its way its station in the group above it is, how fast that one goes,
and how far before the end of the way it ends (0 or less); from G_SAID on the speed that it was told after each stage of
its pipeline."""

(T_STATE, T_BROKEN, T_COUNT, T_FIRST, T_POINTS, T_BENDS, T_TIGHT, T_PLACED, T_RESTING, T_ASTRAY, T_AWAY, T_WAITS,
 T_FIXED, T_FREE, T_OVER, T_STAGE) = range(16)  # fmt: skip
TAGS = T_STAGE + MOST_STAGES
"""Columns of whole numbers: state, why broken, members alive, first point of its way and how many, whether slots bend
with the way, whether they must be looked at for walls, whether members have fixed places, members at rest, on ways of
their own, away from their slots; whether it waits for laggards; whether its heading stays as it is; whether it
goes as fast as its fastest can; whether it keeps a station in a group of groups; from T_STAGE on the stages of its
pipeline in order (:class:`ai.formation.group_pipeline.GroupStage`), 0 for none more."""


ERROR_CAP = 4.0
"""A member counts for at most so many tiles in the mean error, so that one who is held up does not stop all."""
ACCELERATION = 3.0
"""Of the group itself, tiles/s2; members can do more."""
BRAKE = 1.5
TURN_GAIN = 3.0
"""Turn rate a radian of heading error, 1/s."""
TURN_MOST = 2.5
STATION_GAIN = 2.0
"""Speed a tile that a group is off its station in the group above it, 1/s."""
HURRY = 1.1
"""Times its own speed that it may go to get there."""
WHEEL_SHARE = 0.7
"""Share of the slowest member's speed that an outer member may be asked for by wheeling alone."""


@device
def wrapped(a: float) -> float:
    """The same angle in [-pi, pi)."""
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
    """What groups are by their members: counted by id, so that storage order has no part in the sums."""
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
    """One tick of every group: along its way when it marches, else it only turns.  Ends of ways make it SETTLING."""
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
                # Leaders wait for laggards: from half a spacing of mean error on it slows down, at two it stands.
                slack = num[g, G_SPACING]
                want *= min(max((2.0 * slack - num[g, G_ERROR]) / (1.5 * slack), 0.0), 1.0)
            elif stage == 3:
                ahead = max(min(step * (count - 1) + num[g, G_BEHIND], num[g, G_STOP]) - num[g, G_ALONG], 0.0)
                want = min(want, max(math.sqrt(2.0 * BRAKE * ahead), 0.05), ahead / dt)
            elif stage == 4 and not tag[g, T_BENDS]:
                # A wide group wheels before it goes on, and its outer members are never asked for more than they can.
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
        "test": "tests/game/systems/groups/test_groups.py",
        "exhibit": "levels/exhibits/formation/formation_parade.toml",
        "overlay": "group",
        "setting": "formation.together",
        "measure": "spread",
        "direction": "up",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
