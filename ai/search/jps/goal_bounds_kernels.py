"""Kernel that computes goal bounds by a canonical Dijkstra from every cell.

:mod:`ai.search.jps.jps_plus_kernels` explains the tables. Source: "Game AI Pro 2", ch. 14.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np
from numba import get_thread_id, prange

from ai.core.kernels import device_with_arrays, kernel
from ai.grid.bits import trailing_zeros
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.canonical import SUCCESSORS
from ai.search.jps.uniform_costs import MOVE_COST, WIDTH_BITS

FAR = 32767
"""Highest coordinate of a bound."""

EMPTY_BOUND = np.uint64(0x7FFF7FFF7FFF7FFF)
"""A box without a goal."""


def _joined_successors() -> np.ndarray:
    """Return the successors of a cell reached by several tied moves.

    The result is uint8[set of moves, legal moves].
    """
    table = np.zeros((256, 256), np.uint8)
    for arrivals in range(256):
        for k in range(8):
            if arrivals >> k & 1:
                table[arrivals] |= SUCCESSORS[k]
    return table


JOINED_SUCCESSORS = _joined_successors()


_STEP = (MOVE_COST << 32) + (MOVE_Y << 16) + MOVE_X
"""Increment that a move adds to a queue entry.

An entry is g << 32 | y << 16 | x.
"""


@device_with_arrays
def _write_boxes(rows: np.ndarray, columns: np.ndarray, bounds: np.ndarray, source: int) -> None:
    """Write the bounds of one source and clear its scratch.

    ``rows`` and ``columns`` uint8 hold the first moves that lead to each row and each column.
    """
    left = np.full(8, FAR, np.int64)
    top = np.full(8, FAR, np.int64)
    right = np.full(8, -1, np.int64)
    bottom = np.full(8, -1, np.int64)
    for y in range(rows.size):
        held = np.int64(rows[y])
        rows[y] = 0
        for k in range(8):
            if held >> k & 1:
                top[k] = min(top[k], y)
                bottom[k] = y
    for x in range(columns.size):
        held = np.int64(columns[x])
        columns[x] = 0
        for k in range(8):
            if held >> k & 1:
                left[k] = min(left[k], x)
                right[k] = x
    for k in range(8):
        if right[k] < 0:
            bounds[source, k] = EMPTY_BOUND
        else:
            bounds[source, k] = (
                np.uint64(left[k])
                | np.uint64(top[k]) << np.uint64(16)
                | np.uint64(FAR - right[k]) << np.uint64(32)
                | np.uint64(FAR - bottom[k]) << np.uint64(48)
            )


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
    """Compute the goal bounds of the cells ``sources``, in parallel.

    Each source runs a canonical Dijkstra. Scratch per thread: ``cells`` uint64[threads, size] all ones at first,
    ``queues`` int64[threads, 4, size], ``stamps`` int64[threads] at 65535. A cell packs an inverted stamp, g, the moves
    that reach it and the first moves of those paths. A box is collected as the first moves that lead to each row and to
    each column.
    """
    height, stride = moves.shape
    mask = moves.ravel()
    chunk = 64
    chunks = (sources.size + chunk - 1) // chunk
    low = np.uint64(0xFFFF)
    for c in prange(chunks):
        thread = get_thread_id()
        cell = cells[thread]
        queue = queues[thread]
        counts = np.zeros(4, np.int64)
        rows = np.zeros(height, np.uint8)
        columns = np.zeros(stride, np.uint8)
        offsets = MOVE_Y * stride + MOVE_X
        for at in range(c * chunk, min(sources.size, c * chunk + chunk)):
            stamps[thread] -= 1
            if stamps[thread] < 0:
                cell[:] = ~np.uint64(0)
                stamps[thread] = 65534
            stamp = np.uint64(stamps[thread]) << np.uint64(48)
            source = sources[at]
            place = (source // stride) << 16 | source % stride
            cell[source] = stamp
            todo = np.uint64(mask[source])
            while todo != 0:
                k = np.int64(trailing_zeros(todo))
                todo &= todo - np.uint64(1)
                first = np.uint64(1) << np.uint64(k)
                cell[source + offsets[k]] = (
                    stamp | np.uint64(MOVE_COST[k]) << np.uint64(16) | first << np.uint64(8) | first
                )
                q = MOVE_COST[k] >> WIDTH_BITS & 3
                queue[q, counts[q]] = place + _STEP[k]
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
                # Nothing is pushed into the queue being read: every move is at least one bucket long.
                for n in range(counts[q]):
                    entry = queue[q, n]
                    x = np.uint64(entry & 0xFFFF)
                    y = np.uint64(entry >> 16 & 0xFFFF)
                    i = y * np.uint64(stride) + x
                    own = cell[i]
                    if np.int64(own >> np.uint64(16) & np.uint64(0xFFFFFFFF)) != entry >> 32:
                        continue
                    firsts = own & np.uint64(255)
                    rows[y] |= np.uint8(firsts)
                    columns[x] |= np.uint8(firsts)
                    todo = np.uint64(JOINED_SUCCESSORS[own >> np.uint64(8) & np.uint64(255), mask[i]])
                    so_far = own & ~low | firsts
                    while todo != 0:
                        k = trailing_zeros(todo)
                        todo &= todo - np.uint64(1)
                        j = np.uint64(np.int64(i) + offsets[k])
                        made = so_far + (np.uint64(MOVE_COST[k]) << np.uint64(16)) | np.uint64(256) << k
                        other = cell[j]
                        if made | low < other:
                            cell[j] = made
                            longer = entry + _STEP[k]
                            p = np.uint64(longer >> 32 + WIDTH_BITS & 3)
                            queue[p, counts[p]] = longer
                            counts[p] += 1
                        elif made ^ other <= low:
                            cell[j] = other | made
                counts[q] = 0
            _write_boxes(rows, columns, bounds, source)
