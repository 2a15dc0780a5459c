"""Stage analyse: mission rules and triggers, structures that follow the map."""

from __future__ import annotations

from game.sim.mission_rules import advance_mission
from game.systems.interaction.doors import swing
from game.systems.stealth.watcher_intel import look_out
from game.systems.tactics.side_influence import update_influence
from game.world.world import World


def run(world: World) -> None:
    """Advance the mission; bring the components up to date with this tick's edits."""
    advance_mission(world)
    swing(world)
    world.components.update(world.terrain)
    look_out(world)
    update_influence(world)
