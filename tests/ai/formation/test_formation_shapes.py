"""Shapes keep their spacing, turn and move as a whole, and match their names."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from ai.formation.formation_shapes import Shape, form, in_ranks, place, spacing_for


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("count", [1, 2, 3, 7, 12, 25, 40])
def test_no_two_slots_are_nearer_than_the_spacing(shape, count):
    slots = form(shape, count, 0.9)
    assert len(slots) == count
    points = np.column_stack([slots.forward, slots.right])
    if count > 1:
        assert pdist(points).min() >= 0.9 - 1e-9
    assert np.allclose(points.min(axis=0), -points.max(axis=0)), "the middle is the origin"


@pytest.mark.parametrize("shape", list(Shape))
def test_placing_is_equivariant(shape):
    slots = form(shape, 11, 1.0)
    base = place(slots, 0.0, 0.0, 0.0)
    turned = place(slots, 5.0, -3.0, math.pi / 2)
    # A quarter turn clockwise on screen: (x, y) becomes (-y, x).
    assert np.allclose(turned[:, :2], np.column_stack([5.0 - base[:, 1], -3.0 + base[:, 0]]))
    assert np.allclose(np.cos(turned[:, 2] - base[:, 2]), 0.0, atol=1e-12)


def test_a_line_of_n_has_equal_gaps_across_and_a_column_along():
    line, column = form(Shape.LINE, 9, 0.8), form(Shape.COLUMN, 9, 0.8)
    assert np.allclose(np.diff(np.sort(line.right)), 0.8) and line.depth == 0.0
    assert np.allclose(np.diff(np.sort(column.forward)), 0.8) and column.width == 0.0


def test_a_wedge_has_its_tip_in_front_and_a_vee_behind():
    wedge, vee = form(Shape.WEDGE, 7, 1.0), form(Shape.VEE, 7, 1.0)
    assert abs(wedge.right[np.argmax(wedge.forward)]) < 1e-9
    assert abs(vee.right[np.argmin(vee.forward)]) < 1e-9


@pytest.mark.parametrize("count", [2, 3, 12])
def test_a_circle_looks_all_round_outward(count):
    out = form(Shape.CIRCLE, count, 1.0)
    gaps = np.diff(np.sort(out.facing))
    assert np.allclose(gaps, 2 * math.pi / count)
    assert (np.cos(out.facing) * out.forward + np.sin(out.facing) * out.right > 0.0).all()


def test_a_circle_may_look_inward():
    out, inward = form(Shape.CIRCLE, 12, 1.0), form(Shape.CIRCLE_INWARD, 12, 1.0)
    assert np.allclose(inward.forward, out.forward) and np.allclose(inward.right, out.right)
    away = np.hypot(inward.forward, inward.right)
    assert np.allclose(np.cos(inward.facing) * inward.forward + np.sin(inward.facing) * inward.right, -away)
    assert form(Shape.CIRCLE_INWARD, 1, 1.0).facing.tolist() == [0.0]


def fire_lines_blocked(slots):
    """Count slots with a friend's body within 0.3 tiles of their line ahead."""
    f, r = slots.forward, slots.right
    return sum(any(f[j] > f[i] + 1e-6 and abs(r[j] - r[i]) < 0.3 for j in range(len(f))) for i in range(len(f)))


def test_a_staggered_line_blocks_no_fire_and_two_dense_rows_do():
    assert fire_lines_blocked(form(Shape.STAGGERED_LINE, 12, 0.9)) == 0
    assert fire_lines_blocked(in_ranks(Shape.LINE, 12, 6, 0.9, (-0.9, 0.0))) == 6


def test_overflow_makes_new_ranks_at_the_rank_offset():
    slots = in_ranks(Shape.LINE, 10, 4, 1.0, (-1.5, 0.0))
    assert np.array_equal(np.bincount(slots.rank), [4, 4, 2])
    assert np.allclose(np.unique(np.round(slots.forward, 6)), [-1.5, 0.0, 1.5])


def test_spacing_goes_by_the_largest_body():
    assert spacing_for(np.array([0.3, 0.45]), 0.2) == pytest.approx(1.1)


def test_the_front_and_the_middle_matter_most():
    box = form(Shape.BOX, 9, 1.0)
    best = np.argmax(box.weight)
    assert box.rank[best] == 0 and abs(box.right[best]) < 1e-9


def test_empty_groups_and_bad_input():
    assert len(form(Shape.BOX, 0, 1.0)) == 0
    assert len(in_ranks(Shape.LINE, 0, 4, 1.0, (-1.0, 0.0))) == 0
    with pytest.raises(ValueError, match="positive"):
        form(Shape.LINE, 3, 0.0)
    with pytest.raises(ValueError, match="at least 0"):
        form(Shape.LINE, -1, 1.0)
