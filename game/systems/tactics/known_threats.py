"""Known threats: the enemies that a side knows of, with place, facing and age."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from game.systems.stealth.side_knowledge import knowledge_of
from game.systems.stealth.watcher_intel import sightings_of
from game.world.world import World


@dataclass(frozen=True)
class KnownThreat:
    """Enemy as a side knows it.

    Place in tiles, facing in radians (NaN unknown), and tick of the report.
    """

    unit: int
    x: float
    y: float
    facing: float
    tick: int


def known_threats(world: World, side: int) -> list[KnownThreat]:
    """Return a side's known enemies by unit id.

    A side with guards knows the enemies that their eyes identified. Other sides see the units that their fog of war
    shows, and remember sighted watchers.
    """
    u, n = world.units, world.units.count
    knowledge, sightings = knowledge_of(world, side), sightings_of(world, side)
    rows: dict[int, KnownThreat] = {}
    if knowledge is None:
        foes = np.flatnonzero((u.alive[:n] == 1) & (u.side[:n] != side))
        seen = foes[world.sight.sees_positions(side, u.x[foes], u.y[foes])] if len(foes) else foes
        for s in seen.tolist():
            unit = int(u.id[s])
            rows[unit] = KnownThreat(unit, float(u.x[s]), float(u.y[s]), float(u.facing[s]), world.tick)
    for belief in knowledge.beliefs.about.values() if knowledge is not None else ():
        rows[belief.target] = KnownThreat(belief.target, belief.x, belief.y, math.nan, belief.tick)
    for last in sightings.about.values() if sightings is not None else ():
        rows.setdefault(last.unit, KnownThreat(last.unit, last.x, last.y, last.facing, last.tick))
    return [rows[unit] for unit in sorted(rows)]
