"""Grid line of sight for pairs of tiles, one loop for all octants.

It uses the same cell-centre rule as the shadowcaster.

Sources: Tom Vykruta, "Simple and Efficient Line-of-Sight for 3D Landscapes", AI Game Programming Wisdom, 2.7 (the
octant transform); the rule is that of Albert Ford's "Symmetric Shadowcasting".

*Transform.* A ray's direction gives three booleans: ``swap`` (|dx| < |dy|), ``flip_x`` (dx < 0), ``flip_y`` (dy < 0),
kept as bits 1, 2 and 4 of an octant number. Real to virtual: negate the flipped components, then swap them. Virtual to
real is the inverse in reverse order. In virtual space x grows by one per step and the slope lies in 0..1. So the walk
below is written once, and only its two strides depend on the real direction.

*Rule.* The line from centre to centre crosses row ``i`` of its main direction at ``minor * i / major``; the tile there
must be open. Where it crosses exactly between two tiles it may lean to either side, but to the same side along the
whole line. A wall beside it on one side only leaves the view free. Walls on both sides (at the same crossing or at two)
close it. A closed sector of the shadowcaster sees the same, and the rule is equal from both ends. The two end tiles are
not tested, so the answer is about open tiles. For an opaque end it tells whether its centre would be seen if it were
open.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device, kernel

SWAP, FLIP_X, FLIP_Y = 1, 2, 4


def octant(dx: int, dy: int) -> int:
    """Return the octant number 0..7 of a ray.

    ``SWAP``, ``FLIP_X`` and ``FLIP_Y`` are its bits.
    """
    code = 0
    if abs(dx) < abs(dy):
        code |= SWAP
    if dx < 0:
        code |= FLIP_X
    if dy < 0:
        code |= FLIP_Y
    return code


def to_virtual(code: int, x: int, y: int) -> tuple[int, int]:
    """Transform a vector from real to virtual space.

    A point is relative to the ray's start.
    """
    if code & FLIP_X:
        x = -x
    if code & FLIP_Y:
        y = -y
    if code & SWAP:
        return y, x
    return x, y


def to_real(code: int, x: int, y: int) -> tuple[int, int]:
    """Inverse of :func:`to_virtual`."""
    if code & SWAP:
        x, y = y, x
    if code & FLIP_X:
        x = -x
    if code & FLIP_Y:
        y = -y
    return x, y


octant_device = device(octant)
to_virtual_device = device(to_virtual)
to_real_device = device(to_real)


def _corner_table() -> NDArray[np.uint8]:
    table = np.zeros((8, 4), np.uint8)
    for code in range(8):
        for corner in range(4):
            x, y = corner & 1, corner >> 1
            x ^= code >> 1 & 1
            y ^= code >> 2 & 1
            table[code, corner] = (y | x << 1) if code & SWAP else (x | y << 1)
    return table


CORNERS = _corner_table()
"""Virtual corner ``x + 2y`` of a real corner, ``CORNERS[octant, x + 2y]``.

A corner of a tile is (0 or 1, 0 or 1).
"""


@device
def clear_over(heights, y0, x0, eye, y1, x1, top):  # type: ignore[no-untyped-def]
    """Return whether a line passes over all tiles between its ends.

    It leads from ``eye`` above one tile to ``top`` above another. A tile as high as the line does not block. The two
    end tiles, both on the map, are not tested.
    """
    dx = int(x1) - int(x0)
    dy = int(y1) - int(y0)
    code = octant_device(dx, dy)
    major, minor = to_virtual_device(code, dx, dy)
    ahead_x, ahead_y = to_real_device(code, 1, 0)
    side_x, side_y = to_real_device(code, 0, 1)
    y = int(y0)
    x = int(x0)
    # remainder + major, out of 2 * major, is the distance of the line from the lower border of its tile.
    remainder = major
    leans_low = False
    leans_high = False
    for i in range(1, major):
        y += ahead_y
        x += ahead_x
        remainder += 2 * minor
        if remainder >= 2 * major:
            remainder -= 2 * major
            y += side_y
            x += side_x
        # The height of the line here, times major.
        line = eye * (major - i) + top * i
        if remainder != 0:
            if heights[y, x] * major > line:
                return False
        else:
            leans_low |= heights[y, x] * major > line
            leans_high |= heights[y - side_y, x - side_x] * major > line
            if leans_low and leans_high:
                return False
    return True


@device
def clear_between(opaque, y0, x0, y1, x1):  # type: ignore[no-untyped-def]
    """Return whether no opaque tile lies between two tiles of the map.

    The line runs on the ground, so any height blocks it.
    """
    return clear_over(opaque, y0, x0, 0, y1, x1, 0)


@device
def _opaque_at(opaque, y, x):  # type: ignore[no-untyped-def]
    height, width = opaque.shape
    return 0 <= y < height and 0 <= x < width and opaque[y, x] != 0


@device
def passes_closed_corner(opaque, y0, x0, y1, x1):  # type: ignore[no-untyped-def]
    """Return whether a line passes between two opaque tiles that touch at a corner.

    Sight leaves such a gap open when the line crosses no wall at a row of centres. A body or a bullet does not pass:
    the line crosses the segment between the centres of the two tiles. In virtual space the pairs of columns ``i`` and
    ``i + 1`` are tested at the rows beside the line.
    """
    dx = int(x1) - int(x0)
    dy = int(y1) - int(y0)
    code = octant_device(dx, dy)
    major, minor = to_virtual_device(code, dx, dy)
    ahead_x, ahead_y = to_real_device(code, 1, 0)
    side_x, side_y = to_real_device(code, 0, 1)
    for i in range(major):
        row = minor * i // major
        here = minor * i - row * major  # the line above row at i and at i + 1, times major
        there = here + minor
        y = int(y0) + ahead_y * i + side_y * row
        x = int(x0) + ahead_x * i + side_x * row
        for r in range(2):
            near = _opaque_at(opaque, y + side_y * (r + 1), x + side_x * (r + 1))
            if near and there > r * major and _opaque_at(opaque, y + ahead_y + side_y * r, x + ahead_x + side_x * r):
                return True
        beside = here > 0 and there < major and _opaque_at(opaque, y, x)
        if beside and _opaque_at(opaque, y + ahead_y + side_y, x + ahead_x + side_x):
            return True
    return False


def line_clear(opaque: NDArray[np.uint8], y0: int, x0: int, y1: int, x1: int) -> bool:
    """Return whether tile ``(y0, x0)`` has a free line to ``(y1, x1)``.

    ``opaque`` is uint8[H, W]; the result is False off the map.
    """
    return bool(lines_clear(opaque, np.array([[y0, x0]], np.int32), np.array([[y1, x1]], np.int32))[0])


def lines_clear(
    opaque: NDArray[np.uint8], starts: NDArray[np.int32], ends: NDArray[np.int32], *, parallel: bool = False
) -> NDArray[np.bool_]:
    """Return :func:`line_clear` for pairs of tiles, as ``bool[n]``.

    ``starts, ends`` are int32[n, 2] of (y, x). ``parallel`` spreads the pairs over threads. Raises ValueError for
    arrays of another shape.
    """
    if opaque.ndim != 2 or opaque.dtype != np.uint8:
        raise ValueError(f"opaque must be uint8[H, W], got {opaque.dtype}{opaque.shape}")
    starts, ends = (np.array(pairs, np.int32, order="C", ndmin=2) for pairs in (starts, ends))
    if starts.shape != ends.shape or starts.shape[1] != 2:
        raise ValueError(f"pairs need two int32[n, 2], got {starts.shape} and {ends.shape}")
    out = np.zeros(len(starts), np.uint8)
    (lines_clear_parallel if parallel else lines_clear_serial)(opaque, starts, ends, out)
    return out.view(np.bool_)


@device
def _pair(opaque, starts, ends, i):  # type: ignore[no-untyped-def]
    height, width = opaque.shape
    y0, x0, y1, x1 = starts[i, 0], starts[i, 1], ends[i, 0], ends[i, 1]
    if min(y0, x0, y1, x1) < 0 or max(y0, y1) >= height or max(x0, x1) >= width:
        return 0
    return 1 if clear_between(opaque, y0, x0, y1, x1) else 0


@kernel("void(uint8[:,::1], int32[:,::1], int32[:,::1], uint8[::1])")
def lines_clear_serial(opaque, starts, ends, out):  # type: ignore[no-untyped-def]
    """Test pairs one after the other.

    Arrays are as in :func:`lines_clear`, ``out: uint8[n]``.
    """
    for i in range(len(starts)):
        out[i] = _pair(opaque, starts, ends, i)


@kernel("void(uint8[:,::1], int32[:,::1], int32[:,::1], uint8[::1])", group="bench", parallel=True)
def lines_clear_parallel(opaque, starts, ends, out):  # type: ignore[no-untyped-def]
    """Test pairs over threads."""
    for i in numba.prange(len(starts)):
        out[i] = _pair(opaque, starts, ends, i)


def walk(y0: int, x0: int, y1: int, x1: int) -> list[tuple[int, int]]:
    """Return the tiles (y, x) that a line tests, in order, without its ends.

    There are two where it passes between tiles. For overlays and tests.
    """
    dx, dy = x1 - x0, y1 - y0
    code = octant(dx, dy)
    major, minor = to_virtual(code, dx, dy)
    tiles = []
    for i in range(1, major):
        column, height = divmod(2 * minor * i + major, 2 * major)
        for side in (column,) if height else (column - 1, column):
            x, y = to_real(code, i, side)
            tiles.append((y0 + y, x0 + x))
    return tiles


TECHNIQUES = (
    {
        "slug": "line-of-sight",
        "name": "Grid line of sight by one octant",
        "ids": ("AW-2.7-1",),
        "source": "AI Game Programming Wisdom, 2.7",
        "functions": ("octant", "clear_over"),
        "test": "tests/ai/perception/sight/test_line_of_sight.py",
        "exhibit": "levels/regression/senses/sight_round_corners.toml",
        "overlay": "sight",
        "reason": "The exhibit is that of another technique.",
        "claim": "The octant transform as told, over full and low walls; slopes of ground are left out.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
