"""Speed ranges against a scan of all ranges; phase matching against played clips."""

import math

import numpy as np
import pytest

from ai.animation.speed_ranges import Gaits, gaits_at, matched_time, overlap_weight

GAITS = Gaits(np.array([0.0, 1.9, 3.4]), np.array([2.1, 3.6, 6.0]), np.array([1.5, 2.8, 4.5]))


def test_one_gait_plays_alone_outside_overlaps_and_no_foot_slides() -> None:
    """Scan all ranges for each speed; feet move by stride times rate."""
    for speed in np.linspace(0.0, 6.0, 601):
        gait, weight, rates = gaits_at(np.array([speed]), GAITS)
        fits = [g for g in range(3) if GAITS.low[g] <= speed <= GAITS.high[g]]
        assert gait[0] == fits[0]
        if len(fits) == 1:
            assert weight[0] == 0.0
            stride = GAITS.reference[fits[0]]  # of one second at rate 1
            assert stride * rates[0, 0] == pytest.approx(speed)
        else:
            low, high = GAITS.low[fits[1]], GAITS.high[fits[0]]
            assert weight[0] == pytest.approx((speed - low) / (high - low))
            assert rates[0].tolist() == pytest.approx([speed / GAITS.reference[g] for g in fits])


def test_weight_and_rate_are_continuous_and_a_fast_unit_keeps_the_last_gait() -> None:
    speeds = np.linspace(0.0, 6.0, 6001)
    gait, weight, _ = gaits_at(speeds, GAITS)
    assert np.abs(np.diff(gait + weight)).max() < 0.006
    assert gaits_at(np.array([9.0]), GAITS)[0][0] == 2
    assert ((weight > 0) & (weight < 1)).mean() < 0.1, "overlaps are passed quickly"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [((0, 2, 3), (1, 3, 4), "gap"), ((0, 1, 2), (3, 4, 5), "three"), ((0, 3, 4), (3, 4, 5), "outside")],
)
def test_bad_ranges_are_refused(low: tuple[int, ...], high: tuple[int, ...], said: str) -> None:
    reference = np.array(low) + (0.5 if said != "outside" else -1.0)
    with pytest.raises(ValueError, match=said):
        Gaits(np.array(low, float), np.array(high, float), reference)


def test_one_weight_is_that_of_the_ranges() -> None:
    """Oracle: two gaits over arrays."""
    gaits = Gaits(np.array([0.0, 2.2]), np.array([2.8, 9.0]), np.array([1.5, 4.0]))
    speeds = np.linspace(0.0, 8.0, 81)
    gait, weight, _ = gaits_at(speeds, gaits)
    assert [overlap_weight(v, 2.2, 2.8) for v in speeds.tolist()] == pytest.approx(np.where(gait == 1, 1.0, weight))


def test_no_foot_flips_between_ground_and_air_at_a_matched_switch() -> None:
    """Switch to a clip whose right foot comes down late in time."""
    times = np.linspace(0.0, 1.0, 33)
    phases = times**1.6

    def left_down(phase: float) -> bool:
        return phase % 1.0 < 0.5

    for phase in np.arange(0.005, 1.0, 0.01):
        share = float(matched_time(np.array([phase]), phases, np.array([True]))[0])
        assert share**1.6 == pytest.approx(phase, abs=0.5 / 32)
        if min(abs(phase - 0.5), phase, 1 - phase) > 1 / 32:
            assert left_down(share**1.6) == left_down(phase)
    unmatched = sum(left_down(p**1.6) != left_down(p) for p in np.arange(0.005, 1.0, 0.01))
    assert unmatched > 10, "a switch by time flips feet"
    assert matched_time(np.array([0.7]), phases, np.array([False]))[0] == 0.0
    once, again = (matched_time(np.array([0.3 + turn]), phases, np.array([True]))[0] for turn in (0.0, 2.0))
    assert again == pytest.approx(once), "whole cycles do not count"
    assert not math.isnan(float(matched_time(np.array([1.0]), phases, np.array([True]))[0]))
