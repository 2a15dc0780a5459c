"""Kernel for a complete hierarchical path in one call.

It connects the ends, searches the lowest level, refines the path and smooths it.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (Botea, Müller, Schaeffer).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np
from numba import carray

from ai.core.kernels import kernel
from ai.grid.bits import pointer
from ai.search.hierarchy.hpa_kernels import (
    COST,
    FAR,
    LOCAL_SEARCHES,
    MAIN_REVOLUTIONS,
    NEED_ROOM,
    SMOOTHED_TILES,
    flood_scratch,
    hop_tiles,
    joined,
)
from ai.search.hierarchy.hpa_level_kernels import search_nodes
from ai.search.jps.uniform_astar_kernels import OUTSIDE
from ai.search.smoothing.octile_smoothing_kernels import smoothed

# Rows of the context: sizes, then addresses, then the answer from ANSWER on.
(
    HEIGHT, WIDTH, SIZE, MOST, CLUSTERS, BIT, REACH, STAMP, ROOM, TILES,
    GROUND, PRICE, SLOTS, NODES, CROSSINGS, COUNTS, DISTANCES, G, PARENT, STAMPS, KEYS, HEAP_TILES, VECTORS, HOPS,
    PATH, OUT, ALONG, ANSWER,
) = range(28)  # fmt: skip
CONTEXT_LENGTH = ANSWER + 5


@kernel("int64(int64[::1], int64, int64, int64, int64, int64)", group="lab")
def find_whole_path(context: np.ndarray, lowest: int, start_y: int, start_x: int, goal_y: int, goal_x: int) -> int:
    """Write a smoothed path to OUT and return its number of tiles.

    The path fills the first rows of OUT int32[TILES, 2] (y, x). Returns 0 when there is no path, OUTSIDE, or NEED_ROOM
    when the heap (ROOM) or PATH, OUT and ALONG (TILES) are too short. Arrays come by address: those of a level, as in
    :mod:`ai.search.hierarchy.hpa_level_kernels`, and scratch. ``lowest`` is twice the lowest cost of any tile.
    """
    height, width = context[HEIGHT], context[WIDTH]
    if not (0 <= start_y < height and 0 <= start_x < width and 0 <= goal_y < height and 0 <= goal_x < width):
        return OUTSIDE
    stamp, size, bit = context[STAMP], context[SIZE], context[BIT]
    most, clusters, room, rows = context[MOST], context[CLUSTERS], context[ROOM], context[TILES]
    passable = carray(pointer(context[GROUND]), (height, width), np.uint8)
    cost = carray(pointer(context[PRICE]), (height, width), np.uint8)
    nodes = carray(pointer(context[NODES]), (clusters, most), np.int32)
    counts = carray(pointer(context[COUNTS]), (clusters,), np.int32)
    g = carray(pointer(context[G]), (height * width,), np.int64)
    parent = carray(pointer(context[PARENT]), (height * width,), np.int32)
    stamps = carray(pointer(context[STAMPS]), (height * width,), np.int32)
    vectors = carray(pointer(context[VECTORS]), (2, most), np.int64)
    hops = carray(pointer(context[HOPS]), (clusters * most + 4,), np.int32)
    tiles = carray(pointer(context[PATH]), (rows, 2), np.int32)
    out = carray(pointer(context[OUT]), (rows, 2), np.int32)
    answer = context[ANSWER:]
    for row in range(answer.size):
        answer[row] = 0
    if not passable[start_y, start_x] & bit or not passable[goal_y, goal_x] & bit:
        return 0
    start, goal = start_y * width + start_x, goal_y * width + goal_x
    if start == goal:
        out[0, 0] = start_y
        out[0, 1] = start_x
        return 1
    local, arrival, local_keys, local_cells = flood_scratch(size)
    direct = np.int64(FAR)
    for end in range(2):
        tile = goal if end else start
        cluster = tile // width // size * ((width + size - 1) // size) + tile % width // size
        direct = joined(
            passable, cost, bit, size, tile, start, nodes[cluster], counts[cluster], vectors[end], answer,
            local, arrival, local_keys, local_cells,
        )  # fmt: skip
    expanded = search_nodes(
        cost,
        size,
        carray(pointer(context[SLOTS]), (height, width), np.int16),
        nodes,
        carray(pointer(context[CROSSINGS]), (clusters, most), np.uint8),
        counts,
        carray(pointer(context[DISTANCES]), (clusters, most, most), np.int64),
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
        carray(pointer(context[KEYS]), (room,), np.int64),
        carray(pointer(context[HEAP_TILES]), (room,), np.int32),
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
        if written + size * size > rows:
            return NEED_ROOM
        written = hop_tiles(
            passable, cost, bit, lowest, size, tile, np.int64(hops[row]), tiles, written, answer,
            local, arrival, local_keys, local_cells,
        )  # fmt: skip
        tile = np.int64(hops[row])
    answer[LOCAL_SEARCHES] = count
    along = carray(pointer(context[ALONG]), (rows,), np.int64)
    return smoothed(passable, cost, bit, tiles, written, context[REACH], out, along, answer[SMOOTHED_TILES:])
