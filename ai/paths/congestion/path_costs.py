"""Path costs through a crowd in time, and smoothing that respects them.

Source: Game AI Pro 2, chapter 17 (17.4 costs of crossing or opposing a crowd, 17.5 cost-aware smoothing).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import itertools
import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.terrain import Terrain
from ai.paths.congestion.congestion_map import CELL, CongestionMap, penalty
from ai.paths.quick.straight_path import BODY
from ai.search.smoothing.straight_walk_kernels import straight_clear

OWN = 2.5
"""Radius in tiles around a planner within which it ignores the crowd.

The planner is itself part of that crowd.
"""


@device
def stretch_cost(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
    weight: float,
    speed: float,
    y0: float,
    x0: float,
    y1: float,
    x1: float,
    from_y: float,
    from_x: float,
    body: float,
) -> float:
    """Integrate ground and crowd along a straight line, in steps of a quarter tile.

    The result is inf if a body of that radius touches a blocked tile. The crowd near (from_y, from_x), the planner's
    position, is ignored.
    """
    dy = y1 - y0
    dx = x1 - x0
    length = math.sqrt(dy * dy + dx * dx)
    if length < 1e-9:
        return 0.0
    if body > 0.0 and not straight_clear(passable, bit, x0, y0, x1, y1, body):
        return math.inf
    steps = int(math.ceil(length * 4.0))
    total = 0.0
    for k in range(steps):
        y = y0 + dy * (k + 0.5) / steps
        x = x0 + dx * (k + 0.5) / steps
        ty = math.floor(y)
        tx = math.floor(x)
        if not (0 <= ty < passable.shape[0] and 0 <= tx < passable.shape[1]) or not passable[ty, tx] & bit:
            return math.inf
        here = cost[ty, tx] / 8.0
        if (y - from_y) * (y - from_y) + (x - from_x) * (x - from_x) > OWN * OWN and weight > 0.0:
            cy = ty // CELL
            cx = tx // CELL
            here += weight * penalty(
                dx / length * speed, dy / length * speed, density[cy, cx], mean_x[cy, cx], mean_y[cy, cx]
            )
        total += here * length / steps
    return total


@kernel(
    "void(uint8[:,::1], uint8[:,::1], float64[:,::1], float64[:,::1], float64[:,::1], float64, int64[::1],"
    " float64[::1], float64[:,::1], int64[::1], float64[::1])",
)
def price_paths(
    passable: np.ndarray,
    cost: np.ndarray,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
    weight: float,
    bits: np.ndarray,
    speeds: np.ndarray,
    points: np.ndarray,
    offsets: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Compute the cost of paths ``points[offsets[i]:offsets[i + 1]]`` (y, x).

    They consist of straight lines; the first point is the planner's position.
    """
    for i in range(costs.size):
        first = offsets[i]
        costs[i] = 0.0
        for k in range(first, offsets[i + 1] - 1):
            costs[i] += stretch_cost(
                passable, cost, bits[i], density, mean_x, mean_y, weight, speeds[i], points[k, 0], points[k, 1],
                points[k + 1, 0], points[k + 1, 1], points[first, 0], points[first, 1], 0.0,
            )  # fmt: skip


@kernel(
    "void(uint8[:,::1], uint8[:,::1], float64[:,::1], float64[:,::1], float64[:,::1], float64, int64[::1],"
    " float64[::1], int32[:,::1], int64[::1], uint8[::1])",
)
def smooth_paths(
    passable: np.ndarray,
    cost: np.ndarray,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
    weight: float,
    bits: np.ndarray,
    speeds: np.ndarray,
    tiles: np.ndarray,
    offsets: np.ndarray,
    keep: np.ndarray,
) -> None:
    """Mark the corners of each path that cost-aware smoothing keeps (17.5).

    Path i is ``tiles[offsets[i]:offsets[i + 1]]``; the result is in ``keep``. A shortcut is taken only if it is open
    and costs no more than the part it replaces.
    """
    for i in range(offsets.size - 1):
        first, last = offsets[i], offsets[i + 1] - 1
        if last < first:
            continue
        for k in range(first, last + 1):
            keep[k] = 0
        keep[first] = 1
        here = first
        while here < last:
            best = here + 1
            along = 0.0
            hy, hx = tiles[here, 0] + 0.5, tiles[here, 1] + 0.5
            for k in range(here + 1, last + 1):
                py, px = tiles[k - 1, 0] + 0.5, tiles[k - 1, 1] + 0.5
                ky, kx = tiles[k, 0] + 0.5, tiles[k, 1] + 0.5
                along += stretch_cost(
                    passable, cost, bits[i], density, mean_x, mean_y, weight, speeds[i], py, px, ky, kx, py, px, 0.0
                )
                if k > here + 1:
                    straight = stretch_cost(
                        passable,
                        cost,
                        bits[i],
                        density,
                        mean_x,
                        mean_y,
                        weight,
                        speeds[i],
                        hy,
                        hx,
                        ky,
                        kx,
                        hy,
                        hx,
                        BODY,
                    )
                    if not straight <= along + 1e-6:
                        break
                best = k
            keep[best] = 1
            here = best


SECTION = 64.0
"""Tiles of its path that a unit checks for crowds.

A farther crowd is gone when the unit gets there.
"""


@kernel(
    "void(uint8[:,::1], float64[:,::1], float64[:,::1], float64[:,::1], float64, int32[:,::1], int32[:,::1],"
    " int64[::1], float64[::1], float64[::1], float64[::1], float64, float64[:,::1], int64[::1])",
)
def look_ahead(
    cost: np.ndarray,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
    weight: float,
    nodes: np.ndarray,
    ends: np.ndarray,
    slots: np.ndarray,
    speeds: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    reach: float,
    found: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Compute the cost of the next section of each path in ``slots``.

    ``found[i, 0]`` is the cost of the ground and ``found[i, 1]`` that of the crowd on it, sampled once per tile. The
    section ends at the first waypoint at least ``reach`` tiles on, the ``counts[i]``-th. ``nodes`` and ``ends`` are the
    path store's; ``speeds`` float64[n]; ``x`` and ``y`` are columns.
    """
    width = cost.shape[1]
    for i in range(slots.size):
        slot = slots[i]
        fy, fx = y[slot], x[slot]
        oy, ox = fy, fx
        along = 0.0
        found[i, 0] = 0.0
        found[i, 1] = 0.0
        counts[i] = 0
        node = np.int64(ends[slot, 0])
        while node >= 0 and along < reach:
            tile = np.int64(nodes[node, 0])
            ty, tx = tile // width + 0.5, tile % width + 0.5
            dy, dx = ty - fy, tx - fx
            length = math.sqrt(dy * dy + dx * dx)
            if length > 1e-9:
                steps = int(math.ceil(length))
                vx, vy = dx / length * speeds[i], dy / length * speeds[i]
                for k in range(steps):
                    py = fy + dy * (k + 0.5) / steps
                    px = fx + dx * (k + 0.5) / steps
                    cy, cx = int(py), int(px)
                    found[i, 0] += cost[cy, cx] / 8.0 * length / steps
                    d = density[cy // CELL, cx // CELL]
                    if d > 0.0 and (py - oy) * (py - oy) + (px - ox) * (px - ox) > OWN * OWN:
                        crowd = penalty(vx, vy, d, mean_x[cy // CELL, cx // CELL], mean_y[cy // CELL, cx // CELL])
                        found[i, 1] += weight * crowd * length / steps
            along += length
            counts[i] += 1
            fy, fx = ty, tx
            node = np.int64(nodes[node, 1])


def bits_of(movement_class: np.ndarray) -> np.ndarray:
    """Return int64[n] bit masks of movement classes."""
    return np.left_shift(1, np.asarray(movement_class, np.int64))


def path_costs(
    crowd: CongestionMap,
    terrain: Terrain,
    movement_class: np.ndarray,
    speeds: np.ndarray,
    paths: list[np.ndarray],
    weight: float,
) -> np.ndarray:
    """Return the cost of each path of straight lines, ``float64[n]``; inf if blocked.

    Points are float64[m, 2] (y, x); the first is the planner's position.
    """
    offsets = np.concatenate([[0], np.cumsum([len(path) for path in paths])]).astype(np.int64)
    costs = np.zeros(len(paths))
    points = np.ascontiguousarray(np.concatenate(paths)) if paths else np.zeros((0, 2))
    price_paths(
        terrain.passable, terrain.cost, crowd.density, crowd.vx, crowd.vy, weight, bits_of(movement_class),
        np.ascontiguousarray(speeds, np.float64), points, offsets, costs,
    )  # fmt: skip
    return costs


def smooth(
    crowd: CongestionMap,
    terrain: Terrain,
    movement_class: np.ndarray,
    speeds: np.ndarray,
    paths: list[np.ndarray],
    weight: float,
) -> list[np.ndarray]:
    """Return the corners ``int32[m, 2]`` of each path of adjacent tiles ``int32[n, 2]``.

    See :func:`smooth_paths`.
    """
    if not paths:
        return []
    offsets = np.concatenate([[0], np.cumsum([len(path) for path in paths])]).astype(np.int64)
    tiles = np.ascontiguousarray(np.concatenate(paths), np.int32)
    keep = np.zeros(len(tiles), np.uint8)
    smooth_paths(
        terrain.passable, terrain.cost, crowd.density, crowd.vx, crowd.vy, weight, bits_of(movement_class),
        np.ascontiguousarray(speeds, np.float64), tiles, offsets, keep,
    )  # fmt: skip
    return [tiles[a:b][keep[a:b] == 1] for a, b in itertools.pairwise(offsets)]
