"""Kernels that label connected components in blocks, and join the blocks.

The map is cut into blocks of 32 x 32 tiles.  Tiles of a block that hang together inside it are a *region*; regions of
neighbouring blocks that touch are joined into components.  An edit relabels its own blocks and joins again, so a door
costs the same wherever it stands, and the outcome depends on the terrain alone, never on the edits that led to it.

Because no move cuts a corner, eight-way connectivity equals four-way connectivity: only orthogonal steps count here.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import numpy as np

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.kernels import device, kernel

BLOCK = 32
MOST_REGIONS = BLOCK * BLOCK // 2
"""A chessboard has the most regions."""


@kernel("int64(uint8[:,::1], int64, uint16[:,::1], uint16[:,::1], int32[::1], int64, int64, int64, int64)")
def label_blocks(
    passable: np.ndarray,
    bit: int,
    local: np.ndarray,
    columns: np.ndarray,
    counts: np.ndarray,
    y0: int,
    x0: int,
    y1: int,
    x1: int,
) -> int:
    """Label the regions of the blocks that a rectangle touches; returns how many blocks came out otherwise.

    ``local`` gets 1, 2, ... within each block, numbered by first tile row by row, and 0 where ``bit`` is blocked;
    ``columns`` uint16[2 * blocks across, height] repeats the first and the last column of each block, one after the
    other, so that joining need not go down the columns of ``local``.
    """
    height, width = local.shape
    across = (width + BLOCK - 1) // BLOCK
    queue = np.empty((BLOCK * BLOCK, 2), np.int64)
    old = np.empty((BLOCK, BLOCK), np.uint16)
    changed = 0
    for by in range(y0 // BLOCK, (y1 - 1) // BLOCK + 1):
        for bx in range(x0 // BLOCK, (x1 - 1) // BLOCK + 1):
            top, left = by * BLOCK, bx * BLOCK
            bottom, right = min(top + BLOCK, height), min(left + BLOCK, width)
            for y in range(top, bottom):
                for x in range(left, right):
                    old[y - top, x - left] = local[y, x]
                    local[y, x] = 0xFFFF if passable[y, x] & bit else 0
            count = 0
            for y in range(top, bottom):
                for x in range(left, right):
                    if local[y, x] != 0xFFFF:
                        continue
                    count += 1
                    local[y, x] = count
                    queue[0, 0] = y
                    queue[0, 1] = x
                    head, tail = 0, 1
                    while head < tail:
                        cy, cx = queue[head]
                        head += 1
                        for k in range(4):
                            ny = cy + MOVE_Y[k]
                            nx = cx + MOVE_X[k]
                            if top <= ny < bottom and left <= nx < right and local[ny, nx] == 0xFFFF:
                                local[ny, nx] = count
                                queue[tail, 0] = ny
                                queue[tail, 1] = nx
                                tail += 1
            counts[by * across + bx] = count
            for y in range(top, bottom):
                columns[2 * bx, y] = local[y, left]
                columns[2 * bx + 1, y] = local[y, right - 1]
            same = True
            for y in range(top, bottom):
                for x in range(left, right):
                    if old[y - top, x - left] != local[y, x]:
                        same = False
            if not same:
                changed += 1
    return changed


@device
def _root(component: np.ndarray, region: int) -> int:
    at = np.uint64(region)
    while component[at] != at:
        component[at] = component[np.uint64(component[at])]
        at = np.uint64(component[at])
    return np.int64(at)


@device
def _join(component: np.ndarray, a: int, b: int) -> None:
    a = _root(component, a)
    b = _root(component, b)
    if a < b:
        component[b] = a
    else:
        component[a] = b


@kernel("void(uint16[:,::1], uint16[:,::1], int32[::1], int32[::1])")
def join_blocks(local: np.ndarray, columns: np.ndarray, counts: np.ndarray, component: np.ndarray) -> None:
    """Join touching regions: ``component[block * 513 + local]`` becomes the lowest such index joined to it."""
    height, width = local.shape
    across = (width + BLOCK - 1) // BLOCK
    for block in range(counts.size):
        for region in range(1, counts[block] + 1):
            component[block * (MOST_REGIONS + 1) + region] = block * (MOST_REGIONS + 1) + region
    # Along a border the same two regions touch many times, with walls between: join them once.
    for y in range(BLOCK, height, BLOCK):
        row = (y // BLOCK) * across
        above, below = local[y - 1], local[y]
        for column in range(across):
            before = np.int64(0)
            block = row + column
            for x in range(column * BLOCK, min(column * BLOCK + BLOCK, width)):
                a, b = np.int64(above[x]), np.int64(below[x])
                pair = a << 16 | b
                if a != 0 and b != 0 and pair != before:
                    before = pair
                    _join(component, (block - across) * (MOST_REGIONS + 1) + a, block * (MOST_REGIONS + 1) + b)
    for column in range(1, across):
        left, right = columns[2 * column - 1], columns[2 * column]
        for row in range((height + BLOCK - 1) // BLOCK):
            before = np.int64(0)
            block = row * across + column
            for y in range(row * BLOCK, min(row * BLOCK + BLOCK, height)):
                a, b = np.int64(left[y]), np.int64(right[y])
                pair = a << 16 | b
                if a != 0 and b != 0 and pair != before:
                    before = pair
                    _join(component, (block - 1) * (MOST_REGIONS + 1) + a, block * (MOST_REGIONS + 1) + b)
    # A root is the lowest of its tree, so one pass upwards flattens every tree.
    for block in range(counts.size):
        for region in range(1, counts[block] + 1):
            at = block * (MOST_REGIONS + 1) + region
            component[at] = component[component[at]]


@device
def component_at(local: np.ndarray, component: np.ndarray, y: int, x: int) -> int:
    """The component of a tile inside the map, 0 when it is blocked."""
    region = np.int64(local[y, x])
    if region == 0:
        return 0
    across = (local.shape[1] + BLOCK - 1) // BLOCK
    return np.int64(component[((y // BLOCK) * across + x // BLOCK) * (MOST_REGIONS + 1) + region])


@kernel("void(uint16[:,::1], int32[::1], int32[:,::1], int32[::1])")
def components_of(local: np.ndarray, component: np.ndarray, tiles: np.ndarray, out: np.ndarray) -> None:
    """Components of tiles int32[n, 2] (y, x); 0 for blocked ones and for those outside."""
    height, width = local.shape
    for row in range(tiles.shape[0]):
        y, x = np.int64(tiles[row, 0]), np.int64(tiles[row, 1])
        inside = 0 <= y < height and 0 <= x < width
        out[row] = component_at(local, component, y, x) if inside else 0


@kernel("int64(uint16[:,::1], int32[::1], int64, int64, int64, int64)")
def ring_search(local: np.ndarray, component: np.ndarray, label: int, y: int, x: int, max_radius: int) -> int:
    """Flat index of the tile of a component nearest to (y, x) by centre distance, then y, then x; -1 when none is near.

    Looks at square rings outwards and stops when no further ring can be nearer; ``max_radius`` is in rings.
    """
    height, width = local.shape
    best = -1
    best_distance = np.int64(1) << 60
    for radius in range(max_radius + 1):
        if radius * radius > best_distance:
            break
        for ny in range(max(y - radius, 0), min(y + radius, height - 1) + 1):
            edge = ny == y - radius or ny == y + radius
            nx = x - radius
            while nx <= x + radius:
                if 0 <= nx < width and component_at(local, component, ny, nx) == label:
                    distance = (ny - y) * (ny - y) + (nx - x) * (nx - x)
                    index = ny * width + nx
                    if distance < best_distance or (distance == best_distance and index < best):
                        best_distance = distance
                        best = index
                nx += 1 if edge or radius == 0 else 2 * radius
    return best
