"""Kernels for straight walks: clearance and cost of a line.

A disc of radius r that moves along a segment covers a capsule. Row by row, the extent of the capsule in x follows from
the two lines that bound the row. So a test costs three square roots per row for any length of line.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel

_SLACK = 1e-9
"""Tolerance, tiles: a body that only touches a wall may pass it."""


@device
def _widen(y: float, ax: float, ay: float, bx: float, by: float, r: float, low: float, high: float) -> tuple:
    """Widen (low, high) by the chord of a capsule at height y.

    The capsule leads from a to b with radius r.
    """
    if abs(y - ay) <= r:
        reach = math.sqrt(r * r - (y - ay) * (y - ay))
        low = min(low, ax - reach)
        high = max(high, ax + reach)
    if abs(y - by) <= r:
        reach = math.sqrt(r * r - (y - by) * (y - by))
        low = min(low, bx - reach)
        high = max(high, bx + reach)
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    if length > 0:
        # The two long sides of the capsule.
        ox, oy = -dy / length * r, dx / length * r
        for side in (-1.0, 1.0):
            sy = ay + side * oy
            if dy == 0:
                continue
            t = (y - sy) / dy
            if 0 <= t <= 1:
                sx = ax + side * ox + t * dx
                low = min(low, sx)
                high = max(high, sx)
    return low, high


@device
def straight_clear(passable: np.ndarray, bit: int, ax: float, ay: float, bx: float, by: float, radius: float) -> bool:
    """Return whether a capsule overlaps only passable tiles on the map.

    The capsule leads from a to b with radius r.
    """
    height, width = passable.shape
    r = max(radius - _SLACK, 0.0)
    y_low, y_high = min(ay, by) - r, max(ay, by) + r
    first, last = math.floor(y_low), math.floor(y_high)
    if first < 0 or last >= height or min(ax, bx) - r < 0 or max(ax, bx) + r >= width:
        return False
    # Between the ends only the two long sides bound a row.
    slope, half = 0.0, 0.0
    inner_low, inner_high = 1e300, -1e300
    if by != ay:
        slope = (bx - ax) / (by - ay)
        half = r * math.sqrt(1.0 + slope * slope)
        inner_low, inner_high = min(ay, by) + r, max(ay, by) - r
    for row in range(first, last + 1):
        low, high = 1e300, -1e300
        upper, lower = max(float(row), y_low), min(float(row + 1), y_high)
        if inner_low < upper and lower < inner_high:
            at_upper, at_lower = ax + (upper - ay) * slope, ax + (lower - ay) * slope
            clear = True
            for column in range(
                math.floor(min(at_upper, at_lower) - half), math.floor(max(at_upper, at_lower) + half) + 1
            ):
                clear &= passable[row, column] & bit != 0
            if not clear:
                return False
            continue
        low, high = _widen(upper, ax, ay, bx, by, r, low, high)
        low, high = _widen(lower, ax, ay, bx, by, r, low, high)
        # The leftmost and rightmost points of the two ends, when this row holds them.
        if upper <= ay <= lower:
            low = min(low, ax - r)
            high = max(high, ax + r)
        if upper <= by <= lower:
            low = min(low, bx - r)
            high = max(high, bx + r)
        for column in range(math.floor(low), math.floor(high) + 1):
            if not passable[row, column] & bit:
                return False
    return True


@device
def straight_cost(cost: np.ndarray, ax: float, ay: float, bx: float, by: float) -> float:
    """Return the cost in tiles of the segment from a to b.

    It is the length on each tile times that tile's cost.
    """
    height, width = cost.shape
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return 0.0
    y = min(max(math.floor(ay), 0), height - 1)
    x = min(max(math.floor(ax), 0), width - 1)
    step_y = 1 if dy > 0 else -1
    step_x = 1 if dx > 0 else -1
    each_y = abs(1.0 / dy) if dy != 0 else 1e300
    each_x = abs(1.0 / dx) if dx != 0 else 1e300
    next_y = abs((y + (1 if dy > 0 else 0) - ay) / dy) if dy != 0 else 1e300
    next_x = abs((x + (1 if dx > 0 else 0) - ax) / dx) if dx != 0 else 1e300
    t = 0.0
    total = 0.0
    while t < 1.0:
        ahead = min(next_y, next_x, 1.0)
        total += (ahead - t) * cost[y, x]
        t = ahead
        if t >= 1.0:
            break
        if next_x <= next_y:
            if next_x == next_y:
                # The line passes through a corner: step in both directions together.
                y += step_y
                next_y += each_y
            x += step_x
            next_x += each_x
        else:
            y += step_y
            next_y += each_y
        if not (0 <= y < height and 0 <= x < width):
            break
    return total * length / 8.0


@kernel("void(uint8[:,::1], uint8[:,::1], float64[:,::1], uint8[::1], float64, uint8[::1], float64[::1])", group="lab")
def walk_lines(
    passable: np.ndarray,
    cost: np.ndarray,
    lines: np.ndarray,
    classes: np.ndarray,
    radius: float,
    clear: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Test segments (ax, ay, bx, by), one per row."""
    for row in range(lines.shape[0]):
        ax, ay, bx, by = lines[row, 0], lines[row, 1], lines[row, 2], lines[row, 3]
        bit = np.int64(1) << np.int64(classes[row])
        clear[row] = straight_clear(passable, bit, ax, ay, bx, by, radius)
        costs[row] = straight_cost(cost, ax, ay, bx, by) if clear[row] else np.inf


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int32[:,::1], int64[::1], uint8[::1], float64, int64, float64[::1], uint8[::1])"
)
def pull_strings(
    passable: np.ndarray,
    cost: np.ndarray,
    tiles: np.ndarray,
    offsets: np.ndarray,
    classes: np.ndarray,
    radius: float,
    reach: int,
    along: np.ndarray,
    keep: np.ndarray,
) -> int:
    """Mark the tiles of each path that remain corners after string pulling.

    Returns the number of tiles that the tested lines cross: once for the clearance, and once more for the cost of clear
    lines. Path p is ``tiles[offsets[p]:offsets[p + 1]]``. From each corner the kernel takes a far tile within ``reach``
    steps. Its straight line must be clear and cost no more than the path along the tiles. ``along`` is scratch of the
    same length.
    """
    looked = 0
    for p in range(offsets.size - 1):
        first, last = offsets[p], offsets[p + 1] - 1
        if last < first:
            continue
        bit = np.int64(1) << np.int64(classes[p])
        along[first] = 0.0
        for i in range(first + 1, last + 1):
            y0, x0 = np.int64(tiles[i - 1, 0]), np.int64(tiles[i - 1, 1])
            y1, x1 = np.int64(tiles[i, 0]), np.int64(tiles[i, 1])
            length = math.sqrt((y1 - y0) * (y1 - y0) + (x1 - x0) * (x1 - x0))
            along[i] = along[i - 1] + length * (np.int64(cost[y0, x0]) + np.int64(cost[y1, x1])) / 16.0
            keep[i] = 0
        keep[first] = 1
        corner = first
        while corner < last:
            ay, ax = tiles[corner, 0] + 0.5, tiles[corner, 1] + 0.5
            best = corner + 1
            # Strides double while tests succeed and halve while they fail: most tests are short ones that succeed.
            stride = 1
            while stride > 0:
                target = min(best + stride, last, corner + reach)
                if target <= best:
                    break
                by, bx = tiles[target, 0] + 0.5, tiles[target, 1] + 0.5
                crossed = np.int64(abs(bx - ax) + abs(by - ay)) + 1
                clear = straight_clear(passable, bit, ax, ay, bx, by, radius)
                looked += 2 * crossed if clear else crossed
                if clear and straight_cost(cost, ax, ay, bx, by) <= (along[target] - along[corner]) * (1 + 1e-9):
                    best = target
                    stride *= 2
                else:
                    stride >>= 1
            keep[best] = 1
            corner = best
    return looked
