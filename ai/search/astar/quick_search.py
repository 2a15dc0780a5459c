"""Quick search: a few tiles in about the right direction, without delay.

One call serves any number of units. A quick path bridges the time until the full search has finished. With a near tile
as a goal it must reach, the same search makes the splice path that joins the two.

Source: "AI Game Programming Wisdom", 3.3 and 3.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ai.core.thread_pool import ThreadPool, halves
from ai.grid.moves import COST_UNIT, STRAIGHT
from ai.grid.terrain import Terrain
from ai.grid.tiles import narrowed
from ai.search.astar.quick_search_kernels import MAX_CAP, WINDOW, search_windows

__all__ = ["MAX_CAP", "WINDOW", "QuickPaths", "quick_search"]


SHARED_ROWS = 8
"""Number of requests from which a second thread is used."""


@dataclass(frozen=True)
class QuickPaths:
    """Answers of :func:`quick_search`, one row per request.

    ``tiles`` int32[n, max_tiles, 2] holds (y, x) from the start on. ``counts`` int32[n] is the number of valid tiles
    (at least 1, the start). ``reached`` bool[n]: whether the last tile is the goal. ``revolutions`` int32[n] are the
    expanded nodes. ``costs`` float64[n] is the cost to the end of the search in tiles.
    """

    tiles: np.ndarray
    counts: np.ndarray
    reached: np.ndarray
    revolutions: np.ndarray
    costs: np.ndarray


def quick_search(
    terrain: Terrain,
    starts: Any,
    goals: Any,
    classes: Any,
    caps: Any,
    max_tiles: int = 64,
    *,
    nearer: int = 0,
    explore: bool = False,
    pool: ThreadPool | None = None,
) -> QuickPaths:
    """Search from each start (y, x) towards its goal, in a small window.

    The window lies around the start. ``starts`` and ``goals`` are int[n, 2]; ``classes`` and ``caps`` (0..1000
    revolutions) are int[n] or one number. A path ends at the goal, or else at the expanded tile nearest to it by the
    heuristic. Ties go to the lower cost, then to the upper left. A path keeps its first ``max_tiles`` tiles. The goal
    may lie anywhere; the start must be on the map (ValueError).

    ``nearer``: the path also ends at the first tile that is this many tiles nearer to the goal than the start.
    ``explore``: when no expanded tile is nearer than the start, the path ends at the tile with the smallest f, which
    would be expanded next. So its unit does not stand idle. ``pool``: threads that share the requests; the answers are
    the same.
    """
    first = narrowed(starts)
    last = narrowed(goals)
    if first.ndim != 2 or first.shape[1:] != (2,) or last.shape != first.shape:
        raise ValueError(f"starts and goals must both be [n, 2], got {first.shape} and {last.shape}")
    count = len(first)
    if count and (first.min() < 0 or first[:, 0].max() >= terrain.height or first[:, 1].max() >= terrain.width):
        row = int(np.flatnonzero(np.any((first < 0) | (first >= (terrain.height, terrain.width)), axis=1))[0])
        raise ValueError(
            f"start {row} {tuple(np.asarray(starts)[row].tolist())} is outside {terrain.height} x {terrain.width}"
        )
    class_column = _column("classes", classes, count, 7, np.uint8)
    cap_column = _column("caps", caps, count, MAX_CAP, np.int32)
    if max_tiles < 1:
        raise ValueError(f"max_tiles must be positive, got {max_tiles}")
    if nearer < 0:
        raise ValueError(f"nearer must not be negative, got {nearer}")
    tiles = np.zeros((count, max_tiles, 2), np.int32)
    counts = np.zeros(count, np.int32)
    reached = np.zeros(count, np.uint8)
    revolutions = np.zeros(count, np.int32)
    costs = np.zeros(count, np.int64)
    enough = nearer * 2 * terrain.lowest_cost * STRAIGHT if nearer else 1 << 61
    columns = first, last, class_column, cap_column
    answers = tiles, counts, reached, revolutions, costs
    calls = [
        (
            terrain.passable, terrain.cost, 2 * terrain.lowest_cost, *(c[i:j] for c in columns), enough, int(explore),
            *(c[i:j] for c in answers),
        )
        for i, j in (halves(count, SHARED_ROWS) if pool else [(0, count)])
    ]  # fmt: skip
    (pool or ThreadPool()).share(search_windows, calls)
    return QuickPaths(tiles, counts, reached.astype(bool), revolutions, costs / COST_UNIT)


def _column(name: str, values: Any, count: int, highest: int, kind: type) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim > 1 or (array.ndim == 1 and len(array) != count):
        raise ValueError(f"{name} must be one number or [{count}], got shape {array.shape}")
    if array.size and (array.min() < 0 or array.max() > highest):
        raise ValueError(f"{name} must be 0..{highest}, got {array.min()}..{array.max()}")
    out: np.ndarray = np.empty(count, kind)
    out[:] = array
    return out
