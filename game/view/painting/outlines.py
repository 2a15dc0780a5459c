"""Outlines in pixels at 32 a tile: ellipses, round-ended limbs, Catmull-Rom curves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Point = tuple[float, float]
Outline = np.ndarray  # float64[n, 2]


def ellipse(cx: float, cy: float, rx: float, ry: float, turn: float = 0.0, n: int = 28) -> Outline:
    """Return an ellipse of ``n`` corners, rotated by ``turn`` radians."""
    a = np.linspace(0, 2 * np.pi, n, endpoint=False)
    x, y = rx * np.cos(a), ry * np.sin(a)
    c, s = math.cos(turn), math.sin(turn)
    return np.c_[cx + x * c - y * s, cy + x * s + y * c]


def limb(start: Point, end: Point, width: float, end_width: float | None = None) -> Outline:
    """Return a bar with round ends, tapering from ``width`` to ``end_width``."""
    p, q = np.array(start, float), np.array(end, float)
    taper = width if end_width is None else end_width
    d = q - p
    length = float(np.hypot(*d)) or 1.0
    across = math.atan2(d[0] / length, -d[1] / length)
    a = np.linspace(0, np.pi, 9)
    tip = np.c_[q[0] + taper / 2 * np.cos(across - a), q[1] + taper / 2 * np.sin(across - a)]
    tail = np.c_[p[0] + width / 2 * np.cos(across + np.pi - a), p[1] + width / 2 * np.sin(across + np.pi - a)]
    return np.r_[tip, tail]


def curve(points: Sequence[Point] | np.ndarray, steps: int = 8, closed: bool = False) -> Outline:
    """Return a Catmull-Rom curve through ``points``."""
    p = np.asarray(points, float)
    p = np.r_[p[-1:], p, p[:2]] if closed else np.r_[p[:1], p, p[-1:]]
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    out = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False):
        out.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    if not closed:
        out.append(p[-2][None])
    return np.concatenate(out)


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
