"""The explorer shows the game's own searches at every step, forwards and backwards.

It shows their order, path, cost and count.
"""

import itertools
import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.paths.settings import PathSettings
from ai.search.any_angle.any_angle import ThetaStar
from ai.search.astar.astar import CLOSED as KERNEL_CLOSED
from ai.search.astar.astar import AStarSearch
from ai.search.explorer import ALGORITHMS, CLOSED, OPEN, Break, Question, build, cost_of_path, first_stop, why_not
from ai.search.explorer import explorer as explorer_module
from ai.search.explorer.explorer import UNIFORM, costs_differ
from ai.search.explorer.search_frame import octile_map
from ai.search.explorer.stepped_abstract import HEURISTIC_WEIGHT
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.jps.jps import JumpPointSearch, UniformGround
from ai.search.jps.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.modular_astar.modular_astar import ModularAstar
from ai.search.regions.next_hop import NextHops
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_path import RegionSearch
from ai.search.subgoals.subgoal_search import MOST_LEVELS, SubgoalSearch
from tests.ai.search.grids import costs, distances, path_cost, rooms


def worlds(count: int, uniform: bool, seed: int = 5):
    """Terrains with two open tiles of one component."""
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        height, width = int(rng.integers(6, 26)), int(rng.integers(6, 34))
        ground = rooms(rng, height, width)
        price = np.full((height, width), 8, np.uint8) if uniform else costs(rng, height, width)
        tiles = np.argwhere(ground)
        if len(tiles) < 8:
            continue
        start = tuple(int(v) for v in tiles[rng.integers(len(tiles))])
        reach = distances(ground, price, start)
        near = np.argwhere(np.isfinite(reach))
        goal = tuple(int(v) for v in near[rng.integers(len(near))])
        yield Terrain.build(ground.astype(np.uint8), price), ground, price, start, goal, float(reach[goal])
        made += 1


def by_the_kernel(name: str, terrain: Terrain, start: tuple[int, int], goal: tuple[int, int]):
    """(path, cost, expanded nodes) of the search as the game calls it."""
    ground = UniformGround.build(terrain)
    if name == "astar":
        search = AStarSearch(terrain.height, terrain.width)
        search.begin(terrain, 0, start, goal)
        search.run(terrain, 1 << 40)
        return search.path(), search.cost, search.revolutions
    if name == "jps":
        jps = JumpPointSearch(ground)
        path = jps.find_jumps(start, goal)
        # On maps less than 64 tiles wide a revolution is a pop.
        return path, jps.cost, jps.expanded
    if name in ("jps_plus", "jps_plus_gb"):
        plus = JPSPlus(ground, jump_tables(ground), goal_bound_table(ground) if name == "jps_plus_gb" else None)
        path = plus.find_jumps(*start, *goal)
        return path[::-1], plus.cost, plus.revolutions
    if name in ("subgoal_1", "subgoal_2", "subgoal_n"):
        sub = SubgoalSearch.over(ground, MOST_LEVELS if name[-1] == "n" else int(name[-1]))
        path = sub.find_corners(start, goal)
        return path, sub.cost, sub.expanded
    if name in ("hpa", "hpa_2"):
        hpa = HierarchicalSearch(ClusterGraph.build(terrain, levels=2 if name == "hpa_2" else 1))
        hpa.find_abstract(terrain, start, goal)
        count = hpa.abstract_revolutions
        path = hpa.find(terrain, start, goal)
        return path, cost_of_path(terrain, path), count
    if name == "hpa_batch":
        whole = HpaBatch.build(terrain, 0, 10).plan(
            terrain, np.array([start]), np.array([goal]), 1 << 60, HEURISTIC_WEIGHT
        )
        flood = reachable_in_block(terrain, start) if np.array_equal(np.array(start) // 10, np.array(goal) // 10) else 0
        written = 1 + (len(whole.tiles) >> 6)
        return whole.tiles, cost_of_path(terrain, whole.tiles), whole.spent - flood - written
    if name == "regions":
        regions = RegionSearch(Regions.build(terrain))
        regions.route(start, goal)
        count = regions.revolutions
        path = regions.find(terrain, start, goal)
        return path, cost_of_path(terrain, path), count
    if name == "next_hop":
        cut = Regions.build(terrain)
        hops = NextHops.build(cut)
        route = hops.route(cut, cut.at(*start), cut.at(*goal))
        path = RegionSearch(cut, hops).find(terrain, start, goal)
        return path, cost_of_path(terrain, path), max(len(route), 1 + (start != goal))
    if name == "modular_astar":
        modular_astar = ModularAstar(terrain.height, terrain.width)
        modular_astar.begin(np.where(terrain.passable & 1, terrain.cost, 0), start, goal)
        modular_astar.run(1 << 40)
        return modular_astar.path(), modular_astar.cost, modular_astar.revolutions
    theta = ThetaStar(ground, lazy=name == "lazy_theta")
    path = theta.find(start, goal)
    return path, theta.length, theta.expanded


def reachable_in_block(terrain: Terrain, start: tuple[int, int]) -> int:
    """Return the tiles of a 10 x 10 block reachable inside it."""
    top, left = start[0] // 10 * 10, start[1] // 10 * 10
    block = terrain.passable[top : top + 10, left : left + 10] & 1 > 0
    inside = distances(block, np.full(block.shape, 8), (start[0] - top, start[1] - left))
    return int(np.isfinite(inside).sum())


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if n not in ("dijkstra", "textbook", "greedy")])
def test_the_last_frame_is_the_kernels_own_answer(name: str) -> None:
    for terrain, _, _, start, goal, _ in worlds(12, name in UNIFORM):
        explorer = build(terrain, Question(name, start, goal))
        last = explorer.frame(explorer.total)
        path, cost, pops = by_the_kernel(name, terrain, start, goal)
        assert last.found and last.ended
        assert last.path.tolist() == path.tolist()
        assert last.cost == cost
        assert explorer.total == last.step == pops


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_step_back_is_the_state_of_before_bit_for_bit(name: str) -> None:
    rng = np.random.default_rng(2)
    for terrain, _, _, start, goal, _ in worlds(4, name in UNIFORM, seed=9):
        question = Question(name, start, goal)
        explorer, fresh = build(terrain, question), build(terrain, question)
        forward = [explorer.frame(k) for k in range(explorer.total + 1)]
        for k in reversed(range(explorer.total + 1)):
            assert explorer.frame(k).same(forward[k]), k
        for k in rng.integers(0, explorer.total + 1, 12).tolist():
            assert fresh.frame(k).same(forward[k]), "reached from anywhere it is the same"
        assert explorer.frame(explorer.total + 50).same(forward[-1])
        assert [frame.step for frame in forward] == list(range(explorer.total + 1))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_step_expands_an_open_node(name: str) -> None:
    for terrain, ground, _, start, goal, _ in worlds(4, name in UNIFORM, seed=13):
        explorer = build(terrain, Question(name, start, goal))
        frames = [explorer.frame(k) for k in range(explorer.total + 1)]
        assert frames[0].status[start] == (CLOSED if explorer.total == 0 or name.startswith("subgoal") else OPEN)
        for before, after in itertools.pairwise(frames):
            assert after.current is not None and ground[after.current]
            assert before.status[after.current] == OPEN or name.startswith("subgoal")
            if not after.ended:
                assert after.status[after.current] == CLOSED
            known = np.isfinite(after.g)
            # Lazy Theta* takes the best for granted and corrects itself when it expands a node.
            cheaper = after.g[known] <= before.g[known]
            assert cheaper.all() or name == "lazy_theta", "nothing ever gets dearer"
            assert after.looked >= before.looked
        assert not (frames[-1].status[~ground] != 0).any()


def test_f_on_the_tiles_of_long_ways_is_that_by_which_they_are_chosen() -> None:
    """An expanded node has no larger f than any waiting node.

    A waiting node was reached across a border. A node whose path became shorter inside its cluster has been served.
    """
    assert PathSettings().heuristic_weight == HEURISTIC_WEIGHT
    compared = raised = 0
    rng = np.random.default_rng(3)
    for _ in range(2):
        ground = rooms(rng, 40, 60)
        terrain = Terrain.build(ground.astype(np.uint8), costs(rng, 40, 60))
        reach = np.argwhere(np.isfinite(distances(ground, terrain.cost, tuple(np.argwhere(ground)[0]))))
        start, goal = ((int(y), int(x)) for y, x in (reach[0], reach[-1]))
        explorer = build(terrain, Question("hpa_batch", start, goal, cluster=4))
        frames = [explorer.frame(k) for k in range(explorer.total + 1)]
        chosen = [(frame.current, float(frame.g[frame.current])) for frame in frames[1:]]
        octile = octile_map(terrain.height, terrain.width, goal, terrain.lowest_cost / 8)
        for k in range(1, len(chosen)):
            f = frames[k].f[chosen[k][0]]
            for tile, g in chosen[k + 1 :]:
                y, x = divmod(int(frames[k].parent[tile]), terrain.width)
                if frames[k].g[tile] == g and (y // 4, x // 4) != (tile[0] // 4, tile[1] // 4):
                    assert f <= frames[k].f[tile] + 1e-9
                    compared += 1
            raised += frames[k].h[chosen[k][0]] > octile[chosen[k][0]] * 1.1
    assert compared > 50 and raised > 10, (compared, raised)


def test_next_hops_are_stepped_one_by_one_and_f_is_the_estimate_throughout() -> None:
    hops_seen = 0
    for terrain, _, _, start, goal, _ in worlds(12, uniform=False, seed=17):
        regions = Regions.build(terrain)
        estimate = NextHops.build(regions).estimate(regions, start, goal)
        explorer = build(terrain, Question("next_hop", start, goal))
        for k in range(explorer.total):
            frame = explorer.frame(k)
            (at,) = np.argwhere(frame.status == OPEN).tolist()
            assert tuple(at) == explorer.frame(k + 1).current, "the next region is all that is open"
            assert frame.f[np.isfinite(frame.g)] == pytest.approx(estimate)
            hops_seen += k > 0
        if start != goal:
            assert explorer.frame(explorer.total).g[goal] == pytest.approx(estimate)
    assert hops_seen > 20


def test_dijkstra_closes_the_component_at_its_true_costs() -> None:
    for terrain, ground, price, start, goal, best in worlds(8, uniform=False):
        explorer = build(terrain, Question("dijkstra", start, goal))
        last = explorer.frame(explorer.total)
        true = distances(ground, price, start)
        assert np.array_equal(last.status == CLOSED, np.isfinite(true))
        assert np.allclose(last.g[np.isfinite(true)], true[np.isfinite(true)])
        assert last.cost == pytest.approx(best) and last.path[0].tolist() == list(start)


@pytest.mark.parametrize("ties", ["near", "far", "old", "new"])
def test_the_textbook_search_is_exact_at_weight_one_whatever_the_ties(ties: str) -> None:
    for terrain, ground, price, start, goal, best in worlds(6, uniform=False):
        for estimate in ("octile", "straight", "none"):
            explorer = build(terrain, Question("textbook", start, goal, ties=ties, estimate=estimate))
            last = explorer.frame(explorer.total)
            assert path_cost(ground, price, last.path) == pytest.approx(best)
            assert last.cost == pytest.approx(best)


def test_weight_buys_fewer_nodes_for_a_bounded_excess() -> None:
    nodes = {1.0: 0, 2.0: 0, math.inf: 0}
    for terrain, ground, price, start, goal, best in worlds(30, uniform=True, seed=21):
        for weight in nodes:
            name = "greedy" if math.isinf(weight) else "textbook"
            explorer = build(terrain, Question(name, start, goal, weight=weight))
            last = explorer.frame(explorer.total)
            assert path_cost(ground, price, last.path) == pytest.approx(last.cost)
            assert best - 1e-9 <= last.cost <= best * weight + 1e-9 if best else last.cost == 0
            nodes[weight] += explorer.total
    assert max(nodes[math.inf], nodes[2.0]) < 0.75 * nodes[1.0], nodes


@pytest.mark.parametrize("dale", [False, True])
def test_with_relative_costs_the_road_winds_round_the_hill_and_the_dale(dale: bool) -> None:
    """Absolute costs lead through the dale, which is cheap ground.

    A climb costs four times its height.
    """
    y, x = np.mgrid[0:21, 0:31]
    hill = np.maximum(8, 88 - 9 * np.hypot(y - 10, x - 15)).astype(np.uint8)
    height = 96 - hill if dale else hill
    terrain = Terrain.build(np.ones((21, 31), np.uint8), height)
    climbs = []
    for relative in (False, True):
        explorer = build(terrain, Question("textbook", (10, 2), (10, 28), relative=relative))
        last = explorer.frame(explorer.total)
        climbs.append(np.abs(np.diff(height[last.path[:, 0], last.path[:, 1]].astype(int))).sum())
    length = np.hypot(*np.diff(last.path, axis=0).T).sum()
    assert last.cost == pytest.approx(length + 4.0 * climbs[1] / 8)
    over = np.abs(np.diff(height[10, 2:29].astype(int))).sum()
    assert climbs[1] < over / 2 and (climbs[0] > over / 2) == dale


def test_without_a_way_the_search_ends_with_everything_closed() -> None:
    ground = np.ones((9, 12), np.uint8)
    ground[:, 6] = 0
    terrain = Terrain.build(ground)
    for name in ALGORITHMS:
        explorer = build(terrain, Question(name, (4, 2), (4, 9)))
        last = explorer.frame(explorer.total)
        assert last.ended and not last.found, name
        assert (last.status[:, 6:] == 0).all()
        assert last.open_size == 0 or name in ("hpa", "hpa_2", "hpa_batch")


def test_breaks_stop_at_the_first_step_that_makes_them_true() -> None:
    many = (w for w in worlds(90, uniform=True, seed=31) if build(w[0], Question("jps", w[3], w[4])).total >= 8)
    terrain, _, _, start, goal, _ = next(many)
    for name in ("astar", "jps", "textbook"):
        explorer = build(terrain, Question(name, start, goal))
        frames = [explorer.frame(k) for k in range(explorer.total + 1)]
        middle = frames[explorer.total // 2].current
        assert middle is not None
        first = next(k for k, f in enumerate(frames) if f.status[middle] == CLOSED)
        assert first_stop(explorer, 0, [Break("closed", middle)])[0] == first
        opened = first_stop(explorer, 0, [Break("opened", middle)])[0]
        assert opened == next(k for k, f in enumerate(frames) if f.status[middle] == OPEN)
        most = max(f.open_size for f in frames)
        at, condition = first_stop(explorer, 0, [Break("open_above", value=most - 1)])
        assert condition is not None and frames[at].open_size == most
        assert all(f.open_size < most for f in frames[:at])
        seen, _ = first_stop(explorer, 0, [Break("goal_seen")])
        assert np.isfinite(frames[seen].g[goal]) and not np.isfinite(frames[seen - 1].g[goal])
        assert first_stop(explorer, 3, [], most=4) == (7, None)
        assert first_stop(explorer, 0, [])[0] == explorer.total
    with pytest.raises(ValueError, match="needs a tile"):
        Break("closed")
    with pytest.raises(ValueError, match="unknown break condition"):
        Break("rains")


def test_a_question_that_cannot_be_asked_says_why() -> None:
    ground = np.ones((5, 5), np.uint8)
    ground[2, 2] = 0
    terrain = Terrain.build(ground)
    assert "blocked" in why_not(terrain, Question("astar", (2, 2), (0, 0)))
    assert "outside" in why_not(terrain, Question("astar", (0, 0), (5, 0)))
    assert "no algorithm" in why_not(terrain, Question("magic", (0, 0), (1, 1)))
    with pytest.raises(ValueError, match="blocked"):
        build(terrain, Question("jps", (0, 0), (2, 2)))
    wide = Terrain.build(np.ones((300, 300), np.uint8))
    assert "too large" in why_not(wide, Question("jps_plus_gb", (0, 0), (1, 1)))
    assert "too large" in why_not(wide, Question("subgoal_2", (0, 0), (1, 1)))
    assert why_not(wide, Question("subgoal_1", (0, 0), (1, 1))) == ""
    chequered = np.where(np.indices((100, 100)).sum(axis=0) % 2, 8, 16)
    noise = Terrain.build(np.ones((100, 100), np.uint8), chequered)
    assert "too many regions" in why_not(noise, Question("next_hop", (0, 0), (1, 1)))


@pytest.mark.parametrize(
    ("limit", "name"),
    [("MOST_TILES", "astar"), ("MOST_FOR_BOUNDS", "jps_plus_gb"), ("MOST_FOR_TWO_LEVELS", "subgoal_n")],
)
def test_a_map_as_large_as_a_limit_is_explored_and_a_larger_one_is_not(limit: str, name: str) -> None:
    terrain, other = Terrain.build(np.ones((5, 6), np.uint8)), Terrain.build(np.ones((31, 1), np.uint8))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explorer_module, limit, 30)
        assert why_not(terrain, Question(name, (0, 0), (1, 1))) == ""
        assert "too large" in why_not(other, Question(name, (0, 0), (1, 0)))


def test_costs_differ_where_open_ground_has_two_costs() -> None:
    """Walls do not count, whatever cost stands below them."""
    rng = np.random.default_rng(4)
    answers = []
    for _ in range(24):
        ground = rng.random((3, 4)) < 0.6
        price = rng.choice([8, 8, 8, 20], (3, 4)).astype(np.uint8)
        answers.append(costs_differ(Terrain.build(ground, price)))
        assert answers[-1] == (len(set(price[ground].tolist())) > 1), (ground, price)
    assert True in answers and False in answers


def test_the_kernels_closed_list_is_the_frames() -> None:
    for terrain, _, _, start, goal, _ in worlds(4, uniform=False, seed=3):
        explorer = build(terrain, Question("astar", start, goal))
        search = AStarSearch(terrain.height, terrain.width)
        search.begin(terrain, 0, start, goal)
        for k in range(1, min(explorer.total, 40)):
            search.run(terrain, 1)
            frame = explorer.frame(k)
            assert np.array_equal(frame.status == CLOSED, search.tile_status & KERNEL_CLOSED > 0)
            # The kernel never enters the goal, the frame shows that it was seen.
            shown = {(y, x) for y, x in np.argwhere(frame.status == OPEN).tolist()} - {goal}
            assert shown == {(y, x) for y, x in search.open_tiles().tolist()} - {goal}
