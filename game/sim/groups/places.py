"""Where slots may be: on free ground of the group's component, each on ground of its own.

A slot whose disc touches a wall, lies in another component or on somebody who stands there already is moved to the
nearest free tile ("AI Game Programming Wisdom", 5.6; "Game AI Pro 2", 20.7).
"""

from __future__ import annotations

import numpy as np

from ai.formation.shapes import Slots, place
from ai.grid.components import Components
from ai.grid.terrain import Terrain

REACH = 12
"""Tiles round the slots in which free ground is looked for first; doubled while it does not do."""


def free_places(
    terrain: Terrain,
    components: Components,
    klass: int,
    label: int,
    wanted: np.ndarray,
    taken: np.ndarray | None = None,
    radius: float = 0.3,
) -> np.ndarray:
    """Places float64[n, 2] (x, y) for wanted ones: as they are where they are free, else on the nearest free tile.

    ``label`` is the component they must be in; ``taken`` float64[m, 2] are bodies that stand about.  In the order
    given, nearest by distance, then row, then column.  Where the component has no tile left, several share one.
    """
    n = len(wanted)
    out = wanted.copy()
    if n == 0:
        return out
    height, width = terrain.passable.shape
    labels = components.label_map(klass)
    good = np.ones(n, bool)
    for dy in (-radius, 0.0, radius):
        for dx in (-radius, 0.0, radius):
            ty, tx = np.floor(wanted[:, 1] + dy).astype(int), np.floor(wanted[:, 0] + dx).astype(int)
            inside = (ty >= 0) & (tx >= 0) & (ty < height) & (tx < width)
            good &= inside
            good[inside] &= labels[ty[inside], tx[inside]] == label
    if taken is not None and len(taken):
        from scipy.spatial import cKDTree

        near, _ = cKDTree(taken).query(wanted)
        good &= near > 2.0 * radius
    bad = np.flatnonzero(~good)
    reach = REACH
    while len(bad):
        low = np.floor(wanted.min(axis=0)).astype(int) - reach
        high = np.ceil(wanted.max(axis=0)).astype(int) + reach + 1
        x0, y0 = np.clip(low, 0, (width - 1, height - 1))
        x1, y1 = np.clip(high, (x0 + 1, y0 + 1), (width, height))
        free = labels[y0:y1, x0:x1] == label
        for spots in (out[good], taken if taken is not None else np.zeros((0, 2))):
            # A body may cover up to four tiles.
            for dy in (-radius, radius):
                for dx in (-radius, radius):
                    ty, tx = np.floor(spots[:, 1] + dy).astype(int) - y0, np.floor(spots[:, 0] + dx).astype(int) - x0
                    inside = (ty >= 0) & (tx >= 0) & (ty < y1 - y0) & (tx < x1 - x0)
                    free[ty[inside], tx[inside]] = False
        whole = (x0, y0, x1, y1) == (0, 0, width, height)
        tiles = np.argwhere(free)
        if len(tiles) >= len(bad) or whole:
            break
        reach *= 2
    if len(bad) and len(tiles):
        open_ = np.ones(len(tiles), bool)
        centres = tiles[:, ::-1] + (x0 + 0.5, y0 + 0.5)
        for i in bad.tolist():
            away = (centres[:, 0] - wanted[i, 0]) ** 2 + (centres[:, 1] - wanted[i, 1]) ** 2
            best = int(np.argmin(np.where(open_, away, np.inf) if open_.any() else away))
            out[i] = centres[best]
            open_[best] = False
    elif len(bad):
        anywhere = np.argwhere(labels == label)
        if len(anywhere):
            for i in bad.tolist():
                away = ((anywhere[:, ::-1] + 0.5 - wanted[i]) ** 2).sum(axis=1)
                out[i] = anywhere[int(np.argmin(away)), ::-1] + 0.5
    return out


def slots_on_ground(
    terrain: Terrain,
    components: Components,
    klass: int,
    label: int,
    slots: Slots,
    x: float,
    y: float,
    heading: float,
    taken: np.ndarray | None = None,
) -> np.ndarray:
    """World places and facings float64[n, 3] of a formation's slots on free ground; the weightiest choose first."""
    raw = place(slots, x, y, heading)
    order = np.lexsort((np.arange(len(slots)), -slots.weight))
    moved = free_places(terrain, components, klass, label, raw[order, :2], taken)
    raw[order, :2] = moved
    return raw
