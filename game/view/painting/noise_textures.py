"""Seamless noise textures for paper, mist and the frontier of the fog."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import pygame

from game.view.painting.palette import RGB


@cache
def seamless_noise(size: int, cells: int, seed: int) -> np.ndarray:
    """Return seamless noise in about -1..1, float32[size, size].

    ``cells`` is the number of waves along a side.
    """
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, (cells, cells))
    at = np.arange(size) * cells / size
    cell = at.astype(np.int64)
    share = at - cell
    after = (cell + 1) % cells
    fade = share**3 * (share * (share * 6 - 15) + 10)
    total = np.zeros((size, size))
    for rows, dy, wy in ((cell, 0, 1 - fade), (after, 1, fade)):
        for columns, dx, wx in ((cell, 0, 1 - fade), (after, 1, fade)):
            a = angle[np.ix_(rows, columns)]
            dot = np.cos(a) * (share - dx)[None, :] + np.sin(a) * (share - dy)[:, None]
            total += dot * wy[:, None] * wx[None, :]
    return (total * 1.5).astype(np.float32)


def washed_paper(colour: RGB, seed: int, size: int = 512, depth: float = 0.019) -> pygame.Surface:
    """Return a seamless sheet of one colour with flat washes, tide lines and grain."""
    surface: pygame.Surface = pygame.surfarray.make_surface(_washed(colour, seed, size, depth))
    return surface


@lru_cache(maxsize=8)
def _washed(colour: RGB, seed: int, size: int, depth: float) -> np.ndarray:
    """Return the pixels of the sheet, uint8[x, y, rgb].

    They are computed once for all maps that are opened.
    """
    tone = np.ones((size, size))
    for cells, share, k in ((3, 1.0, 1), (6, 0.8, 2), (11, 0.5, 3)):
        n = seamless_noise(size, cells, seed + k)
        tone -= np.clip((n - 0.04) * 18, 0, 1) * depth * share
        tone -= np.exp(-(((n - 0.055) * 55) ** 2)) * depth * share * 0.6
    tone += seamless_noise(size, size // 4, seed + 9) * 0.012
    return np.clip(np.array(colour) * tone[..., None], 0, 255).astype(np.uint8).swapaxes(0, 1)
