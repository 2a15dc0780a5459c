"""Stage think: woken, due or scheduled minds decide, then the squads.

A limited number of either decides in one tick."""

from __future__ import annotations

from game.minds.mind_turns import wake_minds
from game.minds.squad.squad_mind import think_squads
from game.world.world import World


def run(world: World) -> None:
    """Wake minds, then squads."""
    wake_minds(world)
    if world.squads.rows:
        think_squads(world)
