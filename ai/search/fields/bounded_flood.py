"""Bounded flood: exact path distances from one tile, up to a limit.

Source: Ian Millington and John Funge, AI for Games, 6.1.2 (distance along paths); Dave Mark, Game AI Pro 2, 30.3 (one
flood from the agent, bounded by its reach). Dijkstra's search in a window of the map, because influence and queries
make dozens of small floods a tick. A slab of the A* for each took five times as long. No path within the limit leaves
the window, which is as wide as the limit on the cheapest ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import kernel
from ai.grid.movement_classes import class_bit
from ai.grid.moves import COST_UNIT, DIAGONAL, MOVE_X, MOVE_Y, STRAIGHT
from ai.grid.terrain import ORDINARY_COST, Terrain
from ai.search.heap import heap_pop, heap_push

FAR = 1 << 62
"""Cost of a tile that was not reached."""


@dataclass(frozen=True)
class Reach:
    """Path distances of a window that begins at tile (y0, x0).

    ``distance: float64[h, w]`` is in tiles of ordinary ground, infinite beyond the limit or without a path.
    """

    y0: int
    x0: int
    distance: NDArray[np.float64]
    revolutions: int

    def at(self, tiles: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the distance of ``tiles: int[n, 2]`` (y, x) of the map."""
        y, x = tiles[:, 0] - self.y0, tiles[:, 1] - self.x0
        height, width = self.distance.shape
        inside = (y >= 0) & (x >= 0) & (y < height) & (x < width)
        out = np.full(len(tiles), np.inf)
        out[inside] = self.distance[y[inside], x[inside]]
        return out


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int64, int64, int64, int64, int64, int64[:,::1], int64[::1], int64[::1])"
)
def flood_window(  # type: ignore[no-untyped-def]
    passable, cost, bit, y0, x0, start_y, start_x, most, g, keys, values
):
    """Write costs up to ``most`` into a window; return the expanded tiles.

    ``g: int64[h, w]`` holds FAR at the beginning and starts at tile (y0, x0) of the map. ``keys`` and ``values`` are
    scratch of more than eight entries a tile. The start counts as passable: a door may have shut on the unit.
    """
    height, width = g.shape
    expanded = 0
    g[start_y - y0, start_x - x0] = 0
    heap_push(keys, values, 0, 0, (start_y - y0) * width + start_x - x0)
    count = 1
    while count > 0:
        key, at = keys[0], values[0]
        heap_pop(keys, values, count)
        count -= 1
        y, x = at // width, at % width
        if key > g[y, x]:
            continue
        expanded += 1
        for k in range(8):
            dy, dx = MOVE_Y[k], MOVE_X[k]
            ny, nx = y + dy, x + dx
            if ny < 0 or nx < 0 or ny >= height or nx >= width or passable[ny + y0, nx + x0] & bit == 0:
                continue
            if k >= 4 and (passable[y + y0, nx + x0] & bit == 0 or passable[ny + y0, x + x0] & bit == 0):
                continue
            step = int(cost[y + y0, x + x0]) + int(cost[ny + y0, nx + x0])
            new = key + step * (STRAIGHT if k < 4 else DIAGONAL)
            if new <= most and new < g[ny, nx]:
                g[ny, nx] = new
                heap_push(keys, values, count, new, ny * width + nx)
                count += 1
    return expanded


def bounded_flood(terrain: Terrain, movement_class: int, y: int, x: int, limit: float) -> Reach:
    """Return path distances from tile (y, x), infinite beyond ``limit`` tiles.

    ValueError for a tile outside the map or a limit that is not positive.
    """
    if not limit > 0:
        raise ValueError(f"the limit of a flood must be positive, got {limit}")
    height, width = terrain.passable.shape
    if not (0 <= y < height and 0 <= x < width):
        raise ValueError(f"tile ({y}, {x}) lies outside the map of {height} x {width} tiles")
    half = int(np.ceil(limit * ORDINARY_COST / terrain.lowest_cost))
    y0, x0, y1, x1 = max(0, y - half), max(0, x - half), min(height, y + half + 1), min(width, x + half + 1)
    tiles = (y1 - y0) * (x1 - x0)
    g = np.full((y1 - y0, x1 - x0), FAR, np.int64)
    keys, values = np.empty(8 * tiles + 1, np.int64), np.empty(8 * tiles + 1, np.int64)
    most = int(limit * COST_UNIT)
    bit = class_bit(movement_class)
    used = flood_window(terrain.passable, terrain.cost, bit, y0, x0, y, x, most, g, keys, values)
    return Reach(y0, x0, np.where(g == FAR, np.inf, g / COST_UNIT), int(used))
