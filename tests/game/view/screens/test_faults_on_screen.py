"""Errors in overlays, screens and stages are shown, and the game is kept."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from game.sim import tick as tick_module
from game.view.overlays.overlay import REGISTRY
from game.view.screens.menu_screen import MenuMain
from game.view.screens.play_screen import PlayScreen
from game.view.window.autosaver import write_save
from game.view.window.fault_screen import FaultScreen, report
from game.view.window.user_options import data_folder


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOGLINE_DATA", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def no_other_screens(player) -> None:
    player.app.screens.clear()
    player.app.push(MenuMain(player.app))


def test_an_overlay_that_fails_is_switched_off_with_its_error(player, monkeypatch: pytest.MonkeyPatch) -> None:
    play = player.open()
    play.set_lab(True)
    play.lab.show("paths")
    assert play.lab.overlays.is_on("paths")

    def fail(*given: object) -> None:
        raise ZeroDivisionError("no scale")

    monkeypatch.setattr(REGISTRY["paths"], "draw", fail)
    player.frames(3)
    assert not play.lab.overlays.is_on("paths")
    assert "ZeroDivisionError: no scale" in play.lab.overlays.put_out["paths"]
    assert player.screen is play


def test_a_screen_that_fails_is_closed_and_reported(player, monkeypatch: pytest.MonkeyPatch) -> None:
    play = player.open()
    player.app.strict = False
    monkeypatch.setattr(play, "update", lambda dt: [][3])
    player.frames(2)
    player.app.strict = True
    assert isinstance(player.screen, MenuMain)
    assert "PlayScreen: IndexError" in player.app.problems[-1]
    player.app.problems.clear()


@pytest.fixture
def stopped(player, monkeypatch: pytest.MonkeyPatch) -> FaultScreen:
    """Return the fault screen of a game that fails 5 ticks after a save."""
    play = player.open()
    player.frames(5)
    write_save(play.playing.session, auto=True)
    last = play.playing.world.tick + 5
    stages = list(tick_module.STAGES)

    def fail(world) -> None:
        if world.tick == last:
            raise FloatingPointError("a body without a place")
        dict(stages)["move"](world)

    monkeypatch.setattr(
        tick_module, "STAGES", tuple((name, fail if name == "move" else stage) for name, stage in stages)
    )
    for _ in range(200):
        player.frames(1)
        if isinstance(player.screen, FaultScreen):
            break
    monkeypatch.setattr(tick_module, "STAGES", tuple(stages))
    assert isinstance(player.screen, FaultScreen)
    return player.screen


def test_a_stage_that_fails_stops_the_game_and_writes_its_replay(player, stopped: FaultScreen) -> None:
    assert "stage move: FloatingPointError" in str(stopped.fault)
    assert list((data_folder() / "replays").glob("fault-*.json"))
    player.frames(2)


def test_a_report_holds_replay_settings_versions_and_decisions(player, stopped: FaultScreen) -> None:
    player.choose("Save a report")
    (path,) = (data_folder() / "reports").glob("*.zip")
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        replay = json.loads(archive.read("replay.json"))
        assert b"stage move" in archive.read("fault.txt")
        assert json.loads(archive.read("versions.json"))["numpy"]
    assert names == {
        "fault.txt", "replay.json", "settings.json", "options.json", "versions.json", "decisions.txt"
    }  # fmt: skip
    assert replay["ticks"] == stopped.fault.tick
    assert zipfile.ZipFile(io.BytesIO(report(player.app, stopped.playing, stopped.fault))).testzip() is None


def test_the_last_autosave_can_be_continued(player, stopped: FaultScreen) -> None:
    player.choose("Back to the last autosave")
    assert isinstance(player.screen, PlayScreen)
    tick = player.screen.playing.world.tick
    assert tick < stopped.fault.tick
    player.screen.playing.clock.paused = False
    player.frames(30)
    assert player.screen.playing.world.tick > tick


@pytest.mark.usefixtures("stopped")
def test_the_broken_game_can_be_left(player) -> None:
    player.choose("Leave")
    assert not isinstance(player.screen, PlayScreen | FaultScreen)
