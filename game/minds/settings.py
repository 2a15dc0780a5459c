"""Settings of the minds of a world."""

from __future__ import annotations

from game.world.rules.mind_settings import MindSettings
from game.world.world import World


def settings_of(world: World) -> MindSettings:
    """Return the minds' settings of a world, or the defaults."""
    found = getattr(world.settings, "minds", None)
    return found if isinstance(found, MindSettings) else MindSettings()
