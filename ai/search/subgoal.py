"""Subgoal graphs: a small graph over the convex corners of walls whose shortest paths are the grid's.

One level (every corner a node), two (corners that the others can do without are local: only those joined to the ends of
a path take part in its search), or more: what is left is split again and again.  Exact on uniform ground; the graph is
of the ground as it was.

Source: "Game AI Pro 2", ch. 15 (Uras and Koenig).
"""

from __future__ import annotations

import itertools

import numpy as np

from ai.search import subgoal_graph_kernels as building
from ai.search import subgoal_kernels as kernels
from ai.search.uniform import UniformGround
from ai.search.uniform_costs import STRAIGHT
from ai.search.uniform_kernels import COST, OUTSIDE, REVOLUTIONS

MOST_LEVELS = 20
"""More than any map has use for."""


class SubgoalGraph:
    """The graph of one ground, of at most ``levels`` levels: fewer when nothing is left to split, or nothing on top.

    ``places`` int32[n, 2] are its subgoals (y, x), ``level`` uint8[n] their levels, 1 to ``top``, ``is_local`` bool[n]
    those below it.  The neighbours of subgoal s are ``links[first[s]:first[s + 1]]``.
    """

    def __init__(self, ground: UniformGround, levels: int = 1) -> None:
        if not 1 <= levels <= MOST_LEVELS:
            raise ValueError(f"a subgoal graph has 1 to {MOST_LEVELS} levels, not {levels}")
        self.ground = ground
        self.revision = ground.revision
        size = ground.moves.size
        self._number = np.zeros(size, np.int32)
        count = building.place_subgoals(ground.ground, self._number, np.zeros((0, 2), np.int32))
        self._places = np.zeros((count, 2), np.int32)
        building.place_subgoals(ground.ground, self._number, self._places)
        self._clear = np.zeros((size, 8), np.int16)
        building.measure_clearance(ground.moves, self._number, self._clear)
        self.first = np.zeros(count + 1, np.int64)
        self.links = np.zeros(0, np.int32)
        for _ in range(2):
            total = building.link_subgoals(
                ground.moves, self._number, self._places, self._clear, self.first, self.links
            )
            if total == self.links.size:
                break
            self.links = np.zeros(total, np.int32)
        self.level, self.top = np.ones(count, np.uint8), 1
        rows = [self.links[a:b].tolist() for a, b in itertools.pairwise(self.first.tolist())]
        while self.top < levels and self._split(rows):
            self.top += 1

    @property
    def is_local(self) -> np.ndarray:
        """bool[n]: whether a subgoal is below the top level."""
        return self.level < self.top

    @property
    def places(self) -> np.ndarray:
        """Subgoals int32[n, 2] as (y, x)."""
        return self._places - np.int32(1)

    def reach(self, y: int, x: int) -> np.ndarray:
        """Numbers of the subgoals directly h-reachable from a tile."""
        out = np.zeros(building.MOST_REACHED, np.int32)
        count = building.scan_from(self.ground.moves, self._number, self._clear, y + 1, x + 1, out)
        return out[:count].copy()

    def _split(self, rows: list[list[int]]) -> bool:
        """Raise the subgoals of the top level that are needed there by one; False when that would be all or none.

        ``rows`` are the neighbours in the graph of the top level alone, and are replaced by those of the next.
        """
        count = len(self._places)
        first = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
        links = np.array([n for row in rows for n in row], np.int32)
        heads, left_out = np.zeros(count, np.int32), np.zeros(count, np.uint8)
        room = 4 * links.size + 1024
        while True:
            pool = np.zeros((room, 2), np.int32)
            used = building.choose_locals(self.ground.moves, self._places, first, links, heads, pool, left_out, 0)
            if used != kernels.NEED_ROOM:
                break
            room *= 4
            if room > 1 << 28:
                raise MemoryError("the graph of levels grows beyond all measure")
        at_top = self.level == self.top
        higher = at_top & (left_out == 0)
        if not higher.any() or higher.sum() == at_top.sum():
            return False
        entries = pool[:used].tolist()
        every = [self.links[a:b].tolist() for a, b in itertools.pairwise(self.first.tolist())]
        for s, head in enumerate(heads.tolist()):
            row = []
            while head >= 0:
                neighbour, head = entries[head]
                row.append(neighbour)
            every[s] = list(dict.fromkeys(row + every[s]))
            rows[s] = [n for n in row if higher[n]] if higher[s] else []
        self.level[higher] += 1
        self.first = np.concatenate(([0], np.cumsum([len(row) for row in every]))).astype(np.int64)
        self.links = np.array([n for row in every for n in row], np.int32)
        return True


class SubgoalSearch:
    """Questions to a :class:`SubgoalGraph`.  ``cost`` and ``revolutions`` are of the last one.

    ``log`` int64[n, 3] with n > 0 takes down number and g of each subgoal expanded; the search stops when it is full.
    """

    def __init__(self, graph: SubgoalGraph) -> None:
        k = kernels
        self.graph = graph
        count = len(graph.level)
        shape = graph.ground.moves.shape
        self.height, self.width = shape[0] - 2, shape[1] - 2
        self._context = np.zeros(k.CONTEXT_LENGTH, np.int64)
        self._context[k.HEIGHT], self._context[k.STRIDE] = shape
        self._context[k.COUNT], self._context[k.LINK_COUNT] = count, len(graph.links)
        self._context[k.TOP] = graph.top
        # The kernel reads arrays by address: they must live as long as the context.
        self._kept: dict[int, np.ndarray] = {}
        for row, array in (
            (k.NUMBER, graph._number),
            (k.PLACES, graph._places),
            (k.CLEAR, graph._clear),
            (k.FIRST, graph.first),
            (k.LINKS, graph.links),
            (k.LEVEL, graph.level),
            (k.TO_GOAL, np.zeros(count, np.int64)),
            (k.DEAD, np.zeros(shape, np.uint8)),
            (k.IN_REACH, np.zeros(building.MOST_REACHED, np.int32)),
        ):
            self._keep(row, array)
        self._g = self._keep(k.G, np.zeros(count, np.int64))
        self._parent = self._keep(k.PARENT, np.zeros(count, np.int32))
        self._stamps = self._keep(k.STAMPS, np.zeros((count, 3), np.int64))
        self._moves = self._keep(k.MOVES, graph.ground.moves)
        self._out = self._keep(k.OUT, np.zeros((count + 4, 2), np.int32))
        self._make_room(8192, 1024)
        self.log = np.zeros((0, 3), np.int64)

    @property
    def log(self) -> np.ndarray:
        """What expanded subgoals are taken down in."""
        return self._kept[kernels.LOG]

    @log.setter
    def log(self, rows: np.ndarray) -> None:
        self._context[kernels.LOGGED] = len(rows)
        self._keep(kernels.LOG, np.ascontiguousarray(rows, np.int64))

    @property
    def _stamp(self) -> int:
        return int(self._context[kernels.STAMP])

    @property
    def cost(self) -> float:
        """Length of the last path, in tiles."""
        return int(self._context[kernels.ANSWER + COST]) / STRAIGHT

    @property
    def revolutions(self) -> int:
        """Nodes expanded by the last search; the direct trial counts as one."""
        return int(self._context[kernels.ANSWER + REVOLUTIONS])

    def find_corners(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """The corners int32[n, 2] (y, x) of a shortest path, start first, or None.

        ValueError for tiles outside, and once the ground has been edited.
        """
        count = self._ask(start, goal, 0)
        return self._out[:count][::-1].copy() if count > 0 else None

    def find(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """All tiles int32[n, 2] (y, x) of a shortest path, or None.  Errors as in :meth:`find_corners`."""
        count = self._ask(start, goal, 1)
        return self._path[:count].copy() if count > 0 else None

    def _ask(self, start: tuple[int, int], goal: tuple[int, int], whole: int) -> int:
        graph = self.graph
        if graph.ground.revision != graph.revision:
            raise ValueError("the ground was edited since this graph was made")
        if graph.ground.moves is not self._moves:
            # Restoring a saved ground makes new arrays.
            self._moves = self._keep(kernels.MOVES, graph.ground.moves)
        while True:
            try:
                count = int(kernels.search_subgoals(self._context, *start, *goal, whole))
            except (OverflowError, ValueError):
                # What is no number lies nowhere.
                count = OUTSIDE
            if count == OUTSIDE:
                raise ValueError(
                    f"start {start} or goal {goal} (y, x) is outside a map of {self.height} x {self.width}"
                )
            if count != kernels.NEED_ROOM:
                return count
            self._make_room(*(4 * int(self._context[row]) for row in (kernels.ROOM, kernels.TILES)))

    def _keep(self, row: int, array: np.ndarray) -> np.ndarray:
        if not array.flags.c_contiguous:
            raise ValueError("the arrays of a subgoal graph must be C-contiguous")
        self._kept[row] = array
        self._context[row] = array.ctypes.data
        return array

    def _make_room(self, entries: int, tiles: int) -> None:
        k = kernels
        self._context[k.ROOM], self._context[k.TILES] = entries, tiles
        self._keep(k.KEYS, np.zeros(entries, np.int64))
        self._keep(k.NODES, np.zeros(entries, np.int32))
        self._path = self._keep(k.PATH, np.zeros((tiles, 2), np.int32))
