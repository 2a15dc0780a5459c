"""Kernels that write waypoints: the turning points of a path, in a linked arena.

A search returns every tile of a path. Only the tiles where a unit has to turn are stored, after smoothing
(``ai.search.smoothing.straight_walk_kernels``). Smoothing never raises the cost, so a path stays on its road.

A waypoint is a row of ``nodes``: (tile index y * width + x, row of the next or -1, source). Free rows are linked in the
same manner; ``arena`` holds (first free row, number of free rows). Row numbers carry no meaning, so two stores with
equal paths behave the same.

The same row of ``points`` float64[rows, 2] is the exact place (x, y) of the waypoint inside its tile, in tiles. It is
the centre of the tile, unless a smoother gave another point or the slot has an end point of its own.

Source: "AI Game Programming Wisdom", 3.3 (post-processing).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.search.smoothing.straight_walk_kernels import straight_clear

REPLACE, APPEND, PREPEND = 0, 1, 2
"""Modes of joining a piece to the stored path.

It replaces the path, follows its last tile, or precedes its first tile.
"""

WP_X, WP_Y, NEXT_X, NEXT_Y, FROM_X, FROM_Y = 0, 1, 2, 3, 4, 5
"""Rows of ``aim``: the waypoint, the next one, and the walk's start."""

FINE = 2.0**40
"""Steps per tile in which the digest counts points that are no centres."""


@device
def mark_turns(tiles: np.ndarray, first: int, last: int, keep: np.ndarray) -> None:
    """Keep the tiles ``first`` <= i <= ``last`` where the path turns, and its ends."""
    for i in range(first, last + 1):
        keep[i] = 1
        if first < i < last:
            dy, dx = tiles[i, 0] - tiles[i - 1, 0], tiles[i, 1] - tiles[i - 1, 1]
            if tiles[i + 1, 0] - tiles[i, 0] == dy and tiles[i + 1, 1] - tiles[i, 1] == dx:
                keep[i] = 0


@kernel("void(int32[:,::1], int64[::1], uint8[::1])")
def mark_all_turns(tiles: np.ndarray, offsets: np.ndarray, keep: np.ndarray) -> None:
    """Run :func:`mark_turns` for every path ``tiles[offsets[p]:offsets[p + 1]]``."""
    for p in range(len(offsets) - 1):
        mark_turns(tiles, offsets[p], offsets[p + 1] - 1, keep)


@device
def free_path(nodes: np.ndarray, arena: np.ndarray, ends: np.ndarray, path_len: np.ndarray, slot: int) -> None:
    """Return the rows of a slot's path to the arena."""
    if path_len[slot] > 0:
        nodes[ends[slot, 1], 1] = arena[0]
        arena[0] = ends[slot, 0]
        arena[1] += path_len[slot]
    ends[slot, 0] = -1
    ends[slot, 1] = -1
    path_len[slot] = 0


@device
def show_head(
    nodes: np.ndarray, points: np.ndarray, ends: np.ndarray, path_len: np.ndarray, aim: np.ndarray, slot: int
) -> None:
    """Copy the first two waypoints into the slot's column of ``aim``."""
    if path_len[slot] == 0:
        return
    row = ends[slot, 0]
    aim[WP_X, slot] = points[row, 0]
    aim[WP_Y, slot] = points[row, 1]
    if path_len[slot] > 1:
        row = nodes[row, 1]
    aim[NEXT_X, slot] = points[row, 0]
    aim[NEXT_Y, slot] = points[row, 1]


@kernel("void(int32[:,::1], int64[::1], int32[:,::1], int32[::1], uint64[::1], uint8[::1], int32[::1])")
def clear_paths(
    nodes: np.ndarray,
    arena: np.ndarray,
    ends: np.ndarray,
    path_len: np.ndarray,
    written: np.ndarray,
    flags: np.ndarray,
    slots: np.ndarray,
) -> None:
    """Remove the paths of ``slots``."""
    for i in range(len(slots)):
        slot = slots[i]
        free_path(nodes, arena, ends, path_len, slot)
        flags[slot] = 0
        written[slot] = 0


@device
def add_row(
    nodes: np.ndarray,
    points: np.ndarray,
    arena: np.ndarray,
    path_len: np.ndarray,
    written: np.ndarray,
    slot: int,
    tile: int,
    x: float,
    y: float,
    source: int,
    width: int,
    mode: int,
) -> int:
    """Take a free row for the waypoint (x, y) in ``tile``; return it.

    The caller links it.
    """
    row = arena[0]
    arena[0] = nodes[row, 1]
    arena[1] -= 1
    nodes[row, 0] = tile
    nodes[row, 1] = -1
    nodes[row, 2] = source
    points[row, 0] = x
    points[row, 1] = y
    word = np.uint64(tile) * np.uint64(8) + np.uint64(source)
    if x != tile % width + 0.5 or y != tile // width + 0.5:
        word ^= np.uint64(np.int64(x * FINE)) * np.uint64(0xBF58476D1CE4E5B9)
        word ^= np.uint64(np.int64(y * FINE)) * np.uint64(0x94D049BB133111EB)
    written[slot] = (written[slot] ^ word) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(mode + 1)
    path_len[slot] += 1
    return row


@kernel(
    "void(int32[:,::1], float64[:,::1], int64[::1], int32[:,::1], int32[::1], uint64[::1], uint8[::1], float64[:,::1],"
    " float64[:,::1], uint8[:,::1], uint8[::1], int32[::1], int32[:,::1], float64[:,::1], int64[::1], uint8[::1],"
    " uint8[::1], int64, float64)"
)
def write_paths(
    nodes: np.ndarray,
    points: np.ndarray,
    arena: np.ndarray,
    ends: np.ndarray,
    path_len: np.ndarray,
    written: np.ndarray,
    flags: np.ndarray,
    aim: np.ndarray,
    end_point: np.ndarray,
    passable: np.ndarray,
    movement_class: np.ndarray,
    slots: np.ndarray,
    tiles: np.ndarray,
    exact: np.ndarray,
    offsets: np.ndarray,
    stages: np.ndarray,
    keep: np.ndarray,
    mode: int,
    radius: float,
) -> None:
    """Join one piece of kept tiles to the path of each of ``slots``.

    The arena must have room for all of them, and for one more row a piece. Piece p is
    ``tiles[offsets[p]:offsets[p + 1]]``, int32[n, 2]. ``exact`` float64[n, 2] (x, y) are the points in these tiles; if
    it has no rows, all points are tile centres. ``stages`` is a source code and ``keep`` 0 or 1 per tile, 1 at the ends
    of every piece.

    A piece that ends in the tile of the slot's ``end_point`` float64[slots, 2] (x, y; NaN: none) ends at that point. If
    a body of ``radius`` cannot walk there from the waypoint before, the path goes through the centre of the tile.
    """
    width = passable.shape[1]
    for p in range(len(slots)):
        slot = slots[p]
        if mode == REPLACE:
            free_path(nodes, arena, ends, path_len, slot)
        flags[slot] = 0
        first, last = offsets[p], offsets[p + 1]
        if first == last:
            continue
        was_empty = path_len[slot] == 0
        if mode != APPEND or was_empty:
            aim[FROM_X, slot] = tiles[first, 1] + 0.5
            aim[FROM_Y, slot] = tiles[first, 0] + 0.5
        head = -1
        tail = -1
        before = -1
        # The tile at which two pieces join is in both of them; it is stored once.
        if mode == APPEND and not was_empty:
            first += 1
            before = ends[slot, 1]
        if mode == PREPEND and not was_empty:
            last -= 1
        for k in range(first, last):
            if keep[k] == 0:
                continue
            tile = np.int64(tiles[k, 0]) * width + tiles[k, 1]
            wx, wy = tiles[k, 1] + 0.5, tiles[k, 0] + 0.5
            if len(exact) > 0:
                wx, wy = exact[k, 0], exact[k, 1]
            own_x, own_y = end_point[slot, 0], end_point[slot, 1]
            if k == offsets[p + 1] - 1 and np.floor(own_x) == tiles[k, 1] and np.floor(own_y) == tiles[k, 0]:
                if before >= 0 and not straight_clear(
                    passable,
                    np.int64(1) << np.int64(movement_class[p]),
                    points[before, 0],
                    points[before, 1],
                    own_x,
                    own_y,
                    radius,
                ):
                    row = add_row(nodes, points, arena, path_len, written, slot, tile, wx, wy, stages[k], width, mode)
                    if tail < 0:
                        head = row
                    else:
                        nodes[tail, 1] = row
                    tail = row
                wx, wy = own_x, own_y
            row = add_row(nodes, points, arena, path_len, written, slot, tile, wx, wy, stages[k], width, mode)
            if tail < 0:
                head = row
            else:
                nodes[tail, 1] = row
            tail = row
            before = row
        if tail >= 0:
            if was_empty:
                ends[slot, 0] = head
                ends[slot, 1] = tail
            elif mode == APPEND:
                nodes[ends[slot, 1], 1] = head
                ends[slot, 1] = tail
            else:
                nodes[tail, 1] = ends[slot, 0]
                ends[slot, 0] = head
        show_head(nodes, points, ends, path_len, aim, slot)
