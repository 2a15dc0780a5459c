"""Tilesets for level authors: ``ground.tsx`` (what each tile means) and ``props.tsx`` (things to place)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

TILE = 32
COLUMNS = 16


@dataclass(frozen=True)
class GroundKind:
    """What the level loader reads from a tile: ``cost`` 1 is ordinary, ``cover`` runs from 0 to 3 (full)."""

    name: str
    walkable: bool = True
    cost: float = 1.0
    blocks_sight: bool = False
    cover: float = 0.0


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


def _property(name: str, value: object) -> str:
    kind = {bool: "bool", float: "float", int: "int"}.get(type(value))
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"   <property name={quoteattr(name)}" + (f' type="{kind}"' if kind else "") + f" value={quoteattr(text)}/>"


def properties(kind: GroundKind) -> list[str]:
    """The XML lines of one tile's properties."""
    values: Mapping[str, object] = {
        "blocks_sight": kind.blocks_sight,
        "cost": float(kind.cost),
        "cover": float(kind.cover),
        "ground": kind.name,
        "walkable": kind.walkable,
    }
    return ["  <properties>", *(_property(name, value) for name, value in values.items()), "  </properties>"]


@dataclass(frozen=True)
class WangTile:
    """One tile of a corner set: colour numbers of its corners (top right, bottom right, bottom left, top left)."""

    tile: int
    corners: tuple[int, int, int, int]


@dataclass(frozen=True)
class WangSet:
    """A complete corner terrain set between ``colours`` (name, ``#rrggbb``, an example tile)."""

    name: str
    tile: int
    colours: tuple[tuple[str, str, int], ...]
    tiles: tuple[WangTile, ...]


def ground_tsx(image: str, rows: int, kinds: Mapping[int, GroundKind], sets: tuple[WangSet, ...]) -> str:
    """The tileset file; ``kinds`` maps a local tile id to what it means."""
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
    """Tiles uint8[32, 32, C] -> one picture, COLUMNS wide, filled row by row."""
    rows = -(-len(tiles) // COLUMNS)
    out = np.zeros((rows * TILE, COLUMNS * TILE, tiles[0].shape[2]), np.uint8)
    for i, tile in enumerate(tiles):
        y, x = i // COLUMNS * TILE, i % COLUMNS * TILE
        out[y : y + TILE, x : x + TILE] = tile
    return out


def write_ground(folder: Path, kinds: Mapping[int, GroundKind], rows: int, sets: tuple[WangSet, ...] = ()) -> None:
    """Write ``ground.tsx`` beside its picture."""
    (folder / "ground.tsx").write_text(ground_tsx("ground.png", rows, kinds, sets), encoding="utf-8")
