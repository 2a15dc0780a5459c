"""Goal resolution: reachable goals, and one tile for each unit of a group.

An order to an unreachable tile costs one look-up and one search for the nearest reachable tile. That is once per
distinct (class, component, tile), however many units share it. No search ever aims at an unreachable tile. Answers are
kept until the map changes (:class:`KnownGoals`).

Source: "AI Game Programming Wisdom", 4.5 (components) and 3.3 (unreachable destinations).
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from ai.core.kernels import kernel
from ai.core.serialization import record
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.grid.tiles import narrowed
from ai.paths.argument_checks import column_of, distinct, tiles_of

MOST_SEARCHES = 1024
"""Distinct unreachable goals per call that each get their own search.

1,000 goals all over half a map of 512 x 512 tiles take 59,000 looks, with shared searches 31,000. Shared searches put
goals up to 26 tiles off.
"""

BLOCK = 32
"""Side in tiles of the square in which further unreachable goals share a search."""

FOOTING = 4
"""Rings searched for free ground near a unit on a blocked tile.

The unit was pushed there, or the map was edited.
"""


MOST_KNOWN = 8192
"""Largest number of answers kept."""


@record
class KnownGoals:
    """Substitutes found for unreachable goals on the terrain of ``revision``.

    They are tile indices (-1: none), by class, component and tile. ``looked`` counts tiles and regions visited since
    the last payment.

    Source: "AI Game Programming Wisdom", 3.5 (remember failures).
    """

    revision: int = -1
    nearest: dict[int, int] = field(default_factory=dict)
    looked: int = 0

    def pay(self) -> int:
        """Return the revolutions owed, one per 64 visits, and mark them as paid."""
        owed, self.looked = self.looked >> 6, self.looked & 63
        return owed


@kernel("int64(uint8[:,::1], int64, int64, int64, int64, int32[:,::1], int32[:,::1])")
def _flood(passable: np.ndarray, bit: int, y0: int, x0: int, enough: int, queue: np.ndarray, seen: np.ndarray) -> int:
    """Collect tiles reachable from (y0, x0) by straight steps, nearest first; return their number.

    It stops at ``enough`` tiles. ``seen`` int32[side, side] is a window around the start, all zero, that bounds the
    flood.
    """
    height, width = passable.shape
    side = seen.shape[0]
    oy, ox = y0 - side // 2, x0 - side // 2
    queue[0, 0], queue[0, 1] = y0, x0
    seen[y0 - oy, x0 - ox] = 1
    head, tail = 0, 1
    while head < tail and head < enough:
        y, x = queue[head, 0], queue[head, 1]
        head += 1
        for k in range(4):
            ny = y + (-1 if k == 0 else 1 if k == 2 else 0)
            nx = x + (1 if k == 1 else -1 if k == 3 else 0)
            if ny < 0 or nx < 0 or ny >= height or nx >= width:
                continue
            wy, wx = ny - oy, nx - ox
            if wy < 0 or wx < 0 or wy >= side or wx >= side or seen[wy, wx] != 0:
                continue
            if passable[ny, nx] & bit == 0 or tail >= len(queue):
                continue
            seen[wy, wx] = 1
            queue[tail, 0], queue[tail, 1] = ny, nx
            tail += 1
    return tail


def _tiles(name: str, values: Any, terrain: Terrain, *, inside: bool) -> np.ndarray:
    tiles = np.ascontiguousarray(values)
    if tiles.ndim != 2 or tiles.shape[1] != 2 or tiles.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers [n, 2] of (y, x), got {tiles.dtype}{tiles.shape}")
    if inside and len(tiles):
        high = np.array([terrain.height, terrain.width])
        if (tiles < 0).any() or (tiles >= high).any():
            raise ValueError(f"{name} must lie on the map of {terrain.height} x {terrain.width} tiles")
    return narrowed(tiles)


def labels_of(components: Components, kinds: np.ndarray, tiles: np.ndarray) -> np.ndarray:
    """Return the component of each tile for its class; 0 if blocked or outside."""
    of = distinct(kinds)
    if len(of) == 1:
        return components.labels_of(of[0], tiles).astype(np.int64)
    out = np.zeros(len(tiles), np.int64)
    for kind in of:
        rows = kinds == kind
        out[rows] = components.labels_of(kind, tiles[rows])
    return out


def resolve_goals(
    terrain: Terrain,
    components: Components,
    movement_class: Any,
    starts: Any,
    goals: Any,
    known: KnownGoals | None = None,
) -> np.ndarray:
    """Return the reachable tile nearest to each goal, int32[n, 2] (y, x).

    The result is (-1, -1) where there is none. It is exact for at most ``MOST_SEARCHES`` distinct unreachable goals; a
    larger crowd shares searches by blocks.

    ``starts`` int[n, 2] must lie on the map. ``goals`` int[n, 2], or one (y, x) for all, may lie outside it.
    ``movement_class`` is one class, or one per row. A start on blocked ground has no component, so its goal is (-1,
    -1); see :func:`find_footing`. ``known`` supplies known answers and stores the new ones.
    """
    start = _tiles("starts", starts, terrain, inside=True)
    goal = np.array(tiles_of("goals", goals, len(start)))
    goal = _tiles("goals", goal, terrain, inside=False)
    kinds = column_of("movement_class", np.asarray(movement_class, dtype=np.int64), len(start))
    label = labels_of(components, kinds, start)
    there = labels_of(components, kinds, goal)
    out = goal.copy()
    wrong = np.flatnonzero((there != label) | (label == 0))
    if len(wrong) == 0:
        return out
    keys = np.column_stack([kinds[wrong], label[wrong], goal[wrong]])
    distinct, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    if len(distinct) > MOST_SEARCHES:
        # A whole crowd was cut off: neighbours share the search of the first of them.
        blocks = np.column_stack([keys[:, :2], there[wrong], keys[:, 2:] // BLOCK])
        _, first, which = np.unique(blocks, axis=0, return_index=True, return_inverse=True)
    answers = _nearest(terrain, components, keys[first], KnownGoals() if known is None else known)
    out[wrong] = answers[which.reshape(-1)]
    return out


def _nearest(terrain: Terrain, components: Components, questions: np.ndarray, known: KnownGoals) -> np.ndarray:
    """Return the nearest tile of a component for each question, int32[n, 2].

    A row of ``questions`` is (class, component, y, x).
    """
    height, width = terrain.passable.shape
    if known.revision != components.revision or len(known.nearest) > MOST_KNOWN:
        known.revision = components.revision
        known.nearest.clear()
    kind, component = questions[:, 0], questions[:, 1]
    y, x = np.clip(questions[:, 2], 0, height - 1), np.clip(questions[:, 3], 0, width - 1)
    names = (((kind << 28) + component) << 32) + y * width + x
    answers = np.array([known.nearest.get(name, -2) for name in names.tolist()], np.int64)
    answers[component <= 0] = -1
    for movement_class in distinct(kind[answers == -2]):
        rows = np.flatnonzero((answers == -2) & (kind == movement_class))
        # Questions of one block about one component share work if they are adjacent.
        rows = rows[np.lexsort((x[rows], y[rows], x[rows] // BLOCK, y[rows] // BLOCK, component[rows]))]
        tiles = np.stack([y[rows], x[rows]], axis=1)
        found, looks = components.nearest_of(terrain, movement_class, component[rows], tiles, max(height, width))
        known.looked += looks
        answers[rows] = np.where(found[:, 0] < 0, -1, found[:, 0].astype(np.int64) * width + found[:, 1])
        known.nearest.update(zip(names[rows].tolist(), answers[rows].tolist(), strict=True))
    out = np.stack([answers // width, answers % width], axis=1).astype(np.int32)
    out[answers < 0] = -1
    return out


def find_footing(terrain: Terrain, movement_class: Any, tiles: Any, rings: int = FOOTING) -> np.ndarray:
    """Replace blocked tiles by the nearest free ones.

    The result is int32[n, 2], (-1, -1) for none.

    The search covers at most ``rings`` rings; nearest by distance, then y, then x.
    """
    out = _tiles("tiles", tiles, terrain, inside=True).copy()
    bits = 1 << column_of("movement_class", np.asarray(movement_class, dtype=np.int64), len(out))
    blocked = np.flatnonzero(terrain.passable[out[:, 0], out[:, 1]] & bits == 0)
    for i in blocked.tolist():
        y, x = (int(v) for v in out[i])
        y0, x0 = max(0, y - rings), max(0, x - rings)
        window = terrain.passable[y0 : y + rings + 1, x0 : x + rings + 1] & bits[i]
        ys, xs = np.nonzero(window)
        ys, xs = ys + y0, xs + x0
        if len(ys) == 0:
            out[i] = -1
            continue
        best = np.lexsort((xs, ys, (ys - y) ** 2 + (xs - x) ** 2))[0]
        out[i] = ys[best], xs[best]
    return out


def spread_goals(
    terrain: Terrain,
    components: Components,
    movement_class: int,
    goal: tuple[int, int],
    n: int,
    start: tuple[int, int] | None = None,
) -> np.ndarray:
    """Return up to ``n`` distinct tiles reachable from ``goal``, nearest first.

    The result is int32[m, 2] with m <= n. Tiles are near on foot, not through walls. A flood collects twice the
    requested number, and the nearest by distance, then y, then x are taken. Fewer than ``n`` are returned only if the
    component is smaller. A blocked goal is first moved to the nearest tile of the component of ``start`` (without
    ``start``: of any component).
    """
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    if not np.isfinite(np.asarray(goal, float)).all():
        raise ValueError(f"goal must be a tile (y, x) of {terrain.height} x {terrain.width}, got {goal}")
    y, x = int(goal[0]), int(goal[1])
    y, x = min(max(y, 0), terrain.height - 1), min(max(x, 0), terrain.width - 1)
    if start is not None:
        y, x = (int(v) for v in resolve_goals(terrain, components, movement_class, [start], (y, x))[0])
    elif components.label(movement_class, y, x) == 0:
        footing = find_footing(terrain, movement_class, [(y, x)])[0]
        y, x = int(footing[0]), int(footing[1])
    if y < 0 or n == 0:
        return np.zeros((0, 2), np.int32)
    enough = min(2 * n + 16, terrain.passable.size)
    # After k rings of straight steps, open ground has 2k(k+1)+1 known tiles; corridors need a longer window.
    side = min(2 * max(terrain.height, terrain.width) + 1, 2 * enough + 3)
    side = min(side, 1025) | 1
    queue = np.zeros((enough + 4, 2), np.int32)
    found = _flood(terrain.passable, 1 << int(movement_class), y, x, enough, queue, np.zeros((side, side), np.int32))
    tiles = queue[:found]
    distance = (tiles[:, 0].astype(np.int64) - y) ** 2 + (tiles[:, 1].astype(np.int64) - x) ** 2
    order = np.lexsort((tiles[:, 1], tiles[:, 0], distance))
    return np.ascontiguousarray(tiles[order[:n]])
