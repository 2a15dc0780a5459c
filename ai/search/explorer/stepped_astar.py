"""Stepped versions of the game's own searches.

Each class runs its kernel from the start with room for k entries in its log. The arrays that the kernel has written by
then are the state. On maps of this size a run takes far less than a frame.
"""

from __future__ import annotations

import numpy as np

from ai.grid.movement_classes import class_bit
from ai.grid.moves import COST_UNIT, MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.astar import astar
from ai.search.astar.astar import AStarSearch
from ai.search.explorer.search_frame import CLOSED, OPEN, UNTOUCHED, Question, SearchFrame, follow_parents, octile_map
from ai.search.jps.uniform_costs import STRAIGHT
from ai.search.modular_astar.modular_astar import ModularAstar
from ai.search.modular_astar.modular_astar_kernels import RUNNING

Tile = tuple[int, int]


class Stepped:
    """Base class: one full run gives the expansion order, shorter runs the frames."""

    looked_unit = ""

    def __init__(self, terrain: Terrain, question: Question) -> None:
        self.terrain = terrain
        self.question = question
        self.height, self.width = terrain.passable.shape
        self._h = octile_map(self.height, self.width, question.goal)
        self._order: np.ndarray | None = None
        self._looks = [0]
        self._prepare()

    def _prepare(self) -> None:
        """Build the structures that the search reads."""

    # For the subclasses

    def _run(self, log: np.ndarray) -> bool:
        """Search with this log; return whether the goal was found.

        A log without rows runs to the end.
        """
        raise NotImplementedError

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (g float64[H, W], parent int32[H, W]) of the last run."""
        raise NotImplementedError

    def _tile_of(self, logged: np.ndarray) -> np.ndarray:
        """Return flat tiles int64[n] from the first column of a log.

        By default they are tiles of a map with a border of one.
        """
        stride = self.width + 2
        return (logged // stride - 1) * self.width + logged % stride - 1

    def _look(self, row: np.ndarray) -> int:
        """Return how much one expanded node, a row of the log, examined."""
        return 0

    def _whole_path(self) -> tuple[np.ndarray, float]:
        """Return path and cost of a full run that found the goal."""
        raise NotImplementedError

    # The explorer's interface

    def _read_order(self) -> np.ndarray:
        """Return the log of a full run, int64[total, 3]."""
        if self._order is None:
            room = 1024
            while True:
                log = np.full((room, 3), -1, np.int64)
                self._run(log)
                if log[-1, 0] < 0:
                    break
                room *= 4
            self._order = log[: int(np.argmax(log[:, 0] < 0))].copy()
        return self._order

    @property
    def total(self) -> int:
        """Steps to the end."""
        return len(self._read_order())

    def frame(self, step: int) -> SearchFrame:
        """Return the state after ``step`` nodes, or at the end."""
        order = self._read_order()
        q = self.question
        ended = step >= len(order)
        step = min(step, len(order))
        shape = (self.height, self.width)
        if step == 0 and not ended:
            g, parent = np.full(shape, np.inf), np.full(shape, -1, np.int32)
            g[q.start] = 0.0
            found = False
        else:
            found = self._run(np.zeros((0 if ended else step, 3), np.int64)) and ended
            g, parent = self._read()
        status = np.where(np.isfinite(g), OPEN, UNTOUCHED).astype(np.uint8)
        status.reshape(-1)[self._closed(order[:step], g)] = CLOSED
        current = None
        if step:
            y, x = divmod(int(self._tile_of(order[step - 1 : step, 0])[0]), self.width)
            current = (y, x)
        if found:
            status[q.goal] = CLOSED
            path, cost = self._whole_path()
        else:
            end = current or q.start
            path, cost = follow_parents(parent, end), float(g[end])
        looked = self._looked(step)
        return SearchFrame(
            step, status, g, self._h, parent, current, path, cost, ended, found, looked, self.looked_unit
        )

    def _looked(self, step: int) -> int:
        """Return the sum of :meth:`_look` over the first ``step`` nodes."""
        order = self._read_order()
        while len(self._looks) <= step:
            self._looks.append(self._looks[-1] + self._look(order[len(self._looks) - 1]))
        return self._looks[step]

    def _closed(self, done: np.ndarray, g: np.ndarray) -> np.ndarray:
        """Return flat tiles that were expanded and have not become cheaper since."""
        tiles = self._tile_of(done[:, 0])
        return tiles[np.isclose(g.reshape(-1)[tiles], self._unit_of(done[:, 1]), rtol=0, atol=2e-6)]

    def _unit_of(self, logged: np.ndarray) -> np.ndarray:
        """Return the costs of a log in tiles."""
        return logged / STRAIGHT


class SteppedAStar:
    """The game's resumable A*; with ``flood`` a Dijkstra flood from the start."""

    looked_unit = "neighbours"

    def __init__(self, terrain: Terrain, question: Question, flood: bool = False) -> None:
        self.terrain = terrain
        self.question = question
        self.flood = flood
        self.height, self.width = terrain.passable.shape
        self._h = octile_map(self.height, self.width, question.goal, terrain.lowest_cost / 8.0)
        if flood:
            self._h = np.zeros_like(self._h)
        self._search = AStarSearch(self.height, self.width)
        self._total = -1
        self._last_known: tuple[int, Tile | None] = (0, None)

    def _begin(self) -> None:
        q = self.question
        if self.flood:
            self._search.begin_flood(self.terrain, q.movement_class, [q.start])
        else:
            self._search.begin(self.terrain, q.movement_class, q.start, q.goal)

    def _run_to(self, step: int) -> None:
        """Expand exactly ``step`` nodes: continue, or restart for a lower number."""
        if self._search.status == astar.IDLE or self._search.revolutions > step or self._ended:
            self._begin()
        self._search.run(self.terrain, step - self._search.revolutions)
        if self._search.revolutions == self._total:
            self._search.run(self.terrain, 1)

    @property
    def _ended(self) -> bool:
        return self._search.status in (astar.FOUND, astar.FAILED)

    @property
    def total(self) -> int:
        """Steps to the end."""
        if self._total < 0:
            self._begin()
            self._search.run(self.terrain, 1 << 60)
            self._total = self._search.revolutions
        return self._total

    def frame(self, step: int) -> SearchFrame:
        """Return the state after ``step`` nodes, or at the end."""
        q, search = self.question, self._search
        step = min(step, self.total)
        current: Tile | None = None
        if step > 0:
            self._run_to(step - 1)
            closed_before = search.tile_status & astar.CLOSED > 0
            self._run_to(step)
            marks = search.tile_status
            y, x = divmod(int(np.argmax((marks & astar.CLOSED > 0) & ~closed_before)), self.width)
            current = (y, x)
        else:
            self._run_to(0)
            marks = search.tile_status
        reached = marks & (astar.OPEN | astar.CLOSED) > 0
        found = step == self.total and search.status == astar.FOUND
        if not self.flood:
            # The goal is never put on the open list, so a seen goal counts as reached.
            reached[q.goal] |= search.goal_seen
        g = np.where(reached, search.tile_g / COST_UNIT, np.inf)
        status = np.zeros(marks.shape, np.uint8)
        status[reached] = OPEN
        status[marks & astar.CLOSED > 0] = CLOSED
        arrival = (marks >> 4).astype(np.int64)
        tiles = np.arange(marks.size).reshape(marks.shape)
        parent = np.full(marks.shape, -1, np.int32)
        moved = reached & (arrival < 8)
        back = MOVE_Y[arrival[moved]] * self.width + MOVE_X[arrival[moved]]
        parent[moved] = tiles[moved] - back
        if found and not self.flood:
            status[q.goal] = CLOSED
            path, cost = search.path(), search.cost
        else:
            reaches = np.isfinite(g[q.goal]) and self.flood and step == self.total
            end = q.goal if reaches else current or q.start
            path, cost = follow_parents(parent, end), float(g[end])
            found = bool(reaches)
        ended = step == self.total
        return SearchFrame(
            step, status, g, self._h, parent, current, path, cost, ended, found, 8 * step, self.looked_unit
        )


class SteppedModularAstar:
    """Modular A* with a heap, one task on the terrain itself."""

    looked_unit = "neighbours"

    def __init__(self, terrain: Terrain, question: Question) -> None:
        self.terrain = terrain
        self.question = question
        self.height, self.width = terrain.passable.shape
        self._ground = np.where(terrain.passable & class_bit(question.movement_class), terrain.cost, 0).astype(np.uint8)
        lowest = int(self._ground[self._ground > 0].min(initial=255))
        self._h = octile_map(self.height, self.width, question.goal, lowest / 8.0)
        self._modular_astar = ModularAstar(self.height, self.width)
        self._begin()
        self._modular_astar.run(1 << 60)
        self.total = self._modular_astar.revolutions

    def _begin(self) -> None:
        self._modular_astar.begin(self._ground, self.question.start, self.question.goal)

    def frame(self, step: int) -> SearchFrame:
        """Return the state after ``step`` nodes, or at the end."""
        modular_astar, q, shape = self._modular_astar, self.question, (self.height, self.width)
        step = min(step, self.total)
        if modular_astar.revolutions > step or modular_astar.status != RUNNING:
            self._begin()
        modular_astar.run(step - modular_astar.revolutions)
        if step == self.total:
            modular_astar.run(1)
        status = modular_astar.statuses().reshape(shape)
        g = np.where(status > 0, modular_astar.tile_g().reshape(shape) / COST_UNIT, np.inf)
        parent = np.where(status > 0, modular_astar.parents().reshape(shape), -1).astype(np.int32)
        parent[q.start] = -1
        closed = modular_astar.closed()
        current = (int(closed[-1, 0]), int(closed[-1, 1])) if len(closed) else None
        found = modular_astar.path()
        path, cost = (found, modular_astar.cost) if found is not None else (None, 0.0)
        if path is None:
            end = current or q.start
            path, cost = follow_parents(parent, end), float(g[end])
        ended = step == self.total
        return SearchFrame(
            step, status, g, self._h, parent, current, path, cost, ended, found is not None, 8 * step, self.looked_unit
        )


def passable_to(terrain: Terrain, movement_class: int, tile: Tile) -> bool:
    """Return whether the class can stand on a tile."""
    return bool(terrain.passable[tile] & class_bit(movement_class))
