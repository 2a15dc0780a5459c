"""Danger memory: witnesses of hits refuse the region for a while.

Source: Jeff Orkin, Game AI Pro 2, ch. 2, 2.2. A witness is a living comrade of the victim within ``WITNESS`` tiles
that has a clear line to it, and the victim itself. Places are (y, x) in tiles.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ai.perception.memory.danger_regions import AFTER_DEATH, AFTER_HIT, enters, region_at, wary_cost
from ai.perception.sight.line_of_sight import lines_clear
from ai.tactics.unseen_paths import weighted_path
from game.world.world import World

WITNESS = 24.0
"""Tiles within which a comrade sees a hit."""
CAP = 20_000
"""Revolutions of one look for a way round."""


class Passage(IntEnum):
    """Passage to a place: free, free by a way round, or refused."""

    FREE = 0
    ROUND = 1
    REFUSED = 2


def witness_hit(world: World, victim: int, killed: bool) -> None:
    """Stamp the region of a hit unit (slot) for each witness."""
    if not world.settings.tactics.danger_memory:
        return
    u, n = world.units, world.units.count
    near = np.hypot(u.x[:n] - u.x[victim], u.y[:n] - u.y[victim]) <= WITNESS
    slots = np.flatnonzero(near & (u.alive[:n] == 1) & (u.side[:n] == u.side[victim]))
    if not len(slots):
        return
    eyes = np.column_stack([u.y[slots], u.x[slots]]).astype(np.int32)
    place = np.empty_like(eyes)
    place[:] = int(u.y[victim]), int(u.x[victim])
    seen = slots[lines_clear(world.terrain.opaque, eyes, place).astype(bool)]
    region = region_at(int(u.y[victim]), int(u.x[victim]))
    for unit in sorted(u.id[seen].tolist()):
        world.tactics.dangers.stamp(unit, region, world.tick, AFTER_DEATH if killed else AFTER_HIT)


def refused_tiles(world: World, unit: int) -> np.ndarray:
    """Return the tiles ``bool[H, W]`` that a unit refuses now."""
    return world.tactics.dangers.tiles(unit, world.terrain.passable.shape)


def danger_cost(world: World, slot: int) -> np.ndarray:
    """Return the cost of each tile in eighths for a unit that remembers danger."""
    return wary_cost(world.terrain.cost, refused_tiles(world, int(world.units.id[slot])))


def passage(world: World, unit: int, goal: tuple[float, float]) -> Passage:
    """Return how a unit can run to a place past its refused regions.

    The place is (x, y) in tiles. Without a memory, and where no path exists, the passage is free: the path manager has
    the last word.
    """
    if not world.tactics.dangers.of(unit):
        return Passage.FREE
    u = world.units
    slot, refused = u.slot(unit), refused_tiles(world, unit)
    start, end = (int(u.y[slot]), int(u.x[slot])), (int(goal[1]), int(goal[0]))
    if refused[end] and not refused[start]:
        return Passage.REFUSED
    movement_class = int(u.movement_class[slot])
    direct = weighted_path(world.terrain, world.terrain.cost, movement_class, start, end, CAP)
    if direct is None or not enters(direct, refused):
        return Passage.FREE
    wary = weighted_path(world.terrain, danger_cost(world, slot), movement_class, start, end, CAP)
    return Passage.REFUSED if wary is None or enters(wary, refused) else Passage.ROUND
