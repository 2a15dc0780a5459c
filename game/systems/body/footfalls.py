"""Footfalls: gait phase and steps of every unit, by the cadence law.

A footfall is a step that can be heard: :func:`game.systems.noise.step_noise` reads the column.
"""

from __future__ import annotations

import numpy as np

from ai.animation.gait import advance, cadence
from ai.core.kernels import kernel
from game.world.world import World

TICK = 0.05
"""Seconds a tick."""
WALK = 1.5
"""Speed in tiles/s that sets the cadence when the law is off."""


@kernel(
    "void(uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1])"
)
def motion_of_tick(
    alive: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    prev_x: np.ndarray,
    prev_y: np.ndarray,
    facing: np.ndarray,
    prev_facing: np.ndarray,
    distance: np.ndarray,
    turned: np.ndarray,
) -> None:
    """Compute the tiles walked and the radians turned since the last tick.

    A dead body does not step.
    """
    for i in range(x.size):
        distance[i] = turned[i] = 0.0
        if alive[i] == 1:
            distance[i] = np.hypot(x[i] - prev_x[i], y[i] - prev_y[i])
            turn = facing[i] - prev_facing[i]
            turned[i] = turn - 2.0 * np.pi * np.floor((turn + np.pi) / (2.0 * np.pi))


def advance_gaits(world: World) -> None:
    """Advance the phase of each gait and mark the footfalls of this tick."""
    u, n, rules = world.units, world.units.count, world.settings.rules
    distance, turned = np.empty(n), np.empty(n)
    motion_of_tick(
        u.alive[:n], u.x[:n], u.y[:n], u.prev_x[:n], u.prev_y[:n], u.facing[:n], u.prev_facing[:n], distance, turned
    )
    legs = np.full(n, rules.leg)
    steady = 0.0 if rules.cadence_law else cadence(WALK, rules.leg)
    advance(TICK, steady, distance, turned, legs, u.cadence[:n], u.gait[:n], u.footfall[:n])
