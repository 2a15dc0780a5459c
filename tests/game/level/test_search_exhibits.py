"""Maps of the search exhibits: the searches differ on them as their questions claim."""

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.search.astar.astar import AStarSearch
from ai.search.explorer import CLOSED, Question, build
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from game.level.finding import find_level
from game.level.reading import load_level
from tests.ai.search.grids import path_cost


def ground_of(name: str) -> Terrain:
    level = load_level(find_level(name))
    return Terrain.build(level.passable, level.cost)


def test_astar_searches_the_whole_dead_end_and_hpa_avoids_it() -> None:
    terrain = ground_of("dead_end")
    question = {"start": (15, 5), "goal": (16, 53), "cluster": 16}
    tiles = build(terrain, Question("astar", **question))
    last = tiles.frame(tiles.total)
    hall = (slice(6, 26), slice(15, 47))
    inside = (terrain.passable[hall] & 1) != 0
    assert (last.status[hall] == CLOSED)[inside].mean() >= 0.95, "almost every tile of the hall is searched"
    clusters = build(terrain, Question("hpa", **question))
    found = clusters.frame(clusters.total)
    assert clusters.total < tiles.total / 20
    assert last.cost <= found.cost <= 1.03 * last.cost
    assert not any(6 <= y < 26 and 15 <= x < 47 for y, x in last.path.tolist()), "the path leads round the hall"


@pytest.mark.parametrize("levels", [1, 2])
def test_the_whole_hierarchical_path_leads_round_the_hall_from_wherever_it_begins(levels: int) -> None:
    """The path is legal, at most 3 % longer than A*'s, and less work."""
    terrain = ground_of("dead_end")
    ground, goal = (terrain.passable & 1) != 0, (16, 53)
    clusters = HierarchicalSearch(ClusterGraph.build(terrain, size=16, levels=levels))
    tiles = AStarSearch(terrain.height, terrain.width)
    for start in ((15, 5), (13, 4), (14, 7), (15, 3), (16, 6), (17, 5), (18, 3), (19, 7)):
        tiles.begin(terrain, 0, start, goal)
        tiles.run(terrain, 1 << 40)
        path = clusters.find(terrain, start, goal)
        assert path[0].tolist() == list(start) and path[-1].tolist() == list(goal)
        assert tiles.cost - 1e-9 <= path_cost(ground, terrain.cost, path) <= 1.03 * tiles.cost
        assert not any(6 <= y < 26 and 15 <= x < 47 for y, x in path.tolist())
        spent = (clusters.abstract_revolutions, clusters.local_revolutions, clusters.local_searches)
        assert spent[0] < tiles.revolutions / 20 and sum(spent[:2]) < tiles.revolutions
        hops = clusters.find_abstract(terrain, start, goal)
        assert spent[0] == clusters.abstract_revolutions, "the path is searched on the highest level"
        clusters.refine(terrain, hops)
        assert spent[2] == clusters.local_searches
    wall = tuple(np.argwhere(~ground)[0].tolist())
    assert clusters.find(terrain, (15, 5), wall) is None
    clusters.log = np.zeros((2, 3), np.int64)
    assert clusters.find(terrain, (15, 5), goal) is None, "a search ends when its log is full"
    assert clusters.log[0].any() and clusters.log[1, 0] != clusters.log[0, 0]


def test_exact_searches_agree_on_maps_of_uniform_cost() -> None:
    for name, start, goal in (
        ("jumps", (8, 4), (8, 26)),
        ("jump_tables", (4, 4), (12, 24)),
        ("subgoals", (8, 1), (6, 27)),
    ):
        terrain = ground_of(name)
        assert np.count_nonzero(terrain.cost_counts) == 1
        costs, steps = {}, {}
        for algorithm in ("astar", "jps", "jps_plus", "jps_plus_gb", "subgoal_1", "subgoal_2"):
            explorer = build(terrain, Question(algorithm, start, goal))
            costs[algorithm] = round(explorer.frame(explorer.total).cost, 6)
            steps[algorithm] = explorer.total
        assert len(set(costs.values())) == 1, costs
        assert steps["jps_plus_gb"] <= steps["jps_plus"] <= steps["astar"]
        assert steps["jps"] < steps["astar"] and steps["subgoal_2"] < steps["astar"]


def test_theta_star_paths_are_at_least_one_percent_shorter_on_the_any_angle_map() -> None:
    terrain = ground_of("any_angle")
    for start, goal in (((4, 1), (13, 26)), ((7, 1), (10, 26)), ((10, 2), (7, 26)), ((13, 3), (4, 26))):
        grid, free = (build(terrain, Question(name, start, goal)) for name in ("astar", "theta"))
        assert free.frame(free.total).cost < 0.99 * grid.frame(grid.total).cost
