"""Passages in which one body fits and two do not pass: which tiles they are, and each as a file of tiles.

A tile is *narrow* when it lies in no square of two by two open tiles.  A *passage* is a run of narrow tiles with two
open neighbours each at most, in their order, between two *mouths*: the open tiles before its first and after its last.
Where three ways meet one passage ends and others begin.

Units: tiles (y, x); a class bit for every movement class at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LONGEST = 4096
"""Tiles of a passage that are followed; a longer one counts as several."""


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


def passage_at(narrow: np.ndarray, passable: np.ndarray, klass: int, y: int, x: int) -> Passage | None:
    """The passage of narrow tile (y, x), None where three ways meet, on a ring, and on a tile that stands alone."""
    bit = 1 << klass
    open_beside = _beside(passable, bit, y, x)
    if not narrow[y, x] & bit or not 1 <= len(open_beside) <= 2:
        return None
    arms: list[list[tuple[int, int]]] = []
    mouths: list[tuple[int, int] | None] = []
    for first in open_beside:
        arm: list[tuple[int, int]] = []
        before, at, mouth = (y, x), first, None
        while len(arm) < LONGEST:
            beside = _beside(passable, bit, *at)
            if not narrow[at] & bit or len(beside) > 2:
                mouth = at
                break
            if at == (y, x):
                return None  # a ring
            arm.append(at)
            onward = [tile for tile in beside if tile != before]
            if not onward:
                break
            before, at = at, onward[0]
        arms.append(arm)
        mouths.append(mouth)
    if len(arms) == 1:
        arms.append([])
        mouths.append(None)
    tiles, ends = [*reversed(arms[0]), (y, x), *arms[1]], (mouths[0], mouths[1])
    width = passable.shape[1]
    # A single tile is turned by its mouths.
    low, high = (tiles[0], tiles[-1]) if len(tiles) > 1 else (ends[0] or (-1, -1), ends[1] or (-1, -1))
    if low > high:
        tiles, ends = tiles[::-1], ends[::-1]
    return Passage(min(ty * width + tx for ty, tx in tiles), np.array(tiles, np.int32), ends)


def _beside(passable: np.ndarray, bit: int, y: int, x: int) -> list[tuple[int, int]]:
    height, width = passable.shape
    steps: Sequence[tuple[int, int]] = ((y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x))
    return [(ty, tx) for ty, tx in steps if 0 <= ty < height and 0 <= tx < width and passable[ty, tx] & bit]
