"""Pictures of a map: tilesets, tile layers, images and placed tiles.

Lengths are in tiles, as in :mod:`game.level.model`, unless they are said to be pixels of an image.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]


@dataclass(frozen=True)
class TileImage:
    """Picture of one tile: a rectangle in pixels of an image file.

    ``path`` is None for a tile without a picture.
    """

    path: Path | None
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class TilesetImage:
    """Tileset: tiles cut from one image, or a collection of images.

    ``path`` is None for a collection.  A tile of gid ``g`` belongs to the tileset with the largest ``first_gid`` not
    above ``g``; its local id is ``g - first_gid``.  All lengths are in pixels of the image.
    """

    name: str
    first_gid: int
    count: int
    tile_width: int
    tile_height: int
    path: Path | None = None
    columns: int = 0
    margin: int = 0
    spacing: int = 0
    transparent: str = ""
    """Colour key ``#rrggbb``, or empty."""
    offset_x: int = 0
    offset_y: int = 0
    """Offset in pixels, right and down, at which tiles are drawn."""
    pictures: MappingProxyType[int, TileImage] = field(default_factory=lambda: MappingProxyType({}))
    """Local id -> picture, for a collection of images."""
    animations: MappingProxyType[int, tuple[tuple[int, int], ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Local id -> ((local id, milliseconds), ...)."""

    def picture(self, local_id: int) -> TileImage | None:
        """Return the picture of a tile, or None when it has none."""
        if local_id in self.pictures:
            return self.pictures[local_id]
        if self.path is None or self.columns <= 0 or not 0 <= local_id < self.count:
            return None
        row, column = divmod(local_id, self.columns)
        x = self.margin + column * (self.tile_width + self.spacing)
        y = self.margin + row * (self.tile_height + self.spacing)
        return TileImage(self.path, x, y, self.tile_width, self.tile_height)


FLIP_H, FLIP_V, FLIP_D = 1, 2, 4
"""Bits of ``TileLayer.flips``: horizontal, vertical and diagonal flip.

The diagonal flip, across the main diagonal, is applied first.
"""


@dataclass(frozen=True, eq=False)
class TileLayer:
    """Layer of tiles to draw, with the state of its groups applied.

    ``gids`` int32[H, W] without flags (0 is empty) and ``flips`` uint8[H, W] cover the map.  ``offset`` is in tiles.
    """

    name: str
    gids: NDArray[np.int32]
    flips: NDArray[np.uint8]
    visible: bool = True
    opacity: float = 1.0
    offset: Point = (0.0, 0.0)
    tint: str = ""


@dataclass(frozen=True)
class ImageLayer:
    """Picture laid over the map; ``x, y`` is its upper left corner in tiles."""

    name: str
    path: Path
    x: float = 0.0
    y: float = 0.0
    visible: bool = True
    opacity: float = 1.0
    repeat_x: bool = False
    repeat_y: bool = False
    tint: str = ""


@dataclass(frozen=True)
class Stamp:
    """Tile object of Tiled: upper left corner ``x, y``, size in tiles.

    ``rotation`` turns it about ``pivot_x, pivot_y``, its aligned corner, in degrees clockwise.
    """

    id: int
    name: str
    gid: int
    flips: int
    x: float
    y: float
    width: float
    height: float
    rotation: float = 0.0
    pivot_x: float = 0.0
    pivot_y: float = 0.0


@dataclass(frozen=True)
class StampLayer:
    """Tile objects of one object layer, in drawing order."""

    name: str
    stamps: tuple[Stamp, ...]
    visible: bool = True
    opacity: float = 1.0
    tint: str = ""
