"""Path tests: paths of wide bodies, against distances and a flood by hand."""

from collections import deque
from itertools import pairwise

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.systems.sandbox.path_test import roomy, try_path
from tests.game.sim.small_levels import write

MAP = """
....................
....................
....................
....................
########.###...#####
....................
....................
....................
....................
....................
"""
"""A wall with a gap of one tile and a gap of three tiles."""


@pytest.fixture
def world(tmp_path):
    return Session(load_level(write(tmp_path, LevelBuilder.from_letters(MAP)))).world


def gap_of(test) -> float:
    """Return x where the path crosses the wall."""
    points = test.stages[-1].points
    for (ax, ay), (bx, by) in pairwise(points):
        if min(ay, by) <= 4.5 <= max(ay, by):
            return ax + (bx - ax) * (4.5 - ay) / (by - ay)
    raise AssertionError("the path does not cross the wall")


def test_a_slim_body_takes_the_near_gap_and_a_wide_one_the_far_gap(world):
    before = world.hash()
    slim = try_path(world, (8.5, 2.5), (8.5, 6.5), 0.3)
    assert slim.found and 8 <= gap_of(slim) <= 9 and abs(slim.length - 4.0) < 0.5
    wide = try_path(world, (8.5, 2.5), (8.5, 6.5), 1.2)
    assert wide.found and 13 <= gap_of(wide) <= 14 and wide.length > 10 and wide.nodes > 0
    assert wide.cost >= wide.length - 1e-9 and wide.told
    assert try_path(world, (8.5, 2.5), (8.5, 6.5), 1.6).fault == "the start is too narrow for the body"
    assert try_path(world, (8.5, 2.5), (2.5, 4.5), 0.3).fault == "the goal is blocked"
    assert try_path(world, (8.5, 2.5), (99.5, 2.5), 0.3).fault == "the goal lies outside the map"
    assert world.hash() == before, "a test changes nothing in the world"
    world.terrain.edit(4, 8, 5, 15, passable=0)
    shut = try_path(world, (8.5, 2.5), (8.5, 6.5), 0.3)
    assert not shut.found and shut.fault == "no path leads there"


def test_room_is_the_distance_of_a_tiles_middle_to_the_nearest_wall(world):
    passable = world.terrain.passable
    height, width = passable.shape
    ys, xs = np.mgrid[-3 : height + 3, -3 : width + 3]
    shut = np.array(
        [
            [not (0 <= y < height and 0 <= x < width) or not passable[y, x] & 1 for x in range(-3, width + 3)]
            for y in range(-3, height + 3)
        ]
    )
    for radius in (0.3, 0.8, 1.2, 1.6):
        found = roomy(passable, radius)
        for y, x in ((0, 0), (3, 8), (5, 8), (4, 8), (4, 13), (6, 13), (8, 10), (4, 4)):
            away = np.hypot(np.maximum(abs(ys - y) - 0.5, 0), np.maximum(abs(xs - x) - 0.5, 0))
            assert bool(found[y, x] & 1) == (away[shut].min() >= radius or (radius <= 0.5 and not shut[y + 3, x + 3]))


def test_reachable_means_reachable_by_a_flood(world):
    wide = roomy(world.terrain.passable, 0.8)
    seen, todo = {(2, 3)}, deque([(2, 3)])
    while todo:
        y, x = todo.popleft()
        for step in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
            if step not in seen and 0 <= step[0] < 10 and 0 <= step[1] < 20 and wide[step] & 1:
                seen.add(step)
                todo.append(step)
    assert ((7, 3) in seen) == try_path(world, (3.5, 2.5), (3.5, 7.5), 0.8).found
