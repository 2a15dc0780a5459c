"""Strokes that the line overlays share.

It also finds what lies on screen and whose path is inspected.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pygame

from game.view.overlays.overlay import LabContext, Scope
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB

Pixel = tuple[int, int]


_CLEAR = (255, 0, 254)
"""Transparent colour of a layer; no palette has it."""


class Layer:
    """Strokes painted once, then blitted until camera or map change."""

    def __init__(self) -> None:
        self._key: Any = None
        self._made: pygame.Surface | None = None

    def draw(self, surface: pygame.Surface, camera: Camera, key: Any, paint: Callable[[pygame.Surface], None]) -> None:
        """Blit the layer; repaint it when ``key`` or the view has changed."""
        clip = surface.get_clip()
        full = (key, camera.origin, camera.zoom, surface.get_size(), tuple(clip))
        if self._made is None or self._key != full:
            whole = pygame.Surface(surface.get_size())
            whole.fill(_CLEAR)
            whole.set_clip(clip)
            paint(whole)
            self._made = whole.subsurface(clip).copy()
            self._made.set_colorkey(_CLEAR, pygame.RLEACCEL)
            self._key = full
        surface.blit(self._made, clip)


def _around(points: list[Pixel], width: int) -> pygame.Rect:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    box = pygame.Rect(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
    return box.inflate(width, width)


def centre(camera: Camera, tile: tuple[int, int]) -> Pixel:
    """Return the pixel of the middle of a tile (y, x)."""
    return camera.to_screen(tile[1] + 0.5, tile[0] + 0.5)


def cased(surface: pygame.Surface, context: LabContext, points: list[Pixel], colour: RGB, width: int = 3) -> None:
    """Draw a line with a pale casing and an ink edge towards the picture."""
    if len(points) > 1 and surface.get_clip().colliderect(_around(points, width + 4)):
        pygame.draw.lines(surface, context.palette["rim"], False, points, width + 4)
        pygame.draw.lines(surface, context.palette["ink"], False, points, width + 2)
        pygame.draw.lines(surface, colour, False, points, width)


def hops(surface: pygame.Surface, camera: Camera, context: LabContext, tiles: list, ends: bool = True) -> None:
    """Draw a selected unit's path from tile to tile (y, x), with dots.

    The first and last tile get dots only if ``ends``.
    """
    points = [centre(camera, tile) for tile in tiles]
    cased(surface, context, points, context.palette.overlay["full"], 4)
    for at in points if ends else points[1:-1]:
        dot(surface, context, at, context.palette["white"], 4)


def arrow_head(surface: pygame.Surface, tip: Pixel, angle: float, colour: RGB, size: int) -> None:
    """Draw a filled triangle that points along ``angle``, if it is on screen."""
    if not surface.get_clip().inflate(2 * size, 2 * size).collidepoint(tip):
        return
    back = [(tip[0] - math.cos(angle + s) * size, tip[1] - math.sin(angle + s) * size) for s in (0.45, -0.45)]
    pygame.draw.polygon(surface, colour, [tip, *back])


def dot(surface: pygame.Surface, context: LabContext, at: Pixel, colour: RGB, radius: int) -> None:
    """Draw a dot with an ink edge, if it is on screen."""
    if not surface.get_clip().inflate(2 * radius + 2, 2 * radius + 2).collidepoint(at):
        return
    pygame.draw.circle(surface, context.palette["ink"], at, radius + 1)
    pygame.draw.circle(surface, colour, at, radius)


def shown_rows(camera: Camera, tiles: np.ndarray, skirt: int = 1) -> np.ndarray:
    """Return indices of the tiles int[n, 2] (y, x) on screen."""
    y0, x0, y1, x1 = camera.visible_tiles(skirt)
    return np.flatnonzero((tiles[:, 0] >= y0) & (tiles[:, 0] < y1) & (tiles[:, 1] >= x0) & (tiles[:, 1] < x1))


def shown_edges(camera: Camera, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return indices of the edges whose box meets the screen.

    Edge i runs from first[i] to last[i], int[n, 2] (y, x) each.
    """
    y0, x0, y1, x1 = camera.visible_tiles(1)
    low, high = np.minimum(first, last), np.maximum(first, last)
    return np.flatnonzero((high[:, 0] >= y0) & (low[:, 0] < y1) & (high[:, 1] >= x0) & (low[:, 1] < x1))


def focus_tile(camera: Camera, context: LabContext) -> tuple[int, int] | None:
    """Return the tile under the cursor, else of the first selected unit, else None."""
    tile = camera.tile_at(*context.cursor) if context.cursor[0] >= 0 else None
    if tile is not None:
        return tile
    rows = context.rows(Scope.SELECTED) if context.selected else np.zeros(0, np.int64)
    p = context.playing.picture
    return (int(p.y[rows[0]]), int(p.x[rows[0]])) if len(rows) else None


def path_of(context: LabContext, row: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return (start, goal) of a unit's last path request, tiles (y, x), or None."""
    requests, width = context.world.paths.requests, context.world.terrain.width
    if row >= requests.capacity:
        return None
    start, goal = int(requests.same_from[row]), int(requests.same_to[row])
    if start < 0 or goal < 0 or start == goal:
        return None
    return divmod(start, width), divmod(goal, width)


def class_of(context: LabContext) -> int:
    """Return the movement class of the first selected unit, else the walkers'."""
    rows = context.playing.picture.rows(context.selected[:1])
    return int(context.playing.picture.movement_class[rows[0]]) if len(rows) else 0
