"""Stances that a path requires: crawl in vents, duck where it hides, rise after.

Source: Kevin Kirst, Game AI Pro 2, ch. 32, 32.3.2 (the stance is part of the path: duck before the low place,
rise after it). Speed, noise and silhouette follow from the stance column by themselves.
"""

from __future__ import annotations

import numpy as np

from ai.grid.movement_classes import MovementClass
from game.world.units import Stance
from game.world.world import World

AS_IT_STANDS = 255
AHEAD = 0.8
"""Tiles ahead at which a crawling unit looks for its next vent."""


def take_stance(world: World, slots: np.ndarray, stance: int) -> None:
    """Set the ordered stance; a unit on lower ground rises to it afterwards."""
    u = world.units
    ducked = u.upright[slots] != AS_IT_STANDS
    u.upright[slots[ducked]] = stance
    u.stance[slots[~ducked]] = stance


def adapt_stances(world: World) -> None:
    """Lower units whose path requires it; raise the others to their ordered stance."""
    u, n = world.units, world.units.count
    needed = np.zeros(n, np.uint8)
    crawlers = np.flatnonzero((u.movement_class[:n] == MovementClass.CRAWL) & (u.alive[:n] == 1))
    if len(crawlers):
        needed[crawlers] = np.where(_in_vent(world, crawlers), Stance.PRONE, Stance.STAND)
    for unit, path in world.sneaks.items():
        slot = u.slot(unit)
        if len(path.stances):
            asked = path.stances[min(path.at + 1, len(path.stances) - 1)]
            needed[slot] = max(needed[slot], asked)
    ducks = (needed > u.stance[:n]) & (u.upright[:n] == AS_IT_STANDS)
    u.upright[:n][ducks] = u.stance[:n][ducks]
    low = np.flatnonzero(u.upright[:n] != AS_IT_STANDS)
    if len(low):
        u.stance[low] = np.maximum(u.upright[low], needed[low])
        u.upright[low[needed[low] <= u.upright[low]]] = AS_IT_STANDS


def _in_vent(world: World, slots: np.ndarray) -> np.ndarray:
    """Return true for units on, or about to enter, crawl-only ground."""
    u, passable = world.units, world.terrain.passable
    height, width = passable.shape
    speed = np.maximum(np.hypot(u.vx[slots], u.vy[slots]), 1e-9)
    only = np.uint8(1 << MovementClass.CRAWL)
    both = np.uint8(only | 1 << MovementClass.WALK)
    found = np.zeros(len(slots), bool)
    for far in (0.0, AHEAD):
        step = np.where(speed > 0.05, far / speed, 0.0)
        y = np.clip((u.y[slots] + step * u.vy[slots]).astype(np.int64), 0, height - 1)
        x = np.clip((u.x[slots] + step * u.vx[slots]).astype(np.int64), 0, width - 1)
        found |= (passable[y, x] & both) == only
    return found


TECHNIQUES = (
    {
        "slug": "stances-on-the-way",
        "name": "Stances stored in the path",
        "ids": ("GP2-32.5",),
        "source": "Game AI Pro 2, ch. 32",
        "functions": ("adapt_stances",),
        "test": "tests/game/systems/movement/test_stances.py",
        "exhibit": "levels/exhibits/stealth/past_the_eyes.stances.toml",
        "overlay": "sneak_ways",
        "setting": "rules.sneak_stances",
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
        "claim": "Standing, crouching and lying, by the next vertex; as told.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
