"""Right of way for groups at a narrow place of their paths.

The ground is open, so the table of passages knows no claim: the rule among groups decides.
"""

import math

import numpy as np
import pytest

from ai.formation.group_entity import G_ALONG, G_DEPTH, G_STOP, T_BROKEN, T_STATE, Broken, GroupState
from ai.formation.path_corridor import GroupPath
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.systems.groups.march.group_right_of_way import give_way
from game.world.orders import Order, OrderKind
from game.world.world import World
from tests.game.sim.small_levels import load, write

FREE = 1e9
NARROW = slice(18, 23)
"""Tiles 18 to 22 along a path of forty, where one body fits."""


def path(x: float, y: float, degrees: float) -> GroupPath:
    """Return a straight path of forty tiles whose middle is (x, y)."""
    turn = math.radians(degrees)
    at = np.arange(41.0)[:, None] - 20.0
    sides = np.full(41, 3.0)
    sides[NARROW] = 0.5
    return GroupPath(np.array([[x, y]]) + at * [[math.cos(turn), math.sin(turn)]], 1.0, sides, sides.copy())


@pytest.fixture(scope="module")
def open_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make three groups of two units on open ground."""
    builder = LevelBuilder.from_letters("\n".join(["." * 60] * 60), title="Field")
    for k in range(6):
        builder.add("spawn", 10.5, 10.5 + 3 * k, side="raiders", kind="raider")
    session = Session(load(write(tmp_path_factory.mktemp("field"), builder)), recording=False)
    for k in range(3):
        session.give(Order(int(OrderKind.FORMATION), 0, (k, k + 3), name="shape", text="line"))
        session.give(Order(int(OrderKind.MOVE), 0, (k, k + 3), 50.5, 30.5))
    for _ in range(2):
        session.advance()
    return session.world


def stops(world: World, *groups: tuple[GroupPath, float], sides: tuple[int, ...] = (0, 0, 0)) -> list[float]:
    """Return where groups must stop, given their paths and their places on them.

    A group without a path stands.
    """
    rows = sorted(world.groups.rows)
    assert len(rows) == 3
    for row, side in zip(rows, sides, strict=True):
        world.groups.rows[row].side = side
        world.groups.tag[row, [T_STATE, T_BROKEN]] = GroupState.STANDING, Broken.NO
        world.groups.num[row, [G_STOP, G_DEPTH]] = 5.0, 2.0
    for row, (way, along) in zip(rows, groups, strict=False):
        world.groups.rows[row].path = way
        world.groups.num[row, G_ALONG] = along
        world.groups.tag[row, T_STATE] = GroupState.MARCHING
    while not world.turns.due("right_of_way", world.tick):
        world.tick += 1
    give_way(world)
    out = world.groups.num[rows, G_STOP].tolist()[: len(groups)]
    waits = world.groups.tag[rows, T_BROKEN].tolist()[: len(groups)]
    assert [w == Broken.WAITING for w in waits] == [stop != FREE for stop in out]
    return out


WAITS = 18.0 - 2.5 - 1.0
"""Stop of a group of depth 2, 2.5 tiles before the place."""


@pytest.mark.parametrize("turn", [0.0, 45.0, 90.0, 137.0, 200.0, 300.0])
def test_of_two_that_come_from_opposite_sides_the_nearer_goes(open_world: World, turn: float) -> None:
    """The one inside goes before all, and of equals the older one."""
    one, two = path(30, 30, turn), path(30, 30, turn + 180.0)
    assert stops(open_world, (one, 10.0), (two, 8.0)) == [FREE, WAITS]
    assert stops(open_world, (one, 8.0), (two, 10.0)) == [WAITS, FREE]
    assert stops(open_world, (one, 10.0), (two, 10.0)) == [FREE, WAITS]
    assert stops(open_world, (one, 16.9), (two, 20.0)) == [WAITS, FREE], "one is before it, the other in it"
    assert stops(open_world, (one, 20.0), (two, 19.0)) == [FREE, WAITS], "both are in it"
    assert stops(open_world, (one, 8.0), (two, 10.0), (two, 9.0)) == [WAITS, FREE, FREE], "two from one side"


@pytest.mark.parametrize("apart", [-170.0, -120.0, -91.0, -89.0, -30.0, 0.0, 30.0, 89.0, 91.0, 120.0, 170.0])
def test_only_oncoming_groups_wait_for_each_other(open_world: World, apart: float) -> None:
    """Ways of oncoming groups differ by more than a right angle."""
    for turn in (0.0, 70.0, 160.0, 250.0):
        one, two = path(30, 30, turn), path(30, 30, turn + apart)
        assert (stops(open_world, (one, 8.0), (two, 10.0)) == [WAITS, FREE]) == (abs(apart) > 90.0)


@pytest.mark.parametrize(
    ("dx", "dy"),
    [(1.9, 0), (-1.9, 0), (2.1, 0), (-2.1, 0), (0, 1.9), (0, -1.9), (0, 2.1), (0, -2.1), (1.4, 1.4), (1.5, -1.5)],
)
def test_two_narrow_places_are_one_if_their_middles_are_within_two_tiles(
    open_world: World, dx: float, dy: float
) -> None:
    one, two = path(30, 30, 0.0), path(30 + dx, 30 + dy, 180.0)
    expected = [WAITS, FREE] if math.hypot(dx, dy) < 2.0 else [FREE, FREE]
    assert stops(open_world, (one, 8.0), (two, 10.0)) == expected


def test_enemies_give_no_right_of_way_and_groups_that_stand_none(open_world: World) -> None:
    one, two = path(30, 30, 0.0), path(30, 30, 180.0)
    assert stops(open_world, (one, 8.0), (two, 10.0), sides=(0, 1, 0)) == [FREE, FREE]
    assert stops(open_world, (one, 8.0)) == [FREE]


def test_it_is_decided_every_few_ticks_and_only_where_the_setting_allows_it(open_world: World) -> None:
    one, two = path(30, 30, 0.0), path(30, 30, 180.0)
    stops(open_world, (one, 8.0), (two, 10.0))
    rows = sorted(open_world.groups.rows)
    open_world.groups.num[rows, G_STOP] = 5.0
    open_world.tick += 1
    assert not open_world.turns.due("right_of_way", open_world.tick)
    give_way(open_world)
    assert (open_world.groups.num[rows, G_STOP] == 5.0).all()
    while not open_world.turns.due("right_of_way", open_world.tick):
        open_world.tick += 1
    open_world.settings.formation.give_way = False
    give_way(open_world)
    assert (open_world.groups.num[rows, G_STOP] == 5.0).all()
    open_world.settings.formation.give_way = True
    give_way(open_world)
    assert open_world.groups.num[rows, G_STOP].tolist()[:2] == [WAITS, FREE]
