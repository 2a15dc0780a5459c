"""Grammar of overlays, checked for each registered overlay."""

import pytest

from game.view.lab.lab_panels import overlay_names
from game.view.lab.overlay_set import OverlaySet
from game.view.overlays.lenses import LENSES, all_overlays
from game.view.overlays.overlay import MOST_LINES, REGISTRY, Channel, Overlay, complaints


@pytest.mark.parametrize("cls", all_overlays(), ids=lambda cls: cls.name)
def test_an_overlay_keeps_the_grammar(cls):
    assert complaints(cls) == []


def test_an_overlay_that_breaks_the_grammar_is_reported():
    class Sloppy(Overlay):
        name, title, channel = "Sloppy One", "", Channel.FILL
        question = "Why is this question so very much longer than the twelve words that it may have"

    assert len(complaints(Sloppy)) == 6


def test_a_second_fill_switches_the_first_off_with_a_note():
    shown = OverlaySet()
    fills = [name for name, cls in REGISTRY.items() if cls.channel == Channel.FILL]
    shown.turn_on(fills[0])
    shown.turn_on(fills[1])
    assert [o.name for o in shown.of(Channel.FILL)] == [fills[1]]
    assert "one fill" in shown.put_out[fills[0]]
    shown.turn_on(fills[0])
    assert fills[0] not in shown.put_out


def test_a_fourth_line_or_mark_overlay_switches_the_oldest_off():
    shown = OverlaySet()
    drawn = [name for name, cls in REGISTRY.items() if cls.channel in (Channel.LINE, Channel.MARK)]
    assert len(drawn) > MOST_LINES
    for name in drawn[: MOST_LINES + 1]:
        shown.turn_on(name)
    assert len(shown.of(Channel.LINE, Channel.MARK)) == MOST_LINES
    assert "three" in shown.put_out[drawn[0]]


@pytest.mark.parametrize("name", list(REGISTRY))
def test_each_overlay_is_switched_on_and_off_alone(name):
    shown = OverlaySet()
    for on in (True, False, True):
        shown.toggle(name)
        assert [o.name for o in shown.on] == [name] * on


@pytest.mark.parametrize("lens", list(LENSES))
def test_a_lens_shows_all_of_its_overlays_and_again_none(lens):
    shown = OverlaySet()
    shown.lens(lens)
    assert {o.name for o in shown.on} == set(LENSES[lens]) and not shown.put_out
    shown.lens(lens)
    assert shown.on == []


def test_an_unknown_name_in_a_list_of_overlays_is_reported():
    assert overlay_names("cost, paths") == ["cost", "paths"]
    with pytest.raises(ValueError, match="smell"):
        overlay_names("cost,smell")
