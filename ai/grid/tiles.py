"""Tiles as kernels read them: int32, without coming back round.

1 << 40 as an int32 is 0, which is a tile of every map; so is what a float that is no number happens to become.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FARTHEST = 1 << 16
"""Beyond every map, and near enough that costs of a way there do not overflow the keys of a search."""


def narrowed(tiles: Any) -> np.ndarray:
    """Tiles of any shape as C-contiguous int32, cut off at -FARTHEST and FARTHEST; what is no number lies at -FARTHEST.

    Fractions are dropped as by int().  What lies outside a map before lies outside it afterwards, on the same side.
    """
    array = np.asarray(tiles)
    if array.dtype == np.int32:
        return np.ascontiguousarray(array)
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), -FARTHEST, array.astype(np.float64))
    elif array.dtype.kind == "u":
        array = np.minimum(array.astype(np.uint64), np.uint64(FARTHEST)).astype(np.int64)
    elif array.dtype.kind in "ib":
        array = array.astype(np.int64)
    return np.ascontiguousarray(np.clip(array, -FARTHEST, FARTHEST).astype(np.int32))
