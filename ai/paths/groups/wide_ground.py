"""Wide ground: a terrain copy whose narrow tiles cost a group more.

No open tile is closed to the group. The copy is made in strips of rows, as many per tick as the budget pays for; strips
give the same ground as one pass.

Source: "Game AI Pro 2", 20.5 (group path query with reconfigurable bulk).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import distance_transform_cdt

from ai.grid.terrain import Terrain

PENALTY = 3.0
"""Extra cost of a single-file tile, as a multiple of its cost.

It applies to a much wider group.
"""

NARROW = 2.0
"""Group width in tiles up to which no open tile is too narrow."""

TILES = 8
"""Tiles tested for width per charged revolution."""

COPIED = 64
"""Copied tiles per charged revolution."""

Window = tuple[int, int, int, int]


def widths(passable: np.ndarray, movement_class: int) -> np.ndarray:
    """Return the width of a body that fits around each tile, int32, tiles.

    It is twice the chessboard distance to a blocked tile.
    """
    open_ = np.pad(((passable >> movement_class) & 1).astype(np.uint8), 1)
    return 2 * distance_transform_cdt(open_, "chessboard")[1:-1, 1:-1].astype(np.int32)


def copied(terrain: Terrain, window: Window) -> Terrain:
    """Return a copy of the terrain in a window, not yet widened.

    The window is (y0, x0, y1, x1).

    Raises ValueError outside the map.
    """
    y0, x0, y1, x1 = window
    if not (0 <= y0 < y1 <= terrain.height and 0 <= x0 < x1 <= terrain.width):
        raise ValueError(f"window {window} is not inside a map of {terrain.height} x {terrain.width} tiles")
    return Terrain.build(terrain.passable[y0:y1, x0:x1], terrain.cost[y0:y1, x0:x1])


def widen(
    ground: Terrain, terrain: Terrain, movement_class: int, width: float, window: Window, first: int, revolutions: int
) -> tuple[int, int]:
    """Raise the cost of narrow tiles from row ``first`` on.

    The group is ``width`` tiles wide.

    The cost grows up to 1 + PENALTY times. It treats as many rows as ``revolutions`` pay for, at least one. Returns the
    next row and the revolutions used.
    """
    y0, x0, y1, x1 = window
    across = x1 - x0
    # Nothing is too narrow beyond this distance, so farther blocked tiles are ignored.
    margin = math.ceil(min(width / 2.0, max(y1 - y0, across)))
    last = min(max(first + 1, first + revolutions * TILES // across - 2 * margin), y1 - y0)
    top, bottom = max(first - margin, 0), min(last + margin, y1 - y0)
    room = widths(terrain.passable[y0 + top : y0 + bottom, x0:x1], movement_class)[first - top : last - top] >> 1
    lack = np.clip((width - 2.0 * np.arange(margin + 1)) / max(width, 1.0), 0.0, 1.0)[:, None]
    dearer = np.clip(np.round(np.arange(256) * (1.0 + PENALTY * lack)), 1, 255).astype(np.uint8)
    cost = dearer[np.minimum(room, margin), terrain.cost[y0 + first : y0 + last, x0:x1]]
    ground.edit(first, 0, last, across, cost=cost)
    return last, -(-(bottom - top) * across // TILES)


def wide_ground(terrain: Terrain, movement_class: int, width: float, window: Window) -> Terrain:
    """Return the widened ground of a window in one pass.

    The group is ``width`` tiles wide.

    Raises ValueError outside the map.
    """
    ground = copied(terrain, window)
    widen(ground, terrain, movement_class, width, window, 0, 1 << 40)
    return ground
