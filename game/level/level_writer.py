"""Writes levels as .tmx files from ground arrays and objects.

Used by ``main.py new``, by tests and by the import of benchmark maps.  Lengths in tiles.
"""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from game.level.files import write_whole
from game.level.finding import LEVELS
from game.level.map_art import Point
from game.level.model import GROUND, GROUNDS
from game.level.schema import LEVEL, OBJECTS, SchemaMember
from game.level.terrain.plain_tileset import PICTURE, ground_picture, tileset_element
from game.level.tmx.map_folder import Room

TILE = 32
"""Pixels of one tile."""
LETTERS: Mapping[str, str] = {
    ".": "grass",
    ",": "field",
    "=": "road",
    "T": "wood",
    "~": "water",
    "r": "reeds",
    "s": "stone",
    "g": "gravel",
    "#": "wall",
    "B": "bridge_stone",
    "b": "bridge_plank",
    "f": "floor",
    " ": "void",
}
"""Letters of ASCII maps."""
GROUND_TILESET = LEVELS / "tilesets" / "ground.tsx"
"""Tileset whose tile n is ground n of GROUNDS."""


class LevelBuilder:
    """Builder of a level.

    ``ground`` uint8[H, W] indexes GROUNDS.  ``overlays`` maps the name of a further layer to its ground array (255 is
    empty) and its properties.  Overlays are drawn over the ground: a ford is water in a layer with ``walkable=true``.
    """

    def __init__(self, width: int, height: int, ground: str = "grass", **properties: Any) -> None:
        self.width = width
        self.height = height
        self.ground: NDArray[np.uint8] = np.full((height, width), GROUND[ground], dtype=np.uint8)
        self.overlays: list[tuple[str, NDArray[np.uint8], dict[str, Any]]] = []
        self.properties = properties
        self._groups: dict[str, list[str]] = {}
        self._next = 1

    @classmethod
    def from_letters(cls, text: str, **properties: Any) -> LevelBuilder:
        """Return a level from rows of :data:`LETTERS`.

        Raises ValueError for ragged rows or an unknown letter.
        """
        rows = text.strip("\n").split("\n")
        if len({len(row) for row in rows}) != 1 or not rows[0]:
            raise ValueError(f"rows of a level must be equally long, got {sorted({len(r) for r in rows})}")
        out = cls(len(rows[0]), len(rows), **properties)
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter not in LETTERS:
                    raise ValueError(f"letter {letter!r} at {x},{y} is none of {''.join(LETTERS)!r}")
                out.ground[y, x] = GROUND[LETTERS[letter]]
        return out

    def fill(self, ground: str, x0: int, y0: int, x1: int, y1: int) -> None:
        """Set a ground on the tiles ``[y0:y1, x0:x1]``."""
        self.ground[y0:y1, x0:x1] = GROUND[ground]

    def overlay(self, name: str, ground: str, mask: NDArray[np.bool_], **properties: Any) -> None:
        """Add a layer with one ground where ``mask`` is set."""
        tiles = np.where(mask, GROUND[ground], 255).astype(np.uint8)
        self.overlays.append((name, tiles, properties))

    def relay(self, name: str, mask: NDArray[np.bool_], **properties: Any) -> None:
        """Add a layer that repeats the ground under ``mask`` with own properties."""
        self.overlays.append((name, np.where(mask, self.ground, 255).astype(np.uint8), properties))

    def add(
        self,
        class_name: str,
        x: float = 0.0,
        y: float = 0.0,
        width: float = 0.0,
        height: float = 0.0,
        *,
        name: str = "",
        points: tuple[Point, ...] = (),
        closed: bool = False,
        rotation: float = 0.0,
        layer: str = "objects",
        **properties: Any,
    ) -> int:
        """Add an object of one of our classes and return its id.

        An object without size and points is a point.  ``points`` are positions on the map.  Properties at
        their default are left out, as Tiled does.  Raises ValueError for a property that its class does not have.
        """
        members = {m.name: m for m in OBJECTS[class_name].members}
        unknown = set(properties) - set(members)
        if unknown:
            raise ValueError(f"{class_name} has no property {', '.join(sorted(unknown))}")
        number = self._next
        self._next += 1
        if points:
            x, y = points[0]
        attributes = {"id": str(number), "name": name, "type": class_name, "x": _px(x), "y": _px(y)}
        if width or height:
            attributes.update(width=_px(width), height=_px(height))
        if rotation:
            attributes["rotation"] = f"{rotation:g}"
        if not name:
            del attributes["name"]
        inner = ""
        text = properties.pop("text", "") if class_name == "text" else ""
        given = {k: members[k].convert(v) for k, v in properties.items()}
        inner += _properties({k: (members[k], v) for k, v in given.items() if v != members[k].default}, "   ")
        if points:
            tag = "polygon" if closed else "polyline"
            corners = " ".join(f"{_px(px - x)},{_px(py - y)}" for px, py in points)
            inner += f'   <{tag} points="{corners}"/>\n'
        elif text:
            size = round(float(given.get("size", 0.0) or 0.75) * TILE)
            style = f'fontfamily="serif" pixelsize="{size}" wrap="1" italic="1" halign="center" valign="center"'
            inner += f"   <text {style}>{escape(text)}</text>\n"
        elif not (width or height):
            inner += "   <point/>\n"
        head = "  <object " + " ".join(f"{k}={quoteattr(v)}" for k, v in attributes.items())
        self._groups.setdefault(layer, []).append(f"{head}>\n{inner}  </object>\n" if inner else f"{head}/>\n")
        return number

    def text(self, tileset: str, *, packed: bool = False) -> str:
        """Return the .tmx text; ``tileset`` declares gids 1 to 13 for the grounds.

        ``packed`` writes tiles as Base64 with zlib, for large maps, instead of CSV.
        """
        layers = [("ground", self.ground, {}), *self.overlays]
        size = f'width="{self.width}" height="{self.height}"'
        out = [
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            '<map version="1.10" tiledversion="1.10.2" class="level" orientation="orthogonal" '
            f'renderorder="right-down" {size} tilewidth="{TILE}" tileheight="{TILE}" infinite="0" '
            f'nextlayerid="{len(layers) + len(self._groups) + 1}" nextobjectid="{self._next}">\n',
        ]
        known = {m.name: m for m in LEVEL.members}
        out.append(_properties({k: (known[k], known[k].convert(v)) for k, v in self.properties.items()}, " "))
        out.append(tileset)
        number = 1
        for name, tiles, properties in layers:
            out.append(f' <layer id="{number}" name={quoteattr(name)} {size}>\n')
            if properties:
                out.append(_properties({k: (_member_of(v, k), v) for k, v in properties.items()}, "  "))
            out.append(f"  {_data(np.where(tiles == 255, 0, tiles.astype(np.int64) + 1), packed)}\n </layer>\n")
            number += 1
        for name, objects in self._groups.items():
            out.append(f' <objectgroup id="{number}" name={quoteattr(name)}>\n{"".join(objects)} </objectgroup>\n')
            number += 1
        out.append("</map>\n")
        return "".join(out)

    def write(self, path: Path, *, overwrite: bool = False, packed: bool = False) -> None:
        """Write the level; raises ValueError when the file exists or cannot be written.

        A level refers to ``levels/tilesets/ground.tsx`` where it may read that file.  Elsewhere a small tileset image
        is written beside the level.
        """
        inside = GROUND_TILESET.is_file() and GROUND_TILESET.is_relative_to(Room(path).root)
        if inside:
            source = Path(os.path.relpath(GROUND_TILESET, path.resolve().parent)).as_posix()
            tileset = f' <tileset firstgid="1" source={quoteattr(source)}/>\n'
        else:
            tileset = tileset_element()
            picture = path.resolve().parent / PICTURE
            if not picture.exists():
                write_whole(picture, ground_picture())
        write_whole(path, self.text(tileset, packed=packed).encode("utf-8"), overwrite=overwrite)


def _data(gids: NDArray[np.int64], packed: bool) -> str:
    if packed:
        raw = base64.b64encode(zlib.compress(gids.astype("<u4").tobytes(), 9)).decode()
        return f'<data encoding="base64" compression="zlib">\n   {raw}\n  </data>'
    rows = ",\n".join(",".join(map(str, row)) for row in gids.tolist())
    return f'<data encoding="csv">\n{rows}\n</data>'


def _px(tiles: float) -> str:
    return f"{round(tiles * TILE, 3):g}" if abs(tiles) < 1e4 else str(round(tiles * TILE))


def _member_of(value: Any, name: str) -> SchemaMember:
    kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"
    return SchemaMember(name, kind if not isinstance(value, str) else "string", value, "")


def _properties(values: Mapping[str, tuple[SchemaMember, Any]], indent: str) -> str:
    if not values:
        return ""
    rows = []
    for name, (member, value) in sorted(values.items()):
        kind = "" if member.kind in ("string", "enum") else f' type="{member.kind}"'
        enum = f' propertytype="{member.enum}"' if member.enum else ""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        rows.append(f"{indent} <property name={quoteattr(name)}{kind}{enum} value={quoteattr(text)}/>\n")
    return f"{indent}<properties>\n{''.join(rows)}{indent}</properties>\n"


assert set(LETTERS.values()) == set(GROUNDS)
