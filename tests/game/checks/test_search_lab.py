"""Search explorer: two algorithms answer one question on a map that can be painted.

Steps go forward and back.
"""

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.search.explorer import ALGORITHMS, Break
from game.checks.search_lab import SearchLab, suggested_ends


def garden() -> Terrain:
    ground = np.ones((14, 20), np.uint8)
    ground[3:11, 12] = 0
    ground[3, 6:12] = 0
    return Terrain.build(ground)


def table(**changes: object) -> SearchLab:
    return SearchLab(garden(), (7, 8), (7, 16), **changes)


def test_both_lanes_show_the_same_step_and_stepping_back_restores_each_frame() -> None:
    lab = table(second="theta")
    seen = []
    for step in range(lab.total + 1):
        lab.go_to(step)
        frames = [lane.frame for lane in lab.lanes]
        assert [f.step for f in frames] == [min(step, lane.explorer.total) for lane in lab.lanes]
        seen.append(frames)
    assert lab.ended and all(f.found for f in seen[-1])
    while lab.step:
        lab.move(-1)
        assert all(lane.frame.same(old) for lane, old in zip(lab.lanes, seen[lab.step], strict=True))
    lab.move(-5)
    assert lab.step == 0
    lab.move(10_000)
    assert lab.step == lab.total


def test_painting_repeats_both_searches_and_leaves_the_world_unchanged() -> None:
    world = garden()
    lab = SearchLab(world, (7, 8), (7, 16))
    lab.go_to(lab.total)
    before = lab.lanes[0].frame.cost
    digest = world.passable_digest
    for y in range(11, 14):
        assert lab.paint((y, 12), "wall")
    lab.go_to(lab.total)
    assert lab.lanes[0].frame.cost > before
    assert not lab.paint((11, 12), "wall"), "it is a wall already"
    assert not lab.paint(lab.question.start, "wall"), "the start is there"
    assert lab.painted == {(11, 12), (12, 12), (13, 12)}
    assert lab.paint((12, 12), "open") and lab.painted == {(11, 12), (13, 12)}
    assert world.passable_digest == digest and world.revision == 0
    lab.restore()
    lab.go_to(lab.total)
    assert lab.lanes[0].frame.cost == before and not lab.painted


def test_astar_avoids_costly_ground_and_the_jps_lane_remarks_that_it_ignores_costs() -> None:
    lab = table()
    lab.go_to(lab.total)
    assert lab.remark(lab.lanes[1]) == ""
    hills = [(y, x) for y in range(11, 14) for x in range(10, 15)]
    for tile in hills:
        lab.paint(tile, "hill")
    lab.go_to(lab.total)
    assert not {tuple(t) for t in lab.lanes[0].frame.path.tolist()} & set(hills)
    assert "same" in lab.remark(lab.lanes[1])


def test_every_algorithm_can_be_chosen_and_the_list_is_cyclic() -> None:
    lab = table()
    names = set()
    for _ in ALGORITHMS:
        lab.next_algorithm(1)
        lab.go_to(lab.total)
        assert lab.lanes[1].frame is not None and lab.lanes[1].frame.found, lab.lanes[1].algorithm
        names.add(lab.lanes[1].algorithm)
    assert names == set(ALGORITHMS) and lab.lanes[1].algorithm == "jps"
    lab.swap()
    assert [lane.algorithm for lane in lab.lanes] == ["jps", "astar"]
    with pytest.raises(KeyError):
        lab.choose(0, "magic")


def test_running_stops_at_the_nearest_break_of_both_lanes() -> None:
    lab = table(second="dijkstra")
    lab.set_break(Break("goal_seen"))
    condition = lab.run_to_break()
    assert condition is not None and condition.kind == "goal_seen"
    assert lab.lanes[0].stopped_by is condition and lab.lanes[1].stopped_by is None
    at = lab.step
    lab.go_to(0)
    assert lab.move_until_break(10_000) is condition and lab.step == at, "playing stops where running does"
    lab.set_break(None, "goal_seen")
    assert lab.run_to_break() is None and lab.ended


def test_ends_move_to_open_tiles_only_and_an_enclosed_goal_is_not_found() -> None:
    lab = table()
    assert not lab.move_end("goal", (5, 12)) and not lab.move_end("goal", (99, 0))
    assert lab.move_end("goal", (0, 0)) and lab.question.goal == (0, 0)
    for tile in ((0, 1), (1, 0), (1, 1)):
        lab.paint(tile, "wall")
    lab.go_to(lab.total)
    assert all(lane.frame.ended and not lane.frame.found for lane in lab.lanes)


def test_ends_are_suggested_far_apart_in_one_component() -> None:
    ground = np.ones((9, 30), np.uint8)
    ground[:, 20] = 0
    start, goal = suggested_ends(Terrain.build(ground))
    assert start[1] == 0 and goal[1] == 19
    with pytest.raises(ValueError, match="no open tile"):
        suggested_ends(Terrain.build(np.zeros((3, 3), np.uint8)))
