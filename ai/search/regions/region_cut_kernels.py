"""Kernels that cut map blocks into regions of uniform ground, and list borders.

A block is covered greedily by rectangles of one kind of tile each. Large rectangles are divided evenly; slivers are
merged with a neighbour of their kind. The cut of a block follows only from its own tiles.

Source: "Game AI Pro 2", 31.2 (regions).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, device_with_arrays, kernel
from ai.grid.moves import MOVE_X, MOVE_Y

SLIVER_WIDTH, SLIVER_TILES = 2, 10
"""Limits of a sliver: width in tiles, and number of tiles."""

# Columns of a region's row within its block.
TOP, LEFT, BOTTOM, RIGHT, TILES, SUM_Y, SUM_X, KIND = range(8)

FREE, LIVE = 0, 1
"""State that cuts keep between calls.

It is the lowest candidate for a free number, and the number of live regions.
"""

_UNSEEN, _NEW = -(1 << 62), -(1 << 62) + 1


@device
def _cut_rectangles(kinds: np.ndarray, height: int, width: int, most: int, rectangle_of: np.ndarray) -> int:
    """Number the rectangles of a block, at most ``most`` tiles per side.

    Returns their number. The seed is the first tile without a rectangle, row by row. It grows in turn by a column to
    the right and a row below, while every new tile is free and of its kind. Then it is divided evenly.
    """
    rectangle_of[:height, :width] = -1
    count = 0
    for top in range(height):
        for left in range(width):
            if rectangle_of[top, left] >= 0:
                continue
            kind = kinds[top, left]
            bottom, right = top + 1, left + 1
            wider, taller = True, True
            while wider or taller:
                if wider:
                    wider = right < width
                    y = top
                    while wider and y < bottom:
                        wider = kinds[y, right] == kind and rectangle_of[y, right] < 0
                        y += 1
                    right += wider
                if taller:
                    taller = bottom < height
                    x = left
                    while taller and x < right:
                        taller = kinds[bottom, x] == kind and rectangle_of[bottom, x] < 0
                        x += 1
                    bottom += taller
            down, across = (bottom - top + most - 1) // most, (right - left + most - 1) // most
            for i in range(down):
                for j in range(across):
                    for y in range(top + i * (bottom - top) // down, top + (i + 1) * (bottom - top) // down):
                        for x in range(left + j * (right - left) // across, left + (j + 1) * (right - left) // across):
                            rectangle_of[y, x] = count
                    count += 1
    return count


@device_with_arrays
def _measure(
    kinds: np.ndarray, height: int, width: int, rectangle_of: np.ndarray, count: int, rows: np.ndarray
) -> None:
    """Fill ``rows`` int64[rectangles, 8].

    The columns are top, left, bottom, right, tiles, sums of y and x, kind.
    """
    rows[:count] = 0
    for y in range(height):
        for x in range(width):
            row = rows[rectangle_of[y, x]]
            if row[TILES] == 0:
                row[TOP] = y
                row[LEFT] = x
                row[KIND] = kinds[y, x]
            row[BOTTOM] = y + 1
            row[RIGHT] = max(row[RIGHT], x + 1)
            row[TILES] += 1
            row[SUM_Y] += y
            row[SUM_X] += x


@device
def _is_sliver(row: np.ndarray) -> bool:
    return row[TILES] < SLIVER_TILES and min(row[BOTTOM] - row[TOP], row[RIGHT] - row[LEFT]) < SLIVER_WIDTH


@device
def _may_fuse(a: np.ndarray, b: np.ndarray, most: int, of_a: int, of_b: int, of_centre: int) -> bool:
    """Return whether regions a and b may be merged.

    The result must be no larger than ``most`` and contain its own centre.
    """
    tall = max(a[BOTTOM], b[BOTTOM]) - min(a[TOP], b[TOP])
    wide = max(a[RIGHT], b[RIGHT]) - min(a[LEFT], b[LEFT])
    return tall <= most and wide <= most and (of_centre in (of_a, of_b))


@device_with_arrays
def _fuse_slivers(
    height: int,
    width: int,
    rectangle_of: np.ndarray,
    count: int,
    region_of: np.ndarray,
    rows: np.ndarray,
    most: int,
    near: np.ndarray,
) -> None:
    """Merge each sliver with the neighbour of its kind that shares its longest side.

    The result must be no larger than ``most`` and contain its own centre; ties go to the lower number. ``region_of``
    int32[rectangles] and ``rows``, now of regions, are kept up to date. ``near`` int64[n, 2] is scratch.
    """
    again = True
    while again:
        again = False
        for a in range(count):
            row = rows[a]
            if row[TILES] == 0 or not _is_sliver(row):
                continue
            found = 0
            for y in range(row[TOP], row[BOTTOM]):
                for x in range(row[LEFT], row[RIGHT]):
                    for k in range(4):
                        ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                        if not (0 <= ny < height and 0 <= nx < width):
                            continue
                        b = np.int64(region_of[rectangle_of[ny, nx]])
                        if b == a or rows[b, KIND] != row[KIND]:
                            continue
                        at = 0
                        while at < found and near[at, 0] != b:
                            at += 1
                        if at == found:
                            near[at, 0] = b
                            near[at, 1] = 0
                            found += 1
                        near[at, 1] += 1
            best = -1
            for at in range(found):
                other = rows[near[at, 0]]
                tiles = row[TILES] + other[TILES]
                cy, cx = (row[SUM_Y] + other[SUM_Y]) // tiles, (row[SUM_X] + other[SUM_X]) // tiles
                centre = np.int64(region_of[rectangle_of[cy, cx]])
                if not _may_fuse(row, other, most, a, near[at, 0], centre):
                    continue
                if (
                    best < 0
                    or near[at, 1] > near[best, 1]
                    or (near[at, 1] == near[best, 1] and near[at, 0] < near[best, 0])
                ):
                    best = at
            if best < 0:
                continue
            b = near[best, 0]
            # A sliver is one line of tiles, so all of its box belongs to it.
            for y in range(row[TOP], row[BOTTOM]):
                for x in range(row[LEFT], row[RIGHT]):
                    region_of[rectangle_of[y, x]] = b
            other = rows[b]
            other[TOP] = min(other[TOP], row[TOP])
            other[LEFT] = min(other[LEFT], row[LEFT])
            other[BOTTOM] = max(other[BOTTOM], row[BOTTOM])
            other[RIGHT] = max(other[RIGHT], row[RIGHT])
            for column in range(TILES, KIND):
                other[column] += row[column]
            row[TILES] = 0
            again = True


@device_with_arrays
def _numbered(
    kinds: np.ndarray,
    y0: int,
    x0: int,
    height: int,
    width: int,
    rectangle_of: np.ndarray,
    region_of: np.ndarray,
    rows: np.ndarray,
    number: np.ndarray,
    tile_region: np.ndarray,
    tiles: np.ndarray,
    cost: np.ndarray,
) -> int:
    """Find the numbers of the block's unchanged regions, _NEW for others.

    Returns how many are new. ``number`` is int64[regions]. A region of a wall, which is never looked up, gets a number
    below zero from its centre.
    """
    for y in range(height):
        for x in range(width):
            r = region_of[rectangle_of[y, x]]
            row = rows[r]
            if row[KIND] == 0:
                cy, cx = y0 + row[SUM_Y] // row[TILES], x0 + row[SUM_X] // row[TILES]
                number[r] = -1 - (cy * tile_region.shape[1] + cx)
                continue
            old = np.int64(tile_region[y0 + y, x0 + x])
            if number[r] == _UNSEEN:
                number[r] = _NEW
                if old >= 0 and tiles[old] == row[TILES] and cost[old] == row[KIND] - 1:
                    number[r] = old
            elif number[r] != old:
                number[r] = _NEW
    new = 0
    for y in range(height):
        for x in range(width):
            r = region_of[rectangle_of[y, x]]
            if kinds[y, x] > 0 and number[r] == _NEW:
                # Counted once; it waits for its number.
                number[r] = _UNSEEN
                new += 1
    return new


@kernel(
    "int64(uint8[:,::1], uint8[:,::1], int64, int64, int64[:,::1], int32[:,::1], int32[:,::1], int32[::1],"
    " int32[:,::1], uint8[::1], int64[::1], int64, int64[::1])",
    group="lab",
)
def cut_blocks(
    passable: np.ndarray,
    terrain_cost: np.ndarray,
    bit: int,
    most: int,
    blocks: np.ndarray,
    tile_region: np.ndarray,
    boxes: np.ndarray,
    tiles: np.ndarray,
    centres: np.ndarray,
    cost: np.ndarray,
    changed_at: np.ndarray,
    cut: int,
    state: np.ndarray,
) -> int:
    """Cut ``blocks`` int64[n, 5] (y0, x0, y1, x1, -) into regions.

    Returns the number of blocks cut before numbers ran out. A region with the same tiles as before keeps its number;
    others get the lowest free numbers. ``changed_at`` of these, and of numbers that became free, is set to ``cut``. The
    number of changes goes to the last column of ``blocks``. ``state`` is int64[2]: FREE, LIVE.
    """
    side = 0
    for i in range(blocks.shape[0]):
        side = max(side, blocks[i, 2] - blocks[i, 0], blocks[i, 3] - blocks[i, 1])
    kinds = np.empty((side, side), np.int64)
    rectangle_of = np.empty((side, side), np.int32)
    region_of = np.empty(side * side, np.int32)
    number = np.empty(side * side, np.int64)
    rows = np.empty((side * side, 8), np.int64)
    near = np.empty((4 * SLIVER_TILES, 2), np.int64)
    for i in range(blocks.shape[0]):
        blocks[i, 4] = 0
        y0, x0 = blocks[i, 0], blocks[i, 1]
        height, width = blocks[i, 2] - y0, blocks[i, 3] - x0
        for y in range(height):
            for x in range(width):
                is_open = passable[y0 + y, x0 + x] & bit
                kinds[y, x] = np.int64(terrain_cost[y0 + y, x0 + x]) + 1 if is_open else 0
        count = _cut_rectangles(kinds, height, width, most, rectangle_of)
        _measure(kinds, height, width, rectangle_of, count, rows)
        for r in range(count):
            region_of[r] = r
            number[r] = _UNSEEN
        _fuse_slivers(height, width, rectangle_of, count, region_of, rows, most, near)
        new = _numbered(kinds, y0, x0, height, width, rectangle_of, region_of, rows, number, tile_region, tiles, cost)
        if new > tiles.size - state[LIVE]:
            return i
        # Numbers of removed regions are freed first, so that the regions that replace them can take them.
        for y in range(height):
            for x in range(width):
                old = np.int64(tile_region[y0 + y, x0 + x])
                if old >= 0 and tiles[old] > 0 and number[region_of[rectangle_of[y, x]]] != old:
                    tiles[old] = 0
                    cost[old] = 0
                    boxes[old] = 0
                    centres[old] = 0
                    changed_at[old] = cut
                    state[FREE] = min(state[FREE], old)
                    state[LIVE] -= 1
                    blocks[i, 4] += 1
        for y in range(height):
            for x in range(width):
                r = region_of[rectangle_of[y, x]]
                if number[r] == _UNSEEN:
                    while tiles[state[FREE]] > 0:
                        state[FREE] += 1
                    row, mine = rows[r], state[FREE]
                    number[r] = mine
                    for side_of_box in range(4):
                        boxes[mine, side_of_box] = row[side_of_box] + (x0 if side_of_box % 2 else y0)
                    tiles[mine] = row[TILES]
                    cost[mine] = row[KIND] - 1
                    centres[mine, 0] = y0 + row[SUM_Y] // row[TILES]
                    centres[mine, 1] = x0 + row[SUM_X] // row[TILES]
                    changed_at[mine] = cut
                    state[LIVE] += 1
                    blocks[i, 4] += 1
                tile_region[y0 + y, x0 + x] = number[r]
    return blocks.shape[0]


@kernel("int64(int32[:,::1], int64[:,::1], int64[::1], int64, int64[:,::1])", group="lab")
def list_borders(
    tile_region: np.ndarray, blocks: np.ndarray, changed_at: np.ndarray, since: int, steps: np.ndarray
) -> int:
    """List both directions of every step over a border of two regions.

    One of the regions a, b changed after ``since``. Returns the number of steps. Steps begin in one of ``blocks``
    int64[n, 5] and go down or to the right, so all steps of one border begin in one block. ``steps`` int64[4 * tiles of
    the blocks, 2] gets a << 32 | b, and the flat tile entered.
    """
    height, width = tile_region.shape
    count = 0
    for i in range(blocks.shape[0]):
        for y in range(blocks[i, 0], blocks[i, 2]):
            for x in range(blocks[i, 1], blocks[i, 3]):
                a = np.int64(tile_region[y, x])
                if a < 0:
                    continue
                for k in range(1, 3):
                    ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                    if ny >= height or nx >= width:
                        continue
                    b = np.int64(tile_region[ny, nx])
                    if b < 0 or a == b or max(changed_at[a], changed_at[b]) <= since:
                        continue
                    steps[count, 0] = a << 32 | b
                    steps[count, 1] = ny * width + nx
                    steps[count + 1, 0] = b << 32 | a
                    steps[count + 1, 1] = y * width + x
                    count += 2
    return count
