"""Flank orders: some units pin the enemy, the others flank it.

Source: Game AI Pro 2, ch. 1 (1.5.1) and 31.5.4; the plan is that of ``ai.tactics.routes.fix_and_flank``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.tactics.routes.fix_and_flank import FlankPlan, flank_plan
from game.systems.tactics.known_threats import known_threats
from game.systems.tactics.tactical_places import ground_of
from game.world.world import World

FIX_AND_FLANK = "fix_and_flank"


@dataclass(frozen=True)
class Elements:
    """Two elements by slot, their plan, and the place of the enemy (x, y)."""

    fix: list[int]
    flank: list[int]
    plan: FlankPlan
    enemy: tuple[float, float]


def elements_of(world: World, slots: np.ndarray, target: int = -1) -> Elements | None:
    """Return the two elements of units and their plan, or None without a flank.

    The lower half of the ids pins. One unit, an unknown enemy or a map without a flank route gives no plan.
    """
    u = world.units
    order = sorted(slots.tolist(), key=lambda s: int(u.id[s]))
    if len(order) < 2:
        return None
    known = known_threats(world, int(u.side[order[0]]))
    chosen = next((t for t in known if t.unit == target), None)
    if chosen is None and known:
        x, y = float(u.x[order].mean()), float(u.y[order].mean())
        chosen = min(known, key=lambda t: ((t.x - x) ** 2 + (t.y - y) ** 2, t.unit))
    if chosen is None:
        return None
    half = (len(order) + 1) // 2
    fix, flank = order[:half], order[half:]
    reach = max(min(world.weapons[int(u.weapon[s])].reach for s in order), 1.0)
    ground = ground_of(world, int(u.movement_class[order[0]]))
    tiles = [(int(u.y[s]), int(u.x[s])) for s in (fix[0], flank[0])]
    plan = flank_plan(ground, tiles[0], tiles[1], (chosen.x, chosen.y), reach)
    return None if plan is None else Elements(fix, flank, plan, (chosen.x, chosen.y))
