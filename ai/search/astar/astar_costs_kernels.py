"""Kernels for exact A* over terrain costs in one call.

Nothing is preprocessed except legal moves, which are updated tile by tile. This engine answers a request in one call;
:mod:`ai.search.astar.astar_kernels` is the one that can be paused.

Layout, flat with a border of one blocked tile: ``price`` uint8 is the cost of a tile, 0 where it is blocked. ``kinds``
uint16 is a number for the surroundings of a tile. ``masks[kind]`` uint64 has one byte for each arrival: the successors
that canonical pruning leaves, extended to ground of any cost. A cell, uint64, packs an inverted stamp of the search (15
bits), g (44 bits, units of :mod:`ai.grid.moves`), whether it is open, and the move that reached it. So one comparison
tests "unseen, or reached at a higher cost", and no array is ever cleared.

Open nodes lie in 256 circular stacks by the floor of f. One step raises f by fewer buckets than that. An improved node
is pushed again. The search stops when the goal costs no more than the floor of the current stack.

Exactness. Pruning drops a move only when a cheaper path avoids it, or an equally cheap path that goes diagonally first.
Such a path ends with a straight move, and a straight move is never dropped for an equal one. So one of the cheapest
paths to any tile always remains.

Sources: "Game AI Pro 2", ch. 14 (canonical orderings, bucket open list); "AI Game Programming Wisdom", 3.4.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator,index"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.bits import prefetch, trailing_zeros
from ai.grid.moves import DIAGONAL, LEGAL_MOVES, MOVE_X, MOVE_Y, STRAIGHT
from ai.search.canonical import FROM_START, SUCCESSORS, WORTH_MAKING

BUCKETS = 256
KINDS, PLACE_BITS = 1 << 16, 17
UNPRUNED = 256
"""First kind without pruning.

Kinds below it are even ground with these legal moves. From here on the ground is uneven and nothing is known about it.
"""

WIDTH_BITS = 23
"""log2 of a bucket's width: 0.46 of a straight step over ordinary ground."""

STAMPS = (1 << 15) - 2
"""Number of searches that a cell array serves before it must be cleared."""

UNREACHED = 1 << 62
NEED_ROOM = -1

# Rows of the answer vector.
COST, REVOLUTIONS, REOPENED = 0, 1, 2

_MOVE_UNIT = np.array([STRAIGHT] * 4 + [DIAGONAL] * 4, np.int64)
_ARRIVAL, _OPEN, _LOW = np.uint64(15), np.uint64(16), np.uint64(31)
_G = np.uint64((1 << 44) - 1)


def _even_successors() -> np.ndarray:
    """Return the successors of each set of legal moves on even ground.

    The result is uint64[256] with one byte per arrival.
    """
    table = np.zeros(256, np.uint64)
    for k in range(8):
        table |= SUCCESSORS[k].astype(np.uint64) << np.uint64(8 * k)
    return table


def first_masks() -> np.ndarray:
    """Return the successors of the kinds that always exist, uint64[512].

    They are those of even ground, and those without pruning.
    """
    unpruned = np.zeros(256, np.uint64)
    for k in range(8):
        unpruned |= (np.arange(256, dtype=np.uint64) & np.uint64(WORTH_MAKING[k])) << np.uint64(8 * k)
    return np.concatenate((_even_successors(), unpruned))


@device
def _legal_moves(price: np.ndarray, y: int, x: int) -> np.uint64:
    around = 0
    for k in range(8):
        around |= np.int64(price[y + MOVE_Y[k], x + MOVE_X[k]] != 0) << k
    return np.uint64(LEGAL_MOVES[around])


@device
def _step(price: np.ndarray, y: int, x: int, ny: int, nx: int) -> int:
    """Return the cost of a move between two neighbours; UNREACHED when illegal."""
    if not price[ny, nx] or not price[y, nx] or not price[ny, x]:
        return UNREACHED
    return (np.int64(price[y, x]) + np.int64(price[ny, nx])) * (STRAIGHT if y == ny or x == nx else DIAGONAL)


@device
def _successors(price: np.ndarray, y: int, x: int, legal: int) -> np.uint64:
    """Return the successors of a tile, one byte per arrival move.

    A move is dropped when the parent reaches its end at a lower cost by one or two moves that avoid the tile. It is
    also dropped at equal cost when that detour has a diagonal move first and the path through this tile a straight one.
    """
    kept = np.uint64(0)
    for k in range(8):
        py, px = y - MOVE_Y[k], x - MOVE_X[k]
        before = _step(price, py, px, y, x) if price[py, px] else UNREACHED
        if before >= UNREACHED:
            continue
        todo = legal & np.int64(WORTH_MAKING[k])
        for n in range(8):
            if not todo >> n & 1:
                continue
            ny, nx = y + MOVE_Y[n], x + MOVE_X[n]
            through = before + _step(price, y, x, ny, nx)
            worth = True
            if abs(ny - py) <= 1 and abs(nx - px) <= 1:
                worth = _step(price, py, px, ny, nx) >= through
            for m in range(8):
                my, mx = y + MOVE_Y[m], x + MOVE_X[m]
                if not worth:
                    break
                if m == n or not price[my, mx] or (my == py and mx == px):
                    continue
                if abs(my - py) > 1 or abs(mx - px) > 1 or abs(my - ny) > 1 or abs(mx - nx) > 1:
                    continue
                first = _step(price, py, px, my, mx)
                rest = _step(price, my, mx, ny, nx)
                if first >= UNREACHED or rest >= UNREACHED:
                    continue
                earlier = k < 4 and my != py and mx != px
                worth = first + rest > through or (first + rest == through and not earlier)
            if worth:
                kept |= np.uint64(1) << np.uint64(8 * k + n)
    return kept


@device
def _kind_of(wanted: np.uint64, masks: np.ndarray, places: np.ndarray, tally: np.ndarray) -> int:
    """Return the number of a set of successors; number new sets.

    Returns -1 when there are too many sets.
    """
    at = np.int64((wanted * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - PLACE_BITS))
    while places[at] >= 0:
        if masks[places[at]] == wanted:
            return np.int64(places[at])
        at = (at + 1) & (places.size - 1)
    if tally[0] == masks.size:
        tally[1] = 1
        return -1
    places[at] = tally[0]
    masks[tally[0]] = wanted
    tally[0] += 1
    return np.int64(tally[0]) - 1


@kernel(
    "void(uint8[:,::1], uint8[:,::1], int64, uint8[:,::1], uint16[:,::1], uint64[::1], int32[::1], int64[::1], int64,"
    " int64, int64, int64)",
    group="lab",
)
def refresh_ground(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    price: np.ndarray,
    kinds: np.ndarray,
    masks: np.ndarray,
    places: np.ndarray,
    tally: np.ndarray,
    y0: int,
    x0: int,
    y1: int,
    x1: int,
) -> None:
    """Update ``price`` and ``kinds``, both with a border of one, on a rectangle.

    ``masks`` are the successors of each kind, ``places`` a hash table over them. ``tally`` holds their number and
    whether they ran out. Uneven tiles without a kind of their own then keep all successors that may be needed.
    """
    height, width = passable.shape
    for y in range(y0, y1):
        for x in range(x0, x1):
            price[y + 1, x + 1] = cost[y, x] if passable[y, x] & bit else 0
    for y in range(max(y0, 1), min(y1 + 2, height + 1)):
        for x in range(max(x0, 1), min(x1 + 2, width + 1)):
            around = 0
            even = True
            own = price[y, x]
            if own:
                for k in range(8):
                    other = price[y + MOVE_Y[k], x + MOVE_X[k]]
                    if other:
                        around |= 1 << k
                        even = even and other == own
            legal = np.int64(LEGAL_MOVES[around])
            kind = legal
            if not even:
                kind = _kind_of(_successors(price, y, x, legal), masks, places, tally)
                if kind < 0:
                    kind = UNPRUNED + legal
            kinds[y, x] = kind


@kernel(
    "int64(uint16[:,::1], uint64[::1], uint8[:,::1], int64, uint64[::1], int64, int32[::1], int32[:,::1],"
    " int32[:,::1], int64[::1], int64, int64, int64, int64)",
    group="lab",
)
def weighted_astar(
    kinds: np.ndarray,
    masks: np.ndarray,
    price: np.ndarray,
    lowest: int,
    cell: np.ndarray,
    stamp: int,
    counts: np.ndarray,
    stacks: np.ndarray,
    out: np.ndarray,
    answer: np.ndarray,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
) -> int:
    """Find a cheapest path between two tiles and return its number of tiles.

    The path is written to the last rows of ``out``. Returns 0 when there is none, NEED_ROOM when ``stacks``
    int32[BUCKETS, room] are too short. ``cell`` is uint64 over the bordered map, all ones at first; ``counts`` is
    int32[BUCKETS]; ``lowest`` is the lowest cost of any tile. When the path has as many tiles as ``out``, or more, its
    beginning is missing.
    """
    stride = kinds.shape[1]
    kind, ground = kinds.ravel(), price.ravel()
    key = np.uint64(STAMPS + 1 - stamp) << np.uint64(49)
    older = key + (np.uint64(1) << np.uint64(49))
    straight, aside = 2 * lowest * STRAIGHT, 2 * lowest * (DIAGONAL - STRAIGHT)
    y, x = start_y + 1, start_x + 1
    gy, gx = goal_y + 1, goal_x + 1
    if not price[y, x] or not price[gy, gx]:
        return 0
    start, goal = y * stride + x, gy * stride + gx
    offsets = np.empty(8, np.int64)
    for k in range(8):
        offsets[k] = MOVE_Y[k] * stride + MOVE_X[k]
    counts[:] = 0
    occupied = np.zeros(4, np.uint64)
    one = np.uint64(1)
    room = stacks.shape[1]
    dy, dx = abs(y - gy), abs(x - gx)
    f_start = max(dy, dx) * straight + min(dy, dx) * aside
    cell[start] = key | np.uint64(FROM_START)
    best = np.int64(UNREACHED)
    last = np.int64(UNREACHED)
    if start == goal:
        best = 0
    bucket = np.int64(0)
    b = np.uint64(0)
    # Entries left in the stack of this bucket. ``after`` is the topmost one; its successors are fetched while others
    # are expanded, because waiting for memory is the largest cost of a node.
    n = np.int64(0)
    after, after_i, after_wide = np.int64(0), np.uint64(0), np.uint64(0)
    i = np.uint64(start)
    g = np.int64(0)
    f = f_start
    own = cell[i]
    wide = masks[kind[i]]
    revolutions = 0
    reopened = 0
    hot = True
    while best > 0:
        if hot:
            hot = False
            if f >= best:
                continue
        else:
            if n == 0:
                counts[b] = 0
                word = np.int64(b) >> 6
                occupied[word] &= ~(one << (b & np.uint64(63)))
                ahead = occupied[word] >> (b & np.uint64(63))
                if ahead != 0:
                    bucket += np.int64(trailing_zeros(ahead))
                else:
                    step = 1
                    while step < 5 and occupied[(word + step) & 3] == 0:
                        step += 1
                    if step == 5:
                        break
                    bucket += step * 64 - np.int64(b & np.uint64(63))
                    bucket += np.int64(trailing_zeros(occupied[(word + step) & 3]))
                if bucket > last:
                    break
                b = np.uint64(bucket & (BUCKETS - 1))
                n = np.int64(counts[b])
                after = np.int64(stacks[b, np.uint64(n - 1)])
                after_i = np.uint64((after >> 16) * stride + (after & 0xFFFF))
                after_wide = masks[kind[after_i]]
            n -= 1
            at, i, wide = after, after_i, after_wide
            own = cell[i]
            if n > 0:
                after = np.int64(stacks[b, np.uint64(n - 1)])
                after_i = np.uint64((after >> 16) * stride + (after & 0xFFFF))
                after_wide = masks[kind[after_i]]
                later = np.int64(stacks[b, np.uint64(max(n - 3, 0))])
                later = (later >> 16) * stride + (later & 0xFFFF)
                prefetch(cell, later)
                prefetch(cell, later - stride)
                prefetch(cell, later + stride)
                prefetch(kind, later)
                prefetch(ground, later - stride)
                prefetch(ground, later)
                prefetch(ground, later + stride)
            if not own & _OPEN:
                continue
            cell[i] = own ^ _OPEN
            y = at >> 16
            x = at & 0xFFFF
            g = np.int64((own >> np.uint64(5)) & _G)
            if best < UNREACHED:
                dy, dx = abs(y - gy), abs(x - gx)
                if g + max(dy, dx) * straight + min(dy, dx) * aside >= best:
                    continue
        revolutions += 1
        todo = wide >> ((own & _ARRIVAL) << np.uint64(3)) & np.uint64(255)
        if i == np.uint64(start):
            todo = _legal_moves(price, y, x)
        own_price = np.int64(ground[i])
        # The last successor that falls into this bucket is expanded next and never pushed. Along a straight run this
        # applies to all successors.
        hot_y, hot_x, hot_g, hot_f, hot_i, hot_own = y, x, g, f, i, own
        while todo != 0:
            k = trailing_zeros(todo)
            todo &= todo - one
            j = np.uint64(np.int64(i) + offsets[k])
            g_new = g + (own_price + np.int64(ground[j])) * _MOVE_UNIT[k]
            candidate = key | np.uint64(g_new) << np.uint64(5) | k
            other = cell[j]
            if (candidate | _LOW) >= other:
                continue
            ny = y + MOVE_Y[k]
            nx = x + MOVE_X[k]
            dy, dx = abs(ny - gy), abs(nx - gx)
            f_new = g_new + max(dy, dx) * straight + min(dy, dx) * aside
            if f_new >= best:
                continue
            if j == np.uint64(goal):
                cell[j] = candidate
                best = g_new
                last = (best - f_start) >> WIDTH_BITS
                continue
            if other < older and not other & _OPEN:
                reopened += 1
            made = (ny << 16) | nx
            q = np.uint64(((f_new - f_start) >> WIDTH_BITS) & (BUCKETS - 1))
            if q == b:
                cell[j] = candidate
                if hot:
                    made = (hot_y << 16) | hot_x
                    cell[hot_i] = hot_own | _OPEN
                hot_y, hot_x, hot_g, hot_f, hot_i, hot_own = ny, nx, g_new, f_new, j, candidate
                if not hot:
                    hot = True
                    continue
                if n == room:
                    return NEED_ROOM
                stacks[b, np.uint64(n)] = made
                n += 1
                after = made
                after_i = np.uint64((made >> 16) * stride + (made & 0xFFFF))
                after_wide = masks[kind[after_i]]
            else:
                cell[j] = candidate | _OPEN
                held = np.int64(counts[q])
                if held == room:
                    return NEED_ROOM
                stacks[q, np.uint64(held)] = made
                counts[q] = held + 1
                occupied[q >> np.uint64(6)] |= one << (q & np.uint64(63))
        if hot:
            y, x, g, f, i, own = hot_y, hot_x, hot_g, hot_f, hot_i, hot_own
            wide = masks[kind[i]]
    answer[COST] = best
    answer[REVOLUTIONS] = revolutions
    answer[REOPENED] = reopened
    if best == UNREACHED:
        return 0
    row = out.shape[0]
    y, x, i = gy, gx, goal
    while True:
        row -= 1
        out[row, 0] = y - 1
        out[row, 1] = x - 1
        k = cell[i] & _ARRIVAL
        if k == np.uint64(FROM_START) or row == 0:
            break
        y -= MOVE_Y[k]
        x -= MOVE_X[k]
        i -= offsets[k]
    return out.shape[0] - row
