"""Combat vector: it turns to fire, and flank routes swing wide and seldom flip."""

import math
from itertools import pairwise

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.perception.sight.line_of_sight import lines_clear
from ai.tactics.routes.combat_vector import best_flanker, combat_vector, side_of_route, smoothed, wedge
from ai.tactics.unseen_paths import weighted_path

SHAPE = (41, 60)
ENEMY = (40.5, 20.5)
START = (20, 8)


def _cost(extra: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(8 * (1 + extra)), 1, 255).astype(np.uint8)


def _route(terrain: Terrain, extra: np.ndarray, goal: tuple[int, int]) -> np.ndarray:
    path = weighted_path(terrain, _cost(extra), 0, START, goal)
    assert path is not None
    return path


def test_fire_of_one_unit_turns_the_vector_towards_it() -> None:
    units = np.array([[30.5, 14.5], [30.5, 26.5]])
    even = combat_vector(ENEMY, units)
    assert even == pytest.approx((-1.0, 0.0))
    fired = combat_vector(ENEMY, units, np.array([5.0, 0.0]), np.array([0.0, 0.0]))
    assert fired[1] < -0.2
    old = combat_vector(ENEMY, units, np.array([5.0, 0.0]), np.array([300.0, 0.0]))
    assert abs(old[1]) < abs(fired[1]) / 5
    assert combat_vector(ENEMY, np.zeros((0, 2))) == (0.0, 0.0)
    assert combat_vector(ENEMY, np.array([[41.5, 20.5], [39.5, 20.5]])) == (0.0, 0.0)
    slow = smoothed(even, fired)
    assert even[1] > slow[1] > fired[1] and math.hypot(*slow) == pytest.approx(1.0)
    assert smoothed((0.0, 0.0), fired) == fired


def test_the_wedge_is_highest_on_the_line_and_empty_behind_and_turns_rigidly() -> None:
    cost = wedge(SHAPE, ENEMY, (-1.0, 0.0))
    assert (cost[:, 41:] == 0).all() and cost[20, 30] == cost.max() == 6.0
    assert cost[20, 30] > cost[23, 30] > cost[27, 30] and np.allclose(cost, cost[::-1])
    turned = wedge((60, 41), (20.5, 40.5), (0.0, -1.0))
    assert np.allclose(turned, cost.T)
    assert not wedge(SHAPE, ENEMY, (0.0, 0.0)).any()


def test_a_slanted_wedge_falls_with_the_distance_from_its_line() -> None:
    """Oracle: the foot of the perpendicular on the line, tile by tile."""
    vector = (-0.6, 0.8)
    cost = wedge(SHAPE, ENEMY, vector, strength=6.0, width=2.0, spread=0.25, reach=15.0)
    for y, x in np.ndindex(*SHAPE):
        rx, ry = x + 0.5 - ENEMY[0], y + 0.5 - ENEMY[1]
        along = rx * vector[0] + ry * vector[1]
        beside = math.dist((rx, ry), (along * vector[0], along * vector[1]))
        wanted = 6.0 * max(0.0, 1.0 - beside / (2.0 + 0.25 * along)) if 0.0 < along <= 15.0 else 0.0
        assert cost[y, x] == pytest.approx(wanted, abs=1e-9)


def test_in_the_open_a_flank_route_swings_wide_of_the_line_of_fire() -> None:
    terrain = Terrain.build(np.ones(SHAPE, bool))
    goal = (20, 46)  # behind the enemy
    fire = wedge(SHAPE, ENEMY, (-1.0, 0.0))
    flank, direct = _route(terrain, fire, goal), _route(terrain, np.zeros(SHAPE), goal)
    assert np.abs(flank[:, 0] - 20).max() > np.abs(direct[:, 0] - 20).max() + 4.0
    assert fire[tuple(flank.T)].sum() < 0.2 * fire[tuple(direct.T)].sum()
    assert all(abs(y - 20) >= 3 for y, x in flank.tolist() if 20 <= x <= 41), "it passes the enemy at its side"


def test_routes_of_the_vector_flip_less_than_routes_of_exposure() -> None:
    """The enemy is moved by a tile at every step."""
    opaque = np.zeros(SHAPE, np.uint8)
    opaque[16:25, 24] = opaque[12:15, 30] = opaque[26:29, 30] = 1
    terrain = Terrain.build(opaque == 0, None, opaque)
    tiles = np.argwhere(opaque == 0).astype(np.int32)
    rng, vector = np.random.default_rng(3), (0.0, 0.0)
    sides: dict[str, list[int]] = {"vector": [], "exposure": []}
    for _ in range(40):
        at = ENEMY[0] + rng.integers(-1, 2), ENEMY[1] + rng.integers(-1, 2)
        goal = int(at[1]), int(at[0]) + 5
        vector = smoothed(vector, combat_vector(at, np.array([[8.5, 20.5], [10.5, 21.5]])))
        sides["vector"].append(side_of_route(_route(terrain, wedge(SHAPE, at, vector), goal), at))
        eye = np.broadcast_to(np.array([int(at[1]), int(at[0])], np.int32), tiles.shape)
        seen = np.zeros(SHAPE)
        seen[tiles[:, 0], tiles[:, 1]] = lines_clear(opaque, eye, tiles)
        sides["exposure"].append(side_of_route(_route(terrain, 3.0 * seen, goal), at))
    flips = {name: sum(a != b for a, b in pairwise(row)) for name, row in sides.items()}
    assert flips["vector"] < flips["exposure"]


def test_the_cheapest_unit_flanks() -> None:
    assert best_flanker([9.0, 4.0, 4.0]) == 1 and best_flanker([math.inf]) == -1 and best_flanker([]) == -1
    assert side_of_route(np.array([[20, 8], [10, 30], [20, 40]]), ENEMY) == -side_of_route(
        np.array([[20, 8], [30, 30], [20, 40]]), ENEMY
    )
    assert side_of_route(np.array([[20, 8]]), ENEMY) == side_of_route(np.zeros((0, 2), np.int32), ENEMY) == 0
