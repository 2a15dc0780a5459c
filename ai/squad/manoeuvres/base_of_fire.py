"""Base of fire: members fire from places with a line to the enemy.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (suppression is what the static members of a manoeuvre
do; here it is a manoeuvre of its own). Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.squad.manoeuvres.hold_ground import SPACING
from ai.squad.manoeuvres.manoeuvre import Situation, SquadTask
from ai.tactics.fire.line_of_fire import crosses
from ai.tactics.routes.fix_and_flank import tiles_in_sight

COVER_WORTH = 1.5
"""Tiles that a member walks farther for a step of cover."""
BODY = 0.5
"""Tiles from a line of fire within which a comrade blocks it."""
FIRE_TICKS = 200
"""Ticks of fire after which the manoeuvre is done."""


@dataclass(frozen=True)
class BaseOfFire:
    """Fire of all members on one place within their reach."""

    name: str = "suppress"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: an enemy is near, and whether it closes in."""
        return (("an enemy is near", s.near), ("it closes in", 0.5 + 0.5 * s.closing))

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Keep members with a line to the target; send the others to one."""
        tiles = tiles_in_sight(s.tactical(), (task.x, task.y), s.reach)
        if not len(tiles):
            return "no place in reach has a line to it"
        here = {(int(y), int(x)) for y, x in tiles}
        taken: list[tuple[float, float]] = []
        left = []
        far = np.hypot(s.x[s.rows] - task.x, s.y[s.rows] - task.y)
        for row in s.rows[np.lexsort((s.rows, far))].tolist():
            at = float(s.x[row]), float(s.y[row])
            if (int(at[1]), int(at[0])) in here and _has_own_line(at, (task.x, task.y), taken):
                taken.append(at)
                task.cover(row)
            else:
                left.append(row)
        for row in left:
            walk = np.hypot(tiles[:, 1] + 0.5 - s.x[row], tiles[:, 0] + 0.5 - s.y[row])
            worth = COVER_WORTH * s.terrain.cover[tiles[:, 0], tiles[:, 1]] - walk
            for k in np.lexsort((tiles[:, 1], tiles[:, 0], -np.round(worth, 9))).tolist():
                x, y = float(tiles[k, 1]) + 0.5, float(tiles[k, 0]) + 0.5
                apart = all(np.hypot(x - px, y - py) >= SPACING for px, py in taken)
                if apart and _has_own_line((x, y), (task.x, task.y), taken):
                    taken.append((x, y))
                    task.send(row, x, y)
                    break
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """End after the time, or when no enemy is known any more."""
        return s.tick - task.since >= FIRE_TICKS or not len(s.threats)


def _has_own_line(at: tuple[float, float], target: tuple[float, float], taken: list[tuple[float, float]]) -> bool:
    """Return whether a place and the taken ones leave each other's lines free."""
    behind = crosses(at, target, np.array(taken).reshape(-1, 2), BODY).any()
    return not behind and not any(crosses(place, target, np.array([at]), BODY).any() for place in taken)


BASE_OF_FIRE = BaseOfFire()
