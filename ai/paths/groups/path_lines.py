"""Lines along group paths: cost of testing them, turning points, and narrowest place.

Source: "AI Game Programming Wisdom", 3.3 (path pruning); "Game AI Pro 2", 20.5.
"""

from __future__ import annotations

import math

import numpy as np

from ai.grid.terrain import Terrain
from ai.paths.groups.wide_ground import TILES, widths
from ai.search.smoothing.straight_walk import FARTHEST, pull_string

CELLS = 64
"""Tiles crossed by lines per charged revolution."""

STRETCH, BESIDE = 64, 24
"""Window sizes in the search for the narrowest place of a path.

They are tiles along the path, and tiles to either side.
"""


def crossed(line: np.ndarray, width: float) -> int:
    """Return the largest number of tiles tested along a line (ax, ay, bx, by)."""
    across = abs(math.floor(line[2]) - math.floor(line[0])) + abs(math.floor(line[3]) - math.floor(line[1])) + 1
    return across * (1 + math.ceil(min(width, across)))


def pulling_revolutions(corners: np.ndarray) -> int:
    """Return the largest number of revolutions for smoothing to these turning points.

    ``corners`` are float64[n, 2]. A section of s steps is found by lines of growing and shrinking reach: two for each
    doubling of s, none longer than twice its steps.
    """
    steps = np.abs(np.diff(corners, axis=0)).max(axis=1, initial=0.0)
    lines = 2 * (np.ceil(np.log2(steps + 1.0)) + 1)
    return -(-int((lines * 2 * np.minimum(2 * steps + 1, FARTHEST)).sum()) // CELLS)


def corners_of(ground: Terrain, tiles: np.ndarray, movement_class: int, corner: tuple[int, int]) -> np.ndarray:
    """Return the turning points float64[n, 2] (x, y) of a path over ``ground``.

    Its first tile is ``corner`` (y, x).
    """
    kept = pull_string(ground, tiles, movement_class)
    return np.column_stack([kept[:, 1] + corner[1] + 0.5, kept[:, 0] + corner[0] + 0.5]).astype(float)


def narrowest_revolutions(tiles: int) -> int:
    """Return the largest number of revolutions of :func:`narrowest` for this many tiles."""
    return -(-tiles // STRETCH) * (STRETCH + 2 * BESIDE + 1) ** 2 // TILES


def narrowest(terrain: Terrain, movement_class: int, tiles: np.ndarray) -> tuple[float, int]:
    """Return the width of the narrowest place on a path, and the revolutions used.

    The path is int32[n, 2], tested in windows along it; the width is in tiles.
    """
    least, used = float("inf"), 0
    for first in range(0, len(tiles), STRETCH):
        part = tiles[first : first + STRETCH]
        (y0, x0), (y1, x1) = np.maximum(part.min(axis=0) - BESIDE, 0), part.max(axis=0) + BESIDE + 1
        room = widths(terrain.passable[y0:y1, x0:x1], movement_class)
        used += room.size // TILES
        least = min(least, float(room[part[:, 0] - y0, part[:, 1] - x0].min()))
    return least, used
