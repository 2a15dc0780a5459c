"""Destinations: keeps the goal columns correct while the map changes.

Source: "AI Game Programming Wisdom", 3.3 and 4.5.
"""

from __future__ import annotations

import numpy as np

from ai.paths.requests.goal_resolution import labels_of, resolve_goals, spread_goals
from ai.paths.state.path_trace import Decision
from ai.paths.update_context import PathTick


def settle_goals(now: PathTick, slots: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Resolve the goals of ``slots`` (by unit id); write and return int32[n, 2].

    ``starts`` are the tiles of the units. A goal stays while it is reachable and the nearest reachable tile is the
    same. Units that would share one substitute tile get tiles of their own around it.
    """
    r = now.manager.requests
    known = now.manager.known_goals
    nearest = resolve_goals(now.terrain, now.components, r.movement_class[slots], starts, r.place[slots], known)
    now.manager.owed += known.pay()
    here = labels_of(now.components, r.movement_class[slots], starts)
    changed = (nearest != r.nearest_tile[slots]).any(axis=1)
    changed |= labels_of(now.components, r.movement_class[slots], r.goal[slots]) != here
    fresh, tiles = slots[changed], nearest[changed]
    r.nearest_tile[fresh] = tiles
    r.goal[fresh] = tiles
    r.led_by[fresh] = -1
    substitutes = (tiles != r.place[fresh]).any(axis=1)
    if substitutes.any():
        fresh, tiles = fresh[substitutes], tiles[substitutes]
        _spread(now, fresh, tiles)
        away = np.hypot(*(r.goal[fresh] - r.place[fresh]).T).astype(np.int32)
        now.note_many(fresh, Decision.GOAL_MOVED, r.place[fresh, 0], r.place[fresh, 1], away)
    reachable = (nearest == r.place[slots]).all(axis=1)
    r.met[slots] |= reachable
    r.detour[slots] = (r.met[slots] > 0) & ~reachable
    return r.goal[slots]


def give_back(now: PathTick, slots: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Restore ordered tiles that are reachable again; return the slots concerned.

    Units of one order get tiles spread around the ordered one.
    """
    r = now.manager.requests
    other = (r.ordered_at[slots] != r.place[slots]).any(axis=1)
    slots, starts = slots[other], starts[other]
    here = labels_of(now.components, r.movement_class[slots], starts)
    there = labels_of(now.components, r.movement_class[slots], r.ordered_at[slots])
    slots = slots[(here == there) & (here > 0)]
    r.place[slots] = r.ordered_at[slots]
    _spread(now, slots, r.ordered_at[slots], column=r.place)
    r.ordered_at[slots] = r.place[slots]
    return slots


def _spread(now: PathTick, slots: np.ndarray, tiles: np.ndarray, column: np.ndarray | None = None) -> None:
    """Spread units that share a tile around it; the lowest id keeps the tile."""
    r = now.manager.requests
    column = r.goal if column is None else column
    keys = np.column_stack([r.movement_class[slots], tiles])
    distinct, which, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    for i in np.flatnonzero(counts > 1).tolist():
        movement_class, y, x = (int(v) for v in distinct[i])
        members = slots[which.reshape(-1) == i]
        places = spread_goals(now.terrain, now.components, movement_class, (y, x), len(members))
        if len(places):
            column[members] = places[np.arange(len(members)) % len(places)]
