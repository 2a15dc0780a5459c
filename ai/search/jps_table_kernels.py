"""Kernels that make the tables of JPS+: jump distances, and goal bounds by a canonical Dijkstra from every cell.

What the tables say stands in :mod:`ai.search.jps_plus_kernels`.  Source: "Game AI Pro 2", ch. 14.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np
from numba import get_thread_id, prange

from ai.grid.bits import trailing_zeros
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.kernels import kernel
from ai.search.canonical import SUCCESSORS
from ai.search.jps_kernels import next_stop, previous_stop
from ai.search.uniform_kernels import MOVE_COST, STRAIGHT

FAR = 32767
"""Highest coordinate a bound can name."""

EMPTY_BOUND = np.uint64(0x7FFF7FFF7FFF7FFF)
"""A box that holds no goal."""


def _joined_successors() -> np.ndarray:
    """Successors of a cell reached by several tied moves, uint8[set of moves, legal moves]."""
    table = np.zeros((256, 256), np.uint8)
    for arrivals in range(256):
        for k in range(8):
            if arrivals >> k & 1:
                table[arrivals] |= SUCCESSORS[k]
    return table


JOINED_SUCCESSORS = _joined_successors()


@kernel(
    "void(uint8[:,::1], uint8[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1], int16[:,::1],"
    " int64, int64)",
    group="lab",
)
def straight_jumps(
    ground: np.ndarray,
    moves: np.ndarray,
    east: np.ndarray,
    west: np.ndarray,
    south: np.ndarray,
    north: np.ndarray,
    jumps: np.ndarray,
    y0: int,
    y1: int,
) -> None:
    """Straight jump distances of the bordered rows y0..y1-1, read off the stop words."""
    height, stride = ground.shape
    for y in range(max(y0, 1), min(y1, height - 1)):
        for x in range(1, stride - 1):
            i = y * stride + x
            for k in range(4):
                jumps[i, k] = 0
            if not ground[y, x]:
                continue
            stop = next_stop(east, y, x)
            jumps[i, 1] = stop - x if ground[y, stop] else x + 1 - stop
            stop = previous_stop(west, y, x)
            jumps[i, 3] = x - stop if ground[y, stop] else stop + 1 - x
            stop = next_stop(south, x, y)
            jumps[i, 2] = stop - y if ground[stop, x] else y + 1 - stop
            stop = previous_stop(north, x, y)
            jumps[i, 0] = y - stop if ground[stop, x] else stop + 1 - y


@kernel("void(uint8[:,::1], int16[:,::1])", group="lab")
def diagonal_jumps(moves: np.ndarray, jumps: np.ndarray) -> None:
    """Diagonal jump distances from finished straight ones; rows in the order their neighbours need."""
    height, stride = moves.shape
    for turn in range(1, height - 1):
        for k in range(4, 8):
            northward = k in (4, 7)
            y = turn if northward else height - 1 - turn
            vertical = 0 if northward else 2
            horizontal = 1 if k in (4, 5) else 3
            offset = MOVE_Y[k] * stride + MOVE_X[k]
            for x in range(1, stride - 1):
                i = y * stride + x
                if not moves[y, x] >> k & 1:
                    jumps[i, k] = 0
                    continue
                j = i + offset
                if jumps[j, vertical] > 0 or jumps[j, horizontal] > 0:
                    jumps[i, k] = 1
                elif jumps[j, k] > 0:
                    jumps[i, k] = jumps[j, k] + 1
                else:
                    jumps[i, k] = jumps[j, k] - 1


@kernel(
    "void(uint8[:,::1], int64[::1], uint64[:,::1], uint64[:,::1], int64[:,:,::1], int64[::1])",
    group="lab",
    parallel=True,
)
def goal_bounds(
    moves: np.ndarray,
    sources: np.ndarray,
    bounds: np.ndarray,
    cells: np.ndarray,
    queues: np.ndarray,
    stamps: np.ndarray,
) -> None:
    """Goal bounds of the cells ``sources``: a canonical Dijkstra from each, in parallel over sources.

    Scratch per thread: ``cells`` uint64[threads, size] all ones at first, ``queues`` int64[threads, 4, size],
    ``stamps`` int64[threads] at 65535.  A cell packs inverted stamp, g, the moves that reach it and the
    first moves of those ways.
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    chunk = 64
    chunks = (sources.size + chunk - 1) // chunk
    for c in prange(chunks):
        thread = get_thread_id()
        cell = cells[thread]
        queue = queues[thread]
        counts = np.zeros(4, np.int64)
        box = np.empty((8, 4), np.int64)
        offsets = MOVE_Y * stride + MOVE_X
        for at in range(c * chunk, min(sources.size, c * chunk + chunk)):
            stamps[thread] -= 1
            if stamps[thread] < 0:
                cell[:] = ~np.uint64(0)
                stamps[thread] = 65534
            stamp = np.uint64(stamps[thread]) << np.uint64(32)
            source = sources[at]
            for k in range(8):
                box[k, 0] = box[k, 1] = FAR
                box[k, 2] = box[k, 3] = -1
            cell[source] = stamp << np.uint64(16)
            todo = np.uint64(mask[source])
            for q in range(4):
                counts[q] = 0
            while todo != 0:
                k = np.int64(trailing_zeros(todo))
                todo &= todo - np.uint64(1)
                j = source + offsets[k]
                first = np.uint64(1) << np.uint64(k)
                cell[j] = ((stamp | np.uint64(MOVE_COST[k])) << np.uint64(16)) | first << np.uint64(8) | first
                q = MOVE_COST[k] // STRAIGHT & 3
                queue[q, counts[q]] = (MOVE_COST[k] << 32) | j
                counts[q] += 1
            turn = 0
            empty = 0
            while empty < 4:
                q = turn & 3
                turn += 1
                if counts[q] == 0:
                    empty += 1
                    continue
                empty = 0
                # Nothing is entered into the queue being read: every move is at least one bucket long.
                for n in range(counts[q]):
                    entry = queue[q, n]
                    g = entry >> 32
                    i = entry & 0xFFFFFFFF
                    own = cell[i]
                    if np.int64((own >> np.uint64(16)) & np.uint64(0xFFFFFFFF)) != g:
                        continue
                    y = i // stride
                    x = i - y * stride
                    firsts = own & np.uint64(255)
                    todo = firsts
                    while todo != 0:
                        k = np.int64(trailing_zeros(todo))
                        todo &= todo - np.uint64(1)
                        box[k, 0] = min(box[k, 0], x)
                        box[k, 1] = min(box[k, 1], y)
                        box[k, 2] = max(box[k, 2], x)
                        box[k, 3] = max(box[k, 3], y)
                    todo = np.uint64(JOINED_SUCCESSORS[np.int64((own >> np.uint64(8)) & np.uint64(255)), mask[i]])
                    while todo != 0:
                        k = np.int64(trailing_zeros(todo))
                        todo &= todo - np.uint64(1)
                        j = i + offsets[k]
                        g_new = g + MOVE_COST[k]
                        candidate = stamp | np.uint64(g_new)
                        other = cell[j]
                        held = other >> np.uint64(16)
                        arrival = np.uint64(1) << np.uint64(8 + k)
                        if candidate < held:
                            cell[j] = candidate << np.uint64(16) | arrival | firsts
                            p = (g_new // STRAIGHT) & 3
                            queue[p, counts[p]] = (g_new << 32) | j
                            counts[p] += 1
                        elif candidate == held:
                            cell[j] = other | arrival | firsts
                counts[q] = 0
            for k in range(8):
                if box[k, 2] < 0:
                    bounds[source, k] = EMPTY_BOUND
                else:
                    bounds[source, k] = (
                        np.uint64(box[k, 0])
                        | np.uint64(box[k, 1]) << np.uint64(16)
                        | np.uint64(FAR - box[k, 2]) << np.uint64(32)
                        | np.uint64(FAR - box[k, 3]) << np.uint64(48)
                    )
