"""Exit cover: each exit is seen by its guard, or the order is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.manoeuvres.exit_cover import COVER_EXITS, FARTHEST, exit_place
from ai.squad.manoeuvres.manoeuvre import begin
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

HOUSE = terrain_of(
    *["." * 24] * 4,
    "........#######.........",
    "........#.....#.........",
    "........#...............",
    "........#.....#.........",
    "........###.###.........",
    *["." * 24] * 6,
)
ROOM = np.zeros(HOUSE.passable.shape, bool)
ROOM[5:8, 9:14] = True
EXITS = ((6, 14), (8, 11))


def _situation(count: int) -> Parade:
    squad = Parade(HOUSE, [(3.5, 2.5 + k) for k in range(count)], [])
    squad.room = ROOM
    return squad


def test_each_exit_has_one_guard_outside_that_sees_it() -> None:
    """The oracle is a line of sight from each guard's place to its exit."""
    squad = _situation(3)
    s = squad.situation()
    s = type(s)(**{**s.__dict__, "exits": EXITS})
    task = begin("cover_exits", range(3), (11.5, 6.5), 0, 600)
    assert COVER_EXITS.brief(task, s) == ""
    guards = {int(task.leg[row]): row for row in range(3) if task.leg[row] >= 0}
    assert sorted(guards) == [0, 1]
    for k, row in guards.items():
        x, y = task.goal[row].tolist()
        ey, ex = EXITS[k]
        assert not ROOM[int(y), int(x)]
        assert line_clear(HOUSE.opaque, int(y), int(x), ey, ex)
        assert np.hypot(x - ex - 0.5, y - ey - 0.5) <= FARTHEST
        assert task.watch[row].tolist() == [ex + 0.5, ey + 0.5]
    assert task.spots.tolist() == [[x + 0.5, y + 0.5] for y, x in EXITS], "the middles of the exits"


def test_too_few_members_are_told_so() -> None:
    squad = _situation(1)
    s = squad.situation()
    s = type(s)(**{**s.__dict__, "exits": EXITS})
    assert COVER_EXITS.brief(begin("cover_exits", range(1), (11.5, 6.5), 0, 600), s) == "it has 2 exits, and we are 1"


@pytest.mark.parametrize("seed", range(8))
def test_a_guard_gets_the_nearest_place_of_a_ring_about_the_exit(seed: int) -> None:
    """Compare with a loop over all tiles from two to five tiles away."""
    rng = np.random.default_rng(seed)
    s, ends = _situation(1).situation(), set()
    for dx, dy in [(2, 0), (-2, 0), (0, 2), (0, -2), *rng.uniform(-6, 6, (12, 2)).tolist()]:
        for ey, ex in EXITS:
            near = ex + 0.5 + dx, ey + 0.5 + dy
            found = []
            for y, x in np.argwhere(HOUSE.passable & 1 > 0).tolist():
                far = math.hypot(y - ey, x - ex)
                if 2 <= far <= 5 and not ROOM[y, x] and line_clear(HOUSE.opaque, y, x, ey, ex):
                    found.append((math.hypot(x + 0.5 - near[0], y + 0.5 - near[1]), y, x, far))
            _, y, x, far = min(found)
            assert exit_place(s, (ey, ex), near, ROOM) == (x + 0.5, y + 0.5)
            ends.add(far)
    assert 2.0 in ends
