"""Cards of the gallery against the descriptors, the sources and the data file."""

import re
import tomllib
from pathlib import Path

import pytest

from ai.core.register import scan
from game.view.exhibits.cards import technique_cards
from game.view.exhibits.cards.technique_cards import (
    WORDS,
    card_of,
    chapter_of,
    read_cards,
    read_chapters,
    related_slugs,
)
from game.view.exhibits.gallery_rows import ROOT, Technique

CARDS = read_cards()
DESCRIBED = {t.slug: t for t in scan(ROOT)}


def test_every_descriptor_has_a_card_that_says_the_same():
    assert {card.slug for card in CARDS} == set(DESCRIBED)
    for card in CARDS:
        told = DESCRIBED[card.slug]
        assert (card.name, card.row.source, card.row.module) == (told.name, told.source, told.module)
        assert card.row.ids == told.ids + told.parts and card.row.functions == told.functions
        assert (card.row.test, card.row.claim, card.row.setting) == (told.test, told.claim, told.setting)
        assert (card.row.script, card.row.exhibit) == (told.exhibit, told.level)


SOME = pytest.param(CARDS[::6], id="some")
ALL = pytest.param(CARDS, id="all", marks=pytest.mark.long)


@pytest.mark.parametrize("cards", [SOME, ALL])
def test_the_words_of_a_card_are_whole_sentences_without_markup(cards):
    for card in cards:
        assert re.fullmatch(r"[A-Z].{15,110}\.", card.sentence), (card.slug, card.sentence)
        assert 60 <= len(card.paragraph) <= 420, (card.slug, card.paragraph)
        assert card.paragraph[-1] in ".!?" and not re.search(r"``|:\w+:`|float64|Sources?:", card.paragraph), card.slug
        assert card.row.question and card.chapter.text


@pytest.mark.parametrize("cards", [SOME, ALL])
def test_the_deciding_functions_stand_on_their_lines(cards):
    for card in cards:
        assert len(card.deciding) == len(card.row.functions), card.slug
        for source, name in zip(card.deciding, card.row.functions, strict=True):
            lines = (ROOT / source.path).read_text(encoding="utf-8").splitlines()
            named = name.split(".")[-1]
            found = lines[source.line - 1]
            assert re.search(rf"\bdef {named}\b", found) or (named[0].isupper() and "def " in found), (card.slug, found)
            assert source.path == card.row.module and source.line < source.end <= len(lines)


def test_every_chapter_has_techniques_and_the_data_file_names_only_known_ones():
    by_chapter = {chapter.key: [c for c in CARDS if c.chapter is chapter] for chapter in read_chapters()}
    assert all(len(cards) >= 10 for cards in by_chapter.values()), {k: len(v) for k, v in by_chapter.items()}
    assert sum(map(len, by_chapter.values())) == len(CARDS)
    keys = [c.chapter.key for c in CARDS]
    assert keys == sorted(keys, key=list(by_chapter).index)
    table = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    assert set(table["card"]) <= set(DESCRIBED)
    assert chapter_of("ai/squad/x.py", read_chapters()).key == "squads"
    assert chapter_of("game/minds/soldier/take_cover.py", read_chapters()).key == "ground"


@pytest.mark.parametrize(
    "slug, words",
    [
        ("splice-path", "AI Game Programming Wisdom, chapter 3.3"),
        ("map-flooding", "AI for Games, chapter 6.2"),
        ("canvass", "Game AI Pro 2, chapter 33"),
        ("hpa-star", "Journal of Game Development, article 1"),
        ("dead-end", "Journal of Game Development, article 1"),
    ],
)
def test_the_chapter_of_the_source_follows_from_the_catalogue_id(slug, words):
    assert card_of(slug, CARDS).source_chapter.words == words


def test_chapters_of_sources_sort_by_book_then_by_number():
    found = sorted({card.source_chapter for card in CARDS})
    assert [c.book for c in found] == sorted((c.book for c in found), key=[c.book for c in found].index)
    pro = [c.number[0] for c in found if c.book == "Game AI Pro 2"]
    assert pro == sorted(pro) and 28 in pro and 4 in pro


def test_related_techniques_share_something_and_the_nearest_stand_first():
    slugs = {card.slug for card in CARDS}
    for card in CARDS:
        assert card.slug not in card.related and set(card.related) <= slugs and len(card.related) <= 6
    assert {"quick-path", "full-path", "priority-path"} <= set(card_of("splice-path", CARDS).related)
    assert sum(not card.related for card in CARDS) == 0

    def row(slug, ids, exhibit="", module="ai/a/b/c.py"):
        return Technique(slug, slug, "", module, "", exhibit, "", "", "a", "none", ids=ids)

    rows = [
        row("one", ("GP2-4.1",), "levels/x.tmx"),
        row("same_id", ("GP2-4.1",), module="ai/z/y/d.py"),
        row("same_map", ("AW-1.1-1",), "levels/x.tmx", module="ai/z/y/d.py"),
        row("far", ("AW-2.2-1",), module="ai/q/w/e.py"),
    ]
    assert related_slugs([r if r.slug != "far" else Technique(**{**r.__dict__, "area": "q"}) for r in rows])["one"] == (
        "same_id",
        "same_map",
    )


@pytest.mark.parametrize(
    "words, told",
    [
        ("", "chapter: Field required; the first lines of the file say what it holds"),
        ("card = 3\nchapter = 4", "chapter: Input should be a valid list"),
        ('[[chapter]]\nkey = "a"\ntitle = "A"\nfolders = ["ai"]', "chapter.1.text: Field required"),
        (
            '[[chapter]]\nkey = "a"\ntitle = "A"\ntext = "x"\nfolders = ["ai"]\n[card.x]\nwords = "y"',
            "card.x.words: Extra inputs are not permitted",
        ),
    ],
)
def test_a_wrong_data_file_is_named_in_one_line(tmp_path, words, told):
    file = Path(tmp_path) / "gallery.toml"
    file.write_text(words, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"{file}: {told}")) as caught:
        read_chapters(file)
    assert "\n" not in str(caught.value)


def test_cards_are_read_without_a_window():
    source = Path(technique_cards.__file__).read_text(encoding="utf-8")
    assert "pygame" not in source
