"""Falloff curves, against the figures of their source and against scalar formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.influence.falloff_curves import CURVES, RING_PEAK
from ai.influence.known_influence import RADIUS, balance, influence

PRINTED = {"linear": (0.5, 0.1), "quadratic": (0.75, 0.19), "quartic": (0.9375, 0.3439)}
"""At 5 and 9 tiles of 10: the figures of the source."""


@pytest.mark.parametrize("name", PRINTED)
def test_a_curve_has_the_printed_figures(name: str) -> None:
    assert CURVES[name](np.array([5.0, 9.0]), 10.0) == pytest.approx(PRINTED[name])


@pytest.mark.parametrize("name", CURVES)
def test_a_curve_ends_at_its_reach_without_a_step(name: str) -> None:
    shares = CURVES[name](np.linspace(0.0, 20.0, 20_001), 10.0)
    assert (shares >= 0.0).all() and (shares[10_001:] == 0.0).all() and shares.max() == pytest.approx(1.0)
    assert np.abs(np.diff(shares)).max() < 0.001


def test_the_polynomials_lie_above_each_other_inside_the_reach() -> None:
    d = np.linspace(0.01, 9.99, 999)
    assert (CURVES["quartic"](d, 10.0) > CURVES["quadratic"](d, 10.0)).all()
    assert (CURVES["quadratic"](d, 10.0) > CURVES["linear"](d, 10.0)).all()


def test_the_ring_peaks_away_from_its_owner() -> None:
    d = np.linspace(0.0, 10.0, 1001)
    shares = CURVES["ring"](d, 10.0)
    assert d[shares.argmax()] == pytest.approx(10.0 * RING_PEAK) and shares[0] == 0.0


def test_a_field_is_the_sum_of_the_scalar_formula_over_tile_centres() -> None:
    units = np.array([[6.2, 7.9, 2.0], [15.5, 4.5, 1.0]])
    field = influence(18, 24, units, curve=CURVES["quartic"])
    for y, x in np.ndindex(18, 24):
        near = [(s, math.dist((x + 0.5, y + 0.5), (a, b)) / RADIUS) for a, b, s in units.tolist()]
        assert field[y, x] == pytest.approx(sum(s * (1 - q**4) for s, q in near if q < 1), abs=1e-12)


def test_the_curve_changes_what_a_side_believes() -> None:
    own, foe, seen = np.array([[2.5, 8.5, 1.0]]), np.array([[20.5, 8.5, 1.0]]), np.ones((16, 24), bool)
    fields = [balance(own, foe, np.zeros(1), seen, curve=curve) for curve in CURVES.values()]
    assert all(not np.array_equal(fields[0], other) for other in fields[1:])
