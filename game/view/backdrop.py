"""The paper behind menus: overlapping flat washes with a tide line, contour lines and a river, in the map's style."""

from __future__ import annotations

import numpy as np
import pygame

from game.view.palette import Palette


def paint_backdrop(size: tuple[int, int], palette: Palette) -> pygame.Surface:
    """A painted sheet of the window's size; the same every time."""
    width, height = size
    # Painted at a quarter size: long washes lose nothing, and a resized window does not wait.
    w, h = max(width // 4, 1), max(height // 4, 1)
    y, x = np.mgrid[0:h, 0:w].astype(np.float64)
    x, y = x * 1280 / max(width, 1) * 4, y * 1280 / max(width, 1) * 4
    hills = _noise(x, y, 520, 3) * 0.65 + _noise(x, y, 210, 11) * 0.27 + _noise(x, y, 90, 5) * 0.08
    image = np.empty((h, w, 3))
    image[:] = palette["paper"]
    for level, tone, share in ((-0.05, "grass", 0.42), (0.16, "wood", 0.34), (0.34, "stone", 0.30)):
        step = np.clip((hills - level) * 26, 0, 1)[..., None] * share
        image += (np.array(palette.grounds[tone], float) - image) * step
        rim = np.exp(-(((hills - level - 0.012) * 60) ** 2))[..., None] * 0.09
        image *= 1 - rim
    bank = _bank(x, y)
    water = np.clip((0.075 - bank) * 60, 0, 1)[..., None]
    image += (np.array(palette.grounds["water"], float) - image) * water * 0.85
    image *= (1 + 0.012 * _noise(x * 9, y * 9, 30, 23))[..., None]
    small = pygame.surfarray.make_surface(np.clip(image, 0, 255).astype(np.uint8).swapaxes(0, 1))
    surface = pygame.transform.smoothscale(small, size)
    _contours(surface, size, palette)
    return surface


def _bank(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance from the middle of the river, in no unit of its own."""
    return np.abs(_noise(x * 0.55 + 300, y * 1.5, 640, 17) + (x - 930) / 900)


def _contours(surface: pygame.Surface, size: tuple[int, int], palette: Palette) -> None:
    """Thin ink contour lines at half size, laid over by alpha."""
    w, h = max(size[0] // 2, 1), max(size[1] // 2, 1)
    y, x = np.mgrid[0:h, 0:w].astype(np.float64)
    x, y = x * 1280 / max(size[0], 1) * 2, y * 1280 / max(size[0], 1) * 2
    hills = _noise(x, y, 520, 3) * 0.65 + _noise(x, y, 210, 11) * 0.27 + _noise(x, y, 90, 5) * 0.08
    bands = hills * 13
    near = np.abs(bands - np.round(bands))
    gy, gx = np.gradient(bands)
    ink = np.clip(1.1 - near / np.maximum(np.hypot(gx, gy), 1e-6), 0, 1) * 60
    bank = _bank(x, y)
    ink[bank < 0.075] *= 0.3
    by, bx = np.gradient(bank)
    slope = np.maximum(np.hypot(bx, by), 1e-6)
    for edge, width, dark in ((0.075, 1.5, 200), (0.062, 0.8, 70), (0.045, 0.7, 45)):
        line = np.clip(width - np.abs(bank - edge) / slope, 0, 1) * dark
        np.maximum(ink, line, out=ink)
    sheet = pygame.Surface((w, h), pygame.SRCALPHA)
    sheet.fill((*palette["ink"], 0))
    pygame.surfarray.pixels_alpha(sheet)[:] = ink.T.astype(np.uint8)
    surface.blit(pygame.transform.smoothscale(sheet, size), (0, 0))


def _noise(x: np.ndarray, y: np.ndarray, period: float, seed: int) -> np.ndarray:
    """Gradient noise in about -1..1 on a lattice turned by the seed."""
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
