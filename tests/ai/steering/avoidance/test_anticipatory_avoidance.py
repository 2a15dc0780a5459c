"""Time to collision and its force against two oracles.

They are fine-step simulation and the chapter's formulas over all pairs.
"""

import math

import numpy as np
import pytest

from ai.steering.avoidance.anticipatory_avoidance import NEVER, avoid, foresee, time_to_collision
from ai.steering.settings import SteeringSettings
from ai.steering.spatial_hash import SpatialHash
from tests.ai.steering.arena import Arena

ttc = time_to_collision.py_func


@pytest.mark.parametrize(
    ("wx", "wy", "ux", "uy", "expected"),
    [
        (10.0, 0.0, 2.0, 0.0, 4.5),  # unit discs 10 apart, closing at 1 + 1
        (10.0, 0.0, 0.0, 0.0, NEVER),  # same velocities
        (10.0, 1.0, 2.0, 0.0, NEVER),  # lateral offset of exactly the sum of the radii: grazing
        (10.0, 0.0, -2.0, 0.0, NEVER),  # moving apart
        (0.5, 0.0, 1.0, 0.0, 0.0),  # overlapping now
    ],
)
def test_figures_of_the_chapter(wx, wy, ux, uy, expected):
    assert ttc(wx, wy, ux, uy, 1.0) == pytest.approx(expected)


def test_time_to_collision_is_the_first_overlap_of_a_fine_step_simulation():
    rng = np.random.default_rng(0)
    t = np.arange(0.0, 10.0, 0.002)
    met = 0
    for _ in range(300):
        w = rng.uniform(-5, 5, 2)
        u = rng.uniform(-2, 2, 2)
        apart = np.hypot(w[0] - u[0] * t, w[1] - u[1] * t)
        hit = np.flatnonzero(apart < 0.6)
        tau = ttc(*w, *u, 0.6)
        assert tau == ttc(*-w, *-u, 0.6), "symmetric between the two"
        if len(hit):
            met += 1
            assert tau == pytest.approx(t[hit[0]], abs=0.004)
        else:
            # A graze may fall between two steps.
            assert tau > 9.99 or apart.min() < 0.6001
    assert met > 20


def forces(x, y, vx, vy, settings, ids=None, ahead=None):
    n = len(x)
    columns = [np.asarray(c, float) for c in (x, y, vx, vy)]
    ids = np.arange(n, dtype=np.int32) if ids is None else np.asarray(ids, np.int32)
    spatial_hash = SpatialHash(n)
    spatial_hash.build(ids, np.ones(n, np.uint8), *columns, np.full(n, 0.3), columns[2], columns[3])
    spatial_hash.gather(settings.sense_radius, settings.neighbours)
    fx, fy = np.zeros(n), np.zeros(n)
    foresee(0, n, settings.packed(), spatial_hash.body)
    avoid(
        0, n, settings.packed(), spatial_hash.ids, spatial_hash.order, spatial_hash.body, spatial_hash.nearest,
        spatial_hash.near_count,
        np.ones(n, np.uint8), np.zeros(n, np.uint8), np.ones(n, np.uint8), np.full(n, -1, np.int32),
        np.zeros(n, np.int16), np.zeros(n),
        np.full(n, 1e9) if ahead is None else ahead, fx, fy,
    )  # fmt: skip
    return fx, fy


def reference(x, y, vx, vy, horizon, neighbours):
    """Model of chapter 19, pair by pair: no spatial hash, no side preference."""
    pos, vel = np.column_stack([x, y]), np.column_stack([vx, vy])
    total = np.zeros_like(pos)
    for i in range(len(pos)):
        dist = np.hypot(*(pos - pos[i]).T)
        near = [j for j in np.lexsort((np.arange(len(pos)), dist)) if j != i and dist[j] <= 3.0][:neighbours]
        for j in near:
            w, u = pos[j] - pos[i], vel[i] - vel[j]
            reach = 0.6 if dist[j] >= 0.6 else 0.98 * dist[j]
            a, b, c = u @ u, w @ u, w @ w - reach**2
            disc = b * b - a * c
            if disc <= 0:
                continue
            tau = (b - math.sqrt(disc)) / a
            if 0 <= tau <= horizon:
                direction = u * tau - w
                size = min((horizon - tau) / (tau + 0.001), 20.0)
                total[i] += size * direction / np.linalg.norm(direction)
    return total


@pytest.mark.parametrize("neighbours", [10, 4])
def test_the_kernel_equals_the_model_over_all_pairs(neighbours):
    rng = np.random.default_rng(2)
    x, y = rng.uniform(0, 16, (2, 200))
    vx, vy = rng.uniform(-2, 2, (2, 200))
    settings = SteeringSettings(side_bias=0.0, neighbours=neighbours)
    fx, fy = forces(x, y, vx, vy, settings)
    expected = reference(x, y, vx, vy, 3.0, neighbours)
    assert np.allclose(np.column_stack([fx, fy]), expected, atol=1e-6)
    assert np.abs(expected).max() > 1.0


def test_a_lone_pair_feels_equal_and_opposite_forces():
    rng = np.random.default_rng(3)
    for _ in range(50):
        x, y = rng.uniform(0, 2.5, (2, 2))
        vx, vy = rng.uniform(-2, 2, (2, 2))
        fx, fy = forces(x, y, vx, vy, SteeringSettings(side_bias=0.0))
        assert fx.sum() == pytest.approx(0.0, abs=1e-9)
        assert fy.sum() == pytest.approx(0.0, abs=1e-9)


def test_no_force_before_the_horizon():
    """Contact comes in 2.3 s at a distance of 2.9 tiles.

    The closing speed is 1 tile/s.
    """
    for horizon, felt in ((2.25, False), (2.35, True)):
        fx, _ = forces([0.0, 2.9], [0.0, 0.0], [0.5, -0.5], [0.0, 0.0], SteeringSettings(horizon=horizon))
        assert bool(abs(fx[0]) > 0.0) is felt


def test_nothing_beyond_the_destination_is_in_the_way():
    there = np.array([0.4, 1e9])
    fx, _ = forces([0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0], SteeringSettings(), ahead=there)
    assert fx[0] == 0.0


def test_head_on_both_lean_to_their_own_right_and_the_picture_is_symmetric():
    fx, fy = forces([1.0, 3.0], [2.0, 2.0], [1.0, -1.0], [0.0, 0.0], SteeringSettings())
    # y points down: the right of one heading east is south (+y).
    assert fy[0] > 0.5
    assert fy[1] == pytest.approx(-fy[0])
    assert fx[1] == pytest.approx(-fx[0])


def test_a_mirrored_scene_gives_mirrored_forces_when_no_side_is_preferred():
    rng = np.random.default_rng(8)
    x, y = rng.uniform(1, 9, (2, 40))
    vx, vy = rng.uniform(-1, 1, (2, 40))
    settings = SteeringSettings(side_bias=0.0)
    fx, fy = forces(x, y, vx, vy, settings)
    gx, gy = forces(x, 10.0 - y, vx, -vy, settings)
    assert np.allclose(fx, gx)
    assert np.allclose(fy, -gy)


def test_random_and_degenerate_configurations_give_finite_forces():
    rng = np.random.default_rng(9)
    for k in range(20):
        x, y = np.round(rng.uniform(0, 4, (2, 100)), k % 3)
        vx, vy = np.round(rng.uniform(-2, 2, (2, 100)), k % 2) * 10.0 ** -(9 * (k % 5))
        fx, fy = forces(x, y, vx, vy, SteeringSettings())
        assert np.isfinite(fx).all() and np.isfinite(fy).all()


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
