"""Hazards: units avoid tiles where a unit of their side was harmed.

The whole side knows a hazard immediately: a table of tiles with the tick of the last harm, which fades. Nothing is
closed. Ground near a hazard is expensive, so a unit without another path still crosses it. The local search patches
paths over such ground, one per tick. A unit led back to its path also avoids hazards.

Source: ``Lydia vs. the Gate: Will she ever learn?`` (2011): remembering the trigger is enough to show learning.
"""

from __future__ import annotations

import math
from dataclasses import field
from functools import lru_cache

import numpy as np

from ai.core.serialization import record

DEAR = 8.0
"""Cost of dangerous ground, as a multiple."""

REACH = 1
"""Tiles around the harm that count as dangerous."""

MOST = 64
"""Hazards that a side remembers; the oldest are forgotten first."""


@record
class HazardMemory:
    """Hazards known to each side, oldest first.

    Rows are (y, x, kind, tick of the last harm).
    """

    known: dict[int, list[tuple[int, int, int, int]]] = field(default_factory=dict)

    def learn(self, side: int, y: int, x: int, tick: int, kind: int = 0) -> None:
        """Record that a unit of ``side`` was harmed on tile (y, x)."""
        if not (math.isfinite(y) and math.isfinite(x)):
            raise ValueError(f"a hazard must be a tile (y, x) of 2 whole numbers, got ({y}, {x})")
        rows = [row for row in self.known.get(side, []) if row[:2] != (y, x)]
        rows.append((int(y), int(x), int(kind), int(tick)))
        self.known[side] = rows[-MOST:]

    def fade(self, tick: int, ticks: int) -> None:
        """Forget hazards older than ``ticks``."""
        for side, rows in list(self.known.items()):
            kept = [row for row in rows if tick - row[3] <= ticks]
            if kept:
                self.known[side] = kept
            else:
                del self.known[side]


def known_tiles(memory: HazardMemory, side: int) -> np.ndarray:
    """Return the tiles ``int64[n, 2]`` (y, x) dangerous to a side, each once and read-only.

    They may lie outside the map.
    """
    return _tiles_around(tuple((row[0], row[1]) for row in memory.known.get(side, ())))


@lru_cache(maxsize=64)
def _tiles_around(harmed: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Return the tiles within ``REACH`` of some harms (y, x).

    Units ask in each tick, and the answer changes only with a harm.
    """
    if not harmed:
        return np.zeros((0, 2), np.int64)
    places = np.array(harmed, np.int64).reshape(-1, 2)
    span = np.arange(-REACH, REACH + 1)
    around = np.stack(np.meshgrid(span, span, indexing="ij"), axis=-1).reshape(-1, 2)
    tiles = np.unique((places[:, None] + around).reshape(-1, 2), axis=0)
    tiles.setflags(write=False)
    return tiles


TECHNIQUES = (
    {
        "slug": "remembered-hazards",
        "name": "Remembered hazards",
        "ids": ("IA.26",),
        "source": "Lydia vs. the Gate: Will she ever learn?",
        "functions": ("HazardMemory.learn", "HazardMemory.fade"),
        "test": "tests/ai/paths/replanning/test_hazards.py",
        "exhibit": "levels/exhibits/paths/covered_gate.toml",
        "overlay": "troubles",
        "setting": "paths.hazards",
        "measure": "statistic",
        "direction": "up",
        "claim": (
            "The whole side knows a hazard at once, without a shout. The place of a hit counts, not the firing line. "
            "No tile is closed, so a unit may dare it."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
