"""User options: round trips, and mistakes in the file reported in one line each."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from game.level.files import read_toml, write_whole
from game.level.reading import load_level
from game.sim.session import Session
from game.view.screens.play.pause_screen import PauseScreen, write_replay
from game.view.window.shot import parse_camera, parse_size
from game.view.window.user_options import Options, read_options, write_options
from tests.game.sim.small_levels import bridge_level


def test_options_survive_being_written(tmp_path):
    file = tmp_path / "deep" / "options.toml"
    options = Options(width=1920, height=1080, ui_scale=1.5, volume=0.25, wasd=True, last_level='a "b"\\c.tmx')
    write_options(options, file)
    assert read_options(file) == (options, [])


def test_without_a_file_the_options_are_the_defaults(tmp_path):
    assert read_options(tmp_path / "none.toml") == (Options(), [])


def test_wrong_values_are_reported_and_left_out(tmp_path):
    file = tmp_path / "options.toml"
    file.write_text('width = 12\nvolume = "loud"\ncolour = 3\nedge_pan = false\n', encoding="utf-8")
    options, problems = read_options(file)
    assert options == Options(edge_pan=False)
    assert len(problems) == 3 and all("\n" not in p for p in problems)


def test_broken_toml_gives_the_defaults_and_a_problem(tmp_path):
    file = tmp_path / "options.toml"
    file.write_text("width ==", encoding="utf-8")
    options, problems = read_options(file)
    assert options == Options() and len(problems) == 1


def test_sizes_and_cameras_of_screenshots_are_read_or_refused_in_one_line():
    import pytest

    assert parse_size("1920x1080") == (1920, 1080)
    assert parse_camera("40.5,20,32") == (40.5, 20.0, 32)
    for reader, text in ((parse_size, "big"), (parse_size, "10x10"), (parse_camera, "1,2"), (parse_camera, "a,b,c")):
        with pytest.raises(ValueError, match="--"):
            reader(text)


def test_options_that_cannot_be_written_are_reported_and_the_game_goes_on(tmp_path, monkeypatch, player):
    in_the_way = tmp_path / "config"
    in_the_way.write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("FOGLINE_CONFIG", str(in_the_way))
    player.app.problems.clear()
    player.app.apply_options()
    assert "config" in player.app.problems[-1]
    player.app.problems.clear()


def test_a_save_or_replay_that_cannot_be_written_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGLINE_DATA", str(tmp_path))
    session = Session(load_level(bridge_level(tmp_path)))
    playing = SimpleNamespace(whole=lambda: None, level=session.level, world=session.world, session=session)
    (tmp_path / "replays" / "small@0000000.json").mkdir(parents=True)
    (tmp_path / "saves" / "small@0000000.fogsave" / "full").mkdir(parents=True)
    assert "cannot be written" in write_replay(playing)
    timeline = SimpleNamespace(travel=SimpleNamespace(game=playing))
    play = SimpleNamespace(playing=playing, timeline=timeline, small_picture=lambda: None)
    screen = SimpleNamespace(play=play, message="", resize=lambda: None)
    PauseScreen.save(screen)
    assert "cannot be written" in screen.message


def test_a_device_is_written_to_and_never_replaced():
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("no device here that is always full")
    with pytest.raises(ValueError, match="/dev/full: cannot be written"):
        write_whole(full, "x", overwrite=True)
    assert full.is_char_device()


@pytest.mark.parametrize("text", ["a\nb", 'say "yes"', "back\\slash", "tab\there", "\u00fc\u5730\u56f3", "\x07bell"])
def test_words_in_options_survive_every_character(tmp_path, text):
    """Write and read special characters.

    A newline in a value once spoilt the whole file.
    """
    options = Options()
    options.last_level = text
    write_options(options, tmp_path / "options.toml")
    assert read_toml(tmp_path / "options.toml")["last_level"] == text
