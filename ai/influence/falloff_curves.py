"""Falloff curves: how influence fades with the distance from its owner.

The curve says what the influence means: nearness (linear), a threat that stays nearly whole until the edge of its
reach (quartic), or a weapon with a minimum range (ring).  A curve maps distances in tiles and the reach in tiles to
shares of the full strength, 0 at the reach and beyond.

Source: Dave Mark, Game AI Pro 2, chapter 30 (modular tactical influence maps), equations 30.1 to 30.3.  The peak and
the width of the ring, as shares of the reach, are ours.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Curve = Callable[[NDArray[np.float64], float], NDArray[np.float64]]


def linear(distance: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return 1 - d / reach: nearness."""
    return np.asarray(np.maximum(0.0, 1.0 - distance / reach))


def quadratic(distance: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return 1 - (d / reach)^2."""
    return np.asarray(np.maximum(0.0, 1.0 - (distance / reach) ** 2))


def quartic(distance: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return 1 - (d / reach)^4: the usual choice for a threat."""
    return np.asarray(np.maximum(0.0, 1.0 - (distance / reach) ** 4))


def ring(distance: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return ``1 - |d - peak| / width``.

    It is zero at the owner, full at the peak, and zero at the reach.
    """
    peak = RING_PEAK * reach
    return np.asarray(np.maximum(0.0, 1.0 - np.abs(distance - peak) / (reach - peak)))


RING_PEAK = 0.7
"""Distance of the ring's peak, as a share of the reach."""

CURVES: dict[str, Curve] = {"linear": linear, "quadratic": quadratic, "quartic": quartic, "ring": ring}
"""Curves by the name that the setting takes."""


TECHNIQUES = (
    {
        "slug": "falloff-curves",
        "name": "Falloff curves of influence",
        "ids": ("GP2-30.2",),
        "source": "Game AI Pro 2, 30.3",
        "functions": ("linear", "quadratic", "quartic", "ring"),
        "test": "tests/ai/influence/test_falloff_curves.py",
        "exhibit": "levels/exhibits/stealth/over_the_water.falloff.toml",
        "overlay": "influence",
        "setting": "minds.falloff",
        "measure": "walked",
        "direction": "up",
        "claim": "A radial profile at the cursor is not drawn: the overlay shows the field and its value.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
