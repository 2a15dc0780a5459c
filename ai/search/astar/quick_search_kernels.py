"""Kernels of the quick search: many small capped searches in one call.

Each row is an A* in a window of 48 x 48 tiles around its start, shifted towards its goal. Its open list is a binary
heap ordered by f, newest first among equals.

Sources: "AI Game Programming Wisdom", 3.3 (quick and splice paths), 3.5 (partial paths).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.bits import load_word, trailing_zeros
from ai.grid.moves import DIAGONAL, LEGAL_MOVES, MOVE_X, MOVE_Y, MOVES_OF_BLOCK, STRAIGHT
from ai.search.canonical import FROM_START, SUCCESSORS

WINDOW = 48
CELLS = WINDOW * WINDOW
HEAP = 8 * 1024
MAX_CAP = 1000
"""Largest cap of one search, in revolutions.

A revolution pushes at most eight nodes, so a search under this cap never fills its heap.
"""

_LANES = np.uint64(0x010101)
"""The lowest bit of each of three bytes."""

_SEQUENCE_BITS = 14
_FIRST = 1 << _SEQUENCE_BITS


@device
def _sift_up(keys: np.ndarray, cells: np.ndarray, at: int, key: int, cell: int) -> None:
    while at > 0:
        parent = (at - 1) >> 1
        if keys[parent] <= key:
            break
        keys[at] = keys[parent]
        cells[at] = cells[parent]
        at = parent
    keys[at] = key
    cells[at] = cell


@device
def _remove_top(keys: np.ndarray, cells: np.ndarray, count: int) -> None:
    """Remove the first of ``count`` heap entries; the last one sinks from the top."""
    last = count - 1
    key = keys[last]
    cell = cells[last]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[at] = keys[child]
        cells[at] = cells[child]
        at = child
    keys[at] = key
    cells[at] = cell


@device
def _estimate(y: int, x: int, goal_y: int, goal_x: int, lowest: int) -> int:
    dy = abs(y - goal_y)
    dx = abs(x - goal_x)
    return lowest * (max(dy, dx) * STRAIGHT + min(dy, dx) * (DIAGONAL - STRAIGHT))


@device
def _window_corner(start: int, goal: int) -> int:
    """Return the first row or column of the window.

    The window is centred on the start and shifted towards the goal by up to 16 tiles.
    """
    return start - WINDOW // 2 + max(min((goal - start) // 2, 16), -16)


@device
def _search_window(
    passable: np.ndarray,
    cost: np.ndarray,
    class_shift: np.uint64,
    lowest: int,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
    cap: int,
    nearer: int,
    explore: int,
    row: int,
    stamp: np.ndarray,
    g: np.ndarray,
    arrival: np.ndarray,
    closed: np.ndarray,
    keys: np.ndarray,
    cells: np.ndarray,
    answer: np.ndarray,
) -> None:
    """Search in one window and fill ``answer``.

    ``answer`` gets the end cell, reached (0 or 1), the revolutions and the window's corner. The search stops early at a
    tile whose estimate is ``nearer`` below the start's. ``explore`` 1: when no tile is nearer to the goal than the
    start, the end is the open tile that the search would expand next.
    """
    height, width = passable.shape
    top = _window_corner(start_y, goal_y)
    left = _window_corner(start_x, goal_x)
    sequence = _FIRST
    start = (start_y - top) * WINDOW + start_x - left
    stamp[start] = row
    g[start] = 0
    arrival[start] = FROM_START
    closed[start] = False
    near_h = _estimate(start_y, start_x, goal_y, goal_x, lowest)
    near_g = np.int64(0)
    near = start
    keys[0] = near_h << _SEQUENCE_BITS
    cells[0] = start
    count = 1
    revolutions = 0
    reached = 0
    enough = near_h - nearer
    while count > 0:
        cell = np.int64(cells[0])
        wy = cell // WINDOW
        wx = cell - wy * WINDOW
        y, x = top + wy, left + wx
        if closed[cell]:
            _remove_top(keys, cells, count)
            count -= 1
            continue
        if y == goal_y and x == goal_x:
            reached = 1
            near = cell
            break
        if revolutions >= cap:
            break
        _remove_top(keys, cells, count)
        count -= 1
        revolutions += 1
        closed[cell] = True
        here = g[cell]
        h = _estimate(y, x, goal_y, goal_x, lowest)
        if h < near_h or (h == near_h and (here < near_g or (here == near_g and cell < near))):
            near_h = h
            near_g = here
            near = cell
            if h <= enough:
                break
        own = max(np.int64(cost[y, x]), lowest >> 1)
        differs = np.uint64(0)
        if 1 < wy < WINDOW - 2 and 1 < wx < WINDOW - 2 and 0 < y < height - 2 and 0 < x < width - 1 and width > 7:
            # Three rows of three tiles, each read as a word. Row y + 2 exists, so the last read stays inside.
            block = np.uint64(0)
            shift = np.uint64(0)
            for ny in range(y - 1, y + 2):
                at = ny * width + x - 1
                passes = load_word(passable, at) >> class_shift & _LANES
                block |= ((passes | passes >> np.uint64(7) | passes >> np.uint64(14)) & np.uint64(7)) << shift
                shift += np.uint64(3)
                differs |= (load_word(cost, at) ^ np.uint64(own) * _LANES) & (passes * np.uint64(0xFF))
            moves = np.uint64(MOVES_OF_BLOCK[block])
        else:
            # The outermost ring of the window and all tiles outside the map count as wall.
            around = 0
            for k in range(8):
                ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                in_window = 0 < ny - top < WINDOW - 1 and 0 < nx - left < WINDOW - 1
                if in_window and 0 <= ny < height and 0 <= nx < width and passable[ny, nx] >> class_shift & 1:
                    around |= 1 << k
                    differs |= np.uint64(cost[ny, nx] ^ own)
            moves = np.uint64(LEGAL_MOVES[around])
        if differs == 0:
            moves = np.uint64(SUCCESSORS[arrival[cell], moves])
        while moves != 0:
            k = np.int64(trailing_zeros(moves))
            moves &= moves - np.uint64(1)
            ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
            other = np.uint64(cell + MOVE_Y[k] * WINDOW + MOVE_X[k])
            new = here + (own + np.int64(cost[np.uint64(ny), np.uint64(nx)])) * (STRAIGHT if k < 4 else DIAGONAL)
            if stamp[other] == row and new >= g[other]:
                continue
            stamp[other] = row
            g[other] = new
            arrival[other] = k
            closed[other] = False
            f = new + _estimate(ny, nx, goal_y, goal_x, lowest)
            sequence -= 1
            _sift_up(keys, cells, count, (f << _SEQUENCE_BITS) | sequence, other)
            count += 1
    if explore != 0 and near == start and reached == 0 and count > 0 and closed[np.int64(cells[0])] == 0:
        # No tile is nearer than the start: end at the node that would be expanded next.
        near = np.int64(cells[0])
    answer[0] = near
    answer[1] = reached
    answer[2] = revolutions
    answer[3] = top
    answer[4] = left


@kernel(
    "void(uint8[:,::1], uint8[:,::1], int64, int32[:,::1], int32[:,::1], uint8[::1], int32[::1],"
    " int64, int64, int32[:,:,::1], int32[::1], uint8[::1], int32[::1], int64[::1])"
)
def search_windows(
    passable: np.ndarray,
    cost: np.ndarray,
    lowest: int,
    starts: np.ndarray,
    goals: np.ndarray,
    classes: np.ndarray,
    caps: np.ndarray,
    nearer: int,
    explore: int,
    tiles: np.ndarray,
    counts: np.ndarray,
    reached: np.ndarray,
    revolutions: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Run one capped search per row; rows do not depend on each other."""
    stamp = np.full(CELLS, -1, np.int64)
    g = np.empty(CELLS, np.int64)
    arrival = np.empty(CELLS, np.uint8)
    closed = np.empty(CELLS, np.bool_)
    keys = np.empty(HEAP, np.int64)
    cells = np.empty(HEAP, np.int32)
    answer = np.empty(8, np.int64)
    room = tiles.shape[1]
    for row in range(starts.shape[0]):
        _search_window(
            passable,
            cost,
            np.uint64(classes[row]),
            lowest,
            np.int64(starts[row, 0]),
            np.int64(starts[row, 1]),
            np.int64(goals[row, 0]),
            np.int64(goals[row, 1]),
            np.int64(caps[row]),
            nearer,
            explore,
            row,
            stamp,
            g,
            arrival,
            closed,
            keys,
            cells,
            answer,
        )
        cell, top, left = answer[0], answer[3], answer[4]
        costs[row] = g[cell]
        reached[row] = answer[1]
        revolutions[row] = answer[2]
        steps = 1
        at = cell
        while arrival[at] != FROM_START:
            k = arrival[at]
            at -= MOVE_Y[k] * WINDOW + MOVE_X[k]
            steps += 1
        # A path longer than the table keeps its first part.
        at = cell
        for step in range(steps - 1, -1, -1):
            if step < room:
                tiles[row, step, 0] = top + at // WINDOW
                tiles[row, step, 1] = left + at % WINDOW
            else:
                reached[row] = 0
            k = arrival[at]
            if k != FROM_START:
                at -= MOVE_Y[k] * WINDOW + MOVE_X[k]
        counts[row] = min(steps, room)
