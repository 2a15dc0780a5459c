"""Line of sight equals the shadowcaster's rule for every pair and octant."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.perception.sight.line_of_sight import (
    CORNERS,
    FLIP_X,
    FLIP_Y,
    SWAP,
    clear_over,
    line_clear,
    lines_clear,
    octant,
    to_real,
    to_virtual,
    walk,
)
from ai.perception.sight.shadowcast import SightBits, field_of_view, window
from tests.ai.perception.sight.test_shadowcast import random_map

HALF = Fraction(1, 2)
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
            steps.append({(math.ceil(y - HALF), x), (math.floor(y + HALF), x)})
    else:
        for y in range(1, dy) if dy > 0 else range(-1, dy, -1):
            x = Fraction(dx * y, dy)
            steps.append({(y, math.ceil(x - HALF)), (y, math.floor(x + HALF))})
    return steps


def test_walk_crosses_the_tiles_of_an_eight_case_implementation() -> None:
    for dx, dy in OFFSETS:
        tiles = walk(0, 0, dy, dx)
        for step in crossed_with_fractions(dx, dy):
            assert set(tiles[: len(step)]) == step, (dx, dy)
            tiles = tiles[len(step) :]
        assert not tiles, (dx, dy)


def over_with_fractions(low: np.ndarray, a: tuple[int, int], b: tuple[int, int], eye: float, top: float) -> bool:
    """Test each tile of the line against the line's height there.

    Between two tiles the line keeps to one side all along.
    """
    dy, dx = b[0] - a[0], b[1] - a[1]
    minor = 0 if abs(dx) >= abs(dy) else 1
    ends = [Fraction(height).limit_denominator(100) for height in (eye, top)]
    leans = [False, False]
    for i, tiles in enumerate(crossed_with_fractions(dx, dy), 1):
        line = ends[0] + Fraction(i, max(abs(dy), abs(dx))) * (ends[1] - ends[0])
        beside = sorted(tiles, key=lambda tile: tile[minor])
        blocked = [int(low[a[0] + y, a[1] + x]) > line for y, x in beside]
        if blocked == [True]:
            return False
        if len(blocked) == 2:
            leans = [leans[0] or blocked[0], leans[1] or blocked[1]]
    return not all(leans)


@pytest.mark.parametrize("seed", range(6))
def test_over_low_ground_a_line_passes_as_with_fractions(seed: int) -> None:
    """Heights, eye and top are random.

    A tile as high as the line does not block.
    """
    rng = np.random.default_rng(seed)
    low = rng.choice(np.array([0, 0, 0, 1, 2, 3], np.uint8), (9, 12))
    passed = []
    for y0, x0, y1, x1 in rng.integers((0, 0, 0, 0), (9, 12, 9, 12), (150, 4)).tolist():
        eye, top = (float(rng.choice([0.0, 0.5, 1.0, 2.0, 3.0, 4.0])) for _ in range(2))
        expected = over_with_fractions(low, (y0, x0), (y1, x1), eye, top)
        assert clear_over(low, y0, x0, eye, y1, x1, top) == expected, (y0, x0, eye, y1, x1, top)
        passed.append(expected)
    assert 0.2 < np.mean(passed) < 0.9


def test_the_bits_of_an_octant_say_swap_and_flips() -> None:
    for dx, dy in OFFSETS:
        bits = {SWAP: abs(dx) < abs(dy), FLIP_X: dx < 0, FLIP_Y: dy < 0}
        assert octant(dx, dy) == sum(bit for bit, is_set in bits.items() if is_set), (dx, dy)
    assert (SWAP, FLIP_X, FLIP_Y) == (1, 2, 4)


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
