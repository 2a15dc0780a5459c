"""Stage body: gait phase and acts of every unit advance.

Seen or not. Finished acts take effect.
"""

from __future__ import annotations

from ai.animation.tracks.act_kinds import Reason
from ai.animation.tracks.track_controller import BEGUN, LENGTH
from game.systems.body.acts import advance_acts, settle_acts
from game.systems.body.footfalls import advance_gaits
from game.systems.interaction import abilities
from game.systems.interaction.bodies import drag_along
from game.systems.interaction.hand_work import IN_THE_WAY, use
from game.world.units import Act
from game.world.world import World

WAIT_FOR_DOOR = 200
"""Ticks for which an act waits for a blocked door to be free.

The door shuts as soon as it is free.
"""


def run(world: World) -> None:
    """Advance gaits, move carried things, and finish acts that are over."""
    u = world.units
    advance_gaits(world)
    for slot, handle, what in advance_acts(world):
        if what == Act.USE:
            _finish_use(world, slot, handle)
            continue
        reason = abilities.finish(world, slot, what)
        if reason:
            world.happen("refused", int(u.id[slot]), int(u.order_target[slot]), reason)
        world.acts.report(handle, world.tick, Reason.REFUSED if reason else Reason.NONE)
    settle_acts(world)
    drag_along(world)
    for prop in world.props:
        if prop.carrier >= 0:
            slot = u.slot(prop.carrier)
            prop.x, prop.y = float(u.x[slot]), float(u.y[slot])


def _finish_use(world: World, slot: int, handle: int) -> None:
    """Apply a finished use; it goes on while it waits for a blocked door."""
    u = world.units
    thing_id = int(u.use_target[slot])
    thing = world.prop(thing_id) or world.door(thing_id) or world.lamp(thing_id)
    reason = use(world, slot, thing) if thing is not None else ""
    row = world.acts.rows[world.acts.row_of(handle)]
    waited = world.tick - int(row[BEGUN]) - int(row[LENGTH])
    if reason and (reason != IN_THE_WAY or waited == 0):
        world.happen("refused", int(u.id[slot]), thing_id, reason)
    if reason == IN_THE_WAY and waited < WAIT_FOR_DOOR:
        return
    u.use_target[slot] = -1
    world.acts.report(handle, world.tick, Reason.REFUSED if reason else Reason.NONE)
