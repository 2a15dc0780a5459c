"""Nearest place by straight distance in stored rings, or along paths in one search.

Source: Ian Millington and John Funge, AI for Games, 6.1.2 (stored tile patterns; combined search and selection). The
straight-line nearest place may lie behind a thin wall. One Dijkstra search from the unit ends at the first suitable
tile that it expands, and its parents are the route.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ai.search.modular_astar.modular_astar import ModularAstar


@lru_cache(maxsize=32)
def rings(radius: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return offsets (dy, dx) within ``radius`` tiles by distance, and the distances.

    Offsets of equal distance are in reading order.
    """
    if radius < 0:
        raise ValueError(f"a radius is at least 0 tiles, got {radius}")
    steps = np.arange(-radius, radius + 1)
    dy, dx = (part.reshape(-1) for part in np.meshgrid(steps, steps, indexing="ij"))
    square = dy * dy + dx * dx
    inside = square <= radius * radius
    dy, dx, square = dy[inside], dx[inside], square[inside]
    order = np.lexsort((dx, dy, square))
    return np.column_stack([dy[order], dx[order]]).astype(np.int32), np.sqrt(square[order])


def nearby_tiles(y: int, x: int, radius: int, shape: tuple[int, int]) -> NDArray[np.int32]:
    """Return the tiles (y, x) of the map within ``radius`` tiles, nearest first."""
    offsets, _ = rings(radius)
    tiles = offsets + np.array([y, x], np.int32)
    inside = (tiles >= 0).all(axis=1) & (tiles[:, 0] < shape[0]) & (tiles[:, 1] < shape[1])
    return np.asarray(tiles[inside])


def nearby_places(suitable: NDArray[np.bool_], y: int, x: int, radius: int) -> Iterator[tuple[int, int]]:
    """Yield the suitable tiles in distance order, ring by ring.

    No tile beyond the ring of the last result is read.
    """
    offsets, _ = rings(radius)
    height, width = suitable.shape
    for dy, dx in offsets.tolist():
        ty, tx = y + dy, x + dx
        if 0 <= ty < height and 0 <= tx < width and suitable[ty, tx]:
            yield ty, tx


@dataclass(frozen=True)
class Nearest:
    """Nearest place along paths: its tile (y, x), the route, cost and revolutions."""

    tile: tuple[int, int]
    route: NDArray[np.int32]
    cost: float
    revolutions: int


def nearest_by_path(
    costs: NDArray[np.uint8], suitable: NDArray[np.bool_], y: int, x: int, cap: int = 1 << 40
) -> Nearest | None:
    """Return the suitable tile that is cheapest to walk to, or None.

    ``costs: uint8[H, W]`` are in eighths, 0 is closed. ``cap`` limits the revolutions. Tactical costs make the walk
    itself sensible too.
    """
    search = ModularAstar(*costs.shape)
    search.begin(costs, (y, x), np.ascontiguousarray(suitable, np.uint8), cap=cap)
    search.run(cap)
    route = search.path()
    if route is None:
        return None
    return Nearest((int(route[-1, 0]), int(route[-1, 1])), route, search.cost, search.revolutions)


TECHNIQUES = (
    {
        "slug": "nearest-place",
        "name": "Nearest place along paths",
        "ids": ("AFG6.1.10", "AFG6.1.11"),
        "source": "AI for Games, 6.1.2",
        "functions": ("nearest_by_path", "nearby_places"),
        "test": "tests/ai/tactics/ground/test_nearest_place.py",
        "exhibit": "levels/exhibits/tactics/thin_wall.toml",
        "overlay": "paths",
        "setting": "tactics.by_path",
        "measure": "walked",
        "direction": "down",
        "claim": (
            "The game floods once from the unit and takes the nearest suitable tile on foot. The search that ends "
            "at the first such tile and the walk ring by ring are in the library only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
