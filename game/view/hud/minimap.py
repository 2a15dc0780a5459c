"""The minimap: ground, fog, units and the camera's frame.

A click on it moves the camera or gives an order.
"""

from __future__ import annotations

import numpy as np
import pygame

from game.level.model import GROUNDS, Level
from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette, scaled
from game.view.painting.unit_picture import Picture

UPDATE_MS = 200
CROWD = 80
"""Number of units above which each is drawn as a speck."""


class Minimap:
    """Keeps a picture of the map, repainted five times a second."""

    def __init__(self, level: Level, palette: Palette, night: bool = False) -> None:
        self.palette = palette
        self._night = np.array(scaled(palette["night"], 1.3) if night else (255, 255, 255), np.int32)
        self.height, self.width = level.ground.shape
        table = np.array([palette.grounds.get(name, palette["paper"]) for name in GROUNDS], np.int16)
        self._base = table[np.minimum(level.ground, len(GROUNDS) - 1)]
        if not level.painted:
            self._base = np.where((level.passable == 0)[..., None], np.array(palette["slate"]), self._base)
        # Large maps are drawn from every n-th tile, because the box has no more pixels.
        self.step = max(1, max(self.height, self.width) // 384)
        self._age = UPDATE_MS
        self._surface: pygame.Surface | None = None
        self._size = (0, 0)

    def area(self, box: pygame.Rect) -> pygame.Rect:
        """Return the part of a box that the map fills with its proportions kept."""
        share = min(box.width / self.width, box.height / self.height)
        rect = pygame.Rect(0, 0, max(1, round(self.width * share)), max(1, round(self.height * share)))
        rect.center = box.center
        return rect

    def world_at(self, box: pygame.Rect, pos: tuple[int, int]) -> tuple[float, float] | None:
        """Return the world position under a pixel, or None outside the map."""
        rect = self.area(box)
        if not rect.collidepoint(pos):
            return None
        return (pos[0] - rect.x + 0.5) * self.width / rect.width, (pos[1] - rect.y + 0.5) * self.height / rect.height

    def draw(
        self, surface: pygame.Surface, box: pygame.Rect, camera: Camera, fog: FogMask | None, p: Picture,
        shown: np.ndarray, dt_ms: int,
    ) -> None:  # fmt: skip
        """Draw the map into a box; ``shown`` are the rows that may be drawn."""
        rect = self.area(box)
        self._age += dt_ms
        if self._surface is None or self._age >= UPDATE_MS or self._size != rect.size:
            self._surface = self._paint(rect.size, fog)
            self._draw_units(self._surface, p, shown)
            self._size, self._age = rect.size, 0
        pygame.draw.rect(surface, tuple(np.minimum(np.array(self.palette["mist"]) * self._night // 255, 255)), box)
        surface.blit(self._surface, rect)
        sx, sy = rect.width / self.width, rect.height / self.height
        x0, y0 = camera.to_world(0, 0)
        x1, y1 = camera.to_world(camera.width, camera.height)
        frame = pygame.Rect(rect.x + x0 * sx, rect.y + y0 * sy, (x1 - x0) * sx, (y1 - y0) * sy).clip(rect)
        pygame.draw.rect(surface, self.palette["rim" if self._night[0] < 255 else "ink"], frame, 2)

    def _draw_units(self, surface: pygame.Surface, p: Picture, shown: np.ndarray) -> None:
        """Draw the units: discs for the player's side, triangles for the others."""
        rows = shown[p.alive[shown] == 1]
        # Full dots of a crowd would hide the map.
        size = 9 if len(rows) <= CROWD else 5 if len(rows) <= 4 * CROWD else 3
        xs = (p.x[rows] * surface.get_width() / self.width).astype(np.int64) - size // 2
        ys = (p.y[rows] * surface.get_height() / self.height).astype(np.int64) - size // 2
        dots = [self._dot(side) if size == 9 else self._speck(side, size) for side in range(len(self.palette.sides))]
        sides = p.side[rows].tolist()
        surface.fblits([(dots[s % 4], (x, y)) for s, x, y in zip(sides, xs.tolist(), ys.tolist(), strict=True)])

    def _speck(self, side: int, size: int) -> pygame.Surface:
        """Return the square of a unit in a crowd, in its side's colour.

        Squares of five pixels or more have an ink border.
        """
        speck = pygame.Surface((size, size))
        speck.fill(self.palette["ink"] if size > 3 else self.palette.sides[side].colour)
        speck.fill(self.palette.sides[side].colour, speck.get_rect().inflate(-2, -2) if size > 3 else speck.get_rect())
        return speck

    def _dot(self, side: int) -> pygame.Surface:
        dot = pygame.Surface((9, 9), pygame.SRCALPHA)
        ink, colour = self.palette["ink"], self.palette.sides[side].colour
        if side == 0:
            pygame.draw.circle(dot, ink, (4, 4), 4)
            pygame.draw.circle(dot, colour, (4, 4), 3)
        else:
            pygame.draw.polygon(dot, ink, ((4, 0), (8, 7), (0, 7)))
            pygame.draw.polygon(dot, colour, ((4, 2), (6, 6), (2, 6)))
        return dot

    def _paint(self, size: tuple[int, int], fog: FogMask | None) -> pygame.Surface:
        n = self.step
        base = self._base[::n, ::n]
        if fog is not None:
            mist = np.array(self.palette["mist"], np.int16)
            grey = base.mean(axis=2, keepdims=True).astype(np.int16) // 4 + 140
            visible, explored = fog.visible[::n, ::n, None], fog.explored[::n, ::n, None]
            base = np.where(visible, base, np.where(explored, grey, mist))
        base = np.minimum(base * self._night // 255, 255)
        small: pygame.Surface = pygame.surfarray.make_surface(base.astype(np.uint8).swapaxes(0, 1))
        return pygame.transform.scale(small, size)
