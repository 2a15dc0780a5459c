"""Group paths: one query per group, and wide paths are preferred.

They are preferred as long as the detour costs less than thinning out.
"""

import numpy as np
import pytest

from ai.formation.path_corridor import lay_path
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths.engines.path_engines import Engines
from ai.paths.groups.group_paths import GroupPaths
from ai.paths.groups.path_lines import corners_of, pulling_revolutions
from ai.paths.groups.wide_ground import copied, wide_ground, widen, widths
from ai.search.astar.astar import AStarSearch
from ai.search.smoothing.straight_walk import line_walkable


def two_gates(detour):
    """Return a wall with a narrow gate ahead and a wide one below.

    The gates are one and nine tiles wide.

    The wide gate is ``detour`` rows below.
    """
    passable = np.ones((24 + detour, 41), np.uint8)
    passable[:, 20] = 0
    passable[8, 20] = 1
    passable[8 + detour : 17 + detour, 20] = 1
    return Terrain.build(passable)


def crossing(terrain, width):
    corners = GroupPaths().ask(terrain, Engines(), 0, 0, (8, 4), (8, 36), width)
    path = lay_path(terrain.passable, 0, corners, width / 2)
    return float(path.points[np.argmin(np.abs(path.points[:, 0] - 20.5)), 1]), path


def test_a_narrow_gate_is_taken_by_one_and_by_many_only_when_the_way_round_is_long():
    assert crossing(two_gates(4), 0.6)[0] == pytest.approx(8.5, abs=0.7)
    wide = [crossing(two_gates(detour), 7.0)[0] > 9.6 for detour in (3, 6, 10, 30, 60)]
    assert wide[0] and not wide[-1]
    assert wide == sorted(wide, reverse=True), "a detour that was too long stays too long"


def test_every_point_of_a_way_stands_on_open_ground_with_room_for_a_body():
    rng = np.random.default_rng(3)
    passable = (rng.random((60, 60)) > 0.15).astype(np.uint8)
    passable[5, 5] = passable[54, 54] = 1
    from ai.grid.components import Components

    terrain = Terrain.build(passable)
    labels = Components.build(terrain).label_map(0)
    if labels[5, 5] != labels[54, 54]:
        pytest.skip("the two corners are in different components")
    corners = GroupPaths().ask(terrain, Engines(), 0, 0, (5, 5), (54, 54), 4.0)
    path = lay_path(passable, 0, corners, 2.0)
    tiles = np.floor(path.points).astype(int)
    assert passable[tiles[:, 1], tiles[:, 0]].all()
    assert np.hypot(*np.diff(path.points, axis=0).T).max() < 2.5


@pytest.mark.parametrize("tile", [(0, 0), (8, 4), (3, 30), (23, 40)])
def test_a_group_that_stands_on_its_goal_has_its_path_at_once(tile):
    paths = GroupPaths()
    corners = paths.ask(two_gates(4), Engines(), 7, 0, tile, tile, 5.0)
    assert corners.tolist() == [[tile[1] + 0.5, tile[0] + 0.5]] * 2
    assert paths.answered(7) and not paths.open and paths.settle() == 0


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
    paths = GroupPaths()
    first = paths.ask(terrain, Engines(), 7, 0, (30, 10), (30, 150), 9.0)
    assert paths.asked == 1 and len(paths.open) == 1 and paths.answered(7)
    assert np.abs(first[:, 1] - 30.5).max() < 1.0
    paths.settle()
    answers = []
    for _ in range(400):
        answers += paths.serve(terrain, 500)
        assert paths.settle() <= 500
    ((group, corners),) = answers
    assert group == 7 and not paths.open
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
def test_a_group_waits_for_a_path_that_takes_more_than_a_tick(mixed, budget):
    terrain = behind_two_walls(mixed)
    paths = GroupPaths()
    first = paths.ask(terrain, Engines(), 3, 0, (150, 10), (150, 190), 1.0, budget)
    assert paths.settle() <= budget
    assert first.tolist() == [[10.5, 150.5]] * 2 and not paths.answered(3)
    answers = []
    for _ in range(400):
        answers += paths.serve(terrain, 500)
        assert paths.settle() <= 500
        assert paths.answered(3) == bool(answers)
    ((group, corners),) = answers
    assert group == 3 and corners[0].tolist() == [10.5, 150.5] and corners[-1].tolist() == [190.5, 150.5]
    assert corners[:, 1].min() < 20 and corners[:, 1].max() > 180, "round both walls"


def leads_through_no_wall(terrain, corners):
    lines = np.column_stack([corners[:-1], corners[1:]])
    return line_walkable(terrain, lines)[0].all()


@pytest.mark.parametrize(("height", "width"), [(60, 100), (200, 200)])
def test_twenty_groups_ordered_in_one_tick_share_its_budget_and_all_have_their_ways_within_a_few(height, width):
    """No answer, early or late, leads through a wall.

    The lines themselves are tested, and every group gets an answer.
    """
    passable = np.ones((height, width), np.uint8)
    passable[10:, width // 3] = passable[: height - 10, 2 * width // 3] = 0
    terrain, engines, paths, budget = Terrain.build(passable), Engines(), GroupPaths(), 20_000
    components = Components.build(terrain)
    answers = {}
    for group in range(20):
        start, goal = (height - 12 - group, 3), (height - 12 - group, width - 4)
        first = paths.ask(terrain, engines, group, 0, start, goal, 5.0, budget)
        assert leads_through_no_wall(terrain, first)
        if paths.answered(group):
            answers[group] = first
    at_once = list(answers)
    assert at_once == list(range(len(answers))) and 0 < len(answers) < 20
    ticks, in_turn = 0, []
    while len(answers) < 20:
        assert 0 < paths.settle() <= budget
        for group, corners in paths.serve(terrain, budget, components, engines):
            in_turn += [group] * (group not in answers)
            answers.setdefault(group, corners)
        ticks += 1
    assert in_turn == list(range(len(at_once), 20)) and ticks <= 8
    for group, corners in answers.items():
        assert leads_through_no_wall(terrain, corners)
        assert corners[-1].tolist() == [width - 3.5, height - 11.5 - group]


def test_groups_without_a_path_are_served_before_those_that_want_a_wider_one():
    terrain, engines, paths = behind_two_walls(False), Engines(), GroupPaths()
    terrain.edit(15, 60, 18, 61, passable=0)
    paths.ask(terrain, engines, 9, 0, (150, 10), (150, 190), 30.0)
    assert paths.answered(9) and [question.group for question in paths.open] == [9], "it still waits for a wider path"
    paths.settle()
    for tick, group in enumerate((5, 3)):
        paths.ask(terrain, engines, group, 0, (150, 10), (150, 180 + tick), 1.0, 0)
        paths.settle()
    order = []
    while paths.open:
        order += [group for group, _ in paths.serve(terrain, 3000, None, engines)]
        paths.settle()
    assert order == [5, 3, 9]


@pytest.mark.parametrize(("width", "late"), [(0.6, 2), (9.0, 2), (9.0, 8)])
def test_a_way_that_was_searched_before_an_edit_does_not_lead_through_the_gate_it_shut(width, late):
    passable = np.ones((160, 160), np.uint8)
    passable[:, 80] = 0
    passable[40:50, 80] = passable[140:150, 80] = 1
    terrain, paths = Terrain.build(passable), GroupPaths()
    components = Components.build(terrain)
    paths.ask(terrain, Engines(), 7, 0, (60, 10), (60, 150), width, 60)
    paths.settle()
    answers = []
    for tick in range(400):
        if tick == late:
            terrain.edit(40, 80, 50, 81, passable=0)
            components.update(terrain)
        assert not answers or tick > late, "the edit comes during the search"
        answers += paths.serve(terrain, 500, components)
        assert paths.settle() <= 500
    ((_, corners),) = answers
    assert corners[:, 1].max() > 139, "through the other gate"

    paths.ask(terrain, Engines(), 7, 0, (60, 10), (60, 150), width, 60)
    paths.serve(terrain, 1000, components)
    terrain.edit(140, 80, 150, 81, passable=0)
    components.update(terrain)
    assert not paths.answered(7)
    ((group, corners),) = paths.serve(terrain, 2000, components)
    assert group == 7 and not len(corners) and not paths.open, "no path is left"


def test_where_doors_never_rest_a_way_is_found_all_the_same_and_leads_through_none_that_is_shut():
    passable = np.ones((160, 160), np.uint8)
    passable[:, 80] = 0
    passable[40:50, 80] = passable[140:150, 80] = 1
    terrain, paths = Terrain.build(passable), GroupPaths()
    paths.ask(terrain, Engines(), 7, 0, (60, 10), (60, 150), 9.0, 60)
    paths.settle()
    answers = []
    for tick in range(600):
        terrain.edit(40, 80, 50, 81, passable=int(tick % 40 == 0))
        for group, corners in paths.serve(terrain, 500):
            answers.append((tick, group, corners))
        paths.settle()
    ((tick, _, corners),) = answers
    shut = tick % 40 != 0
    assert not shut or corners[:, 1].max() > 139


def test_wide_ground_made_in_strips_is_the_same_and_paid_for_row_by_row():
    rng = np.random.default_rng(8)
    terrain = Terrain.build((rng.random((70, 50)) > 0.04).astype(np.uint8), rng.integers(4, 40, (70, 50)))
    window = (3, 2, 66, 47)
    for width in (2.5, 6.0, 40.0):
        ground, row, used = copied(terrain, window), 0, 0
        while row < ground.height:
            row, revolutions = widen(ground, terrain, 0, width, window, row, 200)
            used += revolutions
        whole = wide_ground(terrain, 0, width, window)
        assert np.array_equal(ground.cost, whole.cost) and np.array_equal(ground.passable, whole.passable)
        assert used >= ground.cost.size // 8
        lack = np.clip((width - widths(terrain.passable[3:66, 2:47], 0)) / width, 0, 1)
        dearer = np.round(terrain.cost[3:66, 2:47] * (1 + 3.0 * lack))
        assert np.array_equal(whole.cost, np.clip(dearer, 1, 255))


def test_a_whole_map_is_never_widened_in_one_tick_nor_for_a_narrow_group():
    for size, width in ((640, 9.0), (400, 1.0), (400, 9.0)):
        terrain, paths = Terrain.build(np.ones((size, size), np.uint8)), GroupPaths()
        terrain.edit(100, 0, 101, size - 3, passable=0)
        terrain.edit(200, 3, 201, size, passable=0)
        paths.ask(terrain, Engines(), 1, 0, (4, 4), (size - 5, size - 5), width, 400)
        rows = [0]
        for _ in range(30):
            paths.settle()
            paths.serve(terrain, 4000)
            rows.append(paths.widened)
        assert max(np.diff(rows)) * size <= 4000 * 8 if (size, width) == (400, 9.0) else paths.ground is None


def test_a_group_on_a_huge_map_of_many_costs_begins_no_clusters():
    """16,384 clusters would take half the budget of every tick for minutes."""
    terrain, engines = Terrain.build(np.ones((1500, 1500), np.uint8)), Engines()
    terrain.edit(0, 0, 100, 100, cost=20)
    terrain.edit(700, 0, 701, 1400, passable=0)
    GroupPaths().ask(terrain, engines, 1, 0, (4, 4), (1400, 4), 5.0, 2000)
    assert not engines.paths


def test_the_lines_that_an_order_tests_are_charged():
    terrain, paths = Terrain.build(np.ones((20, 700), np.uint8)), GroupPaths()
    paths.ask(terrain, Engines(), 1, 0, (10, 10), (10, 690), 5.0)
    assert paths.settle() >= 680 * 5 // 64
    rng = np.random.default_rng(4)
    terrain = Terrain.build((rng.random((120, 120)) > 0.1).astype(np.uint8))
    terrain.edit(0, 0, 120, 1, passable=1)
    terrain.edit(119, 0, 120, 120, passable=1)
    astar = AStarSearch(120, 120)
    astar.begin(terrain, 0, (0, 0), (119, 119))
    astar.run(terrain, 1 << 40)
    for tiles in (astar.path(), np.array([(y, 0) for y in range(120)] + [(119, x) for x in range(1, 120)])):
        crossed = tiles_of_tests(terrain, tiles)
        told = 64 * pulling_revolutions(corners_of(terrain, tiles, 0, (0, 0)))
        assert crossed <= told <= 12 * crossed + 64


def tiles_of_tests(terrain, tiles):
    """Return the tiles that smoothing of ``tiles`` crosses with its lines.

    The lines follow the rule of its strides.
    """
    length = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(tiles, axis=0).T))))
    corner, crossed = 0, 0
    while corner < len(tiles) - 1:
        best, stride = corner + 1, 1
        while stride and (target := min(best + stride, len(tiles) - 1, corner + 64)) > best:
            (ay, ax), (by, bx) = tiles[corner], tiles[target]
            crossed += abs(ay - by) + abs(ax - bx) + 1
            clear, cost = line_walkable(terrain, [[ax + 0.5, ay + 0.5, bx + 0.5, by + 0.5]])
            walks = clear[0] and cost[0] <= (length[target] - length[corner]) * (1 + 1e-9)
            best, stride = (target, 2 * stride) if walks else (best, stride // 2)
        corner = best
    return int(crossed)
