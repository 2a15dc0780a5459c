"""Where everybody would stand: the slots of an order that has not been given yet, for the ghosts before it."""

from __future__ import annotations

import math

import numpy as np

from ai.paths.goals import resolve_goals
from game.sim.groups.forming import drill_of, slots_for, standing
from game.sim.groups.places import slots_on_ground
from game.world.drill import KEEP, LOOSE
from game.world.orders import NO_FACING
from game.world.world import World


def preview(world: World, units: tuple[int, ...], x: float, y: float, facing: float) -> np.ndarray:
    """Places and facings float64[n, 3] that an order to (x, y) with ``facing`` would give a group; none for loose units
    without a facing."""
    u = world.units
    slots = u.slots([i for i in units if 0 <= i < u.next_id])
    slots = slots[u.alive[slots] == 1]
    if not len(slots):
        return np.zeros((0, 3))
    drill = drill_of(world, slots, facing)
    if drill.shape == LOOSE or facing == NO_FACING:
        return np.zeros((0, 3))
    slots = slots[np.argsort(u.id[slots], kind="stable")]
    terrain = world.terrain
    klass = int(u.klass[slots[0]])
    start = (int(u.y[slots[0]]), int(u.x[slots[0]]))
    end = resolve_goals(terrain, world.components, klass, [start], [[math.floor(y), math.floor(x)]])[0]
    if end[0] < 0:
        return np.zeros((0, 3))
    if (math.floor(y), math.floor(x)) != (int(end[0]), int(end[1])):
        x, y = end[1] + 0.5, end[0] + 0.5
    heading = float(u.facing[slots[0]]) if drill.shape == KEEP else facing
    table = slots_for(world, drill, slots, standing(world, slots, heading))
    label = world.components.label(klass, int(end[0]), int(end[1]))
    return slots_on_ground(terrain, world.components, klass, label, table, x, y, facing)
