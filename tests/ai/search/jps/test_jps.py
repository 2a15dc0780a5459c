"""The searches on uniform-cost grids equal Dijkstra, before and after edits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.grid.movingai import read_map, read_scenario
from ai.grid.terrain import Terrain
from ai.search.jps.jps import JumpPointSearch, UniformAStar, UniformGround
from tests.ai.search.grids import benchmark_folder, distances, path_cost, rooms

SEARCHES = [UniformAStar, JumpPointSearch]


def assert_finds_what_dijkstra_finds(search: object, ground: np.ndarray, rng: np.random.Generator, goals: int) -> None:
    even = np.full(ground.shape, 8)
    tiles = np.argwhere(ground)
    start = tuple(tiles[rng.integers(len(tiles))].tolist())
    best = distances(ground, even, start)
    for pick in rng.integers(len(tiles), size=goals):
        goal = tuple(tiles[pick].tolist())
        path = search.find(start, goal)
        assert (path is not None) == np.isfinite(best[goal])
        if path is not None:
            assert tuple(path[0]) == start and tuple(path[-1]) == goal
            assert search.cost == pytest.approx(best[goal], rel=1e-8)
            assert path_cost(ground, even, path) == pytest.approx(best[goal], rel=1e-8)


@pytest.mark.parametrize("kind", SEARCHES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_costs_are_dijkstras_and_paths_legal(kind: type, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ground = rooms(rng, int(rng.integers(1, 60)), int(rng.integers(1, 140)))
    if ground.any():
        search = kind(UniformGround.build(Terrain.build(ground)))
        assert_finds_what_dijkstra_finds(search, ground, rng, 15)


@pytest.mark.parametrize("kind", SEARCHES)
@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    edits=st.lists(
        st.tuples(*(st.integers(0, n) for n in (69, 89)), *(st.integers(1, 12),) * 2, st.booleans(), st.booleans()),
        min_size=1, max_size=8,
    ),
)  # fmt: skip
def test_an_edited_ground_equals_a_fresh_one(kind: type, seed: int, edits: list) -> None:
    """Edits are followed one by one or several together."""
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(rooms(rng, 70, 90))
    ground = UniformGround.build(terrain)
    search = kind(ground)
    for n, (y, x, tall, wide, opened, at_once) in enumerate(edits):
        terrain.edit(y, x, min(y + tall, 70), min(x + wide, 90), passable=opened * 15)
        if at_once and n + 1 < len(edits):
            continue
        ground.update(terrain)
        fresh = UniformGround.build(terrain)
        for name in ("ground", "moves", "east", "west", "south", "north"):
            assert np.array_equal(getattr(ground, name), getattr(fresh, name)), name
        assert_finds_what_dijkstra_finds(search, terrain.passable > 0, rng, 3)


@pytest.mark.parametrize("kind", SEARCHES)
def test_classes_read_their_own_bit(kind: type) -> None:
    mask = np.full((3, 5), 0b11, np.uint8)
    mask[:, 2] = 0b10
    terrain = Terrain.build(mask)
    assert kind(UniformGround.build(terrain, 0)).find((0, 0), (0, 4)) is None
    assert len(kind(UniformGround.build(terrain, 1)).find((0, 0), (0, 4))) == 5


@pytest.mark.parametrize("kind", SEARCHES)
def test_long_way_round_and_wide_maps(kind: type) -> None:
    ground = np.ones((41, 3000), bool)
    ground[1:40:4, :-1] = False
    ground[3:40:4, 1:] = False
    path = kind(UniformGround.build(Terrain.build(ground))).find((0, 0), (40, 0))
    assert len(path) > 60_000 - 100 and path_cost(ground, np.full(ground.shape, 8), path) > 0
    open_field = np.ones((3, 4000), bool)
    assert len(kind(UniformGround.build(Terrain.build(open_field))).find((1, 3999), (1, 0))) == 4000


@pytest.mark.parametrize("kind", SEARCHES)
@pytest.mark.parametrize("goal", [(3, 7), (7, 3), (0, 3), (3, 0), (7, 7), (6, 7), (0, 0)])
def test_no_way_ends_in_a_wall(kind: type, goal: tuple[int, int]) -> None:
    """The goal is in line with the start, or past a diagonal's end.

    A start in a wall finds no path either.
    """
    ground = np.ones((9, 9), bool)
    ground[goal] = False
    search = kind(UniformGround.build(Terrain.build(ground)))
    assert search.find((3, 3), goal) is None and search.find(goal, (3, 3)) is None
    assert search.find((3, 3), (8, 8)) is not None


@pytest.mark.parametrize("kind", SEARCHES)
def test_trivial_and_bad_questions(kind: type) -> None:
    search = kind(UniformGround.build(Terrain.build(np.ones((4, 4), bool))))
    assert search.find((2, 2), (2, 2)).tolist() == [[2, 2]]
    with pytest.raises(ValueError, match="goal"):
        search.find((0, 0), (4, 0))


@pytest.mark.parametrize("kind", SEARCHES)
@pytest.mark.skipif(benchmark_folder() is None, reason="FOGLINE_MAPS names no folder of MovingAI maps")
def test_published_optima(kind: type) -> None:
    wrong = total = 0
    for path in sorted(benchmark_folder().glob("*.map")):
        ground, scenario = read_map(path), read_scenario(f"{path}.scen")
        search = kind(UniformGround.build(Terrain.build(ground)))
        for row in range(0, len(scenario.optima), max(1, len(scenario.optima) // 40)):
            start, goal = tuple(scenario.starts[row].tolist()), tuple(scenario.goals[row].tolist())
            if not (ground[start] and ground[goal]):
                continue  # in the water, on one map
            found = search.find(start, goal)
            total += 1
            assert found is not None
            wrong += search.cost != pytest.approx(scenario.optima[row], rel=1e-4, abs=6e-3)
            if row % 5 == 0:
                assert path_cost(ground, np.full(ground.shape, 8), found) == pytest.approx(search.cost, rel=1e-8)
    # The disputed rows of battleground, see test_astar.
    assert wrong <= 4 < total


def test_the_sources_early_stop_is_a_mode_of_its_own() -> None:
    """The first path to the goal: never shorter than the optimum, seldom longer.

    It takes no more work.
    """
    longer, work, exact_work = 0, 0, 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        ground = rng.random((70, 70)) < 0.75
        uniform = UniformGround.build(Terrain.build(ground))
        exact, early = JumpPointSearch(uniform), JumpPointSearch(uniform, early_stop=True)
        tiles = np.argwhere(ground)
        for a, b in rng.integers(len(tiles), size=(25, 2)):
            start, goal = tuple(tiles[a].tolist()), tuple(tiles[b].tolist())
            best = exact.find(start, goal)
            path = early.find(start, goal)
            assert (path is None) == (best is None)
            if best is None:
                continue
            assert path_cost(ground, np.full(ground.shape, 8), path) == pytest.approx(early.cost)
            assert exact.cost <= early.cost <= exact.cost * 1.1 + 1
            longer += early.cost > exact.cost
            work, exact_work = work + early.revolutions, exact_work + exact.revolutions
    assert longer > 0 and work < exact_work
