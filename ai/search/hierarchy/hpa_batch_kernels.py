"""Kernels that answer many long path requests over one cluster graph.

One call does the abstract search and the refinement. The graph is that of :mod:`ai.search.hierarchy.hpa_kernels`, laid
out by :mod:`ai.search.hierarchy.cluster_edge_kernels`. Three things make a path cheap:

- An abstract node has the distances to a few *landmarks*. The triangle inequality turns them into a heuristic that
  accounts for walls and woods. The terrain at measuring time was nowhere less open than now, so the heuristic stays a
  lower bound.
- Each node keeps the small flow field of its cluster. Start and goal are connected by reading it, and hops are refined
  by following it. Neither needs a search.
- The search enters only nodes across a border: a node reached within its cluster adds nothing but its crossings.

Sources: "Journal of Game Development" 1, near-optimal hierarchical path-finding; Goldberg and Harrelson (landmarks).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import kernel
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.heap import heap_pop, heap_push
from ai.search.hierarchy.cluster_edge_kernels import LANDMARKS
from ai.search.hierarchy.hpa_kernels import FAR, FARTHEST, UNIT, cluster_flood, octile

# Rows of the answer vector.
SPENT, DONE, ROOM = 0, 1, 2
# Outcomes of one request.
NO_WAY, WAY, CUT, NEED_ROOM = 0, 1, 2, 3


@kernel(
    "void(uint8[:,::1], uint8[:,::1], int64, int64, int64, int32[::1], int32[::1], int32[:,::1], int32[:,::1],"
    " int64[:,::1], int32[:,::1], int64, uint8[:,::1], int32[:,::1], int64[::1], int32[::1], int32[::1],"
    " int64, int64[::1],"
    " int32[::1], int32[:,::1], int32[:,::1], int64, int64, int32[:,::1], int64[::1], int64[::1], uint8[::1],"
    " int64[::1], int64[:,::1])",
    group="lab",
)
def plan_long_paths(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    lowest: int,
    size: int,
    counts: np.ndarray,
    tiles: np.ndarray,
    edges: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    marks: np.ndarray,
    use_marks: int,
    arrows: np.ndarray,
    away: np.ndarray,
    g: np.ndarray,
    parent: np.ndarray,
    stamps: np.ndarray,
    stamp: int,
    keys: np.ndarray,
    heap_nodes: np.ndarray,
    starts: np.ndarray,
    goals: np.ndarray,
    heuristic_weight: int,
    limit: int,
    out: np.ndarray,
    offsets: np.ndarray,
    revolutions: np.ndarray,
    outcome: np.ndarray,
    answer: np.ndarray,
    log: np.ndarray,
) -> None:
    """Find paths ``starts[i] -> goals[i]``, ``int32[n, 2]`` (y, x), until the limit.

    Path i is ``out[offsets[i]:offsets[i + 1]]`` with ``outcome[i]`` NO_WAY, WAY, CUT (the limit came first) or
    NEED_ROOM (in ``out`` or the heap). CUT and NEED_ROOM end the call. ``answer`` gets the number of answered requests
    and the revolutions spent, including those of the request that was cut.

    ``heuristic_weight`` is the heuristic weight above 1, in 1/64. Ties between paths of equal length are then not
    explored. A path costs at most this fraction more than the best path of the graph.

    The graph comes from :func:`ai.search.hierarchy.cluster_edge_kernels.lay_out_graph`. ``marks`` are its
    ``near_marks``, in units of 2**UNIT. ``arrows`` and ``away`` are the fields of
    :func:`ai.search.hierarchy.hpa_kernels.build_clusters`. ``g``, ``parent`` and ``stamps`` have two entries more than
    there are rows: start and goal. ``log`` int64[m, 3] records row and g of each expanded node. When a log with rows is
    full, the request is CUT.
    """
    width = passable.shape[1]
    across = (width + size - 1) // size
    total = np.int64(tiles.size)
    most = total // counts.size
    local = np.empty(size * size, np.int64)
    arrival = np.empty(size * size, np.uint8)
    local_keys = np.empty(8 * size * size + 8, np.int64)
    local_cells = np.empty(8 * size * size + 8, np.int32)
    goal_marks = np.empty(LANDMARKS, np.int64)
    hops = np.empty(total + 2, np.int64)
    spent = np.int64(0)
    written = np.int64(0)
    offsets[0] = 0
    answer[DONE] = 0
    start_id, goal_id = total, total + 1
    logged = 0
    for question in range(starts.shape[0]):
        sy, sx = np.int64(starts[question, 0]), np.int64(starts[question, 1])
        gy, gx = np.int64(goals[question, 0]), np.int64(goals[question, 1])
        goal = gy << 16 | gx
        outcome[question] = CUT
        revolutions[question] = 0
        offsets[question + 1] = written
        if spent >= limit:
            break
        begun = spent
        start_cluster = (sy // size) * across + sx // size
        goal_cluster = (gy // size) * across + gx // size
        start_top, start_left = sy // size * size, sx // size * size
        goal_top, goal_left = gy // size * size, gx // size * size
        start_cell = (sy - start_top) * size + sx - start_left
        goal_cell = (gy - goal_top) * size + gx - goal_left
        direct = np.int64(FAR)
        if start_cluster == goal_cluster:
            if spent + size * size > limit:
                break
            spent += cluster_flood(
                passable, cost, bit, size, start_top, start_left, sy, sx, -1, 0, local, arrival, local_keys, local_cells
            )
            direct = local[goal_cell]
        # The goal's distances to the landmarks, through the nodes of its cluster.
        known = use_marks != 0
        for m in range(LANDMARKS):
            goal_marks[m] = FARTHEST
        if known:
            for node in range(goal_cluster * most, goal_cluster * most + counts[goal_cluster]):
                rest = np.int64(away[node, goal_cell])
                if rest >= FARTHEST:
                    continue
                if marks[node, 0] < 0:
                    known = False
                    break
                for m in range(LANDMARKS):
                    mark = np.int64(marks[node, m])
                    if mark < FARTHEST:
                        goal_marks[m] = min(goal_marks[m], mark + rest)
        stamp += 1
        g[start_id] = 0
        parent[start_id] = start_id
        stamps[start_id] = stamp
        keys[0] = lowest * octile(sy, sx, gy, gx)
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
            # A negative stamp: closed since this entry was pushed.
            if stamps[node] == -stamp:
                continue
            if log.shape[0] > 0:
                if logged == log.shape[0]:
                    cut = True
                    break
                log[logged, 0] = node
                log[logged, 1] = g[node]
                logged += 1
            stamps[node] = -stamp
            if spent >= limit:
                cut = True
                break
            spent += 1
            if count + 2 * most + 8 > keys.size:
                full = True
                break
            here = g[node]
            tile = sy << 16 | sx
            first, last = start_cluster * most, start_cluster * most + np.int64(counts[start_cluster])
            if node != start_id:
                tile = np.int64(tiles[node])
                first, last = np.int64(edges[node, 0]) - 1, np.int64(edges[node, 1])
            y, x = tile >> 16, tile & 0xFFFF
            if goal_top <= y < goal_top + size and goal_left <= x < goal_left + size:
                step = direct
                if node != start_id:
                    step = np.int64(away[node, goal_cell])
                    step = step << UNIT if step < FARTHEST else np.int64(FAR)
                if step < FAR and (stamps[goal_id] != stamp or here + step < g[goal_id]):
                    g[goal_id] = here + step
                    parent[goal_id] = node
                    stamps[goal_id] = stamp
                    heap_push(keys, heap_nodes, count, here + step, goal_id)
                    count += 1
            for edge in range(first, last):
                # The node itself first, then the nodes of its cluster. Within the cluster no node is nearer through
                # this one than directly, so only their crossings are entered.
                via, there_g = node, here
                if node == start_id or edge >= edges[node, 0]:
                    if node == start_id:
                        via = edge
                        step = np.int64(away[via, start_cell])
                        if step >= FARTHEST:
                            continue
                        step <<= UNIT
                    else:
                        via = np.int64(ends[node, edge])
                        step = lengths[node, edge]
                    there_g = here + step
                    if abs(stamps[via]) == stamp and there_g >= g[via]:
                        continue
                    g[via] = there_g
                    parent[via] = node
                    stamps[via] = stamp
                for crossing in range(edges[via, 0]):
                    other = np.int64(ends[via, crossing])
                    new = there_g + lengths[via, crossing]
                    if abs(stamps[other]) == stamp and new >= g[other]:
                        continue
                    g[other] = new
                    parent[other] = via
                    stamps[other] = stamp
                    there = np.int64(tiles[other])
                    estimate = lowest * octile(there >> 16, there & 0xFFFF, gy, gx)
                    if known and marks[other, 0] >= 0:
                        best = np.int64(0)
                        for m in range(LANDMARKS):
                            apart = abs(np.int64(marks[other, m]) - goal_marks[m])
                            if apart > best and goal_marks[m] < FARTHEST:
                                best = apart
                        estimate = max(estimate, (best - 2) << UNIT)
                    heap_push(keys, heap_nodes, count, new + estimate + (estimate * heuristic_weight >> 6), other)
                    count += 1
        if cut or full:
            outcome[question] = CUT if cut else NEED_ROOM
            revolutions[question] = spent - begun
            break
        outcome[question] = NO_WAY
        if found:
            # Refine from the start on. A hop of known length is a line; other hops are searched within their cluster.
            n = 0
            node = np.int64(goal_id)
            while True:
                hops[n] = node
                n += 1
                if node == start_id:
                    break
                node = np.int64(parent[node])
            y, x = sy, sx
            steps = np.int64(0)
            # A hop has no more tiles than a cluster.
            full = out.shape[0] - written < 1
            if not full:
                out[written, 0] = y
                out[written, 1] = x
                written += 1
            for row in range(n - 2, -1, -1):
                full |= out.shape[0] - written < size * size
                if full:
                    break
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
                if node != goal_id:
                    top, left = ty // size * size, tx // size * size
                    while y != ty or x != tx:
                        k = arrows[node, (y - top) * size + x - left]
                        y += MOVE_Y[k]
                        x += MOVE_X[k]
                        out[written, 0] = y
                        out[written, 1] = x
                        written += 1
                    continue
                # The last part: the path from the goal to the last node, or to the start, reversed.
                last_node = hops[row + 1]
                for writing in range(2):
                    cy, cx = gy, gx
                    at = written - 1
                    if writing:
                        written += steps
                        at = written - 1
                    steps = 0
                    while cy != y or cx != x:
                        if writing:
                            out[at, 0] = cy
                            out[at, 1] = cx
                            at -= 1
                        cell = (cy - goal_top) * size + cx - goal_left
                        k = np.int64(arrival[cell]) ^ 2
                        if last_node != start_id:
                            k = np.int64(arrows[last_node, cell])
                        cy += MOVE_Y[k]
                        cx += MOVE_X[k]
                        steps += 1
                y, x = ty, tx
            if full:
                outcome[question] = NEED_ROOM
                revolutions[question] = spent - begun
                written = offsets[question]
                break
            spent += 1 + ((written - offsets[question]) >> 6)
            if spent > limit:
                spent = limit
                cut = True
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
