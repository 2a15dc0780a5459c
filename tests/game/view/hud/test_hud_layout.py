"""The HUD: at most 15 % of 1280x720, nothing overlaps, nothing leaves the window, at every interface scale."""

import itertools

import pytest

from game.view.hud.hud_layout import lay_out, most_shown, portraits_that_fit
from game.view.input.command_table import CARD

WINDOWS = ((1280, 720), (1920, 1080), (2560, 1440))
SIZES = list(itertools.product(WINDOWS, (1.0, 1.25, 1.5, 2.0))) + [((960, 600), 2.0)]


def test_at_most_fifteen_percent_of_the_small_window():
    for portraits, groups in itertools.product(range(6), range(5)):
        layout = lay_out((1280, 720), 1.0, portraits, groups)
        assert layout.area() <= 0.15 * 1280 * 720, (portraits, groups, layout.area() / (1280 * 720))


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_plates_stay_apart_and_inside(size, scale):
    for portraits, groups in itertools.product(range(6), range(5)):
        layout = lay_out(size, scale, portraits, groups)
        for rect in layout.panels:
            assert rect.left >= 0 and rect.top >= 0 and rect.right <= size[0] and rect.bottom <= size[1]
        for a, b in itertools.combinations(layout.panels, 2):
            assert not a.colliderect(b)


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_every_command_of_the_card_has_its_box_on_the_plate(size, scale):
    layout = lay_out(size, scale, 4, 2)
    boxes = [layout.card_cell(i) for i in range(len(CARD))]
    assert all(layout.card.contains(box) for box in boxes)
    assert all(not a.colliderect(b) for a, b in itertools.combinations(boxes, 2))


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_groups_and_a_portrait_keep_their_place_at_every_scale(size, scale):
    """However large the words: four groups can be pressed, and whoever is chosen shows, or how many."""
    groups = 4
    room = portraits_that_fit(size, scale, groups)
    shown = min(most_shown(size, scale), room)
    layout = lay_out(size, scale, shown, groups)
    boxes = [layout.group_cell(i) for i in range(groups)] + [layout.portrait_cell(i, groups) for i in range(shown)]
    assert shown >= 1
    assert all(layout.selection.contains(box) for box in boxes)
    assert all(not a.colliderect(b) for a, b in itertools.combinations(boxes, 2))


@pytest.mark.parametrize(("size", "scale"), [case for case in SIZES if case[0] != (960, 600)])
def test_the_alarm_stands_at_the_top_between_objective_and_clock(size, scale):
    layout = lay_out(size, scale, 1, 1)
    assert layout.objective.right < layout.alarm.left and layout.alarm.right < layout.clock.left
    assert layout.alarm.top == layout.clock.top
