"""Kernels of subgoal graphs: corners, clearances, the reach scan, and the choice of local ones.

A *subgoal* is an open tile at a convex corner of a wall; shortest paths bend only there.  Two tiles are *directly
h-reachable* when every octile-length way between them is open and holds no other subgoal.  ``clear`` int16[cells, 8] is
the number of moves in a direction that neither enter a subgoal nor are blocked; with it the reach scan finds all
directly h-reachable subgoals of a tile in a handful of look-ups.  Cells and costs are those of
:mod:`ai.search.uniform_kernels`.

Source: "Game AI Pro 2", ch. 15.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.kernels import device, kernel
from ai.search.heap import heap_pop, heap_push
from ai.search.uniform_kernels import octile

MOST_REACHED = 4096
"""Room for the subgoals one scan may report."""

NEED_ROOM = -1


@kernel("int64(uint8[:,::1], int32[::1], int32[:,::1])", group="lab")
def place_subgoals(ground: np.ndarray, number: np.ndarray, places: np.ndarray) -> int:
    """Number the subgoals row by row; ``number`` int32[cells] is -1 elsewhere.  Returns how many there are.

    ``places`` int32[room, 2] gets bordered (y, x) as far as it has room.
    """
    height, stride = ground.shape
    count = 0
    for i in range(number.size):
        number[i] = -1
    for y in range(1, height - 1):
        for x in range(1, stride - 1):
            if not ground[y, x]:
                continue
            for k in range(4, 8):
                ty, tx = y + MOVE_Y[k], x + MOVE_X[k]
                # Outside the map both tiles beside the corner are blocked as well.
                if not ground[ty, tx] and ground[ty, x] and ground[y, tx]:
                    number[y * stride + x] = count
                    if count < places.shape[0]:
                        places[count, 0] = y
                        places[count, 1] = x
                    count += 1
                    break
    return count


@kernel("void(uint8[:,::1], int32[::1], int16[:,::1])", group="lab")
def measure_clearance(moves: np.ndarray, number: np.ndarray, clear: np.ndarray) -> None:
    """Clearances of all cells in all directions, by sweeps."""
    height, stride = moves.shape
    for turn in range(1, height - 1):
        for sweep in range(1, stride - 1):
            for k in range(8):
                y = turn if MOVE_Y[k] < 0 else height - 1 - turn
                x = sweep if MOVE_X[k] < 0 else stride - 1 - sweep
                i = y * stride + x
                j = i + MOVE_Y[k] * stride + MOVE_X[k]
                if moves[y, x] >> k & 1 and number[j] < 0:
                    clear[i, k] = clear[j, k] + 1
                else:
                    clear[i, k] = 0


@device
def scan_area(mask: np.ndarray, stride: int, number: np.ndarray, clear: np.ndarray, cell: int, out: np.ndarray) -> int:
    """Write the numbers of all subgoals directly h-reachable from a cell; returns how many."""
    count = 0
    for k in range(8):
        offset = MOVE_Y[k] * stride + MOVE_X[k]
        last = cell + clear[cell, k] * offset
        if mask[last] >> k & 1 and number[last + offset] >= 0:
            out[count] = number[last + offset]
            count += 1
    for diagonal in range(4, 8):
        step = MOVE_Y[diagonal] * stride + MOVE_X[diagonal]
        for half in range(2):
            if half == 0:
                straight = 0 if MOVE_Y[diagonal] < 0 else 2
            else:
                straight = 1 if MOVE_X[diagonal] > 0 else 3
            along = MOVE_Y[straight] * stride + MOVE_X[straight]
            limit = np.int64(clear[cell, straight])
            here = cell
            for _ in range(clear[cell, diagonal]):
                here += step
                length = np.int64(clear[here, straight])
                if length < limit:
                    limit = length
                    end = here + length * along
                    if mask[end] >> straight & 1 and number[end + along] >= 0:
                        out[count] = number[end + along]
                        count += 1
                if limit == 0:
                    break
    return count


@kernel(
    "int64(uint8[:,::1], int32[::1], int32[:,::1], int16[:,::1], int64[::1], int32[::1])",
    group="lab",
)
def link_subgoals(
    moves: np.ndarray,
    number: np.ndarray,
    places: np.ndarray,
    clear: np.ndarray,
    first: np.ndarray,
    links: np.ndarray,
) -> int:
    """The graph as rows: the neighbours of subgoal s are links[first[s]:first[s + 1]].  Returns how many in all.

    Writes no more than ``links`` has room for, so a first call may only count.
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    out = np.empty(MOST_REACHED, np.int32)
    total = 0
    for s in range(places.shape[0]):
        first[s] = total
        count = scan_area(mask, stride, number, clear, places[s, 0] * stride + places[s, 1], out)
        for n in range(count):
            if total + n < links.size:
                links[total + n] = out[n]
        total += count
    first[places.shape[0]] = total
    return total


@kernel("int64(uint8[:,::1], int32[::1], int16[:,::1], int64, int64, int32[::1])", group="lab")
def scan_from(moves: np.ndarray, number: np.ndarray, clear: np.ndarray, y: int, x: int, out: np.ndarray) -> int:
    """Subgoals directly h-reachable from bordered (y, x), for tests and overlays."""
    return scan_area(moves.ravel(), moves.shape[1], number, clear, y * moves.shape[1] + x, out)


@device
def h_reachable(mask: np.ndarray, stride: int, y: int, x: int, ty: int, tx: int, row: np.ndarray) -> bool:
    """Whether some octile-length way is open.  ``row`` bool scratch, one longer than the straight moves.

    Walks the parallelogram of (diagonal, straight) moves made, one diagonal count at a time.
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
            # row[s] still holds the line before this one.
            if d > 0 and row[s] and mask[cell - step_y * stride - step_x] >> k_diagonal & 1:
                here = True
            row[s] = here
            alive |= here
        if not alive:
            return False
    return row[straights]


@kernel(
    "int64(uint8[:,::1], int32[:,::1], int64[::1], int32[::1], int32[::1], int32[:,::1], uint8[::1], int64)",
    group="lab",
)
def choose_locals(
    moves: np.ndarray,
    places: np.ndarray,
    first: np.ndarray,
    links: np.ndarray,
    heads: np.ndarray,
    pool: np.ndarray,
    is_local: np.ndarray,
    used: int,
) -> int:
    """Turn subgoals without which the others reach each other as well into local ones; returns entries used.

    The growing graph is linked lists: ``heads`` int32[n] into ``pool`` int32[room, 2] of (neighbour, next).
    Extra edges join h-reachable neighbours of a local subgoal.  NEED_ROOM when the pool runs full: begin again.
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    count = places.shape[0]
    for s in range(count):
        heads[s] = -1
        is_local[s] = 0
        for n in range(first[s], first[s + 1]):
            if used >= pool.shape[0]:
                return NEED_ROOM
            pool[used, 0] = links[n]
            pool[used, 1] = heads[s]
            heads[s] = used
            used += 1
    g = np.empty(count, np.int64)
    stamps = np.full(count, -1, np.int64)
    keys = np.empty(64 * 1024, np.int64)
    nodes = np.empty(64 * 1024, np.int32)
    row = np.empty(stride + moves.shape[0], np.bool_)
    neighbours = np.empty(count + 1, np.int32)
    extra = np.empty((count + 1, 2), np.int32)
    stamp = 0
    for s in range(count):
        sy, sx = places[s, 0], places[s, 1]
        degree = 0
        entry = np.int64(heads[s])
        while entry >= 0:
            neighbours[degree] = pool[entry, 0]
            degree += 1
            entry = np.int64(pool[entry, 1])
        extras = 0
        needed = False
        for a in range(degree):
            if needed:
                break
            p = np.int64(neighbours[a])
            py, px = places[p, 0], places[p, 1]
            to_s = octile(py, px, sy, sx)
            farthest = np.int64(0)
            for b in range(a + 1, degree):
                q = np.int64(neighbours[b])
                farthest = max(farthest, octile(sy, sx, places[q, 0], places[q, 1]))
            # Dijkstra from p, without s and the local ones, as far as any way through s could be.
            stamp += 1
            g[p] = 0
            stamps[p] = stamp
            keys[0] = 0
            nodes[0] = p
            held = 1
            while held > 0:
                here = keys[0]
                u = np.int64(nodes[0])
                heap_pop(keys, nodes, held)
                held -= 1
                if here > g[u]:
                    continue
                if here > to_s + farthest:
                    break
                # A way may begin at a local subgoal, or end at one, but not lead through it.
                if is_local[u] and u != p:
                    continue
                entry = np.int64(heads[u])
                while entry >= 0:
                    v = np.int64(pool[entry, 0])
                    entry = np.int64(pool[entry, 1])
                    if v == s:
                        continue
                    new = here + octile(places[u, 0], places[u, 1], places[v, 0], places[v, 1])
                    if stamps[v] != stamp or new < g[v]:
                        stamps[v] = stamp
                        g[v] = new
                        if held >= keys.size:
                            return NEED_ROOM
                        heap_push(keys, nodes, held, new, v)
                        held += 1
            for b in range(a + 1, degree):
                q = np.int64(neighbours[b])
                qy, qx = places[q, 0], places[q, 1]
                if stamps[q] == stamp and g[q] <= to_s + octile(sy, sx, qy, qx):
                    continue
                if extras > count or not h_reachable(mask, stride, py, px, qy, qx, row):
                    needed = True
                    break
                extra[extras, 0] = p
                extra[extras, 1] = q
                extras += 1
        if needed:
            continue
        is_local[s] = 1
        for e in range(extras):
            if used + 2 > pool.shape[0]:
                return NEED_ROOM
            for turn in range(2):
                p, q = extra[e, turn], extra[e, 1 - turn]
                pool[used, 0] = q
                pool[used, 1] = heads[p]
                heads[p] = used
                used += 1
    return used
