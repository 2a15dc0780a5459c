"""Foot places against feet left on the ground by a body integrated stepwise."""

import math
from itertools import pairwise

import numpy as np
import pytest

from ai.animation.foot_places import HIP, foot_places, stance_end
from ai.animation.gait import cadence

LEG = 0.94
SPEEDS = (0.3, 0.75, 1.5, 2.3, 4.0)
TURNS = (0.0, 0.3, -0.8, 1.5)


def walk(speed: float, turning: float, seconds: float, rate: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    """Return places and planted flags of a walk that starts at (0, 0).

    Places are float64[ticks, 2 feet, 2] in the world, flags are bool[ticks, 2].
    The body moves by the midpoint rule, independent of the closed form.
    """
    x = y = heading = phase = 0.0
    dt, bodies = 1.0 / rate, []
    for _ in range(int(seconds * rate)):
        bodies.append((x, y, math.cos(heading), math.sin(heading), phase))
        x += speed * dt * math.cos(heading + turning * dt / 2)
        y += speed * dt * math.sin(heading + turning * dt / 2)
        heading += turning * dt
        phase = (phase + cadence(speed, LEG, turning) * dt) % 1.0
    xs, ys, c, s, phases = np.array(bodies).T
    n = len(bodies)
    at, down = foot_places(phases, np.full(n, speed), np.full(n, turning), np.full(n, LEG))
    world = np.stack([xs + c * at[..., 0] - s * at[..., 1], ys + s * at[..., 0] + c * at[..., 1]], axis=2)
    return world.transpose(1, 0, 2), down.T


def stands(planted: np.ndarray) -> list[tuple[int, int]]:
    """Return first and last tick of each whole stand of one foot."""
    edges = np.flatnonzero(np.diff(planted.astype(int)))
    ups = [e + 1 for e in edges if planted[e + 1]]
    return [(a, next(e for e in edges if e >= a)) for a in ups if any(e >= a for e in edges)]


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("turning", TURNS)
def test_a_planted_foot_drifts_less_than_3_percent_of_a_step(speed: float, turning: float) -> None:
    places, planted = walk(speed, turning, 12.0, 200)
    step = speed / cadence(speed, LEG, turning) / 2.0
    for foot in (0, 1):
        found = stands(planted[:, foot])
        assert len(found) >= 2, "a slow walk has few steps"
        for first, last in found:
            drift = np.hypot(*(places[first : last + 1, foot] - places[first, foot]).T).max()
            assert drift < 0.03 * step
    assert planted.any(axis=1).all(), "a foot is always on the ground"


def prints(places: np.ndarray, planted: np.ndarray) -> list[np.ndarray]:
    return [np.array([places[a, foot] for a, _ in stands(planted[:, foot])]) for foot in (0, 1)]


@pytest.mark.parametrize("speed", SPEEDS)
def test_prints_of_one_foot_are_a_cycle_apart_and_feet_alternate(speed: float) -> None:
    places, planted = walk(speed, 0.0, 14.0, 300)
    left, right = prints(places, planted)
    for feet in (left, right):
        assert np.diff(feet[:, 0]) == pytest.approx(speed / cadence(speed, LEG), rel=0.01)
    assert left[:, 1] == pytest.approx(-HIP * LEG) and right[:, 1] == pytest.approx(HIP * LEG)
    order = sorted([(x, "l") for x in left[:, 0]] + [(x, "r") for x in right[:, 0]])
    assert all(a[1] != b[1] for a, b in pairwise(order))


@pytest.mark.parametrize("turning", [0.4, -0.4, 0.9])
def test_on_a_circle_both_feet_keep_their_own_circle_and_the_outer_one_steps_longer(turning: float) -> None:
    speed = 1.5
    radius, hip = speed / abs(turning), HIP * LEG
    places, planted = walk(speed, turning, 12.0, 500)
    centre = np.array([0.0, speed / turning])
    inner, outer = prints(places, planted)[:: -1 if turning > 0 else 1]
    assert np.hypot(*(inner - centre).T) == pytest.approx(radius - hip, rel=0.05)
    assert np.hypot(*(outer - centre).T) == pytest.approx(radius + hip, rel=0.05)
    steps = [np.hypot(*np.diff(feet, axis=0).T).mean() for feet in (inner, outer)]
    assert steps[1] / steps[0] == pytest.approx((radius + hip) / (radius - hip), rel=0.1)


def test_the_feet_move_smoothly_and_a_body_at_rest_stands_on_both() -> None:
    phases = np.linspace(0.0, 1.0, 2001)
    n = len(phases)
    at, _ = foot_places(phases, np.full(n, 1.5), np.zeros(n), np.full(n, LEG))
    fastest = np.hypot(*np.diff(at, axis=1).T).max() * 2000 * cadence(1.5, LEG)
    assert fastest < 8.0, "a foot in the air takes no jump"
    still, down = foot_places(np.array([0.3]), np.zeros(1), np.zeros(1), np.array([LEG]))
    assert down.shape == (2, 1) and still.shape == (2, 1, 2)
    assert down.all() and still[:, 0].tolist() == [[0.0, -HIP * LEG], [0.0, HIP * LEG]]


def test_a_foot_stays_down_as_long_as_the_source_says() -> None:
    ends = stance_end(np.array([0.0, 2.5 * LEG, 9.0]), np.full(3, LEG))
    assert ends == pytest.approx([0.75, 0.60, 0.60])
