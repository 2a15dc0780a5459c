"""The resumable A* over terrain costs, one kernel call a slice.

Layout.  All tile arrays are flat with a border of one tile that is always blocked, so no bounds are tested.  A tile's
status byte holds four flags and, in its high half, the move that reached it:

    clear 0x00   nobody looked at it in this search
    passable 1, blocked 2   looked at once; frozen until the search ends
    open 4, closed 8        on the open list, expanded

``ground`` is the cost frozen with the status.  The open list is 256 circular stacks of pooled entries, bucketed by the
floor of f; f rises by less than 200 buckets in one step, so buckets never alias.  An improved node is entered again and
its old entry becomes stale: entries of lower buckets are popped first, so a stale one finds the node closed.

Exactness.  Within a bucket the order is last in, first out, and a closed node that gets cheaper is re-opened; the
search stops when everything left has f no lower than the goal's cost.  Costs are integers (see ai.grid.moves).

Where the nine tiles around a node cost the same, canonical pruning drops successors that the parent reaches as cheaply
without it: every tile of the detour lies in those nine, so the optimum survives.

Sources: "AI Game Programming Wisdom", 3.1, 3.4 (status bytes, dirty rectangle, pools), 3.5 (blocked successors, partial
paths).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import numpy as np

from ai.grid.bits import trailing_zeros
from ai.grid.moves import DIAGONAL, LEGAL_MOVES, MOVE_X, MOVE_Y, STRAIGHT
from ai.kernels import device, kernel
from ai.search.canonical import FROM_START, SUCCESSORS

CLEAR, PASSABLE, BLOCKED, OPEN, CLOSED = 0x00, 0x01, 0x02, 0x04, 0x08

BUCKETS = 256
SHIFT = 23
"""log2 of a bucket's width: 0.46 of a straight step over ordinary ground."""

UNREACHED = 1 << 62

# Rows of the state vector.
BUCKET, BEST, F_START, REVOLUTIONS = 0, 1, 2, 3
START_Y, START_X, GOAL_Y, GOAL_X = 4, 5, 6, 7
NEAR_H, NEAR_G, NEAR_AT = 8, 9, 10
TOP_Y, LEFT_X, BOTTOM_Y, RIGHT_X = 11, 12, 13, 14
FREE_ENTRY, USED_ENTRIES, LIVE_ENTRIES = 15, 16, 17
LOWEST, BIT, REOPENED = 18, 19, 20
STATE_LENGTH = 24

RUNNING, FOUND, FAILED, NEED_ENTRIES = 0, 1, 2, 3


@device
def _heuristic(y: int, x: int, goal_y: int, goal_x: int, lowest: int) -> int:
    dy = abs(y - goal_y)
    dx = abs(x - goal_x)
    return lowest * (max(dy, dx) * STRAIGHT + min(dy, dx) * (DIAGONAL - STRAIGHT))


@device
def _push(
    at: int, q: int, heads: np.ndarray, occupied: np.ndarray, pool: np.ndarray, free: int, used: int
) -> tuple[int, int]:
    """Enter a packed tile into bucket q; returns the new head of the free list and the used mark."""
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


@kernel("void(uint8[::1], int64, int64[::1])")
def reset(status: np.ndarray, stride: int, state: np.ndarray) -> None:
    """Clear the status bytes of the dirty rectangle of the last search."""
    for y in range(state[TOP_Y], state[BOTTOM_Y] + 1):
        for x in range(state[LEFT_X], state[RIGHT_X] + 1):
            status[y * stride + x] = CLEAR
    # The border is never clear.
    rows = status.size // stride
    for x in range(stride):
        status[x] = BLOCKED
        status[(rows - 1) * stride + x] = BLOCKED
    for y in range(rows):
        status[y * stride] = BLOCKED
        status[y * stride + stride - 1] = BLOCKED


@kernel(
    "int64(uint8[::1], uint8[::1], int64[::1], int64, uint8[:,::1], uint8[:,::1], int32[::1], uint64[::1],"
    " int32[:,::1], int64[::1], int64)"
)
def run(
    status: np.ndarray,
    ground: np.ndarray,
    g: np.ndarray,
    stride: int,
    passable: np.ndarray,
    cost: np.ndarray,
    heads: np.ndarray,
    occupied: np.ndarray,
    pool: np.ndarray,
    state: np.ndarray,
    limit: int,
) -> int:
    """Expand nodes until ``state[REVOLUTIONS]`` is ``limit``; returns RUNNING, FOUND, FAILED or NEED_ENTRIES."""
    bucket = state[BUCKET]
    best = state[BEST]
    f_start = state[F_START]
    revolutions = state[REVOLUTIONS]
    goal_y = state[GOAL_Y]
    goal_x = state[GOAL_X]
    near_h = state[NEAR_H]
    near_g = state[NEAR_G]
    near_at = state[NEAR_AT]
    top, left, bottom, right = state[TOP_Y], state[LEFT_X], state[BOTTOM_Y], state[RIGHT_X]
    free = state[FREE_ENTRY]
    used = state[USED_ENTRIES]
    live = state[LIVE_ENTRIES]
    lowest = state[LOWEST]
    bit = state[BIT]
    reopened = state[REOPENED]
    room = pool.shape[0] - 9
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
            # The next occupied bucket, going round.
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
        y = at >> 16
        x = at & 0xFFFF
        i = y * stride + x
        own = status[i]
        if not own & OPEN:
            continue
        g_here = g[i]
        h_here = _heuristic(y, x, goal_y, goal_x, lowest)
        if g_here + h_here >= best:
            status[i] = own & ~np.uint8(OPEN)
            continue
        if revolutions >= limit:
            hot = at
            break
        revolutions += 1
        status[i] = (own & ~np.uint8(OPEN)) | CLOSED
        if h_here < near_h or (h_here == near_h and (g_here < near_g or (g_here == near_g and i < near_at))):
            near_h = h_here
            near_g = g_here
            near_at = i
        top = min(top, y - 1)
        bottom = max(bottom, y + 1)
        left = min(left, x - 1)
        right = max(right, x + 1)
        own_ground = np.int64(ground[i])
        around = 0
        differs = 0
        for k in range(8):
            j = i + MOVE_Y[k] * stride + MOVE_X[k]
            seen = status[j]
            if seen == CLEAR:
                ny = y + MOVE_Y[k] - 1
                nx = x + MOVE_X[k] - 1
                if passable[ny, nx] & bit:
                    seen = np.uint8(PASSABLE)
                    ground[j] = max(np.int64(cost[ny, nx]), lowest >> 1)
                else:
                    seen = np.uint8(BLOCKED)
                    ground[j] = 0
                status[j] = seen
            if seen & PASSABLE:
                around |= 1 << k
                differs |= np.int64(ground[j]) ^ own_ground
        moves = np.uint64(LEGAL_MOVES[around])
        if differs == 0:
            moves = np.uint64(SUCCESSORS[own >> 4, moves])
        while moves != 0:
            k = np.int64(trailing_zeros(moves))
            moves &= moves - np.uint64(1)
            ny = y + MOVE_Y[k]
            nx = x + MOVE_X[k]
            j = ny * stride + nx
            step_cost = own_ground + np.int64(ground[j])
            g_new = g_here + step_cost * (STRAIGHT if k < 4 else DIAGONAL)
            seen = status[j]
            if seen & (OPEN | CLOSED) and g_new >= g[j]:
                continue
            f = g_new + _heuristic(ny, nx, goal_y, goal_x, lowest)
            if f >= best:
                continue
            g[j] = g_new
            if ny == goal_y and nx == goal_x:
                status[j] = PASSABLE | np.uint8(k << 4)
                best = g_new
                last_bucket = (best - f_start) >> SHIFT
                continue
            if seen & CLOSED:
                reopened += 1
            status[j] = PASSABLE | OPEN | np.uint8(k << 4)
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
    state[TOP_Y], state[LEFT_X], state[BOTTOM_Y], state[RIGHT_X] = top, left, bottom, right
    state[FREE_ENTRY] = free
    state[USED_ENTRIES] = used
    state[LIVE_ENTRIES] = live
    state[REOPENED] = reopened
    return result


@kernel("int64(uint8[::1], int64, int64, int32[:,::1])")
def trace_back(status: np.ndarray, stride: int, end: int, out: np.ndarray) -> int:
    """Follow arrival moves from ``end`` to the start.

    Returns the number of tiles; writes them as (y, x), start first, when ``out`` has exactly that many rows.
    """
    count = 1
    i = end
    while status[i] >> 4 != FROM_START:
        k = status[i] >> 4
        i -= MOVE_Y[k] * stride + MOVE_X[k]
        count += 1
    if out.shape[0] != count:
        return count
    i = end
    for row in range(count - 1, -1, -1):
        out[row, 0] = i // stride - 1
        out[row, 1] = i % stride - 1
        k = status[i] >> 4
        if k != FROM_START:
            i -= MOVE_Y[k] * stride + MOVE_X[k]
    return count
