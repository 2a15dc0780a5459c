"""Cells that a drawn tile covers, and those that its collision shapes shut.

Tiled draws a tile at its own size, with its lower left corner in the lower left corner of its cell. A tile larger than
the grid therefore reaches to the right and upwards. Flips turn the shapes with the picture.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from game.level.map_art import FLIP_D, FLIP_H, FLIP_V, Point
from game.level.tmx.checked_map import CheckedTileset

SAMPLES = 8
"""Sample points along a side of a cell."""

Outline = tuple[Point, ...]
Cell = tuple[int, int]


def flipped(points: Outline, width: float, height: float, flips: int) -> Outline:
    """Return an outline in a picture of ``width, height`` pixels after its flips.

    The diagonal flip comes first, as in Tiled; it exchanges width and height.
    """
    out = points
    if flips & FLIP_D:
        out = tuple((y, x) for x, y in out)
        width, height = height, width
    if flips & FLIP_H:
        out = tuple((width - x, y) for x, y in out)
    if flips & FLIP_V:
        out = tuple((x, height - y) for x, y in out)
    return out


def inside(points: Outline, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which points lie inside an outline, by the even-odd rule."""
    found = np.zeros(x.shape, bool)
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        if ay == by:
            continue
        crosses = (ay > y) != (by > y)
        found ^= crosses & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    return found


def drawn_box(tileset: CheckedTileset, local: int, flips: int, grid: Cell) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom of a drawn tile in pixels.

    They count from the upper left corner of its cell. ``grid`` is width and height of a cell in pixels.
    """
    width, height = tileset.size_of(local)
    if flips & FLIP_D:
        width, height = height, width
    if tileset.on_grid:
        width, height = grid
    left, bottom = tileset.image.offset_x, grid[1] + tileset.image.offset_y
    return left, bottom - height, left + width, bottom


def covered_cells(tileset: CheckedTileset, local: int, flips: int, grid: Cell) -> list[Cell]:
    """Return the cells whose centre a drawn tile covers, at least one.

    A cell is (column, row) from the tile's own."""
    left, top, right, bottom = drawn_box(tileset, local, flips, grid)
    columns = _centres(left, right, grid[0])
    rows = _centres(top, bottom, grid[1])
    if not columns or not rows:
        return [(math.floor((left + right) / 2 / grid[0]), math.floor((top + bottom) / 2 / grid[1]))]
    return [(x, y) for y in rows for x in columns]


def _centres(low: float, high: float, size: int) -> range:
    """Return the cells whose centre lies in ``low <= centre < high`` pixels."""
    return range(math.ceil(low / size - 0.5), math.ceil(high / size - 0.5))


def shut_cells(tileset: CheckedTileset, local: int, flips: int, grid: Cell) -> list[Cell]:
    """Return the cells that a tile's collision shapes shut.

    They are (column, row) from its own. A cell is shut when the shapes cover at least half of what the picture covers
    of it.
    """
    shapes = tileset.collision.get(local, ())
    if not shapes:
        return []
    width, height = tileset.size_of(local)
    left, top, right, bottom = drawn_box(tileset, local, flips, grid)
    turned = [flipped(shape, width, height, flips) for shape in shapes]
    if flips & FLIP_D:
        width, height = height, width
    scale_x, scale_y = (right - left) / width, (bottom - top) / height
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    out = []
    for row in range(math.floor(top / grid[1]), math.ceil(bottom / grid[1])):
        for column in range(math.floor(left / grid[0]), math.ceil(right / grid[0])):
            x, y = np.meshgrid((column + steps) * grid[0], (row + steps) * grid[1])
            drawn = (x >= left) & (x < right) & (y >= top) & (y < bottom)
            if not drawn.any():
                continue
            px, py = (x - left) / scale_x, (y - top) / scale_y
            hit = np.zeros(x.shape, bool)
            for shape in turned:
                hit |= inside(shape, px, py)
            # A tile that covers only a sliver of a neighbouring cell must not shut it.
            if 2 * np.count_nonzero(drawn) >= SAMPLES and 2 * np.count_nonzero(hit & drawn) >= np.count_nonzero(drawn):
                out.append((column, row))
    return out
