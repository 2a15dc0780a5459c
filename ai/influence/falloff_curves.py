"""Falloff curves: how influence fades with the distance from its owner.

A curve maps distances in tiles and the reach in tiles to shares of the full strength, 0 at the reach and beyond.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Curve = Callable[[NDArray[np.float64], float], NDArray[np.float64]]


def linear(distance: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return 1 - d / reach: nearness."""
    return np.asarray(np.maximum(0.0, 1.0 - distance / reach))


CURVES: dict[str, Curve] = {"linear": linear}
"""Curves by the name that the setting takes."""
