"""Eleven terms against a plain evaluation, term by term and tile by tile."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.perception.sight.line_of_sight import line_clear
from ai.squad.emergent.next_position import Outlook, best_position, position_terms
from ai.squad.emergent.personalities import PERSONALITIES, TERMS, role_of, weights_of

RNG = np.random.default_rng(5)
Point = tuple[float, float]


def _terrain() -> Terrain:
    wall = RNG.random((18, 22)) < 0.12
    cost = np.where(RNG.random(wall.shape) < 0.2, 16, 8).astype(np.uint8)
    cover = np.where(RNG.random(wall.shape) < 0.2, RNG.integers(1, 4, wall.shape), 0).astype(np.uint8)
    return Terrain.build(~wall, cost, wall.astype(np.uint8), cover)


def _places(count: int) -> np.ndarray:
    return RNG.random((count, 2)) * (21, 17) + 0.5


def _sees(terrain: Terrain, a: Point, b: Point) -> bool:
    return line_clear(terrain.opaque, math.floor(a[1]), math.floor(a[0]), math.floor(b[1]), math.floor(b[0]))


def _off_segment(p: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from a segment by sampling."""
    steps = 4000
    return min(math.dist(p, (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps)) for k in range(steps))


def _plain(o: Outlook, tile: tuple[int, int]) -> list[float]:
    """Return the eleven terms of one tile by plain loops."""
    p = (tile[1] + 0.5, tile[0] + 0.5)
    threats, buddies = [tuple(t) for t in o.threats.tolist()], [tuple(b) for b in o.buddies.tolist()]
    bunching = 1.0
    if threats and buddies:
        tx, ty = min(threats, key=lambda t: math.dist(p, t))
        for bx, by in buddies:
            angle = math.atan2(by - ty, bx - tx) - math.atan2(p[1] - ty, p[0] - tx)
            bunching = min(bunching, abs(math.sin(angle)) * math.dist(p, (tx, ty)) / 3.0)
    shots = [t for t in threats if math.dist(p, t) <= o.reach and _sees(o.terrain, p, t)]
    blocked = sum(any(_off_segment(b, p, t) < 0.7 for b in buddies) for t in shots) / max(1, len(shots))
    fires = [(b, tuple(a)) for b, a in zip(buddies, o.aims.tolist(), strict=True) if not math.isnan(a[0])]
    blocking = sum(_off_segment(p, b, a) < 0.7 for b, a in fires) / max(1, len(fires))
    gaps = [math.dist(p, b) for b in buddies]
    share = lambda values: sum(values) / len(values) if values else 0.0  # noqa: E731
    return [
        bunching,
        blocked,
        blocking,
        min([1.0, *(math.dist(p, c) / 4.0 for c in o.covers.tolist())]),
        share([_sees(o.terrain, p, b) for b in buddies]),
        share([1.5 <= gap <= 9.0 for gap in gaps]),
        len(shots) / len(threats) if threats else 0.0,
        min([1.0, *(math.dist(p, c) / 3.0 for c in o.corpses.tolist())]),
        min([math.dist(p, t) for t in threats] or [math.dist(p, o.goal)]) / o.reach,
        min(3, int(o.terrain.cover[tile])) / 3.0 - (o.terrain.cost[tile] > 8),
        min(1.0, math.dist(p, o.slot) / 8.0) if o.slot else 0.0,
    ]


@pytest.mark.parametrize(("threats", "buddies", "dead"), [(3, 4, 2), (0, 3, 0), (2, 0, 1), (0, 0, 0)])
def test_the_terms_equal_a_plain_evaluation(threats: int, buddies: int, dead: int) -> None:
    """The best tile is that of the plain sum, without the claimed ones."""
    aims = _places(buddies)
    aims[1:2] = np.nan
    slot = None if threats else (11.0, 9.0)
    o = Outlook(_terrain(), (20.0, 2.0), 9.0, _places(threats), _places(buddies), aims, _places(dead), _places(5), slot)
    tiles = np.argwhere(o.terrain.passable > 0).astype(np.int32)[::17]
    terms = position_terms(o, tiles)
    assert terms.shape == (len(tiles), len(TERMS))
    plain = [_plain(o, (int(y), int(x))) for y, x in tiles]
    assert np.allclose(terms, plain, atol=1e-6)
    weights = weights_of("rifleman", 0.5, buddies + 1, threats)
    claimed = tiles[[3, 5], ::-1] + 0.5
    best, values = best_position(o, tiles, weights, claimed)
    sums = [sum(w * t for w, t in zip(weights, row, strict=True)) for row in plain]
    allowed = [k for k in range(len(tiles)) if k not in (3, 5)]
    assert sums[best] == pytest.approx(max(sums[k] for k in allowed)) and best in allowed
    assert np.isneginf(values[[3, 5]]).all()


def test_without_the_term_of_blocking_members_stand_in_lines_of_fire() -> None:
    """With weight zero the best tile lies in the buddy's line of fire."""
    terrain = Terrain.build(np.ones((11, 20), bool))
    threat, buddy = np.array([[15.5, 5.5]]), np.array([[4.5, 5.5]])
    o = Outlook(terrain, (15.5, 5.5), 9.0, threat, buddy, threat)
    tiles = np.argwhere(terrain.passable > 0).astype(np.int32)
    tiles = tiles[np.hypot(tiles[:, 0] - 5, tiles[:, 1] - 7) <= 3]
    weights = np.zeros(11)
    weights[TERMS.index("closing")] = -1.0
    into, _ = best_position(o, tiles, weights, buddy)
    assert position_terms(o, tiles)[into, 2] == 1.0
    weights[TERMS.index("blocking")] = -2.0
    aside, _ = best_position(o, tiles, weights, buddy)
    assert position_terms(o, tiles)[aside, 2] == 0.0


def test_roles_and_states_choose_different_places() -> None:
    """A sniper stays farther than a rifleman; a wounded member stands nearer to cover."""
    terrain = Terrain.build(np.ones((11, 24), bool))
    o = Outlook(terrain, (20.5, 5.5), 9.0, np.array([[20.5, 5.5]]), covers=np.array([[10.5, 1.5]]))
    tiles = np.argwhere(terrain.passable > 0).astype(np.int32)
    tiles = tiles[(tiles[:, 1] > 6) & (tiles[:, 1] < 18)]

    def chosen(role: str, health: float = 1.0) -> np.ndarray:
        k, _ = best_position(o, tiles, weights_of(role, health, 1, 1), np.zeros((0, 2)))
        return position_terms(o, tiles)[k]

    closing, cover = TERMS.index("closing"), TERMS.index("cover")
    assert chosen("sniper")[closing] > chosen("rifleman")[closing]
    assert weights_of("rifleman", 0.0, 1, 1)[cover] == 2 * PERSONALITIES["rifleman"].weights[cover]
    assert weights_of("rifleman", 1.0, 6, 2)[closing] < weights_of("rifleman", 1.0, 2, 6)[closing] < 0
    assert role_of(9.0, 5.5) == "sniper" and role_of(5.5, 5.5) == "rifleman"
