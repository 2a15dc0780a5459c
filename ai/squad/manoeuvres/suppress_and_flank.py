"""Suppress and flank: one team fires, the other assaults from the side.

Sources: Game AI Pro 2, ch. 1, 1.5.1 and 31.5.4 (the plan of :mod:`ai.tactics.routes.fix_and_flank`); William van der
Sterren, AI Game Programming Wisdom, 5.4 (the life cycle). Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.squad.manoeuvres.bounding_overwatch import places_around
from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, SquadTask
from ai.tactics.routes.fix_and_flank import flank_plan

WAYPOINT = 5
"""Tiles of the flank path between two goals of a flanker."""
APART = 2.0
"""Tiles from a waypoint at which the flankers go on."""
CAP = 20_000
"""Revolutions of one flank path."""
TELL = 60
"""Least ticks from the base's first fire to the flankers' coming into view.

The enemy is warned by the base and can answer. Flankers that are far off go at once, because their run takes longer.
"""
A_TILE = 5
"""Ticks that a runner needs for a tile, at 4 tiles/s."""
IN_VIEW = 14.0
"""Tiles from an enemy at which flankers may come into its view."""


@dataclass(frozen=True)
class SuppressAndFlank:
    """Team 0 suppresses from the pin; team 1 walks the flank path and assaults.

    ``side`` is 1 for a flank on the right, -1 on the left, 0 on the better side.
    """

    name: str = "suppress_and_flank"
    after: tuple[str, ...] = ()
    side: int = 0

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: enough members, a known enemy, and strength."""
        ours, theirs = float(s.health[s.alive].sum()), max(1.0, float(len(s.threats)))
        strong = min(1.0, ours / theirs)
        return (
            ("there are three", float(s.alive.sum() >= 3)),
            ("an enemy is known", float(len(s.threats) > 0)),
            ("we are strong enough", strong),
            ("the enemy stands", 0.9 * (1.0 - s.closing)),
        )

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Plan pin and flank path; the members nearest to the pin suppress."""
        if s.alive.sum() < 2:
            return "a flank needs two"
        cx, cy = s.centre
        rows = s.rows
        near = int(rows[np.argmin(np.hypot(s.x[rows] - cx, s.y[rows] - cy))])
        start = int(s.y[near]), int(s.x[near])
        plan = flank_plan(s.tactical(), start, start, (task.x, task.y), s.reach, cap=CAP, side=self.side, via=s.bend)
        if plan is None and s.bend is not None:
            return "no flank path out of the approach leads through the bend"
        if plan is None:
            return "no flank path stays out of the approach"
        pin, path = plan.pin, plan.flank_path
        order = rows[np.lexsort((rows, np.hypot(s.x[rows] - pin[1] - 0.5, s.y[rows] - pin[0] - 0.5)))]
        task.team[order[(len(order) + 1) // 2 :]] = 1
        task.route = path[:, ::-1].astype(np.float64) + 0.5
        ends = [*range(WAYPOINT, len(path) - 1, WAYPOINT), len(path) - 1]
        task.spots = np.array([[pin[1] + 0.5, pin[0] + 0.5], *(path[k][::-1] + 0.5 for k in ends)], np.float64)
        base = rows[task.team[rows] == 0].tolist()
        places = places_around(s.terrain, pin, len(base), s.movement_class)
        for row, place in zip(base, places, strict=False):
            task.send(row, *place)
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Lead the flankers along the path, then let them assault."""
        rows = s.rows
        flank = rows[task.team[rows] == 1]
        if not len(flank):
            return True
        if task.phase == 0 and s.tick - task.since < waits(task, s):
            return False
        if task.phase == 0 or (task.phase < len(task.spots) and s.there(task, flank, APART).all()):
            task.begin_phase(task.phase + 1, s.tick)
            if task.phase < len(task.spots):
                x, y = task.spots[task.phase].tolist()
                places = places_around(s.terrain, (int(y), int(x)), len(flank), s.movement_class)
                for row, place in zip(flank.tolist(), places, strict=False):
                    task.send(row, *place)
            else:
                for row in flank.tolist():
                    task.send(row, task.x, task.y, MemberTask.ASSAULT)
            return False
        return bool(task.phase >= len(task.spots) and s.there(task, flank, APART).any())


def waits(task: SquadTask, s: Situation) -> int:
    """Return the ticks that flankers wait behind the base's first fire.

    Enemies are the known ones, and one at the place of the order.
    """
    rows = s.rows[task.team[s.rows] == 1]
    enemies = np.vstack([s.threats[:, :2], [[task.x, task.y]]])
    far = np.hypot(s.x[rows, None] - enemies[:, 0], s.y[rows, None] - enemies[:, 1]).min(initial=np.inf)
    return TELL - int(min(max(far - IN_VIEW, 0.0) * A_TILE, TELL))


FLANK = SuppressAndFlank()
FLANK_LEFT = SuppressAndFlank("flank_left", side=-1)
FLANK_RIGHT = SuppressAndFlank("flank_right", side=1)
