"""Stage body: gait phase and acts of every unit advance.

Seen or not. Finished acts take effect.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from game.systems.interaction import abilities
from game.systems.interaction.bodies import drag_along
from game.systems.interaction.hand_work import IN_THE_WAY, use
from game.world.units import Act
from game.world.world import World

WAIT_FOR_DOOR = 200
"""Ticks for which an act waits for a blocked door to be free.

The door shuts as soon as it is free.
"""


@kernel("void(float64, float64[::1], float64[::1], float64[::1], float64[::1], uint8[::1], float64[::1], uint8[::1])")
def walk_on(
    stride: float,
    x: np.ndarray,
    y: np.ndarray,
    prev_x: np.ndarray,
    prev_y: np.ndarray,
    pace: np.ndarray,
    gait: np.ndarray,
    footfall: np.ndarray,
) -> None:
    """Advance the gait phase (0..1) by the distance walked.

    Two steps are one cycle, and a run has longer steps. ``footfall`` is 1 for those whose phase passed a half or
    a whole: a foot came down.
    """
    for i in range(x.size):
        footfall[i] = 0
        dx = x[i] - prev_x[i]
        dy = y[i] - prev_y[i]
        if dx != 0.0 or dy != 0.0:
            cycle = 2.0 * stride * (1.7 if pace[i] == 1 else 1.0)
            phase = gait[i] + math.sqrt(dx * dx + dy * dy) / cycle
            footfall[i] = math.floor(2.0 * phase) != math.floor(2.0 * gait[i])
            gait[i] = phase - math.floor(phase)


def run(world: World) -> None:
    """Advance gaits, move carried things, and finish acts that are over."""
    u, n = world.units, world.units.count
    stride = world.settings.rules.stride
    walk_on(stride, u.x[:n], u.y[:n], u.prev_x[:n], u.prev_y[:n], u.pace[:n], u.gait[:n], u.footfall[:n])
    over = (u.action[:n] != Act.NONE) & (world.tick - u.action_start[:n] >= u.action_length[:n])
    over &= u.action[:n] != Act.DIE
    for slot in np.flatnonzero(over & (u.action[:n] == Act.USE) & (u.alive[:n] == 1)).tolist():
        over[slot] = _finish_use(world, slot)
    for slot in np.flatnonzero(over & (u.action[:n] >= Act.THROW) & (u.alive[:n] == 1)).tolist():
        reason = abilities.finish(world, slot)
        if reason:
            world.happen("refused", int(u.id[slot]), int(u.order_target[slot]), reason)
    u.action[:n][over] = Act.NONE
    drag_along(world)
    for prop in world.props:
        if prop.carrier >= 0:
            slot = u.slot(prop.carrier)
            prop.x, prop.y = float(u.x[slot]), float(u.y[slot])


def _finish_use(world: World, slot: int) -> bool:
    """Apply a finished use; false while it waits for a blocked door."""
    u = world.units
    thing_id = int(u.use_target[slot])
    thing = world.prop(thing_id) or world.door(thing_id) or world.lamp(thing_id)
    reason = use(world, slot, thing) if thing is not None else ""
    waited = world.tick - int(u.action_start[slot]) - int(u.action_length[slot])
    if reason and (reason != IN_THE_WAY or waited == 0):
        world.happen("refused", int(u.id[slot]), thing_id, reason)
    if reason == IN_THE_WAY and waited < WAIT_FOR_DOOR:
        return False
    u.use_target[slot] = -1
    return True
