"""Kernels that publish a flow field and repair it after an edit, in slices.

``g`` int64[height, width] is the exact cost to go, ``support`` uint8 the move that gives this cost. An edit makes costs
rise or fall. Tiles that lost their support, and tiles that depend on them, are forgotten (SHRINK). They and the tiles
of the edit take the best cost of the remaining neighbours (SEED). Dijkstra continues from there (GROW): only tiles
whose cost changes are expanded. The touched tiles are then published (WRITE). Among equally good moves the lowest
number is published, so a repaired field equals a new one.

Source: "Game AI Pro 2", 17.6 (flow field), 1.5 (dynamic maps); the repair follows incremental A* (LPA*).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import COST_UNIT, DIAGONAL, MOVE_X, MOVE_Y, STRAIGHT
from ai.search.astar.astar_kernels import CLOSED
from ai.search.canonical import FROM_START
from ai.search.heap import heap_pop, heap_push

IDLE, FLOOD, READ, PUBLISH, SHRINK, SEED, GROW, WRITE, WRITTEN = range(9)
"""Phases of a field.

A flood runs, is read and is published; or a repair shrinks, seeds, grows and is written.
"""

PHASE, AT, HEAD, TAIL, TOUCHED, HEAP, ROUND = range(7)
WORK_LENGTH = 7

MOST_ROUNDS = 127
"""Highest round number in a byte of ``flags``.

The lowest bit of the byte marks a touched tile. The bits above hold the last round that wrote the tile. So no tile is
written twice, although the neighbours of touched tiles overlap.
"""

UNREACHED = 1 << 62
NO_MOVE, ARRIVED = 255, 8
NEED_ROOM = -1

SCANNED = 16
"""Tiles of a flood that are read, or published, in one step."""


@device
def _legal(passable: np.ndarray, bit: int, y: int, x: int, k: int) -> bool:
    """Return whether both ends of a move are open and no corner is cut."""
    height, width = passable.shape
    ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
    if not (0 <= ny < height and 0 <= nx < width):
        return False
    return bool(passable[y, x] & passable[ny, nx] & passable[y, nx] & passable[ny, x] & bit)


@device
def _step(cost: np.ndarray, y: int, x: int, k: int) -> int:
    there = np.int64(cost[y + MOVE_Y[k], x + MOVE_X[k]])
    return (np.int64(cost[y, x]) + there) * (STRAIGHT if k < 4 else DIAGONAL)


@device
def _touch(i: int, flags: np.ndarray, touched: np.ndarray, work: np.ndarray) -> None:
    if not flags[i] & 1:
        flags[i] |= 1
        touched[work[TOUCHED]] = i
        work[TOUCHED] += 1


@device
def _forget(i: int, g: np.ndarray, flags: np.ndarray, lost: np.ndarray, touched: np.ndarray, work: np.ndarray) -> None:
    g[i] = UNREACHED
    lost[work[TAIL]] = i
    work[TAIL] += 1
    _touch(i, flags, touched, work)


@device
def _write(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    g: np.ndarray,
    y: int,
    x: int,
    moves: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Publish one tile: its cost, and the lowest of its best moves."""
    i = y * passable.shape[1] + x
    here = g[i]
    moves[i] = NO_MOVE
    costs[i] = np.inf
    if here >= UNREACHED:
        return
    costs[i] = here / COST_UNIT
    if here == 0:
        moves[i] = ARRIVED
        return
    for k in range(8):
        if _legal(passable, bit, y, x, k):
            j = i + MOVE_Y[k] * passable.shape[1] + MOVE_X[k]
            if g[j] < here and g[j] + _step(cost, y, x, k) == here:
                moves[i] = k
                return


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int64, int64, int64, int64, int64[::1], uint8[::1], uint8[::1],"
    " int32[::1], int32[::1], int64[::1])",
    group="lab",
)
def note_edit(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    y0: int,
    x0: int,
    y1: int,
    x1: int,
    g: np.ndarray,
    support: np.ndarray,
    flags: np.ndarray,
    lost: np.ndarray,
    touched: np.ndarray,
    work: np.ndarray,
) -> int:
    """Forget tiles of an edited rectangle that lost their support.

    A support is lost when it is gone, blocked or more expensive. Tiles one step around the rectangle are included.
    Returns NEED_ROOM, with nothing done, when ``lost`` or ``touched`` might overflow.
    """
    height, width = passable.shape
    area = (y1 - y0 + 2) * (x1 - x0 + 2)
    if work[TAIL] + area > lost.size or work[TOUCHED] + area > touched.size:
        return NEED_ROOM
    for y in range(max(y0 - 1, 0), min(y1 + 1, height)):
        for x in range(max(x0 - 1, 0), min(x1 + 1, width)):
            i = y * width + x
            _touch(i, flags, touched, work)
            if g[i] >= UNREACHED:
                continue
            k = np.int64(support[i])
            gone = not passable[y, x] & bit
            if not gone and k != ARRIVED:
                gone = not _legal(passable, bit, y, x, k)
                if not gone:
                    j = i + MOVE_Y[k] * width + MOVE_X[k]
                    gone = g[j] + _step(cost, y, x, k) > g[i]
            if gone:
                _forget(i, g, flags, lost, touched, work)
    work[PHASE] = SHRINK
    return 0


@kernel("int64(uint8[::1], int64[::1], int64, int64[::1], uint8[::1], int64[::1], int64, int64)", group="lab")
def read_flood(
    marks: np.ndarray,
    flood_g: np.ndarray,
    stride: int,
    g: np.ndarray,
    support: np.ndarray,
    work: np.ndarray,
    width: int,
    limit: int,
) -> int:
    """Read costs and moves from a finished flood, from tile ``work[AT]`` on.

    The flood is that of :mod:`ai.search.astar.astar_kernels`. Processes at most ``limit`` steps; returns their number.
    """
    spent = 0
    while spent < limit and work[PHASE] == READ:
        last = min(work[AT] + SCANNED, g.size)
        for i in range(work[AT], last):
            there = (i // width + 1) * stride + i % width + 1
            g[i] = UNREACHED
            if marks[there] & CLOSED:
                g[i] = flood_g[there]
                # Moves come in pairs: k and k ^ 2 are opposite.
                arrival = marks[there] >> 4
                support[i] = ARRIVED if arrival == FROM_START else arrival ^ 2
        work[AT] = last
        spent += 1
        if last == g.size:
            work[PHASE], work[AT] = PUBLISH, 0
    return spent


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int64[::1], uint8[::1], int32[::1], uint8[::1], float32[::1], int64[::1],"
    " int64)",
    group="lab",
)
def publish_field(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    g: np.ndarray,
    flags: np.ndarray,
    touched: np.ndarray,
    moves: np.ndarray,
    costs: np.ndarray,
    work: np.ndarray,
    limit: int,
) -> int:
    """Write ``moves`` uint8 and ``costs`` float32 of tiles.

    PUBLISH writes all tiles, WRITE those touched and around them. Stops after ``limit`` steps or when WRITTEN; returns
    the number of steps.
    """
    height, width = passable.shape
    spent = 0
    while spent < limit and (work[PHASE] == PUBLISH or work[PHASE] == WRITE):
        at = work[AT]
        if work[PHASE] == PUBLISH:
            last = min(at + SCANNED, g.size)
            for i in range(at, last):
                _write(passable, cost, bit, g, i // width, i % width, moves, costs)
            done = last == g.size
        else:
            last = at + 1
            if at < work[TOUCHED]:
                y, x = np.int64(touched[at]) // width, np.int64(touched[at]) % width
                for ny in range(max(y - 1, 0), min(y + 2, height)):
                    for nx in range(max(x - 1, 0), min(x + 2, width)):
                        i = ny * width + nx
                        if flags[i] >> 1 != work[ROUND]:
                            flags[i] = work[ROUND] << 1 | flags[i] & 1
                            _write(passable, cost, bit, g, ny, nx, moves, costs)
            done = last >= work[TOUCHED]
        work[AT] = last
        spent += 1
        if done:
            for t in range(work[TOUCHED]):
                flags[touched[t]] &= 254
            work[:ROUND] = 0
            work[PHASE] = WRITTEN
    return spent


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int32[:,::1], int64[::1], uint8[::1], uint8[::1], int32[::1], int32[::1],"
    " int64[::1], int32[::1], int64[::1], int64)",
    group="lab",
)
def mend_field(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    goals: np.ndarray,
    g: np.ndarray,
    support: np.ndarray,
    flags: np.ndarray,
    lost: np.ndarray,
    touched: np.ndarray,
    keys: np.ndarray,
    heap_tiles: np.ndarray,
    work: np.ndarray,
    limit: int,
) -> int:
    """Shrink, seed and grow for at most ``limit`` revolutions.

    Stops when only WRITE is left. Returns the revolutions used. When a list or the heap needs more room, it returns
    minus the number used minus one.
    """
    height, width = passable.shape
    spent = 0
    while spent < limit and work[PHASE] != WRITE:
        if (
            work[TAIL] + 8 > lost.size
            or work[TOUCHED] + 8 > touched.size
            or work[HEAP] + goals.shape[0] + 9 > keys.size
        ):
            return -1 - spent
        phase = work[PHASE]
        if phase == SHRINK:
            if work[HEAD] == work[TAIL]:
                work[PHASE], work[AT] = SEED, 0
                continue
            i = np.int64(lost[work[HEAD]])
            work[HEAD] += 1
            spent += 1
            y, x = i // width, i % width
            for k in range(8):
                ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                if 0 <= ny < height and 0 <= nx < width:
                    j = ny * width + nx
                    if g[j] < UNREACHED and support[j] == k ^ 2:
                        _forget(j, g, flags, lost, touched, work)
        elif phase == SEED:
            if work[AT] == work[TOUCHED]:
                work[PHASE] = GROW
                continue
            i = np.int64(touched[work[AT]])
            work[AT] += 1
            spent += 1
            y, x = i // width, i % width
            if not passable[y, x] & bit:
                continue
            before = g[i]
            for k in range(8):
                if _legal(passable, bit, y, x, k):
                    j = i + MOVE_Y[k] * width + MOVE_X[k]
                    if g[j] < UNREACHED and g[j] + _step(cost, y, x, k) < g[i]:
                        g[i] = g[j] + _step(cost, y, x, k)
                        support[i] = k
            for row in range(goals.shape[0]):
                if goals[row, 0] == y and goals[row, 1] == x:
                    g[i] = 0
                    support[i] = ARRIVED
            if g[i] < before:
                heap_push(keys, heap_tiles, work[HEAP], g[i], i)
                work[HEAP] += 1
        else:
            if work[HEAP] == 0:
                work[PHASE], work[AT] = WRITE, 0
                work[ROUND] += 1
                if work[ROUND] > MOST_ROUNDS:
                    work[ROUND] = 1
                    for i in range(flags.size):
                        flags[i] &= 1
                break
            here = keys[0]
            i = np.int64(heap_tiles[0])
            heap_pop(keys, heap_tiles, work[HEAP])
            work[HEAP] -= 1
            spent += 1
            # A cheaper path was found since, or a later edit removed the cost.
            if here != g[i]:
                continue
            y, x = i // width, i % width
            for k in range(8):
                if not _legal(passable, bit, y, x, k):
                    continue
                j = i + MOVE_Y[k] * width + MOVE_X[k]
                new = here + _step(cost, y, x, k)
                if new < g[j]:
                    g[j] = new
                    support[j] = k ^ 2
                    _touch(j, flags, touched, work)
                    heap_push(keys, heap_tiles, work[HEAP], new, j)
                    work[HEAP] += 1
    return spent
