"""Washes: textures of watercolour that are multiplied into a colour.

Three noises are thresholded over a narrow step. So they look like overlapping flat washes, each with a dark line along
its contour. The hue varies by a few levels. The grain of the paper is a separate texture in screen pixels.
"""

from __future__ import annotations

import numpy as np

from game.view.painting.palette import mix, palette
from tools.art.drawing.noise import smoothstep, tiling

TEXTURE = 1024  # px
PIXELS_PER_TILE = 16  # so that washes repeat after 64 tiles
GAIN = 1.12  # textures hold factor / GAIN * 255 and tiles hold colour * GAIN, so no product exceeds 255
GRAIN = 256
GRAIN_MIDDLE = 10


def _variation(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return variations of lightness and hue, float32[TEXTURE, TEXTURE] each.

    Lightness lies in -0.1 to 0.1, hue in about -1.5 to 1.5.
    """
    k = PIXELS_PER_TILE / 32
    light = np.zeros((TEXTURE, TEXTURE), np.float32)
    hue = np.zeros_like(light)
    for i, (period, strength) in enumerate(((330, 0.040), (150, 0.030), (62, 0.018))):
        q = tiling(TEXTURE, period * k, seed + i) + 0.40 * tiling(TEXTURE, period * k * 0.37, seed + 9 + i)
        light += strength * (smoothstep(-0.07, 0.07, q) - 0.5) * 2
        light -= strength * 0.55 * np.exp(-((q / 0.05) ** 2))
        hue += smoothstep(-0.1, 0.1, tiling(TEXTURE, period * k * 1.4, seed + 31 + i)) - 0.5
    return light, hue


def _packed(factor: np.ndarray) -> np.ndarray:
    return np.clip(factor / GAIN * 255 + 0.5, 0, 255).astype(np.uint8)


def wash_texture(seed: int = 1) -> np.ndarray:
    """Return uint8[TEXTURE, TEXTURE, 3], a wash to multiply into any ground colour."""
    light, hue = _variation(seed)
    tint = np.array([3.0, 1.0, -3.0], np.float32) / 190
    return _packed(1 + light[..., None] + hue[..., None] * tint)


def grass_texture(seed: int = 41) -> np.ndarray:
    """Return the wash of open grass, with pale flat patches of dry meadow."""
    light, hue = _variation(seed)
    p = palette()
    grass = np.array(p.grounds["grass"], np.float32)
    meadow = np.array(mix(p["paper"], p.grounds["grass"], 0.25), np.float32) / grass
    k = PIXELS_PER_TILE / 32
    q = tiling(TEXTURE, 260 * k, seed + 70) + 0.5 * tiling(TEXTURE, 90 * k, seed + 71)
    patch = smoothstep(0.12, 0.28, q) * 0.52
    rim = 0.03 * np.exp(-(((q - 0.12) / 0.05) ** 2))
    tint = np.array([3.0, 1.0, -3.0], np.float32) / 190
    base = 1 + light[..., None] + hue[..., None] * tint - rim[..., None]
    return _packed(base * (1 + (meadow - 1) * patch[..., None]) * 0.985)


def grain_texture(seed: int = 77) -> np.ndarray:
    """Return the grain of the paper, uint8[GRAIN, GRAIN], in screen pixels.

    Values are levels to add, plus GRAIN_MIDDLE.
    """
    fine = tiling(GRAIN, 2.4, seed) * 0.6 + tiling(GRAIN, 5.0, seed + 1) * 0.5
    return np.clip(fine * 6.5 + GRAIN_MIDDLE + 0.5, 0, 2 * GRAIN_MIDDLE).astype(np.uint8)


def mist_texture(seed: int = 95) -> np.ndarray:
    """Return uint8[512, 512, 3]: empty misty paper, 16 px a tile."""
    n = 512
    k = PIXELS_PER_TILE / 32
    colour = np.array(palette()["mist"], np.float32)
    light = np.zeros((n, n), np.float32)
    for i, (period, strength) in enumerate(((300, 0.030), (120, 0.020))):
        q = tiling(n, period * k, seed + i) + 0.4 * tiling(n, period * k * 0.4, seed + 5 + i)
        light += strength * (smoothstep(-0.12, 0.12, q) - 0.5) * 2 - strength * 0.4 * np.exp(-((q / 0.06) ** 2))
    return np.clip(colour * (1 + light[..., None]) + 0.5, 0, 255).astype(np.uint8)
