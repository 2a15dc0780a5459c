"""Kernels that build and repair subgoal graphs: corners, clearances and links.

A *subgoal* is an open tile at a convex corner of a wall; shortest paths bend only there. Two tiles are *directly
h-reachable* when every octile-length path between them is open and holds no other subgoal. ``clear`` int16[cells, 8] is
the number of moves in a direction before a subgoal or an obstacle. ``ends`` uint8[cells] are the directions in which a
subgoal stops them. With these the reach scan finds all directly h-reachable subgoals of a tile in a few look-ups. Cells
and costs are those of :mod:`ai.search.jps.uniform_astar_kernels`.

Subgoals keep their numbers while they last. The effects of an edit follow from its rectangle: its own corners,
clearances along the lines that lead to it, and the subgoals whose scans use such a line or leave it sideways.

Source: "Game AI Pro 2", ch. 15.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import MOVE_X, MOVE_Y

MOST_REACHED = 4096
"""Most subgoals that one scan can report."""

NEED_ROOM = -1


# Rows of the counts: assigned numbers, free numbers among them, subgoals whose links may have changed, links in use,
# and cells examined by the last call.
COUNT, FREE, TODO, USED, LOOKED = range(5)
COUNTS_LENGTH = 5


@device
def _is_corner(ground: np.ndarray, y: int, x: int) -> bool:
    if not ground[y, x]:
        return False
    for k in range(4, 8):
        ty, tx = y + MOVE_Y[k], x + MOVE_X[k]
        # Outside the map both tiles beside the corner are blocked as well.
        if not ground[ty, tx] and ground[ty, x] and ground[y, tx]:
            return True
    return False


@device
def _flag(subgoal: int, flags: np.ndarray, todo: np.ndarray, counts: np.ndarray) -> None:
    if not flags[subgoal]:
        flags[subgoal] = 1
        todo[counts[TODO]] = subgoal
        counts[TODO] += 1


@device
def _measure(
    mask: np.ndarray, number: np.ndarray, clear: np.ndarray, ends: np.ndarray, cell: int, k: int, offset: int
) -> bool:
    """Compute one clearance from the next cell's; return whether it changed."""
    length, stopped = np.int64(0), np.int64(0)
    if mask[cell] >> k & 1:
        beyond = cell + offset
        if number[beyond] >= 0:
            stopped = 1
        else:
            length = np.int64(clear[beyond, k]) + 1
            stopped = np.int64(ends[beyond]) >> k & 1
    if clear[cell, k] == length and np.int64(ends[cell]) >> k & 1 == stopped:
        return False
    clear[cell, k] = length
    ends[cell] = ends[cell] & ~(1 << k) | stopped << k
    return True


@device
def _who_looks(
    mask: np.ndarray,
    stride: int,
    number: np.ndarray,
    cell: int,
    k: int,
    flags: np.ndarray,
    todo: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Mark the subgoals whose scan reads a cell's clearance in direction k."""
    if number[cell] >= 0:
        _flag(number[cell], flags, todo, counts)
        return
    if k >= 4:
        return
    for diagonal in range(4, 8):
        if MOVE_Y[diagonal] != MOVE_Y[k] and MOVE_X[diagonal] != MOVE_X[k]:
            continue
        back = MOVE_Y[diagonal] * stride + MOVE_X[diagonal]
        here = cell - back
        while mask[here] >> diagonal & 1:
            counts[LOOKED] += 1
            if number[here] >= 0:
                _flag(number[here], flags, todo, counts)
                break
            here -= back


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int32[::1], int16[:,::1], uint8[::1], int32[:,::1], int32[::1], uint8[::1],"
    " int32[::1], int64[::1], int64, int64, int64, int64, int64)",
    group="lab",
)
def mend_corners(
    ground: np.ndarray,
    moves: np.ndarray,
    number: np.ndarray,
    clear: np.ndarray,
    ends: np.ndarray,
    places: np.ndarray,
    free: np.ndarray,
    flags: np.ndarray,
    todo: np.ndarray,
    counts: np.ndarray,
    y0: int,
    x0: int,
    y1: int,
    x1: int,
    first_time: int,
) -> int:
    """Follow an edit of the tiles (y0, x0, y1, x1).

    It updates the subgoals and all clearances that the edit changes. Subgoals whose links may have changed are listed
    in ``todo``. The list includes removed subgoals; their position is then 0, 0. At the ``first_time`` all are new, so
    no affected subgoals are searched. Returns NEED_ROOM for more numbers: call again.
    """
    height, stride = moves.shape
    mask = moves.ravel()
    for y in range(max(y0, 1), min(y1 + 2, height - 1)):
        for x in range(max(x0, 1), min(x1 + 2, stride - 1)):
            cell = y * stride + x
            is_one = _is_corner(ground, y, x)
            if is_one and number[cell] < 0:
                if counts[FREE] > 0:
                    counts[FREE] -= 1
                    subgoal = np.int64(free[counts[FREE]])
                elif counts[COUNT] < places.shape[0]:
                    subgoal = counts[COUNT]
                    counts[COUNT] += 1
                else:
                    return NEED_ROOM
                number[cell] = subgoal
                places[subgoal, 0] = y
                places[subgoal, 1] = x
                _flag(subgoal, flags, todo, counts)
            elif not is_one and number[cell] >= 0:
                subgoal = np.int64(number[cell])
                _flag(subgoal, flags, todo, counts)
                number[cell] = -1
                places[subgoal, 0] = 0
                places[subgoal, 1] = 0
    # Legal moves and corners change one tile further out than the edit. Values derived from them change one more tile
    # out.
    top, left = max(y0 - 1, 1), max(x0 - 1, 1)
    bottom, right = min(y1 + 3, height - 1), min(x1 + 3, stride - 1)
    counts[LOOKED] += max(bottom - top, 0) * max(right - left, 0)
    for turn in range(bottom - top):
        for sweep in range(right - left):
            for k in range(8):
                y = top + turn if MOVE_Y[k] < 0 else bottom - 1 - turn
                x = left + sweep if MOVE_X[k] < 0 else right - 1 - sweep
                offset = MOVE_Y[k] * stride + MOVE_X[k]
                cell = y * stride + x
                if not _measure(mask, number, clear, ends, cell, k, offset):
                    continue
                if not first_time:
                    _who_looks(mask, stride, number, cell, k, flags, todo, counts)
                before_y, before_x = y - MOVE_Y[k], x - MOVE_X[k]
                if top <= before_y < bottom and left <= before_x < right:
                    continue
                # Continue outside the rectangle for as long as a value changes.
                cell -= offset
                while _measure(mask, number, clear, ends, cell, k, offset):
                    counts[LOOKED] += 1
                    if not first_time:
                        _who_looks(mask, stride, number, cell, k, flags, todo, counts)
                    cell -= offset
    return 0


@device
def scan_area(
    mask: np.ndarray,
    stride: int,
    number: np.ndarray,
    clear: np.ndarray,
    cell: int,
    out: np.ndarray,
    tally: np.ndarray,
    entry: int,
) -> int:
    """Write the numbers of all subgoals directly h-reachable from a cell.

    Returns their number. The examined cells, whose clearances lead past all others, are added to ``tally[entry]``.
    """
    count = 0
    looked = 8
    for k in range(8):
        offset = MOVE_Y[k] * stride + MOVE_X[k]
        last = cell + clear[cell, k] * offset
        if mask[last] >> k & 1 and number[last + offset] >= 0:
            out[count] = number[last + offset]
            count += 1
    for diagonal in range(4, 8):
        step = MOVE_Y[diagonal] * stride + MOVE_X[diagonal]
        for half in range(2):
            if half == 0:
                straight = 0 if MOVE_Y[diagonal] < 0 else 2
            else:
                straight = 1 if MOVE_X[diagonal] > 0 else 3
            along = MOVE_Y[straight] * stride + MOVE_X[straight]
            limit = np.int64(clear[cell, straight])
            here = cell
            for _ in range(clear[cell, diagonal]):
                here += step
                looked += 1
                length = np.int64(clear[here, straight])
                if length < limit:
                    limit = length
                    end = here + length * along
                    if mask[end] >> straight & 1 and number[end + along] >= 0:
                        out[count] = number[end + along]
                        count += 1
                if limit == 0:
                    break
    tally[entry] += looked
    return count


@kernel(
    "int64(uint8[:,::1], int32[::1], int32[:,::1], int16[:,::1], int64[:,::1], int32[::1], uint8[::1], int32[::1],"
    " int64[::1], int64, int64)",
    group="lab",
)
def relink_subgoals(
    moves: np.ndarray,
    number: np.ndarray,
    places: np.ndarray,
    clear: np.ndarray,
    spans: np.ndarray,
    links: np.ndarray,
    flags: np.ndarray,
    todo: np.ndarray,
    counts: np.ndarray,
    begin: int,
    most: int,
) -> int:
    """Scan again the links of subgoals in ``todo``, from row ``begin`` on.

    Stops after ``most`` examined cells. The neighbours of subgoal s are links[spans[s, 0]:spans[s, 1]]. Returns the row
    to continue at; when ``links`` has no room for it, minus that row minus one.
    """
    stride = moves.shape[1]
    mask = moves.ravel()
    out = np.empty(MOST_REACHED, np.int32)
    counts[LOOKED] = 0
    for at in range(begin, counts[TODO]):
        if counts[LOOKED] >= most:
            return at
        s = np.int64(todo[at])
        count = np.int64(0)
        if places[s, 0] > 0:
            cell = places[s, 0] * stride + places[s, 1]
            count = scan_area(mask, stride, number, clear, cell, out, counts, LOOKED)
        row = spans[s, 0]
        if spans[s, 1] - row < count:
            row = counts[USED]
            if row + count > links.size:
                return -1 - at
            counts[USED] += count
        flags[s] = 0
        spans[s, 0] = row
        spans[s, 1] = row + count
        for n in range(count):
            links[row + n] = out[n]
    return counts[TODO]


@kernel("int64(uint8[:,::1], int32[::1], int16[:,::1], int64, int64, int32[::1])", group="lab")
def scan_from(moves: np.ndarray, number: np.ndarray, clear: np.ndarray, y: int, x: int, out: np.ndarray) -> int:
    """Return the subgoals directly h-reachable from bordered (y, x).

    For tests and overlays.
    """
    looked = np.zeros(1, np.int64)
    return scan_area(moves.ravel(), moves.shape[1], number, clear, y * moves.shape[1] + x, out, looked, 0)
