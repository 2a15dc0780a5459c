"""Subgoal graphs: corners and reach by definition, shortest paths equal to Dijkstra's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai.core.serialization import restore, snapshot
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.jps.jps import UniformAStar, UniformGround
from ai.search.subgoals.subgoal_search import SubgoalGraph, SubgoalSearch
from tests.ai.search.grids import distances, path_cost, rooms


def places_of(graph: SubgoalGraph) -> list[tuple]:
    return [tuple(p) for p in graph.places[graph.live].tolist()]


def ground_of(open_tiles: np.ndarray) -> UniformGround:
    return UniformGround.build(Terrain.build(open_tiles))


def test_corners_of_simple_walls() -> None:
    field = np.ones((9, 9), bool)
    assert not places_of(SubgoalGraph.build(ground_of(field)))
    field[4, 4] = False
    assert set(places_of(SubgoalGraph.build(ground_of(field)))) == {(3, 3), (3, 5), (5, 3), (5, 5)}
    field[4, 4:7] = field[4:7, 4] = False
    places = set(places_of(SubgoalGraph.build(ground_of(field))))
    assert (5, 5) not in places, "the inner corner of an L is concave"
    assert {(3, 3), (3, 7), (5, 7), (7, 3), (7, 5)} == places


def direct(ground: UniformGround, subgoals: set, a: tuple, b: tuple) -> bool:
    """Check by definition: every octile-length order of moves is open.

    None of them meets another subgoal.
    """
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
    graph = SubgoalGraph.build(ground)
    places = places_of(graph)
    for tile in np.argwhere(open_tiles)[rng.permutation(int(open_tiles.sum()))[:40]]:
        here = tuple(tile.tolist())
        found = graph.reach(ground, *here).tolist()
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
    search = SubgoalSearch.over(ground_of(open_tiles), levels)
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


def _shortest(edges: list[tuple[int, int, float]], numbers: int, start: int, without: set[int]) -> np.ndarray:
    """Return scipy's distances over edges.

    A path may begin or end at a left out subgoal, but not lead through one.
    """
    kept = [(a, b, w) for a, b, w in edges if a == start or a not in without]
    lightest: dict[tuple[int, int], float] = {}
    for a, b, w in kept:
        lightest[a, b] = min(w, lightest.get((a, b), np.inf))
    ends = np.array(list(lightest), np.int64).reshape(-1, 2)
    weights = csr_matrix((list(lightest.values()), (ends[:, 0], ends[:, 1])), (numbers, numbers))
    return dijkstra(weights, indices=start)


@pytest.mark.parametrize("seed", range(4))
def test_local_subgoals_equal_the_choice_by_definition(seed: int) -> None:
    """Compare with the definition: scipy's distances between neighbours without the subgoal."""
    open_tiles = rooms(np.random.default_rng(seed), 18, 18)
    ground = ground_of(open_tiles)
    simple, two = SubgoalGraph.build(ground), SubgoalGraph.build(ground, 2)
    places, numbers = simple.places, len(simple.places)

    def apart(a: int, b: int) -> float:
        dy, dx = np.abs(places[a] - places[b]).tolist()
        return max(dy, dx) + (2**0.5 - 1) * min(dy, dx)

    edges = [(a, b, apart(a, b)) for a, b in simple.edges().tolist()]
    left_out: set[int] = set()
    for s in sorted(np.flatnonzero(simple.live).tolist(), key=lambda n: tuple(places[n])):
        around = sorted({b for a, b, _ in edges if a == s})
        rest = [e for e in edges if s not in e[:2]]
        joins: list[tuple[int, int]] = []
        for p in around:
            found = _shortest(rest, numbers, p, left_out)
            for q in around:
                if q > p and found[q] > apart(p, s) + apart(s, q) + 1e-9:
                    joins.append((p, q))
        even = np.full(open_tiles.shape, 8)
        field = {p: distances(open_tiles, even, tuple(places[p].tolist())) for p, _ in joins}
        # An edge may replace a path through s only where an octile-length path between its ends is open.
        if all(field[p][tuple(places[q])] <= apart(p, q) + 1e-6 for p, q in joins):
            left_out.add(s)
            edges += [(a, b, apart(a, b)) for p, q in joins for a, b in ((p, q), (q, p))]
    assert set(np.flatnonzero(two.is_local).tolist()) == left_out and left_out


def test_each_level_searches_less() -> None:
    open_tiles = np.random.default_rng(3).random((90, 90)) < 0.9
    ground = ground_of(open_tiles)
    graphs = [SubgoalGraph.build(ground, levels) for levels in (1, 2, 20)]
    local = [graph.is_local[graph.live].mean() for graph in graphs]
    assert local[0] == 0 and local[1] > 0.2 and local[2] > local[1] and graphs[2].top > 2
    assert set(graphs[2].level[graphs[2].live].tolist()) == set(range(1, graphs[2].top + 1))
    searches = [UniformAStar(ground), *(SubgoalSearch(graph, ground) for graph in graphs)]
    work = np.zeros(4)
    tiles = np.argwhere(open_tiles)
    for a, b in zip(tiles[::131], tiles[::-137], strict=False):
        for i, search in enumerate(searches):
            search.find(tuple(a.tolist()), tuple(b.tolist()))
            work[i] += search.revolutions
    assert work[0] > work[1] > work[2] > work[3]


def picture(graph: SubgoalGraph) -> dict:
    """Return each subgoal's position, level and ordered neighbour positions."""
    places = [tuple(p) for p in graph.places.tolist()]
    return {
        places[s]: (int(graph.level[s]), [places[n] for n in graph.neighbours(s).tolist()])
        for s in np.flatnonzero(graph.live).tolist()
    }


@pytest.mark.parametrize("levels", [1, 2, 20])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_mended_equals_built_anew_after_any_edits(levels: int, data: st.DataObject) -> None:
    """Slices are cut anywhere, with edits and restores in between.

    The search is exact as soon as the simple graph is ready.
    """
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    height, width = data.draw(st.tuples(st.integers(3, 40), st.integers(3, 44)))
    terrain = Terrain.build(rooms(rng, height, width))
    ground = UniformGround.build(terrain)
    graph = SubgoalGraph.begin(ground, levels)
    for _ in range(data.draw(st.integers(1, 7))):
        for _ in range(data.draw(st.integers(0, 12))):
            graph.advance(ground, int(rng.integers(1, 30)))
        before = terrain.revision
        for _ in range(int(rng.integers(1, 3))):
            y, x = int(rng.integers(height)), int(rng.integers(width))
            y1, x1 = min(y + int(rng.integers(1, 7)), height), min(x + int(rng.integers(1, 7)), width)
            terrain.edit(y, x, y1, x1, passable=int(rng.integers(2)) * 15)
        ground.update(terrain)
        graph.edited(ground, terrain.changes_since(before, ("passable",)))
        if data.draw(st.booleans()):
            graph = restore(snapshot(graph))
    while not graph.ready:
        assert graph.advance(ground, 3)
    fresh = SubgoalGraph.build(ground, levels)
    open_tiles = terrain.passable > 0
    questions = np.argwhere(open_tiles)[rng.permutation(int(open_tiles.sum()))[:6]].tolist()
    search, other = SubgoalSearch(graph, ground), SubgoalSearch(fresh, ground)
    while True:
        for start, goal in zip(questions[:3], questions[3:], strict=False):
            path, best = search.find(start, goal), other.find(start, goal)
            assert (path is None) == (best is None) and (path is None or search.cost == other.cost)
        if not graph.advance(ground, 40):
            break
    assert graph.whole and picture(graph) == picture(fresh) and graph.top == fresh.top


def test_an_edit_costs_a_fraction_and_slices_keep_to_their_size() -> None:
    rng = np.random.default_rng(0)
    terrain = Terrain.build(np.kron(rng.random((32, 32)) < 0.8, np.ones((6, 6), bool)))
    ground = UniformGround.build(terrain)
    graph = SubgoalGraph.begin(ground)
    whole, shares = 0, []
    while used := graph.advance(ground, 100):
        whole += used
    for y, x in rng.integers(1, 191, (20, 2)).tolist():
        before = terrain.revision
        terrain.edit(y, x, y + 1, x + 1, passable=0 if terrain.passable[y, x] else 15)
        ground.update(terrain)
        graph.edited(ground, terrain.changes_since(before))
        spent = 0
        while used := graph.advance(ground, 20):
            spent += used
        shares.append(spent / whole)
    assert np.median(shares) < 0.05, shares


def test_bad_questions_are_refused() -> None:
    terrain = Terrain.build(np.ones((6, 6), bool))
    ground = UniformGround.build(terrain)
    search = SubgoalSearch.over(ground)
    assert search.find((1, 1), (1, 1)).tolist() == [[1, 1]]
    with pytest.raises(ValueError, match="outside"):
        search.find((0, 0), (6, 0))
    with pytest.raises(ValueError, match="levels"):
        SubgoalGraph.build(ground, 0)
    terrain.edit(2, 2, 3, 3, passable=0)
    ground.update(terrain)
    with pytest.raises(ValueError, match="edited"):
        search.find((0, 0), (5, 5))
