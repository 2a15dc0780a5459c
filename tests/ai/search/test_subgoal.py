"""Subgoal graphs: corners and reach by definition, and shortest paths equal to Dijkstra's at both levels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.subgoal import SubgoalGraph, SubgoalSearch
from ai.search.uniform import UniformAStar, UniformGround
from tests.ai.search.grids import distances, path_cost, rooms


def ground_of(open_tiles: np.ndarray) -> UniformGround:
    return UniformGround.build(Terrain.build(open_tiles))


def test_corners_of_simple_walls() -> None:
    field = np.ones((9, 9), bool)
    assert len(SubgoalGraph(ground_of(field)).places) == 0
    field[4, 4] = False
    assert {tuple(p) for p in SubgoalGraph(ground_of(field)).places.tolist()} == {(3, 3), (3, 5), (5, 3), (5, 5)}
    field[4, 4:7] = field[4:7, 4] = False
    places = {tuple(p) for p in SubgoalGraph(ground_of(field)).places.tolist()}
    assert (5, 5) not in places, "the inner corner of an L is concave"
    assert {(3, 3), (3, 7), (5, 7), (7, 3), (7, 5)} == places


def direct(ground: UniformGround, subgoals: set, a: tuple, b: tuple) -> bool:
    """By definition: every octile-length order of moves is open and meets no other subgoal."""
    dy, dx = b[0] - a[0], b[1] - a[1]
    diagonals = min(abs(dy), abs(dx))
    steps = {"d": (int(np.sign(dy)), int(np.sign(dx)))}
    steps["s"] = (steps["d"][0], 0) if abs(dy) > abs(dx) else (0, steps["d"][1])
    counts = {"d": diagonals, "s": max(abs(dy), abs(dx)) - diagonals}
    number = {(int(MOVE_Y[k]), int(MOVE_X[k])): k for k in range(8)}
    for d in range(counts["d"] + 1):
        for s in range(counts["s"] + 1):
            y = a[0] + d * steps["d"][0] + s * steps["s"][0]
            x = a[1] + d * steps["d"][1] + s * steps["s"][1]
            if (y, x) in subgoals and (y, x) not in (a, b):
                return False
            for kind, made in (("d", d), ("s", s)):
                if made < counts[kind] and not ground.moves[y + 1, x + 1] >> number[steps[kind]] & 1:
                    return False
    return True


@pytest.mark.parametrize("seed", range(6))
def test_the_area_scan_equals_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    open_tiles = rooms(rng, 17, 19)
    ground = ground_of(open_tiles)
    graph = SubgoalGraph(ground)
    places = [tuple(p) for p in graph.places.tolist()]
    for tile in np.argwhere(open_tiles)[rng.permutation(int(open_tiles.sum()))[:40]]:
        here = tuple(tile.tolist())
        found = graph.reach(*here).tolist()
        wanted = [n for n, place in enumerate(places) if place != here and direct(ground, set(places), here, place)]
        assert sorted(found) == wanted, here


@pytest.mark.parametrize("levels", [1, 2, 20])
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_costs_are_dijkstras_and_paths_legal(levels: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    open_tiles = rooms(rng, int(rng.integers(5, 36)), int(rng.integers(5, 44)))
    if not open_tiles.any():
        return
    search = SubgoalSearch(SubgoalGraph(ground_of(open_tiles), levels))
    even = np.full(open_tiles.shape, 8)
    tiles = np.argwhere(open_tiles)
    start = tuple(tiles[rng.integers(len(tiles))].tolist())
    best = distances(open_tiles, even, start)
    for pick in rng.integers(len(tiles), size=20):
        goal = tuple(tiles[pick].tolist())
        path = search.find(start, goal)
        assert (path is not None) == np.isfinite(best[goal])
        if path is not None:
            assert search.cost == pytest.approx(best[goal], rel=1e-8)
            assert tuple(path[0]) == start and tuple(path[-1]) == goal
            assert path_cost(open_tiles, even, path) == pytest.approx(best[goal], rel=1e-8)


def test_each_level_searches_less() -> None:
    open_tiles = np.random.default_rng(3).random((90, 90)) < 0.9
    ground = ground_of(open_tiles)
    graphs = [SubgoalGraph(ground, levels) for levels in (1, 2, 20)]
    assert not graphs[0].is_local.any() and graphs[1].is_local.mean() > 0.2
    assert graphs[2].top > 2 and graphs[2].is_local.mean() > graphs[1].is_local.mean()
    assert set(graphs[2].level.tolist()) == set(range(1, graphs[2].top + 1))
    searches = [UniformAStar(ground), *(SubgoalSearch(graph) for graph in graphs)]
    work = np.zeros(4)
    tiles = np.argwhere(open_tiles)
    for a, b in zip(tiles[::131], tiles[::-137], strict=False):
        for i, search in enumerate(searches):
            search.find(tuple(a.tolist()), tuple(b.tolist()))
            work[i] += search.revolutions
    assert work[0] > work[1] > work[2] > work[3]


def test_bad_questions_are_refused() -> None:
    terrain = Terrain.build(np.ones((6, 6), bool))
    ground = UniformGround.build(terrain)
    search = SubgoalSearch(SubgoalGraph(ground))
    assert search.find((1, 1), (1, 1)).tolist() == [[1, 1]]
    with pytest.raises(ValueError, match="outside"):
        search.find((0, 0), (6, 0))
    with pytest.raises(ValueError, match="levels"):
        SubgoalGraph(ground, 0)
    terrain.edit(2, 2, 3, 3, passable=0)
    ground.update(terrain)
    with pytest.raises(ValueError, match="edited"):
        search.find((0, 0), (5, 5))
