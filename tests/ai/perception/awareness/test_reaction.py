"""Reaction times: the source's figures, and the directions of everything that changes them."""

from __future__ import annotations

import numpy as np
import pytest

from ai.perception.awareness.reaction import LAPSE_SECONDS, Task, reaction_ticks, reaction_time


def test_the_sources_figures_near_by() -> None:
    """Reaction times are 0.2 s among enemies and 0.4 s with friends.

    They are 0.2 s when every unit is an enemy, and 0.4 s when friends may appear.

    Ears are faster than eyes.
    """
    assert reaction_time(Task.SIMPLE, 0.0) == 4
    assert reaction_time(Task.RECOGNITION, 0.0) == 8
    # 0.16 s against 0.19 s make 3.4 and 6.7 ticks.
    assert [reaction_ticks(t, heard=h) for t in Task for h in (False, True)] == [4, 4, 8, 7]
    assert [reaction_ticks(Task.SIMPLE, factor=f) for f in (0.0, 0.5, 2.0)] == [0, 2, 8]
    with pytest.raises(ValueError, match="must not be negative"):
        reaction_ticks(Task.SIMPLE, factor=-0.1)
    for task in Task:
        assert reaction_ticks(task, heard=True) <= reaction_ticks(task)
        assert reaction_time(task, 0.5, heard=True) <= reaction_time(task, 0.5)


def test_far_stimuli_and_lapses_only_ever_delay() -> None:
    for task in Task:
        by_distance = [reaction_time(task, share) for share in np.linspace(0, 1, 11)]
        assert by_distance == sorted(by_distance) and by_distance[-1] > by_distance[0]
        plain = reaction_time(task, 0.3)
        for dice in np.linspace(0, 0.999, 40):
            late = reaction_time(task, 0.3, float(dice), 0.25) - plain
            assert (late > 0) == (dice < 0.25)
            assert late <= LAPSE_SECONDS[1] * 20 + 1


def test_the_share_of_lapses_is_the_configured_one() -> None:
    dice = np.random.default_rng(0).random(4000)
    late = [reaction_time(Task.SIMPLE, 0.0, float(d), 0.05) > 4 for d in dice]
    assert abs(np.mean(late) - 0.05) < 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_reaction_times_worked_by_hand() -> None:
    """At the end of the range a reaction is half as long again.

    A lapse adds 0.3 to 1 second.

    Times are rounded up to ticks of 0.05 s.
    """
    by_hand = {
        (Task.SIMPLE, 1.0): 6,  # 0.3 s
        (Task.SIMPLE, 0.5): 5,  # 0.25 s
        (Task.RECOGNITION, 1.0): 12,  # 0.6 s
        (Task.RECOGNITION, 0.25): 9,  # 0.45 s
        (Task.RECOGNITION, 0.3): 10,  # 0.46 s
        (Task.RECOGNITION, -3.0): 8,
        (Task.RECOGNITION, 7.0): 12,
    }
    for (task, share), ticks in by_hand.items():
        assert reaction_time(task, share) == ticks
    assert reaction_time(Task.RECOGNITION, 1.0, heard=True) == 11  # 0.505 s
    lapses = {0.0: 10, 0.0625: 14, 0.125: 17, 0.2: 22}  # 0.2 s and 0.3, 0.475, 0.65, 0.86 s
    for dice, ticks in lapses.items():
        assert reaction_time(Task.SIMPLE, 0.0, dice, 0.25) == ticks
    assert reaction_time(Task.SIMPLE, 0.0, 0.25, 0.25) == 4, "the share of lapses ends below its number"
    assert reaction_time(Task.SIMPLE, 0.0, 0.0, 0.0) == 4
