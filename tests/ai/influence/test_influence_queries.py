"""Influence queries: crowding without oneself, concentration, zones and the zero line."""

from itertools import product

import numpy as np
import pytest

from ai.influence.influence_queries import (
    CONTESTED,
    EMPTY,
    OURS,
    THEIRS,
    concentration,
    crowding,
    may_attack,
    most_crowded,
    signed_map,
    value_at,
    without_own,
    zero_line,
    zones,
)
from ai.influence.limited_spread import SpreadGround, add_scaled, stamp_of
from ai.influence.working_map import RECIPES, Window, cook, highest, interest

GROUND = SpreadGround(30, 30)
ALL = Window(0, 0, 30, 30)


def _stamped(*tiles: tuple[int, int]) -> np.ndarray:
    out = np.zeros((30, 30), np.float32)
    for y, x in tiles:
        add_scaled(out, stamp_of(GROUND, "open", "linear", y, x, 8), 1.0)
    return out


def test_a_lone_unit_is_not_crowded_by_itself() -> None:
    own = stamp_of(GROUND, "open", "linear", 10, 10, 8)
    alone, two = _stamped((10, 10)), _stamped((10, 10), (12, 10))
    assert crowding(alone, own, 1.0, 10, 10) == pytest.approx(0.0, abs=1e-6)
    assert crowding(two, own, 1.0, 10, 10) == pytest.approx(1 - 2 / 8, abs=1e-6)
    for y, x in product(range(0, 30, 3), repeat=2):
        assert crowding(two, own, 1.0, y, x) == pytest.approx(_stamped((12, 10))[y, x], abs=1e-6)
    assert np.abs(without_own(alone, own, 1.0, ALL)).max() < 1e-6
    assert value_at(alone, -1, 4) == 0.0


def test_clustered_enemies_have_a_higher_maximum_than_the_same_spread_out() -> None:
    close, apart = _stamped((10, 10), (10, 12), (12, 10)), _stamped((3, 3), (25, 4), (14, 26))
    assert concentration(close, ALL) > concentration(apart, ALL) == pytest.approx(1.0)
    friends = _stamped((10, 11))
    assert concentration(close, ALL, friends) < concentration(close, ALL)


def test_no_more_attackers_than_the_limit_join_one_target() -> None:
    targets, limit = [(5, 5), (20, 20)], 2.5
    attackers: list[tuple[int, int]] = []
    counts = [0, 0]
    for _ in range(6):
        taken = most_crowded(targets, _stamped(*attackers), limit)
        free = [k for k in (0, 1) if k not in taken]
        if not free:
            break
        counts[free[0]] += 1
        attackers.append(targets[free[0]])
    assert counts == [3, 3] and not may_attack(_stamped(*attackers), targets[0], limit)


def test_the_zero_line_of_equal_sides_is_their_bisector_and_swapping_negates() -> None:
    ours, theirs = _stamped((15, 10)), _stamped((15, 20))
    signed = signed_map(ours, theirs)
    assert np.array_equal(signed_map(theirs, ours), -signed)
    lines = zero_line(np.where(np.abs(signed) < 1e-9, -1e-9, signed))
    middle = [segment for segment in lines if 10 < segment[1] < 21 and 13 < segment[0] < 18]
    assert middle and all(abs(x - 15.5) <= 1.0 for x0, _, x1, _ in middle for x in (x0, x1))
    kinds = zones(ours, theirs)
    assert kinds[15, 8] == OURS and kinds[15, 22] == THEIRS and kinds[15, 15] == CONTESTED and kinds[0, 0] == EMPTY


def test_zones_by_their_rules_also_on_the_very_limits() -> None:
    """Oracle: the rules for one tile at a time."""
    values = (0.0, 0.05, 0.125, 0.25, 0.375, 0.5, 1.0)
    for ours, theirs in product(values, values):
        counts = [value >= 0.125 for value in (ours, theirs)]
        wanted = OURS if ours > theirs else THEIRS
        if all(counts) and abs(ours - theirs) < 0.25:
            wanted = CONTESTED
        found = zones(np.full((1, 1), ours), np.full((1, 1), theirs), 0.125, 0.25)[0, 0]
        assert found == (wanted if any(counts) else EMPTY), (ours, theirs)


def test_units_that_choose_in_turn_keep_apart_along_the_front() -> None:
    """Minimum pairwise distance with the spacing of the source, and with weight 0."""
    enemy, own = (_stamped(*((y, x) for x in range(4, 27, 4))) for y in (9, 19))
    gaps = {}
    for weight in (-0.5, 0.0):
        recipe = [(v, k, weight if k == "ally_nearness" else w) for v, k, w in RECIPES["front"]]
        taken: list[tuple[int, int]] = []
        for x in (13, 14, 15):
            layers = {"enemy_threat": enemy, "own_threat": own, "ally_nearness": _stamped(*taken)}
            layers["interest"] = interest(19, x, 14, ALL)
            spot = highest(cook(recipe, layers, ALL), ALL, np.ones((30, 30), bool))
            assert spot is not None and enemy[spot] > 0 and own[spot] > 0
            taken.append(spot)
        pairs = [(a, b) for i, a in enumerate(taken) for b in taken[:i]]
        gaps[weight] = min(np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairs)
    assert gaps[-0.5] > gaps[0.0] + 1.0
