"""Convolution, against the tables of its source and against scipy.ndimage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from ai.influence.convolution import binomial, blurred, filtered, filtered_twice, separate, steady_step

SMALL = np.array([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16
CENTRE = np.array([[5.0, 6, 2], [1, 4, 2], [6, 3, 3]])
RING = np.array([[1.0, 5, 4, 6, 3], [4, 5, 6, 2, 4], [1, 1, 4, 2, 6], [2, 6, 3, 3, 4], [0, 6, 5, 1, 8]])
PRINTED = np.array([[3.875, 4.25, 3.813], [3.188, 3.5, 3.438], [3.625, 3.625, 3.438]])


def test_table_of_the_source() -> None:
    assert np.allclose(filtered(RING, SMALL)[1:4, 1:4], PRINTED, atol=6e-4)


def test_borders_of_the_source() -> None:
    shrunk = [[4.222, 4.083, 3.111], [3.583, 3.5, 2.917], [4.0, 3.417, 2.889]]
    zero = [[2.375, 3.0625, 1.75], [2.6875, 3.5, 2.1875], [2.25, 2.5625, 1.625]]
    assert np.allclose(filtered(CENTRE, SMALL), shrunk, atol=6e-4)
    assert np.allclose(filtered(CENTRE, SMALL, "zero"), zero)


def test_binomial_weights() -> None:
    assert np.array_equal(binomial(1) * 4, [1, 2, 1])
    assert np.array_equal(binomial(2) * 16, [1, 4, 6, 4, 1])
    assert np.array_equal(binomial(4) * 256, [1, 8, 28, 56, 70, 56, 28, 8, 1])


@pytest.mark.parametrize("reach", (1, 2, 4))
def test_scipy_agrees(reach: int) -> None:
    field = np.random.default_rng(reach).random((23, 17))
    row = binomial(reach)
    theirs = ndimage.convolve(field, np.outer(row, row), mode="constant")
    assert np.allclose(filtered_twice(field, row, row, "zero"), theirs, atol=1e-12)
    assert np.allclose(filtered(field, np.outer(row, row), "zero"), theirs, atol=1e-12)


def test_constant_map_stays_constant_and_walls_stop_the_spread() -> None:
    assert np.allclose(blurred(np.full((9, 7), 3.0), 2), 3.0)
    floor = np.ones((3, 7), bool)
    floor[:, 3] = False
    field = np.zeros((3, 7))
    field[1, 2] = 1.0
    spread = blurred(field, 1, floor)
    assert spread[1, 1] > 0
    assert (spread[:, 3:] == 0).all()


def test_asymmetric_filter_passes() -> None:
    """Column and row are not exchanged."""
    field = np.random.default_rng(5).random((9, 9))
    column, row = np.array([1.0, 0, 0]), np.array([0.0, 1, 0])
    assert np.array_equal(filtered_twice(field, column, row, "zero")[1:], field[:-1])


@pytest.mark.parametrize("border", ("shrink", "zero"))
def test_two_passes_equal_the_outer_product_also_for_weights_that_do_not_sum_to_one(border: str) -> None:
    field = np.random.default_rng(6).random((9, 8))
    column, row = np.array([1.0, 3, 1]), np.array([0.5, 2, 0.5])
    assert np.allclose(filtered_twice(field, column, row, border), filtered(field, np.outer(column, row), border))


def test_separation_finds_the_vectors_and_refuses_sharpening() -> None:
    column, row = separate(SMALL)
    assert np.allclose(np.outer(column, row), SMALL)
    with pytest.raises(ValueError, match="not separable"):
        separate(np.array([[0.0, -1, 0], [-1, 5, -1], [0, -1, 0]]))


def test_steady_total_of_the_source() -> None:
    sources = np.zeros((24, 24))
    sources[3, 0], sources[15, 20] = 4.0, 2.0
    field = np.zeros_like(sources)
    for _ in range(600):
        field = steady_step(field, sources, 0.05)
    assert field.sum() == pytest.approx(114.0)


def test_bad_inputs_are_named() -> None:
    with pytest.raises(ValueError, match="odd sides"):
        filtered(CENTRE, np.ones((2, 3)))
    with pytest.raises(ValueError, match="border"):
        filtered(CENTRE, SMALL, "wrap")
    for decay in (-0.1, 0.0, 1.0, 1.5):
        with pytest.raises(ValueError, match="between 0 and 1"):
            steady_step(CENTRE, CENTRE, decay)
