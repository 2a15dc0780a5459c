"""Kernels that cut a map into regions of even ground, and search the graph of regions.

A map is covered by rectangles of one kind of tile each, grown greedily; large ones are divided evenly, slivers are
fused with a neighbour of their kind.  Tiles know their rectangle, rectangles know their region.

Source: "Game AI Pro 2", 31.2 (regions), 31.3 (paths over regions).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.grid.moves import DIAGONAL, MOVE_X, MOVE_Y, STRAIGHT
from ai.kernels import device, kernel
from ai.search.heap import heap_pop, heap_push
from ai.search.walk_kernels import straight_clear

SLIVER_WIDTH, SLIVER_TILES = 2, 10
"""A region narrower than this one way, and with fewer tiles than this, is a sliver."""

# Columns of a region's row.
TOP, LEFT, BOTTOM, RIGHT, TILES, SUM_Y, SUM_X, KIND = range(8)

UNREACHED = 1 << 62
NO_REGION = 0xFFFF


@kernel("int64(uint16[:,::1], int64, int32[:,::1])", group="lab")
def cut_rectangles(kinds: np.ndarray, most: int, rectangle_of: np.ndarray) -> int:
    """Number the rectangles, at most ``most`` tiles a side, into ``rectangle_of`` int32 [height, width]; how many.

    The seed is the first tile without a rectangle, row by row.  It grows in turn by a column to the right and a row
    below, while every new tile is free and of its kind; then it is divided evenly.
    """
    height, width = kinds.shape
    rectangle_of[:] = -1
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


@kernel("void(uint16[:,::1], int32[:,::1], int64[:,::1])", group="lab")
def measure_rectangles(kinds: np.ndarray, rectangle_of: np.ndarray, rows: np.ndarray) -> None:
    """Fill ``rows`` int64[rectangles, 8]: top, left, bottom, right, tiles, sums of y and x, kind."""
    height, width = kinds.shape
    rows[:] = 0
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
    """Whether regions a and b may become one: no larger than ``most``, and with their centre inside."""
    tall = max(a[BOTTOM], b[BOTTOM]) - min(a[TOP], b[TOP])
    wide = max(a[RIGHT], b[RIGHT]) - min(a[LEFT], b[LEFT])
    return tall <= most and wide <= most and (of_centre in (of_a, of_b))


@kernel("int64(int32[:,::1], int32[::1], int64[:,::1], int64)", group="lab")
def fuse_slivers(rectangle_of: np.ndarray, region_of: np.ndarray, rows: np.ndarray, most: int) -> int:
    """Fuse each sliver with the neighbour of its kind along whose side most of it lies; returns how many were fused.

    Only where the whole is no larger than ``most`` and holds its own centre; ties go to the lower number.
    ``region_of`` int32[rectangles] and ``rows`` as of :func:`measure_rectangles`, now for regions, are kept up to date.
    """
    height, width = rectangle_of.shape
    near = np.empty(4 * SLIVER_TILES, np.int64)
    touching = np.empty(4 * SLIVER_TILES, np.int64)
    fused = 0
    again = True
    while again:
        again = False
        for a in range(rows.shape[0]):
            row = rows[a]
            if row[TILES] == 0 or not _is_sliver(row):
                continue
            count = 0
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
                        while at < count and near[at] != b:
                            at += 1
                        if at == count:
                            near[at] = b
                            touching[at] = 0
                            count += 1
                        touching[at] += 1
            best = -1
            for at in range(count):
                other = rows[near[at]]
                tiles = row[TILES] + other[TILES]
                cy, cx = (row[SUM_Y] + other[SUM_Y]) // tiles, (row[SUM_X] + other[SUM_X]) // tiles
                centre = np.int64(region_of[rectangle_of[cy, cx]])
                if not _may_fuse(row, other, most, a, near[at], centre):
                    continue
                if (
                    best < 0
                    or touching[at] > touching[best]
                    or (touching[at] == touching[best] and near[at] < near[best])
                ):
                    best = at
            if best < 0:
                continue
            b = near[best]
            # A sliver is one line of tiles, so all of its box is its own.
            for y in range(row[TOP], row[BOTTOM]):
                for x in range(row[LEFT], row[RIGHT]):
                    region_of[rectangle_of[y, x]] = b
            other = rows[b]
            other[TOP] = min(other[TOP], row[TOP])
            other[LEFT] = min(other[LEFT], row[LEFT])
            other[BOTTOM] = max(other[BOTTOM], row[BOTTOM])
            other[RIGHT] = max(other[RIGHT], row[RIGHT])
            other[TILES] += row[TILES]
            other[SUM_Y] += row[SUM_Y]
            other[SUM_X] += row[SUM_X]
            row[TILES] = 0
            fused += 1
            again = True
    return fused


@kernel("int64(int32[:,::1], int64, int64[:,::1])", group="lab")
def list_borders(tile_region: np.ndarray, open_count: int, steps: np.ndarray) -> int:
    """Both directions of every step over a border of two regions a, b below ``open_count``; returns how many.

    ``tile_region`` int32[height, width]; ``steps`` int64[4 * tiles, 2] gets a << 32 | b, and the flat tile entered.
    """
    height, width = tile_region.shape
    count = 0
    for y in range(height):
        for x in range(width):
            a = np.int64(tile_region[y, x])
            if a >= open_count:
                continue
            for k in range(1, 3):
                ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
                if ny >= height or nx >= width:
                    continue
                b = np.int64(tile_region[ny, nx])
                if a == b or b >= open_count:
                    continue
                steps[count, 0] = a << 32 | b
                steps[count, 1] = ny * width + nx
                steps[count + 1, 0] = b << 32 | a
                steps[count + 1, 1] = y * width + x
                count += 2
    return count


@kernel(
    "int64(int32[::1], int32[::1], int64[::1], int64, int64[::1], int64[::1], int32[::1], uint16[::1])", group="lab"
)
def hops_to(
    first: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    goal: int,
    g: np.ndarray,
    keys: np.ndarray,
    heap_regions: np.ndarray,
    hops: np.ndarray,
) -> int:
    """The next region towards ``goal`` from every region, uint16; NO_REGION where there is no way.  Returns how many
    regions were expanded.

    The graph is symmetric; among equally short ways the lowest next region is taken, so the answer does not depend on
    who asked.  ``g`` gets the distances.
    """
    g[:] = UNREACHED
    hops[:] = NO_REGION
    g[goal] = 0
    hops[goal] = goal
    keys[0] = 0
    heap_regions[0] = goal
    count = 1
    expanded = 0
    while count > 0:
        here = keys[0]
        region = np.int64(heap_regions[0])
        heap_pop(keys, heap_regions, count)
        count -= 1
        if here > g[region]:
            continue
        expanded += 1
        for edge in range(first[region], first[region + 1]):
            other = np.int64(ends[edge])
            new = here + lengths[edge]
            if new < g[other]:
                g[other] = new
                hops[other] = region
                heap_push(keys, heap_regions, count, new, other)
                count += 1
            elif new == g[other] and region < hops[other]:
                hops[other] = region
    return expanded


@device
def _octile(ay: int, ax: int, by: int, bx: int) -> int:
    dy, dx = abs(ay - by), abs(ax - bx)
    return max(dy, dx) * STRAIGHT + min(dy, dx) * (DIAGONAL - STRAIGHT)


@kernel(
    "int64(int32[::1], int32[::1], int32[:,::1], int64[::1], int64[::1], int64, int64, int64, int64, int64, int64,"
    " int64, int64[::1], int32[::1], int64[::1], int32[::1], int32[::1])",
    group="lab",
)
def find_route(
    first: np.ndarray,
    ends: np.ndarray,
    crossings: np.ndarray,
    price: np.ndarray,
    answer: np.ndarray,
    lowest: int,
    start: int,
    start_y: int,
    start_x: int,
    goal: int,
    goal_y: int,
    goal_x: int,
    g: np.ndarray,
    parent: np.ndarray,
    keys: np.ndarray,
    heap: np.ndarray,
    route: np.ndarray,
) -> int:
    """Regions of a short way between two tiles, goal first; returns how many, 0 when there is no way.

    A* over borders: having entered a region at the middle of one border (``crossings`` int32[borders, 2], y and x),
    one goes on to the middle of another, over ground of ``price`` int64[regions].  ``answer`` gets the length and the
    number of borders expanded.
    """
    borders = ends.size
    g[:] = UNREACHED
    # Number ``borders`` is the start.
    y, x = start_y, start_x
    region = start
    at = borders
    here = np.int64(0)
    count = 0
    expanded = 0
    best = np.int64(UNREACHED)
    last = -1
    while True:
        expanded += 1
        if region == goal:
            rest = here + _octile(y, x, goal_y, goal_x) * 2 * price[goal]
            if rest < best:
                best = rest
                last = at
        for edge in range(first[region], first[region + 1]):
            new = here + _octile(y, x, crossings[edge, 0], crossings[edge, 1]) * 2 * price[region]
            if new < g[edge]:
                g[edge] = new
                parent[edge] = at
                left = _octile(crossings[edge, 0], crossings[edge, 1], goal_y, goal_x) * 2 * lowest
                if count >= keys.size:
                    return -1
                heap_push(keys, heap, count, new + left, edge)
                count += 1
        while count > 0:
            f = keys[0]
            at = np.int64(heap[0])
            heap_pop(keys, heap, count)
            count -= 1
            y, x = np.int64(crossings[at, 0]), np.int64(crossings[at, 1])
            here = g[at]
            if f == here + _octile(y, x, goal_y, goal_x) * 2 * lowest:
                break
            at = -1
        else:
            break
        if at < 0 or f >= best:
            break
        region = np.int64(ends[at])
    answer[0] = best
    answer[1] = expanded
    if last < 0:
        return 0
    n = 0
    while last != borders:
        route[n] = ends[last]
        n += 1
        last = np.int64(parent[last])
    route[n] = start
    return n + 1


@kernel("int64(uint8[:,::1], int64, int32[:,::1], int64, float64, float64, float64, int64[::1])", group="lab")
def first_hidden(
    passable: np.ndarray,
    bit: int,
    centres: np.ndarray,
    begin: int,
    y: float,
    x: float,
    radius: float,
    tally: np.ndarray,
) -> int:
    """Row of the first of ``centres`` int32[n, 2] from ``begin`` on that no straight walk from (y, x) reaches, or n.

    A walk is that of a disc between square tiles, to their centres; it overlaps passable tiles only, so it cuts no
    corner.  ``tally[0]`` grows by the tiles that each line walked comes to, one for every side of a tile it crosses.
    """
    for row in range(begin, centres.shape[0]):
        ty, tx = np.int64(centres[row, 0]), np.int64(centres[row, 1])
        tally[0] += abs(ty - np.int64(np.floor(y))) + abs(tx - np.int64(np.floor(x)))
        if not straight_clear(passable, bit, x, y, tx + 0.5, ty + 0.5, radius):
            return row
    return centres.shape[0]
