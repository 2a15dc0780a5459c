"""Readings of places: paths over a tile, and units that ask for a door."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from game.world.orders import OrderKind
from game.world.places import Door

MOST_UNITS = 250
"""Living units above which neither watchers nor paths are asked for."""


def path_points(world: Any, slot: int) -> np.ndarray:
    """Return the rest of a path from the unit on, float64[n, 2]."""
    u, store = world.units, world.paths.store
    points = np.asarray(store.points_of(slot), np.float64).reshape(-1, 2).copy()
    if len(points):
        points[0] = store.wp_x[slot], store.wp_y[slot]
    return np.vstack([[u.x[slot], u.y[slot]], points])


def tiles_to(points: np.ndarray, tile: tuple[int, int]) -> float:
    """Return the tiles along a line to a tile, infinite if it misses."""
    start, step = points[:-1], np.diff(points, axis=0)
    if not len(step):
        return math.inf
    low = np.array([tile[1], tile[0]], np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (low - start) / step, (low + 1 - start) / step
    still, inside = step == 0, (start >= low) & (start <= low + 1)
    first = np.where(still, np.where(inside, -np.inf, np.inf), np.minimum(a, b)).max(axis=1)
    last = np.where(still, np.where(inside, np.inf, -np.inf), np.maximum(a, b)).min(axis=1)
    hit = np.flatnonzero((first <= last) & (last >= 0) & (first <= 1))
    if not len(hit):
        return math.inf
    lengths = np.hypot(step[:, 0], step[:, 1])
    k = int(hit[0])
    return float(lengths[:k].sum() + max(first[k], 0.0) * lengths[k])


def asking_units(world: Any, door: Door) -> list[tuple[int, str]]:
    """Return units that work a door or want to go through it, with words.

    Above ``MOST_UNITS`` living units no paths are read.
    """
    u, n = world.units, world.units.count
    handles = {door.id, *(p.id for p in world.props if p.door and p.door == door.name)}
    mask = (u.alive[:n] == 1) & (u.order[:n] == OrderKind.USE) & np.isin(u.order_target[:n], sorted(handles))
    found = [(unit, "goes to work it") for unit in u.id[:n][mask].tolist()]
    for errand in world.door_errands:
        if any(goal.about in handles for goal in errand.goals.goals):
            found += [(unit, "wants to go through") for unit in errand.units if unit != errand.porter]
        if door.id in errand.barred:
            found += [(unit, "gave it up: nobody can open it") for unit in errand.units]
    living = u.living()
    if len(living) <= MOST_UNITS:
        found += [(int(u.id[slot]), "its path leads through") for slot in living if _crosses(world, door, slot)]
    return found


def _crosses(world: Any, door: Door, slot: int) -> bool:
    store = world.paths.store
    if slot >= store.capacity or not store.path_len[slot]:
        return False
    points = path_points(world, slot)
    tiles = [(y, x) for y in range(door.y0, door.y1) for x in range(door.x0, door.x1)]
    return any(tiles_to(points, tile) < math.inf for tile in tiles)
