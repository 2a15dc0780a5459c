"""Maps of the search exhibits: the searches differ on them as their questions claim."""

import numpy as np

from ai.grid.terrain import Terrain
from ai.search.explorer import CLOSED, Question, build
from game.level.finding import find_level
from game.level.reading import load_level


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
