"""Parade ground: walks members straight to their goals, for tests of manoeuvres."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ai.grid.terrain import Terrain
from ai.squad.houses.decision_support import House
from ai.squad.manoeuvres.doctrine import Doctrine
from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, SquadTask, advance, begin
from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from game.minds.squad.squad_scripts import squad_scripts

STEP = 0.2


def terrain_of(*rows: str) -> Terrain:
    """Return a terrain from rows of text: # is a wall."""
    wall = np.array([[c == "#" for c in row] for row in rows])
    passable, cost = np.where(wall, 0, 255).astype(np.uint8), np.full(wall.shape, 8, np.uint8)
    return Terrain.build(passable, cost, wall.astype(np.uint8))


class Parade:
    """Squad on a terrain, with one manoeuvre."""

    def __init__(self, terrain: Terrain, at: list[tuple[float, float]], threats: list[tuple[float, float]]) -> None:
        self.terrain, self.tick = terrain, 0
        self.x, self.y = (np.array([p[k] for p in at], float) for k in (0, 1))
        self.alive = np.ones(len(at), bool)
        self.threats = np.array(threats, float).reshape(-1, 2)
        self.room: np.ndarray | None = None
        self.door: tuple[int, int] | None = None
        self.exits: tuple[tuple[int, int], ...] = ()
        self.house: House | None = None
        self.doctrine = Doctrine()

    def situation(self, bend: tuple[float, float] | None = None) -> Situation:
        """Return what the squad knows now; a flank leads through ``bend``."""
        return Situation(
            self.tick, self.terrain, self.x.copy(), self.y.copy(), self.alive.copy(), np.ones(len(self.x)),
            self.threats, room=self.room, door=self.door, doctrine=self.doctrine, scripts=squad_scripts(), bend=bend,
            exits=self.exits, house=self.house,
        )  # fmt: skip

    def run(
        self, kind: str, goal: tuple[float, float], watch: Callable[[SquadTask], None], limit: int = 3000
    ) -> SquadTask:
        """Run a manoeuvre to its end; ``watch`` sees every tick after the orders."""
        task = begin(kind, range(len(self.x)), goal, self.tick, limit)
        while not task.ended:
            advance(MANOEUVRES, task, self.situation())
            watch(task)
            going = self.alive & (task.task != MemberTask.COVER)
            dx, dy = task.goal[:, 0] - self.x, task.goal[:, 1] - self.y
            far = np.maximum(np.hypot(dx, dy), 1e-9)
            share = np.where(going, np.minimum(1.0, STEP / far), 0.0)
            self.x, self.y = self.x + dx * share, self.y + dy * share
            self.tick += 1
            assert self.tick <= limit + 2
        return task
