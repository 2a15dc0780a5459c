"""Unseen paths equal Dijkstra on the same costs.

They trade length for exposure as the weight grows.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.tactics.unseen_paths import cost_by_stance, cost_of_path, stance_flags, weighted_path


def dijkstra(passable: np.ndarray, cost: np.ndarray, start: tuple[int, int], goal: tuple[int, int]) -> float:
    best, todo = {start: 0.0}, [(0.0, start)]
    while todo:
        path, (y, x) = heapq.heappop(todo)
        if (y, x) == goal:
            return path
        if path > best[y, x]:
            continue
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                ny, nx = y + dy, x + dx
                if not (0 <= ny < passable.shape[0] and 0 <= nx < passable.shape[1]) or not passable[ny, nx]:
                    continue
                if dy and dx and not (passable[ny, x] and passable[y, nx]):
                    continue
                more = path + (int(cost[y, x]) + int(cost[ny, nx])) / 16 * math.hypot(dy, dx)
                if more < best.get((ny, nx), math.inf) - 1e-12:
                    best[ny, nx] = more
                    heapq.heappush(todo, (more, (ny, nx)))
    return math.inf


SLOW = (1.0, 1.6, 3.0)
"""Time factors of walking, crouching and crawling."""


def by_hand(cost: np.ndarray, noticed: np.ndarray, weight: float) -> np.ndarray:
    """The costs tile by tile, in eighths."""
    out = np.zeros(cost.shape, np.int64)
    for y, x in np.ndindex(cost.shape):
        each = (float(cost[y, x]) * (SLOW[s] + weight * int(noticed[s, y, x])) for s in range(len(noticed)))
        out[y, x] = min(255, max(1, round(min(each))))
    return out


@pytest.mark.parametrize("seed", range(6))
def test_cost_equals_dijkstra_and_a_heavier_gaze_is_avoided_more(seed: int) -> None:
    """Lower stances are noticed by fewer."""
    rng = np.random.default_rng(seed)
    passable = rng.random((22, 26)) > 0.2
    passable[1, 1] = passable[20, 24] = True
    noticed = (rng.random((3, 22, 26)) < 0.6).astype(np.int64) * rng.integers(1, 3, (3, 22, 26))
    noticed = np.minimum.accumulate(noticed, axis=0)
    terrain = Terrain.build(passable)
    lengths, seen = [], []
    for weight in (0.0, 1.0, 2.0, 6.0, 12.0):
        cost, stance = cost_by_stance(terrain.cost, noticed, SLOW, weight)
        tiles = weighted_path(terrain, cost, 0, (1, 1), (20, 24))
        expected = dijkstra(passable, by_hand(terrain.cost, noticed, weight), (1, 1), (20, 24))
        assert tiles is not None, "each of these maps has a path"
        assert cost_of_path(tiles, cost) == pytest.approx(expected, rel=1e-4)
        ys, xs = tiles.T
        lengths.append(cost_of_path(tiles, terrain.cost))
        seen.append(int(noticed[stance[ys, xs], ys, xs].sum()))
    assert all(lengths[0] <= longer + 1e-6 for longer in lengths) and seen[-1] <= seen[0]


def test_two_corridors_flip_at_the_weight_that_makes_them_equal() -> None:
    """The costs of two paths are equal at (L2 - L1) / E1.

    One path is short and exposed, the other long and hidden.
    """
    passable = np.zeros((9, 21), bool)
    passable[1, 1:20] = passable[7, 1:20] = passable[1:8, 1] = passable[1:8, 19] = True
    noticed = np.zeros((1, 9, 21), np.int64)
    noticed[0, 1, 5:15] = 1
    terrain = Terrain.build(passable)
    short, long = 18.0, 30.0
    flip = (long - short) / 10.0
    paths = []
    for weight in (flip - 0.13, flip + 0.13):
        cost, _ = cost_by_stance(terrain.cost, noticed, SLOW[:1], weight)
        tiles = weighted_path(terrain, cost, 0, (1, 1), (1, 19))
        assert tiles is not None
        paths.append((cost_of_path(tiles, terrain.cost), int(noticed[0][tuple(tiles.T)].sum())))
    assert paths == [(short, 10), (long, 0)]


def test_stances_of_the_sources_example() -> None:
    """Only C and D of the triangles A to F need a crouch.

    The unit ducks at C and stands again at F.
    """
    assert stance_flags([0, 0, 1, 1, 0, 0]) == [0, 0, 1, 1, 1, 0]
    assert stance_flags([1, 0, 2, 0]) == [1, 1, 2, 2]
