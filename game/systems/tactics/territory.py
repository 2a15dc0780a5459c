"""Territory: the unit that holds each tile, by flooding or by strength.

The two laws differ where a weak unit stands in the way of a strong one (AI for Games, 6.2.6). Flooding gives each unit
connected ground. The strongest influence in a straight line may hold islands behind a wall or behind other units.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import label

from ai.influence.control_map import faded
from ai.influence.map_flooding import flood
from game.world.world import World

THRESHOLD = 0.05
"""Influence below which no unit holds a tile."""


def holders(world: World) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return slots of living units by id, their tiles (y, x), and strengths.

    The strength of a unit is its number of hits left.
    """
    u = world.units
    slots = u.living()
    slots = slots[np.argsort(u.id[slots], kind="stable")]
    tiles = np.column_stack([np.floor(u.y[slots]), np.floor(u.x[slots])]).astype(np.int64)
    return slots, tiles, u.hp[slots].astype(np.float64)


def territory(world: World) -> np.ndarray:
    """Return the row of the holder of each tile, int64[H, W], -1 nobody.

    Rows are those of :func:`holders`; the law is ``tactics.territory``.
    """
    _, tiles, strength = holders(world)
    open_tiles = (world.terrain.passable & 1) != 0
    if world.settings.tactics.territory == "flood":
        return flood(open_tiles, tiles, strength, threshold=THRESHOLD).owner
    ys, xs = np.arange(open_tiles.shape[0])[:, None], np.arange(open_tiles.shape[1])[None, :]
    best, owner = np.full(open_tiles.shape, THRESHOLD), np.full(open_tiles.shape, -1, np.int64)
    for k, ((y, x), s) in enumerate(zip(tiles.tolist(), strength.tolist(), strict=True)):
        value = faded(s, np.hypot(ys - y, xs - x))
        better = open_tiles & (value > best)
        best[better], owner[better] = value[better], k
    return owner


def pieces(owner: np.ndarray) -> int:
    """Return the number of connected pieces of all territories."""
    return sum(int(label(owner == k, np.ones((3, 3)))[1]) for k in np.unique(owner[owner >= 0]).tolist())
