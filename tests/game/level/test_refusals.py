# ruff: noqa: E501 - maps are easier to read on one line
"""Errors of unusable maps: one line with file, place, fault and remedy."""

from __future__ import annotations

import base64
import re
import sys
import zlib
from pathlib import Path

import pytest

from game.level import LevelError, load_level
from tests.game.level.foreign import layer, png, properties, tileset, tmx, write, zstd
from tools.prose_lint import ROOT

GIDS = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 0]]
GOOD = tmx(tileset() + layer("Ground", GIDS))
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE map [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<map orientation="orthogonal" width="1" height="1" tilewidth="1" tileheight="1"><layer name="&b;"/></map>'
)


def tile_data(encoding: str, text: str, compression: str = "") -> str:
    extra = f' compression="{compression}"' if compression else ""
    return tmx(
        tileset()
        + f'<layer name="Ground" width="4" height="3"><data encoding="{encoding}"{extra}>{text}</data></layer>'
    )


def text64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def packed(raw: bytes) -> str:
    return text64(zlib.compress(raw))


def thing(inner: str) -> str:
    return tmx(f'<objectgroup name="o">{inner}</objectgroup>')


BAD = {
    "empty file": ("", "not well-formed"),
    "not XML": ("hello there", "not well-formed"),
    "JSON": ('{"width": 3}', "JSON"),
    "other XML": ("<svg/>", "'svg'"),
    "cut off": (GOOD[: len(GOOD) // 2], "not well-formed"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?><map/>', "."),
    "billion laughs": (LAUGHS, "DOCTYPE"),
    "entities of its own": ('<!DOCTYPE map SYSTEM "x.dtd" [<!ENTITY a SYSTEM "file:///etc/passwd">]><map/>', "DOCTYPE"),
    "deep nesting": ("<map>" + "<group>" * 5000, "nested"),
    "isometric": (GOOD.replace("orthogonal", "isometric"), "Map > Map Properties > Orientation"),
    "hexagonal": (GOOD.replace("orthogonal", "hexagonal"), "Map > Map Properties > Orientation"),
    "staggered": (GOOD.replace("orthogonal", "staggered"), "Map > Map Properties > Orientation"),
    "zero width": (tmx("", width=0), "width=0"),
    "negative height": (tmx("", height=-3), "height=-3"),
    "no size": ('<map orientation="orthogonal" tilewidth="16" tileheight="16"/>', "width is missing"),
    "zero tile size": (tmx("", tile=(0, 16)), "tilewidth=0"),
    "size not a number": (GOOD.replace('width="4" height="3" tile', 'width="four" height="3" tile'), "'four'"),
    "size not finite": (GOOD.replace('width="4" height="3" tile', 'width="inf" height="3" tile'), "'inf'"),
    "huge number": (GOOD.replace('width="4" height="3" tile', f'width="{"9" * 5000}" height="3" tile'), "width="),
    "bomb": (tmx("", width=100_000, height=100_000), "4000000"),
    "wide bomb": (tmx("", width=100_000, height=41), "4000000"),
    "empty infinite map": (tmx("", attributes='infinite="1"'), "."),
    "unknown compression": (tile_data("base64", "AAAA", "rar"), "rar"),
    "unknown encoding of tiles": (tile_data("hex", "00"), "hex"),
    "csv too short": (tile_data("csv", "1,2,3"), "3 tiles where 12"),
    "csv with words": (tile_data("csv", "1,2,3,x,5,6,7,8,9,10,11,12"), "whole numbers"),
    "csv with a hole": (tile_data("csv", "1,2,,4,5,6,7,8,9,10,11,12"), "number missing"),
    "csv negative": (tile_data("csv", "1,2,-3,4,5,6,7,8,9,10,11,12"), "whole numbers"),
    "csv too large": (tile_data("csv", "1,2,99999999999,4,5,6,7,8,9,10,11,12"), "too large"),
    "base64 damaged": (tile_data("base64", "@@@@"), "base64"),
    "base64 too short": (tile_data("base64", "AAAA"), "3 bytes"),
    "zlib damaged": (tile_data("base64", "AAAAAAAA", "zlib"), "damaged"),
    "zlib cut off": (tile_data("base64", packed(bytes(48))[:12], "zlib"), "zlib"),
    "zlib bomb": (tile_data("base64", packed(bytes(50_000_000)), "zlib"), "more bytes"),
    "zstd damaged": (tile_data("base64", "AAAAAAAA", "zstd"), "its zstd data is damaged"),
    "zstd cut off": (tile_data("base64", text64(zstd.compress(bytes(range(48)))[:20]), "zstd"), "ends too early"),
    "zstd empty": (tile_data("base64", "", "zstd"), "ends too early"),
    "zstd too short": (tile_data("base64", text64(zstd.compress(bytes(44))), "zstd"), "44 bytes of tiles where 48"),
    "zstd bomb": (tile_data("base64", text64(zstd.compress(bytes(50_000_000))), "zstd"), "more bytes"),
    "no data": (tmx(tileset() + '<layer name="Ground" width="4" height="3"/>'), "no tile data"),
    "tile of no tileset": (tmx(tileset() + layer("Ground", [[1, 1, 1, 1], [1, 1, 99, 1], [1, 1, 1, 1]])), "tile 2,1"),
    "tiles without tileset": (tmx(layer("Ground", GIDS)), "belongs to no tileset"),
    "two tilesets at once": (tmx(tileset() + tileset()), "both start at 1"),
    "missing tileset": (tmx('<tileset firstgid="1" source="no.tsx"/>'), "'no.tsx' does not exist"),
    "tileset outside": (tmx('<tileset firstgid="1" source="/dev/zero"/>'), "outside"),
    "json tileset": (tmx('<tileset firstgid="1" source="tiles.json"/>'), "."),
    "zero tileset tile": (GOOD.replace('tilewidth="16" tileheight="16" tilecount', 'tilewidth="0" tileheight="16" tilecount'), "tilewidth=0"),
    "negative spacing": (tmx(tileset(head='spacing="-20"')), "spacing=-20"),
    "huge tile count": (GOOD.replace('tilecount="16"', 'tilecount="999999999"'), "tilecount"),
    "missing template": (thing('<object id="4" template="no.tx" x="1" y="1"/>'), "object 4"),
    "object not finite": (thing('<object id="4" x="nan" y="1"/>'), "'nan'"),
    "object very far": (thing('<object id="4" x="1e300" y="1"/>'), "x="),
    "bad points": (thing('<object id="4" x="1" y="1"><polygon points="0,0 a,b 3,3"/></object>'), "'a,b'"),
    "object of no tileset": (thing('<object id="4" gid="77" x="1" y="1"/>'), "object 4"),
    "nowhere to walk": (tmx(tileset() + layer("Walls", [[1] * 4] * 3)), "no tile of it can be walked"),
}  # fmt: skip


LEFT_OUT = {
    "missing image": (tmx(tileset(image="nowhere.png")), "'nowhere.png' does not exist"),
    "image outside": (tmx(tileset(image="../../../../../../etc/passwd")), "outside"),
    "absolute image outside": (tmx(tileset(image="/etc/passwd")), "outside"),
    "missing image layer": (tmx('<imagelayer name="sky"><image source="sky.png"/></imagelayer>'), "'sky.png'"),
    "negative object": (thing('<object id="4" x="1" y="1" width="-5" height="1"/>'), "the size -5 x 1"),
    "bad bool": (tmx(layer("L", [[0] * 4] * 3, inner='<properties><property name="walkable" type="bool" value="perhaps"/></properties>')), "'perhaps'"),
    "bad int": (tmx('<properties><property name="par" type="int" value="12.5x"/></properties>'), "'12.5x'"),
    "bad float": (tmx('<properties><property name="wind" type="float" value="nan"/></properties>'), "'nan'"),
    "bad colour": (tmx('<properties><property name="sky" type="color" value="bluish"/></properties>'), "'bluish'"),
    "unknown property type": (tmx('<properties><property name="sky" type="blob" value=""/></properties>'), "'blob'"),
    "unknown ground": (tmx(layer("L", [[0] * 4] * 3, inner=properties(ground="lawa"))), "lawa"),
    "cost too small": (tmx(layer("L", [[0] * 4] * 3, inner=properties(cost=0.0))), "cost must be"),
    "cover too large": (tmx(layer("L", [[0] * 4] * 3, inner=properties(cover=9))), "cover must be"),
    "bad side": (thing(f'<object id="4" type="spawn" x="8" y="8"><point/>{properties(side="martians")}</object>'), "martians"),
    "bad facing": (thing(f'<object id="4" type="spawn" x="8" y="8"><point/>{properties(facing="north")}</object>'), "facing must be a number"),
}  # fmt: skip
"""Mistakes of foreign maps; the faulty part is left out with a note."""


@pytest.mark.parametrize("name", BAD)
def test_bad_map_ends_in_one_line(tmp_path: Path, name: str) -> None:
    text, said = BAD[name]
    if name == "json tileset":
        write(tmp_path, "{}", "tiles.json")
    path = write(tmp_path, text)
    if name == "empty infinite map":
        path = write(tmp_path, tmx("", 0, 0, attributes='infinite="1"'))
    with pytest.raises(LevelError) as caught:
        load_level(path)
    line = str(caught.value)
    assert "\n" not in line
    assert line.isprintable()
    assert len(line) < 400
    assert "map.tmx" in line or "tiles" in line
    assert said in line, line
    assert caught.value.cure


def test_a_zstd_map_without_the_package_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, module, None)  # an import of it fails
    with pytest.raises(LevelError, match=r"needs the package backports\.zstd; .*requirements\.txt"):
        load_level(write(tmp_path, BAD["zstd damaged"][0]))


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_mistake_of_a_foreign_map_is_left_out_with_a_note(tmp_path: Path, name: str) -> None:
    text, said = LEFT_OUT[name]
    level = load_level(write(tmp_path, text))
    assert any(said in note and "left out" in note.lower() for note in level.card.notes), level.card.notes


@pytest.mark.parametrize("name", LEFT_OUT)
def test_the_same_mistake_in_a_project_of_our_classes_is_an_error(tmp_path: Path, name: str) -> None:
    text, said = LEFT_OUT[name]
    path = write(tmp_path, text)
    (path.parent / ".tiled-project").write_bytes((ROOT / "levels" / ".tiled-project").read_bytes())
    with pytest.raises(LevelError, match=re.escape(said)) as caught:
        load_level(path)
    assert "\n" not in str(caught.value) and caught.value.cure


@pytest.mark.parametrize("where", ["nothing.tmx", ".", "no/such/folder/map.tmx", "a\0b.tmx", "x" * 5000 + ".tmx"])
def test_path_that_is_no_map(tmp_path: Path, where: str) -> None:
    with pytest.raises(LevelError) as caught:
        load_level(str(tmp_path) + "/" + where)
    assert "\n" not in str(caught.value)


def test_names_from_the_map_cannot_break_the_line(tmp_path: Path) -> None:
    nasty = "a&#10;b&#27;[31m" + "c" * 500
    # XML 1.0 forbids the escape character.
    nasty = nasty.replace("&#27;", "")
    path = write(tmp_path, tmx(tileset() + layer(nasty, [[99] * 4] * 3)))
    with pytest.raises(LevelError) as caught:
        load_level(path)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_files_are_read_below_the_farthest_project_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read a picture outside the map's folder only below the limit.

    The limit is the parent of the map's folder, a folder above it with a project file, or FOGLINE_MAP_ROOT.
    """
    folder = tmp_path / "game" / "data"
    text = tmx(tileset(image="../../../art/shared.png") + layer("Ground", GIDS))
    path = write(folder, text)
    png(tmp_path / "art" / "shared.png", 64, 48)

    def drawn() -> bool:
        return load_level(path).tilesets[0].path is not None

    assert not drawn()
    (path.parent / "map.tiled-project").write_text("{}")
    assert not drawn(), "a project beside the map does not widen the folder"
    monkeypatch.setenv("FOGLINE_MAP_ROOT", str(tmp_path))
    assert drawn()
    monkeypatch.delenv("FOGLINE_MAP_ROOT")
    (tmp_path / "world.tiled-project").write_text("{}")
    assert drawn()


def test_a_symbolic_link_to_a_file_outside_the_folder_is_not_followed(tmp_path: Path) -> None:
    path = write(tmp_path, tmx(tileset(image="link.png") + layer("Ground", GIDS)))
    outside = tmp_path.parent / f"{tmp_path.name}-outside.png"
    outside.write_bytes(b"")
    try:
        (path.parent / "link.png").symlink_to(outside)
    except OSError:
        pytest.skip("no symbolic links here")
    level = load_level(path)
    assert level.tilesets[0].path is None
    assert any("outside" in note for note in level.card.notes)


@pytest.mark.parametrize(
    "project",
    ["{", "[]", '{"propertyTypes": 3}', '{"propertyTypes": [3]}', '{"propertyTypes": [{"name": "a", "type": "class", "members": 1}]}', "[" * 100_000],
)  # fmt: skip
def test_broken_project_file(tmp_path: Path, project: str) -> None:
    path = write(tmp_path, GOOD)
    (path.parent / ".tiled-project").write_text(project)
    with pytest.raises(LevelError, match=r"tiled-project"):
        load_level(path)


def test_class_that_contains_itself(tmp_path: Path) -> None:
    members = ",".join(f'{{"name": "m{i}", "type": "class", "propertyType": "loop", "value": {{}}}}' for i in range(60))
    path = write(tmp_path, tmx("", attributes='class="loop"'))
    (path.parent / ".tiled-project").write_text(
        f'{{"propertyTypes": [{{"name": "loop", "type": "class", "members": [{members}]}}]}}'
    )
    with pytest.raises(LevelError, match="simpler"):
        load_level(path)
