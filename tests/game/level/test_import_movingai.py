"""A benchmark map becomes a level on which exactly the benchmark's open tiles can be walked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.level import load_level
from game.level.classes import WALK
from tools.import_movingai import main

ROWS = ["@@@@@@", "@.GST@", "@.W..@", "@OO..@", "@@@@@@"]


def test_open_tiles_are_the_letters_that_the_format_calls_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.map").write_text(f"type octile\nheight {len(ROWS)}\nwidth {len(ROWS[0])}\nmap\n" + "\n".join(ROWS))
    assert main([str(tmp_path / "m.map")]) == 0
    level = load_level(tmp_path / "m.tmx")
    assert ((level.passable & WALK) != 0).tolist() == [[c in ".GS" for c in row] for row in ROWS]
    assert len(level.spawns) == 8
    assert main([str(tmp_path / "m.map")]) == 1  # it does not write over it
    assert "exists already" in capsys.readouterr().err


def test_not_a_benchmark_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.map").write_text("hello")
    assert main([str(tmp_path / "m.map")]) == 1
    assert "m.map" in capsys.readouterr().err


@pytest.mark.parametrize("packed", [False, True])
def test_packed_and_plain_maps_are_the_same_level(tmp_path: Path, packed: bool) -> None:
    from game.level.build import LevelBuilder

    b = LevelBuilder(30, 20)
    b.ground[:] = np.arange(600).reshape(20, 30) % 12
    b.write(tmp_path / "m.tmx", packed=packed)
    assert np.array_equal(load_level(tmp_path / "m.tmx").ground, b.ground)
