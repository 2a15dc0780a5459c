"""Exposure counts observers by the one rule of sight, over low walls by similar triangles, and never half a map."""

from __future__ import annotations

import zlib
from fractions import Fraction

import numpy as np
import pytest

from ai.sight.exposure import (
    CROUCHING,
    FULL_WALL,
    LOW_WALL,
    STANDING,
    ExposureMap,
    exposure_map,
    heights_of,
)
from ai.sight.line import walk
from ai.state import digest, restore, snapshot
from tests.ai.sight.ford import visible_from


def complete(heights: np.ndarray, observers: np.ndarray, budget: int = 10**9) -> ExposureMap:
    chart = exposure_map(*heights.shape)
    while not chart.update(heights, observers, budget):
        pass
    return chart


def watchers(rng: np.random.Generator, count: int, height: int, width: int, radius: int = 12) -> np.ndarray:
    y, x = rng.integers(0, height, count), rng.integers(0, width, count)
    return np.stack([y, x, np.full(count, radius), np.full(count, STANDING)], 1).astype(np.int32)


@pytest.mark.parametrize("seed", range(6))
def test_on_flat_ground_it_counts_whose_fog_it_lifts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opaque = (rng.random((30, 40)) < 0.1).astype(np.uint8)
    observers = watchers(rng, 7, 30, 40)
    expected = np.zeros((30, 40), int)
    for y, x, radius, _ in observers.tolist():
        for tile in visible_from(opaque, y, x, radius):
            expected[tile] += 1
    chart = complete(heights_of(opaque), observers)
    free = opaque == 0
    assert np.array_equal(chart.front[0][free], expected[free])
    assert np.array_equal(chart.front[1], chart.front[0]), "only low walls tell crouching from standing"


def over_with_fractions(heights: np.ndarray, a: tuple[int, int], eye: int, b: tuple[int, int], top: int) -> bool:
    """The tiles of the line one by one, each against the height of the line there."""
    dy, dx = b[0] - a[0], b[1] - a[1]
    major = max(abs(dy), abs(dx))
    low = high = False
    steps: dict[int, list[tuple[int, int]]] = {}
    for y, x in walk(*a, *b):
        steps.setdefault(max(abs(y - a[0]), abs(x - a[1])), []).append((y, x))
    for i, tiles in steps.items():
        line = eye + Fraction(i, major) * (top - eye)
        blocked = [heights[t] > line for t in tiles]
        if len(blocked) == 1 and blocked[0]:
            return False
        if len(blocked) == 2:
            low, high = low or blocked[0], high or blocked[1]
    return not (low and high)


@pytest.mark.parametrize("seed", range(4))
def test_over_heights_it_equals_the_line_with_fractions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heights = rng.choice(np.array([0, 0, 0, 0, 1, 2, 3, 255], np.uint8), (17, 21))
    y, x = int(rng.integers(17)), int(rng.integers(21))
    chart = complete(heights, np.array([[y, x, 10, STANDING]], np.int32))
    for ty, tx in np.ndindex(heights.shape):
        near = (ty - y) ** 2 + (tx - x) ** 2 <= 100
        for layer, top in ((0, STANDING), (1, CROUCHING)):
            expected = near and over_with_fractions(heights, (y, x), STANDING, (ty, tx), top)
            assert bool(chart.front[layer, ty, tx]) == expected


def test_a_low_wall_hides_who_crouches_up_to_its_shadow_and_nobody_who_stands() -> None:
    heights = np.zeros((3, 30), np.uint8)
    heights[:, 6] = LOW_WALL
    chart = complete(heights, np.array([[1, 2, 27, STANDING]], np.int32))
    assert chart.exposed()[1, 3:].all()
    # Eye 3, wall 2 high at 4 tiles, target 1 high: the line 3 - 2*4/d clears the wall from d = 8 on.
    hidden = [x for x in range(7, 29) if not chart.exposed(crouching=True)[1, x]]
    assert hidden == [7, 8, 9]


def test_a_wall_more_never_exposes_a_tile_more() -> None:
    rng = np.random.default_rng(9)
    heights = np.where(rng.random((25, 25)) < 0.1, FULL_WALL, 0).astype(np.uint8)
    observers = watchers(rng, 5, 25, 25)
    before = complete(heights, observers).front
    heights[rng.integers(0, 25, 20), rng.integers(0, 25, 20)] = FULL_WALL
    assert (complete(heights, observers).front <= before).all()


def test_slices_give_the_map_of_one_go_and_the_front_changes_only_when_complete() -> None:
    rng = np.random.default_rng(4)
    heights = np.where(rng.random((40, 40)) < 0.1, FULL_WALL, 0).astype(np.uint8)
    observers = watchers(rng, 6, 40, 40)
    whole = complete(heights, observers).front
    chart = exposure_map(40, 40)
    shown = {zlib.crc32(chart.front.tobytes())}
    while not chart.update(heights, observers, 7):
        shown.add(zlib.crc32(chart.front.tobytes()))
        chart = restore(snapshot(chart))
        assert digest(chart) == digest(restore(snapshot(chart)))
    assert len(shown) == 1
    assert np.array_equal(chart.front, whole)
    assert chart.rounds == 1


def test_observers_are_frozen_while_a_round_is_in_work() -> None:
    heights = np.zeros((20, 20), np.uint8)
    chart = exposure_map(20, 20)
    here = np.array([[5, 5, 4, STANDING]], np.int32)
    chart.update(heights, here, 3)
    while not chart.update(heights, here + np.array([[9, 9, 0, 0]], np.int32), 3):
        pass
    assert np.array_equal(chart.front, complete(heights, here).front)


def test_nobody_looking_strays_and_wrong_input() -> None:
    heights = np.zeros((8, 9), np.uint8)
    assert not complete(heights, np.zeros((0, 4), np.int32)).exposed().any()
    assert not complete(heights, np.array([[-1, 0, 5, 3], [0, 9, 5, 3]], np.int32)).exposed().any()
    assert complete(heights, np.array([[2, 2, 0, 3]] * 300, np.int32)).front[0, 2, 2] == 255
    with pytest.raises(ValueError, match="heights"):
        exposure_map(8, 8).update(heights, np.zeros((0, 4), np.int32), 1)
    with pytest.raises(ValueError, match="observers"):
        exposure_map(8, 9).update(heights, np.zeros((0, 3), np.int32), 1)
    with pytest.raises(ValueError, match="tiles"):
        exposure_map(0, 9)
