"""Spread of one source: templates, sight and paths against direct formulas."""

from itertools import product

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.influence.falloff_curves import linear, quartic
from ai.influence.limited_spread import SpreadGround, add_scaled, reach_in_tiles, stamp_of, template
from ai.perception.sight.line_of_sight import lines_clear
from ai.search.fields.bounded_flood import bounded_flood


def _ground(opaque: np.ndarray) -> SpreadGround:
    terrain = Terrain.build(opaque == 0, None, opaque)
    return SpreadGround(opaque.shape[0], opaque.shape[1], terrain)


def _walls(seed: int = 2) -> np.ndarray:
    opaque = (np.random.default_rng(seed).random((32, 40)) < 0.2).astype(np.uint8)
    opaque[16, 20] = 0
    return opaque


def test_templates_of_the_source_have_21_and_61_tiles_a_side() -> None:
    """Speed 10 m/s for 1 s, and a spell of 30 m."""
    assert template("linear", reach_in_tiles(10.0)).shape == (21, 21)
    assert template("quartic", reach_in_tiles(30.0)).shape == (61, 61)
    assert template("linear", 10).max() == 1.0 and template("linear", 10)[10, 20] == 0.0
    assert (reach_in_tiles(4.2), reach_in_tiles(4.2, round_up=False), reach_in_tiles(0.1)) == (5, 4, 1)
    with pytest.raises(ValueError, match="there is no falloff curve 'cubic'"):
        template("cubic", 3)


@pytest.mark.parametrize(("y", "x"), [(16, 20), (0, 0), (31, 39)])
def test_open_stamps_equal_the_formula_and_are_clipped_at_the_edges(y: int, x: int) -> None:
    ground, out = _ground(np.zeros((32, 40), np.uint8)), np.zeros((32, 40), np.float32)
    add_scaled(out, stamp_of(ground, "open", "quartic", y, x, 9), 3.0)
    ys, xs = np.mgrid[:32, :40]
    assert np.allclose(out, 3.0 * quartic(np.hypot(ys - y, xs - x), 9.0), atol=1e-6)


def test_a_source_beyond_any_edge_reaches_what_the_formula_says() -> None:
    ground, steps = _ground(np.zeros((12, 14), np.uint8)), (-30, -7, -4, 5, 12, 15, 18, 19, 20, 40)
    ys, xs = np.mgrid[:12, :14]
    for y, x in product(steps, steps):
        out = np.zeros((12, 14), np.float32)
        add_scaled(out, stamp_of(ground, "open", "linear", y, x, 6), 1.0)
        assert np.allclose(out, linear(np.hypot(ys - y, xs - x), 6.0), atol=1e-6), (y, x)


def test_stamping_is_linear_and_removing_restores_zero() -> None:
    ground, out = _ground(np.zeros((20, 20), np.uint8)), np.zeros((20, 20), np.float32)
    a, b = stamp_of(ground, "open", "linear", 8, 8, 6), stamp_of(ground, "open", "linear", 12, 9, 6)
    add_scaled(out, a, 1.0)
    single = out.copy()
    add_scaled(out, b, 1.0)
    assert np.allclose(out[10, 8], single[10, 8] + linear(np.array([np.hypot(2, 1)]), 6.0)[0])
    add_scaled(out, b, -1.0)
    add_scaled(out, a, -1.0)
    assert np.abs(out).max() < 1e-6


def test_sight_keeps_the_template_where_a_line_is_clear_and_nothing_behind_walls() -> None:
    opaque = _walls()
    y0, x0, shares = stamp_of(_ground(opaque), "sight", "quartic", 16, 20, 9)
    _, _, free = stamp_of(_ground(opaque), "open", "quartic", 16, 20, 9)
    tiles = np.argwhere(np.ones(shares.shape, bool)).astype(np.int32) + (y0, x0)
    clear = lines_clear(opaque, np.repeat(np.array([[16, 20]], np.int32), len(tiles), 0), tiles.astype(np.int32))
    inside = np.hypot(tiles[:, 0] - 16, tiles[:, 1] - 20) <= 9
    open_tile = opaque[tiles[:, 0], tiles[:, 1]] == 0
    wanted = np.where(clear & inside, free.reshape(-1), 0.0)
    assert np.allclose(shares.reshape(-1)[open_tile], wanted[open_tile])
    assert (shares == 0).sum() > (free == 0).sum()


def test_along_paths_it_falls_by_the_walk_and_never_above_the_straight_line() -> None:
    opaque = _walls()
    ground = _ground(opaque)
    y0, x0, shares = stamp_of(ground, "path", "linear", 16, 20, 9)
    assert ground.terrain is not None
    tiles = np.argwhere(np.ones(shares.shape, bool)) + (y0, x0)
    walk = bounded_flood(ground.terrain, 0, 16, 20, 60.0).at(tiles)
    assert np.allclose(shares.reshape(-1), np.maximum(0.0, 1 - np.minimum(walk, 1e6) / 9), atol=1e-6)
    assert (shares <= stamp_of(ground, "open", "linear", 16, 20, 9)[2] + 1e-6).all()


def test_behind_a_fence_the_walk_counts() -> None:
    opaque = np.zeros((21, 21), np.uint8)
    opaque[:, 10] = 1
    opaque[20, 10] = 0
    ground = _ground(opaque)
    for spread, there in (("open", True), ("path", False), ("sight", False)):
        y0, x0, shares = stamp_of(ground, spread, "linear", 5, 8, 8)
        assert (shares[5 - y0, 12 - x0] > 0) == there


def test_a_source_off_the_map_still_reaches_it_and_a_wrong_law_is_named() -> None:
    ground = _ground(np.zeros((12, 12), np.uint8))
    assert stamp_of(ground, "sight", "linear", -3, 5, 6)[2].max() > 0
    assert stamp_of(ground, "open", "linear", -30, 5, 6)[2].size == 0
    with pytest.raises(ValueError, match="spread is one of open, sight, path"):
        stamp_of(ground, "smell", "linear", 1, 1, 2)


def test_kept_stamps_are_the_same_and_are_not_made_again() -> None:
    opaque = _walls()
    ground = _ground(opaque)
    keeping = SpreadGround(ground.height, ground.width, ground.terrain, kept={})
    for spread in ("open", "sight", "path"):
        fresh, first = stamp_of(ground, spread, "quartic", 16, 20, 9), stamp_of(keeping, spread, "quartic", 16, 20, 9)
        assert first[:2] == fresh[:2] and np.array_equal(first[2], fresh[2])
        assert spread == "open" or stamp_of(keeping, spread, "quartic", 16, 20, 9) is first
    assert keeping.kept is not None and len(keeping.kept) == 2
