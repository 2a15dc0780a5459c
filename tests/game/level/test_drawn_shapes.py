# ruff: noqa: E501 - maps are easier to read on one line
"""Blocked tiles of drawn shapes, compared with a rasterised oracle.

The oracle shares no code with the reader of maps.
It samples 20 x 20 points of each tile and shuts a tile when at least half of it, or its middle, is covered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from game.level import load_level
from game.level.passability_masks import WALK
from tests.game.level.foreign import D, H, V, layer, png, properties, tileset, tmx, write

W, HEIGHT, T = 12, 8, 16
SUB = 20
Hit = Callable[[float, float], bool]


def shut(folder: Path, body: str) -> np.ndarray:
    """Return the shut tiles of a map of 12 x 8 tiles."""
    level = load_level(write(folder, tmx(body, W, HEIGHT)))
    return (level.passable & WALK) == 0


def share(hit: Hit) -> np.ndarray:
    """Return the share of each tile that a shape in pixels covers."""
    out = np.zeros((HEIGHT, W))
    steps = (np.arange(SUB) + 0.5) / SUB * T
    for y in range(HEIGHT):
        for x in range(W):
            out[y, x] = np.mean([[hit(x * T + px, y * T + py) for px in steps] for py in steps])
    return out


def middle(hit: Hit) -> np.ndarray:
    """Return the tiles whose middle a shape covers."""
    return np.array([[hit((x + 0.5) * T, (y + 0.5) * T) for x in range(W)] for y in range(HEIGHT)])


def box(x: float, y: float, w: float, h: float, turn: float = 0.0, pivot: tuple[float, float] | None = None) -> Hit:
    """Return a rectangle in pixels, turned clockwise by degrees about a pivot."""
    px, py = pivot or (x, y)
    c, s = math.cos(math.radians(-turn)), math.sin(math.radians(-turn))

    def hit(qx: float, qy: float) -> bool:
        dx, dy = qx - px, qy - py
        bx, by = px + c * dx - s * dy, py + s * dx + c * dy
        return x <= bx < x + w and y <= by < y + h

    return hit


def grid_with(gid: int, x: int, y: int) -> list[list[int]]:
    rows = [[0] * W for _ in range(HEIGHT)]
    rows[y][x] = gid
    return rows


GROUND = layer("Ground", [[1] * W] * HEIGHT)
BIG = tileset(17, 1, 1, (48, 32), '<tile id="0">INNER</tile>', image="big.png")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    png(tmp_path / "maps" / "big.png", 48, 32)
    return tmp_path


@pytest.mark.parametrize("flips", [0, H, V, D, H | D, V | D, H | V | D])
@pytest.mark.parametrize(
    "rect", [(0, 0, 48, 32), (0, 16, 48, 16), (16, 0, 32, 32)], ids=["whole", "lower half", "right part"]
)
def test_a_large_tile_shuts_what_its_collision_shape_covers(
    folder: Path, rect: tuple[int, int, int, int], flips: int
) -> None:
    """Oracle: each pixel of the flipped picture is counted in its tile."""
    x, y, w, h = rect
    inner = f'<objectgroup><object id="1" x="{x}" y="{y}" width="{w}" height="{h}"/></objectgroup>'
    got = shut(folder, tileset() + BIG.replace("INNER", inner) + GROUND + layer("Things", grid_with(17 | flips, 4, 5)))
    image = np.zeros((32, 48), bool)
    image[y : y + h, x : x + w] = True
    if flips & D:
        image = image.T
    if flips & H:
        image = image[:, ::-1]
    if flips & V:
        image = image[::-1]
    canvas = np.zeros((HEIGHT * T, W * T), bool)
    bottom, left = 6 * T, 4 * T
    canvas[bottom - image.shape[0] : bottom, left : left + image.shape[1]] = image
    expected = canvas.reshape(HEIGHT, T, W, T).mean(axis=(1, 3)) >= 0.5
    assert np.array_equal(got, expected)


def test_a_mark_on_a_large_tile_shuts_every_tile_that_it_covers(folder: Path) -> None:
    body = tileset() + BIG.replace("INNER", properties(solid=True)) + GROUND + layer("Things", grid_with(17, 4, 4))
    assert np.array_equal(shut(folder, body), share(box(4 * T, 3 * T, 48, 32)) > 0.5)


def test_the_covered_share_is_measured_by_the_picture_of_the_tile(folder: Path) -> None:
    """Place a tile of 16 px with a shape over its whole picture.

    Its tileset also holds a picture of 48 x 32 px.
    """
    shape = '<objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup>'
    tiles = (
        '<tileset firstgid="17" name="c" tilewidth="48" tileheight="32" tilecount="2" columns="0">'
        f'<tile id="0"><image source="big.png" width="48" height="32"/></tile>'
        f'<tile id="5"><image source="small.png" width="16" height="16"/>{shape}</tile></tileset>'
    )
    png(folder / "maps" / "small.png", 16, 16)
    got = shut(folder, tileset() + tiles + GROUND + layer("Things", grid_with(22, 3, 3)))
    assert np.argwhere(got).tolist() == [[3, 3]]


@pytest.mark.parametrize(("dx", "dy"), [(0, 16), (16, 0), (-32, 16), (7, -7), (9, -9), (0, 0)])
@pytest.mark.parametrize("by_group", [False, True])
def test_a_pixel_offset_moves_the_ground_with_the_picture(tmp_path: Path, dx: int, dy: int, by_group: bool) -> None:
    rows = [[2 if (2 <= x < 9 and y == 3) else 0 for x in range(W)] for y in range(HEIGHT)]
    offset = f'offsetx="{dx}" offsety="{dy}"'
    walls = layer("Walls", rows, attributes="" if by_group else offset)
    body = tileset() + GROUND + (f'<group name="g" {offset}>{walls}</group>' if by_group else walls)
    assert np.array_equal(shut(tmp_path, body), middle(box(2 * T + dx, 3 * T + dy, 7 * T, T)))


ANCHORS = {
    "topleft": (0, 0),
    "top": (0.5, 0),
    "center": (0.5, 0.5),
    "bottomright": (1, 1),
    "bottomleft": (0, 1),
    "": (0, 1),
}


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("alignment", ANCHORS)
@pytest.mark.parametrize(
    "how", ["layer name", "object mark", "tile mark", "tile shape", "layer property", "object class", "prop"]
)
def test_a_tile_object_blocks_where_it_is_drawn(folder: Path, how: str, alignment: str, turn: int) -> None:
    """Oracle: a rectangle of 48 x 32 px, turned about its aligned corner."""
    head = f'objectalignment="{alignment}"' if alignment else ""
    inner = {
        "tile mark": properties(collides=True),
        "tile shape": '<objectgroup><object id="1" x="0" y="0" width="48" height="32"/></objectgroup>',
    }.get(how, "")
    tiles = tileset(17, 1, 1, (48, 32), f'<tile id="0">{inner}</tile>', image="big.png", head=head)
    said = properties(solid=True) if how == "object mark" else ""
    name = "Walls" if how == "layer name" else "Things"
    outer = properties(walkable=False) if how == "layer property" else ""
    kind = {"object class": 'type="wall"', "prop": 'type="prop"'}.get(how, "")
    body = (
        f'<objectgroup name="{name}">{outer}<object id="4" gid="17" x="100" y="68" width="48" height="32"'
        f' rotation="{turn}" {kind}>{said}</object></objectgroup>'
    )
    ax, ay = ANCHORS[alignment]
    expected = middle(box(100 - ax * 48, 68 - ay * 32, 48, 32, turn, (100, 68)))
    got = shut(folder, tileset() + tiles + GROUND + body)
    assert np.array_equal(got, expected)


SHAPES = {
    "rectangle": ('width="48" height="32"', "", box(42, 42, 48, 32)),
    "turned": ('width="48" height="32" rotation="30"', "", box(42, 42, 48, 32, 30)),
    "ellipse": ('width="80" height="48"', "<ellipse/>", lambda x, y: ((x - 82) / 40) ** 2 + ((y - 66) / 24) ** 2 <= 1),
    "polygon": ("", '<polygon points="0,0 64,0 64,64 0,64"/>', box(42, 42, 64, 64)),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "how", ["class wall", "name Wall 3", "class collision", "layer Collisions", "mark", "layer mark"]
)
def test_shapes_block_by_class_name_layer_or_mark(tmp_path: Path, how: str, shape: str) -> None:
    attributes, child, hit = SHAPES[shape]
    kind, _, word = how.partition(" ")
    named = f'type="{word}"' if kind == "class" else f'name="{word}"' if kind == "name" else ""
    said = properties(impassable=True) if how == "mark" else ""
    outer = properties(blocked=True) if how == "layer mark" else ""
    layer_name = word if kind == "layer" and word != "mark" else "stuff"
    body = (
        f'<objectgroup name="{layer_name}">{outer}<object id="4" x="42" y="42" {attributes} {named}>{said}{child}'
        "</object></objectgroup>"
    )
    got, expected = shut(tmp_path, tileset() + GROUND + body), middle(hit)
    differs = got ^ expected
    # The reader's ellipse has 24 corners: a tile whose middle lies on the rim may fall to either side.
    assert np.count_nonzero(differs) <= (1 if shape == "ellipse" else 0)


@given(st.lists(st.tuples(st.integers(-8, 200), st.integers(-8, 136)), min_size=2, max_size=5))
@settings(max_examples=60, deadline=None)
def test_a_polyline_shuts_each_tile_that_it_runs_through(
    tmp_path_factory: pytest.TempPathFactory, points: list[tuple[int, int]]
) -> None:
    """Oracle: 400 points of each part of the line lie in shut tiles."""
    text = " ".join(f"{x - 4},{y - 4}" for x, y in points)
    body = (
        f'<objectgroup name="Collision"><object id="4" x="4" y="4"><polyline points="{text}"/></object></objectgroup>'
    )
    got = shut(tmp_path_factory.mktemp("line"), tileset() + GROUND + body)
    for (ax, ay), (bx, by) in pairwise(points):
        for s in np.linspace(0, 1, 400):
            x, y = (ax + s * (bx - ax)) / T, (ay + s * (by - ay)) / T
            if 0 <= x < W and 0 <= y < HEIGHT and x % 1 and y % 1:
                assert got[int(y), int(x)], f"the line runs through tile {int(x)},{int(y)}"


@pytest.mark.parametrize("y", [48, 52, 64])
def test_a_thin_wall_across_the_map_divides_it(tmp_path: Path, y: int) -> None:
    body = f'<objectgroup name="o"><object id="4" type="wall" x="0" y="{y}"><polyline points="0,0 192,0"/></object></objectgroup>'
    got = shut(tmp_path, tileset() + GROUND + body)
    parts, count = ndimage.label(~got)
    assert count == 2 and parts[0, 0] != parts[-1, 0]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("No Walk", 12), ("NonWalkable", 12), ("Not_Walkable", 12), ("collisionobjects", 12), ("CollisionLayer1", 12),
        ("unwalkable", 12), ("Impassable", 12), ("HouseWalls", 12), ("House", 12), ("Solid", 12), ("Lake", 12),
        ("HouseFloor", 0), ("No Collision", 0), ("non solid", 0), ("Bridge over water", 12), ("Water bridge", 0),
        ("Wallpaper", 0), ("Walkable", 0), ("Fenced", 0), ("Scenery", 0), ("", 0),
    ],
)  # fmt: skip
def test_names_of_layers_are_read_as_words(tmp_path: Path, name: str, rows: int) -> None:
    wall = layer(name, [[2 if y == 3 else 0 for _ in range(W)] for y in range(HEIGHT)])
    assert int(shut(tmp_path, tileset() + GROUND + wall).sum()) == rows


@pytest.mark.parametrize("place", ["tile", "layer", "object"])
@pytest.mark.parametrize(
    ("name", "value", "blocks"), [("passable", False, True), ("passable", True, False), ("is_walkable", False, True)]
)
def test_a_false_opening_property_blocks(tmp_path: Path, place: str, name: str, value: bool, blocks: bool) -> None:
    said = properties(**{name: value})
    rows = [[2 if y == 3 else 0 for _ in range(W)] for y in range(HEIGHT)]
    body = tileset(inner=f'<tile id="1">{said if place == "tile" else ""}</tile>') + GROUND
    if place == "object":
        body += (
            f'<objectgroup name="o"><object id="4" x="0" y="48" width="192" height="16">{said}</object></objectgroup>'
        )
    else:
        body += layer("Things", rows, inner=said if place == "layer" else "")
    assert int(shut(tmp_path, body).sum()) == (W if blocks else 0)


def test_the_card_of_a_map_without_blocked_tiles_says_so_first(tmp_path: Path) -> None:
    level = load_level(write(tmp_path, tmx(tileset() + layer("Mauern", [[1] * W] * HEIGHT), W, HEIGHT)))
    assert "Nothing blocks" in level.card.lines()[1]
    walls = tmx(tileset() + GROUND + layer("Walls", grid_with(2, 3, 3)), W, HEIGHT)
    assert "Nothing blocks" not in " ".join(load_level(write(tmp_path / "b", walls)).card.lines())
