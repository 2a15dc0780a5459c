"""JPS+: precomputed jump distances, with optional goal bounds.

``jumps`` int16[cells, 8] holds for each direction the steps to the next jump point (positive), or minus the free steps
before a wall. ``bounds`` uint64[cells, 8] holds for each first move the box of all goals that some canonical shortest
path reaches through it. A box is four 16-bit numbers (left, top, and right, bottom counted from the far side). All tied
first moves keep their goals.

A search reads and writes one row of 64 bytes per cell, a cache line. Its time is the time to fetch them. In a row the
boxes are rounded outwards to a 128th of the map. So a byte holds a coordinate, and one word holds one side of all eight
boxes. Four subtractions then test all eight boxes for the goal.

    words 0..3   left, top, right, bottom of the boxes, a byte per move; right and bottom with the top bit set
    words 4, 5   jumps
    word 6       inverted stamp of the search, g and the move that reached the cell, as in :mod:`.uniform_astar_kernels`
    word 7       y << 16 | x of the parent cell, and above that the legal moves

Sources: "Game AI Pro 2", ch. 14 (jump and wall distances, target jump points, search); goal bounding after S. Rabin.
Cells are those of the bordered map of :mod:`ai.search.jps.uniform_astar_kernels`.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np
from numba import carray

from ai.core.kernels import device, kernel
from ai.grid.bits import pointer, trailing_zeros
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.canonical import SUCCESSORS
from ai.search.jps.goal_bounds_kernels import EMPTY_BOUND, FAR
from ai.search.jps.uniform_astar_kernels import (
    COST,
    LONGEST,
    OUTSIDE,
    REVOLUTIONS,
    STAMPS,
    STOPPED,
    TOO_LONG,
    WORN_OUT,
    octile,
)
from ai.search.jps.uniform_costs import MOVE_COST, STRAIGHT

WORDS = 8
"""Words per row of a cell."""

REACHED, FROM = 6, 7
"""Number of words in a row that a search writes."""

_JUMPS, _FROM, _MOVES = 16, 14, 60
"""Offsets in a row: int16 jumps, int32 parent, uint8 legal moves."""

_TOP_BITS = np.uint64(0x8080808080808080)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_GATHER = np.uint64(0x0002040810204081)


def scale_of(side: int) -> int:
    """Return the factor in 65,536ths that scales ``0..side - 1`` to 0..127."""
    return (128 << 16) // side


@kernel(
    "void(uint8[:,::1], int16[:,::1], uint64[:,::1], int64, int64, int64, uint64[:,::1], int64, int64)", group="lab"
)
def write_rows(
    moves: np.ndarray,
    jumps: np.ndarray,
    bounds: np.ndarray,
    bounded: int,
    scale_y: int,
    scale_x: int,
    rows: np.ndarray,
    begin: int,
    end: int,
) -> None:
    """Write moves, jumps and boxes of the cells ``begin`` to ``end``.

    Without ``bounded`` every box is the whole map.
    """
    mask = moves.ravel()
    far = np.uint64(FAR)
    low = np.uint64(0xFFFF)
    for i in range(begin, end):
        if not mask[i]:
            rows[i, FROM] = 0
            continue
        left = top = np.uint64(0)
        right = bottom = ~np.uint64(0)
        if bounded:
            right = bottom = _TOP_BITS
            for k in range(8):
                at = np.uint64(8 * k)
                box = bounds[i, k]
                if box == EMPTY_BOUND:
                    left |= np.uint64(127) << at
                    continue
                left |= ((box & low) * np.uint64(scale_x) >> np.uint64(16)) << at
                top |= ((box >> np.uint64(16) & low) * np.uint64(scale_y) >> np.uint64(16)) << at
                right |= ((far - (box >> np.uint64(32) & low)) * np.uint64(scale_x) >> np.uint64(16)) << at
                bottom |= ((far - (box >> np.uint64(48))) * np.uint64(scale_y) >> np.uint64(16)) << at
        rows[i, 0] = left
        rows[i, 1] = top
        rows[i, 2] = right
        rows[i, 3] = bottom
        for half in range(2):
            word = np.uint64(0)
            for k in range(4):
                word |= (np.uint64(jumps[i, 4 * half + k]) & low) << np.uint64(16 * k)
            rows[i, 4 + half] = word
        rows[i, REACHED] = ~np.uint64(0)
        rows[i, FROM] = np.uint64(mask[i]) << np.uint64(32)


@device
def _search(
    context: np.ndarray,
    rows: np.ndarray,
    jumps: np.ndarray,
    froms: np.ndarray,
    masks: np.ndarray,
    heap: np.ndarray,
    equals: np.ndarray,
    out: np.ndarray,
    offset: int,
    log: np.ndarray,
    start_y: int,
    start_x: int,
    gy: int,
    gx: int,
) -> int:
    """Run A* over jumps and write the jump points to ``out``, goal first.

    They start at ``offset``; returns their number. ``jumps``, ``froms`` and ``masks`` are the ``rows`` as int16, int32
    and uint8. The last node found with the current f is expanded next. Other nodes with this f wait in the stack
    ``equals`` instead of the heap: with good bounds nearly all of them.
    """
    context[ANSWER + COST] = 0
    context[ANSWER + REVOLUTIONS] = 0
    context[STAMP] += 1
    key = np.uint64(STAMPS + 1 - context[STAMP]) << np.uint64(36)
    stride = context[STRIDE]
    if start_y == gy and start_x == gx:
        out[offset, 0] = gy - 1
        out[offset, 1] = gx - 1
        return 1
    rows[start_y * stride + start_x, REACHED] = key | np.uint64(8)
    goal_x = np.uint64(gx * context[SCALE_X] >> 16) * _EVERY_BYTE
    goal_y = np.uint64(gy * context[SCALE_Y] >> 16) * _EVERY_BYTE
    topped_x, topped_y = goal_x | _TOP_BITS, goal_y | _TOP_BITS
    in_heap = 0
    waiting = 0
    revolutions = 0
    hot = np.int64(start_y << 16 | start_x)
    f_now = octile(start_y, start_x, gy, gx)
    found = False
    while True:
        if hot >= 0:
            entry = hot
            hot = np.int64(-1)
        elif waiting > 0:
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
        y = entry >> 16 & 0xFFFF
        i = np.uint64(y * stride + x)
        own = rows[i, REACHED]
        if np.int64(own >> np.uint64(4) & np.uint64(0xFFFFFFFF)) != g:
            continue
        if x == gx and y == gy:
            found = True
            context[ANSWER + COST] = g
            break
        if log.shape[0] > 0:
            if revolutions == log.shape[0]:
                context[ANSWER + REVOLUTIONS] = revolutions
                return STOPPED
            log[revolutions, 0] = i
            log[revolutions, 1] = g
            log[revolutions, 2] = np.int64(own & np.uint64(15))
        revolutions += 1
        inside = (topped_x - rows[i, 0]) & (topped_y - rows[i, 1]) & (rows[i, 2] - goal_x) & (rows[i, 3] - goal_y)
        leads = (inside & _TOP_BITS) * _GATHER >> np.uint64(56)
        todo = np.uint64(SUCCESSORS[own & np.uint64(15), masks[i, _MOVES]]) & leads
        dx, dy = gx - x, gy - y
        while todo != 0:
            k = trailing_zeros(todo)
            todo &= todo - np.uint64(1)
            jump = np.int64(jumps[i, np.uint64(_JUMPS) + k])
            # Steps along this ray until it is level with the goal: a target jump point, or the goal itself.
            kx, ky = MOVE_X[k], MOVE_Y[k]
            level = min(
                kx * dx if kx != 0 else (FAR if dx == 0 else 0),
                ky * dy if ky != 0 else (FAR if dy == 0 else 0),
            )
            steps = level if 0 < level <= abs(jump) else jump
            if steps <= 0:
                continue
            g_new = g + steps * MOVE_COST[k]
            nx = x + kx * steps
            ny = y + ky * steps
            j = np.uint64(ny * stride + nx)
            candidate = key | np.uint64(g_new) << np.uint64(4)
            if (candidate | np.uint64(15)) >= rows[j, REACHED]:
                continue
            rows[j, REACHED] = candidate | k
            froms[j, _FROM] = y << 16 | x
            f = g_new + octile(ny, nx, gy, gx)
            if f >= LONGEST:
                return TOO_LONG
            made = g_new << 32 | ny << 16 | nx
            if f == f_now:
                if hot >= 0:
                    equals[waiting] = hot
                    waiting += 1
                hot = made
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
    context[ANSWER + REVOLUTIONS] = revolutions
    if not found:
        return 0
    y, x = gy, gx
    count = 0
    while True:
        out[offset + count, 0] = y - 1
        out[offset + count, 1] = x - 1
        count += 1
        if y == start_y and x == start_x:
            break
        before = np.int64(froms[y * stride + x, _FROM])
        y, x = before >> 16, before & 0xFFFF
    return count


# Rows of the context: cells, stride, stamp, scales, rows of the log, then addresses, then the answer from ANSWER on.
SIZE, STRIDE, STAMP, SCALE_Y, SCALE_X, NOTED, ROWS, HEAP, EQUALS, OUT, LOG, ANSWER = range(12)
CONTEXT_LENGTH = ANSWER + 2


@kernel("int64(int64[::1], int64, int64, int64, int64)", group="lab")
def find_one(context: np.ndarray, start_y: int, start_x: int, goal_y: int, goal_x: int) -> int:
    """Run one search on arrays given by their addresses.

    A call with a dozen array arguments costs more than the search.
    """
    size = context[SIZE]
    width = context[STRIDE] - 2
    height = size // context[STRIDE] - 2
    if not (0 <= start_y < height and 0 <= start_x < width and 0 <= goal_y < height and 0 <= goal_x < width):
        return OUTSIDE
    if context[STAMP] + 1 >= STAMPS:
        return WORN_OUT
    return _search(
        context,
        carray(pointer(context[ROWS]), (size, WORDS), np.uint64),
        carray(pointer(context[ROWS]), (size, 4 * WORDS), np.int16),
        carray(pointer(context[ROWS]), (size, 2 * WORDS), np.int32),
        carray(pointer(context[ROWS]), (size, 8 * WORDS), np.uint8),
        carray(pointer(context[HEAP]), (8 * size, 2), np.int64),
        carray(pointer(context[EQUALS]), (8 * size,), np.int64),
        carray(pointer(context[OUT]), (size, 2), np.int32),
        0,
        carray(pointer(context[LOG]), (context[NOTED], 3), np.int64),
        start_y + 1,
        start_x + 1,
        goal_y + 1,
        goal_x + 1,
    )


@kernel(
    "int64(int64[::1], int32[:,::1], int32[:,::1], int32[:,::1], int64[::1], float64[::1])",
    group="bench",
)
def find_batch(
    context: np.ndarray,
    starts: np.ndarray,
    goals: np.ndarray,
    out: np.ndarray,
    offsets: np.ndarray,
    costs: np.ndarray,
) -> int:
    """Search from starts[r] to goals[r]; costs are in tiles.

    Answer r is out[offsets[r]:offsets[r + 1]], goal first. Returns the number of searches answered before ``out`` was
    full; or TOO_LONG, WORN_OUT, or OUTSIDE.
    """
    size = context[SIZE]
    width = context[STRIDE] - 2
    height = size // context[STRIDE] - 2
    if context[STAMP] + starts.shape[0] >= STAMPS:
        return WORN_OUT
    rows = carray(pointer(context[ROWS]), (size, WORDS), np.uint64)
    jumps = carray(pointer(context[ROWS]), (size, 4 * WORDS), np.int16)
    froms = carray(pointer(context[ROWS]), (size, 2 * WORDS), np.int32)
    masks = carray(pointer(context[ROWS]), (size, 8 * WORDS), np.uint8)
    heap = carray(pointer(context[HEAP]), (8 * size, 2), np.int64)
    equals = carray(pointer(context[EQUALS]), (8 * size,), np.int64)
    log = carray(pointer(context[LOG]), (0, 3), np.int64)
    written = 0
    for row in range(starts.shape[0]):
        offsets[row] = written
        # No path has more jump points than cells.
        if written + size > out.shape[0]:
            return row
        start_y, start_x = np.int64(starts[row, 0]), np.int64(starts[row, 1])
        goal_y, goal_x = np.int64(goals[row, 0]), np.int64(goals[row, 1])
        if not (0 <= start_y < height and 0 <= start_x < width and 0 <= goal_y < height and 0 <= goal_x < width):
            return OUTSIDE
        count = _search(
            context,
            rows,
            jumps,
            froms,
            masks,
            heap,
            equals,
            out,
            written,
            log,
            start_y + 1,
            start_x + 1,
            goal_y + 1,
            goal_x + 1,
        )
        if count == TOO_LONG:
            return TOO_LONG
        costs[row] = context[ANSWER + COST] / STRAIGHT if count > 0 else -1.0
        written += count
    offsets[starts.shape[0]] = written
    return starts.shape[0]
