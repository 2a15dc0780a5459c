"""Ways that avoid eyes equal Dijkstra on the same costs, and trade length for exposure as the weight grows."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.tactics.unseen import exposed_cost, measure, stance_flags, turning_points, unseen_path


def dijkstra(passable: np.ndarray, cost: np.ndarray, start: tuple[int, int], goal: tuple[int, int]) -> float:
    best, todo = {start: 0.0}, [(0.0, start)]
    while todo:
        way, (y, x) = heapq.heappop(todo)
        if (y, x) == goal:
            return way
        if way > best[y, x]:
            continue
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                ny, nx = y + dy, x + dx
                if not (0 <= ny < passable.shape[0] and 0 <= nx < passable.shape[1]) or not passable[ny, nx]:
                    continue
                if dy and dx and not (passable[ny, x] and passable[y, nx]):
                    continue
                more = way + (int(cost[y, x]) + int(cost[ny, nx])) / 16 * math.hypot(dy, dx)
                if more < best.get((ny, nx), math.inf) - 1e-12:
                    best[ny, nx] = more
                    heapq.heappush(todo, (more, (ny, nx)))
    return math.inf


@pytest.mark.parametrize("seed", range(6))
def test_cost_equals_dijkstra_and_a_heavier_gaze_is_avoided_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    passable = rng.random((22, 26)) > 0.2
    passable[1, 1] = passable[20, 24] = True
    exposure = (rng.random((22, 26)) < 0.4).astype(np.uint8) * rng.integers(1, 3, (22, 26)).astype(np.uint8)
    terrain = Terrain.build(passable)
    found = [unseen_path(terrain, exposure, w, 0, (1, 1), (20, 24)) for w in (0.0, 1.0, 2.0, 6.0, 12.0)]
    if found[0] is None:
        assert dijkstra(passable, terrain.cost, (1, 1), (20, 24)) == math.inf
        return
    for weight, path in zip((0.0, 1.0, 2.0, 6.0, 12.0), found, strict=True):
        assert path is not None
        expected = dijkstra(passable, exposed_cost(terrain.cost, exposure, weight), (1, 1), (20, 24))
        assert path.cost == pytest.approx(expected, rel=1e-4)
    lengths = [p.length for p in found if p]
    assert all(a <= b + 1e-6 for a, b in zip(lengths[:1] * 4, lengths[1:], strict=True))
    assert found[-1].exposed <= found[0].exposed + 1e-6


def test_two_corridors_flip_at_the_weight_that_makes_them_equal() -> None:
    """Short and seen against long and hidden: they cost the same at (L2 - L1) / E1."""
    passable = np.zeros((9, 21), bool)
    passable[1, 1:20] = passable[7, 1:20] = passable[1:8, 1] = passable[1:8, 19] = True
    exposure = np.zeros((9, 21), np.uint8)
    exposure[1, 5:15] = 1
    terrain = Terrain.build(passable)
    short, long = 18.0, 30.0
    flip = (long - short) / 10.0
    below = unseen_path(terrain, exposure, flip - 0.13, 0, (1, 1), (1, 19))
    above = unseen_path(terrain, exposure, flip + 0.13, 0, (1, 1), (1, 19))
    assert below is not None and above is not None
    assert (below.length, above.length) == (short, long)
    assert (below.exposed, above.exposed) == (10.0, 0.0)


def test_the_path_is_handed_on_as_turning_points() -> None:
    tiles = np.array([(0, x) for x in range(12)] + [(y, 11) for y in range(1, 8)], np.int32)
    points = turning_points(tiles)
    assert points[-1].tolist() == [7, 11]
    assert [0, 11] in points.tolist()
    assert measure(tiles, np.zeros((9, 13), np.uint8)) == (18.0, 0.0)


def test_stances_of_the_sources_example() -> None:
    """Of the triangles A to F only C and D ask for a crouch: one ducks at C and stands again at F."""
    assert stance_flags([0, 0, 1, 1, 0, 0]) == [0, 0, 1, 1, 1, 0]
    assert stance_flags([1, 0, 2, 0]) == [1, 1, 2, 2]


def test_bad_input_is_named() -> None:
    terrain = Terrain.build(np.ones((5, 5), bool))
    with pytest.raises(ValueError, match="exposure"):
        unseen_path(terrain, np.zeros((5, 6), np.uint8), 1.0, 0, (0, 0), (4, 4))
    with pytest.raises(ValueError, match="weight"):
        unseen_path(terrain, np.zeros((5, 5), np.uint8), -1.0, 0, (0, 0), (4, 4))
