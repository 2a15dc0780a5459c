"""Clearance of spawns: a unit starts at least its radius from a wall."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from game.level.map_art import Point
from game.level.passability_masks import WALK

RADIUS = 0.3
"""Tiles from the middle of a body to its rim: that of a soldier."""
HAIR = 1e-6


def clear_place(passable: NDArray[np.uint8], x: float, y: float) -> Point:
    """Return the place nearest to (x, y) at which a body touches no wall.

    It stays in the tile, which can be walked, and touches no border of the map. ``passable: uint8[H, W]``.
    """
    column, row = math.floor(x), math.floor(y)

    def shut(dy: int, dx: int) -> bool:
        r, c = row + dy, column + dx
        return not (0 <= r < passable.shape[0] and 0 <= c < passable.shape[1] and passable[r, c] & WALK)

    fx, fy = x - column, y - row
    low, high = RADIUS + HAIR, 1.0 - RADIUS - HAIR
    fx = min(max(fx, low if shut(0, -1) else 0.0), high if shut(0, 1) else 1.0)
    fy = min(max(fy, low if shut(-1, 0) else 0.0), high if shut(1, 0) else 1.0)
    for dy, dx in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        cx, cy = float(dx > 0), float(dy > 0)
        far = math.hypot(fx - cx, fy - cy)
        if shut(dy, dx) and far < RADIUS:
            # Away from the corner; from the corner itself towards the middle of the tile.
            ax, ay = ((fx - cx) / far, (fy - cy) / far) if far > HAIR else (-dx * math.sqrt(0.5), -dy * math.sqrt(0.5))
            fx, fy = cx + ax * (RADIUS + HAIR), cy + ay * (RADIUS + HAIR)
            fx = min(max(fx, low if shut(0, -1) else 0.0), high if shut(0, 1) else 1.0)
            fy = min(max(fy, low if shut(-1, 0) else 0.0), high if shut(1, 0) else 1.0)
    return (x, y) if math.hypot(column + fx - x, row + fy - y) < HAIR else (column + fx, row + fy)
