"""Kernel that answers a batch with the resumable A*.

It searches tiles directly, or leg by leg over regions. The searches are those of :mod:`ai.search.astar.astar_kernels`
and :mod:`ai.search.regions.region_kernels`, compiled into the loop.

Source: "Game AI Pro 2", 31.3 (hierarchical path with furthest-visible region hand-off).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray

from ai.core.kernels import device, device_with_arrays, kernel
from ai.grid.bits import pointer
from ai.grid.moves import COST_UNIT, DIAGONAL, STRAIGHT
from ai.search.astar import astar_kernels
from ai.search.astar.astar_kernels import FOUND, NEED_ENTRIES, OUT, REVOLUTIONS, ROWS, RUNNING, STRIDE
from ai.search.regions import region_kernels
from ai.search.regions.region_kernels import NO_REGION

ALONE, ROUTES, HOPS = range(3)
"""Policies: tiles from end to end, region borders, or a next-hop table."""

NO_LIMIT = 1 << 60


def _inside(entry: Any) -> Any:
    """Return the search of a kernel, to be compiled into this one."""
    return device_with_arrays(entry.py_func)


_begin, _run, _trace_back = (_inside(k) for k in (astar_kernels.begin, astar_kernels.run, astar_kernels.trace_back))
_find_route, _first_hidden = (_inside(k) for k in (region_kernels.find_route, region_kernels.first_hidden))


@device
def _leg(context: np.ndarray, sy: int, sx: int, gy: int, gx: int, lowest: int, bit: int) -> int:
    """Search tiles from one tile to another.

    Returns the number of tiles in the last rows of OUT, 0 for none, -1 when room ran out.
    """
    result = _begin(context, sy, sx, gy, gx, lowest, bit)
    if result == RUNNING:
        result = _run(context, NO_LIMIT)
    if result == NEED_ENTRIES:
        return -1
    if result != FOUND:
        return 0
    count = _trace_back(context, (gy + 1) * context[STRIDE] + gx + 1)
    return count if count <= context[ROWS] else -1


@device
def _price_of(cost: np.ndarray, points: np.ndarray, begin: int, end: int) -> float:
    """Return the cost in tiles of the path in rows ``begin`` to ``end``."""
    total = np.int64(0)
    for row in range(begin + 1, end):
        y0, x0 = np.int64(points[row - 1, 0]), np.int64(points[row - 1, 1])
        y1, x1 = np.int64(points[row, 0]), np.int64(points[row, 1])
        total += (np.int64(cost[y0, x0]) + np.int64(cost[y1, x1])) * (DIAGONAL if y0 != y1 and x0 != x1 else STRAIGHT)
    return total / COST_UNIT


@kernel(
    "int64(int64, int64[::1], uint8[:,::1], uint8[:,::1], int64, int64, float64, int32[:,::1], int32[:,::1],"
    " int32[::1], int32[::1], int32[::1], int64[::1], int64, uint16[:,::1], uint8[::1], int64[::1], int32[::1],"
    " int64[::1], int32[::1], int32[::1], int32[:,::1], int32[:,::1], int64, int64, float64[::1], int64[::1],"
    " int64[::1], int32[:,::1])",
    group="bench",
)
def answer_by_legs(
    policy: int,
    context: np.ndarray,
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    lowest: int,
    radius: float,
    tile_region: np.ndarray,
    centres: np.ndarray,
    first: np.ndarray,
    door_of: np.ndarray,
    doors: np.ndarray,
    price: np.ndarray,
    lowest_price: int,
    table: np.ndarray,
    filled: np.ndarray,
    g: np.ndarray,
    parent: np.ndarray,
    keys: np.ndarray,
    heap: np.ndarray,
    route: np.ndarray,
    targets: np.ndarray,
    questions: np.ndarray,
    begin: int,
    end: int,
    costs: np.ndarray,
    revolutions: np.ndarray,
    offsets: np.ndarray,
    points: np.ndarray,
) -> int:
    """Answer rows ``begin`` to ``end`` of ``questions`` int32[n, 4] in turn.

    A row is (start y, x, goal y, x). ``context`` is that of an A* on this terrain. The arguments between ``radius`` and
    ``questions`` are those of regions, as in :func:`ai.search.regions.region_kernels.find_route`, of a next-hop table,
    and scratch. Without regions the arrays may be empty. Empty ``targets`` mean that the regions are too small: they
    only show whether there is a path. ``costs``, ``revolutions``, ``offsets``, ``points`` and the returned row are as
    in :func:`ai.search.query_batch_kernels.answer_batch`.
    """
    told = np.zeros(3, np.int64)
    log = np.zeros((0, 3), np.int64)
    tally = np.zeros(1, np.int64)
    for row in range(begin, end):
        sy, sx = np.int64(questions[row, 0]), np.int64(questions[row, 1])
        gy, gx = np.int64(questions[row, 2]), np.int64(questions[row, 3])
        spent = np.int64(0)
        at = offsets[row]
        offsets[row + 1] = at
        costs[row] = np.inf
        revolutions[row] = 0
        hops = 1
        if policy != ALONE:
            start, goal = np.int64(tile_region[sy, sx]), np.int64(tile_region[gy, gx])
            if min(start, goal) < 0:
                continue
            if policy == ROUTES:
                hops = _find_route(
                    first, tile_region, door_of, doors, price, told, lowest_price, sy, sx, gy, gx, g, parent, keys,
                    heap, route, log,
                )  # fmt: skip
                if hops < 0:
                    return row
                spent += told[1]
            else:
                if not filled[goal]:
                    return row
                hops = 0
                region = start
                while region != NO_REGION:
                    route[hops] = region
                    hops += 1
                    if region == goal:
                        break
                    region = np.int64(table[region, goal])
                if region == NO_REGION:
                    hops = 0
                for i in range(hops // 2):
                    route[i], route[hops - 1 - i] = route[hops - 1 - i], route[i]
        revolutions[row] = spent
        if hops == 0:
            continue
        # Head for the centres of the regions after the first, with the goal in the place of the last.
        last = 0
        if policy != ALONE and targets.shape[0] > 0:
            last = max(hops - 2, 0)
            for i in range(last):
                targets[i, 0] = centres[route[hops - 2 - i], 0]
                targets[i, 1] = centres[route[hops - 2 - i], 1]
            targets[last, 0] = gy
            targets[last, 1] = gx
        if at >= points.shape[0]:
            return row
        points[at, 0] = sy
        points[at, 1] = sx
        written = at + 1
        y, x, target = sy, sx, 0
        tally[0] = 0
        found = True
        while True:
            ty, tx = gy, gx
            if last > 0 or (policy != ALONE and targets.shape[0] > 0):
                if y == gy and x == gx:
                    break
                seen = _first_hidden(passable, bit, targets[: last + 1], target, y + 0.5, x + 0.5, radius, tally)
                target = min(seen, last)
                ty, tx = np.int64(targets[target, 0]), np.int64(targets[target, 1])
            count = _leg(context, y, x, ty, tx, lowest, bit)
            if count < 0 or written + count > points.shape[0]:
                return row
            spent += context[REVOLUTIONS]
            if count == 0:
                found = False
                break
            out = carray(pointer(context[OUT]), (context[ROWS], 2), np.int32)
            leg = context[ROWS] - count
            stop = 1
            while stop < count - 1 and target < last:
                ly, lx = np.int64(out[leg + stop, 0]), np.int64(out[leg + stop, 1])
                # The unit goes on as soon as it sees past its current target.
                seen = _first_hidden(passable, bit, targets[: last + 1], target, ly + 0.5, lx + 0.5, radius, tally)
                if min(seen, last) > target:
                    break
                stop += 1
            if not (stop < count - 1 and target < last):
                stop = count - 1
            for n in range(1, stop + 1):
                points[written, 0] = out[leg + n, 0]
                points[written, 1] = out[leg + n, 1]
                written += 1
            y, x = np.int64(out[leg + stop, 0]), np.int64(out[leg + stop, 1])
            if y == gy and x == gx and target == last:
                break
            if target < last and y == targets[target, 0] and x == targets[target, 1]:
                target += 1
        revolutions[row] = spent + (tally[0] >> 6)
        if found:
            costs[row] = _price_of(cost, points, at, written)
            offsets[row + 1] = written
    return end
