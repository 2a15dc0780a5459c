"""Next hops equal Dijkstra's, however the table was filled, halved or mended."""

import itertools
import math

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components, dijkstra

from ai.grid.terrain import Terrain
from ai.search.regions.next_hop import NO_REGION, NextHops, half_table, hand_off, route_from_half
from ai.search.regions.region_graph import Regions
from tests.ai.search.grids import distances
from tests.ai.search.regions.test_region_graph import length_graph, random_terrain


@pytest.mark.parametrize("seed", range(6))
def test_a_block_that_opens_between_two_islands_joins_their_columns(seed: int) -> None:
    """Close and open whole blocks; the mended table equals the answers of Dijkstra.

    An opened block gets a new region between neighbours that do not change. Only the rows of these neighbours tell
    which goals it reaches.
    """
    rng = np.random.default_rng(seed)
    blocks = rng.random((4, 5)) < 0.6
    blocks[0, 0] = blocks[3, 4] = True
    terrain = Terrain.build(np.kron(blocks, np.ones((8, 8), bool)))
    regions = Regions.build(terrain, 0, 8, 8)
    hops, kept = NextHops.build(regions), 0
    hops.fill(regions, 1 << 40)
    for _ in range(30):
        y, x = (int(v) for v in rng.integers((4, 5)))
        blocks[y, x] ^= True
        terrain.edit(8 * y, 8 * x, 8 * y + 8, 8 * x + 8, passable=15 if blocks[y, x] else 0)
        regions.update(terrain)
        hops.follow(regions)
        kept += int(hops.filled.sum())
        hops.fill(regions, 1 << 40)
        lengths = length_graph(regions)
        truth, steps = dijkstra(lengths), lengths.toarray()
        live = np.flatnonzero(regions.tiles).tolist()
        for goal, start in itertools.product(live, live):
            hop = int(hops.table[start, goal])
            assert (hop == NO_REGION) == np.isinf(truth[start, goal]), f"from {start} to {goal}"
            if hop != NO_REGION and start != goal:
                assert math.isclose(steps[start, hop] + truth[hop, goal], truth[start, goal], abs_tol=1e-6)
    assert kept > 30, "mending keeps columns"


@pytest.mark.parametrize("seed", range(4))
def test_routes_are_shortest_for_all_pairs(seed: int) -> None:
    regions = Regions.build(random_terrain(seed), 0, 8)
    hops = NextHops.build(regions)
    truth = dijkstra(length_graph(regions))
    graph = length_graph(regions).toarray()
    for a, b in np.ndindex(truth.shape):
        route = hops.route(regions, a, b)
        assert (route is None) == np.isinf(truth[a, b])
        if route is not None:
            steps = [graph[i, j] for i, j in itertools.pairwise(route)]
            assert all(step > 0 for step in steps)
            assert math.isclose(sum(steps), truth[a, b], abs_tol=1e-6)


def test_a_table_holds_the_same_however_it_was_filled() -> None:
    regions = Regions.build(random_terrain(2), 0, 6)
    at_leisure, on_demand = NextHops.build(regions), NextHops.build(regions)
    while at_leisure.fill(regions, 500):
        pass
    rng = np.random.default_rng(0)
    for a, b in rng.integers(regions.open_count, size=(300, 2)).tolist():
        on_demand.route(regions, a, b)
    known = on_demand.filled.astype(bool)
    assert 0 < known.sum() < len(known)
    assert np.array_equal(on_demand.table[:, known], at_leisure.table[:, known])
    assert not on_demand.table[:, ~known].any(), "memory of columns that nobody asked for is never taken"


@pytest.mark.parametrize("seed", range(8))
def test_a_table_is_filled_column_by_column_until_its_allowance_is_used(seed: int) -> None:
    """A column costs the regions of its goal's component and is always completed."""
    regions = Regions.build(random_terrain(seed, 30, 36), 0, 8)
    hops = NextHops.build(regions)
    label = connected_components(length_graph(regions), directed=False)[1]
    costs_of = np.bincount(label)[label]
    full = 0
    for revolutions in (0, 1, int(costs_of[0]), int(costs_of.max()) + 1, 3 * int(costs_of.max()), 1 << 40):
        paid, begun = 0, full
        while full < len(costs_of) and paid < revolutions:
            paid, full = paid + int(costs_of[full]), full + 1
        assert hops.fill(regions, revolutions) == paid
        assert hops.filled.tolist() == [1] * full + [0] * (len(costs_of) - full), (begun, full)
    assert hops.fill(regions, 1 << 40) == 0


def test_half_a_table_is_enough() -> None:
    regions = Regions.build(random_terrain(1), 0, 7)
    hops = NextHops.build(regions)
    hops.fill(regions, 1 << 40)
    half, truth, graph = half_table(hops.table), dijkstra(length_graph(regions)), length_graph(regions).toarray()
    assert half.nbytes == regions.open_count * (regions.open_count - 1)
    for a, b in np.ndindex(truth.shape):
        route = route_from_half(half, regions.open_count, a, b)
        assert (route is None) == np.isinf(truth[a, b])
        if route is not None:
            assert route[0] == a and route[-1] == b
            assert math.isclose(sum(graph[i, j] for i, j in itertools.pairwise(route)), truth[a, b], abs_tol=1e-6)


def test_the_sources_example_of_a_half_table() -> None:
    table = np.full((24, 24), NO_REGION, np.uint16)
    table[17, 23], table[12, 23], table[23, 17], table[12, 17] = 12, 23, 12, 17
    assert route_from_half(half_table(table), 24, 23, 17) == [23, 12, 17]
    assert route_from_half(half_table(table), 24, 17, 23) == [17, 12, 23]
    assert NextHops(0, 2000, table=np.zeros((2000, 2000), np.uint16)).table.nbytes == 8_000_000


def test_estimates_beat_the_straight_line() -> None:
    # Long walls with a gap at one end in turn.
    ground = np.ones((90, 70), bool)
    ground[5::12, 3:], ground[11::12, :-3] = False, False
    terrain = Terrain.build(ground)
    regions = Regions.build(terrain)
    hops = NextHops.build(regions)
    rng = np.random.default_rng(0)
    tiles = np.argwhere(ground)
    ours, straight = [], []
    for start in tiles[rng.integers(len(tiles), size=6)]:
        true = distances(ground, terrain.cost, tuple(start))
        for goal in tiles[rng.integers(len(tiles), size=40)]:
            told = hops.estimate(regions, tuple(start.tolist()), tuple(goal.tolist()))
            assert np.isinf(told) == np.isinf(true[tuple(goal)])
            if 0 < true[tuple(goal)] < np.inf:
                ours.append(abs(told / true[tuple(goal)] - 1))
                straight.append(abs(math.dist(start, goal) / true[tuple(goal)] - 1))
    assert np.mean(ours) < 0.3 * np.mean(straight)
    assert hops.estimate(regions, (0, 0), (1, 1)) == pytest.approx(math.sqrt(2))


def test_hand_off_is_at_the_first_centre_out_of_sight() -> None:
    rng = np.random.default_rng(7)
    terrain = Terrain.build(rng.random((40, 40)) < 0.9)
    for _ in range(60):
        centres = rng.integers(40, size=(8, 2)).astype(np.int32)
        y, x = rng.uniform(1, 39, 2)

        def seen(centre: np.ndarray, y: float = y, x: float = x) -> bool:
            # A body walks the line: every point within its radius of any point of the line stands on open ground.
            along = np.linspace(0, 1, 2000)[:, None]
            points = np.array([y, x]) * (1 - along) + (centre + 0.5) * along
            turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
            rim = points[:, None] + 0.29 * np.stack((np.sin(turn), np.cos(turn)), axis=1)
            ty, tx = np.floor(np.concatenate((rim.reshape(-1, 2), points))).astype(int).T
            if ty.min() < 0 or tx.min() < 0 or ty.max() >= 40 or tx.max() >= 40:
                return False
            return bool((terrain.passable[ty, tx] & 1).all())

        tally = np.zeros(1, np.int64)
        told = hand_off(terrain, 0, centres, (x, y), radius=0.29, tally=tally)
        crossed = sum(abs(int(ty) - int(y)) + abs(int(tx) - int(x)) for ty, tx in centres[: told + 1])
        assert tally[0] == crossed, "a line is tried up to the first that is hidden, its sides of tiles are charged"
        assert all(seen(centre) for centre in centres[:told])
        assert told == 7 or not seen(centres[told])
