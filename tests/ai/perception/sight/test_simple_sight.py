"""The simple sight rules against an independent Bresenham line, and their symmetry."""

import math

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.perception.sight.shadowcast import SightBits
from ai.perception.sight.simple_sight import RULES, sector_by

RNG = np.random.default_rng(3)
OPAQUE = (RNG.random((25, 25)) < 0.2).astype(np.uint8)


def _all_round(rule: str, y: int, x: int) -> np.ndarray:
    """Return the tiles that (y, x) sees within 12 tiles, bool[25, 25]."""
    out = np.zeros(OPAQUE.shape, bool)
    y0, x0, seen = sector_by(rule, SightBits(OPAQUE), OPAQUE, x + 0.5, y + 0.5, 0.0, math.pi, 12.0)
    out[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]] = seen
    return out


def _bresenham(y0: int, x0: int, y1: int, x1: int) -> list[tuple[int, int]]:
    """Return the tiles between the ends, by rounding the line at every step.

    Halves round along the direction of walking.
    """
    steps = max(abs(y1 - y0), abs(x1 - x0))
    tiles = []
    for k in range(1, steps):
        minor = [abs(d) * k / steps for d in (y1 - y0, x1 - x0)]
        rounded = [math.floor(m + 0.5) for m in minor]
        tiles.append((y0 + int(np.sign(y1 - y0)) * rounded[0], x0 + int(np.sign(x1 - x0)) * rounded[1]))
    return tiles


def test_a_ray_sees_what_bresenhams_line_reaches() -> None:
    seen = _all_round("ray", 12, 12)
    for y, x in np.argwhere(np.hypot(*(np.mgrid[0:25, 0:25] - 12)) <= 12).tolist():
        free = not any(OPAQUE[t] for t in _bresenham(12, 12, y, x))
        assert seen[y, x] == free, (y, x)


def test_a_ray_is_not_the_same_from_both_ends_and_the_games_rule_is() -> None:
    one_sided = {"ray": 0, "symmetric": 0}
    tiles = [(y, x) for y, x in np.argwhere(OPAQUE == 0).tolist() if 6 <= y < 19 and 6 <= x < 19]
    for rule in one_sided:
        views = {tile: _all_round(rule, *tile) for tile in tiles}
        one_sided[rule] = sum(bool(views[a][b]) != bool(views[b][a]) for a in tiles for b in tiles if a < b)
    assert one_sided["symmetric"] == 0 and one_sided["ray"] > 0


def test_symmetric_is_the_games_own_rule_and_none_is_the_bare_sector() -> None:
    seen, bare = _all_round("symmetric", 12, 12), _all_round("none", 12, 12)
    far = np.hypot(*(np.mgrid[0:25, 0:25] - 12))
    assert np.array_equal(bare, far <= 12)
    for y, x in np.argwhere((far <= 12) & (OPAQUE == 0)).tolist():
        assert seen[y, x] == line_clear(OPAQUE, 12, 12, y, x)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="one of symmetric, ray, none"):
        sector_by("smell", SightBits(OPAQUE), OPAQUE, 1.5, 1.5, 0.0, math.pi, 3.0)
    assert RULES[0] == "symmetric"
