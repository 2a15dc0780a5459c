"""Bounding overwatch: the members move by turns, and the others cover.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (pullback: the farthest member runs past all others to
the next halt spot, the next one follows after about two seconds of covering fire; halt spots lie just before a corner).
The advance by two teams is the usual infantry drill. Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import Terrain
from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.manoeuvres.manoeuvre import ATTACKS, MemberTask, Situation, SquadTask
from ai.squad.manoeuvres.pullback_path import UNDER_FIRE, PathWeights, pullback_path
from ai.tactics.unseen_paths import weighted_path

COVER_TICKS = 40
"""Ticks of covering fire before the next bound: two seconds in the source."""
SHORTEST, LONGEST = 3.0, 7.0
"""Tiles between two halt spots."""
BEHIND = 6
"""Path tiles behind that must lie in view of a halt spot."""


def halt_spots(terrain: Terrain, path: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the halt spots of a path, ``int32[m, 2]`` of (y, x).

    The last tile is one.
    A spot sees a part of the path just walked, and from there the next tile is hidden. Long stretches get extra spots.
    """
    path = np.ascontiguousarray(path, np.int32)
    corner = _corners(terrain, path)
    points = path.tolist()
    spots, last = [], 0
    for k in range(1, len(points) - 1):
        gone = math.dist(points[last], points[k])
        if gone >= LONGEST or (gone >= SHORTEST and corner[k]):
            spots.append(points[k])
            last = k
    return np.array([*spots, points[-1]], np.int32).reshape(-1, 2)


def _corners(terrain: Terrain, path: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which tiles of a path are corners before cover.

    Such a tile sees a tile behind that does not see the next one. All pairs go through one call: a call for each tile
    took two thirds of the time of a brief.
    """
    corner = np.zeros(len(path), bool)
    k, back = np.meshgrid(np.arange(1, max(1, len(path) - 1)), np.arange(1, BEHIND + 1), indexing="ij")
    k, back = k[k >= back], back[k >= back]
    if len(k):
        behind = path[k - back]
        sees, hidden = lines_clear(terrain.opaque, behind, path[k]), ~lines_clear(terrain.opaque, behind, path[k + 1])
        corner[k[sees & hidden]] = True
    return corner


def places_around(
    terrain: Terrain, tile: tuple[int, int], count: int, movement_class: int = 0
) -> list[tuple[float, float]]:
    """Return ``count`` middles of walkable tiles around a tile, nearest first; fewer without room."""
    y, x = tile
    near = [(dy, dx) for dy in range(-4, 5) for dx in range(-4, 5)]
    near.sort(key=lambda d: (d[0] * d[0] + d[1] * d[1], d))
    height, width = terrain.passable.shape
    found: list[tuple[float, float]] = []
    for dy, dx in near:
        ty, tx = y + dy, x + dx
        inside = 0 <= ty < height and 0 <= tx < width
        if inside and terrain.passable[ty, tx] >> movement_class & 1:
            ends = np.array([[y, x]], np.int32), np.array([[ty, tx]], np.int32)
            if lines_clear(terrain.opaque, *ends)[0]:
                found.append((tx + 0.5, ty + 0.5))
        if len(found) >= count:
            break
    return found


@dataclass(frozen=True)
class Bounds:
    """Bounds towards a goal by teams, or away from an enemy by single members."""

    name: str
    back: bool = False
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: strength, distance to go, nearness and approach of the enemy."""
        ours, theirs = float(s.health[s.alive].sum()), max(1.0, float(len(s.threats)))
        weak = min(1.0, max(0.0, theirs / max(ours, 0.1) - 0.8))
        far = min(1.0, math.dist(s.centre, goal) / 12.0) if s.alive.any() else 0.0
        if self.back:
            return (
                ("we are weaker", weak),
                ("an enemy is known", float(len(s.threats) > 0)),
                ("it does not close in", 1.0 - 0.7 * s.closing),
            )
        return (
            ("we are not weaker", 1.0 - weak),
            ("it is far", far),
            ("others can cover", 1.0 if s.alive.sum() >= 2 else 0.5),
            ("no enemy is near", 1.0 - s.near),
        )

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Lay the spots along the path to the goal; form two teams by nearness."""
        cx, cy = s.centre
        rows = s.rows[np.argsort(np.hypot(s.x[s.rows] - cx, s.y[s.rows] - cy), kind="stable")]
        first = int(rows[0])
        start, end = (int(s.y[first]), int(s.x[first])), (int(task.y), int(task.x))
        path = self._path(s, start, end)
        if isinstance(path, str):
            return path
        spots = halt_spots(s.terrain, path)
        task.spots = spots[:, ::-1].astype(np.float64) + 0.5
        task.route = path[:, ::-1].astype(np.float64) + 0.5
        # The half that is nearer to the goal is team 0 and goes first.
        order = s.rows[np.argsort(np.hypot(s.x[s.rows] - task.x, s.y[s.rows] - task.y), kind="stable")]
        task.team[order[len(order) // 2 :]] = 1
        task.leg[:] = -1
        return ""

    def _path(self, s: Situation, start: tuple[int, int], end: tuple[int, int]) -> NDArray[np.int32] | str:
        """Return the path, or why there is none."""
        if self.back:
            weights = PathWeights(cover=PathWeights.cover * s.doctrine.covered_way)
            found = pullback_path(s.terrain, s.movement_class, start, end, s.threats, s.reach, weights)
            if found is not None and found.exposed > UNDER_FIRE:
                return "the way back lies under fire"
            return "no path leads there" if found is None else found.tiles
        path = weighted_path(s.terrain, s.terrain.cost, s.movement_class, start, end)
        return "no path leads there" if path is None or not len(path) else path

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Let the next movers go when the last ones have arrived and covered."""
        moving = s.rows[task.task[s.rows] == MemberTask.RUN]
        arrived = s.there(task, moving)
        for row in moving[arrived].tolist():
            task.cover(row)
        if not arrived.all():
            return False
        if len(moving):
            task.begin_phase(task.phase + 1, s.tick)
            return bool((task.leg[s.rows] >= len(task.spots) - 1).all())
        if task.phase and s.tick - task.since < COVER_TICKS and len(s.rows) > 1:
            return False
        movers = self._movers(task, s)
        if not len(movers):
            return True
        front = int(task.leg[s.rows].max())
        last = len(task.spots) - 1
        leg = last if self.back and not s.doctrine.bounds else min(front + 1, last)
        spot = int(task.spots[leg, 1]), int(task.spots[leg, 0])
        around = places_around(s.terrain, spot, 2 * len(task.members), s.movement_class)
        held = {(float(x), float(y)) for x, y in task.goal[s.rows[task.leg[s.rows] == leg]].tolist()}
        free = [place for place in around if place not in held] or around
        for row, place in zip(movers.tolist(), free, strict=False):
            task.leg[row] = leg
            task.send(row, *place)
        return False

    def _movers(self, task: SquadTask, s: Situation) -> NDArray[np.int64]:
        """Return the rows that move next: the farthest member, or the team behind."""
        left = s.rows[task.leg[s.rows] < len(task.spots) - 1]
        if not len(left):
            return left
        if self.back and not s.doctrine.bounds:
            return left
        if self.back or len(s.rows) <= 2:
            behind = left[task.leg[left] == task.leg[left].min()]
            far = np.hypot(s.x[behind] - task.x, s.y[behind] - task.y)
            return behind[[int(np.lexsort((behind, -far))[0])]]
        mean = {t: float(task.leg[left[task.team[left] == t]].mean()) for t in np.unique(task.team[left]).tolist()}
        team = min(mean, key=lambda t: (mean[t], t))
        return left[task.team[left] == team]


BOUND_FORWARD = Bounds("bound_forward")
PULL_BACK = Bounds("pull_back", back=True, after=ATTACKS)

TECHNIQUES = (
    {
        "slug": "bounding-overwatch",
        "name": "Bounding overwatch with halt spots",
        "ids": ("AW-5.4-5", "AW-5.4-7"),
        "source": "AI Game Programming Wisdom, 5.4",
        "functions": ("Bounds.step", "halt_spots"),
        "test": "tests/ai/squad/manoeuvres/test_bounding_overwatch.py",
        "exhibit": "levels/exhibits/squads/pullback.toml",
        "overlay": "paths",
        "setting": "tactics.doctrine.bounds",
        "measure": "uncovered",
        "direction": "down",
        "claim": (
            "The pullback moves the farthest member first, two seconds apart; an advance moves one of two teams "
            "while the other covers. Halt spots have a least and a greatest distance."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
