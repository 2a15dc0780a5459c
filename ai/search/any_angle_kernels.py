"""Any-angle searches: Theta*, Lazy Theta*, and smoothing of finished grid paths, in two models of the grid.

CENTRES: vertices are tile centres.  Two see each other when no tile that the segment meets is blocked; where it passes
exactly through a corner, both tiles beside it must be open: the rule that forbids cutting corners.  Bodies can walk
these paths.

CORNERS, the source's model: vertices are tile corners.  A segment may touch corners and run along walls, and may pass
between two blocked tiles that meet in a corner, but not between two that share a side.  For points without a width.

Source: "Game AI Pro 2", ch. 16.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import math

import numpy as np

from ai.grid.bits import trailing_zeros
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.kernels import device, kernel

LENGTH, REVOLUTIONS, SIGHT_TESTS = 0, 1, 2
NEED_ROOM, STOPPED = -1, -2

OPEN, CLOSED = 1, 2

CENTRES, CORNERS = 0, 1


@device
def centres_clear(ground: np.ndarray, y0: int, x0: int, y1: int, x1: int) -> bool:
    """Whether the segment between two tile centres is clear; ``ground`` has a blocked border."""
    dy, dx = abs(y1 - y0), abs(x1 - x0)
    step_y = 1 if y1 > y0 else -1
    step_x = 1 if x1 > x0 else -1
    y, x = y0, x0
    done_y, done_x = 0, 0
    if not ground[y, x]:
        return False
    while done_y < dy or done_x < dx:
        # Which border comes next: compare (done_x + 1/2) / dx with (done_y + 1/2) / dy.
        across = (2 * done_x + 1) * dy - (2 * done_y + 1) * dx
        if across == 0:
            if not (ground[y + step_y, x] and ground[y, x + step_x]):
                return False
            y += step_y
            x += step_x
            done_y += 1
            done_x += 1
        elif across < 0:
            x += step_x
            done_x += 1
        else:
            y += step_y
            done_y += 1
        if not ground[y, x]:
            return False
    return True


@device
def corners_clear(ground: np.ndarray, y0: int, x0: int, y1: int, x1: int) -> bool:
    """Whether the segment between two tile corners is clear; corner (y, x) is the upper left one of ground[y, x]."""
    dy, dx = abs(y1 - y0), abs(x1 - x0)
    step_y = 1 if y1 > y0 else -1
    step_x = 1 if x1 > x0 else -1
    # The tile on the forward side of a corner.
    oy, ox = min(step_y, 0), min(step_x, 0)
    y, x = y0, x0
    error = 0
    if dx >= dy:
        while x != x1:
            error += dy
            if error >= dx:
                if not ground[y + oy, x + ox]:
                    return False
                y += step_y
                error -= dx
            if error != 0 and not ground[y + oy, x + ox]:
                return False
            if dy == 0 and not ground[y, x + ox] and not ground[y - 1, x + ox]:
                return False
            x += step_x
    else:
        while y != y1:
            error += dx
            if error >= dy:
                if not ground[y + oy, x + ox]:
                    return False
                x += step_x
                error -= dy
            if error != 0 and not ground[y + oy, x + ox]:
                return False
            if dx == 0 and not ground[y + oy, x] and not ground[y + oy, x - 1]:
                return False
            y += step_y
    return True


@device
def _clear(ground: np.ndarray, model: int, y0: int, x0: int, y1: int, x1: int) -> bool:
    if model == CENTRES:
        return centres_clear(ground, y0, x0, y1, x1)
    return corners_clear(ground, y0, x0, y1, x1)


@kernel("void(uint8[:,::1], uint8[:,::1])", group="bench")
def corner_moves(ground: np.ndarray, moves: np.ndarray) -> None:
    """Moves between neighbouring tile corners, uint8[height + 3, width + 3] with a border of no moves."""
    rows, columns = moves.shape
    for y in range(1, rows - 1):
        for x in range(1, columns - 1):
            moves[y, x] = 0
            for k in range(8):
                ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                if 1 <= ny < rows - 1 and 1 <= nx < columns - 1 and corners_clear(ground, y, x, ny, nx):
                    moves[y, x] |= 1 << k


@kernel("void(uint8[:,::1], int64, int32[:,::1], uint8[::1])", group="bench")
def sight_between(ground: np.ndarray, model: int, pairs: np.ndarray, clear: np.ndarray) -> None:
    """Test pairs (y0, x0, y1, x1) of bordered coordinates, one a row."""
    for row in range(pairs.shape[0]):
        clear[row] = _clear(ground, model, pairs[row, 0], pairs[row, 1], pairs[row, 2], pairs[row, 3])


@kernel("int64(uint8[:,::1], int64, int32[:,::1], int32[:,::1])", group="bench")
def smooth(ground: np.ndarray, model: int, path: np.ndarray, out: np.ndarray) -> int:
    """Keep the tiles of a path that its last kept tile stops seeing the way on from; returns how many."""
    last = path.shape[0] - 1
    out[0] = path[0]
    count = 1
    anchor = 0
    for i in range(1, last):
        if not _clear(ground, model, path[anchor, 0] + 1, path[anchor, 1] + 1, path[i + 1, 0] + 1, path[i + 1, 1] + 1):
            anchor = i
            out[count] = path[i]
            count += 1
    if last > 0:
        out[count] = path[last]
        count += 1
    return count


@device
def _distance(y0: int, x0: int, y1: int, x1: int) -> float:
    return math.sqrt(float((y1 - y0) * (y1 - y0) + (x1 - x0) * (x1 - x0)))


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, boolean, float64[::1], int32[::1], uint8[::1], float64[:,::1],"
    " int32[::1], int32[:,::1], float64[::1], int64, int64, int64, int64, int64[:,::1])",
    group="lab",
)
def theta_star(
    ground: np.ndarray,
    moves: np.ndarray,
    model: int,
    lazy: bool,
    g: np.ndarray,
    parent: np.ndarray,
    status: np.ndarray,
    heap: np.ndarray,
    heap_cells: np.ndarray,
    out: np.ndarray,
    answer: np.ndarray,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
    log: np.ndarray,
) -> int:
    """Any-angle path; writes its corners goal first to ``out`` and returns how many (0 none, NEED_ROOM).

    ``lazy`` takes a node's sight of its parent's parent for granted until the node is expanded.  The heap is ordered by
    f, then by larger g, then by cell.  A ``log`` with rows takes down cell and g (in millionths of a tile) of each node
    expanded and stops the search when it is full (STOPPED).
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    room = heap.shape[0] - 8
    sy, sx = start_y + 1, start_x + 1
    gy, gx = goal_y + 1, goal_x + 1
    start, goal = sy * stride + sx, gy * stride + gx
    status[:] = 0
    g[start] = 0.0
    parent[start] = start
    status[start] = OPEN
    heap[0, 0] = _distance(sy, sx, gy, gx)
    heap[0, 1] = 0.0
    heap_cells[0] = start
    count = 1
    revolutions = 0
    tests = 0
    found = False
    while count > 0:
        i = np.int64(heap_cells[0])
        key_g = -heap[0, 1]
        count -= 1
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
        if status[i] == CLOSED or key_g != g[i]:
            continue
        if log.shape[0] > 0:
            if revolutions == log.shape[0]:
                answer[REVOLUTIONS] = revolutions
                answer[SIGHT_TESTS] = tests
                return STOPPED
            log[revolutions, 0] = i
            log[revolutions, 1] = np.int64(g[i] * 1e6)
        y = i // stride
        x = i - y * stride
        if lazy and i != start:
            p = np.int64(parent[i])
            tests += 1
            if not _clear(ground, model, p // stride, p % stride, y, x):
                best = np.inf
                for k in range(8):
                    if mask[i] >> k & 1:
                        j = i + MOVE_Y[k] * stride + MOVE_X[k]
                        if status[j] == CLOSED:
                            through = g[j] + (1.0 if k < 4 else math.sqrt(2.0))
                            if through < best:
                                best = through
                                parent[i] = j
                g[i] = best
        revolutions += 1
        status[i] = CLOSED
        if i == goal:
            found = True
            break
        if count > room:
            return NEED_ROOM
        p = np.int64(parent[i])
        py = p // stride
        px = p - py * stride
        todo = np.uint64(mask[i])
        while todo != 0:
            k = np.int64(trailing_zeros(todo))
            todo &= todo - np.uint64(1)
            ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
            j = ny * stride + nx
            if status[j] == CLOSED:
                continue
            straight = lazy
            if not lazy:
                tests += 1
                straight = _clear(ground, model, py, px, ny, nx)
            if straight:
                new = g[p] + _distance(py, px, ny, nx)
                origin = p
            else:
                new = g[i] + (1.0 if k < 4 else math.sqrt(2.0))
                origin = i
            if status[j] == OPEN and new >= g[j]:
                continue
            g[j] = new
            parent[j] = origin
            status[j] = OPEN
            f = new + _distance(ny, nx, gy, gx)
            at = count
            count += 1
            while at > 0:
                above = (at - 1) >> 1
                if heap[above, 0] < f or (
                    heap[above, 0] == f
                    and (heap[above, 1] < -new or (heap[above, 1] == -new and heap_cells[above] <= j))
                ):
                    break
                heap[at, 0] = heap[above, 0]
                heap[at, 1] = heap[above, 1]
                heap_cells[at] = heap_cells[above]
                at = above
            heap[at, 0] = f
            heap[at, 1] = -new
            heap_cells[at] = j
    answer[REVOLUTIONS] = revolutions
    answer[SIGHT_TESTS] = tests
    if not found:
        return 0
    answer[LENGTH] = g[goal]
    i = goal
    rows = 0
    while True:
        out[rows, 0] = i // stride - 1
        out[rows, 1] = i % stride - 1
        rows += 1
        if i == start:
            break
        i = np.int64(parent[i])
    return rows
