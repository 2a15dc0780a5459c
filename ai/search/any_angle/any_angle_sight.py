"""Lines of sight of any-angle searches, and smoothing, in two grid models.

CENTRES: vertices are tile centres. Two vertices see each other when no tile on the segment is blocked. Where the
segment passes exactly through a corner, both tiles beside it must be open: the rule against cutting corners. Bodies can
walk these paths.

CORNERS, the source's model: vertices are tile corners. A segment may touch corners and run along walls. It may pass
between two blocked tiles that meet in a corner, but not between two that share a side. This model is for points without
a width.

Source: "Game AI Pro 2", ch. 16.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import MOVE_X, MOVE_Y

LENGTH, REVOLUTIONS, SIGHT_TESTS, EXPANDED, SCANNED = range(5)
"""Entries of an answer."""

ANSWERS = 5

CENTRES, CORNERS = 0, 1


@device
def _centres_scan(ground: np.ndarray, y0: int, x0: int, y1: int, x1: int) -> int:
    """Count the tile steps of the segment between two tile centres.

    The result is negative when the last tile is blocked. ``ground`` has a blocked border.
    """
    dy, dx = abs(y1 - y0), abs(x1 - x0)
    step_y = 1 if y1 > y0 else -1
    step_x = 1 if x1 > x0 else -1
    y, x = y0, x0
    done_y, done_x = 0, 0
    scanned = 0
    if not ground[y, x]:
        return -1
    while done_y < dy or done_x < dx:
        # Choose the border that comes next: compare (done_x + 1/2) / dx with (done_y + 1/2) / dy.
        across = (2 * done_x + 1) * dy - (2 * done_y + 1) * dx
        scanned += 1
        if across == 0:
            if not (ground[y + step_y, x] and ground[y, x + step_x]):
                return -scanned
            y += step_y
            x += step_x
            done_y += 1
            done_x += 1
        elif across < 0:
            x += step_x
            done_x += 1
        else:
            y += step_y
            done_y += 1
        if not ground[y, x]:
            return -scanned
    return scanned


@device
def _corners_scan(ground: np.ndarray, y0: int, x0: int, y1: int, x1: int) -> int:
    """Count the steps of the segment between two tile corners.

    A step is one column, or one row for a steep segment. The result is negative when the last one is blocked. Corner
    (y, x) is the upper left one of ground[y, x].
    """
    dy, dx = abs(y1 - y0), abs(x1 - x0)
    step_y = 1 if y1 > y0 else -1
    step_x = 1 if x1 > x0 else -1
    # The tile on the forward side of a corner.
    oy, ox = min(step_y, 0), min(step_x, 0)
    y, x = y0, x0
    error = 0
    scanned = 0
    if dx >= dy:
        while x != x1:
            scanned += 1
            error += dy
            if error >= dx:
                if not ground[y + oy, x + ox]:
                    return -scanned
                y += step_y
                error -= dx
            if error != 0 and not ground[y + oy, x + ox]:
                return -scanned
            if dy == 0 and not ground[y, x + ox] and not ground[y - 1, x + ox]:
                return -scanned
            x += step_x
    else:
        while y != y1:
            scanned += 1
            error += dx
            if error >= dy:
                if not ground[y + oy, x + ox]:
                    return -scanned
                x += step_x
                error -= dy
            if error != 0 and not ground[y + oy, x + ox]:
                return -scanned
            if dx == 0 and not ground[y + oy, x] and not ground[y + oy, x - 1]:
                return -scanned
            y += step_y
    return scanned


@device
def scan(ground: np.ndarray, model: int, y0: int, x0: int, y1: int, x1: int) -> int:
    """Count the cells that the line between two vertices crosses after its first.

    The result is negative when the last one is blocked.
    """
    if model == CENTRES:
        return _centres_scan(ground, y0, x0, y1, x1)
    return _corners_scan(ground, y0, x0, y1, x1)


@kernel("void(uint8[:,::1], uint8[:,::1])", group="bench")
def corner_moves(ground: np.ndarray, moves: np.ndarray) -> None:
    """Compute moves between neighbouring tile corners.

    The result is uint8[height + 3, width + 3] with a border of no moves.
    """
    rows, columns = moves.shape
    for y in range(1, rows - 1):
        for x in range(1, columns - 1):
            moves[y, x] = 0
            for k in range(8):
                ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                if 1 <= ny < rows - 1 and 1 <= nx < columns - 1 and _corners_scan(ground, y, x, ny, nx) >= 0:
                    moves[y, x] |= 1 << k


@device
def sees(ground: np.ndarray, model: int, y0: int, x0: int, y1: int, x1: int, answer: np.ndarray) -> bool:
    """Return whether two vertices see each other.

    The test and its cells are added to ``answer``.
    """
    cells = scan(ground, model, y0, x0, y1, x1)
    answer[SIGHT_TESTS] += 1.0
    answer[SCANNED] += abs(cells)
    return cells >= 0


@kernel("void(uint8[:,::1], int64, int32[:,::1], uint8[::1])", group="bench")
def sight_between(ground: np.ndarray, model: int, pairs: np.ndarray, clear: np.ndarray) -> None:
    """Test pairs (y0, x0, y1, x1) of bordered coordinates, one per row."""
    for row in range(pairs.shape[0]):
        clear[row] = scan(ground, model, pairs[row, 0], pairs[row, 1], pairs[row, 2], pairs[row, 3]) >= 0


@kernel("int64(uint8[:,::1], int64, int32[:,::1], int32[:,::1], float64[::1])", group="bench")
def smooth(ground: np.ndarray, model: int, path: np.ndarray, out: np.ndarray, answer: np.ndarray) -> int:
    """Keep the path tiles at which the last kept tile loses line of sight.

    Returns their number.
    """
    last = path.shape[0] - 1
    out[0] = path[0]
    count = 1
    anchor = 0
    for i in range(1, last):
        y, x = np.int64(path[anchor, 0]) + 1, np.int64(path[anchor, 1]) + 1
        if not sees(ground, model, y, x, path[i + 1, 0] + 1, path[i + 1, 1] + 1, answer):
            anchor = i
            out[count] = path[i]
            count += 1
    if last > 0:
        out[count] = path[last]
        count += 1
    return count
