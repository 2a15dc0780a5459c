"""Doors that open and shut: derived data repairs itself from the dirty rectangle.

One call changes the terrain.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.scheduling.periods import beat
from ai.perception.hearing.hearing import SoundKind
from ai.perception.stimuli.stimulus_board import StimulusKind
from game.systems.noise import emit
from game.systems.stealth.stimulus_sources import changed
from game.world.places import Door
from game.world.world import World

MOST_CHANGES = 8
"""Changes of a door that are noted."""
CLEAR = 0.01
"""Gap in tiles between a closing door and the bodies it keeps out."""


def set_door(world: World, door: Door, is_open: bool, by: int = -1) -> bool:
    """Open or shut a door; False when a unit blocks its closing.

    Then it stays open, and for a tick no other unit may enter, so that repeated attempts soon find it free.

    It is heard, and looks odd to other sides than that of ``by``, the unit that did it (-1: none, a trigger).
    """
    if door.open == is_open:
        return True
    if not is_open and len(units_in(world, door)):
        door.shutting = world.tick
        return False
    door.shutting = -1
    door.open = is_open
    door.changed = world.tick
    area = (door.y0, door.x0, door.y1, door.x1)
    world.terrain.edit(
        *area,
        passable=door.passable_open if is_open else door.passable_shut,
        opaque=door.opaque_open if is_open else door.opaque_shut,
    )
    _record_change(world, door, by)
    world.happen("door", other=door.id, text="opens" if is_open else "closes")
    event = world.events[-1]
    event.x, event.y = door.centre
    if by >= 0:
        emit(world, SoundKind.DOOR, *door.centre, world.settings.noise.door, by)
        changed(world, StimulusKind.DOOR, door.id, *door.centre, by)
    return True


def _record_change(world: World, door: Door, by: int) -> None:
    """Note which unit moved a door, for the inspector.

    Rows are (tick, open, unit), at most ``MOST_CHANGES`` a door; the unit is -1 for a trigger or a rule.
    """
    rows = world.recording.setdefault("doors", {}).setdefault(door.id, [])
    rows.append((world.tick, door.open, by))
    del rows[:-MOST_CHANGES]


def units_in(world: World, door: Door) -> np.ndarray:
    """Slots of living units whose body touches the door's tiles."""
    u = world.units
    live = u.living()
    x, y, r = u.x[live], u.y[live], u.radius[live]
    nearest_x, nearest_y = np.clip(x, door.x0, door.x1), np.clip(y, door.y0, door.y1)
    return live[(x - nearest_x) ** 2 + (y - nearest_y) ** 2 < r * r]


def swing(world: World) -> None:
    """Swing all doors by ``rules.doors_swing``: so many ticks open, then as many shut.

    A door shuts as soon as no unit stands in it.
    """
    period = world.settings.rules.doors_swing
    if period == 0:
        return
    for door in world.doors:
        set_door(world, door, beat(world.tick, period) == 0)


def keep_out(world: World) -> None:
    """Keep units out of a closing door.

    A unit that was outside is moved back to its edge; a unit inside walks on out.
    """
    u = world.units
    for door in world.doors:
        if not door.open or door.shutting < world.tick - 1:
            continue
        slots = units_in(world, door)
        was_inside = (
            (u.prev_x[slots] >= door.x0)
            & (u.prev_x[slots] < door.x1)
            & (u.prev_y[slots] >= door.y0)
            & (u.prev_y[slots] < door.y1)
        )
        for slot in slots[~was_inside].tolist():
            _put_back(world, door, slot)


def _put_back(world: World, door: Door, slot: int) -> None:
    """Move a unit to its position a tick ago, clear of the door's edge.

    The clearance is the unit's radius, where there is ground.
    """
    u = world.units
    x, y, r = float(u.prev_x[slot]), float(u.prev_y[slot]), float(u.radius[slot]) + CLEAR
    nearest_x, nearest_y = min(max(x, door.x0), door.x1), min(max(y, door.y0), door.y1)
    away = math.hypot(x - nearest_x, y - nearest_y)
    if 0.0 < away < r:
        further_x = nearest_x + (x - nearest_x) * r / away
        further_y = nearest_y + (y - nearest_y) * r / away
        ty, tx = math.floor(further_y), math.floor(further_x)
        if world.terrain.inside(ty, tx) and int(world.terrain.passable[ty, tx]) >> int(u.movement_class[slot]) & 1:
            x, y = further_x, further_y
    u.x[slot], u.y[slot] = x, y
    u.vx[slot] = u.vy[slot] = 0.0
