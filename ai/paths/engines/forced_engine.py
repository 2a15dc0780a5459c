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
from dataclasses import dataclass, field
from typing import Any, Protocol

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

MOST_TILES = 1 << 14
"""Map size in tiles above which resumable A* answers instead."""

LEVELS = 2
"""Levels of a forced subgoal graph."""

Grounds = Callable[[int], UniformGround]
"""Returns the ground of a movement class, up to date with the terrain."""


class ForcedSearch:
    """Forced search of one movement class that stops at its limit of revolutions."""

    def __init__(self, search: Any, made_for: int = 0) -> None:
        """Create a search; ``made_for`` is the version of its tables.

        Tables of another version need a new search.
        """
        self.search, self.made_for, self.cut = search, made_for, False
        self.spent: int | None = None

    def arrange(self, settings: PathSettings) -> None:
        """Take the settings of the search; most have none."""

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """Return the path ``int32[n, 2]`` (y, x), or None without one.

        The path is tiles, or the corners of an any-angle path.

        Also None, with :attr:`cut` set, if ``limit`` revolutions were not enough.
        """
        found: np.ndarray | None = self.search.find(start, goal, limit)
        self.cut = self.search.cut
        return found

    @property
    def revolutions(self) -> int:
        """Revolutions of the last path."""
        return int(self.search.revolutions) if self.spent is None else self.spent


class _ArrangedSearch(ForcedSearch):
    """A search that takes settings."""

    def arrange(self, settings: PathSettings) -> None:
        """Hand the settings on."""
        self.search.arrange(settings)


class _AnyAngleSearch(ForcedSearch):
    """Theta*, whose lines of sight must fit into the limit as well."""

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """Search with a part of the limit reserved for lines.

        The reserve covers the lines of one node and of the smoothed path.
        """
        self.spent = None
        slack = 1 + (sum(self.search.ground.moves.shape) >> 2)
        if limit <= slack:
            self.cut, self.spent = True, 0
            return None
        found: np.ndarray | None = self.search.find(start, goal, limit - slack)
        self.cut = self.search.over_limit
        return found


class _LoggedSearch(ForcedSearch):
    """A search that stops when its log is full."""

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """Search with a log of one row a revolution."""
        self.spent = None
        slack = self.slack()
        if 0 < slack >= limit:
            self.cut, self.spent = True, 0
            return None
        limit -= slack
        self.take_log(np.zeros((max(limit, 1), 3), np.int64))
        path: np.ndarray | None = self.search.find(start, goal)
        self.cut = path is None and self.revolutions >= limit
        return path

    def slack(self) -> int:
        """Return the revolutions that the log does not count."""
        return 0

    def take_log(self, log: np.ndarray) -> None:
        """Give the search its log."""
        self.search.note(log)


class _SubgoalLogged(_LoggedSearch):
    """The search over a subgoal graph, whose scans are not in the log."""

    def slack(self) -> int:
        """Return the revolutions of the direct trial and of the scans about both ends."""
        return _scans_at_most(self.search.ground)

    def take_log(self, log: np.ndarray) -> None:
        """Give the search its log."""
        self.search.log = log


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
        """Let :meth:`work` make what an engine reads, unless it is being made already."""
        if engine in PATH_ENGINES:
            PATH_ENGINES[engine].begin(self, terrain, movement_class, grounds)

    def ready(self, terrain: Terrain, engine: str, movement_class: int) -> bool:
        """Return True if all tables that an engine reads exist and match the terrain."""
        return engine not in PATH_ENGINES or PATH_ENGINES[engine].ready(self, terrain, movement_class)

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
        kind = PATH_ENGINES[engine]
        key = (str(kind.name), movement_class)
        found = self.searches.get(key)
        made_for = kind.made_for(self, terrain, movement_class)
        if found is None or found.made_for != made_for:
            found = self.searches[key] = kind.search(self, terrain, movement_class, grounds)
            found.made_for = made_for
        return found

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
        plus = self.search_of(terrain, Engine.JPS_PLUS, movement_class, lambda _: ground).search
        if self.packed[movement_class] == 0:
            plus.pack_again(tables.jumps)
        cells = plus.pack(64 * (limit - spent))
        self.packed[movement_class] += cells
        return spent + 1 + cells // 64

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


class PathEngine(Protocol):
    """Forced engine: the ground it serves, the tables it reads, and its search."""

    @property
    def name(self) -> Engine:
        """Return the value of the setting ``paths.engine`` that forces it."""

    @property
    def any_ground(self) -> bool:
        """Return True if it serves ground of many costs."""

    def begin(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> None:
        """Begin to make what it reads, unless that is begun."""

    def ready(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> bool:
        """Return whether all that it reads is there and true to the terrain."""

    def made_for(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> int:
        """Return the number of the tables it reads.

        A search made for another number is created again.
        """

    def search(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> ForcedSearch:
        """Make the search."""


@dataclass(frozen=True)
class _OnGround:
    """Engines that read the ground alone."""

    name: Engine
    any_ground: bool = False

    def begin(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> None:
        """Do nothing; this search needs no preparation."""

    def ready(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> bool:
        """Return True: the ground is always there."""
        return True

    def made_for(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> int:
        """Return 0: the search follows its ground."""
        return 0


class _Theta(_OnGround):
    """Theta*, or Lazy Theta*."""

    def search(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> ForcedSearch:
        """Make the any-angle search."""
        return _AnyAngleSearch(ThetaStar(grounds(movement_class), lazy=self.name == Engine.LAZY_THETA))


class _Machine(_OnGround):
    """The modular A*, made again for each revision of the terrain."""

    def made_for(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> int:
        """Return the revision of the terrain."""
        return int(terrain.revision)

    def search(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> ForcedSearch:
        """Make the modular A*."""
        return _ArrangedSearch(MachineEngine(terrain, movement_class))


class _JumpTables(_OnGround):
    """JPS+ on jump tables.

    The tables are packed as far as before, because a restored world packs them the same again.
    """

    def begin(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> None:
        """Begin the jump tables."""
        if movement_class not in made.jump_tables:
            made.jump_tables[movement_class] = JumpTables.begin(grounds(movement_class))
            made.packed[movement_class] = 0

    def ready(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> bool:
        """Return whether the tables are there, true and packed."""
        tables = made.jump_tables.get(movement_class)
        if tables is None or not tables.ready or tables.revision != terrain.revision:
            return False
        return made.packed[movement_class] == len(tables.jumps)

    def search(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> ForcedSearch:
        """Make JPS+ on the tables."""
        plus = JPSPlus(grounds(movement_class), made.jump_tables[movement_class].jumps, packed=False)
        plus.pack(made.packed[movement_class])
        return _LoggedSearch(plus)


class _Subgoals(_OnGround):
    """Subgoal graphs."""

    def begin(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> None:
        """Begin the subgoal graph."""
        if movement_class not in made.subgoals:
            made.subgoals[movement_class] = SubgoalGraph.begin(grounds(movement_class), LEVELS)

    def ready(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> bool:
        """Return whether the graph is there and true."""
        graph = made.subgoals.get(movement_class)
        return graph is not None and graph.ready and graph.revision == terrain.revision

    def search(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> ForcedSearch:
        """Make the search over the graph."""
        return _SubgoalLogged(SubgoalSearch(made.subgoals[movement_class], grounds(movement_class)))


class _NextHops(_OnGround):
    """Next hops over regions, made again when the regions were cut again."""

    def begin(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> None:
        """Begin the regions."""
        if movement_class not in made.regions:
            made.regions[movement_class] = Regions.begin(terrain, movement_class)

    def ready(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> bool:
        """Return whether regions and next hops are there and true."""
        regions, hops = made.regions.get(movement_class), made.hops.get(movement_class)
        if regions is None or hops is None:
            return False
        return regions.revision == terrain.revision and hops.serves(regions)

    def made_for(self, made: ForcedEngine, terrain: Terrain, movement_class: int) -> int:
        """Return the number of times that the regions were cut."""
        return int(made.regions[movement_class].cuts)

    def search(self, made: ForcedEngine, terrain: Terrain, movement_class: int, grounds: Grounds) -> ForcedSearch:
        """Make the search over the regions."""
        regions, hops = made.regions[movement_class], made.hops[movement_class]
        return _ArrangedSearch(NextHopPaths(terrain, regions, ahead=False, hops=hops))


_KINDS: tuple[PathEngine, ...] = (
    _JumpTables(Engine.JPS_PLUS),
    _Subgoals(Engine.SUBGOAL),
    _Theta(Engine.THETA),
    _Theta(Engine.LAZY_THETA),
    _NextHops(Engine.REGIONS, any_ground=True),
    _Machine(Engine.MACHINE, any_ground=True),
)

PATH_ENGINES: dict[str, PathEngine] = {kind.name: kind for kind in _KINDS}
"""Forced engines by name.

A new engine is a class above and a row in the tuple.
"""

FORCED_ENGINES = (*PATH_ENGINES, Engine.JPS_PLUS_GB)
"""Engines that answer only when they are forced.

Goal bounds are among the tables of a static level.
"""


def serves(terrain: Terrain, engine: str, uniform: bool) -> bool:
    """Return True if a forced engine can answer on this ground.

    Goal bounds are not checked here.
    """
    kind = PATH_ENGINES.get(engine)
    return kind is not None and (uniform or kind.any_ground) and terrain.passable.size <= MOST_TILES


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
