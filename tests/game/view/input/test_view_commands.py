"""Kept views, last alarm, quick saves and the words at the cursor."""

import pytest

from game.view.hud.click_words import click_words
from game.view.input.order_input import Under
from game.view.painting.camera import Camera
from game.world.events import Happening
from game.world.orders import Order, OrderKind
from tests.game.view.player import Player


@pytest.fixture(scope="module")
def play(tmp_path_factory):
    made = Player()
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("saves")
        for module in ("autosaver", "saved_games"):
            patch.setattr(f"game.view.window.{module}.saves_folder", lambda: folder)
        screen = made.open()
        screen.player = made
        yield screen
        made.app.close()


def test_a_kept_view_comes_back_with_its_zoom_and_others_are_told_of(play):
    play.camera.centre_on(20, 15)
    before = play.camera.x, play.camera.y, play.camera.zoom
    play.give_command("keep_view_2")
    play.camera.centre_on(60, 30)
    play.give_command("zoom_out")
    play.give_command("look_view_3")
    assert "No view 3" in play.notice
    play.give_command("look_view_2")
    assert (play.camera.x, play.camera.y, play.camera.zoom) == before


def test_the_last_alarm_is_looked_at_and_a_shot_is_none(play):
    play.give_command("last_alarm")
    assert "No alarm" in play.notice
    play.edge_marks.heard(Happening(1, "alarm", 9, x=40.0, y=22.0), 0)
    play.edge_marks.heard(Happening(2, "shot", 9, x=10.0, y=10.0), 50)
    play.camera.centre_on(20, 15)
    play.give_command("last_alarm")
    assert (play.camera.x, play.camera.y) == pytest.approx((40.0, 22.0))


def test_a_quick_save_is_the_game_that_a_quick_load_brings_back(play):
    play.playing.run_ticks(12)
    saved = play.playing.world.tick
    play.give_command("quick_save")
    play.playing.run_ticks(30)
    play.give_command("quick_load")
    assert play.playing.world.tick == saved
    play.player.frames(3)


def test_the_words_at_the_cursor_tell_the_effect_of_a_click():
    gate = Under(5.0, 5.0, thing=3, thing_words="gate")
    assert click_words("use", gate, True, "") == "use gate"
    assert click_words("attack", Under(5.0, 5.0, enemy=8), True, "Guard 8") == "attack Guard 8"
    assert click_words("move", Under(5.0, 5.0), True, "") == ""
    assert click_words("move", Under(5.0, 5.0), False, "") == "no way there"
    assert click_words("throw", Under(5.0, 5.0), True, "") == "throw a stone"
    assert click_words("", Under(5.0, 5.0), False, "") == ""


def test_the_camera_follows_the_selection_until_the_map_is_moved(play):
    play.selection.choose([0])
    play.camera.centre_on(60, 30)
    play.give_command("follow")
    order = Order(int(OrderKind.MOVE), 0, (0,), 30.0, 24.0)
    play.playing.give(order)
    play.playing.clock.paused = True
    for _ in range(3):
        play.playing.run_ticks(20)
        play.update(0)
        p = play.playing.picture
        x, y, _ = p.between(play.playing.clock.alpha())
        expected = Camera(play.camera.map_width, play.camera.map_height, step=play.camera.step)
        expected.centre_on(float(x[p.row_of[0]]), float(y[p.row_of[0]]))
        assert (play.camera.x, play.camera.y) == (expected.x, expected.y)
    play.give_command("zoom_in")
    play.update(0)
    assert play.choosing.followed == (0,), "a new zoom does not end it"
    play.camera.pan(60, 40)
    moved = play.camera.x, play.camera.y
    play.playing.run_ticks(20)
    play.update(0)
    assert play.choosing.followed == () and (play.camera.x, play.camera.y) == moved
