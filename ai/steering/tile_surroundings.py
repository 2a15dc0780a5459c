"""What lies around each tile, kept per map so that a unit need look at one byte and not at a dozen tiles.

Both planes answer "no need to look": on a *roomy* tile a body touches no wall, from a *wide* one no narrow place is
near enough to form lanes.  They follow from the passability alone and say nothing else, so using them changes no bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ai.core.kernels import device
from ai.steering.wall_collision import slide

ROOMY, WIDE = 0, 1
"""Planes: all eight neighbours open as well; no place narrower than ``LANES`` + 1 tiles within ``NEAR`` tiles."""

LANES = 4
"""Widest run of open tiles, along a row or a column, in which units keep to a lane."""

NEAR = 4
"""Tiles: farther than units look ahead for a narrow place."""

MARGIN = LANES + NEAR + 1
"""An edit changes nothing farther away than this many tiles."""


def _widened(tiles: np.ndarray, before: int, after: int, axis: int) -> np.ndarray:
    """Closed tiles added at both ends of an axis."""
    height, width = tiles.shape
    if axis == 0:
        wide = np.zeros((height + before + after, width), tiles.dtype)
        wide[before : before + height] = tiles
    else:
        wide = np.zeros((height, width + before + after), tiles.dtype)
        wide[:, before : before + width] = tiles
    return wide


def _and(tiles: np.ndarray, before: int, after: int, axis: int) -> np.ndarray:
    """And of a tile with those from ``before`` back to ``after`` on along an axis; closed beyond the border."""
    wide = _widened(tiles, before, after, axis)
    out = tiles.copy()
    length = tiles.shape[axis]
    for k in range(before + after + 1):
        out &= wide[k : k + length] if axis == 0 else wide[:, k : k + length]
    return out


def _or(tiles: np.ndarray, before: int, after: int, axis: int) -> np.ndarray:
    wide = _widened(tiles, before, after, axis)
    out = tiles.copy()
    length = tiles.shape[axis]
    for k in range(before + after + 1):
        out |= wide[k : k + length] if axis == 0 else wide[:, k : k + length]
    return out


def look_around(passable: np.ndarray) -> np.ndarray:
    """uint8[H, W, 2] of class bits, planes ``ROOMY`` and ``WIDE``, for the class bitmask uint8[H, W]."""
    around = np.empty((*passable.shape, 2), np.uint8)
    around[..., ROOMY] = _and(_and(passable, 1, 1, 0), 1, 1, 1)
    narrow = np.zeros_like(passable)
    for axis in (0, 1):
        # Open, and in no run of LANES + 1 open tiles.
        narrow |= passable & ~_or(_and(passable, 0, LANES, axis), LANES, 0, axis)
    around[..., WIDE] = ~_or(_or(narrow, NEAR, NEAR, 0), NEAR, NEAR, 1)
    return around


def look_again(around: np.ndarray, passable: np.ndarray, changes: Sequence[tuple[int, int, int, int]]) -> None:
    """Repair ``around`` after edits of the half-open rectangles (y0, x0, y1, x1)."""
    height, width = passable.shape
    for y0, x0, y1, x1 in changes:
        a, b, c, d = max(0, y0 - MARGIN), max(0, x0 - MARGIN), min(height, y1 + MARGIN), min(width, x1 + MARGIN)
        e, f, g, h = max(0, a - MARGIN), max(0, b - MARGIN), min(height, c + MARGIN), min(width, d + MARGIN)
        part = look_around(np.ascontiguousarray(passable[e:g, f:h]))
        around[a:c, b:d] = part[a - e : c - e, b - f : d - f]


@device
def is_roomy(around: np.ndarray, bit: int, ty: int, tx: int) -> bool:
    """Whether a tile exists and it and its neighbours are open to the class."""
    return 0 <= ty < around.shape[0] and 0 <= tx < around.shape[1] and (around[ty, tx, ROOMY] & bit) != 0


@device
def slide_roomy(
    passable: np.ndarray,
    around: np.ndarray,
    roomy: bool,
    bit: int,
    x: float,
    y: float,
    dx: float,
    dy: float,
    r: float,
) -> tuple[float, float]:
    """The place :func:`slide` leads to; short steps from ``roomy`` to roomy tiles need no look at walls."""
    nx = x + dx
    ny = y + dy
    if roomy and max(abs(dx), abs(dy)) < 0.4:
        tx = math.floor(nx)
        ty = math.floor(ny)
        if (tx == math.floor(x) and ty == math.floor(y)) or is_roomy(around, bit, ty, tx):
            # The sum that keep_clear would make of it, to the last bit.
            return tx + (nx - tx), ty + (ny - ty)
    nx, ny, _ = slide(passable, bit, x, y, dx, dy, r)
    return nx, ny
