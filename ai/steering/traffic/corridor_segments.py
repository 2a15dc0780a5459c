"""Corridor segments: the tiles of each path over ground too narrow for two bodies.

The segment of a unit runs from its position to the first tile behind the next narrow ground on its path, however many
branches and crossings that ground has. ``ai.steering.traffic.reservation_table`` decides which units may enter.

Tiles are y * width + x; directions are 0 up, 1 left, 2 right, 3 down.
"""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel

OFF = 0.1
"""Offset from a tile's middle from which a body is on one side, tiles."""
LOOK = 6
"""Tiles of its path in which a unit looks ahead for narrow ground."""
STEP = 0.5
"""Tiles between two samples along a path."""
BEYOND = 2
"""Tiles behind the narrow ground that stay free for units that leave it."""
LONGEST = 96
"""Tiles of a segment; a longer one is reserved in parts."""

SLOT, FIRST, COUNT, LEAD, LAST, LOOKS = 0, 1, 2, 3, 4, 5
"""Columns of a corridor segment.

Slot (-1: a group's), first tile in the list, number of tiles, first narrow tile, last tile with a reserved step, and
samples until the first narrow tile. A first narrow tile of -1 means that the body is on narrow ground; its first tile
is then the one :func:`behind` it.
"""


@device
def step_to(tile: int, other: int, width: int) -> int:
    """Return the direction from a tile to its neighbour; -1 without adjacency."""
    if other == tile - width:
        return 0
    if other == tile - 1 and tile % width > 0:
        return 1
    if other == tile + 1 and other % width > 0:
        return 2
    return 3 if other == tile + width else -1


@device
def behind(passable: np.ndarray, bit: int, x: float, y: float, onward: int) -> int:
    """Return the tile that a body off its tile's middle comes from.

    The body goes to tile ``onward``. Returns -1 in the middle, or if the body is offset towards ``onward``.
    """
    height, width = passable.shape
    ty, tx = int(y), int(x)
    best = OFF
    found = -1
    for d in range(4):
        off = ty + 0.5 - y if d == 0 else tx + 0.5 - x if d == 1 else x - tx - 0.5 if d == 2 else y - ty - 0.5
        ny = ty + (d == 3) - (d == 0)
        nx = tx + (d == 2) - (d == 1)
        if off > best and 0 <= ny < height and 0 <= nx < width and passable[ny, nx] & bit:
            best = off
            found = ny * width + nx
    return -1 if found == onward else found


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], uint8[:,::1], int32[:,::1], float64[:,::1], int32[:,::1], float64[:,::1],"
    " uint8[::1], uint8[::1], uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], uint8[::1], int32[:,::1], int32[::1])",
)
def segments_ahead(
    narrow: np.ndarray,
    near: np.ndarray,
    passable: np.ndarray,
    nodes: np.ndarray,
    points: np.ndarray,
    ends: np.ndarray,
    aim: np.ndarray,
    alive: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    movement_class: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    path_x: np.ndarray,
    path_y: np.ndarray,
    next_x: np.ndarray,
    next_y: np.ndarray,
    has_next: np.ndarray,
    rows: np.ndarray,
    tiles: np.ndarray,
) -> int:
    """Write the segments of all moving units; return the number of rows.

    ``rows`` int32[n, 6] (columns :data:`SLOT` to :data:`LOOKS`) is in slot order; ``tiles`` holds their tiles. Returns
    -1 if the tiles do not fit.

    The path consists of two legs, to the waypoint and to the next one. If these are the path store's, all later points
    follow (``nodes``, ``points``, ``ends``, ``aim``: :class:`ai.paths.store.path_store.PathStore`).
    """
    height, width = narrow.shape
    found = 0
    end = 0
    for i in range(len(x)):
        bit = 1 << movement_class[i]
        if not (alive[i] and moving[i] and not holding[i]) or not near[int(y[i]), int(x[i])] & bit:
            continue
        if end + LONGEST + 4 * LOOK + 8 > len(tiles):
            return -1
        start = end
        lead = -1
        last = -1
        beyond = 0
        looks = 0
        looked = 0
        node = -1
        leg = 0
        ax, ay = x[i], y[i]
        bx, by = path_x[i], path_y[i]
        before = int(ay) * width + int(ax)
        tiles[end] = before
        end += 1
        if narrow[int(ay), int(ax)] & bit:
            lead = 0
        done = False
        while not done:
            length = math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
            steps = int(math.ceil(length / STEP))
            for k in range(1, steps + 1):
                looked += 1
                share = min(k * STEP / length, 1.0)
                py = min(max(int(ay + share * (by - ay)), 0), height - 1)
                px = min(max(int(ax + share * (bx - ax)), 0), width - 1)
                tile = py * width + px
                if tile == before:
                    if lead < 0 and looked * STEP >= LOOK:
                        done = True
                        break
                    continue
                # At a corner, insert the tile beside it.
                turns = 1
                corner = -1
                if step_to(before, tile, width) < 0:
                    turns = 2
                    corner = before // width * width + px
                    if not passable[before // width, px] & bit:
                        corner = py * width + before % width
                for turn in range(turns):
                    new = corner if turns == 2 and turn == 0 else tile
                    ny, nx = new // width, new % width
                    if not passable[ny, nx] & bit or (turns == 2 and turn == 1 and step_to(before, new, width) < 0):
                        done = True
                        break
                    slim = narrow[ny, nx] & bit
                    if slim and last >= 0:
                        done = True
                        break
                    tiles[end] = new
                    end += 1
                    before = new
                    if slim and lead < 0:
                        lead = end - 1 - start
                        looks = looked
                    elif not slim and lead >= 0:
                        if last < 0:
                            last = end - 1 - start
                        beyond += 1
                        if beyond > BEYOND:
                            done = True
                            break
                    if end - start >= LONGEST + 2 * LOOK:
                        done = True
                        break
                if lead < 0 and looked * STEP >= LOOK:
                    done = True
                if done:
                    break
            if done:
                break
            leg += 1
            ax, ay = bx, by
            if leg == 1:
                if not has_next[i]:
                    break
                bx, by = next_x[i], next_y[i]
                if aim[0, i] == path_x[i] and aim[1, i] == path_y[i] and aim[2, i] == bx and aim[3, i] == by:
                    node = ends[i, 0]
                    if node >= 0:
                        node = nodes[node, 1]
            else:
                if node >= 0:
                    node = nodes[node, 1]
                if node < 0:
                    break
                bx, by = points[node, 0], points[node, 1]
        if lead < 0:
            end = start
            continue
        if lead == 0 and end - start > 1:
            back = behind(passable, bit, x[i], y[i], tiles[start + 1])
            if back >= 0:
                for k in range(end, start, -1):
                    tiles[k] = tiles[k - 1]
                tiles[start] = back
                end += 1
                lead = -1
                last += last >= 0
        rows[found, SLOT] = i
        rows[found, FIRST] = start
        rows[found, COUNT] = end - start
        rows[found, LEAD] = lead
        rows[found, LAST] = last if last >= 0 else end - 1 - start
        rows[found, LOOKS] = looks
        found += 1
    return found
