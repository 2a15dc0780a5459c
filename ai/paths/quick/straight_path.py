"""Straight paths: units that can walk to their goal without search or queue.

A body of some radius cuts no corner. Positions and goals are points (x, y), float64 in tiles.

Source: "AI Game Programming Wisdom", 3.5.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import numpy as np

from ai.core.kernels import kernel
from ai.grid.terrain import Terrain
from ai.paths.argument_checks import same_length
from ai.search.smoothing.straight_walk_kernels import straight_clear, straight_cost

BODY = 0.3
"""Radius of the bodies that paths are made for, tiles: a soldier's."""

LOOK = 0.25
"""Radius of a unit in the line-of-sight test, tiles.

It is slightly smaller, so that a unit beside a wall is not inside it.
"""


@kernel("void(uint8[:,::1], uint8[:,::1], uint8[::1], float64[::1], float64[::1], float64[:,::1], float64, uint8[::1])")
def _straight(
    passable: np.ndarray,
    cost: np.ndarray,
    movement_class: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    goals: np.ndarray,
    radius: float,
    out: np.ndarray,
) -> None:
    for i in range(len(movement_class)):
        gx, gy = goals[i, 0], goals[i, 1]
        out[i] = 0
        if straight_clear(passable, np.int64(1) << np.int64(movement_class[i]), x[i], y[i], gx, gy, radius):
            length = np.sqrt((gx - x[i]) ** 2 + (gy - y[i]) ** 2)
            out[i] = straight_cost(cost, x[i], y[i], gx, gy) <= length * (1.0 + 1e-9)


def straight_paths(
    terrain: Terrain, movement_class: np.ndarray, x: np.ndarray, y: np.ndarray, goals: np.ndarray, radius: float = LOOK
) -> np.ndarray:
    """Return ``bool[n]``: units with a straight path to their goal.

    Units are at (x, y) with a body of ``radius`` tiles; ``goals`` is float64[n, 2] (x, y). On average the ground must
    not cost more than ordinary ground.
    """
    same_length(movement_class=movement_class, x=x, y=y, goals=np.asarray(goals)[:, 0])
    out = np.zeros(len(movement_class), np.uint8)
    _straight(
        terrain.passable,
        terrain.cost,
        np.ascontiguousarray(movement_class, np.uint8),
        np.ascontiguousarray(x, np.float64),
        np.ascontiguousarray(y, np.float64),
        np.ascontiguousarray(goals, np.float64),
        radius,
        out,
    )
    return out.astype(bool)


def line_revolutions(x: np.ndarray, y: np.ndarray, goals: np.ndarray) -> int:
    """Return the revolutions of :func:`straight_paths`: one per 64 tiles crossed.

    Each line counts in full, even if a wall ends it early.
    """
    across = np.abs(np.floor(x) - goals[:, 1]) + np.abs(np.floor(y) - goals[:, 0]) + 1
    return int(across.sum()) >> 6


TECHNIQUES = (
    {
        "slug": "straight-first",
        "name": "Straight line before search",
        "ids": ("AW-3.5-7",),
        "source": "AI Game Programming Wisdom, 3.5",
        "functions": ("straight_paths",),
        "test": "tests/ai/paths/test_stages.py",
        "exhibit": "levels/exhibits/paths/any_angle.straight.toml",
        "overlay": "paths",
        "setting": "paths.straight",
        "measure": "revolutions",
        "direction": "down",
        "claim": "Straight lines only: legs between waypoints and sliding of unseen units are left out.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
