"""Start clips against the source's example and a search over whole degrees."""

import math

import numpy as np
import pytest

from ai.animation.turn_starts import THREE_CLIPS, start_clips, turned_after


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
