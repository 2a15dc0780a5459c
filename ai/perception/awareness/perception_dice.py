"""Perception by dice: each look identifies its target fully, or not at all.

Source: Paul Tozour, "First-Person Shooter AI Architecture", AI Game Programming Wisdom, 8.1 (the chance as a product of
factors). For an exhibit only: in the shipped game no unit is identified by chance.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.core.rand import Stream, uniform
from ai.core.scheduling.periods import is_due

LOOK_TICKS = 10
"""Ticks between two rolls of a watcher."""


def chance_of_notice(dx: float, dy: float, head: float, reach: float, half_angle: float, light: float) -> float:
    """Return the chance that one look notices a target in clear view.

    It is the product of three factors 0..1: the distance, the angle off the gaze and the light on the target.
    """
    distance = math.hypot(dx, dy)
    off = abs(math.remainder(math.atan2(dy, dx) - head, math.tau)) if distance else 0.0
    near = max(0.0, 1.0 - distance / reach) if reach > 0 else 0.0
    return near * max(0.0, 1.0 - 0.5 * off / half_angle) * light


def roll(
    seed: int,
    tick: int,
    ids: NDArray[np.int32],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    head: NDArray[np.float64],
    reach: NDArray[np.float64],
    half_angle: NDArray[np.float64],
    light: NDArray[np.uint8],
    best: NDArray[np.int32],
    seconds: NDArray[np.float64],
) -> None:
    """Write 0 or infinite ``seconds`` for every watcher with a target in view.

    ``best`` is a slot, -1 none. Columns have one row per slot, in the units of ``ai.perception.awareness.vision``;
    ``light: uint8[H, W]``.
    """
    for i in np.flatnonzero(best >= 0).tolist():
        j = int(best[i])
        found = False
        if is_due(tick, LOOK_TICKS, -int(ids[i])):
            lit = float(light[int(y[j]), int(x[j])]) / 255.0
            chance = chance_of_notice(
                float(x[j] - x[i]), float(y[j] - y[i]), float(head[i]), float(reach[i]), float(half_angle[i]), lit
            )
            found = uniform(seed, Stream.PERCEPTION, tick, int(ids[i])) < chance
        seconds[i] = 0.0 if found else np.inf


TECHNIQUES = (
    {
        "slug": "sneaker-perception",
        "name": "Perception by dice (exhibit only)",
        "ids": ("AW-8.1-5",),
        "source": "AI Game Programming Wisdom, 8.1",
        "functions": ("chance_of_notice", "roll"),
        "test": "tests/ai/perception/awareness/test_chance.py",
        "exhibit": "levels/exhibits/senses/sixteen_watchers.toml",
        "overlay": "detection",
        "setting": "vision.meter",
        "measure": "sighting_spread",
        "direction": "up",
        "claim": "Sight only, for an exhibit: hearing, touch and the four levels of alert are not by dice here.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
