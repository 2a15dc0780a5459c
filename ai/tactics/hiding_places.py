"""Hiding places around a last known position: the pool of a search.

Source: Rich Welsh, Game AI Pro 2, ch. 27, 27.4.2.1 (a pool of hidden spots shared by the group; cover first, then any
hidden walkable place; no two close together). The distances and the order are our choice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.perception.sight.line_of_sight import lines_clear


def hidden_spots(
    opaque: NDArray[np.uint8],
    cover: NDArray[np.uint8],
    reachable: NDArray[np.bool_],
    x: float,
    y: float,
    radius: float,
    wanted: int,
    apart: float = 2.5,
    without: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return up to ``wanted`` places ``float64[n, 2]`` that are hidden from (x, y).

    A row is (x, y), within ``radius`` tiles. ``reachable: bool[H, W]`` are the tiles a searcher can stand on. Tiles
    with cover of 2 or more come first, in view or not, because a unit hides inside them. Then come tiles beside a wall,
    then any; within each group the nearest first. None is within ``apart`` tiles of another or of ``without``.
    """
    height, width = opaque.shape
    y0, x0 = max(0, int(y - radius)), max(0, int(x - radius))
    y1, x1 = min(height, int(y + radius) + 1), min(width, int(x + radius) + 1)
    if y0 >= y1 or x0 >= x1 or wanted <= 0:
        return np.zeros((0, 2))
    rows, columns = np.nonzero(reachable[y0:y1, x0:x1])
    rows, columns = rows + y0, columns + x0
    far = np.hypot(columns + 0.5 - x, rows + 0.5 - y)
    near = far <= radius
    rows, columns, far = rows[near], columns[near], far[near]
    if not len(rows):
        return np.zeros((0, 2))
    eye = np.array([min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)], np.int32)
    ends = np.column_stack([rows, columns]).astype(np.int32)
    seen = lines_clear(opaque, np.broadcast_to(eye, ends.shape).copy(), ends).astype(np.bool_)
    covered = cover[rows, columns] >= 2
    padded = np.pad(opaque, 1, constant_values=1)
    beside = sum(padded[rows + dy, columns + dx] != 0 for dy, dx in ((0, 1), (2, 1), (1, 0), (1, 2))) > 0
    usable = (~seen | covered) & (far > 1.0)
    rank = np.where(covered, 0, np.where(beside, 1, 2))
    order = np.lexsort((columns, rows, far, rank))
    order = order[usable[order]]
    taken = np.zeros((0, 2)) if without is None else np.asarray(without, np.float64).reshape(-1, 2)
    found: list[tuple[float, float]] = []
    for k in order.tolist():
        px, py = columns[k] + 0.5, rows[k] + 0.5
        if len(taken) and ((taken[:, 0] - px) ** 2 + (taken[:, 1] - py) ** 2).min() < apart * apart:
            continue
        found.append((px, py))
        taken = np.vstack([taken, (px, py)])
        if len(found) >= wanted:
            break
    return np.array(found, np.float64).reshape(-1, 2)
