"""Door assault: ways round the room, one start for all, allotted doors."""

from __future__ import annotations

import numpy as np

from ai.squad.houses.door_assault import shares
from ai.squad.manoeuvres.manoeuvre import ManoeuvreStage, MemberTask, SquadTask
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

HOUSE = terrain_of(
    *["." * 24] * 3,
    "........#######.........",
    "........#.....#.........",
    "..............#.........",
    "........#.....#.........",
    "........#.....#.........",
    "........###.###.........",
    *["." * 24] * 5,
)
ROOM = np.zeros(HOUSE.passable.shape, bool)
ROOM[4:8, 9:14] = True
EXITS = ((5, 8), (8, 11))
FIVE = [(2.5, 4.5), (3.5, 5.5), (2.5, 6.5), (4.5, 6.5), (3.5, 7.5)]


def _squad(exits: tuple[tuple[int, int], ...] = EXITS) -> Parade:
    squad = Parade(HOUSE, FIVE, [])
    squad.room, squad.exits = ROOM, exits
    return squad


def test_all_wait_at_their_doors_and_no_way_leads_through_the_room() -> None:
    squad = _squad()
    entered: dict[int, int] = {}
    ready: list[int] = []

    def watch(task: SquadTask) -> None:
        inside = ROOM[squad.y.astype(int), squad.x.astype(int)]
        if task.phase == 0:
            assert not inside.any()
            goals = task.goal[task.task != MemberTask.COVER]
            assert not ROOM[goals[:, 1].astype(int), goals[:, 0].astype(int)].any()
        elif not ready:
            for row, door in enumerate(task.team.tolist()):
                ready.append(door)
                assert np.hypot(squad.x[row] - EXITS[door][1] - 0.5, squad.y[row] - EXITS[door][0] - 0.5) < 6.0
        for row in np.flatnonzero(inside).tolist():
            entered.setdefault(row, squad.tick)

    task = squad.run("door_assault", (11.5, 5.5), watch)
    assert task.stage == ManoeuvreStage.DONE, task.why
    assert sorted(ready) == [0, 0, 0, 1, 1] and len(entered) == 5
    first = [min(tick for row, tick in entered.items() if task.team[row] == door) for door in (0, 1)]
    assert abs(first[0] - first[1]) <= 20


def test_one_door_or_one_member_is_no_assault_by_doors() -> None:
    words = "fewer than two doors can be reached from outside"
    assert _squad(EXITS[:1]).run("door_assault", (11.5, 5.5), lambda task: None).why == words
    squad = _squad()
    squad.alive[1:] = False
    assert squad.run("door_assault", (11.5, 5.5), lambda task: None).why == "two doors need two"
    squad.room = None
    assert squad.run("door_assault", (11.5, 5.5), lambda task: None).why == "no room is meant"


def test_a_door_far_behind_a_wall_is_dropped() -> None:
    """The way to the southern door leads round a long wall."""
    wall = np.zeros((46, 24), bool)
    wall[: HOUSE.height] = HOUSE.passable == 0
    wall[9:45, 7] = wall[:3, 15] = True
    squad = Parade(terrain_of(*("".join(".#"[w] for w in row) for row in wall.tolist())), FIVE, [])
    squad.room, squad.exits = np.zeros(wall.shape, bool), EXITS
    squad.room[4:8, 9:14] = True
    words = "fewer than two doors can be reached from outside"
    assert squad.run("door_assault", (11.5, 5.5), lambda task: None).why == words


def test_doors_take_the_nearest_member_by_turns() -> None:
    walks = np.array([[1.0, 2.0, 3.0, 9.0], [5.0, 4.0, 6.0, 2.0]])
    assert shares(walks) == [(0, 0), (3, 1), (1, 0), (2, 1)]
