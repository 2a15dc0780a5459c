"""Frag map, against the worked example of its source."""

from __future__ import annotations

import numpy as np
import pytest

from ai.influence.convolution import blurred
from ai.influence.frag_map import FragMap

A, B, C = (0, 0), (4, 4), (8, 8)


def spoiled(keep: float, start: float, kills: int) -> tuple[FragMap, int]:
    """Log deaths at A; return the map and the kill that ended its lead."""
    known = FragMap(np.zeros((9, 9)), keep)
    known.stored[A] = start
    lost = 0
    for kill in range(1, kills + 1):
        known.log(A, (B, C)[(kill - 1) % 2])
        if not lost and known.value(*A) < max(known.value(*B), known.value(*C)):
            lost = kill
    return known, lost


def test_ambush_of_the_source() -> None:
    plain, _ = spoiled(1.0, 20.0, 10)
    assert [plain.value(*p) for p in (A, B, C)] == [10, 5, 5]
    fading, _ = spoiled(0.9, 20.0, 10)
    assert [fading.value(*p) for p in (A, B, C)] == pytest.approx([0.460, 3.085, 3.428], abs=6e-4)
    assert [spoiled(k, 20.0, 30)[1] for k in (1.0, 0.9, 0.8)] == [14, 8, 6]
    assert [spoiled(k, 25.0, 30)[1] for k in (1.0, 0.9, 0.8)] == [17, 10, 7]


def test_one_factor_equals_a_multiplied_map() -> None:
    rng = np.random.default_rng(1)
    known, eager = FragMap(np.zeros((6, 6))), np.zeros((6, 6))
    for _ in range(5000):
        (vy, vx), (ay, ax) = rng.integers(0, 6, (2, 2)).tolist()
        eager *= 0.9
        eager[vy, vx] -= 1
        eager[ay, ax] += 1
        known.log((vy, vx), (ay, ax))
    assert np.allclose(known.stored * known.scale, eager, atol=1e-9)
    assert np.allclose(known.spread(1), blurred(eager, 1), atol=1e-9)


def test_spread_warns_of_tiles_near_a_death() -> None:
    known = FragMap(np.zeros((9, 9)))
    known.log(B, None)
    assert known.value(4, 5) == 0
    assert known.spread()[4, 5] < 0
    assert known.spread()[4, 4] < known.spread()[4, 5]
    for keep in (-0.1, 0.0, 1.01, 2.0):
        with pytest.raises(ValueError, match="keep"):
            FragMap(np.zeros((2, 2)), keep).log((0, 0), None)
