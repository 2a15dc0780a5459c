"""Right of way against its four rules in complex numbers, over mixed crowds."""

import cmath
import math

import numpy as np
import pytest

from ai.steering.settings import SteeringSettings
from ai.steering.spatial_hash import SpatialHash
from ai.steering.traffic.right_of_way import give_way, take_path

OPEN = np.ones((40, 40), np.uint8)
STREETS = np.ones((40, 40), np.uint8)
STREETS[::4] = 0  # streets three tiles wide from west to east


class Crowd:
    """Units in clusters of two to four, most of them face to face."""

    def __init__(self, seed, passable):
        rng = np.random.default_rng(seed)
        middles = [complex(2.5 + 3.1 * (k % 12), 2.3 + 4 * (k // 12)) for k in range(108)]
        at, want, idle, self.passable = [], [], [], passable
        for middle in middles:
            turn, rest = cmath.exp(1j * rng.uniform(0.0, math.tau)), rng.random() < 0.2
            for k in range(int(rng.integers(2, 5))):
                side = turn * 1j**k
                at.append(middle + side * rng.uniform(0.25, 0.55))
                idle.append(rest)
                want.append(-side * cmath.exp(1j * rng.normal(0.0, 0.6)) * rng.uniform(0.2, 1.5))
        n = len(at)
        self.n, self.at, self.want = n, np.array(at), np.array(want) * (rng.random(n) < 0.95)
        self.ids = rng.permutation(n).astype(np.int32)
        self.radius, self.speed = rng.uniform(0.25, 0.4, n), rng.uniform(0.5, 3.0, n)
        self.moving, self.holding = (rng.random((2, n)) < [[0.75], [0.1]]).astype(np.uint8)
        self.moving[idle] = 0
        self.stuck = rng.choice([0, 9, 10, 11, 19, 20, 21, 29, 31, 40, 45], n).astype(np.int16)
        self.lane_off = rng.choice([0.0, 0.08, 0.12, 0.15, 0.2], n)
        self.goal = rng.uniform(0.0, 1.0, n) + 0j
        self.give_angle = rng.uniform(-math.pi, math.pi, n)
        self.give_left = np.where(
            self.moving == 1, rng.choice([0, 0, 0, 1, 2, 5], n), -rng.choice([0, 1, 12, 14, 15, 16, 19, 20], n)
        ).astype(np.int32)
        self.give_to = np.where(self.give_left > 0, rng.integers(0, n, n), -1).astype(np.int32)
        self.home = self.at + rng.uniform(0.0, 5.0, n) * np.exp(1j * rng.uniform(0.0, math.tau, n))
        self.home[rng.random(n) < 0.4] = complex(math.nan, math.nan)
        close = rng.random(n) < 0.3
        self.home[close] = self.at[close] + rng.uniform(0.02, 0.09, close.sum())

    def decided(self):
        """Return give_left, give_angle, give_to, want and home after a tick."""
        x, y, wx, wy, gx, gy, hx, hy = (
            np.ascontiguousarray(part) for c in (self.at, self.want, self.goal, self.home) for part in (c.real, c.imag)
        )
        lattice, zeros = SpatialHash(self.n), np.zeros(self.n)
        lattice.build(
            self.ids, np.ones(self.n, np.uint8), x, y, zeros, zeros, self.radius, wx, wy, self.moving, self.holding
        )
        lattice.gather(1.0, 0)
        packed, work = SteeringSettings().packed(), np.zeros((3, self.n))
        left, angle, to = self.give_left.copy(), self.give_angle.copy(), self.give_to.copy()
        give_way(
            0, self.n, self.passable, packed, lattice.ids, lattice.order, lattice.body, lattice.contacts,
            lattice.contact_count, np.zeros(self.n, np.uint8), self.moving, self.holding, self.stuck, self.lane_off,
            self.speed, gx, gy, wx, wy, angle, left, to, hx, hy, work,
        )  # fmt: skip
        take_path(0, self.n, lattice.order, lattice.body, self.speed, wx, wy, angle, left, to, work)
        return left, angle, to, wx + 1j * wy, hx + 1j * hy

    def near(self, i):
        """Return the units that may touch unit i, by id."""
        reach = self.radius[i] + self.radius + 0.5
        return [q for q in np.argsort(self.ids) if q != i and abs(self.at[q] - self.at[i]) < reach[q]]


def dot(a, b):
    return (a.conjugate() * b).real


def cross(a, b):
    return (a.conjugate() * b).imag


def side_step(c, i, kept):
    """Return the step out of the lines of all units that come on.

    It is half of what is missing to one line, a third for each of two, and so on; the nearer side wins, or the side
    kept near the middle.
    """
    steps = []
    for q in c.near(i):
        if not c.moving[q] or abs(c.goal[i] - c.goal[q]) < 0.5 or c.want[q] == 0:
            continue
        way, there = c.want[q] / abs(c.want[q]), c.at[i] - c.at[q]
        reach, aside = c.radius[i] + c.radius[q] + 0.05, cross(way, there)
        if dot(way, there) > 0.0 and abs(aside) < reach:
            right = aside >= 0.0 if not kept or abs(aside) >= 0.5 * reach else cross(way, kept) > 0.0
            steps.append(1j * way * ((reach if right else -reach) - aside))
    return sum(steps) / max(2, 1 + len(steps))


def idles(c, i):
    """Return give_left, give_angle and want of an idle unit.

    It does not hold its position.
    """
    left, angle = min(0, int(c.give_left[i]) + 1), float(c.give_angle[i])
    step = side_step(c, i, cmath.exp(1j * angle) if left < -14 else 0)
    if abs(step) > 0.0:
        return -20, cmath.phase(step), step / abs(step) * min(0.5 * c.speed[i], abs(step) / 0.05)
    back = c.home[i] - c.at[i]
    if left < 0 or not abs(back) >= 0.05 or any(c.moving[q] for q in c.near(i)):
        return left, angle, 0j
    return left, angle, back / abs(back) * min(0.5 * c.speed[i], abs(back) / 0.05)


def lean(c, i, way, narrow):
    """Return the share of the step to the right.

    It is large on open ground and small in a street.
    """
    y, x = int(c.at[i].imag), int(c.at[i].real)
    line = c.passable[:, x] if abs(way.real) > abs(way.imag) else c.passable[y]
    at = y if abs(way.real) > abs(way.imag) else x
    walls = [k for k in range(-1, len(line) + 1) if k < 0 or k >= len(line) or not line[k]]
    before, behind = max(k for k in walls if k < at), min(k for k in walls if k > at)
    return 3.0 if min(at - before - 1, 4) + min(behind - at - 1, 4) + 1 > 4 else narrow


def walks(c, i):
    """Return give_left, give_angle and give_to of a moving unit.

    The most urgent claim of its neighbours decides.
    """
    left, angle = max(0, int(c.give_left[i]) - 1), float(c.give_angle[i])
    to, best = int(c.give_to[i]) if left > 0 else -1, -1.0
    if c.holding[i] or c.want[i] == 0:
        return left, angle, to
    mine = c.want[i] / abs(c.want[i])
    for q in c.near(i):
        gap = c.at[q] - c.at[i]
        far, touch, there = abs(gap), c.radius[i] + c.radius[q], gap / abs(gap)
        if not c.moving[q] or far - touch > 0.35:
            continue
        if c.give_left[q] > 1:  # passing it on
            way = cmath.exp(1j * c.give_angle[q])
            comes = dot(there, way) < 0.0 and abs(cross(there, way)) * far < touch
            if comes and dot(mine, way) < 0.3 and c.give_to[q] != c.ids[i] and c.give_left[q] > left:
                claim, ticks, urgency, lean_here = (
                    int(c.give_to[q]),
                    int(c.give_left[q]) - 1,
                    1.0 - dot(there, way),
                    0.0,
                )
            else:
                continue
        else:
            if c.want[q] == 0 or dot(mine, c.want[q]) >= 0.0 or (c.give_left[i] > 0 and c.give_to[i] != c.ids[q]):
                continue
            way, urgency = c.want[q] / abs(c.want[q]), dot(there, mine)
            if dot(mine, way) >= -0.4 or urgency <= 0.0 or abs(cross(there, way)) * far >= touch:
                continue
            later = c.ids[i] > c.ids[q]
            if c.lane_off[i] > 0.1 and 10 <= c.stuck[i] < c.stuck[q] + 20:  # lanes
                yields = c.lane_off[i] > c.lane_off[q] + (-0.05 if later else 0.05)
            else:  # single file
                yields = later and min(c.stuck[i], c.stuck[q]) >= 20
            if not yields:
                continue
            claim, ticks, lean_here = int(c.ids[q]), 6, 0.5
        if urgency > best:
            best, left, to = urgency, ticks, claim
            angle = cmath.phase(way + lean(c, i, way, lean_here) * 1j * mine)
    return left, angle, to


@pytest.mark.parametrize("passable", [OPEN, STREETS], ids=["open", "streets"])
@pytest.mark.parametrize("seed", range(4))
def test_every_unit_of_a_crowd_decides_by_the_rules(seed, passable):
    c = Crowd(seed, passable)
    left, angle, to, want, home = c.decided()
    gave = stepped = went = 0
    for i in range(c.n):
        if c.moving[i]:
            expected = walks(c, i)
            gave += expected[0] == 6 or expected[0] > c.give_left[i]
            go = min(0.4 * c.speed[i], 0.8) * cmath.exp(1j * expected[1]) if expected[0] > 0 else c.want[i]
        elif c.holding[i]:
            expected, go = (0, c.give_angle[i], -1), c.want[i]
        else:
            expected, go = (*idles(c, i)[:2], -1), idles(c, i)[2]
            stepped += expected[0] == -20
            went += expected[0] == 0 and go != 0
        assert (left[i], to[i]) == (expected[0], expected[2])
        assert cmath.exp(1j * angle[i]) == pytest.approx(cmath.exp(1j * expected[1]), abs=1e-9)
        assert want[i] == pytest.approx(go, abs=1e-9)
        alone = c.moving[i] and not c.near(i) and max(0, c.give_left[i] - 1) == 0
        keeps = not alone and abs(c.home[i] - c.at[i]) < 4.0  # false without a home
        assert home[i] == (c.home[i] if keeps else c.at[i])
    assert gave > 10 and stepped > 10 and went > 0


def test_a_unit_alone_gives_way_to_nobody_and_takes_its_place_for_home():
    c = Crowd(0, OPEN)
    c.at = np.array([complex(3.5 + 5 * (k % 7), 3.5 + 5 * (k // 7)) for k in range(49)] * 8)[: c.n]
    c.at += 0.0 + 100.0 * (np.arange(c.n) // 49)
    c.moving[:], c.holding[:] = 1, 0
    c.give_left[:] = np.arange(c.n) % 4
    left, _, to, want, home = c.decided()
    assert left.tolist() == np.maximum(c.give_left - 1, 0).tolist()
    assert (to[left == 0] == -1).all() and (to[left > 0] == c.give_to[left > 0]).all()
    assert (want[left == 0] == c.want[left == 0]).all()
    assert (home[left == 0] == c.at[left == 0]).all()
