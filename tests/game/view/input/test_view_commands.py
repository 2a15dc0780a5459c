"""Kept views, last alarm, quick saves and the words at the cursor."""

import pytest

from game.view.hud.click_words import click_words
from game.view.input.order_input import Under
from game.world.events import Happening
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
