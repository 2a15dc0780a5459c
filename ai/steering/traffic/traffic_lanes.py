"""Traffic lanes: counts of headings on a coarse grid, for keeping right.

A unit sees only its ten nearest neighbours, in a crowd about a tile away. The counts tell it about a column that comes
the opposite direction over the same bridge. Counts are integers, so the order of units does not matter.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.steering.wall_collision import tile_open

CELL = 4
"""Tiles along one side of a traffic cell."""

HEADINGS = 8

NARROW = 4.0
"""Width in tiles up to which one oncoming unit makes lanes."""

HALL = 12.0
"""Width in tiles up to which a stream of oncoming units makes lanes.

A hall between ``NARROW`` and this width has lanes if at least one unit per tile of width comes the opposite way.
"""


@device
def heading_octant(a: float) -> int:
    """Return the octant of an angle: 0 about +x, clockwise."""
    return math.floor(a * (HEADINGS / (2.0 * math.pi)) + 0.5) & (HEADINGS - 1)


@kernel("void(uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1], int32[:,:,::1])")
def count_traffic(
    alive: np.ndarray, moving: np.ndarray, x: np.ndarray, y: np.ndarray, facing: np.ndarray, traffic: np.ndarray
) -> None:
    """Count moving units per cell and octant of facing into ``traffic``.

    ``traffic`` is int32[rows, columns, 8].
    """
    traffic[:] = 0
    for i in range(x.size):
        if alive[i] and moving[i]:
            traffic[int(y[i]) // CELL, int(x[i]) // CELL, heading_octant(facing[i])] += 1


@device
def oncoming(traffic: np.ndarray, x: float, y: float, dx: float, dy: float) -> int:
    """Return the number of units within three cells ahead that head the opposite direction.

    (dx, dy) is the unit vector of the heading.
    """
    away = (heading_octant(math.atan2(dy, dx)) + HEADINGS // 2) & (HEADINGS - 1)
    total = 0
    for k in range(4):
        cx = math.floor((x + dx * CELL * k) / CELL)
        cy = math.floor((y + dy * CELL * k) / CELL)
        if not (0 <= cy < traffic.shape[0] and 0 <= cx < traffic.shape[1]):
            break
        here = traffic[cy, cx]
        total += here[away] + here[(away + 1) & (HEADINGS - 1)] + here[(away - 1) & (HEADINGS - 1)]
    return total


@device
def room_beside(
    passable: np.ndarray, bit: int, x: float, y: float, dx: float, dy: float, reach: int
) -> tuple[float, float]:
    """Return the tiles of open ground to the left and right of (x, y).

    (dx, dy) is the heading. Each value is at most ``reach`` + 1, measured across the axis nearer to the heading.
    Returns (0, 0) inside a wall.
    """
    tx = math.floor(x)
    ty = math.floor(y)
    if not tile_open(passable, bit, ty, tx):
        return 0.0, 0.0
    # Right of +x is +y, right of +y is -x (y points down).
    if abs(dx) > abs(dy):
        sy = 1 if dx > 0.0 else -1
        sx = 0
        part = y - ty
    else:
        sx = -1 if dy > 0.0 else 1
        sy = 0
        part = x - tx
    right = 1.0 - part if sx + sy > 0 else part
    left = 1.0 - right
    k = 1
    while k <= reach and tile_open(passable, bit, ty + sy * k, tx + sx * k):
        right += 1.0
        k += 1
    k = 1
    while k <= reach and tile_open(passable, bit, ty - sy * k, tx - sx * k):
        left += 1.0
        k += 1
    return left, right


@device
def lane_error(
    passable: np.ndarray, bit: int, x: float, y: float, dx: float, dy: float, ahead: float, r: float, against: int
) -> float:
    """Return the tiles by which a body is left of the right-hand lane.

    The lane is taken ``ahead`` tiles on. (dx, dy) is the unit vector of the heading. A place has lanes if it is between
    two bodies and ``NARROW`` tiles wide. A hall of up to ``HALL`` tiles has them if ``against``, the number of oncoming
    units, is no smaller than its width. In the open, for oblique headings and inside the lane, the result is 0.
    """
    if abs(dx) <= 2.0 * abs(dy) and abs(dy) <= 2.0 * abs(dx):
        return 0.0
    reach = HALL if against > NARROW else NARROW
    left, right = room_beside(passable, bit, x + dx * ahead, y + dy * ahead, dx, dy, int(reach))
    width = left + right
    if width < 4.0 * r or width > reach or (width > NARROW and against < width):
        return 0.0
    # The place ahead may lie to the side of the body; only the body's own line counts.
    if abs(dx) > abs(dy):
        aside = -dy * ahead if dx > 0.0 else dy * ahead
    else:
        aside = dx * ahead if dy > 0.0 else -dx * ahead
    return max(0.0, width * 0.5 + r - left - aside)
