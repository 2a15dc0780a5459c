"""Local replanning grid: a window around one unit, with bodies, hazards and its path.

The full path ignores standing bodies and remembered hazards. Here they are added to a small square of tiles. A flood
from the unit gives the cost of every tile. The unit joins its path where the cost to get there plus the rest of the
path is smallest. It never joins behind the point that it has reached, nor before an obstacle on the path.

Sources: "Game AI Pro 2", 34.2 (two-level navigation); "AI Game Programming Wisdom", 8.1 (local pathfinder).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ai.grid.moves import COST_UNIT, MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.paths.replanning.failure_memory import FailureMemory, question_of
from ai.paths.store.waypoint_kernels import FROM_X, FROM_Y
from ai.paths.update_context import PathTick
from ai.search.astar.astar import CLOSED, RUNNING, AStarSearch
from ai.search.canonical import FROM_START

HALF = 12
"""Tiles from the unit's tile to the edge of its window."""

WHOLE = (2 * HALF + 1) ** 2
"""Revolutions that suffice for any window."""

BODY = 0.55
"""Distance in tiles from a tile's centre within which a standing body blocks it."""

_STEP = 0.5
"""Distance in tiles between two samples along a path."""


@dataclass(frozen=True)
class Joined:
    """A path from the unit to row ``row`` of its stored path.

    ``tiles`` int32[n, 2] are (y, x).

    The waypoints from ``row`` on follow. ``cost`` is that of the join and the rest, in tiles of ordinary ground;
    ``revolutions`` counts expanded tiles.
    """

    tiles: np.ndarray
    row: int
    cost: float
    revolutions: int


class ReplanningGrid:
    """Window of one slot.

    Tiles are (y, x) of the map. Arrays cover the window, whose corner is (top, left).
    """

    def __init__(self, now: PathTick, slot: int, *, displaced: bool = False) -> None:
        """Copy the window round a unit.

        With ``displaced`` the unit was pushed off its line. Otherwise it is on it.
        """
        self.here = now.footing_of(slot)
        self.movement_class = int(now.manager.requests.movement_class[slot])
        y, x = self.here
        terrain = now.terrain
        self.top, self.left = max(0, y - HALF), max(0, x - HALF)
        bottom, right = min(terrain.height, y + HALF + 1), min(terrain.width, x + HALF + 1)
        part = slice(self.top, bottom), slice(self.left, right)
        self.passable = terrain.passable[part].copy()
        self.cost = terrain.cost[part].copy()
        self.shape = self.passable.shape
        self.barred = np.zeros(self.shape, bool)
        self.path = now.manager.store.waypoints(slot)[:, :2]
        self.position = float(now.x[slot]), float(now.y[slot])
        aim = now.manager.store.aim
        self._sample((float(aim[FROM_X, slot]), float(aim[FROM_Y, slot])) if displaced else self.position, displaced)

    def bar(self, x: np.ndarray, y: np.ndarray) -> int:
        """Block the tiles of bodies at (x, y); return the number in the window.

        ``x`` and ``y`` are float64[n].

        A unit that leans on such a body stands on its tile; its path then begins on the nearest free tile.
        """
        near = (
            (x > self.left - 1) & (x < self.left + self.shape[1] + 1)
            & (y > self.top - 1) & (y < self.top + self.shape[0] + 1)
        )  # fmt: skip
        for bx, by in zip(x[near].tolist(), y[near].tolist(), strict=True):
            for ty in range(math.floor(by) - 1, math.floor(by) + 2):
                for tx in range(math.floor(bx) - 1, math.floor(bx) + 2):
                    wy, wx = ty - self.top, tx - self.left
                    if 0 <= wy < self.shape[0] and 0 <= wx < self.shape[1]:
                        self.barred[wy, wx] |= math.hypot(tx + 0.5 - bx, ty + 0.5 - by) < BODY
        self._step_back()
        return int(near.sum())

    def _step_back(self) -> None:
        """Start on the nearest free tile if a body blocks the unit's own tile."""
        y, x = self.here[0] - self.top, self.here[1] - self.left
        if self.here[0] < 0 or not self.barred[y, x]:
            return
        bit, (px, py) = 1 << self.movement_class, self.position
        free = [
            (math.hypot(self.left + nx + 0.5 - px, self.top + ny + 0.5 - py), ny, nx)
            for ny in range(max(y - 1, 0), min(y + 2, self.shape[0]))
            for nx in range(max(x - 1, 0), min(x + 2, self.shape[1]))
            if not self.barred[ny, nx] and self.passable[ny, nx] & bit
        ]
        if free:
            _, ny, nx = min(free)
            self.here = self.top + ny, self.left + nx
        else:
            self.barred[y, x] = False

    def raise_cost(self, tiles: np.ndarray, times: float) -> int:
        """Multiply the cost of ``tiles`` int[n, 2]; return the number in the window."""
        rows = tiles - (self.top, self.left)
        inside = ((rows >= 0) & (rows < self.shape)).all(axis=1)
        for wy, wx in rows[inside].tolist():
            self.cost[wy, wx] = min(255, int(self.cost[wy, wx] * times))
        return int(inside.sum())

    def crosses(self, marked: np.ndarray) -> bool:
        """Return True if the rest of the path crosses a marked tile.

        Only the window counts.

        ``marked`` is bool of the window's shape.
        """
        return bool(marked[self.tiles[:, 0] - self.top, self.tiles[:, 1] - self.left].any())

    def join(
        self, *, beyond: np.ndarray | None = None, limit: int = WHOLE, known: FailureMemory | None = None
    ) -> Joined | None:
        """Return the cheapest join to the path; None if the window has none.

        ``beyond``, bool of the window's shape: join behind the first of these tiles on the path. ``limit`` is the
        largest number of revolutions. :attr:`revolutions` counts those spent; :attr:`cut` says whether some tiles were
        left. A failure in ``known`` is not searched again; :attr:`proven` is the question of a new one, or -1.
        """
        self.revolutions, self.cut, self.proven = 0, False, -1
        if len(self.tiles) == 0 or self.here[0] < 0:
            return None
        rows = self.tiles - (self.top, self.left)
        blocked = self.barred[rows[:, 0], rows[:, 1]]
        if beyond is not None:
            blocked = blocked | beyond[rows[:, 0], rows[:, 1]]
        ahead = np.flatnonzero(blocked[self.projected :]) + self.projected
        first = self.projected
        if len(ahead):
            # Join behind the first obstacle; later ones are handled when they are nearer.
            gap = np.flatnonzero(np.diff(ahead) > 2)
            first = 1 + int(ahead[gap[0]] if len(gap) else ahead[-1])
        usable = (np.arange(len(rows)) >= first) & ~blocked
        if not usable.any():
            return None
        ground = np.where(self.barred, 0, self.passable).astype(np.uint8)
        start = self.here[0] - self.top, self.here[1] - self.left
        question = self._question(ground, start, rows[usable]) if known is not None else -1
        if known is not None and (needed := known.find(question)) >= 0:
            self.cut = limit < needed
            return None
        flood = AStarSearch(*self.shape)
        terrain = Terrain.build(ground, self.cost)
        flood.begin_flood(terrain, self.movement_class, [start])
        self.revolutions = flood.run(terrain, limit)
        self.cut = flood.status == RUNNING
        g = flood.tile_g[rows[:, 0], rows[:, 1]] / COST_UNIT
        reached = (flood.tile_status[rows[:, 0], rows[:, 1]] & CLOSED) > 0
        total = np.where(usable & reached, g + self.rest, np.inf)
        best = int(np.argmin(total))
        if not np.isfinite(total[best]):
            self.proven = -1 if self.cut else question
            return None
        return Joined(self._back(flood, rows[best]), int(self.rows[best]), float(total[best]), flood.revolutions)

    def _question(self, ground: np.ndarray, start: tuple[int, int], usable: np.ndarray) -> int:
        ends = (ground >> self.movement_class) & 1
        ends[usable[:, 0], usable[:, 1]] |= 2
        at = self.top + start[0], self.left + start[1]
        return question_of(self.movement_class, (self.top, self.left), at, ends)

    def _back(self, flood: AStarSearch, end: np.ndarray) -> np.ndarray:
        arrivals = flood.tile_status >> 4
        y, x = (int(v) for v in end)
        tiles = [(y + self.top, x + self.left)]
        while arrivals[y, x] != FROM_START:
            k = int(arrivals[y, x])
            y, x = y - int(MOVE_Y[k]), x - int(MOVE_X[k])
            tiles.append((y + self.top, x + self.left))
        return np.array(tiles[::-1], np.int32)

    def _sample(self, origin: tuple[float, float], to_the_end: bool) -> None:
        """Sample the path: tiles, next waypoints, remaining cost and progress.

        Tiles are int[n, 2]; the progress is the unit's.

        ``to_the_end`` includes the parts where the path re-enters the window.
        """
        points = np.vstack([origin, self.path[:, ::-1] + 0.5])
        lengths = np.hypot(*np.diff(points, axis=0).T)
        after = np.concatenate([np.cumsum(lengths[::-1])[::-1], [0.0]])[1:]
        # Section i of the path is sampled at n[i] points, from its first step to its end.
        n = np.maximum(1, np.ceil(lengths / _STEP)).astype(np.int64)
        piece = np.repeat(np.arange(len(n)), n)
        t = (np.arange(len(piece)) - (np.cumsum(n) - n)[piece] + 1) / n[piece]
        spots = points[piece] + np.diff(points, axis=0)[piece] * t[:, None]
        xs, ys = spots[:, 0], spots[:, 1]
        bottom, right = self.top + self.shape[0], self.left + self.shape[1]
        inside = (xs >= self.left) & (xs < right) & (ys >= self.top) & (ys < bottom)
        if not to_the_end and not inside.all():
            inside &= piece <= piece[np.argmin(inside)]
        spots, self.rows = spots[inside][:, ::-1], piece[inside]
        self.tiles = np.floor(spots).astype(np.int64)
        self.rest = after[self.rows] + lengths[self.rows] * (1.0 - t[inside])
        x, y = self.position
        self.projected = int(np.argmin(np.hypot(spots[:, 1] - x, spots[:, 0] - y))) if len(spots) else 0


TECHNIQUES = (
    {
        "slug": "rejoin-path",
        "name": "Rejoining a path farther along",
        "ids": ("IA.27",),
        "source": "Lydia vs. the Gate: Will she ever learn?",
        "functions": ("ReplanningGrid.join",),
        "test": "tests/ai/paths/replanning/test_rejoin.py",
        "exhibit": "levels/exhibits/paths/ram.toml",
        "overlay": "paths",
        "setting": "paths.rejoin",
        "measure": "walked",
        "direction": "down",
        "claim": "One flood of a window finds the cheapest join; a clear line to a far point is not tried first.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
