"""Search and order of cards, and the folder of their pictures."""

import os

import pygame
import pytest

from game.view.exhibits.cards.card_pictures import CardPictures, cut_to, picture_key, version_of_the_look
from game.view.exhibits.cards.card_sections import SORTS, found_cards, search_entries, sections_of
from game.view.exhibits.cards.technique_cards import card_of, read_cards

CARDS = read_cards()
ENTRIES = search_entries(CARDS)


@pytest.mark.parametrize(
    "typed, slug",
    [
        ("splice path", "splice-path"),
        ("slice path", "splice-path"),  # a slip of the pen
        ("AW-3.3-6", "splice-path"),  # an id
        ("jump point", "jps"),
        ("Heckel", "fix-and-flank"),  # part of a source, if a row names it
        ("goal bounding", "jps-plus"),  # another word of the glossary
        ("/path_splicing.py", "splice-path"),
    ],
)
def test_names_ids_sources_and_words_of_the_glossary_are_found(typed, slug):
    found = [card.slug for card in found_cards(CARDS, ENTRIES, typed)]
    if typed == "Heckel":
        named = {card.slug for card in CARDS if "Heckel" in card.row.source}
        assert named and named <= set(found)
        return
    assert slug in found[:4], found[:6]


def test_names_of_cards_are_unique_and_a_name_finds_its_own_card_first():
    assert len({card.name for card in CARDS}) == len(CARDS)
    for card in CARDS[::12]:
        assert found_cards(CARDS, ENTRIES, card.name)[0] is card


@pytest.mark.parametrize("sort", SORTS)
def test_every_sort_holds_each_card_once(sort):
    sections = sections_of(CARDS, sort, {"jps", "astar"})
    slugs = [card.slug for section in sections for card in section.cards]
    assert sorted(slugs) == sorted(card.slug for card in CARDS) and all(section.cards for section in sections)


def test_a_picture_is_named_by_map_and_script_and_a_library_technique_has_none():
    key = {card.slug: picture_key(card) for card in CARDS}
    assert key["splice-path"] == key["full-path"], "one script, one picture"
    assert key["splice-path"] != key["quick-path"], "another script of the same map"
    assert all((key[card.slug] == "") == (card.row.kind == "none") for card in CARDS)


def test_pictures_are_cut_about_their_middle_without_stretching():
    part = cut_to((896, 504), (222, 98))
    assert part.center == (448, 252) and abs(part.width / part.height - 222 / 98) < 0.02
    assert cut_to((896, 504), (560, 315)).size == (896, 504)


@pytest.fixture
def made(window, tmp_path, monkeypatch):
    monkeypatch.setenv("FOGLINE_PICTURES", str(tmp_path / "pictures"))
    pictures = CardPictures()
    yield pictures
    pictures.close()


def _like(picture, colour):
    """Return whether a pixel has a colour but for the rounding of scaling."""
    return all(abs(a - b) <= 4 for a, b in zip(picture.get_at((5, 5)), colour, strict=False))


def test_a_kept_picture_is_shown_one_file_a_frame_and_a_damaged_one_is_removed(made):
    card, other = card_of("splice-path", CARDS), card_of("quick-path", CARDS)
    for at, colour in ((card, (200, 30, 40)), (other, (20, 200, 40))):
        surface = pygame.Surface((896, 504))
        surface.fill(colour)
        pygame.image.save(surface, str(made.folder / picture_key(at)))
    assert made.missing([card, other]) == []
    assert _like(made.picture(card, (222, 98)), (200, 30, 40))
    assert made.picture(other, (222, 98)) is None, "the next file waits for the next frame"
    made.update([])
    assert _like(made.picture(other, (222, 98)), (20, 200, 40))
    made.update([])
    third = card_of("whiskers", CARDS)
    (made.folder / picture_key(third)).write_bytes(b"no picture")
    assert made.picture(third, (222, 98)) is None and made.missing([third]) == [third]


@pytest.mark.usefixtures("window")
def test_pictures_of_an_older_version_are_removed(tmp_path, monkeypatch):
    old = tmp_path / "pictures" / ("0" * len(version_of_the_look()))
    kept = tmp_path / "pictures" / "notes"
    old.mkdir(parents=True)
    kept.mkdir()
    monkeypatch.setenv("FOGLINE_PICTURES", str(tmp_path / "pictures"))
    CardPictures().close()
    assert not old.exists() and kept.exists()


@pytest.mark.usefixtures("window")
def test_a_folder_that_cannot_be_made_is_told_in_one_line_and_a_temporary_one_serves(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("FOGLINE_PICTURES", str(tmp_path / "file" / "pictures"))
    pictures = CardPictures()
    assert "pictures cannot be kept there" in pictures.problem and "\n" not in pictures.problem
    folder = pictures.folder
    assert folder is not None and os.access(folder, os.W_OK)
    pictures.close()
    assert not folder.exists()


def test_a_worker_that_ends_without_an_answer_marks_its_picture_as_failed(made, monkeypatch):
    monkeypatch.setattr("game.view.exhibits.cards.card_pictures.WORKER", "game.no_such_module")
    card = card_of("splice-path", CARDS)
    made.update([card])
    if made._child is not None:
        made._child.wait()
    made.update([])
    assert made.failed == {picture_key(card)} and made.missing([card]) == []
