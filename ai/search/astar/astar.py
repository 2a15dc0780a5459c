"""Resumable A*: exact over terrain costs, paused and continued at any revolution.

A search lives for several ticks. It runs for a number of revolutions (expanded nodes), pauses, and continues next tick.
The result is the same as without the pause. A tile is examined once per search and keeps that status and cost until the
search ends. So a door that moves meanwhile cannot break the tree; the unit that follows the path discovers the change.

Sources: "AI Game Programming Wisdom", 3.1, 3.3 (frozen tiles), 3.4, 3.5; "Journal of Game Development" 1 (octile grid).
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from ai.core.serialization import record
from ai.grid.movement_classes import class_bit
from ai.grid.moves import COST_UNIT, MAX_SIDE
from ai.grid.terrain import Terrain
from ai.search.astar import astar_kernels as kernels
from ai.search.astar.astar_kernels import BLOCKED, CLOSED, FAILED, FOUND, OPEN, PASSABLE, RUNNING
from ai.search.canonical import FROM_START

__all__ = ["BLOCKED", "CLOSED", "FAILED", "FOUND", "IDLE", "OPEN", "PASSABLE", "RUNNING", "AStarSearch"]

IDLE = -1
"""Status of a search that was never started."""

NO_CAP = 1 << 60
_FIRST_ENTRIES = 4096
_FIRST_TILES = 256


@record
class AStarSearch:
    """Search slab for maps of ``height`` x ``width`` tiles, reusable without limit.

    ``status`` is IDLE, RUNNING, FOUND or FAILED. ``capped`` means that it FAILED because of its cap, not because no
    path exists. The dirty rectangle and the open list are saved.
    """

    height: int
    width: int

    def __post_init__(self) -> None:
        if not (1 <= self.height <= MAX_SIDE and 1 <= self.width <= MAX_SIDE):
            raise ValueError(f"a search slab must be 1..{MAX_SIDE} tiles a side, got {self.height} x {self.width}")
        self.status = IDLE
        self.capped = False
        self.bound = kernels.UNREACHED
        self.cap = NO_CAP
        self.start = (0, 0)
        self.goal = (0, 0)
        self.flood = False
        self.movement_class = 0
        self.terrain_revision = 0
        self._stride = self.width + 2
        size = (self.height + 2) * self._stride
        # Rows are read four tiles at a time, so a few spare tiles follow the last row.
        self._looks = np.zeros(size + 4, np.uint16)
        self._marks = np.zeros(size, np.uint8)
        self._g = np.zeros(size, np.int64)
        self._heads = np.full(kernels.BUCKETS, -1, np.int32)
        self._occupied = np.zeros(kernels.BUCKETS // 64, np.uint64)
        self._pool = np.zeros((_FIRST_ENTRIES, 2), np.int32)
        self._out = np.zeros((_FIRST_TILES, 2), np.int32)
        # The kernels read arrays by address: code that replaces an array must update its address.
        k = kernels
        self._context = np.zeros(k.CONTEXT_LENGTH, np.int64)
        self._state = self._context[: k.STATE_LENGTH]
        self._context[k.HEIGHT], self._context[k.STRIDE] = self.height + 2, self._stride
        for row, array in (
            (k.LOOKS, self._looks),
            (k.MARKS, self._marks),
            (k.G, self._g),
            (k.HEADS, self._heads),
            (k.OCCUPIED, self._occupied),
        ):
            self._context[row] = array.ctypes.data
        self._note_room()
        self._passable = self._cost = np.zeros((0, 0), np.uint8)
        border = self._grid(self._looks)
        border[0] = border[-1] = border[:, 0] = border[:, -1] = BLOCKED

    def take_memory(self) -> None:
        """Touch all memory that a search may write.

        The system assigns memory at the first write, at up to a millisecond per megabyte. That is better paid while a
        level loads than during a search. Only for a slab that was never used.
        """
        self._g.fill(0)
        self._marks.fill(0)
        self._grid(self._looks)[1:-1, 1:-1] = 0

    def begin(
        self,
        terrain: Terrain,
        movement_class: int,
        start: tuple[int, int],
        goal: tuple[int, int],
        cap: int | None = None,
        ceiling: float = 0.0,
    ) -> None:
        """Set up a search from ``start`` (y, x) to ``goal``.

        ``cap`` limits its revolutions over all calls. ``ceiling`` above 0 is the highest cost of a useful path, in
        tiles
        of ordinary ground. A node whose estimate lies above it is never made: the estimate is never too high, so no
        useful path leads through it. The search has FAILED when no node is left; :meth:`path` is then the best partial
        path.

        The start counts as passable in any case: a door may have shut on a unit. A blocked goal is searched for until
        every reachable tile is closed, so check the components first. ValueError when a tile lies outside or the
        terrain has another shape.
        """
        bit = class_bit(movement_class)
        if terrain.passable is not self._passable or terrain.cost is not self._cost:
            self._follow(terrain)
        (start_y, start_x), (goal_y, goal_x) = start, goal
        # A coordinate that is not a number counts as outside, so this test comes before the conversion to integers.
        if not (0 <= start_y < self.height and 0 <= start_x < self.width):
            raise ValueError(f"start (y={start_y}, x={start_x}) is outside a terrain of {self.height} x {self.width}")
        if not (0 <= goal_y < self.height and 0 <= goal_x < self.width):
            raise ValueError(f"goal (y={goal_y}, x={goal_x}) is outside a terrain of {self.height} x {self.width}")
        if cap is not None and cap < 0:
            raise ValueError(f"cap must not be negative, got {cap}")
        self.start = start_y, start_x = int(start_y), int(start_x)
        self.goal = goal_y, goal_x = int(goal_y), int(goal_x)
        self._question(terrain, movement_class, False, NO_CAP if cap is None else int(cap))
        self.status = kernels.begin(self._context, start_y, start_x, goal_y, goal_x, terrain.lowest_cost, bit)
        if ceiling > 0.0 and self.status == RUNNING:
            self._state[kernels.BEST] = self.bound = min(self.bound, int(ceiling * COST_UNIT) + 1)

    def begin_flood(self, terrain: Terrain, movement_class: int, sources: Any) -> None:
        """Set up a Dijkstra flood from ``sources``, without a goal.

        Sources are int[n, 2] (y, x).

        It is FOUND when every reachable tile is closed. :attr:`tile_g` and :attr:`tile_status` are the answer. Blocked
        sources are left out. ValueError when there is none, or one lies outside.
        """
        k = kernels
        bit = class_bit(movement_class)
        self._follow(terrain)
        tiles = np.asarray(sources, np.int64).reshape(-1, 2)
        if len(tiles) == 0 or tiles.min() < 0 or np.any(tiles >= (self.height, self.width)):
            raise ValueError(f"sources must be tiles inside a terrain of {self.height} x {self.width}")
        self.start = self.goal = (int(tiles[0, 0]), int(tiles[0, 1]))
        self._question(terrain, movement_class, True, NO_CAP)
        k.begin(self._context, -1, -1, -1, -1, terrain.lowest_cost, bit)
        state = self._state
        state[k.TOP_Y], state[k.LEFT_X] = tiles.min(axis=0)
        state[k.BOTTOM_Y], state[k.RIGHT_X] = tiles.max(axis=0) + 1
        used = 0
        apart = np.unique(tiles, axis=0) if len(tiles) > 1 else tiles
        for y, x in apart.tolist():
            if not terrain.passable[y, x] & bit:
                continue
            at = (y + 1) * self._stride + x + 1
            self._looks[at] = PASSABLE | max(int(terrain.cost[y, x]), terrain.lowest_cost) << 8
            self._marks[at] = OPEN | FROM_START << 4
            self._g[at] = 0
            if used >= len(self._pool):
                self._more_entries()
            self._pool[used] = ((y + 1) << 16 | (x + 1), used - 1)
            used += 1
        if used:
            self._heads[0] = used - 1
            self._occupied[0] = 1
        state[k.USED_ENTRIES] = state[k.LIVE_ENTRIES] = used
        state[k.TRACE] = zlib.crc32(apart.tobytes())
        self.status = RUNNING

    def _question(self, terrain: Terrain, movement_class: int, flood: bool, cap: int) -> None:
        self.flood = flood
        self.cap = cap
        self.bound = kernels.UNREACHED
        self.capped = False
        self.movement_class = int(movement_class)
        self.terrain_revision = terrain.revision

    def _follow(self, terrain: Terrain) -> None:
        """Read the arrays of this terrain from now on.

        ValueError when it has another shape.
        """
        passable, cost = terrain.passable, terrain.cost
        for array in (passable, cost):
            if array.shape != (self.height, self.width):
                raise ValueError(
                    f"the slab is {self.height} x {self.width}, the terrain is {terrain.height} x {terrain.width}"
                )
            if array.dtype != np.uint8 or not array.flags.c_contiguous:
                raise ValueError("the arrays of the terrain must be uint8 and C-contiguous")
        self._passable, self._cost = passable, cost
        self._context[kernels.GROUND] = passable.ctypes.data
        self._context[kernels.COST] = cost.ctypes.data

    def _more_entries(self) -> None:
        self._pool = np.concatenate((self._pool, np.zeros_like(self._pool)))
        self._note_room()

    def _note_room(self) -> None:
        k = kernels
        self._rows = len(self._out)
        self._context[k.ROOM], self._context[k.ROWS] = len(self._pool), self._rows
        self._context[k.POOL], self._context[k.OUT] = self._pool.ctypes.data, self._out.ctypes.data

    def run(self, terrain: Terrain, revolutions: int) -> int:
        """Continue for at most ``revolutions``; return the number used.

        Does nothing once the search has ended.
        """
        if self.status != RUNNING:
            return 0
        if terrain.passable is not self._passable or terrain.cost is not self._cost:
            self._follow(terrain)
        before = self.revolutions
        limit = min(before + max(int(revolutions), 0), self.cap)
        while True:
            result = kernels.run(self._context, limit)
            if result != kernels.NEED_ENTRIES:
                break
            self._more_entries()
        self.status = FOUND if self.flood and result == FAILED else int(result)
        if self.status == FOUND and not self.flood and not self.goal_seen:
            self.status = FAILED
        if result == RUNNING and self.revolutions >= self.cap:
            self.status = FAILED
            self.capped = True
        return self.revolutions - before

    @property
    def revolutions(self) -> int:
        """Nodes expanded since :meth:`begin`."""
        return int(self._state[kernels.REVOLUTIONS])

    @property
    def trace(self) -> int:
        """Return the running digest of the nodes expanded since :meth:`begin`.

        Equal searches have equal digests, for any division into slices.
        """
        return int(self._state[kernels.TRACE])

    @property
    def reopened(self) -> int:
        """Number of closed nodes that were re-opened by a cheaper path."""
        return int(self._state[kernels.REOPENED])

    @property
    def goal_seen(self) -> bool:
        """Return True if a path to the goal is known, not always the best."""
        return int(self._state[kernels.BEST]) < self.bound

    @property
    def cost(self) -> float:
        """Cost of :meth:`path` in tiles of ordinary ground.

        It is infinite for an IDLE search.
        """
        if self.status == IDLE:
            return float("inf")
        if self.status == FOUND:
            return int(self._state[kernels.BEST]) / COST_UNIT
        return int(self._g[self._end()]) / COST_UNIT

    def path(self) -> np.ndarray:
        """Return the path tiles int32[n, 2] as (y, x), start first.

        Unless FOUND, this is the best partial path. It leads to the closed node nearest to the goal by the heuristic;
        ties go to the lower cost, then to the lower index.
        """
        if self.status == IDLE:
            raise ValueError("the search was never begun")
        if self.flood:
            raise ValueError("a flood has no path: follow its moves from any tile")
        end = self._end()
        count = kernels.trace_back(self._context, end)
        if count > self._rows:
            self._out = np.zeros((2 * count, 2), np.int32)
            self._note_room()
            kernels.trace_back(self._context, end)
        return self._out[-count:].copy()

    @property
    def tile_status(self) -> np.ndarray:
        """Status bytes uint8[height, width] for overlays.

        The low half holds the flags, the high half the arrival move.
        """
        looks = self._grid(self._looks)[1:-1, 1:-1] & (PASSABLE | BLOCKED)
        return looks.astype(np.uint8) | self._grid(self._marks)[1:-1, 1:-1]

    @property
    def dirty_status(self) -> np.ndarray:
        """Copy of :attr:`tile_status` for the dirty rectangle only.

        Its cost grows with the rectangle.
        """
        slab = self._slab()
        looks = self._grid(self._looks)[slab] & (PASSABLE | BLOCKED)
        return looks.astype(np.uint8) | self._grid(self._marks)[slab]

    @property
    def tile_g(self) -> np.ndarray:
        """Cost so far, int64[height, width] in units of ``ai.grid.moves.COST_UNIT``.

        It is valid where a tile is open or closed.
        """
        return self._grid(self._g)[1:-1, 1:-1]

    @property
    def slab_arrays(self) -> tuple[np.ndarray, np.ndarray, int]:
        """Arrays of a search that kernels read, and their stride.

        They are marks uint8 and g int64, flat with a border of one tile.
        """
        return self._marks, self._g, self._stride

    @property
    def dirty_rectangle(self) -> tuple[int, int, int, int]:
        """Rectangle (y0, x0, y1, x1) of the tiles examined by this search.

        The upper ends are excluded.
        """
        k = kernels
        y0, x0, y1, x1 = (int(self._state[r]) for r in (k.TOP_Y, k.LEFT_X, k.BOTTOM_Y, k.RIGHT_X))
        return y0, x0, y1, x1

    def open_tiles(self) -> np.ndarray:
        """Tiles on the open list, int32[n, 2] as (y, x), bucket by bucket.

        For overlays and tests.
        """
        rows = []
        for bucket in range(kernels.BUCKETS):
            entry = int(self._heads[bucket])
            while entry >= 0:
                packed, entry = (int(v) for v in self._pool[entry])
                if self._marks[(packed >> 16) * self._stride + (packed & 0xFFFF)] & OPEN:
                    rows.append(((packed >> 16) - 1, (packed & 0xFFFF) - 1))
        return np.array(list(dict.fromkeys(rows)), np.int32).reshape(-1, 2)

    def _end(self) -> int:
        if self.status == FOUND:
            return (self.goal[0] + 1) * self._stride + self.goal[1] + 1
        return int(self._state[kernels.NEAR_AT])

    def _grid(self, flat: np.ndarray) -> np.ndarray:
        """Return a flat tile array as [height + 2, width + 2], border included."""
        return flat[: (self.height + 2) * self._stride].reshape(self.height + 2, self._stride)

    def _slab(self) -> tuple[slice, slice]:
        y0, x0, y1, x1 = self.dirty_rectangle
        return slice(y0 + 1, y1 + 1), slice(x0 + 1, x1 + 1)

    def __digest__(self) -> tuple:
        """Return the hashed values: the request and the digest of the expanded nodes."""
        k = kernels
        rows = tuple(int(self._state[r]) for r in (k.REVOLUTIONS, k.TRACE, k.BEST, k.NEAR_AT))
        question = (
            self.height,
            self.width,
            self.start,
            self.goal,
            self.movement_class,
            self.cap,
            self.terrain_revision,
        )
        return (*question, self.status, self.capped, self.flood, *rows)

    def __pack__(self) -> dict[str, Any]:
        slab = self._slab()
        marks = self._grid(self._marks)[slab]
        # Where nothing is open or closed, g is left over from an earlier search, so it is excluded.
        g = np.where(marks & (OPEN | CLOSED), self._grid(self._g)[slab], 0)
        return {
            "shape": (self.height, self.width),
            "of": (self.start, self.goal, self.movement_class, self.cap, self.terrain_revision),
            "ended": (self.status, self.capped, self.flood, self.bound),
            "looks": self._grid(self._looks)[slab],
            "marks": marks,
            "g": g,
            "heads": self._heads,
            "occupied": self._occupied,
            "entries": self._pool[: int(self._state[kernels.USED_ENTRIES])],
            "state": self._state,
        }

    @classmethod
    def __unpack__(cls, tree: dict[str, Any]) -> AStarSearch:
        made = cls(*tree["shape"])
        made.start, made.goal, made.movement_class, made.cap, made.terrain_revision = tree["of"]
        made.status, made.capped, made.flood, made.bound = tree["ended"]
        made._state[:] = tree["state"]
        made._heads[:] = tree["heads"]
        made._occupied[:] = tree["occupied"]
        entries = tree["entries"]
        while len(made._pool) < len(entries) + 16:
            made._more_entries()
        made._pool[: len(entries)] = entries
        slab = made._slab()
        made._grid(made._looks)[slab] = tree["looks"]
        made._grid(made._marks)[slab] = tree["marks"]
        made._grid(made._g)[slab] = tree["g"]
        return made


TECHNIQUES = (
    {
        "slug": "astar",
        "name": "Resumable A*",
        "ids": ("AW-3.1-1", "AW-3.4-1", "JOGD-1.1"),
        "source": "AI Game Programming Wisdom, 3.1 and 3.4",
        "functions": ("AStarSearch.begin", "AStarSearch.run"),
        "test": "tests/ai/search/astar/test_astar.py",
        "exhibit": "levels/exhibits/search/astar_explorer.toml",
        "overlay": "expanded",
        "setting": "paths.engine",
        "parts": ("AW-3.4-2", "AW-3.4-3", "AW-3.4-7", "AW-3.5-2"),
        "reason": "The exhibit is that of another technique.",
        "claim": (
            "A re-parented node goes back to the open list, in place of pushing costs down the tree. Diagonal steps "
            "cost the root of 2 and need both sides free; one source says 1.42 and one side."
        ),
    },
    {
        "slug": "partial-paths",
        "name": "Partial paths",
        "ids": ("AW-3.5-4",),
        "source": "AI Game Programming Wisdom, 3.5",
        "functions": ("AStarSearch.path",),
        "test": "tests/ai/search/astar/test_astar.py",
        "exhibit": "levels/exhibits/search/astar_explorer.toml",
        "overlay": "flood",
        "setting": "paths.give_up",
        "reason": "The exhibit is that of another technique.",
        "claim": (
            "The nearest tile by estimate ends the fragment; the version by smallest total is left out. With the "
            "shipped limit of 2,000,000 revolutions few full searches end so."
        ),
    },
    {
        "slug": "cost-ceiling",
        "name": "Cost ceiling",
        "ids": ("AW-3.5-3",),
        "source": "AI Game Programming Wisdom, 3.5",
        "functions": ("AStarSearch.begin", "AStarSearch.run"),
        "test": "tests/ai/search/astar/test_cost_ceiling.py",
        "exhibit": "levels/exhibits/search/dead_end.ceiling.toml",
        "overlay": "expanded",
        "setting": "paths.cost_ceiling",
        "measure": "revolutions",
        "direction": "down",
        "claim": (
            "Off in the shipped game. Above the ceiling the unit walks the best partial path; the source returns no "
            "path."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
