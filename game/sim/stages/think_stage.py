"""Stage think: minds that were woken, whose timer is due or whose turn it is decide, a counted number a tick."""

from __future__ import annotations

from game.minds.mind_turns import wake_minds
from game.world.world import World


def run(world: World) -> None:
    """Wake minds."""
    wake_minds(world)
