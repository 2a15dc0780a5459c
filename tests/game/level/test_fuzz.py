"""Fuzz tests of the map reader: a map gives a level or a LevelError.

The error is one printable line; no other exception is raised.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.level import LevelError, load_level
from tests.game.level.foreign import layer, png, properties, tileset, tmx

GIDS = [[4, 2, 0, 0], [5, 0, 0, 0], [0, 0, 0, 0]]
CHUNK = '<chunk x="-2" y="0" width="2" height="1">1,2</chunk>'
SEED = tmx(
    properties(title="Seed", night=True, par=90)
    + tileset(inner=f'<tile id="3" type="door">{properties(walkable=False, cost=2.5)}<objectgroup>'
              '<object x="0" y="0" width="16" height="16"/></objectgroup><animation><frame tileid="1" duration="9"/>'
              "</animation></tile>")
    + layer("Walls", GIDS)
    + layer("Water", GIDS, "base64-zlib", inner=properties(ground="water"))
    + f'<group name="g" opacity="0.5">{layer("inner", GIDS, "base64")}</group>'
    + '<imagelayer name="sky" offsetx="3"><image source="tiles.png"/></imagelayer>'
    + '<objectgroup name="collision"><object id="1" x="3" y="3" width="20" height="9" rotation="30"/>'
    + '<object id="2" x="9" y="9"><polygon points="0,0 20,0 9,9"/></object></objectgroup>'
    + '<objectgroup name="o"><object id="3" template="t.tx" x="40" y="40"/>'
    + f'<object id="4" type="spawn" name="Ann" x="60" y="40"><point/>{properties(side="guards", route="r")}</object>'
    + '<object id="5" type="route" name="r" x="60" y="40"><polyline points="0,0 -2,0"/></object>'
    + f'<object id="6" type="door" name="d" x="48" y="0" width="16" height="16">{properties(kind="gate")}</object>'
    + '<object id="7" x="3" y="3" width="9" height="9"><text pixelsize="7">hello</text></object>'
    + f'<object id="8" type="prop" gid="2" x="48" y="48" width="16" height="16">{properties(kind="chest")}</object>'
    + "</objectgroup>"
)  # fmt: skip
INFINITE = tmx(
    tileset() + f'<layer name="a" width="4" height="3"><data encoding="csv">{CHUNK}</data></layer>',
    attributes='infinite="1"',
)
TEMPLATE = f'<template><object type="spawn" width="3" height="3">{properties(group=2)}</object></template>'
VALUES = ["", "0", "-1", "1", "2", "1e9", "nan", "-inf", "99999999999999999999", "0.5", "x", "true", "\u0660", "../..",
          "a\\b", "#12", "2147483648", "4294967295", "1000000", "4000000", "isometric", "csv", "base64", "zlib", "gzip",
          "zstd", "t.tx", "map.tmx", "tiles.png", "spawn", "route", "door", "region", "text", "class", "object",
          "walls", "ground", "1,1 1,1", "0,0"]  # fmt: skip
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
ELEMENT = re.compile(r"<(\w+)[^<>]*/>|</\w+>|<\w+[^<>/]*>")


def attempt(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    try:
        level = load_level(path)
    except LevelError as error:
        assert str(error).isprintable(), str(error)
        return
    assert level.passable.shape == (level.height, level.width)
    assert level.cost.min() >= 1


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz") / "maps"
    png(folder / "tiles.png", 64, 64)
    (folder / "t.tx").write_text(TEMPLATE)
    return folder / "map.tmx"


@pytest.mark.parametrize("seed", [SEED, INFINITE])
def test_the_seeds_themselves_load(path: Path, seed: str) -> None:
    path.write_text(seed)
    level = load_level(path)
    assert level.width == (4 if seed == SEED else 2)
    assert len(level.spawns) == 2, "two given units, or one raider for each of two tiles"


@pytest.mark.parametrize("seed", [SEED, INFINITE], ids=["finite", "infinite"])
def test_every_attribute_with_every_odd_value(path: Path, seed: str) -> None:
    """Change each attribute to a third of the values, and leave it out.

    The third changes from attribute to attribute.
    """
    hits = list(ATTRIBUTE.finditer(seed))
    for number, hit in enumerate(hits):
        a, b = hit.span(2)
        for value in VALUES[number % 3 :: 3]:
            attempt(path, (seed[:a] + value + seed[b:]).encode())
        attempt(path, (seed[: hit.start()] + seed[hit.end() :]).encode())


@pytest.mark.parametrize("seed", [SEED, INFINITE], ids=["finite", "infinite"])
def test_every_element_left_out_or_doubled(path: Path, seed: str) -> None:
    for hit in ELEMENT.finditer(seed):
        attempt(path, (seed[: hit.start()] + seed[hit.end() :]).encode())
        attempt(path, (seed[: hit.end()] + hit.group() + seed[hit.end() :]).encode())


TSX = tileset(inner=f'<tile id="3" type="prop">{properties(kind="barrel")}<image source="tiles.png"/></tile>').replace(
    'firstgid="1" ', ""
)
PROJECT = (
    '{"propertyTypes": [{"id": 1, "name": "spawn", "type": "class", "members": ['
    '{"name": "side", "type": "string", "propertyType": "side", "value": "guards"},'
    '{"name": "group", "type": "int", "value": 7}, {"name": "kit", "type": "class", "propertyType": "kit",'
    '"value": {"shots": 3}}]}, {"name": "kit", "type": "class", "members": ['
    '{"name": "shots", "type": "int", "value": 1}'
    ']}, {"id": 2, "name": "side", "type": "enum", "storageType": "string", "values": ["guards"]}]}'
)


@pytest.mark.parametrize("part", ["t.tsx", "t.tx", ".tiled-project"])
def test_every_odd_value_in_the_files_a_map_refers_to(tmp_path: Path, part: str) -> None:
    parts = {"t.tsx": TSX, "t.tx": TEMPLATE, ".tiled-project": PROJECT}
    png(tmp_path / "tiles.png", 64, 64)
    text = tmx(
        '<tileset firstgid="1" source="t.tsx"/>' + layer("Ground", GIDS)
        + '<objectgroup name="o"><object id="1" template="t.tx" x="40" y="40"/></objectgroup>'
    )  # fmt: skip
    for name, content in parts.items():
        if name != ".tiled-project" or part == name:
            (tmp_path / name).write_text(content)
    seed = parts[part]
    pattern = re.compile(r'()("[^"]*"|\d+)') if part == ".tiled-project" else ATTRIBUTE
    for number, hit in enumerate(pattern.finditer(seed)):
        a, b = hit.span(2)
        for value in (*VALUES[number % 3 :: 3], '"x"', "null", "[]", "1e999"):
            (tmp_path / part).write_text(seed[:a] + value + seed[b:])
            attempt(tmp_path / "m.tmx", text.encode())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(VALUES)), min_size=1, max_size=4), st.booleans())
def test_several_attributes_at_once(path: Path, changes: list[tuple[int, str]], infinite: bool) -> None:
    text = INFINITE if infinite else SEED
    for which, value in changes:
        hits = list(ATTRIBUTE.finditer(text))
        a, b = hits[which % len(hits)].span(2)
        text = text[:a] + value + text[b:]
    attempt(path, text.encode())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.binary(max_size=4)), min_size=1, max_size=6), st.integers(0, 10_000)
)
def test_bytes_changed_and_the_file_cut(path: Path, changes: list[tuple[int, bytes]], cut: int) -> None:
    data = bytearray(SEED.encode())
    for where, new in changes:
        data[where % len(data) : where % len(data) + len(new)] = new
    attempt(path, bytes(data[: len(data) - cut % len(data)]) if cut % 3 == 0 else bytes(data))
