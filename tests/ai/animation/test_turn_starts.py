"""Start clips against the source's example and a search over whole degrees."""

import math

import numpy as np
import pytest

from ai.animation.turn_starts import THREE_CLIPS, start_clips, start_of, turn_of_frame, turned_after


def test_the_example_of_the_source() -> None:
    """Turn 155 degrees left: the clip of 120 lacks 35 in 6 frames."""
    clip, missing = start_clips(np.radians([-155.0]))
    assert math.degrees(THREE_CLIPS[clip[0]]) == pytest.approx(-120.0)
    assert math.degrees(missing[0]) == pytest.approx(-35.0)
    each = np.diff(turned_after(np.arange(7.0), np.full(7, 6.0), np.zeros(7), np.full(7, missing[0])))
    assert np.degrees(each) == pytest.approx(-5.833, abs=1e-3)


@pytest.mark.parametrize("angles", [(0, 120, -120), (0, 60, -60, 120, -120)])
def test_every_whole_degree_ends_where_it_should_by_the_nearest_clip(angles: tuple[int, ...]) -> None:
    """Compare with distances round the circle in whole degrees."""
    wanted = np.arange(-179, 181)
    clip, missing = start_clips(np.radians(wanted), np.radians(angles))
    last = turned_after(np.full(360, 6.0), np.full(360, 6.0), np.radians(angles)[clip], missing)
    assert np.abs((np.degrees(last) - wanted + 180) % 360 - 180).max() < 1e-6
    for turn, chosen, lacks in zip(wanted.tolist(), clip.tolist(), np.degrees(missing), strict=True):
        apart = [min((turn - a) % 360, (a - turn) % 360) for a in angles]
        assert chosen == apart.index(min(apart)) and abs(lacks) == pytest.approx(min(apart))
    assert np.degrees(np.abs(missing)).max() == pytest.approx(60.0)
    if len(angles) == 5:
        ahead = np.abs(wanted) <= 120
        assert np.degrees(np.abs(missing))[ahead].max() == pytest.approx(30.0)


def test_one_turn_takes_the_same_clip_and_the_same_steps_as_many() -> None:
    """Oracle: the function over arrays."""
    wanted = np.arange(-179.0, 181.0)
    clip, _ = start_clips(np.radians(wanted))
    assert [start_of(math.radians(degrees)) for degrees in wanted] == clip.tolist()
    angle, steps = 0.0, []
    for frame in range(6):
        steps.append(turn_of_frame(math.radians(155.0) - angle, 6 - frame))
        angle += steps[-1]
    whole = turned_after(np.arange(7.0), np.full(7, 6.0), np.zeros(7), np.full(7, math.radians(155.0)))
    assert np.allclose(steps, np.diff(whole))
