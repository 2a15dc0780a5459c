"""Stage body: gait phase and acts of every unit advance.

Seen or not. Finished acts take effect.
"""

from __future__ import annotations

from game.systems.body.acts import acts_due, end_act
from game.systems.body.footfalls import advance_gaits
from game.systems.interaction import abilities
from game.systems.interaction.bodies import drag_along
from game.systems.interaction.hand_work import IN_THE_WAY, use
from game.world.units import Act, Outcome
from game.world.world import World

WAIT_FOR_DOOR = 200
"""Ticks for which an act waits for a blocked door to be free.

The door shuts as soon as it is free.
"""


def run(world: World) -> None:
    """Advance gaits, move carried things, and finish acts that are over."""
    u = world.units
    advance_gaits(world)
    for slot in acts_due(world):
        if u.action[slot] == Act.USE:
            _finish_use(world, slot)
        elif u.alive[slot] == 1:
            reason = abilities.finish(world, slot)
            if reason:
                world.happen("refused", int(u.id[slot]), int(u.order_target[slot]), reason)
            end_act(world, slot, Outcome.REFUSED if reason else Outcome.FINISHED)
    drag_along(world)
    for prop in world.props:
        if prop.carrier >= 0:
            slot = u.slot(prop.carrier)
            prop.x, prop.y = float(u.x[slot]), float(u.y[slot])


def _finish_use(world: World, slot: int) -> None:
    """Apply a finished use; it goes on while it waits for a blocked door."""
    u = world.units
    thing_id = int(u.use_target[slot])
    thing = world.prop(thing_id) or world.door(thing_id) or world.lamp(thing_id)
    reason = use(world, slot, thing) if thing is not None else ""
    waited = world.tick - int(u.action_start[slot]) - int(u.action_length[slot])
    if reason and (reason != IN_THE_WAY or waited == 0):
        world.happen("refused", int(u.id[slot]), thing_id, reason)
    if reason == IN_THE_WAY and waited < WAIT_FOR_DOOR:
        return
    u.use_target[slot] = -1
    end_act(world, slot, Outcome.REFUSED if reason else Outcome.FINISHED)
