"""Searches that answer only when somebody chooses them: JPS+, goal bounds, subgoal graphs, Theta*, the A* machine.

They serve ground of one cost and small maps that are looked at (exhibits): what they precompute is made anew after an
edit, at once.  The manager by itself never takes them.

Source: "Game AI Pro 2", ch. 14 to 16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.grid.terrain import Terrain
from ai.paths.machine_ways import MachineWays
from ai.paths.settings import Engine, PathSettings
from ai.paths.static_tables import AnswersAtOnce, NextHopWays
from ai.search.any_angle import ThetaStar
from ai.search.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.jump_tables import JumpTables
from ai.search.regions import Regions
from ai.search.subgoal import SubgoalSearch
from ai.search.uniform import UniformGround

BY_CHOICE = (
    Engine.JPS_PLUS, Engine.JPS_PLUS_GB, Engine.SUBGOAL, Engine.THETA, Engine.LAZY_THETA, Engine.REGIONS,
    Engine.MACHINE,
)  # fmt: skip

MOST_TILES = 1 << 14
"""Larger maps take resumable A* instead: goal bounds need a search from every tile."""


class ChosenSearch:
    """One chosen search of one movement class, true to one revision of the ground."""

    def __init__(
        self,
        terrain: Terrain,
        engine: str,
        movement_class: int,
        ground: UniformGround | None = None,
        tables: JumpTables | None = None,
        regions: Regions | None = None,
        before: ChosenSearch | None = None,
    ) -> None:
        """``ground`` and ``regions`` true to the terrain, ``tables`` that are ready for it spare making them.

        ``before``: the search of an earlier revision, whose next-hop table goes on.
        """
        self.revision = terrain.revision
        self.cut = False
        self.search: Any
        if engine == Engine.MACHINE:
            self.search = MachineWays(terrain, movement_class)
            return
        ground = UniformGround.build(terrain, movement_class) if ground is None else ground
        if engine in (Engine.JPS_PLUS, Engine.JPS_PLUS_GB):
            bounds = goal_bound_table(ground) if engine == Engine.JPS_PLUS_GB else None
            self.search = JPSPlus(ground, jump_tables(ground) if tables is None else tables.jumps, bounds)
        elif engine == Engine.REGIONS:
            hops = before.search.hops if before is not None and regions is not None else None
            regions = Regions.build(terrain, movement_class) if regions is None else regions
            self.search = NextHopWays(terrain, regions, ahead=False, hops=hops)
        elif engine == Engine.SUBGOAL:
            self.search = SubgoalSearch.over(ground, 2)
        else:
            self.search = ThetaStar(ground, lazy=engine == Engine.LAZY_THETA)

    def arrange(self, settings: PathSettings) -> None:
        """Take what the settings say of how it searches."""
        if isinstance(self.search, MachineWays):
            self.search.arrange(settings)

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """The way int32[n, 2] (y, x): tiles, or the corners of an any-angle path; None without one.

        None as well, with :attr:`cut`, when ``limit`` revolutions were not enough.
        """
        if isinstance(self.search, NextHopWays | MachineWays):
            found = self.search.find(start, goal, limit)
            self.cut = self.search.cut
            return found
        # A search stops when its log is full.  The subgoals' direct trial counts as a revolution before the first.
        log = np.zeros((max(limit - isinstance(self.search, SubgoalSearch), 1), 3), np.int64)
        if isinstance(self.search, JPSPlus):
            self.search.note(log)
        else:
            self.search.log = log
        path: np.ndarray | None = self.search.find(start, goal)
        self.cut = path is None and self.revolutions >= limit
        return path

    @property
    def revolutions(self) -> int:
        """What the last way cost."""
        return int(self.search.revolutions)


def serves(terrain: Terrain, engine: str, uniform: bool) -> bool:
    """Whether a chosen engine can answer on this ground."""
    any_ground = engine in (Engine.REGIONS, Engine.MACHINE)
    return engine in BY_CHOICE and (uniform or any_ground) and terrain.passable.size <= MOST_TILES


def answer(
    search: AnswersAtOnce, starts: np.ndarray, goals: np.ndarray, limit: int
) -> tuple[list[np.ndarray], np.ndarray, int]:
    """Ways for starts[i] -> goals[i] (empty: none) while ``limit`` revolutions last, revolutions of each, the sum."""
    paths: list[np.ndarray] = []
    revolutions = np.zeros(len(starts), np.int64)
    spent = 0
    for i, (start, goal) in enumerate(zip(starts.tolist(), goals.tolist(), strict=True)):
        if limit - spent < 2:
            break
        path = search.find((start[0], start[1]), (goal[0], goal[1]), limit - spent)
        spent += search.revolutions
        if search.cut:
            break
        revolutions[i] = search.revolutions
        paths.append(np.zeros((0, 2), np.int32) if path is None else path)
    return paths, revolutions, spent
