"""Unpainted ground: maps with their own tiles, and flat palette colours.

It has the interface of the painted ground: chunks in three looks at each zoom step, kept in a bounded cache.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import numpy as np
import pygame
from numpy.typing import NDArray

from game.level.map_art import FLIP_D, FLIP_H, FLIP_V, ImageLayer, Stamp, StampLayer, TileLayer
from game.level.model import GROUNDS, Level
from game.view.painting.palette import Palette, rgb

KEPT_CHUNKS = 160


class FlatGround:
    """Chunks drawn from the level's own layers, or from the colour of each ground."""

    def __init__(self, level: Level, palette: Palette) -> None:
        self.level = level
        self.palette = palette
        self._chunks: OrderedDict[tuple[str, int, int, int], pygame.Surface] = OrderedDict()
        self._images: dict[str, pygame.Surface | None] = {}
        self._tiles: dict[tuple[int, int, int, str], pygame.Surface | None] = {}
        self._table = np.array([palette.grounds.get(name, palette["paper"]) for name in GROUNDS], np.uint8)
        self._colours = self._table[np.minimum(level.ground, len(GROUNDS) - 1)]
        self._over = np.zeros(level.ground.shape, bool)
        """Tiles whose ground has changed in play.

        Their colour covers the pictures of the map.
        """
        self._colours[(level.ground == GROUNDS.index("void")) & (level.passable == 0)] = palette["ink"]

    def chunk_tiles(self, zoom: int) -> int:
        """Return the tiles along a side of a chunk.

        A power of two, 384 to 512 px.
        """
        return {4: 128, 8: 64, 12: 32, 16: 32, 24: 16, 32: 16, 48: 8, 64: 8}[zoom]

    def chunk(self, look: str, zoom: int, row: int, column: int) -> pygame.Surface:
        """Return a chunk from the cache; draw it if it is missing."""
        key = (look, zoom, row, column)
        found = self._chunks.get(key)
        if found is None:
            made = self._draw(zoom, row, column, self.chunk_tiles(zoom))
            for name, surface in (("full", made), ("explored", self._explored(made)), ("lab", self._lab(made))):
                self._chunks[(name, zoom, row, column)] = surface
            while len(self._chunks) > KEPT_CHUNKS:
                self._chunks.popitem(last=False)
            return self._chunks[key]
        self._chunks.move_to_end(key)
        return found

    def ready(self, zoom: int, row: int, column: int) -> bool:
        """Return True: a chunk is always drawn whole."""
        return True

    def forget(self, y0: int, x0: int, y1: int, x1: int) -> None:
        """Remove the chunks of changed tiles from the cache."""
        for key in list(self._chunks):
            n = self.chunk_tiles(key[1])
            if y0 < (key[2] + 1) * n and key[2] * n < y1 and x0 < (key[3] + 1) * n and key[3] * n < x1:
                del self._chunks[key]

    def change(self, ground: NDArray[np.uint8], y0: int, x0: int, y1: int, x1: int) -> None:
        """Colour the tiles ``[y0:y1, x0:x1]`` by ``ground`` uint8[height, width].

        The colour covers the pictures of tiles whose ground is no longer the level's.
        """
        self._over[y0:y1, x0:x1] = ground[y0:y1, x0:x1] != self.level.ground[y0:y1, x0:x1]
        self._colours[y0:y1, x0:x1] = self._table[np.minimum(ground[y0:y1, x0:x1], len(GROUNDS) - 1)]
        self.forget(y0, x0, y1, x1)

    def drawn(self, look: str, zoom: int, row: int, column: int, n: int) -> pygame.Surface:
        """Draw a chunk of ``n`` tiles a side in one look, in flat colours.

        The result is not kept.
        """
        y0, x0 = row * n, column * n
        y1, x1 = min(y0 + n, self.level.height), min(x0 + n, self.level.width)
        small = pygame.surfarray.make_surface(self._colours[y0:y1, x0:x1].swapaxes(0, 1))
        full = pygame.transform.scale(small, ((x1 - x0) * zoom, (y1 - y0) * zoom)).convert()
        return {"full": lambda s: s, "explored": self._explored, "lab": self._lab}[look](full)

    def _draw(self, zoom: int, row: int, column: int, n: int) -> pygame.Surface:
        y0, x0 = row * n, column * n
        y1, x1 = min(y0 + n, self.level.height), min(x0 + n, self.level.width)
        small = pygame.surfarray.make_surface(self._colours[y0:y1, x0:x1].swapaxes(0, 1))
        surface = pygame.transform.scale(small, ((x1 - x0) * zoom, (y1 - y0) * zoom)).convert()
        if not self.level.painted:
            self._draw_layers(surface, zoom, y0, x0, y1, x1)
            for y, x in np.argwhere(self._over[y0:y1, x0:x1]).tolist():
                surface.fill(self._colours[y0 + y, x0 + x].tolist(), (x * zoom, y * zoom, zoom, zoom))
        self._ink_walls(surface, zoom, y0, x0, y1, x1)
        return surface

    def _ink_walls(self, surface: pygame.Surface, zoom: int, y0: int, x0: int, y1: int, x1: int) -> None:
        """Draw an ink line between walkable and blocked tiles.

        Maps with pictures of their own have no such lines, nor have zooms below 8 px a tile.
        """
        if zoom < 8 or (not self.level.painted and self.level.tilesets):
            return
        blocked = self.level.passable == 0
        h, w = blocked.shape
        ink = self.palette["ink"]
        for y in range(y0, y1):
            for x in range(x0, x1):
                if not blocked[y, x]:
                    continue
                px, py = (x - x0) * zoom, (y - y0) * zoom
                if y > 0 and not blocked[y - 1, x]:
                    pygame.draw.line(surface, ink, (px, py), (px + zoom, py), 2)
                if y + 1 < h and not blocked[y + 1, x]:
                    pygame.draw.line(surface, ink, (px, py + zoom - 1), (px + zoom, py + zoom - 1), 2)
                if x > 0 and not blocked[y, x - 1]:
                    pygame.draw.line(surface, ink, (px, py), (px, py + zoom), 2)
                if x + 1 < w and not blocked[y, x + 1]:
                    pygame.draw.line(surface, ink, (px + zoom - 1, py), (px + zoom - 1, py + zoom), 2)

    def _draw_layers(self, surface: pygame.Surface, zoom: int, y0: int, x0: int, y1: int, x1: int) -> None:
        for layer in self.level.layers:
            if not layer.visible or layer.opacity <= 0:
                continue
            target = surface
            if layer.opacity < 1:
                target = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
            if isinstance(layer, TileLayer):
                self._draw_tiles(target, layer, zoom, y0, x0, y1, x1)
            elif isinstance(layer, ImageLayer):
                self._draw_image(target, layer, zoom, y0, x0)
            elif isinstance(layer, StampLayer):
                self._draw_stamps(target, layer, zoom, y0, x0, y1, x1)
            if target is not surface:
                target.set_alpha(round(255 * layer.opacity))
                surface.blit(target, (0, 0))

    def _draw_tiles(
        self, surface: pygame.Surface, layer: TileLayer, zoom: int, y0: int, x0: int, y1: int, x1: int
    ) -> None:
        ox, oy = round(layer.offset[0] * zoom), round(layer.offset[1] * zoom)
        # Tiles larger than the grid reach into this chunk from below and from the left.
        for y in range(y0, min(y1 + 3, self.level.height)):
            for x in range(max(x0 - 3, 0), x1):
                gid = int(layer.gids[y, x])
                if gid <= 0:
                    continue
                tile = self._tile(gid, int(layer.flips[y, x]), zoom, layer.tint)
                if tile is None:
                    continue
                tileset = self.level.tileset_of(gid)
                dx = tileset.offset_x if tileset else 0
                dy = tileset.offset_y if tileset else 0
                place = (
                    (x - x0) * zoom + ox + round(dx * zoom / self.level.tile_size[0]),
                    (y - y0 + 1) * zoom - tile.get_height() + oy + round(dy * zoom / self.level.tile_size[1]),
                )
                surface.blit(tile, place)

    def _draw_image(self, surface: pygame.Surface, layer: ImageLayer, zoom: int, y0: int, x0: int) -> None:
        image = self._load(str(layer.path))
        if image is None:
            return
        tw, th = self.level.tile_size
        size = (max(1, round(image.get_width() * zoom / tw)), max(1, round(image.get_height() * zoom / th)))
        left, top = round((layer.x - x0) * zoom), round((layer.y - y0) * zoom)
        scaled = _tinted(pygame.transform.smoothscale(image, size), layer.tint)
        columns = range(-((left + size[0]) // size[0]), surface.get_width() // size[0] + 2) if layer.repeat_x else (0,)
        rows = range(-((top + size[1]) // size[1]), surface.get_height() // size[1] + 2) if layer.repeat_y else (0,)
        for i in columns:
            for j in rows:
                surface.blit(scaled, (left + i * size[0], top + j * size[1]))

    def _draw_stamps(
        self, surface: pygame.Surface, layer: StampLayer, zoom: int, y0: int, x0: int, y1: int, x1: int
    ) -> None:
        for stamp in layer.stamps:
            middle_x, middle_y = _middle(stamp)
            half = math.hypot(stamp.width, stamp.height) / 2
            if not (x0 - half < middle_x < x1 + half and y0 - half < middle_y < y1 + half):
                continue
            image = self._picture(stamp.gid)
            if image is None:
                continue
            size = (max(1, round(stamp.width * zoom)), max(1, round(stamp.height * zoom)))
            scaled = _tinted(pygame.transform.smoothscale(_flipped(image, stamp.flips), size), layer.tint)
            if stamp.rotation:
                scaled = pygame.transform.rotate(scaled, -stamp.rotation)
            centre = (round((middle_x - x0) * zoom), round((middle_y - y0) * zoom))
            surface.blit(scaled, scaled.get_rect(center=centre))

    def _load(self, path: str) -> pygame.Surface | None:
        if path not in self._images:
            try:
                self._images[path] = pygame.image.load(path).convert_alpha()
            except (pygame.error, OSError):
                self._images[path] = None  # the loader has reported it; the map is drawn without
        return self._images[path]

    def _picture(self, gid: int) -> pygame.Surface | None:
        tileset = self.level.tileset_of(gid)
        where = tileset.picture(gid - tileset.first_gid) if tileset else None
        if where is None or where.path is None or tileset is None:
            return None
        image = self._load(str(where.path))
        if image is None:
            return None
        rect = pygame.Rect(where.x, where.y, where.width, where.height)
        if not image.get_rect().contains(rect):
            return None
        piece = image.subsurface(rect)
        if tileset.transparent:
            keyed = pygame.Surface(rect.size)
            keyed.blit(piece, (0, 0))
            keyed.set_colorkey(rgb(tileset.transparent))
            piece = keyed.convert_alpha()
        return piece

    def _tile(self, gid: int, flips: int, zoom: int, tint: str) -> pygame.Surface | None:
        key = (gid, flips, zoom, tint)
        if key not in self._tiles:
            image = self._picture(gid)
            if image is not None:
                image = _flipped(image, flips)
                tw, th = self.level.tile_size
                size = (max(1, round(image.get_width() * zoom / tw)), max(1, round(image.get_height() * zoom / th)))
                # Pixel art is enlarged without smoothing and reduced with smoothing.
                grow = size[0] > image.get_width()
                image = pygame.transform.scale(image, size) if grow else pygame.transform.smoothscale(image, size)
                image = _tinted(image, tint)
            self._tiles[key] = image
        return self._tiles[key]

    def _explored(self, full: pygame.Surface) -> pygame.Surface:
        """Return the explored look: grey, close to the colour of paper."""
        grey = pygame.transform.grayscale(full)
        veil = pygame.Surface(full.get_size())
        veil.fill(self.palette["paper"])
        veil.set_alpha(170)
        grey.blit(veil, (0, 0))
        return grey

    def _lab(self, full: pygame.Surface) -> pygame.Surface:
        """Return the look of Lab: light grey."""
        grey = pygame.transform.grayscale(full)
        veil = pygame.Surface(full.get_size())
        veil.fill((238, 236, 232))
        veil.set_alpha(160)
        grey.blit(veil, (0, 0))
        return grey


def _middle(stamp: Stamp) -> tuple[float, float]:
    """Return the middle of a stamp in tiles, after its rotation about its pivot."""
    x, y = stamp.x + stamp.width / 2 - stamp.pivot_x, stamp.y + stamp.height / 2 - stamp.pivot_y
    c, s = math.cos(math.radians(stamp.rotation)), math.sin(math.radians(stamp.rotation))
    return stamp.pivot_x + c * x - s * y, stamp.pivot_y + s * x + c * y


def _tinted(image: pygame.Surface, tint: str) -> pygame.Surface:
    """Return a picture multiplied by a tint colour ``#rrggbb``; empty is white."""
    if not tint:
        return image
    out = image.copy()
    out.fill((*rgb(tint), 255), special_flags=pygame.BLEND_RGBA_MULT)
    return out


def _flipped(image: pygame.Surface, flips: int) -> pygame.Surface:
    if flips & FLIP_D:
        image = pygame.transform.rotate(pygame.transform.flip(image, True, False), 90)
    if flips & (FLIP_H | FLIP_V):
        image = pygame.transform.flip(image, bool(flips & FLIP_H), bool(flips & FLIP_V))
    return image
