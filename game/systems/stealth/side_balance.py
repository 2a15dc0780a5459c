"""Balance of strength as a side believes it: own units and known enemies.

Each known enemy counts with the age of its last report.
"""

from __future__ import annotations

import numpy as np

from ai.influence.falloff_curves import CURVES
from ai.influence.known_influence import balance
from game.systems.tactics.known_threats import known_threats
from game.world.world import World


def known_enemies(world: World, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a side's known enemies, ``float64[n, 3]`` (x, y, strength), and report ages.

    Ages are in ticks.
    """
    known = known_threats(world, side)
    table = np.array([(t.x, t.y, 1.0) for t in known], np.float64).reshape(-1, 3)
    return table, np.array([world.tick - t.tick for t in known], np.float64)


def balance_of(world: World, side: int) -> np.ndarray:
    """Return own influence less known enemies and less unseen ground: ``float64[H, W]``."""
    u = world.units
    mine = u.living(side)
    own = np.column_stack([u.x[mine], u.y[mine], np.ones(len(mine))])
    curve = CURVES[world.settings.minds.falloff]
    return balance(own, *known_enemies(world, side), world.sight.visible_mask(side), curve=curve)
