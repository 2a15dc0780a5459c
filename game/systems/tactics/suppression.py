"""Suppression: shots at a unit and beside it spoil its aim for a while.

The idea is that of covering fire in William van der Sterren, AI Game Programming Wisdom, 5.4; a suppressed shooter is
one factor of the chance to hit, as in Paul Tozour, ibidem, 8.4 (state of the shooter). The numbers are ours. The column
``suppressed`` is a share, 0 calm to 1 wholly suppressed.
"""

from __future__ import annotations

import numpy as np

from game.world.world import World

AT_IT, NEAR_IT = 0.35, 0.15
"""Share that a shot adds to its target, and to comrades near it."""
NEAR = 1.6
"""Tiles from the target within which comrades are suppressed as well."""
KEPT = 0.98
"""Share that remains after a tick: half of it is gone after 34 ticks."""
LEAST = 0.01


def calm_down(world: World) -> None:
    """Let the suppression of all units fade by one tick."""
    u, n = world.units, world.units.count
    column = u.suppressed[:n]
    if column.any():
        column *= KEPT
        column[column < LEAST] = 0.0


def suppress(world: World, victim: int) -> None:
    """Add the effect of one shot at a living unit, hit or missed."""
    u, n = world.units, world.units.count
    slot = u.slot(victim)
    near = np.hypot(u.x[:n] - u.x[slot], u.y[:n] - u.y[slot]) <= NEAR
    near &= (u.side[:n] == u.side[slot]) & (u.alive[:n] == 1)
    u.suppressed[:n][near] += NEAR_IT
    u.suppressed[slot] += AT_IT - NEAR_IT
    np.minimum(u.suppressed[:n], 1.0, out=u.suppressed[:n])
