"""Cluster graph as rows of edges, and distances from one landmark.

The rows serve many long path requests in one call.

Sources: "Journal of Game Development" 1, near-optimal hierarchical path-finding; Goldberg and Harrelson (landmarks).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import kernel
from ai.grid.moves import MOVE_X, MOVE_Y, STRAIGHT
from ai.search.heap import heap_pop, heap_push
from ai.search.hierarchy.hpa_kernels import FAR

LANDMARKS = 8


@kernel(
    "void(uint8[:,::1], int64, int16[:,::1], int32[:,::1], uint8[:,::1], int32[::1], int64[:,:,::1], int32[:,::1],"
    " int32[:,::1], uint8[::1], int32[::1], int32[:,::1], int32[:,::1], int64[:,::1], int32[:,::1])",
    group="lab",
)
def lay_out_graph(
    cost: np.ndarray,
    size: int,
    slots: np.ndarray,
    nodes: np.ndarray,
    crossings: np.ndarray,
    counts: np.ndarray,
    distances: np.ndarray,
    marks: np.ndarray,
    marked: np.ndarray,
    which: np.ndarray,
    tiles: np.ndarray,
    edges: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    near_marks: np.ndarray,
) -> None:
    """Lay out the clusters ``which`` (uint8 each) as rows of edges.

    The row of a node is its cluster * most + its slot. ``tiles`` int32[rows] is y << 16 | x. ``edges`` int32[rows, 2]
    is the number of crossings and of edges of a node. ``ends`` int32 and ``lengths`` int64[rows, most + 4] list the
    crossings first. ``near_marks`` int32[rows, LANDMARKS] is -1 for nodes that did not exist when the landmarks were
    measured.
    """
    width = slots.shape[1]
    across = (width + size - 1) // size
    most = nodes.shape[1]
    for c in range(counts.size):
        if not which[c]:
            continue
        for slot in range(counts[c]):
            node = c * most + slot
            tile = np.int64(nodes[c, slot])
            y, x = tile // width, tile % width
            tiles[node] = y << 16 | x
            used = 0
            for k in range(4):
                if crossings[c, slot] >> k & 1:
                    ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                    ends[node, used] = ((ny // size) * across + nx // size) * most + slots[ny, nx]
                    lengths[node, used] = (np.int64(cost[y, x]) + np.int64(cost[ny, nx])) * STRAIGHT
                    used += 1
            edges[node, 0] = used
            for other in range(counts[c]):
                if other != slot and distances[c, slot, other] < FAR:
                    ends[node, used] = c * most + other
                    lengths[node, used] = distances[c, slot, other]
                    used += 1
            edges[node, 1] = used
            was_there = marked[c, slot] == tile
            for m in range(LANDMARKS):
                near_marks[node, m] = marks[node, m] if was_there else -1


@kernel(
    "void(int32[:,::1], int32[:,::1], int64[:,::1], int64[::1], int64[::1], int32[::1], int64, int64, int64[::1])",
    group="lab",
)
def measure_graph(
    edges: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    g: np.ndarray,
    keys: np.ndarray,
    heap_nodes: np.ndarray,
    count: int,
    limit: int,
    answer: np.ndarray,
) -> None:
    """Continue the distances ``g`` int64[n] over the graph for at most ``limit`` nodes.

    ``g`` is FAR where no distance is known. ``count`` nodes are in the heap at the start. ``answer`` int64[2] gets the
    number of expanded nodes and the new heap count. A heap count of 0 means finished. When entries remain although the
    limit was not reached, the heap was too short.
    """
    expanded = 0
    while count > 0 and expanded < limit:
        here = keys[0]
        node = np.int64(heap_nodes[0])
        if here <= g[node] and count + edges[node, 1] > keys.size:
            break
        heap_pop(keys, heap_nodes, count)
        count -= 1
        if here > g[node]:
            continue
        expanded += 1
        for edge in range(edges[node, 1]):
            other = ends[node, edge]
            new = here + lengths[node, edge]
            if new < g[other]:
                g[other] = new
                heap_push(keys, heap_nodes, count, new, other)
                count += 1
    answer[0] = expanded
    answer[1] = count
