"""Torches at night: light that moves with its carrier.

A torch moves each tick, so its light is not part of the ground's chunks. It is the ground by day, multiplied by the
torch's pools. It is drawn over the ground at night where it is lighter as a whole. A maximum of each channel would
turn weak light on blue walls pink. The light falls like that of lamps and is drawn only where the side sees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from ai.perception.sight.shadowcast import SightBits
from game.view.light.fog import FogMask
from game.view.light.night import GREY, SAMPLES, LightMap, Shining
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette, rgb
from game.view.painting.spline import smooth_up

_GRID = 8
"""Positions per tile along an axis.

A torch's light is computed again at a new one.
"""
_NEW_A_FRAME = 1
"""Torches whose light is computed in a frame.

The others keep theirs for some frames.
"""
_LIGHTER = 16.0
"""Grey values by which a torch must outshine night and lamps to cover them."""


@dataclass
class _Pool:
    """Light of one torch in its box of tiles (y0, x0, y1, x1).

    The arrays have SAMPLES values a tile along each axis.
    """

    stamp: Any
    box: tuple[int, int, int, int]
    samples: np.ndarray
    """Multiplier, uint8[h, w, 3]."""
    cover: np.ndarray
    """Opacity over the ground at night, uint8[h, w]."""
    zoom: int = 0
    lit: pygame.Surface | None = None
    """Lit picture of the ground by day, at ``zoom``."""


class TorchLight:
    """Draws the light of torches and keeps it while their carriers stand."""

    def __init__(self, light: LightMap, palette: Palette) -> None:
        self.light, self.palette = light, palette
        self._pools: dict[int, _Pool] = {}
        self._bits: tuple[int, Any] | None = None
        self._made_at: dict[int, int] = {}
        self._count = self._left = 0
        self._tables: dict[tuple[str, float], np.ndarray] = {}

    def draw(
        self, surface: pygame.Surface, camera: Camera, ground: Any, torches: list[Any], terrain: Any,
        fog: FogMask | None,
    ) -> None:  # fmt: skip
        """Draw the light of ``torches`` over the ground at night.

        ``ground`` is the ground by day.
        """
        y0, x0, y1, x1 = camera.visible_tiles()
        self._pools = {t.id: self._pools[t.id] for t in torches if t.id in self._pools}
        self._left = _NEW_A_FRAME
        shown = []
        for torch in torches:
            far = torch.radius * 1.1 + 1
            if torch.on and x0 - far < torch.x < x1 + far and y0 - far < torch.y < y1 + far:
                shown.append(torch)
        # The torch whose light is oldest comes first.
        for torch in sorted(shown, key=lambda t: self._made_at.get(t.id, -1)):
            self._lay(surface, camera, ground, self._pool(torch, terrain, fog))

    def _pool(self, torch: Shining, terrain: Any, fog: FogMask | None) -> _Pool:
        where = round(torch.x * _GRID), round(torch.y * _GRID)
        stamp = (*where, terrain.revision, self.light.version, -1 if fog is None else fog.version)
        known = self._pools.get(torch.id)
        if known is not None and (known.stamp == stamp or self._left <= 0):
            return known
        self._left -= 1
        self._count += 1
        self._made_at[torch.id] = self._count
        if self._bits is None or self._bits[0] != terrain.revision:
            self._bits = (terrain.revision, SightBits(np.array(terrain.opaque, np.uint8)))
        light = self.light
        far = math.ceil(torch.radius * 1.1) + 1
        y0, x0 = max(int(torch.y) - far, 0), max(int(torch.x) - far, 0)
        y1, x1 = min(int(torch.y) + far + 1, light.height), min(int(torch.x) + far + 1, light.width)
        field = light.shine(torch, self._bits[1], terrain.opaque, (y0, x0, y1, x1))
        key = (torch.color, torch.strength)
        if key not in self._tables:
            self._tables[key] = self.light.table(self.palette, rgb(torch.color), torch.strength)
        samples = self._tables[key][field]
        lighter = (samples.astype(np.float32) - light.samples((y0, x0, y1, x1))) @ GREY
        cover = np.clip(lighter / _LIGHTER, 0, 1)
        if fog is not None:
            ys = np.clip(np.arange(y0 - 2, y1 + 2), 0, light.height - 1)
            xs = np.clip(np.arange(x0 - 2, x1 + 2), 0, light.width - 1)
            seen = np.clip(smooth_up(fog.shown_visible[np.ix_(ys, xs)], SAMPLES) * 2 - 0.6, 0, 1)
            cover *= seen
        made = self._pools[torch.id] = _Pool(stamp, (y0, x0, y1, x1), samples, (cover * 255).astype(np.uint8))
        return made

    def _lay(self, surface: pygame.Surface, camera: Camera, ground: Any, pool: _Pool) -> None:
        zoom, (y0, x0, y1, x1) = camera.zoom, pool.box
        left, top = camera.origin
        area = pygame.Rect(x0 * zoom - left, y0 * zoom - top, (x1 - x0) * zoom, (y1 - y0) * zoom)
        if pool.lit is None or pool.zoom != zoom:
            pool.lit, pool.zoom = self._lit(ground, zoom, pool, area.size), zoom
        surface.blit(pool.lit, area)

    @staticmethod
    def _lit(ground: Any, zoom: int, pool: _Pool, size: tuple[int, int]) -> pygame.Surface:
        """Return the ground by day in a pool's box, multiplied by the pool.

        Its alpha is the pool's cover.
        """
        y0, x0, y1, x1 = pool.box
        day = pygame.Surface(size)
        n = ground.chunk_tiles(zoom)
        for row in range(y0 // n, (y1 - 1) // n + 1):
            for column in range(x0 // n, (x1 - 1) // n + 1):
                place = (column * n - x0) * zoom, (row * n - y0) * zoom
                day.blit(ground.chunk("full", zoom, row, column), place)
        small = pygame.Surface(pool.cover.shape[::-1], pygame.SRCALPHA)
        pygame.surfarray.pixels3d(small)[:] = pool.samples.swapaxes(0, 1)
        pygame.surfarray.pixels_alpha(small)[:] = pool.cover.T
        lit = pygame.transform.smoothscale(small, size)
        lit.blit(day, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        return lit
