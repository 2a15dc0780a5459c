"""Levels saved while they are played, and maps dropped on the window."""

import pygame
import pytest

from game.level.level_writer import LevelBuilder
from game.view.screens.loading_screen import LoadingScreen
from game.view.screens.menu_screen import MenuMain
from game.view.window.autosaver import write_save
from tests.game.view.conftest import player  # noqa: F401


def draw(path, wall: int, width: int = 40):
    level = LevelBuilder(width, 30)
    level.fill("wall", wall, 2, wall + 1, 9)
    for i in range(3):
        level.add("spawn", 8.5 + i, 15.5, name=f"R{i + 1}")
    level.write(path, overwrite=True)
    return path


@pytest.fixture
def play(player, tmp_path):  # noqa: F811
    (tmp_path / "own.tiled-project").write_text("{}")
    screen = player.open(draw(tmp_path / "meadow.tmx", 20))
    yield screen
    while player.app.screens:
        player.app.pop()
    player.app.running = True


def wait(player):  # noqa: F811
    """Let the watch look three times; nothing is drawn meanwhile."""
    draw_window, player.app.draw = player.app.draw, lambda: None
    player.frames(28, 50)
    player.app.draw = draw_window
    player.frames()


def test_a_saved_level_is_read_again_and_a_faulty_one_is_not(player, play, tmp_path):  # noqa: F811
    path = tmp_path / "meadow.tmx"
    play.camera.set_zoom(16)
    play.camera.centre_on(18, 14)
    play.selection.choose([1])
    player.press("lab")
    play.lab.overlays.on.clear()
    play.lab.show("minds")
    play.playing.clock.paused = True
    view = (play.camera.x, play.camera.y, play.camera.zoom)
    first = play.playing
    wait(player)
    assert play.playing is first, "an untouched level is not read again"
    draw(path, 25)
    wait(player)
    world = play.playing.world
    assert play.playing is not first and not world.terrain.passable[5, 25] and world.terrain.passable[5, 20]
    assert (play.camera.x, play.camera.y, play.camera.zoom) == view and play.playing.clock.paused
    assert play.selection.ids == (1,) and [o.name for o in play.lab.overlays.on] == ["minds"] and play.view.lab
    good = play.playing
    text = path.read_text()
    path.write_text(text[: len(text) // 2])
    wait(player)
    assert play.playing is good and "meadow.tmx" in play.watch.fault and "\n" not in play.watch.fault
    path.unlink()
    wait(player)
    assert play.playing is good and play.watch.fault
    draw(path, 30, width=44)
    wait(player)
    assert play.watch.fault == "" and not play.playing.world.terrain.passable[5, 30]
    assert play.camera.map_width == 44


def test_a_level_that_vanishes_and_a_damaged_save_end_in_a_line_and_the_game_goes_on(player, play, tmp_path):  # noqa: F811
    path, game = tmp_path / "meadow.tmx", play.playing
    play.playing.clock.paused = False
    path.unlink()
    wait(player)
    assert play.playing is game and "meadow.tmx" in play.watch.fault and "\n" not in play.watch.fault
    tick = game.world.tick
    player.frames(10, 50)
    assert player.screen is play and game.world.tick > tick, "the last good map goes on"
    save = write_save(game.session)
    for content in (save.read_bytes()[: save.stat().st_size // 2], b"", b"no save"):
        save.write_bytes(content)
        player.press("quick_load")
        assert player.screen is play and play.playing is game
        assert save.name in play.notice and "\n" not in play.notice
    save.unlink()
    player.press("quick_save")
    assert "Saved" in play.notice or "\n" not in play.notice
    play.restart(at_once=True)
    player.frames(2, 50)
    assert player.screen is play and play.playing.world.tick <= 2
    draw(path, 31)
    wait(player)
    assert play.watch.fault == "" and not play.playing.world.terrain.passable[5, 31], "it is read when it is back"


def test_a_damaged_replay_is_refused_in_a_line_and_the_menu_goes_on(player, tmp_path):  # noqa: F811
    menu = MenuMain(player.app)
    player.app.push(menu)
    for content in (b"no replay", b"", b"{"):
        path = tmp_path / "game.replay"
        path.write_bytes(content)
        player.app.push(LoadingScreen(player.app, path, replay=True))
        screen = player.loaded()
        assert isinstance(screen, LoadingScreen) and path.name in screen.error and "\n" not in screen.error
        player.key(pygame.K_ESCAPE)
        assert player.screen is menu
    player.app.pop()


def test_a_map_dropped_on_the_window_opens_and_another_file_does_not(player, play, tmp_path):  # noqa: F811
    other = draw(tmp_path / "other.tmx", 12)
    player.send(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "notes.txt")))
    assert player.screen is play and "only Tiled maps" in play.notice
    player.send(pygame.event.Event(pygame.DROPFILE, file=str(other)))
    assert isinstance(player.screen, LoadingScreen) or player.screen is not play
    player.loaded()
    assert player.screen.playing.level.name == "other"
