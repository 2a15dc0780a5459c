"""Tactical facts: golden values, compounds, and facts against plain loops."""

import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.perception.sight.line_of_sight import line_clear
from ai.tactics.ground import tactical_facts
from ai.tactics.ground.tactical_facts import Ask, Evidence, tactical_ground


def _evidence(seed: int = 1, share: float = 0.15) -> Evidence:
    opaque = (np.random.default_rng(seed).random((30, 30)) < share).astype(np.uint8)
    opaque[15, 15] = opaque[15, 22] = opaque[9, 20] = 0
    ground = tactical_ground(Terrain.build(opaque == 0, None, opaque))
    tiles = np.argwhere(ground.standing[8:22, 8:22]).astype(np.int32) + 8
    threats = np.array([[22.5, 15.5, math.pi], [20.5, 9.5, math.nan]])
    comrades, claimed = np.array([[14.5, 14.5]]), np.array([[12.5, 15.5]])
    return Evidence(ground, Ask(15.5, 15.5, threats, 0, comrades, claimed), tiles.astype(np.int32), 14.0)


def test_the_worked_value_of_the_source_is_the_minimum_and_not_the_product() -> None:
    """Cover 0.9 and visibility 0.7 make a sniper point of 0.7.

    As a probability it would be 0.63 (AI for Games, 6.1.1).
    """
    e = _evidence()
    n = len(e.tiles)
    e.known["cover"], e.known["view"] = np.full(n, 0.9), np.full(n, 0.7)
    assert e.fact("sniper") == pytest.approx(0.7)
    # Two points that minimum and product rank differently.
    (a, b), (c, d) = (0.5, 0.9), (0.6, 0.6)
    assert min(a, b) < min(c, d) and a * b > c * d


@pytest.mark.parametrize("seed", range(3))
def test_lines_equal_those_of_plain_loops(seed: int) -> None:
    e = _evidence(seed)
    opaque, eyes = e.ground.terrain.opaque, [(15, 22), (9, 20)]
    seen = [[line_clear(opaque, *eye, int(y), int(x)) for eye in eyes] for y, x in e.tiles]
    assert e.fact("exposure").tolist() == [sum(row) for row in seen]
    assert e.fact("others_see").tolist() == [row[1] for row in seen]
    near = [math.hypot(22.0 - x, 15.0 - y) <= 12.0 for y, x in e.tiles]
    assert e.fact("sees_target").tolist() == [row[0] and close for row, close in zip(seen, near, strict=True)]
    hidden = {
        (y, x): not any(line_clear(opaque, *eye, y, x) for eye in eyes)
        for y in range(30) for x in range(30) if e.ground.standing[y, x]
    }  # fmt: skip
    around = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    wanted = [any(hidden.get((y + dy, x + dx), False) for dy, dx in around) for y, x in e.tiles.tolist()]
    assert e.fact("retreat").tolist() == wanted


def test_distances_angles_and_company_are_those_of_the_geometry() -> None:
    e = _evidence()
    xs, ys = e.tiles[:, 1] + 0.5, e.tiles[:, 0] + 0.5
    assert np.allclose(e.fact("distance"), np.hypot(xs - 15.5, ys - 15.5))
    to_both = [np.hypot(xs - x, ys - y) for x, y in ((22.5, 15.5), (20.5, 9.5))]
    assert np.allclose(e.fact("target_distance"), to_both[0]) and np.allclose(
        e.fact("nearest_threat"), np.min(to_both, 0)
    )
    # It faces west: a tile due west of it lies ahead, one due east behind.
    west, east = (np.flatnonzero((ys == 15.5) & (xs == x)) for x in (15.5, 21.5))
    for facing in (math.pi, 0.3, -2.0, 2.5):
        other = _evidence()
        other.ask.threats[0, 2] = facing
        ahead = (math.cos(facing) * (xs - 22.5) + math.sin(facing) * (ys - 15.5)) / np.hypot(xs - 22.5, ys - 15.5)
        assert np.allclose(np.cos(other.fact("behind")), ahead)
        assert other.fact("behind").min() >= 0.0 and other.fact("behind").max() <= math.pi
    assert e.fact("behind")[west] == pytest.approx(0.0) and (e.fact("behind")[east] < 0.01).all()
    assert e.fact("claimed").sum() == (np.hypot(xs - 12.5, ys - 15.5) < 1.5).sum()
    assert e.fact("crowd").sum() == (np.hypot(xs - 14.5, ys - 14.5) < 1.5).sum()
    assert np.allclose(e.fact("spacing"), np.minimum(np.hypot(xs - 14.5, ys - 14.5), np.hypot(xs - 12.5, ys - 15.5)))
    step = 0.001
    walk = np.arange(0, 1 + step, step)[:, None]
    nearest = np.hypot(15.5 + walk * (xs - 15.5) - 22.5, 15.5 + walk * (ys - 15.5) - 15.5).min(axis=0)
    assert np.allclose(e.fact("closing"), 7.0 - nearest, atol=0.01)


def test_an_ambush_needs_cover_shade_and_an_exposed_tile_within_its_radius() -> None:
    opaque = np.zeros((9, 24), np.uint8)
    opaque[1:3, 2:5] = 1
    ground = tactical_ground(Terrain.build(opaque == 0, None, opaque))
    ground.light = np.full((9, 24), 255, np.uint8)
    ground.light[:, :6] = 0
    tiles = np.argwhere(ground.standing).astype(np.int32)
    e = Evidence(ground, Ask(3.5, 5.5, np.array([[3.5, 0.5, math.nan]])), tiles, 24.0)
    e.known["cover"] = (np.abs(tiles - (3, 3)).sum(axis=1) == 0).astype(float)
    at = int(np.flatnonzero(e.known["cover"])[0])
    value = e.fact("ambush")
    assert value[at] > 0 and np.count_nonzero(value) == 1
    exposed = max(
        e.fact("view")[k] for k in range(len(tiles))
        if k != at and np.abs(tiles[k] - tiles[at]).max() <= 4
    )  # fmt: skip
    assert value[at] == pytest.approx(min(1.0, exposed))
    ground.light[:] = 255
    lit = Evidence(ground, e.ask, tiles, 24.0)
    lit.known["cover"] = e.known["cover"]
    assert not lit.fact("ambush").any()


def test_a_fact_is_computed_once_and_an_unknown_one_is_named() -> None:
    e = _evidence()
    e.fact("exposure")
    rays = e.rays
    assert e.fact("exposure") is e.fact("exposure") and e.rays == rays
    with pytest.raises(ValueError, match="there is no fact 'smell'; one of"):
        e.fact("smell")
    with pytest.raises(ValueError, match="there is no layer 'threat'"):
        e.fact("layer:threat")
    e.ground.layers = {"threat": np.arange(900.0).reshape(30, 30)}
    assert e.fact("layer:threat").tolist() == [30.0 * y + x for y, x in e.tiles.tolist()]


def test_without_threats_every_fact_has_a_value() -> None:
    e = _evidence()
    e.ask = Ask(15.5, 15.5)
    for name in tactical_facts.FACTS:
        values = e.fact(name)
        assert values.shape == (len(e.tiles),) and not np.isnan(values).any()
