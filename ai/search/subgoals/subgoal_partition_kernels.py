"""Kernels that choose local subgoals.

A subgoal is local when the others reach each other just as well without it.

Source: "Game AI Pro 2", ch. 15.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.heap import heap_pop, heap_push
from ai.search.jps.uniform_astar_kernels import octile
from ai.search.subgoals.subgoal_graph_kernels import NEED_ROOM

# Progress of a split: the next subgoal, the next of its neighbours, the edges that would replace it so far, entries in
# use, nodes expanded by the last call.
AT, NEXT, EXTRAS, ENTRIES, SPENT = range(5)
PROGRESS_LENGTH = 5


@device
def h_reachable(mask: np.ndarray, stride: int, y: int, x: int, ty: int, tx: int, row: np.ndarray) -> bool:
    """Return whether some octile-length path between two tiles is open.

    ``row`` is bool scratch, one longer than the straight moves. The kernel scans the parallelogram of (diagonal,
    straight) moves, one diagonal count after the other.
    """
    dy, dx = ty - y, tx - x
    step_y = np.int64(dy > 0) - np.int64(dy < 0)
    step_x = np.int64(dx > 0) - np.int64(dx < 0)
    diagonals = min(abs(dy), abs(dx))
    straights = max(abs(dy), abs(dx)) - diagonals
    line_y = step_y if abs(dy) > abs(dx) else 0
    line_x = step_x if abs(dx) > abs(dy) else 0
    k_diagonal, k_straight = 0, 0
    for k in range(8):
        if MOVE_Y[k] == step_y and MOVE_X[k] == step_x:
            k_diagonal = k
        if MOVE_Y[k] == line_y and MOVE_X[k] == line_x:
            k_straight = k
    for d in range(diagonals + 1):
        alive = False
        for s in range(straights + 1):
            here = d == 0 and s == 0
            cell = (y + d * step_y + s * line_y) * stride + x + d * step_x + s * line_x
            if s > 0 and row[s - 1] and mask[cell - line_y * stride - line_x] >> k_straight & 1:
                here = True
            # row[s] still holds the previous line.
            if d > 0 and row[s] and mask[cell - step_y * stride - step_x] >> k_diagonal & 1:
                here = True
            row[s] = here
            alive |= here
        if not alive:
            return False
    return row[straights]


@device
def _bit(step_y: int, step_x: int) -> int:
    """Return the number of a move."""
    for k in range(8):
        if MOVE_Y[k] == step_y and MOVE_X[k] == step_x:
            return k
    return 0


@device
def _cuts_corner(mask: np.ndarray, stride: int, y: int, x: int, in_y: int, in_x: int, out_y: int, out_x: int) -> bool:
    """Return whether two moves over a tile can be shortened."""
    turn = in_y * out_y + in_x * out_x
    if turn != 0:
        return turn < 0
    before = (y - in_y) * stride + x - in_x
    if in_y == 0 or in_x == 0:
        return mask[before] >> _bit(in_y + out_y, in_x + out_x) & 1 != 0
    step_y, step_x = (in_y + out_y) // 2, (in_x + out_x) // 2
    k = _bit(step_y, step_x)
    return mask[before] >> k & 1 != 0 and mask[before + step_y * stride + step_x] >> k & 1 != 0


@device
def _move_of(dy: int, dx: int, straight: bool) -> tuple[int, int]:
    """Return the diagonal or straight move of a path, (0, 0) for none."""
    y = np.int64(dy > 0) - np.int64(dy < 0)
    x = np.int64(dx > 0) - np.int64(dx < 0)
    if not straight:
        return (y, x) if y != 0 and x != 0 else (0, 0)
    if abs(dy) == abs(dx):
        return 0, 0
    return (y, 0) if abs(dy) > abs(dx) else (0, x)


@device
def _is_slack(mask: np.ndarray, stride: int, py: int, px: int, y: int, x: int, qy: int, qx: int) -> bool:
    """Return whether a path over the tile (y, x) can be shortened there.

    Both halves have octile length. Such a half ends with a diagonal or a straight move: every combination must allow a
    shorter way round the tile.
    """
    for first in range(2):
        in_y, in_x = _move_of(y - py, x - px, first == 1)
        for second in range(2):
            out_y, out_x = _move_of(qy - y, qx - x, second == 1)
            if (in_y == 0 and in_x == 0) or (out_y == 0 and out_x == 0):
                continue
            if not _cuts_corner(mask, stride, y, x, in_y, in_x, out_y, out_x):
                return False
    return True


@device
def _reaches(
    pool: np.ndarray,
    heads: np.ndarray,
    places: np.ndarray,
    is_local: np.ndarray,
    p: int,
    q: int,
    without: int,
    longest: int,
    g: np.ndarray,
    stamps: np.ndarray,
    stamp: int,
    keys: np.ndarray,
    nodes: np.ndarray,
    progress: np.ndarray,
) -> bool:
    """Return whether a path from p to q is at most ``longest``.

    The path may begin or end at a local subgoal, but neither lead through one nor through the subgoal ``without``. A*
    opens only nodes whose f is at most ``longest``: they lie in an ellipse round both ends.
    """
    qy, qx = places[q, 0], places[q, 1]
    g[p] = 0
    stamps[p] = stamp
    keys[0] = octile(places[p, 0], places[p, 1], qy, qx)
    nodes[0] = p
    held = 1
    while held > 0:
        f = keys[0]
        u = np.int64(nodes[0])
        heap_pop(keys, nodes, held)
        held -= 1
        progress[SPENT] += 1
        if u == q:
            return True
        uy, ux = places[u, 0], places[u, 1]
        if f > g[u] + octile(uy, ux, qy, qx) or (is_local[u] and u != p):
            continue
        entry = np.int64(heads[u])
        while entry >= 0:
            v = np.int64(pool[entry, 0])
            entry = np.int64(pool[entry, 1])
            if v == without:
                continue
            vy, vx = places[v, 0], places[v, 1]
            new = g[u] + octile(uy, ux, vy, vx)
            estimate = new + octile(vy, vx, qy, qx)
            if estimate <= longest and (stamps[v] != stamp or new < g[v]):
                stamps[v] = stamp
                g[v] = new
                heap_push(keys, nodes, held, estimate, v)
                held += 1
    return False


@kernel(
    "int64(uint8[:,::1], int32[:,::1], int32[::1], int64[:,::1], int32[::1], int32[::1], int32[:,::1], uint8[::1],"
    " int32[:,::1], int64[::1], int64)",
    group="lab",
)
def choose_locals(
    moves: np.ndarray,
    places: np.ndarray,
    order: np.ndarray,
    spans: np.ndarray,
    links: np.ndarray,
    heads: np.ndarray,
    pool: np.ndarray,
    is_local: np.ndarray,
    extra: np.ndarray,
    progress: np.ndarray,
    most: int,
) -> int:
    """Make subgoals local that the others do not need, one after the other.

    ``order`` int32[n] are the subgoals row by row. The growing graph is linked lists: ``heads`` int32[numbers] into
    ``pool`` int32[room, 2] of (neighbour, next). Extra edges join h-reachable neighbours of a local subgoal. Entries e
    and e + 1 of the pool, after those of the links, lead there and back. The split pauses after ``most`` expanded nodes
    and keeps the state of the current subgoal in ``extra`` int32[numbers + 1, 2]. Returns the number of remaining
    subgoals, or NEED_ROOM when the pool is full: continue with a larger one.
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    count = places.shape[0]
    progress[SPENT] = 0
    while progress[AT] < order.size:
        # First build all lists.
        if progress[SPENT] >= most:
            return 2 * order.size - progress[AT]
        s = np.int64(order[progress[AT]])
        used = progress[ENTRIES]
        if used + spans[s, 1] - spans[s, 0] > pool.shape[0]:
            return NEED_ROOM
        heads[s] = -1
        is_local[s] = 0
        for n in range(spans[s, 0], spans[s, 1]):
            pool[used, 0] = links[n]
            pool[used, 1] = heads[s]
            heads[s] = used
            used += 1
        progress[ENTRIES] = used
        progress[SPENT] += 1
        progress[AT] += 1
    g = np.empty(count, np.int64)
    stamps = np.full(count, -1, np.int64)
    joined = np.full(count, -1, np.int64)
    # Each edge of the growing graph enters the open list at most once a search.
    keys = np.empty(pool.shape[0] + 2, np.int64)
    nodes = np.empty(pool.shape[0] + 2, np.int32)
    row = np.empty(stride + moves.shape[0], np.bool_)
    neighbours = np.empty(count + 1, np.int32)
    stamp = 0
    while progress[AT] < 2 * order.size:
        if progress[SPENT] >= most:
            return 2 * order.size - progress[AT]
        s = np.int64(order[progress[AT] - order.size])
        used = progress[ENTRIES]
        sy, sx = np.int64(places[s, 0]), np.int64(places[s, 1])
        degree = 0
        entry = np.int64(heads[s])
        while entry >= 0:
            neighbours[degree] = pool[entry, 0]
            degree += 1
            entry = np.int64(pool[entry, 1])
        extras = progress[EXTRAS]
        needed = False
        for a in range(progress[NEXT], degree):
            if needed:
                break
            if progress[SPENT] >= most:
                progress[NEXT] = a
                progress[EXTRAS] = extras
                return 2 * order.size - progress[AT]
            p = np.int64(neighbours[a])
            py, px = places[p, 0], places[p, 1]
            to_s = octile(py, px, sy, sx)
            entry = np.int64(heads[p])
            while entry >= 0:
                joined[pool[entry, 0]] = p
                entry = np.int64(pool[entry, 1])
            for b in range(a + 1, degree):
                q = np.int64(neighbours[b])
                progress[SPENT] += 1
                # An edge is as short as the octile distance: no path through s is shorter.
                if joined[q] == p:
                    continue
                # The graph keeps shortest paths: where one avoids s, the others reach each other without s.
                if _is_slack(mask, stride, py, px, sy, sx, places[q, 0], places[q, 1]):
                    continue
                stamp += 1
                longest = to_s + octile(sy, sx, places[q, 0], places[q, 1])
                if _reaches(pool, heads, places, is_local, p, q, s, longest, g, stamps, stamp, keys, nodes, progress):
                    continue
                qy, qx = places[q, 0], places[q, 1]
                if extras >= extra.shape[0] or not h_reachable(mask, stride, py, px, qy, qx, row):
                    needed = True
                    break
                extra[extras, 0] = p
                extra[extras, 1] = q
                extras += 1
        if not needed and used + 2 * extras > pool.shape[0]:
            progress[NEXT] = degree
            progress[EXTRAS] = extras
            return NEED_ROOM
        progress[SPENT] += 1
        progress[NEXT] = progress[EXTRAS] = 0
        if needed:
            progress[AT] += 1
            continue
        is_local[s] = 1
        for e in range(extras):
            for turn in range(2):
                p, q = extra[e, turn], extra[e, 1 - turn]
                pool[used, 0] = q
                pool[used, 1] = heads[p]
                heads[p] = used
                used += 1
        progress[ENTRIES] = used
        progress[AT] += 1
    return 0
