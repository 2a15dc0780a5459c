"""Modular A*: one pooled engine with replaceable storage, goal and modifier.

Paths, floods, "the nearest of these", forests and rooms, storms and boats run the same loop over any 2D array. The
storage, the goal and an optional modifier are chosen for the task. A task can pause after any number of revolutions,
and the memory is the same for every use. The game's own searches are specialised kernels. This one serves units that
are forced to it with a cost modifier of their own (:mod:`ai.paths.engines.machine_engine`), and labels connected woods
and waters.

Sources: "AI Game Programming Wisdom", 3.2 (Dan Higgins), 3.4 (cheap list).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ai.grid.moves import COST_UNIT
from ai.search.modular_astar import modular_astar_kernels as kernels


class Storage(IntEnum):
    """Container of the open nodes."""

    HEAP = kernels.HEAP
    CHEAP_LIST = kernels.CHEAP
    SORTED_LIST = kernels.SORTED
    FIFO = kernels.FIFO


class Ties(IntEnum):
    """Tie-breaking order of two nodes of equal f.

    The first is the node farther from the start, or the nearer one.
    """

    LARGER_G = kernels.LARGER_G
    SMALLER_G = kernels.SMALLER_G


@dataclass(frozen=True)
class Modifier:
    """Change of tile costs or of open tiles.

    Create it with a class method.
    """

    kind: int = kernels.UNCHANGED
    field: np.ndarray | None = None
    strength: int = 0
    circle: tuple[int, int, int] = (0, 0, 0)

    @classmethod
    def avoid(cls, field: np.ndarray, strength: int = 8) -> Modifier:
        """Add to tile costs by a field.

        Each unit of ``field`` uint8[height, width] adds ``strength`` eighths of the cost.
        """
        return cls(kernels.AVOID, np.ascontiguousarray(field, np.uint8), int(strength))

    @classmethod
    def only(cls, field: np.ndarray) -> Modifier:
        """Open only the tiles where ``field`` is not zero."""
        return cls(kernels.ONLY, np.ascontiguousarray(field, np.uint8))

    @classmethod
    def storm(cls, y: int, x: int, radius: int, strength: int = 4) -> Modifier:
        """Multiply the cost of tiles whose centres lie in a circle by ``strength``."""
        return cls(kernels.STORM, None, int(strength), (int(y), int(x), int(radius)))


class ModularAstar:
    """A modular A* for maps of one shape.

    ``status`` is RUNNING, FOUND or FAILED of :mod:`ai.search.modular_astar.modular_astar_kernels`.
    """

    def __init__(self, height: int, width: int) -> None:
        if height < 1 or width < 1:
            raise ValueError(f"a modular A* needs a map of at least one tile, got {height} x {width}")
        self.shape = (int(height), int(width))
        size = self.shape[0] * self.shape[1]
        self._status = np.zeros(size, np.uint8)
        self._g = np.zeros(size, np.int64)
        self._parent = np.zeros(size, np.int32)
        self._closed = np.zeros(size, np.int32)
        self._entries = np.zeros((1024, 3), np.int64)
        self._state = np.zeros(kernels.STATE_LENGTH, np.int64)
        self._nothing = np.zeros(self.shape, np.uint8)
        self._map = self._field = self._flagged = self._nothing
        self._cap = 0
        self.status = kernels.FAILED

    def begin(
        self,
        ground: np.ndarray,
        start: tuple[int, int],
        goal: tuple[int, int] | np.ndarray | None = None,
        storage: Storage = Storage.HEAP,
        modifier: Modifier | None = None,
        ties: Ties = Ties.LARGER_G,
        cap: int = 1 << 60,
        lowest: int = 0,
    ) -> None:
        """Set up a task on a map of costs.

        The map is uint8[height, width]: 0 is closed, else a cost in eighths. ``goal`` is a tile (y, x), an array
        bool[height, width] of which the nearest true tile is searched, or None. None is a flood. It ends as FAILED when
        every reachable tile is closed, and the closed tiles are its answer. The task is given up after ``cap``
        revolutions. ``lowest`` above 0 is the cost that the estimate takes for every tile, in eighths; by default it is
        the lowest of the map, which is exact. ValueError for shapes that do not fit and tiles outside.
        """
        change = modifier or Modifier()
        self._map = self._fitting("ground", ground)
        self._field = self._nothing if change.field is None else self._fitting("the modifier's field", change.field)
        k, state = kernels, self._state
        state[:] = 0
        self._flagged = self._nothing
        state[k.GOAL] = k.NEVER
        if isinstance(goal, np.ndarray) and goal.ndim == 2:
            self._flagged = self._fitting("goal", goal)
            state[k.GOAL] = k.FLAGGED
        elif goal is not None:
            state[k.GOAL], state[k.GOAL_TILE] = k.TILE, self._inside("goal", (goal[0], goal[1]))
        first = self._inside("start", start)
        state[k.STORAGE], state[k.TIES], state[k.MODIFIER] = storage, ties, change.kind
        state[k.STRENGTH] = change.strength
        state[k.CENTRE_Y], state[k.CENTRE_X], state[k.RADIUS] = change.circle
        opened = self._map[self._map > 0]
        state[k.LOWEST] = int(lowest) if lowest > 0 else int(opened.min()) if opened.size else 1
        state[k.ANSWER] = -1
        self._status[:] = k.CLEAR
        self._cap = int(cap)
        closed_there = self._map.reshape(-1)[first] == 0
        if change.kind == k.ONLY:
            closed_there |= self._field.reshape(-1)[first] == 0
        self.status = k.FAILED if closed_there else k.RUNNING
        if closed_there:
            return
        self._status[first], self._g[first], self._parent[first] = k.OPEN, 0, first
        self._entries[0] = (0, 0, first)
        state[k.LAST], state[k.CHEAP_COUNT] = (k.CHEAP_LENGTH, 1) if storage == Storage.CHEAP_LIST else (1, 0)

    def run(self, revolutions: int) -> int:
        """Continue for at most ``revolutions``; return the number used.

        Does nothing once the task has ended.
        """
        if self.status != kernels.RUNNING:
            return 0
        before = self.revolutions
        limit = min(before + max(int(revolutions), 0), self._cap)
        while True:
            result = kernels.run_modular_astar(
                self._map,
                self._field,
                self._flagged,
                self._state,
                self._entries,
                self._status,
                self._g,
                self._parent,
                self._closed,
                limit,
            )
            if result != kernels.NEED_ROOM:
                break
            self._entries = np.concatenate((self._entries, np.zeros_like(self._entries)))
        self.status = int(result)
        if self.status == kernels.RUNNING and self.revolutions >= self._cap:
            self.status = kernels.FAILED
        return self.revolutions - before

    @property
    def revolutions(self) -> int:
        """Nodes expanded since :meth:`begin`."""
        return int(self._state[kernels.REVOLUTIONS])

    @property
    def refills(self) -> int:
        """Number of times the cheap list was refilled from the rest."""
        return int(self._state[kernels.REFILLS])

    @property
    def cost(self) -> float:
        """Cost of the path found, in tiles of ordinary ground; infinite without one."""
        answer = int(self._state[kernels.ANSWER])
        return int(self._g[answer]) / COST_UNIT if answer >= 0 else np.inf

    def statuses(self) -> np.ndarray:
        """Status CLEAR, OPEN or CLOSED of each tile, uint8[height * width], a copy."""
        return self._status.copy()

    def tile_g(self) -> np.ndarray:
        """Cost so far, int64[height * width] in units of ``ai.grid.moves.COST_UNIT``.

        It is valid where a tile is OPEN or CLOSED.
        """
        return self._g.copy()

    def parents(self) -> np.ndarray:
        """Flat parent tile of each tile, int32[height * width].

        It is valid where a tile is OPEN or CLOSED.
        """
        return self._parent.copy()

    def closed(self) -> np.ndarray:
        """Closed tiles int32[n, 2] (y, x) in the order they were expanded."""
        flat = self._closed[: int(self._state[kernels.CLOSED_COUNT])]
        return np.column_stack((flat // self.shape[1], flat % self.shape[1])).astype(np.int32)

    def path(self) -> np.ndarray | None:
        """Return the path tiles int32[n, 2] (y, x) from the start, or None."""
        tile = int(self._state[kernels.ANSWER])
        if tile < 0:
            return None
        tiles = [tile]
        while int(self._parent[tile]) != tile:
            tile = int(self._parent[tile])
            tiles.append(tile)
        flat = np.array(tiles[::-1], np.int32)
        return np.column_stack((flat // self.shape[1], flat % self.shape[1]))

    def _fitting(self, name: str, array: np.ndarray) -> np.ndarray:
        if np.shape(array) != self.shape:
            raise ValueError(f"{name} has shape {np.shape(array)}, the map is {self.shape}")
        return np.ascontiguousarray(array, np.uint8)

    def _inside(self, name: str, tile: tuple[int, int]) -> int:
        y, x = tile[0], tile[1]
        # A coordinate that is not a number counts as outside.
        if not (0 <= y < self.shape[0] and 0 <= x < self.shape[1]):
            raise ValueError(f"{name} (y={y}, x={x}) is outside a map of {self.shape[0]} x {self.shape[1]}")
        return int(y) * self.shape[1] + int(x)


def patches(ground: np.ndarray, modular_astar: ModularAstar | None = None) -> np.ndarray:
    """Label connected patches of non-zero tiles, int32[height, width].

    Patches are numbered from 1 in the order of their first tile; other tiles are 0. The floods have an impossible goal.
    They find forests in a map of trees and groups of choke tiles in a map of flags.
    """
    field = np.ascontiguousarray(ground, np.uint8)
    if field.ndim != 2 or field.size == 0:
        raise ValueError(f"a map must be [height, width], got {field.shape}")
    engine = modular_astar or ModularAstar(*field.shape)
    labels = np.zeros(field.shape, np.int32)
    count = 0
    for y, x in np.argwhere(field).tolist():
        if labels[y, x]:
            continue
        count += 1
        engine.begin(field, (y, x), storage=Storage.FIFO)
        engine.run(1 << 60)
        tiles = engine.closed()
        labels[tiles[:, 0], tiles[:, 1]] = count
    return labels


TECHNIQUES = (
    {
        "slug": "path-machine",
        "name": "Modular A*: storage, goal and cost modifier per task",
        "ids": ("AW-3.2-1", "AW-3.2-2", "AW-3.2-3"),
        "source": "AI Game Programming Wisdom, 3.2",
        "functions": ("ModularAstar.begin", "ModularAstar.run"),
        "test": "tests/ai/search/modular_astar/test_modular_astar.py",
        "exhibit": "levels/exhibits/search/under_cover.toml",
        "overlay": "machine",
        "setting": "paths.modifier",
        "parts": ("AW-3.4-6", "GP2-16.1"),
        "measure": "noticed",
        "direction": "up",
        "claim": (
            "Tables of codes take the place of templates; four storages, and modifiers as a field or circle. No unit "
            "of the shipped game uses it; floods serve an overlay of woods and waters."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
