"""Stepped versions of the searches on uniform-cost grids.

They are jump point search, JPS+, subgoal graphs and Theta*.
"""

from __future__ import annotations

import numpy as np

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.any_angle import any_angle_kernels
from ai.search.any_angle.any_angle import ThetaStar
from ai.search.canonical import SUCCESSORS
from ai.search.explorer.stepped_astar import Stepped
from ai.search.jps.goal_bounds_files import load_bounds, tables_folder
from ai.search.jps.jps import JumpPointSearch, UniformGround
from ai.search.jps.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.jps.jps_plus_kernels import FROM, REACHED, STAMP
from ai.search.jps.uniform_astar_kernels import STAMPS
from ai.search.jps.uniform_costs import STRAIGHT
from ai.search.subgoals import subgoal_search_kernels
from ai.search.subgoals.subgoal_search import MOST_LEVELS, SubgoalGraph, SubgoalSearch


class _SteppedOnUniformGround(Stepped):
    """Base class of the searches on uniform-cost grids."""

    def _prepare(self) -> None:
        self.ground = UniformGround.build(self.terrain, self.question.movement_class)

    def _from_cells(self, cell: np.ndarray, parent: np.ndarray, stamp: int) -> tuple[np.ndarray, np.ndarray]:
        """Return g and parents from the stamped cells of the bordered map."""
        rows, columns = self.height + 2, self.width + 2
        inner = cell.reshape(rows, columns)[1:-1, 1:-1]
        reached = inner >> np.uint64(36) == np.uint64(STAMPS + 1 - stamp)
        units = ((inner >> np.uint64(4)) & np.uint64(0xFFFFFFFF)).astype(np.int64)
        g = np.where(reached, units / STRAIGHT, np.inf)
        led = reached & (inner & np.uint64(15) != np.uint64(8))
        out = np.full(inner.shape, -1, np.int32)
        out[led] = self._tile_of(parent.reshape(rows, columns)[1:-1, 1:-1][led].astype(np.int64))
        return g, out


class SteppedJPS(_SteppedOnUniformGround):
    """Jump point search: one step is one jump point.

    The tiles that its jumps scan are counted.
    """

    looked_unit = "tiles scanned"

    def _prepare(self) -> None:
        super()._prepare()
        self.search = JumpPointSearch(self.ground)
        self.jumps = jump_tables(self.ground)

    def _run(self, log: np.ndarray) -> bool:
        self.search.log = log
        self._found = self.search.find_jumps(self.question.start, self.question.goal)
        if self._found is not None:
            self._found = self._found.copy()
        return self._found is not None

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        return self._from_cells(self.search._cell, self.search._parent, self.search._stamp)

    def _look(self, row: np.ndarray) -> int:
        return sum(len(ray) for ray in self.rays(int(row[0]), int(row[2])))

    def rays(self, cell: int, arrival: int) -> list[np.ndarray]:
        """Return the tiles ``int64[n, 2]`` (y, x) that jumps from a bordered cell scan.

        There is one array per jump, side scans included.
        """
        stride = self.width + 2
        moves = self.ground.moves.reshape(-1)
        rays = []
        for k in range(8):
            if not SUCCESSORS[arrival, moves[cell]] >> k & 1:
                continue
            at = cell
            tiles = []
            for _ in range(abs(int(self.jumps[cell, k]))):
                at += int(MOVE_Y[k]) * stride + int(MOVE_X[k])
                tiles.append(at)
                if k >= 4:
                    for side in (0 if MOVE_Y[k] < 0 else 2, 1 if MOVE_X[k] > 0 else 3):
                        step = int(MOVE_Y[side]) * stride + int(MOVE_X[side])
                        tiles += [at + step * n for n in range(1, abs(int(self.jumps[at, side])) + 1)]
                if at == self._goal_cell:
                    break
            flat = self._tile_of(np.array(tiles, np.int64))
            rays.append(np.stack([flat // self.width, flat % self.width], axis=1))
        return rays

    @property
    def _goal_cell(self) -> int:
        return (self.question.goal[0] + 1) * (self.width + 2) + self.question.goal[1] + 1

    def _whole_path(self) -> tuple[np.ndarray, float]:
        assert self._found is not None
        return self._found, self.search.cost


class SteppedJPSPlus(_SteppedOnUniformGround):
    """JPS+: jumps are read from tables instead of scanned.

    With ``bounded`` the goal bounds skip most of them.
    """

    looked_unit = "table reads"
    bounded = False

    def _prepare(self) -> None:
        super()._prepare()
        bounds = None
        if self.bounded:
            # A level marked static has its bounds in the cache folder.
            bounds = load_bounds(self.ground, tables_folder())
            bounds = goal_bound_table(self.ground) if bounds is None else bounds
        self.search = JPSPlus(self.ground, jump_tables(self.ground), bounds)

    def _run(self, log: np.ndarray) -> bool:
        self.search.note(log if len(log) else np.zeros((0, 3), np.int64))
        jumps = self.search.find_jumps(*self.question.start, *self.question.goal)
        self._found = None if jumps is None else jumps[::-1].copy()
        return jumps is not None

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        places = (self.search._rows[:, FROM] & np.uint64(0xFFFFFFFF)).astype(np.int64)
        cells = (places >> 16) * (self.width + 2) + (places & 0xFFFF)
        return self._from_cells(self.search._rows[:, REACHED], cells, int(self.search._context[STAMP]))

    def _look(self, row: np.ndarray) -> int:
        moves = self.ground.moves.reshape(-1)[int(row[0])]
        return int(SUCCESSORS[int(row[2]), moves]).bit_count()

    def _whole_path(self) -> tuple[np.ndarray, float]:
        assert self._found is not None
        return self._found, self.search.cost


class SteppedBounds(SteppedJPSPlus):
    """JPS+ with goal bounds."""

    bounded = True


class SteppedSubgoals(_SteppedOnUniformGround):
    """Search over a subgoal graph; its nodes are corners."""

    looked_unit = "edges"
    levels = 1

    def _prepare(self) -> None:
        super()._prepare()
        self.graph = SubgoalGraph.build(self.ground, self.levels)
        self.search = SubgoalSearch(self.graph, self.ground)

    def _run(self, log: np.ndarray) -> bool:
        self.search.log = log
        self._found = self.search.find_corners(self.question.start, self.question.goal)
        return self._found is not None

    def _tile_of(self, logged: np.ndarray) -> np.ndarray:
        places = self.graph.places.astype(np.int64)
        return places[logged, 0] * self.width + places[logged, 1]

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        s, q = self.search, self.question
        g = np.full((self.height, self.width), np.inf)
        parent = np.full((self.height, self.width), -1, np.int32)
        reached = np.flatnonzero(s._stamps[:, subgoal_search_kernels.REACHED] == s._stamp)
        tiles = self._tile_of(reached)
        g.reshape(-1)[tiles] = s._g[reached] / STRAIGHT
        start = q.start[0] * self.width + q.start[1]
        roots = s._parent[reached] < 0
        parent.reshape(-1)[tiles] = np.where(roots, start, self._tile_of(np.maximum(s._parent[reached], 0)))
        g[q.start] = 0.0
        parent[q.start] = -1
        return g, parent

    def _closed(self, done: np.ndarray, g: np.ndarray) -> np.ndarray:
        start = self.question.start[0] * self.width + self.question.start[1]
        return np.append(super()._closed(done, g), start)

    def _look(self, row: np.ndarray) -> int:
        return len(self.graph.neighbours(int(row[0])))

    def _whole_path(self) -> tuple[np.ndarray, float]:
        assert self._found is not None
        return self._found, self.search.cost


class SteppedSubgoals2(SteppedSubgoals):
    """Search over a subgoal graph of two levels."""

    levels = 2


class SteppedSubgoalsN(SteppedSubgoals):
    """Search over a subgoal graph with as many levels as possible."""

    levels = MOST_LEVELS


class SteppedTheta(_SteppedOnUniformGround):
    """Theta* between tile centres.

    With ``lazy`` a node's line of sight is tested when the node is expanded.
    """

    looked_unit = "sight tests"
    lazy = False

    def _prepare(self) -> None:
        super()._prepare()
        self.search = ThetaStar(self.ground, lazy=self.lazy)
        dy = (np.arange(self.height) - self.question.goal[0])[:, None]
        dx = (np.arange(self.width) - self.question.goal[1])[None]
        self._h = np.hypot(dy, dx)

    def _run(self, log: np.ndarray) -> bool:
        self.search.log = log
        self._found = self.search.find(self.question.start, self.question.goal)
        return self._found is not None

    def _closed(self, done: np.ndarray, g: np.ndarray) -> np.ndarray:
        return np.flatnonzero(self.search.status == any_angle_kernels.CLOSED) if len(done) else np.zeros(0, np.int64)

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        s = self.search
        rows, columns = self.height + 2, self.width + 2
        reached = s.status > 0
        g = np.where(reached, s._g.reshape(rows, columns)[1:-1, 1:-1], np.inf)
        parent = np.full(g.shape, -1, np.int32)
        parent[reached] = self._tile_of(s._parent.reshape(rows, columns)[1:-1, 1:-1][reached].astype(np.int64))
        parent[self.question.start] = -1
        return g, parent

    def _looked(self, step: int) -> int:
        return 0 if step == 0 else self.search.sight_tests

    def _whole_path(self) -> tuple[np.ndarray, float]:
        assert self._found is not None
        return self._found, self.search.length


class SteppedLazyTheta(SteppedTheta):
    """Lazy Theta*."""

    lazy = True
