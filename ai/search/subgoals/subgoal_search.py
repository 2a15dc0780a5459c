"""Search over subgoal graphs, which keep the shortest paths of the grid.

The nodes of the small graph are convex corners of walls. With one level every corner is a node. With two levels,
corners that the others do not need are local: only those connected to the ends of a path take part in its search. With
more levels the rest is split repeatedly. The search is exact on uniform-cost grids. The graph
(:mod:`ai.search.subgoals.subgoal_graph`) is repaired after an edit.

Source: "Game AI Pro 2", ch. 15 (Uras and Koenig).
"""

from __future__ import annotations

import numpy as np

from ai.search.jps.jps import UniformGround
from ai.search.jps.uniform_astar_kernels import COST, OUTSIDE, REVOLUTIONS
from ai.search.jps.uniform_costs import STRAIGHT
from ai.search.subgoals import subgoal_search_kernels as kernels
from ai.search.subgoals.subgoal_graph import MOST_LEVELS, SubgoalGraph
from ai.search.subgoals.subgoal_graph_kernels import MOST_REACHED

__all__ = ["MOST_LEVELS", "SubgoalGraph", "SubgoalSearch"]


class SubgoalSearch:
    """Answers requests to a :class:`SubgoalGraph`.

    ``cost`` and ``revolutions`` refer to the last request. ``log`` int64[n, 3] with n > 0 records number and g of each
    expanded subgoal. The search stops when the log is full.
    """

    def __init__(self, graph: SubgoalGraph, ground: UniformGround) -> None:
        self.graph, self.ground = graph, ground
        self.height, self.width = ground.moves.shape[0] - 2, ground.moves.shape[1] - 2
        self._context = np.zeros(kernels.CONTEXT_LENGTH, np.int64)
        self._context[kernels.HEIGHT], self._context[kernels.STRIDE] = ground.moves.shape
        # The kernel reads arrays by address, so they must live as long as the context.
        self._kept: dict[int, np.ndarray] = {}
        self._keep(kernels.DEAD, np.zeros(ground.moves.shape, np.uint8))
        self._keep(kernels.IN_REACH, np.zeros(MOST_REACHED, np.int32))
        self._make_room(8192, 1024)
        self.log = np.zeros((0, 3), np.int64)
        self._follow()

    @classmethod
    def over(cls, ground: UniformGround, levels: int = 1) -> SubgoalSearch:
        """Return a search with a graph of its own."""
        return cls(SubgoalGraph.build(ground, levels), ground)

    def _follow(self) -> None:
        """Read the current arrays of graph and ground.

        Repairing or restoring them creates new ones.
        """
        k, graph = kernels, self.graph
        self._version, self._moves, self._number = graph.version, self.ground.moves, graph.number
        count = len(graph.corners)
        self._context[k.COUNT], self._context[k.LINK_COUNT] = count, len(graph.links)
        self._context[k.TOP] = graph.top
        for row, array in (
            (k.MOVES, self.ground.moves),
            (k.NUMBER, graph.number),
            (k.PLACES, graph.corners),
            (k.CLEAR, graph.clear),
            (k.SPANS, graph.spans),
            (k.LINKS, graph.links),
            (k.LEVEL, graph.level),
        ):
            self._keep(row, array)
        if k.G in self._kept and len(self._kept[k.G]) == count:
            return
        self._g = self._keep(k.G, np.zeros(count, np.int64))
        self._parent = self._keep(k.PARENT, np.zeros(count, np.int32))
        self._stamps = self._keep(k.STAMPS, np.zeros((count, 3), np.int64))
        self._out = self._keep(k.OUT, np.zeros((count + 4, 2), np.int32))
        self._keep(k.TO_GOAL, np.zeros(count, np.int64))

    @property
    def log(self) -> np.ndarray:
        """Record of the expanded subgoals."""
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
        """Revolutions of the last search.

        One revolution is one expanded subgoal, or 64 scanned cells.
        """
        return int(self._context[kernels.ANSWER + REVOLUTIONS])

    @property
    def expanded(self) -> int:
        """Subgoals that the last search expanded, if it was not cut off."""
        return int(self._context[kernels.ANSWER + kernels.EXPANDED])

    @property
    def scanned(self) -> int:
        """Cells scanned by the direct trial and around both ends."""
        return int(self._context[kernels.ANSWER + kernels.SCANNED])

    def find_corners(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return the corners int32[n, 2] (y, x) of a shortest path, or None.

        The start comes first. ValueError for tiles outside, and while the graph is not repaired after an edit.
        """
        count = self._ask(start, goal, 0)
        return self._out[:count][::-1].copy() if count > 0 else None

    def find(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return all tiles int32[n, 2] (y, x) of a shortest path, or None.

        Errors as in :meth:`find_corners`.
        """
        count = self._ask(start, goal, 1)
        return self._path[:count].copy() if count > 0 else None

    def _ask(self, start: tuple[int, int], goal: tuple[int, int], whole: int) -> int:
        graph = self.graph
        if not graph.ready or self.ground.revision != graph.revision:
            raise ValueError("the ground was edited and this graph is not repaired yet")
        if graph.version != self._version or self.ground.moves is not self._moves or graph.number is not self._number:
            self._follow()
        while True:
            try:
                count = int(kernels.search_subgoals(self._context, *start, *goal, whole))
            except (OverflowError, ValueError):
                # A coordinate that is not a number counts as outside.
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


TECHNIQUES = (
    {
        "slug": "subgoal-graphs",
        "name": "Subgoal graphs of one, two and more levels",
        "ids": ("GP2-15.6", "GP2-15.7"),
        "source": "Game AI Pro 2, ch. 15",
        "functions": ("SubgoalSearch.find",),
        "test": "tests/ai/search/subgoals/test_subgoal_search.py",
        "exhibit": "levels/exhibits/search/subgoals.toml",
        "overlay": "subgoal_graph",
        "setting": "paths.engine",
        "parts": ("GP2-15.3", "GP2-15.4", "GP2-15.5", "GP2-15.8", "GP2-15.9"),
        "measure": "revolutions",
        "direction": "down",
        "claim": (
            "As told, and repaired after an edit. Units use two levels, and only when an exhibit or a setting asks "
            "for them; one level and all levels are in the A* explorer."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
