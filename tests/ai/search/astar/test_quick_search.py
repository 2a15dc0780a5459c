"""Quick searches give every unit a sensible first path within their cap."""

import heapq
import itertools
import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.search.astar.quick_search import MAX_CAP, WINDOW, quick_search
from tests.ai.search.grids import costs, distances, path_cost, rooms


def ground_of(seed: int, height: int = 60, width: int = 80) -> Terrain:
    rng = np.random.default_rng(seed)
    return Terrain.build(rooms(rng, height, width), costs(rng, height, width))


def questions(terrain: Terrain, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    tiles = np.argwhere(terrain.passable > 0)
    return tiles[rng.integers(len(tiles), size=count)], tiles[rng.integers(len(tiles), size=count)]


@pytest.mark.parametrize("seed", range(10))
def test_paths_are_legal_capped_and_end_nearest_to_the_goal(seed: int) -> None:
    terrain, rng = ground_of(seed), np.random.default_rng(seed)
    starts, goals = questions(terrain, rng, 60)
    caps = rng.integers(0, 65, 60)
    found = quick_search(terrain, starts, goals, 0, caps)
    ground = terrain.passable > 0
    for row in range(60):
        path = found.tiles[row, : found.counts[row]]
        assert np.array_equal(path[0], starts[row])
        assert found.revolutions[row] <= caps[row]
        assert path_cost(ground, terrain.cost, path) == pytest.approx(found.costs[row])
        assert found.reached[row] == np.array_equal(path[-1], goals[row])
        h = [max(dy, dx) + (2**0.5 - 1) * min(dy, dx) for dy, dx in np.abs(path - goals[row]).tolist()]
        assert h[-1] == pytest.approx(min(h)), "a path never passes a tile nearer to the goal than its end"


def reference(terrain: Terrain, start: tuple, goal: tuple, cap: int) -> tuple[tuple, int]:
    """Textbook A* with a separate heap.

    Returns the closed tile nearest to the goal, and its cost class.
    """
    ground, price = terrain.passable > 0, terrain.cost.astype(int)
    lowest = terrain.lowest_cost

    def h(y: int, x: int) -> float:
        dy, dx = abs(y - goal[0]), abs(x - goal[1])
        return (max(dy, dx) + (2**0.5 - 1) * min(dy, dx)) * lowest / 8

    g = {start: 0.0}
    closed: dict = {}
    heap = [(h(*start), 0, start)]
    order = itertools.count(-1, -1)
    used = 0
    while heap:
        _, _, at = heapq.heappop(heap)
        if at in closed:
            continue
        if at == goal:
            closed[at] = g[at]
            break
        if used == cap:
            break
        used += 1
        closed[at] = g[at]
        y, x = at
        for dy, dx in ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)):
            ny, nx = y + dy, x + dx
            if not (0 <= ny < ground.shape[0] and 0 <= nx < ground.shape[1] and ground[ny, nx]):
                continue
            if dy and dx and not (ground[ny, x] and ground[y, nx]):
                continue
            new = g[at] + (price[y, x] + price[ny, nx]) / 16 * math.hypot(dy, dx)
            if new < g.get((ny, nx), math.inf) - 1e-12:
                g[ny, nx] = new
                closed.pop((ny, nx), None)
                heapq.heappush(heap, (new + h(ny, nx), next(order), (ny, nx)))
    return min(closed, key=lambda t: (round(h(*t), 9), round(closed[t], 9), t)), used


@pytest.mark.parametrize("seed", range(12))
def test_the_end_is_the_textbooks(seed: int) -> None:
    """Without ties of f, the expansion order is forced.

    So the answers are equal.
    """
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(rng.random((40, 40)) < 0.85, rng.integers(8, 250, (40, 40)))
    starts, goals = questions(terrain, rng, 20)
    starts, goals = 10 + starts % 20, 10 + goals % 20
    found = quick_search(terrain, starts, goals, 0, 20)
    for row in range(20):
        start, goal = tuple(starts[row].tolist()), tuple(goals[row].tolist())
        end, used = reference(terrain, start, goal, 20)
        assert tuple(found.tiles[row, found.counts[row] - 1].tolist()) == end
        assert found.revolutions[row] == used


@pytest.mark.parametrize("seed", range(6))
def test_a_splice_that_is_reached_is_optimal(seed: int) -> None:
    terrain, rng = ground_of(seed), np.random.default_rng(seed + 100)
    starts, _ = questions(terrain, rng, 12)
    offsets = rng.integers(-5, 6, (12, 2))
    goals = np.clip(starts + offsets, 0, (59, 79))
    found = quick_search(terrain, starts, goals, 0, MAX_CAP)
    for row in range(12):
        exact = distances(terrain.passable > 0, terrain.cost, tuple(starts[row]))[tuple(goals[row])]
        if found.reached[row] and exact < 6:
            assert found.costs[row] == pytest.approx(exact)


def test_rows_are_independent_of_each_other() -> None:
    terrain, rng = ground_of(3), np.random.default_rng(3)
    starts, goals = questions(terrain, rng, 50)
    together = quick_search(terrain, starts, goals, 0, 30)
    for row in (0, 17, 49):
        alone = quick_search(terrain, starts[row : row + 1], goals[row : row + 1], 0, 30)
        assert np.array_equal(alone.tiles[0], together.tiles[row]) and alone.counts[0] == together.counts[row]


def test_edges_of_map_window_and_table() -> None:
    terrain = Terrain.build(np.ones((200, 200), bool))
    corner = quick_search(terrain, [(0, 0), (199, 199)], [(199, 199), (-50, 400)], 0, 40)
    assert corner.counts[0] > 15 and not corner.reached.any()
    assert np.all(corner.tiles >= 0) and np.all(corner.tiles < 200)
    far = quick_search(terrain, [(100, 100)], [(100, 199)], 0, MAX_CAP)
    assert 15 < far.counts[0] < WINDOW
    short = quick_search(terrain, [(100, 100)], [(100, 110)], 0, 64, max_tiles=5)
    assert short.counts[0] == 5 and not short.reached[0] and short.tiles[0, 4].tolist() == [100, 104]
    there = quick_search(terrain, [(9, 9)], [(9, 9)], 0, 0)
    assert there.reached[0] and there.counts[0] == 1
    none = quick_search(terrain, np.zeros((0, 2), int), np.zeros((0, 2), int), 0, 9)
    assert none.tiles.shape == (0, 64, 2)


def test_bad_questions_are_refused() -> None:
    terrain = Terrain.build(np.ones((9, 9), bool))
    with pytest.raises(ValueError, match=r"start 1 \(9, 0\) is outside 9 x 9"):
        quick_search(terrain, [(0, 0), (9, 0)], [(1, 1), (1, 1)], 0, 9)
    with pytest.raises(ValueError, match="caps"):
        quick_search(terrain, [(0, 0)], [(1, 1)], 0, MAX_CAP + 1)
    with pytest.raises(ValueError, match="classes"):
        quick_search(terrain, [(0, 0)], [(1, 1)], [0, 1], 9)
    with pytest.raises(ValueError, match="goals"):
        quick_search(terrain, [(0, 0)], [(1, 1, 1)], 0, 9)


def test_a_path_may_end_as_soon_as_it_is_so_much_nearer() -> None:
    terrain = Terrain.build(np.ones((80, 80), bool))
    found = quick_search(terrain, [(5, 5)], [(5, 70)], 0, 60, nearer=7)
    assert found.tiles[0, : found.counts[0]].tolist() == [[5, x] for x in range(5, 13)]
    assert found.revolutions[0] == 8
    assert not found.reached[0]


def test_a_unit_nearest_to_the_goal_explores_the_next_open_tile() -> None:
    ground = np.ones((30, 30), bool)
    ground[5:25, 15] = False
    terrain = Terrain.build(ground)
    stands = quick_search(terrain, [(12, 14)], [(12, 25)], 0, 20)
    assert stands.counts[0] == 1, "nothing nearer: it stays"
    goes = quick_search(terrain, [(12, 14)], [(12, 25)], 0, 20, explore=True)
    path = goes.tiles[0, : goes.counts[0]]
    assert len(path) > 1
    assert path_cost(ground, terrain.cost, path) > 0
    walled = np.zeros((9, 9), bool)
    walled[4, 4] = True
    shut_in = quick_search(Terrain.build(walled), [(4, 4)], [(0, 0)], 0, 20, explore=True)
    assert shut_in.counts[0] == 1
