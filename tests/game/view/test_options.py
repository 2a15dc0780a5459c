"""Options survive, and mistakes in the file are told in one line each."""

from game.view.options import Options, read_options, write_options
from game.view.shot import parse_camera, parse_size


def test_options_survive_being_written(tmp_path):
    file = tmp_path / "deep" / "options.toml"
    options = Options(width=1920, height=1080, ui_scale=1.5, volume=0.25, wasd=True, last_level='a "b"\\c.tmx')
    write_options(options, file)
    assert read_options(file) == (options, [])


def test_no_file_is_the_defaults(tmp_path):
    assert read_options(tmp_path / "none.toml") == (Options(), [])


def test_wrong_values_are_told_and_left_out(tmp_path):
    file = tmp_path / "options.toml"
    file.write_text('width = 12\nvolume = "loud"\ncolour = 3\nedge_pan = false\n', encoding="utf-8")
    options, problems = read_options(file)
    assert options == Options(edge_pan=False)
    assert len(problems) == 3 and all("\n" not in p for p in problems)


def test_broken_toml_is_the_defaults(tmp_path):
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
