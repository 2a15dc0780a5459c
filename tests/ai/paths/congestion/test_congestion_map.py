"""Congestion map: sums are kept, and detours around a crowd are cheapest.

The penalty is the source's table.
"""

import heapq
import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.paths.congestion.congestion_map import CELL, CongestionMap, Crowding, splat
from ai.paths.congestion.congestion_search import CongestionSearch
from ai.paths.congestion.path_costs import SECTION, look_ahead, path_costs, smooth
from ai.paths.store.path_store import PathSource, PathStore


def crowd_of(n, seed, vx=0.0, vy=0.0, size=32):
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(2, size - 2, (2, n))
    made = CongestionMap.blank(size, size)
    return made, x, y, np.full(n, vx), np.full(n, vy)


def publish(made, x, y, vx, vy, mass, ids=None, **more):
    n = len(x)
    ids = np.arange(n, dtype=np.int32) if ids is None else ids
    made.publish(ids, np.ones(n, np.uint8), x, y, vx, vy, mass, 1, **more)


def test_density_sums_to_the_masses_and_a_uniform_stream_has_its_own_velocity():
    made, x, y, vx, vy = crowd_of(80, 1, 1.2, -0.5)
    mass = np.random.default_rng(2).uniform(0.5, 3, 80)
    publish(made, x, y, vx, vy, mass, blend=1.0)
    assert made.density.sum() * CELL * CELL == pytest.approx(mass.sum())
    there = made.density > 1e-9
    assert made.vx[there] == pytest.approx(1.2)
    assert made.vy[there] == pytest.approx(-0.5)


def test_permuted_slots_make_the_same_map_to_the_bit():
    made, x, y, vx, vy = crowd_of(60, 3, 1.0)
    other, p = CongestionMap.blank(32, 32), np.random.default_rng(4).permutation(60)
    publish(made, x, y, vx, vy, np.ones(60))
    publish(other, x[p], y[p], vx[p], vy[p], np.ones(60), ids=p.astype(np.int32))
    for name in ("density", "vx", "vy"):
        assert getattr(made, name).tobytes() == getattr(other, name).tobytes()


@pytest.mark.parametrize("seed", range(8))
def test_a_map_is_the_bilinear_sum_of_its_bodies_in_however_many_parts_it_is_written(seed):
    """A living body counts for a cell by its nearness along both axes.

    A cell takes over its share of the new velocity, and forgets as much when it is empty.
    """
    rng = np.random.default_rng(seed)
    n, size, blend = 20, 14, (0.3, 1.0)[seed % 2]
    whole, parted = CongestionMap.blank(size, size), CongestionMap.blank(size, size)
    mean = np.zeros((2, *whole.density.shape))
    rows, columns = np.indices(whole.density.shape)
    cut = int(rng.integers(rows.max() + 2))
    for tick in range(4):
        x, y = rng.uniform(0, size, (2, n))
        velocity, mass = rng.normal(0, 2, (2, n)), rng.uniform(0.5, 3, n)
        alive = (rng.random(n) < (0.0 if tick == 3 else 0.8)).astype(np.uint8)
        ids = rng.permutation(n).astype(np.int32)
        density, sums = np.zeros(rows.shape), np.zeros(mean.shape)
        for i in np.flatnonzero(alive):
            away = np.abs(rows - max(y[i] / 2 - 0.5, 0.0)), np.abs(columns - max(x[i] / 2 - 0.5, 0.0))
            share = np.clip(1.0 - away[0], 0.0, None) * np.clip(1.0 - away[1], 0.0, None) * mass[i] / 4.0
            density += share
            sums += share * velocity[:, i, None, None]
        there = density > 1e-9
        mean += blend * (np.where(there, sums / np.where(there, density, 1.0), 0.0) - mean)
        crowd = alive, x, y, *velocity, mass
        whole.publish(ids, *crowd, tick, blend)
        grids = parted.density, parted.vx, parted.vy, *np.zeros((2, *rows.shape))
        for top, bottom in ((0, cut), (cut, len(rows))):
            splat(top, bottom, np.argsort(ids), *crowd, blend, *grids)
        for made in (whole, parted):
            assert np.allclose(made.density, density) and np.allclose((made.vx, made.vy), mean)
        assert whole.tick == tick and not whole.sums.any()
        assert all(getattr(whole, k).tobytes() == getattr(parted, k).tobytes() for k in ("density", "vx", "vy"))


def uniform(density, vx, vy, size=24):
    made = CongestionMap.blank(size, size)
    made.density[:] = density
    made.vx[:], made.vy[:] = vx, vy
    return made


@pytest.mark.parametrize(
    ("drift", "times"),
    [((0, 0), 1.0), ((-1.5, 0), 2.0), ((0, 1.5), 1.0), ((0.75, 0), 0.5), ((1.5, 0), 0.0), ((3, 0), 0.0)],
)
def test_the_penalty_is_the_table_of_the_source(drift, times):
    """A crowd stands, comes head-on, crosses, or moves along.

    Along, it moves at half, the same and twice the speed.
    """
    made, plain = uniform(0.7, *drift), Terrain.build(np.ones((24, 24), np.uint8))
    path = np.array([[12.5, 4.5], [12.5, 8.5], [12.5, 18.5]])
    whole, near = path_costs(made, plain, np.zeros(2), np.full(2, 1.5), [path, path[:2]], 1.0)
    # The first two and a half tiles are its own place: it does not mind the crowd it is part of.
    cost = whole - near
    assert cost == pytest.approx(10.0 * (1.0 + times * 0.7))


def dijkstra(passable, cost, made, weight, speed, start, goal):
    """The same costs by the plainest search there is."""
    h, w = passable.shape
    best, heap = {start: 0.0}, [(0.0, start)]
    while heap:
        d, (y, x) = heapq.heappop(heap)
        if d > best[y, x]:
            continue
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                v, u = y + dy, x + dx
                if (dy, dx) == (0, 0) or not (0 <= v < h and 0 <= u < w) or not passable[v, u]:
                    continue
                if dy and dx and not (passable[y, u] and passable[v, x]):
                    continue
                length = math.hypot(dy, dx)
                c = (int(cost[y, x]) + int(cost[v, u])) / 16.0
                if math.hypot(v - start[0], u - start[1]) > 2.5:
                    cy, cx = v // CELL, u // CELL
                    t = (dx * made.vx[cy, cx] + dy * made.vy[cy, cx]) / length / speed
                    c += weight * made.density[cy, cx] * max(0.0, 1.0 - t)
                e = d + length * c
                if e < best.get((v, u), math.inf) - 1e-12:
                    best[v, u] = e
                    heapq.heappush(heap, (e, (v, u)))
    return best.get(goal, math.inf)


@pytest.mark.parametrize("seed", range(4))
def test_the_fastest_way_costs_what_dijkstra_finds(seed):
    rng = np.random.default_rng(seed)
    passable = (rng.random((24, 24)) < 0.8).astype(np.uint8)
    cost = rng.choice([8, 12, 20], (24, 24)).astype(np.uint8)
    made, x, y, vx, vy = crowd_of(60, seed, -1.0, 0.5, 24)
    publish(made, x, y, vx, vy, np.ones(60))
    terrain, search = Terrain.build(passable, cost), CongestionSearch(passable.size)
    ends = np.array([rng.choice(np.argwhere(passable), 2) for _ in range(10)])
    found = search.find(made, terrain, np.zeros(10), np.full(10, 1.5), ends[:, 0], ends[:, 1], 3.0, 10_000)
    assert found.done == 10
    for i, (start, goal) in enumerate(ends.tolist()):
        want = dijkstra(passable, cost, made, 3.0, 1.5, tuple(start), tuple(goal))
        assert (len(found.path(i)) > 0) == math.isfinite(want)
        if math.isfinite(want):
            assert found.costs[i] == pytest.approx(want)
            assert found.path(i)[0].tolist() == start
            assert found.path(i)[-1].tolist() == goal
    # A budget ends the call between two questions, and what was answered is the same.
    few = search.find(
        made, terrain, np.zeros(10), np.full(10, 1.5), ends[:, 0], ends[:, 1], 3.0, 10_000, int(found.spent[:3].sum())
    )
    assert 1 <= few.done < 10
    assert np.array_equal(few.costs[: few.done], found.costs[: few.done])


def test_smoothing_keeps_a_detour_that_is_worth_it_and_drops_one_that_is_not():
    terrain, one, speed = Terrain.build(np.ones((24, 24), np.uint8)), np.zeros(1), np.full(1, 1.5)
    empty, made = uniform(0.0, 0, 0), uniform(0.0, 0, 0)
    made.density[4:8, 4:8] = 2.0
    ends = np.array([[12, 2]]), np.array([[12, 21]])
    tiles = CongestionSearch(576).find(made, terrain, one, speed, *ends, 3.0, 10_000).path(0)
    (corners,) = smooth(made, terrain, one, speed, [tiles], 3.0)
    raw, kept = (path_costs(made, terrain, one, speed, [t + 0.5], 3.0)[0] for t in (tiles, corners))
    assert kept <= raw + 1e-6
    assert 2 < len(corners) < len(tiles)
    assert len(smooth(empty, terrain, one, speed, [tiles], 3.0)[0]) == 2, "without a crowd the straight line is as good"


def test_a_route_changes_only_when_another_was_better_for_a_while():
    crowd = Crowding(CongestionMap.blank(8, 8))
    crowd.reserve(1)

    def decides(new: float, tick: int) -> bool:
        return bool(crowd.decides(np.array([0]), np.array([10.0]), np.array([new]), tick, 0.1, 4)[0])

    changes = [decides(8.0 if tick % 3 else 9.9, tick) for tick in range(30)]
    assert not any(changes), "never four ticks in a row"
    crowd.better_since[:] = -1
    assert [decides(8.0, tick) for tick in range(30, 36)] == [False] * 4 + [True, False]
    assert crowd.switches == 1


def test_look_ahead_returns_cost_and_end_of_the_next_section():
    rng = np.random.default_rng(7)
    cost = rng.choice([8, 12], (40, 200)).astype(np.uint8)
    terrain, store = Terrain.build(np.ones((40, 200), np.uint8), cost), PathStore.build(200)
    made = CongestionMap.blank(40, 200)
    made.density[:] = rng.uniform(0.0, 1.0, made.density.shape)
    paths = [np.array([[5, 10], [30, 50], [30, 90], [5, 150]]), np.array([[20, 12], [21, 30]])]
    for slot, path in enumerate(paths):
        store.write(terrain, [slot], np.zeros(1), path, np.array([len(path)]), PathSource.FULL, smoother="")
    x, y = np.array([4.5, 11.5]), np.array([5.5, 20.5])
    found, counts, slots, speeds = np.zeros((2, 2)), np.zeros(2, np.int64), np.arange(2), np.full(2, 1.5)
    crowd = (made.density, made.vx, made.vy, 3.0)
    look_ahead(cost, *crowd, store.nodes, store.ends, slots, speeds, x, y, SECTION, found, counts)
    assert counts.tolist() == [3, 2], "the first waypoint 64 tiles on, or the goal"
    stretches = [np.vstack([[y[i], x[i]], paths[i][: counts[i]] + 0.5]) for i in range(2)]
    ground = path_costs(made, terrain, np.zeros(2), speeds, stretches, 0.0)
    whole = path_costs(made, terrain, np.zeros(2), speeds, stretches, 3.0)
    assert found[:, 0] == pytest.approx(ground, rel=0.1), "sampled once per tile here, four times there"
    assert found.sum(axis=1) == pytest.approx(whole, rel=0.1)
