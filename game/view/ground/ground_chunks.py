"""Assembles ground chunks from baked tiles and textures in world space.

Nothing is painted during play. A chunk is a square of tiles at one zoom step. Wash (colour), ink and shade are laid
separately, so that one chunk gives three pictures. `full` is the visible ground: wash x shade under ink. `explored` is
paper with some of the lightness and most of the ink. `lab` is grey with half the ink. Materials lie on the dual grid;
built things, reeds and crowns lie above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pygame
from numpy.typing import NDArray

from game.level.model import GROUND
from game.view.ground.bridges import Bridges
from game.view.ground.dual_grid import STRAIGHT, sheet_indices
from game.view.ground.ground_art import (
    DETAIL_OF,
    GAIN,
    GRAIN_MIDDLE,
    WHITE,
    ZoomArt,
    art_at,
    blank,
    material_colours,
    opaque,
    tile_index,
)
from game.view.ground.ground_masks import Masks
from game.view.ground.ground_things import Thing, Things
from game.view.ground.trees import Canopy, Crown
from game.view.painting.flat_shadows import Shade
from game.view.painting.palette import Palette, mix, palette

CHUNK_TILES = {64: 4, 48: 5, 32: 8, 24: 10, 16: 16, 12: 20, 8: 32, 4: 64}
"""Tiles along a side of a chunk by zoom, about 256 px.

A chunk of this size costs a frame little time.
"""
SKIRT = 1  # tiles drawn around a chunk, so that shadows from outside fall into it
WALL_HEIGHT, LOW_WALL_HEIGHT, DECK_HEIGHT = 13, 7, 9  # px of shadow at 32 px a tile


@dataclass(frozen=True)
class GroundChunk:
    """Square of ground at one zoom.

    All surfaces have the same size and no alpha.
    """

    zoom: int
    tiles: tuple[int, int, int, int]
    """Tiles y0, x0, y1, x1."""
    full: pygame.Surface
    explored: pygame.Surface
    lab: pygame.Surface
    under: pygame.Surface | None
    """`full` without tree crowns and their shadows; None in a chunk without crowns."""


@dataclass
class _Sheet:
    """Planes of a region that is being assembled."""

    art: ZoomArt
    y0: int
    x0: int
    wash: pygame.Surface
    ink: pygame.Surface
    tmp: pygame.Surface
    shade: Shade
    reeds: list[tuple[pygame.Surface, tuple[int, int]]] = field(default_factory=list)

    @property
    def size(self) -> tuple[int, int]:
        return self.wash.get_size()


class GroundPainter:
    """Painter of the ground of one map.

    ``ground`` uint8[H, W] indexes `game.level.model.GROUNDS`; ``things`` are houses and props that belong to the
    ground. `chunk` never changes the world. After a map edit call `change` and drop the chunks in the tiles that it
    returns.
    """

    def __init__(
        self, ground: NDArray[np.uint8], things: Sequence[Thing] = (), seed: int = 0,
        colours: Palette | None = None,
    ) -> None:  # fmt: skip
        self.seed = seed
        self.colours = colours or palette()
        self.height, self.width = ground.shape
        self.things = Things(things)
        self._ground = ground.copy()
        self._prepare()

    def _prepare(self) -> None:
        self.masks = Masks(self._ground)
        self.bridges = Bridges(self._ground)
        self.canopy = Canopy(self._ground == GROUND["wood"], self.seed)

    def change(self, y0: int, x0: int, ground: NDArray[np.uint8]) -> tuple[int, int, int, int]:
        """Replace a rectangle of ground.

        Returns the tiles (y0, x0, y1, x1) whose picture may have changed.
        """
        h, w = ground.shape
        self._ground[y0 : y0 + h, x0 : x0 + w] = ground
        self._prepare()
        return y0 - 3, x0 - 3, y0 + h + 3, x0 + w + 3

    def warm(self, zoom: int) -> None:
        """Load the art of this map at a zoom step.

        Afterwards no chunk waits for files.
        """
        art = art_at(zoom)
        for layer in self.masks.layers():
            material = "bridge_plank" if layer in ("planks_across", "planks_along") else layer
            if material in material_colours():
                art.edge(material)
            detail = layer if layer != material else DETAIL_OF.get(material)
            if detail:
                art.detail(detail)
        art.detail("grass")
        for name in ("wash", "grass"):
            art.wash(name)
        if self.canopy.wood.any():
            _ = art.crowns

    def chunk(self, column: int, row: int, zoom: int) -> GroundChunk:
        """Assemble one chunk, which takes about 10 ms."""
        side = CHUNK_TILES[zoom]
        sheet = self._region(row * side - SKIRT, column * side - SKIRT, side + 2 * SKIRT, art_at(zoom))
        crop = pygame.Rect(SKIRT * zoom, SKIRT * zoom, side * zoom, side * zoom)
        crowns = self.canopy.within(sheet.y0, sheet.x0, side + 2 * SKIRT)
        under = None
        if crowns:
            under = self._inked(sheet.wash, sheet.ink, crop)
            self._lay_crowns(sheet, crowns)
        full = self._inked(sheet.wash, sheet.ink, crop)
        for image, at in sheet.reeds:
            sheet.ink.blit(image, at)
        explored, lab = self._unseen(sheet, crop)
        tiles = (row * side, column * side, (row + 1) * side, (column + 1) * side)
        self._blank_outside(tiles, zoom, [s for s in (full, explored, lab, under) if s is not None])
        return GroundChunk(zoom, tiles, full, explored, lab, under)

    def _blank_outside(self, tiles: tuple[int, int, int, int], zoom: int, pictures: list[pygame.Surface]) -> None:
        """Fill pixels beyond the edge of the map with mist."""
        y0, x0, _, _ = tiles
        inside = pygame.Rect(0, 0, (self.width - x0) * zoom, (self.height - y0) * zoom)
        for picture in pictures:
            mist = self.colours["mist"]
            right, bottom = (
                max(0, min(inside.width, picture.get_width())),
                max(0, min(inside.height, picture.get_height())),
            )
            picture.fill(mist, (right, 0, picture.get_width() - right, picture.get_height()))
            picture.fill(mist, (0, bottom, picture.get_width(), picture.get_height() - bottom))
            if x0 < 0:
                picture.fill(mist, (0, 0, -x0 * zoom, picture.get_height()))
            if y0 < 0:
                picture.fill(mist, (0, 0, picture.get_width(), -y0 * zoom))

    # ---- laying a region

    def _region(self, y0: int, x0: int, tiles: int, art: ZoomArt) -> _Sheet:
        size = (tiles * art.zoom, tiles * art.zoom)
        colours = material_colours()
        red, green, blue = (min(255, round(c * GAIN)) for c in colours["grass"])
        wash = opaque(size, (red, green, blue))
        sheet = _Sheet(art, y0, x0, wash, opaque(size), blank(size), Shade(size, art.zoom))
        self._wash(sheet, wash, "grass", 0, wash.get_rect())
        _repeat(sheet.ink, art.detail("grass")[0], y0, x0, art.zoom, 0)
        for name in ("wood", "field", "gravel", "stone", "road", "floor", "bank", "water", "deep", "reeds", "void"):
            self._lay(sheet, name, tiles)
        self._lay_reeds(sheet, tiles)
        self._lay_bridges(sheet, tiles)
        grain = art.grain
        for gy in range(-(y0 * art.zoom % grain.get_height()), size[1], grain.get_height()):
            for gx in range(-(x0 * art.zoom % grain.get_width()), size[0], grain.get_width()):
                wash.blit(grain, (gx, gy), special_flags=pygame.BLEND_RGB_ADD)
        wash.fill((GRAIN_MIDDLE,) * 3, special_flags=pygame.BLEND_RGB_SUB)
        self.things.lay(sheet.wash, sheet.ink, sheet.shade, y0, x0, art.zoom, False)
        self._lay(sheet, "wall", tiles, WALL_HEIGHT)
        self.bridges.lay_rails(sheet.wash, sheet.ink, sheet.shade, y0, x0, art.zoom)
        self.things.lay(sheet.wash, sheet.ink, sheet.shade, y0, x0, art.zoom, True)
        return sheet

    def _lay(self, sheet: _Sheet, material: str, tiles: int, height: float = 0.0, detail: str | None = None) -> None:
        """Lay one material of the dual grid, with a shadow if it is high."""
        mask = self.masks.window(detail or material, sheet.y0 - 2, sheet.x0 - 2, tiles + 4)
        if not mask.any():
            return
        shape = "bank" if material == "water" else material
        salt = sum(map(ord, shape)) + self.seed
        index = sheet_indices(mask, sheet.y0 - 2, sheet.x0 - 2, material in STRAIGHT, salt)
        rows, columns = np.nonzero(index)
        if len(rows) == 0:
            return
        zoom = sheet.art.zoom
        wash, ink = sheet.art.edge(material)
        chosen = index[rows, columns].tolist()
        places = list(zip((columns * zoom - zoom // 2).tolist(), (rows * zoom - zoom // 2).tolist(), strict=True))
        box = _bounds(rows, columns, zoom, sheet.size)
        tmp = sheet.tmp
        tmp.fill((0, 0, 0, 0), None if height else box)
        tmp.fblits([(wash[i], at) for i, at in zip(chosen, places, strict=True)])
        if height:
            sheet.shade.cast(tmp, height, sheet.wash)
        self._wash(sheet, tmp, "wash", salt * 7 % 64, box)
        tmp.set_clip(box)
        inner = DETAIL_OF.get(detail or material)
        if detail in ("planks_across", "planks_along"):
            inner = detail
        strokes, shade = sheet.art.detail(inner) if inner else (None, None)
        if shade is not None:
            _repeat(tmp, shade, sheet.y0, sheet.x0, zoom, pygame.BLEND_RGB_MULT)
        sheet.wash.blit(tmp, box, box)
        tmp.fill((0, 0, 0, 0), box)
        tmp.fblits([(ink[i], at) for i, at in zip(chosen, places, strict=True)])
        if strokes is not None:
            _repeat(tmp, strokes, sheet.y0, sheet.x0, zoom, pygame.BLEND_RGB_MULT)
        sheet.ink.blit(tmp, box, box)
        tmp.set_clip(None)

    def _wash(self, sheet: _Sheet, target: pygame.Surface, name: str, offset: int, box: pygame.Rect) -> None:
        """Multiply the world-space wash into a target.

        Above the wash's own 16 px a tile only the region is enlarged. The source is one pixel larger than the region.
        So scaling reads pixel x from x * 16 / zoom in each chunk.
        """
        zoom, baked = sheet.art.zoom, tile_index()["wash_pixels_per_tile"]
        if zoom <= baked:
            target.set_clip(box)
            _repeat(target, sheet.art.wash(name), sheet.y0 + offset, sheet.x0 + 3 * offset, zoom, pygame.BLEND_RGB_MULT)
            target.set_clip(None)
            return
        side = sheet.size[0] // zoom * baked + 1
        region = opaque((side, side))
        _repeat(region, sheet.art.wash(name), sheet.y0 + offset, sheet.x0 + 3 * offset, baked, 0)
        grown = pygame.transform.smoothscale(region, sheet.size)
        target.blit(grown, box, box, special_flags=pygame.BLEND_RGB_MULT)

    def _lay_bridges(self, sheet: _Sheet, tiles: int) -> None:
        for material, detail in (
            ("bridge_stone", "bridge_stone"),
            ("bridge_plank", "planks_across"),
            ("bridge_plank", "planks_along"),
        ):
            self._lay(sheet, material, tiles, DECK_HEIGHT, detail)

    def _lay_reeds(self, sheet: _Sheet, tiles: int) -> None:
        """Lay clumps of reeds on each reed tile, from north to south.

        They reach up to half a tile over the edge.
        """
        mask = self.masks.window("reed_tiles", sheet.y0 - 1, sheet.x0 - 1, tiles + 2)
        if not mask.any():
            return
        zoom = sheet.art.zoom
        clumps, inks = sheet.art.reeds, sheet.art.reed_ink
        spots: list[tuple[int, int, int]] = []
        for y, x in zip(*(a.tolist() for a in np.nonzero(mask)), strict=True):
            ty, tx = y + sheet.y0 - 1, x + sheet.x0 - 1
            for n in range(2):
                h = (tx * 73856093 ^ ty * 19349663 ^ n * 83492791 ^ self.seed) & 0xFFFFFFFF
                h = (h ^ h >> 13) * 1274126177 & 0xFFFFFFFF
                dx, dy = (h & 255) / 255, ((h >> 8 & 255) / 255 + n) / 2
                spots.append((round((ty + dy) * zoom), round((tx + dx) * zoom), (h >> 16) % len(clumps)))
        spots.sort()
        ox, oy = sheet.x0 * zoom + round(0.75 * zoom), sheet.y0 * zoom + round(1.03 * zoom)
        placed = [(kind, (x - ox, y - oy)) for y, x, kind in spots]
        shift = max(1, zoom // 16)
        sheet.tmp.fill((0, 0, 0, 0))
        sheet.tmp.fblits([(clumps[kind], (x + shift, y + shift)) for kind, (x, y) in placed])
        sheet.shade.stain(sheet.tmp, 0.25, sheet.wash)
        sheet.wash.fblits([(clumps[kind], at) for kind, at in placed])
        sheet.reeds = [(inks[kind], at) for kind, at in placed]

    def _lay_crowns(self, sheet: _Sheet, crowns: Sequence[Crown]) -> None:
        zoom = sheet.art.zoom
        images = sheet.art.crowns
        half = images[0][0].get_width() / 2
        placed = [
            (c.variant, (round((c.x - sheet.x0) * zoom - half), round((c.y - sheet.y0) * zoom - half))) for c in crowns
        ]
        sheet.tmp.fill((0, 0, 0, 0))
        sheet.tmp.fblits([(images[kind][0], at) for kind, at in placed])
        sheet.shade.cast(sheet.tmp, 11, sheet.wash)
        sheet.wash.fblits([(images[kind][0], at) for kind, at in placed])
        sheet.ink.fblits([(images[kind][1], at) for kind, at in placed])

    # ---- the three pictures

    def _inked(
        self, wash: pygame.Surface, ink: pygame.Surface, crop: pygame.Rect, share: float = 1.0
    ) -> pygame.Surface:
        """Return ``wash`` under ``share`` of the ink, cropped."""
        out = opaque(crop.size)
        out.blit(wash, (0, 0), crop)
        through = opaque(crop.size)
        through.blit(ink, (0, 0), crop)
        if share < 1:
            through.fill((round(255 * share),) * 3, special_flags=pygame.BLEND_RGB_MULT)
            through.fill((255 - round(255 * share),) * 3, special_flags=pygame.BLEND_RGB_ADD)
        out.blit(through, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        lines = opaque(crop.size)
        lines.blit(through, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
        lines.fill(self.colours["ink"], special_flags=pygame.BLEND_RGB_MULT)
        out.blit(lines, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        return out

    def _unseen(self, sheet: _Sheet, crop: pygame.Rect) -> tuple[pygame.Surface, pygame.Surface]:
        """Return the explored and the lab picture, made from the lightness of the wash."""
        p, look = self.colours, self.colours.look
        grey = opaque(crop.size)
        grey.blit(pygame.transform.grayscale(sheet.wash.subsurface(crop)), (0, 0))
        pictures = []
        for base, share, ink in (
            (mix(p["mist"], p["paper"], 0.62), look["explored_lightness"], look["explored_ink"]),
            ((round(look["lab_base"]) + 2, round(look["lab_base"]) + 1, round(look["lab_base"]) - 3),)
            + (look["lab_lightness"], look["lab_ink"]),
        ):
            tone = grey.copy()
            tone.fill((round(255 * share),) * 3, special_flags=pygame.BLEND_RGB_MULT)
            lift = [round(c - look["lightness_middle"] * share) for c in base]
            tone.fill(lift, special_flags=pygame.BLEND_RGB_ADD)
            pictures.append(self._inked(tone, sheet.ink.subsurface(crop), tone.get_rect(), ink))
        return pictures[0], pictures[1]


def _bounds(rows: NDArray[np.intp], columns: NDArray[np.intp], zoom: int, size: tuple[int, int]) -> pygame.Rect:
    """Return the pixels of the region that some dual tiles cover."""
    x0, x1 = int(columns.min()) * zoom - zoom // 2, int(columns.max() + 1) * zoom - zoom // 2
    y0, y1 = int(rows.min()) * zoom - zoom // 2, int(rows.max() + 1) * zoom - zoom // 2
    return pygame.Rect(x0, y0, x1 - x0, y1 - y0).clip((0, 0, *size))


def _repeat(target: pygame.Surface, texture: pygame.Surface, y0: int, x0: int, zoom: int, flags: int) -> None:
    """Blit a repeating texture with its origin at the world's origin."""
    width, height = texture.get_size()
    clip = target.get_clip()
    first_x, first_y = x0 * zoom % width, y0 * zoom % height
    for y in range(clip.top - (first_y + clip.top) % height, clip.bottom, height):
        for x in range(clip.left - (first_x + clip.left) % width, clip.right, width):
            target.blit(texture, (x, y), special_flags=flags)


__all__ = ["CHUNK_TILES", "WHITE", "Crown", "GroundChunk", "GroundPainter", "Thing"]
