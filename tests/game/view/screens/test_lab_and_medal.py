"""Medals and Lab: a game in which Lab was opened earns no medal.

Kept moments, saves and replays hold that Lab was opened.
"""

from types import SimpleNamespace

import pytest

from game.sim.replay import open_replay, save_replay
from game.sim.saves import load_game, save_game
from game.view.screens.play.end_screen import EndScreen


@pytest.fixture
def play(player):
    yield player.open()
    while player.app.screens:
        player.app.screens.pop().leave()


def _won(play, at: int) -> EndScreen:
    play.playing.world.mission.status, play.playing.world.mission.ended = "won", at
    return EndScreen(play.app, play)


def test_a_win_within_the_par_earns_the_medal_and_a_slower_one_shows_the_par(play):
    assert play.playing.level.properties["par"] == 420
    assert "earned" in _won(play, 420 * 20).medal()
    assert "07:00" in _won(play, 420 * 20 + 1).medal()
    play.playing.world.mission.status = "lost"
    assert EndScreen(play.app, play).medal() == ""


@pytest.mark.parametrize(("asked", "made_out", "earned"), [(True, 0, True), (True, 1, False), (False, 1, True)])
def test_a_medal_for_an_unseen_win_is_lost_by_an_identification(asked, made_out, earned):
    world = SimpleNamespace(mission=SimpleNamespace(status="won", ended=100, identified=made_out))
    level = SimpleNamespace(properties={"par": 420, "unseen": asked})
    playing = SimpleNamespace(world=world, level=level, session=SimpleNamespace(lab_used=False))
    words = EndScreen.medal(SimpleNamespace(play=SimpleNamespace(playing=playing)))
    assert ("earned" in words) == earned and ("unseen" in words) == asked


def test_opening_lab_costs_the_medal_and_a_return_to_a_moment_does_not_restore_it(player, play):
    player.press("keep_moment")
    hash_before = play.playing.world.hash()
    player.press("lab")
    player.press("lab")
    assert play.playing.session.lab_used and not play.view.lab
    player.press("return_moment")
    assert play.playing.session.lab_used and play.playing.world.hash() == hash_before
    assert "no medal" in _won(play, 100).medal()
    play.playing.world.mission.status = "lost"
    assert EndScreen(play.app, play).medal() == "", "a lost mission shows no word about the medal"


def test_saves_and_replays_hold_that_lab_was_used(player, play, tmp_path):
    player.press("lab")
    save_game(play.playing.session, tmp_path / "game.save")
    save_replay(play.playing.session, tmp_path / "game.json")
    assert load_game(tmp_path / "game.save").lab_used
    assert open_replay(tmp_path / "game.json")[1].lab_used


def test_a_restart_is_a_new_game_that_counts_lab_only_while_lab_is_open(player, play):
    player.press("lab")
    play.restart(at_once=True)
    assert play.view.lab and play.playing.session.lab_used
    player.press("lab")
    play.restart(at_once=True)
    assert not play.playing.session.lab_used
