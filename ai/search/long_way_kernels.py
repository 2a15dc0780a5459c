"""Kernels for many long ways in one call: abstract search, refinement and all, over one graph of clusters.

The graph is that of :mod:`ai.search.hierarchy_kernels`.  Two things make a way cheap.  An abstract node has the
distances to a few *landmarks*, and the triangle inequality turns them into a heuristic that knows of walls and woods;
they were measured on ground that was nowhere more open than it is now, so the heuristic stays a lower bound.  And a hop
whose length is known is first tried as an octile line of just that cost: most need no local search at all.

Sources: "Journal of Game Development" 1, near-optimal hierarchical path-finding; landmarks as in Goldberg and
Harrelson, "Computing the shortest path: A* search meets graph theory".
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.grid.moves import DIAGONAL, MOVE_X, MOVE_Y, STRAIGHT
from ai.kernels import device, kernel
from ai.search.heap import heap_pop, heap_push
from ai.search.smoothing_kernels import octile_line

FAR = 1 << 62
LANDMARKS = 8
UNIT = 10
"""log2 of the unit of landmark distances, so that they fit an int32."""

FARTHEST = (1 << 31) - 1

# Rows of the answer vector.
SPENT, DONE, ROOM = 0, 1, 2
# Outcomes of one question.
NO_WAY, WAY, CUT, NEED_ROOM = 0, 1, 2, 3


@device
def _octile(y: int, x: int, goal_y: int, goal_x: int) -> int:
    dy, dx = abs(y - goal_y), abs(x - goal_x)
    return max(dy, dx) * STRAIGHT + min(dy, dx) * (DIAGONAL - STRAIGHT)


@device
def _flood(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    lowest: int,
    size: int,
    top: int,
    left: int,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
    limit: int,
    g: np.ndarray,
    arrival: np.ndarray,
    keys: np.ndarray,
    cells: np.ndarray,
) -> int:
    """Costs ``g`` int64[size * size] from a tile inside one cluster; returns how many tiles were expanded.

    With a ``limit`` below FAR it looks for the tile (goal_y, goal_x), known to be so far away, and stops there.
    """
    height, width = passable.shape
    bottom, right = min(top + size, height), min(left + size, width)
    g[:] = FAR
    aimed = limit < FAR
    target = (goal_y - top) * size + goal_x - left
    start = (start_y - top) * size + start_x - left
    g[start] = 0
    arrival[start] = 8
    keys[0] = lowest * _octile(start_y, start_x, goal_y, goal_x) if aimed else 0
    cells[0] = start
    count = 1
    expanded = 0
    while count > 0:
        key = keys[0]
        cell = np.int64(cells[0])
        heap_pop(keys, cells, count)
        count -= 1
        y = top + cell // size
        x = left + cell % size
        here = g[cell]
        if key > (here + lowest * _octile(y, x, goal_y, goal_x) if aimed else here):
            continue
        expanded += 1
        if aimed and cell == target:
            break
        for k in range(8):
            ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
            if ny < top or nx < left or ny >= bottom or nx >= right or not passable[ny, nx] & bit:
                continue
            if k >= 4 and not (passable[ny, x] & bit and passable[y, nx] & bit):
                continue
            new = here + (np.int64(cost[y, x]) + np.int64(cost[ny, nx])) * (STRAIGHT if k < 4 else DIAGONAL)
            other = (ny - top) * size + nx - left
            if new < g[other]:
                rank = new + lowest * _octile(ny, nx, goal_y, goal_x) if aimed else new
                if rank <= limit:
                    g[other] = new
                    arrival[other] = k
                    heap_push(keys, cells, count, rank, other)
                    count += 1
    return expanded


@device
def _from_plain(
    passable: np.ndarray, cost: np.ndarray, bit: int, size: int, top: int, left: int, y: int, x: int, g: np.ndarray
) -> bool:
    """Costs from a tile when its whole cluster is open and of one kind of ground: no flood needed."""
    bottom, right = min(top + size, passable.shape[0]), min(left + size, passable.shape[1])
    own = cost[y, x]
    for row in range(top, bottom):
        for column in range(left, right):
            if not passable[row, column] & bit or cost[row, column] != own:
                return False
    for row in range(top, bottom):
        for column in range(left, right):
            g[(row - top) * size + column - left] = 2 * np.int64(own) * _octile(row, column, y, x)
    return True


@kernel(
    "int64(uint8[:,::1], int64, int16[:,::1], int32[:,::1], uint8[:,::1], int32[::1], int64[:,:,::1], int32[:,::1],"
    " int32[:,::1], int32[::1], int32[::1], int32[:,::1], int32[::1], int64[::1], int32[:,::1])"
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
    first_of: np.ndarray,
    tiles: np.ndarray,
    edges: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    near_marks: np.ndarray,
) -> int:
    """The graph as a list of nodes, cluster by cluster, and of edges, node by node; returns how many edges, -1 when
    ``ends`` is too short.

    ``first_of`` int32[clusters + 1] first node of each cluster, ``tiles`` int32[n] y << 16 | x, ``edges`` int32[n, 3]
    where a node's crossings begin, where its edges within the cluster begin, and where they end; ``ends`` int32 and
    ``lengths`` int64 an edge; ``near_marks`` int32[n, LANDMARKS], -1 for nodes that were not there when measured.
    """
    width = slots.shape[1]
    across = (width + size - 1) // size
    total = 0
    for c in range(counts.size):
        first_of[c] = total
        total += counts[c]
    first_of[counts.size] = total
    used = 0
    for c in range(counts.size):
        for slot in range(counts[c]):
            if used + counts[c] + 4 > ends.size:
                return -1
            node = first_of[c] + slot
            tile = np.int64(nodes[c, slot])
            y, x = tile // width, tile % width
            tiles[node] = y << 16 | x
            edges[node, 0] = used
            for k in range(4):
                if crossings[c, slot] >> k & 1:
                    ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                    ends[used] = first_of[(ny // size) * across + nx // size] + slots[ny, nx]
                    lengths[used] = (np.int64(cost[y, x]) + np.int64(cost[ny, nx])) * STRAIGHT
                    used += 1
            edges[node, 1] = used
            for other in range(counts[c]):
                if other != slot and distances[c, slot, other] < FAR:
                    ends[used] = first_of[c] + other
                    lengths[used] = distances[c, slot, other]
                    used += 1
            edges[node, 2] = used
            was_there = marked[c, slot] == tile
            for m in range(LANDMARKS):
                near_marks[node, m] = marks[c * nodes.shape[1] + slot, m] if was_there else -1
    return used


@kernel("int64(int32[:,::1], int32[::1], int64[::1], int64, int64[::1], int64[::1], int32[::1])")
def measure_graph(
    edges: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    source: int,
    g: np.ndarray,
    keys: np.ndarray,
    heap_nodes: np.ndarray,
) -> int:
    """Distances ``g`` int64[n] over the graph from node ``source``, FAR where there is no way; returns the nodes
    expanded, or -1 when the heap is too short."""
    g[:] = FAR
    g[source] = 0
    keys[0] = 0
    heap_nodes[0] = source
    count = 1
    expanded = 0
    while count > 0:
        here = keys[0]
        node = np.int64(heap_nodes[0])
        heap_pop(keys, heap_nodes, count)
        count -= 1
        if here > g[node]:
            continue
        expanded += 1
        if count + edges[node, 2] - edges[node, 0] > keys.size:
            return -1
        for edge in range(edges[node, 0], edges[node, 2]):
            other = ends[edge]
            new = here + lengths[edge]
            if new < g[other]:
                g[other] = new
                heap_push(keys, heap_nodes, count, new, other)
                count += 1
    return expanded


@kernel(
    "void(uint8[:,::1], uint8[:,::1], int64, int64, int64, int32[::1], int32[::1], int32[:,::1], int32[::1],"
    " int64[::1], int32[:,::1], int64, int64[::1], int32[::1], int32[::1], int64, int64[::1],"
    " int32[::1], int32[:,::1], int32[:,::1], int64, int32[:,::1], int64[::1], int64[::1], uint8[::1], int64[::1])"
)
def plan_long_ways(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    lowest: int,
    size: int,
    first_of: np.ndarray,
    tiles: np.ndarray,
    edges: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    marks: np.ndarray,
    use_marks: int,
    g: np.ndarray,
    parent: np.ndarray,
    stamps: np.ndarray,
    stamp: int,
    keys: np.ndarray,
    heap_nodes: np.ndarray,
    starts: np.ndarray,
    goals: np.ndarray,
    limit: int,
    out: np.ndarray,
    offsets: np.ndarray,
    revolutions: np.ndarray,
    outcome: np.ndarray,
    answer: np.ndarray,
) -> None:
    """Ways for questions starts[i] -> goals[i], int32[n, 2] (y, x), one after the other while revolutions last.

    Way i is ``out[offsets[i]:offsets[i + 1]]`` with ``outcome[i]`` NO_WAY, WAY, CUT (the limit came first) or NEED_ROOM
    (in ``out`` or the heap).  CUT and NEED_ROOM end the call; ``answer`` says how many questions were answered, and how
    many revolutions were spent, those of the question that was cut included.

    The graph is as :func:`lay_out_graph` made it, ``marks`` its ``near_marks``, in units of 2**UNIT; ``g``, ``parent``
    and ``stamps`` have room for two more than there are nodes: start and goal.
    """
    width = passable.shape[1]
    across = (width + size - 1) // size
    total = np.int64(first_of[first_of.size - 1])
    from_start = np.empty(size * size, np.int64)
    to_goal = np.empty(size * size, np.int64)
    local = np.empty(size * size, np.int64)
    arrival = np.empty(size * size, np.uint8)
    local_keys = np.empty(8 * size * size + 8, np.int64)
    local_cells = np.empty(8 * size * size + 8, np.int32)
    goal_marks = np.empty(LANDMARKS, np.int64)
    hops = np.empty(4096, np.int64)
    spent = np.int64(0)
    written = np.int64(0)
    offsets[0] = 0
    answer[DONE] = 0
    start_id, goal_id = total, total + 1
    for question in range(starts.shape[0]):
        sy, sx = np.int64(starts[question, 0]), np.int64(starts[question, 1])
        gy, gx = np.int64(goals[question, 0]), np.int64(goals[question, 1])
        goal = gy << 16 | gx
        outcome[question] = CUT
        revolutions[question] = 0
        offsets[question + 1] = written
        # A flood of a cluster is begun only when it fits: what is charged never exceeds the limit.
        if spent + 2 * size * size > limit:
            break
        begun = spent
        start_cluster = (sy // size) * across + sx // size
        goal_cluster = (gy // size) * across + gx // size
        start_top, start_left = sy // size * size, sx // size * size
        goal_top, goal_left = gy // size * size, gx // size * size
        if _from_plain(passable, cost, bit, size, start_top, start_left, sy, sx, from_start):
            spent += size * size >> 6
        else:
            spent += _flood(
                passable, cost, bit, lowest, size, start_top, start_left, sy, sx, 0, 0, FAR, from_start, arrival,
                local_keys, local_cells,
            )  # fmt: skip
        if _from_plain(passable, cost, bit, size, goal_top, goal_left, gy, gx, to_goal):
            spent += size * size >> 6
        else:
            spent += _flood(
                passable, cost, bit, lowest, size, goal_top, goal_left, gy, gx, 0, 0, FAR, to_goal, arrival,
                local_keys, local_cells,
            )  # fmt: skip
        # The goal's distances to the landmarks, by way of the nodes of its cluster.
        known = use_marks != 0
        for m in range(LANDMARKS):
            goal_marks[m] = FARTHEST
        if known:
            for node in range(first_of[goal_cluster], first_of[goal_cluster + 1]):
                tile = np.int64(tiles[node])
                away = to_goal[((tile >> 16) - goal_top) * size + (tile & 0xFFFF) - goal_left]
                if away >= FAR:
                    continue
                if marks[node, 0] < 0:
                    known = False
                    break
                for m in range(LANDMARKS):
                    mark = np.int64(marks[node, m])
                    if mark < FARTHEST:
                        goal_marks[m] = min(goal_marks[m], mark + (away >> UNIT))
        stamp += 1
        g[start_id] = 0
        parent[start_id] = start_id
        stamps[start_id] = stamp
        keys[0] = lowest * _octile(sy, sx, gy, gx)
        heap_nodes[0] = start_id
        count = 1
        found = False
        cut = False
        full = False
        while count > 0:
            node = np.int64(heap_nodes[0])
            heap_pop(keys, heap_nodes, count)
            count -= 1
            if node == goal_id:
                found = True
                break
            # A negative stamp: closed since this entry was made.
            if stamps[node] == -stamp:
                continue
            stamps[node] = -stamp
            if spent >= limit:
                cut = True
                break
            spent += 1
            here = g[node]
            if node == start_id:
                tile = sy << 16 | sx
                first, last = np.int64(first_of[start_cluster]), np.int64(first_of[start_cluster + 1])
            else:
                tile = np.int64(tiles[node])
                first, last = np.int64(edges[node, 0]), np.int64(edges[node, 2])
                before = parent[node]
                if before == start_id or (
                    (tile >> 16) // size == (np.int64(tiles[before]) >> 16) // size
                    and (tile & 0xFFFF) // size == (np.int64(tiles[before]) & 0xFFFF) // size
                ):
                    # It came here within the cluster: only a crossing leads to anything new.
                    last = np.int64(edges[node, 1])
            if count + last - first + 1 > keys.size:
                full = True
                break
            y, x = tile >> 16, tile & 0xFFFF
            if goal_top <= y < goal_top + size and goal_left <= x < goal_left + size:
                step = to_goal[(y - goal_top) * size + x - goal_left]
                if step < FAR and (stamps[goal_id] != stamp or here + step < g[goal_id]):
                    g[goal_id] = here + step
                    parent[goal_id] = node
                    stamps[goal_id] = stamp
                    heap_push(keys, heap_nodes, count, here + step, goal_id)
                    count += 1
            for edge in range(first, last):
                if node == start_id:
                    other = edge
                    there = np.int64(tiles[other])
                    step = from_start[((there >> 16) - start_top) * size + (there & 0xFFFF) - start_left]
                    if step >= FAR:
                        continue
                else:
                    other = np.int64(ends[edge])
                    there = np.int64(tiles[other])
                    step = lengths[edge]
                new = here + step
                seen = stamps[other]
                if (seen == stamp or seen == -stamp) and new >= g[other]:
                    continue
                g[other] = new
                parent[other] = node
                stamps[other] = stamp
                estimate = lowest * _octile(there >> 16, there & 0xFFFF, gy, gx)
                if known and marks[other, 0] >= 0:
                    best = np.int64(0)
                    for m in range(LANDMARKS):
                        apart = abs(np.int64(marks[other, m]) - goal_marks[m])
                        if apart > best and goal_marks[m] < FARTHEST:
                            best = apart
                    estimate = max(estimate, (best - 2) << UNIT)
                heap_push(keys, heap_nodes, count, new + estimate, other)
                count += 1
        if cut or full:
            outcome[question] = CUT if cut else NEED_ROOM
            revolutions[question] = spent - begun
            break
        outcome[question] = NO_WAY
        if found:
            # Refine from the start on; a hop of known length is a line, or else looked for within its cluster.
            n = 0
            node = np.int64(goal_id)
            while n < 4096:
                hops[n] = node
                n += 1
                if node == start_id:
                    break
                node = np.int64(parent[node])
            if n == 4096 or out.shape[0] - written < (n + 1) * size * size:
                outcome[question] = NEED_ROOM
                revolutions[question] = spent - begun
                break
            y, x = sy, sx
            out[written, 0] = y
            out[written, 1] = x
            written += 1
            for row in range(n - 2, -1, -1):
                node = hops[row]
                tile = goal if node == goal_id else np.int64(tiles[node])
                ty, tx = tile >> 16, tile & 0xFFFF
                if ty == y and tx == x:
                    continue
                if ty // size != y // size or tx // size != x // size:
                    out[written, 0] = ty
                    out[written, 1] = tx
                    written += 1
                    y, x = ty, tx
                    continue
                length = g[node] - g[hops[row + 1]]
                end = np.int64(-1)
                for order in range(3):
                    end = octile_line(passable, cost, bit, order, y, x, ty, tx, length, out, written)
                    if end >= 0:
                        break
                if end >= 0:
                    written = end
                elif spent + size * size > limit:
                    cut = True
                    break
                else:
                    top, left = y // size * size, x // size * size
                    spent += _flood(
                        passable, cost, bit, lowest, size, top, left, y, x, ty, tx, length, local, arrival,
                        local_keys, local_cells,
                    )  # fmt: skip
                    cell = (ty - top) * size + tx - left
                    steps = 0
                    while arrival[cell] != 8:
                        steps += 1
                        cell -= MOVE_Y[arrival[cell]] * size + MOVE_X[arrival[cell]]
                    cell = (ty - top) * size + tx - left
                    for at in range(written + steps - 1, written - 1, -1):
                        out[at, 0] = top + cell // size
                        out[at, 1] = left + cell % size
                        cell -= MOVE_Y[arrival[cell]] * size + MOVE_X[arrival[cell]]
                    written += steps
                y, x = ty, tx
            if cut:
                outcome[question] = CUT
                revolutions[question] = spent - begun
                written = offsets[question]
                break
            outcome[question] = WAY
        offsets[question + 1] = written
        revolutions[question] = spent - begun
        answer[DONE] = question + 1
    answer[SPENT] = spent
    answer[ROOM] = written
