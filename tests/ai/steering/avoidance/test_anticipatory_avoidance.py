"""Anticipatory avoidance at work: what forces do to units that walk.

The horizon, symmetric meetings, overlaps, and crowds that cross.
"""

import math

import numpy as np
import pytest

from ai.steering.settings import SteeringSettings
from tests.ai.steering.arena import Arena
from tests.ai.steering.avoidance.test_avoidance_forces import forces


def walk_in_fixed_directions(horizon: float, seed: int, dt: float = 0.04) -> tuple[int, float]:
    """Return overlaps and progress of forty units in five seconds.

    They are (pairs that overlap, summed over steps; tiles walked towards the goal, on average). Integration and
    numbers are those of the chapter (gain 2, goal speed 1.5); overlapping pairs are not separated.
    """
    rng, places = np.random.default_rng(seed), []
    while len(places) < 40:
        at = rng.uniform(0.0, 14.0, 2)
        if all(math.hypot(*(at - other)) > 0.7 for other in places):
            places.append(at)
    at, bearing, overlaps = np.array(places).T.copy(), rng.uniform(0.0, math.tau, 40), 0
    goal = 1.5 * np.array([np.cos(bearing), np.sin(bearing)])
    start, v = at.copy(), goal.copy()
    settings = SteeringSettings(side_bias=0.0, intent=0.0, sense_radius=16.0, neighbours=16, horizon=horizon)
    for _ in range(round(5.0 / dt)):
        v += (2.0 * (goal - v) + np.array(forces(*at, *v, settings))) * dt
        at += v * dt
        apart = np.hypot(at[0][:, None] - at[0], at[1][:, None] - at[1]) + 9.0 * np.eye(40)
        overlaps += int((apart < 0.599).sum()) // 2
    return overlaps, float(((at - start) * goal).sum(axis=0).mean() / 1.5)


@pytest.mark.parametrize("seed", [1, 3])
def test_a_horizon_of_a_tenth_of_a_second_overlaps_four_never_and_twenty_gets_less_far(seed):
    """No anticipation, clear anticipation, and fear of every unit.

    Source: 19.2.3, figure 19.3.
    """
    (bumps, _), (none, far), (_, less) = (walk_in_fixed_directions(h, seed) for h in (0.1, 4.0, 20.0))
    assert bumps > 50
    assert none == 0
    assert less < 0.96 * far


def walk_at_each_other(seconds: float, **settings) -> np.ndarray:
    """Return x, y ``float64[2, 2]`` of two units that walk at each other.

    Only the forces act.
    """
    at, v = np.array([[0.0, 5.0], [0.0, 0.0]]), np.array([[1.5, -1.5], [0.0, 0.0]])
    goal, settings = v.copy(), SteeringSettings(sense_radius=8.0, **settings)
    for _ in range(round(seconds / 0.04)):
        v += (2.0 * (goal - v) + np.array(forces(*at, *v, settings))) * 0.04
        at += v * 0.04
    return at


def test_a_perfectly_symmetric_pair_stands_for_ever_and_the_bias_to_the_right_parts_it():
    """19.4.1: without an asymmetry both brake on the line between them."""
    stuck = walk_at_each_other(8.0, side_bias=0.0)
    assert stuck[0, 0] < stuck[0, 1] and np.abs(stuck[1]).max() < 1e-9
    passed = walk_at_each_other(8.0)
    assert passed[0, 0] > passed[0, 1] + 3.0


def test_the_force_deepens_no_overlap_and_brakes_one_that_closes():
    """A unit that overlaps counts as just not touching (19.3.2.3).

    So the pair is pushed apart or let go. A force has no effect on the first instants of a pair that already draws
    together. It brakes the pair by no more than its cap per tick, so such an overlap deepens before it heals. The
    source's own remedy, shrunk radii, can do no more. The whole of motion guarantees that no overlap deepens (the
    test after this one).
    """
    rng = np.random.default_rng(12)
    for _ in range(40):
        a, d = rng.uniform(0.0, math.tau), rng.uniform(0.05, 0.55)
        at = np.array([[0.0, d * math.cos(a)], [0.0, d * math.sin(a)]])
        v = rng.uniform(-1.0, 1.0, (2, 2))
        for _ in range(30):
            away = at[:, 1] - at[:, 0]
            apart = math.hypot(*away)
            before = float((v[:, 1] - v[:, 0]) @ away) / apart
            v += np.array(forces(*at, *v, SteeringSettings(side_bias=0.0, intent=0.0))) * 0.02
            at += v * 0.02
            after = float((v[:, 1] - v[:, 0]) @ away) / apart
            assert after >= min(before, 0.0) - 1e-9, "no pair is driven closer"
            if before >= 0.0:
                assert math.hypot(*(at[:, 1] - at[:, 0])) >= min(apart, 0.6) - 1e-9


@pytest.mark.parametrize("kind", [0, 1, 2, 3, 4])
def test_an_overlap_never_deepens_whatever_the_pair_does(kind):
    """The whole of motion keeps 19.3.2.3 with each avoidance.

    Pairs overlap at the start, at any velocities, and every other one heads right through its partner. Collision
    resolution handles what the force alone cannot.
    """
    rng = np.random.default_rng(3)
    middle = np.repeat([(5.5 + 9 * (k % 7), 5.5 + 9 * (k // 7)) for k in range(49)], 2, axis=0)
    turn, across = rng.uniform(0.0, math.tau, (2, 49))
    across[::2] = turn[::2]
    sign = np.tile([-0.5, 0.5], 49)

    def out(angle, far):
        angle = np.repeat(angle, 2)
        return np.column_stack([np.cos(angle), np.sin(angle)]) * (sign * far)[:, None]

    places = middle + out(turn, np.repeat(rng.uniform(0.05, 0.55, 49), 2))
    arena = Arena(
        np.ones((66, 66), np.uint8), places, middle - out(across, 8.0), settings=SteeringSettings(avoidance=kind)
    )
    b = arena.b
    b.vx[:], b.vy[:] = rng.uniform(-1.0, 1.0, (2, 98))
    apart = np.hypot(b.x[1::2] - b.x[::2], b.y[1::2] - b.y[::2])
    for _ in range(30):
        arena.step()
        now = np.hypot(b.x[1::2] - b.x[::2], b.y[1::2] - b.y[::2])
        assert (now >= np.minimum(apart, 0.6) - 1e-9).all()
        apart = now
    assert (apart >= 0.6 - 1e-9).all()


def circle(n, settings):
    angle = 2 * np.pi * np.arange(n) / n
    places = np.column_stack([12 + 8 * np.cos(angle), 12 + 8 * np.sin(angle)])
    return Arena(np.ones((24, 24), np.uint8), places, 24 - places, settings=settings)


@pytest.mark.parametrize("n", [2, 8, 16])
def test_units_on_a_circle_change_places_without_penetration(n):
    arena = circle(n, SteeringSettings())
    arena.run(700, law=False)
    assert not arena.b.moving.any()
    assert arena.worst_overlap < 0.03


def test_alone_on_the_map_the_velocity_becomes_the_wanted_one():
    arena = Arena(np.ones((9, 40), np.uint8), [(2.5, 4.5)], [(38.5, 4.5)])
    for _ in range(40):
        arena.step()
    assert np.hypot(arena.b.vx[0] - 1.5, arena.b.vy[0]) < 0.015


def test_anticipation_costs_less_detour_than_bumping():
    """Two crossing crowds: foresight makes the tightest gaps rarer.

    Gaps under 2 cm are rarer than without avoidance.
    """
    squeezed = []
    for kind in (0, 2):
        rng = np.random.default_rng(5)
        n = 60
        east = np.arange(n) % 2 == 0
        x, y = rng.uniform(2, 16, (2, n))
        goals = np.column_stack([np.where(east, 38.0, x), np.where(east, y, 38.0)])
        arena = Arena(
            np.ones((40, 40), np.uint8), np.column_stack([x, y]), goals, settings=SteeringSettings(avoidance=kind)
        )
        tight = 0
        for tick in range(200):
            arena.step()
            if tick > 20:
                d = np.hypot(arena.b.x[:, None] - arena.b.x, arena.b.y[:, None] - arena.b.y) + 9 * np.eye(n)
                tight += int((d < 0.62).sum())
        squeezed.append(tight)
    assert squeezed[1] < squeezed[0] / 2
