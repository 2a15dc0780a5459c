"""Invalid requests and extreme maps.

Requests are outside, blocked or not a number. Maps have one tile, one row, only walls, or 4096 x 4096 tiles.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ai.grid.components import Components
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.grid.tiles import narrowed
from ai.paths import PathManager, PathSettings, resolve_goals
from ai.paths.engines.machine_engine import MachineEngine
from ai.paths.engines.static_tables import GoalBoundTables, can_bound, make_tables
from ai.paths.quick.straight_path import straight_paths
from ai.search.any_angle.any_angle import ThetaStar, sight
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.astar.astar_costs import AStarOverCosts, CostGround
from ai.search.astar.quick_search import quick_search
from ai.search.fields.flow_field import ARRIVED, FlowField
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from ai.search.hierarchy.hpa_batch import NO_WAY, WAY, HpaBatch
from ai.search.jps.jps import JumpPointSearch, UniformAStar, UniformGround
from ai.search.jps.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.query_batch import find_batch
from ai.search.regions.next_hop import NextHops
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_path import RegionSearch
from ai.search.regions.resumable_batch import WholeRegionPaths
from ai.search.smoothing.octile_smoothing import smooth_path
from ai.search.smoothing.straight_walk import pull_string
from ai.search.subgoals.subgoal_search import SubgoalSearch

Find = Callable[[tuple, tuple], np.ndarray | None]


def resumable(terrain: Terrain) -> Find:
    search = AStarSearch(terrain.height, terrain.width)

    def find(start: tuple, goal: tuple) -> np.ndarray | None:
        search.begin(terrain, 0, start, goal)
        search.run(terrain, 1 << 40)
        return search.path() if search.status == FOUND else None

    return find


def over_clusters(levels: int) -> Callable[[Terrain], Find]:
    def make(terrain: Terrain) -> Find:
        search = HierarchicalSearch(ClusterGraph.build(terrain, levels=levels))
        return lambda start, goal: search.find(terrain, start, goal)

    return make


def over_regions(table: bool) -> Callable[[Terrain], Find]:
    def make(terrain: Terrain) -> Find:
        regions = Regions.build(terrain)
        search = RegionSearch(regions, NextHops.build(regions) if table else None)
        return lambda start, goal: search.find(terrain, start, goal)

    return make


def long_paths(terrain: Terrain) -> Find:
    paths = HpaBatch.build(terrain)

    def find(start: tuple, goal: tuple) -> np.ndarray | None:
        told = paths.plan(terrain, np.array([start]), np.array([goal]), 1 << 40)
        assert told.outcome[0] in (WAY, NO_WAY)
        return told.tiles if told.outcome[0] == WAY else None

    return find


def tables(terrain: Terrain) -> Find:
    ground = UniformGround.build(terrain)
    return JPSPlus(ground, jump_tables(ground)).find


def bounded(terrain: Terrain) -> Find:
    ground = UniformGround.build(terrain)
    return JPSPlus(ground, jump_tables(ground), goal_bound_table(ground)).find


def in_a_batch(terrain: Terrain) -> Find:
    search = JumpPointSearch(UniformGround.build(terrain))

    def find(start: tuple, goal: tuple) -> np.ndarray | None:
        questions = np.array([start, start]), np.array([goal, goal])
        answers = find_batch(search, *questions)
        first, second = answers.path(0), answers.path(1)
        assert (first is None) == (second is None) and (first is None or np.array_equal(first, second))
        return second

    return find


def by_field(terrain: Terrain) -> Find:
    def find(start: tuple, goal: tuple) -> np.ndarray | None:
        field = FlowField.build(terrain, 0, np.array([goal]))
        field.run(terrain, 1 << 40)
        if not np.isfinite(field.costs[start]) or not terrain.passable[start]:
            return None
        path = [start]
        while field.moves[path[-1]] != ARRIVED:
            move = field.moves[path[-1]]
            path.append((path[-1][0] + int(MOVE_Y[move]), path[-1][1] + int(MOVE_X[move])))
        return np.array(path)

    return find


def subgoals(levels: int) -> Callable[[Terrain], Find]:
    return lambda terrain: SubgoalSearch.over(UniformGround.build(terrain), levels).find


SEARCHES: dict[str, Callable[[Terrain], Find]] = {
    "resumable": resumable,
    "astar": lambda terrain: UniformAStar(UniformGround.build(terrain)).find,
    "weighted": lambda terrain: AStarOverCosts(CostGround.build(terrain)).find,
    "jps": lambda terrain: JumpPointSearch(UniformGround.build(terrain)).find,
    "jps_plus": tables,
    "jps_plus_gb": bounded,
    "batch": in_a_batch,
    "flow": by_field,
    "subgoal_1": subgoals(1),
    "subgoal_2": subgoals(2),
    "subgoal_n": subgoals(5),
    "hpa": over_clusters(1),
    "hpa_3": over_clusters(3),
    "regions": over_regions(False),
    "next_hop": over_regions(True),
    "theta": lambda terrain: ThetaStar(UniformGround.build(terrain)).find,
    "lazy_theta": lambda terrain: ThetaStar(UniformGround.build(terrain), lazy=True).find,
    "hpa_batch": long_paths,
    "modular_astar": lambda terrain: lambda start, goal: MachineEngine(terrain, 0).find(start, goal, 1 << 40),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_tiles_outside_and_no_numbers_are_refused_by_the_shape_of_the_map(name: str) -> None:
    find = SEARCHES[name](Terrain.build(np.ones((6, 9), bool)))
    for bad in ((6, 0), (0, 9), (-1, 3), (3, -1), (1 << 40, 0), (math.nan, 0.0), (0.0, math.nan), (math.inf, 1.0)):
        for start, goal in ((bad, (2, 2)), ((2, 2), bad)):
            if name == "flow" and start == bad:
                continue  # a field is read through its arrays
            whole = name not in ("batch", "flow") or all(isinstance(number, int) for number in bad)
            with pytest.raises(ValueError, match="6 x 9" if whole else "whole numbers|6 x 9"):
                find(start, goal)
    assert len(find((0, 0), (5, 8))) >= 2, "and still answers"


STEP_OUT = ("resumable", "hpa_batch")
"""Searches for standing units: the first step leaves a blocked start."""


@pytest.mark.parametrize("name", SEARCHES)
def test_the_smallest_maps_and_walls(name: str) -> None:
    make = SEARCHES[name]
    assert make(Terrain.build(np.ones((1, 1), bool)))((0, 0), (0, 0)).tolist() == [[0, 0]]
    row = make(Terrain.build(np.ones((1, 40), bool)))((0, 3), (0, 33))
    assert tuple(row[0]) == (0, 3) and tuple(row[-1]) == (0, 33) and set(row[:, 0].tolist()) == {0}
    column = make(Terrain.build(np.ones((40, 1), bool)))((33, 0), (3, 0))
    assert tuple(column[0]) == (33, 0) and tuple(column[-1]) == (3, 0)
    walls = Terrain.build(np.zeros((7, 8), bool))
    assert make(walls)((1, 1), (5, 5)) is None
    halves = np.ones((7, 8), bool)
    halves[3] = False
    halved = make(Terrain.build(halves))
    assert halved((1, 1), (5, 5)) is None and halved((1, 1), (3, 3)) is None, "another half, and the wall itself"
    out = halved((3, 3), (5, 5))
    if name in STEP_OUT:
        assert tuple(out[0]) == (3, 3) and tuple(out[-1]) == (5, 5), "whom a door shut in walks out of it"
    else:
        assert out is None


@pytest.fixture(scope="module")
def rock() -> Iterator[tuple[Terrain, UniformGround, Regions]]:
    """Return 4096 x 4096 tiles of rock.

    A corridor runs along the middle and the edges, and a chamber has no access.
    """
    ground = np.zeros((4096, 4096), bool)
    ground[2048] = ground[:, 0] = ground[0] = ground[4095] = ground[:, 4095] = True
    ground[100:110, 100:110] = True
    terrain = Terrain.build(ground)
    yield terrain, UniformGround.build(terrain), Regions.build(terrain)


def machine_on(terrain: Terrain) -> Find:
    paths = MachineEngine(terrain, 0)
    return lambda start, goal: paths.find(start, goal, 1 << 40)


LARGE: dict[str, Callable[[Terrain, UniformGround, Regions], Find]] = {
    "astar": lambda terrain, ground, regions: UniformAStar(ground).find,
    "jps": lambda terrain, ground, regions: JumpPointSearch(ground).find,
    "jps_plus": lambda terrain, ground, regions: JPSPlus(ground, jump_tables(ground)).find,
    "subgoal_2": lambda terrain, ground, regions: SubgoalSearch.over(ground, 2).find,
    "regions": lambda terrain, ground, regions: WholeRegionPaths(terrain, regions).find,
    "next_hop": lambda terrain, ground, regions: WholeRegionPaths(terrain, regions, NextHops.build(regions)).find,
    "modular_astar": lambda terrain, ground, regions: machine_on(terrain),
    **{
        name: lambda terrain, ground, regions, name=name: SEARCHES[name](terrain)  # type: ignore[misc]
        for name in ("resumable", "weighted", "batch", "flow")
    },
}


@pytest.mark.parametrize("name", LARGE)
def test_a_map_of_4096_x_4096(name: str, rock: tuple[Terrain, UniformGround, Regions]) -> None:
    answers_on_4096_x_4096(LARGE[name](*rock), name != "flow")  # another field, for the same answer


def answers_on_4096_x_4096(find: Find, again: bool = True, ends: tuple = ((0, 0), (4095, 4095))) -> None:
    path, (first, last) = find(*ends), ends
    steps = np.abs(np.diff(path, axis=0)).max(axis=1)
    assert tuple(path[0]) == first and tuple(path[-1]) == last
    assert steps.max() == 1 and steps.sum() == sum(np.abs(np.subtract(last, first)))
    if again:
        assert find(first, (105, 105)) is None, "walled in"
        with pytest.raises(ValueError, match="4096 x 4096"):
            find(first, (4096, 0))


def test_clusters_of_one_and_three_levels_and_long_ways_on_a_map_of_4096_x_4096() -> None:
    """Graph that serves all of them, on rock with one corridor.

    A graph takes memory only where clusters have nodes. Landmarks only sharpen the estimate, and are left unmeasured.
    """
    ground = np.zeros((4096, 4096), bool)
    ground[2048] = ground[100:110, 100:110] = True
    terrain = Terrain.build(ground)
    paths = HpaBatch.begin(terrain)
    paths.work(terrain, 1 << 60)

    def planned(start: tuple, goal: tuple) -> np.ndarray | None:
        told = paths.plan(terrain, np.array([start]), np.array([goal]), 1 << 40)
        return told.tiles if told.outcome[0] == WAY else None

    ends = (2048, 0), (2048, 4095)
    answers_on_4096_x_4096(planned, ends=ends)
    for levels in (1, 3):
        paths.raise_levels(terrain, levels)
        search = HierarchicalSearch(paths.graph)
        answers_on_4096_x_4096(lambda start, goal, search=search: search.find(terrain, start, goal), ends=ends)


def test_goal_bounds_refuse_a_map_of_4096_x_4096(rock: tuple[Terrain, UniformGround, Regions]) -> None:
    """Two tables would take a gigabyte, so the level has none.

    The manager uses another search.
    """
    assert not can_bound(rock[0], 0) and make_tables(rock[0], 0, True) is None
    with pytest.raises(ValueError, match="4096 x 4096"):
        GoalBoundTables(rock[0], 0, None, None)


def test_any_angle_on_a_map_of_4096_x_4096(rock: tuple[Terrain, UniformGround, Regions]) -> None:
    for lazy in (False, True):
        theta = ThetaStar(rock[1], lazy)
        assert len(theta.find((0, 0), (4095, 4095))) == 4 and theta.length == 2 * 4095


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (40_000, 2)])
def test_maps_that_are_none(shape: tuple) -> None:
    with pytest.raises(ValueError, match=f"{shape[0]}.*{shape[1]}"):
        Terrain.build(np.ones(shape, bool))
    with pytest.raises(ValueError, match="got float64"):
        Terrain.build(np.full((3, 3), np.nan))


@pytest.mark.parametrize("far", [1 << 32, 1 << 40, -(1 << 32)])
def test_numbers_beyond_the_map_do_not_come_back_round_to_a_tile(far: int) -> None:
    """1 << 32 as an int32 is 0, a tile of every map."""
    terrain = Terrain.build(np.ones((6, 7), bool))
    ground = UniformGround.build(terrain)
    question = np.array([[far, 0]], np.int64)
    with pytest.raises(ValueError, match="outside"):
        JPSPlus(ground, jump_tables(ground)).find_batch(question, np.array([[1, 1]], np.int64))
    with pytest.raises(ValueError, match="outside"):
        sight(ground, np.array([[far, 0, 1, 1]], np.int64))
    inside = np.array([[1, 1]], np.int64)
    path = np.vstack((inside, question))
    for refuse in (
        lambda: FlowField.build(terrain, 0, question),
        lambda: HpaBatch.build(terrain).plan(terrain, inside, question, 99),
        lambda: quick_search(terrain, question, inside, 0, 9),
        lambda: smooth_path(terrain, 0, path),
        lambda: pull_string(terrain, path),
    ):
        with pytest.raises(ValueError, match="6 x 7"):
            refuse()
    row = 0 if far < 0 else 5
    assert not quick_search(terrain, inside, question, 0, 99).reached[0]
    here, there = np.array([1.5]), question[:, ::-1] + 0.5
    assert not straight_paths(terrain, np.zeros(1, np.uint8), here, here, there)[0]
    assert resolve_goals(terrain, Components.build(terrain), 0, inside, question).tolist() == [[row, 0]]


@pytest.mark.parametrize("far", [1 << 32, 1 << 40, -(1 << 32)])
def test_a_goal_beyond_the_map_leads_to_its_nearest_tile(far: int) -> None:
    terrain = Terrain.build(np.ones((6, 40), bool))
    manager, settings = PathManager.build(terrain), PathSettings()
    manager.request([0], [0], np.array([[2, far]], np.int64), 0, 1)
    manager.update(terrain, Components.build(terrain), np.array([20.5]), np.array([2.5]), 1, settings)
    assert manager.store.end_of(0) == 2 * 40 + (0 if far < 0 else 39)


def test_narrowed_numbers_stay_on_their_side_of_the_map() -> None:
    told = narrowed([[1 << 70, -(1 << 70)], [3, -4]])
    assert told.dtype == np.int32 and told[0, 0] > 40_000 and told[0, 1] < 0 and told[1].tolist() == [3, -4]
    told = narrowed(np.array([[np.nan, np.inf], [-np.inf, 2.9]]))
    assert told[0, 0] < 0 and told[0, 1] > 40_000 and told[1, 0] < 0 and told[1, 1] == 2
    assert narrowed(np.array([1 << 63], np.uint64))[0] > 40_000 and narrowed(np.array([200], np.uint8))[0] == 200
