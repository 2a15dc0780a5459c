"""Jump tables equal a walk over the grid; JPS+ equals Dijkstra.

This holds with and without goal bounds.
"""

import numpy as np
import pytest

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.canonical import SUCCESSORS
from ai.search.jps.jps import UniformGround
from ai.search.jps.jps_plus import JPSPlus, goal_bound_table, jump_tables
from tests.ai.search.grids import distances, path_cost, rooms

FIXTURE = ["..#...#..", "......#..", ".##...#..", "..#......", "..#...#.."]
N, E, S, W, NE, SE, SW, NW = range(8)


def ground_of(seed: int, height: int = 34, width: int = 41) -> UniformGround:
    return UniformGround.build(Terrain.build(rooms(np.random.default_rng(seed), height, width)))


def test_the_sources_example() -> None:
    """GP2 ch. 14, figure 14.9: the legible numbers."""
    ground = np.array([[letter == "." for letter in row] for row in FIXTURE])
    table = jump_tables(UniformGround.build(Terrain.build(ground))).reshape(7, 11, 8)[1:-1, 1:-1]
    assert table[1, :6, E].tolist() == [3, 2, 1, -2, -1, 0]
    assert table[1, :6, W].tolist() == [0, 1, 1, 2, 3, 4]
    assert table[4, 0, N] == 3 and table[0, 0, S] == 3 and table[0, 0, SE] == 1
    assert table[3, 3:6, E].tolist() == [4, 3, 2]
    assert table[2, 3:6, E].tolist() == [-2, -1, 0] and table[2, 3:6, W].tolist() == [0, -1, -2]
    assert table[1, 3, [SW, S, SE]].tolist() == [0, -3, 2] and table[1, 4, [SW, S, SE]].tolist() == [-1, -3, 1]


@pytest.mark.parametrize("seed", range(5))
def test_tables_equal_walking(seed: int) -> None:
    ground = ground_of(seed)
    stride = ground.moves.shape[1]
    table = jump_tables(ground).reshape(*ground.moves.shape, 8)

    def forced(y: int, x: int, k: int) -> bool:
        """Return True if arriving straight by k leaves more work than going on."""
        return bool(int(SUCCESSORS[k, ground.moves[y, x]]) & ~(1 << k)) and bool(ground.ground[y, x])

    def walk(y: int, x: int, k: int) -> int:
        steps = 0
        while ground.moves[y, x] >> k & 1:
            y, x, steps = y + MOVE_Y[k], x + MOVE_X[k], steps + 1
            if k < 4 and forced(y, x, k):
                return steps
            if k >= 4 and (walk(y, x, 2 - MOVE_X[k]) > 0 or walk(y, x, 1 + MOVE_Y[k]) > 0):
                return steps
        return -steps

    rng = np.random.default_rng(seed)
    for y, x in np.argwhere(ground.ground)[rng.permutation(int(ground.ground.sum()))[:120]]:
        assert table[y, x].tolist() == [walk(y, x, k) for k in range(8)], (y, x, stride)


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_costs_are_dijkstras(seed: int, bounded: bool) -> None:
    # Searches know boxes to a 128th of the map: on every other map that is coarser than tiles.
    ground = ground_of(seed, *((34, 41), (9, 330))[seed % 2])
    rng = np.random.default_rng(seed)
    open_tiles = ground.ground[1:-1, 1:-1] > 0
    even = np.full(open_tiles.shape, 8)
    search = JPSPlus(ground, jump_tables(ground), goal_bound_table(ground) if bounded else None)
    tiles = np.argwhere(open_tiles)
    for start in tiles[rng.integers(len(tiles), size=6)]:
        best = distances(open_tiles, even, tuple(start))
        goals = tiles[rng.integers(len(tiles), size=40)]
        _, offsets, costs = search.find_batch(np.repeat(start[None], 40, 0), goals)
        for row, goal in enumerate(goals):
            path = search.find(tuple(start), tuple(goal))
            if np.isinf(best[tuple(goal)]):
                assert path is None and costs[row] == -1
                continue
            assert search.cost == pytest.approx(best[tuple(goal)], rel=1e-8)
            assert costs[row] == search.cost and offsets[row + 1] > offsets[row]
            assert path_cost(open_tiles, even, path) == pytest.approx(search.cost, rel=1e-8)
            assert np.array_equal(path[0], start) and np.array_equal(path[-1], goal)


def test_bounds_save_work_and_a_poisoned_table_is_noticed() -> None:
    ground = UniformGround.build(Terrain.build(np.random.default_rng(9).random((60, 60)) < 0.8))
    jumps, bounds = jump_tables(ground), goal_bound_table(ground)
    plain, bounded = JPSPlus(ground, jumps), JPSPlus(ground, jumps, bounds)
    tiles = np.argwhere(ground.ground[1:-1, 1:-1])
    work = np.zeros(2)
    for a, b in zip(tiles[::37], tiles[::-41], strict=False):
        for i, search in enumerate((plain, bounded)):
            search.find_jumps(*a, *b)
            work[i] += search.revolutions
    assert work[1] < work[0] / 2
    poisoned = JPSPlus(ground, np.where(jumps == 1, 0, jumps).astype(np.int16))
    worse = sum(
        (poisoned.find(tuple(a), tuple(b)) is None) != (plain.find(tuple(a), tuple(b)) is None)
        or poisoned.cost != plain.cost
        for a, b in zip(tiles[::37], tiles[::-41], strict=False)
    )
    assert worse > 0


def test_stale_tables_and_bad_questions_are_refused() -> None:
    terrain = Terrain.build(np.ones((6, 9), bool))
    ground = UniformGround.build(terrain)
    search = JPSPlus(ground, jump_tables(ground))
    assert search.find((0, 0), (0, 0)).tolist() == [[0, 0]]
    assert len(search.find((0, 0), (5, 8))) == 9, "a knight-like offset needs a target jump point"
    with pytest.raises(ValueError, match="outside"):
        search.find((0, 0), (6, 0))
    with pytest.raises(ValueError, match="outside"):
        search.find_batch(np.array([[0, 0]]), np.array([[0, 9]]))
    with pytest.raises(ValueError, match="tables"):
        JPSPlus(ground, np.zeros((3, 8), np.int16))
    terrain.edit(2, 2, 3, 3, passable=0)
    ground.update(terrain)
    with pytest.raises(ValueError, match="edited"):
        search.find((0, 0), (5, 8))
