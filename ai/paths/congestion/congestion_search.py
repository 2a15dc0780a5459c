"""Congestion search: the fastest paths through a crowd.

One call answers many questions within a counted budget; its scratch is never cleared.

Source: Game AI Pro 2, chapter 17 (17.4 costs of crossing or opposing a crowd).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.terrain import Terrain
from ai.paths.congestion.congestion_map import CELL, CongestionMap, penalty
from ai.paths.congestion.path_costs import OWN, bits_of
from ai.search.heap import heap_pop, heap_push

DIAGONAL = math.sqrt(2.0)

LONGEST = 4096
"""Tiles of the longest path."""


@device
def step_cost(
    cost: np.ndarray,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
    weight: float,
    speed: float,
    y: int,
    x: int,
    dy: int,
    dx: int,
    near: float,
) -> float:
    """Return the cost of a step from (y, x) by (dy, dx), tiles.

    It includes the ground, and the crowd at its end unless ``near`` is 0.
    """
    length = DIAGONAL if dx != 0 and dy != 0 else 1.0
    ground = (cost[y, x] + cost[y + dy, x + dx]) / 16.0
    if weight <= 0.0 or near <= 0.0:
        return length * ground
    cy = (y + dy) // CELL
    cx = (x + dx) // CELL
    crowd = penalty(dx / length * speed, dy / length * speed, density[cy, cx], mean_x[cy, cx], mean_y[cy, cx])
    return length * (ground + weight * crowd)


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], float64[:,::1], float64[:,::1], float64[:,::1], float64, float64, int64[::1],"
    " float64[::1], int32[:,::1], int32[:,::1], int64, int64, int64, int32[::1], float64[::1], int32[::1],"
    " float64[::1], int32[::1], int32[:,::1], int64[::1], float64[::1], int64[::1])",
)
def search_fastest(
    passable: np.ndarray,
    cost: np.ndarray,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
    weight: float,
    lowest: float,
    bits: np.ndarray,
    speeds: np.ndarray,
    starts: np.ndarray,
    goals: np.ndarray,
    effort: int,
    budget: int,
    stamp: int,
    stamps: np.ndarray,
    g: np.ndarray,
    parent: np.ndarray,
    keys: np.ndarray,
    heap: np.ndarray,
    out: np.ndarray,
    offsets: np.ndarray,
    totals: np.ndarray,
    spent: np.ndarray,
) -> int:
    """Answer questions starts[i] -> goals[i] by A* with the crowd's penalty.

    It stops when ``budget`` expansions are spent and returns the number of answers. Path i is
    ``out[offsets[i]:offsets[i + 1]]`` (y, x) and ``totals[i]`` its cost. It is empty, with cost inf, if no path exists
    within ``effort`` expansions.

    A question that meets the end of the budget before its effort is not answered, except for the first one. Paths cut
    no corner. Penalties are never negative, so the octile distance over ground of cost ``lowest`` (1 is plain) is a
    lower bound. ``stamps`` tell which question ``g`` and ``parent`` belong to; a negative stamp is closed.
    """
    height, width = passable.shape
    used = 0
    written = 0
    offsets[0] = 0
    for i in range(starts.shape[0]):
        if used >= budget:
            return i
        offsets[i + 1] = written
        totals[i] = math.inf
        spent[i] = 0
        stamp += 1
        bit = bits[i]
        sy, sx = np.int64(starts[i, 0]), np.int64(starts[i, 1])
        gy, gx = np.int64(goals[i, 0]), np.int64(goals[i, 1])
        goal = gy * width + gx
        first = sy * width + sx
        stamps[first] = stamp
        g[first] = 0.0
        parent[first] = -1
        keys[0] = 0.0
        heap[0] = first
        count = 1
        found = False
        most = min(effort, budget - used) if i > 0 else effort
        while count > 0 and spent[i] < most:
            tile = np.int64(heap[0])
            heap_pop(keys, heap, count)
            count -= 1
            if stamps[tile] == -stamp:
                continue
            stamps[tile] = -stamp
            spent[i] += 1
            if tile == goal:
                found = True
                break
            y = tile // width
            x = tile - y * width
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    if (dy == 0 and dx == 0) or not (0 <= y + dy < height and 0 <= x + dx < width):
                        continue
                    if not passable[y + dy, x + dx] & bit:
                        continue
                    if dy != 0 and dx != 0 and not (passable[y, x + dx] & bit and passable[y + dy, x] & bit):
                        continue
                    to = tile + dy * width + dx
                    if stamps[to] == -stamp:
                        continue
                    away = (y + dy - sy) * (y + dy - sy) + (x + dx - sx) * (x + dx - sx)
                    new = g[tile] + step_cost(
                        cost, density, mean_x, mean_y, weight, speeds[i], y, x, dy, dx, 1.0 if away > OWN * OWN else 0.0
                    )
                    if stamps[to] != stamp or new < g[to]:
                        stamps[to] = stamp
                        g[to] = new
                        parent[to] = tile
                        ay = abs(y + dy - gy)
                        ax = abs(x + dx - gx)
                        heap_push(keys, heap, count, new + lowest * (max(ay, ax) + (DIAGONAL - 1.0) * min(ay, ax)), to)
                        count += 1
        used += spent[i]
        if not found and count > 0 and most < effort:
            return i
        if found:
            length = 1
            at = goal
            while at != first:
                at = np.int64(parent[at])
                length += 1
            if length <= LONGEST:
                at = goal
                for k in range(written + length - 1, written - 1, -1):
                    out[k, 0] = at // width
                    out[k, 1] = at % width
                    at = np.int64(parent[at])
                written += length
                totals[i] = g[goal]
        offsets[i + 1] = written
    return starts.shape[0]


@dataclass(frozen=True)
class Found:
    """Answers, one row per question.

    Path i is ``tiles[offsets[i]:offsets[i + 1]]`` (y, x). ``costs`` is inf without a path, ``spent`` counts expansions.
    Questions from ``done`` on were not begun.
    """

    tiles: np.ndarray
    offsets: np.ndarray
    costs: np.ndarray
    spent: np.ndarray
    done: int

    def path(self, row: int) -> np.ndarray:
        """Return the tiles of one path, int32[n, 2]."""
        return self.tiles[self.offsets[row] : self.offsets[row + 1]]


class CongestionSearch:
    """Scratch for paths on one map; it carries no data between calls."""

    def __init__(self, tiles: int) -> None:
        self._stamps = np.zeros(tiles, np.int32)
        self._g = np.zeros(tiles)
        self._parent = np.zeros(tiles, np.int32)
        self._keys = np.zeros(0)
        self._heap = np.zeros(0, np.int32)
        self._stamp = 0

    def find(
        self,
        crowd: CongestionMap,
        terrain: Terrain,
        movement_class: np.ndarray,
        speeds: np.ndarray,
        starts: np.ndarray,
        goals: np.ndarray,
        weight: float,
        effort: int,
        budget: int = 1 << 60,
    ) -> Found:
        """Search the fastest paths starts[i] -> goals[i], int[n, 2] (y, x).

        ``movement_class`` holds the classes and ``speeds`` float64[n] the preferred speeds, tiles/s. ``budget`` limits
        all expansions, ``effort`` those of one question.
        """
        n = len(starts)
        if not len(goals) == len(movement_class) == len(speeds) == n:
            raise ValueError(f"{n} starts need as many goals, classes and speeds")
        if len(self._keys) < 8 * effort + 8:
            self._keys, self._heap = np.zeros(8 * effort + 8), np.zeros(8 * effort + 8, np.int32)
        if self._stamp > 1 << 30:
            self._stamps[:] = 0
            self._stamp = 0
        out = np.zeros((n * LONGEST, 2), np.int32)
        offsets, costs, spent = np.zeros(n + 1, np.int64), np.full(n, np.inf), np.zeros(n, np.int64)
        done = search_fastest(
            terrain.passable, terrain.cost, crowd.density, crowd.vx, crowd.vy, weight, terrain.lowest_cost / 8.0,
            bits_of(movement_class), np.ascontiguousarray(speeds, np.float64), np.ascontiguousarray(starts, np.int32),
            np.ascontiguousarray(goals, np.int32), effort, budget, self._stamp, self._stamps, self._g, self._parent,
            self._keys, self._heap, out, offsets, costs, spent,
        )  # fmt: skip
        self._stamp += n
        offsets[done + 1 :] = offsets[done]
        return Found(out[: offsets[-1]].copy(), offsets, costs, spent, int(done))
