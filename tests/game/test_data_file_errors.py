"""Data files with faults: each reader reports one line that names the file.

Each kind of TOML file that the game reads is spoilt in several ways.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from game.checks.scripts.hints import load_hints
from game.checks.scripts.script import load_script
from game.level.level_writer import LevelBuilder
from game.minds.squad.squad_scripts import load_squad_scripts
from game.view.exhibits.gallery_rows import read_techniques
from game.view.figures.clip_book import read_book
from game.view.input.key_bindings import read_bindings
from game.view.painting.palette import ASSETS, read_palette
from game.view.screens.tours.tour_files import load_tour
from game.view.stealth.barks import bark_lines
from game.view.window.mission_cards import load_missions
from game.view.window.sound import sound_files
from game.view.window.user_options import read_options
from game.world.groups.playbooks import load_plays
from game.world.groups.scene_zones import load_scenes
from game.world.rules.act_table import load_acts
from game.world.unit_types import DATA, load_types


def types(file: Path) -> object:
    if file.name == "units.toml" and not file.with_name("weapons.toml").exists():
        file.with_name("weapons.toml").write_text((DATA / "weapons.toml").read_text())
    return load_types(file.parent)


def hints(file: Path) -> object:
    return load_hints(file.parent.parent / "m.tmx")


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "script": ("m.toml", load_script),
    "hints": ("hints/m.toml", hints),
    "missions": ("missions.toml", lambda file: load_missions(file.parent)),
    "units": ("units.toml", types),
    "weapons": ("weapons.toml", types),
    "playbooks": ("playbooks.toml", lambda file: load_plays(file.parent)),
    "squad scripts": ("squad_scripts.toml", lambda file: load_squad_scripts(file.parent)),
    "scenes": ("scenes.toml", lambda file: load_scenes(file.parent)),
    "acts": ("acts.toml", lambda file: load_acts(file.parent)),
    "clips": ("clips.toml", read_book),
    "barks": ("barks.toml", bark_lines.__wrapped__),
    "sounds": ("sounds.toml", sound_files),
    "palette": ("palette.toml", read_palette),
    "techniques": ("techniques.toml", read_techniques),
    "tour": ("tour.toml", load_tour),
    "options": ("options.toml", lambda file: _told(read_options(file)[1])),
    "keys": ("keys.toml", lambda file: _told(read_bindings({"stop": "S"}, file)[1])),
}


def _told(problems: list[str]) -> None:
    """Raise the first problem as an error.

    The readers of options and keys return problems, because a fault in these files never stops the game.
    """
    assert problems, "no problem was reported"
    raise ValueError(problems[0])


SPOILT = {
    "not text": bytes(range(128, 256)),
    "not TOML": b"a = = 3",
    "nested too deeply": b"a = " + b"[" * 20_000,
    "a number of many digits": b"ticks = " + b"9" * 5_000,
}


def told_of(folder: Path, kind: str, data: bytes) -> tuple[Path, str]:
    """Write a file of one kind; return its path and the reader's error."""
    name, read = READERS[kind]
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    with pytest.raises(ValueError) as told:
        read(file)
    return file, str(told.value)


@pytest.mark.parametrize("spoilt", SPOILT)
@pytest.mark.parametrize("kind", READERS)
def test_an_unreadable_file_is_reported_in_one_line_that_names_it(tmp_path: Path, kind: str, spoilt: str) -> None:
    file, words = told_of(tmp_path, kind, SPOILT[spoilt])
    assert words.startswith(f"{file}: ") and "\n" not in words


WRONG = {
    "script": "order = 3",
    "hints": "hint = 3",
    "missions": "mission = 3",
    "units": "unit = 3\n[pipeline.usual]\nstages = []",
    "weapons": "weapon = 3",
    "playbooks": "playbook = 3",
    "squad scripts": "script = 3",
    "scenes": "scene = 3",
    "acts": "act = 3",
    "clips": "clip = 3",
    "barks": "bark = 3",
    "sounds": "sound = 3",
    "palette": "side = 3",
    "techniques": "technique = 3",
    "tour": "stop = 3",
    "options": "width = 'wide'",
    "keys": "stop = 3",
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_value_of_the_wrong_type_is_reported_in_one_line_that_names_the_file(tmp_path: Path, kind: str) -> None:
    file, words = told_of(tmp_path, kind, WRONG[kind].encode())
    assert str(file) in words and "\n" not in words


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    """Read a script that starts with a byte order mark, as Notepad writes it."""
    (tmp_path / "m.toml").write_bytes(b"\xef\xbb\xbfticks = 7")
    assert load_script(tmp_path / "m.toml").ticks == 7


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"#1F5FA8"', '"#1F5"', "'#1F5' is no colour"),
        ("[overlay]", "[overlays]", "there is no 'overlay'"),
        ('"#1F5FA8"', "31", "write colours as"),
        ('"#1F5FA8"', '"#1F5FAZ"', "write colours as"),
        ('"tricorne"', '"top_hat"', "side raiders: headgear 'top_hat' is none of tricorne"),
    ],
)
def test_a_wrong_colour_is_reported_with_the_file_name(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = (ASSETS / "data" / "palette.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "palette.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=words) as told:
        read_palette(tmp_path / "palette.toml")
    assert "palette.toml" in str(told.value)


def test_a_unit_type_with_an_unknown_movement_class_is_refused(tmp_path: Path) -> None:
    text = (DATA / "units.toml").read_text().replace('movement_class = "walk"', 'movement_class = "fly"', 1)
    (tmp_path / "units.toml").write_text(text)
    with pytest.raises(ValueError, match=r"units\.toml: \[unit\.\w+\] movement_class"):
        types(tmp_path / "units.toml")


def test_a_mission_whose_par_is_no_number_is_listed_with_par_zero(tmp_path: Path) -> None:
    LevelBuilder(8, 8, title="Odd").write(tmp_path / "odd.tmx")
    text = (tmp_path / "odd.tmx").read_text().replace('name="title"', 'name="par" value="soon"/><property name="title"')
    (tmp_path / "odd.tmx").write_text(text)
    (tmp_path / "missions.toml").write_text('[[mission]]\nlevel = "odd.tmx"\npicture = "a.png"\nline = ""\n')
    assert [(m.title, m.par) for m in load_missions(tmp_path)] == [("Odd", 0)]
