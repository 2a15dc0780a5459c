"""Kernels that advance units along stored paths and detect ends, pushes and cuts.

A waypoint is passed when the unit is near or beyond it and can walk straight to the next one. Very near, no test is
needed, because that line was free when the path was made.

A unit on the straight line between two waypoints needs no further test. A unit off that line is tested every few ticks,
in turns by id. If it sees neither its waypoint nor the next one, its slot is flagged and the manager leads it back.

Positions are float64 in tiles, centres at .5; one row per slot; flags as in :class:`Flag`.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from enum import IntFlag

import numpy as np

from ai.core.kernels import device, kernel
from ai.core.scheduling.turn_kernels import has_turn
from ai.paths.store.waypoint_kernels import FROM_X, FROM_Y, NEXT_X, NEXT_Y, WP_X, WP_Y, show_head
from ai.search.smoothing.straight_walk_kernels import straight_clear


class Flag(IntFlag):
    """Results of :func:`advance_paths` for a slot."""

    AT_END = 1
    """The last waypoint is reached."""
    OFF_PATH = 2
    """The unit can no longer walk straight to its waypoint."""
    CUT = 4
    """A tile on its path is no longer passable."""


LOCAL = 5
"""Source code of waypoints from a local search; :class:`ai.paths.store.path_store.PathSource` has the others."""

TIGHT = 0.35
"""Distance in tiles within which such a waypoint is passed."""

STRAYED = 0.4
"""Distance in tiles from its line above which a unit counts as pushed.

The line connects two waypoints.
"""

LOOKS = 4
"""Ticks between two tests of a pushed unit."""


@device
def off_line(x: float, y: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """Return the squared distance of a point from the segment."""
    dx, dy = x1 - x0, y1 - y0
    square = dx * dx + dy * dy
    t = 0.0
    if square > 0.0:
        t = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / square))
    ex, ey = x - (x0 + t * dx), y - (y0 + t * dy)
    return ex * ex + ey * ey


@kernel(
    "int64(int32[:,::1], float64[:,::1], int64[::1], int32[:,::1], int32[::1], uint8[::1], uint8[::1],"
    " float64[:,::1], uint8[:,::1], int32[::1], uint8[::1], int32[::1], float64[::1], float64[::1], int64, float64,"
    " float64, float64, float64)"
)
def advance_paths(
    nodes: np.ndarray,
    points: np.ndarray,
    arena: np.ndarray,
    ends: np.ndarray,
    path_len: np.ndarray,
    flags: np.ndarray,
    final: np.ndarray,
    aim: np.ndarray,
    passable: np.ndarray,
    slots: np.ndarray,
    movement_class: np.ndarray,
    ids: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    tick: int,
    near: float,
    touch: float,
    arrive: float,
    radius: float,
) -> int:
    """Advance ``slots`` to their current waypoints and set flags; return their number.

    Only slots with a waypoint count. Distances in tiles:

    - ``near``: a waypoint may be passed.
    - ``touch``: a waypoint is passed without a line-of-sight test.
    - ``arrive``: the last waypoint of a path that ends at its goal (``final``) counts as reached.

    Any other last waypoint counts as reached within ``near``, so that the continuation is there before the unit brakes.
    """
    flagged = 0
    for slot in slots:
        if path_len[slot] == 0:
            flags[slot] = 0
            continue
        px, py = x[slot], y[slot]
        bit = np.int64(1) << np.int64(movement_class[slot])
        flag = 0
        while path_len[slot] > 1:
            wx, wy, nx, ny = aim[WP_X, slot], aim[WP_Y, slot], aim[NEXT_X, slot], aim[NEXT_Y, slot]
            dx, dy = px - wx, py - wy
            square = dx * dx + dy * dy
            row = ends[slot, 0]
            if nodes[row, 2] == LOCAL:
                # It avoids obstacles that the terrain does not show, so no short cut by sight.
                if square > TIGHT * TIGHT:
                    break
            else:
                beyond = dx * (nx - wx) + dy * (ny - wy) >= 0.0 and square <= 16.0
                if square > touch * touch and not (
                    (square <= near * near or beyond) and straight_clear(passable, bit, px, py, nx, ny, radius)
                ):
                    break
            ends[slot, 0] = nodes[row, 1]
            nodes[row, 1] = arena[0]
            arena[0] = row
            arena[1] += 1
            path_len[slot] -= 1
            aim[FROM_X, slot] = px
            aim[FROM_Y, slot] = py
            show_head(nodes, points, ends, path_len, aim, slot)
        wx, wy = aim[WP_X, slot], aim[WP_Y, slot]
        square = (px - wx) * (px - wx) + (py - wy) * (py - wy)
        reach = arrive if final[slot] else near
        if path_len[slot] == 1 and square <= reach * reach:
            flag |= 1
        elif has_turn(tick, ids[slot], LOOKS) and square > 0.5:
            away = off_line(px, py, aim[FROM_X, slot], aim[FROM_Y, slot], wx, wy)
            if away > STRAYED * STRAYED:
                if straight_clear(passable, bit, px, py, wx, wy, 0.1):
                    # The line to the waypoint is free from here, so it replaces the old one.
                    aim[FROM_X, slot] = px
                    aim[FROM_Y, slot] = py
                else:
                    flag |= 2
        flags[slot] = flag
        if flag != 0:
            flagged += 1
    return flagged


@kernel(
    "int64(int32[:,::1], float64[:,::1], int32[:,::1], int32[::1], uint8[::1], float64[:,::1], uint8[:,::1],"
    " uint8[::1], float64[::1], float64[::1], int64, int64, int64, int64, int64)"
)
def mark_cut_paths(
    nodes: np.ndarray,
    points: np.ndarray,
    ends: np.ndarray,
    path_len: np.ndarray,
    flags: np.ndarray,
    aim: np.ndarray,
    passable: np.ndarray,
    movement_class: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    count: int,
    y0: int,
    x0: int,
    y1: int,
    x1: int,
) -> int:
    """Flag CUT on slots whose remaining path is no longer free; return their number.

    Only straight pieces whose bounding box meets the rectangle (rows y0..y1-1, columns x0..x1-1) are tested.
    """
    found = 0
    for slot in range(count):
        if path_len[slot] == 0:
            continue
        bit = np.int64(1) << np.int64(movement_class[slot])
        px, py = x[slot], y[slot]
        row = ends[slot, 0]
        for piece in range(path_len[slot]):
            wx, wy = points[row, 0], points[row, 1]
            row = nodes[row, 1]
            meets = min(px, wx) - 0.5 < x1 and max(px, wx) + 0.5 > x0 and min(py, wy) - 0.5 < y1
            if meets and max(py, wy) + 0.5 > y0:
                # A unit may stand beside the line of its first piece; only walls in between count there.
                radius = 0.1 if piece == 0 else 0.25
                if not straight_clear(passable, bit, px, py, wx, wy, radius):
                    flags[slot] |= 4
                    found += 1
                    break
            px, py = wx, wy
    return found


@kernel(
    "void(int32[:,::1], float64[:,::1], int32[:,::1], int32[::1], float64[:,::1], uint8[:,::1], int32[::1],"
    " uint8[::1], float64[::1], float64[::1], float64)"
)
def stop_short(
    nodes: np.ndarray,
    points: np.ndarray,
    ends: np.ndarray,
    path_len: np.ndarray,
    aim: np.ndarray,
    passable: np.ndarray,
    slots: np.ndarray,
    movement_class: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    radius: float,
) -> None:
    """Aim ``slots`` at the last free point before a closed place on their line.

    With ``radius`` below 0, all aim at their waypoints again.
    """
    for slot in slots:
        if path_len[slot] == 0:
            continue
        show_head(nodes, points, ends, path_len, aim, slot)
        bit = np.int64(1) << np.int64(movement_class[slot])
        px, py, wx, wy = x[slot], y[slot], aim[WP_X, slot], aim[WP_Y, slot]
        if radius < 0.0 or straight_clear(passable, bit, px, py, wx, wy, radius):
            continue
        free, shut = 0.0, 1.0
        for _ in range(8):
            middle = 0.5 * (free + shut)
            if straight_clear(passable, bit, px, py, px + (wx - px) * middle, py + (wy - py) * middle, radius):
                free = middle
            else:
                shut = middle
        aim[WP_X, slot] = px + (wx - px) * free
        aim[WP_Y, slot] = py + (wy - py) * free
        aim[NEXT_X, slot] = aim[WP_X, slot]
        aim[NEXT_Y, slot] = aim[WP_Y, slot]
