"""Motion of a unit alone: arrival, turn limits, no orbits, and the gain.

The gain prevents orbits.
"""

import math

import numpy as np
import pytest

from ai.steering.behaviours.waypoint_following import arc_hits, predicted_gain
from ai.steering.settings import SteeringSettings
from tests.ai.steering.arena import Arena, grid

OPEN = np.ones((40, 40), np.uint8)


def test_it_stops_at_the_destination_without_overshooting():
    arena = Arena(OPEN, [(5.5, 5.5)], [(20.5, 5.5)], speed=4.0)
    farthest = 0.0
    for _ in range(200):
        arena.step()
        farthest = max(farthest, arena.b.x[0])
    assert not arena.b.moving[0]
    assert abs(arena.b.x[0] - 20.5) <= SteeringSettings().settle_radius
    assert farthest < 20.7


def test_speed_and_turn_rate_stay_within_what_the_unit_can_do():
    rng = np.random.default_rng(1)
    arena = Arena(OPEN, rng.uniform(5, 35, (30, 2)), rng.uniform(5, 35, (30, 2)), speed=4.0, turn_rate=5.0)
    for _ in range(150):
        facing = arena.b.facing.copy()
        arena.step()
        turned = np.abs((arena.b.facing - facing + math.pi) % (2 * math.pi) - math.pi)
        assert turned.max() <= 5.0 * 0.05 + 1e-12
        assert np.hypot(arena.b.vx, arena.b.vy).max() <= 4.0 + 1e-9


def test_turning_beats_speed():
    """JOGD's centrifugal limit: speed times turn rate stays below the threshold.

    So a unit slows into a corner.
    """
    arena = Arena(OPEN, [(5.5, 5.5)], [(20.5, 5.5)], speed=4.0)
    arena.paths = [[(15.5, 5.5), (15.5, 15.5)]]
    arena.settings = SteeringSettings(lookahead=0.0, waypoint_radius=0.3)
    slowest, limit = 9.0, arena.settings.turn_acceleration
    for _ in range(120):
        facing = arena.b.facing[0]
        arena.step()
        turn = abs((arena.b.facing[0] - facing + math.pi) % (2 * math.pi) - math.pi) / 0.05
        speed = math.hypot(arena.b.vx[0], arena.b.vy[0])
        assert speed * turn <= limit * (1 + 1e-9)
        if arena.b.x[0] > 14.0 and 5.2 < arena.b.y[0] < 7.0:
            slowest = min(slowest, speed)
    assert slowest < 2.0


def test_a_smooth_corner_is_cut_where_the_straight_walk_is_clear():
    passable = grid("\n".join(["############", *["#          #"] * 8, "############"]))
    arena = Arena(passable, [(2.5, 2.5)], [(9.5, 7.5)])
    arena.paths = [[(9.5, 2.5), (9.5, 7.5)]]
    ticks = 0
    while arena.b.moving[0] and ticks < 400:
        arena.step()
        ticks += 1
    straight = math.hypot(7, 5) / 1.5 / 0.05
    assert ticks < straight + 30


@pytest.mark.parametrize("gain_raise", [0.03, 0.0])
def test_predictive_gain_ends_every_orbit_and_a_fixed_gain_does_not(gain_raise):
    """The article's experiment: a body moves where it faces.

    V = 1.5, gain 1.5, goals 0.3 to 3 tiles away. With a fixed gain the circle of radius 2 V / (pi k) = 0.64 about
    the goal is a stable orbit.
    """
    rng = np.random.default_rng(4)
    n = 300
    places = rng.uniform(10, 30, (n, 2))
    angle, away = rng.uniform(0, 2 * math.pi, n), rng.uniform(0.3, 3.0, n)
    goals = places + np.column_stack([away * np.cos(angle), away * np.sin(angle)])
    settings = SteeringSettings(
        along_facing=1, avoidance=0, whiskers=0, sweeps=0, gain=1.5, gain_raise=gain_raise, gain_limit=20.0,
        turn_acceleration=1000.0, waypoint_radius=0.15, lookahead=0.0, keep_right=0.0,
    )  # fmt: skip
    arena = Arena(OPEN, places, goals, settings=settings, turn_rate=50.0)
    arena.b.facing[:] = rng.uniform(-math.pi, math.pi, n)
    arena.b.vx[:], arena.b.vy[:] = 1.5 * np.cos(arena.b.facing), 1.5 * np.sin(arena.b.facing)
    # A point to pass through, not to brake for: the same point again comes after it.
    arena.b.radius[:] = 1e-3
    passed = np.zeros(n, bool)
    for i in range(n):
        arena.paths[i] = [tuple(goals[i]), (5.0, 5.0)]
    arena.plan = lambda i: arena.paths[i]
    for _ in range(600):
        arena.step()
        passed |= np.array(arena.at) > 0
        arena.at = [min(a, 1) for a in arena.at]
    if gain_raise:
        assert passed.all()
    else:
        assert passed.mean() < 0.6
        orbit = np.hypot(arena.b.x - goals[:, 0], arena.b.y - goals[:, 1])[~passed]
        assert abs(np.median(orbit) - 2 * 1.5 / (math.pi * 1.5)) < 0.1


def test_the_forecast_is_that_of_the_arc_walked_in_small_steps():
    rng = np.random.default_rng(6)
    for _ in range(200):
        gx, gy = rng.uniform(-3, 3, 2)
        a, v, turn = rng.uniform(-math.pi, math.pi), rng.uniform(0.5, 2), rng.choice([-1, 1]) * rng.uniform(0.3, 3)
        t = np.linspace(0, 2 * math.pi / abs(turn), 4000)
        x = v / turn * (np.sin(a + turn * t) - math.sin(a))
        y = -v / turn * (np.cos(a + turn * t) - math.cos(a))
        nearest = np.hypot(x - gx, y - gy).min()
        hit = arc_hits.py_func(0.0, 0.0, v * math.cos(a), v * math.sin(a), turn, gx, gy, 0.2)
        if abs(nearest - 0.2) > 0.01:
            assert hit == (nearest < 0.2)


def test_the_gain_returns_to_its_nominal_value():
    gain = 1.0
    for _ in range(30):
        gain = predicted_gain.py_func(gain, False, 0.03, 4.0)
    assert gain == pytest.approx(1.03**30)
    for _ in range(30):
        gain = predicted_gain.py_func(gain, True, 0.03, 4.0)
    assert gain == pytest.approx(1.0)


def test_a_unit_whose_ground_is_closed_under_it_is_put_on_the_nearest_open_tile():
    passable = np.ones((12, 12), np.uint8)
    arena = Arena(passable, [(5.5, 5.2)], [(9.5, 5.5)])
    arena.passable[5:8, 4:7] = 0
    arena.step()
    assert arena.in_wall() == 0
    assert math.hypot(arena.b.x[0] - 5.5, arena.b.y[0] - 5.2) < 0.6


def test_units_do_not_jitter():
    """Heading reversals of bodies in the open: at most one a second.

    A reversal is a turn of more than 90 degrees between ticks.
    """
    rng = np.random.default_rng(12)
    arena = Arena(OPEN, rng.uniform(4, 36, (80, 2)), rng.uniform(4, 36, (80, 2)))
    reversals, moved = np.zeros(80), np.zeros(80)
    before = None
    for _ in range(300):
        arena.step()
        v = np.column_stack([arena.b.vx, arena.b.vy])
        going = (arena.b.moving == 1) & (np.hypot(*v.T) > 0.1)
        if before is not None:
            reversals += going & ((v * before).sum(axis=1) < 0)
        moved += going
        before = v
    assert (reversals / np.maximum(moved * 0.05, 1.0)).max() <= 1.0
