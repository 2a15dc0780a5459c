"""Exit cover: each exit is seen by its guard, or the order is refused."""

from __future__ import annotations

import numpy as np

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.manoeuvres.exit_cover import COVER_EXITS, FARTHEST
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


def test_too_few_members_are_told_so() -> None:
    squad = _situation(1)
    s = squad.situation()
    s = type(s)(**{**s.__dict__, "exits": EXITS})
    assert COVER_EXITS.brief(begin("cover_exits", range(1), (11.5, 6.5), 0, 600), s) == "it has 2 exits, and we are 1"
