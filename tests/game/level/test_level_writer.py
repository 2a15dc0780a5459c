"""Level writer: a written level reads back equal, and no half file is left."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.level import load_level
from game.level.level_writer import GROUND_TILESET, LETTERS, LevelBuilder
from game.level.model import GROUND, GROUNDS
from game.level.starter import write_starter
from game.level.terrain.grounds import RULES


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_round_trip(tmp_path: Path, width: int, height: int, data: st.DataObject) -> None:
    cells = st.lists(st.sampled_from(sorted(set(LETTERS) - {" "})), min_size=width, max_size=width)
    rows = ["".join(row) for row in data.draw(st.lists(cells, min_size=height, max_size=height))]
    rows[0] = "." + rows[0][1:]
    b = LevelBuilder.from_letters("\n".join(rows), title="A & <b>")
    b.write(tmp_path / "m.tmx", overwrite=True)
    level = load_level(tmp_path / "m.tmx")
    assert level.ground.tolist() == [[GROUND[LETTERS[letter]] for letter in row] for row in rows]
    assert level.title == "A & <b>"
    assert level.painted
    expected = [[RULES[LETTERS[letter]].passable for letter in row] for row in rows]
    assert level.passable.tolist() == expected


def test_objects_keep_their_place_and_properties(tmp_path: Path) -> None:
    b = LevelBuilder(20, 10)
    b.add("route", name="beat", points=((1.5, 1.5), (9.25, 1.5), (9.25, 7.125)), loop=True, wait=1.5)
    number = b.add("spawn", 3.25, 4.75, side="guards", route="beat", facing=-90, asleep=True, name='"Odo" <1>')
    b.add("light", 4, 4, radius=7.5, color="#ff102030")
    b.add("text", 2, 2, 4, 2, text="River\nAln", size=1.5)
    b.overlay("ford", "water", np.eye(10, 20, dtype=bool), walkable=True, cost=2.5)
    b.write(tmp_path / "m.tmx")
    level = load_level(tmp_path / "m.tmx")
    (spawn,) = level.spawns
    assert (spawn.id, spawn.x, spawn.y, spawn.name, spawn.asleep) == (number, 3.25, 4.75, '"Odo" <1>', True)
    route = level.route("beat")
    assert route is not None
    assert route.points == ((1.5, 1.5), (9.25, 1.5), (9.25, 7.125))
    assert (route.loop, route.wait) == (True, 30)
    assert level.lights[0].color == "#102030"
    assert (level.texts[0].text, level.texts[0].size, level.texts[0].x, level.texts[0].y) == (
        "River Aln",
        1.5,
        4.0,
        3.0,
    )
    assert (level.cost[3, 3], level.ground[3, 3], level.cost[3, 4]) == (20, GROUND["water"], 8)


def test_equal_levels_have_equal_digests_and_a_moved_spawn_changes_the_digest(tmp_path: Path) -> None:
    def digest(name: str, x: float) -> str:
        b = LevelBuilder(6, 6)
        b.add("spawn", x, 2.5)
        b.write(tmp_path / name)
        return load_level(tmp_path / name).digest

    assert digest("a.tmx", 2.5) == digest("b.tmx", 2.5) != digest("c.tmx", 3.5)


def test_starter_level_plays(tmp_path: Path) -> None:
    write_starter(tmp_path / "my_first.tmx")
    level = load_level(tmp_path / "my_first.tmx")
    assert level.title == "My first"
    assert {s.side for s in level.spawns} == {0, 1}
    assert [o.kind for o in level.objectives] == ["take", "bring"]
    assert level.painted


def test_starter_level_is_never_overwritten_and_no_half_file_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tmx"
    path.write_text("mine")
    with pytest.raises(ValueError, match="exists already"):
        write_starter(path)
    assert path.read_text() == "mine"
    with pytest.raises(ValueError, match=r"ends in \.tmx"):
        write_starter(tmp_path / "a.txt")
    with pytest.raises(ValueError, match="folder does not exist"):
        write_starter(tmp_path / "no" / "a.tmx")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ValueError, match="No space left"):
        write_starter(tmp_path / "b.tmx")
    assert not [p for p in tmp_path.iterdir() if "b.tmx" in p.name]


@pytest.mark.skipif(not GROUND_TILESET.exists(), reason="the tileset is not drawn yet")
def test_ground_tileset_has_the_grounds_in_order() -> None:
    """Compare tile n with ground n, because the writer relies on equal numbers."""
    found = {}
    for tile in ElementTree.parse(GROUND_TILESET).getroot().iter("tile"):
        for p in tile.iter("property"):
            if p.get("name") == "ground":
                found[int(tile.get("id", -1))] = p.get("value")
    assert [found.get(i) for i in range(len(GROUNDS))] == list(GROUNDS)
