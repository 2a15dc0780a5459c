"""Tilesets for level authors: ``ground.tsx`` and ``props.tsx``.

The first holds tiles with their properties, the second props to place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
import pygame

from game.level.model import GROUND
from game.level.schema import PROP_KINDS
from game.view.ground.ground_chunks import GroundPainter
from game.view.ground.ground_things import HOUSES, Thing
from game.view.ground.prop_sprites import picture
from game.view.ground.roofs import roof
from game.view.painting.palette import palette
from tools.art.drawing import png

TILE = 32
COLUMNS = 16


@dataclass(frozen=True)
class GroundKind:
    """Properties of a tile that the level loader reads.

    ``cost`` 1 is ordinary ground. ``cover`` runs from 0 to 3 (full). ``noise`` 0 leaves the loudness of a step to the
    ground.
    """

    name: str
    walkable: bool = True
    cost: float = 1.0
    blocks_sight: bool = False
    cover: int = 0
    noise: float = 0.0


GROUND_KINDS = (
    GroundKind("grass"),
    GroundKind("field", cost=1.25, cover=1),
    GroundKind("road"),
    GroundKind("wood", cost=2.0, blocks_sight=True, cover=2),
    GroundKind("water", walkable=False),
    GroundKind("reeds", cost=2.0, cover=2),
    GroundKind("stone"),
    GroundKind("gravel"),
    GroundKind("wall", walkable=False, blocks_sight=True, cover=3),
    GroundKind("bridge_stone"),
    GroundKind("bridge_plank"),
    GroundKind("floor"),
    GroundKind("void", walkable=False),
)
GRATING = GroundKind("stone", noise=2.5)
"""Iron floor: stone with a grating over it, and loud steps."""


def _property(name: str, value: object) -> str:
    kind = {bool: "bool", float: "float", int: "int"}.get(type(value))
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"   <property name={quoteattr(name)}" + (f' type="{kind}"' if kind else "") + f" value={quoteattr(text)}/>"


def properties(kind: GroundKind) -> list[str]:
    """Return the XML lines of one tile's properties."""
    values: Mapping[str, object] = {
        "blocks_sight": kind.blocks_sight,
        "cost": float(kind.cost),
        "cover": int(kind.cover),
        "ground": kind.name,
        "walkable": kind.walkable,
    }
    if kind.noise:
        values = {**values, "noise": kind.noise}
    return ["  <properties>", *(_property(name, value) for name, value in values.items()), "  </properties>"]


@dataclass(frozen=True)
class WangTile:
    """Tile of a corner set.

    ``corners`` are colour numbers: top right, bottom right, bottom left, top left.
    """

    tile: int
    corners: tuple[int, int, int, int]


@dataclass(frozen=True)
class WangSet:
    """Complete corner terrain set between ``colours`` (name, ``#rrggbb``, example tile)."""

    name: str
    tile: int
    colours: tuple[tuple[str, str, int], ...]
    tiles: tuple[WangTile, ...]


def ground_tsx(image: str, rows: int, kinds: Mapping[int, GroundKind], sets: tuple[WangSet, ...]) -> str:
    """Return the text of the tileset.

    ``kinds`` maps a local tile id to its kind.
    """
    count = rows * COLUMNS
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<tileset version="1.10" tiledversion="1.10.2" name="ground" tilewidth="{TILE}" tileheight="{TILE}"'
        f' tilecount="{count}" columns="{COLUMNS}">',
        f' <image source={quoteattr(image)} width="{COLUMNS * TILE}" height="{rows * TILE}"/>',
    ]
    for tile, kind in sorted(kinds.items()):
        lines += [f' <tile id="{tile}" type="ground">', *properties(kind), " </tile>"]
    if sets:
        lines.append(" <wangsets>")
        for one in sets:
            lines.append(f'  <wangset name={quoteattr(one.name)} type="corner" tile="{one.tile}">')
            for name, colour, tile in one.colours:
                lines.append(f'   <wangcolor name={quoteattr(name)} color="{colour}" tile="{tile}" probability="1"/>')
            for cell in one.tiles:
                a, b, c, d = cell.corners
                lines.append(f'   <wangtile tileid="{cell.tile}" wangid="0,{a},0,{b},0,{c},0,{d}"/>')
            lines.append("  </wangset>")
        lines.append(" </wangsets>")
    return "\n".join([*lines, "</tileset>"]) + "\n"


def strip(tiles: list[np.ndarray]) -> np.ndarray:
    """Return one picture of the tiles uint8[32, 32, C], row by row.

    It is COLUMNS tiles wide.
    """
    rows = -(-len(tiles) // COLUMNS)
    out = np.zeros((rows * TILE, COLUMNS * TILE, tiles[0].shape[2]), np.uint8)
    for i, tile in enumerate(tiles):
        y, x = i // COLUMNS * TILE, i % COLUMNS * TILE
        out[y : y + TILE, x : x + TILE] = tile
    return out


BACKDROP = {"bridge_stone": "water", "bridge_plank": "water"}
"""Ground on the other side of a material's edge, where it is not grass."""
NO_TERRAIN = ("grass", "void")


def _picture(ground: np.ndarray) -> np.ndarray:
    """Return a small map as the game draws it, uint8[H, W, 3]."""
    chunk = GroundPainter(ground).chunk(0, 0, TILE)
    return pygame.surfarray.array3d(chunk.full).transpose(1, 0, 2)


def edge_tile(material: str, case: int) -> np.ndarray:
    """Return the dual tile between material and backdrop, uint8[32, 32, 3]."""
    ground = np.full((8, 8), GROUND[BACKDROP.get(material, "grass")], np.uint8)
    for i, (rows, columns) in enumerate(((0, 0), (0, 4), (4, 4), (4, 0))):
        if case >> i & 1:
            ground[rows : rows + 4, columns : columns + 4] = GROUND[material]
    at = TILE * 7 // 2
    return _picture(ground)[at : at + TILE, at : at + TILE]


def plain_tile(material: str) -> np.ndarray:
    """Return a tile inside a large area of a material, uint8[32, 32, 3]."""
    ground = np.full((8, 8), GROUND[material], np.uint8)
    return _picture(ground)[4 * TILE : 5 * TILE, 4 * TILE : 5 * TILE]


def grating_tile() -> np.ndarray:
    """Return a tile of iron floor, uint8[32, 32, 3]."""
    tile = pygame.surfarray.make_surface(plain_tile(GRATING.name).transpose(1, 0, 2))
    tile.blit(picture("grating", TILE), (0, 0))
    return pygame.surfarray.array3d(tile).transpose(1, 0, 2)


def ground_tiles() -> tuple[list[np.ndarray], dict[int, GroundKind], tuple[WangSet, ...]]:
    """Return all tiles in order, the kind of each, and the terrain sets.

    Row 0 holds the plain tile of every kind, in the order of GROUND_KINDS, and the grating. Each further row is the
    terrain set of one material, with a column for each corner case. An edge tile has the kind of the material when at
    least three corners are of it.
    """
    p = palette()
    names = [kind.name for kind in GROUND_KINDS]
    tiles = [*(plain_tile(name) for name in names), grating_tile()]
    tiles += [np.zeros((TILE, TILE, 3), np.uint8)] * (COLUMNS - len(tiles))
    kinds = dict(enumerate((*GROUND_KINDS, GRATING)))
    sets = []
    for row, name in enumerate((n for n in names if n not in NO_TERRAIN), 1):
        other = BACKDROP.get(name, "grass")
        members = []
        for case in range(16):
            tile = row * COLUMNS + case
            tiles.append(edge_tile(name, case))
            kinds[tile] = GROUND_KINDS[names.index(name if case.bit_count() >= 3 else other)]
            tl, tr, br, bl = (2 if case >> i & 1 else 1 for i in range(4))
            members.append(WangTile(tile, (tr, br, bl, tl)))
        members += [WangTile(names.index(other), (1, 1, 1, 1)), WangTile(names.index(name), (2, 2, 2, 2))]
        colours = tuple((n, "#{:02x}{:02x}{:02x}".format(*p.grounds[n]), names.index(n)) for n in (other, name))
        sets.append(WangSet(f"{name} on {other}", names.index(name), colours, tuple(members)))
    return tiles, kinds, tuple(sets)


def props_tsx(rows: list[tuple[str, str, int, int]]) -> str:
    """Return the text of the tileset of props: kind, file, width, height.

    Each prop is an object of class `prop`.
    """
    width, height = (max(row[i] for row in rows) for i in (2, 3))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<tileset version="1.10" tiledversion="1.10.2" name="props" tilewidth="{width}" tileheight="{height}"'
        f' tilecount="{len(rows)}" columns="0" objectalignment="center">',
        ' <grid orientation="orthogonal" width="1" height="1"/>',
    ]
    for i, (kind, file, w, h) in enumerate(rows):
        lines += [
            f' <tile id="{i}" type="prop">',
            "  <properties>",
            f'   <property name="kind" propertytype="prop_kind" value="{kind}"/>',
            "  </properties>",
            f'  <image source="{file}" width="{w}" height="{h}"/>',
            " </tile>",
        ]
    return "\n".join([*lines, "</tileset>"]) + "\n"


def _prop_picture(kind: str) -> np.ndarray:
    """Return a prop at 32 px a tile, uint8[H, W, 4]."""
    if kind in HOUSES:
        wash, ink = roof(3, 2, TILE, HOUSES[kind])
        image = wash.copy()
        black = pygame.Surface(ink.get_size(), pygame.SRCALPHA)
        black.blit(ink, (0, 0))
        image.blit(black, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
    else:
        image = picture(Thing(kind, 0, 0).picture, TILE)
    rgb = pygame.surfarray.array3d(image).transpose(1, 0, 2)
    return np.dstack([rgb, pygame.surfarray.array_alpha(image).T])


def bake(root: Path) -> None:
    """Write ``levels/tilesets``: ``ground.tsx``, ``props.tsx`` and their pictures."""
    folder = root / "levels" / "tilesets"
    tiles, kinds, sets = ground_tiles()
    png.write(folder / "ground.png", strip(tiles))
    rows = -(-len(tiles) // COLUMNS)
    (folder / "ground.tsx").write_text(ground_tsx("ground.png", rows, kinds, sets), encoding="utf-8")
    shown = []
    for kind in PROP_KINDS:
        image = _prop_picture(kind)
        png.write(folder / "props" / f"{kind}.png", image)
        shown.append((kind, f"props/{kind}.png", image.shape[1], image.shape[0]))
    (folder / "props.tsx").write_text(props_tsx(shown), encoding="utf-8")
