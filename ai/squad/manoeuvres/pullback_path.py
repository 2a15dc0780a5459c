"""Pullback path: A* with a step cost for fire from the path behind.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (kDuration times travel time, plus kCover times the
path nodes behind that can fire at the next one, plus kAmpleSpace for a lack of bypass, plus kSafe for bad places; the
pursuers will stand where the squad has been). The cover term depends on the path, so the search follows the parents of
a node and is an approximation. Known threats that can fire at the next tile count as well. The weights are ours.

Tiles are (y, x), places (x, y), costs in tiles of ordinary ground. The estimate is the travel time alone, so more tiles
are expanded than for a plain path; a squad searches once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device, kernel
from ai.grid.movement_classes import class_bit
from ai.grid.moves import COST_UNIT, DIAGONAL, MOVE_X, MOVE_Y, STRAIGHT
from ai.grid.terrain import ORDINARY_COST, Terrain
from ai.perception.sight.line_of_sight import clear_between, lines_clear
from ai.search.heap import heap_pop, heap_push

BEHIND = 10
"""Path tiles behind the next one from which pursuers are expected to fire."""
FAR = 1 << 61
"""Cost of a tile that was not reached."""
CAP = 20_000
"""Most tiles that are expanded."""
UNDER_FIRE = 0.8
"""Share of tiles under fire above which a path is refused."""


@dataclass(frozen=True)
class PathWeights:
    """Weights of the four terms: travel time, fire from behind, no bypass, bad ground."""

    duration: float = 1.0
    cover: float = 0.25
    space: float = 1.0
    safe: float = 1.0

    def whole(self) -> NDArray[np.int64]:
        """Return the weights as whole numbers.

        That of travel time is in 1/64, the others are in search costs.
        """
        terms = np.array([self.cover, self.space, self.safe]) * COST_UNIT
        return np.concatenate([[round(self.duration * 64)], np.rint(terms)]).astype(np.int64)


@device
def _no_bypass(passable, bit, y, x, dy, dx):  # type: ignore[no-untyped-def]
    """Return 1 if both tiles beside the direction of walking are closed."""
    height, width = passable.shape
    for sign in (-1, 1):
        by, bx = y + sign * dx, x - sign * dy
        if 0 <= by < height and 0 <= bx < width and passable[by, bx] & bit != 0:
            return 0
    return 1


@device
def _fire_from_behind(opaque, parent, at, ny, nx, behind, reach):  # type: ignore[no-untyped-def]
    """Return how many of the last path tiles can fire at (ny, nx)."""
    width = opaque.shape[1]
    count, tile = 0, at
    for _ in range(behind):
        if tile < 0:
            break
        by, bx = tile // width, tile % width
        near = (by - ny) * (by - ny) + (bx - nx) * (bx - nx) <= reach * reach
        if near and clear_between(opaque, by, bx, ny, nx):
            count += 1
        tile = parent[tile]
    return count


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], uint8[:,::1], uint8[:,::1], uint8[:,::1], int64, int64, int64, int64, int64,"
    " float64, int64, int64[::1], int64[::1], int64[::1], uint8[::1], int64[::1], int64[::1])"
)
def search_pullback(  # type: ignore[no-untyped-def]
    passable, cost, opaque, fired, bad, bit, start, goal, lowest, behind, reach, cap, weights, g, parent, closed,
    keys, values,
):  # fmt: skip
    """Fill ``g`` and ``parent``; return the expanded tiles, negative without a path.

    Tiles are numbers ``y * width + x``. ``g`` holds FAR, ``parent`` -1 and ``closed`` 0 at the beginning.
    """
    width = passable.shape[1]
    height = passable.shape[0]
    goal_y, goal_x = goal // width, goal % width
    g[start] = 0
    heap_push(keys, values, 0, 0, start)
    count, expanded = 1, 0
    while count > 0 and expanded < cap:
        at = values[0]
        heap_pop(keys, values, count)
        count -= 1
        if closed[at] != 0:
            continue
        closed[at] = 1
        expanded += 1
        if at == goal:
            return expanded
        y, x = at // width, at % width
        for k in range(8):
            dy, dx = MOVE_Y[k], MOVE_X[k]
            ny, nx = y + dy, x + dx
            if ny < 0 or nx < 0 or ny >= height or nx >= width or passable[ny, nx] & bit == 0:
                continue
            if k >= 4 and (passable[y, nx] & bit == 0 or passable[ny, x] & bit == 0):
                continue
            tile = ny * width + nx
            if closed[tile] != 0:
                continue
            step = (int(cost[y, x]) + int(cost[ny, nx])) * (STRAIGHT if k < 4 else DIAGONAL)
            new = g[at] + weights[0] * step // 64 + weights[3] * int(bad[ny, nx])
            new += weights[1] * (_fire_from_behind(opaque, parent, at, ny, nx, behind, reach) + int(fired[ny, nx]))
            new += weights[2] * _no_bypass(passable, bit, ny, nx, dy, dx)
            if new < g[tile]:
                g[tile] = new
                parent[tile] = at
                off_y, off_x = abs(ny - goal_y), abs(nx - goal_x)
                least = min(off_y, off_x) * DIAGONAL + abs(off_y - off_x) * STRAIGHT
                heap_push(keys, values, count, new + weights[0] * 2 * lowest * least // 64, tile)
                count += 1
    return -expanded


@dataclass(frozen=True)
class PullbackPath:
    """Path with its cost.

    ``exposed`` is the share of its tiles that known threats can fire at.
    """

    tiles: NDArray[np.int32]
    cost: float
    exposed: float


def fire_on_tiles(terrain: Terrain, threats: NDArray[np.float64], reach: float) -> NDArray[np.uint8]:
    """Return how many threats ``float64[k, 2]`` can fire at each tile, ``uint8[H, W]``."""
    out = np.zeros(terrain.passable.shape, np.uint8)
    for x, y in threats.tolist():
        y0, x0 = max(0, int(y - reach)), max(0, int(x - reach))
        block = out[y0 : int(y + reach) + 1, x0 : int(x + reach) + 1]
        tiles = (np.argwhere(np.ones(block.shape, bool)) + (y0, x0)).astype(np.int32)
        tiles = tiles[np.hypot(tiles[:, 0] - int(y), tiles[:, 1] - int(x)) <= reach]
        eye = np.empty_like(tiles)
        eye[:] = int(y), int(x)
        seen = tiles[lines_clear(terrain.opaque, eye, tiles)]
        out[seen[:, 0], seen[:, 1]] += 1
    return out


def pullback_path(
    terrain: Terrain, movement_class: int, start: tuple[int, int], goal: tuple[int, int],
    threats: NDArray[np.float64], reach: float, weights: PathWeights,
) -> PullbackPath | None:  # fmt: skip
    """Return the cheapest path back from tile ``start`` to ``goal``, or None."""
    height, width = terrain.passable.shape
    size = height * width
    fired = fire_on_tiles(terrain, threats, reach)
    bad = (terrain.cost > ORDINARY_COST).astype(np.uint8)
    g, parent = np.full(size, FAR, np.int64), np.full(size, -1, np.int64)
    closed, keys, values = np.zeros(size, np.uint8), np.empty(8 * size + 1, np.int64), np.empty(8 * size + 1, np.int64)
    end = goal[0] * width + goal[1]
    expanded = search_pullback(
        terrain.passable, terrain.cost, terrain.opaque, fired, bad, class_bit(movement_class),
        start[0] * width + start[1], end, terrain.lowest_cost, BEHIND, reach, CAP, weights.whole(), g, parent, closed,
        keys, values,
    )  # fmt: skip
    if expanded < 0:
        return None
    found = [end]
    while parent[found[-1]] >= 0:
        found.append(int(parent[found[-1]]))
    tiles = np.array([divmod(tile, width) for tile in reversed(found)], np.int32)
    exposed = float((fired[tiles[:, 0], tiles[:, 1]] > 0).mean())
    return PullbackPath(tiles, float(g[end]) / COST_UNIT, exposed)


TECHNIQUES = (
    {
        "slug": "pullback-path",
        "name": "Pullback path with cover from pursuers",
        "ids": ("AW-5.4-6",),
        "source": "AI Game Programming Wisdom, 5.4",
        "functions": ("search_pullback", "pullback_path"),
        "test": "tests/ai/squad/manoeuvres/test_pullback_path.py",
        "exhibit": "levels/exhibits/squads/pullback.way.toml",
        "overlay": "paths",
        "setting": "tactics.doctrine.covered_way",
        "measure": "exposed",
        "direction": "down",
        "claim": "Bad ground is slow ground; doors and ladders do not count.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
