"""Stage think: woken, due or scheduled minds decide, a limited number a tick."""

from __future__ import annotations

from game.minds.mind_turns import wake_minds
from game.world.world import World


def run(world: World) -> None:
    """Wake minds."""
    wake_minds(world)
