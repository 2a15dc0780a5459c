"""Gallery: a row for each registered technique, with search, groups and keyboard control."""

import tomllib
from pathlib import Path

import pygame
import pytest

from game.view.exhibits.gallery_rows import ROOT, TECHNIQUES, read_techniques
from game.view.screens.gallery_screen import GalleryScreen

RAW = tomllib.loads(TECHNIQUES.read_text(encoding="utf-8"))["technique"]


@pytest.fixture
def gallery(player):
    player.app.push(GalleryScreen(player.app))
    player.frames(2)
    yield player.screen
    while player.app.screens:
        player.app.screens.pop().leave()


def _write(player, words):
    for letter in words:
        player.send(
            pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(letter), mod=0, unicode=letter, scancode=0),
            pygame.event.Event(pygame.TEXTINPUT, text=letter),
        )
    player.frames(2)


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: raw["slug"])
def test_a_row_shows_the_question_of_its_exhibit(raw):
    row = next(r for r in read_techniques() if r.slug == raw["slug"])
    assert row.name == raw["name"] and row.source == raw["source"]
    path = ROOT / raw["exhibit"] if raw["exhibit"] else None
    scripts = [] if path is None else [path.with_suffix(".toml"), *sorted(path.parent.glob(f"{path.stem}.*.toml"))]
    told = [tomllib.loads(f.read_text("utf-8")).get("exhibit") for f in dict.fromkeys(scripts) if f.is_file()]
    own = [e for e in told if e and e["technique"] == raw["slug"]] or [e for e in told if e]
    if own:
        assert row.kind == "exhibit" and row.question == own[0]["question"]
    elif path is not None:
        assert (
            row.kind == "mission"
            and row.question.startswith("in ")
            and path.stem.split("_")[-1] in row.question.lower()
        )
    else:
        assert row.kind == "none" and row.question == "no exhibit yet"


def test_the_list_has_all_techniques_and_groups_count_them(gallery):
    assert {row.key for row in gallery.list.rows} == {raw["name"] for raw in RAW}
    counts = {row.key: int(row.cells[1]) for row in gallery.groups.rows}
    assert counts.pop("all") == sum(counts.values()) == len(RAW)


def test_the_claim_of_the_chosen_row_is_drawn_in_full(player, gallery, monkeypatch):
    """The longest claims fit the room of the gallery at 1280x720."""
    drawn = []
    real = gallery.text.draw
    monkeypatch.setattr(
        gallery.text, "draw", lambda s, at, words, *a, **k: drawn.append(words) or real(s, at, words, *a, **k)
    )
    for raw in sorted(RAW, key=lambda raw: len(raw["claim"]))[-3:]:
        gallery._choose(raw["name"])
        gallery._paint_chosen(player.app.window, gallery.list_rect.bottom)
        assert raw["claim"] in drawn, raw["slug"]


def test_a_search_leaves_the_rows_that_have_all_its_words(player, gallery):
    player.key(pygame.K_f, mod=pygame.KMOD_LCTRL)
    assert gallery.focused is gallery.entry
    _write(player, "splice path")
    assert {row.key for row in gallery.list.rows} == {
        r.name for r in gallery.rows if r.matches("splice") and r.matches("path")
    }
    assert 0 < len(gallery.list.rows) < 8
    player.key(pygame.K_DOWN)
    assert gallery.focused is gallery.list and gallery.chosen == gallery.list.rows[0].key
    player.key(pygame.K_f, mod=pygame.KMOD_LCTRL)
    player.key(pygame.K_ESCAPE)
    assert len(gallery.list.rows) == len(RAW) and player.screen is gallery


def test_grouped_by_source_a_row_of_two_books_is_in_both_groups(player, gallery):
    player.choose("Grouped by area")
    two = next(r for r in gallery.rows if len(r.books) > 1)
    for book in two.books:
        gallery.group = gallery.groups.chosen = book
        gallery.list_moved(gallery.groups, "chosen")
        assert two.name in gallery.by_name and all(book in r.source for r in gallery.by_name.values())


def test_a_row_without_exhibit_cannot_be_opened_and_a_mission_opens_in_lab(player, gallery):
    for row in gallery.rows:
        gallery._choose(row.name)
        assert gallery.open_button.is_enabled == (row.kind != "none")
        assert gallery.open_button.text == ("Open in Lab" if row.kind == "mission" else "Open exhibit")


def test_the_chosen_row_of_a_hundred_stays_in_view_with_keys(player, monkeypatch, tmp_path):
    file = tmp_path / "techniques.toml"
    file.write_text(
        "\n".join(
            f'[[technique]]\nslug = "t{i}"\nname = "Technique {i:03}"\nmodule = "ai/a{i % 17}/b.py"' for i in range(110)
        ),
        encoding="utf-8",
    )
    monkeypatch.setattr("game.view.exhibits.gallery_rows.TECHNIQUES", file)
    player.app.push(GalleryScreen(player.app))
    gallery = player.screen
    gallery._focus_on(gallery.list)
    player.key(pygame.K_END)
    assert gallery.list.rect.contains(gallery.list.row_rect(gallery.list.index))
    player.key(pygame.K_PAGEUP)
    player.frames(2)
    assert 80 < gallery.list.index < 109
    gallery._focus_on(gallery.groups)
    for _ in range(18):
        player.key(pygame.K_DOWN)
    assert gallery.groups.rect.contains(gallery.groups.row_rect(gallery.groups.index))
    assert len(gallery.list.rows) < 8
    player.app.pop()


def test_a_broken_script_makes_its_row_a_mission(monkeypatch, tmp_path):
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "x.tmx").write_text("", encoding="utf-8")
    (tmp_path / "levels" / "x.toml").write_text("[exhibit", encoding="utf-8")
    file = Path(tmp_path / "techniques.toml")
    file.write_text('[[technique]]\nslug = "x"\nname = "X"\nexhibit = "levels/x.tmx"', encoding="utf-8")
    monkeypatch.setattr("game.view.exhibits.gallery_rows.ROOT", tmp_path)
    assert read_techniques(file)[0].kind == "mission"
