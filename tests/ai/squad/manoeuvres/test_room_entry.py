"""Room entry by four, three and two; fall back to hidden tiles."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.manoeuvres.manoeuvre import ManoeuvreStage, MemberTask, SquadTask
from ai.squad.manoeuvres.room_entry import near_corners
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


class Watch:
    """Notes when each member enters, and the goals of the assault."""

    def __init__(self, squad: Parade) -> None:
        self.squad = squad
        self.entered: dict[int, int] = {}
        self.goals: dict[int, tuple[int, int]] = {}
        self.started: dict[int, int] = {}
        self.ready = -1

    def __call__(self, task: SquadTask) -> None:
        squad = self.squad
        at_the_door = np.hypot(squad.x - 11.5, squad.y - 6.5) < 7.0
        if self.ready < 0 and at_the_door[squad.alive].all():
            self.ready = squad.tick
        for row in np.flatnonzero(squad.alive).tolist():
            if task.task[row] == MemberTask.ASSAULT:
                self.started.setdefault(row, squad.tick)
                self.goals[row] = int(task.goal[row, 1]), int(task.goal[row, 0])
            if row not in self.entered and ROOM[int(squad.y[row]), int(squad.x[row])]:
                self.entered[row] = squad.tick


@pytest.mark.parametrize("many", [2, 3, 4, 6])
def test_all_stack_before_the_first_enters_and_the_variant_fits_the_number(many: int) -> None:
    """Two take corners, two more the inside of the door; others stay outside."""
    squad = Parade(HOUSE, [(2.5 + 2 * k, 10.5) for k in range(many)], [])
    squad.room, squad.door = ROOM, DOOR
    watch = Watch(squad)
    task = squad.run("clear_room", (11.5, 4.5), watch)
    assert task.stage == ManoeuvreStage.DONE, task.why
    times = sorted(watch.started.values())
    assert len(watch.entered) == len(times) == min(many, 4) and 0 <= watch.ready <= times[0]
    assert all(b - a >= 5 for a, b in pairwise(times))
    tiles = list(watch.goals.values())
    assert len(set(tiles)) == len(tiles) and {(5, 8), (5, 13)} <= set(tiles)
    assert all(ROOM[tile] for tile in tiles)
    assert {tile for tile in tiles if tile not in ((5, 8), (5, 13))} <= {(5, 10), (5, 12)}


def test_without_signals_the_first_enters_before_the_last_is_at_the_door() -> None:
    squad = Parade(HOUSE, [(11.5, 8.5), (12.5, 8.5), (2.5, 10.5), (0.5, 1.5)], [])
    squad.room, squad.door, squad.doctrine.signals = ROOM, DOOR, False
    watch = Watch(squad)
    squad.run("clear_room", (11.5, 4.5), watch)
    assert min(watch.entered.values()) < watch.ready or watch.ready < 0


@pytest.mark.parametrize(("falls", "left"), [(0, 3), (3, 3)])
def test_a_casualty_outside_changes_the_variant(falls: int, left: int) -> None:
    """The script of three replaces that of four, and the room is cleared."""
    squad = Parade(HOUSE, [(2.5 + k, 10.5) for k in range(4)], [])
    squad.room, squad.door = ROOM, DOOR
    watch = Watch(squad)

    def fall(task: SquadTask) -> None:
        squad.alive[falls] = squad.tick < 15
        watch(task)

    task = squad.run("clear_room", (11.5, 4.5), fall)
    assert task.stage == ManoeuvreStage.DONE and task.run is not None and task.run.script == f"room_{left}"
    assert len(watch.entered) == left


def test_a_casualty_inside_stops_nobody_and_a_last_one_gives_up() -> None:
    """The others come after a man that falls; one alone does not go in."""
    squad = Parade(HOUSE, [(2.5 + k, 10.5) for k in range(4)], [])
    squad.room, squad.door = ROOM, DOOR
    watch = Watch(squad)

    def fall(task: SquadTask) -> None:
        watch(task)
        for row in list(watch.entered)[:1]:
            squad.alive[row] = False

    assert squad.run("clear_room", (11.5, 4.5), fall).stage == ManoeuvreStage.DONE
    assert len(watch.entered) == 4
    squad = Parade(HOUSE, [(2.5, 10.5), (3.5, 10.5)], [])
    squad.room, squad.door = ROOM, DOOR

    def falls(task: SquadTask) -> None:
        squad.alive[1] = squad.tick < 15

    task = squad.run("clear_room", (11.5, 4.5), falls)
    assert (task.stage, task.why) == (ManoeuvreStage.ABORTED, "a room needs two")
    assert (task.task == MemberTask.COVER).all()


SHAPES = (
    ("#########", "#.......#", "#.......#", "####D####"),
    ("#########", "#.......#", "#.......#", "#D#######"),
    ("######   ", "#....#   ", "#....####", "#.......#", "####D####"),
    ("###D###  ", "#.....#  ", "#.....###", "#.......#", "#########"),
    ("#####", "#...#", "D...#", "#...#", "#####"),
    ("#######", "#..#..#", "#.....#", "###D###"),
)
"""Rectangle, door at a corner, two Ls, a square, a room with a pillar."""


@pytest.mark.parametrize("rows", SHAPES)
def test_corners_are_the_nearest_two_in_which_a_post_fits(rows: tuple[str, ...]) -> None:
    """The oracle walks over the letters: two walls that meet, not beside the door."""
    grid = {(y, x): c for y, row in enumerate(rows) for x, c in enumerate(row)}
    door = next(at for at, c in grid.items() if c == "D")
    fit = []
    for (y, x), c in grid.items():
        shut = {d: grid.get((y + d[0], x + d[1])) != "." for d in ((-1, 0), (1, 0), (0, -1), (0, 1))}
        meets = any(shut[v] and shut[h] for v in ((-1, 0), (1, 0)) for h in ((0, -1), (0, 1)))
        far = (y - door[0]) ** 2 + (x - door[1]) ** 2
        if c == "." and meets and far > 2:
            fit.append((far, y, x))
    room = np.array([[c == "." for c in row] for row in rows])
    assert near_corners(room, door).tolist() == [[y, x] for _, y, x in sorted(fit)[:2]]


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
