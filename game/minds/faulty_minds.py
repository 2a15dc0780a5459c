"""Boundary of a mind: an error in it costs this mind alone.

The unit stands guard from then on: its orders, its path and its mind are gone, and it is not asked again. The event
``fault`` names it once. The error is the same in every run, so a replay stays true.
"""

from __future__ import annotations

import logging

from game.world.faults import fault_text
from game.world.orders import OrderKind
from game.world.world import World

LOG = logging.getLogger("fogline")


def set_aside(world: World, slot: int, error: Exception) -> None:
    """Take the mind of a unit out of play after an error in it."""
    u = world.units
    unit = int(u.id[slot])
    text = f"stage think, unit {unit}, tick {world.tick}: {fault_text(error)}"
    world.set_aside[unit] = text
    world.minds.pop(unit, None)
    world.queues.pop(unit, None)
    world.paths_to_cancel.append(unit)
    u.order[slot] = OrderKind.HOLD
    u.moving[slot] = 0
    u.holding[slot] = 1
    u.target[slot] = u.order_target[slot] = u.use_target[slot] = -1
    u.event[slot] = 0
    u.timer[slot] = -1
    world.happen("fault", unit, text=text)
    LOG.error("%s", text)
