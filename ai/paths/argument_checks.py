"""Argument checks: slots, columns and tiles, with ValueErrors that name the shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.grid.terrain import Terrain


def slots_of(values: Any, capacity: int | None = None) -> np.ndarray:
    """Return unit slots int64[n], from 0 and below ``capacity`` if given."""
    array = np.asarray(values)
    if array.ndim > 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"slots must be whole numbers [n], got {array.dtype} of shape {array.shape}")
    slots = np.ascontiguousarray(array, np.int64).reshape(-1)
    if len(slots) and (slots.min() < 0 or (capacity is not None and slots.max() >= capacity)):
        known = "" if capacity is None else f"..{capacity - 1}"
        raise ValueError(f"slots must be 0{known}, got {slots.min()}..{slots.max()}")
    return slots


def column_of(name: str, values: Any, n: int) -> np.ndarray:
    """Return an array [n] from one value per slot, or one value for all."""
    array = np.asarray(values)
    if array.shape not in ((), (n,)):
        raise ValueError(f"{name} must be one value or [{n}], got shape {array.shape}")
    return np.broadcast_to(array, (n,))


def distinct(kinds: np.ndarray) -> list[int]:
    """Return the movement classes among ``kinds``, ascending; most often there is one."""
    if len(kinds) == 0:
        return []
    first = kinds[0]
    return [int(first)] if (kinds == first).all() else [int(kind) for kind in np.unique(kinds)]


def tiles_of(name: str, values: Any, n: int, terrain: Terrain | None = None) -> np.ndarray:
    """Return tiles (y, x) [n, 2] from one tile per row, or one.

    The tiles must lie on ``terrain`` if it is given.
    """
    array = np.asarray(values)
    if array.shape not in ((2,), (n, 2)) or array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers [2] or [{n}, 2] of (y, x), got {array.dtype}{array.shape}")
    if terrain is not None and array.size:
        high = (terrain.height, terrain.width)
        if (array < 0).any() or (array >= high).any():
            raise ValueError(f"{name} must lie on the map of {terrain.height} x {terrain.width} tiles")
    return np.broadcast_to(array, (n, 2))


def same_length(**columns: np.ndarray) -> int:
    """Return the common length of all columns."""
    lengths = {name: np.shape(column) for name, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError("must be equally long: " + ", ".join(f"{k} {v}" for k, v in lengths.items()))
    return len(next(iter(columns.values())))
