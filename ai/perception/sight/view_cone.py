"""View cone: the part of an observer's view inside a sector.

It serves a guard's cone on the ground and tests of it. A tile is in the sector when its centre is at most ``reach``
tiles from the observer's exact position and at most ``half_angle`` off its facing. Sight itself goes from tile to tile,
as everywhere.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.perception.sight.line_of_sight import lines_clear
from ai.perception.sight.shadowcast import MAX_RADIUS, SightBits, field_of_view, window

MAX_REACH = MAX_RADIUS - math.sqrt(0.5)
"""Longest reach, in tiles: the observer may stand anywhere in its tile."""


def sector(
    bits: SightBits,
    opaque: NDArray[np.uint8],
    x: float,
    y: float,
    facing: float,
    half_angle: float,
    reach: float,
    *,
    walls: bool = True,
) -> tuple[int, int, NDArray[np.bool_]]:
    """Return the visible tiles of a sector, ``(y0, x0, bool[h, w])``.

    It is a window of the map with its top left tile. ``x, y`` are in tiles, ``facing`` and ``half_angle`` in radians (a
    half angle of pi or more is all round), ``reach`` in tiles. With ``walls=False`` only those opaque tiles remain
    whose centre a line reaches: the rule for a target that stands in one. The window is empty for an observer off the
    map. Raises ValueError for a reach below 0 or above ``MAX_REACH``.
    """
    if not 0 <= reach <= MAX_REACH:
        raise ValueError(f"reach must lie in 0..{MAX_REACH:.2f} tiles, got {reach}")
    ty, tx = math.floor(y), math.floor(x)
    radius = min(MAX_RADIUS, math.ceil(reach + math.sqrt(0.5)))
    height, width = opaque.shape
    if not (0 <= ty < height and 0 <= tx < width):
        return 0, 0, np.zeros((0, 0), np.bool_)
    seen = window(field_of_view(bits, np.array([ty]), np.array([tx]), radius)[0])
    steps = np.arange(-radius, radius + 1, dtype=np.float64)
    dy = (ty + steps + 0.5 - y)[:, None]
    dx = (tx + steps + 0.5 - x)[None, :]
    seen &= in_sector(dx, dy, facing, half_angle, reach)
    y0, x0 = max(0, ty - radius), max(0, tx - radius)
    y1, x1 = min(height, ty + radius + 1), min(width, tx + radius + 1)
    seen = seen[y0 - ty + radius : y1 - ty + radius, x0 - tx + radius : x1 - tx + radius].copy()
    if not walls:
        blocked = np.argwhere(seen & (opaque[y0:y1, x0:x1] != 0)).astype(np.int32)
        if len(blocked):
            ends = blocked + np.array([y0, x0], np.int32)
            starts = np.broadcast_to(np.array([ty, tx], np.int32), ends.shape)
            seen[blocked[:, 0], blocked[:, 1]] = lines_clear(opaque, starts, ends)
    return y0, x0, seen


def in_sector(
    dx: NDArray[np.float64], dy: NDArray[np.float64], facing: float, half_angle: float, reach: float
) -> NDArray[np.bool_]:
    """Return whether offsets from the observer lie in its sector.

    The borders and the observer's own position are included.
    """
    distance = np.sqrt(dx * dx + dy * dy)
    near = distance <= reach
    if half_angle >= math.pi:
        return near
    ahead = dx * math.cos(facing) + dy * math.sin(facing)
    return near & (ahead >= math.cos(half_angle) * distance)
