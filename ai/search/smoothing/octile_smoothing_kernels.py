"""Kernels that smooth tile paths by octile lines of no higher cost.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (path smoothing).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import DIAGONAL, STRAIGHT


@device
def octile_line(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    order: int,
    y: int,
    x: int,
    ty: int,
    tx: int,
    limit: int,
    out: np.ndarray,
    at: int,
    tally: np.ndarray,
) -> int:
    """Lay an octile line of shortest length between two tile centres.

    The line goes from neighbour to neighbour and cuts no blocked corner. Returns the row after its last tile, or -1
    when it is blocked or costs more than ``limit``. ``order`` 0 goes diagonally first, 1 straight first, 2 follows the
    true line. ``tally[0]`` grows by the tiles of the line.
    """
    dy, dx = abs(ty - y), abs(tx - x)
    step_y = 1 if ty > y else -1
    step_x = 1 if tx > x else -1
    total = max(dy, dx)
    short = min(dy, dx)
    spent = np.int64(0)
    done = 0
    for i in range(total):
        if order == 0:
            aside = done < short
        elif order == 1:
            aside = i >= total - short
        else:
            aside = (2 * (i + 1) * short + total) // (2 * total) > done
        done += aside
        ny = y + (step_y if dy >= dx or aside else 0)
        nx = x + (step_x if dx > dy or aside else 0)
        tally[0] += 1
        if not passable[ny, nx] & bit:
            return -1
        if ny != y and nx != x:
            if not (passable[ny, x] & bit and passable[y, nx] & bit):
                return -1
            spent += (np.int64(cost[y, x]) + np.int64(cost[ny, nx])) * DIAGONAL
        else:
            spent += (np.int64(cost[y, x]) + np.int64(cost[ny, nx])) * STRAIGHT
        if spent > limit:
            return -1
        y, x = ny, nx
        out[at, 0] = y
        out[at, 1] = x
        at += 1
    return at


@device
def smoothed(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    path: np.ndarray,
    tiles: int,
    reach: int,
    out: np.ndarray,
    along: np.ndarray,
    tally: np.ndarray,
) -> int:
    """Replace parts of a path by octile lines of no higher cost.

    The path has ``tiles`` rows; returns the new number of tiles. From each tile the line to the farthest possible tile
    within ``reach`` steps is taken. ``along`` int64[n] is scratch. ``tally[0]`` grows by the tiles of the tested lines;
    64 of them are a revolution.
    """
    last = tiles - 1
    along[0] = 0
    for i in range(1, last + 1):
        y0, x0 = np.int64(path[i - 1, 0]), np.int64(path[i - 1, 1])
        y1, x1 = np.int64(path[i, 0]), np.int64(path[i, 1])
        length = DIAGONAL if y0 != y1 and x0 != x1 else STRAIGHT
        along[i] = along[i - 1] + (np.int64(cost[y0, x0]) + np.int64(cost[y1, x1])) * length
    out[0, 0] = path[0, 0]
    out[0, 1] = path[0, 1]
    count = 1
    here = 0
    while here < last:
        taken = -1
        for there in range(min(here + reach, last), here + 1, -1):
            y0, x0 = np.int64(path[here, 0]), np.int64(path[here, 1])
            y1, x1 = np.int64(path[there, 0]), np.int64(path[there, 1])
            # A line can only help where the path is longer than the octile distance.
            for order in range(3):
                most = along[there] - along[here]
                end = octile_line(passable, cost, bit, order, y0, x0, y1, x1, most, out, count, tally)
                if end >= 0:
                    taken = there
                    count = end
                    break
            if taken >= 0:
                break
        if taken < 0:
            taken = here + 1
            out[count, 0] = path[taken, 0]
            out[count, 1] = path[taken, 1]
            count += 1
        here = taken
    return count


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int32[:,::1], int64, int32[:,::1], int64[::1], int64[::1])", group="lab"
)
def smooth_octile(
    passable: np.ndarray,
    cost: np.ndarray,
    bit: int,
    path: np.ndarray,
    reach: int,
    out: np.ndarray,
    along: np.ndarray,
    tally: np.ndarray,
) -> int:
    """Apply :func:`smoothed` to a whole path."""
    return smoothed(passable, cost, bit, path, path.shape[0], reach, out, along, tally)
