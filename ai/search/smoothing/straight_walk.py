"""Straight walks: line tests for bodies with a width, and string pulling.

The grid is of square tiles, and paths lead between their centres. A body is a disc that may overlap passable tiles
only. No corner is cut, and the body may touch a wall beside it.

Source: "AI Game Programming Wisdom", 3.3 (path pruning); "Game AI Pro 2", ch. 16 (post-smoothing).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ai.grid.terrain import Terrain
from ai.grid.tiles import narrowed
from ai.search.smoothing.straight_walk_kernels import pull_strings, walk_lines

BODY_RADIUS = 0.3
FARTHEST = 64


def line_walkable(
    terrain: Terrain, lines: Any, classes: Any = 0, radius: float = BODY_RADIUS
) -> tuple[np.ndarray, np.ndarray]:
    """Test whether discs of ``radius`` can walk straight, and return the costs.

    ``lines`` float64[n, 4] are segments (ax, ay, bx, by) in tiles; ``classes`` is int[n] or one number. Returns bool[n]
    and float64[n]. A cost is the length on each tile times the tile's cost. It is infinite where a wall or the map's
    edge blocks the line.
    """
    rows = np.ascontiguousarray(lines, np.float64)
    if rows.ndim != 2 or rows.shape[1] != 4:
        raise ValueError(f"lines must be [n, 4], got {rows.shape}")
    if not np.isfinite(rows).all():
        raise ValueError(f"lines must be finite numbers [n, 4], got {int((~np.isfinite(rows)).sum())} that are not")
    clear = np.zeros(len(rows), np.uint8)
    costs = np.zeros(len(rows))
    walk_lines(terrain.passable, terrain.cost, rows, _classes(classes, len(rows)), radius, clear, costs)
    return clear.astype(bool), costs


def pull_string(
    terrain: Terrain, path: Any, movement_class: int = 0, radius: float = BODY_RADIUS, reach: int = FARTHEST
) -> np.ndarray:
    """Return the tiles of one path that remain as waypoints, int32[m, 2].

    The first and the last tile always remain.
    """
    return pull_strings_of(terrain, [path], movement_class, radius, reach)[0]


def pull_strings_of(
    terrain: Terrain, paths: list, classes: Any = 0, radius: float = BODY_RADIUS, reach: int = FARTHEST
) -> list[np.ndarray]:
    """Smooth many paths by string pulling in one call.

    Each path is int[n, 2] tiles (y, x) joined by legal moves. A straight line is taken only where a body of ``radius``
    can walk it and it costs no more than the tiles it replaces. So no unit leaves a road to save a corner. A line spans
    at most ``reach`` steps.
    """
    arrays = [narrowed(path).reshape(-1, 2) for path in paths]
    offsets = np.concatenate(([0], np.cumsum([len(a) for a in arrays]))).astype(np.int64)
    tiles = np.ascontiguousarray(np.concatenate([*arrays, np.zeros((0, 2), np.int32)]))
    if len(tiles) and (tiles.min() < 0 or np.any(tiles >= (terrain.height, terrain.width))):
        raise ValueError(f"a path leaves the terrain of {terrain.height} x {terrain.width}")
    keep = np.zeros(len(tiles), np.uint8)
    pull_strings(
        terrain.passable,
        terrain.cost,
        tiles,
        offsets,
        _classes(classes, len(arrays)),
        radius,
        max(reach, 1),
        np.zeros(len(tiles)),
        keep,
    )
    kept = keep.astype(bool)
    return [tiles[a:b][kept[a:b]] for a, b in itertools.pairwise(offsets.tolist())]


def _classes(classes: Any, count: int) -> np.ndarray:
    array = np.asarray(classes)
    if array.ndim > 1 or (array.ndim == 1 and len(array) != count):
        raise ValueError(f"classes must be one number or [{count}], got shape {array.shape}")
    if array.size and (array.min() < 0 or array.max() > 7):
        raise ValueError(f"classes must be 0..7, got {array.min()}..{array.max()}")
    return np.array(np.broadcast_to(array, (count,)), np.uint8)
