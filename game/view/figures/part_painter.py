"""Painter of posed figures: sprites of legs, torso and head, put together.

A part is drawn from its shapes several times larger and reduced: outlined in ink, with one darker band on the
south-east that stays there when the figure turns.  A figure is its parts with rim and shadow.  Parts and figures are
kept by frame, direction and size; both caches are bounded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from game.view.figures.clip_book import ClipBook
from game.view.figures.skeleton import HEAD, LEGS, TORSO, head_place, height_of, shapes
from game.view.figures.wardrobe import Cloth, Shape, cloth
from game.view.painting.palette import RGB, Palette
from game.view.units.sprites import Cell, laid_together

DIRECTIONS = 16
INNER_LINE, OUTLINE, RIM_LINE, LIGHT_BAND = 0.62, 1.15, 1.5, 1.9
"""Widths in pixels at 32 a tile."""
SHADOW_ALPHA = 112
SOFT_ZOOM = 24
"""Pixels a tile from which on the edge of a shadow is soft."""
DEAD_SIZE, DEAD_ALPHA = 0.80, 219
DEAD_GREY, DEAD_SHARE = (146, 138, 126), 0.56
"""Grey, and its share, in the colours of the dead.

Saturated colour belongs to a body that acts.
"""
DEAD_BY_NIGHT = (158, 162, 188)
"""Multiplier of the dead on dark ground; the living are rimmed there instead."""
BAND = (199, 199, 199, 255)
"""Factor of the band that the light does not reach, of 255."""
MOST_PART_PIXELS, MOST_FIGURE_PIXELS, MOST_TRACED = 12_000_000, 24_000_000, 600
"""Limits of the caches; a pixel takes four bytes."""


RIM, PALE = 1, 2
"""Bits of the look of a figure besides its pose: pale rim, ghost."""
DEAD, DULL = 4, 3
"""Unit and number of the look's steps from a fall to a dull body."""
PartKey = tuple[int, int, int, int, int]
"""Side, layer, frame, direction, zoom."""
FigureKey = tuple[int, int, int, int, int, int, int, int]
"""Side, frames of legs and torso, directions of legs, torso and head, zoom, look."""


class CellCache:
    """Cells by key, within a number of pixels; the oldest go first."""

    def __init__(self, most_pixels: int) -> None:
        self.most = most_pixels
        self.pixels = 0
        self.cells: dict[Any, Cell] = {}

    def keep(self, key: Any, cell: Cell) -> None:
        """Add a cell."""
        self.pixels += cell.surface.get_width() * cell.surface.get_height()
        self.cells[key] = cell
        while self.pixels > self.most and len(self.cells) > 1:
            old = self.cells.pop(next(iter(self.cells))).surface
            self.pixels -= old.get_width() * old.get_height()


@dataclass(frozen=True)
class Traced:
    """Shapes of a part, ready to be turned.

    All corners are one array; ``outwards`` is the way of each that makes room for the line.
    """

    corners: np.ndarray
    outwards: np.ndarray
    ends: tuple[int, ...]
    colours: tuple[RGB, ...]
    inked: tuple[bool, ...]


def outwards(corners: np.ndarray, ends: list[int]) -> np.ndarray:
    """Return the way out of its outline of each corner.

    It is longer at a sharp corner.     ``ends`` are the ends of the outlines in ``corners``.
    """
    starts = np.array([0, *ends[:-1]])
    last = np.array(ends) - 1
    after, before = np.arange(1, len(corners) + 1), np.arange(-1, len(corners) - 1)
    after[last], before[starts] = starts, last
    edge = corners[after] - corners
    length = np.maximum(np.hypot(edge[:, 0], edge[:, 1]), 1e-9)
    normal = np.stack([edge[:, 1] / length, -edge[:, 0] / length], axis=1)
    out: np.ndarray = normal + normal[before]
    area = np.add.reduceat(corners[:, 0] * corners[after, 1] - corners[:, 1] * corners[after, 0], starts)
    way = np.repeat(np.where(area > 0, 1.0, -1.0), np.diff(np.append(starts, ends[-1])))
    out *= (way / np.maximum(np.hypot(out[:, 0], out[:, 1]), 0.5))[:, None]
    return out


def traced(parts: list[Shape]) -> Traced:
    """Return shapes as arrays: building them takes longer than drawing them in one direction."""
    corners = np.concatenate([part.outline for part in parts])
    ends = np.cumsum([len(part.outline) for part in parts]).tolist()
    colours, inked = tuple(part.colour for part in parts), tuple(part.inked for part in parts)
    return Traced(corners, outwards(corners, ends), tuple(ends), colours, inked)


def _dull(body: Cell, share: float, by_night: bool) -> Cell:
    """Return a dead body, a share of the way to small, dull and pale."""
    size, grey = 1 - (1 - DEAD_SIZE) * share, DEAD_SHARE * share
    dull = pygame.transform.smoothscale_by(body.surface, size)
    keep = round(255 * (1 - grey))
    alpha = round(255 + (DEAD_ALPHA - 255) * share)
    dull.fill((keep, keep, keep, alpha), special_flags=pygame.BLEND_RGBA_MULT)
    dull.fill((*(round(c * grey) for c in DEAD_GREY), 0), special_flags=pygame.BLEND_RGBA_ADD)
    if by_night:
        dull.fill((*(round(255 + (c - 255) * share) for c in DEAD_BY_NIGHT), 255), special_flags=pygame.BLEND_RGBA_MULT)
    return Cell(dull, round(body.dx * size), round(body.dy * size))


class PartPainter:
    """Paints figures of all sides from a book of clips."""

    def __init__(self, book: ClipBook, palette: Palette) -> None:
        self.book, self.palette = book, palette
        self.cloths: list[Cloth] = [cloth(side) for side in palette.sides]
        self.drawn = 0
        """Parts drawn so far."""
        self._shapes: dict[tuple[int, int, int], Traced] = {}
        self.parts, self.figures = CellCache(MOST_PART_PIXELS), CellCache(MOST_FIGURE_PIXELS)

    def part(self, side: int, layer: int, frame: int, direction: int, zoom: int) -> Cell:
        """Return one part, cropped and drawn once; headgear is the same in every frame."""
        key = (side, layer, 0 if layer == HEAD else frame, direction, zoom)
        found = self.parts.cells.get(key)
        if found is None:
            found = self._paint(self._traced(*key[:3]), direction, zoom)
            self.parts.keep(key, found)
            self.drawn += 1
        return found

    def _traced(self, side: int, layer: int, frame: int) -> Traced:
        key = (side, layer, frame)
        found = self._shapes.get(key)
        if found is None:
            if len(self._shapes) >= MOST_TRACED:
                self._shapes.pop(next(iter(self._shapes)))
            found = self._shapes[key] = traced(shapes(self.cloths[side], self.book.frames[frame], layer))
        return found

    def _paint(self, part: Traced, direction: int, zoom: int) -> Cell:
        over = 4 if zoom <= 32 else 2
        k, line = zoom * over / 32, max(OUTLINE * zoom / 32, 0.8) * over
        angle = direction * math.tau / DIRECTIONS
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        corners = part.corners @ turn * k
        grown_corners = corners + part.outwards @ turn * line
        # The canvas is as small as the part, in whole pixels of the reduced picture.
        low = np.floor(grown_corners.min(0) / over - 1).astype(int)
        size = np.ceil(grown_corners.max(0) / over + 1).astype(int) - low
        ink = self.palette["ink"]
        surface = pygame.Surface((size * over).tolist(), pygame.SRCALPHA)
        surface.fill((*ink, 0))
        points, wide = (corners - low * over).tolist(), (grown_corners - low * over).tolist()
        start = 0
        for end in part.ends:
            pygame.draw.polygon(surface, ink, wide[start:end])
            start = end
        inner, start = max(1, round(INNER_LINE * k)), 0
        for end, colour, inked in zip(part.ends, part.colours, part.inked, strict=True):
            pygame.draw.polygon(surface, colour, points[start:end])
            if inked:
                pygame.draw.polygon(surface, ink, points[start:end], inner)
            start = end
        self._shade(surface, max(1, round(LIGHT_BAND * k)))
        small = pygame.transform.smoothscale(surface, size.tolist())
        used = small.get_bounding_rect()
        return Cell(small.subsurface(used).copy(), used.x + int(low[0]), used.y + int(low[1]))

    @staticmethod
    def _shade(surface: pygame.Surface, d: int) -> None:
        """Darken the south-east band of a part."""
        band = pygame.mask.from_surface(surface)
        band.erase(band.copy(), (-d, -d))
        dark = band.to_surface(setcolor=BAND, unsetcolor=(255, 255, 255, 255))
        surface.blit(dark, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)

    def figure(self, key: FigureKey) -> Cell:
        """Return a figure, drawn once."""
        found = self.figures.cells.get(key)
        if found is None:
            found = self._together(key)
            if pygame.display.get_surface() is not None:
                # Blits from the format of the display take half as long.
                found = Cell(found.surface.convert_alpha(), found.dx, found.dy)
            self.figures.keep(key, found)
        return found

    def parts_of(self, key: FigureKey) -> tuple[PartKey, PartKey, PartKey]:
        """Return the keys of the parts of a figure: legs, torso, head."""
        side, legs, torso, legs_to, torso_to, head_to, zoom, _ = key
        head_to = (head_to + self.book.look[torso]) % DIRECTIONS
        return (
            (side, LEGS, legs, legs_to, zoom), (side, TORSO, torso, torso_to, zoom), (side, HEAD, 0, head_to, zoom)
        )  # fmt: skip

    def missing(self, key: FigureKey) -> int:
        """Return how many parts of a figure are still to be drawn."""
        return sum(part not in self.parts.cells for part in self.parts_of(key))

    def _together(self, key: FigureKey) -> Cell:
        torso, torso_to, zoom, look = key[2], key[4], key[6], key[7]
        pose = self.book.frames[torso]
        x, y, _ = head_place(pose)
        angle = torso_to * math.tau / DIRECTIONS
        dx = (x * math.cos(angle) - y * math.sin(angle)) * zoom / 32
        dy = (x * math.sin(angle) + y * math.cos(angle)) * zoom / 32
        legs, body, head = (self.part(*part) for part in self.parts_of(key))
        whole = laid_together([legs, body, Cell(head.surface, head.dx + round(dx), head.dy + round(dy))])
        dead = look // DEAD
        if look & PALE:
            return self._pale(whole, zoom, bool(look & RIM))
        if dead:
            dull = _dull(whole, dead / DULL, bool(look & RIM))
            return laid_together([self._shadow(dull, height_of(pose), zoom), dull])
        layers = [self._shadow(whole, height_of(pose), zoom)]
        if look & RIM:
            layers.append(self._rim(whole, zoom))
        return laid_together([*layers, whole])

    def _tinted(self, body: Cell, name: str) -> pygame.Surface:
        flat = body.surface.copy()
        flat.fill((0, 0, 0, 255), special_flags=pygame.BLEND_RGBA_MULT)
        flat.fill((*self.palette[name], 0), special_flags=pygame.BLEND_RGBA_ADD)
        return flat

    def _shadow(self, body: Cell, height: float, zoom: int) -> Cell:
        """Return the silhouette swept south-east by the figure's height."""
        flat, reach = self._tinted(body, "shadow"), max(1, round(height * zoom / 32))
        soft = 1 if zoom >= SOFT_ZOOM else 0
        out = pygame.Surface(
            (flat.get_width() + reach + 2 * soft, flat.get_height() + reach + 2 * soft), pygame.SRCALPHA
        )
        out.fill((*self.palette["shadow"], 0))
        for step in range(soft, reach + 1 + soft):
            out.blit(flat, (step, step), special_flags=pygame.BLEND_RGBA_MAX)
        out.fill((255, 255, 255, SHADOW_ALPHA), special_flags=pygame.BLEND_RGBA_MULT)
        if soft:
            out = pygame.transform.box_blur(out, soft)
        return Cell(out, body.dx - soft, body.dy - soft)

    def _rim(self, body: Cell, zoom: int) -> Cell:
        flat, r = self._tinted(body, "rim"), max(1, round(RIM_LINE * zoom / 32))
        out = pygame.Surface((flat.get_width() + 2 * r, flat.get_height() + 2 * r), pygame.SRCALPHA)
        for k in range(12):
            a = k * math.tau / 12
            at = (round(r + r * math.cos(a)), round(r + r * math.sin(a)))
            out.blit(flat, at, special_flags=pygame.BLEND_RGBA_MAX)
        return Cell(out, body.dx - r, body.dy - r)

    def _pale(self, body: Cell, zoom: int, rim: bool) -> Cell:
        """Washed out and half transparent, without a shadow."""
        whole = laid_together([self._rim(body, zoom), body]) if rim else body
        surface = whole.surface.copy()
        surface.fill((50, 50, 50, 0), special_flags=pygame.BLEND_RGBA_ADD)
        surface.fill((255, 255, 255, 165), special_flags=pygame.BLEND_RGBA_MULT)
        return Cell(surface, whole.dx, whole.dy)
