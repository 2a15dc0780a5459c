"""Kernels that label connected components in blocks, and join the blocks.

The map is cut into blocks of 32 x 32 tiles. Tiles that are connected inside a block are a *region*. Touching regions of
neighbouring blocks are joined into components. An edit relabels its own blocks and joins again. So a door costs the
same at any position, and the result depends on the terrain alone, never on earlier edits.

Because no move cuts a corner, eight-way connectivity equals four-way connectivity: only orthogonal steps count here.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import MOVE_X, MOVE_Y

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
    """Label the regions of the blocks that a rectangle touches.

    Returns the number of blocks that changed. ``local`` gets 1, 2, ... within each block, numbered by first tile row by
    row, and 0 where ``bit`` is blocked. ``columns`` uint16[2 * blocks across, height] repeats the first and the last
    column of each block, one after the other, so that joining need not read down the columns of ``local``.
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
    """Join touching regions across blocks.

    ``component[block * 513 + local]`` becomes the lowest such index joined to the region.
    """
    height, width = local.shape
    across = (width + BLOCK - 1) // BLOCK
    for block in range(counts.size):
        for region in range(1, counts[block] + 1):
            component[block * (MOST_REGIONS + 1) + region] = block * (MOST_REGIONS + 1) + region
    # Along a border the same two regions touch many times, with walls between; they are joined once.
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
    # A root is the lowest of its tree, so one ascending pass flattens every tree.
    for block in range(counts.size):
        for region in range(1, counts[block] + 1):
            at = block * (MOST_REGIONS + 1) + region
            component[at] = component[component[at]]


@device
def component_at(local: np.ndarray, component: np.ndarray, y: int, x: int) -> int:
    """Return the component of a tile inside the map, 0 when it is blocked."""
    region = np.int64(local[y, x])
    if region == 0:
        return 0
    across = (local.shape[1] + BLOCK - 1) // BLOCK
    return np.int64(component[((y // BLOCK) * across + x // BLOCK) * (MOST_REGIONS + 1) + region])


@kernel("void(uint16[:,::1], int32[::1], int32[:,::1], int32[::1])")
def components_of(local: np.ndarray, component: np.ndarray, tiles: np.ndarray, out: np.ndarray) -> None:
    """Return the components of tiles int32[n, 2] (y, x).

    A component is 0 for blocked tiles and tiles outside.
    """
    height, width = local.shape
    for row in range(tiles.shape[0]):
        y, x = np.int64(tiles[row, 0]), np.int64(tiles[row, 1])
        inside = 0 <= y < height and 0 <= x < width
        out[row] = component_at(local, component, y, x) if inside else 0


@device
def _gap(low: int, high: int, at: int) -> int:
    """Return the distance of ``at`` from the range low..high - 1."""
    return low - at if at < low else at - high + 1 if at >= high else 0


@kernel("int64(uint16[:,::1], int32[::1], int32[::1], int64[::1], int32[:,::1], int64, int64[::1], int64[::1])")
def nearest_of_components(
    local: np.ndarray,
    counts: np.ndarray,
    component: np.ndarray,
    labels: np.ndarray,
    tiles: np.ndarray,
    max_radius: int,
    near: np.ndarray,
    out: np.ndarray,
) -> int:
    """Find the tiles of components ``labels`` nearest to ``tiles``.

    Nearest is by centre distance, then y, then x. ``out`` gets flat indices, -1 where none lies within ``max_radius``
    square rings. Returns the number of tiles and regions examined.

    Blocks are examined in rings; their regions show which of them contain the component. Blocks that can contain the
    nearest tile for any tile of a block go into ``near`` (while it has room). This happens once for all consecutive
    requests of one block and component. Inside these blocks, rows and columns are examined outwards from the tile.
    """
    height, width = local.shape
    down, across = (height + BLOCK - 1) // BLOCK, (width + BLOCK - 1) // BLOCK
    looks = 0
    count = 0
    for i in range(tiles.shape[0]):
        y, x, label = np.int64(tiles[i, 0]), np.int64(tiles[i, 1]), labels[i]
        by, bx = min(max(y, 0), height - 1) // BLOCK, min(max(x, 0), width - 1) // BLOCK
        inside = 0 <= y < height and 0 <= x < width
        far = inside and max_radius >= max(height, width)
        again = False
        if i > 0 and far and labels[i - 1] == label:
            before_y, before_x = np.int64(tiles[i - 1, 0]), np.int64(tiles[i - 1, 1])
            again = 0 <= before_y < height and 0 <= before_x < width
            again = again and before_y // BLOCK == by and before_x // BLOCK == bx
        if not again:
            # Upper limit of the distance from every tile of the block; only known when no ring is too far.
            within = np.int64(1) << 60
            count = 0
            for ring in range(max(down, across)):
                least = max(0, (ring - 1) * BLOCK + 1)
                if least > max_radius or least * least > within:
                    break
                for cy in range(max(by - ring, 0), min(by + ring, down - 1) + 1):
                    step = 1 if abs(cy - by) == ring else 2 * ring
                    cx = bx - ring
                    while cx <= bx + ring:
                        if 0 <= cx < across:
                            block = cy * across + cx
                            holds = False
                            for region in range(1, counts[block] + 1):
                                looks += 1
                                if component[block * (MOST_REGIONS + 1) + region] == label:
                                    holds = True
                                    break
                            looks += 1
                            if holds:
                                near[count] = block
                                count += 1
                                if far:
                                    most_y, most_x = BLOCK * (abs(cy - by) + 1) - 1, BLOCK * (abs(cx - bx) + 1) - 1
                                    within = min(within, most_y * most_y + most_x * most_x)
                        cx += max(step, 1)
        best = -1
        best_distance = np.int64(1) << 60
        for k in range(count):
            block = near[k]
            looks += 1
            y0, x0 = block // across * BLOCK, block % across * BLOCK
            y1, x1 = min(y0 + BLOCK, height), min(x0 + BLOCK, width)
            gap_y, gap_x = _gap(y0, y1, y), _gap(x0, x1, x)
            if gap_y * gap_y + gap_x * gap_x > best_distance or max(gap_y, gap_x) > max_radius:
                continue
            middle_y, middle_x = min(max(y, y0), y1 - 1), min(max(x, x0), x1 - 1)
            for side_y in range(2):
                ny = middle_y - side_y
                while y0 <= ny < y1:
                    dy = abs(ny - y)
                    if dy > max_radius or dy * dy + gap_x * gap_x > best_distance:
                        break
                    for side_x in range(2):
                        nx = middle_x - side_x
                        while x0 <= nx < x1:
                            dx = abs(nx - x)
                            distance = dy * dy + dx * dx
                            if dx > max_radius or distance > best_distance:
                                break
                            looks += 1
                            region = np.int64(local[ny, nx])
                            if region and component[block * (MOST_REGIONS + 1) + region] == label:
                                index = ny * width + nx
                                if distance < best_distance or index < best:
                                    best_distance = distance
                                    best = index
                                break
                            nx += 1 - 2 * side_x
                    ny += 1 - 2 * side_y
        out[i] = best
    return looks
