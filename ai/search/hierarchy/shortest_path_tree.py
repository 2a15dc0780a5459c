"""Shortest-path tree to one goal over a cluster graph, for a crowd.

One search starts at the goal and expands nodes of the graph of :mod:`ai.search.hierarchy.hpa_batch` until it has
reached the cluster of every start. The path of each unit is then read off. It follows the small flow field of its own
cluster to the node with the lowest remaining cost, then goes from node to node. A crowd of a thousand units costs one
search.

Sources: "Game AI Pro 2", 17.4 (one search from the goal serves all units) and 20.5 (one path request per group); the
clusters are those of "Journal of Game Development" 1, near-optimal hierarchical path-finding.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import kernel
from ai.grid.moves import MOVE_X, MOVE_Y, STRAIGHT
from ai.grid.terrain import Terrain
from ai.search.fields.flow_field_kernels import step_on
from ai.search.heap import heap_pop, heap_push
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.hierarchy.hpa_batch_kernels import FARTHEST, UNIT
from ai.search.hierarchy.hpa_kernels import FAR

NOWHERE, THERE = -1, -2
"""Value of ``toward`` without a next node.

It marks a node that was not reached, and a node in the goal's cluster that leads straight to the goal.
"""

SLACK = 40 * 16 * STRAIGHT
"""Distance that the search continues beyond the last start: forty plain tiles.

Without it a start might not have its best node.
"""


@kernel(
    "int64(int64, int64, int32[::1], int32[:,::1], int32[:,::1], int64[:,::1], int32[:,::1], int64, int64,"
    " uint8[::1], int64, int64, int64[::1], int32[::1], int64[::1], int32[::1], int64[::1])",
    group="lab",
)
def grow_tree(
    size: int,
    across: int,
    counts: np.ndarray,
    edges: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    away: np.ndarray,
    goal_y: int,
    goal_x: int,
    wanted: np.ndarray,
    reach: int,
    limit: int,
    g: np.ndarray,
    toward: np.ndarray,
    keys: np.ndarray,
    heap_nodes: np.ndarray,
    answer: np.ndarray,
) -> int:
    """Expand nodes outwards from the tile (goal_y, goal_x).

    Returns the number of expanded nodes, or -1 when the heap is too short. ``g`` int64[rows] gets the cost to the goal,
    ``toward`` int32[rows] the next node. With ``reach`` >= 0 the search expands every node up to that cost. Otherwise
    it continues until each cluster of ``wanted`` uint8[clusters] has a node, and SLACK beyond. Both end after ``limit``
    nodes. ``answer[0]`` becomes the reach.
    """
    most = toward.size // counts.size
    g[:] = FAR
    toward[:] = NOWHERE
    missing = 0
    for c in range(wanted.size):
        missing += int(wanted[c] != 0)
    count = 0
    home = (goal_y // size) * across + goal_x // size
    cell = (goal_y % size) * size + goal_x % size
    for node in range(home * most, home * most + counts[home]):
        if away[node, cell] < FARTHEST:
            g[node] = np.int64(away[node, cell]) << UNIT
            toward[node] = THERE
            heap_push(keys, heap_nodes, count, g[node], node)
            count += 1
    last = np.int64(reach) if reach >= 0 else np.int64(FAR)
    settled = 0
    done = np.zeros(counts.size, np.uint8)
    while count > 0:
        here = keys[0]
        if here > last:
            break
        node = np.int64(heap_nodes[0])
        heap_pop(keys, heap_nodes, count)
        count -= 1
        if here > g[node]:
            continue
        if settled >= limit:
            last = here - 1
            break
        settled += 1
        c = node // most
        if done[c] == 0:
            done[c] = 1
            if wanted[c] != 0:
                missing -= 1
                if missing == 0 and reach < 0:
                    last = here + SLACK
        if count + edges[node, 1] > keys.size:
            return -1
        for edge in range(edges[node, 1]):
            other = ends[node, edge]
            new = here + lengths[node, edge]
            if new < g[other]:
                g[other] = new
                toward[other] = node
                heap_push(keys, heap_nodes, count, new, other)
                count += 1
    # Clear nodes that were seen but not expanded, and nodes as far away as the one at which the limit stopped the
    # search.
    for node in range(toward.size):
        if g[node] > last:
            toward[node] = NOWHERE
    answer[0] = last
    return settled


@kernel(
    "void(uint8[:,::1], int64, int64, int32[::1], int32[::1], uint8[:,::1], int32[:,::1], int64[::1], int32[::1],"
    " int32[:,::1], int32[:,::1], int64, int64, int32[:,:,::1], int32[::1])",
    group="lab",
)
def follow_tree(
    passable: np.ndarray,
    bit: int,
    size: int,
    counts: np.ndarray,
    tiles: np.ndarray,
    arrows: np.ndarray,
    away: np.ndarray,
    g: np.ndarray,
    toward: np.ndarray,
    starts: np.ndarray,
    goals: np.ndarray,
    steps: int,
    close: int,
    out: np.ndarray,
    lengths: np.ndarray,
) -> None:
    """Return the next tiles of each start along the tree.

    ``out`` int32[n, steps + 1, 2] (y, x) begins with the start. ``lengths`` holds the number of tiles, 0 where the tree
    does not reach. A row ends where the tree ends, within ``close`` tiles (along the longer axis) of its own goal, or
    before a step that is no longer legal.
    """
    width = passable.shape[1]
    across = (width + size - 1) // size
    most = toward.size // counts.size
    for i in range(starts.shape[0]):
        y, x = np.int64(starts[i, 0]), np.int64(starts[i, 1])
        out[i, 0, 0], out[i, 0, 1] = y, x
        lengths[i] = 0
        c = (y // size) * across + x // size
        cell = (y % size) * size + x % size
        node = np.int64(-1)
        best = np.int64(FAR)
        for other in range(c * most, c * most + counts[c]):
            if toward[other] != NOWHERE and away[other, cell] < FARTHEST:
                cost = (np.int64(away[other, cell]) << UNIT) + g[other]
                if cost < best:
                    best = cost
                    node = np.int64(other)
        if node < 0:
            continue
        n = 1
        while n <= steps and not (abs(y - goals[i, 0]) <= close and abs(x - goals[i, 1]) <= close):
            ty, tx = np.int64(tiles[node]) >> 16, np.int64(tiles[node]) & 0xFFFF
            if ty == y and tx == x:
                if toward[node] < 0:
                    break
                node = np.int64(toward[node])
                continue
            if ty // size != y // size or tx // size != x // size:
                ny, nx = ty, tx
            else:
                k = arrows[node, (y % size) * size + x % size]
                if k > 7:
                    break
                ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
            if not step_on(passable, bit, y, x, ny, nx, out, i, n):
                break
            y, x = ny, nx
            n += 1
        lengths[i] = n


class ShortestPathTree:
    """Paths of one movement class to one tile.

    The tree is derived from the graph, the goal and the size it was grown to. ``reach`` is in integer cost units,
    ``settled`` counts the expanded nodes, and ``revision`` is the terrain revision it matches.
    """

    def __init__(
        self,
        paths: HpaBatch,
        terrain: Terrain,
        goal: tuple[int, int],
        starts: np.ndarray | None = None,
        reach: int = -1,
        limit: int = 1 << 60,
    ) -> None:
        """Grow the tree to every tile of ``starts``, or as far as ``reach``.

        ``starts`` is int[n, 2] (y, x). In both cases the tree stops after ``limit`` expanded nodes. ValueError when the
        cluster graph is incomplete, or when neither argument is given.
        """
        if not paths.whole or paths.revision != terrain.revision:
            raise ValueError("the cluster graph is not up to date with the terrain")
        if starts is None and reach < 0:
            raise ValueError("a tree needs either starts or a reach")
        graph, layout = paths.graph, paths.laid_out(terrain)
        self.goal, self.revision = goal, terrain.revision
        across = -(-terrain.width // graph.size)
        wanted = np.zeros(len(graph.counts), np.uint8)
        if starts is not None:
            wanted[starts[:, 0] // graph.size * across + starts[:, 1] // graph.size] = 1
        rows = len(layout.tiles)
        self.g, self.toward = np.empty(rows, np.int64), np.empty(rows, np.int32)
        answer = np.zeros(1, np.int64)
        while True:
            self.settled = int(grow_tree(
                graph.size, across, graph.counts, layout.edges, layout.ends, layout.lengths, graph.away, *goal, wanted,
                reach, limit, self.g, self.toward, layout.scratch[0].keys, layout.scratch[0].heap, answer,
            ))  # fmt: skip
            if self.settled >= 0:
                break
            layout.scratch[0].more_heap()
        self.reach = int(answer[0])

    def lead(
        self, paths: HpaBatch, terrain: Terrain, starts: np.ndarray, goals: np.ndarray, steps: int, close: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the next moves of each start along the tree.

        ``starts`` is int32[n, 2]. A row has at most ``steps`` moves and ends within ``close`` tiles of its own goal in
        ``goals`` int32[n, 2]. Returns (tiles int32[n, steps + 1, 2], counts int32[n]); a count is 0 for a start outside
        the tree.
        """
        graph, layout = paths.graph, paths.laid_out(terrain)
        out, lengths = np.empty((len(starts), steps + 1, 2), np.int32), np.zeros(len(starts), np.int32)
        follow_tree(
            terrain.passable, 1 << paths.movement_class, graph.size, graph.counts, layout.tiles, graph.arrows,
            graph.away, self.g, self.toward, np.ascontiguousarray(starts, np.int32),
            np.ascontiguousarray(goals, np.int32), steps, close, out, lengths,
        )  # fmt: skip
        return out, lengths
