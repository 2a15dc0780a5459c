"""Answers many long path requests over terrain costs in one call.

The paths are near-optimal, and a limit of revolutions bounds the call. The cluster graph
(:mod:`ai.search.hierarchy.cluster_graph`) is derived from the terrain alone and repairs itself after each edit. The
path manager uses this module: lowest level, complete paths, one kernel call for all. :mod:`ai.search.hierarchy.hpa`
finds a single path over several levels and refines it as it is walked.

Landmarks make the heuristic accurate. They are measured once, one landmark per slice. They stay valid while the terrain
is nowhere more open than it was then. A door that was open at that time may close and open freely. An edit that opens
more tiles disables the landmarks until they are measured again.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import derived, record, unhashed
from ai.core.thread_pool import ThreadPool
from ai.grid.terrain import Terrain
from ai.search.hierarchy import hpa_batch_kernels as kernels
from ai.search.hierarchy.cluster_edge_kernels import LANDMARKS, measure_graph
from ai.search.hierarchy.cluster_graph import ClusterGraph, Raising
from ai.search.hierarchy.hpa_batch_answers import HpaAnswers, Layout, plan
from ai.search.hierarchy.hpa_batch_kernels import CUT, NEED_ROOM, NO_WAY, WAY

__all__ = ["CUT", "NEED_ROOM", "NO_WAY", "WAY", "HpaAnswers", "HpaBatch"]

CLUSTER = 16


def _nothing() -> np.ndarray:
    return np.zeros((0, 0), np.int32)


@record
class HpaBatch:
    """Cluster graph of one movement class with its landmarks, valid at ``revision``.

    ``marks`` int32[nodes, landmarks] are the landmark distances of the nodes at the tiles ``marked``. They were
    measured on the terrain ``then`` (uint8 [2, height, width]: open to the class, cost); no tile is more open now.
    ``measured`` counts the finished landmarks. A half-measured landmark has ``queued`` nodes in its heap
    (``queue_keys``, ``queue_nodes``) and distances in ``far``.

    The graph itself is derived from the terrain: a restored record builds it again on its first update. ``levels`` is
    the number of levels. Those above the first serve walks that go hop by hop; :meth:`raise_levels` builds them, and
    ``raising`` is the work that remains. ``dirty`` bool[rows, columns] marks the clusters to build or rebuild. While
    any is marked, the graph is not :attr:`whole` and answers no request.
    """

    movement_class: int
    size: int = CLUSTER
    levels: int = 1
    revision: int = 0
    measured: int = 0
    dirty: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), bool))
    marks: np.ndarray = unhashed(_nothing)
    marked: np.ndarray = unhashed(_nothing)
    then: np.ndarray = unhashed(_nothing)
    raising: Raising = field(default_factory=Raising)
    queued: int = 0
    far: np.ndarray = unhashed(_nothing)
    queue_keys: np.ndarray = unhashed(_nothing)
    queue_nodes: np.ndarray = unhashed(_nothing)
    graph_or_none: ClusterGraph | None = derived(lambda: None)
    layout: Layout | None = derived(lambda: None)

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int = 0, size: int = CLUSTER) -> HpaBatch:
        """Build graph and landmarks in one call.

        ValueError for a size outside 4..32.
        """
        made = cls.begin(terrain, movement_class, size)
        made.work(terrain, 1 << 62)
        while made.measured < LANDMARKS:
            made.measure(terrain)
        return made

    @classmethod
    def begin(cls, terrain: Terrain, movement_class: int = 0, size: int = CLUSTER) -> HpaBatch:
        """Return a record whose clusters :meth:`work` still has to build.

        ValueError for a size outside 4..32.
        """
        made = cls(int(movement_class), size, revision=terrain.revision)
        made.graph_or_none = ClusterGraph.begin(terrain, movement_class, size, fields=True)
        made.raising = made.graph.raising
        made.dirty = np.ones(made.graph.versions.shape, bool)
        return made

    @property
    def whole(self) -> bool:
        """Return True if all clusters fit the terrain of the last update."""
        return not self.dirty.any()

    @property
    def raised(self) -> bool:
        """Return True if every level is whole."""
        return self.whole and self.raising.done

    @property
    def graph(self) -> ClusterGraph:
        """Return the cluster graph.

        ValueError after a restore, before :meth:`update`.
        """
        if self.graph_or_none is None:
            raise ValueError("the restored record has no graph yet: call update first")
        return self.graph_or_none

    @property
    def ready(self) -> bool:
        """Return True if the landmarks are valid."""
        return self.measured == LANDMARKS

    def update(self, terrain: Terrain) -> int:
        """Follow the terrain's edits in one call.

        Returns the number of rebuilt clusters.
        """
        self.note(terrain)
        rebuilt = int(self.dirty.sum())
        self.work(terrain, 1 << 62)
        self.raise_levels(terrain, self.levels)
        return rebuilt

    def work(self, terrain: Terrain, limit: int) -> int:
        """Build dirty clusters until ``limit`` revolutions are spent.

        Returns the revolutions spent: one per expanded tile, and as many again for the tables read from it.
        """
        if self.whole:
            return 0
        return 2 * self.graph.rebuild(terrain, self.dirty, limit // 2)

    def note(self, terrain: Terrain) -> None:
        """Mark the clusters dirty that terrain edits may have changed."""
        self._revive(terrain)
        if self.revision == terrain.revision:
            return
        changes = terrain.changes_since(self.revision, ("passable", "cost"))
        if changes is None:
            changes = [(0, 0, terrain.height, terrain.width)]
        self.revision = terrain.revision
        self.dirty |= self.graph.dirty_since(terrain)
        for y0, x0, y1, x1 in changes if self.measured or self.queued else []:
            then = self.then[:, y0:y1, x0:x1]
            cost = terrain.cost[y0:y1, x0:x1]
            if self.measured < LANDMARKS:
                # All landmarks of one set must be measured on the same terrain.
                unlike = bool((then != np.stack([self._open(terrain, y0, x0, y1, x1), cost])).any())
            else:
                unlike = bool((self._open(terrain, y0, x0, y1, x1) & ((then[0] == 0) | (cost < then[1]))).any())
            if unlike:
                self.measured = 0
                self._forget_queue()

    def raise_levels(self, terrain: Terrain, levels: int, limit: int = 1 << 62) -> int:
        """Set the number of levels and build them for at most ``limit`` revolutions.

        The higher levels serve units that walk hop by hop (:mod:`ai.search.hierarchy.hpa_walk`). Returns the
        revolutions spent. :meth:`plan` reads the lowest level only. ValueError outside 1..5.
        """
        if levels != self.levels:
            self.graph.begin_levels(levels)
            self.levels = levels
        return self.graph.raise_levels(terrain, limit) if self.whole and not self.raising.done else 0

    def laid_out(self, terrain: Terrain) -> Layout:
        """Return the current layout for other kernels over the same graph."""
        return self._layout(terrain)

    def revive(self, terrain: Terrain) -> None:
        """Rebuild the derived parts of a restored record in one call.

        Call it while a game is loaded, not in its first tick. ``terrain`` is that of the moment of saving.
        """
        if self.graph_or_none is None:
            self._revive(terrain)
            if self.revision == terrain.revision and self.whole:
                self.prepare(terrain)

    def _revive(self, terrain: Terrain) -> None:
        if self.graph_or_none is None:
            self.graph_or_none = ClusterGraph.begin(terrain, self.movement_class, self.size, self.levels, fields=True)
            self.graph.revision = self.revision
            self.graph.rebuild(terrain, ~self.dirty)
            self._raise_again(terrain)

    def _raise_again(self, terrain: Terrain) -> None:
        """Rebuild the levels to their saved progress, including an unfinished cluster."""
        for had, left in zip(self.graph.raising.left, self.raising.left, strict=True):
            had[:] = ~left
        for had, left in zip(self.graph.raising.left, self.raising.left, strict=True):
            if left.any():
                had.reshape(-1)[np.argmax(left)] = True
                break
        self.graph.raise_levels(terrain)
        self.graph.raising = self.raising

    def prepare(self, terrain: Terrain) -> None:
        """Repair the layout of rebuilt clusters; :meth:`plan` does this first."""
        self._layout(terrain)

    def measure(self, terrain: Terrain, limit: int = 1 << 62) -> int:
        """Measure the next landmark for at most ``limit`` revolutions.

        The next landmark is the node farthest from the existing ones. An unfinished landmark continues in the next
        call. Returns the revolutions used.
        """
        if self.measured == LANDMARKS or not self.whole or limit <= 0:
            return 0
        graph = self.graph
        exists = np.flatnonzero((np.arange(graph.nodes.shape[1]) < graph.counts[:, None]).reshape(-1))
        if self.measured == 0 and self.queued == 0:
            self.marks = np.full((graph.nodes.size, LANDMARKS), kernels.FARTHEST, np.int32)
            self.marked = np.full(graph.nodes.shape, -1, np.int32)
            self.marked.reshape(-1)[exists] = graph.nodes.reshape(-1)[exists]
            self.then = np.stack([self._open(terrain, 0, 0, terrain.height, terrain.width), terrain.cost])
        if len(exists) == 0:
            self.measured = LANDMARKS
            return 0
        layout = self._layout(terrain)
        if self.queued == 0:
            source = int(exists[len(exists) // 2])
            if self.measured:
                nearest = self.marks[exists, : self.measured].min(axis=1)
                source = int(exists[np.argmax(np.where(nearest < kernels.FARTHEST, nearest, -1))])
            self.far = np.full(graph.nodes.size, kernels.FAR, np.int64)
            self.far[source] = 0
            self.queue_keys, self.queue_nodes = np.zeros(1 << 12, np.int64), np.zeros(1 << 12, np.int32)
            self.queue_nodes[0] = source
            self.queued = 1
        spent, answer = 0, np.zeros(2, np.int64)
        while self.queued and spent < limit:
            measure_graph(
                layout.edges, layout.ends, layout.lengths, self.far, self.queue_keys, self.queue_nodes, self.queued,
                limit - spent, answer,
            )  # fmt: skip
            spent += int(answer[0])
            self.queued = int(answer[1])
            if self.queued and spent < limit:
                more = np.zeros_like(self.queue_keys), np.zeros_like(self.queue_nodes)
                self.queue_keys = np.concatenate((self.queue_keys, more[0]))
                self.queue_nodes = np.concatenate((self.queue_nodes, more[1]))
        if self.queued:
            return spent
        g = self.far
        self._forget_queue()
        self.marks[exists, self.measured] = np.minimum(g[exists] >> kernels.UNIT, kernels.FARTHEST)
        # Landmarks enter the layout one by one: no kernel reads them before all are there, and laying out a whole graph
        # takes too long for one tick.
        rows = exists[self.marked.reshape(-1)[exists] == graph.nodes.reshape(-1)[exists]]
        layout.marks[rows, self.measured] = self.marks[rows, self.measured]
        self.measured += 1
        return spent

    def _forget_queue(self) -> None:
        """Drop a half-measured landmark."""
        self.far, self.queue_keys = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.queue_nodes, self.queued = np.zeros(0, np.int32), 0

    def plan(
        self,
        terrain: Terrain,
        starts: np.ndarray,
        goals: np.ndarray,
        limit: int,
        heuristic_weight: int = 0,
        pool: ThreadPool | None = None,
        log: np.ndarray | None = None,
    ) -> HpaAnswers:
        """Find paths ``starts[i] -> goals[i]`` for ``limit`` revolutions.

        Both are int[n, 2] (y, x).

        Starts and goals must be open tiles of the class. ``heuristic_weight`` is the heuristic weight above 1, in 1/64.
        With a thread pool and a large limit the requests run in two halves with half the limit each. The rest of both
        limits goes to the requests that were cut. One thread and two give the same answers and spend the same. ``log``
        int64[m, 3] records row and g of each expanded node for a single request, which is CUT when the log is full.
        ValueError for tiles outside the map, and when the graph is older than the terrain.
        """
        graph = self.graph
        if graph.revision != terrain.revision:
            raise ValueError(f"the graph is at revision {graph.revision}, the terrain is at {terrain.revision}")
        if not self.whole:
            raise ValueError(f"{int(self.dirty.sum())} clusters are yet to be built")
        return plan(
            terrain, graph, self._layout(terrain), self.ready, starts, goals, limit, heuristic_weight, pool, log
        )

    def _open(self, terrain: Terrain, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return uint8 of the rectangle: 1 where the class can stand."""
        return (terrain.passable[y0:y1, x0:x1] >> self.movement_class & 1).astype(np.uint8)

    def _layout(self, terrain: Terrain) -> Layout:
        if self.layout is None:
            self.layout = Layout(self.graph)
        self.layout.follow(terrain, self.graph, self.marks, self.marked)
        return self.layout
