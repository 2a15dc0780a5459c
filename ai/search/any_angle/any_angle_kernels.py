"""Kernels of Theta* and Lazy Theta* on uniform-cost grids.

Vertices are tile centres or tile corners: the two grid models of :mod:`ai.search.any_angle.any_angle_sight`.

Source: "Game AI Pro 2", ch. 16.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import math

import numpy as np
from numba import carray

from ai.core.kernels import device, device_with_arrays, kernel
from ai.grid.bits import pointer
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.any_angle.any_angle_sight import ANSWERS, CENTRES, EXPANDED, LENGTH, REVOLUTIONS, SCANNED, sees

NEED_ROOM, STOPPED, OVER_LIMIT, OUTSIDE, WORN_OUT = -1, -2, -3, -4, -5

OPEN, CLOSED, CHECKED = 1, 2, 3

STAMPS = 1 << 29
"""Number of searches before the arrays must be cleared."""

NEARER = 1e-9
"""Length, in tiles, by which a path must be shorter to replace another."""


@device
def _distance(y0: int, x0: int, y1: int, x1: int) -> float:
    return math.sqrt(float((y1 - y0) * (y1 - y0) + (x1 - x0) * (x1 - x0)))


STEP_Y = np.append(MOVE_Y, [-1, -2, -2, -1, 1, 2, 2, 1])
STEP_X = np.append(MOVE_X, [-2, -1, 1, 2, 2, 1, -1, -2])
STEP_LENGTH = np.hypot(STEP_Y, STEP_X)
"""The eight moves, and eight knight's moves.

Knight's moves are the shortest lines between centres that need no legal move of the grid.
"""

ANCESTORS = 2
"""Number of ancestors beyond the parent that are tested for line of sight."""

BLIND = 4
"""Number of unseen origins that each vertex remembers.

Its neighbours share few parents, so the same line would be tested again and again.
"""

TIGHTENINGS = 64
"""Most rounds of tightening a path; a few are usual."""


@device
def _push(heap: np.ndarray, heap_cells: np.ndarray, count: int, f: float, g: float, cell: int) -> None:
    """Push a node into a heap of ``count`` nodes."""
    at = count
    while at > 0:
        above = (at - 1) >> 1
        if heap[above, 0] < f or (
            heap[above, 0] == f and (heap[above, 1] < -g or (heap[above, 1] == -g and heap_cells[above] <= cell))
        ):
            break
        heap[at, 0] = heap[above, 0]
        heap[at, 1] = heap[above, 1]
        heap_cells[at] = heap_cells[above]
        at = above
    heap[at, 0] = f
    heap[at, 1] = -g
    heap_cells[at] = cell


@device
def _sift(heap: np.ndarray, heap_cells: np.ndarray, count: int) -> None:
    """Remove the first node of a heap, which then has ``count`` nodes."""
    last_f, last_g, last = heap[count, 0], heap[count, 1], heap_cells[count]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and (
            heap[child + 1, 0] < heap[child, 0]
            or (
                heap[child + 1, 0] == heap[child, 0]
                and (
                    heap[child + 1, 1] < heap[child, 1]
                    or (heap[child + 1, 1] == heap[child, 1] and heap_cells[child + 1] < heap_cells[child])
                )
            )
        ):
            child += 1
        if last_f < heap[child, 0] or (
            last_f == heap[child, 0]
            and (last_g < heap[child, 1] or (last_g == heap[child, 1] and last <= heap_cells[child]))
        ):
            break
        heap[at, 0] = heap[child, 0]
        heap[at, 1] = heap[child, 1]
        heap_cells[at] = heap_cells[child]
        at = child
    heap[at, 0] = last_f
    heap[at, 1] = last_g
    heap_cells[at] = last


@device
def _steps(mask: np.ndarray, stride: int, model: int, y: int, x: int) -> int:
    """Return the bits of the steps to try from a vertex.

    They are its moves. Between centres, where some moves near by are missing, knight's moves to vertices with moves are
    added.
    """
    i = y * stride + x
    near = mask[i] & mask[i - 1] & mask[i + 1] & mask[i - stride] & mask[i + stride]
    steps = np.int64(mask[i])
    if model == CENTRES and near != 255:
        rows = mask.size // stride
        for k in range(8, 16):
            ny, nx = y + STEP_Y[k], x + STEP_X[k]
            if 1 <= ny < rows - 1 and 1 <= nx < stride - 1 and mask[ny * stride + nx]:
                steps |= 1 << k
    return steps


@device
def _is_blind(blind: np.ndarray, vertex: int, origin: int) -> bool:
    """Return whether a vertex is known not to see an origin."""
    found = False
    for slot in range(BLIND):
        found |= blind[vertex, slot] == origin
    return found


@device
def _truthful(
    ground: np.ndarray,
    model: int,
    stride: int,
    steps: int,
    closed: int,
    y: int,
    x: int,
    g: np.ndarray,
    parent: np.ndarray,
    status: np.ndarray,
    answer: np.ndarray,
) -> float:
    """Find the best parent of a node and return its g.

    The candidates are closed neighbours, or their ancestors with line of sight to the node.
    """
    i = y * stride + x
    doubted = np.int64(parent[i])
    best = np.inf
    for k in range(16):
        ny, nx = y + STEP_Y[k], x + STEP_X[k]
        j = ny * stride + nx
        if not steps >> k & 1 or status[j] != closed:
            continue
        through = g[j] + STEP_LENGTH[k]
        if through >= best:
            continue
        if k < 8 or sees(ground, model, ny, nx, y, x, answer):
            best = through
            parent[i] = j
    for k in range(16):
        q = np.int64((y + STEP_Y[k]) * stride + x + STEP_X[k])
        if not steps >> k & 1 or status[q] != closed:
            continue
        for _ in range(ANCESTORS):
            q = np.int64(parent[q])
            qy = q // stride
            qx = q - qy * stride
            through = g[q] + _distance(qy, qx, y, x)
            if through < best and q != doubted and sees(ground, model, qy, qx, y, x, answer):
                best = through
                parent[i] = q
                break
    return best


@device
def _tightened(ground: np.ndarray, model: int, out: np.ndarray, rows: int, answer: np.ndarray) -> int:
    """Tighten a path in bordered coordinates; return the number of corners left.

    It drops corners that lines of sight pass, and moves each corner to the neighbouring vertex that makes the path
    shortest, until nothing changes.
    """
    height, width = ground.shape[0] - 1 + model, ground.shape[1] - 1 + model
    for _ in range(TIGHTENINGS):
        changed = False
        kept = 1
        # Rows up to kept - 1 are done; rows from k on are still to be processed.
        for k in range(1, rows - 1):
            ay, ax = np.int64(out[kept - 1, 0]), np.int64(out[kept - 1, 1])
            y, x = np.int64(out[k, 0]), np.int64(out[k, 1])
            by, bx = np.int64(out[k + 1, 0]), np.int64(out[k + 1, 1])
            if sees(ground, model, ay, ax, by, bx, answer):
                changed = True
                continue
            best = _distance(ay, ax, y, x) + _distance(y, x, by, bx) - NEARER
            best_y, best_x = y, x
            for d in range(8):
                ny, nx = y + MOVE_Y[d], x + MOVE_X[d]
                if not (1 <= ny < height and 1 <= nx < width):
                    continue
                length = _distance(ay, ax, ny, nx) + _distance(ny, nx, by, bx)
                if (
                    length < best
                    and sees(ground, model, ay, ax, ny, nx, answer)
                    and sees(ground, model, ny, nx, by, bx, answer)
                ):
                    best = length
                    best_y, best_x = ny, nx
                    changed = True
            out[kept, 0] = best_y
            out[kept, 1] = best_x
            kept += 1
        if rows > 1:
            out[kept, 0] = out[rows - 1, 0]
            out[kept, 1] = out[rows - 1, 1]
            rows = kept + 1
        if not changed:
            break
    return rows


@device
def _traced(parent: np.ndarray, stride: int, start: int, goal: int, out: np.ndarray) -> int:
    """Write the vertices from the start to the goal; return their number."""
    rows = 0
    i = goal
    while True:
        out[rows, 0] = i // stride
        out[rows, 1] = i % stride
        rows += 1
        if i == start:
            break
        i = np.int64(parent[i])
    for row in range(rows // 2):
        other = rows - 1 - row
        for axis in range(2):
            kept = out[row, axis]
            out[row, axis] = out[other, axis]
            out[other, axis] = kept
    return rows


@device
def theta_search(
    ground: np.ndarray,
    mask: np.ndarray,
    stride: int,
    model: int,
    lazy: int,
    stamp: int,
    g: np.ndarray,
    parent: np.ndarray,
    status: np.ndarray,
    heap: np.ndarray,
    heap_cells: np.ndarray,
    out: np.ndarray,
    answer: np.ndarray,
    sy: int,
    sx: int,
    gy: int,
    gx: int,
    limit: int,
    log: np.ndarray,
    blind: np.ndarray,
) -> int:
    """Find an any-angle path between bordered vertices.

    The corners are written to ``out``, start first and without the border. Returns their number (0 none, NEED_ROOM in
    the heap, OVER_LIMIT, STOPPED). ``lazy`` assumes that a node sees its parent's parent until the node is expanded.
    The heap is ordered by f, then by larger g, then by cell. ``status`` is valid for this search where its upper bits
    are the ``stamp``. A revolution is one expanded node, or 64 cells that lines of sight cross. A ``log`` with rows
    records cell and g (in millionths of a tile) of each expanded node. The search stops when the log is full.

    Four additions to the source; without them paths through dense walls are 3 to 5 % too long. Where a parent does not
    see a node, its own ancestors are tested. Near walls, knight's moves are steps too. Nodes whose g falls are
    re-opened, and a node that proves farther than assumed is put back on the list. The final path is tightened.
    """
    opened, closed, checked = stamp << 2 | OPEN, stamp << 2 | CLOSED, stamp << 2 | CHECKED
    start, goal = sy * stride + sx, gy * stride + gx
    for row in range(answer.size):
        answer[row] = 0.0
    g[start] = 0.0
    parent[start] = start
    status[start] = opened
    _push(heap, heap_cells, 0, _distance(sy, sx, gy, gx), 0.0, start)
    count = 1
    expanded = 0
    rows = 0
    while count > 0:
        i = np.int64(heap_cells[0])
        key_g = -heap[0, 1]
        count -= 1
        _sift(heap, heap_cells, count)
        if status[i] == closed or key_g != g[i]:
            continue
        full = log.shape[0] > 0 and expanded == log.shape[0]
        if full or expanded + (np.int64(answer[SCANNED]) >> 6) >= limit:
            rows = STOPPED if full else OVER_LIMIT
            break
        if count + 17 > heap.shape[0]:
            return NEED_ROOM
        if log.shape[0] > 0:
            log[expanded, 0] = i
            log[expanded, 1] = np.int64(g[i] * 1e6)
        y = i // stride
        x = i - y * stride
        steps = _steps(mask, stride, model, y, x)
        if lazy and status[i] == opened:
            p = np.int64(parent[i])
            if not sees(ground, model, p // stride, p % stride, y, x, answer):
                g[i] = _truthful(ground, model, stride, steps, closed, y, x, g, parent, status, answer)
                if g[i] == np.inf:
                    # Not reachable yet: the lazy assumption covered a knight's move too.
                    status[i] = 0
                    continue
                f = g[i] + _distance(y, x, gy, gx)
                if count > 0 and heap[0, 0] < f:
                    status[i] = checked
                    _push(heap, heap_cells, count, f, g[i], i)
                    count += 1
                    continue
        expanded += 1
        status[i] = closed
        if i == goal:
            rows = _traced(parent, stride, start, goal, out)
            break
        for k in range(16):
            if not steps >> k & 1:
                continue
            ny, nx = y + STEP_Y[k], x + STEP_X[k]
            j = ny * stride + nx
            known = status[j] >> 2 == stamp
            if lazy and status[j] == closed:
                continue
            new = g[i] + STEP_LENGTH[k]
            behind = known and new >= g[j]
            if k >= 8 and not lazy and (behind or not sees(ground, model, y, x, ny, nx, answer)):
                continue
            origin = i
            q = i
            if not known:
                for slot in range(BLIND):
                    blind[j, slot] = -1
            for _ in range(1 if lazy else 1 + ANCESTORS):
                after = q
                q = np.int64(parent[q])
                if q == after:
                    break
                qy = q // stride
                qx = q - qy * stride
                through = g[q] + _distance(qy, qx, ny, nx)
                if known and through >= g[j] - NEARER:
                    continue
                if lazy:
                    new = through
                    origin = q
                    break
                if _is_blind(blind, j, q):
                    continue
                if sees(ground, model, qy, qx, ny, nx, answer):
                    new = through
                    origin = q
                    break
                for slot in range(BLIND - 1):
                    blind[j, slot + 1] = blind[j, slot]
                blind[j, 0] = q
            if known and new >= g[j] - NEARER:
                continue
            g[j] = new
            parent[j] = origin
            status[j] = opened
            _push(heap, heap_cells, count, new + _distance(ny, nx, gy, gx), new, j)
            count += 1
    if rows > 0:
        rows = _tightened(ground, model, out, rows, answer)
        for row in range(rows):
            if row + 1 < rows:
                answer[LENGTH] += _distance(out[row, 0], out[row, 1], out[row + 1, 0], out[row + 1, 1])
            out[row, 0] -= 1
            out[row, 1] -= 1
    answer[EXPANDED] = expanded
    answer[REVOLUTIONS] = expanded + (np.int64(answer[SCANNED]) >> 6)
    return rows


# Rows of the context: sizes and switches, then addresses.
(
    ROWS, STRIDE, STAMP, MODEL, LAZY, ROOM, LOGGED,
    GROUND, MOVES, G, PARENT, STATUS, HEAP, HEAP_CELLS, OUT, LOG, ANSWER, BLIND_TO,
) = range(18)  # fmt: skip
CONTEXT_LENGTH = 18


@device_with_arrays
def search_in(context: np.ndarray, start_y: int, start_x: int, goal_y: int, goal_x: int, limit: int) -> int:
    """Run :func:`theta_search` on arrays given by their addresses.

    Returns OUTSIDE for an invalid vertex, WORN_OUT when the stamps are used up.
    """
    rows, stride = context[ROWS], context[STRIDE]
    if not (0 <= start_y < rows - 2 and 0 <= start_x < stride - 2):
        return OUTSIDE
    if not (0 <= goal_y < rows - 2 and 0 <= goal_x < stride - 2):
        return OUTSIDE
    context[STAMP] += 1
    if context[STAMP] >= STAMPS:
        return WORN_OUT
    size, room, model = rows * stride, context[ROOM], context[MODEL]
    return theta_search(
        carray(pointer(context[GROUND]), (rows - model, stride - model), np.uint8),
        carray(pointer(context[MOVES]), (size,), np.uint8),
        stride,
        model,
        context[LAZY],
        context[STAMP],
        carray(pointer(context[G]), (size,), np.float64),
        carray(pointer(context[PARENT]), (size,), np.int32),
        carray(pointer(context[STATUS]), (size,), np.int32),
        carray(pointer(context[HEAP]), (room, 2), np.float64),
        carray(pointer(context[HEAP_CELLS]), (room,), np.int32),
        carray(pointer(context[OUT]), (size, 2), np.int32),
        carray(pointer(context[ANSWER]), (ANSWERS,), np.float64),
        start_y + 1,
        start_x + 1,
        goal_y + 1,
        goal_x + 1,
        limit,
        carray(pointer(context[LOG]), (context[LOGGED], 3), np.int64),
        carray(pointer(context[BLIND_TO]), (size, BLIND), np.int32),
    )


@kernel("int64(int64[::1], int64, int64, int64, int64, int64)", group="lab")
def theta_star(context: np.ndarray, start_y: int, start_x: int, goal_y: int, goal_x: int, limit: int) -> int:
    """Run one search; return the number of corners in OUT, or a code."""
    return search_in(context, start_y, start_x, goal_y, goal_x, limit)
