"""Kernels for uniform-cost grids: legal-move masks, stop bits, and canonical A*.

Costs are the integers of :mod:`ai.search.jps.uniform_costs`.

One uint64 per cell holds an inverted stamp of the search, g and the move that reached it. So one comparison tests
"unseen, or reached at a higher cost", and no array is ever cleared. Canonical pruning leaves one successor for most
nodes. Open nodes lie in eight circular stacks of width 0.59 steps, because one step raises f by at most 2.83. An
improved node is pushed again. The search stops when the goal costs no more than the floor of the current stack.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.bits import trailing_zeros
from ai.grid.moves import LEGAL_MOVES, MOVE_X, MOVE_Y
from ai.search.canonical import SUCCESSORS
from ai.search.jps.uniform_costs import DIAGONAL, MOVE_COST, STRAIGHT, WIDTH_BITS

STACKS = 8
STAMPS = (1 << 28) - 2
"""Number of searches that a cell array serves before it must be cleared."""

LONGEST = 1 << 31
"""Upper limit of g: 154,000 straight steps."""

NO_PATH, NEED_ROOM, TOO_LONG, OVER_LIMIT = 0, -1, -2, -3

OUTSIDE, WORN_OUT = -6, -7
"""Codes of a search: a tile off the map, and stamps used up."""

STOPPED = -5
"""Code of a search whose log is full.

A log is int64[n, 3] with n > 0: cell, g and arrival of each expanded node.
"""

# Rows of the answer vector.
COST, REVOLUTIONS = 0, 1


@kernel("void(uint8[:,::1], int64, uint8[:,::1], uint8[:,::1], int64, int64, int64, int64)", group="lab")
def refresh_moves(
    passable: np.ndarray, bit: int, ground: np.ndarray, moves: np.ndarray, y0: int, x0: int, y1: int, x1: int
) -> None:
    """Update ``ground`` (1 open) and ``moves`` (legal moves) on a rectangle.

    Both arrays have a border of one.
    """
    height, width = passable.shape
    for y in range(y0, y1):
        for x in range(x0, x1):
            ground[y + 1, x + 1] = passable[y, x] & bit != 0
    for y in range(max(y0, 1), min(y1 + 2, height + 1)):
        for x in range(max(x0, 1), min(x1 + 2, width + 1)):
            around = 0
            if ground[y, x]:
                for k in range(8):
                    around |= np.int64(ground[y + MOVE_Y[k], x + MOVE_X[k]]) << k
            moves[y, x] = LEGAL_MOVES[around]


@device
def octile(y: int, x: int, goal_y: int, goal_x: int) -> int:
    """Octile distance in integer units."""
    dy = abs(y - goal_y)
    dx = abs(x - goal_x)
    return max(dy, dx) * STRAIGHT + min(dy, dx) * (DIAGONAL - STRAIGHT)


@kernel(
    "int64(uint8[:,::1], uint64[::1], int64[:,::1], int64, int32[:,::1], int64[::1], int64, int64, int64, int64)",
    group="lab",
)
def uniform_astar(
    moves: np.ndarray,
    cell: np.ndarray,
    stacks: np.ndarray,
    stamp: int,
    out: np.ndarray,
    answer: np.ndarray,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
) -> int:
    """Find a shortest path and write it to the last rows of ``out``.

    Returns its number of tiles, or a code <= 0. ``cell`` is uint64 over the bordered map, all ones at first; ``stacks``
    is int64[8, room].
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    room = stacks.shape[1] - 8
    key = np.uint64(STAMPS + 1 - stamp) << np.uint64(36)
    y, x = start_y + 1, start_x + 1
    gy, gx = goal_y + 1, goal_x + 1
    start, goal = y * stride + x, gy * stride + gx
    offsets = MOVE_Y * stride + MOVE_X
    counts = np.zeros(STACKS, np.int64)
    f_start = octile(y, x, gy, gx)
    cell[start] = key | np.uint64(8)
    best = np.int64(1) << 40
    last = best
    if start == goal:
        best = 0
    bucket = np.int64(0)
    b = np.uint64(0)
    n = np.int64(0)
    g = np.int64(0)
    f = f_start
    i = np.uint64(start)
    arrival = np.uint64(8)
    revolutions = 0
    hot = True
    while best > 0:
        if not hot:
            if n == 0:
                counts[b] = 0
                empty = 0
                while empty < STACKS and counts[bucket & (STACKS - 1)] == 0:
                    bucket += 1
                    empty += 1
                if empty == STACKS or bucket > last:
                    break
                b = np.uint64(bucket & (STACKS - 1))
                n = counts[b]
            n -= 1
            entry = stacks[b, np.uint64(n)]
            g = entry >> 32
            x = entry & 0xFFFF
            y = (entry >> 16) & 0xFFFF
            i = np.uint64(y * stride + x)
            own = cell[i]
            if np.int64((own >> np.uint64(4)) & np.uint64(0xFFFFFFFF)) != g:
                continue
            arrival = own & np.uint64(15)
            f = g + octile(y, x, gy, gx)
        if f >= best:
            hot = False
            continue
        revolutions += 1
        todo = np.uint64(SUCCESSORS[arrival, mask[i]])
        # The last successor that falls into this bucket is expanded next and never pushed. Along a straight run this
        # applies to all successors.
        hot = False
        hot_y, hot_x, hot_g, hot_f, hot_i, hot_k = y, x, g, f, i, arrival
        while todo != 0:
            k = trailing_zeros(todo)
            todo &= todo - np.uint64(1)
            ny = y + MOVE_Y[k]
            nx = x + MOVE_X[k]
            j = np.uint64(np.int64(i) + offsets[k])
            g_new = g + MOVE_COST[k]
            candidate = key | (np.uint64(g_new) << np.uint64(4))
            if (candidate | np.uint64(15)) >= cell[j]:
                continue
            f_new = g_new + octile(ny, nx, gy, gx)
            if f_new >= best:
                continue
            if f_new >= LONGEST:
                return TOO_LONG
            cell[j] = candidate | k
            if j == np.uint64(goal):
                best = g_new
                last = (best - f_start) >> WIDTH_BITS
                continue
            q = np.uint64(((f_new - f_start) >> WIDTH_BITS) & (STACKS - 1))
            if q == b:
                if hot:
                    if n >= room:
                        return NEED_ROOM
                    stacks[b, np.uint64(n)] = (hot_g << 32) | (hot_y << 16) | hot_x
                    n += 1
                hot = True
                hot_y, hot_x, hot_g, hot_f, hot_i, hot_k = ny, nx, g_new, f_new, j, k
            else:
                held = counts[q]
                if held >= room:
                    return NEED_ROOM
                stacks[q, np.uint64(held)] = (g_new << 32) | (ny << 16) | nx
                counts[q] = held + 1
        if hot:
            y, x, g, f, i, arrival = hot_y, hot_x, hot_g, hot_f, hot_i, hot_k
    answer[COST] = best
    answer[REVOLUTIONS] = revolutions
    if best == np.int64(1) << 40:
        return NO_PATH
    row = out.shape[0]
    y, x, i = gy, gx, goal
    while True:
        row -= 1
        out[row, 0] = y - 1
        out[row, 1] = x - 1
        k = np.int64(cell[i] & np.uint64(15))
        if k == 8 or row == 0:
            break
        y -= MOVE_Y[k]
        x -= MOVE_X[k]
        i -= offsets[k]
    return out.shape[0] - row
