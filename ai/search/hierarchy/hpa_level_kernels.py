"""Kernels of a cluster hierarchy with several levels.

One search routine serves building, insertion, the main search and refinement.

A level is five arrays over square clusters of ``size`` tiles, laid out as in :mod:`ai.search.hierarchy.hpa_kernels`:
``slots`` int16[height, width] is the number of a node within its cluster; ``nodes`` int32[clusters, most] its flat
tile, in ascending order; ``crossings`` uint8 the straight moves that leave the cluster there; ``counts`` int32;
``distances`` int64 within the cluster. Level 1 is read from the tiles. A cluster of level l + 1 is 2 x 2 clusters of
level l. Its nodes are the nodes of these clusters that cross its border. Its distances are shortest paths over level l
inside it. So a path costs the same on every level.

:func:`search_nodes` reads only the nodes and edges of one level, inside a given rectangle of clusters. A tile that is
not a node of a level takes part by a vector: its distances to the nodes of its own cluster.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (several levels; appendix).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import MOVE_X, MOVE_Y, STRAIGHT
from ai.search.heap import heap_pop, heap_push
from ai.search.hierarchy.hpa_kernels import FAR, NEED_ROOM, STOPPED, note_transition, octile


@device
def search_nodes(
    cost: np.ndarray,
    size: int,
    slots: np.ndarray,
    nodes: np.ndarray,
    crossings: np.ndarray,
    counts: np.ndarray,
    distances: np.ndarray,
    top: int,
    left: int,
    side: int,
    start: int,
    from_start: np.ndarray,
    goal: int,
    to_goal: np.ndarray,
    direct: int,
    lowest: int,
    g: np.ndarray,
    parent: np.ndarray,
    stamps: np.ndarray,
    stamp: int,
    keys: np.ndarray,
    heap_tiles: np.ndarray,
    log: np.ndarray,
) -> int:
    """Search one level inside the rectangle of ``side`` tiles at (top, left).

    Returns the number of expanded nodes. ``from_start`` and ``to_goal`` int64 are distances to and from the nodes of
    the clusters that hold the tiles ``start`` and ``goal``. ``direct`` is the distance between both tiles inside a
    common cluster (FAR: none). A goal of -1 is never reached. ``lowest`` 0 is Dijkstra, otherwise A*. ``g`` and
    ``parent`` are valid where ``stamps`` equals ``stamp``.
    """
    height, width = slots.shape
    across = (width + size - 1) // size
    bottom, right = min(top + side, height), min(left + side, width)
    start_cluster = start // width // size * across + start % width // size
    goal_y, goal_x = goal // width, goal % width
    goal_cluster = goal_y // size * across + goal_x // size if goal >= 0 else -1
    g[start] = 0
    parent[start] = start
    stamps[start] = stamp
    keys[0] = lowest * octile(start // width, start % width, goal_y, goal_x)
    heap_tiles[0] = start
    count = 1
    expanded = 0
    while count > 0:
        f = keys[0]
        tile = np.int64(heap_tiles[0])
        heap_pop(keys, heap_tiles, count)
        count -= 1
        y = tile // width
        x = tile - y * width
        here = g[tile]
        if f > here + lowest * octile(y, x, goal_y, goal_x):
            continue
        if log.shape[0] > 0:
            if expanded == log.shape[0]:
                return STOPPED
            log[expanded, 0] = tile
            log[expanded, 1] = here
        expanded += 1
        if tile == goal:
            break
        if count + 2 * nodes.shape[1] + 8 > keys.size:
            return NEED_ROOM
        c = (y // size) * across + x // size
        slot = np.int64(slots[y, x])
        # Edges in this order: none (the tile itself), to the nodes of this cluster, to the goal.
        for edge in range(-1, counts[c] + 1):
            other = tile
            new = here
            at = slot if edge < 0 else edge
            if edge >= 0:
                step = np.int64(FAR)
                if edge < counts[c]:
                    other = np.int64(nodes[c, edge])
                    if tile == start:
                        step = from_start[edge]
                    elif slot >= 0:
                        step = distances[c, slot, edge]
                elif c == goal_cluster:
                    other = goal
                    if slot >= 0:
                        step = to_goal[slot]
                    if tile == start and c == start_cluster:
                        step = min(step, direct)
                if step >= FAR or other == tile:
                    continue
                new = here + step
                if stamps[other] == stamp and new >= g[other]:
                    continue
                g[other] = new
                parent[other] = tile
                stamps[other] = stamp
            if other == goal:
                if edge >= 0:
                    heap_push(keys, heap_tiles, count, new, goal)
                    count += 1
                continue
            if at < 0:
                continue
            # Within the cluster no node is nearer through this one than directly. Only its crossings are new, so the
            # node itself need not be entered.
            oy = other // width
            ox = other - oy * width
            for k in range(4):
                if not crossings[c, at] >> k & 1:
                    continue
                ny, nx = oy + MOVE_Y[k], ox + MOVE_X[k]
                if not (top <= ny < bottom and left <= nx < right):
                    continue
                there = ny * width + nx
                across_cost = new + (np.int64(cost[oy, ox]) + np.int64(cost[ny, nx])) * STRAIGHT
                if stamps[there] == stamp and across_cost >= g[there]:
                    continue
                g[there] = across_cost
                parent[there] = other
                stamps[there] = stamp
                heap_push(keys, heap_tiles, count, across_cost + lowest * octile(ny, nx, goal_y, goal_x), there)
                count += 1
    return expanded


@kernel(
    "int64(uint8[:,::1], int64, int16[:,::1], int32[:,::1], uint8[:,::1], int32[::1], int64[:,:,::1],"
    " int16[:,::1], int32[:,::1], uint8[:,::1], int32[::1], int64[:,:,::1], int32[::1], int64, int64,"
    " int64[::1], int32[::1], int32[::1], int64, int64[::1], int32[::1], int64[::1])",
    group="lab",
)
def raise_clusters(
    cost: np.ndarray,
    size: int,
    slots: np.ndarray,
    nodes: np.ndarray,
    crossings: np.ndarray,
    counts: np.ndarray,
    distances: np.ndarray,
    upper_slots: np.ndarray,
    upper_nodes: np.ndarray,
    upper_crossings: np.ndarray,
    upper_counts: np.ndarray,
    upper_distances: np.ndarray,
    which: np.ndarray,
    first: int,
    limit: int,
    g: np.ndarray,
    parent: np.ndarray,
    stamps: np.ndarray,
    stamp: int,
    keys: np.ndarray,
    heap_tiles: np.ndarray,
    answer: np.ndarray,
) -> int:
    """Build the clusters ``which`` int32 of a level from the level below.

    Returns the number of expanded nodes. The five arrays after ``cost`` and ``size`` are the level below, with clusters
    of ``size`` tiles. One search starts at each node; in the first cluster from node ``first`` on. A search starts only
    when it is sure to stay within ``limit``. ``answer`` int64[3] gets the number of finished clusters, the next node of
    the cluster after them, and the last stamp used.
    """
    spent = 0
    answer[0] = answer[1] = 0
    height, width = slots.shape
    across, upper_across = (width + size - 1) // size, (width + 2 * size - 1) // (2 * size)
    down = (height + size - 1) // size
    nothing = np.empty(0, np.int64)
    log = np.empty((0, 3), np.int64)
    for place in range(which.size):
        c = np.int64(which[place])
        row, column = c // upper_across, c % upper_across
        top, left = row * 2 * size, column * 2 * size
        bottom, right = min(top + 2 * size, height), min(left + 2 * size, width)
        for y in range(top, bottom):
            for x in range(left, right):
                upper_slots[y, x] = -1
        count = most = 0
        for child in range(4):
            cy, cx = 2 * row + child // 2, 2 * column + child % 2
            if cy >= down or cx >= across:
                continue
            below = cy * across + cx
            most += counts[below]
            for slot in range(counts[below]):
                tile = np.int64(nodes[below, slot])
                for k in range(4):
                    ny, nx = tile // width + MOVE_Y[k], tile % width + MOVE_X[k]
                    if crossings[below, slot] >> k & 1 and not (top <= ny < bottom and left <= nx < right):
                        count = note_transition(upper_nodes[c], upper_crossings[c], count, tile, k)
        upper_counts[c] = count
        for slot in range(count):
            tile = np.int64(upper_nodes[c, slot])
            upper_slots[tile // width, tile % width] = slot
        for slot in range(first if place == 0 else 0, count):
            if spent + most > limit:
                answer[1] = slot
                answer[2] = stamp
                return spent
            tile = np.int64(upper_nodes[c, slot])
            y, x = tile // width, tile % width
            below = (y // size) * across + x // size
            stamp += 1
            spent += search_nodes(
                cost,
                size,
                slots,
                nodes,
                crossings,
                counts,
                distances,
                top,
                left,
                2 * size,
                tile,
                distances[below, slots[y, x]],
                -1,
                nothing,
                FAR,
                0,
                g,
                parent,
                stamps,
                stamp,
                keys,
                heap_tiles,
                log,
            )
            for other in range(count):
                there = np.int64(upper_nodes[c, other])
                upper_distances[c, slot, other] = g[there] if stamps[there] == stamp else FAR
        answer[0] = place + 1
    answer[2] = stamp
    return spent


@kernel(
    "int64(uint8[:,::1], int64, int16[:,::1], int32[:,::1], uint8[:,::1], int32[::1], int64[:,:,::1],"
    " int64, int64, int64, int64, int64[::1], int64, int64[::1], int64, int64, int32[::1], int64[::1], int32[::1],"
    " int32[::1], int64, int64[::1], int32[::1], int32[::1], int64[:,::1])",
    group="lab",
)
def search_level(
    cost: np.ndarray,
    size: int,
    slots: np.ndarray,
    nodes: np.ndarray,
    crossings: np.ndarray,
    counts: np.ndarray,
    distances: np.ndarray,
    top: int,
    left: int,
    side: int,
    start: int,
    from_start: np.ndarray,
    goal: int,
    to_goal: np.ndarray,
    direct: int,
    lowest: int,
    avoid: np.ndarray,
    g: np.ndarray,
    parent: np.ndarray,
    stamps: np.ndarray,
    stamp: int,
    keys: np.ndarray,
    heap_tiles: np.ndarray,
    out: np.ndarray,
    log: np.ndarray,
) -> int:
    """Wrap :func:`search_nodes` for Python; tiles ``avoid`` int32 are not entered.

    Returns the number of expanded nodes, NEED_ROOM or STOPPED. ``out`` gets the number of tiles of the path (0: none),
    then its tiles, goal first.
    """
    for tile in avoid:
        g[tile] = -1
        stamps[tile] = stamp
    expanded = search_nodes(
        cost,
        size,
        slots,
        nodes,
        crossings,
        counts,
        distances,
        top,
        left,
        side,
        start,
        from_start,
        goal,
        to_goal,
        direct,
        lowest,
        g,
        parent,
        stamps,
        stamp,
        keys,
        heap_tiles,
        log,
    )
    out[0] = 0
    if expanded < 0 or goal < 0 or stamps[goal] != stamp or g[goal] < 0:
        return expanded
    tile = goal
    rows = 1
    while True:
        out[rows] = tile
        if tile == start:
            break
        rows += 1
        tile = np.int64(parent[tile])
    out[0] = rows
    return expanded


@kernel("void(int32[:,::1], int32[::1], int64, int64[::1], int32[::1], int64, int64[::1])", group="lab")
def read_vector(
    nodes: np.ndarray, counts: np.ndarray, cluster: int, g: np.ndarray, stamps: np.ndarray, stamp: int, out: np.ndarray
) -> None:
    """Return distances of the last search to a cluster's nodes; FAR where unreached."""
    for slot in range(counts[cluster]):
        tile = nodes[cluster, slot]
        out[slot] = g[tile] if stamps[tile] == stamp else FAR
