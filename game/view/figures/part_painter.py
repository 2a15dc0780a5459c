"""Painter of posed figures: sprites of legs, torso and head, put together.

A part is drawn from its shapes several times larger and reduced: outlined in ink, with one darker band on the
south-east that stays there when the figure turns.  A figure is its parts with rim and shadow.  Parts and figures are
kept by frame, direction and size; both caches are bounded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pygame

from game.view.figures.clip_book import ClipBook
from game.view.figures.skeleton import HEAD, LEGS, TORSO, head_place, height_of, shapes
from game.view.figures.wardrobe import Cloth, Shape, cloth
from game.view.painting.palette import Palette
from game.view.units.sprites import Cell, laid_together

DIRECTIONS = 16
REACH = 1.3
"""Tiles from the middle of a part's canvas to its edge."""
INNER_LINE, OUTLINE, RIM, LIGHT_BAND = 0.62, 1.15, 1.5, 1.9
"""Widths in pixels at 32 a tile."""
SHADOW_ALPHA = 112
DEAD_GREY = 150
MOST_PARTS, MOST_FIGURES = 6000, 6000


@dataclass(frozen=True)
class Look:
    """Look of a figure besides its pose."""

    rim: bool = False
    pale: bool = False
    dead: bool = False


def grown(outline: np.ndarray, by: float) -> np.ndarray:
    """Return an outline whose corners are moved outwards."""
    edge = np.roll(outline, -1, 0) - outline
    normal = np.c_[edge[:, 1], -edge[:, 0]]
    normal /= np.maximum(np.hypot(normal[:, 0], normal[:, 1]), 1e-9)[:, None]
    corner = normal + np.roll(normal, 1, 0)
    corner /= np.maximum(np.hypot(corner[:, 0], corner[:, 1]), 0.5)[:, None]
    x, y = outline[:, 0], outline[:, 1]
    area = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    out: np.ndarray = outline + corner * (by if area > 0 else -by)
    return out


class PartPainter:
    """Paints figures of all sides from a book of clips."""

    def __init__(self, book: ClipBook, palette: Palette) -> None:
        self.book, self.palette = book, palette
        self.cloths: list[Cloth] = [cloth(side) for side in palette.sides]
        self.drawn = 0
        """Parts drawn so far."""
        self._parts: dict[tuple[int, int, int, int, int], Cell | None] = {}
        self._figures: dict[tuple[int, int, int, int, int, int, int, Look], Cell] = {}

    def part(self, side: int, layer: int, frame: int, direction: int, zoom: int) -> Cell | None:
        """Return one part, cropped; headgear is the same in every frame."""
        key = (side, layer, 0 if layer == HEAD else frame, direction, zoom)
        if key not in self._parts:
            if len(self._parts) >= MOST_PARTS:
                self._parts.pop(next(iter(self._parts)))
            self._parts[key] = self._paint(shapes(self.cloths[side], self.book.frames[frame], layer), direction, zoom)
            self.drawn += 1
        return self._parts[key]

    def _paint(self, parts: list[Shape], direction: int, zoom: int) -> Cell | None:
        over = 4 if zoom <= 32 else 2
        side_px = int(2 * REACH * zoom) // 2 * 2
        k, half = zoom * over / 32, side_px * over / 2
        ink = self.palette["ink"]
        surface = pygame.Surface((side_px * over, side_px * over), pygame.SRCALPHA)
        surface.fill((*ink, 0))
        angle = direction * math.tau / DIRECTIONS
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]) * k
        outlines = [part.outline @ turn + half for part in parts]
        line = max(OUTLINE * zoom / 32, 0.8) * over
        for outline in outlines:
            pygame.draw.polygon(surface, (*ink, 255), grown(outline, line).tolist())
        inner = max(1, round(INNER_LINE * k))
        for part, outline in zip(parts, outlines, strict=True):
            points = outline.tolist()
            pygame.draw.polygon(surface, (*part.colour, 255), points)
            if part.inked:
                pygame.draw.polygon(surface, (*ink, 255), points, inner)
        used = surface.get_bounding_rect()
        if not used.width:
            return None
        self._shade(surface, used, max(1, round(LIGHT_BAND * k)))
        small = pygame.transform.smoothscale(surface, (side_px, side_px))
        used = small.get_bounding_rect()
        return Cell(small.subsurface(used).copy(), used.x - side_px // 2, used.y - side_px // 2)

    @staticmethod
    def _shade(surface: pygame.Surface, used: pygame.Rect, d: int) -> None:
        """Darken the south-east band of a part."""
        view = surface.subsurface(used)
        alpha = pygame.surfarray.array_alpha(view) > 127
        lit = np.zeros_like(alpha)
        lit[:-d, :-d] = alpha[d:, d:]
        rgb = pygame.surfarray.pixels3d(view)
        band = alpha & ~lit & (rgb.astype(np.int16).sum(2) > 160)
        rgb[band] = (rgb[band] * 0.78).astype(np.uint8)

    def figure(
        self, side: int, legs: int, torso: int, legs_to: int, torso_to: int, head_to: int, zoom: int, look: Look
    ) -> Cell:
        """Return a figure by its frames and directions.

        Legs and torso have a frame; legs, torso and head have a direction in sixteenths of a turn.
        """
        key = (side, legs, torso, legs_to, torso_to, head_to, zoom, look)
        found = self._figures.get(key)
        if found is None:
            if len(self._figures) >= MOST_FIGURES:
                self._figures.pop(next(iter(self._figures)))
            found = self._figures[key] = self._together(*key)
        return found

    def _together(
        self, side: int, legs: int, torso: int, legs_to: int, torso_to: int, head_to: int, zoom: int, look: Look
    ) -> Cell:
        pose = self.book.frames[torso]
        x, y, turn = head_place(pose)
        angle = torso_to * math.tau / DIRECTIONS
        dx = (x * math.cos(angle) - y * math.sin(angle)) * zoom / 32
        dy = (x * math.sin(angle) + y * math.cos(angle)) * zoom / 32
        head_to = (head_to + round(turn * DIRECTIONS / 360)) % DIRECTIONS
        head = self.part(side, HEAD, 0, head_to, zoom)
        cells = [self.part(side, LEGS, legs, legs_to, zoom), self.part(side, TORSO, torso, torso_to, zoom)]
        if head is not None:
            cells.append(Cell(head.surface, head.dx + round(dx), head.dy + round(dy)))
        body = laid_together([cell for cell in cells if cell is not None])
        if body is None:
            return Cell(pygame.Surface((1, 1), pygame.SRCALPHA), 0, 0)
        if look.dead:
            grey = pygame.transform.grayscale(body.surface)
            grey.set_alpha(DEAD_GREY)
            body.surface.blit(grey, (0, 0))
        if look.pale:
            return self._pale(body, zoom, look.rim)
        layers = [self._shadow(body, height_of(pose), zoom)]
        if look.rim:
            layers.append(self._rim(body, zoom))
        return laid_together([*layers, body]) or body

    def _tinted(self, body: Cell, name: str) -> pygame.Surface:
        flat = body.surface.copy()
        flat.fill((0, 0, 0, 255), special_flags=pygame.BLEND_RGBA_MULT)
        flat.fill((*self.palette[name], 0), special_flags=pygame.BLEND_RGBA_ADD)
        return flat

    def _shadow(self, body: Cell, height: float, zoom: int) -> Cell:
        """Return the silhouette swept south-east by the figure's height."""
        flat, reach = self._tinted(body, "shadow"), max(1, round(height * zoom / 32))
        out = pygame.Surface((flat.get_width() + reach, flat.get_height() + reach), pygame.SRCALPHA)
        for step in range(reach + 1):
            out.blit(flat, (step, step), special_flags=pygame.BLEND_RGBA_MAX)
        out.fill((255, 255, 255, SHADOW_ALPHA), special_flags=pygame.BLEND_RGBA_MULT)
        return Cell(out, body.dx, body.dy)

    def _rim(self, body: Cell, zoom: int) -> Cell:
        flat, r = self._tinted(body, "rim"), max(1, round(RIM * zoom / 32))
        out = pygame.Surface((flat.get_width() + 2 * r, flat.get_height() + 2 * r), pygame.SRCALPHA)
        for k in range(12):
            a = k * math.tau / 12
            at = (round(r + r * math.cos(a)), round(r + r * math.sin(a)))
            out.blit(flat, at, special_flags=pygame.BLEND_RGBA_MAX)
        return Cell(out, body.dx - r, body.dy - r)

    def _pale(self, body: Cell, zoom: int, rim: bool) -> Cell:
        """Washed out and half transparent, without a shadow."""
        whole = (laid_together([self._rim(body, zoom), body]) if rim else body) or body
        surface = whole.surface.copy()
        surface.fill((50, 50, 50, 0), special_flags=pygame.BLEND_RGBA_ADD)
        surface.fill((255, 255, 255, 165), special_flags=pygame.BLEND_RGBA_MULT)
        return Cell(surface, whole.dx, whole.dy)
