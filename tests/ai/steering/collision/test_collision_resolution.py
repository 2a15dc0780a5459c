"""Collision resolution against hand-made geometry: halves of gaps, masses, and no overlap.

Steps are random; the oracle is the line between two centres.
"""

import math

import numpy as np
import pytest

from ai.steering.collision.collision_resolution import correct
from ai.steering.settings import SteeringSettings
from ai.steering.spatial_hash import SpatialHash
from ai.steering.tile_surroundings import ROOMY, look_around
from tests.ai.steering.test_wall_collision import clearance

DT, YIELD, SLACK, IDLE_MASS = 0.05, 0.02, 1e-3, 0.3


class Discs:
    """Bodies that want one step each, on open ground if no map is given."""

    def __init__(self, x, y, passable=None, **columns):
        n = len(x)
        self.passable = np.ones((60, 60), np.uint8) if passable is None else passable
        self.x, self.y, self.n = np.array(x, float), np.array(y, float), n
        self.dx, self.dy, self.vx, self.vy = np.zeros((4, n))
        self.ids, self.radius, self.speed = np.arange(n, dtype=np.int32), np.full(n, 0.3), np.full(n, 1e9)
        self.moving, self.holding = np.ones(n, np.uint8), np.zeros(n, np.uint8)
        self.goal_x, self.goal_y = np.arange(n) * 3.0, np.zeros(n)
        for name, value in columns.items():
            setattr(self, name, np.array(value, getattr(self, name).dtype))

    def resolved(self, sweeps):
        """Return positions and velocities float64[2, n] after a tick."""
        around = look_around(self.passable)
        roomy = around[self.y.astype(int), self.x.astype(int), ROOMY] & 1
        lattice = SpatialHash(self.n)
        lattice.build(
            self.ids, np.ones(self.n, np.uint8), self.x, self.y, self.vx, self.vy, self.radius, self.dx, self.dy,
            self.moving, self.holding,
        )  # fmt: skip
        lattice.gather(1.0, 0)
        at, v = np.array([self.x + self.dx, self.y + self.dy]), np.full((2, self.n), 7.0)
        packed = SteeringSettings(sweeps=sweeps, dt=DT, idle_mass=IDLE_MASS).packed()
        correct(
            lattice, 1, self.passable, around, roomy, packed, np.ones(self.n, np.uint8), self.radius,
            np.zeros(self.n, np.uint8), self.moving, self.holding, self.goal_x, self.goal_y, self.x, self.y, *at, *v,
            self.speed, np.zeros((5, self.n)),
        )  # fmt: skip
        return at, v


def pairs(seed, nearest):
    """Return fifty pairs of bodies of every sort; ``nearest`` is the smallest gap."""
    rng = np.random.default_rng(seed)
    n, turn = 100, rng.uniform(0.0, math.tau, 50)
    radius = rng.uniform(0.2, 0.4, n)
    far = 0.5 * (radius[::2] + radius[1::2] + rng.uniform(nearest, 0.3, 50))
    middle = np.array([(4.5 + 5 * (k % 10), 4.5 + 5 * (k // 10)) for k in range(50)]).T
    way = np.array([np.cos(turn), np.sin(turn)]) * far
    at = np.stack([middle - way, middle + way], axis=2).reshape(2, n)
    moving = (rng.random(n) < 0.7).astype(np.uint8)
    goals = np.where(rng.random(n) < 0.3, 1.0, np.arange(n) * 3.0)
    return Discs(
        *at, radius=radius, moving=moving, holding=rng.random(n) < 0.2, goal_x=goals,
        dx=rng.uniform(-0.3, 0.3, n), dy=rng.uniform(-0.3, 0.3, n), vx=rng.uniform(-3, 3, n),
        vy=rng.uniform(-3, 3, n), speed=rng.uniform(0.5, 8.0, n),
    )  # fmt: skip


def room_for(d, i, q, away):
    """Return how far body i may go towards body q.

    Two that move have half of the gap each.
    """
    gap = math.hypot(d.x[q] - d.x[i], d.y[q] - d.y[i]) - d.radius[i] - d.radius[q]
    if d.holding[q] or not d.moving[q]:
        yields = not d.holding[q] and d.moving[i] and abs(d.goal_x[i] - d.goal_x[q]) >= 0.5
        return max(0.0, gap) + (YIELD if yields else 0.0)
    return max(0.0, gap + max(0.0, away * DT)) / 2.0


@pytest.mark.parametrize("seed", range(4))
def test_of_a_step_towards_another_body_only_the_part_into_it_is_cut(seed):
    """The velocity is the real step over the tick, within the speed."""
    d = pairs(seed, nearest=-0.05)
    at, v = d.resolved(sweeps=0)
    cuts = 0
    for i in range(d.n):
        q = i ^ 1
        normal = complex(d.x[q] - d.x[i], d.y[q] - d.y[i])
        normal /= abs(normal)
        step = complex(d.dx[i], d.dy[i])
        into = (step * normal.conjugate()).real
        over = into - room_for(d, i, q, (complex(d.vx[q], d.vy[q]) * normal.conjugate()).real)
        if into > 0.0 and over > 0.0:
            step, cuts = step - over * normal, cuts + 1
        assert complex(at[0, i] - d.x[i], at[1, i] - d.y[i]) == pytest.approx(step, abs=1e-9)
        real = step / DT
        real *= min(1.0, d.speed[i] / abs(real)) if abs(real) else 1.0
        assert complex(*v[:, i]) == pytest.approx(complex(7.0, 7.0) if d.holding[i] else real, abs=1e-6)
    assert cuts > 20


@pytest.mark.parametrize("seed", range(6))
def test_bodies_apart_stay_apart_in_a_crowd_whatever_they_want(seed):
    """Sixty discs have gaps from a hair to half a tile.

    None goes farther than it wants.
    """
    rng = np.random.default_rng(seed)
    places = [complex(20.0, 20.0)]
    while len(places) < 60:
        at = places[rng.integers(len(places))] + (0.6 + rng.uniform(1e-6, 0.3)) * np.exp(1j * rng.uniform(0, math.tau))
        if min(abs(at - other) for other in places) > 0.6:
            places.append(at)
    p = np.array(places)
    want = rng.uniform(0.0, 0.5, 60) * np.exp(1j * rng.uniform(0, math.tau, 60))
    d = Discs(p.real, p.imag, dx=want.real, dy=want.imag)
    at, _ = d.resolved(sweeps=0)
    now = at[0] + 1j * at[1]
    assert (np.abs(now[:, None] - now)[~np.eye(60, dtype=bool)] >= 0.6 - 1e-9).all()
    gone = np.abs(now - p)
    assert (gone <= np.abs(want) + 1e-9).all()
    assert gone.sum() > 0.2 * np.abs(want).sum(), "they slide, and do not all stop"
    free = np.abs(p[:, None] - p) + 9.0 * np.eye(60) > 0.6 + 2.0 * np.abs(want)[:, None]
    assert np.allclose(now[free.all(axis=1)], (p + want)[free.all(axis=1)])


@pytest.mark.parametrize("seed", range(4))
def test_an_overlapping_pair_parts_by_its_masses(seed):
    """The pair ends a hair apart, and its centre of mass stays.

    A body that holds does not move.
    """
    d = pairs(seed, nearest=-0.24)
    d.dx[:] = d.dy[:] = 0.0
    at, _ = d.resolved(sweeps=8)
    mass = np.where(d.holding == 1, 1e9, np.where(d.moving == 1, 1.0, IDLE_MASS))
    before, now = d.x + 1j * d.y, at[0] + 1j * at[1]
    overlaps = 0
    for i in range(0, d.n, 2):
        touch = d.radius[i] + d.radius[i + 1]
        apart = abs(before[i] - before[i + 1])
        if apart >= touch + SLACK or d.holding[i : i + 2].all():
            assert now[i] == before[i] and now[i + 1] == before[i + 1]
            continue
        overlaps += 1
        assert abs(now[i] - now[i + 1]) == pytest.approx(touch + SLACK, abs=1e-6)
        shift = (now - before)[i : i + 2] * mass[i : i + 2] / mass[i : i + 2].max()
        assert shift.sum() == pytest.approx(0.0, abs=1e-6)
        assert (now - before)[i : i + 2][d.holding[i : i + 2] == 1] == pytest.approx(0.0)
    assert overlaps > 10


@pytest.mark.parametrize("count", [3, 5, 9])
def test_a_squeezed_row_spreads_to_its_ends(count):
    """A push in the middle goes on to bodies that overlapped nobody."""
    turn = np.exp(0.7j)
    row = (20 + 20j) + turn * (np.arange(count) - 0.5 * (count - 1)) * 0.6
    row[count // 2 :] -= 0.2 * turn  # one deep overlap in the middle
    at, _ = Discs(row.real, row.imag).resolved(sweeps=32)
    now = at[0] + 1j * at[1]
    assert np.abs(np.diff(now)).min() > 0.585
    assert now.mean() == pytest.approx(row.mean(), abs=0.02)
    few, _ = Discs(row.real, row.imag).resolved(sweeps=1)
    assert np.abs(np.diff(few[0] + 1j * few[1])).min() < 0.585, "one sweep is not enough"


@pytest.mark.parametrize("ids", [(3, 8), (8, 3)])
def test_two_bodies_on_one_spot_part_by_their_ids(ids):
    at, _ = Discs([9.5, 9.5], [9.5, 9.5], ids=ids).resolved(sweeps=8)
    assert at[1] == pytest.approx([9.5, 9.5])
    east = int(np.argmin(ids))
    assert at[0, east] - at[0, 1 - east] == pytest.approx(0.6 + SLACK)


@pytest.mark.parametrize("seed", range(3))
def test_no_push_presses_a_body_into_a_wall(seed):
    rng = np.random.default_rng(seed)
    passable = np.zeros((12, 12), np.uint8)
    passable[4:8, 3:9] = 1
    x, y = rng.uniform(3.31, 8.69, 60), rng.uniform(4.31, 7.69, 60)
    d = Discs(x, y, passable, dx=rng.uniform(-0.4, 0.4, 60), dy=rng.uniform(-0.4, 0.4, 60))
    at, _ = d.resolved(sweeps=8)
    assert clearance(passable, *at).min() > 0.3 - 1e-9
