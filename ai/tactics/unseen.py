"""Ways that avoid eyes: the one search engine over a terrain on which being seen costs extra.

Sources: Game AI Pro 2, ch. 1, 1.5.1 (paths that minimise visibility); Travis McIntosh, Game AI Pro 2, 34.2 (cost of
exposed tiles); Kevin Kirst, Game AI Pro 2, ch. 32, 32.3.2 (stances on the vertices of a path).

A tile that ``V`` watchers see costs ``1 + weight * V`` times its ordinary cost.  That only adds, so the search stays
exact; weight 0 is the shortest way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import Terrain
from ai.search.astar import FOUND, AStarSearch


@dataclass(frozen=True)
class UnseenPath:
    """``tiles: int32[n, 2]`` of (y, x), its length in tiles of ordinary ground, tiles seen, and cost as searched."""

    tiles: NDArray[np.int32]
    length: float
    exposed: float
    cost: float


def exposed_cost(cost: NDArray[np.uint8], exposure: NDArray[np.uint8], weight: float) -> NDArray[np.uint8]:
    """Cost in eighths of tiles that ``exposure`` watchers see, ``uint8[H, W]``; 255 at most."""
    return np.minimum(255, np.rint(cost * (1.0 + weight * exposure))).astype(np.uint8)


def unseen_path(
    terrain: Terrain,
    exposure: NDArray[np.uint8],
    weight: float,
    movement_class: int,
    start: tuple[int, int],
    goal: tuple[int, int],
    cap: int | None = None,
) -> UnseenPath | None:
    """The cheapest way from ``start`` to ``goal`` (y, x) where being seen costs; None without one, or beyond the cap.

    Raises ValueError for an exposure of another shape or a weight below 0.
    """
    if exposure.shape != terrain.passable.shape:
        raise ValueError(f"exposure has shape {exposure.shape}, the terrain {terrain.passable.shape}")
    if weight < 0:
        raise ValueError(f"being seen costs extra: weight {weight} is below 0")
    cost = exposed_cost(terrain.cost, exposure, weight)
    tiles = weighted_path(terrain, cost, movement_class, start, goal, cap)
    return None if tiles is None else UnseenPath(tiles, *measure(tiles, exposure), way_cost(tiles, cost))


def weighted_path(
    terrain: Terrain,
    cost: NDArray[np.uint8],
    movement_class: int,
    start: tuple[int, int],
    goal: tuple[int, int],
    cap: int | None = None,
) -> NDArray[np.int32] | None:
    """Tiles ``int32[n, 2]`` of the cheapest way by another ``cost`` (eighths) than the ground's; None without one."""
    ground = Terrain.build(terrain.passable, cost, terrain.opaque)
    search = AStarSearch(terrain.height, terrain.width)
    search.begin(ground, movement_class, start, goal, cap)
    search.run(ground, 1 << 40)
    return search.path() if search.status == FOUND else None


def way_cost(tiles: NDArray[np.int32], cost: NDArray[np.uint8]) -> float:
    """What a way costs in tiles of ordinary ground, by the law of the search."""
    if len(tiles) < 2:
        return 0.0
    here = cost[tiles[:, 0], tiles[:, 1]].astype(np.float64)
    return float((np.hypot(*np.diff(tiles, axis=0).T) * (here[:-1] + here[1:])).sum() / 16.0)


def cost_by_stance(
    cost: NDArray[np.uint8], noticed: NDArray[np.integer], slow: Sequence[float], weight: float
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Cost of each tile in the stance that is best there, in eighths, and that stance: ``uint8[H, W]`` each.

    ``noticed[s, y, x]`` watchers would notice a unit of stance ``s``, which takes ``slow[s]`` times as long as
    walking.  Of equally good stances the most upright.
    """
    each = np.stack([cost * (slow[s] + weight * noticed[s]) for s in range(len(slow))])
    best = each.argmin(axis=0)
    return np.clip(np.rint(each.min(axis=0)), 1, 255).astype(np.uint8), best.astype(np.uint8)


def measure(tiles: NDArray[np.int32], exposure: NDArray[np.uint8]) -> tuple[float, float]:
    """Length of a path in tiles, and the part of it on exposed tiles (half of each step is either end's)."""
    steps = np.hypot(*np.diff(tiles, axis=0).T) if len(tiles) > 1 else np.zeros(0)
    seen = (exposure[tiles[:, 0], tiles[:, 1]] > 0).astype(np.float64)
    return float(steps.sum()), float((steps * (seen[:-1] + seen[1:]) / 2).sum())


def turning_points(tiles: NDArray[np.int32], farthest: int = 5) -> NDArray[np.int32]:
    """The tiles of a path at which it turns, and one at least every ``farthest`` steps; the last is its end."""
    kept = []
    since = 0
    for k in range(1, len(tiles)):
        since += 1
        last = k == len(tiles) - 1
        onward = tiles[k] - tiles[k - 1] if last else tiles[k + 1] - tiles[k]
        turns = bool((onward != tiles[k] - tiles[k - 1]).any())
        sharp = int(onward @ (tiles[k] - tiles[k - 1])) <= 0
        if last or sharp or (turns and since >= 2) or since >= farthest:
            kept.append(tiles[k])
            since = 0
    return np.array(kept, np.int32).reshape(-1, 2)


def stance_flags(needed: Sequence[int]) -> list[int]:
    """Stance at each vertex of a path from the stance each node asks for (0 stand, 1 crouch, 2 prone).

    A vertex takes the lower of its own and the node's before it: one ducks before the low place and rises after it.
    """
    return [max(stance, needed[k - 1] if k else 0) for k, stance in enumerate(needed)]
