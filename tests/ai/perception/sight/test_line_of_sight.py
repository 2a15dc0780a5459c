"""Line of sight equals the shadowcaster's rule for every pair and octant."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.perception.sight.line_of_sight import CORNERS, line_clear, lines_clear, octant, to_real, to_virtual, walk
from ai.perception.sight.shadowcast import SightBits, field_of_view, window
from tests.ai.perception.sight.test_shadowcast import random_map

OFFSETS = [(dx, dy) for dx in range(-9, 10) for dy in range(-9, 10)]


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_agrees_with_shadowcasting_for_every_pair_of_open_tiles(seed: int) -> None:
    opaque = random_map(seed, 2, 20)
    tiles = np.argwhere(opaque == 0)
    if not len(tiles):
        return
    views = window(field_of_view(SightBits(opaque), tiles[:, 0], tiles[:, 1], 31))
    starts, ends = np.repeat(tiles, len(tiles), 0), np.tile(tiles, (len(tiles), 1))
    near = ((ends - starts) ** 2).sum(axis=1) <= 31 * 31
    offset = (ends - starts)[near] + 31
    seen = views[np.repeat(np.arange(len(tiles)), len(tiles))[near], offset[:, 0], offset[:, 1]]
    assert np.array_equal(lines_clear(opaque, starts[near], ends[near]), seen)


def crossed_with_fractions(dx: int, dy: int) -> list[set[tuple[int, int]]]:
    """Return the one or two tiles that a segment crosses, in eight cases.

    They lie where the segment meets the centre line of a row or column.
    """
    steps = []
    if abs(dx) >= abs(dy):
        for x in range(1, dx) if dx > 0 else range(-1, dx, -1):
            y = Fraction(dy * x, dx)
            steps.append({(t, x) for t in range(-30, 31) if abs(t - y) <= Fraction(1, 2)})
    else:
        for y in range(1, dy) if dy > 0 else range(-1, dy, -1):
            x = Fraction(dx * y, dy)
            steps.append({(y, t) for t in range(-30, 31) if abs(t - x) <= Fraction(1, 2)})
    return steps


def test_walk_crosses_the_tiles_of_an_eight_case_implementation() -> None:
    for dx, dy in OFFSETS:
        tiles = walk(0, 0, dy, dx)
        for step in crossed_with_fractions(dx, dy):
            assert set(tiles[: len(step)]) == step, (dx, dy)
            tiles = tiles[len(step) :]
        assert not tiles, (dx, dy)


def test_virtual_space_is_the_first_octant_and_the_way_back_is_the_inverse() -> None:
    for dx, dy in OFFSETS:
        code = octant(dx, dy)
        major, minor = to_virtual(code, dx, dy)
        assert 0 <= minor <= major, (dx, dy)
        assert to_real(code, major, minor) == (dx, dy)
        assert to_virtual(code, 0, 0) == (0, 0)


def test_the_ray_of_the_source_has_a_slope_below_one_in_virtual_space() -> None:
    assert to_virtual(octant(-1, 2), -1, 2) == (2, 1)


def test_corner_table_equals_transforming_the_corner_points() -> None:
    for code in range(8):
        middle = to_virtual(code, Fraction(1, 2), Fraction(1, 2))
        for corner in range(4):
            x, y = to_virtual(code, corner & 1, corner >> 1)
            x, y = x - middle[0] + Fraction(1, 2), y - middle[1] + Fraction(1, 2)
            assert CORNERS[code, corner] == x + 2 * y


def test_a_line_may_graze_walls_on_one_side_but_not_on_both() -> None:
    opaque = np.zeros((2, 3), np.uint8)
    assert line_clear(opaque, 0, 0, 1, 2)
    opaque[0, 1] = 1
    assert line_clear(opaque, 0, 0, 1, 2)
    opaque[1, 1] = 1
    assert not line_clear(opaque, 0, 0, 1, 2)


def test_the_ends_are_not_asked_and_neighbours_always_see_each_other() -> None:
    opaque = np.ones((3, 3), np.uint8)
    assert all(line_clear(opaque, 1, 1, y, x) for y in range(3) for x in range(3))


def test_off_the_map_nothing_is_clear() -> None:
    opaque = np.zeros((4, 4), np.uint8)
    ends = np.array([[0, 4], [-1, 0], [4, 0], [0, -1], [3, 3]])
    assert lines_clear(opaque, np.zeros((5, 2), np.int32), ends).tolist() == [False] * 4 + [True]


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_both_directions_and_both_kernels_agree_at_any_length(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opaque = (rng.random((60, 90)) < 0.02).astype(np.uint8)
    starts, ends = (np.stack([rng.integers(0, 60, 500), rng.integers(0, 90, 500)], 1) for _ in range(2))
    there = lines_clear(opaque, starts, ends)
    assert np.array_equal(there, lines_clear(opaque, ends, starts))
    assert np.array_equal(there, lines_clear(opaque, starts, ends, parallel=True))


def test_wrong_input_is_told() -> None:
    with pytest.raises(ValueError, match="pairs"):
        lines_clear(np.zeros((4, 4), np.uint8), np.zeros((3, 2), np.int32), np.zeros((2, 2), np.int32))
    with pytest.raises(ValueError, match="opaque"):
        line_clear(np.zeros((4, 4), np.int64), 0, 0, 1, 1)  # type: ignore[arg-type]
