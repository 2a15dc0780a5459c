"""A whole hierarchical way in one call: ends joined, the search over the lowest level, refined and smoothed.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (Botea, Müller, Schaeffer).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.kernels import kernel
from ai.search.hierarchy_kernels import (
    COST,
    FAR,
    LOCAL_REVOLUTIONS,
    LOCAL_SEARCHES,
    MAIN_REVOLUTIONS,
    NEED_ROOM,
    cluster_flood,
    hop_tiles,
)
from ai.search.level_kernels import search_nodes
from ai.search.smoothing_kernels import smoothed


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int64, int64, int16[:,::1], int32[:,::1], uint8[:,::1], int32[::1],"
    " int64[:,:,::1], int64[::1], int32[::1], int32[::1], int64, int64[::1], int32[::1], int64[:,::1], int32[::1],"
    " int32[:,::1], int32[:,::1], int64[::1], int64[::1], int64, int64, int64, int64, int64)",
    group="lab",
)
def find_whole_way(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    lowest: int,
    size: int,
    slots: np.ndarray,
    nodes: np.ndarray,
    crossings: np.ndarray,
    counts: np.ndarray,
    distances: np.ndarray,
    g: np.ndarray,
    parent: np.ndarray,
    stamps: np.ndarray,
    stamp: int,
    keys: np.ndarray,
    heap_tiles: np.ndarray,
    vectors: np.ndarray,
    hops: np.ndarray,
    tiles: np.ndarray,
    out: np.ndarray,
    along: np.ndarray,
    answer: np.ndarray,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
    reach: int,
) -> int:
    """A smoothed way in the first rows of ``out`` int32[n, 2] (y, x); returns how many tiles it has.

    0 when there is none; NEED_ROOM when the heap, or ``tiles`` int32[n, 2], ``out`` and ``along`` int64[n], are too
    short.  The level is that of :mod:`ai.search.level_kernels`, ``vectors`` int64[2, most] and ``hops`` int32 are
    scratch.
    """
    height, width = passable.shape
    for row in range(answer.size):
        answer[row] = 0
    if not passable[start_y, start_x] & bit or not passable[goal_y, goal_x] & bit:
        return 0
    start, goal = start_y * width + start_x, goal_y * width + goal_x
    if start == goal:
        out[0, 0] = start_y
        out[0, 1] = start_x
        return 1
    local = np.empty(size * size, np.int64)
    arrival = np.empty(size * size, np.uint8)
    local_keys = np.empty(8 * size * size + 8, np.int64)
    local_cells = np.empty(8 * size * size + 8, np.int32)
    direct = np.int64(FAR)
    for end in range(2):
        y, x = (start_y, start_x) if end == 0 else (goal_y, goal_x)
        top, left = y // size * size, x // size * size
        answer[LOCAL_REVOLUTIONS] += cluster_flood(
            passable, cost, bit, size, top, left, y, x, -1, 0, local, arrival, local_keys, local_cells
        )
        cluster = y // size * ((width + size - 1) // size) + x // size
        for slot in range(counts[cluster]):
            node = np.int64(nodes[cluster, slot])
            vectors[end, slot] = local[(node // width - top) * size + node % width - left]
        if end == 1 and start_y // size * size == top and start_x // size * size == left:
            direct = local[(start_y - top) * size + start_x - left]
    expanded = search_nodes(
        cost,
        size,
        slots,
        nodes,
        crossings,
        counts,
        distances,
        0,
        0,
        max(height, width),
        start,
        vectors[0],
        goal,
        vectors[1],
        direct,
        lowest,
        g,
        parent,
        stamps,
        stamp,
        keys,
        heap_tiles,
        np.empty((0, 3), np.int64),
    )
    if expanded < 0:
        return NEED_ROOM
    answer[MAIN_REVOLUTIONS] = expanded
    if stamps[goal] != stamp:
        return 0
    answer[COST] = g[goal]
    count = 0
    tile = np.int64(goal)
    while tile != start:
        hops[count] = tile
        count += 1
        tile = np.int64(parent[tile])
    tiles[0, 0] = start_y
    tiles[0, 1] = start_x
    written = 1
    for row in range(count - 1, -1, -1):
        if written + size * size > tiles.shape[0]:
            return NEED_ROOM
        written = hop_tiles(
            passable, cost, bit, lowest, size, tile, np.int64(hops[row]), tiles, written, answer,
            local, arrival, local_keys, local_cells,
        )  # fmt: skip
        tile = np.int64(hops[row])
    answer[LOCAL_SEARCHES] = count
    return smoothed(passable, cost, bit, tiles, written, reach, out, along)
