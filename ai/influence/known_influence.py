"""Influence map as one side knows it.

The side knows its own units exactly, enemies at their last identified positions, and nothing about the rest.

Source: Ian Millington and John Funge, AI for Games, 6.2.2 (influence under the fog of war: one map per side, ageing
last positions, unseen tiles are unknown and not owned). The linear falloff, the half-life and the doubt are our
additions.

A map is ``float64[H, W]``: positive where the side's own influence is greater. Units outside its knowledge have no
effect on it, bit for bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.influence.falloff_curves import Curve, linear

RADIUS = 10.0
"""Tiles at which a unit's influence falls to zero."""
HALF_LIFE = 200.0
"""Ticks after which the last report of an enemy counts half."""
DOUBT = 0.2
"""Enemy influence of every tile that the side does not see."""


def influence(
    height: int, width: int, units: NDArray[np.float64], radius: float = RADIUS, curve: Curve = linear
) -> NDArray[np.float64]:
    """Return the summed influence of ``units: float64[n, 3]``.

    A row is x, y in tiles and strength. Each influence falls by ``curve`` to zero at ``radius``. Raises ValueError for
    units of another shape or a radius that is not positive.
    """
    if units.ndim != 2 or units.shape[1] != 3:
        raise ValueError(f"units must be float64[n, 3], got {units.shape}")
    if not radius > 0:
        raise ValueError(f"the influence radius must be positive, got {radius}")
    out = np.zeros((height, width))
    for x, y, strength in units.tolist():
        y0, y1 = max(0, int(y - radius)), min(height, int(y + radius) + 1)
        x0, x1 = max(0, int(x - radius)), min(width, int(x + radius) + 1)
        if y0 < y1 and x0 < x1:
            dy, dx = np.arange(y0, y1)[:, None] + 0.5 - y, np.arange(x0, x1)[None, :] + 0.5 - x
            out[y0:y1, x0:x1] += strength * curve(np.hypot(dx, dy), radius)
    return out


def aged(strength: NDArray[np.float64], age: NDArray[np.float64], half_life: float = HALF_LIFE) -> NDArray[np.float64]:
    """Return the strength of enemies whose last report is ``age`` ticks old."""
    return np.asarray(strength * 0.5 ** (np.maximum(age, 0.0) / half_life))


def balance(
    own: NDArray[np.float64],
    enemies: NDArray[np.float64],
    age: NDArray[np.float64],
    visible: NDArray[np.bool_],
    doubt: float = DOUBT,
    curve: Curve = linear,
) -> NDArray[np.float64]:
    """Return a side's map.

    ``own, enemies: float64[n, 3]``; the other arguments are the ages of the reports on the enemies, and the tiles that
    the side sees now.
    """
    height, width = visible.shape
    words = np.array(enemies, np.float64).reshape(-1, 3)
    words[:, 2] = aged(words[:, 2], np.asarray(age, np.float64))

    def spread(units: NDArray[np.float64]) -> NDArray[np.float64]:
        return influence(height, width, units, curve=curve)

    return np.asarray(spread(own) - spread(words) - doubt * ~visible)


TECHNIQUES = (
    {
        "slug": "influence-by-side",
        "name": "Influence from what a side knows",
        "ids": ("AFG6.2.6",),
        "source": "AI for Games, 6.2",
        "functions": ("influence", "aged"),
        "test": "tests/ai/influence/test_known_influence.py",
        "exhibit": "levels/exhibits/stealth/over_the_water.strength.toml",
        "overlay": "influence",
        "setting": "minds.balance",
        "measure": "walked",
        "direction": "up",
        "claim": (
            "Unseen ground counts a little for the enemy; it is not marked unknown. The falloff, the half-life of "
            "old reports and this doubt are ours."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
