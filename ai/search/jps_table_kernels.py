"""The kernel that makes goal bounds, by a canonical Dijkstra from every cell.

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
