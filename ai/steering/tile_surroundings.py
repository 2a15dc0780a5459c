"""Clearance flags of each tile: a unit reads one byte, not a dozen tiles.

On a *roomy* tile a body touches no wall. From a *wide* tile, no narrow place is near enough to form lanes. Both flags
follow from passability alone and only skip tests, so they change no result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ai.core.kernels import device
from ai.steering.wall_collision import slide

ROOMY, WIDE = 0, 1
"""Planes of the surroundings of a tile.

ROOMY: the tile and its eight neighbours are open. WIDE: within ``NEAR`` tiles, every place is wider than ``LANES``
tiles.
"""

LANES = 12
"""Widest run of open tiles in which units keep to a lane.

The run is along a row or a column.
"""

NEAR = 4
"""Distance in tiles that exceeds a unit's look-ahead for narrow places."""

MARGIN = LANES + NEAR + 1
"""Distance in tiles beyond which an edit changes no flag."""


def _widened(tiles: np.ndarray, before: int, after: int, axis: int) -> np.ndarray:
    """Pad an axis with closed tiles at both ends."""
    height, width = tiles.shape
    if axis == 0:
        wide = np.zeros((height + before + after, width), tiles.dtype)
        wide[before : before + height] = tiles
    else:
        wide = np.zeros((height, width + before + after), tiles.dtype)
        wide[:, before : before + width] = tiles
    return wide


def _and(tiles: np.ndarray, before: int, after: int, axis: int) -> np.ndarray:
    """Return the bitwise AND of each tile with its neighbours along one axis.

    The neighbours run from ``before`` tiles back to ``after`` tiles on; tiles beyond the border count as closed.
    """
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
    """Return the planes ``ROOMY`` and ``WIDE`` as class bits, uint8[H, W, 2].

    ``passable`` uint8[H, W] is the class bitmask.
    """
    around = np.empty((*passable.shape, 2), np.uint8)
    around[..., ROOMY] = _and(_and(passable, 1, 1, 0), 1, 1, 1)
    narrow = np.zeros_like(passable)
    for axis in (0, 1):
        # Open tiles that lie in no run of LANES + 1 open tiles.
        narrow |= passable & ~_or(_and(passable, 0, LANES, axis), LANES, 0, axis)
    around[..., WIDE] = ~_or(_or(narrow, NEAR, NEAR, 0), NEAR, NEAR, 1)
    return around


def look_again(around: np.ndarray, passable: np.ndarray, changes: Sequence[tuple[int, int, int, int]]) -> None:
    """Update ``around`` after edits of the half-open rectangles (y0, x0, y1, x1)."""
    height, width = passable.shape
    for y0, x0, y1, x1 in changes:
        a, b, c, d = max(0, y0 - MARGIN), max(0, x0 - MARGIN), min(height, y1 + MARGIN), min(width, x1 + MARGIN)
        e, f, g, h = max(0, a - MARGIN), max(0, b - MARGIN), min(height, c + MARGIN), min(width, d + MARGIN)
        part = look_around(np.ascontiguousarray(passable[e:g, f:h]))
        around[a:c, b:d] = part[a - e : c - e, b - f : d - f]


@device
def is_roomy(around: np.ndarray, bit: int, ty: int, tx: int) -> bool:
    """Return True if a tile and its eight neighbours are open to the class."""
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
    """Return the position that :func:`slide` leads to.

    Short steps from a ``roomy`` tile to a roomy tile need no test for walls.
    """
    nx = x + dx
    ny = y + dy
    if roomy and max(abs(dx), abs(dy)) < 0.4:
        tx = math.floor(nx)
        ty = math.floor(ny)
        if (tx == math.floor(x) and ty == math.floor(y)) or is_roomy(around, bit, ty, tx):
            # keep_clear computes this very sum; the same rounding keeps results equal to the last bit.
            return tx + (nx - tx), ty + (ny - ty)
    nx, ny, _ = slide(passable, bit, x, y, dx, dy, r)
    return nx, ny
