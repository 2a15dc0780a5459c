"""Hold ground: the members take covered places about the goal and watch the threats.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (defend is one of the squad's manoeuvres). The choice
of places is ours: cover of the tile, a line to a known threat, nearness to the goal. Places are (x, y) in tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.manoeuvres.manoeuvre import Situation, SquadTask

RADIUS = 6.0
"""Tiles about the goal in which places are taken."""
SPACING = 1.4
"""Least tiles between two members."""
COVER_WORTH, SIGHT_WORTH, WALK_COST, STAY_WORTH = 1.0, 1.5, 0.2, 0.5
"""Worth of cover, line of fire and the member's own tile; cost of walking."""


def holding_places(s: Situation, goal: tuple[float, float], count: int) -> list[tuple[float, float]]:
    """Return up to ``count`` places to hold, best first, at least ``SPACING`` apart."""
    standing = s.tactical().standing if s.refused is None else s.tactical().standing & ~s.refused
    y0, x0 = max(0, int(goal[1] - RADIUS)), max(0, int(goal[0] - RADIUS))
    block = standing[y0 : int(goal[1] + RADIUS) + 1, x0 : int(goal[0] + RADIUS) + 1]
    tiles = (np.argwhere(block) + (y0, x0)).astype(np.int32)
    far = np.hypot(tiles[:, 1] + 0.5 - goal[0], tiles[:, 0] + 0.5 - goal[1])
    tiles, far = tiles[far <= RADIUS], far[far <= RADIUS]
    if not len(tiles):
        return []
    worth = COVER_WORTH * s.terrain.cover[tiles[:, 0], tiles[:, 1]] - WALK_COST * far
    worth = worth + SIGHT_WORTH * _fires_at_a_threat(s, tiles)
    # Members that run to slightly better places in a fight stand up in the open: their own tiles are worth more.
    own = np.zeros(s.terrain.passable.shape, bool)
    own[s.y[s.rows].astype(np.int64), s.x[s.rows].astype(np.int64)] = True
    worth += STAY_WORTH * s.near * own[tiles[:, 0], tiles[:, 1]]
    taken: list[tuple[float, float]] = []
    for k in np.lexsort((tiles[:, 1], tiles[:, 0], -np.round(worth, 9))).tolist():
        x, y = float(tiles[k, 1]) + 0.5, float(tiles[k, 0]) + 0.5
        if all(np.hypot(x - px, y - py) >= SPACING for px, py in taken):
            taken.append((x, y))
        if len(taken) == count:
            break
    return taken


def _fires_at_a_threat(s: Situation, tiles: NDArray[np.int32]) -> NDArray[np.bool_]:
    seen = np.zeros(len(tiles), bool)
    for x, y in s.threats.tolist():
        eye = np.empty_like(tiles)
        eye[:] = int(y), int(x)
        near = np.hypot(tiles[:, 1] + 0.5 - x, tiles[:, 0] + 0.5 - y) <= s.reach
        seen |= near & lines_clear(s.terrain.opaque, tiles, eye).astype(bool)
    return seen


def send_to_nearest(task: SquadTask, s: Situation, places: list[tuple[float, float]]) -> None:
    """Send the members to the places, with the least walk in all."""
    at = np.array(places, np.float64)
    walks = np.hypot(s.x[s.rows, None] - at[:, 0], s.y[s.rows, None] - at[:, 1])
    for k, place in zip(*linear_sum_assignment(walks), strict=True):
        task.send(int(s.rows[k]), *places[int(place)])


@dataclass(frozen=True)
class HoldGround:
    """Defence of a place from covered tiles."""

    name: str = "hold_ground"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: an equal enemy is known."""
        ours, theirs = float(s.health[s.alive].sum()), float(len(s.threats))
        equal = max(0.0, 1.0 - abs(ours - theirs) / max(ours, theirs, 1.0))
        return (("an enemy is known", float(theirs > 0)), ("we are about equal", 0.6 * equal))

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Choose a covered place for each member."""
        places = holding_places(s, (task.x, task.y), len(s.rows))
        if not places:
            return "there is no ground to hold"
        send_to_nearest(task, s, places)
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """End when all stand in their places; they stay there."""
        return True


HOLD_GROUND = HoldGround()
