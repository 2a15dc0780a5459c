"""Exact searches on uniform-cost grids: canonical A* and jump point search.

Both read a :class:`UniformGround`. No path leaves or enters a blocked tile. Source: "Game AI Pro 2", ch. 14.
"""

from __future__ import annotations

import numpy as np

from ai.search.jps import jps_kernels, uniform_astar_kernels
from ai.search.jps.uniform_astar_kernels import (
    COST,
    NEED_ROOM,
    OUTSIDE,
    OVER_LIMIT,
    REVOLUTIONS,
    STAMPS,
    STOPPED,
    TOO_LONG,
    WORN_OUT,
)
from ai.search.jps.uniform_costs import STRAIGHT
from ai.search.jps.uniform_ground import UniformGround

__all__ = ["JumpPointSearch", "UniformAStar", "UniformGround"]

_NO_LIMIT = 1 << 60


class _UniformSearch:
    """Common parts of both searches: stamped cells, answer vector, checks."""

    def __init__(self, ground: UniformGround) -> None:
        self.ground = ground
        self.height, self.width = ground.moves.shape[0] - 2, ground.moves.shape[1] - 2
        self._cell = np.full(ground.moves.size, ~np.uint64(0))
        self._stamp = 0
        self._out = np.zeros((1024, 2), np.int32)
        self._answer = np.zeros(4, np.int64)

    @property
    def revolutions(self) -> int:
        """Revolutions of the last search."""
        return int(self._answer[REVOLUTIONS])

    @property
    def cost(self) -> float:
        """Length of the last path found, in tiles."""
        return int(self._answer[COST]) / STRAIGHT

    def _check(self, start_y: int, start_x: int, goal_y: int, goal_x: int) -> None:
        for name, y, x in (("start", start_y, start_x), ("goal", goal_y, goal_x)):
            if not (0 <= y < self.height and 0 <= x < self.width):
                raise ValueError(f"{name} (y={y}, x={x}) is outside a map of {self.height} x {self.width}")

    def _next_stamp(self) -> int:
        self._stamp += 1
        if self._stamp >= STAMPS:
            self._cell.fill(~np.uint64(0))
            self._stamp = 1
        return self._stamp


class UniformAStar(_UniformSearch):
    """A* with canonical pruning on a uniform-cost grid.

    It needs no preprocessing and is exact.
    """

    def __init__(self, ground: UniformGround) -> None:
        super().__init__(ground)
        self._stacks = np.zeros((uniform_astar_kernels.STACKS, 4096), np.int64)

    def find(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return the tiles int32[n, 2] (y, x) of a shortest path, or None.

        ValueError for tiles outside the map, OverflowError for paths longer than 154,000 tiles.
        """
        (start_y, start_x), (goal_y, goal_x) = start, goal
        self._check(start_y, start_x, goal_y, goal_x)
        while True:
            count = uniform_astar_kernels.uniform_astar(
                self.ground.moves,
                self._cell,
                self._stacks,
                self._next_stamp(),
                self._out,
                self._answer,
                start_y,
                start_x,
                goal_y,
                goal_x,
            )
            if count == NEED_ROOM:
                self._stacks = np.zeros((uniform_astar_kernels.STACKS, self._stacks.shape[1] * 4), np.int64)
            elif count == len(self._out):
                self._out = np.zeros((2 * len(self._out), 2), np.int32)
            elif count == TOO_LONG:
                raise OverflowError("the path is longer than this search can count: use AStarSearch")
            else:
                return self._out[-count:].copy() if count > 0 else None


class JumpPointSearch:
    """Jump point search on packed rows.

    It needs only the stop bits as preprocessing and is exact. With ``early_stop`` it takes the first path that reaches
    the goal, as the source's bucket list does. That is slightly faster, and not always the shortest path. ``log``
    int64[n, 3] with n > 0 records cell, g and arrival of each expanded node. The search stops when the log is full.
    """

    def __init__(self, ground: UniformGround, early_stop: bool = False) -> None:
        k = jps_kernels
        self.ground = ground
        self.height, self.width = ground.moves.shape[0] - 2, ground.moves.shape[1] - 2
        self.over_limit = False
        self._context = np.zeros(k.CONTEXT_LENGTH, np.int64)
        self._context[k.HEIGHT], self._context[k.STRIDE] = ground.moves.shape
        self._context[k.EARLY] = early_stop
        # The kernel reads arrays by address, so they must live as long as the context.
        self._kept: dict[int, np.ndarray] = {}
        self._cell = self._keep(k.CELL, np.full(ground.moves.size, ~np.uint64(0)))
        self._parent = self._keep(k.PARENT, np.zeros(ground.moves.size, np.int32))
        self._keep(k.HEADS, np.full(k.BUCKETS, -1, np.int32))
        self._keep(k.OCCUPIED, np.zeros(65, np.uint64))
        self._make_room(1 << 14, 1024, 1024)
        self.log = np.zeros((0, 3), np.int64)
        self._follow()

    @property
    def log(self) -> np.ndarray:
        """Record of the expanded nodes."""
        return self._kept[jps_kernels.LOG]

    @log.setter
    def log(self, rows: np.ndarray) -> None:
        self._context[jps_kernels.LOGGED] = len(rows)
        self._keep(jps_kernels.LOG, np.ascontiguousarray(rows, np.int64))

    @property
    def revolutions(self) -> int:
        """Revolutions of the last search.

        One revolution is one expanded node, or 64 scanned cells.
        """
        return int(self._context[jps_kernels.ANSWER + REVOLUTIONS])

    @property
    def expanded(self) -> int:
        """Nodes that the last search expanded, if it was not cut off."""
        return int(self._context[jps_kernels.ANSWER + jps_kernels.EXPANDED])

    @property
    def scanned(self) -> int:
        """Cells that the last search scanned, if it was not cut off."""
        return int(self._context[jps_kernels.ANSWER + jps_kernels.SCANNED])

    @property
    def cost(self) -> float:
        """Length of the last path found, in tiles."""
        return int(self._context[jps_kernels.ANSWER + COST]) / STRAIGHT

    @property
    def _stamp(self) -> int:
        return int(self._context[jps_kernels.STAMP])

    def find_jumps(self, start: tuple[int, int], goal: tuple[int, int], limit: int = _NO_LIMIT) -> np.ndarray | None:
        """Return the jump points ``int32[n, 2]`` (y, x) of a shortest path, or None.

        The result is a view that the next search overwrites. It is also None, with :attr:`over_limit`, when ``limit``
        revolutions were not enough.
        """
        count = self._ask(start, goal, limit, 0)
        return self._out[-count:] if count > 0 else None

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int = _NO_LIMIT) -> np.ndarray | None:
        """Return the tiles int32[n, 2] (y, x) of a shortest path, or None.

        The limit works as in :meth:`find_jumps`. Errors as in :class:`UniformAStar`.
        """
        count = self._ask(start, goal, limit, 1)
        return self._path[:count].copy() if count > 0 else None

    def _ask(self, start: tuple[int, int], goal: tuple[int, int], limit: int, whole: int) -> int:
        if self.ground.moves is not self._moves or self.ground.ground is not self._open:
            self._follow()
        self.over_limit = False
        try:
            count = int(jps_kernels.jump_point_search(self._context, *start, *goal, limit, whole))
        except (OverflowError, ValueError):
            # A coordinate that is not a number counts as outside.
            count = OUTSIDE
        if count >= 0:
            return count
        if count in (OVER_LIMIT, STOPPED):
            self.over_limit = True
            return 0
        if count == NEED_ROOM:
            k = jps_kernels
            self._make_room(*(4 * int(self._context[row]) for row in (k.ROOM, k.POINTS, k.TILES)))
        elif count == WORN_OUT:
            self._cell.fill(~np.uint64(0))
            self._context[jps_kernels.STAMP] = 0
        elif count == TOO_LONG:
            raise OverflowError("the path is longer than this search can count: use AStarSearch")
        else:
            raise ValueError(f"start {start} or goal {goal} (y, x) is outside a map of {self.height} x {self.width}")
        return self._ask(start, goal, limit, whole)

    def _keep(self, row: int, array: np.ndarray) -> np.ndarray:
        self._kept[row] = array
        self._context[row] = array.ctypes.data
        return array

    def _make_room(self, entries: int, points: int, tiles: int) -> None:
        k = jps_kernels
        self._context[k.ROOM], self._context[k.POINTS], self._context[k.TILES] = entries, points, tiles
        self._keep(k.POOL, np.zeros(entries, np.int64))
        self._keep(k.LINKS, np.zeros(entries, np.int32))
        self._out = self._keep(k.OUT, np.zeros((points, 2), np.int32))
        self._path = self._keep(k.PATH, np.zeros((tiles, 2), np.int32))

    def _follow(self) -> None:
        """Read the current arrays of the ground; restoring a saved ground creates new ones."""
        k, ground = jps_kernels, self.ground
        self._open, self._moves = ground.ground, ground.moves
        for row, array in (
            (k.GROUND, ground.ground),
            (k.MOVES, ground.moves),
            (k.EAST, ground.east),
            (k.WEST, ground.west),
            (k.SOUTH, ground.south),
            (k.NORTH, ground.north),
        ):
            if not array.flags.c_contiguous:
                raise ValueError("the arrays of the ground must be C-contiguous")
            self._keep(row, array)


TECHNIQUES = (
    {
        "slug": "jps",
        "name": "Jump point search",
        "ids": ("GP2-14.8",),
        "source": "Game AI Pro 2, ch. 14",
        "functions": ("JumpPointSearch.find",),
        "test": "tests/ai/search/jps/test_jps.py",
        "exhibit": "levels/exhibits/search/jumps.toml",
        "overlay": "expanded",
        "setting": "paths.engine",
        "parts": ("GP2-14.1", "GP2-14.2", "GP2-15.1"),
        "measure": "revolutions",
        "direction": "down",
        "claim": "As told, with buckets for the open list.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
