"""JPS+ with and without goal bounding, for maps that do not change.

It is the fastest exact grid search here. Tables of jump distances take milliseconds. Goal bounds take a Dijkstra from
every open cell. So they serve only levels marked static, are saved with the map's digest, and are dropped at the first
edit. Sources as in :mod:`ai.search.jps.jps_plus_kernels`.
"""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np

from ai.search.jps import goal_bounds_kernels as tables
from ai.search.jps import jps_plus_kernels as kernels
from ai.search.jps.jps import UniformGround
from ai.search.jps.jps_kernels import join_jumps
from ai.search.jps.jump_tables import JumpTables
from ai.search.jps.uniform_astar_kernels import COST, REVOLUTIONS, STOPPED, TOO_LONG
from ai.search.jps.uniform_costs import STRAIGHT

_STALE = "the ground was edited since these tables were made, or they are not packed yet"
_TOO_LONG = "the path is longer than this search can count: use AStarSearch"

Progress = Callable[[int, int], None]


def _narrowed(tiles: np.ndarray) -> np.ndarray:
    """Return the tiles as int32.

    Values beyond int32 stay off the map and do not wrap to a tile.
    """
    if tiles.dtype != np.int32:
        tiles = np.clip(tiles, -1, np.iinfo(np.int32).max)
    return np.ascontiguousarray(tiles, np.int32)


def jump_tables(ground: UniformGround) -> np.ndarray:
    """Return jump and wall distances int16[cells, 8] of the bordered map.

    Cell = (y + 1) * (width + 2) + x + 1. This is one call; :class:`ai.search.jps.jump_tables.JumpTables` builds and
    repairs the tables in slices.
    """
    return JumpTables.build(ground).jumps


class UnfinishedGoalBounds:
    """Goal bounds under construction, some cells per slice.

    Each open cell needs a Dijkstra search. ``bounds`` uint64[cells, 8], 64 bytes per cell, are finished when ``done``
    equals ``total``.
    """

    def __init__(self, ground: UniformGround) -> None:
        size = ground.moves.size
        threads = numba.get_num_threads()
        self._ground = ground
        self._revision = ground.revision
        self._sources = np.flatnonzero(ground.ground.ravel()).astype(np.int64)
        self._cells = np.full((threads, size), ~np.uint64(0))
        self._queues = np.zeros((threads, 4, size), np.int64)
        self._stamps = np.full(threads, 65535, np.int64)
        self.bounds = np.full((size, 8), tables.EMPTY_BOUND, np.uint64)
        self.done, self.total = 0, len(self._sources)

    def advance(self, sources: int) -> int:
        """Process at most ``sources`` further open cells; return the number processed.

        ValueError when the ground was edited meanwhile.
        """
        if self._ground.revision != self._revision:
            raise ValueError("the ground was edited while its goal bounds were being made")
        some = self._sources[self.done : self.done + sources]
        if len(some):
            tables.goal_bounds(self._ground.moves, some, self.bounds, self._cells, self._queues, self._stamps)
            self.done += len(some)
        return len(some)


def goal_bound_table(ground: UniformGround, progress: Progress | None = None) -> np.ndarray:
    """Return goal bounds uint64[cells, 8], computed in one call.

    ``progress(done, total)`` is called every 4,096 sources.
    """
    made = UnfinishedGoalBounds(ground)
    while made.advance(4096):
        if progress is not None:
            progress(made.done, made.total)
    return made.bounds


class JPSPlus:
    """Searches on jump tables, and on goal bounds when they are given.

    A search reads the tables packed, one row per cell. They describe the ground at the time of building. :meth:`find`
    refuses (ValueError) once the ground has been edited, and until all rows are packed (:attr:`ready`). With ``packed``
    false, :meth:`pack` packs them later.
    """

    def __init__(
        self, ground: UniformGround, jumps: np.ndarray, bounds: np.ndarray | None = None, packed: bool = True
    ) -> None:
        size = ground.moves.size
        if jumps.shape != (size, 8) or (bounds is not None and bounds.shape != (size, 8)):
            raise ValueError(f"tables must be [{size}, 8], got {jumps.shape}")
        if max(ground.moves.shape) > tables.FAR:
            raise ValueError(f"a map of {ground.moves.shape} is too large for goal bounds")
        self._ground = ground
        self._revision = ground.revision
        self.height, self.width = ground.moves.shape[0] - 2, ground.moves.shape[1] - 2
        k = kernels
        spare = np.zeros(size * k.WORDS + k.WORDS, np.uint64)
        # A row is a cache line, so it must start at a cache line.
        first = -spare.ctypes.data // spare.itemsize % k.WORDS
        self._rows = spare[first : first + size * k.WORDS].reshape(size, k.WORDS)
        # The kernel reads these by address, so they must live as long as the context.
        self._kept: dict[int, np.ndarray] = {
            k.ROWS: self._rows,
            k.HEAP: np.zeros((8 * size, 2), np.int64),
            k.EQUALS: np.zeros(8 * size, np.int64),
            k.OUT: np.zeros((size, 2), np.int32),
            k.LOG: np.zeros((1, 3), np.int64),
        }
        self._context = np.zeros(k.CONTEXT_LENGTH, np.int64)
        self._context[k.SIZE], self._context[k.STRIDE] = size, self.width + 2
        scales = k.scale_of(self.height + 2), k.scale_of(self.width + 2)
        self._context[k.SCALE_Y], self._context[k.SCALE_X] = scales
        for row, array in self._kept.items():
            self._context[row] = array.ctypes.data
        self._out = self._kept[k.OUT]
        self._points = np.empty((0, 2), np.int32)
        self._scales = scales
        self._bounds, self._jumps = bounds, jumps
        self.packed, self.ready = 0, False
        if packed:
            self.pack(size)

    def pack_again(self, jumps: np.ndarray) -> None:
        """Start packing repaired tables; goal bounds are dropped."""
        if jumps.shape != (len(self._rows), 8):
            raise ValueError(f"tables must be [{len(self._rows)}, 8], got {jumps.shape}")
        self._bounds, self._jumps = None, jumps
        self._revision = self._ground.revision
        self.packed, self.ready = 0, False

    def pack(self, cells: int) -> int:
        """Pack the rows of at most ``cells`` further cells; return the number.

        ValueError when the ground was edited.
        """
        if self._ground.revision != self._revision:
            raise ValueError("the ground was edited since these tables were made")
        end = min(self.packed + cells, len(self._rows))
        boxes = np.zeros((1, 8), np.uint64) if self._bounds is None else self._bounds
        bounded = self._bounds is not None
        kernels.write_rows(self._ground.moves, self._jumps, boxes, bounded, *self._scales, self._rows, self.packed, end)
        done, self.packed = end - self.packed, end
        self.ready = end == len(self._rows)
        return done

    def note(self, log: np.ndarray) -> None:
        """Record the nodes that later searches expand.

        ``log`` int64[n, 3] gets cell, g and arrival of each. A search stops when the log is full; a log without rows
        stops nothing.
        """
        self._context[kernels.NOTED] = len(log)
        self._kept[kernels.LOG] = log
        self._context[kernels.LOG] = log.ctypes.data

    @property
    def cost(self) -> float:
        """Length of the last path found, in tiles."""
        return int(self._context[kernels.ANSWER + COST]) / STRAIGHT

    @property
    def revolutions(self) -> int:
        """Nodes the last search expanded."""
        return int(self._context[kernels.ANSWER + REVOLUTIONS])

    def find_jumps(self, start_y: int, start_x: int, goal_y: int, goal_x: int) -> np.ndarray | None:
        """Return the jump points ``int32[n, 2]`` (y, x) of a shortest path, or None.

        The goal comes first. The result is a view that the next search overwrites: this call serves requests by the
        thousand.
        """
        if self._ground.revision != self._revision or not self.ready:
            raise ValueError(_STALE)
        try:
            count = kernels.find_one(self._context, start_y, start_x, goal_y, goal_x)
        except (OverflowError, ValueError):
            # A coordinate that is not a number counts as outside.
            count = kernels.OUTSIDE
        if count > 0:
            return self._out[:count]
        if count in (0, STOPPED):
            return None
        if count == kernels.WORN_OUT:
            self._restart_stamps()
            return self.find_jumps(start_y, start_x, goal_y, goal_x)
        if count == TOO_LONG:
            raise OverflowError(_TOO_LONG)
        raise ValueError(
            f"({start_y}, {start_x}) or ({goal_y}, {goal_x}) is outside a map of {self.height} x {self.width}"
        )

    def find(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return all tiles int32[n, 2] (y, x) of a shortest path, or None.

        The start comes first.
        """
        jumps = self.find_jumps(*start, *goal)
        if jumps is None:
            return None
        forward = np.ascontiguousarray(jumps[::-1])
        tiles = np.zeros((int(self._context[kernels.ANSWER + COST]) // STRAIGHT + 2, 2), np.int32)
        return tiles[: join_jumps(forward, 0, len(forward), tiles)]

    def find_batch(self, starts: np.ndarray, goals: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Run many searches in one call.

        Returns jump points int32[m, 2], offsets int64[n + 1] and costs float64[n] in tiles. Path r is
        points[offsets[r]:offsets[r + 1]], goal first. Without a path it is empty and costs -1. The points are a view
        that the next batch overwrites.
        """
        first, last = _narrowed(starts), _narrowed(goals)
        if first.ndim != 2 or first.shape[1] != 2 or first.shape != last.shape:
            raise ValueError(f"starts and goals must be [n, 2], got {first.shape} and {last.shape}")
        if self._ground.revision != self._revision or not self.ready:
            raise ValueError(_STALE)
        offsets = np.zeros(len(first) + 1, np.int64)
        costs = np.zeros(len(first))
        while True:
            done = kernels.find_batch(self._context, first, last, self._points, offsets, costs)
            if done == len(first):
                return self._points[: offsets[-1]], offsets, costs
            if done == TOO_LONG:
                raise OverflowError(_TOO_LONG)
            if done == kernels.OUTSIDE:
                raise ValueError(f"a request lies outside a map of {self.height} x {self.width}")
            if done == kernels.WORN_OUT:
                self._restart_stamps()
            else:
                room = max(self._ground.moves.size + 64 * len(first), 2 * len(self._points))
                self._points = np.empty((room, 2), np.int32)

    def _restart_stamps(self) -> None:
        self._rows[:, kernels.REACHED] = ~np.uint64(0)
        self._context[kernels.STAMP] = 0


TECHNIQUES = (
    {
        "slug": "jps-plus",
        "name": "JPS+ with goal bounding",
        "ids": ("GP2-14.5",),
        "source": "Game AI Pro 2, ch. 14",
        "functions": ("jump_tables", "JPSPlus.find"),
        "test": "tests/ai/search/jps/test_jps_plus.py",
        "exhibit": "levels/exhibits/search/jump_tables.toml",
        "overlay": "jps_tables",
        "setting": "paths.engine",
        "parts": ("GP2-14.3", "GP2-14.4", "GP2-14.6", "GP2-14.7"),
        "measure": "revolutions",
        "direction": "down",
        "claim": "As told; tables are repaired after an edit, and bounds are dropped.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
