"""Influence as one side knows it: its own units for certain, enemies where they were last made out, the rest unknown.

Source: Ian Millington and John Funge, AI for Games, 6.2.2 (influence under the fog of war: one map a side, ghosts that
age, what is unseen is unknown and not owned).  The linear falloff, the half-life and the doubt are ours.

A map is ``float64[H, W]``: positive where the side's own influence is greater.  Units outside its knowledge have no
effect on it, bit for bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.influence.falloff_curves import Curve, linear

RADIUS = 10.0
"""Tiles at which a unit's influence has fallen to nothing."""
HALF_LIFE = 200.0
"""Ticks after which word of an enemy is worth half."""
DOUBT = 0.2
"""What every tile that the side does not see counts for the enemy."""


def influence(
    height: int, width: int, units: NDArray[np.float64], radius: float = RADIUS, curve: Curve = linear
) -> NDArray[np.float64]:
    """Sum over ``units: float64[n, 3]`` of x, y in tiles and strength, each falling by ``curve`` to 0 at ``radius``.

    Raises ValueError for units of another shape or a radius that is not positive.
    """
    if units.ndim != 2 or units.shape[1] != 3:
        raise ValueError(f"units must be float64[n, 3], got {units.shape}")
    if not radius > 0:
        raise ValueError(f"influence reaches some way, not {radius}")
    out = np.zeros((height, width))
    for x, y, strength in units.tolist():
        y0, y1 = max(0, int(y - radius)), min(height, int(y + radius) + 1)
        x0, x1 = max(0, int(x - radius)), min(width, int(x + radius) + 1)
        if y0 < y1 and x0 < x1:
            dy, dx = np.arange(y0, y1)[:, None] + 0.5 - y, np.arange(x0, x1)[None, :] + 0.5 - x
            out[y0:y1, x0:x1] += strength * curve(np.hypot(dx, dy), radius)
    return out


def aged(strength: NDArray[np.float64], age: NDArray[np.float64], half_life: float = HALF_LIFE) -> NDArray[np.float64]:
    """Strength of enemies of whom the last word is ``age`` ticks old."""
    return np.asarray(strength * 0.5 ** (np.maximum(age, 0.0) / half_life))


def balance(
    own: NDArray[np.float64],
    enemies: NDArray[np.float64],
    age: NDArray[np.float64],
    visible: NDArray[np.bool_],
    doubt: float = DOUBT,
    curve: Curve = linear,
) -> NDArray[np.float64]:
    """A side's map: ``own, enemies: float64[n, 3]``, ages of the words about the enemies, and what it sees now."""
    height, width = visible.shape
    words = np.array(enemies, np.float64).reshape(-1, 3)
    words[:, 2] = aged(words[:, 2], np.asarray(age, np.float64))

    def spread(units: NDArray[np.float64]) -> NDArray[np.float64]:
        return influence(height, width, units, curve=curve)

    return np.asarray(spread(own) - spread(words) - doubt * ~visible)


TECHNIQUES = (
    {
        "slug": "influence-by-side",
        "name": "Influence as a side knows it",
        "ids": ("AFG6.2.6",),
        "source": "AI for Games, 6.2",
        "functions": ("influence", "aged"),
        "test": "tests/ai/influence/test_known_influence.py",
        "exhibit": "levels/exhibits/stealth/over_the_water.strength.toml",
        "overlay": "influence",
        "setting": "minds.balance",
        "measure": "walked",
        "direction": "up",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
