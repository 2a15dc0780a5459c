"""Stage body: gait phase and the acts of bodies go on, for every unit, seen or not; finished acts take effect."""

from __future__ import annotations

import numpy as np

from game.world.handling import use
from game.world.units import Act
from game.world.world import World


def run(world: World) -> None:
    """Advance gait by the distance walked, carry what is carried, and finish acts that are over."""
    u, n = world.units, world.units.count
    walked = np.hypot(u.x[:n] - u.prev_x[:n], u.y[:n] - u.prev_y[:n])
    # Two steps are one cycle; a run has longer steps than a walk.
    stride = 2 * world.settings.rules.stride * np.where(u.pace[:n] == 1, 1.7, 1.0)
    u.gait[:n] = (u.gait[:n] + walked / stride) % 1.0
    over = (u.action[:n] != Act.NONE) & (world.tick - u.action_start[:n] >= u.action_length[:n])
    over &= u.action[:n] != Act.DIE
    for slot in np.flatnonzero(over & (u.action[:n] == Act.USE) & (u.alive[:n] == 1)).tolist():
        _finish_use(world, slot)
    u.action[:n][over] = Act.NONE
    for prop in world.props:
        if prop.carrier >= 0:
            slot = u.slot(prop.carrier)
            prop.x, prop.y = float(u.x[slot]), float(u.y[slot])


def _finish_use(world: World, slot: int) -> None:
    thing_id = int(world.units.use_target[slot])
    thing = world.prop(thing_id) or world.door(thing_id)
    world.units.use_target[slot] = -1
    if thing is None:
        return
    reason = use(world, slot, thing)
    if reason:
        world.happen("refused", int(world.units.id[slot]), thing_id, reason)
