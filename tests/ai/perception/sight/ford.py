"""Albert Ford's symmetric shadowcasting as published, with fractions: the oracle of every sight kernel."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np


def visible_from(opaque: np.ndarray, y: int, x: int, radius: int) -> set[tuple[int, int]]:
    """Return the tiles (y, x) seen from a tile, within ``radius`` tiles."""
    height, width = opaque.shape
    seen = {(y, x)}

    def blocks(ty: int, tx: int) -> bool:
        return not (0 <= ty < height and 0 <= tx < width) or bool(opaque[ty, tx])

    for down, right, swapped in ((1, 1, False), (-1, 1, False), (1, 1, True), (1, -1, True)):

        def place(depth: int, col: int, down: int = down, right: int = right, swapped: bool = swapped) -> tuple:
            return (y + col, x + right * depth) if swapped else (y + down * depth, x + col)

        rows = [(1, Fraction(-1), Fraction(1))]
        while rows:
            depth, start, end = rows.pop()
            if depth > radius:
                continue
            previous = None
            for col in range(math.floor(depth * start + Fraction(1, 2)), math.ceil(depth * end - Fraction(1, 2)) + 1):
                tile = place(depth, col)
                wall = blocks(*tile)
                if (
                    (wall or depth * start <= col <= depth * end)
                    and 0 <= tile[0] < height
                    and 0 <= tile[1] < width
                    and depth * depth + col * col <= radius * radius
                ):
                    seen.add(tile)
                if previous is True and not wall:
                    start = Fraction(2 * col - 1, 2 * depth)
                if previous is False and wall:
                    rows.append((depth + 1, start, Fraction(2 * col - 1, 2 * depth)))
                previous = wall
            if previous is False:
                rows.append((depth + 1, start, end))
    return seen
