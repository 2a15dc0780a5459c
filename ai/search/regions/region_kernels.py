"""Kernels that search the graph of regions.

They find next hops, paths over borders, and the visible part of a path.

Source: "Game AI Pro 2", 31.3 (paths over regions).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import DIAGONAL, STRAIGHT
from ai.search.heap import heap_pop, heap_push
from ai.search.smoothing.straight_walk_kernels import straight_clear

UNREACHED = 1 << 62
NO_REGION = 0xFFFF

NEED_ROOM, STOPPED = -1, -2


@kernel(
    "int64(int32[::1], int32[::1], int64[::1], int64[::1], int64, int64[::1], int64[::1], int32[::1], uint16[::1])",
    group="lab",
)
def hops_to(
    first: np.ndarray,
    ends: np.ndarray,
    lengths: np.ndarray,
    places: np.ndarray,
    goal: int,
    g: np.ndarray,
    keys: np.ndarray,
    heap_regions: np.ndarray,
    hops: np.ndarray,
) -> int:
    """Find the next region towards ``goal`` from every region, uint16.

    NO_REGION marks regions without a path. Returns the number of expanded regions. The graph is symmetric. Among
    equally short paths the next region with the lowest of ``places`` int64[regions] is taken. So the answer depends
    neither on the requesting unit nor on the numbers of regions. ``g`` gets the distances.
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
            elif new == g[other] and places[region] < places[np.int64(hops[other])]:
                hops[other] = region
    return expanded


@device
def _octile(ay: int, ax: int, by: int, bx: int) -> int:
    dy, dx = abs(ay - by), abs(ax - bx)
    return max(dy, dx) * STRAIGHT + min(dy, dx) * (DIAGONAL - STRAIGHT)


@kernel(
    "int64(int32[::1], int32[:,::1], int32[::1], int32[::1], int64[::1], int64[::1], int64, int64, int64, int64,"
    " int64, int64[::1], int32[::1], int64[::1], int32[::1], int32[::1], int64[:,::1])",
    group="lab",
)
def find_route(
    first: np.ndarray,
    tile_region: np.ndarray,
    door_of: np.ndarray,
    doors: np.ndarray,
    price: np.ndarray,
    answer: np.ndarray,
    lowest: int,
    start_y: int,
    start_x: int,
    goal_y: int,
    goal_x: int,
    g: np.ndarray,
    parent: np.ndarray,
    keys: np.ndarray,
    heap: np.ndarray,
    route: np.ndarray,
    log: np.ndarray,
) -> int:
    """Find the regions of a short path between two tiles, goal first.

    Returns their number, 0 when there is no path. The search is A* over the tiles at which borders are crossed. From
    the tile where it entered a region it goes on to another border tile, over ground of ``price`` int64[regions].
    ``doors`` int32[n] are the flat border tiles in ascending order, and border i leads to doors[door_of[i]]. ``g``
    int64[n] and ``parent`` int32[n], n: the start. ``answer`` int64[3] gets the length, the expanded tiles, and the
    door from which the goal is reached (-1: none). ``log`` int64[m, 3] records flat tile and g of each expanded tile.
    When a log with rows is full, the search STOPPED.
    """
    width = tile_region.shape[1]
    count_of_doors = doors.size
    g[:] = UNREACHED
    y, x = start_y, start_x
    start, goal = np.int64(tile_region[start_y, start_x]), np.int64(tile_region[goal_y, goal_x])
    region = start
    at = count_of_doors
    here = np.int64(0)
    count = 0
    expanded = 0
    last = -1
    best = np.int64(UNREACHED)
    f = np.int64(0)
    stopped = False
    while True:
        if log.shape[0] > 0:
            if expanded == log.shape[0]:
                stopped = True
                break
            log[expanded, 0] = y * width + x
            log[expanded, 1] = here
        expanded += 1
        if region == goal:
            rest = here + _octile(y, x, goal_y, goal_x) * 2 * price[goal]
            if rest < best:
                best = rest
                last = at
        for border in range(first[region], first[region + 1]):
            door = np.int64(door_of[border])
            tile = np.int64(doors[door])
            ny, nx = tile // width, tile % width
            new = here + _octile(y, x, ny, nx) * 2 * price[region]
            if new < g[door] and tile != start_y * width + start_x:
                g[door] = new
                parent[door] = at
                if count >= keys.size:
                    return NEED_ROOM
                heap_push(keys, heap, count, new + _octile(ny, nx, goal_y, goal_x) * 2 * lowest, door)
                count += 1
        at = -1
        while count > 0 and at < 0:
            f = keys[0]
            door = np.int64(heap[0])
            heap_pop(keys, heap, count)
            count -= 1
            tile = np.int64(doors[door])
            y, x = tile // width, tile % width
            here = g[door]
            if f == here + _octile(y, x, goal_y, goal_x) * 2 * lowest:
                at = door
        if at < 0 or f >= best:
            break
        region = np.int64(tile_region[y, x])
    answer[0] = best
    answer[1] = expanded
    answer[2] = last
    if stopped:
        return STOPPED
    if last < 0:
        return 0
    n = 0
    while last != count_of_doors:
        tile = np.int64(doors[last])
        route[n] = tile_region[tile // width, tile % width]
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
    """Return the row of the first centre that no straight walk reaches, or n.

    ``centres`` is int32[n, 2]; the test starts at row ``begin`` and at the position (y, x). A walk is that of a disc
    between square tiles, to their centres. It overlaps passable tiles only, so it cuts no corner. ``tally[0]`` grows by
    the tiles of each tested line, one for every tile side it crosses.
    """
    for row in range(begin, centres.shape[0]):
        ty, tx = np.int64(centres[row, 0]), np.int64(centres[row, 1])
        tally[0] += abs(ty - np.int64(np.floor(y))) + abs(tx - np.int64(np.floor(x)))
        if not straight_clear(passable, bit, x, y, tx + 0.5, ty + 0.5, radius):
            return row
    return centres.shape[0]
