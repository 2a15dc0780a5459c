"""Stage analyse: mission rules and triggers, and structures that follow the map."""

from __future__ import annotations

from game.sim.mission_rules import advance_mission
from game.world.world import World


def run(world: World) -> None:
    """Advance the mission; bring the components up to date with this tick's edits."""
    advance_mission(world)
    world.components.update(world.terrain)
