"""Stage move: bodies move, slide along walls and are pushed apart; arrivals and blockages raise events."""

from __future__ import annotations

from ai.steering.step import move
from game.sim.stages.steer import columns
from game.world.world import World


def run(world: World) -> None:
    """Keep the old positions for interpolation, then move everybody."""
    u, n = world.units, world.units.count
    u.prev_x[:n] = u.x[:n]
    u.prev_y[:n] = u.y[:n]
    bodies, way = columns(world)
    move(world.steering, world.settings.steering, world.terrain.passable, bodies, way)
