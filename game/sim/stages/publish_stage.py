"""Stage publish: due timers raise their bit, torches shine from new places.

Minds of the next tick read the bit.
"""

from __future__ import annotations

import numpy as np

from game.systems.groups.march import group_steering
from game.systems.lights import shine
from game.world.units import Event
from game.world.world import World


def run(world: World) -> None:
    """Raise TIMER on units whose timer is due, and update the light.

    The light shown is the one that eyes use in the next tick.
    """
    u, n = world.units, world.units.count
    group_steering.take_news(world)
    due = (u.timer[:n] >= 0) & (u.timer[:n] <= world.tick)
    if due.any():
        slots = np.flatnonzero(due)
        u.event[slots] |= int(Event.TIMER)
        u.timer[slots] = -1
    if world.sight.revision == world.terrain.revision:
        # Otherwise walls have changed, so the light waits for the sight map that the next tick begins with.
        shine(world)
