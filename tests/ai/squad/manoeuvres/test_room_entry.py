"""Room entry by four, three and two; fall back to hidden tiles."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.manoeuvres.manoeuvre import ManoeuvreStage, MemberTask, SquadTask
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

HOUSE = terrain_of(
    "....................",
    "....................",
    ".......########.....",
    ".......#......#.....",
    ".......#......#.....",
    ".......#......#.....",
    ".......####.###.....",
    "....................",
    "....................",
    "....................",
    "....................",
)
ROOM = np.zeros((11, 20), bool)
ROOM[3:6, 8:14] = True
DOOR = (6, 11)


@pytest.mark.parametrize("many", [2, 3, 4])
def test_all_stack_before_one_after_the_other_enters(many: int) -> None:
    """Entries are ten ticks apart, and the first two go to opposite sides."""
    squad = Parade(HOUSE, [(2.5 + k, 10.5) for k in range(many)], [])
    squad.room, squad.door = ROOM, DOOR
    entered: dict[int, int] = {}
    stacked: list[bool] = []

    def watch(task: SquadTask) -> None:
        if task.stage == ManoeuvreStage.MOVE_TO_START:
            assert not any(ROOM[int(y), int(x)] for x, y in task.goal.tolist())
        for row in np.flatnonzero(task.task == MemberTask.ASSAULT).tolist():
            if row not in entered:
                entered[row] = squad.tick
                stacked.append(bool((np.hypot(squad.x - 11.5, squad.y - 6.5) < 7.0).all()))
                goals.append((task.goal[row, 0], task.goal[row, 1]))

    goals: list[tuple[float, float]] = []
    task = squad.run("clear_room", (11.5, 4.5), watch)
    assert task.stage == ManoeuvreStage.DONE, task.why
    assert stacked and stacked[0]
    assert len(entered) == min(many, 3)
    times = sorted(entered.values())
    assert all(b - a >= 10 for a, b in pairwise(times))
    assert (goals[0][0] - 11.5) * (goals[1][0] - 11.5) < 0
    assert all(ROOM[int(y), int(x)] for x, y in goals)


def test_without_a_room_or_with_one_member_it_is_refused() -> None:
    """The refusal names what is missing."""
    squad = Parade(HOUSE, [(2.5, 10.5), (3.5, 10.5)], [])
    assert squad.run("clear_room", (11.5, 4.5), lambda task: None).why == "no room is meant"
    squad = Parade(HOUSE, [(2.5, 10.5)], [])
    squad.room, squad.door = ROOM, DOOR
    assert squad.run("clear_room", (11.5, 4.5), lambda task: None).why == "a room needs two"


def test_falling_back_ends_out_of_sight() -> None:
    """Every member has its own tile that the enemy does not see."""
    squad = Parade(HOUSE, [(9.5, 8.5), (10.5, 8.5), (12.5, 8.5)], [(10.5, 10.5)])
    places: list[tuple[float, float]] = []

    def watch(task: SquadTask) -> None:
        if task.stage == ManoeuvreStage.MOVE_TO_START and not places:
            places.extend((float(x), float(y)) for x, y in task.goal.tolist())

    assert squad.run("fall_back", (0.0, 0.0), watch).stage == ManoeuvreStage.DONE
    assert len(set(places)) == 3
    assert not any(line_clear(HOUSE.opaque, 10, 10, int(y), int(x)) for x, y in places)
