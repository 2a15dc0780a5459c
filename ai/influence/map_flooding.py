"""Map flooding: gives each tile to the source that is strongest along paths.

Source: Ian Millington and John Funge, AI for Games, 6.2.6 (listing lost, prose followed). The strongest record is
expanded first. The strength falls by each step of a path, so no tile is opened again and each domain is connected.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.influence.control_map import power_of

_SQRT2 = float(np.sqrt(2.0))
_STEPS = ((-1, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0), (0, -1, 1.0),
          (-1, 1, _SQRT2), (1, 1, _SQRT2), (1, -1, _SQRT2), (-1, -1, _SQRT2))  # fmt: skip


@dataclass
class Flood:
    """Domains of a flooded map.

    ``owner`` is the row of a source or -1, ``strength`` its influence on the tile.
    """

    owner: NDArray[np.int64]
    strength: NDArray[np.float64]
    expanded: int


def flood(
    open_tiles: NDArray[np.bool_],
    sources: NDArray[np.int64],
    strengths: NDArray[np.float64],
    drop: str = "reciprocal",
    threshold: float = 0.05,
) -> Flood:
    """Flood a map from ``sources: int64[n, 2]`` of (y, x).

    Influence fades by ``drop`` with the distance along paths; influence below ``threshold`` goes no further. Paths do
    not cut the corners of walls. Among equal influences the lower row of a source wins.
    """
    if len(sources) != len(strengths):
        raise ValueError(f"{len(sources)} sources and {len(strengths)} strengths: each source takes one")
    if not threshold > 0:
        raise ValueError(f"the threshold must be positive, got {threshold}")
    power = power_of(drop)
    height, width = open_tiles.shape
    owner = np.full((height, width), -1, np.int64)
    strength = np.zeros((height, width))
    closed = np.zeros((height, width), bool)
    heap: list[tuple[float, int, float, int, int]] = []
    for k, (y, x) in enumerate(sources.tolist()):
        if not (0 <= y < height and 0 <= x < width):
            raise ValueError(f"source {k} at ({y}, {x}) lies outside the map of {height} x {width} tiles")
        if open_tiles[y, x] and strengths[k] >= threshold:
            heapq.heappush(heap, (-float(strengths[k]), k, 0.0, y, x))
    expanded = 0
    while heap:
        negative, k, walked, y, x = heapq.heappop(heap)
        if closed[y, x]:
            continue
        closed[y, x], owner[y, x], strength[y, x] = True, k, -negative
        expanded += 1
        for dy, dx, length in _STEPS:
            ny, nx = y + dy, x + dx
            if not (0 <= ny < height and 0 <= nx < width) or closed[ny, nx] or not open_tiles[ny, nx]:
                continue
            if dy and dx and not (open_tiles[y, nx] and open_tiles[ny, x]):
                continue
            value = float(strengths[k]) / (1.0 + walked + length) ** power
            if value >= threshold:
                heapq.heappush(heap, (-value, k, walked + length, ny, nx))
    return Flood(owner, strength, expanded)


TECHNIQUES = (
    {
        "slug": "map-flooding",
        "name": "Map flooding",
        "ids": ("AFG6.2.15",),
        "source": "AI for Games, 6.2.6",
        "functions": ("flood",),
        "test": "tests/ai/influence/test_map_flooding.py",
        "exhibit": "levels/exhibits/influence/rooms.toml",
        "overlay": "territory",
        "setting": "tactics.territory",
        "measure": "pieces",
        "direction": "down",
        "claim": (
            "An overlay shows it; no mind reads it. Strength falls along paths; functions that need re-opening "
            "are not built."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
