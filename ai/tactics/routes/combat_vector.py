"""Combat vector: a rigid cost wedge that makes flank routes swing wide.

Source: Travis McIntosh, Game AI Pro 2, 34.8 and figure 34.9 (flank paths from exposure flicker; the vector runs from
the enemy to the weighted mean of one's own units, and those that fired recently weigh more). The weights, the wedge and
the smoothing are our choice.

The wedge lies before the enemy, on the side of one's own units. Its cost is highest on the line and falls to 0 at its
side. It turns with the vector, and walls do not change it. Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FADE = 60.0
"""Ticks after which a shot weighs a third."""
WIDTH, SPREAD = 4.0, 0.7
"""Half width of the wedge at the enemy, and its growth a tile."""
RANGE = 24.0
"""Tiles from the enemy at which the wedge ends."""
STRENGTH = 6.0
"""Extra cost on the line, in costs of ordinary ground."""
SMOOTHING = 0.1
"""Share of a new vector that enters the smoothed one at each update."""

Vector = tuple[float, float]


def combat_vector(
    enemy: Vector, units: NDArray[np.float64], shots: NDArray[np.float64] | None = None,
    ages: NDArray[np.float64] | None = None,
) -> Vector:  # fmt: skip
    """Return the unit vector from the enemy to the weighted mean of ``units: float64[n, 2]``.

    ``shots`` and ``ages`` count the recent shots of each unit and the ticks since its last. It is (0, 0) without units
    or when they surround the enemy evenly.
    """
    if not len(units):
        return 0.0, 0.0
    weight = np.ones(len(units))
    if shots is not None and ages is not None:
        weight = weight + shots * np.exp(-ages / FADE)
    mean = (units * weight[:, None]).sum(axis=0) / weight.sum()
    dx, dy = float(mean[0] - enemy[0]), float(mean[1] - enemy[1])
    length = math.hypot(dx, dy)
    return (dx / length, dy / length) if length > 1e-9 else (0.0, 0.0)


def smoothed(old: Vector, new: Vector, share: float = SMOOTHING) -> Vector:
    """Return the old vector turned towards the new one.

    An old vector of (0, 0) becomes the new one.
    """
    if old == (0.0, 0.0):
        return new
    dx, dy = old[0] + share * (new[0] - old[0]), old[1] + share * (new[1] - old[1])
    length = math.hypot(dx, dy)
    return (dx / length, dy / length) if length > 1e-9 else old


def wedge(
    shape: tuple[int, int], enemy: Vector, vector: Vector, strength: float = STRENGTH, width: float = WIDTH,
    spread: float = SPREAD, reach: float = RANGE,
) -> NDArray[np.float64]:  # fmt: skip
    """Return the extra cost of each tile, ``float64[H, W]``, in costs of ordinary ground."""
    if vector == (0.0, 0.0):
        return np.zeros(shape)
    rx = np.arange(shape[1])[None, :] + 0.5 - enemy[0]
    ry = np.arange(shape[0])[:, None] + 0.5 - enemy[1]
    along = rx * vector[0] + ry * vector[1]
    beside = np.abs(rx * vector[1] - ry * vector[0])
    cost = strength * np.maximum(0.0, 1.0 - beside / (width + spread * np.maximum(along, 0.0)))
    return np.asarray(np.where((along > 0) & (along <= reach), cost, 0.0))


def side_of_route(tiles: NDArray[np.int32], enemy: Vector) -> int:
    """Return the side on which a route passes the enemy: 1, -1 or 0.

    0 is straight. It is the sign of the area between the route and the straight line from its first tile to the enemy.
    """
    if len(tiles) < 2:
        return 0
    x, y = tiles[:, 1] + 0.5, tiles[:, 0] + 0.5
    ax, ay = float(x[0]), float(y[0])
    across = (enemy[0] - ax) * (y - ay) - (enemy[1] - ay) * (x - ax)
    total = float(across.sum())
    return 0 if abs(total) < 1e-9 else (1 if total > 0 else -1)


def best_flanker(costs: Sequence[float]) -> int:
    """Return the row of the first cheapest flank route, or -1."""
    rows = [k for k, cost in enumerate(costs) if math.isfinite(cost)]
    return min(rows, key=lambda k: (costs[k], k)) if rows else -1


TECHNIQUES = (
    {
        "slug": "combat-vector",
        "name": "Flank routes by the combat vector",
        "ids": ("GP2-34.18",),
        "source": "Game AI Pro 2, 34.8",
        "functions": ("combat_vector", "wedge", "side_of_route"),
        "test": "tests/ai/tactics/routes/test_combat_vector.py",
        "exhibit": "levels/exhibits/tactics/field.vector.toml",
        "overlay": "flank_zone",
        "setting": "tactics.flank",
        "measure": "statistic",
        "direction": "down",
        "claim": (
            "A law of routes that an order names; squads flank by a plan of their own. No cheapest flanker is "
            "chosen, and a shot is counted once. Weights, wedge and smoothing are ours."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
