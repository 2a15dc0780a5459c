"""Loop correction against its limits, circles of known radius, and an S-curve."""

import math

import numpy as np
import pytest

from ai.animation.walking.loop_correction import MOST_LEAN, curvature_of, lean, speed_ahead, speed_cap, turn_smoothly
from ai.core.rand import Stream, uniform

RATE, CHANGE, TICK = 4.0, 18.0, 0.05


def missing(one: float, other: float) -> float:
    """Return the shorter turn from one angle to another."""
    return math.remainder(other - one, math.tau)


@pytest.mark.parametrize("turn", [math.radians(a) for a in (-179, -120, -35, -4, 1, 15, 60, 90, 150, 178)])
def test_a_turn_keeps_its_limits_and_ends_at_rest_on_its_target(turn: float) -> None:
    angle, rate, seen = np.array([0.7]), np.zeros(1), [0.0]
    for _ in range(60):
        before = rate.copy()
        angle, rate = turn_smoothly(angle, rate, np.array([0.7 + turn]), RATE, CHANGE, TICK)
        assert abs(rate[0]) <= RATE + 1e-12 and abs(rate[0] - before[0]) <= CHANGE * TICK + 1e-12
        seen.append(missing(0.7, float(angle[0])))
    assert missing(float(angle[0]), 0.7 + turn) == pytest.approx(0.0, abs=1e-6) and rate[0] == pytest.approx(0.0)
    assert max(seen, key=abs) == pytest.approx(turn, abs=0.1 * abs(turn) + 0.02), "no swing past the target"


def test_limits_hold_while_the_target_jumps_and_a_loop_backwards_keeps_half_a_turn() -> None:
    n = 40
    ahead, rate = np.zeros(n), np.zeros(n)
    back, back_rate = np.full(n, math.pi), np.zeros(n)
    for tick in range(200):
        wanted = np.array([6.0 * uniform(4, Stream.SCRIPT, tick // 9, k) - 3.0 for k in range(n)])
        before = rate
        ahead, rate = turn_smoothly(ahead, rate, wanted, RATE, CHANGE, TICK)
        back, back_rate = turn_smoothly(back, back_rate, wanted + math.pi, RATE, CHANGE, TICK)
        assert np.abs(rate).max() <= RATE + 1e-12 and np.abs(rate - before).max() <= CHANGE * TICK + 1e-12
        off = [abs(abs(missing(a, b)) - math.pi) for a, b in zip(ahead, back, strict=True)]
        assert max(off) < math.radians(2.0)


@pytest.mark.parametrize("radius", [0.5, 2.0, -7.0])
def test_curvature_and_speed_are_those_of_the_circle(radius: float) -> None:
    at = np.array([0.2, 0.5, 1.1])
    points = np.column_stack([abs(radius) * np.cos(at), radius * np.sin(at)])[None]
    bend = curvature_of(points)
    assert bend == pytest.approx([1.0 / radius])
    cap = speed_cap(bend, 2.0, 1.5)
    assert cap == pytest.approx([min(math.sqrt(2.0 * abs(radius)), 1.5 * abs(radius))])
    straight = curvature_of(np.array([[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]]))
    with np.errstate(all="raise"):
        assert straight == [0.0] and np.isinf(speed_cap(straight, 2.0, 1.5)).all()


@pytest.mark.parametrize(("speed", "rate"), [(1.5, 1.0), (1.5, -1.0), (4.0, 0.5), (0.0, 2.0), (6.0, 4.0)])
def test_a_lean_balances_weight_against_the_pull_of_the_curve(speed: float, rate: float) -> None:
    """Oracle: weight and pull of the curve have equal moments."""
    (tilt,) = lean(np.array([speed]), np.array([rate])).tolist()
    if abs(tilt) < MOST_LEAN:
        assert 9.81 * math.sin(tilt) == pytest.approx(speed * rate * math.cos(tilt))
    else:
        assert tilt == math.copysign(MOST_LEAN, rate) and speed * abs(rate) > 9.81 * math.tan(MOST_LEAN)


def test_a_body_brakes_in_time_for_the_curve_ahead() -> None:
    """Oracle: braking tick by tick from the speed that is allowed."""
    cap, brake = 0.8, 3.0
    for way in (0.5, 1.0, 4.0):
        speed, left = float(speed_ahead(np.array([[cap]]), np.array([[way]]), brake)[0]), way
        while left > 0.0:
            left, speed = left - speed * 0.001, speed - brake * 0.001
        assert speed == pytest.approx(cap, abs=0.02)


def test_along_an_s_curve_the_body_keeps_to_its_path_below_the_cap() -> None:
    """The body turns to a point 0.6 tiles ahead on a sine curve."""
    x, y, angle, rate = 0.0, 0.0, np.array([math.atan(1.0)]), np.zeros(1)
    worst = 0.0

    def path(at: float) -> tuple[float, float]:
        return at, 1.5 * math.sin(at / 1.5)

    while x < 18.0:
        points = np.array([[path(x + d) for d in (0.3, 0.6, 0.9)]])
        cap = float(speed_cap(curvature_of(points), 2.0, RATE)[0])
        speed = min(2.0, cap)
        ahead = path(x + 0.6)
        wanted = np.array([math.atan2(ahead[1] - y, ahead[0] - x)])
        angle, rate = turn_smoothly(angle, rate, wanted, RATE, CHANGE, TICK)
        x, y = x + speed * TICK * math.cos(angle[0]), y + speed * TICK * math.sin(angle[0])
        near = min(math.dist((x, y), path(x + d / 100)) for d in range(-60, 61))
        worst = max(worst, near)
        assert speed <= cap
        tilt = float(lean(np.array([speed]), rate)[0])
        assert tilt * rate[0] >= 0.0 and abs(tilt) <= MOST_LEAN
    assert 0.0 < worst < 0.25
