"""Symmetric shadowcasting on packed bits, for many observers in one call.

Source: Albert Ford, "Symmetric Shadowcasting" (public domain); runs of open tiles in 64-bit rows and the exact
fixed-point slopes are our additions.

The plane is cut into four quadrants, scanned outwards row by row. A sector is the range of slopes that still has light.
In the row at depth ``d`` it covers columns ``round(d * low)`` (ties up) to ``round(d * high)`` (ties down). Walls there
are seen. Open tiles are seen when their centre lies in the sector (``d*low <= column <= d*high``). Each run of open
tiles continues as a sector of its own, bounded by the walls at its ends.

*Exact.* Every slope is ``(2c - 1) / 2k`` with ``k`` at most 31. So ``d * slope`` is a multiple of 1/62 and is either
exactly a rounding border or at least 1/62 away from one. A slope is a 64-bit integer scaled by 2^32, with an error
below 2^-26. So a nudge of 2^-12 decides every tie as a fraction would, and changes nothing else.

*Symmetric.* Two open tiles within the radius see each other, or neither sees the other. An observer inside an opaque
tile sees as if its own tile were open (others see its tile as the wall it is), so no unit goes blind in a hedge.

*Radius.* A tile belongs to radius ``r`` when its centre is at most ``r`` tiles from the observer's. Tiles beyond the
circle count as walls that are not reported. That changes nothing inside: a ray to a tile crosses every nearer row in a
column that is no further out.

Bits: row ``dy + R`` of an observer's rows holds its tiles ``dx`` at bit ``32 + dx``.
"""

from __future__ import annotations

from collections.abc import Iterable

import numba
import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device, kernel
from ai.grid.bits import trailing_zeros

MAX_RADIUS = 31
"""Largest radius in tiles: a row of 63 tiles is one word."""

CENTRE_BIT = 32
MARGIN = 64
"""Opaque tiles around the packed map, so that a window never leaves it."""

_ONE = np.uint64(1)
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
_SCALE = 1 << 32
_HALF = 1 << 31
_NUDGE = 1 << 20
_STACK = 2 * MAX_RADIUS + 2
"""Largest number of pending sectors.

Each push uses a whole wall, 1/depth of slope, out of the 2 that a quadrant has.
"""


def _circles() -> NDArray[np.uint64]:
    table = np.zeros((MAX_RADIUS + 1, MAX_RADIUS + 1), np.uint64)
    for radius in range(MAX_RADIUS + 1):
        for depth in range(radius + 1):
            half = int(np.sqrt(radius * radius - depth * depth))
            table[radius, depth] = sum(1 << (CENTRE_BIT + c) for c in range(-half, half + 1))
    return table


CIRCLES = _circles()
"""Columns of a circle of radius ``r`` in its row ``d``, ``CIRCLES[r, d]``."""

RECIPROCALS = np.array([0, *(_SCALE // (2 * depth) for depth in range(1, MAX_RADIUS + 1))], np.int64)
"""Factors 2^32 / 2d that turn an odd numerator into a slope.

Their error is below one, the slope's error below 63.
"""


class SightBits:
    """See-through tiles of a map as bits, by rows and by columns.

    They are repaired where the map changes. ``rows: uint64[H + 128, words]`` and ``columns: uint64[W + 128, words]``;
    tile ``(y, x)`` is bit ``x + 64`` of row ``y + 64`` and bit ``y + 64`` of column ``x + 64``; the margin is opaque.
    Built from ``opaque: uint8[H, W]``, where any value but 0 blocks sight.
    """

    def __init__(self, opaque: NDArray[np.uint8]) -> None:
        _check_map(opaque)
        self.height, self.width = opaque.shape
        self.rows = np.zeros((self.height + 2 * MARGIN, (self.width + 2 * MARGIN) // 64 + 2), np.uint64)
        self.columns = np.zeros((self.width + 2 * MARGIN, (self.height + 2 * MARGIN) // 64 + 2), np.uint64)
        _pack(opaque, 0, 0, self.height, self.width, self.rows, self.columns)

    def repair(self, opaque: NDArray[np.uint8], rectangles: Iterable[tuple[int, int, int, int]]) -> None:
        """Read rectangles of ``opaque`` again.

        They are half-open, ``(y0, x0, y1, x1)``; parts off the map are ignored.
        """
        _check_map(opaque)
        if opaque.shape != (self.height, self.width):
            raise ValueError(f"opaque is {opaque.shape}, the packed map ({self.height}, {self.width})")
        for y0, x0, y1, x1 in rectangles:
            y0, x0, y1, x1 = max(0, y0), max(0, x0), min(self.height, y1), min(self.width, x1)
            if y0 < y1 and x0 < x1:
                _pack(opaque, y0, x0, y1, x1, self.rows, self.columns)


def field_of_view(
    bits: SightBits,
    ys: NDArray[np.int32],
    xs: NDArray[np.int32],
    radii: NDArray[np.int32] | int,
    radius: int | None = None,
    *,
    parallel: bool = False,
) -> NDArray[np.uint64]:
    """Return what each observer sees: ``uint64[n, 2R + 1]``.

    ``ys, xs`` are tiles, ``radii`` one radius or one each (0 to 31 tiles); ``R = radius`` defaults to the largest. An
    observer off the map sees nothing. ``parallel`` spreads observers over threads; the bits are the same. Raises
    ValueError for lengths that differ or radii out of range.
    """
    ys = np.array(ys, np.int32)
    xs = np.array(xs, np.int32)
    reach = np.full(ys.shape, radii, np.int32) if np.ndim(radii) == 0 else np.array(radii, np.int32)
    if ys.ndim != 1 or ys.shape != xs.shape or reach.shape != ys.shape:
        raise ValueError(f"observers need equal columns, got ys{ys.shape}, xs{xs.shape} and radii{reach.shape}")
    widest = int(reach.max()) if len(reach) else int(np.max(radii, initial=0))
    if radius is None:
        radius = widest
    if radius > MAX_RADIUS or widest > radius or (len(reach) and int(reach.min()) < 0):
        raise ValueError(f"radii must lie in 0..{min(radius, MAX_RADIUS)} tiles, got up to {max(widest, radius)}")
    out = np.zeros((len(ys), 2 * radius + 1), np.uint64)
    run = field_of_view_parallel if parallel else field_of_view_serial
    run(bits.rows, bits.columns, bits.height, bits.width, CIRCLES, RECIPROCALS, ys, xs, reach, out)
    return out


def window(rows: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return bit rows as tiles with the observer in the middle.

    ``uint64[..., 2R + 1]`` becomes ``bool[..., 2R + 1, 2R + 1]``.
    """
    radius = (rows.shape[-1] - 1) // 2
    shifts = np.arange(CENTRE_BIT - radius, CENTRE_BIT + radius + 1, dtype=np.uint64)
    return (rows[..., None] >> shifts) & _ONE != 0


def sees(rows: NDArray[np.uint64], dy: int, dx: int) -> bool:
    """Return whether an observer's rows hold the tile at offset ``(dy, dx)``.

    ``rows`` is uint64[2R + 1].
    """
    radius = (len(rows) - 1) // 2
    if abs(dy) > radius or abs(dx) > radius:
        return False
    return bool(int(rows[dy + radius]) >> (CENTRE_BIT + dx) & 1)


def _check_map(opaque: NDArray[np.uint8]) -> None:
    if opaque.ndim != 2 or opaque.dtype != np.uint8 or not opaque.flags.c_contiguous or not opaque.flags.writeable:
        raise ValueError(f"opaque must be a writable C-ordered uint8[H, W], got {opaque.dtype}{opaque.shape}")


@kernel("void(uint8[:,::1], int64, int64, int64, int64, uint64[:,::1], uint64[:,::1])")
def _pack(opaque, y0, x0, y1, x1, rows, columns):  # type: ignore[no-untyped-def]
    for y in range(y0, y1):
        py = y + MARGIN
        row_bit = np.uint64(1) << np.uint64(py & 63)
        for x in range(x0, x1):
            px = x + MARGIN
            bit = np.uint64(1) << np.uint64(px & 63)
            if opaque[y, x] == 0:
                rows[py, px >> 6] |= bit
                columns[px, py >> 6] |= row_bit
            else:
                rows[py, px >> 6] &= ~bit
                columns[px, py >> 6] &= ~row_bit


@device
def packed_window(lines, line, position):  # type: ignore[no-untyped-def]
    """Return the 64 bits of packed ``lines[line]`` around ``position``.

    Bit 32 is ``position`` (a coordinate with its margin added).
    """
    start = position - 32
    word = start >> 6
    shift = np.uint64(start & 63)
    # Two shifts, because shifting by 64 is undefined.
    return (lines[line, word] >> shift) | ((lines[line, word + 1] << np.uint64(1)) << (np.uint64(63) - shift))


@device
def column_range(first, last):  # type: ignore[no-untyped-def]
    """Return the bits of columns ``first..last``, both within -32..31."""
    return (_FULL << np.uint64(32 + first)) & (_FULL >> np.uint64(31 - last))


@device
def scan_quadrant(lines, line, step, position, circle, radius, reciprocals, seen, stack):  # type: ignore[no-untyped-def]
    """Add the tiles of one quadrant to ``seen[32 + step * depth]``.

    ``lines`` are packed rows (quadrants up and down) or columns (left and right); ``stack: int64[:, 3]`` is scratch.
    """
    if radius < 1:
        return
    depth = 1
    low = -np.int64(_SCALE)
    high = np.int64(_SCALE)
    pending = 0
    while True:
        at_low = depth * low
        at_high = depth * high
        first = (at_low + (_HALF + _NUDGE)) >> 32
        last = (at_high + (_HALF - _NUDGE)) >> 32
        inside = circle[depth]
        open_tiles = packed_window(lines, line + step * depth, position) & inside
        lit = column_range(first, last)
        first_centre = (at_low + (_SCALE - _NUDGE)) >> 32
        last_centre = (at_high + _NUDGE) >> 32
        tiles = ~open_tiles
        if first_centre <= last_centre:
            tiles |= column_range(first_centre, last_centre)
        seen[32 + step * depth] |= lit & inside & tiles
        runs = open_tiles & lit
        descends = False
        if runs != 0 and depth < radius:
            slope = reciprocals[depth]
            while True:
                start = np.int64(trailing_zeros(runs))
                # A run that touches bit 63 carries out of the sum, which leaves no bit and an end of 64.
                after = (runs + (_ONE << np.uint64(start))) & ~runs
                end = np.int64(trailing_zeros(after)) if after != 0 else np.int64(64)
                left = low
                if start - 32 != first:
                    left = (2 * (start - 32) - 1) * slope
                right = high
                if end - 33 != last:
                    right = (2 * (end - 32) - 1) * slope
                runs &= runs + (_ONE << np.uint64(start))
                if runs == 0:
                    low = left
                    high = right
                    depth += 1
                    descends = True
                    break
                stack[pending, 0] = depth + 1
                stack[pending, 1] = left
                stack[pending, 2] = right
                pending += 1
        if not descends:
            if pending == 0:
                return
            pending -= 1
            depth = stack[pending, 0]
            low = stack[pending, 1]
            high = stack[pending, 2]


@device
def transpose(block):  # type: ignore[no-untyped-def]
    """Transpose a 64x64 bit matrix ``uint64[64]`` in place (Hacker's Delight, 7-3)."""
    half = 32
    mask = np.uint64(0x00000000FFFFFFFF)
    while half != 0:
        k = 0
        while k < 64:
            for i in range(k, k + half):
                swap = ((block[i] >> np.uint64(half)) ^ block[i + half]) & mask
                block[i] ^= swap << np.uint64(half)
                block[i + half] ^= swap
            k += 2 * half
        half >>= 1
        mask ^= mask << np.uint64(half)


@device
def observe(rows, columns, height, width, circles, reciprocals, y, x, radius, by_row, by_column, stack, out):  # type: ignore[no-untyped-def]
    """Write what one observer sees to ``out: uint64[2R + 1]``.

    ``by_row`` and ``by_column`` are scratch ``uint64[64]``.
    """
    wide = (out.shape[0] - 1) // 2
    for i in range(out.shape[0]):
        out[i] = 0
    if y < 0 or x < 0 or y >= height or x >= width:
        return
    by_row[:] = 0
    by_column[:] = 0
    circle = circles[radius]
    scan_quadrant(rows, y + MARGIN, 1, x + MARGIN, circle, radius, reciprocals, by_row, stack)
    scan_quadrant(rows, y + MARGIN, -1, x + MARGIN, circle, radius, reciprocals, by_row, stack)
    scan_quadrant(columns, x + MARGIN, 1, y + MARGIN, circle, radius, reciprocals, by_column, stack)
    scan_quadrant(columns, x + MARGIN, -1, y + MARGIN, circle, radius, reciprocals, by_column, stack)
    transpose(by_column)
    by_row[32] |= _ONE << np.uint64(32)
    on_map = column_range(max(-x, -32), min(width - 1 - x, 31))
    for dy in range(max(-radius, -y), min(radius, height - 1 - y) + 1):
        out[dy + wide] = (by_row[32 + dy] | by_column[32 + dy]) & on_map


_FIELD = (
    "void(uint64[:,::1], uint64[:,::1], int64, int64, uint64[:,::1], int64[::1], "
    "int32[::1], int32[::1], int32[::1], uint64[:,::1])"
)


@kernel(_FIELD)
def field_of_view_serial(rows, columns, height, width, circles, reciprocals, ys, xs, radii, out):  # type: ignore[no-untyped-def]
    """Compute a batch of observers; :func:`field_of_view` prepares the arrays."""
    by_row = np.empty(64, np.uint64)
    by_column = np.empty(64, np.uint64)
    stack = np.empty((_STACK, 3), np.int64)
    for i in range(len(ys)):
        observe(
            rows, columns, height, width, circles, reciprocals, ys[i], xs[i], radii[i], by_row, by_column, stack, out[i]
        )


@kernel(_FIELD, group="bench", parallel=True)
def field_of_view_parallel(rows, columns, height, width, circles, reciprocals, ys, xs, radii, out):  # type: ignore[no-untyped-def]
    """Compute a batch over threads, 32 observers per task.

    Each observer writes only its own rows.
    """
    tasks = (len(ys) + 31) // 32
    for task in numba.prange(tasks):
        by_row = np.empty(64, np.uint64)
        by_column = np.empty(64, np.uint64)
        stack = np.empty((_STACK, 3), np.int64)
        for i in range(task * 32, min(len(ys), task * 32 + 32)):
            observe(
                rows,
                columns,
                height,
                width,
                circles,
                reciprocals,
                ys[i],
                xs[i],
                radii[i],
                by_row,
                by_column,
                stack,
                out[i],
            )


TECHNIQUES = (
    {
        "slug": "shadowcasting",
        "name": "Symmetric shadowcasting",
        "ids": ("AW-5.1-1",),
        "source": "Albert Ford, Symmetric Shadowcasting; AI Game Programming Wisdom, 5.1",
        "functions": ("scan_quadrant", "field_of_view"),
        "test": "tests/ai/perception/sight/test_shadowcast.py",
        "exhibit": "levels/exhibits/senses/sight_corners.toml",
        "overlay": "sight",
        "setting": "vision.line_of_sight",
        "measure": "noticed",
        "direction": "up",
        "claim": (
            "Bits are of tiles within a radius and are computed as units move, not stored by waypoint; crouching is "
            "the business of low walls."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
