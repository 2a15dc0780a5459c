"""Oracle for free movement: all sample-point paths in whole numbers, over tiles.

It uses no bits, parts or growth. A step connects two points within a given fraction of a tile along each axis. It is a
straight line, or a line that bends round the corner of a blocked tile, and stays out of the inside of blocked tiles.
"""

from __future__ import annotations

import functools

import numpy as np


def line_is_open(passable: np.ndarray, scale: int, y: int, x: int, ny: int, nx: int) -> bool:
    """Return True if a point may move straight between two points.

    The points are given in ``scale``-ths of a tile.

    It may touch blocked tiles, but not pass between two that touch at a corner.
    """
    height, width = passable.shape
    low_y, high_y, low_x, high_x = min(y, ny), max(y, ny), min(x, nx), max(x, nx)

    def is_open(row: int, column: int) -> bool:
        return 0 <= row < height and 0 <= column < width and bool(passable[row, column])

    def side(py: int, px: int) -> int:
        """On which side of the line a point lies, 0 on it."""
        return int(np.sign((nx - x) * (py - y) - (ny - y) * (px - x)))

    for row in range(low_y // scale - 1, high_y // scale + 1):
        for column in range(low_x // scale - 1, high_x // scale + 1):
            top, left, bottom, right = row * scale, column * scale, (row + 1) * scale, (column + 1) * scale
            # The corner at the end of the tile, with four tiles around it, of which two that touch may block.
            around = [is_open(row + j, column + i) for j in (0, 1) for i in (0, 1)]
            touches = low_y <= bottom <= high_y and low_x <= right <= high_x and side(bottom, right) == 0
            if touches and around in ([True, False, False, True], [False, True, True, False]):
                return False
            near = low_y < bottom and high_y > top and low_x < right and high_x > left
            sides = {side(py, px) for py in (top, bottom) for px in (left, right)}
            if near and not is_open(row, column) and {-1, 1} <= sides:
                return False
    return True


def sampled_end_tiles(
    passable: np.ndarray, start: set[tuple[int, int]], observed: list[np.ndarray], fine: int, finer: int = 1
) -> list[set[tuple[int, int]]]:
    """Return the end tiles after each tick of all unobserved trajectories.

    Such a trajectory is at no tick in a tile that is observed then.

    Sample points lie in the middles of ``fine * finer`` squares a side of a tile, odd numbers in halves of a square;
    a tick takes one at most a ``fine``-th of a tile further along each axis.
    """
    scale = 2 * fine * finer
    height, width = passable.shape
    reach = 2 * finer

    def goes(y: int, x: int, ny: int, nx: int) -> bool:
        if not (0 <= ny < height * scale and 0 <= nx < width * scale) or not passable[ny // scale, nx // scale]:
            return False
        if line_is_open(passable, scale, y, x, ny, nx):
            return True
        # Round the corner between them, where that is no detour.
        cy, cx = (max(y, ny) // scale) * scale, (max(x, nx) // scale) * scale
        legs = max(abs(cy - y), abs(cx - x)) + max(abs(ny - cy), abs(nx - cx))
        passes = passable[y // scale, nx // scale] or passable[ny // scale, x // scale]
        bend = line_is_open(passable, scale, y, x, cy, cx) and line_is_open(passable, scale, cy, cx, ny, nx)
        return legs <= reach and bool(passes) and bend

    @functools.cache
    def next_points(y: int, x: int) -> list[tuple[int, int]]:
        span = range(-reach, reach + 1, 2)
        return [(y + j, x + i) for j in span for i in span if goes(y, x, y + j, x + i)]

    points, ends = start, []
    for seen in observed:
        points = {q for p in points for q in next_points(*p)}
        points = {(y, x) for y, x in points if not seen[y // scale, x // scale]}
        ends.append({(y // scale, x // scale) for y, x in points})
    return ends
