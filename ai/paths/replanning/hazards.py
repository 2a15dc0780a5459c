"""Remembered hazards: where one of a side came to harm, its comrades do not walk if they can go round.

What one has learnt his whole side knows at once, without a shout or a glance: a table of places with the tick of the
last harm; it fades after a time.  Nothing is closed: ground near a remembered place is dear, so that a unit with no
other way dares it.  Ways that lead over such ground are patched by the local search, one a tick; who is led back to its
path is led round them as well.

Source: "Lydia vs. the Gate: Will she ever learn?" (2011): to remember the trigger is enough to show learning.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from ai.core.serialization import record

DEAR = 8.0
"""How many times more ground costs that is known to be dangerous."""

REACH = 1
"""Tiles round the place of the harm that count as dangerous."""

MOST = 64
"""Places that a side remembers; the oldest are forgotten first."""


@record
class HazardMemory:
    """What each side knows: side -> rows (y, x, kind, tick of the last harm), oldest first."""

    known: dict[int, list[tuple[int, int, int, int]]] = field(default_factory=dict)

    def learn(self, side: int, y: int, x: int, tick: int, kind: int = 0) -> None:
        """One of ``side`` came to harm on tile (y, x)."""
        if not (math.isfinite(y) and math.isfinite(x)):
            raise ValueError(f"a hazard is a tile (y, x) of 2 whole numbers, got ({y}, {x})")
        rows = [row for row in self.known.get(side, []) if row[:2] != (y, x)]
        rows.append((int(y), int(x), int(kind), int(tick)))
        self.known[side] = rows[-MOST:]

    def fade(self, tick: int, ticks: int) -> None:
        """Forget what is older than ``ticks``."""
        for side, rows in list(self.known.items()):
            kept = [row for row in rows if tick - row[3] <= ticks]
            if kept:
                self.known[side] = kept
            else:
                del self.known[side]


def known_tiles(memory: HazardMemory, side: int) -> np.ndarray:
    """Tiles int64[n, 2] (y, x) that a side holds to be dangerous, each once; they may lie outside the map."""
    if side not in memory.known:
        return np.zeros((0, 2), np.int64)
    places = np.array([row[:2] for row in memory.known[side]], np.int64).reshape(-1, 2)
    span = np.arange(-REACH, REACH + 1)
    around = np.stack(np.meshgrid(span, span, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.unique((places[:, None] + around).reshape(-1, 2), axis=0)


TECHNIQUES = (
    {
        "slug": "remembered-hazards",
        "name": "Remembered hazards",
        "ids": ("IA.26",),
        "source": "Lydia vs. the Gate: Will she ever learn?",
        "functions": ("HazardMemory.learn", "HazardMemory.fade"),
        "test": "tests/ai/paths/replanning/test_local_replanning.py",
        "exhibit": "levels/exhibits/paths/covered_gate.toml",
        "overlay": "troubles",
        "setting": "paths.hazards",
        "measure": "statistic",
        "direction": "up",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
