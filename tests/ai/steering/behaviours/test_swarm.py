"""Swarm: creatures stay around the target without falling together.

They follow the article's numbers.
"""

import math

import numpy as np
import pytest

from ai.core.rand import Stream, rand_unit
from ai.steering.behaviours.swarm import FASTEST, SwarmMinds, steer_as_swarm
from ai.steering.settings import SteeringSettings
from tests.ai.steering.arena import Arena
from tests.ai.steering.collision.test_crowds import room

DT = 0.05


class Creatures:
    """Bodies that follow the rule immediately, to show its effect alone."""

    def __init__(self, count, at, goal, passable=None, life=0, speed=4.3):
        self.passable = np.ones((60, 60), np.uint8) if passable is None else passable
        self.ids, self.life, self.tick = np.arange(count, dtype=np.int32), life, 0
        self.x, self.y = np.full(count, at[0]), np.full(count, at[1])
        self.facing = np.random.default_rng(1).uniform(-math.pi, math.pi, count)
        self.goal_x, self.goal_y = np.full(count, goal[0]), np.full(count, goal[1])
        self.moving, self.speed = np.ones(count, np.uint8), np.full(count, speed)
        self.vx, self.vy = np.zeros(count), np.zeros(count)
        self.minds = SwarmMinds()
        self.minds.reserve(count)

    def step(self, swarm_range=3.0):
        n, m = len(self.ids), self.minds
        away = np.hypot(self.goal_x - self.x, self.goal_y - self.y) + 1e-12
        self.vx, self.vy = (self.goal_x - self.x) / away, (self.goal_y - self.y) / away
        steer_as_swarm(
            self.passable, 5, self.tick, swarm_range, self.life, DT, self.ids, self.moving, np.zeros(n, np.uint8),
            self.x, self.y, np.full(n, 0.1), self.facing, self.speed, self.goal_x, self.goal_y, np.zeros(n, np.uint8),
            np.zeros(n, np.int16), self.vx, self.vy, m.heading, m.pace, m.age,
        )  # fmt: skip
        self.x, self.y = self.x + self.vx * DT, self.y + self.vy * DT
        self.tick += 1

    def off(self):
        """Return the article's signed 16-bit angle from heading to target.

        It is measured from the position before the move.
        """
        x, y = self.x - self.vx * DT, self.y - self.vy * DT
        bearing = np.floor(np.arctan2(self.goal_y - y, self.goal_x - x) * 65536 / math.tau).astype(int)
        return (bearing - self.before + 32768) % 65536 - 32768


def test_it_surrounds_its_target_and_does_not_collapse():
    swarm, means = Creatures(300, (12.0, 12.0), (30.0, 30.0)), []
    for tick in range(500):
        swarm.step()
        if tick >= 300:
            means.append(np.hypot(swarm.x - 30, swarm.y - 30).mean())
    assert 0.3 * 3.0 < np.mean(means) < 1.5 * 3.0
    bearing = np.arctan2(swarm.y - 30, swarm.x - 30)
    assert np.hypot(np.cos(bearing).mean(), np.sin(bearing).mean()) < 0.5, "the swarm surrounds it on all sides"
    assert len(np.unique(np.round(np.column_stack([swarm.x, swarm.y]), 2), axis=0)) > 250


def test_outside_each_has_a_top_pace_of_its_own_and_turns_by_a_fixed_angle():
    swarm = Creatures(64, (5.0, 5.0), (55.0, 55.0))
    for tick in range(120):
        swarm.before = swarm.minds.heading.astype(int)
        pace = swarm.minds.pace.copy()
        swarm.step()
        top = 24 + (np.arange(64) & 31)
        assert (swarm.minds.pace <= top).all()
        assert np.allclose(np.hypot(swarm.vx, swarm.vy), 4.3 * swarm.minds.pace / FASTEST)
        if tick == 0:
            continue
        assert (swarm.minds.pace == np.minimum(pace + 1, top)).all()
        off, turned = swarm.off(), (swarm.minds.heading - swarm.before + 32768) % 65536 - 32768
        far = np.abs(off) >= 0x1000
        assert (turned[far] == np.where(off[far] > 0, 0x400, -0x400)).all()
        assert (turned[~far] == (((tick - swarm.ids[~far]) * 8) % 256 - 128)).all()
    assert (swarm.minds.pace == top).all()


def test_inside_the_heading_goes_by_the_pace_and_the_pace_by_the_heading():
    swarm, seen = Creatures(64, (28.0, 30.0), (30.0, 30.0)), 0
    for tick in range(200):
        swarm.before, pace = swarm.minds.heading.astype(int), swarm.minds.pace.astype(int)
        inside = np.abs(swarm.x - 30.0) + np.abs(swarm.y - 30.0) <= 3.0
        swarm.step()
        if tick:
            turned = (swarm.minds.heading - swarm.before + 32768) % 65536 - 32768
            assert (turned[inside] == np.where(pace[inside] & 1, 0x200, -0x200)).all()
            assert (swarm.minds.pace[inside] == 48 - (np.abs(swarm.off()[inside]) >> 10)).all()
            seen += int(inside.sum())
    assert seen > 1000


def test_no_creature_enters_a_wall():
    maze = (np.random.default_rng(2).random((40, 40)) < 0.8).astype(np.uint8)
    maze[10:14, 10:14] = 1
    swarm = Creatures(60, (12.0, 12.0), (20.0, 20.0), maze)
    for _ in range(300):
        swarm.step()
        assert maze[swarm.y.astype(int), swarm.x.astype(int)].all()


def test_its_life_over_each_flees_and_then_walks_plainly_one_after_the_other():
    swarm, plain, away = Creatures(60, (28.0, 30.0), (30.0, 30.0), life=400), [], []
    for _ in range(420):
        swarm.step()
        toward = np.column_stack([swarm.goal_x - swarm.x, swarm.goal_y - swarm.y])
        left = swarm.minds.age > 400
        assert np.allclose(np.hypot(swarm.vx[left], swarm.vy[left]), 1.0), "its path velocity outside the swarm"
        plain.append(int(left.sum()))
        away.append(float(np.hypot(*toward.T).mean()))
    assert plain[290] == 0 and plain[-1] == 60 and len(set(plain)) > 20
    assert max(away[200:320]) > 2.0 * np.mean(away[50:150]), "it fled"


def test_in_the_world_a_swarm_circles_its_goal_and_neither_collapses_nor_rests():
    rng = np.random.default_rng(3)
    places = [(x + rng.uniform(-0.2, 0.2), y) for x in range(4, 10) for y in range(6, 12)]
    arena = Arena(
        room(24, 30), places, [(18.5, 12.5)] * 36, settings=SteeringSettings(method=3, avoidance=1), speed=3.0
    )
    arena.run(250, law=False)
    away, turned = [], 0.0
    facing = arena.b.facing.copy()
    for _ in range(100):
        arena.step()
        away.append(np.hypot(arena.b.x - 18.5, arena.b.y - 12.5))
        turned += float(np.abs((arena.b.facing - facing + np.pi) % (2 * np.pi) - np.pi).mean())
        facing = arena.b.facing.copy()
    assert arena.b.moving.all()
    assert 0.3 * 3.0 <= np.mean(away) <= 1.5 * 3.0
    assert turned > 4.0, "two thirds of a turn each in five seconds"
    assert arena.worst_overlap_ticks <= 5


def lone(passable, heading):
    """Return a creature of pace 20, in the swarm and far from its goal."""
    one = Creatures(1, (5.5, 5.5), (50.0, 50.0), passable, speed=11.0)
    one.minds.heading[0], one.minds.pace[0], one.minds.age[0] = heading, 20, 5
    return one


@pytest.mark.parametrize("quarter", range(4))
@pytest.mark.parametrize("shut", ["", "front", "back", "both"])
def test_before_a_wall_it_turns_round_and_between_two_it_stands(quarter, shut):
    """Four headings; walls half a tile before it, behind it, or both."""
    heading, ahead = 0x4000 * quarter, 1j**quarter
    passable = np.ones((60, 60), np.uint8)
    for side, there in (("front", ahead), ("back", -ahead)):
        if shut in (side, "both"):
            passable[int(5 + there.imag), int(5 + there.real)] = 0
    one = lone(passable, heading)
    one.speed[:] = 55.0  # a step of 1.05 tiles at a pace of 21
    one.step()
    turned = (one.minds.heading[0] - heading + 32768) % 65536 - 32768
    assert abs(abs(turned) - (0x8000 if shut in ("front", "both") else 0)) <= 0x400
    going = complex(one.vx[0], one.vy[0])
    assert abs(going) == pytest.approx(0.0 if shut == "both" else 21.0)
    if shut != "both":
        assert (going * ahead.conjugate()).real * (-1 if shut == "front" else 1) > 20.0


@pytest.mark.parametrize("off", [0, 17, 4095, 4096, 4097, 30000, -1, -4095, -4096, -4097, -32768])
def test_a_target_within_the_lock_angle_is_not_turned_to(off):
    one = lone(None, 0)
    bearing = math.floor(math.atan2(50.0 - one.y[0], 50.0 - one.x[0]) * 65536 / math.tau)
    one.minds.heading[0] = (bearing - off) % 65536
    one.tick = 9
    one.step()
    turned = (one.minds.heading[0] - (bearing - off) + 32768) % 65536 - 32768
    assert turned == (9 * 8 - 128 if abs(off) < 4096 else 0x400 if off > 0 else -0x400)


def test_first_ages_are_drawn_by_seed_and_id_and_headings_begin_at_the_facing():
    swarm = Creatures(200, (5.0, 5.0), (55.0, 55.0))
    facing = np.floor(swarm.facing * 65536 / math.tau).astype(int)
    swarm.step()
    with np.errstate(over="ignore"):  # the dice multiply modulo 2**64
        drawn = [1 + int(rand_unit(5, int(Stream.STEERING), 0, i, 46) * 100) for i in range(200)]
    assert (swarm.minds.age - 1).tolist() == drawn and min(drawn) < 10 and max(drawn) > 90
    turned = (swarm.minds.heading - facing + 32768) % 65536 - 32768
    assert (np.abs(turned) <= 0x400).all()
    swarm.moving[:5] = 0
    before = swarm.minds.heading[:5].copy()
    swarm.step()
    assert (swarm.minds.age[:5] == 0).all() and (swarm.minds.heading[:5] == before).all()
    assert (swarm.minds.age[5:] == np.array(drawn[5:]) + 2).all()
