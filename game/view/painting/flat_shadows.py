"""Flat shadows to the south-east: the silhouette swept along (1, 1).

The length of a shadow shows the height of its thing.
"""

from __future__ import annotations

import pygame

from game.view.ground.ground_art import opaque

DARK = (0.56, 0.58, 0.65)  # remaining shares of red, green and blue


class Shade:
    """Shadows of one region."""

    def __init__(self, size: tuple[int, int], zoom: int) -> None:
        self.size, self.zoom = size, zoom

    def cast(self, silhouette: pygame.Surface, length: float, wash: pygame.Surface) -> None:
        """Darken ``wash`` by the shadow of a silhouette, given by its alpha.

        ``length`` is in px at 32 px a tile.
        """
        swept = self._mask(silhouette)
        left = max(1, round(length * self.zoom / 32))
        step = 1
        while left > 0:
            move = min(step, left)
            swept.blit(swept.copy(), (move, move), special_flags=pygame.BLEND_RGB_MAX)
            left -= move
            step *= 2
        if self.zoom >= 24:
            for shift in ((1, 0), (0, 1)):  # softens by one pixel; scaling would depend on the region's corner
                beside = swept.copy()
                beside.set_alpha(128)
                swept.blit(beside, shift)
        self._darken(swept, DARK, wash)

    def stain(self, silhouette: pygame.Surface, share: float, wash: pygame.Surface) -> None:
        """Darken ``wash`` under a silhouette by ``share``."""
        self._darken(self._mask(silhouette), (1 - share,) * 3, wash)

    def _mask(self, silhouette: pygame.Surface) -> pygame.Surface:
        """Return white under the silhouette, black elsewhere."""
        white = silhouette.copy()
        white.fill((255, 255, 255, 0), special_flags=pygame.BLEND_RGBA_MAX)
        mask = opaque(self.size, (0, 0, 0))
        mask.blit(white, (0, 0))
        return mask

    def _darken(self, mask: pygame.Surface, left: tuple[float, ...], wash: pygame.Surface) -> None:
        mask.fill([round(255 * (1 - share)) for share in left], special_flags=pygame.BLEND_RGB_MULT)
        through = opaque(self.size)
        through.blit(mask, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
        wash.blit(through, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
