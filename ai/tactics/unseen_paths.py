"""Paths that avoid eyes: A* over terrain with an exposure cost.

Sources: Game AI Pro 2, ch. 1, 1.5.1 (paths that minimise visibility); Travis McIntosh, Game AI Pro 2, 34.2 (cost of
exposed tiles); Kevin Kirst, Game AI Pro 2, ch. 32, 32.3.2 (stances on the vertices of a path).

``V`` is the number of watchers that would notice a unit of a stance on a tile. The tile then costs ``slow + weight *
V`` times its ordinary cost, where ``slow`` is the time factor of that stance compared with walking. The cheapest stance
counts. Costs are only added, so the search stays exact; weight 0 gives the shortest path.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, AStarSearch


def weighted_path(
    terrain: Terrain,
    cost: NDArray[np.uint8],
    movement_class: int,
    start: tuple[int, int],
    goal: tuple[int, int],
    cap: int | None = None,
) -> NDArray[np.int32] | None:
    """Return the tiles ``int32[n, 2]`` of the cheapest path, or None.

    ``cost`` (eighths) replaces the cost of the ground.
    """
    ground = terrain if cost is terrain.cost else Terrain.build(terrain.passable, cost, terrain.opaque)
    search = AStarSearch(terrain.height, terrain.width)
    search.begin(ground, movement_class, start, goal, cap)
    search.run(ground, 1 << 40)
    return search.path() if search.status == FOUND else None


def cost_of_path(tiles: NDArray[np.int32], cost: NDArray[np.uint8]) -> float:
    """Return a path's cost in tiles of ordinary ground.

    It is counted as in the search.
    """
    if len(tiles) < 2:
        return 0.0
    here = cost[tiles[:, 0], tiles[:, 1]].astype(np.float64)
    return float((np.hypot(*np.diff(tiles, axis=0).T) * (here[:-1] + here[1:])).sum() / 16.0)


def cost_by_stance(
    cost: NDArray[np.uint8], noticed: NDArray[np.integer], slow: Sequence[float], weight: float
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the cost of each tile in its best stance, and that stance.

    Both are ``uint8[H, W]``; costs are in eighths. ``noticed[s, y, x]`` watchers would notice a unit of stance ``s``,
    which takes ``slow[s]`` times as long as walking. Of equally good stances the most upright is taken.
    """
    each = np.stack([cost * (slow[s] + weight * noticed[s]) for s in range(len(slow))])
    best = each.argmin(axis=0)
    return np.clip(np.rint(each.min(axis=0)), 1, 255).astype(np.uint8), best.astype(np.uint8)


def stance_flags(needed: Sequence[int]) -> list[int]:
    """Return the stance at each vertex of a path.

    0 is stand, 1 crouch, 2 prone. ``needed`` is the stance of each node. A vertex takes the lower stance of its own
    node and the node before it: the unit ducks before the low place and rises after it.
    """
    return [max(stance, needed[k - 1] if k else 0) for k, stance in enumerate(needed)]


TECHNIQUES = (
    {
        "slug": "exposure-weighted-path",
        "name": "Exposure-weighted paths",
        "ids": ("GP2-34.3",),
        "source": "Game AI Pro 2, ch. 34",
        "functions": ("weighted_path",),
        "test": "tests/ai/tactics/test_unseen_paths.py",
        "exhibit": "levels/exhibits/stealth/past_the_eyes.toml",
        "overlay": "sneak_ways",
        "setting": "rules.sneak_weight",
        "parts": ("GP2-1.4",),
        "measure": "noticed",
        "direction": "up",
        "claim": "One plan for an order; it is not planned again in every tick as the watchers turn.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
