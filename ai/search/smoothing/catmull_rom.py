"""Catmull-Rom curves: rounds the corners of finished paths, through all of them.

String pulling leaves corners and straight lines. Every corner becomes a control point, with one more on each line
``ROUNDING`` tiles away from it. A centripetal Catmull-Rom curve passes through all control points; its direction at a
corner lies between those of the two lines. Points of the curve become waypoints. A corner stays sharp, between straight
lines, if a body does not fit along its curve or the ground there costs more.

A racing line is smoothed with this curve in the source. Its tangents in cubic Hermite form are Barry and Goldman's.

Source: "AI Game Programming Wisdom", 9.1 (Catmull-Rom curves pass through their nodes).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type,assignment"

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.core.thread_pool import ThreadPool
from ai.grid.terrain import Terrain
from ai.search.smoothing.path_smoother import PathSmoother, Pieces
from ai.search.smoothing.straight_walk_kernels import straight_clear, straight_cost
from ai.search.smoothing.string_pulling import StringPulling

ROUNDING = 4.0
"""Tiles before and after a corner over which the path turns."""

SPACING = 0.5
"""Tiles between two control points for one point of the curve."""

_SAMPLES = math.ceil(2.0 * ROUNDING / SPACING)
"""Most points of one segment."""

ON_LINE, ROUND, SHARP = 0, 1, 2
"""Kinds of control points.

A sharp corner ends a curve and begins the next one; the ends of a piece are sharp.
"""


@device
def knot(ax: float, ay: float, bx: float, by: float) -> float:
    """Return the centripetal knot distance of two points: the root of their distance."""
    return math.sqrt(math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay)))


@device
def tangent(p0: float, p1: float, p2: float, k01: float, k12: float) -> float:
    """Return the derivative at p1 of the parabola through three values.

    They are k01 and k12 apart.
    """
    return (p1 - p0) / k01 - (p2 - p0) / (k01 + k12) + (p2 - p1) / k12


@device
def curve_point(p1: float, p2: float, m1: float, m2: float, span: float, t: float) -> float:
    """Return the cubic Hermite value at ``t`` in 0..1 of a span."""
    t2, t3 = t * t, t * t * t
    return (
        (2.0 * t3 - 3.0 * t2 + 1.0) * p1
        + (t3 - 2.0 * t2 + t) * span * m1
        + (3.0 * t2 - 2.0 * t3) * p2
        + (t3 - t2) * span * m2
    )


@device
def controls_of(
    tiles: np.ndarray, keep: np.ndarray, first: int, last: int, control: np.ndarray, rows: np.ndarray, kind: np.ndarray
) -> int:
    """Write the control points (x, y) of one piece; return their number.

    ``kind`` gets what each of them is. ``rows`` gets the row of the kept tile that a control point is or leads to.
    """
    count = 0
    for i in range(first, last):
        if keep[i] == 0:
            continue
        x, y = tiles[i, 1] + 0.5, tiles[i, 0] + 0.5
        round_here = first < i < last - 1
        if count > 0:
            ax, ay = control[count - 1, 0], control[count - 1, 1]
            length = math.sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay))
            round_before = kind[count - 1] == ROUND
            if length > ROUNDING * (round_before + round_here):
                for end in range(2):
                    if round_before if end == 0 else round_here:
                        share = ROUNDING / length if end == 0 else 1.0 - ROUNDING / length
                        control[count, 0] = ax + (x - ax) * share
                        control[count, 1] = ay + (y - ay) * share
                        rows[count] = i
                        kind[count] = ON_LINE
                        count += 1
        control[count, 0] = x
        control[count, 1] = y
        rows[count] = i
        kind[count] = ROUND if round_here else SHARP
        count += 1
    return count


@device
def lay_segment(control: np.ndarray, kind: np.ndarray, c: int, out: np.ndarray, at: int) -> int:
    """Write the points of one segment; return the row after them.

    It begins after control point c - 1 and ends at c. At a sharp corner the curve ends: its next control point is the
    last one, mirrored. Then it goes on straight.
    """
    ax, ay, bx, by = control[c - 1, 0], control[c - 1, 1], control[c, 0], control[c, 1]
    if kind[c - 1] == ROUND or kind[c] == ROUND:
        zx, zy, dx, dy = 2.0 * ax - bx, 2.0 * ay - by, 2.0 * bx - ax, 2.0 * by - ay
        if kind[c - 1] != SHARP:
            zx, zy = control[c - 2, 0], control[c - 2, 1]
        if kind[c] != SHARP:
            dx, dy = control[c + 1, 0], control[c + 1, 1]
        k0, k1, k2 = knot(zx, zy, ax, ay), knot(ax, ay, bx, by), knot(bx, by, dx, dy)
        m1x, m1y = tangent(zx, ax, bx, k0, k1), tangent(zy, ay, by, k0, k1)
        m2x, m2y = tangent(ax, bx, dx, k1, k2), tangent(ay, by, dy, k1, k2)
        samples = int(math.ceil(k1 * k1 / SPACING))
        for k in range(1, samples):
            out[at, 0] = curve_point(ax, bx, m1x, m2x, k1, k / samples)
            out[at, 1] = curve_point(ay, by, m1y, m2y, k1, k / samples)
            at += 1
    out[at, 0] = bx
    out[at, 1] = by
    return at + 1


@device
def fits(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    radius: float,
    ax: float,
    ay: float,
    out: np.ndarray,
    first: int,
    last: int,
    tally: np.ndarray,
) -> bool:
    """Return whether a body can walk along a segment.

    It leads from a over the rows ``first`` to ``last - 1`` of ``out``. On average their ground must cost no more than
    that of the straight line to the last of them. ``tally[0]`` grows by the tiles that the tested lines cross.
    """
    px, py, along, spent = ax, ay, 0.0, 0.0
    for k in range(first, last):
        x, y = out[k, 0], out[k, 1]
        tally[0] += 2 * (np.int64(abs(x - px) + abs(y - py)) + 1)
        if not straight_clear(passable, bit, px, py, x, y, radius):
            return False
        along += math.sqrt((x - px) * (x - px) + (y - py) * (y - py))
        spent += straight_cost(cost, px, py, x, y)
        px, py = x, y
    length = math.sqrt((px - ax) * (px - ax) + (py - ay) * (py - ay))
    return spent / along <= straight_cost(cost, ax, ay, px, py) / length * (1.0 + 1e-9)


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], uint8[::1], int32[:,::1], int64[::1], uint8[::1], float64, float64[:,::1],"
    " int64[::1], uint8[::1], float64[:,::1], int64[::1], int64[::1], int64[::1])",
    group="lab",
)
def curve_pieces(
    passable: np.ndarray,
    cost: np.ndarray,
    classes: np.ndarray,
    tiles: np.ndarray,
    offsets: np.ndarray,
    keep: np.ndarray,
    radius: float,
    control: np.ndarray,
    rows: np.ndarray,
    kind: np.ndarray,
    out: np.ndarray,
    from_row: np.ndarray,
    out_offsets: np.ndarray,
    tally: np.ndarray,
) -> int:
    """Write the points of the curves; return their number.

    ``out`` float64[n, 2] (x, y) gets them. ``from_row`` int64[n] gets the row of the tile that each point is or leads
    to; ``out_offsets`` the rows of the pieces. ``control``, ``rows`` and ``kind`` are scratch. ``tally[0]`` grows by
    the tiles that the tested lines cross.
    """
    end = 0
    out_offsets[0] = 0
    for p in range(len(offsets) - 1):
        bit = np.int64(1) << np.int64(classes[p])
        count = controls_of(tiles, keep, offsets[p], offsets[p + 1], control, rows, kind)
        changed = True
        while changed:
            changed = False
            for c in range(1, count):
                if kind[c - 1] != ROUND and kind[c] != ROUND:
                    continue
                last = lay_segment(control, kind, c, out, end)
                if not fits(passable, cost, bit, radius, control[c - 1, 0], control[c - 1, 1], out, end, last, tally):
                    for corner in (c - 1, c):
                        if kind[corner] == ROUND:
                            kind[corner] = SHARP
                            changed = True
        for c in range(count):
            last = end + 1
            if c == 0:
                out[end, 0] = control[0, 0]
                out[end, 1] = control[0, 1]
            else:
                last = lay_segment(control, kind, c, out, end)
            from_row[end:last] = rows[c]
            end = last
        out_offsets[p + 1] = end
    return end


class CatmullRom:
    """Rounds the corners that string pulling leaves."""

    def smooth(
        self, terrain: Terrain, movement_class: np.ndarray, pieces: Pieces, radius: float, reach: int, pool: ThreadPool
    ) -> tuple[Pieces, int]:
        """Return pieces whose rows are the points of the curves, all kept."""
        corners, looked = _STRINGS.smooth(terrain, movement_class, pieces, radius, reach, pool)
        if len(pieces.points):
            return corners, looked
        most = 3 * int(np.count_nonzero(corners.keep)) + 1
        control, rows, kind = np.zeros((most, 2)), np.zeros(most, np.int64), np.zeros(most, np.uint8)
        out, from_row = np.zeros((most * _SAMPLES, 2)), np.zeros(most * _SAMPLES, np.int64)
        offsets, tally = np.zeros(len(pieces.offsets), np.int64), np.zeros(1, np.int64)
        count = curve_pieces(
            terrain.passable, terrain.cost, movement_class, corners.tiles, corners.offsets, corners.keep, radius,
            control, rows, kind, out, from_row, offsets, tally,
        )  # fmt: skip
        points = out[:count].copy()
        tiles = np.ascontiguousarray(np.floor(points[:, ::-1]), np.int32)
        keep, stages = np.ones(count, np.uint8), corners.stages[from_row[:count]]
        return Pieces(tiles, offsets, stages, keep, points), looked + int(tally[0])


_STRINGS = StringPulling()
SMOOTHER: PathSmoother = CatmullRom()


TECHNIQUES = (
    {
        "slug": "catmull-rom",
        "name": "Catmull-Rom curve of a finished path",
        "ids": ("AW-9.1-1",),
        "source": "AI Game Programming Wisdom, 9.1",
        "functions": ("CatmullRom.smooth", "curve_pieces"),
        "test": "tests/ai/search/smoothing/test_catmull_rom.py",
        "exhibit": "levels/exhibits/motion/corners.curves.toml",
        "overlay": "paths",
        "setting": "paths.smoother",
        "measure": "sharpest",
        "direction": "down",
        "claim": (
            "Off in the shipped game. Only the smoothing of the driving line; sectors, interfaces and lanes of the "
            "entry are left out."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
