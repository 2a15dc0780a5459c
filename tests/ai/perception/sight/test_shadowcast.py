"""The shadowcasting kernel equals the published algorithm with fractions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.perception.sight.shadowcast import MAX_RADIUS, SightBits, field_of_view, sees, window
from tests.ai.perception.sight.ford import visible_from

DENSITIES = (0.0, 0.02, 0.1, 0.3, 0.6, 1.0)


def random_map(seed: int, low: int = 1, high: int = 70) -> np.ndarray:
    rng = np.random.default_rng(seed)
    height, width = rng.integers(low, high, 2)
    return (rng.random((height, width)) < rng.choice(DENSITIES)).astype(np.uint8)


def seen_tiles(opaque: np.ndarray, y: int, x: int, radius: int) -> set[tuple[int, int]]:
    view = window(field_of_view(SightBits(opaque), np.array([y]), np.array([x]), radius)[0])
    return {(int(y - radius + j), int(x - radius + i)) for j, i in np.argwhere(view)}


@pytest.mark.parametrize("seed", range(40))
def test_equals_shadowcasting_with_fractions_on_random_maps(seed: int) -> None:
    opaque = random_map(seed)
    rng = np.random.default_rng(1000 + seed)
    y, x = int(rng.integers(opaque.shape[0])), int(rng.integers(opaque.shape[1]))
    radius = int(rng.integers(0, MAX_RADIUS + 1))
    assert seen_tiles(opaque, y, x, radius) == visible_from(opaque, y, x, radius)


@pytest.mark.parametrize("density", [0.1, 0.25])
def test_equals_fractions_at_the_largest_radius_where_slopes_lie_closest(density: float) -> None:
    opaque = (np.random.default_rng(7).random((80, 80)) < density).astype(np.uint8)
    opaque[39:42, 39:42] = 0
    assert seen_tiles(opaque, 40, 40, MAX_RADIUS) == visible_from(opaque, 40, 40, MAX_RADIUS)


@given(st.integers(0, 10_000), st.integers(1, MAX_RADIUS))
@settings(max_examples=60, deadline=None)
def test_open_tiles_see_each_other_or_neither_does(seed: int, radius: int) -> None:
    opaque = random_map(seed, 2, 24)
    tiles = np.argwhere(opaque == 0)
    rows = field_of_view(SightBits(opaque), tiles[:, 0], tiles[:, 1], radius)
    for i, (y, x) in enumerate(tiles):
        for j in range(i):
            dy, dx = tiles[j] - (y, x)
            assert sees(rows[i], dy, dx) == sees(rows[j], -dy, -dx)


def test_open_ground_is_a_full_circle_of_centres_within_the_radius() -> None:
    view = window(field_of_view(SightBits(np.zeros((80, 80), np.uint8)), np.array([40]), np.array([40]), 13)[0])
    steps = np.arange(-13, 14)
    assert np.array_equal(view, steps[:, None] ** 2 + steps[None, :] ** 2 <= 13 * 13)


def test_a_walled_in_observer_sees_the_eight_walls_around_it() -> None:
    opaque = np.ones((9, 9), np.uint8)
    opaque[4, 4] = 0
    assert seen_tiles(opaque, 4, 4, 9) == {(y, x) for y in (3, 4, 5) for x in (3, 4, 5)}


def test_an_observer_in_an_opaque_tile_sees_as_if_it_were_open() -> None:
    opaque = random_map(3, 30, 31)
    opaque[10, 10] = 1
    inside = seen_tiles(opaque, 10, 10, 20)
    opaque[10, 10] = 0
    assert inside == seen_tiles(opaque, 10, 10, 20)


def test_radius_zero_sees_its_own_tile_and_off_the_map_sees_nothing() -> None:
    bits = SightBits(np.zeros((5, 6), np.uint8))
    rows = field_of_view(bits, np.array([2, -1, 5, 2]), np.array([3, 3, 0, 6]), 0)
    assert window(rows).sum(axis=(1, 2)).tolist() == [1, 0, 0, 0]


def test_nothing_beyond_the_edge_of_the_map_is_seen() -> None:
    opaque = np.zeros((3, 200), np.uint8)
    assert seen_tiles(opaque, 0, 199, 31) == visible_from(opaque, 0, 199, 31)
    assert all(0 <= y < 3 and 0 <= x < 200 for y, x in seen_tiles(opaque, 2, 0, 31))


def test_radii_of_their_own_share_one_frame() -> None:
    opaque = random_map(11, 60, 61)
    radii = np.array([0, 5, 20, 31], np.int32)
    rows = field_of_view(SightBits(opaque), np.full(4, 30), np.full(4, 30), radii)
    for i, radius in enumerate(radii):
        inner = window(rows[i])[31 - radius : 32 + radius, 31 - radius : 32 + radius]
        assert inner.sum() == window(rows[i]).sum()
        assert np.array_equal(
            inner, window(field_of_view(SightBits(opaque), np.array([30]), np.array([30]), int(radius))[0])
        )


def test_two_threads_give_the_bits_of_one() -> None:
    opaque = (np.random.default_rng(5).random((60, 70)) < 0.1).astype(np.uint8)
    tiles = np.argwhere(opaque == 0)
    ys, xs = tiles[:, 0], tiles[:, 1]
    bits = SightBits(opaque)
    assert np.array_equal(field_of_view(bits, ys, xs, 20), field_of_view(bits, ys, xs, 20, parallel=True))


@pytest.mark.parametrize("seed", range(5))
def test_repaired_bits_equal_bits_packed_anew(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opaque = random_map(seed, 1, 200)
    bits = SightBits(opaque)
    height, width = opaque.shape
    for _ in range(20):
        y0, x0 = int(rng.integers(-3, height)), int(rng.integers(-3, width))
        y1, x1 = y0 + int(rng.integers(1, 30)), x0 + int(rng.integers(1, 80))
        view = opaque[max(0, y0) : y1, max(0, x0) : x1]
        view[...] = rng.random(view.shape) < 0.5
        bits.repair(opaque, [(y0, x0, y1, x1)])
    anew = SightBits(opaque)
    assert np.array_equal(bits.rows, anew.rows)
    assert np.array_equal(bits.columns, anew.columns)


def test_wrong_input_is_told() -> None:
    bits = SightBits(np.zeros((5, 5), np.uint8))
    with pytest.raises(ValueError, match="radii"):
        field_of_view(bits, np.array([1]), np.array([1]), 32)
    with pytest.raises(ValueError, match="radii"):
        field_of_view(bits, np.array([1]), np.array([1]), -1)
    with pytest.raises(ValueError, match="columns"):
        field_of_view(bits, np.array([1, 2]), np.array([1]), 3)
    with pytest.raises(ValueError, match="opaque"):
        SightBits(np.zeros((5, 5), np.bool_))  # type: ignore[arg-type]
    assert field_of_view(bits, np.zeros(0, np.int32), np.zeros(0, np.int32), 3).shape == (0, 7)
