"""Crowds as a field: where it is dense and which way it moves, and ways that cost time rather than length.

Source: Game AI Pro 2, chapter 17 ("Advanced Techniques for Robust, Efficient Crowds"): density and mean velocity on a
coarse grid (17.3), a penalty for going across or against the crowd (17.4, listing 17.1), smoothing that asks what a
shortcut costs (17.5), and routes that change only when another has been better for a while (17.9).

The map is a snapshot: it is written once every few ticks and read by everybody until the next.  Densities are bodies a
square tile, velocities tiles a second, costs tiles of plain ground.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import field

import numpy as np

from ai.kernels import device, kernel
from ai.paths.straight import BODY
from ai.search.walk_kernels import straight_clear
from ai.state import record

CELL = 2
"""Tiles along a side of a cell."""

OWN = 2.5
"""Tiles about its own place in which a planner does not mind the crowd: it is part of it."""

DIAGONAL = math.sqrt(2.0)


@record
class CongestionMap:
    """float64[rows, columns]: ``density``, and the blended mean velocity ``vx, vy`` of who was there."""

    density: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    vx: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    vy: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    tick: int = -1

    @classmethod
    def blank(cls, height: int, width: int) -> CongestionMap:
        """Nobody anywhere, on a map of so many tiles."""
        rows, columns = -(-height // CELL) + 1, -(-width // CELL) + 1
        return cls(np.zeros((rows, columns)), np.zeros((rows, columns)), np.zeros((rows, columns)))

    def publish(
        self,
        ids: np.ndarray,
        alive: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
        vx: np.ndarray,
        vy: np.ndarray,
        mass: np.ndarray,
        tick: int,
        blend: float = 0.5,
    ) -> None:
        """A new snapshot.  ``mass`` float64[n]: how many bodies each counts for; ``blend``: share of the new velocity.

        Sums go by id, so the slots may be permuted.  The sum of density times the area of a cell is the sum of masses.
        """
        if not 0.0 < blend <= 1.0:
            raise ValueError(f"blend lies in (0, 1], not {blend}")
        splat(np.argsort(ids, kind="stable"), alive, x, y, vx, vy, mass, blend, self.density, self.vx, self.vy)
        self.tick = tick


@kernel(
    "void(int64[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64,"
    " float64[:,::1], float64[:,::1], float64[:,::1])",
    group="lab",
)
def splat(
    by_id: np.ndarray,
    alive: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    vx: np.ndarray,
    vy: np.ndarray,
    mass: np.ndarray,
    blend: float,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
) -> None:
    """Share each body among the four cells round it, blend the mean velocity; cells nobody visits forget theirs."""
    rows, columns = density.shape
    sum_x = np.zeros((rows, columns))
    sum_y = np.zeros((rows, columns))
    density[:] = 0.0
    area = float(CELL * CELL)
    for k in range(by_id.size):
        i = by_id[k]
        if not alive[i]:
            continue
        gx = min(max(x[i] / CELL - 0.5, 0.0), columns - 1.001)
        gy = min(max(y[i] / CELL - 0.5, 0.0), rows - 1.001)
        cx = int(gx)
        cy = int(gy)
        fx = gx - cx
        fy = gy - cy
        for oy in range(2):
            for ox in range(2):
                w = (fx if ox else 1.0 - fx) * (fy if oy else 1.0 - fy) * mass[i] / area
                density[cy + oy, cx + ox] += w
                sum_x[cy + oy, cx + ox] += w * vx[i]
                sum_y[cy + oy, cx + ox] += w * vy[i]
    for r in range(rows):
        for c in range(columns):
            d = density[r, c]
            nx = sum_x[r, c] / d if d > 1e-9 else 0.0
            ny = sum_y[r, c] / d if d > 1e-9 else 0.0
            mean_x[r, c] += blend * (nx - mean_x[r, c])
            mean_y[r, c] += blend * (ny - mean_y[r, c])


@device
def penalty(ux: float, uy: float, density: float, ax: float, ay: float) -> float:
    """Listing 17.1: nothing for going with a crowd of mean velocity (ax, ay), its density for crossing it or waiting in
    it, twice that for meeting it head-on; (ux, uy) is the velocity one would like, not 0."""
    t = (ux * ax + uy * ay) / (ux * ux + uy * uy)
    return 0.0 if t >= 1.0 else (1.0 - t) * density


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
    """Tiles that a step from (y, x) by (dy, dx) costs: ground, and the crowd where it leads unless ``near`` is 0."""
    length = DIAGONAL if dx != 0 and dy != 0 else 1.0
    ground = (cost[y, x] + cost[y + dy, x + dx]) / 16.0
    if weight <= 0.0 or near <= 0.0:
        return length * ground
    cy = (y + dy) // CELL
    cx = (x + dx) // CELL
    crowd = penalty(dx / length * speed, dy / length * speed, density[cy, cx], mean_x[cy, cx], mean_y[cy, cx])
    return length * (ground + weight * crowd)


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, float64[:,::1], float64[:,::1], float64[:,::1], float64, float64, int64,"
    " int64, int64, int64, int64, int32[:,::1], float64[::1])",
    group="lab",
)
def fastest_way(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
    weight: float,
    speed: float,
    sy: int,
    sx: int,
    gy: int,
    gx: int,
    most: int,
    out: np.ndarray,
    total: np.ndarray,
) -> int:
    """A* over tiles with the crowd's penalty; tiles (y, x) from start to goal into ``out``, their number returned.

    0 when there is no way, or none within ``most`` expansions or the length of ``out``.  ``total[0]`` gets the cost.
    No corner is cut.  Penalties are never negative, so the octile distance over the cheapest ground is a lower bound.
    """
    height, width = passable.shape
    total[0] = math.inf
    least = 255
    for y in range(height):
        for x in range(width):
            if passable[y, x] & bit:
                least = min(least, cost[y, x])
    scale = least / 8.0
    g = np.full(height * width, np.inf)
    parent = np.full(height * width, -1, np.int32)
    closed = np.zeros(height * width, np.uint8)
    # A binary heap of (f, tile), ties by tile.
    heap_f = np.empty(8 * height * width + 1)
    heap_t = np.empty(8 * height * width + 1, np.int32)
    size = 1
    start = sy * width + sx
    goal = gy * width + gx
    g[start] = 0.0
    heap_f[0] = 0.0
    heap_t[0] = start
    spent = 0
    while size > 0 and spent < most:
        tile = heap_t[0]
        size -= 1
        f_last = heap_f[size]
        t_last = heap_t[size]
        hole = 0
        while True:
            child = 2 * hole + 1
            if child >= size:
                break
            if child + 1 < size and (
                heap_f[child + 1] < heap_f[child]
                or (heap_f[child + 1] == heap_f[child] and heap_t[child + 1] < heap_t[child])
            ):
                child += 1
            if f_last < heap_f[child] or (f_last == heap_f[child] and t_last <= heap_t[child]):
                break
            heap_f[hole] = heap_f[child]
            heap_t[hole] = heap_t[child]
            hole = child
        heap_f[hole] = f_last
        heap_t[hole] = t_last
        if closed[tile]:
            continue
        closed[tile] = 1
        spent += 1
        if tile == goal:
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
                away = math.sqrt((y + dy - sy) * (y + dy - sy) + (x + dx - sx) * (x + dx - sx))
                new = g[tile] + step_cost(
                    cost, density, mean_x, mean_y, weight, speed, y, x, dy, dx, 1.0 if away > OWN else 0.0
                )
                to = tile + dy * width + dx
                if new < g[to]:
                    g[to] = new
                    parent[to] = tile
                    ay = abs(y + dy - gy)
                    ax = abs(x + dx - gx)
                    f = new + scale * (max(ay, ax) + (DIAGONAL - 1.0) * min(ay, ax))
                    hole = size
                    size += 1
                    while hole > 0:
                        up = (hole - 1) // 2
                        if heap_f[up] < f or (heap_f[up] == f and heap_t[up] <= to):
                            break
                        heap_f[hole] = heap_f[up]
                        heap_t[hole] = heap_t[up]
                        hole = up
                    heap_f[hole] = f
                    heap_t[hole] = to
    if not closed[goal]:
        return 0
    count = 1
    at = goal
    while at != start:
        at = parent[at]
        count += 1
    if count > out.shape[0]:
        return 0
    at = goal
    for k in range(count - 1, -1, -1):
        out[k, 0] = at // width
        out[k, 1] = at % width
        at = parent[at]
    total[0] = g[goal]
    return count


@kernel(
    "float64(uint8[:,::1], uint8[:,::1], int64, float64[:,::1], float64[:,::1], float64[:,::1], float64, float64,"
    " float64, float64, float64, float64, float64, float64, float64)",
    group="lab",
)
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
    """Line integral of ground and crowd along a straight stretch between places, in steps of a quarter of a tile.

    inf when a body of that radius touches a blocked tile.  (from_y, from_x): where the planner stands and does not mind
    the crowd.
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


@record
class Crowding:
    """Settings-free state of routes under a congestion map: since when another route has been better, per slot."""

    map: CongestionMap
    better_since: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    switches: int = 0

    def reserve(self, slots: int) -> None:
        """Room for so many slots."""
        if len(self.better_since) < slots:
            grown = np.full(slots, -1, np.int32)
            grown[: len(self.better_since)] = self.better_since
            self.better_since = grown

    def decides(self, slot: int, now_cost: float, new_cost: float, tick: int, margin: float, hold: int) -> bool:
        """Whether to change the route: the other must be better by ``margin`` (a share) for ``hold`` ticks on end."""
        if not new_cost < (1.0 - margin) * now_cost:
            self.better_since[slot] = -1
            return False
        if self.better_since[slot] < 0:
            self.better_since[slot] = tick
        if tick - int(self.better_since[slot]) < hold:
            return False
        self.better_since[slot] = -1
        self.switches += 1
        return True


def way_cost(
    crowd: CongestionMap,
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    points: np.ndarray,
    weight: float,
    speed: float,
    body: float = 0.0,
) -> float:
    """Cost of a way of straight stretches; ``points`` float64[n, 2] (y, x) places, the first is the planner's own.

    inf when a body of radius ``body`` (tiles) cannot walk it.
    """
    total = 0.0
    for a, b in itertools.pairwise(points):
        total += stretch_cost(
            passable, cost, bit, crowd.density, crowd.vx, crowd.vy, weight, speed,
            float(a[0]), float(a[1]), float(b[0]), float(b[1]), float(points[0, 0]), float(points[0, 1]), body,
        )  # fmt: skip
    return total


def smooth(
    crowd: CongestionMap,
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    tiles: np.ndarray,
    weight: float,
    speed: float,
) -> np.ndarray:
    """Cost-aware smoothing (17.5): corners int[n, 2] of ``tiles`` int[n, 2] (y, x).

    A shortcut stands only when it is open and its line integral is not more than that of what it replaces.
    """
    points = tiles + 0.5
    kept = [0]
    here = 0
    while here < len(tiles) - 1:
        last, along = here + 1, 0.0
        for k in range(here + 1, len(tiles)):
            along += way_cost(crowd, passable, cost, bit, points[[k - 1, k]], weight, speed)
            if k > here + 1:
                straight = way_cost(crowd, passable, cost, bit, points[[here, k]], weight, speed, BODY)
                if not straight <= along + 1e-6:
                    break
            last = k
        kept.append(last)
        here = last
    return tiles[kept]
