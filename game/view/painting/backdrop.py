"""Backdrop of menus: flat washes with contour lines and a river.

It is painted in the style of the maps.
"""

from __future__ import annotations

import numpy as np
import pygame

from game.view.painting.noise_textures import seamless_noise
from game.view.painting.palette import Palette
from game.view.painting.spline import smooth_up

_COARSE = 8
"""Pixels between samples of the hills.

Their shortest wave is 90 px; a spline interpolates between the samples.
"""


def paint_backdrop(size: tuple[int, int], palette: Palette) -> pygame.Surface:
    """Return a painted sheet of the window's size; it is the same each time."""
    width, height = size
    h, w = -(-height // _COARSE) + 4, -(-width // _COARSE) + 4
    # The picture is computed for a window 1280 px wide and enlarged for larger ones.
    scale = 1280 / max(width, 1) * _COARSE
    y, x = np.mgrid[0:h, 0:w].astype(np.float64) * scale
    hills = _noise(x, y, 520, 3) * 0.65 + _noise(x, y, 210, 11) * 0.27 + _noise(x, y, 90, 5) * 0.08
    river = _noise(x * 0.55 + 300, y * 1.5, 640, 17) + (x - 930) / 900
    wash = _washed(smooth_up(hills, 2), np.abs(smooth_up(river, 2)), palette)
    surface = pygame.transform.smoothscale(wash, ((w - 4) * _COARSE, (h - 4) * _COARSE))
    lines = _lines(smooth_up(hills, 4), np.abs(smooth_up(river, 4)), palette)
    surface.blit(pygame.transform.smoothscale(lines, surface.get_size()), (0, 0))
    return surface.subsurface((0, 0, width, height)).convert()


def _washed(hills: np.ndarray, bank: np.ndarray, palette: Palette) -> pygame.Surface:
    """Return the colours, at a quarter of the size."""
    image = np.empty((*hills.shape, 3), np.float32)
    image[:] = palette["paper"]
    for level, tone, share in ((-0.05, "grass", 0.42), (0.16, "wood", 0.34), (0.34, "stone", 0.30)):
        step = np.clip((hills - level) * 26, 0, 1)[..., None] * share
        image += (np.array(palette.grounds[tone], np.float32) - image) * step
        image *= 1 - np.exp(-(((hills - level - 0.012) * 60) ** 2))[..., None] * 0.09
    water = np.clip((0.075 - bank) * 60, 0, 1)[..., None]
    image += (np.array(palette.grounds["water"], np.float32) - image) * water * 0.85
    h, w = hills.shape
    grain = np.tile(seamless_noise(256, 64, 23), (-(-h // 256), -(-w // 256)))[:h, :w]
    image *= (1 + 0.012 * grain)[..., None]
    return pygame.surfarray.make_surface(np.clip(image, 0, 255).astype(np.uint8).swapaxes(0, 1))


def _lines(hills: np.ndarray, bank: np.ndarray, palette: Palette) -> pygame.Surface:
    """Return contour lines and river lines as ink, at half the size.

    The alpha of the ink varies.
    """
    bands = hills * 13
    gy, gx = np.gradient(bands)
    ink = np.clip(1.1 - np.abs(bands - np.round(bands)) / np.maximum(np.hypot(gx, gy), 1e-6), 0, 1) * 60
    ink[bank < 0.075] *= 0.3
    by, bx = np.gradient(bank)
    slope = np.maximum(np.hypot(bx, by), 1e-6)
    for edge, width, dark in ((0.075, 1.5, 200), (0.062, 0.8, 70), (0.045, 0.7, 45)):
        np.maximum(ink, np.clip(width - np.abs(bank - edge) / slope, 0, 1) * dark, out=ink)
    sheet = pygame.Surface((hills.shape[1], hills.shape[0]), pygame.SRCALPHA)
    sheet.fill((*palette["ink"], 0))
    pygame.surfarray.pixels_alpha(sheet)[:] = ink.T.astype(np.uint8)
    return sheet


def _noise(x: np.ndarray, y: np.ndarray, period: float, seed: int) -> np.ndarray:
    """Return gradient noise of about -1 to 1.

    The seed rotates its lattice.
    """
    turn = 0.37 + seed * 0.61
    u = (x * np.cos(turn) - y * np.sin(turn)) / period + seed * 7.3
    v = (x * np.sin(turn) + y * np.cos(turn)) / period + seed * 3.1
    iu, iv = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    fu, fv = u - iu, v - iv

    def corner(du: int, dv: int) -> np.ndarray:
        n = ((iu + du) * 374761393 + (iv + dv) * 668265263 + seed * 974711) & 0xFFFFFFFF
        n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
        angle = (n & 0xFFFF) * (2 * np.pi / 65536)
        return np.cos(angle) * (fu - du) + np.sin(angle) * (fv - dv)

    su, sv = (t * t * t * (t * (t * 6 - 15) + 10) for t in (fu, fv))
    top = corner(0, 0) * (1 - su) + corner(1, 0) * su
    bottom = corner(0, 1) * (1 - su) + corner(1, 1) * su
    return np.asarray((top * (1 - sv) + bottom * sv) * 1.5)
