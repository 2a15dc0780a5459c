"""HPA* on several levels.

Costs do not depend on the level, work does. A walk refines only what it needs.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.hierarchy.hpa_kernels import FAR
from ai.search.hierarchy.hpa_walk import HierarchicalWalk
from tests.ai.search.grids import costs, distances, legal_step, path_cost, rooms


def house(side: int = 320, room: int = 16, seed: int = 0) -> np.ndarray:
    """Rooms with a two-tile door in nine of ten walls."""
    rng = np.random.default_rng(seed)
    ground = np.ones((side, side), bool)
    ground[::room], ground[:, ::room] = False, False
    for y, x in itertools.product(range(0, side, room), repeat=2):
        if y and rng.random() < 0.9:
            at = x + int(rng.integers(1, room - 2))
            ground[y, at : at + 2] = True
        if x and rng.random() < 0.9:
            at = y + int(rng.integers(1, room - 2))
            ground[at : at + 2, x] = True
    return ground


def questions(terrain: Terrain, count: int, seed: int) -> list[tuple]:
    """Return seeded pairs with a path between them.

    Each has start, goal, A*'s expanded nodes, and the cost.
    """
    rng = np.random.default_rng(seed)
    tiles = np.argwhere(terrain.passable)
    astar = AStarSearch(terrain.height, terrain.width)
    found: list[tuple] = []
    while len(found) < count:
        start, goal = (tuple(tiles[i].tolist()) for i in rng.integers(len(tiles), size=2))
        astar.begin(terrain, 0, start, goal)
        astar.run(terrain, 1 << 40)
        if astar.status == FOUND:
            found.append((start, goal, astar.revolutions, astar.cost))
    return found


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_every_level_finds_the_same_cost_and_refines_to_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ground, price = rooms(rng, 50, 61), costs(rng, 50, 61)
    terrain = Terrain.build(ground, price)
    searches = [HierarchicalSearch(ClusterGraph.build(terrain, size=5, levels=levels)) for levels in (1, 2, 3, 4)]
    tiles = np.argwhere(ground)
    start = tuple(tiles[rng.integers(len(tiles))].tolist())
    best = distances(ground, price, start)
    # Near goals share clusters of high levels with the start.
    near = tiles[np.abs(tiles - start).max(axis=1) < 14]
    for goal in [*tiles[rng.integers(len(tiles), size=5)].tolist(), *near[rng.integers(len(near), size=5)].tolist()]:
        goal = tuple(goal)
        told = []
        for search in searches:
            hops = search.find_abstract(terrain, start, goal)
            assert (hops is not None) == np.isfinite(best[goal])
            if hops is None:
                continue
            told.append(search.cost)
            path = search.refine(terrain, hops)
            assert tuple(path[0]) == start and tuple(path[-1]) == goal
            assert path_cost(ground, price, path) == pytest.approx(search.cost, abs=1e-9)
            assert len(search.lower(terrain, hops, 1)) >= len(hops)
        assert len(set(told)) <= 1, "a hop of a level stands for a way of the level below"


def test_a_question_leaves_the_graph_as_it_was() -> None:
    terrain = Terrain.build(house(100))
    graph = ClusterGraph.build(terrain, levels=3)
    before = [np.copy(array) for level in graph.levels for array in level.arrays[1:]]
    search = HierarchicalSearch(graph)
    for start, goal, _, _ in questions(terrain, 5, 0):
        search.find(terrain, start, goal)
    after = [array for level in graph.levels for array in level.arrays[1:]]
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


@pytest.mark.parametrize("seed", range(5))
def test_upper_levels_are_what_the_source_says(seed: int) -> None:
    """Nodes cross the border of the larger cluster.

    Distances are shortest inside it over the level below.
    """
    terrain = Terrain.build(rooms(np.random.default_rng(seed), 47, 52))
    graph = ClusterGraph.build(terrain, size=6, levels=3)
    width = terrain.width
    for below, level in itertools.pairwise(graph.levels):
        inter, intra = graph.edges(graph.levels.index(below) + 1)
        crossing = [(a, b) for a, b in inter.tolist() if level.cluster_of(a) != level.cluster_of(b)]
        number = graph.levels.index(level) + 1
        assert sorted(map(tuple, graph.edges(number)[0].tolist())) == sorted(crossing)
        nodes = {int(t) for c, count in enumerate(level.counts) for t in level.nodes[c, :count]}
        assert nodes == {t for pair in crossing for t in pair}
        for c in range(len(level.counts)):
            # Floyd-Warshall over the level below, inside this cluster.
            members = [
                int(t) for b, n in enumerate(below.counts) for t in below.nodes[b, :n] if level.cluster_of(int(t)) == c
            ]
            index = {t: i for i, t in enumerate(members)}
            dense = np.full((len(members),) * 2, np.inf)
            np.fill_diagonal(dense, 0)
            for a, b in [*inter.tolist(), *intra.tolist()]:
                if a in index and b in index:
                    step = 16 * 1136689
                    if below.cluster_of(a) == below.cluster_of(b):
                        row = below.cluster_of(a)
                        slot, other = below.slots[a // width, a % width], below.slots[b // width, b % width]
                        step = int(below.distances[row, slot, other])
                    dense[index[a], index[b]] = dense[index[b], index[a]] = min(step, dense[index[a], index[b]])
            for k in range(len(members)):
                dense = np.minimum(dense, dense[:, [k]] + dense[[k]])
            for slot, other in np.ndindex(int(level.counts[c]), int(level.counts[c])):
                a, b = int(level.nodes[c, slot]), int(level.nodes[c, other])
                stored = level.distances[c, slot, other]
                assert (float(stored) if stored < FAR else np.inf) == dense[index[a], index[b]]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_levels_repaired_after_edits_equal_levels_built_anew(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(rooms(rng, 44, 51))
    graph = ClusterGraph.build(terrain, size=5, levels=4)
    for _ in range(int(rng.integers(1, 7))):
        y, x = int(rng.integers(44)), int(rng.integers(51))
        change = {"passable": int(rng.integers(2)) * 15} if rng.random() < 0.7 else {"cost": int(rng.integers(1, 40))}
        terrain.edit(y, x, min(y + 2, 44), min(x + 3, 51), **change)
        if rng.random() < 0.7:
            graph.update(terrain)
    graph.update(terrain)
    for ours, fresh in zip(graph.levels, ClusterGraph.build(terrain, size=5, levels=4).levels, strict=True):
        assert np.array_equal(ours.slots, fresh.slots) and np.array_equal(ours.counts, fresh.counts)
        for c, count in enumerate(fresh.counts):
            assert np.array_equal(ours.nodes[c, :count], fresh.nodes[c, :count])
            assert np.array_equal(ours.crossings[c, :count], fresh.crossings[c, :count])
            assert np.array_equal(ours.distances[c, :count, :count], fresh.distances[c, :count, :count])


def test_the_sources_bounds_on_the_worst_borders() -> None:
    """The source's bounds on the borders with the most entrances.

    Free and blocked tiles alternate along the borders of 3 x 3 clusters of 10. The bounds are 120 nodes and 60
    inter-edges. The real counts are 104 and 52 (checked figures).
    """
    ground = np.ones((30, 30), bool)
    for line in (9, 10, 19, 20):
        ground[line, 1::2] = False
        ground[1::2, line] = False
    graph = ClusterGraph.build(Terrain.build(ground))
    inter, intra = graph.edges()
    n, c = 10, 3
    most_intra = n * ((c - 2) ** 2 * (2 * n - 1) + 2 * (n - 1) + 3 * (c - 2) * 1.5 * n - 3 * (c - 2))
    assert int(graph.counts.sum()) <= 2 * 30 * (c - 1) and len(inter) <= 30 * (c - 1) and len(intra) <= most_intra
    assert (int(graph.counts.sum()), len(inter)) == (104, 52)


def test_work_against_astar_on_rooms() -> None:
    """320 x 320 rooms: five times fewer expansions with everything refined.

    The main search shrinks from level to level, and connecting the ends grows. The game's own search, with landmarks,
    takes a twentieth of A*'s work.
    """
    terrain = Terrain.build(house())
    asked = questions(terrain, 25, 1)
    astar = sum(row[2] for row in asked)
    main, join = [], []
    for levels in (1, 2, 3):
        search = HierarchicalSearch(ClusterGraph.build(terrain, levels=levels))
        whole, excess = 0, []
        main.append(0)
        join.append(0)
        for start, goal, _, cost in asked:
            hops = search.find_abstract(terrain, start, goal)
            main[-1] += search.abstract_revolutions
            join[-1] += search.local_revolutions
            path = search.smooth(terrain, search.refine(terrain, hops))
            whole += search.abstract_revolutions + search.local_revolutions
            if cost > 20:
                excess.append(path_cost(terrain.passable > 0, terrain.cost, path) / cost - 1)
        assert whole < astar / 5
        assert np.mean(excess) < 0.025
    assert main[0] > main[1] > main[2] and join[0] < join[1] < join[2]
    starts, goals = (np.array([row[i] for row in asked]) for i in (0, 1))
    assert HpaBatch.build(terrain).plan(terrain, starts, goals, 1 << 40).spent < astar / 20


@pytest.mark.parametrize(("levels", "fields"), [(1, False), (3, False), (3, True)])
def test_a_walk_refines_a_hop_at_a_time(levels: int, fields: bool) -> None:
    """Also where ends and hops are read off the fields of the nodes."""
    terrain = Terrain.build(house(160))
    graph = ClusterGraph.begin(terrain, levels=levels, fields=fields)
    graph.rebuild(terrain, np.ones(graph.versions.shape, bool))
    graph.raise_levels(terrain)
    search = HierarchicalSearch(graph)
    for start, goal, _, _ in questions(terrain, 6, 2):
        walk = HierarchicalWalk.begin(search, terrain, start, goal)
        assert search.local_searches == 0, "nothing is refined before somebody walks"
        position, tiles = start, [start]
        for stretch in itertools.count(1):
            ahead = walk.ahead(search, terrain, position)
            assert search.local_searches <= stretch + sum(range(levels)) * stretch
            if len(ahead) == 0:
                break
            tiles += [tuple(t) for t in ahead.tolist()]
            position = tiles[-1]
        assert position == goal and walk.replans == 0 and walk.refined == len(tiles) - 1
        assert path_cost(terrain.passable > 0, terrain.cost, np.array(tiles)) == pytest.approx(search.cost)


def test_a_walk_goes_round_what_stands_or_shuts_in_its_way() -> None:
    # Two corridors between two rooms.
    ground = np.zeros((40, 60), bool)
    ground[5:35, 2:12] = ground[5:35, 48:58] = True
    ground[10, 12:48] = ground[30, 12:48] = True
    terrain = Terrain.build(ground)
    graph = ClusterGraph.build(terrain, levels=2)
    search = HierarchicalSearch(graph)

    def walk_until(walk: HierarchicalWalk, position: tuple, stop: int) -> tuple[list, tuple]:
        tiles = []
        while position[1] < stop:
            ahead = walk.ahead(search, terrain, position)
            if len(ahead) == 0:
                break
            tiles += [tuple(t) for t in ahead.tolist()]
            position = tiles[-1]
        return tiles, position

    walk = HierarchicalWalk.begin(search, terrain, (15, 5), (15, 54))
    first, position = walk_until(walk, (15, 5), 20)
    assert position[0] == 10, "the nearer corridor"
    # A unit stands in the corridor and does not move.
    stands = [(10, x) for x in range(position[1] + 1, position[1] + 12)]
    assert walk.blocked(search, terrain, position, np.array(stands))
    rest, position = walk_until(walk, position, 60)
    assert position == (15, 54) and walk.replans == 1
    assert not set(rest) & set(stands) and any(t[0] == 30 for t in rest)
    assert all(legal_step(ground, a, b) for a, b in itertools.pairwise(first + rest))
    assert walk.refined == len(first) + len(rest)

    # A door shuts; the walk notices when it comes to it.
    walk = HierarchicalWalk.begin(search, terrain, (15, 5), (15, 54))
    first, position = walk_until(walk, (15, 5), 20)
    terrain.edit(10, 35, 11, 36, passable=0)
    graph.update(terrain)
    rest, position = walk_until(walk, position, 60)
    assert position == (15, 54) and any(t[0] == 30 for t in rest) and walk.replans == 1
    # With both shut there is no path.
    terrain.edit(30, 35, 31, 36, passable=0)
    graph.update(terrain)
    assert not HierarchicalWalk.begin(search, terrain, (15, 5), (15, 54)).found


def test_levels_and_sizes_are_checked() -> None:
    terrain = Terrain.build(np.ones((1, 30), bool))
    with pytest.raises(ValueError, match=r"1\.\.5 levels"):
        ClusterGraph.build(terrain, levels=6)
    search = HierarchicalSearch(ClusterGraph.build(terrain, levels=5))
    assert search.find(terrain, (0, 0), (0, 29)).tolist() == [[0, x] for x in range(30)]
    with pytest.raises(ValueError, match=r"goal .* outside a terrain of 1 x 30"):
        search.find(terrain, (0, 0), (0, 30))


def of_levels(graph: ClusterGraph) -> list[list[np.ndarray]]:
    """All that is known of the clusters of each level."""
    known = []
    for level in graph.levels:
        node = np.arange(level.nodes.shape[1]) < level.counts[:, None]
        pair = node[:, :, None] & node[:, None, :]
        known.append([level.slots, level.counts, level.nodes[node], level.crossings[node], level.distances[pair]])
    return known


@pytest.mark.parametrize("seed", range(3))
def test_levels_set_anew_while_they_are_made_are_those_of_a_fresh_graph(seed: int) -> None:
    terrain = Terrain.build(house(96, 12, seed))
    rng = np.random.default_rng(seed)
    graph = ClusterGraph.build(terrain, size=8)
    for levels in [2, 1, *rng.integers(1, 4, 6).tolist(), 2, 3]:
        graph.begin_levels(levels)
        assert graph.raise_levels(terrain, 400) <= 400
    while not graph.raising.done:
        graph.raise_levels(terrain, 400)
    fresh = ClusterGraph.build(terrain, size=8, levels=3)
    for ours, theirs in zip(of_levels(graph), of_levels(fresh), strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def test_levels_are_made_however_little_may_be_spent_at_a_time_and_no_dearer() -> None:
    """Revolutions that do not suffice for a node are saved for it.

    One node may cost more than a tick's limit.
    """
    terrain = Terrain.build(house(64))
    fresh, graph = ClusterGraph.build(terrain, size=8), ClusterGraph.build(terrain, size=8)
    fresh.begin_levels(2)
    graph.begin_levels(2)
    at_once, spent = fresh.raise_levels(terrain), 0
    for _ in range(at_once // 7 + 1):
        told = graph.raise_levels(terrain, 7)
        assert told <= 7
        spent += told
    assert graph.raising.done and spent == at_once
    assert all(
        np.array_equal(a, b)
        for ours, theirs in zip(of_levels(graph), of_levels(fresh), strict=True)
        for a, b in zip(ours, theirs, strict=True)
    )
