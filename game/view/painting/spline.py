"""Cubic B-spline that enlarges tile values to a smooth plane.

Fog, cones and lamp light use it.
"""

from __future__ import annotations

import numpy as np


def _spline_rows(values: np.ndarray, samples: int) -> np.ndarray:
    """Enlarge values along the rows.

    The input is float32[n + 4, m], the result float32[n * samples, m]. Each of the ``samples`` phases has its own
    weights. A matrix product is avoided: on a busy machine the threads of the linear algebra library wait for each
    other.
    """
    n = values.shape[0] - 4
    out = np.empty((n, samples, values.shape[1]), np.float32)
    for j in range(samples):
        at = (j + 0.5) / samples + 1.5
        first = int(at)
        t = np.float32(at - first)
        u = np.float32(1) - t
        weights = (u * u * u, 3 * t * t * t - 6 * t * t + 4, 3 * u * u * u - 6 * u * u + 4, t * t * t)
        total = values[first - 1 : first - 1 + n] * (weights[0] / np.float32(6))
        for k in (1, 2, 3):
            total += values[first - 1 + k : first - 1 + k + n] * (weights[k] / np.float32(6))
        out[:, j] = total
    return out.reshape(n * samples, -1)


def smooth_up(tiles: np.ndarray, samples: int) -> np.ndarray:
    """Enlarge tile values float32[h + 4, w + 4] smoothly.

    The result is float32[h * samples, w * samples].
    """
    down = _spline_rows(np.ascontiguousarray(tiles, np.float32), samples)
    return np.ascontiguousarray(_spline_rows(np.ascontiguousarray(down.T), samples).T)
