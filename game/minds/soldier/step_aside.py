"""Step aside: a shooter that a friend blocks walks to a clear tile.

Source: Paul Tozour, AI Game Programming Wisdom, 8.4 (a friend in the line is a reason to move; arbitration decides
which of the two moves). The shooter behind moves. It waits for a friend that walks through its line, and where its
order or its group keeps it in place.
"""

from __future__ import annotations

import math

import numpy as np

from ai.perception.sight.line_of_sight import line_clear
from ai.tactics.fire.line_of_fire import crosses, side_steps
from game.minds.agent_view import AgentView
from game.world.units import Pace

OCCUPIED = 0.8
"""Tiles from a friend within which a tile counts as taken."""
MARGIN = 0.1
"""Tiles beside the body of a friend that a new line keeps clear."""
LIMIT = 40
"""Ticks after which a step aside that does not arrive ends."""


def steps_aside(me: AgentView, target: tuple[float, float]) -> bool:
    """Return true while the unit walks to a clear line.

    It starts such a walk when a friend blocks its line.
    The unit stands within reach of ``target``, the place of its enemy as it knows it.
    """
    asides = me.world.tactics.asides
    step = asides.get(me.id)
    if step is not None:
        x, y, until = step
        if me.moving and me.heads_for(x, y) and me.tick < until:
            return True
        end_step(me)
        return False
    friend = int(me.units.blocked_by[me.slot])
    if friend < 0 or not me.world.settings.tactics.line_of_fire or me.in_group or me.units.holding[me.slot]:
        return False
    other = me.units.slot(friend)
    if me.units.moving[other]:
        return False
    found = _clear_tile(me, target, (float(me.units.x[other]), float(me.units.y[other])))
    if found is None:
        return False
    asides[me.id] = *found, me.tick + LIMIT
    me.go_to(*found, Pace.WALK)
    return True


def end_step(me: AgentView) -> None:
    """Forget the place; the stage *fight* checks the line again."""
    if me.world.tactics.asides.pop(me.id, None) is not None:
        me.units.blocked_by[me.slot] = -1


def _clear_tile(me: AgentView, target: tuple[float, float], friend: tuple[float, float]) -> tuple[float, float] | None:
    """Return the first free tile beside with a clear line within reach."""
    u, world = me.units, me.world
    mates = u.living(me.side)
    mates = mates[(mates != me.slot) & (np.hypot(u.x[mates] - me.x, u.y[mates] - me.y) <= me.reach)]
    places = np.column_stack([u.x[mates], u.y[mates]])
    in_the_way = places[u.stance[mates] <= u.stance[me.slot]]
    taken = [(x, y) for unit, (x, y, _) in sorted(world.tactics.asides.items()) if unit != me.id]
    places = np.concatenate([places, np.array(taken, np.float64).reshape(-1, 2)])
    tx, ty = target
    wide = float(u.radius[me.slot]) + MARGIN
    for x, y in side_steps((me.x, me.y), target, friend, me.id):
        if not me.can_reach(x, y) or math.hypot(tx - x, ty - y) > me.reach:
            continue
        if not line_clear(world.terrain.opaque, int(y), int(x), int(ty), int(tx)):
            continue
        if (np.hypot(places[:, 0] - x, places[:, 1] - y) < OCCUPIED).any():
            continue
        if not crosses((x, y), target, in_the_way, wide).any():
            return x, y
    return None
