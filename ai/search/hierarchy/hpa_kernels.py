"""Kernels of hierarchical search (HPA*): clusters, transitions, search, refinement.

The map is cut into clusters of ``size`` x ``size`` tiles. Where straight moves lead over the border of two clusters,
every maximal run of crossings is an entrance. An entrance gets one transition in its middle, or one at each end from
six tiles on. The tiles of transitions are the abstract nodes, named by their flat tile index. ``slots`` int16[height,
width] is a node's number within its cluster (-1: no node). The arrays of a cluster depend only on its own tiles and on
the first line of tiles beyond its borders. So repairing a cluster is the same as building it.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (Botea, Müller, Schaeffer).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, device_with_arrays, kernel
from ai.grid.moves import DIAGONAL, MOVE_X, MOVE_Y, STRAIGHT
from ai.search.heap import heap_pop, heap_push

WIDE_ENTRANCE = 6
"""Entrance width, in tiles, from which each end gets a transition."""

FAR = 1 << 62

UNIT = 10
"""log2 of the distance unit of int32 tables: flow fields and landmarks."""

FARTHEST = (1 << 31) - 1

NEED_ROOM, STOPPED = -1, -2

# Rows of the answer vector.
COST, MAIN_REVOLUTIONS, LOCAL_REVOLUTIONS, LOCAL_SEARCHES, SMOOTHED_TILES = range(5)


@device
def octile(y: int, x: int, goal_y: int, goal_x: int) -> int:
    """Octile distance in integer units of :mod:`ai.grid.moves`.

    It assumes ground of half the cost 1.
    """
    dy, dx = abs(y - goal_y), abs(x - goal_x)
    return max(dy, dx) * STRAIGHT + min(dy, dx) * (DIAGONAL - STRAIGHT)


@device_with_arrays
def flood_scratch(size: int) -> tuple:
    """Return the scratch of :func:`cluster_flood`: its last four arguments."""
    cells = size * size
    return (
        np.empty(cells, np.int64),
        np.empty(cells, np.uint8),
        np.empty(8 * cells + 8, np.int64),
        np.empty(8 * cells + 8, np.int32),
    )


@device
def cluster_flood(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    size: int,
    top: int,
    left: int,
    start_y: int,
    start_x: int,
    target: int,
    lowest: int,
    g: np.ndarray,
    arrival: np.ndarray,
    keys: np.ndarray,
    cells: np.ndarray,
) -> int:
    """Search inside one cluster; ``g`` int64[size * size] gets the costs.

    A cost is FAR where there is no path. The search is a Dijkstra flood of the cluster when ``target`` is -1. Otherwise
    it is A* to that local cell over ground of at least half the cost ``lowest``. Returns the number of expanded tiles.
    """
    height, width = passable.shape
    target_y, target_x = np.int64(-1), np.int64(-1)
    if target >= 0:
        target_y, target_x = top + target // size, left + target % size
    bottom, right = min(top + size, height), min(left + size, width)
    for i in range(size * size):
        g[i] = FAR
    start = (start_y - top) * size + start_x - left
    g[start] = 0
    arrival[start] = 8
    keys[0] = 0
    if target >= 0:
        keys[0] = lowest * octile(start_y, start_x, target_y, target_x)
    cells[0] = start_y << 16 | start_x
    count = 1
    expanded = 0
    while count > 0:
        f = keys[0]
        place = np.int64(cells[0])
        heap_pop(keys, cells, count)
        count -= 1
        y, x = place >> 16, place & 0xFFFF
        here = g[np.uint64((y - top) * size + x - left)]
        estimate = np.int64(0)
        if target >= 0:
            estimate = lowest * octile(y, x, target_y, target_x)
        if f > here + estimate:
            continue
        expanded += 1
        if y == target_y and x == target_x:
            break
        own_cost = np.int64(cost[y, x])
        for k in range(8):
            ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
            if ny < top or nx < left or ny >= bottom or nx >= right or not passable[ny, nx] & bit:
                continue
            if k >= 4 and not (passable[ny, x] & bit and passable[y, nx] & bit):
                continue
            new = here + (own_cost + np.int64(cost[ny, nx])) * (STRAIGHT if k < 4 else DIAGONAL)
            other = np.uint64((ny - top) * size + nx - left)
            if new < g[other]:
                g[other] = new
                arrival[other] = k
                if target >= 0:
                    new += lowest * octile(ny, nx, target_y, target_x)
                heap_push(keys, cells, count, new, ny << 16 | nx)
                count += 1
    return expanded


@device
def note_transition(nodes: np.ndarray, crossings: np.ndarray, count: int, tile: int, direction: int) -> int:
    """Add a tile to the ordered nodes of a cluster; returns their number."""
    at = 0
    while at < count and nodes[at] < tile:
        at += 1
    if at < count and nodes[at] == tile:
        crossings[at] |= 1 << direction
        return count
    for later in range(count, at, -1):
        nodes[later] = nodes[later - 1]
        crossings[later] = crossings[later - 1]
    nodes[at] = tile
    crossings[at] = 1 << direction
    return count + 1


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int64, int16[:,::1], int32[:,::1], uint8[:,::1], int32[::1],"
    " int64[:,:,::1], uint8[:,::1], int32[:,::1], int64, int64, int64, int64)",
    group="lab",
)
def build_clusters(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    size: int,
    slots: np.ndarray,
    nodes: np.ndarray,
    crossings: np.ndarray,
    counts: np.ndarray,
    distances: np.ndarray,
    arrows: np.ndarray,
    away: np.ndarray,
    row0: int,
    column0: int,
    row1: int,
    column1: int,
) -> int:
    """Build the clusters of rows row0..row1-1 and columns column0..column1-1.

    Returns the number of expanded tiles. ``nodes`` int32[clusters, most] are tiles in ascending order. ``crossings``
    uint8 has a bit for each straight move that leaves the cluster over a transition. ``distances`` int64[clusters,
    most, most] are inside the cluster (FAR: no path). Unless they have no rows, ``arrows`` uint8[clusters * most, size
    * size] get the move towards each node from each cell of its cluster (255: no path), and ``away`` int32 the distance
    in units of 2**UNIT (FARTHEST: no path).
    """
    height, width = passable.shape
    across = (width + size - 1) // size
    g, arrival, keys, cells = flood_scratch(size)
    expanded = 0
    for row in range(row0, row1):
        for column in range(column0, column1):
            c = row * across + column
            top, left = row * size, column * size
            bottom, right = min(top + size, height), min(left + size, width)
            for y in range(top, bottom):
                for x in range(left, right):
                    slots[y, x] = -1
            count = 0
            for k in range(4):
                # Walk along the border line in direction k: (y, x) is inside, (y + dy, x + dx) beyond.
                dy, dx = MOVE_Y[k], MOVE_X[k]
                line_y = bottom - 1 if k == 2 else top
                line_x = right - 1 if k == 1 else left
                length = right - left if dx == 0 else bottom - top
                if not (0 <= line_y + dy < height and 0 <= line_x + dx < width):
                    continue
                run = 0
                for i in range(length + 1):
                    y = line_y if dx == 0 else line_y + i
                    x = line_x + i if dx == 0 else line_x
                    if i < length and passable[y, x] & bit and passable[y + dy, x + dx] & bit:
                        run += 1
                        continue
                    if run > 0:
                        first, last = i - run, i - 1
                        if run < WIDE_ENTRANCE:
                            first = last = (first + last) // 2
                        for position in (first, last):
                            ty = line_y if dx == 0 else line_y + position
                            tx = line_x + position if dx == 0 else line_x
                            count = note_transition(nodes[c], crossings[c], count, ty * width + tx, k)
                    run = 0
            counts[c] = count
            for slot in range(count):
                tile = np.int64(nodes[c, slot])
                slots[tile // width, tile % width] = slot
            for slot in range(count):
                tile = np.int64(nodes[c, slot])
                expanded += cluster_flood(
                    passable, cost, bit, size, top, left, tile // width, tile % width, -1, 0, g, arrival, keys, cells
                )
                for other in range(count):
                    there = np.int64(nodes[c, other])
                    distances[c, slot, other] = g[(there // width - top) * size + there % width - left]
                if arrows.shape[0] > 0:
                    kept = c * nodes.shape[1] + slot
                    for cell in range(size * size):
                        away[kept, cell] = min(g[cell] >> UNIT, FARTHEST)
                        # Moves come in pairs: k and k ^ 2 are opposite.
                        arrows[kept, cell] = arrival[cell] ^ 2 if g[cell] < FAR else 255
    return expanded


@device
def joined(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    size: int,
    tile: int,
    other: int,
    nodes: np.ndarray,
    count: int,
    vector: np.ndarray,
    answer: np.ndarray,
    g: np.ndarray,
    arrival: np.ndarray,
    keys: np.ndarray,
    cells: np.ndarray,
) -> int:
    """Write the distances from a tile to the nodes of its cluster to ``vector``.

    ``vector`` is int64; the row of ``nodes`` with ``count`` nodes is given. Returns the distance to the tile ``other``
    inside the cluster, FAR when there is no path or ``other`` lies in a different cluster.
    """
    width = passable.shape[1]
    y, x = tile // width, tile % width
    top, left = y // size * size, x // size * size
    answer[LOCAL_REVOLUTIONS] += cluster_flood(
        passable, cost, bit, size, top, left, y, x, -1, 0, g, arrival, keys, cells
    )
    for slot in range(count):
        node = np.int64(nodes[slot])
        vector[slot] = g[(node // width - top) * size + node % width - left]
    oy, ox = other // width, other % width
    if oy // size != y // size or ox // size != x // size:
        return FAR
    return g[(oy - top) * size + ox - left]


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int64, int64, int64, int32[::1], int64, int64[::1], int64[::1])",
    group="lab",
)
def join_tile(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    size: int,
    tile: int,
    other: int,
    nodes: np.ndarray,
    count: int,
    vector: np.ndarray,
    answer: np.ndarray,
) -> int:
    """Wrap :func:`joined` for Python."""
    g, arrival, keys, cells = flood_scratch(size)
    return joined(passable, cost, bit, size, tile, other, nodes, count, vector, answer, g, arrival, keys, cells)


@device
def hop_tiles(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    lowest: int,
    size: int,
    first: int,
    last: int,
    out: np.ndarray,
    at: int,
    answer: np.ndarray,
    g: np.ndarray,
    arrival: np.ndarray,
    keys: np.ndarray,
    cells: np.ndarray,
) -> int:
    """Write the tiles of one abstract hop, after ``first`` up to ``last``.

    They start at row ``at`` of ``out``. Returns the row after them, or ``at`` when the path no longer exists. The last
    four arguments are scratch of :func:`cluster_flood`.
    """
    width = passable.shape[1]
    y0, x0 = first // width, first % width
    y1, x1 = last // width, last % width
    if y0 // size != y1 // size or x0 // size != x1 // size:
        out[at, 0] = y1
        out[at, 1] = x1
        return at + 1 if passable[y1, x1] & bit else at
    top, left = y0 // size * size, x0 // size * size
    target = (y1 - top) * size + x1 - left
    answer[LOCAL_REVOLUTIONS] += cluster_flood(
        passable, cost, bit, size, top, left, y0, x0, target, lowest, g, arrival, keys, cells
    )
    if g[target] >= FAR:
        return at
    count = 0
    cell = target
    while arrival[cell] != 8:
        count += 1
        cell -= MOVE_Y[arrival[cell]] * size + MOVE_X[arrival[cell]]
    cell = target
    for row in range(at + count - 1, at - 1, -1):
        out[row, 0] = top + cell // size
        out[row, 1] = left + cell % size
        cell -= MOVE_Y[arrival[cell]] * size + MOVE_X[arrival[cell]]
    return at + count


@kernel("int64(uint8[:,::1], uint8[:,::1], int64, int64, int64, int64, int64, int32[:,::1], int64[::1])", group="lab")
def refine_hop(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    lowest: int,
    size: int,
    first: int,
    last: int,
    out: np.ndarray,
    answer: np.ndarray,
) -> int:
    """Wrap :func:`hop_tiles` for Python.

    Returns the number of tiles, 0 when the path no longer exists.
    """
    g, arrival, keys, cells = flood_scratch(size)
    return hop_tiles(passable, cost, bit, lowest, size, first, last, out, 0, answer, g, arrival, keys, cells)
