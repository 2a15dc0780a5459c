"""Finder: entries found by words and run by Enter, in a dummy window."""

import pygame
import pytest

from game.level.level_writer import LevelBuilder
from game.view.exhibits.gallery_rows import read_techniques
from game.view.input.command_table import COMMANDS
from game.view.lab.finder.entries_of_play import entries_of_play
from game.view.lab.finder.finder_entry import FinderEntry
from game.view.lab.finder.finder_screen import FinderScreen
from game.view.lab.finder.fuzzy_ranking import ranked
from game.view.overlays.lenses import REGISTRY
from game.view.screens.gallery.gallery_screen import GalleryScreen
from game.world.settings import walk_settings
from tests.game.view.conftest import player  # noqa: F401

NAMES = ("Splice path", "Full path", "Quick path", "Path queue", "Quick save")
ENTRIES = [FinderEntry("exhibit", name, "") for name in NAMES]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("splice path", ["Splice path"]),  # the whole name
        ("path qu", ["Quick path", "Path queue"]),  # each word somewhere in the name
        ("splcie", ["Splice path"]),  # two letters swapped
        ("quik", ["Quick path", "Quick save"]),  # one letter left out
        ("fulk pa", ["Full path"]),  # one letter wrong, one word begun
        ("flower", []),  # unlike all of them
    ],
)
def test_words_find_names_in_spite_of_a_slip(typed: str, wanted: list[str]) -> None:
    assert {entry.name for entry in ranked(ENTRIES, typed)} == set(wanted)


def test_the_name_goes_before_other_words_and_these_before_similar_names() -> None:
    by_name = FinderEntry("term", "hearing", "")
    by_words = FinderEntry("command", "Whistle", "", words="within hearing")
    similar = FinderEntry("command", "Heading", "")
    assert ranked([similar, by_words, by_name], "hearing") == [by_name, by_words, similar]


def test_without_words_the_entries_stand_as_they_are() -> None:
    assert ranked(ENTRIES, " ", most=3) == ENTRIES[:3]


@pytest.fixture
def play(player, tmp_path):  # noqa: F811
    """Play a meadow with two raiders."""
    level = LevelBuilder(30, 20)
    for i in range(2):
        level.add("spawn", 8.5 + i, 9.5, name=f"R{i + 1}")
    level.write(tmp_path / "meadow.tmx")
    yield player.open(tmp_path / "meadow.tmx")
    while player.app.screens:
        player.app.pop()


def write(player, words: str) -> FinderScreen:  # noqa: F811
    """Open the finder by its key and type words."""
    player.press("find_anything")
    finder = player.app.top
    assert isinstance(finder, FinderScreen)
    finder.entry.set_text(words)
    player.frames(1)
    return finder


def enter(player) -> None:  # noqa: F811
    player.app.frame(16, [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="\r")])


def test_it_finds_every_command_overlay_and_setting_of_a_game(play, player) -> None:  # noqa: F811
    entries = entries_of_play(play, player.app.keymap, "")
    names = {kind: {e.name for e in entries if e.kind == kind} for kind in ("command", "overlay", "setting")}
    assert names["setting"] == {name for name, _, _ in walk_settings(play.playing.world.settings)}
    assert names["overlay"] == {cls.title for cls in REGISTRY.values()}
    held = {c.words for c in COMMANDS} - names["command"]
    assert held == {
        "Pan left", "Pan right", "Pan up", "Pan down", "Every cone", "Left button", "Add to selection",
        "Right button", "Queue it", "Pointer by keys", "Find anything",
    }  # fmt: skip


def test_enter_runs_a_command_shows_an_overlay_and_sets_a_setting_by_orders(play, player) -> None:  # noqa: F811
    write(player, "select all")
    enter(player)
    assert player.app.top is play and len(play.selection.ids) == 2

    write(player, "path queue")
    enter(player)
    assert play.view.lab and play.lab.overlays.is_on("queue")

    budget = play.playing.world.settings.paths.budget
    finder = write(player, "paths.budget")
    enter(player)
    assert player.app.top is finder and finder.entry.get_text() == "paths.budget = "
    finder.entry.set_text("paths.budget = much")
    player.frames(1)
    enter(player)
    assert player.app.top is finder, "a value that cannot be set keeps the finder open"
    finder.entry.set_text(f"paths.budget = {budget + 10}")
    player.frames(1)
    enter(player)
    play.playing.session.advance()
    assert play.playing.world.settings.paths.budget == budget + 10
    assert [order.name for _, order in play.playing.session.log][-1] == "paths.budget", "a replay holds the order"


def test_time_stands_still_below_it_and_escape_or_its_key_closes_it(play, player) -> None:  # noqa: F811
    write(player, "")
    tick = play.playing.world.tick
    player.frames(20)
    assert play.playing.world.tick == tick
    player.press("find_anything")
    assert player.app.top is play


@pytest.mark.usefixtures("play")
def test_a_term_opens_the_gallery_at_its_techniques(player) -> None:  # noqa: F811
    term = "token"
    finder = write(player, term)
    finder.list.chosen = next(key for key, e in finder.found.items() if (e.kind, e.name) == ("term", term))
    enter(player)
    gallery = player.app.top
    assert isinstance(gallery, GalleryScreen)
    shown = [card.name for card in gallery.shown]
    assert shown == [row.name for row in read_techniques() if row.module.endswith("/action_tokens.py")] != []
