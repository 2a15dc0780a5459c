"""Heuristic scale: how far an estimate must shrink when ground can be cheap.

Source: Ian Millington and John Funge, AI for Games, 6.3.3 (sought ground costs less than its length, so a straight-line
estimate is too high; the author halves it). The exact factor is the least cost of a tile over that of ordinary ground.
It is admissible for any field of costs, and the game's own search uses it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import ORDINARY_COST
from ai.search.modular_astar.modular_astar import ModularAstar


@dataclass(frozen=True)
class ScaledSearch:
    """Result of a search: path ``int32[n, 2]`` of (y, x), cost in tiles, expanded tiles."""

    path: NDArray[np.int32] | None
    cost: float
    expanded: int


def exact_scale(costs: NDArray[np.uint8]) -> float:
    """Return the largest factor that keeps the estimate admissible."""
    opened = costs[costs > 0]
    return float(opened.min()) / ORDINARY_COST if opened.size else 1.0


def scaled_search(
    costs: NDArray[np.uint8], start: tuple[int, int], goal: tuple[int, int], scale: float
) -> ScaledSearch:
    """Search with the straight estimate times ``scale``.

    ``costs: uint8[H, W]`` are in eighths, 0 is closed. A scale above the exact one may miss the cheapest path.
    The scale is rounded down to eighths, at least one.
    """
    search = ModularAstar(*costs.shape)
    search.begin(costs, start, goal, lowest=max(1, int(scale * ORDINARY_COST + 1e-9)))
    search.run(1 << 40)
    return ScaledSearch(search.path(), search.cost, search.revolutions)


TECHNIQUES = (
    {
        "slug": "heuristic-scale",
        "name": "Heuristic scale under tactical costs",
        "ids": ("AFG6.3.5",),
        "source": "AI for Games, 6.3.3",
        "functions": ("exact_scale", "scaled_search"),
        "test": "tests/ai/tactics/routes/test_heuristic_scale.py",
        "reason": "no exhibit yet",
        "claim": (
            "In the library only: the searches of the game always take the exact factor. Other factors are there "
            "for comparison."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
