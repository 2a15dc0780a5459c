"""Tiles as kernels read them: int32, clipped instead of wrapped.

1 << 40 as an int32 is 0, which is a tile of every map. A float that is not a number can also become a valid tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FARTHEST = 1 << 16
"""Coordinate beyond every map, in tiles.

It is small enough that path costs to it do not overflow the keys of a search.
"""


def narrowed(tiles: Any) -> np.ndarray:
    """Return tiles as C-contiguous int32, clipped to -FARTHEST..FARTHEST.

    A value that is not a number becomes -FARTHEST. Fractions are dropped as by int(). A tile outside the map stays
    outside, on the same side.
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
