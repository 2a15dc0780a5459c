"""Balance of strength as a side believes it: own units and known enemies.

Each known enemy counts with the age of its last report.
"""

from __future__ import annotations

import numpy as np

from ai.influence.falloff_curves import CURVES
from ai.influence.known_influence import balance
from game.systems.stealth.side_knowledge import knowledge_of
from game.systems.stealth.watcher_intel import sightings_of
from game.world.world import World


def known_enemies(world: World, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a side's known enemies, ``float64[n, 3]`` (x, y, strength), and report ages.

    Ages are in ticks. A side with guards knows the enemies that their eyes identified and no others, however
    near. Other sides see the units that their fog of war shows, and remember sighted watchers.
    """
    u, n = world.units, world.units.count
    knowledge, sightings = knowledge_of(world, side), sightings_of(world, side)
    rows: dict[int, tuple[float, float, float]] = {}
    if knowledge is None:
        foes = np.flatnonzero((u.alive[:n] == 1) & (u.side[:n] != side))
        seen = foes[world.sight.sees_positions(side, u.x[foes], u.y[foes])] if len(foes) else foes
        rows = {int(u.id[s]): (float(u.x[s]), float(u.y[s]), 0.0) for s in seen.tolist()}
    for belief in knowledge.beliefs.about.values() if knowledge is not None else ():
        rows[belief.target] = belief.x, belief.y, float(world.tick - belief.tick)
    for last in sightings.about.values() if sightings is not None else ():
        rows.setdefault(last.unit, (last.x, last.y, float(world.tick - last.tick)))
    table = np.array([rows[k] for k in sorted(rows)], np.float64).reshape(-1, 3)
    ages = table[:, 2].copy()
    table[:, 2] = 1.0
    return table, ages


def balance_of(world: World, side: int) -> np.ndarray:
    """Return own influence less known enemies and less unseen ground: ``float64[H, W]``."""
    u = world.units
    mine = u.living(side)
    own = np.column_stack([u.x[mine], u.y[mine], np.ones(len(mine))])
    curve = CURVES[world.settings.minds.falloff]
    return balance(own, *known_enemies(world, side), world.sight.visible_mask(side), curve=curve)
