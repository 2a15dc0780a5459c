"""Allocation of squads to objectives by priority and least distance.

Source: John Reynolds, AI Game Programming Wisdom, 5.5 (the commander asks for soldiers whose task is less important
than a threshold; the lowest go first). The table of priorities is illegible in the source; these are ours. The
distances in all are the least, by the assignment of scipy.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

PRIORITY: Mapping[str, int] = MappingProxyType({"reserve": 0, "hold": 3, "support": 4, "attack": 6})
"""Priority of what a squad does."""
FAR = 1e6
"""Cost of a pair that is not allowed."""
DEEPER = 1e3
"""Cost of a step in priority, which goes before distance."""


def available(priorities: NDArray[np.int64], threshold: int) -> NDArray[np.int64]:
    """Return the squads whose task is less important than the threshold, lowest first."""
    rows = np.flatnonzero(priorities < threshold)
    return rows[np.lexsort((rows, priorities[rows]))]


def allocate(
    distance: NDArray[np.float64], priorities: NDArray[np.int64], allowed: NDArray[np.bool_], threshold: int
) -> list[tuple[int, int]]:
    """Return pairs (squad, objective), each at most once, by squad.

    ``distance, allowed`` have a row per squad and a column per objective; ``priorities`` are of the present tasks. As
    many objectives as possible are served, by the squads with the least to do, at the least distance in all.
    """
    rows = available(priorities, threshold)
    reach = np.isfinite(distance[rows]) & allowed[rows]
    cost = np.where(reach, np.where(reach, distance[rows], 0.0) + DEEPER * priorities[rows, None], FAR)
    pairs = zip(*linear_sum_assignment(cost), strict=True)
    return sorted((int(rows[a]), int(b)) for a, b in pairs if reach[a, b])


TECHNIQUES = (
    {
        "slug": "squad-allocation",
        "name": "Allocation of squads by priority",
        "ids": ("AW-5.5-6",),
        "source": "AI Game Programming Wisdom, 5.5",
        "functions": ("available", "allocate"),
        "test": "tests/ai/squad/command/test_squad_allocation.py",
        "reason": "The exhibit of the command hierarchy shows it.",
        "claim": (
            "Whole squads are allocated, not single soldiers, and at the least distance in all. The priorities "
            "are ours."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
