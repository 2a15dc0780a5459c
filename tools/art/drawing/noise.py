"""Hashed numbers, and noise that repeats without a seam.

Noise is white noise on a square raster, hashed from its coordinates and filtered to a band of frequencies. It has no
lattice, so no straight lines appear at a threshold. The filter is periodic, so the noise tiles.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import fft


def hashed(x: np.ndarray | int, y: np.ndarray | int, seed: int) -> np.ndarray:
    """Return uniform numbers in [0, 1) from integer coordinates."""
    mask = np.int64(0xFFFFFFFF)
    h = (np.asarray(x, np.int64) * 374761393 + np.asarray(y, np.int64) * 668265263 + seed * 974711) & mask
    h = ((h ^ (h >> 13)) * 1274126177) & mask
    h = ((h ^ (h >> 16)) * 2246822519) & mask
    return ((h ^ (h >> 15)) & 0xFFFFFF) / float(0x1000000)


def dice(*key: int) -> float:
    """Return one uniform number in [0, 1) from a key of integers."""
    x, y, seed = 17, 31, 7
    for i, part in enumerate(key):
        x, y, seed = x * 31 + part, y * 17 + part * (i + 3), seed + part * 101
    return float(hashed(np.array([x % 1000003]), np.array([y % 1000033]), seed % 65521)[0])


@lru_cache(maxsize=64)
def tiling(n: int, period: float, seed: int) -> np.ndarray:
    """Return seamless noise float32[n, n] with a period of ``period`` pixels.

    Its values lie about -1 to 1, with a standard deviation of 0.45.
    """
    rows, columns = np.mgrid[:n, :n]
    white = hashed(columns, rows, seed) - 0.5
    fy = fft.fftfreq(n)[:, None]
    fx = fft.rfftfreq(n)[None, :]
    f = np.hypot(fx, fy) * period
    band = np.exp(-(((f - 0.85) / 0.38) ** 2))
    band[0, 0] = 0.0
    out = fft.irfft2(fft.rfft2(white) * band, s=(n, n))
    return (out * (0.45 / out.std())).astype(np.float32)


def smoothstep(low: float, high: float, value: np.ndarray) -> np.ndarray:
    """Return 0 below ``low``, 1 above ``high``, and a smooth step between."""
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)
