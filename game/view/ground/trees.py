"""Positions of tree crowns: at most one a wood tile, slightly off its middle.

They are the same in each chunk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.view.ground.ground_art import tile_index

REACH = 2  # tiles that a crown and its shadow reach out at most


@dataclass(frozen=True)
class Crown:
    """Middle of a crown in tiles and the number of its picture.

    Larger numbers are larger crowns; they are drawn later.
    """

    x: float
    y: float
    variant: int


class Canopy:
    """Tree crowns of a map."""

    def __init__(self, wood: NDArray[np.bool_], seed: int = 0) -> None:
        self.wood, self.seed = wood, seed
        self.variants: int = next(r for r in tile_index()["sprite"] if r["name"] == "crowns")["variants"]

    def within(self, y0: int, x0: int, side: int) -> list[Crown]:
        """Return the crowns that may show in the square of tiles from (y0, x0).

        They stand in drawing order.
        """
        top, left = max(0, y0 - REACH), max(0, x0 - REACH)
        part = self.wood[top : max(0, y0 + side + REACH), left : max(0, x0 + side + REACH)]
        rows, columns = np.nonzero(part)
        if len(rows) == 0:
            return []
        y, x = rows.astype(np.uint32) + np.uint32(top), columns.astype(np.uint32) + np.uint32(left)
        n = [self._dice(y, x, i) for i in range(4)]
        keep = n[0] < 0.97
        size = (n[3] ** 1.2 * self.variants).astype(np.int64).clip(0, self.variants - 1)
        at_x = (x + 0.5 + (n[1] - 0.5) * 0.66)[keep]
        at_y = (y + 0.5 + (n[2] - 0.5) * 0.66)[keep]
        kind = size[keep]
        order = np.lexsort((at_x, at_y, kind))
        return [Crown(float(at_x[i]), float(at_y[i]), int(kind[i])) for i in order]

    def _dice(self, y: NDArray[np.uint32], x: NDArray[np.uint32], n: int) -> NDArray[np.float64]:
        h = (
            x * np.uint32(374761393)
            + y * np.uint32(668265263)
            + np.uint32((self.seed * 31 + n + 3) * 974711 & 0xFFFFFFFF)
        )
        h = (h ^ (h >> np.uint32(13))) * np.uint32(1274126177)
        h = (h ^ (h >> np.uint32(16))) * np.uint32(2246822519)
        return ((h ^ (h >> np.uint32(15))) & np.uint32(0xFFFFFF)).astype(np.float64) / 0x1000000
