"""Measures of feet: the drift of planted feet, and their reach."""

from __future__ import annotations

import numpy as np

from ai.animation.walking.planted_feet import LEFT_DOWN, ROWS, plant_feet, stand_feet
from game.checks.metrics.tally import TICKS_A_SECOND, Tally
from game.world.world import World

_GOES = 0.05
"""Speed in tiles/s from which a unit walks."""
_SUMS = 2
"""Rows of a tally of feet beside their state."""


def drift(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the drift of planted feet in percent of a step, the units' mean.

    A body walks the length of a step in the time of a step, so the drift of a step is what both feet slid, over the way
    that the body walked.
    """
    old, new, way, sums = _step_on(tally, world, slots)
    goes = way * TICKS_A_SECOND > _GOES
    for foot in (0, 1):
        stood = (old[LEFT_DOWN + foot] > 0.0) & (new[LEFT_DOWN + foot] > 0.0) & goes
        rows = slice(2 * foot, 2 * foot + 2)
        sums[0] += np.where(stood, np.hypot(*(new[rows] - old[rows])), 0.0)
    sums[1] += np.where(goes, way, 0.0)
    walked_on = sums[1] > 0.0
    if walked_on.any():
        tally.value = float(100.0 * (sums[0][walked_on] / sums[1][walked_on]).mean())
    tally.before = np.vstack([new, sums])
    tally.done = tally.at_rest(world, slots)


def reach(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the largest distance of a planted foot, percent of a leg.

    It is the mean of units.
    """
    _, new, _, sums = _step_on(tally, world, slots)
    u = world.units
    for foot in (0, 1):
        far = np.hypot(new[2 * foot] - u.x[slots], new[2 * foot + 1] - u.y[slots])
        sums[0] = np.maximum(sums[0], np.where(new[LEFT_DOWN + foot] > 0.0, far, 0.0))
    tally.value = float(100.0 * sums[0].mean() / world.settings.rules.leg)
    tally.before = np.vstack([new, sums])
    tally.done = tally.at_rest(world, slots)


def _step_on(tally: Tally, world: World, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the feet before and after a tick, ways in tiles, and sums."""
    u = world.units
    dx, dy = u.x[slots] - u.prev_x[slots], u.y[slots] - u.prev_y[slots]
    legs = np.full(len(slots), world.settings.rules.leg)
    if tally.before is None:
        state = stand_feet(u.prev_x[slots], u.prev_y[slots], u.facing[slots], u.gait[slots], legs)
        tally.before = np.vstack([state, np.zeros((_SUMS, len(slots)))])
    old, sums = tally.before[:ROWS], tally.before[ROWS:].copy()
    body = u.x[slots], u.y[slots], dx * TICKS_A_SECOND, dy * TICKS_A_SECOND
    new = plant_feet(old, body, u.gait[slots], legs, world.settings.figures.planted_feet)
    return old, new, np.hypot(dx, dy), sums
