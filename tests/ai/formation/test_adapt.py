"""Fifteen candidates: in the open the preferred shape stays, in a corridor the widest that fits is taken, and back."""

import numpy as np
import pytest

from ai.formation.adapt import CANDIDATES, FORMATIONS, STEPS, blend, family, judge, narrow_stretch
from ai.formation.shapes import Shape, form
from ai.formation.way import GroupWay

SPACING, RADIUS = 1.2, 0.3


def way_with(widths):
    """A straight way to the east; at each tile so much free ground to either side."""
    half = np.asarray(widths, float) / 2.0
    return GroupWay(np.column_stack([np.arange(len(half)) + 0.5, np.full(len(half), 9.5)]), 1.0, half, half.copy())


def settle(way, along, now, aims, steps=12, last=0):
    for _ in range(steps):
        told = judge(now, aims, way, along, 3.0, RADIUS, SPACING, last)
        now, last = blend(now, aims, told.best), told.best // len(STEPS)
    return now, told


@pytest.mark.parametrize("shape", [Shape.LINE, Shape.WEDGE, Shape.BOX, Shape.CIRCLE])
def test_in_the_open_the_preferred_shape_stays(shape):
    aims = family(form(shape, 9, SPACING), SPACING)
    now, told = settle(way_with([30] * 60), 20.0, aims[0].copy(), aims)
    assert len(told.costs) == CANDIDATES == 15
    assert told.best // len(STEPS) == 0 and np.allclose(now, aims[0])


@pytest.mark.parametrize("free", [1.0, 2.2, 3.4, 5.0, 7.0])
def test_in_a_corridor_the_bulk_fits_and_is_no_narrower_than_it_must_be(free):
    """By trying all five by hand: the widest that fits, by the same half-width rule, is where the group ends up."""
    aims = family(form(Shape.LINE, 9, SPACING), SPACING)
    now, _ = settle(way_with([free] * 120), 60.0, aims[0].copy(), aims, 40)
    fits = [k for k in range(FORMATIONS) if np.abs(aims[k][:, 1]).max() + RADIUS / 2 <= free / 2]
    widest = max(fits, key=lambda k: np.abs(aims[k][:, 1]).max(), default=FORMATIONS - 1)
    assert np.abs(now[:, 1]).max() <= np.abs(aims[widest][:, 1]).max() + 0.35
    assert np.abs(now[:, 1]).max() + RADIUS / 2 <= max(free / 2, RADIUS) + 0.36


def test_narrower_and_narrower_corridors_give_narrower_and_narrower_shapes_and_back():
    aims = family(form(Shape.LINE, 9, SPACING), SPACING)
    now, halves = aims[0].copy(), []
    for free in (30.0, 5.0, 2.2, 1.0, 2.2, 5.0, 30.0):
        now, _ = settle(way_with([free] * 120), 60.0, now, aims, 40)
        halves.append(float(np.abs(now[:, 1]).max()))
    assert halves[:4] == sorted(halves[:4], reverse=True) and halves[0] > 3 * halves[3]
    assert halves[-1] == pytest.approx(halves[0], abs=0.1)


def test_nobody_spreads_out_while_the_rear_is_still_in_the_narrow_place():
    aims = family(form(Shape.LINE, 9, SPACING), SPACING)
    way = way_with([30] * 40 + [2.0] * 8 + [30] * 40)
    file = aims[3].copy()
    rear = -float(file[:, 0].min())
    inside = judge(file, aims, way, 47.0 + rear - 2.0, 3.0, RADIUS, SPACING, 3)
    beyond = judge(file, aims, way, 48.0 + rear + 1.0, 3.0, RADIUS, SPACING, 3)
    assert inside.best // len(STEPS) != 0 and beyond.best // len(STEPS) == 0


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_every_formation_of_a_family_has_a_place_of_its_own_for_everybody(shape, count):
    aims = family(form(shape, count, SPACING), SPACING)
    for places in aims:
        gaps = np.hypot(*(places[:, None, :2] - places[None, :, :2]).transpose(2, 0, 1)) + np.eye(count) * 9
        assert gaps.min() > 0.7 * SPACING


def test_the_narrow_stretch_is_found_where_it_was_put():
    widths = np.full(60, 20.0)
    widths[30:34] = 2.0
    assert narrow_stretch(way_with(widths), 0.0, 3.0, 3.0) == (30.0, 33.0)
    assert narrow_stretch(way_with(widths), 40.0, 3.0, 3.0) is None
