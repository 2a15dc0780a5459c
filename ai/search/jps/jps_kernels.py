"""Kernels of jump point search on packed rows.

A straight jump is a shift and a count of zeros in the stop bits (:mod:`ai.search.jps.jump_stop_bits`). A diagonal jump
goes step by step and tests two straight jumps at each step.

Source: "Game AI Pro 2", ch. 14 (canonical pruning, jump points, online search, bucket open list); costs and packed
cells as in :mod:`ai.search.jps.uniform_astar_kernels`.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np
from numba import carray

from ai.core.kernels import device, device_with_arrays, kernel
from ai.grid.bits import pointer, trailing_zeros
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.canonical import SUCCESSORS
from ai.search.jps.jump_stop_bits import next_stop, previous_stop
from ai.search.jps.uniform_astar_kernels import (
    COST,
    LONGEST,
    NEED_ROOM,
    NO_PATH,
    OUTSIDE,
    OVER_LIMIT,
    REVOLUTIONS,
    STAMPS,
    STOPPED,
    TOO_LONG,
    WORN_OUT,
    octile,
)
from ai.search.jps.uniform_costs import MOVE_COST

BUCKETS = 4096

EXPANDED, SCANNED = 2, 3
"""Further entries of the answer: expanded nodes and scanned cells."""


@device_with_arrays
def _search(
    ground: np.ndarray,
    moves: np.ndarray,
    east: np.ndarray,
    west: np.ndarray,
    south: np.ndarray,
    north: np.ndarray,
    cell: np.ndarray,
    parent: np.ndarray,
    heads: np.ndarray,
    occupied: np.ndarray,
    pool: np.ndarray,
    links: np.ndarray,
    stamp: int,
    out: np.ndarray,
    answer: np.ndarray,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
    limit: int,
    early: int,
    log: np.ndarray,
) -> int:
    """Find a shortest path and write its jump points to the end of ``out``.

    Returns their number, or a code <= 0. ``occupied`` has one bit per bucket: 64 words and one word over those. A
    revolution is one pop, or 64 scanned cells. Scanned cells are those from a node to the stops of its straight scans,
    the steps of a diagonal jump, and the side scans of each of these steps. Once ``limit`` revolutions are spent, the
    answer is OVER_LIMIT, at the next node or at the next step of a diagonal jump. Between these checks a scan crosses
    the map at most twice across and twice down. ``early`` takes the first path that reaches the goal, as the source's
    bucket list does: faster, and sometimes longer than the shortest. A ``log`` with rows records cell, g and arrival of
    each expanded node. The search stops when the log is full (STOPPED).
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    room = pool.size - 16
    key = np.uint64(STAMPS + 1 - stamp) << np.uint64(36)
    one = np.uint64(1)
    y, x = start_y + 1, start_x + 1
    gy, gx = goal_y + 1, goal_x + 1
    start, goal = y * stride + x, gy * stride + gx
    # One jump raises f by at most twice the path across the map, so the circular buckets must cover that range.
    width_bits = 13
    while (2 * (ground.shape[0] + stride) * 19601) >> width_bits >= BUCKETS - 2:
        width_bits += 1
    for word in range(65):
        occupied[word] = 0
    f_start = octile(y, x, gy, gx)
    cell[start] = key | np.uint64(8)
    used = 0
    bucket = np.int64(0)
    b = np.int64(0)
    best = np.int64(1) << 40
    if start == goal:
        best = 0
    elif not ground[gy, gx]:
        # Every wall ends a jump: a goal inside a wall must not be taken for the end of a jump.
        answer[COST] = best
        answer[REVOLUTIONS] = 0
        answer[EXPANDED] = 0
        answer[SCANNED] = 0
        return NO_PATH
    pops = 0
    scanned = 0
    # This keeps values that are compared with cells from overflowing.
    limit = min(limit, np.int64(1) << 50)
    done = False
    # The last node found in the current bucket waits here, not in the pool.
    hot = np.int64((y << 16) | x)
    while best > 0 and not done:
        if hot >= 0:
            entry = hot
            hot = np.int64(-1)
        else:
            word = b >> 6
            if not occupied[word] >> np.uint64(b & 63) & one:
                ahead = occupied[word] >> np.uint64(b & 63)
                if ahead != 0:
                    bucket += np.int64(trailing_zeros(ahead))
                else:
                    top = occupied[64]
                    if top == 0:
                        break
                    # The next used word in circular order, possibly this one again after a full turn.
                    turn = np.uint64((word + 1) & 63)
                    turned = (top >> turn) | (top << ((np.uint64(64) - turn) & np.uint64(63)))
                    step = 1 + np.int64(trailing_zeros(turned))
                    there = (word + step) & 63
                    bucket += step * 64 - (b & 63) + np.int64(trailing_zeros(occupied[there]))
                if best < np.int64(1) << 40 and bucket > (best - f_start) >> width_bits:
                    break
                b = bucket & (BUCKETS - 1)
                continue
            e = np.uint64(heads[b])
            heads[b] = links[e]
            if links[e] < 0:
                occupied[word] &= ~(one << np.uint64(b & 63))
                if occupied[word] == 0:
                    occupied[64] &= ~(one << np.uint64(word))
            entry = pool[e]
        g = entry >> 32
        x = entry & 0xFFFF
        y = (entry >> 16) & 0xFFFF
        i = np.uint64(y * stride + x)
        own = cell[i]
        if np.int64((own >> np.uint64(4)) & np.uint64(0xFFFFFFFF)) != g or g + octile(y, x, gy, gx) >= best:
            continue
        if pops + (scanned >> 6) >= limit:
            answer[REVOLUTIONS] = pops + (scanned >> 6)
            return OVER_LIMIT
        if log.shape[0] > 0:
            if pops == log.shape[0]:
                answer[REVOLUTIONS] = pops + (scanned >> 6)
                return STOPPED
            log[pops, 0] = i
            log[pops, 1] = g
            log[pops, 2] = np.int64(own & np.uint64(15))
        pops += 1
        # A diagonal jump may scan half the map, so it stops within a step of the remaining limit.
        ceiling = (limit - pops) << 6
        if used > room:
            return NEED_ROOM
        todo = np.uint64(SUCCESSORS[own & np.uint64(15), mask[i]])
        while todo != 0:
            k = trailing_zeros(todo)
            todo &= todo - one
            length = 0
            # Written out for each direction: a helper with all these arrays is not inlined, at three times the cost.
            if k == 1:
                stop = next_stop(east, y, x)
                scanned += stop - x
                if y == gy and x < gx <= stop:
                    length = gx - x
                elif ground[np.uint64(y), np.uint64(stop)]:
                    length = stop - x
            elif k == 3:
                stop = previous_stop(west, y, x)
                scanned += x - stop
                if y == gy and stop <= gx < x:
                    length = x - gx
                elif ground[np.uint64(y), np.uint64(stop)]:
                    length = x - stop
            elif k == 2:
                stop = next_stop(south, x, y)
                scanned += stop - y
                if x == gx and y < gy <= stop:
                    length = gy - y
                elif ground[np.uint64(stop), np.uint64(x)]:
                    length = stop - y
            elif k == 0:
                stop = previous_stop(north, x, y)
                scanned += y - stop
                if x == gx and stop <= gy < y:
                    length = y - gy
                elif ground[np.uint64(stop), np.uint64(x)]:
                    length = y - stop
            else:
                cy, cx = y, x
                dy, dx = MOVE_Y[k], MOVE_X[k]
                steps = 0
                while mask[np.uint64(cy * stride + cx)] >> k & one:
                    if scanned + steps > ceiling:
                        answer[REVOLUTIONS] = pops + ((scanned + steps) >> 6)
                        return OVER_LIMIT
                    cy += dy
                    cx += dx
                    steps += 1
                    if cy == gy and cx == gx:
                        length = steps
                        break
                    if dx > 0:
                        stop = next_stop(east, cy, cx)
                        scanned += stop - cx
                        if ground[np.uint64(cy), np.uint64(stop)] or (cy == gy and cx < gx <= stop):
                            length = steps
                            break
                    else:
                        stop = previous_stop(west, cy, cx)
                        scanned += cx - stop
                        if ground[np.uint64(cy), np.uint64(stop)] or (cy == gy and stop <= gx < cx):
                            length = steps
                            break
                    if dy > 0:
                        stop = next_stop(south, cx, cy)
                        scanned += stop - cy
                        if ground[np.uint64(stop), np.uint64(cx)] or (cx == gx and cy < gy <= stop):
                            length = steps
                            break
                    else:
                        stop = previous_stop(north, cx, cy)
                        scanned += cy - stop
                        if ground[np.uint64(stop), np.uint64(cx)] or (cx == gx and stop <= gy < cy):
                            length = steps
                            break
                scanned += steps
            if length == 0:
                continue
            ny = y + MOVE_Y[k] * length
            nx = x + MOVE_X[k] * length
            j = np.uint64(ny * stride + nx)
            g_new = g + length * MOVE_COST[k]
            candidate = key | (np.uint64(g_new) << np.uint64(4))
            if (candidate | np.uint64(15)) >= cell[j]:
                continue
            f = g_new + octile(ny, nx, gy, gx)
            if f >= best:
                continue
            if f >= LONGEST:
                return TOO_LONG
            cell[j] = candidate | k
            parent[j] = i
            if j == np.uint64(goal):
                best = g_new
                if early:
                    done = True
                    break
                continue
            made = (g_new << 32) | (ny << 16) | nx
            q = ((f - f_start) >> width_bits) & (BUCKETS - 1)
            if q == b:
                if hot < 0:
                    hot = made
                    continue
                made, hot = hot, made
            if not occupied[q >> 6] >> np.uint64(q & 63) & one:
                occupied[q >> 6] |= one << np.uint64(q & 63)
                occupied[64] |= one << np.uint64(q >> 6)
                heads[q] = -1
            pool[used] = made
            links[used] = heads[q]
            heads[q] = used
            used += 1
    answer[COST] = best
    answer[REVOLUTIONS] = pops + (scanned >> 6)
    answer[EXPANDED] = pops
    answer[SCANNED] = scanned
    if best == np.int64(1) << 40:
        return NO_PATH
    row = out.shape[0]
    i = goal
    while True:
        row -= 1
        out[row, 0] = i // stride - 1
        out[row, 1] = i % stride - 1
        if i == start or row == 0:
            break
        i = np.int64(parent[i])
    return out.shape[0] - row


@device
def join_points(points: np.ndarray, first: int, last: int, out: np.ndarray) -> int:
    """Write all tiles along the jumps points[first:last]; return their number."""
    count = 0
    for row in range(first, last):
        y, x = np.int64(points[row, 0]), np.int64(points[row, 1])
        out[count, 0] = y
        out[count, 1] = x
        count += 1
        if row + 1 == last:
            break
        ty, tx = np.int64(points[row + 1, 0]), np.int64(points[row + 1, 1])
        dy = np.int64(ty > y) - np.int64(ty < y)
        dx = np.int64(tx > x) - np.int64(tx < x)
        for step in range(1, max(abs(ty - y), abs(tx - x))):
            out[count, 0] = y + dy * step
            out[count, 1] = x + dx * step
            count += 1
    return count


@kernel("int64(int32[:,::1], int64, int64, int32[:,::1])", group="lab")
def join_jumps(points: np.ndarray, first: int, last: int, out: np.ndarray) -> int:
    """Wrap :func:`join_points` for callers outside kernels."""
    return join_points(points, first, last, out)


# Rows of the context: sizes, then addresses, then the answer from ANSWER on.
(
    HEIGHT, STRIDE, STAMP, ROOM, POINTS, TILES, LOGGED, EARLY,
    GROUND, MOVES, EAST, WEST, SOUTH, NORTH, CELL, PARENT, HEADS, OCCUPIED, POOL, LINKS, OUT, PATH, LOG, ANSWER,
) = range(24)  # fmt: skip
CONTEXT_LENGTH = ANSWER + 4


@kernel("int64(int64[::1], int64, int64, int64, int64, int64, int64)", group="lab")
def jump_point_search(
    context: np.ndarray, start_y: int, start_x: int, goal_y: int, goal_x: int, limit: int, whole: int
) -> int:
    """Run one search on arrays given by their addresses.

    Returns the number of jump points in the last rows of OUT. When ``whole``, it returns the number of tiles in the
    first rows of PATH. Codes: NO_PATH, NEED_ROOM (in the pool, OUT or PATH), TOO_LONG, OVER_LIMIT, STOPPED, OUTSIDE,
    WORN_OUT.
    """
    height, stride = context[HEIGHT], context[STRIDE]
    if not (0 <= start_y < height - 2 and 0 <= start_x < stride - 2):
        return OUTSIDE
    if not (0 <= goal_y < height - 2 and 0 <= goal_x < stride - 2):
        return OUTSIDE
    context[STAMP] += 1
    if context[STAMP] >= STAMPS:
        return WORN_OUT
    size = height * stride
    across, down = (stride + 63) >> 6, (height + 63) >> 6
    room, rows = context[ROOM], context[POINTS]
    out = carray(pointer(context[OUT]), (rows, 2), np.int32)
    answer = context[ANSWER:]
    count = _search(
        carray(pointer(context[GROUND]), (height, stride), np.uint8),
        carray(pointer(context[MOVES]), (height, stride), np.uint8),
        carray(pointer(context[EAST]), (height, across), np.uint64),
        carray(pointer(context[WEST]), (height, across), np.uint64),
        carray(pointer(context[SOUTH]), (stride, down), np.uint64),
        carray(pointer(context[NORTH]), (stride, down), np.uint64),
        carray(pointer(context[CELL]), (size,), np.uint64),
        carray(pointer(context[PARENT]), (size,), np.int32),
        carray(pointer(context[HEADS]), (BUCKETS,), np.int32),
        carray(pointer(context[OCCUPIED]), (65,), np.uint64),
        carray(pointer(context[POOL]), (room,), np.int64),
        carray(pointer(context[LINKS]), (room,), np.int32),
        context[STAMP],
        out,
        answer,
        start_y,
        start_x,
        goal_y,
        goal_x,
        limit,
        context[EARLY],
        carray(pointer(context[LOG]), (context[LOGGED], 3), np.int64),
    )
    if count == rows:
        return NEED_ROOM
    if count <= 0 or not whole:
        return count
    # Upper limit for the tiles of a path of this length.
    if answer[COST] // MOVE_COST[0] + 2 > context[TILES]:
        return NEED_ROOM
    return join_points(out, rows - count, rows, carray(pointer(context[PATH]), (context[TILES], 2), np.int32))
