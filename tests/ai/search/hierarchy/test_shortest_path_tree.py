"""Shortest-path tree: every path is legal and as short as the graph's own answer."""

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.hierarchy.shortest_path_tree import ShortestPathTree


def ground(seed: int) -> Terrain:
    rng = np.random.default_rng(seed)
    passable = (rng.random((96, 112)) > 0.12).astype(np.uint8)
    passable[40:42, :] = 0
    passable[40:42, 30:34] = 1
    cost = np.where(rng.random((96, 112)) < 0.3, 16, 8).astype(np.uint8)
    return Terrain.build(passable, cost)


def length(terrain: Terrain, path: np.ndarray) -> float:
    """Return the cost of a path in tiles; fail on an illegal step."""
    total = 0.0
    for (y0, x0), (y1, x1) in zip(path[:-1].tolist(), path[1:].tolist(), strict=True):
        assert max(abs(y1 - y0), abs(x1 - x0)) == 1
        assert terrain.passable[y1, x1] and terrain.passable[y0, x1] and terrain.passable[y1, x0]
        total += (int(terrain.cost[y0, x0]) + int(terrain.cost[y1, x1])) / 16 * (2**0.5 if y0 != y1 and x0 != x1 else 1)
    return total


@pytest.mark.parametrize("seed", range(2))
def test_each_is_led_as_the_graph_would_lead_him_alone(seed: int) -> None:
    terrain = ground(seed)
    paths = HpaBatch.build(terrain)
    rng = np.random.default_rng(seed)
    open_tiles = np.argwhere(terrain.passable[50:] == 1) + (50, 0)
    starts = open_tiles[rng.choice(len(open_tiles), 40, replace=False)].astype(np.int32)
    goal = next((y, x) for y, x in np.argwhere(terrain.passable[:20] == 1).tolist() if x > 60)
    alone = paths.plan(terrain, starts, np.tile(goal, (40, 1)), 1 << 40)
    tree = ShortestPathTree(paths, terrain, goal, starts)
    tiles, counts = tree.lead(paths, terrain, starts, np.tile(goal, (40, 1)).astype(np.int32), 400, 0)
    found = 0
    for i in np.flatnonzero(alone.outcome == 1).tolist():
        assert counts[i] > 0
        path = tiles[i, : counts[i]]
        rest = paths.plan(terrain, path[-1:], np.array([goal]), 1 << 40)
        whole = length(terrain, path) + length(terrain, rest.tiles)
        own = length(terrain, alone.tiles[alone.offsets[i] : alone.offsets[i + 1]])
        assert whole <= own * 1.02 + 0.5
        found += 1
    assert found > 20


def test_a_tree_grown_again_to_its_reach_is_the_same_tree() -> None:
    terrain = ground(3)
    paths = HpaBatch.build(terrain)
    starts = np.argwhere(terrain.passable == 1)[:5]
    goal = tuple(np.argwhere(terrain.passable == 1)[-1].tolist())
    one = ShortestPathTree(paths, terrain, goal, starts)
    two = ShortestPathTree(paths, terrain, goal, reach=one.reach)
    assert np.array_equal(one.toward, two.toward)
    few = ShortestPathTree(paths, terrain, goal, starts, limit=10)
    assert few.settled == 10
    assert np.array_equal(few.toward, ShortestPathTree(paths, terrain, goal, reach=few.reach).toward)
