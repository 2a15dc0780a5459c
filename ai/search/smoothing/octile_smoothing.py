"""Smoothing of tile paths by octile lines of no higher cost.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (path smoothing).
"""

from __future__ import annotations

import numpy as np

from ai.grid.movement_classes import class_bit
from ai.grid.terrain import Terrain
from ai.grid.tiles import narrowed
from ai.search.smoothing.octile_smoothing_kernels import smooth_octile

REACH = 30
"""Longest part of a path that one line may replace, in steps.

Thirty steps are three clusters of ten tiles.
"""


def smooth_path(
    terrain: Terrain, movement_class: int, path: np.ndarray, reach: int = REACH, tally: np.ndarray | None = None
) -> np.ndarray:
    """Smooth a legal tile path int32[n, 2] (y, x).

    Octile lines of no higher cost replace parts of up to ``reach`` steps. ``tally`` int64[1] grows by the tiles of the
    tested lines; 64 of them are a revolution.
    """
    tiles = narrowed(path)
    if tiles.ndim != 2 or tiles.shape[1] != 2:
        raise ValueError(f"a path must be [n, 2], got {tiles.shape}")
    if len(tiles) and (tiles.min() < 0 or np.any(tiles >= (terrain.height, terrain.width))):
        raise ValueError(f"a path leaves the terrain of {terrain.height} x {terrain.width}")
    out = np.zeros_like(tiles)
    tally = np.zeros(1, np.int64) if tally is None else tally
    along = np.zeros(len(tiles), np.int64)
    bit = class_bit(movement_class)
    count = smooth_octile(terrain.passable, terrain.cost, bit, tiles, reach, out, along, tally)
    return out[:count]
