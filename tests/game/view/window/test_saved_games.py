"""Saved games: saves of each level, autosaves, progress and the menu entry Continue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.session import Session
from game.view.screens.menu_screen import MenuMain
from game.view.screens.play_screen import PlayScreen
from game.view.window.autosaver import EVERY_TICKS, KEPT, Autosaver, write_save
from game.view.window.mission_progress import note_win, progress_file, read_progress
from game.view.window.saved_games import SUFFIX, all_saves, level_of, newest_game, newest_save, saves_folder
from game.world.events import Happening
from game.world.orders import Order, OrderKind


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOGLINE_DATA", str(tmp_path / "data"))


def session_called(name: str) -> Session:
    session = Session(load_level(find_level(Path("skirmish_small"))))
    object.__setattr__(session.level, "name", name)
    return session


@pytest.mark.parametrize("name", ["a", "a-b", "[x]", "*", "a@b", "übung", "a/b", ".hidden", "%41"])
def test_each_level_finds_its_own_saves_and_no_other(name: str) -> None:
    others = [n for n in ("a", "a-b", "b", "x", "[x]", "a@b", "A") if n != name]
    for other in others:
        write_save(session_called(other))
    assert newest_save(name) is None
    path = write_save(session_called(name))
    assert newest_save(name) == path == newest_game()
    assert level_of(path) == name
    assert all(level_of(newest_save(other)) == other for other in others)


def test_the_newest_autosaves_and_all_manual_saves_are_kept() -> None:
    session = session_called("a")
    by_hand = write_save(session)
    saver = Autosaver(session)
    for _ in range(6):
        session.world.tick += EVERY_TICKS
        assert saver.look([]) == ""
    names = [p.name for p in all_saves()]
    assert by_hand.name in names
    autosaves = [n for n in names if ".auto" in n]
    assert len(autosaves) == KEPT
    assert autosaves == sorted(autosaves) and f"{6 * EVERY_TICKS:07d}" in autosaves[-1]


def test_an_alarm_saves_at_once_and_nothing_is_saved_twice() -> None:
    session = session_called("a")
    saver = Autosaver(session)
    assert saver.look([]) == "" and not all_saves()
    session.world.tick += 5
    saver.look([Happening(5, "alarm", 3)])
    saver.save()
    assert len(all_saves()) == 1


def test_a_finished_game_is_not_autosaved() -> None:
    session = session_called("a")
    saver = Autosaver(session)
    session.world.tick += EVERY_TICKS
    session.world.mission.status = "won"
    saver.look([])
    assert not all_saves()


def test_a_replay_is_not_autosaved() -> None:
    session = session_called("a")
    session.schedule([(9000, Order(int(OrderKind.HOLD), 0, (0,)))])
    saver = Autosaver(session)
    session.world.tick += EVERY_TICKS
    saver.look([])
    saver.save()
    assert not all_saves()


def test_a_folder_that_cannot_be_written_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in place of the folder")
    session = session_called("a")
    saver = Autosaver(session)
    session.world.tick += EVERY_TICKS
    assert "not saved by itself" in saver.look([])
    session.world.tick += EVERY_TICKS
    assert saver.look([]) == ""


def test_temporary_files_of_an_interrupted_save_are_removed_by_the_next() -> None:
    saves_folder().mkdir(parents=True)
    scratch = saves_folder() / f".a@0000012{SUFFIX}.x8k2"
    scratch.write_bytes(b"half")
    write_save(session_called("b"))
    assert not scratch.exists()


def test_progress_keeps_the_best_time_and_a_medal_once_earned() -> None:
    assert read_progress() == ({}, "")
    note_win("the_depot", 900, True)
    note_win("the_depot", 700, False)
    records, wrong = read_progress()
    assert wrong == ""
    assert (records["the_depot"].won, records["the_depot"].best_ticks, records["the_depot"].medal) == (2, 700, True)


@pytest.mark.parametrize("text", ["{", "[]", '{"missions": {"a": {"won": -3}}}', '{"missions": 3}', "\x00", "[" * 9999])
def test_a_damaged_progress_file_is_reported_and_kept_under_another_name(text: str) -> None:
    progress_file().parent.mkdir(parents=True)
    progress_file().write_text(text)
    records, wrong = read_progress()
    assert records == {} and "begins anew" in wrong and "\n" not in wrong
    assert progress_file().with_name("progress.json.bad").read_text() == text
    note_win("a", 5, False)
    assert json.loads(progress_file().read_text())["missions"]["a"]["won"] == 1


def test_continue_opens_the_newest_save(player) -> None:
    play = player.open()
    player.frames(5)
    tick = play.playing.world.tick
    play.leave()
    player.app.screens.clear()
    player.app.push(MenuMain(player.app))
    player.choose("Continue")
    player.frames(60)
    assert isinstance(player.screen, PlayScreen)
    assert player.screen.playing.world.tick >= tick > 0
