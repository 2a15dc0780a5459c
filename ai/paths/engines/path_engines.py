"""Engine structures: what the path engines read, by movement class, kept up to date.

Clusters, jump points and the tables of forced engines are repaired at each edit. A level marked static also has tables
until its first edit (:mod:`ai.paths.engines.static_tables`). :mod:`ai.paths.engines.engine_choice` selects the engine.

Source: "AI Game Programming Wisdom", 3.2 and 3.5 (choose storage and search by the ground).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

import numpy as np

from ai.core.serialization import derived, record, unhashed
from ai.grid.terrain import Terrain
from ai.paths.engines.engine_choice import ASTAR, FORCED, JPS, LARGEST, WORTH_IT, is_uniform, rule_of
from ai.paths.engines.forced_engine import ForcedEngine, ForcedSearch, serves
from ai.paths.engines.snapshot_copy import copy_paths
from ai.paths.engines.static_tables import AnswersAtOnce, Progress, make_tables
from ai.paths.settings import Engine, PathSettings, Refinement
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.jps.jps import JumpPointSearch, UniformGround


@record
class Engines:
    """Structures of the engines, by movement class; those derived from terrain are not saved."""

    paths: dict[int, HpaBatch] = field(default_factory=dict)
    jumps: dict[int, JumpPointSearch] = derived(dict)
    jumping: list[int] = unhashed(list)  # classes that have jump points
    chosen: ForcedEngine = field(default_factory=ForcedEngine)
    static: list[int] = field(default_factory=list)  # classes that have tables, until the first edit
    static_revision: int = 0
    owed: int = 0  # revolutions of repairs already done
    tables: dict[int, AnswersAtOnce] = derived(dict)

    def prepare(self, terrain: Terrain, movement_class: int = 0) -> None:
        """Build at loading time all structures that a class's paths will need."""
        if is_uniform(terrain):
            self.jumps_of(terrain, movement_class)
        if WORTH_IT <= terrain.passable.size <= LARGEST:
            self.paths[movement_class] = HpaBatch.build(terrain, movement_class)
            self.paths[movement_class].prepare(terrain)

    def make_static(self, terrain: Terrain, classes: list[int], progress: Progress | None = None) -> None:
        """Build a static level's tables for these classes, or load them from the cache."""
        self.static_revision = terrain.revision
        for movement_class in classes:
            made = make_tables(terrain, movement_class, is_uniform(terrain), progress)
            if made is not None:
                self.static.append(movement_class)
                self.tables[movement_class] = made

    def revive(self, terrain: Terrain, like: Engines | None = None) -> None:
        """Build the structures of a restored world before its first tick.

        ``like`` holds the engines of the world that it copies, unchanged since; their structures are copied instead.
        The rest is small, or belongs to a forced engine.
        """
        for movement_class in sorted(self.paths):
            if (
                like is None
                or movement_class not in like.paths
                or not copy_paths(self.paths[movement_class], like.paths[movement_class])
            ):
                self.paths[movement_class].revive(terrain)
        for movement_class in self.jumping if is_uniform(terrain) else []:
            self.jumps_of(terrain, movement_class)
        for movement_class in sorted(self.chosen.packed):
            if self.chosen.ready(terrain, Engine.JPS_PLUS, movement_class):
                self.chosen.search_of(terrain, Engine.JPS_PLUS, movement_class, self._grounds(terrain))
        if self.static and terrain.changes_since(self.static_revision, ("passable", "cost")) == []:
            for movement_class in self.static:
                self.table_of(terrain, movement_class)

    def table_of(self, terrain: Terrain, movement_class: int) -> AnswersAtOnce:
        """Return the tables of a class, built again in a restored world.

        Raises ValueError for a class without tables.
        """
        if movement_class not in self.static:
            raise ValueError(f"movement class {movement_class} has no tables; the classes {self.static} have them")
        if movement_class not in self.tables:
            made = make_tables(terrain, movement_class, is_uniform(terrain))
            assert made is not None, "they existed when they were first made"
            self.tables[movement_class] = made
        return self.tables[movement_class]

    def drop_tables(self, terrain: Terrain) -> bool:
        """Drop the tables at the first edit of the ground; return True then."""
        if not self.static or terrain.changes_since(self.static_revision, ("passable", "cost")) == []:
            return False
        self.static.clear()
        self.tables.clear()
        return True

    def choose(self, terrain: Terrain, settings: PathSettings, movement_class: int) -> None:
        """Build the tables of a forced engine, and jump points on even ground.

        This happens at loading time. Jump points are built for the classes in the level.
        """
        if is_uniform(terrain):
            self.jumps_of(terrain, movement_class)
        if serves(terrain, settings.engine, is_uniform(terrain)):
            grounds = self._grounds(terrain)
            self.chosen.begin(terrain, settings.engine, movement_class, grounds)
            while self.chosen.work(terrain, grounds, 1 << 40):
                pass
        if rule_of(settings).clusters and terrain.passable.size <= LARGEST:
            self.paths_of(terrain, movement_class)
        if settings.hierarchy == Refinement.LAZY and movement_class in self.paths:
            self.paths[movement_class].raise_levels(terrain, settings.levels)

    def follow(
        self, terrain: Terrain, limit: int, engine: str = "", classes: list[int] | None = None, levels: int = 0
    ) -> int:
        """Repair structures after this tick's edits; return the revolutions spent.

        At most ``limit`` revolutions are used, also for one more landmark where some are missing. A cluster is not
        interrupted: the excess of the last one is charged to the next ticks, before any other work. Most doors are
        repaired within the tick. On broken ground, or where clusters meet, it may take two or more ticks; a structure
        answers nothing until it is complete.

        ``engine`` and ``classes`` are the forced engine and the requesting classes; missing tables are begun.
        ``levels`` is the number of cluster levels for paths that are refined leg by leg, if any.
        """
        limit = max(limit, 2)  # a smaller limit would never finish a structure
        spent = min(self.owed, limit)
        self.owed -= spent
        grounds = self._grounds(terrain)
        for movement_class in classes or []:
            if serves(terrain, engine, is_uniform(terrain)):
                self.chosen.begin(terrain, engine, movement_class, grounds)
        for movement_class in sorted(self.paths):
            paths = self.paths[movement_class]
            paths.note(terrain)
            if spent < limit:
                spent += paths.work(terrain, limit - spent)
            if spent < limit:
                spent += paths.measure(terrain, limit - spent)
            if levels and spent < limit:
                spent += paths.raise_levels(terrain, levels, limit - spent)
        spent += self.chosen.work(terrain, grounds, limit - spent)
        self.owed += max(spent - limit, 0)
        return min(spent, limit)

    def answers(self, terrain: Terrain, settings: PathSettings, codes: np.ndarray, classes: np.ndarray) -> np.ndarray:
        """Return the codes with another engine for those whose tables are under repair."""
        out = codes
        for movement_class in np.unique(classes[codes == FORCED]).tolist():
            if not self.chosen.ready(terrain, settings.engine, movement_class):
                out[(codes == FORCED) & (classes == movement_class)] = JPS if is_uniform(terrain) else ASTAR
        return out

    def waits_for(self, terrain: Terrain, settings: PathSettings, movement_class: int) -> bool:
        """Return True if a forced search could answer but its tables are not ready."""
        fits = serves(terrain, settings.engine, is_uniform(terrain))
        return fits and not self.chosen.ready(terrain, settings.engine, movement_class)

    def forced_engine_of(self, terrain: Terrain, engine: str, movement_class: int) -> ForcedSearch:
        """Return the forced search, which must be ready (:meth:`answers`)."""
        return self.chosen.search_of(terrain, engine, movement_class, self._grounds(terrain))

    def _grounds(self, terrain: Terrain) -> Callable[[int], UniformGround]:
        return lambda movement_class: self.jumps_of(terrain, movement_class).ground

    def begin_paths(self, terrain: Terrain, movement_class: int) -> bool:
        """Return True if the clusters of a class answer.

        They are begun at first need and grow by some clusters per tick.
        """
        if movement_class not in self.paths:
            self.paths[movement_class] = HpaBatch.begin(terrain, movement_class)
        return self.paths[movement_class].whole

    def leads_by_legs(self, terrain: Terrain, movement_class: int, levels: int) -> bool:
        """Return True if the cluster levels exist; they grow by some nodes per tick."""
        paths = self.paths.get(movement_class)
        return paths is not None and paths.levels == levels and paths.raised

    def paths_of(self, terrain: Terrain, movement_class: int) -> HpaBatch:
        """Return the clusters of a class, built when first needed."""
        if movement_class not in self.paths:
            self.paths[movement_class] = HpaBatch.build(terrain, movement_class)
        return self.paths[movement_class]

    def jumps_of(self, terrain: Terrain, movement_class: int) -> JumpPointSearch:
        """Return the jump point search of a class, up to date with the terrain."""
        if movement_class not in self.jumps:
            self.jumps[movement_class] = JumpPointSearch(UniformGround.build(terrain, movement_class))
            if movement_class not in self.jumping:
                self.jumping.append(movement_class)
        search = self.jumps[movement_class]
        search.ground.update(terrain)
        return search
