"""Stretches of led units: store tiles, cover the last steps, leave.

Flow fields and shared trees lead their units in the same way: a stretch of tiles at a time, each from its own tile.

Source: "Game AI Pro 2", 17.4 (flow field by reverse Dijkstra) and 20.5 (one path query a group).
"""

from __future__ import annotations

import numpy as np

from ai.paths.requests.request_columns import Phase
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import APPEND, REPLACE, PathSource
from ai.paths.update_context import PathTick
from ai.search.astar.quick_search import MAX_CAP, quick_search

STRETCH = 40
"""Tiles that a unit is led at a time."""

CLOSE = 24
"""Distance to its own place at which a unit leaves field or tree, tiles.

The distance is measured along the longer axis.
"""


def lay(now: PathTick, slots: np.ndarray, tiles: np.ndarray, counts: np.ndarray, mode: int) -> None:
    """Store the stretches of units led on, in one call.

    ``tiles`` is int32[n, STRETCH + 1, 2], ``counts`` int32[n], ``mode`` APPEND or REPLACE. A quick search covers the
    last steps of the units near their own places; the units that are not led on leave.
    """
    r, store = now.manager.requests, now.manager.store
    goals = r.goal[slots]
    last = tiles[np.arange(len(slots)), np.maximum(counts, 1) - 1]
    near = np.abs(last - goals).max(axis=1) <= CLOSE
    moved = (counts > 1) & ~near
    if mode == REPLACE and near.any():
        kept = store.goal[slots[near]]
        store.clear(slots[near])
        store.goal[slots[near]] = kept
    if moved.any():
        at = slots[moved]
        mask = np.arange(STRETCH + 1) < counts[moved][:, None]
        store.write(
            now.terrain,
            at,
            r.movement_class[at],
            tiles[moved][mask],
            counts[moved],
            PathSource.FULL,
            mode,
            smoother=now.settings.smooths,
        )
        now.wrote(at)
    if near.any():
        last_steps(now, slots[near], tiles[near], np.maximum(counts[near], 1), last[near], goals[near])
    leave(now, slots[~moved & ~near])


def last_steps(
    now: PathTick, slots: np.ndarray, tiles: np.ndarray, counts: np.ndarray, last: np.ndarray, goals: np.ndarray
) -> None:
    """Search the last steps from a stretch to each unit's own place."""
    manager, r = now.manager, now.manager.requests
    legs = quick_search(now.terrain, last, goals, r.movement_class[slots], MAX_CAP, 64, pool=now.manager.store.pool)
    manager.statistics.quick_this_tick += int(legs.revolutions.sum())
    ends = legs.tiles[np.arange(len(slots)), legs.counts - 1]
    there = legs.reached & (ends == goals).all(axis=1)
    at = slots[there]
    if len(at):
        paths = np.concatenate([tiles[there], legs.tiles[there, 1:]], axis=1)
        led, own = counts[there], legs.counts[there] - 1
        meant = np.concatenate(
            [np.arange(tiles.shape[1]) < led[:, None], np.arange(legs.tiles.shape[1] - 1) < own[:, None]], axis=1
        )
        manager.store.write(
            now.terrain,
            at,
            r.movement_class[at],
            paths[meant],
            led + own,
            PathSource.FULL,
            APPEND,
            smoother=now.settings.smooths,
        )
        now.wrote(at)
        manager.store.final[at] = 1
        r.phase[at] = Phase.READY
    leave(now, slots[~there])


def leave(now: PathTick, slots: np.ndarray) -> None:
    """Give own searches to units that no field or tree leads on."""
    if len(slots) == 0:
        return
    r = now.manager.requests
    r.phase[slots] = Phase.NEW
    r.asked[slots] = now.tick
    r.unled[slots] = 1
    r.led_by[slots] = -1
    r.tries[slots] += 1
    now.note_many(slots, Decision.FIELD_LEFT)
