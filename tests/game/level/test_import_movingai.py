"""Import of benchmark maps: exactly the open tiles of the benchmark are walkable."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ai.grid.movingai import read_letters
from game.level import load_level
from game.level.passability_masks import WALK
from tools.import_movingai import main

ROWS = ["@@@@@@", "@.GST@", "@.W..@", "@OO..@", "@@@@@@"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "type octile"),
        ("type octile\nheight 4", "height and width"),
        ("type octile\nheight 0\nwidth 3\nmap\n", "0 tiles high"),
        ("type octile\nheight 2\nwidth 4\nmap\n....\n", "fewer than 2 rows of 4"),
    ],
)
def test_a_bad_map_is_reported_in_one_line(tmp_path, text, words):
    (tmp_path / "bad.map").write_text(text)
    with pytest.raises(ValueError, match=words) as error:
        read_letters(tmp_path / "bad.map")
    assert "\n" not in str(error.value) and "bad.map" in str(error.value)


def test_open_tiles_are_the_letters_that_the_format_calls_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.map").write_text(f"type octile\nheight {len(ROWS)}\nwidth {len(ROWS[0])}\nmap\n" + "\n".join(ROWS))
    assert main([str(tmp_path / "m.map")]) == 0
    level = load_level(tmp_path / "m.tmx")
    assert ((level.passable & WALK) != 0).tolist() == [[c in ".GS" for c in row] for row in ROWS]
    assert len(level.spawns) == 8
    assert main([str(tmp_path / "m.map")]) == 1, "an existing level is not overwritten"
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["none.map", "m.tmx"], "none.map: cannot be read"), (["bad.map", "m.txt"], "ends in .tmx"), (["."], ".: ")],
)
def test_wrong_file_arguments_are_reported_in_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert told.startswith("import_movingai: ") and words in told and told.count("\n") == 1


def test_not_a_benchmark_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.map").write_text("hello")
    assert main([str(tmp_path / "m.map")]) == 1
    assert "m.map" in capsys.readouterr().err


@pytest.mark.parametrize("packed", [False, True])
def test_packed_and_plain_maps_are_the_same_level(tmp_path: Path, packed: bool) -> None:
    from game.level.level_writer import LevelBuilder

    b = LevelBuilder(30, 20)
    b.ground[:] = np.arange(600).reshape(20, 30) % 12
    b.write(tmp_path / "m.tmx", packed=packed)
    assert np.array_equal(load_level(tmp_path / "m.tmx").ground, b.ground)


def _rooms(folder: Path) -> Path:
    letters = np.full((40, 60), ord("."), np.uint8)
    letters[[0, -1]] = letters[:, [0, -1]] = ord("@")
    letters[:, 20] = letters[:, 40] = ord("T")
    letters[8:11, 20] = letters[30:33, 40] = ord(".")
    text = "\n".join(bytes(row).decode() for row in letters)
    (folder / "rooms.map").write_text(f"type octile\nheight 40\nwidth 60\nmap\n{text}\n")
    assert main([str(folder / "rooms.map")]) == 0
    return folder / "rooms.tmx"


def test_an_imported_map_is_walked_from_end_to_end(tmp_path: Path) -> None:
    from game.checks.headless import run_level
    from game.checks.scripts.script import Script

    script = Script.model_validate(
        {
            "ticks": 700,
            "order": [{"tick": 1, "units": "raiders", "kind": "move", "at": [56.5, 4.5]}],
            "expect": [
                {"kind": "arrives", "units": "raiders", "at": [56.5, 4.5], "radius": 4.0},
                {"kind": "no_wall"},
                {"kind": "statistic", "name": "failed", "at_most": 0},
            ],
        }
    )
    assert run_level(_rooms(tmp_path), script=script).failures() == []


def test_searches_on_an_imported_map_find_the_published_lengths(tmp_path: Path) -> None:
    from ai.grid.movingai import read_scenario
    from ai.grid.terrain import Terrain
    from ai.search.explorer import Question, build
    from tests.ai.search.grids import benchmark_folder

    folder = benchmark_folder()
    if folder is None:
        pytest.skip("FOGLINE_MAPS names no folder of benchmark maps")
    assert main([str(folder / "arena.map"), str(tmp_path / "arena.tmx")]) == 0
    level = load_level(tmp_path / "arena.tmx")
    terrain = Terrain.build(level.passable, level.cost)
    rows = read_scenario(folder / "arena.map.scen")
    for i in range(0, len(rows.starts), max(len(rows.starts) // 12, 1)):
        start, goal = tuple(rows.starts[i].tolist()), tuple(rows.goals[i].tolist())
        for algorithm in ("astar", "jps", "subgoal_2"):
            explorer = build(terrain, Question(algorithm, start, goal))
            assert explorer.frame(explorer.total).cost == pytest.approx(rows.optima[i], rel=1e-4, abs=1e-4)
