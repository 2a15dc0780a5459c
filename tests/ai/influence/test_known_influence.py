"""A side's influence map uses its own units and aged reports only."""

from __future__ import annotations

import numpy as np
import pytest

from ai.influence.known_influence import DOUBT, HALF_LIFE, RADIUS, balance, influence


def test_influence_falls_linearly_and_adds_up() -> None:
    both = np.array([[10.5, 10.5, 2.0], [14.5, 10.5, 1.0]])
    field = influence(20, 30, both)
    for y, x in np.ndindex(20, 30):
        expected = sum(s * max(0.0, 1 - np.hypot(x + 0.5 - a, y + 0.5 - b) / RADIUS) for a, b, s in both.tolist())
        assert field[y, x] == pytest.approx(expected, abs=1e-12)


def test_an_enemy_nobody_knows_of_changes_no_bit_and_a_ghost_fades() -> None:
    own, none = np.array([[5.5, 5.5, 1.0]]), np.zeros((0, 3))
    seen = np.ones((16, 24), bool)
    plain = balance(own, none, np.zeros(0), seen)
    assert plain.tobytes() == balance(own, none, np.zeros(0), seen).tobytes()
    foe = np.array([[18.5, 8.5, 1.0]])
    now, later = (balance(own, foe, np.array([age]), seen) for age in (0.0, HALF_LIFE))
    assert now[8, 18] == pytest.approx(plain[8, 18] - 1.0)
    assert later[8, 18] == pytest.approx(plain[8, 18] - 0.5)
    assert np.array_equal(foe, [[18.5, 8.5, 1.0]]), "the words themselves do not age"


def test_unseen_tiles_are_not_owned() -> None:
    seen = np.zeros((10, 10), bool)
    seen[:, :5] = True
    field = balance(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), seen)
    assert (field[:, :5] == 0).all() and (field[:, 5:] == -DOUBT).all()


def test_two_sides_that_know_different_things_believe_differently() -> None:
    a, b = np.array([[3.5, 3.5, 1.0]]), np.array([[12.5, 3.5, 1.0]])
    all_seen = np.ones((8, 16), bool)
    knows = balance(a, b, np.zeros(1), all_seen)
    blind = balance(a, np.zeros((0, 3)), np.zeros(0), all_seen)
    truth = balance(a, b, np.zeros(1), all_seen)
    assert np.array_equal(knows, truth)
    assert ((blind > 0) & (truth < 0)).any(), "who knows nothing of the enemy thinks it owns his ground"


def test_wrong_input_is_told() -> None:
    with pytest.raises(ValueError, match="units"):
        influence(4, 4, np.zeros((2, 2)))
    with pytest.raises(ValueError, match="must be positive"):
        influence(4, 4, np.zeros((0, 3)), 0.0)
