"""Kernels that build and repair the jump tables of JPS+ in slices.

A repair pauses and continues at any row. A positive entry is the distance to the next jump point in a direction,
otherwise minus the free tiles before the wall. Straight entries are read from the stop bits. A diagonal entry follows
from the entries of the next tile on the diagonal. So rows are swept in the order their neighbours need: downwards for
northward moves, upwards for southward ones.

Source: "Game AI Pro 2", ch. 14 (JPS+).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.jps.jump_stop_bits import next_stop, previous_stop

DONE, ROWS, COLUMNS, NORTH, SOUTH = 0, 1, 2, 3, 4
"""Phases of a repair.

Straight jumps along rows and along columns come first, then the two sweeps.
"""

# Rows of the progress vector: the phase and its current line, the rectangle of edits, the rows that each sweep must
# visit in any case, and the first and last row where a straight entry changed.
PHASE, AT, TOP, LEFT, BOTTOM, RIGHT, NORTH_FROM, NORTH_TO, SOUTH_FROM, SOUTH_TO = range(10)
PROGRESS_LENGTH = 10


def note_edit(progress: np.ndarray, y0: int, x0: int, y1: int, x1: int, height: int, width: int) -> None:
    """Start a repair of the bordered rectangle, or widen and restart the current one.

    The rows of an unfinished sweep stay in its range, so they are swept again.
    """
    top, left, bottom, right = max(y0, 1), max(x0, 1), min(y1, height - 1), min(x1, width - 1)
    p = progress
    if p[PHASE] == DONE:
        p[TOP], p[LEFT], p[BOTTOM], p[RIGHT] = top, left, bottom, right
        p[NORTH_FROM], p[NORTH_TO], p[SOUTH_FROM], p[SOUTH_TO] = top, bottom, bottom - 1, top - 1
    else:
        p[TOP], p[LEFT] = min(p[TOP], top), min(p[LEFT], left)
        p[BOTTOM], p[RIGHT] = max(p[BOTTOM], bottom), max(p[RIGHT], right)
        if p[PHASE] == NORTH:
            p[NORTH_TO] = max(p[NORTH_TO], p[AT])
        if p[PHASE] == SOUTH:
            p[SOUTH_TO] = min(p[SOUTH_TO], p[AT])
        p[NORTH_FROM], p[NORTH_TO] = min(p[NORTH_FROM], top), max(p[NORTH_TO], bottom)
        p[SOUTH_FROM], p[SOUTH_TO] = max(p[SOUTH_FROM], bottom - 1), min(p[SOUTH_TO], top - 1)
    p[PHASE], p[AT] = ROWS, p[TOP]


@device
def _set(jumps: np.ndarray, i: int, k: int, value: int) -> bool:
    """Write an entry; return whether it changed."""
    if jumps[i, k] == value:
        return False
    jumps[i, k] = value
    return True


@device
def _note_row(progress: np.ndarray, y: int) -> None:
    """Mark the rows to sweep after a straight entry of row y changed."""
    progress[NORTH_FROM] = min(progress[NORTH_FROM], y)
    progress[NORTH_TO] = max(progress[NORTH_TO], y + 1)
    progress[SOUTH_FROM] = max(progress[SOUTH_FROM], y)
    progress[SOUTH_TO] = min(progress[SOUTH_TO], y - 1)


@device
def _along_row(ground: np.ndarray, east: np.ndarray, west: np.ndarray, jumps: np.ndarray, y: int) -> bool:
    stride = ground.shape[1]
    changed = False
    for x in range(1, stride - 1):
        to_east, to_west = 0, 0
        if ground[y, x]:
            stop = next_stop(east, y, x)
            to_east = stop - x if ground[y, stop] else x + 1 - stop
            stop = previous_stop(west, y, x)
            to_west = x - stop if ground[y, stop] else stop + 1 - x
        changed |= _set(jumps, y * stride + x, 1, to_east)
        changed |= _set(jumps, y * stride + x, 3, to_west)
    return changed


@device
def _along_column(
    ground: np.ndarray, south: np.ndarray, north: np.ndarray, jumps: np.ndarray, x: int, progress: np.ndarray
) -> None:
    height, stride = ground.shape
    for y in range(1, height - 1):
        to_south, to_north = 0, 0
        if ground[y, x]:
            stop = next_stop(south, x, y)
            to_south = stop - y if ground[stop, x] else y + 1 - stop
            stop = previous_stop(north, x, y)
            to_north = y - stop if ground[stop, x] else stop + 1 - y
        changed = _set(jumps, y * stride + x, 2, to_south)
        changed |= _set(jumps, y * stride + x, 0, to_north)
        if changed:
            _note_row(progress, y)


@device
def _sweep_row(moves: np.ndarray, jumps: np.ndarray, y: int, northward: bool) -> bool:
    """Compute diagonal entries of a row from the row before it.

    Returns whether any entry changed.
    """
    stride = moves.shape[1]
    vertical = 0 if northward else 2
    changed = False
    for turn in range(2):
        # 4 NE and 7 NW, or 5 SE and 6 SW.
        k = (4 + 3 * turn) if northward else 5 + turn
        horizontal = 3 if turn else 1
        offset = MOVE_Y[k] * stride + MOVE_X[k]
        for x in range(1, stride - 1):
            i = y * stride + x
            value = 0
            if moves[y, x] >> k & 1:
                j = i + offset
                ahead = np.int64(jumps[j, k])
                if jumps[j, vertical] > 0 or jumps[j, horizontal] > 0:
                    value = 1
                else:
                    value = ahead + 1 if ahead > 0 else ahead - 1
            changed |= _set(jumps, i, k, value)
    return changed


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1], int16[:,::1],"
    " int64[::1], int64)",
    group="lab",
)
def advance_tables(
    ground: np.ndarray,
    moves: np.ndarray,
    east: np.ndarray,
    west: np.ndarray,
    south: np.ndarray,
    north: np.ndarray,
    jumps: np.ndarray,
    progress: np.ndarray,
    limit: int,
) -> int:
    """Continue a repair, line by line, until ``limit`` revolutions or DONE.

    Returns the revolutions used. A revolution is 64 visited tiles.
    """
    height, stride = ground.shape
    across, down = (stride + 63) >> 6, (height + 63) >> 6
    spent = 0
    while spent < limit and progress[PHASE] != DONE:
        phase, at = progress[PHASE], progress[AT]
        if phase == ROWS:
            if at >= progress[BOTTOM]:
                progress[PHASE], progress[AT] = COLUMNS, progress[LEFT]
                continue
            if _along_row(ground, east, west, jumps, at):
                _note_row(progress, at)
            progress[AT] = at + 1
            spent += 2 * across
        elif phase == COLUMNS:
            if at >= progress[RIGHT]:
                progress[PHASE], progress[AT] = NORTH, progress[NORTH_FROM]
                continue
            _along_column(ground, south, north, jumps, at, progress)
            progress[AT] = at + 1
            spent += 2 * down
        elif phase == NORTH:
            changed = at < height - 1
            if changed:
                changed = _sweep_row(moves, jumps, at, True)
                spent += 2 * across
            progress[AT] = at + 1
            if at + 1 > min(progress[NORTH_TO], height - 2) and not changed:
                progress[PHASE], progress[AT] = SOUTH, min(progress[SOUTH_FROM], height - 2)
        else:
            changed = at > 0
            if changed:
                changed = _sweep_row(moves, jumps, at, False)
                spent += 2 * across
            progress[AT] = at - 1
            if at - 1 < max(progress[SOUTH_TO], 1) and not changed:
                progress[PHASE] = DONE
    return spent
