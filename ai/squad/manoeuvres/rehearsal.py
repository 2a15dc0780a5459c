"""Rehearsal: play a manoeuvre ahead on paper, with the same stages as in earnest.

The life cycle of :mod:`ai.squad.manoeuvres.manoeuvre` runs on a copy of the task. Each member stands on its goal in the
next step; no enemy moves and nobody falls. Source of the idea that a plan is judged by its exposure: William van der
Sterren, AI Game Programming Wisdom, 5.4. Places are (x, y) in tiles, lengths in tiles, times in ticks.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ai.perception.sight.line_of_sight import lines_clear
from ai.search.astar.astar import FOUND, AStarSearch
from ai.squad.manoeuvres.manoeuvre import MARGIN, ManoeuvreStage, MemberTask, Situation, SquadTask, Table, advance

STEP_TICKS = 50
"""Ticks of one step: longer than the waits of a manoeuvre between two bounds."""
MOST_STEPS = 80
"""Steps after which a rehearsal stops."""
LEG_CAP = 20_000
"""Revolutions of the path of one leg."""


@dataclass(frozen=True)
class RehearsedLeg:
    """Run of one member in one step of a manoeuvre.

    ``path: float64[n, 2]`` leads from its place to its goal. ``exposed: bool[n]`` are the points that a known enemy
    sees. ``coverers`` are the rows that cover meanwhile. ``task`` is RUN or ASSAULT.
    """

    row: int
    step: int
    task: int
    path: NDArray[np.float64]
    exposed: NDArray[np.bool_]
    coverers: tuple[int, ...]

    @property
    def length(self) -> float:
        """Return the length of the path, tiles."""
        return float(np.hypot(*np.diff(self.path, axis=0).T).sum())

    @property
    def exposed_length(self) -> float:
        """Return the length of the path in view of known enemies, tiles."""
        parts = np.hypot(*np.diff(self.path, axis=0).T)
        return float(parts[self.exposed[1:]].sum())


@dataclass(frozen=True)
class Rehearsal:
    """Legs of all members in order of time, and the members' last places.

    ``why`` is the reason of an abort, "" if the manoeuvre went to its end.
    """

    task: SquadTask
    legs: tuple[RehearsedLeg, ...]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    why: str


def in_view(s: Situation, tiles: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which tiles (y, x) a known enemy sees from nearby: reach and margin."""
    seen = np.zeros(len(tiles), bool)
    for x, y in s.threats.tolist():
        eye = np.empty_like(tiles)
        eye[:] = int(y), int(x)
        near = np.hypot(tiles[:, 1] + 0.5 - x, tiles[:, 0] + 0.5 - y) <= s.reach + MARGIN
        seen |= near & lines_clear(s.terrain.opaque, eye, tiles).astype(bool)
    return seen


def rehearse(table: Table, task: SquadTask, s: Situation) -> Rehearsal:
    """Play a briefed manoeuvre to its end; neither task nor situation changes.

    The deadline does not count, because a step stands for no time.
    """
    task = copy.deepcopy(task)
    task.deadline = s.tick + STEP_TICKS * (MOST_STEPS + 1)
    search = AStarSearch(s.terrain.height, s.terrain.width)
    legs: list[RehearsedLeg] = []
    for step in range(MOST_STEPS):
        x, y = s.x.copy(), s.y.copy()
        moving = s.rows[task.task[s.rows] != MemberTask.COVER].tolist()
        coverers = tuple(s.rows[task.task[s.rows] == MemberTask.COVER].tolist())
        for row in moving:
            goal_x, goal_y = task.goal[row].tolist()
            if (goal_x, goal_y) == (x[row], y[row]):
                continue
            path = _path(search, s, (float(x[row]), float(y[row])), (goal_x, goal_y))
            seen = in_view(s, np.floor(path[:, ::-1]).astype(np.int32))
            legs.append(RehearsedLeg(row, step, int(task.task[row]), path, seen, coverers))
            x[row], y[row] = goal_x, goal_y
        if task.ended:
            break
        s = replace(s, tick=s.tick + STEP_TICKS, x=x, y=y)
        advance(table, task, s)
    why = task.why if task.stage == ManoeuvreStage.ABORTED else ""
    return Rehearsal(task, tuple(legs), s.x, s.y, why)


def _path(
    search: AStarSearch, s: Situation, start: tuple[float, float], goal: tuple[float, float]
) -> NDArray[np.float64]:
    """Return the points of the cheapest path between two places, or the straight line."""
    a, b = (int(start[1]), int(start[0])), (int(goal[1]), int(goal[0]))
    search.begin(s.terrain, s.movement_class, a, b, LEG_CAP)
    search.run(s.terrain, LEG_CAP)
    if search.status != FOUND:
        return np.array([start, goal])
    middle = search.path()[1:-1, ::-1].astype(np.float64) + 0.5
    return np.vstack([[start], middle, [goal]])
