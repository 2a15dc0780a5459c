"""Stage move: bodies move, slide along walls and are pushed apart.

Arrivals and blockages raise events.
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.update_timeline import Part
from ai.steering.collision.crowd_progress import share_progress
from ai.steering.motion_step import move
from game.sim.stages.steer_stage import at_last, bodies_of
from game.systems.interaction.doors import keep_out
from game.systems.interaction.traps import fly
from game.systems.passages import passage_right_of_way
from game.systems.timeline_notes import note
from game.world.units import Event
from game.world.world import World


def run(world: World) -> None:
    """Keep the old positions and facings, then move all units."""
    u, n = world.units, world.units.count
    u.prev_x[:n] = u.x[:n]
    u.prev_y[:n] = u.y[:n]
    u.prev_facing[:n] = u.facing[:n]
    was_moving = u.moving[:n].copy()
    note(world, Part.MOVE, u.alive[:n])
    passage_right_of_way.lend(world)
    move(world.steering, world.settings.steering, world.terrain.passable, bodies_of(world), at_last(world))
    _share_progress(world)
    passage_right_of_way.settle(world)
    fly(world)
    keep_out(world)
    stuck = np.flatnonzero(u.stuck[:n] > 0)
    if len(stuck):
        # A unit that waits for a door is not blocked by a crowd.
        waiting = stuck[world.paths.waits_for_doors(stuck)]
        u.stuck[waiting] = 0
        u.event[waiting] &= ~np.uint32(Event.BLOCKED)
    rested = np.flatnonzero((was_moving == 1) & (u.moving[:n] == 0))
    if len(rested):
        # A unit before a door that shut on its path has come to rest, but has not arrived.
        waiting = world.paths.wait_for_path(rested, world.tick, world.settings.paths)
        u.moving[waiting] = 1
        u.event[waiting] &= ~np.uint32(Event.ARRIVED)


def _share_progress(world: World) -> None:
    """Count the ticks without progress of each unit's connected crowd.

    Progress means that any unit of the crowd gets nearer to its goal. A unit that waits before a passage is linked to
    the unit for which it waits.
    """
    u, n, p, lat = world.units, world.units.count, world.passages, world.steering.spatial_hash
    waits_for = np.full(n, -1, np.int32)
    waiting = np.flatnonzero(p.waits_for[:n] >= 0)
    waits_for[waiting] = u.slots(p.waits_for[waiting])
    share_progress(
        lat.count, lat.order, lat.rank, lat.contacts, lat.contact_count, u.alive[:n], u.moving[:n], u.stuck[:n],
        waits_for, world.steering.still[:n], world.steering.queued[:n],
        np.empty(lat.count, np.int32),
    )  # fmt: skip
