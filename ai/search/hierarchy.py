"""Hierarchical search (HPA*): a long way as a chain of block crossings, made into tiles only as it is walked.

The graph of block crossings is small and repairs itself from the terrain's changed rectangles, a few clusters an edit.
An abstract path is found in a fraction of A*'s work; its hops are refined one at a time, and stretches of tiles are
smoothed.  Near-optimal: what is given up is that an entrance is crossed at its middle or its ends.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (Botea, Müller, Schaeffer).
"""

from __future__ import annotations

import numpy as np

from ai.grid.classes import class_bit
from ai.grid.moves import COST_UNIT
from ai.grid.terrain import Terrain
from ai.search import hierarchy_kernels as kernels
from ai.search.smoothing import smooth_path
from ai.state import record, unhashed

CLUSTER = 10
SMOOTHING_REACH = 3 * CLUSTER


def _nothing() -> np.ndarray:
    return np.zeros(0, np.int32)


@record
class ClusterGraph:
    """The abstract graph of one movement class over clusters of ``size`` x ``size`` tiles.

    It follows from the terrain alone, so it is saved but not hashed; array layouts are those of
    :mod:`ai.search.hierarchy_kernels`.  ``versions`` int32[clusters] counts how often each cluster was built.
    """

    movement_class: int
    size: int
    revision: int = 0
    slots: np.ndarray = unhashed(_nothing)
    nodes: np.ndarray = unhashed(_nothing)
    crossings: np.ndarray = unhashed(_nothing)
    counts: np.ndarray = unhashed(_nothing)
    distances: np.ndarray = unhashed(_nothing)
    versions: np.ndarray = unhashed(_nothing)

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int = 0, size: int = CLUSTER) -> ClusterGraph:
        """Build all clusters.  ValueError for a size outside 4..32."""
        class_bit(movement_class)
        if not 4 <= size <= 32:
            raise ValueError(f"clusters must be 4..32 tiles wide, got {size}")
        made = cls(int(movement_class), size)
        rows, columns = -(-terrain.height // size), -(-terrain.width // size)
        # Entrances of a side are at least a tile apart.
        most = 4 * ((size + 1) // 2)
        made.slots = np.full(terrain.passable.shape, -1, np.int16)
        made.nodes = np.zeros((rows * columns, most), np.int32)
        made.crossings = np.zeros((rows * columns, most), np.uint8)
        made.counts = np.zeros(rows * columns, np.int32)
        made.distances = np.zeros((rows * columns, most, most), np.int64)
        made.versions = np.zeros((rows, columns), np.int32)
        made._build(terrain, 0, 0, rows, columns)
        made.revision = terrain.revision
        return made

    def update(self, terrain: Terrain) -> int:
        """Rebuild the clusters that edits since the last call can have changed; returns how many."""
        if self.revision == terrain.revision:
            return 0
        changes = terrain.changes_since(self.revision, ("passable", "cost"))
        self.revision = terrain.revision
        if changes is None:
            changes = [(0, 0, terrain.height, terrain.width)]
        rows, columns = self.versions.shape
        dirty = np.zeros((rows, columns), bool)
        for y0, x0, y1, x1 in changes:
            # A tile on a border line also shapes the cluster across; nobody looks across a corner.
            for grow_y, grow_x in ((1, 0), (0, 1)):
                top, left = max(y0 - grow_y, 0) // self.size, max(x0 - grow_x, 0) // self.size
                bottom, right = (y1 - 1 + grow_y) // self.size + 1, (x1 - 1 + grow_x) // self.size + 1
                dirty[top:bottom, left:right] = True
        for row, column in np.argwhere(dirty).tolist():
            self._build(terrain, row, column, row + 1, column + 1)
        return int(dirty.sum())

    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Inter-edges int32[n, 2] and intra-edges int32[m, 2] as pairs of flat tiles, each once, in order."""
        width = self.slots.shape[1]
        inter, intra = [], []
        for c, count in enumerate(self.counts.tolist()):
            for slot in range(count):
                tile = int(self.nodes[c, slot])
                # East and south crossings only: the other end has the other two.
                if self.crossings[c, slot] & 2:
                    inter.append((tile, tile + 1))
                if self.crossings[c, slot] & 4:
                    inter.append((tile, tile + width))
                intra += [
                    (tile, int(self.nodes[c, other]))
                    for other in range(slot + 1, count)
                    if self.distances[c, slot, other] < kernels.FAR
                ]
        return np.array(inter, np.int32).reshape(-1, 2), np.array(intra, np.int32).reshape(-1, 2)

    def _build(self, terrain: Terrain, row0: int, column0: int, row1: int, column1: int) -> None:
        if self.slots.shape != terrain.passable.shape:
            raise ValueError(f"the graph is of {self.slots.shape}, the terrain is {terrain.passable.shape}")
        kernels.build_clusters(
            terrain.passable,
            terrain.cost,
            class_bit(self.movement_class),
            self.size,
            self.slots,
            self.nodes,
            self.crossings,
            self.counts,
            self.distances,
            row0,
            column0,
            row1,
            column1,
        )
        self.versions[row0:row1, column0:column1] += 1


class HierarchicalSearch:
    """Questions to a :class:`ClusterGraph`; holds scratch, no state that outlives a question.

    ``abstract_revolutions`` counts nodes of the abstract search, ``local_revolutions`` tiles looked at in joining
    the ends and in refining, both since the last :meth:`find_abstract`.  ``log`` int64[n, 3] with n > 0 takes down tile
    and g of each node expanded; the abstract search stops when it is full.
    """

    def __init__(self, graph: ClusterGraph) -> None:
        self.graph = graph
        tiles = graph.slots.size
        self._g = np.zeros(tiles, np.int64)
        self._parent = np.zeros(tiles, np.int32)
        self._stamps = np.zeros(tiles, np.int32)
        self._stamp = 0
        self._keys = np.zeros(4096, np.int64)
        self._heap_tiles = np.zeros(4096, np.int32)
        self._out = np.zeros(graph.nodes.size + 2, np.int32)
        self._hop = np.zeros((graph.size * graph.size + 1, 2), np.int32)
        self._answer = np.zeros(4, np.int64)
        self.log = np.zeros((0, 3), np.int64)

    @property
    def cost(self) -> float:
        """Cost of the last abstract path, in tiles."""
        return int(self._answer[kernels.COST]) / COST_UNIT

    @property
    def abstract_revolutions(self) -> int:
        """Abstract nodes expanded."""
        return int(self._answer[kernels.MAIN_REVOLUTIONS])

    @property
    def local_revolutions(self) -> int:
        """Tiles expanded inside clusters."""
        return int(self._answer[kernels.LOCAL_REVOLUTIONS])

    def find_abstract(self, terrain: Terrain, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """The hops of a path as tiles int32[n, 2] (y, x), start first, or None.

        ValueError for tiles outside, and when the graph is older than the terrain.
        """
        graph = self.graph
        if graph.revision != terrain.revision:
            raise ValueError(f"the graph is at revision {graph.revision}, the terrain is at {terrain.revision}")
        for name, (y, x) in (("start", start), ("goal", goal)):
            if not terrain.inside(y, x):
                raise ValueError(f"{name} (y={y}, x={x}) is outside a terrain of {terrain.height} x {terrain.width}")
        bit = class_bit(graph.movement_class)
        if not terrain.passable[goal] & bit or not terrain.passable[start] & bit:
            return None
        while True:
            self._stamp += 1
            count = kernels.find_abstract(
                terrain.passable,
                terrain.cost,
                bit,
                2 * terrain.lowest_cost,
                graph.size,
                graph.slots,
                graph.nodes,
                graph.crossings,
                graph.counts,
                graph.distances,
                self._g,
                self._parent,
                self._stamps,
                self._stamp,
                self._keys,
                self._heap_tiles,
                self._out,
                self._answer,
                *start,
                *goal,
                self.log,
            )
            if count != kernels.NEED_ROOM:
                break
            self._keys = np.zeros(4 * len(self._keys), np.int64)
            self._heap_tiles = np.zeros(len(self._keys), np.int32)
        if count <= 0:
            return None
        tiles = self._out[:count][::-1]
        return np.column_stack((tiles // terrain.width, tiles % terrain.width)).astype(np.int32)

    def refine(self, terrain: Terrain, hops: np.ndarray, first: int = 0, last: int | None = None) -> np.ndarray:
        """Tiles int32[n, 2] of hops ``first`` to ``last`` (default: all), from hops[first] on.

        Refine one hop at a time as it is walked.  ValueError when an edit has closed a hop: plan anew.
        """
        end = len(hops) - 1 if last is None else last
        parts = [np.asarray(hops[first], np.int32).reshape(1, 2)]
        width = terrain.width
        for hop in range(first, end):
            a, b = (int(hops[i][0]) * width + int(hops[i][1]) for i in (hop, hop + 1))
            count = kernels.refine_hop(
                terrain.passable,
                terrain.cost,
                class_bit(self.graph.movement_class),
                self.graph.size,
                a,
                b,
                self._hop,
                self._answer,
            )
            if count == 0:
                raise ValueError(f"hop {hop} is closed")
            parts.append(self._hop[:count].copy())
        return np.concatenate(parts)

    def smooth(self, terrain: Terrain, path: np.ndarray, reach: int = SMOOTHING_REACH) -> np.ndarray:
        """A tile path with stretches of up to ``reach`` steps replaced by octile lines that cost no more."""
        return smooth_path(terrain, self.graph.movement_class, path, reach)

    def find(self, terrain: Terrain, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """The whole path at once: abstract, refined, smoothed; int32[n, 2] (y, x) or None."""
        hops = self.find_abstract(terrain, start, goal)
        return None if hops is None else self.smooth(terrain, self.refine(terrain, hops))
