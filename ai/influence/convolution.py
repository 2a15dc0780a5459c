"""Convolution: spreads the values of a map by an odd kernel.

Source: Ian Millington and John Funge, AI for Games, 6.2.7 (convolution filters, boundaries, Gaussian blur, separable
filters). Maps are ``float64[H, W]``. A border is ``shrink`` (only existing tiles count, the kernel is renormalised)
or ``zero`` (tiles outside count as 0). With ``open_tiles: bool[H, W]`` walls are treated as the outside is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Map = NDArray[np.float64]

BORDERS = ("shrink", "zero")


def binomial(reach: int) -> Map:
    """Return binomial weights with sum 1 that reach ``reach`` tiles each way."""
    if reach < 1:
        raise ValueError(f"the reach of a kernel is at least 1 tile, got {reach}")
    row = np.ones(1)
    for _ in range(2 * reach):
        row = np.convolve(row, (0.5, 0.5))
    return row


def separate(kernel: Map) -> tuple[Map, Map]:
    """Return the column and the row whose outer product is ``kernel``.

    Raises ValueError for a kernel that has none, such as one that sharpens.
    """
    _odd(kernel)
    at = np.unravel_index(np.argmax(np.abs(kernel)), kernel.shape)
    peak = kernel[at]
    if peak == 0:
        raise ValueError("the kernel is 0 everywhere")
    column, row = kernel[:, at[1]] / peak, kernel[at[0]].copy()
    if not np.allclose(np.outer(column, row), kernel, rtol=0, atol=1e-12 * abs(peak)):
        raise ValueError("the kernel is not separable: use the full filter")
    return column, row


def filtered(source: Map, kernel: Map, border: str = "shrink", open_tiles: NDArray[np.bool_] | None = None) -> Map:
    """Return the kernel-weighted sum of each tile's neighbourhood."""
    _odd(kernel)
    return _bordered(source, border, open_tiles, kernel.sum(), lambda field: _full(field, kernel))


def filtered_twice(
    source: Map, column: Map, row: Map, border: str = "shrink", open_tiles: NDArray[np.bool_] | None = None
) -> Map:
    """Return the filter by the outer product of two vectors, as two one-dimensional passes."""
    _odd(column[:, None])
    _odd(row[None, :])

    def passes(field: Map) -> Map:
        return _full(_full(field, column[:, None]), row[None, :])

    return _bordered(source, border, open_tiles, column.sum() * row.sum(), passes)


def blurred(source: Map, reach: int = 1, open_tiles: NDArray[np.bool_] | None = None) -> Map:
    """Return the Gaussian blur of a map, from binomial weights."""
    row = binomial(reach)
    return filtered_twice(source, row, row, open_tiles=open_tiles)


def steady_step(field: Map, sources: Map, decay: float, reach: int = 1) -> Map:
    """Return the next map of a spread that settles.

    It adds the sources, blurs, and removes the share ``decay``. The weights of tiles outside fall back onto the edge,
    so the blur keeps the total. The total then settles at ``sources.sum() * (1 - decay) / decay``.
    """
    if not 0 < decay < 1:
        raise ValueError(f"decay lies between 0 and 1, got {decay}")
    row = binomial(reach)
    padded = np.pad(field + sources, reach, mode="symmetric")
    # A mirrored border gives each edge tile what would leave the map: the total is kept exactly.
    full = _full(_full(padded, row[:, None]), row[None, :])
    return np.asarray((1.0 - decay) * full[reach:-reach, reach:-reach])


def _odd(kernel: Map) -> None:
    if kernel.ndim != 2 or not all(n % 2 for n in kernel.shape):
        raise ValueError(f"a kernel has odd sides, got {kernel.shape}")


def _full(field: Map, kernel: Map) -> Map:
    height, width = field.shape
    ry, rx = kernel.shape[0] // 2, kernel.shape[1] // 2
    padded = np.zeros((height + 2 * ry, width + 2 * rx))
    padded[ry : ry + height, rx : rx + width] = field
    out = np.zeros((height, width))
    for j in range(kernel.shape[0]):
        for i in range(kernel.shape[1]):
            if kernel[j, i]:
                out += kernel[j, i] * padded[j : j + height, i : i + width]
    return out


def _bordered(
    source: Map, border: str, open_tiles: NDArray[np.bool_] | None, total: float, spread: Callable[[Map], Map]
) -> Map:
    if border not in BORDERS:
        raise ValueError(f"a border is one of {', '.join(BORDERS)}, not {border!r}")
    there = np.ones(source.shape) if open_tiles is None else open_tiles.astype(np.float64)
    out = spread(source * there)
    if border == "shrink":
        # The filter of a map of ones is the weight that exists: division replaces the nine kernels of the source.
        weight = spread(there)
        out = np.where(weight > 0, out * total / np.where(weight > 0, weight, 1.0), 0.0)
    return np.asarray(out * there)


TECHNIQUES = (
    {
        "slug": "convolution",
        "name": "Convolution with borders",
        "ids": ("AFG6.2.16", "AFG6.2.17", "AFG6.2.18", "AFG6.2.19"),
        "source": "AI for Games, 6.2.7",
        "functions": ("filtered", "filtered_twice", "blurred", "steady_step"),
        "test": "tests/ai/influence/test_convolution.py",
        "reason": "no exhibit yet",
        "claim": (
            "The frag map blurs by two passes with a shrinking border. Full kernels, zero borders and the spread "
            "that settles are in the library only; of two removals of bias the decay is built."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
