"""Forces of avoidance against their models, pair by pair.

The oracles are fine-step simulation, figures of the chapter, and vectors summed over all pairs.
"""

import math

import numpy as np
import pytest

from ai.steering.avoidance.anticipatory_avoidance import NEVER, avoid, foresee, time_to_collision
from ai.steering.settings import SteeringSettings
from ai.steering.spatial_hash import SpatialHash

ttc = getattr(time_to_collision, "py_func", time_to_collision)


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


def forces(x, y, vx, vy, settings, ids=None, ahead=None, **columns):
    """Return the forces on units, ``fx`` and ``fy``.

    ``columns`` takes the place of moving, holding, awake, band, stuck, foresight, or the forces of the tick before.
    """
    n = len(x)
    motion = [np.asarray(c, float) for c in (x, y, vx, vy)]
    ids = np.arange(n, dtype=np.int32) if ids is None else np.asarray(ids, np.int32)
    spatial_hash = SpatialHash(n)
    spatial_hash.build(ids, np.ones(n, np.uint8), *motion, np.full(n, 0.3), motion[2], motion[3])
    spatial_hash.gather(settings.sense_radius, settings.neighbours)
    own = {
        "moving": np.ones(n, np.uint8), "holding": np.zeros(n, np.uint8), "awake": np.ones(n, np.uint8),
        "band": np.full(n, -1, np.int32), "stuck": np.zeros(n, np.int16), "foresight": np.zeros(n),
        "ahead": np.full(n, 1e9) if ahead is None else ahead, "fx": np.zeros(n), "fy": np.zeros(n),
    } | columns  # fmt: skip
    foresee(0, n, settings.packed(), spatial_hash.body)
    avoid(
        0, n, settings.packed(), spatial_hash.ids, spatial_hash.order, spatial_hash.body, spatial_hash.nearest,
        spatial_hash.near_count, *own.values(),
    )  # fmt: skip
    return own["fx"], own["fy"]


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


def crowd(seed, n=60):
    """Return positions, velocities and columns of units of every sort, some on one spot."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0.0, 7.0, (2, n))
    x[1::20], y[1::20] = x[0::20], y[0::20]
    v = rng.uniform(-1.5, 1.5, (2, n)) * (rng.random(n) < 0.8)
    columns = {
        "moving": (rng.random(n) < 0.7).astype(np.uint8),
        "holding": (rng.random(n) < 0.2).astype(np.uint8),
        "awake": (rng.random(n) < 0.8).astype(np.uint8),
        "band": rng.integers(-1, 3, n).astype(np.int32),
        "stuck": rng.integers(0, 15, n).astype(np.int16),
        "foresight": np.where(rng.random(n) < 0.3, rng.uniform(0.2, 2.0, n), 0.0),
    }
    return (x, y, *v), columns


def leant(to, v, ov, w, reach, s):
    """Return a force's direction with its lean to the right of the unit's way.

    Vectors are complex numbers. It leans by the bias times the cosine of a head-on meeting, and by half the bias round
    a standing neighbour.
    """
    e, way, other, there = (complex(*a) for a in (to, v, ov, w))
    e /= abs(e)
    if s.side_bias > 0.0 and abs(way) > 0.0:
        if abs(other) == 0.0:
            off = (way.conjugate() * there).imag / abs(way)  # the neighbour's place to the right of the line
            e += (-0.5 if off > 0.05 * reach else 0.5) * s.side_bias * 1j * way / abs(way)
        else:
            e += s.side_bias * max(0.0, -(way.conjugate() * other).real / abs(way * other)) * 1j * way / abs(way)
    return np.array([e.real, e.imag]) / abs(e)


def expected_forces(kind, s, x, y, vx, vy, columns, before):
    """Return the forces of a crowd, pair by pair, in vectors.

    Separation: half of the cap times the missing share of the wanted gap. Social force: strength * exp(-gap / range).
    Members of one group keep a share of gap and range. Collisions: as in ``reference``, within the horizon of the unit
    or of its peers; an idle neighbour weighs less.
    """
    at, v, out = np.column_stack([x, y]), np.column_stack([vx, vy]), np.zeros((len(x), 2))
    c = columns
    for i in range(len(x)):
        if not c["moving"][i]:
            continue
        if not c["awake"][i]:
            out[i] = 0.6 * np.array([before[0][i], before[1][i]])
            continue
        for q in range(len(x)):
            w = at[q] - at[i]
            d = math.hypot(*w)
            if q == i or d > s.sense_radius:
                continue
            away = -w / d if d > 1e-9 else np.array([1.0 if i < q else -1.0, 0.0])
            peer = c["band"][i] >= 0 and c["band"][i] == c["band"][q]
            share = s.peer_share if peer else 1.0
            if kind == 3:
                out[i] += away * min(s.force_cap, s.social_strength * math.exp((0.6 - d) / (s.social_range * share)))
            elif kind == 1 and d > 1e-9 and d - 0.6 < s.separation * share:
                lacking = (s.separation * share + 0.6 - d) / (s.separation * share + 0.001)
                out[i] += away * s.force_cap * 0.5 * min(1.0, lacking)
            elif kind == 2:
                horizon = c["foresight"][i] or s.horizon
                horizon = min(horizon, s.peer_horizon) if peer else horizon
                u, reach = v[i] - v[q], 0.6 if d >= 0.6 else 0.98 * d
                tau = ttc(*w, *u, reach) if d > 1e-9 else 0.0
                if tau <= horizon:
                    weight = s.idle_mass if not c["moving"][q] and not c["holding"][q] else 1.0
                    size = min((horizon - tau) / (tau + 0.001), s.force_cap) if d > 1e-9 else s.force_cap
                    to = leant(u * tau - w, v[i], v[q], w, reach, s) if d > 1e-9 else away
                    out[i] += weight * size * to
        out[i] *= s.calm / (s.calm + c["stuck"][i])
    return out


@pytest.mark.parametrize("kind", [0, 1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_each_avoidance_is_the_sum_over_pairs_in_a_crowd_of_every_sort(kind, seed):
    """Standing, holding, sleeping, stuck and short-sighted units, peers, and pairs on one spot."""
    (x, y, vx, vy), columns = crowd(seed)
    settings = SteeringSettings(avoidance=kind, side_bias=0.5 * seed, neighbours=16, sense_radius=1.2, peer_horizon=0.4)
    before = np.random.default_rng(seed).uniform(-3.0, 3.0, (2, len(x)))
    got = forces(x, y, vx, vy, settings, fx=before[0].copy(), fy=before[1].copy(), **columns)
    expected = expected_forces(kind, settings, x, y, vx, vy, columns, before)
    assert np.allclose(np.column_stack(got), expected, atol=1e-6)
    assert (np.abs(expected) > 0.1).any(axis=1).sum() > (30 if kind else 2)


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
        x, y = np.round(rng.uniform(0, 2.5, (2, 40)), k % 3)
        vx, vy = np.round(rng.uniform(-2, 2, (2, 40)), k % 2) * 10.0 ** -(9 * (k % 5))
        fx, fy = forces(x, y, vx, vy, SteeringSettings())
        assert np.isfinite(fx).all() and np.isfinite(fy).all()


def test_the_social_force_is_the_exponential_of_the_gap_and_equal_on_both():
    settings = SteeringSettings(avoidance=3, social_strength=8.0, social_range=0.3)
    for gap in (0.1, 0.4, 1.0):
        fx, fy = forces([0.0, 0.6 + gap], [0.0, 0.0], [1.0, -1.0], [0.0, 0.0], settings)
        assert fx == pytest.approx([-8.0 * math.exp(-gap / 0.3), 8.0 * math.exp(-gap / 0.3)])
        assert fy == pytest.approx([0.0, 0.0])
