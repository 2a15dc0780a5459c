"""Stage think: woken, due or scheduled minds decide, then zones, commanders and squads.

A limited number of minds, commanders and squads decides in one tick."""

from __future__ import annotations

from game.minds.mind_turns import wake_minds
from game.minds.scenes.scene_turns import play_scenes
from game.minds.squad.commander import think_commanders
from game.minds.squad.squad_mind import think_squads
from game.world.world import World


def run(world: World) -> None:
    """Wake minds, then zones, commanders and squads."""
    wake_minds(world)
    if world.scenes.zones:
        play_scenes(world)
    if world.squads.posts:
        think_commanders(world)
    if world.squads.rows:
        think_squads(world)
