"""Shots do not pass between two walls that touch at a corner."""

from __future__ import annotations

import numpy as np

from ai.perception.sight.line_of_sight import line_clear, passes_closed_corner
from tests.ai.perception.sight.test_shadowcast import random_map


def crosses(p: tuple[float, float], q: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Return whether segments p-q and a-b cross at an inner point of both."""

    def side(o: tuple[float, float], u: tuple[float, float], v: tuple[float, float]) -> float:
        return (u[0] - o[0]) * (v[1] - o[1]) - (u[1] - o[1]) * (v[0] - o[0])

    return side(p, q, a) * side(p, q, b) < 0 and side(a, b, p) * side(a, b, q) < 0


def pairs_of(opaque: np.ndarray) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the centres (x, y) of opaque tiles that touch at a corner."""
    found = []
    for y, x in np.argwhere(opaque[:-1]).tolist():
        for dx in (-1, 1):
            if 0 <= x + dx < opaque.shape[1] and opaque[y + 1, x + dx]:
                found.append(((x, y), (x + dx, y + 1)))
    return found


def test_a_line_is_stopped_by_every_pair_that_it_crosses() -> None:
    """Oracle: intersection of the shot with segments between centres of touching walls."""
    stopped = 0
    for seed in range(12):
        opaque = random_map(seed, 3, 12)
        walls, dice, tiles = pairs_of(opaque), np.random.default_rng(seed), np.argwhere(opaque == 0)
        for _ in range(300 if len(tiles) else 0):
            (y0, x0), (y1, x1) = tiles[dice.integers(len(tiles), size=2)].tolist()
            if not line_clear(opaque, y0, x0, y1, x1):
                continue
            expected = any(crosses((x0, y0), (x1, y1), a, b) for a, b in walls)
            assert passes_closed_corner(opaque, y0, x0, y1, x1) == expected, (y0, x0, y1, x1)
            assert passes_closed_corner(opaque, y1, x1, y0, x0) == expected, "equal from both ends"
            stopped += expected
    assert stopped > 20


def test_the_smallest_gap() -> None:
    opaque = np.array([[0, 1], [1, 0]], np.uint8)
    assert line_clear(opaque, 0, 0, 1, 1)
    assert passes_closed_corner(opaque, 0, 0, 1, 1)
    opaque[0, 1] = 0
    assert not passes_closed_corner(opaque, 0, 0, 1, 1)
