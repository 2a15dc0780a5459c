"""Perception LOD: all watchers look while few, by level of detail when many.

Some watchers look in every tick, so that no meter fills or falls more slowly: those that have a target, are about
to notice one, or are perceived by another side. The others take turns by class (AI Game Programming Wisdom, 8.5):
an enemy within reach of eyes, an enemy within fifty tiles, and no enemy near. The camera has no influence.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import maximum_filter

from ai.core.scheduling.level_of_detail import classify
from ai.core.scheduling.periods import whose_turn
from game.world.units import LabMark
from game.world.world import World

CELL = 16
"""Tiles along a side of the squares in which enemies are looked for."""
NEAR, FAR = 1, 3
"""Squares around the own one: at least 16 and at least 48 tiles.

The distance applies to every side.
"""
_EYELESS = int(LabMark.BLIND | LabMark.FROZEN)
PERCEIVED = 1
"""Class of units that another side perceives and that do not fight."""


def watchers(world: World) -> np.ndarray:
    """Return uint8[count]: 1 for the units whose eyes are asked in this tick."""
    u, n = world.units, world.units.count
    able = (u.alive[:n] == 1) & (u.asleep[:n] == 0) & (u.lab[:n] & _EYELESS == 0)
    most = world.settings.rules.looks
    if int(np.count_nonzero(able)) <= most:
        return able.astype(np.uint8)
    busy = able & ((u.meter[:n] > 0.0) | (u.meter_target[:n] >= 0) | (u.target[:n] >= 0))
    classes = detail(world, np.zeros(n, bool))
    busy |= able & (classes == PERCEIVED)
    slots = np.flatnonzero(able & ~busy)
    slots = slots[np.argsort(u.id[slots], kind="stable")]
    # At least a quarter of the turns is left for watchers that are not busy.
    slices = max(most - int(np.count_nonzero(busy)), most // 4, 1)
    chosen = world.turns.eyes.take(u.id[slots], classes[slots], slices, world.tick)
    busy[slots[chosen]] = True
    return busy.astype(np.uint8)


def walkers(world: World) -> np.ndarray | None:
    """Return walkers that look ahead this tick, uint8[count]; None for all.

    Positions, walls and touching bodies are processed for all in every tick: only the look ahead takes turns. A
    unit that fights or is perceived by another side looks in every tick. The other classes are formed anew every
    16 ticks.
    """
    u, n, turns = world.units, world.units.count, world.turns
    if n <= world.settings.rules.thinks:
        turns.strides = []
        return None
    engaged = (u.target[:n] >= 0) | (u.meter[:n] > 0.0)
    if not turns.strides or turns.due("walkers", world.tick):
        u.detail[:n] = detail(world, engaged)
        sizes = np.bincount(u.detail[:n][u.moving[:n] == 1], minlength=len(turns.eyes.shares))
        turns.strides = turns.eyes.strides(sizes.tolist(), world.settings.rules.thinks)
    strides = np.array(turns.strides, np.int32)[u.detail[:n]]
    strides[engaged | perceived_by_others(world)] = 1
    return whose_turn(world.tick, u.id[:n], strides).view(np.uint8)


def perceived_by_others(world: World) -> np.ndarray:
    """Return units in current view of another side with living members: bool[count]."""
    u, n = world.units, world.units.count
    alive, out = u.alive[:n] == 1, np.zeros(n, bool)
    for side in np.unique(u.side[:n][alive]).tolist():
        others = np.flatnonzero(alive & (u.side[:n] != side))
        if len(others):
            out[others] |= world.sight.sees_positions(side, u.x[others], u.y[others])
    return out


def detail(world: World, engaged: np.ndarray) -> np.ndarray:
    """Return the class of each unit, uint8[count]; class 0 has full detail.

    See :func:`ai.core.scheduling.level_of_detail.classify`.
    """
    u, n = world.units, world.units.count
    alive = u.alive[:n] == 1
    rows, columns = -(-world.terrain.height // CELL), -(-world.terrain.width // CELL)
    cy = np.clip(u.y[:n], 0, world.terrain.height - 1).astype(np.int64) // CELL
    cx = np.clip(u.x[:n], 0, world.terrain.width - 1).astype(np.int64) // CELL
    near, far = (np.zeros(n, bool) for _ in range(2))
    for side in np.unique(u.side[:n][alive]).tolist():
        there = np.zeros((rows, columns), np.uint8)
        mine = alive & (u.side[:n] == side)
        there[cy[mine], cx[mine]] = 1
        others = np.flatnonzero(alive & (u.side[:n] != side))
        for mask, reach in ((near, NEAR), (far, FAR)):
            mask[others] |= maximum_filter(there, 2 * reach + 1, mode="constant")[cy[others], cx[others]] != 0
    return classify(engaged, perceived_by_others(world), near, far)
