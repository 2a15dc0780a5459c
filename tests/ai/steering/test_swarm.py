"""The swarm keeps about its target without falling together, and follows the article's numbers."""

import numpy as np
import pytest

from ai.rand import Stream
from ai.steering.swarm import Swarm

FIELD = np.ones((60, 60), np.uint8)


def warm(count=300, ticks=300):
    swarm = Swarm.released(count, 12.0, 12.0, seed=5, stream=int(Stream.STEERING))
    swarm.life = 100_000
    for tick in range(ticks):
        swarm.step(FIELD, 1, tick, (30.0, 30.0))
    return swarm


def test_it_surrounds_its_target_and_does_not_collapse():
    swarm = warm()
    means = []
    for tick in range(300, 600):
        swarm.step(FIELD, 1, tick, (30.0, 30.0))
        means.append(np.hypot(swarm.x - 30, swarm.y - 30).mean())
    assert 0.3 * swarm.swarm_range < np.mean(means) < 1.5 * swarm.swarm_range
    bearing = np.arctan2(swarm.y - 30, swarm.x - 30)
    assert np.hypot(np.cos(bearing).mean(), np.sin(bearing).mean()) < 0.5, "it stands on all sides"
    assert len(np.unique(np.round(np.column_stack([swarm.x, swarm.y]), 2), axis=0)) > 250


def test_each_has_its_own_top_speed_outside_and_the_formula_inside():
    swarm = Swarm.released(64, 5.0, 5.0, seed=1, stream=int(Stream.STEERING))
    for tick in range(120):
        before = swarm.x.copy(), swarm.y.copy()
        swarm.step(FIELD, 1, tick, (55.0, 55.0))
        assert (swarm.speed <= 24 + (np.arange(64) & 31)).all()
        assert np.hypot(swarm.x - before[0], swarm.y - before[1]).max() <= 55 / 256 + 1e-9
    inside = warm()
    near = np.abs(inside.x - 30) + np.abs(inside.y - 30) < inside.swarm_range - 0.3
    assert near.sum() > 30
    assert ((inside.speed[near] >= 16) & (inside.speed[near] <= 48)).all()


def test_nobody_is_ever_in_a_wall_and_the_swarm_disperses_in_the_end():
    rng = np.random.default_rng(2)
    maze = (rng.random((40, 40)) < 0.8).astype(np.uint8)
    maze[10:14, 10:14] = 1
    swarm = Swarm.released(100, 12.0, 12.0, seed=3, stream=int(Stream.STEERING))
    swarm.life = 500
    alive = []
    for tick in range(520):
        swarm.step(maze, 1, tick, (20.0, 20.0))
        on = swarm.active == 1
        assert maze[swarm.y[on].astype(int), swarm.x[on].astype(int)].all()
        alive.append(int(on.sum()))
    assert alive[190] == 100
    assert len(set(alive)) > 10, "one by one"
    assert alive[-1] == 0


def test_bad_input_is_told():
    with pytest.raises(ValueError, match="at least 0"):
        Swarm.released(-1, 0, 0, seed=1, stream=4)
