"""Control map: owner, degree and security of each tile, and weak borders.

Source: Ian Millington and John Funge, AI for Games, 6.2.2 (simple influence maps, limited radius of effect,
applications). Sources are ``float64[n, 3]`` of x, y in tiles and strength; maps are ``float64[sides, H, W]``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NOBODY = -1
DROPS = ("reciprocal", "root", "square")
"""Laws of fading with the distance d in tiles.

They divide the strength by 1 + d, by its root, or by its square.
"""


def power_of(drop: str) -> float:
    """Return the power of 1 + d by which a law divides."""
    powers = {"reciprocal": 1.0, "root": 0.5, "square": 2.0}
    if drop not in powers:
        raise ValueError(f"a drop is one of {', '.join(DROPS)}, not {drop!r}")
    return powers[drop]


def faded(strength: float, distance: NDArray[np.float64], drop: str = "reciprocal") -> NDArray[np.float64]:
    """Return the influence at ``distance`` tiles from a source."""
    return np.asarray(strength / (1.0 + distance) ** power_of(drop))


def radius_of_effect(strength: float, threshold: float, drop: str = "reciprocal") -> float:
    """Return the distance in tiles at which the influence falls to ``threshold``."""
    if not threshold > 0:
        raise ValueError(f"the threshold must be positive, got {threshold}")
    return float(max(strength / threshold, 1.0) ** (1.0 / power_of(drop)) - 1.0)


def side_influence(
    height: int, width: int, sources: NDArray[np.float64], drop: str = "reciprocal", threshold: float = 0.0
) -> NDArray[np.float64]:
    """Return the summed influence of one side; below ``threshold`` a source counts as 0."""
    out = np.zeros((height, width))
    for x, y, strength in sources.tolist():
        reach = radius_of_effect(strength, threshold, drop) if threshold > 0 else float(height + width)
        y0, y1 = max(0, int(y - reach)), min(height, int(y + reach) + 1)
        x0, x1 = max(0, int(x - reach)), min(width, int(x + reach) + 1)
        if y0 >= y1 or x0 >= x1:
            continue
        distance = np.hypot(np.arange(x0, x1)[None, :] + 0.5 - x, np.arange(y0, y1)[:, None] + 0.5 - y)
        out[y0:y1, x0:x1] += np.where(distance <= reach, faded(strength, distance, drop), 0.0)
    return out


@dataclass
class Control:
    """Owner, degree and security of each tile."""

    owner: NDArray[np.int64]
    degree: NDArray[np.float64]
    security: NDArray[np.float64]


def control(influences: NDArray[np.float64], neutral: float = 0.0) -> Control:
    """Return the holder of each tile of ``influences: float64[sides, H, W]``.

    A tile whose strongest influence is not above ``neutral``, or is shared by two sides, belongs to nobody.
    """
    if influences.ndim != 3 or not len(influences):
        raise ValueError(f"influences must be float64[sides, H, W], got {influences.shape}")
    best = influences.max(axis=0)
    ordered = np.sort(influences, axis=0)
    second = ordered[-2] if len(influences) > 1 else np.zeros_like(best)
    security = best - second
    owner = np.where((best > neutral) & (security > 0), influences.argmax(axis=0), NOBODY)
    return Control(owner, best, security)


def border_of(owner: NDArray[np.int64], own: int, enemy: int) -> NDArray[np.bool_]:
    """Return the tiles of ``enemy`` with a straight neighbour of ``own``."""
    mine = np.pad(owner == own, 1)
    touched = mine[:-2, 1:-1] | mine[2:, 1:-1] | mine[1:-1, :-2] | mine[1:-1, 2:]
    return np.asarray((owner == enemy) & touched)


def weakest_border(held: Control, own: int, enemy: int) -> tuple[int, int] | None:
    """Return the tile (y, x) of the enemy's border with the least security.

    Without a border it returns None. Among equal ones the first in reading order is chosen.
    """
    border = border_of(held.owner, own, enemy)
    if not border.any():
        return None
    y, x = np.unravel_index(np.argmin(np.where(border, held.security, np.inf)), border.shape)
    return int(y), int(x)


TECHNIQUES = (
    {
        "slug": "control-map",
        "name": "Control, security and weak borders",
        "ids": ("AFG6.2.2", "AFG6.2.3", "AFG6.2.5"),
        "source": "AI for Games, 6.2.2",
        "functions": ("control", "radius_of_effect", "weakest_border"),
        "test": "tests/ai/influence/test_control_map.py",
        "exhibit": "levels/exhibits/influence/front.border.toml",
        "overlay": "layer_control",
        "setting": "tactics.weakest",
        "measure": "exposed",
        "direction": "down",
        "claim": (
            "The game takes owners and security from layers of the pipeline, and the weakest tile of a border. "
            "Weak chains are left out; the curves' sums and the radius of effect are in the library only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
