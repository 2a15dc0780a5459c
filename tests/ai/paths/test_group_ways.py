"""One query a group: wide ways are preferred as long as the way round costs less than thinning out."""

import numpy as np
import pytest

from ai.formation.way import lay_way
from ai.grid.terrain import Terrain
from ai.paths.engines import Engines
from ai.paths.group_ways import GroupWays, widths


def two_gates(detour):
    """A wall with a gate one tile wide straight ahead, and one of nine tiles ``detour`` rows below."""
    passable = np.ones((24 + detour, 41), np.uint8)
    passable[:, 20] = 0
    passable[8, 20] = 1
    passable[8 + detour : 17 + detour, 20] = 1
    return Terrain.build(passable)


def crossing(terrain, width):
    corners = GroupWays().ask(terrain, Engines(), 0, 0, (8, 4), (8, 36), width)
    way = lay_way(terrain.passable, 0, corners, width / 2)
    return float(way.points[np.argmin(np.abs(way.points[:, 0] - 20.5)), 1]), way


def test_a_narrow_gate_is_taken_by_one_and_by_many_only_when_the_way_round_is_long():
    assert crossing(two_gates(4), 0.6)[0] == pytest.approx(8.5, abs=0.7)
    wide = [crossing(two_gates(detour), 7.0)[0] > 9.6 for detour in (3, 6, 10, 30, 60)]
    assert wide[0] and not wide[-1]
    assert wide == sorted(wide, reverse=True), "once the way round is too long it stays too long"


def test_every_point_of_a_way_stands_on_open_ground_with_room_for_a_body():
    rng = np.random.default_rng(3)
    passable = (rng.random((60, 60)) > 0.15).astype(np.uint8)
    passable[5, 5] = passable[54, 54] = 1
    from ai.grid.components import Components

    terrain = Terrain.build(passable)
    labels = Components.build(terrain).label_map(0)
    if labels[5, 5] != labels[54, 54]:
        pytest.skip("the two corners are not of one component")
    corners = GroupWays().ask(terrain, Engines(), 0, 0, (5, 5), (54, 54), 4.0)
    way = lay_way(passable, 0, corners, 2.0)
    tiles = np.floor(way.points).astype(int)
    assert passable[tiles[:, 1], tiles[:, 0]].all()
    assert np.hypot(*np.diff(way.points, axis=0).T).max() < 2.5


def test_widths_are_those_of_the_largest_square_that_fits_by_brute_force():
    rng = np.random.default_rng(5)
    passable = (rng.random((17, 23)) > 0.2).astype(np.uint8)
    room = widths(passable, 0)
    padded = np.pad(passable, 12)
    for y in range(17):
        for x in range(23):
            reach = 0
            while padded[12 + y - reach : 13 + y + reach, 12 + x - reach : 13 + x + reach].all():
                reach += 1
            assert room[y, x] == 2 * reach


def test_on_a_large_map_the_group_sets_out_at_once_and_learns_of_the_wide_way_later():
    passable = np.ones((160, 160), np.uint8)
    passable[:, 80] = 0
    passable[30, 80] = 1
    passable[38:50, 80] = 1
    terrain = Terrain.build(passable)
    ways = GroupWays()
    first = ways.ask(terrain, Engines(), 7, 0, (30, 10), (30, 150), 9.0)
    assert ways.asked == 1 and len(ways.waiting) == 1
    assert np.abs(first[:, 1] - 30.5).max() < 1.0
    answers = []
    for _ in range(400):
        answers += ways.serve(terrain, 500)
        assert ways.settle() <= 500
    ((group, corners),) = answers
    assert group == 7 and not ways.waiting
    assert corners[:, 1].max() > 38.0


def behind_two_walls(mixed):
    passable = np.ones((200, 200), np.uint8)
    passable[20:, 60] = 0
    passable[:180, 130] = 0
    terrain = Terrain.build(passable)
    if mixed:
        terrain.edit(0, 70, 60, 120, cost=12)
    return terrain


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("budget", [0, 500])
def test_a_way_that_takes_more_than_a_tick_is_begun_and_found_in_turns(mixed, budget):
    terrain = behind_two_walls(mixed)
    ways = GroupWays()
    first = ways.ask(terrain, Engines(), 3, 0, (150, 10), (150, 190), 1.0, budget)
    assert (budget > 0) <= ways.settle() <= budget
    assert len(first) >= 2 and first[0].tolist() == [10.5, 150.5] and first[-1].tolist() == [190.5, 150.5]
    answers = []
    for _ in range(400):
        answers += ways.serve(terrain, 500)
        assert ways.settle() <= 500
    ((group, corners),) = answers
    assert group == 3 and corners[-1].tolist() == [190.5, 150.5]
    assert corners[:, 1].min() < 20 and corners[:, 1].max() > 180, "round both walls"


@pytest.mark.parametrize("large", [False, True])
def test_groups_ordered_in_one_tick_share_its_budget_and_the_last_wait(large):
    terrain, engines, ways = behind_two_walls(False) if large else two_gates(40), Engines(), GroupWays()
    goals = [(150, 190 - i) for i in range(12)] if large else [(8, 36 - i) for i in range(12)]
    start = (150, 10) if large else (8, 4)
    for group, goal in enumerate(goals):
        ways.ask(terrain, engines, group, 0, start, goal, 7.0, 4000)
        assert ways.spent <= 4000
    late = [question.group for question in ways.waiting]
    assert late and late == sorted(late) and late[-1] == 11
    answers = []
    for _ in range(300):
        answers += [group for group, _ in ways.serve(terrain, 4000)]
        assert ways.settle() <= 4000
    assert answers == late and not ways.waiting
