"""Finds a complete hierarchical path in one kernel call.

The kernel connects start and goal to the graph, searches the lowest level, refines the path and smooths it.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (Botea, Müller, Schaeffer).
"""

from __future__ import annotations

import numpy as np

from ai.grid.movement_classes import class_bit
from ai.grid.terrain import Terrain
from ai.search.hierarchy import hpa_full_kernels as kernels
from ai.search.hierarchy.cluster_graph import CLUSTER, ClusterGraph, ClusterLevel, SearchScratch
from ai.search.jps.uniform_astar_kernels import OUTSIDE

SMOOTHING_REACH = 3 * CLUSTER


class WholePath:
    """Answers requests on the lowest level of a :class:`ClusterGraph`.

    ``work`` is scratch that other searches may use between two calls. The rows of ``answer`` int64[5] are those of
    :mod:`ai.search.hierarchy.hpa_kernels`.
    """

    def __init__(self, graph: ClusterGraph, work: SearchScratch) -> None:
        k = kernels
        self.graph, self.work = graph, work
        self._context = np.zeros(k.CONTEXT_LENGTH, np.int64)
        self.answer = self._context[k.ANSWER :]
        clusters, most = graph.nodes.shape
        height, width = graph.slots.shape
        self._context[k.HEIGHT], self._context[k.WIDTH] = height, width
        self._context[k.SIZE], self._context[k.REACH] = graph.size, SMOOTHING_REACH
        self._context[k.MOST], self._context[k.CLUSTERS] = most, clusters
        self._context[k.BIT] = class_bit(graph.movement_class)
        # The kernel reads arrays by address, so they must live as long as the context.
        self._kept: dict[int, np.ndarray] = {}
        self._keep(k.VECTORS, np.zeros((2, most), np.int64))
        self._keep(k.HOPS, np.zeros(graph.nodes.size + 4, np.int32))
        self._make_room(4096)
        self._base: ClusterLevel | None = None
        self._passable = self._cost = np.zeros((0, 0), np.uint8)

    def find(self, terrain: Terrain, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return the tiles int32[n, 2] (y, x) from start to goal, or None.

        ValueError for tiles outside the map, and when the graph is older than the terrain.
        """
        graph, work, context = self.graph, self.work, self._context
        if graph.revision != terrain.revision:
            raise ValueError(f"the graph is at revision {graph.revision}, the terrain is at {terrain.revision}")
        if (
            terrain.passable is not self._passable
            or terrain.cost is not self._cost
            or graph.base is not self._base
            or work.keys is not self._keys
        ):
            self._follow(terrain)
        while True:
            work.stamp += 1
            context[kernels.STAMP] = work.stamp
            try:
                count = kernels.find_whole_path(context, 2 * terrain.lowest_cost, *start, *goal)
            except (OverflowError, ValueError):
                # A coordinate that is not a number counts as outside.
                count = OUTSIDE
            if count >= 0:
                return self._out[:count].copy() if count else None
            if count == OUTSIDE:
                height, width = terrain.passable.shape
                raise ValueError(f"start {start} or goal {goal} (y, x) is outside a terrain of {height} x {width}")
            work.more_heap()
            self._make_room(4 * len(self._out))
            self._follow(terrain)

    def _keep(self, row: int, array: np.ndarray) -> np.ndarray:
        if not array.flags.c_contiguous:
            raise ValueError("the arrays of a level must be C-contiguous")
        self._kept[row] = array
        self._context[row] = array.ctypes.data
        return array

    def _make_room(self, tiles: int) -> None:
        k = kernels
        self._context[k.TILES] = tiles
        self._keep(k.PATH, np.zeros((tiles, 2), np.int32))
        self._out = self._keep(k.OUT, np.zeros((tiles, 2), np.int32))
        self._keep(k.ALONG, np.zeros(tiles, np.int64))

    def _follow(self, terrain: Terrain) -> None:
        """Read the current arrays of the graph.

        Restoring a saved state creates new arrays, and the heap may have grown.
        """
        k, base, work = kernels, self.graph.base, self.work
        if terrain.passable.shape != base.slots.shape:
            raise ValueError(f"the graph is of {base.slots.shape}, the terrain is {terrain.passable.shape}")
        self._base, self._passable, self._cost, self._keys = base, terrain.passable, terrain.cost, work.keys
        self._context[k.ROOM] = len(work.keys)
        for row, array in (
            (k.GROUND, terrain.passable),
            (k.PRICE, terrain.cost),
            (k.SLOTS, base.slots),
            (k.NODES, base.nodes),
            (k.CROSSINGS, base.crossings),
            (k.COUNTS, base.counts),
            (k.DISTANCES, base.distances),
            (k.G, work.g),
            (k.PARENT, work.parent),
            (k.STAMPS, work.stamps),
            (k.KEYS, work.keys),
            (k.HEAP_TILES, work.heap_tiles),
        ):
            self._keep(row, array)
