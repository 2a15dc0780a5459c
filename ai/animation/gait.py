"""Gait: the phase of a walk cycle, advanced by the cadence of each tick.

A cycle is two steps. The left foot comes down at phase 0 and the right foot at 0.5. Cadence follows a square-root law:
with the speed v and the leg length H, V = v / H and f = 0.743 * sqrt(V) cycles a second. A cycle is therefore
V / f = sqrt(V) / 0.743 leg lengths long. The hips swing by A = 2 * asin(L / 4) with the cycle length L in leg lengths,
so the legs span exactly one step when a foot comes down. A constant cadence would make feet slide. The law holds for
V from 0 to 2.5; beyond that the cycle keeps the length of 2.5, so cadence grows with speed.

A cycle of pure turning covers half a turn, so the cadence is at least w / pi cycles a second with the angular speed w.
The phase of a tick is the sum over all ticks before, so a footfall is in the tick in which that sum passes a half or a
whole. A body that neither moves nor turns does not step.

Columns: float64[n] in tiles (a tile is a metre), radians and cycles; uint8[n] for footfalls. Angles are radians.

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


@device
def cadence_of(speed: float, turning: float, leg: float) -> float:
    """Return cycles a second at tiles/s and radians/s."""
    straight = speed / cycle_length(speed, leg) if speed > 0.0 else 0.0
    return max(straight, abs(turning) / math.pi)


@kernel("void(float64, float64, float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], uint8[::1])")
def advance(
    seconds: float,
    steady: float,
    distance: np.ndarray,
    turned: np.ndarray,
    leg: np.ndarray,
    rate: np.ndarray,
    phase: np.ndarray,
    footfalls: np.ndarray,
) -> None:
    """Advance ``phase`` (0 to 1) by one tick of ``seconds``, and count footfalls.

    ``distance`` is walked and ``turned`` is turned in this tick. ``steady`` above 0 replaces the law by that many
    cycles a second at every speed, for comparison. ``rate`` becomes the cadence in cycles a second. ``footfalls``
    is the number of halves and wholes that the phase reached.
    """
    for i in range(phase.size):
        rate[i] = cadence_of(distance[i] / seconds, turned[i] / seconds, leg[i])
        if steady > 0.0 and distance[i] > 0.0:
            rate[i] = steady
        now = phase[i] + rate[i] * seconds
        footfalls[i] = np.uint8(math.floor(2.0 * now) - math.floor(2.0 * phase[i]))
        phase[i] = now - math.floor(now)


def cadence(speed: float, leg: float, turning: float = 0.0) -> float:
    """Return cycles a second at a speed in tiles/s."""
    return float(cadence_of(speed, turning, leg))


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
        "exhibit": "levels/exhibits/motion/corners.gait.toml",
        "overlay": "body",
        "setting": "rules.cadence_law",
        "measure": "slid",
        "direction": "down",
        "claim": (
            "Of the events of a cycle only the two footfalls are published. All bodies have legs of one length, "
            "and the swing of the hips is in the library only."
        ),
    },
)
