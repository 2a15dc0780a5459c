"""Selecting by click, shift and box; control groups."""

import numpy as np

from game.view.input.selection import Selection, unit_at, units_in_box
from game.view.painting.unit_picture import Picture


def _picture():
    x = np.array([1.0, 2.0, 5.0, 5.0])
    y = np.array([1.0, 1.0, 5.0, 5.0])
    columns = {"id": np.array([0, 1, 7, 3]), "x": x, "y": y, "alive": np.ones(4, np.uint8)}
    return Picture(0, columns, frozenset({0, 1, 3, 7}), {0: 0, 1: 1, 7: 2, 3: 3})


def test_shift_adds_units_to_the_selection_and_removes_them():
    selection = Selection()
    selection.choose([5, 2])
    selection.choose([9], add=True)
    assert selection.ids == (2, 5, 9)
    selection.choose([5], add=True)
    assert selection.ids == (2, 9)
    selection.choose([1])
    assert selection.ids == (1,)


def test_a_click_selects_the_nearest_unit_and_ties_go_by_id():
    rows = np.arange(4)
    assert unit_at(_picture(), 1.2, 1.0, rows, 0.5) == 0
    assert unit_at(_picture(), 5.0, 5.0, rows, 0.5) == 3
    assert unit_at(_picture(), 9.0, 9.0, rows, 0.5) == -1
    assert unit_at(_picture(), 1.0, 1.0, rows[:0], 0.5) == -1


def test_a_box_selects_the_units_in_it_from_either_corner():
    rows = np.arange(4)
    assert sorted(units_in_box(_picture(), (0, 0), (3, 3), rows)) == [0, 1]
    assert sorted(units_in_box(_picture(), (6, 6), (4, 4), rows)) == [3, 7]


def test_a_group_is_recalled_and_a_double_tap_moves_the_camera():
    selection = Selection((1, 3))
    selection.set_group(2)
    selection.choose([])
    assert not selection.recall(2, 1000)
    assert selection.ids == (1, 3)
    assert selection.recall(2, 1200)
    assert not selection.recall(2, 5000)
    selection.choose([7])
    selection.add_to_group(2)
    assert selection.groups[2] == (1, 3, 7)


def test_the_dead_leave_the_selection():
    selection = Selection((0, 1, 42))
    selection.forget_dead(_picture())
    assert selection.ids == (0, 1)
