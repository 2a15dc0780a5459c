"""Measures of scenes in zones: time in a role, time out of step."""

from __future__ import annotations

import numpy as np

from game.checks.metrics.tally import TICKS_A_SECOND, Tally
from game.world.world import World


def staged(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in a role, the mean of units."""
    cast = {actor.unit for zone in world.scenes.zones for actor in zone.state.cast}
    tally.value += len(cast.intersection(tally.units.tolist())) / max(len(tally.units), 1) / TICKS_A_SECOND


def out_of_step(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in which a cast plays different columns, summed over zones."""
    for zone in world.scenes.zones:
        stages = {(actor.round, actor.column) for actor in zone.state.cast}
        tally.value += (len(stages) > 1) / TICKS_A_SECOND
