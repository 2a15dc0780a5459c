"""Tilesets for Tiled: plain tiles, corner terrain sets and props."""

import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pygame

from game.level.model import GROUNDS
from game.level.schema import PROP_KINDS
from game.view.painting.palette import ASSETS

FOLDER = ASSETS.parent / "levels" / "tilesets"


def properties(tile: ET.Element) -> dict[str, str]:
    return {p.get("name", ""): p.get("value", "") for p in tile.iter("property")}


def test_the_first_row_is_the_grounds_in_order():
    root = ET.parse(FOLDER / "ground.tsx").getroot()
    tiles = {int(t.get("id", -1)): properties(t) for t in root.iter("tile")}
    assert [tiles[i]["ground"] for i in range(len(GROUNDS))] == list(GROUNDS)
    for row in tiles.values():
        assert set(row) - {"noise"} == {"ground", "walkable", "cost", "blocks_sight", "cover"}
        assert float(row["cost"]) >= 1 and 0 <= int(row["cover"]) <= 3
    assert {i: row["noise"] for i, row in tiles.items() if "noise" in row} == {len(GROUNDS): "2.5"}, "the grating"
    assert tiles[GROUNDS.index("water")]["walkable"] == "false"
    assert tiles[GROUNDS.index("wall")]["blocks_sight"] == "true"


def test_every_terrain_set_is_complete():
    root = ET.parse(FOLDER / "ground.tsx").getroot()
    sets = list(root.iter("wangset"))
    assert len(sets) == len(GROUNDS) - 2  # grass is the other side; void has no edge of its own
    for one in sets:
        assert one.get("type") == "corner" and len(list(one.iter("wangcolor"))) == 2
        corners = {tuple(t.get("wangid", "").split(",")[1::2]) for t in one.iter("wangtile")}
        assert corners == set(itertools.product("12", repeat=4))


def test_the_picture_holds_every_tile():
    root = ET.parse(FOLDER / "ground.tsx").getroot()
    image = pygame.image.load(FOLDER / "ground.png")
    count, columns = int(root.get("tilecount", 0)), int(root.get("columns", 1))
    assert image.get_size() == (columns * 32, count // columns * 32)
    pixels = pygame.surfarray.array3d(image)
    for tile in root.iter("tile"):
        x, y = int(tile.get("id", 0)) % columns * 32, int(tile.get("id", 0)) // columns * 32
        assert np.ptp(pixels[x : x + 32, y : y + 32].reshape(-1, 3), axis=0).max() > 0


def test_every_kind_of_prop_can_be_placed():
    root = ET.parse(FOLDER / "props.tsx").getroot()
    kinds = {properties(t)["kind"]: t for t in root.iter("tile")}
    assert set(kinds) == set(PROP_KINDS)
    for tile in kinds.values():
        image = tile.find("image")
        assert image is not None and (FOLDER / image.get("source", "")).is_file()
        assert tile.get("type") == "prop"
