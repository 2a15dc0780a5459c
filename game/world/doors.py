"""Working doors: one call changes the terrain, and everything derived repairs itself from the dirty rectangle."""

from __future__ import annotations

import numpy as np

from ai.perception.hearing import SoundKind
from ai.perception.stimuli import StimulusKind
from game.world.attention import changed
from game.world.places import Door
from game.world.sounds import emit
from game.world.world import World


def set_door(world: World, door: Door, is_open: bool, by: int = -1) -> bool:
    """Open or shut a door.  False, and nothing changes, when somebody stands in it while it should shut.

    It is heard, and looks odd to other sides than that of ``by``, the unit that did it (-1: nobody, a trigger).
    """
    if door.open == is_open:
        return True
    if not is_open and len(units_in(world, door)):
        return False
    door.open = is_open
    door.changed = world.tick
    area = (door.y0, door.x0, door.y1, door.x1)
    world.terrain.edit(
        *area,
        passable=door.passable_open if is_open else door.passable_shut,
        opaque=door.opaque_open if is_open else door.opaque_shut,
    )
    world.happen("door", other=door.id, text="opens" if is_open else "closes")
    event = world.events[-1]
    event.x, event.y = door.centre
    if by >= 0:
        emit(world, SoundKind.DOOR, *door.centre, world.settings.noise.door, by)
        changed(world, StimulusKind.DOOR, door.id, *door.centre, by)
    return True


def units_in(world: World, door: Door) -> np.ndarray:
    """Slots of living units whose body touches the door's tiles."""
    u = world.units
    live = u.living()
    x, y, r = u.x[live], u.y[live], u.radius[live]
    nearest_x, nearest_y = np.clip(x, door.x0, door.x1), np.clip(y, door.y0, door.y1)
    return live[(x - nearest_x) ** 2 + (y - nearest_y) ** 2 < r * r]
