"""Kernels of the resumable A* over terrain costs, one call per slice.

Layout. All tile arrays are flat with a border of one tile that is always blocked, so bounds are never tested.

    looks   uint16: clear 0, passable 1 with its cost in the high byte, or blocked 2; written when
            the search first comes near (8 x 16 tiles at a time) and frozen until it ends
    marks   uint8: open 4, closed 8, and in the high half the move that reached the tile
    g       int64 cost so far, valid where a tile is open or closed

Together they are the source's status byte. They are separate because looks are read as words, three tiles of a row at a
time, and reading a word just after writing into it stalls. So legal moves and "is every cost here equal?" take a few
instructions. The open list is 256 circular stacks of pooled entries, bucketed by the floor of f. One step raises f by
less than 200 buckets, so buckets never alias. An improved node is pushed again and its old entry becomes stale. Entries
of lower buckets are popped first, so a stale entry finds its node closed.

Exactness. Within a bucket the order is last in, first out, and a closed node that gets cheaper is re-opened. The search
stops when no remaining f is lower than the goal's cost. Costs are integers (see ai.grid.moves).

Where the nine tiles around a node cost the same, canonical pruning drops successors that the parent reaches at equal
cost without it. Every tile of the detour lies in those nine, so the optimum survives.

Sources: "AI Game Programming Wisdom", 3.1, 3.4 (status bytes, dirty rectangle, pools), 3.5 (blocked successors, partial
paths).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np
from numba import carray

from ai.core.kernels import device, kernel
from ai.grid.bits import load_word, pointer, prefetch, trailing_zeros
from ai.grid.moves import DIAGONAL, MOVE_X, MOVE_Y, MOVES_OF_BLOCK, STRAIGHT
from ai.search.canonical import FROM_START, SUCCESSORS, WORTH_MAKING

CLEAR, PASSABLE, BLOCKED, OPEN, CLOSED = 0x00, 0x01, 0x02, 0x04, 0x08

LOOK_ROWS, LOOK_COLUMNS = 8, 16
"""Tiles are examined in blocks of this size, aligned to the map's corner."""

BUCKETS = 256
SHIFT = 23
"""log2 of a bucket's width: 0.46 of a straight step over ordinary ground."""

UNREACHED = 1 << 62

_LANES = np.uint64(0x0000000100010001)
"""The lowest bit of each of three tiles in a word."""

_GROUND_LANES = np.uint64(0x0000FF00FF00FF00)


# Rows of the context: first the state, which is saved, then sizes and addresses of the arrays.
BUCKET, BEST, F_START, REVOLUTIONS = 0, 1, 2, 3
START_Y, START_X, GOAL_Y, GOAL_X = 4, 5, 6, 7
NEAR_H, NEAR_G, NEAR_AT = 8, 9, 10
TOP_Y, LEFT_X, BOTTOM_Y, RIGHT_X = 11, 12, 13, 14
FREE_ENTRY, USED_ENTRIES, LIVE_ENTRIES = 15, 16, 17
LOWEST, BIT, REOPENED = 18, 19, 20
STRAIGHT_H, DIAGONAL_H, TRACE = 21, 22, 23
STATE_LENGTH = 24
HEIGHT, STRIDE, ROOM, ROWS = 24, 25, 26, 27
LOOKS, MARKS, G, HEADS, OCCUPIED, POOL, OUT, GROUND, COST = range(28, 37)
CONTEXT_LENGTH = 37

RUNNING, FOUND, FAILED, NEED_ENTRIES = 0, 1, 2, 3


@device
def _heuristic(y: int, x: int, goal_y: int, goal_x: int, straight: int, diagonal: int) -> int:
    dy = abs(y - goal_y)
    dx = abs(x - goal_x)
    return max(dy, dx) * straight + min(dy, dx) * diagonal


@device
def _push(
    at: int, q: int, heads: np.ndarray, occupied: np.ndarray, pool: np.ndarray, free: int, used: int
) -> tuple[int, int]:
    """Push a packed tile into bucket q.

    Returns the new head of the free list and the used mark.
    """
    if free >= 0:
        entry = free
        free = np.int64(pool[entry, 1])
    else:
        entry = used
        used += 1
    pool[entry, 0] = at
    pool[entry, 1] = heads[q]
    heads[q] = entry
    occupied[q >> 6] |= np.uint64(1) << np.uint64(q & 63)
    return free, used


@device
def _three_bits(row: np.uint64) -> np.uint64:
    """Gather the lowest bits of three tiles into bits 0, 1, 2."""
    row &= _LANES
    return (row | row >> np.uint64(15) | row >> np.uint64(30)) & np.uint64(7)


@device
def _other_ground(row: np.uint64, own: np.uint64) -> np.uint64:
    """Return non-zero when a passable tile of the row has another cost.

    ``own`` is the cost to compare with, spread over the lanes.
    """
    passable = (row & _LANES) * np.uint64(0xFF00)
    return (row ^ own) & passable


@device
def _look_at_block(
    at: int, stride: int, looks: np.ndarray, passable: np.ndarray, cost: np.ndarray, state: np.ndarray
) -> None:
    """Examine the block around a clear tile and freeze the result."""
    top = (at // stride - 1) // LOOK_ROWS * LOOK_ROWS
    left = (at % stride - 1) // LOOK_COLUMNS * LOOK_COLUMNS
    bottom = min(top + LOOK_ROWS, passable.shape[0])
    right = min(left + LOOK_COLUMNS, passable.shape[1])
    # A blocked start stays blocked to other tiles but keeps its cost.
    start = state[START_Y] * stride + state[START_X]
    kept = looks[start]
    bit, cheapest = state[BIT], state[LOWEST] >> 1
    for y in range(top, bottom):
        open_row = passable[y, left:right]
        cost_row = cost[y, left:right]
        row = looks[(y + 1) * stride + left + 1 : (y + 1) * stride + right + 1]
        for x in range(right - left):
            price = max(np.int64(cost_row[x]), cheapest)
            row[x] = (PASSABLE | price << 8) if open_row[x] & bit else BLOCKED
    looks[start] = kept
    state[TOP_Y] = min(state[TOP_Y], top)
    state[LEFT_X] = min(state[LEFT_X], left)
    state[BOTTOM_Y] = max(state[BOTTOM_Y], bottom)
    state[RIGHT_X] = max(state[RIGHT_X], right)


@device
def _any_clear(above: np.uint64, level: np.uint64, below: np.uint64) -> bool:
    """Return whether one of nine tiles is not examined yet."""
    seen = (above | above >> np.uint64(1)) & (level | level >> np.uint64(1)) & (below | below >> np.uint64(1))
    return ~seen & _LANES != 0


@device
def _first_clear(above: np.uint64, level: np.uint64, below: np.uint64, i: int, stride: int) -> int:
    """Return a clear tile among the nine around ``i``; there is one."""
    clear = ~(above | above >> np.uint64(1)) & _LANES
    if clear != 0:
        return i - stride - 1 + np.int64(trailing_zeros(clear) >> np.uint64(4))
    clear = ~(level | level >> np.uint64(1)) & _LANES
    if clear != 0:
        return i - 1 + np.int64(trailing_zeros(clear) >> np.uint64(4))
    clear = ~(below | below >> np.uint64(1)) & _LANES
    return i + stride - 1 + np.int64(trailing_zeros(clear) >> np.uint64(4))


@kernel("int64(int64[::1], int64, int64, int64, int64, int64, int64)")
def begin(context: np.ndarray, start_y: int, start_x: int, goal_y: int, goal_x: int, lowest: int, bit: int) -> int:
    """Clear the last search's dirty rectangle and push the start of a new one.

    Returns RUNNING, or FOUND when the start is the goal. With ``start_y`` -1 nothing is pushed: a flood pushes its
    sources itself. ``context`` is int64[CONTEXT_LENGTH]. Arrays come by address, because a call with a dozen arrays
    costs more than many a search. ``lowest`` is the lowest cost of any tile.
    """
    stride = context[STRIDE]
    size = context[HEIGHT] * stride
    looks = carray(pointer(context[LOOKS]), (size,), np.uint16)
    marks = carray(pointer(context[MARKS]), (size,), np.uint8)
    heads = carray(pointer(context[HEADS]), (BUCKETS,), np.int32)
    occupied = carray(pointer(context[OCCUPIED]), (BUCKETS // 64,), np.uint64)
    for y in range(context[TOP_Y], context[BOTTOM_Y]):
        row = (y + 1) * stride + 1
        looks[row + context[LEFT_X] : row + context[RIGHT_X]] = CLEAR
        marks[row + context[LEFT_X] : row + context[RIGHT_X]] = CLEAR
    heads[:] = -1
    occupied[:] = 0
    context[:STATE_LENGTH] = 0
    context[FREE_ENTRY] = -1
    context[LOWEST] = 2 * lowest
    context[BIT] = bit
    context[BEST] = UNREACHED
    context[NEAR_H] = UNREACHED
    if start_y < 0:
        return RUNNING
    passable = carray(pointer(context[GROUND]), (context[HEIGHT] - 2, stride - 2), np.uint8)
    cost = carray(pointer(context[COST]), (context[HEIGHT] - 2, stride - 2), np.uint8)
    g = carray(pointer(context[G]), (size,), np.int64)
    sy, sx, gy, gx = start_y + 1, start_x + 1, goal_y + 1, goal_x + 1
    at = sy * stride + sx
    context[START_Y], context[START_X], context[GOAL_Y], context[GOAL_X] = sy, sx, gy, gx
    context[NEAR_AT] = at
    context[TOP_Y], context[LEFT_X], context[BOTTOM_Y], context[RIGHT_X] = start_y, start_x, sy, sx
    context[STRAIGHT_H] = 2 * lowest * STRAIGHT
    context[DIAGONAL_H] = 2 * lowest * (DIAGONAL - STRAIGHT)
    frozen = max(np.int64(cost[start_y, start_x]), lowest) << 8
    looks[at] = frozen | (PASSABLE if passable[start_y, start_x] & bit else BLOCKED)
    g[at] = 0
    if sy == gy and sx == gx:
        marks[at] = CLOSED | FROM_START << 4
        context[BEST] = 0
        return FOUND
    marks[at] = OPEN | FROM_START << 4
    context[F_START] = _heuristic(sy, sx, gy, gx, context[STRAIGHT_H], context[DIAGONAL_H])
    pool = carray(pointer(context[POOL]), (context[ROOM], 2), np.int32)
    pool[0, 0] = sy << 16 | sx
    pool[0, 1] = -1
    heads[0] = 0
    occupied[0] = 1
    context[USED_ENTRIES] = context[LIVE_ENTRIES] = 1
    return RUNNING


@kernel("int64(int64[::1], int64)")
def run(state: np.ndarray, limit: int) -> int:
    """Expand nodes until ``state[REVOLUTIONS]`` reaches ``limit``.

    Returns RUNNING, FOUND, FAILED or NEED_ENTRIES. ``state`` is the context.
    """
    stride = state[STRIDE]
    size = state[HEIGHT] * stride
    looks = carray(pointer(state[LOOKS]), (size + 4,), np.uint16)
    marks = carray(pointer(state[MARKS]), (size,), np.uint8)
    g = carray(pointer(state[G]), (size,), np.int64)
    passable = carray(pointer(state[GROUND]), (state[HEIGHT] - 2, stride - 2), np.uint8)
    cost = carray(pointer(state[COST]), (state[HEIGHT] - 2, stride - 2), np.uint8)
    heads = carray(pointer(state[HEADS]), (BUCKETS,), np.int32)
    occupied = carray(pointer(state[OCCUPIED]), (BUCKETS // 64,), np.uint64)
    pool = carray(pointer(state[POOL]), (state[ROOM], 2), np.int32)
    bucket = state[BUCKET]
    best = state[BEST]
    f_start = state[F_START]
    revolutions = state[REVOLUTIONS]
    goal_y, goal_x = state[GOAL_Y], state[GOAL_X]
    near_h, near_g, near_at = state[NEAR_H], state[NEAR_G], state[NEAR_AT]
    free = state[FREE_ENTRY]
    used = state[USED_ENTRIES]
    live = state[LIVE_ENTRIES]
    reopened = state[REOPENED]
    trace = state[TRACE]
    room = pool.shape[0] - 9
    straight_h = state[STRAIGHT_H]
    diagonal_h = state[DIAGONAL_H]
    offsets = np.empty(8, np.int64)
    for k in range(8):
        offsets[k] = MOVE_Y[k] * stride + MOVE_X[k]
    last_bucket = np.int64(UNREACHED)
    if best < UNREACHED:
        last_bucket = (best - f_start) >> SHIFT
    b = bucket & (BUCKETS - 1)
    # The entry pushed last into the current bucket waits in a register.
    hot = np.int64(-1)
    result = RUNNING
    while True:
        if hot < 0 and heads[b] < 0:
            occupied[b >> 6] &= ~(np.uint64(1) << np.uint64(b & 63))
            # The next occupied bucket in circular order.
            word = b >> 6
            ahead = occupied[word] >> np.uint64(b & 63)
            if ahead != 0:
                bucket += np.int64(trailing_zeros(ahead))
            else:
                found = False
                for step in range(1, 5):
                    ahead = occupied[(word + step) & 3]
                    if ahead != 0:
                        bucket += step * 64 - (b & 63) + np.int64(trailing_zeros(ahead))
                        found = True
                        break
                if not found:
                    result = FOUND if best < UNREACHED else FAILED
                    break
            b = bucket & (BUCKETS - 1)
            if bucket > last_bucket:
                result = FOUND
                break
        if live > room:
            result = NEED_ENTRIES
            break
        if hot >= 0:
            at = hot
            hot = np.int64(-1)
        else:
            entry = np.int64(heads[b])
            at = np.int64(pool[entry, 0])
            heads[b] = pool[entry, 1]
            pool[entry, 1] = free
            free = entry
            live -= 1
            after = np.int64(heads[b])
            if after >= 0:
                # Waiting for memory is the largest cost of a node: fetch the next one while this one is expanded.
                later = np.int64(pool[after, 0])
                later = (later >> 16) * stride + (later & 0xFFFF)
                prefetch(marks, later)
                prefetch(marks, later - stride)
                prefetch(marks, later + stride)
                prefetch(g, later)
                prefetch(g, later - stride)
                prefetch(g, later + stride)
                prefetch(looks, later)
                prefetch(looks, later - stride)
                prefetch(looks, later + stride)
        y = at >> 16
        x = at & 0xFFFF
        i = y * stride + x
        own = np.int64(marks[np.uint64(i)])
        if not own & OPEN:
            continue
        g_here = g[np.uint64(i)]
        h_here = _heuristic(y, x, goal_y, goal_x, straight_h, diagonal_h)
        if g_here + h_here >= best:
            marks[np.uint64(i)] = own & ~OPEN
            continue
        if revolutions >= limit:
            hot = at
            break
        revolutions += 1
        # A running digest of the expanded nodes, their order and their costs.
        trace = (trace ^ (g_here * 31 + i)) * 1099511628211
        marks[np.uint64(i)] = (own & ~OPEN) | CLOSED
        if h_here <= near_h and (h_here < near_h or g_here < near_g or (g_here == near_g and i < near_at)):
            near_h = h_here
            near_g = g_here
            near_at = i
        above = load_word(looks, i - stride - 1)
        level = load_word(looks, i - 1)
        below = load_word(looks, i + stride - 1)
        while _any_clear(above, level, below):
            clear_at = _first_clear(above, level, below, i, stride)
            _look_at_block(clear_at, stride, looks, passable, cost, state)
            above = load_word(looks, i - stride - 1)
            level = load_word(looks, i - 1)
            below = load_word(looks, i + stride - 1)
        block = _three_bits(above) | _three_bits(level) << np.uint64(3) | _three_bits(below) << np.uint64(6)
        moves = np.uint64(MOVES_OF_BLOCK[block])
        own_ground = np.int64(level >> np.uint64(24)) & 0xFF
        everywhere = np.uint64(own_ground << 8) * _LANES
        if (
            _other_ground(above, everywhere) | _other_ground(level, everywhere) | _other_ground(below, everywhere)
        ) == 0:
            moves = np.uint64(SUCCESSORS[np.uint64(own >> 4), moves])
        else:
            moves &= np.uint64(WORTH_MAKING[np.uint64(own >> 4)])
        while moves != 0:
            k = np.int64(trailing_zeros(moves))
            moves &= moves - np.uint64(1)
            ny = y + MOVE_Y[np.uint64(k)]
            nx = x + MOVE_X[np.uint64(k)]
            j = np.uint64(i + offsets[np.uint64(k)])
            seen = np.int64(marks[j])
            ground = np.int64(looks[j]) >> 8
            g_new = g_here + (own_ground + ground) * (STRAIGHT if k < 4 else DIAGONAL)
            if seen != 0 and g_new >= g[j]:
                continue
            f = g_new + _heuristic(ny, nx, goal_y, goal_x, straight_h, diagonal_h)
            if f >= best:
                continue
            g[j] = g_new
            if ny == goal_y and nx == goal_x:
                marks[j] = k << 4
                best = g_new
                last_bucket = (best - f_start) >> SHIFT
                continue
            reopened += seen >> 3 & 1
            marks[j] = OPEN | k << 4
            packed = (ny << 16) | nx
            q = ((f - f_start) >> SHIFT) & (BUCKETS - 1)
            if q == b:
                if hot >= 0:
                    free, used = _push(hot, b, heads, occupied, pool, free, used)
                    live += 1
                hot = packed
            else:
                free, used = _push(packed, q, heads, occupied, pool, free, used)
                live += 1
    if hot >= 0:
        free, used = _push(hot, b, heads, occupied, pool, free, used)
        live += 1
    state[BUCKET] = bucket
    state[BEST] = best
    state[REVOLUTIONS] = revolutions
    state[NEAR_H] = near_h
    state[NEAR_G] = near_g
    state[NEAR_AT] = near_at
    state[FREE_ENTRY] = free
    state[USED_ENTRIES] = used
    state[LIVE_ENTRIES] = live
    state[REOPENED] = reopened
    state[TRACE] = trace
    return result


@kernel("int64(int64[::1], int64)")
def trace_back(context: np.ndarray, end: int) -> int:
    """Follow arrival moves from ``end`` to the start; return the number of tiles.

    The tiles stand in the last rows of OUT, start first. A path longer than OUT loses its beginning.
    """
    stride = context[STRIDE]
    marks = carray(pointer(context[MARKS]), (context[HEIGHT] * stride,), np.uint8)
    out = carray(pointer(context[OUT]), (context[ROWS], 2), np.int32)
    i = end
    y = end // stride - 1
    x = end % stride - 1
    row = context[ROWS]
    while True:
        row -= 1
        if row >= 0:
            out[row, 0] = y
            out[row, 1] = x
        k = marks[i] >> 4
        if k == FROM_START:
            return context[ROWS] - row
        i -= MOVE_Y[k] * stride + MOVE_X[k]
        y -= MOVE_Y[k]
        x -= MOVE_X[k]
