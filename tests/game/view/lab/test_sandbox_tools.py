"""Sandbox tools in the window: a scripted user paints with mouse and keys."""

import numpy as np
import pygame
import pytest

from game.level.level_writer import LevelBuilder
from game.view.screens.menu_screen import SandboxScreen
from game.view.window.user_options import maps_folder
from game.world.units import LabMark
from tests.game.view.conftest import player  # noqa: F401

TILE = 16


@pytest.fixture
def play(player, tmp_path):  # noqa: F811
    """Open a meadow with four raiders in Lab, with the palette shown."""
    level = LevelBuilder(40, 30)
    for i in range(4):
        level.add("spawn", 8.5 + i, 15.5, name=f"R{i + 1}")
    level.add("spawn", 34.5, 5.5, side="guards", name="Gus", facing=180)
    (tmp_path / "own.tiled-project").write_text("{}")
    level.write(tmp_path / "meadow.tmx")
    screen = player.open(tmp_path / "meadow.tmx")
    screen.camera.set_zoom(TILE)
    screen.camera.centre_on(20, 15)
    player.press("tools")
    player.frames(2)
    yield screen
    player.app.pop()


def at(play, x, y):
    """Return the pixel of the middle of a tile."""
    return play.camera.to_screen(x + 0.5, y + 0.5)


def press(player, play, name):  # noqa: F811
    player.click(play.tools.panel.buttons[name].rect.center)


def done(play):
    return [stroke.brush for stroke in play.playing.world.brushwork.done]


def test_a_user_paints_and_undoes_with_mouse_and_keys(player, play):  # noqa: F811
    world = play.playing.world
    assert play.view.lab and play.tools.shows
    press(player, play, "wall")
    player.drag(at(play, 20, 10), at(play, 20, 18))
    player.frames(4, 50)
    assert [y for y in range(30) if not world.terrain.passable[y, 20]] == list(range(10, 19))
    assert done(play) == ["wall"] and not play.selection.ids, "a drag is one stroke and selects nothing"
    player.key(0, pygame.KSCAN_2)
    player.click(at(play, 20, 14))
    player.frames(4, 50)
    assert [(d.x0, d.y0, d.x1, d.y1) for d in world.doors] == [(20, 14, 21, 15)]
    player.key(0, pygame.KSCAN_9)
    player.key(0, pygame.KSCAN_8)
    assert (play.tools.box.tool, play.tools.box.size) == ("erase", 2)
    player.click(at(play, 20, 10))
    player.frames(4, 50)
    assert world.terrain.passable[10:12, 20].all() and not world.terrain.passable[12, 20]
    for tool, left in (("undo", ["wall", "door"]), ("undo", ["wall"]), ("redo", ["wall", "door"])):
        press(player, play, tool)
        player.frames(4, 50)
        assert done(play) == left
    assert world.doors and not world.terrain.passable[10, 20]
    player.press("undo_stroke")
    player.press("undo_stroke")
    player.frames(4, 50)
    assert done(play) == [] and world.terrain.passable[:, 20].all() and not world.doors
    assert not play.tools.panel.buttons["undo"].is_enabled and play.tools.panel.buttons["redo"].is_enabled
    # Without a mouse: walk the buttons, press with Enter, put the tool down with Esc.
    for _ in range(3):
        player.key(0, pygame.KSCAN_PAGEDOWN)
    player.key(pygame.K_RETURN, pygame.KSCAN_RETURN)
    assert play.tools.box.tool == "water"
    player.key(pygame.K_ESCAPE, pygame.KSCAN_ESCAPE)
    assert play.tools.box.tool == "" and player.screen is play
    player.click(at(play, 9, 15))
    assert play.selection.ids == (1,), "without a tool the mouse selects again"


def test_a_user_places_changes_and_tests_paths_of_units(player, play):  # noqa: F811
    u = play.playing.world.units
    before = u.count
    for name in ("side", "kind", "count", "place"):
        press(player, play, name)
    player.click(at(play, 25, 5))
    player.frames(4, 50)
    assert u.count == before + 4 and set(u.side[before : u.count].tolist()) == {2}
    assert np.hypot(u.x[before : u.count] - 25.5, u.y[before : u.count] - 5.5).max() < 3
    player.click(at(play, 25, 8), button=3)
    assert play.tools.box.tool == "", "the right button puts the tool down"
    player.click(player.place(0))
    for name in ("freeze", "blind", "freeze"):
        press(player, play, name)
        player.frames(3, 50)
    assert u.lab[0] == int(LabMark.BLIND) and not u.lab[1:].any()
    press(player, play, "teleport")
    player.click(at(play, 30, 20))
    press(player, play, "duplicate")
    player.frames(3, 50)
    assert (int(u.x[0]), int(u.y[0])) == (30, 20) and u.count == before + 5
    press(player, play, "delete")
    player.frames(3, 50)
    assert not u.alive[0] and play.selection.ids == ()
    player.key(0, pygame.KSCAN_1)
    player.drag(at(play, 10, 2), at(play, 10, 12))
    player.frames(3, 50)
    press(player, play, "path")
    player.click(at(play, 8, 7))
    player.click(at(play, 13, 7))
    found = play.tools.map.test
    assert found.found and found.nodes > 0 and found.length > 11, "the wall is in the way"
    player.frames(2)
    press(player, play, "play_as")
    assert play.playing.side == 1 and play.scene.fog.sighted[5, 34] and not play.scene.fog.sighted[20, 2]
    press(player, play, "clear")
    assert play.tools.map.test is None


def test_a_stroke_on_a_paused_game_shows_at_once_and_the_past_is_left_alone(player, play):  # noqa: F811
    world, clock = play.playing.world, play.playing.clock
    clock.paused = True
    tick = world.tick
    player.key(0, pygame.KSCAN_3)
    player.click(at(play, 25, 20))
    player.frames(3, 50)
    assert world.tick == tick + 1 and not world.terrain.passable[20, 25] & 1
    play.timeline.travel.seek(0)
    player.frames(3)
    player.click(at(play, 26, 22))
    player.frames(3)
    assert "past" in play.notice and done(play) == []
    play.timeline.travel.leave()
    assert done(play) == ["water"]
    clock.paused = False


def test_a_painted_map_is_saved_under_a_name_and_opens_again(player, play, tmp_path):  # noqa: F811
    player.key(0, pygame.KSCAN_1)
    player.drag(at(play, 15, 8), at(play, 15, 12))
    player.frames(3, 50)
    press(player, play, "save")
    assert player.screen is not play
    player.screen.entry.set_text(str(tmp_path / "no" / "x.tmx"))
    player.choose("Save")
    assert "folder does not exist" in player.screen.message and "\n" not in player.screen.message
    player.screen.entry.set_text(str(tmp_path / "mine.tmx"))
    player.choose("Save")
    assert player.screen is play and "mine.tmx" in play.notice
    press(player, play, "save")
    player.screen.entry.set_text(str(tmp_path / "mine.tmx"))
    player.choose("Save")
    assert "Save again replaces it" in player.screen.message
    player.choose("Save")
    again = player.open(tmp_path / "mine.tmx")
    assert not again.playing.world.terrain.passable[8:13, 15].any() and len(again.playing.level.spawns) == 5
    player.app.pop()


def test_the_list_of_maps_shows_own_maps_first_with_a_picture(player):  # noqa: F811
    maps_folder().mkdir(parents=True)
    level = LevelBuilder(12, 8)
    level.fill("water", 3, 2, 5, 6)
    level.add("spawn", 9.5, 5.5)
    level.write(maps_folder() / "pond.tmx")
    player.app.push(SandboxScreen(player.app))
    player.frames(2)
    screen = player.screen
    assert screen.list.rows[0].key.endswith("pond.tmx") and screen.list.chosen == screen.list.rows[0].key
    shown = screen._previews[screen.list.chosen]
    palette = player.app.palette
    assert shown.words == "12 x 8 tiles, 1 unit, no mission: a sandbox"
    assert shown.picture.get_at((3, 2))[:3] == tuple(palette.grounds["water"])
    assert shown.picture.get_at((9, 5))[:3] == tuple(palette.sides[0].colour)
    player.app.pop()
