"""Layout of the HUD: its area, overlaps and bounds at each interface scale."""

import itertools

import pytest

from game.view.hud.hud_layout import MOST_CHIPS, chips_that_fit, lay_out, most_groups, portraits_that_fit
from game.view.input.command_table import CELLS

WINDOWS = ((1280, 720), (1920, 1080), (2560, 1440))
SIZES = list(itertools.product(WINDOWS, (1.0, 1.25, 1.5, 2.0))) + [((960, 600), 2.0)]


@pytest.mark.parametrize("gem", [False, True])
def test_at_most_fifteen_percent_of_the_small_window_with_eight_portraits_and_24_chips(gem):
    size = (1280, 720)
    assert portraits_that_fit(size, 1.0, 4, gem) == 8 and chips_that_fit(size, 1.0, 4, gem) == MOST_CHIPS
    for count, groups in itertools.product(range(25), range(5)):
        layout = lay_out(size, 1.0, count, groups, formations=count > 1, chips=count > 8, gem=gem)
        assert layout.area() <= 0.15 * 1280 * 720, (count, groups, layout.area() / (1280 * 720))


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_panels_do_not_overlap_and_stay_inside_the_window(size, scale):
    for portraits, groups in itertools.product(range(6), range(5)):
        layout = lay_out(size, scale, portraits, groups)
        for rect in layout.panels:
            assert rect.left >= 0 and rect.top >= 0 and rect.right <= size[0] and rect.bottom <= size[1]
        for a, b in itertools.combinations(layout.panels, 2):
            assert not a.colliderect(b)


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_every_command_of_the_card_has_a_box_of_its_own_on_the_panel(size, scale):
    layout = lay_out(size, scale, 4, 2)
    boxes = [layout.card_cell(i) for i in range(CELLS)]
    assert all(layout.card.contains(box) for box in boxes)
    assert all(not a.colliderect(b) for a, b in itertools.combinations(boxes, 2))


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_groups_and_a_portrait_keep_their_place_at_every_scale(size, scale):
    """Fit four group buttons and at least one portrait into the selection panel."""
    groups = 4
    assert most_groups(size, scale) >= groups
    for chips in (False, True):
        shown = (chips_that_fit if chips else portraits_that_fit)(size, scale, groups, True)
        layout = lay_out(size, scale, shown, groups, chips=chips, gem=True)
        keep_their_place(layout, shown, groups)


def keep_their_place(layout, shown, groups):
    boxes = [layout.group_cell(i) for i in range(groups)] + [layout.portrait_cell(i, groups) for i in range(shown)]
    assert shown >= 1
    boxes += [layout.gem]
    assert all(layout.selection.contains(box) for box in boxes)
    assert all(not a.colliderect(b) for a, b in itertools.combinations(boxes, 2))


@pytest.mark.parametrize(("size", "scale"), [case for case in SIZES if case[0] != (960, 600)])
def test_the_alarm_stands_at_the_top_between_objective_and_clock(size, scale):
    layout = lay_out(size, scale, 1, 1)
    assert layout.objective.right < layout.alarm.left and layout.alarm.right < layout.clock.left
    assert layout.alarm.top == layout.clock.top
