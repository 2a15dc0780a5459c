"""Single-file passages: narrow ground in which two bodies cannot pass each other.

A tile is *narrow* if it lies in no square of two by two open tiles. A *passage* is an ordered run of narrow tiles with
at most two open neighbours each. Its *mouths* are the open tiles before the first and after the last one. At a junction
of three corridors, one passage ends and others begin.

Tiles are (y, x), in tables y * width + x. One class bit stands for each movement class.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

LONGEST = 4096
"""Tiles of a passage that are traced to each side.

A longer passage counts as several.
"""

FIRST, COUNT, BEFORE, AFTER, NAME = 0, 1, 2, 3, 4
"""Columns of the passage table.

Row of the first tile in the pool, number of tiles, the tiles before and after (-1: none), name.
"""


def narrow_tiles(passable: np.ndarray) -> np.ndarray:
    """Return the class bits for which a tile is open but narrow.

    The result is uint8[H, W].

    ``passable`` uint8[H, W] is the class bitmask.
    """
    roomy = np.zeros_like(passable)
    square = passable[:-1, :-1] & passable[1:, :-1] & passable[:-1, 1:] & passable[1:, 1:]
    roomy[:-1, :-1] |= square
    roomy[1:, :-1] |= square
    roomy[:-1, 1:] |= square
    roomy[1:, 1:] |= square
    return passable & ~roomy


def spread(tiles: np.ndarray, reach: int) -> np.ndarray:
    """Spread the bits of ``tiles`` uint8[H, W] by ``reach`` rows and columns."""
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
    """A passage: its tiles in order, its two mouths and its name.

    ``tiles`` int32[n, 2] (y, x) starts at the end with the smaller number. ``mouths`` holds the open tile before the
    first and the one after the last tile, None at a dead end. ``name`` does not depend on the tile that was asked for
    first.
    """

    name: int
    tiles: np.ndarray
    mouths: tuple[tuple[int, int] | None, tuple[int, int] | None]


@dataclass
class PassageMap:
    """Map from tiles to passages, filled when a tile is first asked for.

    - ``at`` int32[classes, H * W]: 0 not asked yet, -1 in no passage, else 1 + the tile's row in ``pool``.
    - ``pool`` int32[n, 2]: tile (y * width + x) and row in ``table``, -1 for none.
    - ``table`` int32[n, 5]: columns :data:`FIRST` to :data:`NAME`.
    - ``used`` int64[2]: rows of both in use.

    Row numbers depend on the order of the questions; names do not.
    """

    at: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    pool: np.ndarray = field(default_factory=lambda: np.zeros((4 * LONGEST, 2), np.int32))
    table: np.ndarray = field(default_factory=lambda: np.zeros((64, 5), np.int32))
    used: np.ndarray = field(default_factory=lambda: np.zeros(2, np.int64))

    def forget(self, classes: int, tiles: int) -> None:
        """Clear the map after an edit, or for another level."""
        if self.at.shape == (classes, tiles):
            self.at[:, self.pool[: self.used[0], 0]] = 0
        else:
            self.at = np.zeros((classes, tiles), np.int32)  # zeros costs nothing until it is written to
        self.used[:] = 0

    def make_room(self) -> None:
        """Double the capacity of the tables."""
        self.pool = np.vstack([self.pool, np.zeros_like(self.pool)])
        self.table = np.vstack([self.table, np.zeros_like(self.table)])

    def find(self, narrow: np.ndarray, passable: np.ndarray, movement_class: int, y: int, x: int) -> Passage | None:
        """Return the passage of tile (y, x), or None.

        None at a junction of three corridors, on a ring and on an isolated tile.
        """
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
    """Return the ``k``-th open neighbour of a tile: up, left, right, down.

    Returns -1 if the tile has fewer.
    """
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
    """Reverse the tiles of rows ``first`` to ``last``."""
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
    """Trace the passage of a tile; return False if the tables are full."""
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
        # The first arm is traced, then reversed, and the tile itself follows it.
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
