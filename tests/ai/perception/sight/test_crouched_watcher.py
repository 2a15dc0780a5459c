"""A watcher crouched behind low cover sees over it where it is seen."""

from __future__ import annotations

import numpy as np
import pytest

from ai.perception.awareness.eye_kernels import shown
from ai.perception.settings import VisionSettings
from ai.perception.sight.wall_heights import LOW_WALL

NUMBERS = VisionSettings().numbers()


def sees(low: np.ndarray, watcher: tuple[float, float], target: tuple[float, float], stances: tuple[int, int]) -> bool:
    """Return whether a relaxed watcher has a target's eight points over the low walls."""
    return bool(shown(low, *watcher, *target, stances[1], 0, 8, NUMBERS, stances[0]))


@pytest.mark.parametrize("seed", range(8))
def test_what_hides_a_crouched_unit_from_a_standing_one_hides_both(seed: int) -> None:
    """Oracle: the answer with the roles exchanged, for random low walls and places."""
    dice = np.random.default_rng(seed)
    low = (dice.random((12, 12)) < 0.2).astype(np.uint8) * LOW_WALL
    hidden = 0
    for _ in range(200):
        a, b = (tuple(float(v) + 0.5 for v in dice.integers(0, 12, 2)) for _ in range(2))
        for stance in (1, 2):
            seen = sees(low, a, b, (0, stance))
            assert sees(low, b, a, (stance, 0)) == seen
            hidden += not seen
    assert hidden > 20


def test_standing_watchers_look_over_low_walls() -> None:
    low = np.zeros((3, 9), np.uint8)
    low[1, 4] = LOW_WALL
    assert sees(low, (1.5, 1.5), (7.5, 1.5), (0, 0))
    assert not sees(low, (3.5, 1.5), (7.5, 1.5), (1, 0))
