"""Walk motor: goals are reached, and no caller moves a body."""

import math

import numpy as np
import pytest

from ai.animation.walking.walk_control import HEADING, SPEED, X, Y
from ai.animation.walking.walk_motor import Mode, WalkMotor
from ai.core.rand import Stream, uniform


def test_bodies_reach_goals_on_all_sides_and_stop_there() -> None:
    n = 60
    rest = np.zeros(n)
    motor, all_of = WalkMotor(rest, rest, rest), np.arange(n)
    motor.set_speed(all_of, 1.5)
    motor.set_mode(all_of, Mode.GOAL)
    goals = []
    for k in range(n):
        way, far = math.tau * uniform(3, Stream.SCRIPT, 0, k), 0.3 + 3.0 * uniform(3, Stream.SCRIPT, 1, k)
        goals.append((far * math.cos(way), far * math.sin(way)))
        motor.set_goal(np.array([k]), *goals[-1])
    fastest = 0.0
    for _ in range(240):
        before = motor.get_state()[0]
        motor.advance(0.05)
        state, arrived = motor.get_state()
        step = np.hypot(state[X] - before[X], state[Y] - before[Y])
        fastest = max(fastest, float(step.max()) / 0.05)
    assert arrived.all() and state[SPEED].max() < 0.05
    off = [math.dist((state[X, k], state[Y, k]), goals[k]) for k in range(n)]
    assert max(off) < 0.4 and fastest < 1.6


def test_a_body_that_does_not_halt_goes_straight_on_and_speeds_are_those_that_are_set() -> None:
    motor, one, other = WalkMotor(np.zeros(2), np.zeros(2), np.zeros(2)), np.array([0]), np.array([1])
    motor.set_gait(np.array([0, 1]), 0.94, direct=True)
    motor.set_speed(np.array([0, 1]), 1.0)
    motor.set_goal(one, 1.0, 0.0)
    motor.set_tolerance(one, 0.2)
    motor.set_halt(one, False)
    motor.set_mode(one, Mode.GOAL)
    motor.set_turn(other, 0.5)
    for _ in range(40):
        motor.advance(0.05)
    state, arrived = motor.get_state()
    assert arrived.tolist() == [True, False]
    assert (state[X, 0], state[Y, 0]) == pytest.approx((2.0, 0.0))
    assert state[HEADING, 1] == pytest.approx(1.0)
    assert state[X, 1] == pytest.approx(2.0 * math.sin(1.0), rel=0.01), "a circle of two tiles"


def test_a_mind_has_eight_calls_and_cannot_write_a_position() -> None:
    motor = WalkMotor(np.zeros(1), np.zeros(1), np.zeros(1))
    calls = {name for name in dir(WalkMotor) if not name.startswith("_")} - {"advance"}
    assert len(calls) == 8
    state, arrived = motor.get_state()
    for array in (state, arrived):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1
    motor.advance(0.05)
    assert motor.get_state()[0][:3].tolist() == [[0.0], [0.0], [0.0]]
