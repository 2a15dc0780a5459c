# ruff: noqa: E501 - maps are easier to read on one line
"""Orthogonal Tiled maps of other games: each feature of the format is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.level import load_level
from game.level.map_art import FLIP_D, FLIP_H, FLIP_V, ImageLayer, StampLayer
from game.level.passability_masks import WALK
from tests.game.level import foreign
from tests.game.level.foreign import D, H, V, layer, png, properties, tileset, tmx, write

GIDS = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 0]]


@pytest.mark.parametrize("form", ["csv", "xml", "base64", "base64-zlib", "base64-gzip", "base64-zstd"])
def test_every_tile_format_gives_the_same_tiles(tmp_path: Path, form: str) -> None:
    level = load_level(write(tmp_path, tmx(tileset() + layer("Ground", GIDS, form))))
    assert level.tile_layers[0].gids.tolist() == GIDS
    assert (level.passable & WALK).all()
    assert len(level.spawns) == 8


@pytest.mark.parametrize("tile", [(16, 16), (48, 48), (70, 70), (64, 32), (7, 13)])
def test_objects_are_scaled_by_the_maps_own_tile_size(tmp_path: Path, tile: tuple[int, int]) -> None:
    thing = f'<objectgroup name="o"><object id="3" type="spawn" x="{2.5 * tile[0]}" y="{1.25 * tile[1]}"><point/></object></objectgroup>'
    level = load_level(write(tmp_path, tmx(tileset(tile=tile) + layer("Ground", GIDS) + thing, tile=tile)))
    (spawn,) = level.spawns
    assert (spawn.x, spawn.y) == (2.5, 1.25)
    assert level.tile_size == tile


def test_a_map_without_tilesets_and_layers_is_open_ground(tmp_path: Path) -> None:
    level = load_level(write(tmp_path, tmx("", width=9, height=5)))
    assert level.passable.shape == (5, 9)
    assert (level.passable & WALK).all()
    assert {(s.x, s.y) for s in level.spawns} <= {(x + 0.5, y + 0.5) for x in range(9) for y in range(5)}
    assert [s.group for s in level.spawns] == [1, 1, 1, 1, 2, 2, 2, 2]


def test_flipped_tiles_keep_number_and_flips(tmp_path: Path) -> None:
    gids = [[1 | H, 2 | V, 3 | D, 4 | H | V | D], [0, 0, 0, 0], [0, 0, 0, 1]]
    (drawn,) = load_level(write(tmp_path, tmx(tileset() + layer("Ground", gids)))).tile_layers
    assert drawn.gids[0].tolist() == [1, 2, 3, 4]
    assert drawn.flips[0].tolist() == [FLIP_H, FLIP_V, FLIP_D, FLIP_H | FLIP_V | FLIP_D]


def test_chunks_of_an_infinite_map_become_one_rectangle(tmp_path: Path) -> None:
    """Start the map at its leftmost and topmost filled chunks; objects move with it."""
    a, b = [[1, 1], [1, 1]], [[2, 2], [2, 2]]
    chunks = "".join(
        f'<chunk x="{x}" y="{y}" width="2" height="2">{",".join(str(g) for r in gids for g in r)}</chunk>'
        for x, y, gids in ((-4, -2, a), (0, 2, b), (40, 40, [[0, 0], [0, 0]]))
    )
    body = (
        tileset() + f'<layer name="Ground" width="30" height="20"><data encoding="csv">{chunks}</data></layer>'
        '<objectgroup name="o"><object id="1" type="spawn" x="-64" y="-32"><point/></object></objectgroup>'
    )
    level = load_level(write(tmp_path, tmx(body, 30, 20, attributes='infinite="1"')))
    expected = np.zeros((6, 6), dtype=int)
    expected[0:2, 0:2], expected[4:6, 4:6] = 1, 2
    assert level.tile_layers[0].gids.tolist() == expected.tolist()
    # The corner of the map is nearer to two borders than a body's radius.
    assert (level.spawns[0].x, level.spawns[0].y) == pytest.approx((0.3, 0.3), abs=1e-3)


def test_compressed_chunks(tmp_path: Path) -> None:
    inner = foreign.data([[3, 4], [5, 6]], "base64-zlib")
    text = inner.partition(">")[2].rpartition("<")[0]
    body = (
        tileset() + '<layer name="Ground" width="2" height="2"><data encoding="base64" compression="zlib">'
        f'<chunk x="16" y="16" width="2" height="2">{text}</chunk></data></layer>'
    )
    level = load_level(write(tmp_path, tmx(body, attributes='infinite="1"')))
    assert level.tile_layers[0].gids.tolist() == [[3, 4], [5, 6]]


def test_external_tileset_brings_properties_and_pictures_relative_to_itself(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    png(folder / "art" / "pictures" / "water.png", 32, 16)
    tsx = (
        '<tileset version="1.10" name="w" tilewidth="16" tileheight="16" tilecount="2" columns="2">'
        '<image source="pictures/water.png" width="32" height="16"/>'
        f'<tile id="1">{properties(walkable=False)}</tile></tileset>'
    )
    (folder / "art" / "w.tsx").write_text(tsx)
    gids = [[1, 1, 1, 1], [1, 2, 1, 1], [1, 1, 1, 1]]
    level = load_level(write(tmp_path, tmx('<tileset firstgid="1" source="art/w.tsx"/>' + layer("Ground", gids))))
    assert ((level.passable & WALK) == 0).tolist() == [[g == 2 for g in row] for row in gids]
    picture = level.tilesets[0].picture(1)
    assert picture is not None
    assert picture.path == folder / "art" / "pictures" / "water.png"
    assert (picture.x, picture.y, picture.width, picture.height) == (16, 0, 16, 16)


def test_margin_and_spacing(tmp_path: Path) -> None:
    """Find tile 5 of a sheet of 3 columns in column 2, row 1."""
    png(tmp_path / "maps" / "sheet.png", 2 + 3 * 16 + 2 * 3, 2 + 2 * 16 + 3)
    sheet = (
        '<tileset firstgid="1" name="s" tilewidth="16" tileheight="16" margin="2" spacing="3">'
        '<image source="sheet.png"/></tileset>'
    )
    level = load_level(write(tmp_path, tmx(sheet + layer("Ground", [[6, 1, 1, 1]] * 3))))
    found = level.tilesets[0]
    assert (found.columns, found.count) == (3, 6)
    picture = found.picture(5)
    assert picture is not None and (picture.x, picture.y) == (2 + 2 * 19, 2 + 19)


def test_collection_of_images_and_animation(tmp_path: Path) -> None:
    for name, size in (("a", (16, 16)), ("b", (20, 40))):
        png(tmp_path / "maps" / f"{name}.png", *size)
    collection = (
        '<tileset firstgid="1" name="c" tilewidth="20" tileheight="40" tilecount="2" columns="0"><grid width="1" height="1"/>'
        '<tile id="0"><image width="16" height="16" source="a.png"/></tile>'
        '<tile id="7"><image source="b.png"/><animation><frame tileid="0" duration="100"/>'
        '<frame tileid="7" duration="250"/></animation></tile></tileset>'
    )
    level = load_level(write(tmp_path, tmx(collection + layer("Things", [[1, 8, 0, 0]] * 3))))
    found = level.tileset_of(8)
    assert found is not None
    big = found.picture(7)
    assert big is not None and big.path is not None
    assert (big.path.name, big.width, big.height) == ("b.png", 20, 40)
    assert found.animations[7] == ((0, 100), (7, 250))


def test_layers_inherit_visibility_opacity_and_offset_of_groups_and_keep_their_order(tmp_path: Path) -> None:
    inner = layer("inner", GIDS, attributes='opacity="0.5" offsetx="4" offsety="8"')
    body = (
        tileset()
        + layer("first", GIDS)
        + f'<group name="g" opacity="0.5" offsetx="12" visible="0">{properties(walkable=False)}{inner}'
        + '<imagelayer name="fog" offsetx="16" repeatx="1"><image source="tiles.png"/></imagelayer></group>'
        + '<objectgroup name="trees"><object id="1" gid="2" x="16" y="32" width="16" height="16"/></objectgroup>'
        + layer("last", GIDS)
    )
    level = load_level(write(tmp_path, tmx(body + '<objectgroup name="unused"/>').replace("walkable", "note")))
    assert [x.name for x in level.layers] == ["first", "inner", "fog", "trees", "last"]
    inner_layer, fog, trees = level.layers[1:4]
    assert not inner_layer.visible
    assert inner_layer.opacity == 0.25
    assert level.tile_layers[1].offset == (1.0, 0.5)
    assert isinstance(fog, ImageLayer) and fog.repeat_x and fog.x == 1.75
    assert isinstance(trees, StampLayer)
    assert (trees.stamps[0].x, trees.stamps[0].y, trees.stamps[0].gid) == (1.0, 1.0, 2)


def test_object_layer_with_every_shape_is_decoration(tmp_path: Path) -> None:
    shapes = (
        '<objectgroup name="shapes"><object id="1" x="0" y="0" width="30" height="9"/>'
        '<object id="2" x="3" y="3" width="5" height="5"><ellipse/></object><object id="3" x="1" y="1"><point/></object>'
        '<object id="4" x="1" y="1"><polygon points="0,0 9,0 9,9"/></object>'
        '<object id="5" x="1" y="1"><polyline points="0,0 9,0 9,9"/></object>'
        '<object id="6" x="16" y="16" width="32" height="16" rotation="90"><text pixelsize="8">Here</text></object>'
        '<object id="7" type="treasure" x="1" y="1"/></objectgroup>'
    )
    level = load_level(write(tmp_path, tmx(tileset() + layer("Ground", GIDS) + shapes)))
    assert (level.passable & WALK).all()
    (text,) = level.texts
    # A quarter turn about (16, 16) takes the middle of the box, (16, 8) px from there, to (-8, 16) px from there.
    assert (text.text, text.size, text.x, text.y) == ("Here", 0.5, 0.5, 2.0)
    assert level.card.layers[1].taken_for == "decoration"


def test_an_object_takes_missing_properties_from_its_template(tmp_path: Path) -> None:
    template = (
        '<template><object name="gate keeper" type="spawn" width="16" height="16">'
        f"{properties(side='guards', group=12, facing=90.0)}</object></template>"
    )
    write(tmp_path, template, "keeper.tx")
    things = (
        '<objectgroup name="o"><object id="8" template="keeper.tx" x="16" y="16"/>'
        f'<object id="9" template="keeper.tx" name="Odo" x="32" y="16">{properties(group=13)}</object></objectgroup>'
    )
    a, b = load_level(write(tmp_path, tmx(tileset() + layer("Ground", GIDS) + things))).spawns
    assert (a.name, a.side, a.group, round(a.facing, 4), a.x, a.y) == ("gate keeper", 1, 12, 1.5708, 1.5, 1.5)
    assert (b.name, b.side, b.group, b.x) == ("Odo", 1, 13, 2.5)


def test_template_with_a_tile_brings_its_tileset(tmp_path: Path) -> None:
    write(
        tmp_path,
        '<tileset name="t" tilewidth="16" tileheight="16" tilecount="4" columns="4"><image source="tiles.png" width="64" height="16"/></tileset>',
        "t.tsx",
    )
    write(
        tmp_path,
        '<template><tileset firstgid="1" source="t.tsx"/><object gid="3" width="16" height="16"/></template>',
        "tree.tx",
    )
    things = '<objectgroup name="o"><object id="8" template="tree.tx" x="16" y="16"/></objectgroup>'
    level = load_level(write(tmp_path, tmx(tileset() + layer("Ground", GIDS) + things)))
    (stamps,) = [x for x in level.layers if isinstance(x, StampLayer)]
    assert stamps.stamps[0].gid == 17 + 2
    found = level.tileset_of(stamps.stamps[0].gid)
    assert found is not None and found.name == "t"


def test_tile_object_inherits_class_and_properties_of_its_tile(tmp_path: Path) -> None:
    inner = f'<tile id="4" type="prop">{properties(kind="barrel")}</tile>'
    thing = '<objectgroup name="o"><object id="8" gid="5" x="16" y="32" width="16" height="16"/></objectgroup>'
    level = load_level(write(tmp_path, tmx(tileset(inner=inner) + layer("Ground", GIDS) + thing)))
    (prop,) = level.props
    assert (prop.kind, prop.x, prop.y) == ("barrel", 1.5, 1.5)
    assert level.passable[1, 1] == 0


def test_class_members_left_at_their_default_come_from_the_project(tmp_path: Path) -> None:
    """Read a member that only the project file gives.

    Tiled writes only members that differ from their defaults.
    The defaults of this project differ from those of Fogline.
    """
    project = (
        '{"propertyTypes": [{"id": 1, "name": "spawn", "type": "class", "members": ['
        '{"name": "side", "type": "string", "value": "guards"}, {"name": "group", "type": "int", "value": 7}]}]}'
    )
    path = write(
        tmp_path,
        tmx('<objectgroup name="o"><object id="1" type="spawn" x="8" y="8"><point/></object></objectgroup>'),
    )
    (path.parent / "game.tiled-project").write_text(project)
    (spawn,) = load_level(path).spawns
    assert (spawn.side, spawn.group, spawn.kind) == (1, 7, "guard")


def test_nested_class_properties_are_flattened(tmp_path: Path) -> None:
    project = (
        '{"propertyTypes": [{"name": "weather", "type": "class", "members": [{"name": "rain", "type": "float", "value": 0.5},'
        '{"name": "sky", "type": "string", "value": "grey"}]}]}'
    )
    inner = (
        '<properties><property name="now" type="class" propertytype="weather"><properties>'
        '<property name="rain" type="float" value="1"/></properties></property></properties>'
    )
    path = write(tmp_path, tmx(inner))
    (path.parent / ".tiled-project").write_text(project)
    level = load_level(path)
    assert (level.properties["now.rain"], level.properties["now.sky"]) == (1.0, "grey")
