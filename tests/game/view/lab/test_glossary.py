"""Glossary: a readable table, the modules of all techniques, and tool tips."""

import csv
import tomllib
from pathlib import Path

import pygame

from game.level.finding import find_level
from game.view.exhibits.cards.glossary_terms import GLOSSARY, read_terms
from game.view.lab.glossary import Glossary
from game.view.overlays.lenses import all_overlays
from game.view.screens.exhibit_screen import ExhibitScreen, open_exhibit

ROOT = Path(__file__).resolve().parents[4]
TERMS = read_terms(GLOSSARY.read_text(encoding="utf-8"))
MODULES = {p.stem for folder in ("ai", "game", "tools") for p in (ROOT / folder).rglob("*.py")}
CATALOGUE = {row["id"] for row in csv.DictReader((ROOT / "ai" / "catalogue_ids.csv").open(encoding="utf-8"))}


def test_each_row_is_one_plain_sentence_with_an_id() -> None:
    assert len(TERMS) >= 80
    for term in TERMS:
        assert term.meaning.endswith(".") and len(term.meaning.split()) <= 25, term
        assert term.id in CATALOGUE, term


def test_one_word_means_one_term() -> None:
    words = [word.lower() for term in TERMS for word in (term.name, *term.others)]
    assert sorted(words) == sorted(set(words))


def test_modules_of_the_glossary_exist() -> None:
    for term in TERMS:
        assert set(term.modules) <= MODULES, f"{term.name}: no module {set(term.modules) - MODULES}"


def test_the_module_of_each_technique_has_a_term() -> None:
    """A module that carries the slug of its technique as its name explains itself."""
    rows = tomllib.loads((ROOT / "ai" / "techniques.toml").read_text(encoding="utf-8"))["technique"]
    named = {module for term in TERMS for module in term.modules}
    missing = {Path(row["module"]).stem for row in rows} - named - {row["slug"].replace("-", "_") for row in rows}
    assert not missing, f"docs/glossary.md has no row for the modules {sorted(missing)}"


def test_no_module_has_a_word_that_a_term_replaced() -> None:
    replaced = {
        "way", "ways", "sifting", "hopeless", "handover", "outcomes", "lattice", "meetings", "crew", "gauge", "twin",
        "laws", "mending", "handwork", "sealing", "desk", "ledger", "wonder", "stretches", "patience", "eager",
    }  # fmt: skip
    for module in MODULES:
        words = module.replace("right_of_way", "").split("_")
        assert not replaced & set(words), f"{module}: see docs/glossary.md"


def test_a_term_is_found_in_words_around_it() -> None:
    glossary = Glossary()
    assert glossary.find("Time horizon, s").name == "anticipatory avoidance"
    assert glossary.find("A* over tiles").name == "A*"
    assert glossary.find("Loudness of a stone, tiles").name == "hearing"
    assert glossary.find("nothing of it") is None
    assert Glossary(Path("missing.md")).find("Time horizon") is None


def test_every_overlay_has_a_term_for_its_tool_tip() -> None:
    """Look up title and question, to which each legend's row falls back."""
    glossary = Glossary()
    without = [cls.name for cls in all_overlays() if glossary.find(f"{cls.title}: {cls.question}") is None]
    assert not without, f"docs/glossary.md has no term for the overlays {without}"
    for words, term in (("of 150 rev", "revolution"), ("full path after (p95)", "full path"), ("p95", "percentile")):
        assert glossary.find(words).name == term


def test_resting_on_a_knob_a_switch_or_a_legend_shows_the_sentence(player) -> None:
    screen = ExhibitScreen(player.app, open_exhibit(find_level("crossing_crowds")))
    surface = pygame.Surface(player.app.window.get_size())
    screen.update(200)
    screen.draw(surface)
    frame = screen.panels
    knob = next(row for row in frame.rows if row.knob.label.startswith("Time horizon"))
    before = surface.copy()
    frame.draw_tip(surface, knob.rect.center)
    assert surface.get_buffer().raw != before.get_buffer().raw, "a tool tip is drawn over the knob"
    assert frame.words_at(frame.switch_rect.center) == frame.told.name
    assert frame.legend.spots, "the legend keeps the boxes of its rows"
    box, words = frame.legend.spots[-1]
    assert frame.words_at(box.center) == words
