"""Measures of acts: how early an act shows."""

from __future__ import annotations

import numpy as np

from game.checks.metrics.tally import TICKS_A_SECOND, Tally
from game.world.world import World

EFFECTS = {"thrown": "throw", "taken_down": "take down"}
"""Event of an effect, and the act that its tell names."""


def warned(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Mean seconds from the tell of an act to its effect, or 0.

    The doer of a takedown is the event's other unit.
    """
    mine, told = set(tally.units.tolist()), dict(tally.memory or {})
    for event in world.events:
        doer = event.other if event.kind == "taken_down" else event.unit
        if event.kind == "tell" and event.unit in mine:
            told[event.unit, event.text] = world.tick
        elif event.kind in EFFECTS and doer in mine:
            begun = told.pop((doer, EFFECTS[event.kind]), world.tick)
            tally.mean_in((world.tick - begun) / TICKS_A_SECOND)
    tally.memory = told
