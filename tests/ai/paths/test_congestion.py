"""The congestion map: sums are kept, the penalty is the source's table, ways round a crowd are the cheapest."""

import heapq
import math

import numpy as np
import pytest

from ai.paths.congestion import CELL, CongestionMap, Crowding, fastest_way, smooth, stretch_cost, way_cost


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
    """A crowd that stands, comes head-on, crosses, goes along at half, at the same and at twice the speed."""
    made, plain = uniform(0.7, *drift), np.full((24, 24), 8, np.uint8)
    cost = stretch_cost(
        np.ones((24, 24), np.uint8),
        plain,
        1,
        made.density,
        made.vx,
        made.vy,
        1.0,
        1.5,
        12.5,
        8.5,
        12.5,
        18.5,
        0.0,
        0.0,
        0.0,
    )
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
    out, total = np.zeros((600, 2), np.int32), np.zeros(1)
    for _ in range(10):
        (sy, sx), (gy, gx) = (tuple(t) for t in rng.choice(np.argwhere(passable), 2).tolist())
        count = fastest_way(
            passable, cost, 1, made.density, made.vx, made.vy, 3.0, 1.5, sy, sx, gy, gx, 10_000, out, total
        )
        want = dijkstra(passable, cost, made, 3.0, 1.5, (sy, sx), (gy, gx))
        assert (count > 0) == math.isfinite(want)
        if count:
            assert total[0] == pytest.approx(want)
            assert tuple(out[0]) == (sy, sx)
            assert tuple(out[count - 1]) == (gy, gx)


def test_smoothing_keeps_a_detour_that_is_worth_it_and_drops_one_that_is_not():
    passable, plain = np.ones((24, 24), np.uint8), np.full((24, 24), 8, np.uint8)
    empty, made = uniform(0.0, 0, 0), uniform(0.0, 0, 0)
    made.density[4:8, 4:8] = 2.0
    out, total = np.zeros((200, 2), np.int32), np.zeros(1)
    count = fastest_way(passable, plain, 1, made.density, made.vx, made.vy, 3.0, 1.5, 12, 2, 12, 21, 10_000, out, total)
    tiles = out[:count].copy()
    corners = smooth(made, passable, plain, 1, tiles, 3.0, 1.5)
    raw, kept = (way_cost(made, passable, plain, 1, t + 0.5, 3.0, 1.5) for t in (tiles, corners))
    assert kept <= raw + 1e-6
    assert 2 < len(corners) < len(tiles)
    assert len(smooth(empty, passable, plain, 1, tiles, 3.0, 1.5)) == 2, "without a crowd the straight line is as good"


def test_a_route_changes_only_when_another_was_better_for_a_while():
    crowd = Crowding(CongestionMap.blank(8, 8))
    crowd.reserve(1)
    changes = [crowd.decides(0, 10.0, 8.0 if tick % 3 else 9.9, tick, 0.1, 4) for tick in range(30)]
    assert not any(changes), "never four ticks on end"
    crowd.better_since[:] = -1
    assert [crowd.decides(0, 10.0, 8.0, tick, 0.1, 4) for tick in range(30, 36)] == [False] * 4 + [True, False]
    assert crowd.switches == 1
