"""Learned danger: hits that a side saw enter its frag map.

A hit is seen by the side of the victim. The shooter's tile counts only when that side sees it (AI for Games, 6.2.4:
only events that the learner perceives).
"""

from __future__ import annotations

import numpy as np

from game.world.stealth.tactics_state import SideFrags
from game.world.world import World


def log_hit(world: World, victim: int, shooter: int) -> None:
    """Log a hit for the victim's side, by slots of victim and shooter.

    Nothing is logged while no route weighs danger (``tactics.frags`` is 0).
    """
    settings = world.settings.tactics
    if settings.frags <= 0:
        return
    u = world.units
    side = int(u.side[victim])
    frags = next((f for f in world.tactics.frags if f.side == side), None)
    if frags is None:
        frags = SideFrags(side, np.zeros(world.terrain.passable.shape))
        world.tactics.frags.append(frags)
        world.tactics.frags.sort(key=lambda f: f.side)
    at = int(u.y[victim]), int(u.x[victim])
    seen = world.sight.sees(side, int(u.y[shooter]), int(u.x[shooter]))
    frags.log(at, (int(u.y[shooter]), int(u.x[shooter])) if seen else None, settings.forgets)
