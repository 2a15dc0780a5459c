"""Which search answers a full request: a function of saved state alone, of the ground and of the way.

*Jump points* where all ground that anyone can enter costs the same: exact, and a few microseconds a jump.  *Clusters
with landmarks* for long ways over ground of many costs, and over even ground for who is pressed
(:mod:`ai.paths.requests.urgency`) or whose way is too dear for jump points: near-optimal at a tenth of the work.
Both are so
quick that a question is answered within one tick, jump points one call each, clusters all in one, from structures that
mend themselves by the edit.  *Resumable A\\** for what remains: short ways over many costs, and questions dearer than
a tick's budget.

On a level marked static there are tables besides (:mod:`ai.paths.engines.static_tables`), until the first edit: goal
bounds in
place of jump points, next hops over regions in place of clusters.

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
"""Maps of more tiles than this are not cut into clusters: at loading time it takes seconds and gigabytes (a node has
room for all others of its cluster), in slices of a tick's budget the better part of an hour."""

WORTH_IT = 1 << 13
"""Maps of at least so many tiles are cut into clusters when they are loaded; on smaller ones A* is quick enough and
exact, so that only a forced engine has them cut: at loading time, or in slices when it is set in play."""


@record
class Engines:
    """The structures behind the choice, by movement class; what follows from the terrain alone is not saved."""

    paths: dict[int, HpaBatch] = field(default_factory=dict)
    jumps: dict[int, JumpPointSearch] = derived(dict)
    jumping: list[int] = unhashed(list)  # classes that have them
    chosen: ForcedEngine = field(default_factory=ForcedEngine)
    static: list[int] = field(default_factory=list)  # classes that have tables, until the first edit
    static_revision: int = 0
    owed: int = 0  # revolutions of mending that was done already
    tables: dict[int, AnswersAtOnce] = derived(dict)

    def prepare(self, terrain: Terrain, movement_class: int = 0) -> None:
        """Build at loading time what the ways of a class will need."""
        if is_uniform(terrain):
            self.jumps_of(terrain, movement_class)
        if WORTH_IT <= terrain.passable.size <= LARGEST:
            self.paths[movement_class] = HpaBatch.build(terrain, movement_class)
            self.paths[movement_class].prepare(terrain)

    def make_static(self, terrain: Terrain, classes: list[int], progress: Progress | None = None) -> None:
        """The level is marked static: make, or read from the cache folder, tables for these movement classes."""
        self.static_revision = terrain.revision
        for movement_class in classes:
            made = make_tables(terrain, movement_class, is_uniform(terrain), progress)
            if made is not None:
                self.static.append(movement_class)
                self.tables[movement_class] = made

    def revive(self, terrain: Terrain, like: Engines | None = None) -> None:
        """Build what a restored world's searches follow from: at loading time, so that its first tick need not.

        ``like``: those of the world that it is a copy of, unchanged since; what they have is copied and not built.
        What is not built here is small, or belongs to an engine that somebody forced.
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
        """The tables of a class that has them; made again in a restored world.  ValueError for any other class."""
        if movement_class not in self.static:
            raise ValueError(f"movement class {movement_class} has no tables; those of {self.static} have")
        if movement_class not in self.tables:
            made = make_tables(terrain, movement_class, is_uniform(terrain))
            assert made is not None, "it had some when they were first made"
            self.tables[movement_class] = made
        return self.tables[movement_class]

    def drop_tables(self, terrain: Terrain) -> bool:
        """At the first edit of passability or cost a level is static no longer; True when that was now."""
        if not self.static or terrain.changes_since(self.static_revision, ("passable", "cost")) == []:
            return False
        self.static.clear()
        self.tables.clear()
        return True

    def choose(self, terrain: Terrain, settings: PathSettings, movement_class: int) -> None:
        """Make at loading time, at once, what a search that the settings choose reads, and jump points on even ground
        for the classes that the level has."""
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
        """Repair what there is after this tick's edits, for at most ``limit`` revolutions, and measure one more
        landmark where some are missing; returns the revolutions spent.

        A cluster, like any step, is not stopped half way: what the last one took beyond the limit is charged to the
        next ticks, before anything else is done.  Most doors are mended within the tick; on broken ground, or where
        clusters meet, it may be two or more, and what has more to mend answers nothing until it is whole.  ``engine``
        and ``classes``: what the settings choose, and who asks; what that reads is begun when it is not there.
        ``levels`` are those that ways leg by leg are planned on, if any are.
        """
        limit = max(limit, 2)  # with less nothing would ever be made
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
        """The same codes, with another engine for those whose chosen one reads what is being mended."""
        out = codes
        for movement_class in np.unique(classes[codes == FORCED]).tolist() if settings.engine in FORCED_ENGINES else []:
            if not self.chosen.ready(terrain, settings.engine, movement_class):
                out[(codes == FORCED) & (classes == movement_class)] = JPS if is_uniform(terrain) else ASTAR
        return out

    def waits_for(self, terrain: Terrain, settings: PathSettings, movement_class: int) -> bool:
        """Whether a search was chosen that could answer here, but for something that is being made or mended."""
        fits = serves(terrain, settings.engine, is_uniform(terrain))
        return fits and not self.chosen.ready(terrain, settings.engine, movement_class)

    def forced_engine_of(self, terrain: Terrain, engine: str, movement_class: int) -> ForcedSearch:
        """The search somebody chose, which is ready (:meth:`answers`)."""
        return self.chosen.search_of(terrain, engine, movement_class, self._grounds(terrain))

    def _grounds(self, terrain: Terrain) -> Callable[[int], UniformGround]:
        return lambda movement_class: self.jumps_of(terrain, movement_class).ground

    def begin_paths(self, terrain: Terrain, movement_class: int) -> bool:
        """Whether the clusters of a class answer; they are begun on first need, and grow some clusters a tick."""
        if movement_class not in self.paths:
            self.paths[movement_class] = HpaBatch.begin(terrain, movement_class)
        return self.paths[movement_class].whole

    def leads_by_legs(self, terrain: Terrain, movement_class: int, levels: int) -> bool:
        """Whether so many levels of clusters are there; they are made some nodes a tick."""
        paths = self.paths.get(movement_class)
        return paths is not None and paths.levels == levels and paths.raised

    def paths_of(self, terrain: Terrain, movement_class: int) -> HpaBatch:
        """The clusters of a class, built on first need."""
        if movement_class not in self.paths:
            self.paths[movement_class] = HpaBatch.build(terrain, movement_class)
        return self.paths[movement_class]

    def jumps_of(self, terrain: Terrain, movement_class: int) -> JumpPointSearch:
        """The jump point search of a class, true to the terrain of now."""
        if movement_class not in self.jumps:
            self.jumps[movement_class] = JumpPointSearch(UniformGround.build(terrain, movement_class))
            if movement_class not in self.jumping:
                self.jumping.append(movement_class)
        search = self.jumps[movement_class]
        search.ground.update(terrain)
        return search


def is_uniform(terrain: Terrain) -> bool:
    """Whether all ground that anyone can enter costs the same."""
    return int(np.count_nonzero(terrain.cost_counts)) <= 1


def distance(starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Tiles as the crow flies, int64[n], by the longer axis."""
    if np.shape(starts) != np.shape(goals):
        raise ValueError(f"starts and goals must both be [n, 2], got {np.shape(starts)} and {np.shape(goals)}")
    return np.abs(np.asarray(starts, np.int64) - goals).max(axis=1, initial=0)


def may_go_long(terrain: Terrain, settings: PathSettings) -> bool:
    """Whether a way may be searched over the clusters that by ground and length was not meant to be."""
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
    """ASTAR, JPS, CLUSTERS, CHOSEN, BOUNDS, REGIONS or LEGS for each way starts[i] -> goals[i]: uint8[n].

    ``plain`` is what earlier searches have shown (:class:`ai.paths.requests.request_columns.Learnt`), ``tabled`` marks
    those whose
    class has tables of a static level, ``pressed`` bool[n] those in need of a quick answer.  A forced engine that would
    give wrong or no answers on this ground (jump points over many costs, clusters on a huge map) falls back to A*.
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
    """Why :func:`choose_engines` gave ``code`` for a way of ``away`` tiles as the crow flies, in a few words."""
    kinds = f"{int(np.count_nonzero(terrain.cost_counts))} ground costs"
    if plain == Learnt.PLAIN:
        return "no search ends within a tick"
    if settings.engine not in (Engine.AUTO, Engine.FLOW):
        fits = code == FORCED or settings.engine == ENGINE_NAMES[code]
        if code == JPS and settings.engine == Engine.JPS_PLUS_GB:
            return "goal bounds only where static"
        if code in (JPS, ASTAR) and serves(terrain, settings.engine, is_uniform(terrain)):
            return "the chosen one is not ready"
        return ("forced, leg by leg" if code == LEGS else "forced") if fits else "the forced one does not fit"
    if code == JPS:
        return "all ground costs the same"
    if code == BOUNDS:
        return "static level of one cost"
    if code == REGIONS:
        return f"static level, {kinds}"
    if code in (CLUSTERS, LEGS) and is_uniform(terrain):
        why = "too dear for jump points" if plain == Learnt.LONG else "long way, and pressed"
        return f"{why}{', leg by leg' if code == LEGS else ''}"
    if code in (CLUSTERS, LEGS) and plain == Learnt.LONG and away < settings.long_path:
        return "near, but far on foot"
    if code in (CLUSTERS, LEGS):
        return f"long way, {kinds}{', leg by leg' if code == LEGS else ''}"
    if terrain.passable.size > LARGEST:
        return f"huge map, {kinds}"
    return f"{'short way' if away < settings.long_path else 'small map'}, {kinds}"
