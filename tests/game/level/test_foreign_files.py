# ruff: noqa: E501 - maps are easier to read on one line
"""Files of other tools load; files that are too large are refused early."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.paths.requests.body_places import fit_bodies
from game.level import LevelError, load_level
from game.level.passability_masks import WALK
from game.level.spawn_clearance import RADIUS, clear_place
from game.level.tmx.picture_size import picture_size
from tests.game.level.foreign import layer, tileset, tmx, write

GROUND = layer("Ground", [[1] * 4] * 3)


def test_a_document_type_without_a_body_is_ignored(tmp_path: Path) -> None:
    text = tmx(tileset() + GROUND).replace(
        "?>\n", '?>\n<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">\n', 1
    )
    assert load_level(write(tmp_path, text)).width == 4


def test_properties_of_unknown_types_and_without_a_name_are_left_out(tmp_path: Path) -> None:
    inner = '<properties><property name="a" type="list"><item type="int" value="3"/></property><property name="" value="x"/></properties>'
    level = load_level(write(tmp_path, tmx(inner + tileset() + GROUND)))
    notes = " ".join(level.card.notes)
    assert "'list'" in notes and "no name" in notes


@pytest.mark.parametrize("stated", [(16, 16, 1), (64, 16, 4), (640, 640, 1600)])
def test_the_size_of_a_sheet_is_that_of_its_picture(tmp_path: Path, stated: tuple[int, int, int]) -> None:
    """Read a sheet whose stated size differs from its picture.

    The picture has 64 x 64 px, so tile 16 lies in the last row.
    """
    width, height, count = stated
    sheet = (
        f'<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="{count}" columns="{width // 16}">'
        f'<image source="tiles.png" width="{width}" height="{height}"/></tileset>'
    )
    level = load_level(write(tmp_path, tmx(sheet + layer("Ground", [[16] * 4] * 3))))
    picture = level.tilesets[0].picture(15)
    assert picture is not None and (picture.x, picture.y) == (48, 48)


def test_a_tile_object_without_a_size_has_that_of_its_tile(tmp_path: Path) -> None:
    body = '<objectgroup name="o"><object id="4" type="prop" gid="3" x="32" y="32"/></objectgroup>'
    level = load_level(write(tmp_path, tmx(tileset() + GROUND + body)))
    assert np.argwhere((level.passable & WALK) == 0).tolist() == [[1, 2]]
    assert (level.props[0].width, level.props[0].height) == (1.0, 1.0)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def head_only(path: Path, width: int, height: int) -> None:
    """Write a PNG that states its size and holds no pixels."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))


@pytest.mark.parametrize("size", [(8193, 16), (16, 9000), (8000, 8000)])
@pytest.mark.parametrize("place", ["sheet", "collection", "image layer"])
def test_a_huge_picture_is_refused_before_it_is_read(tmp_path: Path, size: tuple[int, int], place: str) -> None:
    head_only(tmp_path / "maps" / "huge.png", *size)
    body = {
        "sheet": '<tileset firstgid="1" name="t" tilewidth="16" tileheight="16"><image source="huge.png" width="64" height="64"/></tileset>',
        "collection": '<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1" columns="0"><tile id="0"><image source="huge.png" width="16" height="16"/></tile></tileset>',
        "image layer": '<imagelayer name="sky"><image source="huge.png"/></imagelayer>',
    }[place]
    with pytest.raises(LevelError, match=r"huge\.png: the picture has"):
        load_level(write(tmp_path, tmx(body)))


@pytest.mark.parametrize("tag", ["object", "property", "chunk"])
def test_more_than_100000_elements_of_a_kind_are_refused(tmp_path: Path, tag: str) -> None:
    with pytest.raises(LevelError, match=f"more than 100000 elements <{tag}>"):
        load_level(write(tmp_path, tmx(f"<{tag}/>" * 100_001)))


def test_an_error_names_the_file_that_has_the_fault(tmp_path: Path) -> None:
    path = write(tmp_path, tmx('<tileset firstgid="1" source="bad.tsx"/>' + GROUND))
    (path.parent / "bad.tsx").write_text('<tileset name="t" tilewidth="16" tileheight="0"/>')
    with pytest.raises(LevelError, match=r"bad\.tsx"):
        load_level(path)
    path = write(
        tmp_path, tmx(tileset() + '<objectgroup name="o"><object id="1" template="bad.tx" x="1" y="1"/></objectgroup>')
    )
    (path.parent / "bad.tx").write_text("<template><tileset/></template>")
    with pytest.raises(LevelError, match=r"bad\.tx"):
        load_level(path)


@pytest.mark.parametrize(
    ("head", "size"),
    [
        (b"GIF89a" + struct.pack("<HH", 320, 200), (320, 200)),
        (b"BM" + bytes(16) + struct.pack("<ii", 64, -48), (64, 48)),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08" + struct.pack(">HH", 30, 40) + bytes(8), (40, 30)),
        (b"\xff\xd8\xff\xe0", None),
        (b"\x89PNG\r\n\x1a\n", None),
        (b"", None),
        (b"RIFF....WEBP", None),
    ],
)
def test_the_size_of_a_picture_is_in_its_first_bytes(head: bytes, size: tuple[int, int] | None) -> None:
    assert picture_size(head) == size


@pytest.mark.parametrize("seed", range(40))
def test_a_spawn_stands_clear_of_walls_and_borders(seed: int) -> None:
    """Compare with the distances to the border and to each shut tile."""
    dice = np.random.default_rng(seed)
    passable = (dice.random((7, 9)) < 0.6).astype(np.uint8) * WALK
    tiles = np.argwhere(passable)
    row, column = tiles[dice.integers(len(tiles))]
    x, y = column + dice.random(), row + dice.random()
    nx, ny = clear_place(passable, float(x), float(y))
    assert (int(nx), int(ny)) == (column, row), "it stays in its tile"
    assert min(nx, ny, 9 - nx, 7 - ny) >= RADIUS
    for r, c in np.argwhere(passable == 0).tolist():
        far = np.hypot(max(c - nx, 0, nx - c - 1), max(r - ny, 0, ny - r - 1))
        assert far >= RADIUS - 1e-9, f"{far} tiles from tile {c},{r}"
    if (nx, ny) != (x, y):
        near = [np.hypot(max(c - x, 0, x - c - 1), max(r - y, 0, y - r - 1)) for r, c in np.argwhere(passable == 0)]
        assert min([*near, x, y, 9 - x, 7 - y]) < RADIUS + 1e-5, "a clear place stays as it is"


def test_a_cleared_spawn_position_is_not_moved_by_the_kernel_of_orders() -> None:
    """Oracle: the kernel that fits the bodies of ordered places.

    The reader of maps does not call it, because maps are read before numba is loaded.
    """
    moved = 0
    for seed in range(60):
        dice = np.random.default_rng(seed)
        passable = (dice.random((7, 9)) < 0.6).astype(np.uint8) * WALK
        tiles = np.argwhere(passable)
        row, column = tiles[dice.integers(len(tiles))]
        x, y = float(column + dice.random()), float(row + dice.random())
        place = clear_place(passable, x, y)
        fitted = fit_bodies(Terrain.build(passable), 0, np.array([place]), RADIUS)
        assert fitted[0] == pytest.approx(place, abs=1e-9)
        moved += place != (x, y)
    assert moved > 10


def test_a_spawn_that_is_moved_is_noted(tmp_path: Path) -> None:
    body = (
        tileset()
        + GROUND
        + '<objectgroup name="o"><object id="4" type="spawn" x="1" y="20"><point/></object></objectgroup>'
    )
    level = load_level(write(tmp_path, tmx(body)))
    assert level.spawns[0].x == pytest.approx(RADIUS, abs=1e-3)
    assert any("1 spawn stands nearer to a wall" in note for note in level.card.notes)
