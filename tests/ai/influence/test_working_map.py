"""Working maps: recipes against scalar scans, sliced layers against a whole pass."""

from __future__ import annotations

import numpy as np
import pytest

from ai.influence.falloff_curves import quartic
from ai.influence.known_influence import influence
from ai.influence.working_map import RECIPES, Window, cook, highest, interest, normalised, window_around


def test_figures_of_normalising() -> None:
    """The source divides 0.7 by 1.4."""
    assert normalised(np.array([[0.7, 1.4]])).tolist() == [[0.5, 1.0]]
    assert normalised(np.zeros((2, 2))).tolist() == [[0, 0], [0, 0]]


def test_safer_spot_equals_the_exhaustive_product() -> None:
    threat = influence(30, 30, np.array([[12.5, 12.5, 1.0], [14.5, 9.5, 1.0]]), 8.0, quartic)
    window = window_around(13, 15, 6, threat.shape)
    near = interest(13, 15, 6, window)
    allowed = np.ones((30, 30), bool)
    allowed[:, 20:] = False
    spot = highest(cook(RECIPES["safer_spot"], {"enemy_threat": threat, "interest": near}, window), window, allowed)
    peak = max(threat[y, x] for y in range(window.y0, window.y1) for x in range(window.x0, window.x1))
    best, at = -1.0, None
    for y in range(window.y0, window.y1):
        for x in range(window.x0, window.x1):
            value = (1 - threat[y, x] / peak) * max(0.0, 1 - np.hypot(y - 13, x - 15) / 7)
            if allowed[y, x] and value > best + 1e-12:
                best, at = value, (y, x)
    assert spot == at
    assert threat[spot] < threat[13, 15]


def test_front_lies_between_and_spreads_the_asker_from_friends() -> None:
    shape = (21, 21)
    enemy = influence(*shape, np.array([[x + 0.5, 4.5, 1.0] for x in range(4, 17, 3)]), 9.0, quartic)
    own = influence(*shape, np.array([[x + 0.5, 15.5, 1.0] for x in range(4, 17, 3)]), 9.0, quartic)
    window = Window(0, 0, *shape)
    layers = {"enemy_threat": enemy, "own_threat": own, "ally_nearness": np.zeros(shape)}
    layers["interest"] = interest(15, 10, 12, window)
    first = highest(cook(RECIPES["front"], layers, window), window, np.ones(shape, bool))
    assert first is not None
    assert enemy[first] > 0
    assert own[first] > 0
    layers["ally_nearness"] = influence(*shape, np.array([[first[1] + 0.5, first[0] + 0.5, 1.0]]), 4.0)
    second = highest(cook(RECIPES["front"], layers, window), window, np.ones(shape, bool))
    assert second is not None
    assert np.hypot(second[0] - first[0], second[1] - first[1]) >= 2


def test_wrong_recipes_are_named() -> None:
    window = Window(0, 0, 2, 2)
    with pytest.raises(ValueError, match="front, step 1: no layer 'enemy_threat'; one of fog"):
        cook(RECIPES["front"], {"fog": np.zeros((2, 2))}, window, "front")
    with pytest.raises(ValueError, match="recipe, step 1: no verb 'divide'"):
        cook([("divide", "fog", 1.0)], {"fog": np.zeros((2, 2))}, window)
    assert highest(np.zeros((2, 2)), window, np.zeros((2, 2), bool)) is None


def test_interest_falls_in_equal_steps_and_ends_one_tile_beyond_the_reach() -> None:
    for reach in (1, 3, 7):
        near = interest(2, 9, reach, Window(0, 0, 5, 20))
        assert near[2, 9:] == pytest.approx([max(0.0, (reach + 1 - k) / (reach + 1)) for k in range(11)])
        assert np.array_equal(near[2, 9:19], near[2, 9::-1])
        assert near[0, 9] == near[2, 7] and near[4, 10] == pytest.approx(max(0.0, 1 - 5**0.5 / (reach + 1)))


def test_interest_makes_the_near_peak_win_over_the_higher_far_one() -> None:
    """The winner's product is below the raw maximum."""
    field = np.zeros((9, 30))
    field[4, 25], field[4, 6] = 1.5, 1.0
    window = Window(0, 0, 9, 30)
    near = interest(4, 4, 24, window)
    free, every = highest(field, window, np.ones(field.shape, bool)), np.ones(field.shape, bool)
    product = cook([("add", "peaks", 1.0), ("multiply", "interest", 1.0)], {"peaks": field, "interest": near}, window)
    assert free == (4, 25) and highest(product, window, every) == (4, 6)
    assert product.max() < field.max()
    short = cook(
        [("add", "peaks", 1.0), ("multiply", "interest", 1.0)],
        {"peaks": field, "interest": interest(4, 4, 3, window)},
        window,
    )
    assert short[4, 25] == 0.0
