"""From certainty to what a guard does about it, and how long before it does anything.

Sources: Steve Rabin, "Vision Zones and Object Identification Certainty", Game AI Pro 2, ch. 4 (graded reaction to
partial identification, 4.4; detection meter, 4.6) and "Agent Reaction Time", ch. 5 (reaction times by task).  The
marks between the bands are ours.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ai.perception.settings import TICKS_PER_SECOND


class Band(IntEnum):
    """What a certainty is worth; each has a cue of its own that the player can read."""

    IGNORE = 0
    GLANCE = 1
    """Turn the head towards it for about a second."""
    ASK = 2
    """Stop, face it, tell a mate."""
    INVESTIGATE = 3
    """Go and look, weapon ready."""
    ENGAGE = 4


MARKS = (0.15, 0.4, 0.7, 0.95)
"""Certainty from which each band after IGNORE begins."""
SLACK = 0.05
"""A band is left downwards only this much below its mark."""


def band(certainty: float, before: int = Band.IGNORE) -> Band:
    """Band of a certainty 0..1, given the band of the tick before."""
    now = sum(certainty >= mark for mark in MARKS)
    while now < before and certainty >= MARKS[now] - SLACK:
        now += 1
    return Band(now)


class Task(IntEnum):
    """What has to be told apart before acting."""

    SIMPLE = 0
    """Whatever appears is an enemy."""
    RECOGNITION = 1
    """A friend might appear as well."""


VISUAL_SECONDS = {Task.SIMPLE: 0.2, Task.RECOGNITION: 0.4}
AUDITORY_SHARE = 0.16 / 0.19
"""Ears are quicker than eyes by the ratio of the source's means."""


def reaction_ticks(task: Task, *, heard: bool = False, factor: float = 1.0) -> int:
    """Ticks from perceiving to acting, aiming not included; ``factor`` above 1 for the tired and the surprised.

    Raises ValueError for a factor below 0.
    """
    if factor < 0:
        raise ValueError(f"a reaction takes no less than no time: factor {factor}")
    seconds = VISUAL_SECONDS[task] * (AUDITORY_SHARE if heard else 1.0) * factor
    return int(np.ceil(seconds * TICKS_PER_SECOND - 1e-9))


WEAK = 0.5
"""A stimulus at the end of the range takes this share longer to react to than one near by."""
LAPSE_SECONDS = (0.3, 1.0)
"""What a moment of inattention adds, least and most."""


def reaction_time(
    task: Task, share_of_range: float, lapse_dice: float = 1.0, lapses: float = 0.0, *, heard: bool = False
) -> int:
    """Ticks from identifying an enemy to acting on it; turning towards him is the body's affair and comes on top.

    ``share_of_range`` 0 near by .. 1 as far as the eyes reach: weak stimuli take longer.  ``lapse_dice`` in [0, 1):
    below ``lapses``, the share of lapses, a moment of inattention adds a variable delay.
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
        "measure": "none",
        "reason": "The exhibit compares the two runs by eye.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
