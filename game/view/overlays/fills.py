"""Painter of ground fills.

Tile colours look like coloured pencil on tracing paper and are repainted only when they change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from game.view.overlays.overlay import LabContext, Overlay
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette

_GRAIN = 256
_LARGEST = 64
"""Size of the largest tile in pixels."""
_RULE = 8
"""Distance of the lines of a hatch in pixels; it divides the grain's size."""
MOST_CHANGED = 700
"""Limit of changed tiles; above it the whole fill is repainted."""


class FillPainter:
    """Keeps the last fill as a surface of whole tiles."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._key: Any = None
        self._made: pygame.Surface | None = None
        self._colours = np.zeros((0, 0, 4), np.uint8)
        self._grain = _pencil_grain()
        self._hatched: np.ndarray | None = None
        self._wide_grain = pygame.Surface((_GRAIN + _LARGEST, _GRAIN + _LARGEST), pygame.SRCALPHA)
        for y in (0, _GRAIN):
            self._wide_grain.fblits([(self._grain, (x, y)) for x in (0, _GRAIN)])

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, overlay: Overlay) -> None:
        """Draw a fill over the ground."""
        y0, x0, y1, x1 = camera.visible_tiles()
        if y0 >= y1 or x0 >= x1:
            return
        # A margin, so that a small pan does not repaint the fill.
        margin = max(2, 96 // camera.zoom)
        height, width = context.world.terrain.passable.shape
        same, stamp = (overlay.name, camera.zoom), overlay.stamp(context)
        if self._made is None or self._key[0] != same or not _inside((y0, x0, y1, x1), self._key[1]):
            window = (max(y0 - margin, 0), max(x0 - margin, 0), min(y1 + margin, height), min(x1 + margin, width))
            self._colours = overlay.fill(context, *window)
            self._hatched = overlay.hatched(context, *window)
            self._made = self._make(self._colours, camera.zoom)
            self._key = (same, window, stamp)
        elif self._key[2] != stamp:
            self._key = (same, self._key[1], stamp)
            colours = overlay.fill(context, *self._key[1])
            had, self._hatched = self._hatched, overlay.hatched(context, *self._key[1])
            plain = had is None and self._hatched is None
            if not plain or not self._mend(self._made, colours, camera.zoom):
                self._made = self._make(colours, camera.zoom)
            self._colours = colours
        left, top = camera.to_screen(self._key[1][1], self._key[1][0])
        surface.blit(self._made, (left, top))

    def _mend(self, big: pygame.Surface, colours: np.ndarray, zoom: int) -> bool:
        """Paint the changed tiles; return False when there are too many."""
        ys, xs = np.nonzero((colours != self._colours).any(axis=2))
        if len(ys) > MOST_CHANGED:
            return False
        unknown = np.zeros(colours.shape[:2], bool)
        for y, x, colour in zip(ys.tolist(), xs.tolist(), colours[ys, xs].tolist(), strict=True):
            rect = pygame.Rect(x * zoom, y * zoom, zoom, zoom)
            unknown[y, x] = colour[3] == 1
            big.fill((0, 0, 0, 0) if colour[3] <= 1 else colour, rect)
            if colour[3] > 1:
                area = (rect.x % _GRAIN, rect.y % _GRAIN, zoom, zoom)
                big.blit(self._wide_grain, rect, area, special_flags=pygame.BLEND_RGBA_MULT)
        if unknown.any():
            self._hatch(big, unknown, zoom)
        return True

    def _make(self, colours: np.ndarray, zoom: int) -> pygame.Surface:
        h, w = colours.shape[:2]
        unknown = colours[..., 3] == 1
        shown = colours.copy()
        shown[unknown] = 0
        small = pygame.Surface((w, h), pygame.SRCALPHA)
        pygame.surfarray.pixels3d(small)[:] = shown[..., :3].swapaxes(0, 1)
        pygame.surfarray.pixels_alpha(small)[:] = shown[..., 3].T
        big = pygame.transform.scale(small, (w * zoom, h * zoom))
        for y in range(0, h * zoom, _GRAIN):
            for x in range(0, w * zoom, _GRAIN):
                big.blit(self._grain, (x, y), special_flags=pygame.BLEND_RGBA_MULT)
        if unknown.any():
            self._hatch(big, unknown, zoom)
        if self._hatched is not None and self._hatched.any():
            self._rule(big, self._hatched, zoom)
        return big

    def _rule(self, big: pygame.Surface, tiles: np.ndarray, zoom: int) -> None:
        """Rule tiles with thin slanted lines of ink.

        The lines are fixed to the window, so they continue from tile to tile.
        """
        ruled = pygame.Surface((_GRAIN, _GRAIN), pygame.SRCALPHA)
        for k in range(-_GRAIN, _GRAIN, _RULE):
            pygame.draw.line(ruled, (*self.palette["ink"], 110), (k, _GRAIN), (k + _GRAIN, 0))
        wide = pygame.Surface(self._wide_grain.get_size(), pygame.SRCALPHA)
        for y in (0, _GRAIN):
            wide.fblits([(ruled, (x, y)) for x in (0, _GRAIN)])
        ys, xs = np.nonzero(tiles)
        for y, x in zip((ys * zoom).tolist(), (xs * zoom).tolist(), strict=True):
            big.blit(wide, (x, y), (x % _GRAIN, y % _GRAIN, zoom, zoom))

    def _hatch(self, big: pygame.Surface, unknown: np.ndarray, zoom: int) -> None:
        """Hatch tiles without a value, so that they differ from white and from zero."""
        tile = pygame.Surface((zoom, zoom), pygame.SRCALPHA)
        ground, line = self.palette.ramps["not_computed"]
        tile.fill((*ground, 90))
        step = max(zoom // 4, 4)
        for k in range(-zoom, zoom * 2, step):
            pygame.draw.line(tile, (*line, 120), (k, 0), (k + zoom, zoom))
            pygame.draw.line(tile, (*line, 120), (k + zoom, 0), (k, zoom))
        ys, xs = np.nonzero(unknown)
        big.fblits([(tile, (x * zoom, y * zoom)) for y, x in zip(ys.tolist(), xs.tolist(), strict=True)])


def _inside(inner: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _pencil_grain() -> pygame.Surface:
    """Return white noise in slanted strokes of alpha that repeats without a seam."""
    y, x = np.mgrid[0:_GRAIN, 0:_GRAIN]
    stroke = np.sin((x + y) * (2 * np.pi * 40 / _GRAIN) + 1.5 * np.sin((x - 2 * y) * (2 * np.pi * 3 / _GRAIN)))
    rng = np.random.default_rng(7)
    alpha = np.clip(214 + 26 * stroke + rng.normal(0, 9, stroke.shape), 120, 255).astype(np.uint8)
    grain = pygame.Surface((_GRAIN, _GRAIN), pygame.SRCALPHA)
    grain.fill((255, 255, 255, 255))
    pygame.surfarray.pixels_alpha(grain)[:] = alpha.T
    return grain
