"""A sector cuts the view by exact angle and distance of tile centres."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.perception.sight.shadowcast import SightBits
from ai.perception.sight.view_cone import MAX_REACH, sector
from tests.ai.perception.sight.ford import visible_from


@pytest.mark.parametrize("seed", range(8))
def test_equals_fractions_cut_by_angle_and_distance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opaque = (rng.random((50, 60)) < 0.08).astype(np.uint8)
    y, x = rng.uniform(0, 50), rng.uniform(0, 60)
    facing, half, reach = rng.uniform(-7, 7), rng.uniform(0.2, math.pi), rng.uniform(2, 20)
    expected = np.zeros(opaque.shape, bool)
    for ty, tx in visible_from(opaque, int(y), int(x), 31):
        dy, dx = ty + 0.5 - y, tx + 0.5 - x
        off = abs((math.atan2(dy, dx) - facing + math.pi) % (2 * math.pi) - math.pi)
        expected[ty, tx] = math.hypot(dx, dy) <= reach and off <= half
    y0, x0, seen = sector(SightBits(opaque), opaque, x, y, facing, half, reach)
    whole = np.zeros_like(expected)
    whole[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]] = seen
    assert np.array_equal(whole, expected)


def test_without_walls_an_opaque_tile_needs_a_line_to_its_centre() -> None:
    opaque = (np.random.default_rng(1).random((40, 40)) < 0.3).astype(np.uint8)
    y0, x0, seen = sector(SightBits(opaque), opaque, 20.5, 20.5, 0.0, math.pi, 15.0, walls=False)
    for j in range(seen.shape[0]):
        for i in range(seen.shape[1]):
            y, x = y0 + j, x0 + i
            near = math.hypot(y - 20, x - 20) <= 15.0
            assert seen[j, i] == (near and line_clear(opaque, 20, 20, y, x))


def test_edges_of_input() -> None:
    opaque = np.zeros((5, 5), np.uint8)
    bits = SightBits(opaque)
    assert sector(bits, opaque, -1.0, 2.0, 0.0, 1.0, 5.0)[2].size == 0
    assert sector(bits, opaque, 2.5, 2.5, 0.0, 1.0, 0.0)[2].sum() == 1
    with pytest.raises(ValueError, match="reach"):
        sector(bits, opaque, 2.5, 2.5, 0.0, 1.0, MAX_REACH + 0.01)
