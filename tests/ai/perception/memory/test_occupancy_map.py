"""The occupancy map is a probability and shortens the search.

It never loses a unit that keeps to its speed.
"""

from __future__ import annotations

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.perception.memory.occupancy_map import OccupancyMap, occupancy_map
from ai.perception.sight.shadowcast import SightBits, field_of_view, window
from tests.ai.perception.memory.test_possibility_map import MOVES, legal


def rooms(seed: int) -> np.ndarray:
    passable = (np.random.default_rng(seed).random((24, 24)) < 0.85).astype(np.uint8)
    passable[11, :] = 0
    passable[11, 4] = passable[11, 19] = 1
    return passable


def view_from(bits: SightBits, tile: tuple[int, int], shape: tuple[int, int], radius: int = 6) -> np.ndarray:
    view = window(field_of_view(bits, np.array([tile[0]]), np.array([tile[1]]), radius)[0])
    seen = np.zeros(shape, bool)
    for j, i in np.argwhere(view):
        seen[tile[0] - radius + j, tile[1] - radius + i] = True
    return seen


def wander(rng: np.random.Generator, passable: np.ndarray, tile: tuple[int, int]) -> tuple[int, int]:
    options = [m for m in MOVES if legal(passable, *tile, *m)]
    dy, dx = options[rng.integers(len(options))]
    return tile[0] + dy, tile[1] + dx


def random_walk_matrix(passable: np.ndarray, stay: float) -> np.ndarray:
    """Dense transition matrix of the walk, [from, to]."""
    size = passable.size
    matrix = np.zeros((size, size))
    for y, x in np.argwhere(passable):
        exits = [m for m in MOVES if m != (0, 0) and legal(passable, y, x, *m)]
        here = y * passable.shape[1] + x
        matrix[here, here] += stay if exits else 1.0
        for dy, dx in exits:
            matrix[here, (y + dy) * passable.shape[1] + x + dx] += (1 - stay) / len(exits)
    return matrix


def test_equals_powers_of_the_transition_matrix_with_what_is_seen_removed() -> None:
    rng = np.random.default_rng(2)
    passable = rooms(2)[:9, :9].copy()
    y, x = (int(n) for n in np.argwhere(passable)[20])
    chart = occupancy_map(9, 9, 7, y, x, tick=0, period=1)
    matrix = random_walk_matrix(passable, chart.stay)
    expected = np.zeros(81)
    expected[y * 9 + x] = 1
    for tick in range(1, 15):
        visible = rng.random((9, 9)) < 0.1
        expected = expected @ matrix
        expected[visible.ravel()] = 0
        expected /= expected.sum()
        assert chart.update(tick, passable, visible)
        assert np.allclose(chart.chance.ravel(), expected, atol=1e-12)
        assert chart.chance.sum() == pytest.approx(1.0)
        assert not chart.chance[visible].any()


@pytest.mark.parametrize("seed", range(6))
def test_a_target_that_was_not_seen_always_has_a_chance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    passable = rooms(seed)
    bits = SightBits(1 - passable)
    open_tiles = [tuple(int(n) for n in t) for t in np.argwhere(passable)]
    target, searcher = (open_tiles[rng.integers(len(open_tiles))] for _ in range(2))
    chart = occupancy_map(24, 24, 7, *target, tick=0, period=1)
    for tick in range(1, 120):
        target, searcher = wander(rng, passable, target), wander(rng, passable, searcher)
        visible = view_from(bits, searcher, (24, 24))
        if visible[target]:
            chart.reset(*target, tick)
            continue
        assert chart.update(tick, passable, visible)
        assert chart.chance[target] > 0


def steps_to_find(seed: int, with_map: bool, limit: int = 300) -> int:
    """A searcher walks to the map's best tile.

    Without a map it walks to the last known position and then around.
    """
    rng = np.random.default_rng(seed)
    passable = rooms(5)
    passable[12:, :] = 1
    bits = SightBits(1 - passable)
    target, searcher, last = (20, 20), (1, 1), (14, 12)
    if not passable[searcher]:
        passable[searcher] = 1
    chart = occupancy_map(24, 24, 7, *last, tick=0, period=1)
    goal = last
    distance = None
    for tick in range(1, limit):
        target = wander(rng, passable, target)
        if with_map:
            found = chart.goals(np.array([[searcher[0] + 0.5, searcher[1] + 0.5]]))[0]
            goal = found or goal
        elif searcher == goal:
            goal = tuple(int(n) for n in np.argwhere(passable)[rng.integers(int(passable.sum()))])
        distance = flood(passable, goal)
        options = [(searcher[0] + dy, searcher[1] + dx) for dy, dx in MOVES if legal(passable, *searcher, dy, dx)]
        searcher = min(options, key=lambda t: distance[t])
        visible = view_from(bits, searcher, (24, 24))
        if visible[target]:
            return tick
        if not chart.update(tick, passable, visible):
            chart.reset(*target, tick)
    return limit


def flood(passable: np.ndarray, goal: tuple[int, int]) -> np.ndarray:
    distance = np.full(passable.shape, 10_000)
    distance[goal] = 0
    ring = [goal]
    while ring:
        following = []
        for y, x in ring:
            for dy, dx in MOVES:
                if legal(passable, y, x, dy, dx) and distance[y + dy, x + dx] > distance[y, x] + 1:
                    distance[y + dy, x + dx] = distance[y, x] + 1
                    following.append((y + dy, x + dx))
        ring = following
    return distance


def test_searching_with_the_map_finds_a_hider_sooner_than_wandering_from_the_last_known_place() -> None:
    with_map = [steps_to_find(seed, True) for seed in range(8)]
    without = [steps_to_find(seed, False) for seed in range(8)]
    assert np.mean(with_map) < np.mean(without)


def test_searchers_get_goals_apart_from_each_other() -> None:
    passable = np.ones((60, 60), np.uint8)
    chart = occupancy_map(60, 60, 7, 30, 30, tick=0, period=1)
    for tick in range(1, 25):
        chart.update(tick, passable, np.zeros((60, 60), bool))
    goals = [g for g in chart.goals(np.array([[30.0, 10.0], [30.0, 50.0], [5.0, 30.0]]), spread=8.0) if g is not None]
    assert len(goals) == 3
    assert all(np.hypot(a[0] - b[0], a[1] - b[1]) > 8 for i, a in enumerate(goals) for b in goals[:i])
    assert chart.goals(np.array([[1.0, 1.0], [2.0, 2.0]]), spread=200.0)[1] is None


def test_when_everything_is_seen_it_says_so() -> None:
    chart = occupancy_map(5, 5, 7, 2, 2, tick=0, period=1)
    assert not chart.update(1, np.ones((5, 5), np.uint8), np.ones((5, 5), bool))
    assert not chart.chance.any()
    assert chart.goals(np.array([[1.0, 1.0]])) == [None]


def test_maps_are_state_and_wrong_input_is_told() -> None:
    chart: OccupancyMap = occupancy_map(9, 9, 7, 2, 2, tick=0, period=2)
    for tick in range(1, 9):
        chart.update(tick, np.ones((9, 9), np.uint8), np.zeros((9, 9), bool))
        ab_run = restore(snapshot(chart))
        assert digest(ab_run) == digest(chart)
        assert np.array_equal(ab_run.chance, chart.chance)
        chart = ab_run
    with pytest.raises(ValueError, match="off the"):
        occupancy_map(5, 5, 7, 0, -1, tick=0, period=1)
    with pytest.raises(ValueError, match="period"):
        occupancy_map(5, 5, 7, 0, 0, tick=0, period=0)
