"""Stage publish: due timers raise their bit for the next tick's minds; the world is whole."""

from __future__ import annotations

import numpy as np

from game.sim.groups import following
from game.world.units import Event
from game.world.world import World


def run(world: World) -> None:
    """Raise TIMER on units whose timer is due."""
    u, n = world.units, world.units.count
    following.take_news(world)
    due = (u.timer[:n] >= 0) & (u.timer[:n] <= world.tick)
    if due.any():
        slots = np.flatnonzero(due)
        u.event[slots] |= int(Event.TIMER)
        u.timer[slots] = -1
