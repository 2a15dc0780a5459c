"""Outlines in pixels at 32 a tile: ellipses, round-ended limbs, Catmull-Rom curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

Point = tuple[float, float]
Outline = np.ndarray  # float64[n, 2]


@cache
def _circle(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return cosine and sine of ``n`` even angles.

    Callers share the arrays and must not write to them.
    """
    a = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.cos(a), np.sin(a)


def _points(x: np.ndarray, y: np.ndarray) -> Outline:
    # np.c_ takes ten times as long, and a figure has a hundred outlines.
    out = np.empty((len(x), 2))
    out[:, 0], out[:, 1] = x, y
    return out


def ellipse(cx: float, cy: float, rx: float, ry: float, turn: float = 0.0, n: int = 28) -> Outline:
    """An ellipse of ``n`` corners, turned by ``turn`` radians."""
    cos, sin = _circle(n)
    x, y = rx * cos, ry * sin
    c, s = math.cos(turn), math.sin(turn)
    return _points(cx + x * c - y * s, cy + x * s + y * c)


_HALF_TURN = np.linspace(0, np.pi, 9)


def limb(start: Point, end: Point, width: float, end_width: float | None = None) -> Outline:
    """A bar with round ends, tapering from ``width`` to ``end_width``."""
    taper = width if end_width is None else end_width
    a = math.atan2(end[0] - start[0], -(end[1] - start[1])) - _HALF_TURN
    cos, sin = np.cos(a), np.sin(a)
    x = np.concatenate([end[0] + taper / 2 * cos, start[0] - width / 2 * cos])
    y = np.concatenate([end[1] + taper / 2 * sin, start[1] - width / 2 * sin])
    return _points(x, y)


def curve(points: Sequence[Point] | np.ndarray, steps: int = 8, closed: bool = False) -> Outline:
    """Return a Catmull-Rom curve through ``points``."""
    p = np.asarray(points, float)
    p = np.concatenate([p[-1:], p, p[:2]] if closed else [p[:1], p, p[-1:]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    a, b, c, d = (p[k : len(p) - 3 + k, None] for k in range(4))
    out = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    flat: Outline = out.reshape(-1, 2)
    return flat if closed else np.concatenate([flat, p[-2][None]])


def mirrored(points: Sequence[Point]) -> list[Point]:
    """Return a half outline closed by its mirror image across the x axis.

    The half outline has y <= 0 and runs from front to back.
    """
    return list(points) + [(x, -y) for x, y in reversed(points) if abs(y) > 1e-9]


def box(cx: float, cy: float, width: float, height: float, turn: float = 0.0) -> Outline:
    """Return a rectangle around its middle."""
    c, s = math.cos(turn), math.sin(turn)
    corners = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return np.array([(cx + x * c - y * s, cy + x * s + y * c) for x, y in corners])


def regular(cx: float, cy: float, radius: float, corners: int, turn: float = 0.0) -> Outline:
    """Return a regular polygon."""
    a = turn + np.arange(corners) * 2 * np.pi / corners
    return np.c_[cx + radius * np.cos(a), cy + radius * np.sin(a)]


def dashes(points: np.ndarray, on: float, off: float) -> list[np.ndarray]:
    """Cut a line into strokes of ``on`` px with gaps of ``off`` px."""
    along = np.r_[0, np.cumsum(np.hypot(*np.diff(points, axis=0).T))]
    strokes, t = [], 0.0
    while t < along[-1]:
        end = min(t + on, along[-1])
        stops = np.r_[t, along[(along > t) & (along < end)], end]
        strokes.append(np.c_[np.interp(stops, along, points[:, 0]), np.interp(stops, along, points[:, 1])])
        t += on + off
    return strokes
