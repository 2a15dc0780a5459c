"""Body places: points moved off the walls of their tile.

A body is a disc that may touch a wall and overlaps none. The nearest such place inside the tile is taken: at least a
radius from each blocked neighbour tile, and from the corner of each blocked diagonal neighbour. A point where a body
fits stays as it is.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.terrain import Terrain
from ai.paths.argument_checks import column_of
from ai.search.smoothing.straight_walk_kernels import straight_clear


@device
def _blocked(passable: np.ndarray, bit: int, y: int, x: int) -> bool:
    """Return True for a wall and for a tile outside the map."""
    height, width = passable.shape
    return not (0 <= y < height and 0 <= x < width and passable[y, x] & bit)


@kernel("void(uint8[:,::1], uint8[::1], float64[::1], float64[:,::1])")
def _move_off_walls(passable: np.ndarray, classes: np.ndarray, radius: np.ndarray, points: np.ndarray) -> None:
    for i in range(len(points)):
        px, py, r = points[i, 0], points[i, 1], radius[i]
        bit = np.int64(1) << np.int64(classes[i])
        if straight_clear(passable, bit, px, py, px, py, r):
            continue
        tx, ty = math.floor(px), math.floor(py)
        for side in (-1, 1):
            edge = 0.5 + 0.5 * side
            if _blocked(passable, bit, ty, tx + side):
                px = min(px, tx + edge - r) if side > 0 else max(px, tx + edge + r)
            if _blocked(passable, bit, ty + side, tx):
                py = min(py, ty + edge - r) if side > 0 else max(py, ty + edge + r)
        for sy in (-1, 1):
            for sx in (-1, 1):
                corner_x, corner_y = tx + 0.5 + 0.5 * sx, ty + 0.5 + 0.5 * sy
                dx, dy = px - corner_x, py - corner_y
                away = math.sqrt(dx * dx + dy * dy)
                if away >= r or not _blocked(passable, bit, ty + sy, tx + sx):
                    continue
                if away == 0.0:
                    dx, dy, away = -float(sx), -float(sy), math.sqrt(2.0)
                px = corner_x + dx / away * r
                py = corner_y + dy / away * r
        if not straight_clear(passable, bit, px, py, px, py, r):
            px, py = tx + 0.5, ty + 0.5
        points[i, 0] = px
        points[i, 1] = py


def fit_bodies(terrain: Terrain, movement_class: Any, points: np.ndarray, radius: Any) -> np.ndarray:
    """Return the places of bodies of ``radius`` tiles, float64[n, 2] (x, y).

    ``points`` float64[n, 2] (x, y) are the wanted places. A point outside the map first moves to the nearest tile of
    the map. A body wider than its tile gets the centre. ``movement_class`` and ``radius`` are one value or one per row.
    Raises ValueError if shapes do not fit.
    """
    at = np.array(points, np.float64)
    if at.ndim != 2 or at.shape[1] != 2 or not np.isfinite(at).all():
        raise ValueError(f"points must be finite numbers [n, 2] of (x, y), got shape {at.shape}")
    kinds = np.array(column_of("movement_class", np.asarray(movement_class, np.uint8), len(at)))
    radii = np.array(column_of("radius", np.asarray(radius, np.float64), len(at)))
    at = np.clip(at, 0.0, np.nextafter((terrain.width, terrain.height), 0.0))
    _move_off_walls(terrain.passable, kinds, radii, at)
    return at
