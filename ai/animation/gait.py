"""Gait: the phase of a walk cycle, advanced by the distance walked.

A cycle is two steps. The left foot comes down at phase 0 and the right foot at 0.5. Cadence follows a square-root law:
with the speed v and the leg length H, V = v / H and f = 0.743 * sqrt(V) cycles a second. A cycle is therefore
V / f = sqrt(V) / 0.743 leg lengths long. The hips swing by A = 2 * asin(L / 4) with the cycle length L in leg lengths,
so the legs span exactly one step when a foot comes down. A constant cadence would make feet slide. The law holds for
V from 0 to 2.5; beyond that the cycle keeps the length of 2.5, so cadence grows with speed.

The phase grows by the distance walked over the length of the cycle. At constant speed that is cadence times time, and a
unit that is held up does not step on the spot.

Columns: float64[n] in tiles (a tile is a metre), tiles/s and cycles; uint8[n] for footfalls. Angles are radians.

Source: "Journal of Game Development 1", "Versatile Walk Engine" (phase, cadence law, coherent steps).
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel

CADENCE = 0.743
"""Cycles a second at a speed of one leg length a second."""
FASTEST = 2.5
"""Leg lengths a second up to which the square-root law holds."""


@device
def cycle_length(speed: float, leg: float) -> float:
    """Return the length of two steps in tiles at a speed in tiles/s."""
    return leg * math.sqrt(min(speed / leg, FASTEST)) / CADENCE


@kernel("void(float64[::1], float64[::1], float64[::1], float64[::1], uint8[::1])", group="lab")
def advance(distance: np.ndarray, speed: np.ndarray, leg: np.ndarray, phase: np.ndarray, footfalls: np.ndarray) -> None:
    """Advance ``phase`` (0 to 1) by the distance walked, and count footfalls.

    ``footfalls`` is the number of halves and wholes that the phase reached.
    """
    for i in range(phase.size):
        footfalls[i] = 0
        if distance[i] > 0.0 and speed[i] > 0.0:
            now = phase[i] + distance[i] / cycle_length(speed[i], leg[i])
            footfalls[i] = np.uint8(math.floor(2.0 * now) - math.floor(2.0 * phase[i]))
            phase[i] = now - math.floor(now)


def cadence(speed: float, leg: float) -> float:
    """Return cycles a second at a speed in tiles/s."""
    return speed / float(cycle_length(speed, leg)) if speed > 0.0 else 0.0


def hip_swing(speed: float, leg: float) -> float:
    """Return the angle in radians through which the legs swing."""
    return 2.0 * math.asin(float(cycle_length(speed, leg)) / leg / 4.0)


TECHNIQUES = (
    {
        "slug": "gait",
        "name": "Gait by the cadence law",
        "ids": ("JOGD-2.1", "JOGD-2.2", "JOGD-2.3"),
        "source": "Journal of Game Development 1, Versatile Walk Engine",
        "functions": ("cycle_length", "advance"),
        "test": "tests/ai/animation/test_gait.py",
        "reason": "no exhibit yet",
        "claim": "In the library only: the body counts steps of one length. Only footfalls are events, and no exhibit.",
    },
)
