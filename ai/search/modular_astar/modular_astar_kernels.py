"""Kernels of the modular A*: one loop with storage, goal and modifier codes.

Storage holds the open nodes. It is a binary HEAP; a CHEAP list of the best fifteen, sorted, in front of an unsorted
rest; one SORTED list; or a FIFO queue, which suits floods. A node that gets cheaper is pushed again, and its old entry
is skipped. A goal is a TILE, NEVER (the closed list is the answer), or the nearest FLAGGED tile. A modifier changes the
cost of a tile or whether it is open. AVOID adds a field to the cost, ONLY opens tiles where the field is not zero,
STORM raises the cost of tiles inside a circle.

Sources: "AI Game Programming Wisdom", 3.2 (storage x goal x map, modifier goals), 3.4 (cheap list); "Game AI Pro 2",
16.2 (order of ties).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, device_with_arrays, kernel
from ai.grid.moves import DIAGONAL, MOVE_X, MOVE_Y, STRAIGHT

HEAP, CHEAP, SORTED, FIFO = range(4)
TILE, NEVER, FLAGGED = range(3)
UNCHANGED, AVOID, ONLY, STORM = range(4)
LARGER_G, SMALLER_G = range(2)

CHEAP_LENGTH = 15

CLEAR, OPEN, CLOSED = range(3)
RUNNING, FOUND, FAILED, NEED_ROOM = range(4)

# Rows of the state vector.
STORAGE, GOAL, MODIFIER, TIES, GOAL_TILE, LOWEST, REVOLUTIONS, ANSWER, REFILLS = range(9)
FIRST, LAST, CHEAP_COUNT, STRENGTH, CENTRE_Y, CENTRE_X, RADIUS, CLOSED_COUNT = range(9, 17)
STATE_LENGTH = 17


@device
def _before(f: int, g: int, other_f: int, other_g: int, ties: int) -> bool:
    """Return whether one entry comes before another."""
    if f != other_f:
        return f < other_f
    return g > other_g if ties == LARGER_G else g < other_g


@device
def _put(entries: np.ndarray, at: int, f: int, g: int, tile: int) -> None:
    entries[at, 0] = f
    entries[at, 1] = g
    entries[at, 2] = tile


@device_with_arrays
def _insert(entries: np.ndarray, state: np.ndarray, f: int, g: int, tile: int) -> None:
    """Push a node; the caller ensures room for one more."""
    ties = state[TIES]
    storage = state[STORAGE]
    if storage == FIFO:
        _put(entries, state[LAST], f, g, tile)
        state[LAST] += 1
    elif storage == HEAP:
        at = state[LAST]
        state[LAST] += 1
        while at > 0:
            above = (at - 1) >> 1
            if not _before(f, g, entries[above, 0], entries[above, 1], ties):
                break
            entries[at] = entries[above]
            at = above
        _put(entries, at, f, g, tile)
    elif storage == SORTED:
        # The best entry stands last.
        at = state[LAST]
        state[LAST] += 1
        while at > 0 and _before(entries[at - 1, 0], entries[at - 1, 1], f, g, ties):
            entries[at] = entries[at - 1]
            at -= 1
        _put(entries, at, f, g, tile)
    else:
        cheap = state[CHEAP_COUNT]
        rest_empty = state[LAST] == CHEAP_LENGTH
        better = cheap > 0 and _before(f, g, entries[cheap - 1, 0], entries[cheap - 1, 1], ties)
        # No entry of the rest may be better than any entry of the list.
        if not (better or (rest_empty and cheap < CHEAP_LENGTH)):
            _put(entries, state[LAST], f, g, tile)
            state[LAST] += 1
            return
        if cheap == CHEAP_LENGTH:
            entries[state[LAST]] = entries[cheap - 1]
            state[LAST] += 1
            cheap -= 1
        at = cheap
        while at > 0 and _before(f, g, entries[at - 1, 0], entries[at - 1, 1], ties):
            entries[at] = entries[at - 1]
            at -= 1
        _put(entries, at, f, g, tile)
        state[CHEAP_COUNT] = cheap + 1


@device_with_arrays
def _refill(entries: np.ndarray, state: np.ndarray) -> None:
    """Move the best of the unsorted rest to the empty cheap list.

    It takes one pass.
    """
    ties = state[TIES]
    cheap = 0
    kept = CHEAP_LENGTH
    for row in range(CHEAP_LENGTH, state[LAST]):
        f, g, tile = entries[row, 0], entries[row, 1], entries[row, 2]
        if cheap == CHEAP_LENGTH and not _before(f, g, entries[cheap - 1, 0], entries[cheap - 1, 1], ties):
            _put(entries, kept, f, g, tile)
            kept += 1
            continue
        if cheap == CHEAP_LENGTH:
            # The last entry of the list goes back to the rest. Rows up to this one have been read.
            entries[kept] = entries[cheap - 1]
            kept += 1
            cheap -= 1
        at = cheap
        while at > 0 and _before(f, g, entries[at - 1, 0], entries[at - 1, 1], ties):
            entries[at] = entries[at - 1]
            at -= 1
        _put(entries, at, f, g, tile)
        cheap += 1
    state[CHEAP_COUNT] = cheap
    state[LAST] = kept
    state[REFILLS] += 1


@device_with_arrays
def _remove(entries: np.ndarray, state: np.ndarray, out: np.ndarray) -> bool:
    """Move the next node to ``out`` (f, g, tile).

    Returns False when there is none.
    """
    storage = state[STORAGE]
    if storage == CHEAP:
        if state[CHEAP_COUNT] == 0:
            if state[LAST] == CHEAP_LENGTH:
                return False
            _refill(entries, state)
        out[:] = entries[0]
        for at in range(1, state[CHEAP_COUNT]):
            entries[at - 1] = entries[at]
        state[CHEAP_COUNT] -= 1
        return True
    if state[FIRST] == state[LAST]:
        return False
    if storage == FIFO:
        out[:] = entries[state[FIRST]]
        state[FIRST] += 1
        return True
    state[LAST] -= 1
    count = state[LAST]
    if storage == SORTED:
        out[:] = entries[count]
        return True
    out[:] = entries[0]
    f, g, tile = entries[count, 0], entries[count, 1], entries[count, 2]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and _before(
            entries[child + 1, 0], entries[child + 1, 1], entries[child, 0], entries[child, 1], state[TIES]
        ):
            child += 1
        if not _before(entries[child, 0], entries[child, 1], f, g, state[TIES]):
            break
        entries[at] = entries[child]
        at = child
    _put(entries, at, f, g, tile)
    return True


@device
def _price(ground: np.ndarray, field: np.ndarray, state: np.ndarray, y: int, x: int) -> int:
    """Return a tile's cost under the modifier, 0 when not open."""
    price = np.int64(ground[y, x])
    modifier = state[MODIFIER]
    if price == 0 or modifier == UNCHANGED:
        return price
    if modifier == AVOID:
        return price + np.int64(field[y, x]) * state[STRENGTH]
    if modifier == ONLY:
        return price if field[y, x] else 0
    dy, dx = y - state[CENTRE_Y], x - state[CENTRE_X]
    return price * state[STRENGTH] if dy * dy + dx * dx <= state[RADIUS] * state[RADIUS] else price


@device
def _estimate(state: np.ndarray, y: int, x: int, width: int) -> int:
    if state[GOAL] != TILE:
        return 0
    dy, dx = abs(y - state[GOAL_TILE] // width), abs(x - state[GOAL_TILE] % width)
    return (max(dy, dx) * STRAIGHT + min(dy, dx) * (DIAGONAL - STRAIGHT)) * 2 * state[LOWEST]


@kernel("int64(uint8[:,::1], uint8[:,::1], uint8[:,::1], int64[::1], int64[:,::1], uint8[::1], int64[::1], int32[::1],"
        " int32[::1], int64)", group="lab")  # fmt: skip
def run_modular_astar(
    ground: np.ndarray,
    field: np.ndarray,
    flagged: np.ndarray,
    state: np.ndarray,
    entries: np.ndarray,
    status: np.ndarray,
    g: np.ndarray,
    parent: np.ndarray,
    closed: np.ndarray,
    limit: int,
) -> int:
    """Continue until ``state[REVOLUTIONS]`` reaches ``limit``.

    Returns RUNNING, FOUND, FAILED or NEED_ROOM (in ``entries``). ``ground`` uint8[height, width] is any map: 0 is
    closed, else a cost in eighths. ``closed`` int32 lists tiles in the order they were expanded.
    """
    height, width = ground.shape
    popped = np.empty(3, np.int64)
    while True:
        # The queue of a flood does not reuse the space before its head.
        if state[LAST] + 9 > entries.shape[0]:
            return NEED_ROOM
        if state[REVOLUTIONS] >= limit:
            return RUNNING
        if not _remove(entries, state, popped):
            return FAILED
        here, tile = popped[1], popped[2]
        if status[tile] != OPEN or here != g[tile]:
            continue
        state[REVOLUTIONS] += 1
        status[tile] = CLOSED
        closed[state[CLOSED_COUNT]] = tile
        state[CLOSED_COUNT] += 1
        y, x = tile // width, tile % width
        if (state[GOAL] == TILE and tile == state[GOAL_TILE]) or (state[GOAL] == FLAGGED and flagged[y, x]):
            state[ANSWER] = tile
            return FOUND
        own = _price(ground, field, state, y, x)
        for k in range(8):
            ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
            if not (0 <= ny < height and 0 <= nx < width):
                continue
            there = _price(ground, field, state, ny, nx)
            if there == 0:
                continue
            if k >= 4 and (_price(ground, field, state, ny, x) == 0 or _price(ground, field, state, y, nx) == 0):
                continue
            other = ny * width + nx
            new = here + (own + there) * (STRAIGHT if k < 4 else DIAGONAL)
            # A queue keeps the first path to a tile, at any cost.
            if status[other] == CLOSED or (status[other] == OPEN and (new >= g[other] or state[STORAGE] == FIFO)):
                continue
            g[other] = new
            parent[other] = tile
            status[other] = OPEN
            _insert(entries, state, new + _estimate(state, ny, nx, width), new, other)
