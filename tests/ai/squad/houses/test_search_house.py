"""House search: a guard sees each exit, each room is searched once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ai.grid.areas import area_graph
from ai.perception.sight.line_of_sight import line_clear
from ai.squad.houses.decision_support import house_of
from ai.squad.houses.search_house import CHECK, GUARDS, SEARCHERS
from ai.squad.manoeuvres.manoeuvre import THERE, ManoeuvreStage, MemberTask, SquadTask
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

ROWS = (
    *["." * 26] * 4,
    "......##############......",
    "......#....#...#...#......",
    "......#....#...#...#......",
    "...................#......",
    "......#....#...#...#......",
    "......#....#...#...#......",
    "......######.###.###......",
    *["." * 26] * 5,
)
"""Three rooms in a row, with ways out in the west and the south."""


def _squad(many: int) -> Parade:
    squad = Parade(terrain_of(*ROWS), [(1.5 + k % 2, 5.5 + k) for k in range(many)], [])
    floor = squad.terrain.passable != 0
    graph = area_graph(floor, floor)
    squad.house = house_of(graph, int(graph.area[6, 8]), (1.5, 7.5), 60)
    return squad


def test_guards_first_then_each_room_once_with_a_check_of_each_doorway() -> None:
    squad = _squad(5)
    house = squad.house
    assert house is not None and len(house.rooms) == 3 and len(house.exits) == 3
    checked: dict[int, int] = {}
    entered: dict[int, int] = {}
    posts: dict[int, tuple[int, int]] = {}
    outside: list[int] = []

    def watch(task: SquadTask) -> None:
        at = house.area[squad.y.astype(int), squad.x.astype(int)]
        team = np.flatnonzero(task.team == SEARCHERS)
        if task.stage == ManoeuvreStage.MOVE_TO_START:
            posts.update({row: (int(task.goal[row, 1]), int(task.goal[row, 0])) for row in range(5)})
            outside.append(squad.tick)
            assert not np.isin(at, house.rooms).any()
        if task.stage != ManoeuvreStage.EXECUTE:
            return
        for row in np.flatnonzero(task.team == GUARDS).tolist():
            ey, ex = house.exits[task.leg[row]]
            assert np.hypot(squad.y[row] - posts[row][0] - 0.5, squad.x[row] - posts[row][1] - 0.5) <= THERE
            assert line_clear(squad.terrain.opaque, *posts[row], ey, ex)
        k, inside = divmod(task.phase, 2)
        if k < 3 and not inside and (task.task[team] == MemberTask.COVER).all():
            checked[k] = checked.get(k, 0) + 1
        for room in set(at[team].tolist()) & set(house.rooms):
            entered.setdefault(house.rooms.index(room), squad.tick)

    task = squad.run("search_house", (8.5, 6.5), watch)
    assert task.stage == ManoeuvreStage.DONE, task.why
    assert outside and sorted(entered) == [0, 1, 2]
    assert all(entered[a] < entered[b] for a, b in pairwise(sorted(entered)))
    assert all(checked[k] >= CHECK for k in range(3))
    assert sorted(task.leg[task.team == GUARDS].tolist()) == [0, 1, 2]


def test_too_few_are_told_so_and_without_guards_all_search() -> None:
    squad = _squad(3)
    assert squad.run("search_house", (8.5, 6.5), lambda task: None).why == "it has 3 exits, and we are 3"
    squad = _squad(2)
    squad.doctrine.guards_exits = False
    task = squad.run("search_house", (8.5, 6.5), lambda task: None)
    assert task.stage == ManoeuvreStage.DONE and (task.team == SEARCHERS).all()
    squad.house = None
    assert squad.run("search_house", (8.5, 6.5), lambda task: None).why == "no house with exits is meant"


def test_a_search_whose_team_dies_ends() -> None:
    """The guards stay, and nobody has a stale command."""
    squad = _squad(5)

    def fall(task: SquadTask) -> None:
        if task.stage == ManoeuvreStage.EXECUTE:
            squad.alive[task.team == SEARCHERS] = False

    task = squad.run("search_house", (8.5, 6.5), fall)
    assert task.ended and (task.task == MemberTask.COVER).all()
