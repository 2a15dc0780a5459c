"""HPA*: the source's counts, A*'s reachability, true costs, and exact repairs."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.grid.movingai import read_map, read_scenario
from ai.grid.terrain import Terrain
from ai.paths.settings import PathSettings
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from ai.search.hierarchy.hpa_batch import WAY, HpaBatch
from ai.search.hierarchy.hpa_kernels import FAR
from ai.search.smoothing.octile_smoothing import smooth_path
from tests.ai.search.grids import benchmark_folder, costs, distances, path_cost, rooms


def test_the_sources_counts_on_an_empty_map() -> None:
    """40 x 40 tiles, clusters of 10 (checked figures of JOGD 1).

    There are 16 clusters, 60 nodes, 48 inter-edges and 84 intra-edges.
    """
    graph = ClusterGraph.build(Terrain.build(np.ones((40, 40), bool)))
    inter, intra = graph.edges()
    assert (len(graph.counts), int(graph.counts.sum()), len(inter), len(intra)) == (16, 60, 48, 84)


@pytest.mark.parametrize("width", range(1, 11))
def test_an_entrance_has_one_transition_in_its_middle_or_one_at_each_end(width: int) -> None:
    ground = np.ones((10, 20), bool)
    ground[:, 9] = False
    ground[:width, 9] = True
    inter, _ = ClusterGraph.build(Terrain.build(ground)).edges()
    rows = sorted(int(tile) // 20 for tile in inter[:, 0])
    assert rows == ([(width - 1) // 2] if width < 6 else [0, width - 1])


@pytest.mark.parametrize("seed", range(10))
def test_entrances_and_local_distances_by_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width, size = 33, 47, 8
    ground, price = rooms(rng, height, width), costs(rng, height, width)
    graph = ClusterGraph.build(Terrain.build(ground, price), size=size)
    wanted = set()
    for turned in (False, True):
        tiles = ground.T if turned else ground
        for border in range(size, tiles.shape[1], size):
            for top in range(0, tiles.shape[0], size):
                rows = [
                    y for y in range(top, min(top + size, tiles.shape[0])) if tiles[y, border - 1 : border + 1].all()
                ]
                runs = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1) if rows else []
                for run in runs:
                    ends = (run[0], run[-1]) if len(run) >= 6 else ((run[0] + run[-1]) // 2,)
                    for y in ends:
                        a, b = (int(y), border - 1), (int(y), border)
                        wanted.add((a[::-1], b[::-1]) if turned else (a, b))
    inter, _ = graph.edges()
    assert {tuple((int(t) // width, int(t) % width) for t in pair) for pair in inter} == wanted
    for c in rng.permutation(len(graph.counts))[:6]:
        top, left = c // -(-width // size) * size, c % -(-width // size) * size
        crop = (slice(top, top + size), slice(left, left + size))
        for slot in range(graph.counts[c]):
            tile = int(graph.nodes[c, slot])
            best = distances(ground[crop], price[crop], (tile // width - top, tile % width - left))
            for other in range(graph.counts[c]):
                there = int(graph.nodes[c, other])
                exact = best[there // width - top, there % width - left]
                stored = graph.distances[c, slot, other]
                assert (stored >= FAR) == np.isinf(exact)
                assert np.isinf(exact) or stored / (16 * 1136689) == pytest.approx(exact)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_reachability_is_exact_costs_are_honest_and_smoothing_never_costs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ground, price = rooms(rng, 45, 52), costs(rng, 45, 52)
    terrain = Terrain.build(ground, price)
    search = HierarchicalSearch(ClusterGraph.build(terrain, size=int(rng.choice([5, 8, 10]))))
    tiles = np.argwhere(ground)
    start = tuple(tiles[rng.integers(len(tiles))].tolist())
    best = distances(ground, price, start)
    for pick in rng.integers(len(tiles), size=12):
        goal = tuple(tiles[pick].tolist())
        hops = search.find_abstract(terrain, start, goal)
        assert (hops is not None) == np.isfinite(best[goal])
        if hops is None:
            continue
        told = search.cost
        path = search.refine(terrain, hops)
        assert tuple(path[0]) == start and tuple(path[-1]) == goal
        assert path_cost(ground, price, path) == pytest.approx(told, abs=1e-9)
        assert told >= best[goal] * (1 - 1e-9)
        smooth = search.smooth(terrain, path)
        assert tuple(smooth[0]) == start and tuple(smooth[-1]) == goal
        assert best[goal] * (1 - 1e-9) <= path_cost(ground, price, smooth) <= told * (1 + 1e-9)


def test_ends_in_one_cluster_take_the_direct_way() -> None:
    """Without a direct edge the path would leave the shared cluster and come back."""
    terrain = Terrain.build(np.ones((40, 40), bool))
    search = HierarchicalSearch(ClusterGraph.build(terrain))
    assert search.find_abstract(terrain, (14, 14), (16, 15)).tolist() == [[14, 14], [16, 15]]
    assert search.cost == pytest.approx(1 + 2**0.5)
    assert search.find(terrain, (3, 3), (3, 3)).tolist() == [[3, 3]]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_repaired_graph_equals_one_built_anew(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(rooms(rng, 34, 41))
    graph = ClusterGraph.build(terrain, size=8)
    for _ in range(int(rng.integers(1, 8))):
        y, x = int(rng.integers(34)), int(rng.integers(41))
        y1, x1 = min(y + int(rng.integers(1, 4)), 34), min(x + int(rng.integers(1, 4)), 41)
        if rng.random() < 0.3:
            terrain.edit(y, x, y1, x1, cost=int(rng.integers(1, 40)))
        else:
            terrain.edit(y, x, y1, x1, passable=int(rng.integers(2)) * 15)
        if rng.random() < 0.7:
            graph.update(terrain)
    graph.update(terrain)
    fresh = ClusterGraph.build(terrain, size=8)
    assert np.array_equal(graph.slots, fresh.slots) and np.array_equal(graph.counts, fresh.counts)
    for c, count in enumerate(fresh.counts):
        assert np.array_equal(graph.nodes[c, :count], fresh.nodes[c, :count])
        assert np.array_equal(graph.crossings[c, :count], fresh.crossings[c, :count])
        assert np.array_equal(graph.distances[c, :count, :count], fresh.distances[c, :count, :count])


def test_one_tile_rebuilds_at_most_three_clusters() -> None:
    terrain = Terrain.build(np.ones((60, 60), bool))
    graph = ClusterGraph.build(terrain)
    rebuilt = []
    for y, x in ((14, 15), (20, 25), (29, 39), (0, 0)):
        terrain.edit(y, x, y + 1, x + 1, passable=0)
        rebuilt.append(graph.update(terrain))
    assert rebuilt == [1, 2, 3, 1]
    terrain.edit(3, 3, 4, 4, opaque=1)
    assert graph.update(terrain) == 0


def test_refining_as_one_walks_and_a_hop_that_was_closed() -> None:
    terrain = Terrain.build(np.ones((40, 80), bool))
    graph = ClusterGraph.build(terrain)
    search = HierarchicalSearch(graph)
    hops = search.find_abstract(terrain, (5, 5), (35, 75))
    before = search.local_revolutions
    walked = search.refine(terrain, hops, 0, 2)
    assert search.local_revolutions - before <= 2 * 100, "two hops cost two small searches"
    assert np.array_equal(walked, search.refine(terrain, hops)[: len(walked)])
    y, x = (int(v) for v in hops[2])
    terrain.edit(y, x, y + 1, x + 1, passable=0)
    with pytest.raises(ValueError, match="closed"):
        search.refine(terrain, hops)
    with pytest.raises(ValueError, match="revision"):
        search.find_abstract(terrain, (5, 5), (35, 75))


@pytest.mark.skipif(benchmark_folder() is None, reason="FOGLINE_MAPS names no folder of MovingAI maps")
@pytest.mark.long
def test_mean_excess_on_the_benchmark_maps() -> None:
    """After smoothing, paths exceed the published optima by at most 2.5 %.

    This holds beyond 20 tiles, and for the game's paths at both of its settings.
    """
    for path in sorted(benchmark_folder().glob("*.map")):
        ground, scenario = read_map(path), read_scenario(f"{path}.scen")
        terrain = Terrain.build(ground)
        search = HierarchicalSearch(ClusterGraph.build(terrain))
        rows = np.flatnonzero(scenario.optima > 20)[:: max(1, len(scenario.optima) // 25)]
        rows = rows[ground[tuple(scenario.starts[rows].T)] & ground[tuple(scenario.goals[rows].T)]]
        starts, goals, optima = scenario.starts[rows], scenario.goals[rows], scenario.optima[rows]
        found = [search.find(terrain, tuple(a), tuple(b)) for a, b in zip(starts.tolist(), goals.tolist(), strict=True)]
        excess = [path_cost(ground, terrain.cost, walked) for walked in found] / optima - 1
        assert np.mean(excess) < 0.025, path.name
        paths = HpaBatch.build(terrain)
        for heuristic_weight in (PathSettings().heuristic_weight, PathSettings().crowd_heuristic_weight):
            plan = paths.plan(terrain, starts, goals, 1 << 60, heuristic_weight)
            assert (plan.outcome == WAY).all()
            parts = [plan.tiles[a:b] for a, b in itertools.pairwise(plan.offsets.tolist())]
            smooth = [path_cost(ground, terrain.cost, smooth_path(terrain, 0, part)) for part in parts]
            assert np.mean(smooth / optima) < 1.025, (path.name, heuristic_weight)
