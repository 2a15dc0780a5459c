"""Gait against the table of its source and the place of a planted foot."""

import math

import numpy as np
import pytest

from ai.animation.gait import CADENCE, advance, cadence, cycle_length, hip_swing
from ai.core.rand import Stream, uniform

TABLE = {0.25: 0.3715, 0.5: 0.525, 1.0: 0.743, 1.5: 0.910, 2.0: 1.051, 2.5: 1.175}
"""Cycles a second by leg lengths a second."""
SPEEDS = sorted(TABLE)


def walked(speed: float, leg: float, steps: list[float], phase: float = 0.0) -> tuple[float, list[int]]:
    """Return the phase after steps of a distance each, and the footfalls of each."""
    phases, feet, counts = np.array([phase]), np.zeros(1, np.uint8), []
    for distance in steps:
        advance(np.array([distance]), np.array([speed]), np.array([leg]), phases, feet)
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
    slow, few = walked(speed, 0.9, [speed / 20.0] * 200, 0.25)
    fast, many = walked(speed, 0.9, [speed / 240.0] * 2400, 0.25)
    assert slow == pytest.approx(fast, abs=1e-9)
    assert sum(few) == sum(many) == math.floor(2.0 * (0.25 + cadence(speed, 0.9) * 10.0))
    assert max(many) == 1


@pytest.mark.parametrize("speed", SPEEDS)
def test_the_prints_are_half_a_cycle_apart_and_the_legs_span_them(speed: float) -> None:
    leg, tick = 0.9, 1.0 / 1000.0
    _, counts = walked(speed, leg, [speed * tick] * 20000)
    prints = np.flatnonzero(counts) * speed * tick
    step = cycle_length(speed, leg) / 2.0
    assert np.diff(prints) == pytest.approx(step, abs=2.0 * speed * tick)
    span = 2.0 * leg * math.sin(hip_swing(speed, leg) / 2.0)
    assert span == pytest.approx(step, rel=1e-12), "a foot is put down exactly one step before the other"
    assert step == pytest.approx(speed / cadence(speed, leg) / 2.0, rel=1e-12)
    constant = speed / CADENCE / 2.0
    assert speed == 1.0 or abs(constant - speed / cadence(speed, 1.0) / 2.0) > 0.05 * constant, "one cadence slides"


def test_the_phase_never_runs_back_whatever_the_speed() -> None:
    phases, feet, total, before = np.zeros(1), np.zeros(1, np.uint8), 0.0, 0.0
    for n in range(1000):
        speed = 4.0 * uniform(1, Stream.SCRIPT, n, 0)
        advance(np.array([speed / 20.0]), np.array([speed]), np.array([0.9]), phases, feet)
        moved = (float(phases[0]) - before) % 1.0
        assert 0.0 <= moved < 0.5 and moved == pytest.approx(cadence(speed, 0.9) / 20.0, abs=1e-9)
        before, total = float(phases[0]), total + moved
    assert total % 1.0 == pytest.approx(before, abs=1e-6)
    held = phases.copy()
    advance(np.zeros(1), np.ones(1), np.ones(1), phases, feet)
    assert phases == held and feet[0] == 0, "a unit that is held up does not step on the spot"
