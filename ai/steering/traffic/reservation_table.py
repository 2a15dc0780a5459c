"""Reservation table: decides which units may enter ground too narrow for two bodies.

Two corridor segments (``ai.steering.traffic.corridor_segments``) *oppose* each other if one leads from a tile to its
neighbour and the other leads back. A unit that may go on *claims* its whole segment, as railways do.

A unit in the way of a claim gets a *refuge*: the nearest tile without a claim. The path to it has no step against a
claim and has room for every unit that is pushed ahead. A pushing unit lends its right to those it pushes, as in
priority inheritance (Okumura et al., "Priority inheritance with backtracking", 2019).

Tiles are y * width + x; directions are 0 up, 1 left, 2 right, 3 down. ``marks`` int32[MARKS, H * W] is a scratch table.
A column counts only while its ``STAMP`` is the present one, so the table is never cleared.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.steering.traffic.corridor_segments import COUNT, FIRST, LAST, LEAD, SLOT, step_to

MARKS = 6
STAMP, FLAGS, OWNER, SEEN, PARENT, SPARE = 0, 1, 2, 3, 4, 5
"""Rows of the marks.

STAMP is the evaluation to which FLAGS and OWNER belong; OWNER is the id of the first unit that claimed the tile. SEEN
is the search that reached the tile and PARENT the tile before it. SPARE is the number of unclaimed tiles minus the
number of bodies passed.
"""
TAKEN, WANTED, PUSHED, BODY = 16, 32, 64, 128
"""Flags above the four bits for claimed steps out of a tile.

The tile is claimed; a unit wants to cross it; a body that can be pushed stands on it; any body stands on it.
"""

FARTHEST = 4096
"""Tiles that a search for a refuge visits at most."""


@device
def fresh(marks: np.ndarray, tile: int, stamp: int) -> None:
    """Clear the flags of a tile unless they belong to this evaluation."""
    if marks[STAMP, tile] != stamp:
        marks[STAMP, tile] = stamp
        marks[FLAGS, tile] = 0
        marks[OWNER, tile] = -1


@kernel(
    "void(int64, int64, int32[:,::1], uint8[::1], int32[::1], uint8[:,::1], uint8[::1], uint8[::1], uint8[::1],"
    " uint8[::1], uint8[::1], float64[::1], float64[::1], int64[:,::1], uint8[::1], int32[:,::1], uint8[::1])"
)
def who_meet(
    count: int,
    stamp: int,
    rows: np.ndarray,
    sides: np.ndarray,
    tiles: np.ndarray,
    narrow: np.ndarray,
    side: np.ndarray,
    alive: np.ndarray,
    moving: np.ndarray,
    movement_class: np.ndarray,
    act: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    homes: np.ndarray,
    present: np.ndarray,
    marks: np.ndarray,
    meets: np.ndarray,
) -> None:
    """Set ``meets`` to 1 for segments that meet another unit of their side.

    ``meets`` is uint8[count].

    A segment meets an opposing segment, or a unit on it that does not go on. Such a unit is idle, or lets others pass
    (``act``, of the last tick).

    ``sides`` uint8[count] are the sides of the segments. ``homes`` int64[n, 2] holds side and tile of the positions to
    which units that made room return. ``present`` uint8[4] marks the sides in use. Uses ``stamp + 1`` to ``stamp + 4``.
    """
    width = narrow.shape[1]
    for s in range(4):
        if not present[s]:
            continue
        stamp += 1
        for i in range(len(x)):
            ty, tx = int(y[i]), int(x[i])
            if side[i] == s and alive[i] and (act[i] or (not moving[i] and narrow[ty, tx] & (1 << movement_class[i]))):
                fresh(marks, ty * width + tx, stamp)
                marks[FLAGS, ty * width + tx] |= PUSHED
        for h in range(len(homes)):
            if homes[h, 0] == s and homes[h, 1] >= 0:
                fresh(marks, homes[h, 1], stamp)
                marks[FLAGS, homes[h, 1]] |= PUSHED
        for r in range(count):
            if sides[r] == s:
                at = rows[r, FIRST]
                for k in range(at + max(rows[r, LEAD] - 1, 0), at + rows[r, LAST]):
                    d = step_to(tiles[k], tiles[k + 1], width)
                    fresh(marks, tiles[k], stamp)
                    if d >= 0:
                        marks[FLAGS, tiles[k]] |= 1 << d
        for r in range(count):
            if sides[r] == s:
                at = rows[r, FIRST]
                meets[r] = 0
                for k in range(at + max(rows[r, LEAD] - 1, 0), at + rows[r, LAST]):
                    back = step_to(tiles[k + 1], tiles[k], width)
                    there = marks[FLAGS, tiles[k + 1]] if marks[STAMP, tiles[k + 1]] == stamp else 0
                    if back >= 0 and there & (1 << back):
                        meets[r] = 1
                        break
                for k in range(at + 1, at + rows[r, COUNT]):
                    if marks[STAMP, tiles[k]] == stamp and marks[FLAGS, tiles[k]] & PUSHED:
                        meets[r] = 1
                        break
                if rows[r, SLOT] >= 0 and act[rows[r, SLOT]]:
                    meets[r] = 1


@kernel("void(int64, int64, uint8[::1], uint8[::1], float64[::1], float64[::1], int64, int32[:,::1])")
def put_bodies(
    side: int,
    stamp: int,
    sides: np.ndarray,
    alive: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    width: int,
    marks: np.ndarray,
) -> None:
    """Flag the tiles that hold bodies of one side."""
    for i in range(len(x)):
        if alive[i] and sides[i] == side:
            tile = int(y[i]) * width + int(x[i])
            fresh(marks, tile, stamp)
            marks[FLAGS, tile] |= BODY


@kernel("int64(int32[::1], int64, int64, int64, int64, int64, int64, int64, int64, int32[:,::1])")
def claim(
    tiles: np.ndarray,
    first: int,
    count: int,
    lead: int,
    last: int,
    width: int,
    force: int,
    unit: int,
    stamp: int,
    marks: np.ndarray,
) -> int:
    """Claim a segment for ``unit`` unless a claim opposes it.

    ``force`` 1 claims it even then; ``force`` 2 only marks it as wanted. Returns -1 if no claim opposes it, else the id
    of the first unit that claimed that tile.
    """
    if force == 2:
        for k in range(first + (lead < 0), first + count):
            fresh(marks, tiles[k], stamp)
            marks[FLAGS, tiles[k]] |= WANTED
        return -1
    for k in range(first + max(lead - 1, 0), first + last):
        back = step_to(tiles[k + 1], tiles[k], width)
        taken = marks[STAMP, tiles[k + 1]] == stamp and back >= 0 and marks[FLAGS, tiles[k + 1]] & (1 << back)
        if taken and force != 1:
            return marks[OWNER, tiles[k + 1]]
    for k in range(first, first + count):
        fresh(marks, tiles[k], stamp)
        if marks[OWNER, tiles[k]] < 0:
            marks[OWNER, tiles[k]] = unit
        if lead >= 0 or k > first:
            marks[FLAGS, tiles[k]] |= TAKEN
        if max(lead - 1, 0) <= k - first < last:
            d = step_to(tiles[k], tiles[k + 1], width)
            if d >= 0:
                marks[FLAGS, tiles[k]] |= 1 << d
    return -1


@kernel("int64(uint8[:,::1], uint8[:,::1], int64, int64, int64, int64, int64, int64, int64, int32[:,::1], int32[::1])")
def refuge(
    passable: np.ndarray,
    narrow: np.ndarray,
    bit: int,
    start: int,
    to: int,
    shun: int,
    against: int,
    stamp: int,
    search: int,
    marks: np.ndarray,
    path: np.ndarray,
) -> int:
    """Search the path from tile ``start`` to the nearest refuge; return its tile count.

    ``path`` gets the tiles from ``start`` on, in steps to the four sides. Returns 0 if there is no refuge. A refuge has
    no flag of ``shun`` and no body. On narrow ground, the path must have more tiles without such a flag than bodies to
    push.

    No step goes against a claim, unless ``against`` is set. A unit let out in that case needs a refuge in the open or
    behind a crossing, because the others follow it. If ``to`` is 0 or more, only that tile will do, and no unit is
    pushed. ``search`` must be a new number.
    """
    height, width = narrow.shape
    marks[SEEN, start] = search
    marks[PARENT, start] = -1
    marks[SPARE, start] = -FARTHEST if against else 0
    path[0] = start
    head = 0
    tail = 1
    goal = -1
    while head < tail and goal < 0:
        tile = path[head]
        head += 1
        for d in range(4):
            ny = tile // width + (d == 3) - (d == 0)
            nx = tile % width + (d == 2) - (d == 1)
            if not (0 <= ny < height and 0 <= nx < width) or not passable[ny, nx] & bit:
                continue
            new = ny * width + nx
            flags = marks[FLAGS, new] if marks[STAMP, new] == stamp else 0
            if marks[SEEN, new] == search or (not against and flags & (1 << (3 - d))):
                continue
            if to >= 0 and flags & BODY and narrow[ny, nx] & bit:
                continue
            marks[SEEN, new] = search
            marks[PARENT, new] = tile
            spare = marks[SPARE, tile]
            free = not flags & shun
            if narrow[ny, nx] & bit:
                if spare < -FARTHEST // 2:
                    paths = 0
                    for e in range(4):
                        ey = ny + (e == 3) - (e == 0)
                        ex = nx + (e == 2) - (e == 1)
                        paths += 0 <= ey < height and 0 <= ex < width and passable[ey, ex] & bit != 0
                    if paths > 2:
                        spare = 0
                spare += int(free) - int(flags & BODY != 0)
                free = free and spare > 0
            marks[SPARE, new] = spare
            if new == to or (to < 0 and free and not flags & BODY):
                goal = new
                break
            if tail >= len(path):
                return 0
            path[tail] = new
            tail += 1
    if goal < 0:
        return 0
    count = 0
    tile = goal
    while tile >= 0:
        path[count] = tile
        count += 1
        tile = marks[PARENT, tile]
    for k in range(count // 2):
        path[k], path[count - 1 - k] = path[count - 1 - k], path[k]
    return count
