"""Reaction time of a guard by task and stimulus.

Source: "Agent Reaction Time", Game AI Pro 2, ch. 5 (reaction times by task).
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ai.perception.settings import TICKS_PER_SECOND


class Task(IntEnum):
    """Recognition tasks before an action."""

    SIMPLE = 0
    """Every unit that appears is an enemy."""
    RECOGNITION = 1
    """A friend may appear as well."""


VISUAL_SECONDS = {Task.SIMPLE: 0.2, Task.RECOGNITION: 0.4}
AUDITORY_SHARE = 0.16 / 0.19
"""Ratio of reaction times, ears to eyes, from the source's means."""


def reaction_ticks(task: Task, *, heard: bool = False, factor: float = 1.0) -> int:
    """Return the ticks from perceiving to acting, without aiming.

    ``factor`` is above 1 for tired and surprised units. Raises ValueError for a factor below 0.
    """
    if factor < 0:
        raise ValueError(f"the factor of a reaction time must not be negative, got {factor}")
    seconds = VISUAL_SECONDS[task] * (AUDITORY_SHARE if heard else 1.0) * factor
    return int(np.ceil(seconds * TICKS_PER_SECOND - 1e-9))


WEAK = 0.5
"""Extra share of reaction time for a stimulus at the end of the range."""
LAPSE_SECONDS = (0.3, 1.0)
"""Seconds that a lapse of attention adds, least and most."""


def reaction_time(
    task: Task, share_of_range: float, lapse_dice: float = 1.0, lapses: float = 0.0, *, heard: bool = False
) -> int:
    """Return the ticks from identifying an enemy to acting on it.

    Turning towards the enemy belongs to the body and comes on top. ``share_of_range`` is 0 near by .. 1 at the end of
    the eyes' reach: weak stimuli take longer. ``lapse_dice`` is in [0, 1): below ``lapses``, the share of lapses, a
    lapse of attention adds a variable delay.
    """
    seconds = (
        VISUAL_SECONDS[task] * (AUDITORY_SHARE if heard else 1.0) * (1.0 + WEAK * min(max(share_of_range, 0.0), 1.0))
    )
    if lapse_dice < lapses:
        seconds += LAPSE_SECONDS[0] + (LAPSE_SECONDS[1] - LAPSE_SECONDS[0]) * lapse_dice / lapses
    return int(np.ceil(seconds * TICKS_PER_SECOND - 1e-9))


TECHNIQUES = (
    {
        "slug": "reaction-time",
        "name": "Reaction time by task and stimulus",
        "ids": ("GP2-5.1",),
        "source": "Game AI Pro 2, ch. 5",
        "functions": ("reaction_ticks", "reaction_time"),
        "test": "tests/ai/perception/awareness/test_reaction.py",
        "exhibit": "levels/exhibits/senses/detection_timer.reaction.toml",
        "overlay": "minds",
        "setting": "minds.reactions",
        "parts": ("GP2-5.2",),
        "measure": "reacted",
        "direction": "up",
        "claim": (
            "Times of eye and ear as printed; the share for weak stimuli is ours. In the exhibit every reaction is a "
            "lapse of attention; without one it is as long as the fixed delay."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
