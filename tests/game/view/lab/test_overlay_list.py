"""List of overlays: those that are on first, others by subject; its search."""

import pygame
import pytest

from game.view.lab.draw_list import ordered_rows
from game.view.lab.overlay_finder import OverlayFinder, subject_of
from game.view.lab.overlay_set import OverlaySet
from game.view.overlays.lenses import all_overlays


def test_overlays_that_are_on_stand_first_and_every_other_once_below_its_subject():
    registered, overlays = all_overlays(), OverlaySet()
    overlays.lens("paths")
    on = {o.name for o in overlays.on}
    rows = ordered_rows(registered, overlays)
    assert {row.name for row in rows[: len(on)]} == on
    subject, listed = "", []
    for row in rows[len(on) :]:
        if isinstance(row, str):
            subject = row
        else:
            assert subject_of(row) == subject and row.name not in on
            listed.append(row.name)
    assert sorted([*listed, *on]) == sorted(cls.name for cls in registered)
    headings = [row for row in rows if isinstance(row, str)]
    assert headings == sorted(set(headings)) and len(headings) > 3


def test_a_search_finds_the_overlays_that_hold_every_word():
    finder = OverlayFinder()
    assert finder.found(all_overlays()) == all_overlays()
    finder.words = "FLOW cost"
    assert [cls.name for cls in finder.found(all_overlays())] == ["flow_cost"]
    finder.words = "motion"
    by_subject = {cls for cls in all_overlays() if cls.__module__.split(".")[-2] == "motion"}
    assert by_subject and by_subject <= set(finder.found(all_overlays()))
    finder.words = "no such overlay"
    assert finder.found(all_overlays()) == []


def _key(player, letter="", code=0, mod=0):
    scancode = pygame.KSCAN_A + ord(letter) - ord("a") if letter.isalpha() else 0
    player.send(pygame.event.Event(pygame.KEYDOWN, key=code, scancode=scancode, mod=mod, unicode=letter))


@pytest.fixture
def lab(player):
    play = player.open()
    player.press("lab")
    yield play
    while player.app.screens:
        player.app.screens.pop().leave()


def test_typed_letters_filter_the_list_and_give_no_commands(player, lab):
    def listed():
        return [what[1] for _, what in lab.lab.panels.list.parts if what[0] == "overlay"]

    on = {o.name for o in lab.lab.overlays.on}
    lifted, everything = lab.view.lift_fog, listed()
    player.press("find_overlay")
    for letter in "level":
        _key(player, letter)
    assert lab.view.lift_fog == lifted, "the letter l lifted the fog"
    assert lab.view.lab and not lab.mouse.armed
    second = next(cls for cls in all_overlays() if cls.name == "hierarchy_2")
    assert lab.lab.finder.words == "level"
    assert "level" in second.title.lower() and "hierarchy_2" in listed()
    assert len(listed()) < 6 and set(listed()) != set(everything)
    _key(player, code=pygame.K_RETURN)
    assert {o.name for o in lab.lab.overlays.on} - on == {listed()[0]}, "Enter did not turn on a listed overlay"
    # Escape removes the words, then ends the search; only a third one opens the menu.
    _key(player, code=pygame.K_ESCAPE)
    assert lab.lab.finder.words == "" and len(listed()) >= len(everything) - 1
    _key(player, code=pygame.K_ESCAPE)
    assert not lab.lab.finder.listens and player.screen is lab
    _key(player, "l")
    assert lab.view.lift_fog != lifted


def test_a_click_on_the_line_begins_a_search_and_a_click_elsewhere_ends_it(player, lab):
    line = next(rect for rect, what in lab.lab.panels.list.parts if what[0] == "find")
    player.click(line.center)
    assert lab.lab.finder.listens
    _key(player, "q")
    _key(player, "x")
    assert lab.lab.finder.words == "qx"
    _key(player, code=pygame.K_BACKSPACE)
    _key(player, "f", mod=pygame.KMOD_LCTRL)
    assert lab.lab.finder.words == "q"
    player.click((600, 500))
    assert not lab.lab.finder.listens
    _key(player, "p")
    assert lab.lab.finder.words == "q"
