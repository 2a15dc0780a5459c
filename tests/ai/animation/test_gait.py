"""Gait against the table of its source and the place of a planted foot."""

import math

import numpy as np
import pytest

from ai.animation.gait import CADENCE, advance, cadence, cycle_length, hip_swing
from ai.core.rand import Stream, uniform

TABLE = {0.25: 0.3715, 0.5: 0.525, 1.0: 0.743, 1.5: 0.910, 2.0: 1.051, 2.5: 1.175}
"""Cycles a second by leg lengths a second."""
SPEEDS = sorted(TABLE)


def walked(
    speed: float, leg: float, ticks: int, second: float, phase: float = 0.0, turning: float = 0.0
) -> tuple[float, list[int]]:
    """Return the phase after ticks of 1 / ``second`` each, and the footfalls of each."""
    phases, feet, rate, counts = np.array([phase]), np.zeros(1, np.uint8), np.zeros(1), []
    distance, turned = np.array([speed / second]), np.array([turning / second])
    for _ in range(ticks):
        advance(1.0 / second, 0.0, distance, turned, np.array([leg]), rate, phases, feet)
        counts.append(int(feet[0]))
    return float(phases[0]), counts


@pytest.mark.parametrize("speed", SPEEDS)
def test_the_cadence_is_that_of_the_source(speed: float) -> None:
    assert cadence(speed, 1.0) == pytest.approx(TABLE[speed], abs=5e-4)
    assert cadence(speed, 1.0) == pytest.approx(0.743 * math.sqrt(speed), rel=1e-12)
    assert cadence(speed, 4.0) == pytest.approx(cadence(speed / 4.0, 1.0), rel=1e-12)


def test_four_times_the_leg_halves_the_cadence_and_a_still_unit_has_none() -> None:
    assert cadence(1.0, 1.0) == pytest.approx(2.0 * cadence(1.0, 4.0))
    assert cadence(0.0, 1.0) == 0.0


def test_beyond_the_law_the_cycle_keeps_its_length() -> None:
    assert cycle_length(5.0, 1.0) == cycle_length(2.5, 1.0)
    assert cadence(5.0, 1.0) == pytest.approx(2.0 * cadence(2.5, 1.0))


@pytest.mark.parametrize(("speed", "angle", "length"), [(1.0, 0.683, 1.34), (2.5, 1.1165, 2.12)])
def test_swing_and_cycle_are_those_of_the_source(speed: float, angle: float, length: float) -> None:
    """The source rounds its coefficient to 0.335, 0.44 % below the exact one."""
    assert hip_swing(speed, 1.0) == pytest.approx(angle, rel=0.006)
    assert cycle_length(speed, 1.0) == pytest.approx(length, rel=0.006)


@pytest.mark.parametrize("speed", SPEEDS)
def test_feet_come_down_at_phases_0_and_a_half_wherever_the_ticks_fall(speed: float) -> None:
    """Ten seconds at 20 and at 240 ticks a second have the same steps."""
    slow, few = walked(speed, 0.9, 200, 20.0, 0.25)
    fast, many = walked(speed, 0.9, 2400, 240.0, 0.25)
    assert slow == pytest.approx(fast, abs=1e-9)
    assert sum(few) == sum(many) == math.floor(2.0 * (0.25 + cadence(speed, 0.9) * 10.0))
    assert max(many) == 1


@pytest.mark.parametrize("speed", SPEEDS)
def test_the_prints_are_half_a_cycle_apart_and_the_legs_span_them(speed: float) -> None:
    leg, tick = 0.9, 1.0 / 1000.0
    _, counts = walked(speed, leg, 20000, 1.0 / tick)
    prints = np.flatnonzero(counts) * speed * tick
    step = cycle_length(speed, leg) / 2.0
    assert np.diff(prints) == pytest.approx(step, abs=2.0 * speed * tick)
    span = 2.0 * leg * math.sin(hip_swing(speed, leg) / 2.0)
    assert span == pytest.approx(step, rel=1e-12), "a foot is put down exactly one step before the other"
    assert step == pytest.approx(speed / cadence(speed, leg) / 2.0, rel=1e-12)
    constant = speed / CADENCE / 2.0
    assert speed == 1.0 or abs(constant - speed / cadence(speed, 1.0) / 2.0) > 0.05 * constant, "one cadence slides"


def test_the_phase_is_the_sum_of_all_ticks_and_a_foot_comes_down_where_it_passes_a_half() -> None:
    """The oracle sums cadences of random speeds and turns in plain Python."""
    phases, feet, rate, total = np.zeros(1), np.zeros(1, np.uint8), np.zeros(1), 0.0
    falls, passed = 0, 0
    for n in range(2000):
        speed, turning = 4.0 * uniform(1, Stream.SCRIPT, n, 0), 8.0 * uniform(1, Stream.SCRIPT, n, 1) - 4.0
        if n % 3:
            turning = 0.0
        leg = 0.94
        law = speed / leg / (math.sqrt(min(speed / leg, 2.5)) / 0.743)
        args = np.array([speed / 20.0]), np.array([turning / 20.0]), np.array([leg])
        advance(0.05, 0.0, *args, rate, phases, feet)
        assert rate[0] == pytest.approx(max(law, abs(turning) / math.pi), rel=1e-12)
        before, total = total, total + max(law, abs(turning) / math.pi) / 20.0
        assert math.remainder(float(phases[0]) - total, 1.0) == pytest.approx(0.0, abs=1e-9)
        if min(abs(math.remainder(2.0 * total, 1.0)), abs(math.remainder(2.0 * before, 1.0))) > 1e-7:
            assert feet[0] == math.floor(2.0 * total) - math.floor(2.0 * before)
        falls, passed = falls + int(feet[0]), math.floor(2.0 * total)
    assert falls == passed > 100
    held = phases.copy()
    advance(0.05, 0.0, np.zeros(1), np.zeros(1), np.ones(1), rate, phases, feet)
    assert phases == held and feet[0] == 0, "a unit that is held up does not step on the spot"


def test_half_a_turn_on_the_spot_is_one_cycle_of_steps() -> None:
    phase, feet = walked(0.0, 0.9, 20, 20.0, 0.1, math.pi)
    assert phase == pytest.approx(0.1) and sum(feet) == 2
    assert cadence(1.5, 0.94, 0.5) == cadence(1.5, 0.94), "a wide curve is walked as a straight line"
    assert cadence(1.5, 0.94, -7.0) == pytest.approx(7.0 / math.pi)


def test_without_the_law_all_speeds_share_one_cadence() -> None:
    phases, feet, rate = np.zeros(2), np.zeros(2, np.uint8), np.zeros(2)
    advance(0.05, 0.9, np.array([0.02, 0.2]), np.zeros(2), np.ones(2), rate, phases, feet)
    assert rate.tolist() == [0.9, 0.9] and phases[0] == phases[1] == pytest.approx(0.045)
