"""Kernels that search the graph of regions: next hops, ways over borders, and what a walker sees of a way.

Source: "Game AI Pro 2", 31.3 (paths over regions).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.grid.moves import DIAGONAL, STRAIGHT
from ai.kernels import device, kernel
from ai.search.heap import heap_pop, heap_push
from ai.search.walk_kernels import straight_clear

UNREACHED = 1 << 62
NO_REGION = 0xFFFF


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
    """The next region towards ``goal`` from every region, uint16; NO_REGION where there is no way.  Returns how many
    regions were expanded.

    The graph is symmetric; among equally short ways the next region with the lowest of ``places`` int64[regions] is
    taken, so the answer depends neither on who asked nor on how regions are numbered.  ``g`` gets the distances.
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
    "int64(int32[::1], int32[::1], int32[:,::1], int32[::1], int32[::1], int64[::1], int64[::1], int64, int64, int64,"
    " int64, int64, int64, int64, int64[::1], int32[::1], int64[::1], int32[::1], int32[::1])",
    group="lab",
)
def find_route(
    first: np.ndarray,
    ends: np.ndarray,
    crossings: np.ndarray,
    rank: np.ndarray,
    ranked: np.ndarray,
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
    one goes on to the middle of another, over ground of ``price`` int64[regions].  Ties go by ``rank`` int32[borders],
    whose inverse is ``ranked``.  ``answer`` gets the length and the number of borders expanded.
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
                heap_push(keys, heap, count, new + left, rank[edge])
                count += 1
        while count > 0:
            f = keys[0]
            at = np.int64(ranked[heap[0]])
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
