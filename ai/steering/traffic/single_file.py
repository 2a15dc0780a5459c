"""Passages in which one body fits and two do not pass: which tiles they are, and each as a file of tiles.

A tile is *narrow* when it lies in no square of two by two open tiles.  A *passage* is a run of narrow tiles with two
open neighbours each at most, in their order, between two *mouths*: the open tiles before its first and after its last.
Where three ways meet one passage ends and others begin.

Units: tiles (y, x), in tables y * width + x; a class bit for every movement class at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

LONGEST = 4096
"""Tiles of a passage that are followed to each side; a longer one counts as several."""

FIRST, COUNT, BEFORE, AFTER, NAME = 0, 1, 2, 3, 4
"""Columns of the table of passages: row in the pool of its first tile, tiles, the tiles before and after it (-1: none),
its name."""


def narrow_tiles(passable: np.ndarray) -> np.ndarray:
    """uint8[H, W]: the classes of the bitmask ``passable`` uint8[H, W] to which a tile is open but narrow."""
    roomy = np.zeros_like(passable)
    square = passable[:-1, :-1] & passable[1:, :-1] & passable[:-1, 1:] & passable[1:, 1:]
    roomy[:-1, :-1] |= square
    roomy[1:, :-1] |= square
    roomy[:-1, 1:] |= square
    roomy[1:, 1:] |= square
    return passable & ~roomy


def spread(tiles: np.ndarray, reach: int) -> np.ndarray:
    """Bits of ``tiles`` uint8[H, W] carried to all tiles at most ``reach`` rows and columns away."""
    rows = tiles.copy()
    for k in range(1, reach + 1):
        rows[k:] |= tiles[:-k]
        rows[:-k] |= tiles[k:]
    out = rows.copy()
    for k in range(1, reach + 1):
        out[:, k:] |= rows[:, :-k]
        out[:, :-k] |= rows[:, k:]
    return out


@dataclass(frozen=True)
class Passage:
    """``tiles`` int32[n, 2] (y, x) in their order, those with the smaller number first; ``mouths``: the open tile
    before the first and the one after the last, each None at a dead end; ``name``: the same whoever finds it."""

    name: int
    tiles: np.ndarray
    mouths: tuple[tuple[int, int] | None, tuple[int, int] | None]


@dataclass
class PassageMap:
    """Which passage each tile is in, found out tile by tile when somebody asks.

    ``at`` int32[classes, H * W]: 0 nobody has asked, -1 in none, else 1 + its row in ``pool``; ``pool`` int32[n, 2]:
    tile (y * width + x) and row in ``table`` int32[n, 5] (columns :data:`FIRST` to :data:`NAME`), -1 in none;
    ``used`` int64[2]: rows of both that are in use.  Rows are numbered as they were asked for: names are not.
    """

    at: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    pool: np.ndarray = field(default_factory=lambda: np.zeros((4 * LONGEST, 2), np.int32))
    table: np.ndarray = field(default_factory=lambda: np.zeros((64, 5), np.int32))
    used: np.ndarray = field(default_factory=lambda: np.zeros(2, np.int64))

    def forget(self, classes: int, tiles: int) -> None:
        """After an edit, or for another map: nothing is known."""
        if self.at.shape == (classes, tiles):
            self.at[:, self.pool[: self.used[0], 0]] = 0
        else:
            self.at = np.zeros((classes, tiles), np.int32)  # the system gives the memory where it is written to
        self.used[:] = 0

    def make_room(self) -> None:
        """As much again, when it is full."""
        self.pool = np.vstack([self.pool, np.zeros_like(self.pool)])
        self.table = np.vstack([self.table, np.zeros_like(self.table)])

    def find(self, narrow: np.ndarray, passable: np.ndarray, movement_class: int, y: int, x: int) -> Passage | None:
        """The passage of tile (y, x), None where three ways meet, on a ring, and on a tile that stands alone."""
        width = passable.shape[1]
        tile = y * width + x
        if self.at[movement_class, tile] == 0:
            while not trace(narrow, passable, movement_class, tile, self.at, self.pool, self.table, self.used):
                self.make_room()
        row = int(self.pool[self.at[movement_class, tile] - 1, 1]) if self.at[movement_class, tile] > 0 else -1
        if row < 0:
            return None
        first, count, before, after, name = self.table[row].tolist()
        ty, tx = np.divmod(self.pool[first : first + count, 0], width)
        mouths = tuple(divmod(mouth, width) if mouth >= 0 else None for mouth in (before, after))
        return Passage(name, np.column_stack([ty, tx]).astype(np.int32), (mouths[0], mouths[1]))


def open_beside(passable: np.ndarray, bit: int, tile: int, k: int) -> int:
    """The ``k``-th open neighbour of a tile, of those above, left, right and below in this order; -1: it has fewer."""
    height, width = passable.shape
    y, x = tile // width, tile % width
    if y > 0 and passable[y - 1, x] & bit:
        if k == 0:
            return tile - width
        k -= 1
    if x > 0 and passable[y, x - 1] & bit:
        if k == 0:
            return tile - 1
        k -= 1
    if x < width - 1 and passable[y, x + 1] & bit:
        if k == 0:
            return tile + 1
        k -= 1
    if y < height - 1 and passable[y + 1, x] & bit and k == 0:
        return tile + width
    return -1


def turn_round(pool: np.ndarray, first: int, last: int) -> None:
    """The tiles of rows ``first`` to ``last`` the other way round."""
    while first < last:
        pool[first, 0], pool[last, 0] = pool[last, 0], pool[first, 0]
        first += 1
        last -= 1


def trace(
    narrow: np.ndarray,
    passable: np.ndarray,
    movement_class: int,
    tile: int,
    at: np.ndarray,
    pool: np.ndarray,
    table: np.ndarray,
    used: np.ndarray,
) -> bool:
    """Find the passage of a tile that nobody has asked for yet; False when there is no room to note it."""
    bit = 1 << movement_class
    width = passable.shape[1]
    start = used[0]
    if start + 2 * LONGEST + 3 > len(pool) or used[1] >= len(table):
        return False
    beside = 0
    while beside < 4 and open_beside(passable, bit, tile, beside) >= 0:
        beside += 1
    pool[start, 0] = tile
    pool[start, 1] = -1
    used[0] = start + 1
    at[movement_class, tile] = -1
    if not narrow[tile // width, tile % width] & bit or beside < 1 or beside > 2:
        return True
    end = start
    before = after = -1
    for arm in range(2):
        # The first arm is followed, turned round, and has the tile itself behind it.
        if arm == 1:
            turn_round(pool, start, end - 1)
            pool[end, 0] = tile
            end += 1
            if beside == 1:
                break
        back, here, mouth, steps = tile, open_beside(passable, bit, tile, arm), -1, 0
        while steps < LONGEST:
            if not narrow[here // width, here % width] & bit or open_beside(passable, bit, here, 2) >= 0:
                mouth = here
                break
            if here == tile:
                pool[start, 0] = tile
                return True  # a ring
            pool[end, 0] = here
            end += 1
            steps += 1
            onward = open_beside(passable, bit, here, 0)
            if onward == back:
                onward = open_beside(passable, bit, here, 1)
            if onward < 0:
                break
            back, here = here, onward
        if arm == 0:
            before = mouth
        else:
            after = mouth
    count = end - start
    low, high = (pool[start, 0], pool[end - 1, 0]) if count > 1 else (before, after)
    if low > high:
        turn_round(pool, start, end - 1)
        before, after = after, before
    row = used[1]
    name = pool[start, 0]
    for k in range(start, end):
        name = min(name, pool[k, 0])
        pool[k, 1] = row
        at[movement_class, pool[k, 0]] = k + 1
    table[row, FIRST] = start
    table[row, COUNT] = count
    table[row, BEFORE] = before
    table[row, AFTER] = after
    table[row, NAME] = name
    used[0] = end
    used[1] = row + 1
    return True
