"""Pouring through a choke point against places counted along the path."""

import numpy as np
import pytest

from ai.formation.group_entity import (
    G_ALONG,
    G_BEHIND,
    G_FACING,
    G_HEADING,
    G_SPEED,
    G_X,
    G_Y,
    T_BROKEN,
    T_STATE,
    Broken,
    GroupState,
)
from ai.formation.path_corridor import GroupPath
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.systems.groups.march.marching import _pour
from game.systems.groups.slot_arrangement import preferred
from game.world.orders import Order, OrderKind
from game.world.world import World, restore_world
from tests.game.sim.small_levels import load, write
from tests.game.systems.groups.test_groups import GATE, sent, session_with, told


@pytest.fixture(scope="module")
def formed(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make a group of nine in a box on open ground."""
    builder = LevelBuilder.from_letters("\n".join(["." * 70] * 40), title="Field")
    for i in range(9):
        builder.add("spawn", 6.5 + i % 3 * 1.1, 18.5 + i // 3 * 1.1, side="raiders", kind="raider")
    session = Session(load(write(tmp_path_factory.mktemp("field"), builder)), recording=False)
    session.give(Order(int(OrderKind.FORMATION), 0, tuple(range(9)), name="shape", text="box"))
    session.give(Order(int(OrderKind.MOVE), 0, tuple(range(9)), 60.5, 20.5))
    for _ in range(3):
        session.advance()
    return session.world


def poured(world: World, gate: tuple[float, float], step: float, degrees: float, along: float, behind: float = 0.0):
    """Let the group pour on a path of 40 tiles; return its world.

    The path is narrow in the gate. Row, answer and depth of the group follow.

    ``behind`` is how far before the path's end the group ends.
    """
    world = restore_world(world.snapshot())
    row = next(iter(world.groups.rows))
    group, num = world.groups.rows[row], world.groups.num[row]
    turn, at = np.radians(degrees), np.arange(0.0, 40.0 + 1e-9, step)
    sides = np.where((at >= gate[0]) & (at <= gate[1]), 0.6, 6.0)
    points = np.array([35.0, 20.0]) + (at - 20.0)[:, None] * [np.cos(turn), np.sin(turn)]
    group.path = GroupPath(points, step, sides, sides.copy())
    num[[G_ALONG, G_SPEED, G_BEHIND, G_FACING]] = along, 3.0, behind, 1.25
    num[[G_X, G_Y]] = points[0]
    world.groups.tag[row, T_STATE] = GroupState.MARCHING
    before = world.hash()
    done = _pour(world, group, row, world.units.slots(group.members))
    if not done:
        assert world.hash() == before, "nothing has changed"
    return world, row, done, preferred(world, group).depth


def place(degrees: float, along: float) -> tuple[float, float]:
    turn = np.radians(degrees)
    return 35.0 + (along - 20.0) * np.cos(turn), 20.0 + (along - 20.0) * np.sin(turn)


@pytest.mark.parametrize("degrees", [0.0, 28.0, 180.0, -150.0])
@pytest.mark.parametrize("step", [0.5, 1.0, 2.0])
def test_it_forms_again_half_its_depth_and_a_tile_and_a_half_behind_the_narrow_place(formed, degrees, step) -> None:
    for gate in ((12.0, 14.0), (20.0, 20.0), (28.0, 30.0)):
        world, row, done, depth = poured(formed, gate, step, degrees, along=6.0)
        num, tag = world.groups.num[row], world.groups.tag[row]
        assert done and depth > 2.0
        assert num[G_ALONG] == pytest.approx(gate[1] + depth / 2.0 + 1.5)
        assert (num[G_X], num[G_Y]) == pytest.approx(place(degrees, num[G_ALONG]))
        assert np.exp(1j * num[G_HEADING]) == pytest.approx(np.exp(1j * np.radians(degrees)))
        assert num[G_SPEED] == 0.0 and tag[T_BROKEN] == Broken.CHOKE and tag[T_STATE] == GroupState.FORMING
        u, slots = world.units, world.units.slots(world.groups.rows[row].members)
        mine = np.column_stack([u.slot_f[slots], u.slot_r[slots]])
        table = preferred(world, world.groups.rows[row])
        there = np.column_stack([table.forward, table.right])
        assert sorted(map(tuple, mine.round(6))) == sorted(map(tuple, there.round(6))), "in its own shape"


@pytest.mark.parametrize("behind", [0.0, -3.0])
@pytest.mark.parametrize("step", [0.5, 1.0, 2.0])
def test_where_the_path_ends_behind_the_place_it_settles_there(formed, step, behind) -> None:
    """It forms up on the way only if more than a tile is left."""
    for gate_end in np.arange(30.0, 40.0, 2.0):
        world, row, done, depth = poured(formed, (24.0, gate_end), step, 28.0, along=6.0, behind=behind)
        num, end = world.groups.num[row], 40.0 + behind
        beyond = gate_end + depth / 2.0 + 1.5
        settles = beyond >= end - 1.0
        assert done
        assert world.groups.state(row) == (GroupState.SETTLING if settles else GroupState.FORMING)
        assert num[G_ALONG] == pytest.approx(end if settles else beyond)
        assert (num[G_X], num[G_Y]) == pytest.approx(place(28.0, num[G_ALONG]))
        assert num[G_HEADING] == pytest.approx(1.25 if settles else np.radians(28.0))
        u = world.units
        if settles:
            middle = np.array([u.goal_x[:9].mean(), u.goal_y[:9].mean()])
            assert np.hypot(*(middle - place(28.0, end))) < 1.0, "each has its last place"


def test_without_a_narrow_place_ahead_nothing_happens(formed) -> None:
    assert not poured(formed, (90.0, 91.0), 1.0, 0.0, along=6.0)[2], "an open path"
    depth = poured(formed, (12.0, 14.0), 1.0, 0.0, along=6.0)[3]
    assert not poured(formed, (12.0, 14.0), 1.0, 0.0, along=16.0 + depth / 2.0)[2], "its rear is through"
    assert poured(formed, (12.0, 14.0), 1.0, 0.0, along=13.0 + depth / 2.0)[2], "its rear is still in it"


def test_in_play_a_group_jumps_behind_a_gate_once_and_its_members_follow(tmp_path) -> None:
    """The box closes up, marches, breaks before the gate, and marches on behind it."""
    session = session_with(tmp_path, GATE)
    world = session.world
    world.settings.formation.longest = 2.0
    told(session, "shape", "box")
    sent(session, 40.5, 12.0)
    states, jumps, last = [], [], 0.0
    for _ in range(260):
        session.advance()
        row = next(iter(world.groups.rows))
        along = float(world.groups.num[row, G_ALONG])
        if along > last + 2.0:
            jumps.append((last, along))
            assert (world.units.x[:9] < 22.5).all(), "all are before the gate"
        last = along
        states += [world.groups.state(row)] if states[-1:] != [world.groups.state(row)] else []
        if len(jumps) == 1 and states[-1] == GroupState.MARCHING:
            break
    assert len(jumps) == 1 and states == [GroupState.FORMING, GroupState.MARCHING] * 2
    assert (world.units.x[:9] > 23.0).all(), "they have come through before it marches on"
