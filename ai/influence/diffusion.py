"""Diffusion map: placement, diffusion and query of one value over open tiles.

Source: Mike Lewis, Game AI Pro 2, 29.2 and 29.3 (the classical influence map, and its use as an occupancy map). Each
open tile gives a share of its value to the open tiles around it and keeps the rest. So the total stays and no wall
leaks. A diagonal neighbour counts only when both tiles beside it are open. Further steps predict; kept copies remember.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Map = NDArray[np.float64]
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))
NEIGHBOURS = len(_STEPS)


def _shifted(values: Map, dy: int, dx: int) -> Map:
    """Return the values moved by (dy, dx), 0 where nothing comes from."""
    out = np.zeros_like(values)
    height, width = values.shape
    to = slice(max(dy, 0), height + min(dy, 0)), slice(max(dx, 0), width + min(dx, 0))
    out[to] = values[max(-dy, 0) : height + min(-dy, 0), max(-dx, 0) : width + min(-dx, 0)]
    return out


def diffuse(values: Map, open_tiles: NDArray[np.bool_], share: float = 0.5, decay: float = 1.0) -> Map:
    """Return the map after one step.

    Each open neighbour gets an eighth of ``share`` of a tile's value. ``decay`` is the factor on all values.
    ValueError for a share outside 0..1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"the share that a tile gives lies in 0..1, got {share}")
    kept = np.where(open_tiles, values, 0.0)
    out = kept.copy()
    there = open_tiles.astype(np.float64)
    for dy, dx in _STEPS:
        goes = open_tiles & (_shifted(there, -dy, -dx) > 0)
        if dy and dx:
            goes &= (_shifted(there, -dy, 0) > 0) & (_shifted(there, 0, -dx) > 0)
        part = np.where(goes, kept * (share / NEIGHBOURS), 0.0)
        out += _shifted(part, dy, dx) - part
    return np.asarray(out * decay)


def place(values: Map, y: int, x: int, value: float = 1.0) -> None:
    """Put the whole value on one tile: the target was seen there."""
    values[:] = 0.0
    values[y, x] = value


def clear_seen(values: Map, seen: NDArray[np.bool_], total: float = 0.0) -> None:
    """Set tiles seen to be empty to 0.

    A ``total`` above 0 rescales the rest to it.
    """
    values[seen] = 0.0
    rest = float(values.sum())
    if total > 0 and rest > 0:
        values *= total / rest


def predicted(values: Map, open_tiles: NDArray[np.bool_], steps: int, share: float = 0.5) -> Map:
    """Return the map after further steps, without a change of it."""
    for _ in range(steps):
        values = diffuse(values, open_tiles, share)
    return values


TECHNIQUES = (
    {
        "slug": "diffusion",
        "name": "Diffusion over open tiles",
        "ids": ("GP2-29.1",),
        "source": "Game AI Pro 2, 29.2 and 29.3",
        "functions": ("diffuse", "clear_seen", "predicted"),
        "test": "tests/ai/influence/test_diffusion.py",
        "reason": "no exhibit yet",
        "claim": (
            "In the library only: what guards believe spreads by the occupancy map of perception, which has a "
            "kernel of its own."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
