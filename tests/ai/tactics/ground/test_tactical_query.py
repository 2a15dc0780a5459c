"""Tactical query against a brute-force evaluator, and the selectors of the game."""

import math
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.perception.sight.line_of_sight import line_clear
from ai.search.fields.bounded_flood import bounded_flood
from ai.tactics.ground.tactical_facts import Ask, tactical_ground
from ai.tactics.ground.tactical_query import Criterion, GroundQuery, check_selectors, gather, selector_from

DATA = Path(__file__).resolve().parents[4] / "assets" / "data" / "selectors.toml"
ROWS = tomllib.loads(DATA.read_text("utf-8"))["selector"]
SELECTORS = {name: selector_from(name, row) for name, row in ROWS.items()}


def _world(seed: int) -> tuple[GroundQuery, Ask]:
    opaque = (np.random.default_rng(seed).random((40, 40)) < 0.15).astype(np.uint8)
    opaque[20, 20] = opaque[20, 29] = opaque[13, 27] = 0
    ground = tactical_ground(Terrain.build(opaque == 0, None, opaque))
    threats = np.array([[29.5, 20.5, math.pi], [27.5, 13.5, 0.3]])
    return GroundQuery(ground, SELECTORS), Ask(20.5, 20.5, threats, claimed=np.array([[18.5, 20.5]]))


def _interp(curve: list, value: float) -> float:
    if value <= curve[0][0]:
        return curve[0][1]
    for (a, ra), (b, rb) in pairwise(curve):
        if value <= b:
            return ra + (rb - ra) * (value - a) / (b - a)
    return curve[-1][1]


@pytest.mark.parametrize("seed", range(4))
def test_the_best_attack_place_is_that_of_plain_loops_over_the_map(seed: int) -> None:
    """The place sees the selected enemy alone, and has a hidden neighbour."""
    query, ask = _world(seed)
    ground, row = query.ground, ROWS["attack"]
    opaque, eyes = ground.terrain.opaque, [(20, 29), (13, 27)]
    walk = bounded_flood(ground.terrain, 0, 20, 20, 1.5 * 14 + 4)
    best = None
    for y in range(40):
        for x in range(40):
            if not ground.standing[y, x] or (y - 20) ** 2 + (x - 20) ** 2 > 14**2:
                continue
            far, path = math.hypot(x - 29, y - 20), float(walk.at(np.array([[y, x]]))[0])
            if math.hypot(x - 18, y - 20) < 1.5 or path > 21 or far > 12:
                continue
            if not line_clear(opaque, *eyes[0], y, x) or line_clear(opaque, *eyes[1], y, x):
                continue
            beside = [
                (y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)
                if (dy or dx) and 0 <= y + dy < 40 and 0 <= x + dx < 40 and ground.standing[y + dy, x + dx]
            ]  # fmt: skip
            if not any(not any(line_clear(opaque, *eye, *t) for eye in eyes) for t in beside):
                continue
            rating = math.prod(
                _interp(row["criteria"][name], value) for name, value in (("path", path), ("target_distance", far))
            )
            if best is None or (-rating, path, y, x) < best[0]:
                best = (-rating, path, y, x), (x + 0.5, y + 0.5, rating)
    place = query.rank("attack", ask).best()
    assert best is not None and place is not None
    assert (place.x, place.y) == best[1][:2] and place.rating == pytest.approx(best[1][2])


def test_the_curve_of_the_source_is_0_at_3_tiles_and_1_from_5_tiles_on() -> None:
    curve = Criterion("target_distance", [(3.0, 0.0), (5.0, 1.0)])
    assert curve.rate(np.array([2.0, 3.0, 4.0, 5.0, 9.0])).tolist() == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert SELECTORS["panic"].criteria[0].curve == curve.curve and SELECTORS["panic"].most == 20


def test_selectors_differ_in_one_situation_and_the_order_of_criteria_does_not_matter() -> None:
    query, ask = _world(2)
    places = {name: query.find(name, ask) for name in ("cover", "attack", "retreat", "lookout")}
    assert len({(p.x, p.y) for p in places.values() if p is not None}) >= 3
    turned = selector_from("cover", ROWS["cover"])
    turned.criteria.reverse()
    again = GroundQuery(query.ground, {**SELECTORS, "cover": turned})
    assert np.allclose(again.rank("cover", ask).ratings, query.rank("cover", ask).ratings)


def test_rays_are_cast_only_for_tiles_that_stored_facts_leave() -> None:
    query, ask = _world(1)
    ranking = query.rank("attack", ask)
    left = np.isin(ranking.rejected, [-1, 2, 3, 4])  # passed claimed and path
    assert query.rays <= 2 * 9 * left.sum() and query.queries == 1 and query.floods == 1
    assert (ranking.ratings[ranking.rejected >= 0] == 0).all()


def test_gathering_takes_the_nearest_that_face_the_threat() -> None:
    query, ask = _world(3)
    tiles = gather(query.ground, SELECTORS["panic"], ask)
    ground = query.ground
    spots = np.argwhere(ground.spots).astype(np.int32)
    far = np.hypot(*(spots - (20, 20)).T)
    facing = ground.cover.against(spots, ask.threats[:1]) >= 0.3
    fit = spots[facing & (far <= 12)]
    order = np.lexsort((fit[:, 1], fit[:, 0], ((fit - (20, 20)) ** 2).sum(axis=1)))
    assert np.array_equal(tiles, fit[order][:20])


@pytest.mark.parametrize(("x", "y"), [(19.5, 19.5), (60.0, 7.5), (7.5, 60.0), (-3.0, -9.0), (24.5, 0.0)])
def test_a_unit_beyond_the_edge_gathers_from_the_nearest_tile_of_the_map(x: float, y: float) -> None:
    ground = tactical_ground(Terrain.build(np.random.default_rng(1).random((20, 25)) < 0.7))
    tiles = gather(ground, selector_from("x", {"gather": "around", "radius": 5.0}), Ask(x, y))
    ty, tx = int(np.clip(y, 0, 19)), int(np.clip(x, 0, 24))
    fit = [(int(b), int(a)) for b, a in np.argwhere(ground.standing) if (b - ty) ** 2 + (a - tx) ** 2 <= 25]
    assert tiles.tolist() == [list(t) for t in sorted(fit, key=lambda t: ((t[0] - ty) ** 2 + (t[1] - tx) ** 2, t))]


def test_selectors_that_name_each_other_end_without_a_place() -> None:
    ground = tactical_ground(Terrain.build(np.zeros((9, 9), bool)))
    rows = {name: selector_from(name, {"otherwise": other}) for name, other in (("a", "b"), ("b", "a"))}
    query = GroundQuery(ground, rows)
    assert query.find("a", Ask(4.5, 4.5)) is None and query.queries == 2


def test_a_selector_without_a_place_asks_the_one_it_names() -> None:
    ground = tactical_ground(Terrain.build(np.ones((20, 20), bool)))
    query = GroundQuery(ground, SELECTORS)
    ask = Ask(5.5, 5.5, np.array([[12.5, 5.5, 0.0], [12.5, 9.5, 0.0]]))
    assert query.find("cover", ask) is None, "no cover on open ground: the caller decides anew"
    place = query.find("attack", ask)
    assert place is not None and place.selector == "attack_seen"


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"colour": 1}, "unknown key 'colour'"),
    "gather": ({"gather": "all"}, "gather: 'all' is none of"),
    "radius": ({"radius": 0}, "radius: must lie in 1..64"),
    "fact": ({"limits": {"smell": [0, 1]}}, "limits: there is no fact 'smell'"),
    "pair": ({"limits": {"path": [0]}}, "takes two numbers"),
    "curve": ({"criteria": {"path": [[1, 0], [0, 1]]}}, "ascending order"),
    "rating": ({"criteria": {"path": [[0, 0], [1, 2]]}}, "a rating lies in 0..1"),
}


@pytest.mark.parametrize("slip", BAD)
def test_a_slip_in_a_selector_is_told_with_file_and_key(slip: str) -> None:
    row, told = BAD[slip]
    with pytest.raises(ValueError) as error:
        selector_from("mine", row, "selectors.toml")
    assert str(error.value).startswith("selectors.toml: [mine]") and told in str(error.value)


def test_the_selectors_of_the_game_are_whole() -> None:
    check_selectors(SELECTORS)
    broken = {"a": selector_from("a", {"otherwise": "b"})}
    with pytest.raises(ValueError, match="otherwise: there is no selector 'b'"):
        check_selectors(broken)
    query, ask = _world(0)
    with pytest.raises(ValueError, match="there is no selector 'dance'"):
        query.find("dance", ask)
