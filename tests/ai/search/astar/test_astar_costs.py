"""A* over terrain costs in one call equals Dijkstra, before and after edits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.grid.terrain import Terrain
from ai.search.astar import astar_costs_kernels as kernels
from ai.search.astar.astar import AStarSearch
from ai.search.astar.astar_costs import AStarOverCosts, CostGround
from tests.ai.search.grids import costs, distances, path_cost, rooms


@pytest.mark.parametrize("seed", range(30))
def test_costs_are_the_least_there_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = (int(n) for n in rng.integers(1, 40, 2))
    ground, price = rooms(rng, height, width), costs(rng, height, width)
    search = AStarOverCosts(CostGround.build(Terrain.build(ground, price)))
    if seed % 2:
        # Stacks that are too short grow, and the request is repeated.
        search._stacks = np.zeros((kernels.BUCKETS, 1), np.int32)
    tiles = np.argwhere(ground)
    if len(tiles) == 0:
        return
    for start in tiles[rng.integers(len(tiles), size=2)]:
        true = distances(ground, price, tuple(start))
        for goal in tiles[rng.integers(len(tiles), size=8)]:
            path = search.find(tuple(start.tolist()), tuple(goal.tolist()))
            assert (path is None) == np.isinf(true[tuple(goal)])
            if path is not None:
                assert tuple(path[0]) == tuple(start) and tuple(path[-1]) == tuple(goal)
                assert search.cost == pytest.approx(true[tuple(goal)], rel=1e-9)
                assert path_cost(ground, price, path) == pytest.approx(search.cost, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000), st.lists(st.tuples(st.integers(0, 19), st.integers(0, 23), st.integers(0, 3)), max_size=8)
)
def test_ground_that_followed_edits_equals_ground_read_anew(seed: int, edits: list[tuple[int, int, int]]) -> None:
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(rooms(rng, 20, 24), costs(rng, 20, 24))
    followed = CostGround.build(terrain)
    for y, x, kind in edits:
        y1, x1 = min(y + 3, 20), min(x + 2, 24)
        terrain.edit(y, x, y1, x1, **[{"passable": 0}, {"passable": 15}, {"cost": 40}, {"cost": 8}][kind])
        followed.update(terrain)
    fresh = CostGround.build(terrain)
    # Numbers of kinds may differ, their meaning may not.
    assert np.array_equal(followed.price, fresh.price)
    assert np.array_equal(followed.masks[followed.kinds], fresh.masks[fresh.kinds])


def test_it_stays_exact_when_kinds_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "KINDS", 520)
    rng = np.random.default_rng(1)
    ground, price = rng.random((40, 40)) < 0.9, rng.integers(1, 256, (40, 40)).astype(np.uint8)
    terrain = Terrain.build(ground, price)
    weighted = CostGround.build(terrain)
    assert weighted.tally[1]
    search = AStarOverCosts(weighted)
    for _ in range(2):
        tiles = np.argwhere(terrain.passable)
        true = distances(terrain.passable > 0, terrain.cost, tuple(tiles[0]))
        for goal in tiles[:: len(tiles) // 9]:
            if search.find(tuple(tiles[0].tolist()), tuple(goal.tolist())) is not None:
                assert search.cost == pytest.approx(true[tuple(goal)], rel=1e-9)
        terrain.edit(20, 20, 23, 23, cost=8)
        weighted.update(terrain)


def test_pruning_leaves_few_moves_and_the_same_costs() -> None:
    rng = np.random.default_rng(4)
    ground = rng.random((120, 120)) < 0.92
    terrain = Terrain.build(ground, np.kron(rng.choice([6, 8, 12, 20], (10, 10)), np.ones((12, 12), int)))
    weighted = CostGround.build(terrain)
    kept = np.bitwise_count(weighted.masks[weighted.kinds][1:-1, 1:-1][ground]).mean() / 8
    assert kept < 3, "most of eight moves are pruned, averaged over arrivals"
    search, slices = AStarOverCosts(weighted), AStarSearch(120, 120)
    tiles = np.argwhere(ground)
    for a, b in rng.integers(len(tiles), size=(30, 2)):
        start, goal = tuple(tiles[a].tolist()), tuple(tiles[b].tolist())
        slices.begin(terrain, 0, start, goal)
        slices.run(terrain, 1 << 40)
        if search.find(start, goal) is not None:
            assert search.cost == slices.cost


def test_bad_questions_are_refused() -> None:
    search = AStarOverCosts(CostGround.build(Terrain.build(np.array([[True, False, True]]))))
    assert search.find((0, 0), (0, 2)) is None
    assert search.find((0, 0), (0, 0)).tolist() == [[0, 0]]
    assert search.find((0, 1), (0, 0)) is None
    with pytest.raises(ValueError, match=r"goal \(y=1, x=0\) is outside a map of 1 x 3"):
        search.find((0, 0), (1, 0))
