"""Ground as a broad group finds it: what is narrower than the group costs more, and is never closed to it.

It is made in strips of rows, as much a tick as somebody pays for; strips make the same ground as all at once.

Source: "Game AI Pro 2", 20.5 (group path query with reconfigurable bulk).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import distance_transform_cdt

from ai.grid.terrain import Terrain

PENALTY = 3.0
"""How many times more a tile costs on which only a single file fits, for a group much wider than that."""

NARROW = 2.0
"""Who is no wider than this many tiles finds no open tile too narrow."""

TILES = 8
"""So many tiles looked at for their width are charged a revolution."""

COPIED = 64
"""So many tiles that are copied are charged a revolution."""

Window = tuple[int, int, int, int]


def widths(passable: np.ndarray, movement_class: int) -> np.ndarray:
    """How wide a body fits about each tile, in tiles: int32, twice the chessboard distance to what is blocked."""
    open_ = np.pad(((passable >> movement_class) & 1).astype(np.uint8), 1)
    return 2 * distance_transform_cdt(open_, "chessboard")[1:-1, 1:-1].astype(np.int32)


def copied(terrain: Terrain, window: Window) -> Terrain:
    """The ground of a window (y0, x0, y1, x1), that :func:`widen` has yet to widen.  ValueError outside the map."""
    y0, x0, y1, x1 = window
    if not (0 <= y0 < y1 <= terrain.height and 0 <= x0 < x1 <= terrain.width):
        raise ValueError(f"window {window} is not inside a map of {terrain.height} x {terrain.width} tiles")
    return Terrain.build(terrain.passable[y0:y1, x0:x1], terrain.cost[y0:y1, x0:x1])


def widen(
    ground: Terrain, terrain: Terrain, movement_class: int, width: float, window: Window, first: int, revolutions: int
) -> tuple[int, int]:
    """Let narrow tiles of the rows of ``ground`` from ``first`` on cost up to 1 + PENALTY times as much to a group of
    ``width`` tiles: as many rows as ``revolutions`` pay for, one at least.  Returns the row to go on from and the
    revolutions used."""
    y0, x0, y1, x1 = window
    across = x1 - x0
    # Beyond so many tiles nothing is too narrow: what is blocked farther off need not be looked at.
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
    """The ground of a window as a group of ``width`` tiles finds it, at once.  ValueError outside the map."""
    ground = copied(terrain, window)
    widen(ground, terrain, movement_class, width, window, 0, 1 << 40)
    return ground
