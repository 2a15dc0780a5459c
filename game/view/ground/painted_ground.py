"""Painted ground with a bounded cache and a budget of new chunks per frame.

Assembling a chunk takes most of a frame. So a frame assembles at most ``budget`` chunks; the others show flat colours
until they are assembled.
"""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pygame
from numpy.typing import NDArray

from game.level.model import Level
from game.level.terrain.grounds import METAL
from game.view.ground.flat_ground import FlatGround
from game.view.ground.ground_chunks import CHUNK_TILES, GroundChunk
from game.view.ground.ground_chunks import GroundPainter as Painter
from game.view.ground.ground_things import Thing
from game.view.painting.palette import Palette

KEPT_CHUNKS = 200
"""Number of chunks in the cache.

A chunk needs about 1 MB: 256 px square, three looks and the ground below the crowns.
"""

FIRST_ZOOM = 32

LIVE_PROPS = ("chest",)
"""Kinds of prop that move, so they are not painted into the ground."""


class PaintedGround:
    """Ground of a level that gives a ground to each tile."""

    def __init__(self, level: Level, palette: Palette) -> None:
        things = [
            Thing(p.kind, p.x, p.y, p.width, p.height, p.facing, seed=p.id)
            for p in level.props
            if p.kind not in LIVE_PROPS
        ]
        iron = np.argwhere((level.noise >= METAL) & (level.passable != 0)).tolist()
        things += [Thing("grating", x + 0.5, y + 0.5) for y, x in iron]
        self._painter = Painter(level.ground, things, colours=palette)
        self._painter.warm(FIRST_ZOOM)
        self._flat = FlatGround(level, palette)
        self._chunks: OrderedDict[tuple[int, int, int], GroundChunk] = OrderedDict()
        self._stand_ins: dict[tuple[str, int, int, int], pygame.Surface] = {}
        self.budget: int | None = 1
        self._left = 0
        self._waiting = False

    def change(self, ground: NDArray[np.uint8], y0: int, x0: int, y1: int, x1: int) -> None:
        """Paint the tiles ``[y0:y1, x0:x1]`` again from ``ground`` uint8[height, width]."""
        top, left, bottom, right = self._painter.change(y0, x0, ground[y0:y1, x0:x1])
        self._flat.change(ground, y0, x0, y1, x1)
        for key in list(self._chunks):
            zoom, row, column = key
            side = CHUNK_TILES[zoom]
            if row * side < bottom and (row + 1) * side > top and column * side < right and (column + 1) * side > left:
                del self._chunks[key]
        self._stand_ins.clear()

    def begin_frame(self) -> bool:
        """Reset the budget; return whether the last frame showed a stand-in."""
        waited, self._waiting = self._waiting, False
        self._left = 1_000_000 if self.budget is None else self.budget
        return waited

    def chunk_tiles(self, zoom: int) -> int:
        """Return the tiles along a side of a chunk."""
        return CHUNK_TILES[zoom]

    def found(self, zoom: int, row: int, column: int) -> GroundChunk | None:
        """Return a chunk from the cache, or assemble it if the budget allows.

        Else None.
        """
        key = (zoom, row, column)
        known = self._chunks.get(key)
        if known is not None:
            self._chunks.move_to_end(key)
            return known
        if self._left <= 0:
            self._waiting = True
            return None
        self._left -= 1
        made = self._chunks[key] = self._painter.chunk(column, row, zoom)
        for look in ("full", "explored", "lab"):
            self._stand_ins.pop((look, zoom, row, column), None)
        if len(self._chunks) > KEPT_CHUNKS:
            self._chunks.popitem(last=False)
        return made

    def ready(self, zoom: int, row: int, column: int) -> bool:
        """Return whether the painted chunk is in the cache.

        Pictures made of a stand-in would be out of date soon.
        """
        return (zoom, row, column) in self._chunks

    def chunk(self, look: str, zoom: int, row: int, column: int) -> pygame.Surface:
        """Return the chunk in one look, or a flat stand-in."""
        made = self.found(zoom, row, column)
        if made is not None:
            surface: pygame.Surface = getattr(made, look)
            return surface
        key = (look, zoom, row, column)
        if key not in self._stand_ins:
            if len(self._stand_ins) > 24:
                self._stand_ins.clear()
            self._stand_ins[key] = self._flat.drawn(look, zoom, row, column, CHUNK_TILES[zoom])
        return self._stand_ins[key]

    def under_crowns(self, zoom: int, row: int, column: int) -> pygame.Surface | None:
        """Return the chunk without tree crowns.

        The result is None if it has no crowns or is not assembled yet.
        """
        made = self._chunks.get((zoom, row, column))
        return None if made is None else made.under
