"""Result of the strict first pass: a map of checked numbers and references."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from game.level.map_art import Point, TilesetImage
from game.level.tmx.tiled_project import PropertyTypes, Typed

EVERY_FLIP = 0xF0000000
"""Bits of a gid that flip the tile; the fourth is for hexagonal maps."""


@dataclass
class CheckedTileset:
    """Tileset: its pictures, and per local id properties, class and collision shapes.

    ``collision`` holds outlines in pixels of the tile's own picture.  ``on_grid``: tiles are drawn at the size of the
    map's grid, whatever the size of their pictures.
    """

    image: TilesetImage
    properties: dict[int, Typed] = field(default_factory=dict)
    classes: dict[int, str] = field(default_factory=dict)
    collision: dict[int, tuple[tuple[Point, ...], ...]] = field(default_factory=dict)
    alignment: str = "bottomleft"
    source: Path | None = None
    on_grid: bool = False

    def size_of(self, local: int) -> tuple[int, int]:
        """Return the size in pixels of a tile's own picture."""
        picture = self.image.pictures.get(local)
        if picture is not None:
            return picture.width, picture.height
        return self.image.tile_width, self.image.tile_height


@dataclass
class CheckedObject:
    """Object with lengths in pixels of the map.

    ``rotation`` is in degrees; ``points`` are relative to ``x, y``.
    """

    id: int
    name: str
    class_name: str
    place: str
    shape: str
    """``rectangle``, ``ellipse``, ``point``, ``polygon``, ``polyline``, ``text`` or ``tile``."""
    x: float
    y: float
    width: float
    height: float
    rotation: float
    visible: bool
    properties: Typed
    points: tuple[Point, ...] = ()
    gid: int = 0
    flips: int = 0
    text: str = ""
    text_size: float = 16.0
    text_color: str = ""


@dataclass
class CheckedLayer:
    """Layer in drawing order, with the state of its groups applied.

    Offsets are in pixels.
    """

    kind: str
    """``tiles``, ``objects`` or ``image``."""
    name: str
    place: str
    class_name: str
    properties: Typed
    visible: bool
    opacity: float
    dx: float
    dy: float
    tint: str = ""
    gids: NDArray[np.int32] | None = None
    flips: NDArray[np.uint8] | None = None
    objects: list[CheckedObject] = field(default_factory=list)
    image: Path | None = None
    repeat_x: bool = False
    repeat_y: bool = False


@dataclass
class CheckedMap:
    """Checked map; ``tree`` is the flat tree without images that pytmx reads."""

    path: Path
    width: int
    height: int
    tile_width: int
    tile_height: int
    infinite: bool
    class_name: str
    properties: Typed
    background: str
    types: PropertyTypes
    tilesets: list[CheckedTileset]
    layers: list[CheckedLayer]
    tree: ElementTree.Element

    def tileset_of(self, gid: int) -> CheckedTileset | None:
        """Return the tileset of a gid without flips, or None."""
        for tileset in reversed(self.tilesets):
            if tileset.image.first_gid <= gid:
                return tileset
        return None
