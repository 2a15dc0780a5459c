"""JPS+: jump distances written into every cell beforehand, and goal bounds that say where each first move leads.

``jumps`` int16[cells, 8] holds for each direction the steps to the next jump point (positive) or minus the free steps
before a wall.  ``bounds`` uint64[cells, 8] holds for each first move the box of all goals that some canonical shortest
path reaches through it, as four 16-bit numbers (left, top, and right, bottom counted from the far side), so that "is
the goal outside?" is one subtraction and one mask.  All tied first moves keep their goals.

Sources: "Game AI Pro 2", ch. 14 (jump and wall distances, target jump points, search); goal bounding after S. Rabin.
Cells are those of the bordered map of :mod:`ai.search.uniform_kernels`.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np
from numba import carray

from ai.grid.bits import pointer, trailing_zeros
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.kernels import device, kernel
from ai.search.canonical import SUCCESSORS
from ai.search.jps_table_kernels import FAR
from ai.search.uniform_kernels import (
    COST,
    DIAGONAL,
    LONGEST,
    OUTSIDE,
    REVOLUTIONS,
    STAMPS,
    STOPPED,
    STRAIGHT,
    TOO_LONG,
    WORN_OUT,
    octile,
)

_TOP_BITS = np.uint64(0x8000800080008000)


@device
def _search(
    mask: np.ndarray,
    stride: int,
    jumps: np.ndarray,
    bounds: np.ndarray,
    bounded: bool,
    cell: np.ndarray,
    parent: np.ndarray,
    heap: np.ndarray,
    equals: np.ndarray,
    key: np.uint64,
    answer: np.ndarray,
    out: np.ndarray,
    offset: int,
    log: np.ndarray,
    start_y: int,
    start_x: int,
    gy: int,
    gx: int,
) -> int:
    """A* over jumps.  Writes the jump points goal first to ``out`` from ``offset`` on and returns how many.

    Nodes whose f equals the current one wait in the stack ``equals`` instead of the heap: with good bounds nearly all.
    """
    answer[COST] = 0
    answer[REVOLUTIONS] = 0
    if start_y == gy and start_x == gx:
        out[offset, 0] = gy - 1
        out[offset, 1] = gx - 1
        return 1
    start = start_y * stride + start_x
    cell[start] = key | np.uint64(8)
    goal_box = (
        np.uint64(gx)
        | np.uint64(gy) << np.uint64(16)
        | np.uint64(FAR - gx) << np.uint64(32)
        | np.uint64(FAR - gy) << np.uint64(48)
    ) | _TOP_BITS
    in_heap = 0
    waiting = 1
    revolutions = 0
    equals[0] = (np.int64(start_y) << 16) | start_x
    f_now = octile(start_y, start_x, gy, gx)
    found = False
    while True:
        if waiting > 0:
            waiting -= 1
            entry = equals[waiting]
        elif in_heap > 0:
            f_now = heap[0, 0]
            entry = heap[0, 1]
            in_heap -= 1
            last_f, last = heap[in_heap, 0], heap[in_heap, 1]
            at = 0
            while True:
                child = 2 * at + 1
                if child >= in_heap:
                    break
                if child + 1 < in_heap and heap[child + 1, 0] < heap[child, 0]:
                    child += 1
                if heap[child, 0] >= last_f:
                    break
                heap[at, 0] = heap[child, 0]
                heap[at, 1] = heap[child, 1]
                at = child
            heap[at, 0] = last_f
            heap[at, 1] = last
        else:
            break
        g = entry >> 32
        x = entry & 0xFFFF
        y = (entry >> 16) & 0xFFFF
        i = y * stride + x
        own = cell[i]
        if np.int64((own >> np.uint64(4)) & np.uint64(0xFFFFFFFF)) != g:
            continue
        if x == gx and y == gy:
            found = True
            answer[COST] = g
            break
        if log.shape[0] > 0:
            if revolutions == log.shape[0]:
                answer[REVOLUTIONS] = revolutions
                return STOPPED
            log[revolutions, 0] = i
            log[revolutions, 1] = g
            log[revolutions, 2] = np.int64(own & np.uint64(15))
        revolutions += 1
        todo = np.uint64(SUCCESSORS[np.int64(own & np.uint64(15)), mask[i]])
        dx, dy = gx - x, gy - y
        far_x, far_y = abs(dx), abs(dy)
        while todo != 0:
            k = np.int64(trailing_zeros(todo))
            todo &= todo - np.uint64(1)
            if bounded and ((goal_box - bounds[i, k]) & _TOP_BITS) != _TOP_BITS:
                continue
            jump = np.int64(jumps[i, k])
            free = abs(jump)
            kx, ky = MOVE_X[k], MOVE_Y[k]
            steps = jump
            if k < 4:
                # The goal on this ray, before the jump point or the wall.
                if kx * dx + ky * dy > 0 and (dx == 0 or dy == 0) and (kx != 0) == (dx != 0) and far_x + far_y <= free:
                    steps = far_x + far_y
            elif kx * dx > 0 and ky * dy > 0 and min(far_x, far_y) <= free:
                # A target jump point: where the ray comes level with the goal.
                steps = min(far_x, far_y)
            if steps <= 0:
                continue
            g_new = g + steps * (STRAIGHT if k < 4 else DIAGONAL)
            nx = x + kx * steps
            ny = y + ky * steps
            j = ny * stride + nx
            candidate = key | (np.uint64(g_new) << np.uint64(4))
            if (candidate | np.uint64(15)) >= cell[j]:
                continue
            cell[j] = candidate | np.uint64(k)
            parent[j] = i
            f = g_new + octile(ny, nx, gy, gx)
            if f >= LONGEST:
                return TOO_LONG
            made = (g_new << 32) | (ny << 16) | nx
            if f == f_now:
                equals[waiting] = made
                waiting += 1
            else:
                at = in_heap
                in_heap += 1
                while at > 0:
                    above = (at - 1) >> 1
                    if heap[above, 0] <= f:
                        break
                    heap[at, 0] = heap[above, 0]
                    heap[at, 1] = heap[above, 1]
                    at = above
                heap[at, 0] = f
                heap[at, 1] = made
    answer[REVOLUTIONS] = revolutions
    if not found:
        return 0
    i = gy * stride + gx
    count = 0
    while True:
        y = i // stride
        out[offset + count, 0] = y - 1
        out[offset + count, 1] = i - y * stride - 1
        count += 1
        if i == start:
            break
        i = np.int64(parent[i])
    return count


# Rows of the context: cells, stride, stamp, bounded, rows of the log, then addresses, then the answer from ANSWER on.
SIZE, STRIDE, STAMP, BOUNDED, NOTED, MASK, JUMPS, BOUNDS, CELL, PARENT, HEAP, EQUALS, OUT, LOG, ANSWER = range(15)
CONTEXT_LENGTH = ANSWER + 2


@kernel("int64(int64[::1], int64, int64, int64, int64)", group="lab")
def find_one(context: np.ndarray, start_y: int, start_x: int, goal_y: int, goal_x: int) -> int:
    """One search on arrays given by their addresses: a call with a dozen array arguments costs more than the search."""
    size = context[SIZE]
    width = context[STRIDE] - 2
    height = size // context[STRIDE] - 2
    if not (0 <= start_y < height and 0 <= start_x < width and 0 <= goal_y < height and 0 <= goal_x < width):
        return OUTSIDE
    context[STAMP] += 1
    if context[STAMP] >= STAMPS:
        return WORN_OUT
    key = np.uint64(STAMPS + 1 - context[STAMP]) << np.uint64(36)
    return _search(
        carray(pointer(context[MASK]), (size,), np.uint8),
        context[STRIDE],
        carray(pointer(context[JUMPS]), (size, 8), np.int16),
        carray(pointer(context[BOUNDS]), (size, 8), np.uint64),
        context[BOUNDED] != 0,
        carray(pointer(context[CELL]), (size,), np.uint64),
        carray(pointer(context[PARENT]), (size,), np.int32),
        carray(pointer(context[HEAP]), (8 * size, 2), np.int64),
        carray(pointer(context[EQUALS]), (8 * size,), np.int64),
        key,
        context[ANSWER:],
        carray(pointer(context[OUT]), (size, 2), np.int32),
        0,
        carray(pointer(context[LOG]), (context[NOTED], 3), np.int64),
        start_y + 1,
        start_x + 1,
        goal_y + 1,
        goal_x + 1,
    )


@kernel("int64(int64[::1], int32[:,::1], int32[:,::1], int64[::1], int64[::1])", group="bench")
def find_batch(
    context: np.ndarray, questions: np.ndarray, out: np.ndarray, offsets: np.ndarray, costs: np.ndarray
) -> int:
    """Searches (start y, x, goal y, x), one a row; answer r is out[offsets[r]:offsets[r + 1]], goal first.

    Returns how many rows were answered before ``out`` ran full, or TOO_LONG.
    """
    size = context[SIZE]
    stride = context[STRIDE]
    mask = carray(pointer(context[MASK]), (size,), np.uint8)
    jumps = carray(pointer(context[JUMPS]), (size, 8), np.int16)
    bounds = carray(pointer(context[BOUNDS]), (size, 8), np.uint64)
    cell = carray(pointer(context[CELL]), (size,), np.uint64)
    parent = carray(pointer(context[PARENT]), (size,), np.int32)
    heap = carray(pointer(context[HEAP]), (8 * size, 2), np.int64)
    equals = carray(pointer(context[EQUALS]), (8 * size,), np.int64)
    bounded = context[BOUNDED] != 0
    answer = context[ANSWER:]
    log = carray(pointer(context[LOG]), (0, 3), np.int64)
    written = 0
    for row in range(questions.shape[0]):
        offsets[row] = written
        # No path has more jump points than there are cells.
        if written + size > out.shape[0]:
            return row
        context[STAMP] += 1
        key = np.uint64(STAMPS + 1 - context[STAMP]) << np.uint64(36)
        count = _search(
            mask,
            stride,
            jumps,
            bounds,
            bounded,
            cell,
            parent,
            heap,
            equals,
            key,
            answer,
            out,
            written,
            log,
            questions[row, 0] + 1,
            questions[row, 1] + 1,
            questions[row, 2] + 1,
            questions[row, 3] + 1,
        )
        if count == TOO_LONG:
            return TOO_LONG
        costs[row] = answer[COST] if count > 0 else -1
        written += count
    offsets[questions.shape[0]] = written
    return questions.shape[0]
