"""Canvas with strokes and fills, drawn larger and reduced with premultiplied alpha."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pygame

from game.view.painting.outlines import Point, dashes
from game.view.painting.palette import RGB


def reduce_premultiplied(rgb: np.ndarray, alpha: np.ndarray, factor: int) -> np.ndarray:
    """Return uint8 rgba, ``factor`` times smaller.

    ``rgb`` is float[H, W, 3] and ``alpha`` float[H, W] in 0 to 1. Colour is averaged by coverage. Transparent pixels
    stay black. So scale the result with premultiplied alpha, or over an ink outline, which is dark anyway.
    """
    h, w = alpha.shape[0] // factor, alpha.shape[1] // factor
    cover = alpha.reshape(h, factor, w, factor).mean((1, 3))
    mass = (rgb * alpha[..., None]).reshape(h, factor, w, factor, 3).mean((1, 3))
    out = np.zeros((h, w, 4), np.uint8)
    colour = mass / np.maximum(cover, 1e-6)[..., None]
    out[..., :3] = np.clip(np.where(cover[..., None] > 1e-6, colour, 0) + 0.5, 0, 255).astype(np.uint8)
    out[..., 3] = np.clip(cover * 255 + 0.5, 0, 255).astype(np.uint8)
    return out


class Canvas:
    """Vector strokes and fills in pixels of the finished picture."""

    def __init__(self, width: int, height: int, supersample: int = 4, unit: float = 1.0) -> None:
        self.width, self.height, self.supersample = width, height, supersample
        self.scale = supersample * unit
        self.origin = (0.0, 0.0)
        self.surface = pygame.Surface((width * supersample, height * supersample), pygame.SRCALPHA)

    def move_origin(self, x: float, y: float) -> None:
        """Set the point (x, y) about which everything is drawn."""
        self.origin = (x, y)

    def _at(self, points: Sequence[Point] | np.ndarray) -> list[Point]:
        dx, dy = self.origin
        return [((float(p[0]) + dx) * self.scale, (float(p[1]) + dy) * self.scale) for p in points]

    def fill(self, outline: Sequence[Point] | np.ndarray, colour: RGB, alpha: int = 255) -> None:
        """Draw a filled outline."""
        pygame.draw.polygon(self.surface, (*colour, alpha), self._at(outline))

    def disc(self, centre: Point, radius: float, colour: RGB, alpha: int = 255) -> None:
        """Draw a filled disc."""
        pygame.draw.circle(self.surface, (*colour, alpha), self._at([centre])[0], radius * self.scale)

    def ring(
        self,
        centre: Point,
        radius: float,
        width: float,
        colour: RGB,
        alpha: int = 255,
        start: float = 0.0,
        end: float = 2 * math.pi,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw an arc from ``start`` to ``end`` in radians, clockwise on screen."""
        a = np.linspace(start, end, max(24, int(radius * (end - start))) + 1)
        arc = np.c_[centre[0] + radius * np.cos(a), centre[1] + radius * np.sin(a)]
        self.line(arc, width, colour, alpha, dash=dash, caps=False)

    def line(
        self,
        points: Sequence[Point] | np.ndarray,
        width: float,
        colour: RGB,
        alpha: int = 255,
        end_width: float | None = None,
        dash: tuple[float, float] | None = None,
        caps: bool = True,
    ) -> None:
        """Draw a stroke with rounded corners.

        With ``end_width`` its width changes evenly to that value.
        """
        path = np.asarray(points, float)
        if dash is not None:
            for stroke in dashes(path, *dash):
                self.line(stroke, width, colour, alpha, end_width, caps=False)
            return
        half = np.linspace(width, width if end_width is None else end_width, len(path)) / 2
        for i in range(len(path) - 1):
            d = path[i + 1] - path[i]
            length = float(np.hypot(*d))
            if length == 0:
                continue
            n = np.array([-d[1], d[0]]) / length
            quad = [path[i] + n * half[i], path[i + 1] + n * half[i + 1]]
            quad += [path[i + 1] - n * half[i + 1], path[i] - n * half[i]]
            self.fill(np.array(quad), colour, alpha)
            if i and alpha == 255:
                self.disc((path[i][0], path[i][1]), half[i], colour)
        if caps and alpha == 255 and len(path):
            self.disc((path[0][0], path[0][1]), half[0], colour)
            self.disc((path[-1][0], path[-1][1]), half[-1], colour)

    def master(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the drawing before reduction: rgb and alpha.

        They are float32[H, W, 3] in 0 to 255 and float32[H, W] in 0 to 1.
        """
        rgb = pygame.surfarray.array3d(self.surface).astype(np.float32).transpose(1, 0, 2)
        alpha = pygame.surfarray.array_alpha(self.surface).astype(np.float32).T / 255
        return rgb, alpha

    def rgba(self) -> np.ndarray:
        """Return the reduced drawing, uint8[height, width, 4]."""
        rgb, alpha = self.master()
        return reduce_premultiplied(rgb, alpha, self.supersample)
