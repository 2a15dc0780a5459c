"""Bounded flood: exact path distances from one tile, up to a limit.

Source: Ian Millington and John Funge, AI for Games, 6.1.2 (distance along paths); Dave Mark, Game AI Pro 2, 30.3 (one
flood from the agent, bounded by its reach). The flood of ``ai.search.astar.astar`` runs over the square of the limit
around the tile. No shorter path leaves that square while tile costs are at least ``lowest``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.grid.moves import COST_UNIT
from ai.grid.terrain import ORDINARY_COST, Terrain
from ai.search.astar.astar import CLOSED, AStarSearch


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
    part = Terrain.build(terrain.passable[y0:y1, x0:x1], terrain.cost[y0:y1, x0:x1])
    part.passable[y - y0, x - x0] |= np.uint8(1 << movement_class)  # a door may have shut on the unit
    search = AStarSearch(part.height, part.width)
    search.begin_flood(part, movement_class, [(y - y0, x - x0)])
    search.run(part, 1 << 40)
    distance = np.where(search.tile_status & CLOSED, search.tile_g / COST_UNIT, np.inf)
    distance[distance > limit] = np.inf
    return Reach(y0, x0, distance, search.revolutions)
