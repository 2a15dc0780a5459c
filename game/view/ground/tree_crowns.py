"""Fades tree crowns over the player's units.

So you see your units in a wood. The picture below the crowns comes from the ground's chunks. A soft disc of it is
drawn over each unit in or beside a wood.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pygame

from game.level.model import GROUND, Level
from game.view.painting.camera import Camera

RADIUS = 1.75
"""Radius in tiles around a unit in which crowns fade."""
SHOWN = 0.84
"""Opacity of the ground below the crowns."""
MOST = 48
KEPT = 96
_GRID = 4
"""Disc positions per tile along each axis."""


class CrownFader:
    """Draws discs of the ground below the crowns and keeps them in a cache."""

    def __init__(self, level: Level) -> None:
        wood = level.ground == GROUND["wood"]
        near = wood.copy()
        for dy in (-2, -1, 0, 1, 2):
            for dx in (-2, -1, 0, 1, 2):
                near |= np.roll(wood, (dy, dx), (0, 1))
        self.near_wood = near
        self._discs: OrderedDict[tuple[int, int, int], pygame.Surface] = OrderedDict()
        self._masks: dict[int, pygame.Surface] = {}

    def forget(self) -> None:
        """Drop all discs, because the ground has changed."""
        self._discs.clear()

    def draw(
        self, surface: pygame.Surface, camera: Camera, ground: Any, rows: np.ndarray, x: np.ndarray,
        y: np.ndarray,
    ) -> None:  # fmt: skip
        """Fade the crowns over the units of ``rows`` at the positions ``x, y``.

        ``x`` and ``y`` are columns of the whole picture.
        """
        if camera.zoom < 8 or len(rows) == 0:
            return
        height, width = self.near_wood.shape
        ty = np.clip(y[rows].astype(np.int64), 0, height - 1)
        tx = np.clip(x[rows].astype(np.int64), 0, width - 1)
        hidden = rows[self.near_wood[ty, tx]][:MOST]
        places = {(round(float(x[r]) * _GRID), round(float(y[r]) * _GRID)) for r in hidden.tolist()}
        left, top = camera.origin
        zoom, out = camera.zoom, []
        for gx, gy in sorted(places):
            disc = self._disc(ground, zoom, gx, gy)
            if disc is not None:
                half = disc.get_width() // 2
                out.append((disc, (gx * zoom // _GRID - left - half, gy * zoom // _GRID - top - half)))
        surface.fblits(out)

    def _disc(self, ground: Any, zoom: int, gx: int, gy: int) -> pygame.Surface | None:
        key = (zoom, gx, gy)
        if key in self._discs:
            self._discs.move_to_end(key)
            return self._discs[key]
        side = ground.chunk_tiles(zoom)
        half = round(RADIUS * zoom)
        left, top = round(gx * zoom / _GRID) - half, round(gy * zoom / _GRID) - half
        disc = pygame.Surface((2 * half, 2 * half), pygame.SRCALPHA)
        step = side * zoom
        for row in range(max(top, 0) // step, (top + 2 * half) // step + 1):
            for column in range(max(left, 0) // step, (left + 2 * half) // step + 1):
                if not ground.ready(zoom, row, column):
                    return None
                below = ground.under_crowns(zoom, row, column)
                if below is not None:
                    disc.blit(below, (column * step - left, row * step - top))
        disc.blit(self._mask(half), (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        self._discs[key] = disc
        if len(self._discs) > KEPT:
            self._discs.popitem(last=False)
        return disc

    def _mask(self, half: int) -> pygame.Surface:
        if half not in self._masks:
            at = np.arange(2 * half) + 0.5 - half
            inside = half - np.hypot(at[:, None], at[None, :])
            alpha = np.clip(inside / max(half * 0.22, 1.0), 0, 1) * 255 * SHOWN
            mask = pygame.Surface((2 * half, 2 * half), pygame.SRCALPHA)
            mask.fill((255, 255, 255, 0))
            pygame.surfarray.pixels_alpha(mask)[:] = alpha.astype(np.uint8)
            self._masks[half] = mask
        return self._masks[half]
