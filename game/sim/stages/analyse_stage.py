"""Stage analyse: the noise of the tick spreads, mission rules and triggers, structures that follow the map."""

from __future__ import annotations

from game.minds.alarm import spread_noise
from game.sim.mission_rules import advance_mission
from game.systems.interaction.doors import swing
from game.systems.stealth.watcher_intel import look_out
from game.world.world import World


def run(world: World) -> None:
    """Let shots be heard; advance the mission; bring the components up to date with this tick's edits."""
    spread_noise(world)
    advance_mission(world)
    swing(world)
    world.components.update(world.terrain)
    look_out(world)
