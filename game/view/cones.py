"""A guard's cone: the exact sector cut by the rounded outline of the tiles it sees.

Computed on the cone's own box at a quarter of the screen's size and only when guard, door or zoom changed; the tiles
come from the library's one rule of sight.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Any

import numpy as np
import pygame

from game.view.camera import Camera
from game.view.fog import smooth_up
from game.view.palette import RGB

KEPT = 24


class ConePainter:
    """Draws cones and keeps the last few."""

    def __init__(self) -> None:
        self._made: OrderedDict[Any, tuple[pygame.Surface, float, float]] = OrderedDict()

    def draw(
        self, surface: pygame.Surface, camera: Camera, world: Any, x: float, y: float, facing: float,
        half_angle: float, reach: float, colour: RGB, at: tuple[float, float] | None = None,
    ) -> None:  # fmt: skip
        """Draw the cone of eyes at ``x, y`` (tiles); ``at`` is where the figure is drawn between ticks."""
        zoom = max(camera.zoom, 8)
        key = (
            round(x, 3), round(y, 3), round(facing, 3), round(half_angle, 3), reach, zoom, colour,
            world.terrain.revision,
        )  # fmt: skip
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._make(world, x, y, facing, half_angle, reach, zoom, colour)
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        sheet, left, top = made
        ox, oy = (at[0] - x, at[1] - y) if at is not None else (0.0, 0.0)
        if zoom != camera.zoom:
            share = camera.zoom / zoom
            sheet = pygame.transform.smoothscale(
                sheet, (max(1, round(sheet.get_width() * share)), max(1, round(sheet.get_height() * share)))
            )
        surface.blit(sheet, camera.to_screen(left + ox, top + oy))

    def _make(
        self, world: Any, x: float, y: float, facing: float, half_angle: float, reach: float, zoom: int, colour: RGB
    ) -> tuple[pygame.Surface, float, float]:
        from ai.sight.cone import MAX_REACH, sector

        bits = world.sight.bits
        reach = min(reach, MAX_REACH)
        if bits is None:
            return pygame.Surface((1, 1), pygame.SRCALPHA), x, y
        # A wider sector of tiles than the cone itself: the exact edges cut it, the tiles cut what walls hide.
        y0, x0, seen = sector(
            bits, world.terrain.opaque, x, y, facing, min(half_angle + 0.35, math.pi), min(reach + 1.2, MAX_REACH)
        )
        if seen.size == 0:
            return pygame.Surface((1, 1), pygame.SRCALPHA), x, y
        seen = seen & (world.terrain.opaque[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]] == 0)
        samples = max(zoom // 4, 2)
        field = smooth_up(np.pad(seen.astype(np.float32), 2), samples) - 0.42
        h, w = field.shape
        dy = ((np.arange(h, dtype=np.float32) + 0.5) / samples + np.float32(y0 - y))[:, None]
        dx = ((np.arange(w, dtype=np.float32) + 0.5) / samples + np.float32(x0 - x))[None, :]
        field *= 1.3  # about tiles, like the distances below
        distance = np.sqrt(dx * dx + dy * dy)
        np.minimum(field, reach - distance, out=field)
        if half_angle < math.pi / 2:
            for sign in (1.0, -1.0):
                a = facing + sign * half_angle
                # Distance inside the edge: positive towards the axis.
                np.minimum(field, (dx * math.sin(a) - dy * math.cos(a)) * np.float32(sign), out=field)
        rows = np.flatnonzero((field > -0.2).any(axis=1))
        columns = np.flatnonzero((field > -0.2).any(axis=0))
        if len(rows) == 0 or len(columns) == 0:
            return pygame.Surface((1, 1), pygame.SRCALPHA), x, y
        r0, r1, c0, c1 = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
        values = np.clip(field[r0:r1, c0:c1] * 128 + 128, 0, 255).astype(np.uint8)
        sheet = _drawn(values, zoom // samples, colour, zoom)
        return sheet, x0 + c0 / samples, y0 + r0 / samples


def _drawn(values: np.ndarray, up: int, colour: RGB, zoom: int) -> pygame.Surface:
    small = pygame.Surface((values.shape[1], values.shape[0]))
    flat = np.repeat(values.T[..., None], 3, axis=2)
    pygame.surfarray.blit_array(small, flat)
    big = pygame.transform.smoothscale(small, (values.shape[1] * up, values.shape[0] * up))
    field = pygame.surfarray.pixels_red(big)
    sheet = pygame.Surface(big.get_size(), pygame.SRCALPHA)
    sheet.fill((*colour, 0))
    pygame.surfarray.pixels_alpha(sheet)[:] = _alphas(zoom)[field]
    return sheet


def _alphas(zoom: int) -> np.ndarray:
    """uint8[256]: alpha by field value: a firm line at the edge, a fifth of fill inside."""
    inside = (np.arange(256) - 128) / 128 * zoom  # px inside the edge
    line = np.clip(1.6 - np.abs(inside - 1.2), 0, 1)
    fill = np.clip(inside, 0, 1) * 0.2
    return (np.maximum(line, fill) * 255).astype(np.uint8)
