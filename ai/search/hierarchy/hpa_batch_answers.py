"""Answers a batch of HPA* requests over a cluster graph in one call.

The batch can run in two halves on two threads, and both share one limit of revolutions. The kernels read the graph as
rows of edges. :class:`ai.search.hierarchy.hpa_batch.HpaBatch` keeps these rows up to date and repairs them cluster by
cluster.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.core.thread_pool import ThreadPool, halves
from ai.grid.movement_classes import class_bit
from ai.grid.terrain import Terrain
from ai.grid.tiles import narrowed
from ai.search.hierarchy import hpa_batch_kernels as kernels
from ai.search.hierarchy.cluster_edge_kernels import LANDMARKS, lay_out_graph
from ai.search.hierarchy.cluster_graph import ClusterGraph
from ai.search.hierarchy.hpa_batch_kernels import CUT, NEED_ROOM, WAY

_NO_LOG = np.zeros((0, 3), np.int64)

SHARED_QUESTIONS = 4
"""Number of requests from which a second thread is used."""

AMPLE = 128
"""Revolutions per request from which the batch runs in two halves.

One thread soon spends a tighter limit. It also wastes none of it, while each half may start a request that it cannot
finish.
"""


@dataclass(frozen=True)
class HpaAnswers:
    """Answers of a batch, one row per request.

    A request whose ``outcome`` is CUT was not started or was cut off by the limit. Path i is
    ``tiles[offsets[i]:offsets[i + 1]]`` (y, x) from start to goal; it has no tiles when there is no path. ``done`` is
    the number of answered requests. ``spent`` counts all revolutions and is the sum of ``revolutions``.
    """

    tiles: np.ndarray
    offsets: np.ndarray
    outcome: np.ndarray
    revolutions: np.ndarray
    done: int
    spent: int

    @property
    def answered(self) -> np.ndarray:
        """Requests whose outcome is known, bool[n].

        They are the first ``done`` requests, unless a thread pool was used.
        """
        return self.outcome < CUT


class Scratch:
    """Scratch arrays of one search over a graph with ``rows`` nodes.

    Each search overwrites them.
    """

    def __init__(self, rows: int) -> None:
        self.g = np.zeros(rows + 2, np.int64)
        self.parent = np.zeros(rows + 2, np.int32)
        self.stamps = np.zeros(rows + 2, np.int32)
        self.stamp = 0
        self.keys = np.zeros(1 << 14, np.int64)
        self.heap = np.zeros(1 << 14, np.int32)
        self.out = np.zeros((1 << 16, 2), np.int32)

    def more_heap(self) -> None:
        """Make the heap four times as long."""
        self.keys = np.zeros(4 * len(self.keys), np.int64)
        self.heap = np.zeros(len(self.keys), np.int32)

    def more_room(self) -> None:
        """Make the heap and the output four times as long, for good.

        A request that ran out of room starts again from its beginning.
        """
        self.more_heap()
        self.out = np.zeros((4 * len(self.out), 2), np.int32)


class Layout:
    """Arrays of the cluster graph for the kernels, and their scratch.

    They are derived from the graph and repaired cluster by cluster.
    """

    def __init__(self, graph: ClusterGraph) -> None:
        rows, most = graph.nodes.size, graph.nodes.shape[1]
        self.tiles = np.zeros(rows, np.int32)
        self.edges = np.zeros((rows, 2), np.int32)
        # Most slots of most clusters stay unused. The system does not assign memory that is never written.
        self.ends, self.lengths = np.zeros((rows, most + 4), np.int32), np.zeros((rows, most + 4), np.int64)
        self.marks = np.zeros((rows, LANDMARKS), np.int32)
        self.versions = np.zeros_like(graph.versions)
        self.scratch = [Scratch(rows)]

    def scratches(self, count: int) -> list[Scratch]:
        """Return one scratch for each of ``count`` threads."""
        while len(self.scratch) < count:
            self.scratch.append(Scratch(len(self.tiles)))
        return self.scratch[:count]

    def follow(self, terrain: Terrain, graph: ClusterGraph, marks: np.ndarray, marked: np.ndarray) -> None:
        """Rebuild the rows of changed clusters and of their neighbours."""
        stale = graph.versions != self.versions
        if not stale.any():
            return
        if not marked.size:  # no landmark was measured yet
            marks, marked = self.marks, np.full(graph.nodes.shape, -1, np.int32)
        # Slots of a rebuilt cluster may have moved, so the edges that cross into it must be renewed.
        which = stale.copy()
        which[1:] |= stale[:-1]
        which[:-1] |= stale[1:]
        which[:, 1:] |= stale[:, :-1]
        which[:, :-1] |= stale[:, 1:]
        lay_out_graph(
            terrain.cost,
            *graph.base.arrays,
            marks,
            marked,
            which.astype(np.uint8).reshape(-1),
            self.tiles,
            self.edges,
            self.ends,
            self.lengths,
            self.marks,
        )
        self.versions = graph.versions.copy()


def plan(
    terrain: Terrain,
    graph: ClusterGraph,
    layout: Layout,
    landmarks: bool,
    starts: np.ndarray,
    goals: np.ndarray,
    limit: int,
    heuristic_weight: int,
    pool: ThreadPool | None,
    log: np.ndarray | None,
) -> HpaAnswers:
    """Answer requests over a complete graph and its layout.

    The contract is that of :meth:`ai.search.hierarchy.hpa_batch.HpaBatch.plan`. ``landmarks``: whether the landmarks
    are used.
    """
    first, last = (narrowed(v).reshape(-1, 2) for v in (starts, goals))
    n = len(first)
    if last.shape != first.shape:
        raise ValueError(f"starts and goals must both be [n, 2], got {first.shape} and {last.shape}")
    for tiles in (first, last):
        if n and (tiles.min() < 0 or np.any(tiles >= (terrain.height, terrain.width))):
            raise ValueError(f"starts and goals must lie on the map of {terrain.height} x {terrain.width}")
    asked, how = (terrain, graph, layout, landmarks), (heuristic_weight, _NO_LOG if log is None else log)
    parts = halves(n, SHARED_QUESTIONS) if pool and limit >= n * AMPLE else [(0, n)]
    if pool is None or len(parts) == 1:
        return _answer(*asked, layout.scratch[0], first, last, limit, *how)
    scratches, share = layout.scratches(len(parts)), limit // len(parts)
    calls = [
        (*asked, scratch, first[i:j], last[i:j], share, *how) for scratch, (i, j) in zip(scratches, parts, strict=True)
    ]
    found = list(zip([np.arange(i, j) for i, j in parts], pool.share(_answer, calls), strict=True))
    left = limit - sum(call.spent for _, call in found)
    rows = np.concatenate([rows[call.outcome == CUT] for rows, call in found])
    if len(rows) and left > 0:
        found.append((rows, _answer(*asked, scratches[0], first[rows], last[rows], left, *how)))
    return _joined(n, found)


def _answer(
    terrain: Terrain,
    graph: ClusterGraph,
    layout: Layout,
    landmarks: bool,
    scratch: Scratch,
    first: np.ndarray,
    last: np.ndarray,
    limit: int,
    heuristic_weight: int,
    log: np.ndarray,
) -> HpaAnswers:
    """Answer the requests first[i] -> last[i], int32[n, 2], in order."""
    n = len(first)
    offsets, revolutions = np.zeros(n + 1, np.int64), np.zeros(n, np.int64)
    outcome = np.full(n, CUT, np.uint8)
    answer = np.zeros(3, np.int64)
    parts: list[np.ndarray] = []
    done, spent, total = 0, 0, 0
    while done < n:
        if scratch.stamp + n - done > 1 << 30:
            scratch.stamps.fill(0)
            scratch.stamp = 0
        some_offsets, some_revolutions, some_outcome = offsets[done:].copy(), revolutions[done:], outcome[done:]
        kernels.plan_long_paths(
            terrain.passable,
            terrain.cost,
            class_bit(graph.movement_class),
            2 * terrain.lowest_cost,
            graph.size,
            graph.counts,
            layout.tiles,
            layout.edges,
            layout.ends,
            layout.lengths,
            layout.marks,
            int(landmarks),
            graph.arrows,
            graph.away,
            scratch.g,
            scratch.parent,
            scratch.stamps,
            scratch.stamp,
            scratch.keys,
            scratch.heap,
            first[done:],
            last[done:],
            heuristic_weight,
            limit - spent,
            scratch.out,
            some_offsets,
            some_revolutions,
            some_outcome,
            answer,
            log,
        )
        scratch.stamp += n - done
        answered, room = int(answer[kernels.DONE]), int(answer[kernels.ROOM])
        parts.append(scratch.out[:room].copy())
        offsets[done : done + answered + 1] = some_offsets[: answered + 1] + total
        total += room
        done += answered
        # A request that only ran out of room is repeated. It is not charged twice: the amount of room depends on
        # earlier requests and is not part of the state.
        again = done < n and outcome[done] == NEED_ROOM
        spent += int(answer[kernels.SPENT]) - (int(revolutions[done]) if again else 0)
        if not again:
            break
        scratch.more_room()
    outcome[done:] = CUT
    offsets[done + 1 :] = total
    tiles = np.concatenate([*parts, np.zeros((0, 2), np.int32)])
    return HpaAnswers(tiles, offsets, outcome, revolutions, done, spent)


def _joined(count: int, calls: list[tuple[np.ndarray, HpaAnswers]]) -> HpaAnswers:
    """Merge the answers of several calls in the order of all ``count`` rows.

    Each call holds the answers for its own rows. The revolutions of a call that cut a request off are counted too.
    """
    outcome, revolutions = np.full(count, CUT, np.uint8), np.zeros(count, np.int64)
    paths = [np.zeros((0, 2), np.int32)] * count
    for rows, call in calls:
        outcome[rows] = call.outcome
        revolutions[rows] += call.revolutions
        for i in np.flatnonzero(call.outcome == WAY).tolist():
            paths[rows[i]] = call.tiles[call.offsets[i] : call.offsets[i + 1]]
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum([len(path) for path in paths], out=offsets[1:])
    done, spent = (sum(each) for each in zip(*((call.done, call.spent) for _, call in calls), strict=True))
    return HpaAnswers(np.concatenate(paths), offsets, outcome, revolutions, done, spent)
