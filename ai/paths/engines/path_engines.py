r"""Path engines: selects the search by saved state, ground and distance.

- *Jump points*, where all ground that units can enter costs the same: exact, a few microseconds per jump.
- *Clusters with landmarks*, for long paths over ground of many costs. On even ground they serve urgent requests
  (:mod:`ai.paths.requests.urgency`) and paths too expensive for jump points. They are near-optimal at a tenth of the
  work.
- *Resumable A\**, for the rest: short paths over many costs, and searches that exceed a tick's budget.

The first two answer within one tick: jump points in one call each, clusters all in one call. Their structures are
repaired at each edit.

A level marked static also has tables until its first edit (:mod:`ai.paths.engines.static_tables`): goal bounds replace
jump points, and next hops over regions replace clusters.

Source: "AI Game Programming Wisdom", 3.2 and 3.5 (choose storage and search by the ground).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

import numpy as np

from ai.core.serialization import derived, record, unhashed
from ai.grid.terrain import Terrain
from ai.paths.argument_checks import same_length
from ai.paths.engines.forced_engine import FORCED_ENGINES, ForcedEngine, ForcedSearch, serves
from ai.paths.engines.snapshot_copy import copy_paths
from ai.paths.engines.static_tables import AnswersAtOnce, Progress, make_tables
from ai.paths.requests.request_columns import Learnt
from ai.paths.settings import Engine, PathSettings, Refinement
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.jps.jps import JumpPointSearch, UniformGround

ASTAR, JPS, CLUSTERS, FORCED, BOUNDS, REGIONS, LEGS = 0, 1, 2, 3, 4, 5, 6
ENGINE_NAMES = (
    str(Engine.ASTAR), str(Engine.JPS), str(Engine.HPA), "chosen", str(Engine.JPS_PLUS_GB), str(Engine.REGIONS),
    str(Engine.HPA),
)  # fmt: skip

LARGEST = 1 << 21
"""Map size in tiles above which no clusters are built.

At loading time they would take seconds and gigabytes, because a node has room for all others of its cluster. In slices
of a tick's budget they would take most of an hour.
"""

WORTH_IT = 1 << 13
"""Map size in tiles from which clusters are built at loading time.

On smaller maps A* is fast enough and exact. A forced engine builds them there as well: at loading time, or in slices
if it is set in play.
"""


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
        if settings.engine == Engine.HPA and terrain.passable.size <= LARGEST:
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
        for movement_class in np.unique(classes[codes == FORCED]).tolist() if settings.engine in FORCED_ENGINES else []:
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


def is_uniform(terrain: Terrain) -> bool:
    """Return True if all ground that units can enter costs the same."""
    return int(np.count_nonzero(terrain.cost_counts)) <= 1


def distance(starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Return the straight-line distance in tiles, int64[n], along the longer axis."""
    if np.shape(starts) != np.shape(goals):
        raise ValueError(f"starts and goals must both be [n, 2], got {np.shape(starts)} and {np.shape(goals)}")
    return np.abs(np.asarray(starts, np.int64) - goals).max(axis=1, initial=0)


def may_go_long(terrain: Terrain, settings: PathSettings) -> bool:
    """Return True if a path may use clusters although another engine was selected."""
    return settings.engine == Engine.AUTO and WORTH_IT <= terrain.passable.size <= LARGEST


def choose_engines(
    terrain: Terrain,
    settings: PathSettings,
    starts: np.ndarray,
    goals: np.ndarray,
    plain: np.ndarray,
    tabled: np.ndarray | None = None,
    urgent: np.ndarray | None = None,
) -> np.ndarray:
    """Return the engine code for each path starts[i] -> goals[i], uint8[n].

    The codes are ASTAR, JPS, CLUSTERS, CHOSEN, BOUNDS, REGIONS or LEGS. ``plain`` holds results of earlier searches
    (:class:`ai.paths.requests.request_columns.Learnt`). ``tabled`` marks classes with tables of a static level,
    ``pressed`` bool[n] the urgent requests.

    If a forced engine would give wrong answers or none on this ground, A* answers. Examples are jump points over many
    costs and clusters on a very large map.
    """
    same_length(starts=starts[:, 0], goals=goals[:, 0], plain=plain)
    out = np.full(len(starts), ASTAR, np.uint8)
    uniform, engine = is_uniform(terrain), settings.engine
    if engine == Engine.FLOW:
        engine = str(Engine.AUTO)
    if serves(terrain, engine, uniform):
        out[:] = FORCED
    elif engine == Engine.JPS or (engine == Engine.AUTO and uniform):
        out[:] = JPS if uniform else ASTAR
    elif engine == Engine.JPS_PLUS_GB and uniform:
        out[:] = JPS
        if tabled is not None:
            out[tabled] = BOUNDS
    elif engine in (Engine.HPA, Engine.AUTO) and terrain.passable.size <= LARGEST:
        long = distance(starts, goals) >= (1 if engine == Engine.HPA else settings.long_path)
        if engine == Engine.HPA or terrain.passable.size >= WORTH_IT:
            out[long] = CLUSTERS
    if tabled is not None and engine == Engine.AUTO:
        if uniform:
            out[tabled] = BOUNDS
        else:
            out[tabled & (distance(starts, goals) >= settings.long_path)] = REGIONS
    if may_go_long(terrain, settings):
        out[(plain == Learnt.LONG) & (out <= JPS)] = CLUSTERS
        if uniform and urgent is not None:
            out[urgent & (out == JPS) & (distance(starts, goals) >= settings.long_path)] = CLUSTERS
    if settings.hierarchy == Refinement.LAZY:
        out[out == CLUSTERS] = LEGS
    out[plain == Learnt.PLAIN] = ASTAR
    return out


def reason_of(terrain: Terrain, settings: PathSettings, code: int, away: int, plain: int) -> str:
    """Return a short reason for ``code`` on a path of ``away`` tiles."""
    kinds = f"{int(np.count_nonzero(terrain.cost_counts))} ground costs"
    if plain == Learnt.PLAIN:
        return "no search ends within a tick"
    if settings.engine not in (Engine.AUTO, Engine.FLOW):
        fits = code == FORCED or settings.engine == ENGINE_NAMES[code]
        if code == JPS and settings.engine == Engine.JPS_PLUS_GB:
            return "goal bounds only where static"
        if code in (JPS, ASTAR) and serves(terrain, settings.engine, is_uniform(terrain)):
            return "the forced one is not ready"
        return ("forced, leg by leg" if code == LEGS else "forced") if fits else "the forced one does not fit"
    if code == JPS:
        return "all ground costs the same"
    if code == BOUNDS:
        return "static level of one cost"
    if code == REGIONS:
        return f"static level, {kinds}"
    if code in (CLUSTERS, LEGS) and is_uniform(terrain):
        why = "too much work for jump points" if plain == Learnt.LONG else "long path, urgent"
        return f"{why}{', leg by leg' if code == LEGS else ''}"
    if code in (CLUSTERS, LEGS) and plain == Learnt.LONG and away < settings.long_path:
        return "near, but far on foot"
    if code in (CLUSTERS, LEGS):
        return f"long path, {kinds}{', leg by leg' if code == LEGS else ''}"
    if terrain.passable.size > LARGEST:
        return f"huge map, {kinds}"
    return f"{'short path' if away < settings.long_path else 'small map'}, {kinds}"
