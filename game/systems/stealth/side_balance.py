"""Where a side believes itself strong: its own units, and the enemies it knows of, each at the age of the last word."""

from __future__ import annotations

import numpy as np

from ai.influence.falloff_curves import CURVES
from ai.influence.known_influence import balance
from game.systems.stealth.side_knowledge import knowledge_of
from game.systems.stealth.watcher_intel import sightings_of
from game.world.world import World


def known_enemies(world: World, side: int) -> tuple[np.ndarray, np.ndarray]:
    """``float64[n, 3]`` of x, y, strength of the enemies that a side knows of, and the age of each word in ticks.

    A side with guards knows what their eyes made out and nothing else, however near somebody stands.  Others see whom
    their fog of war shows, and remember the watchers they have sighted.
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
    """``float64[H, W]``: own influence less that of known enemies, less for what the side does not see."""
    u = world.units
    mine = u.living(side)
    own = np.column_stack([u.x[mine], u.y[mine], np.ones(len(mine))])
    curve = CURVES[world.settings.minds.falloff]
    return balance(own, *known_enemies(world, side), world.sight.visible_mask(side), curve=curve)
