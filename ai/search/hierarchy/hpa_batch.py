"""Long ways over ground of many costs: many questions answered in one call, near-optimal, under a limit of revolutions.

Built on the graph of clusters (:mod:`ai.search.hierarchy.cluster_graph`), which follows from the terrain alone and
repairs itself
by the edit.  This is how the path manager asks it: on the lowest level, whole ways, one kernel call for all.  A single
way over several levels, refined as it is walked, is :mod:`ai.search.hierarchy.hpa`'s.

Landmarks make the heuristic sharp.  They are measured once, one landmark a slice, and stay true while the ground is
nowhere more open than it was then: a door that was open when they were measured may shut and open as it likes.  After
an edit that opens more they are left out of account and measured anew.

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
    """The graph of one movement class with its landmarks, true at ``revision``.

    ``marks`` int32[nodes, landmarks] of the nodes at the tiles ``marked``, measured on the ground ``then`` (uint8
    [2, height, width]: open to the class, cost), than which the ground is nowhere more open now; ``measured`` of them
    are done.  The graph itself follows from the terrain: a restored record builds it again on its first update.
    ``levels`` of the graph, of which all but the first are there for walks that go hop by hop, and made by
    :meth:`raise_levels`; ``raising`` is what is left of that.
    A landmark half measured has ``queued`` nodes in its heap (``queue_keys``, ``queue_nodes``), distances in ``far``.
    ``dirty`` bool[rows, columns] are the clusters that have yet to be built or rebuilt; while there are any the ways
    are not :attr:`whole` and answer nothing.
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
        """Graph and landmarks, all at once.  ValueError for a size outside 4..32."""
        made = cls.begin(terrain, movement_class, size)
        made.work(terrain, 1 << 62)
        while made.measured < LANDMARKS:
            made.measure(terrain)
        return made

    @classmethod
    def begin(cls, terrain: Terrain, movement_class: int = 0, size: int = CLUSTER) -> HpaBatch:
        """Ways that :meth:`work` has yet to build.  ValueError for a size outside 4..32."""
        made = cls(int(movement_class), size, revision=terrain.revision)
        made.graph_or_none = ClusterGraph.begin(terrain, movement_class, size, fields=True)
        made.raising = made.graph.raising
        made.dirty = np.ones(made.graph.versions.shape, bool)
        return made

    @property
    def whole(self) -> bool:
        """Whether every cluster is built for the terrain of the last update."""
        return not self.dirty.any()

    @property
    def raised(self) -> bool:
        """Whether every level is whole."""
        return self.whole and self.raising.done

    @property
    def graph(self) -> ClusterGraph:
        """The graph of clusters.  ValueError right after a restore, before :meth:`update`."""
        if self.graph_or_none is None:
            raise ValueError("restored ways have no graph yet: call update first")
        return self.graph_or_none

    @property
    def ready(self) -> bool:
        """Whether the landmarks serve."""
        return self.measured == LANDMARKS

    def update(self, terrain: Terrain) -> int:
        """Follow the terrain's edits, all at once; returns how many clusters were rebuilt."""
        self.note(terrain)
        rebuilt = int(self.dirty.sum())
        self.work(terrain, 1 << 62)
        self.raise_levels(terrain, self.levels)
        return rebuilt

    def work(self, terrain: Terrain, limit: int) -> int:
        """Build what is dirty until ``limit`` revolutions are spent; returns how many were: a tile expanded, and as
        many for the tables read off it."""
        if self.whole:
            return 0
        return 2 * self.graph.rebuild(terrain, self.dirty, limit // 2)

    def note(self, terrain: Terrain) -> None:
        """Take note of the terrain's edits: what they can have changed is dirty."""
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
                # Landmarks of one set are of one ground.
                unlike = bool((then != np.stack([self._open(terrain, y0, x0, y1, x1), cost])).any())
            else:
                unlike = bool((self._open(terrain, y0, x0, y1, x1) & ((then[0] == 0) | (cost < then[1]))).any())
            if unlike:
                self.measured = 0
                self._forget_queue()

    def raise_levels(self, terrain: Terrain, levels: int, limit: int = 1 << 62) -> int:
        """Give the graph so many levels, for those who walk it hop by hop
        (:mod:`ai.search.hierarchy.hpa_walk`), and go on
        making them for at most ``limit`` revolutions; returns those spent.  Ways of :meth:`plan` read the lowest alone.
        ValueError outside 1..5."""
        if levels != self.levels:
            self.graph.begin_levels(levels)
            self.levels = levels
        return self.graph.raise_levels(terrain, limit) if self.whole and not self.raising.done else 0

    def laid_out(self, terrain: Terrain) -> Layout:
        """The layout as it is now, for other kernels over the same graph."""
        return self._layout(terrain)

    def revive(self, terrain: Terrain) -> None:
        """Build again what a restored record follows from, all at once: while a game is loaded, not in its first tick.

        ``terrain`` is that of the moment that was saved.
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
        """Make of the levels what there was, the cluster that was begun as well, and go on from there."""
        for had, left in zip(self.graph.raising.left, self.raising.left, strict=True):
            had[:] = ~left
        for had, left in zip(self.graph.raising.left, self.raising.left, strict=True):
            if left.any():
                had.reshape(-1)[np.argmax(left)] = True
                break
        self.graph.raise_levels(terrain)
        self.graph.raising = self.raising

    def prepare(self, terrain: Terrain) -> None:
        """What :meth:`plan` does first: mend the layout of the clusters that were rebuilt."""
        self._layout(terrain)

    def measure(self, terrain: Terrain, limit: int = 1 << 62) -> int:
        """Measure the next landmark, the node farthest from those there are, for at most ``limit`` revolutions: one
        that is not done goes on from there.  Returns the revolutions used."""
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
        # Into the layout one by one: nobody reads them before all are there, and a whole graph laid out anew is no
        # work for one tick.
        rows = exists[self.marked.reshape(-1)[exists] == graph.nodes.reshape(-1)[exists]]
        layout.marks[rows, self.measured] = self.marks[rows, self.measured]
        self.measured += 1
        return spent

    def _forget_queue(self) -> None:
        """No landmark is half measured."""
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
        """Ways for starts[i] -> goals[i], int[n, 2] (y, x), in turn until ``limit`` revolutions are spent.

        Starts and goals must be open tiles of the class; ``eager`` 64ths are added to the heuristic.  With a ``crew``
        and an ample limit the questions are asked in two halves with half the limit each, and what both left of it
        goes to those that were cut: who is answered, and what is spent, is the same with one thread or two.  ``log``
        int64[m, 3] takes down row and g of each node expanded for a single question, which is CUT when it is full.
        ValueError for tiles outside, and when the graph is older than the terrain.
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
        """uint8 of the rectangle: 1 where the class may stand."""
        return (terrain.passable[y0:y1, x0:x1] >> self.movement_class & 1).astype(np.uint8)

    def _layout(self, terrain: Terrain) -> Layout:
        if self.layout is None:
            self.layout = Layout(self.graph)
        self.layout.follow(terrain, self.graph, self.marks, self.marked)
        return self.layout
