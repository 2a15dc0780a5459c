"""Kernels of subgoal graphs: the search over all levels, and path tiles.

Source: "Game AI Pro 2", ch. 15.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np
from numba import carray

from ai.core.kernels import device, device_with_arrays, kernel
from ai.grid.bits import pointer
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.heap import heap_pop, heap_push
from ai.search.jps.uniform_astar_kernels import COST, OUTSIDE, REVOLUTIONS, STOPPED, octile
from ai.search.jps.uniform_costs import STRAIGHT
from ai.search.subgoals.subgoal_graph_kernels import MOST_REACHED, NEED_ROOM, scan_area

REACHED, TAKES_PART, JOINED = 0, 1, 2

EXPANDED, SCANNED = 2, 3
"""Further entries of the answer: expanded subgoals and scanned cells."""


@device
def _walk_octile(mask: np.ndarray, stride: int, y: int, x: int, ty: int, tx: int) -> int:
    """Return how many "diagonal moves, then straight moves" join two cells.

    The result is negative when the last move is blocked.
    """
    steps = 0
    while y != ty or x != tx:
        dy = np.int64(ty > y) - np.int64(ty < y)
        dx = np.int64(tx > x) - np.int64(tx < x)
        k = 0
        for direction in range(8):
            if MOVE_Y[direction] == dy and MOVE_X[direction] == dx:
                k = direction
        steps += 1
        if not mask[y * stride + x] >> k & 1:
            return -steps
        y += dy
        x += dx
    return steps


@device
def _ends(
    mask: np.ndarray,
    stride: int,
    number: np.ndarray,
    clear: np.ndarray,
    y: int,
    x: int,
    out: np.ndarray,
    answer: np.ndarray,
) -> int:
    """Find the subgoals to which an end of a path is connected.

    That is the end itself when it is a subgoal, otherwise the subgoals in reach.
    """
    cell = y * stride + x
    if number[cell] >= 0:
        out[0] = number[cell]
        return 1
    return scan_area(mask, stride, number, clear, cell, out, answer, SCANNED)


@device
def _climb(
    subgoal: int,
    spans: np.ndarray,
    links: np.ndarray,
    level: np.ndarray,
    top: int,
    stamps: np.ndarray,
    stamp: int,
    todo: np.ndarray,
) -> None:
    """Add a subgoal and its ancestors to the search.

    The ancestors are its neighbours of higher levels, and theirs in turn.
    """
    if stamps[subgoal, TAKES_PART] == stamp:
        return
    stamps[subgoal, TAKES_PART] = stamp
    todo[0] = subgoal
    count = 1
    while count > 0:
        count -= 1
        u = np.int64(todo[count])
        if level[u] >= top:
            continue
        for n in range(spans[u, 0], spans[u, 1]):
            v = np.int64(links[n])
            if level[v] > level[u] and stamps[v, TAKES_PART] != stamp:
                stamps[v, TAKES_PART] = stamp
                todo[count] = v
                count += 1


@device_with_arrays
def _search(
    moves: np.ndarray,
    number: np.ndarray,
    places: np.ndarray,
    clear: np.ndarray,
    spans: np.ndarray,
    links: np.ndarray,
    level: np.ndarray,
    top: int,
    g: np.ndarray,
    parent: np.ndarray,
    stamps: np.ndarray,
    to_goal: np.ndarray,
    stamp: int,
    keys: np.ndarray,
    nodes: np.ndarray,
    out: np.ndarray,
    answer: np.ndarray,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
    log: np.ndarray,
    reached: np.ndarray,
) -> int:
    """Find a shortest path as corners (y, x) without border, goal first.

    Returns their number, 0 for none, or NEED_ROOM. ``stamps`` int64[n, 3] records three facts per subgoal. The first is
    whether this search reached it. The second is whether it belongs to the search although it is below the ``top``
    level: it is connected to an end, or above such a subgoal. The third is whether it is connected to the goal. A
    revolution is one expanded subgoal, or 64 cells scanned by the direct trial and the area scans around both ends. A
    ``log`` with rows records number and g of each expanded subgoal. The search stops when the log is full (STOPPED).
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    sy, sx, gy, gx = start_y + 1, start_x + 1, goal_y + 1, goal_x + 1
    answer[REVOLUTIONS] = 0
    answer[EXPANDED] = 0
    answer[SCANNED] = 0
    out[0, 0] = goal_y
    out[0, 1] = goal_x
    out[1, 0] = start_y
    out[1, 1] = start_x
    if sy == gy and sx == gx:
        answer[COST] = 0
        return 1
    # The area scan reports subgoals only. Two other tiles are linked by this trial or not at all.
    trial = _walk_octile(mask, stride, sy, sx, gy, gx)
    answer[SCANNED] = abs(trial)
    answer[REVOLUTIONS] = answer[SCANNED] >> 6
    if trial > 0:
        answer[COST] = octile(sy, sx, gy, gx)
        return 2
    for n in range(_ends(mask, stride, number, clear, gy, gx, reached, answer)):
        v = np.int64(reached[n])
        stamps[v, JOINED] = stamp
        _climb(v, spans, links, level, top, stamps, stamp, parent)
        to_goal[v] = octile(places[v, 0], places[v, 1], gy, gx)
    held = 0
    joined = _ends(mask, stride, number, clear, sy, sx, reached, answer)
    # Parents are not written yet, so their array serves as the list of subgoals to climb from.
    for n in range(joined):
        _climb(np.int64(reached[n]), spans, links, level, top, stamps, stamp, parent)
    for n in range(joined):
        v = np.int64(reached[n])
        stamps[v, REACHED] = stamp
        g[v] = octile(sy, sx, places[v, 0], places[v, 1])
        parent[v] = -1
        heap_push(keys, nodes, held, g[v] + octile(places[v, 0], places[v, 1], gy, gx), v)
        held += 1
    best = np.int64(1) << 40
    best_from = np.int64(-1)
    pops = 0
    aside = answer[SCANNED] >> 6
    while held > 0:
        f = keys[0]
        u = np.int64(nodes[0])
        heap_pop(keys, nodes, held)
        held -= 1
        if f >= best:
            break
        uy, ux = np.int64(places[u, 0]), np.int64(places[u, 1])
        if f > g[u] + octile(uy, ux, gy, gx):
            continue
        if log.shape[0] > 0:
            if pops == log.shape[0]:
                answer[REVOLUTIONS] = pops + aside
                return STOPPED
            log[pops, 0] = u
            log[pops, 1] = g[u]
        pops += 1
        if stamps[u, JOINED] == stamp and g[u] + to_goal[u] < best:
            best = g[u] + to_goal[u]
            best_from = u
        if held + spans[u, 1] - spans[u, 0] > keys.size:
            return NEED_ROOM
        for n in range(spans[u, 0], spans[u, 1]):
            v = np.int64(links[n])
            if level[v] < top and stamps[v, TAKES_PART] != stamp:
                continue
            vy, vx = np.int64(places[v, 0]), np.int64(places[v, 1])
            new = g[u] + octile(uy, ux, vy, vx)
            if stamps[v, REACHED] == stamp and new >= g[v]:
                continue
            f = new + octile(vy, vx, gy, gx)
            if f >= best:
                continue
            g[v] = new
            parent[v] = u
            stamps[v, REACHED] = stamp
            heap_push(keys, nodes, held, f, v)
            held += 1
    answer[REVOLUTIONS] = pops + aside
    answer[EXPANDED] = pops
    if best_from < 0:
        return 0
    answer[COST] = best
    rows = 1
    u = best_from
    while u >= 0:
        y, x = np.int64(places[u, 0]), np.int64(places[u, 1])
        # An end that is a subgoal is listed once.
        if not (y == gy and x == gx) and not (y == sy and x == sx):
            out[rows, 0] = y - 1
            out[rows, 1] = x - 1
            rows += 1
        u = np.int64(parent[u])
    out[rows, 0] = start_y
    out[rows, 1] = start_x
    return rows + 1


@device
def _refine(moves: np.ndarray, corners: np.ndarray, rows: int, out: np.ndarray, dead: np.ndarray) -> int:
    """Write all tiles along ``rows`` corners, the last corner first.

    Each edge is h-reachable; a depth-first search orders its moves. ``dead`` uint8[rows, columns] of the bordered map
    is scratch, zero before and after. Returns the number of tiles.
    """
    count = 0
    for edge in range(rows - 1, 0, -1):
        y, x = np.int64(corners[edge, 0]) + 1, np.int64(corners[edge, 1]) + 1
        ty, tx = np.int64(corners[edge - 1, 0]) + 1, np.int64(corners[edge - 1, 1]) + 1
        begin = count
        out[count, 0] = y - 1
        out[count, 1] = x - 1
        count += 1
        marked_y0, marked_x0 = min(y, ty), min(x, tx)
        marked_y1, marked_x1 = max(y, ty), max(x, tx)
        while y != ty or x != tx:
            dy, dx = ty - y, tx - x
            step_y = np.int64(dy > 0) - np.int64(dy < 0)
            step_x = np.int64(dx > 0) - np.int64(dx < 0)
            moved = False
            for kind in range(2):
                # Diagonal first; straight along the longer side while that side has moves left.
                my, mx = step_y, step_x
                if kind == 1:
                    if abs(dy) == abs(dx):
                        break
                    my = step_y if abs(dy) > abs(dx) else 0
                    mx = step_x if abs(dx) > abs(dy) else 0
                elif dy == 0 or dx == 0:
                    continue
                k = 0
                for direction in range(8):
                    if MOVE_Y[direction] == my and MOVE_X[direction] == mx:
                        k = direction
                if moves[y, x] >> k & 1 and not dead[y + my, x + mx]:
                    y += my
                    x += mx
                    out[count, 0] = y - 1
                    out[count, 1] = x - 1
                    count += 1
                    moved = True
                    break
            if not moved:
                # A dead end: go one step back.
                dead[y, x] = 1
                count -= 1
                if count == begin:
                    return 0
                y = np.int64(out[count - 1, 0]) + 1
                x = np.int64(out[count - 1, 1]) + 1
        for my in range(marked_y0, marked_y1 + 1):
            for mx in range(marked_x0, marked_x1 + 1):
                dead[my, mx] = 0
        count -= 1
    out[count, 0] = corners[0, 0]
    out[count, 1] = corners[0, 1]
    return count + 1


# Rows of the context: sizes, then addresses, then the answer from ANSWER on.
(
    HEIGHT, STRIDE, COUNT, LINK_COUNT, TOP, STAMP, ROOM, TILES, LOGGED,
    MOVES, NUMBER, PLACES, CLEAR, SPANS, LINKS, LEVEL, G, PARENT, STAMPS, TO_GOAL, KEYS, NODES, OUT, PATH, DEAD,
    IN_REACH, LOG, ANSWER,
) = range(28)  # fmt: skip
CONTEXT_LENGTH = ANSWER + 4


@kernel("int64(int64[::1], int64, int64, int64, int64, int64)", group="lab")
def search_subgoals(context: np.ndarray, start_y: int, start_x: int, goal_y: int, goal_x: int, whole: int) -> int:
    """Run one search on arrays given by their addresses.

    Returns the number of corners in OUT, goal first. When ``whole``, it returns the number of tiles in PATH, start
    first. Codes besides 0 for no path: NEED_ROOM (in the heap or PATH), STOPPED, OUTSIDE.
    """
    height, stride, count = context[HEIGHT], context[STRIDE], context[COUNT]
    if not (0 <= start_y < height - 2 and 0 <= start_x < stride - 2):
        return OUTSIDE
    if not (0 <= goal_y < height - 2 and 0 <= goal_x < stride - 2):
        return OUTSIDE
    context[STAMP] += 1
    size = height * stride
    moves = carray(pointer(context[MOVES]), (height, stride), np.uint8)
    out = carray(pointer(context[OUT]), (count + 4, 2), np.int32)
    answer = context[ANSWER:]
    found = _search(
        moves,
        carray(pointer(context[NUMBER]), (size,), np.int32),
        carray(pointer(context[PLACES]), (count, 2), np.int32),
        carray(pointer(context[CLEAR]), (size, 8), np.int16),
        carray(pointer(context[SPANS]), (count, 2), np.int64),
        carray(pointer(context[LINKS]), (context[LINK_COUNT],), np.int32),
        carray(pointer(context[LEVEL]), (count,), np.uint8),
        context[TOP],
        carray(pointer(context[G]), (count,), np.int64),
        carray(pointer(context[PARENT]), (count,), np.int32),
        carray(pointer(context[STAMPS]), (count, 3), np.int64),
        carray(pointer(context[TO_GOAL]), (count,), np.int64),
        context[STAMP],
        carray(pointer(context[KEYS]), (context[ROOM],), np.int64),
        carray(pointer(context[NODES]), (context[ROOM],), np.int32),
        out,
        answer,
        start_y,
        start_x,
        goal_y,
        goal_x,
        carray(pointer(context[LOG]), (context[LOGGED], 3), np.int64),
        carray(pointer(context[IN_REACH]), (MOST_REACHED,), np.int32),
    )
    if found <= 0 or not whole:
        return found
    # Upper limit for the tiles of a path of this length.
    if answer[COST] // STRAIGHT + 2 > context[TILES]:
        return NEED_ROOM
    path = carray(pointer(context[PATH]), (context[TILES], 2), np.int32)
    return _refine(moves, out, found, path, carray(pointer(context[DEAD]), (height, stride), np.uint8))
