"""Answers over the graph of clusters: many questions in one call, in two halves for two threads, under one limit.

The graph is laid out as rows of edges that the kernels read, mended cluster by cluster
(:class:`ai.search.hierarchy.hpa_batch.LongWays` keeps it).

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
"""So many questions are worth a thread of their own."""

AMPLE = 128
"""Revolutions of the limit a question from which on two halves are asked at a time: a limit that is tighter is soon
spent by one, and none of it on a question that either half begins and cannot end."""


@dataclass(frozen=True)
class HpaAnswers:
    """Answers, one row a question; those whose ``outcome`` is CUT were not begun or were cut by the limit.

    Way i is ``tiles[offsets[i]:offsets[i + 1]]`` (y, x) from start to goal, without tiles where there is none;
    ``done`` questions were answered; ``spent`` counts every revolution, and is the sum of ``revolutions``.
    """

    tiles: np.ndarray
    offsets: np.ndarray
    outcome: np.ndarray
    revolutions: np.ndarray
    done: int
    spent: int

    @property
    def answered(self) -> np.ndarray:
        """bool[n]: whose outcome is told.  They are the first ``done``, unless a crew was asked."""
        return self.outcome < CUT


class Scratch:
    """What one search after the other writes over, on a graph of so many ``rows``."""

    def __init__(self, rows: int) -> None:
        self.g = np.zeros(rows + 2, np.int64)
        self.parent = np.zeros(rows + 2, np.int32)
        self.stamps = np.zeros(rows + 2, np.int32)
        self.stamp = 0
        self.keys = np.zeros(1 << 14, np.int64)
        self.heap = np.zeros(1 << 14, np.int32)
        self.out = np.zeros((1 << 16, 2), np.int32)

    def more_heap(self) -> None:
        """For longer lists."""
        self.keys = np.zeros(4 * len(self.keys), np.int64)
        self.heap = np.zeros(len(self.keys), np.int32)

    def more_room(self) -> None:
        """For longer lists and ways, for good: a question that lacks room is asked again from its start."""
        self.more_heap()
        self.out = np.zeros((4 * len(self.out), 2), np.int32)


class Layout:
    """The graph as the kernels read it, and their scratch: follows from the record, mended cluster by cluster."""

    def __init__(self, graph: ClusterGraph) -> None:
        rows, most = graph.nodes.size, graph.nodes.shape[1]
        self.tiles = np.zeros(rows, np.int32)
        self.edges = np.zeros((rows, 2), np.int32)
        # Most slots of most clusters are never in use, and memory that is never written is never taken.
        self.ends, self.lengths = np.zeros((rows, most + 4), np.int32), np.zeros((rows, most + 4), np.int64)
        self.marks = np.zeros((rows, LANDMARKS), np.int32)
        self.versions = np.zeros_like(graph.versions)
        self.scratch = [Scratch(rows)]

    def scratches(self, count: int) -> list[Scratch]:
        """One for each of ``count`` threads."""
        while len(self.scratch) < count:
            self.scratch.append(Scratch(len(self.tiles)))
        return self.scratch[:count]

    def follow(self, terrain: Terrain, graph: ClusterGraph, marks: np.ndarray, marked: np.ndarray) -> None:
        """Lay out anew the clusters that were rebuilt, and those beside them."""
        stale = graph.versions != self.versions
        if not stale.any():
            return
        if not marked.size:  # nothing has ever been measured
            marks, marked = self.marks, np.full(graph.nodes.shape, -1, np.int32)
        # Slots of a rebuilt cluster may have shifted: whoever crosses into it must hear of it.
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
    """What :meth:`ai.search.hierarchy.hpa_batch.LongWays.plan` promises, over a graph that is whole and its layout;
    ``landmarks``:
    whether they serve."""
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
    """The questions first[i] -> last[i], int32[n, 2], one after the other."""
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
        # A question that only lacked room is asked again.  It is not charged twice: how much room there is depends
        # on what was asked before, and is no part of the state.
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
    """The answers of several calls, each to the questions of its rows, in the order of all ``count`` rows; what a
    question took in one that cut it is counted as well."""
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
