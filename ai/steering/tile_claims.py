"""Ways through ground where bodies do not pass each other, tile by tile: who wants to go where, and who is let.

The *stretch* of somebody is what he walks over from where he is to the first tile behind the next narrow ground on his
way, however many arms and crossings that has.  Two stretches *oppose* each other where one leads from a tile to
its neighbour and the other back.  Who may go on *claims* his stretch, all of it at once; who is in the way of a claim
finds a *refuge*: the nearest tile that nobody claims, without a step against a claim, and with room for all whom he
pushes ahead of him.  That is how railways do it; who pushes lends his right to whom he pushes, as in priority
inheritance (Okumura et al., "Priority inheritance with backtracking", 2019).

Tiles are y * width + x; directions are 0 up, 1 left, 2 right, 3 down.  ``marks`` int32[MARKS, H * W] is a scratch
table whose columns count only while their ``STAMP`` is the present one, so that nobody has to clear it.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import math

import numpy as np

from ai.kernels import device, kernel

OFF = 0.1
"""Tiles off the middle of its tile from which on a body stands on one side of it."""
LOOK = 6
"""Tiles of its way ahead in which somebody looks for narrow ground."""
STEP = 0.5
"""Tiles between two looks along a way."""
BEYOND = 2
"""Tiles behind the narrow ground that are kept free for who comes out."""
LONGEST = 96
"""Tiles of a stretch; a longer one is claimed bit by bit."""

SLOT, FIRST, COUNT, LEAD, LAST, LOOKS = 0, 1, 2, 3, 4, 5
"""Columns of a stretch: its slot (-1: a group's), its first tile in the list, how many, which of them is the first
narrow one and which the last whose step is claimed, and looks until the first narrow one.  A first narrow one of -1:
the body is on narrow ground, and its first tile is the one :func:`behind` it."""

MARKS = 6
STAMP, FLAGS, OWNER, SEEN, PARENT, SPARE = 0, 1, 2, 3, 4, 5
"""Rows of the marks: the evaluation that the next two are of; flags; id of the first who claimed the tile; the search
that came here, from where, and how many unclaimed tiles more than bodies it has passed."""
TAKEN, WANTED, PUSHED, BODY = 16, 32, 64, 128
"""Flags beside four bits for the steps out of a tile that are claimed: it is claimed; somebody wants over it; one
stands on it who can be pushed on; a body is on it."""

FARTHEST = 4096
"""Tiles that a search for a refuge looks at."""


@device
def step_to(tile: int, other: int, width: int) -> int:
    """The direction from a tile to its neighbour; -1 when it is none."""
    if other == tile - width:
        return 0
    if other == tile - 1 and tile % width > 0:
        return 1
    if other == tile + 1 and other % width > 0:
        return 2
    return 3 if other == tile + width else -1


@device
def behind(passable: np.ndarray, bit: int, x: float, y: float, onward: int) -> int:
    """The tile towards which a body is off the middle of its own, and so comes from, when it goes to tile ``onward``;
    -1 when it is in the middle or that is where it goes."""
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
    "int64(uint8[:,::1], uint8[:,::1], uint8[:,::1], int32[:,::1], int32[:,::1], float64[:,::1], uint8[::1],"
    " uint8[::1], uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], uint8[::1], int32[:,::1], int32[::1])",
)
def stretches_ahead(
    narrow: np.ndarray,
    near: np.ndarray,
    passable: np.ndarray,
    nodes: np.ndarray,
    ends: np.ndarray,
    aim: np.ndarray,
    alive: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    klass: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    way_x: np.ndarray,
    way_y: np.ndarray,
    next_x: np.ndarray,
    next_y: np.ndarray,
    has_next: np.ndarray,
    rows: np.ndarray,
    tiles: np.ndarray,
) -> int:
    """The stretches of all who are on their way: ``rows`` int32[n, 6] (columns :data:`SLOT` to :data:`LOOKS`) in the
    order of slots, and their ``tiles``; returns how many rows, or -1 when there is no room for the tiles.

    The way is two legs, to (way) and (next), and where these are the path store's (``nodes``, ``ends``, ``aim``:
    :class:`ai.paths.store.PathStore`) all that comes after.
    """
    height, width = narrow.shape
    found = 0
    end = 0
    for i in range(len(x)):
        bit = 1 << klass[i]
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
        bx, by = way_x[i], way_y[i]
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
                # A corner is gone round by a tile beside it.
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
                if aim[0, i] == way_x[i] and aim[1, i] == way_y[i] and aim[2, i] == bx and aim[3, i] == by:
                    node = ends[i, 0]
                    if node >= 0:
                        node = nodes[node, 1]
            else:
                if node >= 0:
                    node = nodes[node, 1]
                if node < 0:
                    break
                bx = nodes[node, 0] % width + 0.5
                by = nodes[node, 0] // width + 0.5
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


@device
def fresh(marks: np.ndarray, tile: int, stamp: int) -> None:
    """See that a tile's flags are those of this evaluation."""
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
    klass: np.ndarray,
    act: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    homes: np.ndarray,
    present: np.ndarray,
    marks: np.ndarray,
    meets: np.ndarray,
) -> None:
    """``meets`` uint8[count] becomes 1 for the stretches that one of their side opposes, or on which one of it stands
    who does not go on: idle, or told to let others pass (``act``, of the last tick).

    ``sides`` uint8[count] of the stretches; ``homes`` int64[n, 2]: side and tile of the places to which some want back
    who made room; ``present`` uint8[4]: which sides there are.  Takes ``stamp + 1`` to ``stamp + 4``.
    """
    width = narrow.shape[1]
    for s in range(4):
        if not present[s]:
            continue
        stamp += 1
        for i in range(len(x)):
            ty, tx = int(y[i]), int(x[i])
            if side[i] == s and alive[i] and (act[i] or (not moving[i] and narrow[ty, tx] & (1 << klass[i]))):
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
    """Flag the tiles with bodies of one side."""
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
    """Claim a stretch for ``unit`` unless a claim opposes it; with ``force`` 1 then too, with 2 it is only wanted.

    Returns -1 when nobody opposes it, else the id of who claimed that tile first.
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
    """The way to the nearest refuge from tile ``start``, in steps to the four sides: ``path`` gets the tiles from
    ``start`` on; returns how many, 0 when there is none.

    A refuge has no flag of ``shun`` and no body; on narrow ground the way there must have more tiles without such a
    flag than bodies to push on.  No step is against a claim, unless ``against``: who is let out so before others has
    his refuge in the open or behind a crossing, for they come after him.  With ``to`` at 0 or more that tile is the
    only one that will do, and nobody is pushed.  ``search`` has to be a new number.
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
                    ways = 0
                    for e in range(4):
                        ey = ny + (e == 3) - (e == 0)
                        ex = nx + (e == 2) - (e == 1)
                        ways += 0 <= ey < height and 0 <= ex < width and passable[ey, ex] & bit != 0
                    if ways > 2:
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
