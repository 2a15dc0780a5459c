"""Path of a group with the free width to either side.

Points are one tile apart, in the middle of the free ground. Slots are placed by their distance along the path and to
its side. So a file bends with its corridor and no member is sent into a wall ("AI Game Programming Wisdom", 5.6: one
leader path wide enough, slots projected on it).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.core.serialization import record

SPAN = 16.0
"""Largest distance from the path that is tested for free ground, tiles."""

PROBE = 0.2
"""Step of this test, tiles."""

CHORD = 2
"""Points before and after a point whose chord gives the path's direction there."""


@record
class GroupPath:
    """Points float64[n, 2] (x, y) of a path, ``step`` tiles apart.

    ``left`` and ``right`` float64[n] are the free tiles to either side of the path.
    """

    points: np.ndarray
    step: float
    left: np.ndarray
    right: np.ndarray

    @property
    def length(self) -> float:
        """Return the length of the path in tiles."""
        return self.step * (len(self.points) - 1)


@device
def open_at(passable: np.ndarray, bit: int, x: float, y: float) -> bool:
    """Return True if the movement class may be on the tile at (x, y)."""
    ty = math.floor(y)
    tx = math.floor(x)
    return 0 <= ty < passable.shape[0] and 0 <= tx < passable.shape[1] and (passable[ty, tx] & bit) != 0


@kernel("void(uint8[:,::1], int64, float64[:,::1], float64, float64[::1], float64[::1], float64[:,::1])", group="lab")
def survey(
    passable: np.ndarray,
    bit: int,
    points: np.ndarray,
    span: float,
    left: np.ndarray,
    right: np.ndarray,
    normals: np.ndarray,
) -> None:
    """Measure the free tiles to the left and right of every point.

    Each is at most ``span`` tiles. ``normals`` becomes the unit vectors to the right of the path.
    """
    n = points.shape[0]
    for i in range(n):
        a = max(0, i - CHORD)
        b = min(n - 1, i + CHORD)
        dx = points[b, 0] - points[a, 0]
        dy = points[b, 1] - points[a, 1]
        d = math.sqrt(dx * dx + dy * dy)
        if d < 1e-9:
            dx, dy, d = 1.0, 0.0, 1.0
        # Right of the heading is clockwise, because y points down.
        nx = -dy / d
        ny = dx / d
        normals[i, 0] = nx
        normals[i, 1] = ny
        for side in (-1.0, 1.0):
            free = 0.0
            while free < span:
                if not open_at(passable, bit, points[i, 0] + side * nx * (free + PROBE),
                               points[i, 1] + side * ny * (free + PROBE)):  # fmt: skip
                    break
                free += PROBE
            if side < 0.0:
                left[i] = free
            else:
                right[i] = free


def lay_path(passable: np.ndarray, movement_class: int, corners: np.ndarray, half: float) -> GroupPath:
    """Lay a group's path along turning points float64[n, 2] (x, y).

    The path is resampled, moved off walls nearer than ``half`` tiles as far as there is room, and rounded. All
    points are on open tiles when the straight lines between the corners are.
    """
    legs = np.hypot(*np.diff(corners, axis=0).T) if len(corners) > 1 else np.zeros(0)
    total = float(legs.sum())
    count = max(2, math.ceil(total) + 1)
    at = np.concatenate([[0.0], np.cumsum(legs)])
    where = np.linspace(0.0, total, count)
    points = np.column_stack([np.interp(where, at, corners[: len(at), k]) for k in (0, 1)])
    bit = 1 << movement_class
    left, right, normals = np.zeros(count), np.zeros(count), np.zeros((count, 2))
    for _ in range(2):
        survey(passable, bit, points, min(half + 1.0, SPAN), left, right, normals)
        middle = (right - left) / 2.0
        off = np.where(
            left + right < 2.0 * half, middle, np.clip(half - left, 0.0, None) - np.clip(half - right, 0.0, None)
        )
        off[0] = off[-1] = 0.0
        points = _kept_open(passable, bit, points, points + normals * off[:, None])
    free = (left + right >= 2.0 * half + 1.0)[1:-1, None]
    for _ in range(2):
        smooth = points.copy()
        # Rounding must not move the path out of the middle of a narrow place.
        smooth[1:-1] = np.where(free, (points[:-2] + 2.0 * points[1:-1] + points[2:]) / 4.0, points[1:-1])
        points = _kept_open(passable, bit, points, smooth)
    # Moving and rounding has changed the distances between points.
    legs = np.hypot(*np.diff(points, axis=0).T)
    at = np.concatenate([[0.0], np.cumsum(legs)])
    where = np.linspace(0.0, at[-1], count)
    even = np.column_stack([np.interp(where, at, points[:, k]) for k in (0, 1)])
    points = np.ascontiguousarray(_kept_open(passable, bit, points, even))
    survey(passable, bit, points, SPAN, left, right, normals)
    return GroupPath(points, max(float(at[-1]) / (count - 1), 1e-6), left, right)


def _kept_open(passable: np.ndarray, bit: int, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return the new points where a body fits, else the old points."""
    height, width = passable.shape
    good = np.ones(len(new), bool)
    for dy in (-0.3, 0.3):
        for dx in (-0.3, 0.3):
            ty, tx = np.floor(new[:, 1] + dy).astype(int), np.floor(new[:, 0] + dx).astype(int)
            inside = (ty >= 0) & (tx >= 0) & (ty < height) & (tx < width)
            good &= inside & (passable[np.clip(ty, 0, height - 1), np.clip(tx, 0, width - 1)] & bit != 0)
    return np.where(good[:, None], new, old)


@device
def on_path(paths: np.ndarray, first: int, count: int, step: float, s: float) -> tuple[float, float, float, float]:
    """Return position and unit direction at ``s`` tiles from the start of a path.

    Beyond its ends the path continues straight on.
    """
    last = count - 1
    at = s / step
    k = int(math.floor(at))
    k = min(max(k, 0), last - 1)
    share = min(max(at - k, 0.0), 1.0)
    a = first + k
    x = paths[a, 0] + (paths[a + 1, 0] - paths[a, 0]) * share
    y = paths[a, 1] + (paths[a + 1, 1] - paths[a, 1]) * share
    # The chord moves with the position, so that the direction does not jump.
    lo0 = max(0, k - CHORD + 1)
    hi0 = min(last, k + CHORD)
    lo1 = max(0, k - CHORD + 2)
    hi1 = min(last, k + CHORD + 1)
    dx0 = paths[first + hi0, 0] - paths[first + lo0, 0]
    dy0 = paths[first + hi0, 1] - paths[first + lo0, 1]
    dx1 = paths[first + hi1, 0] - paths[first + lo1, 0]
    dy1 = paths[first + hi1, 1] - paths[first + lo1, 1]
    dx = dx0 + (dx1 - dx0) * share
    dy = dy0 + (dy1 - dy0) * share
    d = math.sqrt(dx * dx + dy * dy)
    if d < 1e-9:
        dx, dy, d = 1.0, 0.0, 1.0
    dx /= d
    dy /= d
    beyond = 0.0
    if s < 0.0:
        beyond = s
    elif s > step * last:
        beyond = s - step * last
    return x + dx * beyond, y + dy * beyond, dx, dy
