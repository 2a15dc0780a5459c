"""Forced engines: JPS+, subgoal graphs, Theta*, next hops and modular A*.

They answer only if a setting forces them; auto never selects them. They serve ground of one cost and small maps, for
exhibits. Their tables are built and repaired in slices, charged to the tick's budget. Until the tables are ready, jump
point search answers, or A* where costs differ.

Goal bounds can be forced too, but only a level marked static has them (:mod:`ai.paths.engines.static_tables`), and only
until its first edit.

Source: "Game AI Pro 2", ch. 14 to 16 and 31.3; 1.5 (dynamic maps).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np

from ai.core.serialization import derived, record
from ai.grid.terrain import Terrain
from ai.paths.engines.machine_engine import MachineEngine
from ai.paths.engines.static_tables import AnswersAtOnce, NextHopPaths
from ai.paths.settings import Engine, PathSettings
from ai.search.any_angle.any_angle import ThetaStar
from ai.search.jps.jps import UniformGround
from ai.search.jps.jps_plus import JPSPlus
from ai.search.jps.jump_tables import JumpTables
from ai.search.regions.next_hop import MOST_REGIONS, NextHops
from ai.search.regions.region_graph import Regions
from ai.search.subgoals.subgoal_search import SubgoalGraph, SubgoalSearch

FORCED_ENGINES = (
    Engine.JPS_PLUS, Engine.JPS_PLUS_GB, Engine.SUBGOAL, Engine.THETA, Engine.LAZY_THETA, Engine.REGIONS,
    Engine.MACHINE,
)  # fmt: skip

MOST_TILES = 1 << 14
"""Map size in tiles above which resumable A* answers instead."""

LEVELS = 2
"""Levels of a forced subgoal graph."""

Grounds = Callable[[int], UniformGround]
"""Returns the ground of a movement class, up to date with the terrain."""


class ForcedSearch:
    """One forced search of one movement class."""

    def __init__(self, search: Any, made_for: int = 0) -> None:
        """``made_for`` is the version of its tables; another version needs a new search."""
        self.search, self.made_for, self.cut = search, made_for, False
        self.spent: int | None = None

    def arrange(self, settings: PathSettings) -> None:
        """Apply the search parameters of the settings."""
        if isinstance(self.search, MachineEngine):
            self.search.arrange(settings)

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """Return the path int32[n, 2] (y, x), tiles or any-angle corners; None without one.

        Also None, with :attr:`cut` set, if ``limit`` revolutions were not enough.
        """
        self.spent = None
        if isinstance(self.search, NextHopPaths | MachineEngine):
            found = self.search.find(start, goal, limit)
            self.cut = self.search.cut
            return found
        if isinstance(self.search, ThetaStar):
            # The limit is checked after each node, so its lines of sight and those of smoothing must fit as well.
            slack = 1 + (sum(self.search.ground.moves.shape) >> 2)
            if limit <= slack:
                self.cut, self.spent = True, 0
                return None
            found = self.search.find(start, goal, limit - slack)
            self.cut = self.search.over_limit
            return found
        if isinstance(self.search, SubgoalSearch):
            slack = _scans_at_most(self.search.ground)
            if limit <= slack:
                self.cut, self.spent = True, 0
                return None
            limit -= slack
        # A search stops when its log is full.
        log = np.zeros((max(limit, 1), 3), np.int64)
        if isinstance(self.search, JPSPlus):
            self.search.note(log)
        else:
            self.search.log = log
        path: np.ndarray | None = self.search.find(start, goal)
        self.cut = path is None and self.revolutions >= limit
        return path

    @property
    def revolutions(self) -> int:
        """Return the revolutions of the last path."""
        return int(self.search.revolutions) if self.spent is None else self.spent


@record
class ForcedEngine:
    """Tables of forced searches by movement class, and their progress; all saved."""

    jump_tables: dict[int, JumpTables] = field(default_factory=dict)
    packed: dict[int, int] = field(default_factory=dict)  # cells of those tables that JPS+ may read
    subgoals: dict[int, SubgoalGraph] = field(default_factory=dict)
    regions: dict[int, Regions] = field(default_factory=dict)
    hops: dict[int, NextHops] = field(default_factory=dict)
    searches: dict[tuple[str, int], ForcedSearch] = derived(dict)

    def begin(self, terrain: Terrain, engine: str, movement_class: int, grounds: Grounds) -> None:
        """Start to build the tables of an engine for :meth:`work`, unless it has started."""
        if engine == Engine.JPS_PLUS and movement_class not in self.jump_tables:
            self.jump_tables[movement_class] = JumpTables.begin(grounds(movement_class))
            self.packed[movement_class] = 0
        elif engine == Engine.SUBGOAL and movement_class not in self.subgoals:
            self.subgoals[movement_class] = SubgoalGraph.begin(grounds(movement_class), LEVELS)
        elif engine == Engine.REGIONS and movement_class not in self.regions:
            self.regions[movement_class] = Regions.begin(terrain, movement_class)

    def ready(self, terrain: Terrain, engine: str, movement_class: int) -> bool:
        """Return True if all tables of an engine exist and match the terrain."""
        if engine == Engine.JPS_PLUS:
            tables = self.jump_tables.get(movement_class)
            return (
                tables is not None
                and tables.ready
                and tables.revision == terrain.revision
                and self.packed[movement_class] == len(tables.jumps)
            )
        if engine == Engine.SUBGOAL:
            graph = self.subgoals.get(movement_class)
            return graph is not None and graph.ready and graph.revision == terrain.revision
        if engine == Engine.REGIONS:
            regions, hops = self.regions.get(movement_class), self.hops.get(movement_class)
            return (
                regions is not None
                and hops is not None
                and regions.revision == terrain.revision
                and hops.serves(regions)
            )
        return True

    def work(self, terrain: Terrain, grounds: Grounds, limit: int) -> int:
        """Build or repair tables for about ``limit`` revolutions; return the revolutions spent."""
        spent = 0
        for movement_class in sorted(self.jump_tables):
            spent += self._tables(terrain, movement_class, grounds(movement_class), limit - spent)
        for movement_class in sorted(self.subgoals):
            graph, ground = self.subgoals[movement_class], grounds(movement_class)
            if graph.revision != ground.revision:
                graph.edited(ground, _changes(terrain, graph.revision))
            if spent < limit:
                spent += graph.advance(ground, limit - spent)
        for movement_class in sorted(self.regions):
            if spent < limit:
                spent += self._regions(terrain, movement_class, limit - spent)
        return spent

    def search_of(self, terrain: Terrain, engine: str, movement_class: int, grounds: Grounds) -> ForcedSearch:
        """Return the search of an engine that is ready."""
        key = (str(engine), movement_class)
        found = self.searches.get(key)
        made_for = terrain.revision if engine == Engine.MACHINE else 0
        if engine == Engine.REGIONS:
            made_for = self.regions[movement_class].cuts
        if found is not None and found.made_for == made_for:
            return found
        search: Any
        if engine == Engine.MACHINE:
            search = MachineEngine(terrain, movement_class)
        elif engine == Engine.JPS_PLUS:
            return self._plus(movement_class, grounds(movement_class))
        elif engine == Engine.REGIONS:
            regions, hops = self.regions[movement_class], self.hops[movement_class]
            search = NextHopPaths(terrain, regions, ahead=False, hops=hops)
        elif engine == Engine.SUBGOAL:
            search = SubgoalSearch(self.subgoals[movement_class], grounds(movement_class))
        else:
            search = ThetaStar(grounds(movement_class), lazy=engine == Engine.LAZY_THETA)
        self.searches[key] = ForcedSearch(search, made_for)
        return self.searches[key]

    def _tables(self, terrain: Terrain, movement_class: int, ground: UniformGround, limit: int) -> int:
        """Repair the jump tables, then pack their rows again."""
        tables, spent = self.jump_tables[movement_class], 0
        if tables.revision != ground.revision:
            tables.edited(ground, _changes(terrain, tables.revision))
            self.packed[movement_class] = 0
        if limit > 0 and not tables.ready:
            spent += tables.advance(ground, limit)
        if not tables.ready or self.packed[movement_class] == len(tables.jumps) or spent >= limit:
            return spent
        plus = self._plus(movement_class, ground).search
        if self.packed[movement_class] == 0:
            plus.pack_again(tables.jumps)
        cells = plus.pack(64 * (limit - spent))
        self.packed[movement_class] += cells
        return spent + 1 + cells // 64

    def _plus(self, movement_class: int, ground: UniformGround) -> ForcedSearch:
        """Return JPS+ on the packed tables; a restored world packs them equally."""
        key = (str(Engine.JPS_PLUS), movement_class)
        if key not in self.searches:
            plus = JPSPlus(ground, self.jump_tables[movement_class].jumps, packed=False)
            plus.pack(self.packed[movement_class])
            self.searches[key] = ForcedSearch(plus)
        return self.searches[key]

    def _regions(self, terrain: Terrain, movement_class: int, limit: int) -> int:
        """Build or repair the regions, then their table of next hops."""
        regions = self.regions[movement_class]
        spent = regions.work(terrain, limit)
        if regions.revision != terrain.revision:
            return spent
        if regions.open_count > MOST_REGIONS:
            self.hops.pop(movement_class, None)
            return spent
        if movement_class not in self.hops:
            self.hops[movement_class] = NextHops.begin(regions)
        return spent + self.hops[movement_class].work(regions, max(limit - spent, 0))


def _scans_at_most(ground: UniformGround) -> int:
    """Return the largest number of revolutions of a subgoal search's scans.

    The direct trial crosses the map once; a scan at either end makes up to eight steps for each of its diagonals.
    """
    height, width = ground.moves.shape
    return 1 + ((max(height, width) + 2 * (8 + 8 * min(height, width))) >> 6)


def _changes(terrain: Terrain, revision: int) -> list[tuple[int, int, int, int]]:
    changes = terrain.changes_since(revision, ("passable",))
    return [(0, 0, terrain.height, terrain.width)] if changes is None else changes


def serves(terrain: Terrain, engine: str, uniform: bool) -> bool:
    """Return True if a forced engine, goal bounds excluded, can answer on this ground."""
    any_ground = engine in (Engine.REGIONS, Engine.MACHINE)
    chosen = engine in FORCED_ENGINES and engine != Engine.JPS_PLUS_GB
    return chosen and (uniform or any_ground) and terrain.passable.size <= MOST_TILES


def answer(
    search: AnswersAtOnce, starts: np.ndarray, goals: np.ndarray, limit: int
) -> tuple[list[np.ndarray], np.ndarray, int]:
    """Search paths starts[i] -> goals[i] while ``limit`` revolutions last.

    Returns the paths (empty: none), the revolutions of each, and their sum.
    """
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
