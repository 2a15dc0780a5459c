"""Fall back: all members run at once to places that no known enemy sees.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (the naive retreat that the pullback by bounds is
compared with). Places are (x, y) in tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.manoeuvres.manoeuvre import ATTACKS, Situation, SquadTask

RADIUS = 14.0
"""Tiles around the middle of the squad in which cover is looked for."""


@dataclass(frozen=True)
class FallBack:
    """Run to hidden places, all at once."""

    name: str = "fall_back"
    after: tuple[str, ...] = ATTACKS

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: wounds and enemies; it suits one or two survivors."""
        few = 1.0 if s.alive.sum() <= 2 else 0.3
        hurt = 1.0 - float(s.health[s.alive].mean()) if s.alive.any() else 0.0
        return (("an enemy is known", float(len(s.threats) > 0)), ("few are left", few), ("we are hurt", hurt))

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Find a hidden tile for each member, the nearest to its place."""
        cx, cy = s.centre
        tiles = np.argwhere((s.terrain.passable >> s.movement_class & 1) != 0).astype(np.int32)
        tiles = tiles[np.hypot(tiles[:, 1] + 0.5 - cx, tiles[:, 0] + 0.5 - cy) <= RADIUS]
        hidden = np.ones(len(tiles), bool)
        for x, y in s.threats.tolist():
            eye = np.empty_like(tiles)
            eye[:] = int(y), int(x)
            hidden &= ~lines_clear(s.terrain.opaque, eye, tiles).astype(bool)
        tiles = tiles[hidden]
        if len(tiles) < len(s.rows):
            return "there is no cover near"
        free = np.ones(len(tiles), bool)
        for row in s.rows.tolist():
            far = np.hypot(tiles[:, 1] + 0.5 - s.x[row], tiles[:, 0] + 0.5 - s.y[row])
            k = int(np.argmin(np.where(free, far, np.inf)))
            free[k] = False
            task.send(row, float(tiles[k, 1]) + 0.5, float(tiles[k, 0]) + 0.5)
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """End at the places: the way there was all."""
        return True


FALL_BACK = FallBack()
