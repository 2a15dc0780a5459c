"""Traps: a unit that steps in is hurt and thrown.

Its side remembers the place. A trap is a trigger that springs when its region is entered; it is invisible until
its first catch. A unit in the region is thrown away from its middle, a few tiles over some ticks, until an
obstacle stops it. Its path is joined again further on (:mod:`ai.paths.replanning.local_replanning_grid`).

Source: ``Lydia vs. the Gate: Will she ever learn?`` (2011).
"""

from __future__ import annotations

import math

from ai.search.smoothing.straight_walk import line_walkable
from game.systems.body.acts import begin_act
from game.systems.interaction.bodies import kill
from game.world.places import Thrown
from game.world.units import Act, Event, LabMark
from game.world.world import World

DAMAGE = 1

THROW_TICKS = 7
THROW_STEP = 0.5
"""Tiles a tick that a body is thrown."""

REARMED = 60
"""Ticks until a trap can spring again."""

HIT_TICKS = 10
TRAP = 1
"""Kind of harm in the memory of hazards."""


def spring(world: World, region_name: str) -> None:
    """Hurt and throw all units in the region; their sides remember the place."""
    region = world.region(region_name)
    if region is None:
        return
    xs, ys = zip(*region.points, strict=True)
    middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    u = world.units
    for slot in u.living().tolist():
        x, y = float(u.x[slot]), float(u.y[slot])
        if not region.contains(x, y):
            continue
        unit = int(u.id[slot])
        world.paths.hazards.learn(int(u.side[slot]), int(y), int(x), world.tick, TRAP)
        world.happen("trapped", unit)
        if not u.lab[slot] & int(LabMark.SAFE):
            u.hp[slot] -= DAMAGE
        u.event[slot] |= int(Event.HIT)
        if u.hp[slot] <= 0:
            kill(world, slot)
            continue
        begin_act(world, slot, Act.HIT, HIT_TICKS)
        away = math.hypot(x - middle_x, y - middle_y)
        dx, dy = ((x - middle_x) / away, (y - middle_y) / away) if away > 0.0 else (0.0, -1.0)
        world.thrown = [t for t in world.thrown if t.unit != unit]
        world.thrown.append(Thrown(unit, dx * THROW_STEP, dy * THROW_STEP, THROW_TICKS))


def fly(world: World) -> None:
    """Move thrown units one tick further.

    A wall or the end of the flight stops them.
    """
    if not world.thrown:
        return
    u, still = world.units, []
    for each in world.thrown:
        slot = u.slot(each.unit)
        if not u.alive[slot]:
            continue
        was_x, was_y = float(u.prev_x[slot]), float(u.prev_y[slot])
        x, y = was_x + each.dx, was_y + each.dy
        clear, _ = line_walkable(
            world.terrain, [(was_x, was_y, x, y)], int(u.movement_class[slot]), float(u.radius[slot])
        )
        if not clear[0]:
            continue
        u.x[slot], u.y[slot] = x, y
        u.vx[slot] = u.vy[slot] = 0.0
        each.ticks -= 1
        if each.ticks > 0:
            still.append(each)
    world.thrown = still
