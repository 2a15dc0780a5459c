"""Danger regions: units remember where they saw comrades hit or killed.

Source: Jeff Orkin, Game AI Pro 2, ch. 2, 2.2 (soldiers who saw comrades die in a place refuse to enter it for "some
period of time"). Regions are square cells of ``SIDE`` tiles; cells and times are ours. Each unit has its own memory:
only a witness of the hit keeps the region. Tiles are (y, x), times are ticks.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record

SIDE = 6
"""Tiles along one side of a region."""
AFTER_HIT, AFTER_DEATH = 160, 400
"""Ticks of a refusal: 8 s after a hit, 20 s after a death."""
DEAR = 30.0
"""Cost of a tile in a refused region, as a multiple.

A way round of 180 tiles is cheaper than one region."""
_ROW = 4096
"""Number of a region: its row times this, plus its column."""


def region_at(y: int, x: int) -> int:
    """Return the number of the region of a tile."""
    return y // SIDE * _ROW + x // SIDE


def region_box(region: int) -> tuple[int, int, int, int]:
    """Return a region's tiles as y0, x0, y1, x1, the ends excluded."""
    y, x = region // _ROW * SIDE, region % _ROW * SIDE
    return y, x, y + SIDE, x + SIDE


@record
class DangerRegions:
    """Refused regions by unit id: rows of region and tick of the end.

    ``version`` grows with each new or expired row, so that paths are looked at again.
    """

    until: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    version: int = 0

    def stamp(self, unit: int, region: int, tick: int, ticks: int) -> None:
        """Let a unit refuse a region for a time; a longer refusal stays."""
        rows = self.until.get(unit, [])
        old = next((end for one, end in rows if one == region), 0)
        if tick + ticks > old:
            kept = [row for row in rows if row[0] != region]
            self.until[unit] = sorted([*kept, (region, tick + ticks)])
            self.version += 1

    def forget(self, tick: int) -> None:
        """Drop the rows whose time is over."""
        for unit, rows in list(self.until.items()):
            kept = [row for row in rows if row[1] > tick]
            if len(kept) < len(rows):
                self.version += 1
                if kept:
                    self.until[unit] = kept
                else:
                    del self.until[unit]

    def of(self, unit: int) -> list[tuple[int, int]]:
        """Return the rows of one unit: region and tick of the end."""
        return self.until.get(unit, [])

    def tiles(self, unit: int, shape: tuple[int, int]) -> NDArray[np.bool_]:
        """Return the tiles ``bool[H, W]`` that a unit refuses."""
        out = np.zeros(shape, np.bool_)
        for region, _ in self.of(unit):
            y0, x0, y1, x1 = region_box(region)
            out[y0:y1, x0:x1] = True
        return out


def wary_cost(cost: NDArray[np.uint8], refused: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the tile costs in eighths with refused tiles made dear."""
    dear = np.minimum(cost * DEAR, 255.0).astype(np.uint8)
    return np.where(refused, dear, cost)


def enters(tiles: NDArray[np.int32], refused: NDArray[np.bool_]) -> bool:
    """Return whether a path ``int32[n, 2]`` enters refused ground.

    A path that begins in it may leave it.
    """
    inside = refused[tiles[:, 0], tiles[:, 1]]
    return bool((inside[1:] & ~inside[:-1]).any())


TECHNIQUES = (
    {
        "slug": "danger-regions",
        "name": "Danger-region memory",
        "ids": ("GP2-2.4",),
        "source": "Game AI Pro 2, ch. 2",
        "functions": ("DangerRegions.stamp", "enters"),
        "test": "tests/game/systems/tactics/test_danger_memory.py",
        "exhibit": "levels/exhibits/tactics/killing_ground.toml",
        "overlay": "danger_regions",
        "setting": "tactics.danger_memory",
        "measure": "fallen",
        "direction": "down",
        "claim": (
            "Off in the shipped game. Regions are squares of 6 tiles and cost thirty times as much, but stay open. "
            "Members of squads refuse when they run; assaults and retreats do not."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
