r"""Engine choice: selects the search by the setting, saved state, ground and distance.

- *Jump points*, where all ground that units can enter costs the same: exact, a few microseconds per jump.
- *Clusters with landmarks*, for long paths over ground of many costs. On even ground they serve urgent requests
  (:mod:`ai.paths.requests.urgency`) and paths too expensive for jump points. They are near-optimal at a tenth of the
  work.
- *Resumable A\**, for the rest: short paths over many costs, and searches that exceed a tick's budget.

The first two answer within one tick: jump points in one call each, clusters all in one call. On a level marked static,
goal bounds replace jump points, and next hops over regions replace clusters (:mod:`ai.paths.engines.static_tables`).

Each value of the setting ``paths.engine`` is a row of :data:`RULES`. The stages of an update ask the row, not the name.

Source: "AI Game Programming Wisdom", 3.2 and 3.5 (choose storage and search by the ground).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ai.grid.terrain import Terrain
from ai.paths.argument_checks import same_length
from ai.paths.engines.forced_engine import PATH_ENGINES, serves
from ai.paths.requests.request_columns import Learnt
from ai.paths.settings import CostModifier, Engine, PathSettings, Refinement

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


def is_uniform(terrain: Terrain) -> bool:
    """Return True if all ground that units can enter costs the same."""
    return int(np.count_nonzero(terrain.cost_counts)) <= 1


def distance(starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Return the straight-line distance in tiles, int64[n], along the longer axis."""
    if np.shape(starts) != np.shape(goals):
        raise ValueError(f"starts and goals must both be [n, 2], got {np.shape(starts)} and {np.shape(goals)}")
    return np.abs(np.asarray(starts, np.int64) - goals).max(axis=1, initial=0)


@dataclass(frozen=True)
class Asked:
    """Paths for which an engine is selected.

    Columns have a row per path. ``away`` int64[n] is their length in tiles on an empty map; ``tabled`` bool[n] marks
    movement classes with tables of a static level, None: no class has them.
    """

    terrain: Terrain
    settings: PathSettings
    uniform: bool
    away: np.ndarray
    tabled: np.ndarray | None

    def all_by(self, code: int) -> np.ndarray:
        """Return the same code for all."""
        return np.full(len(self.away), code, np.uint8)


def _sliced(asked: Asked) -> np.ndarray:
    """Select resumable A*."""
    return asked.all_by(ASTAR)


def _jumps(asked: Asked) -> np.ndarray:
    """Select jump points on ground of one cost."""
    return asked.all_by(JPS if asked.uniform else ASTAR)


def _bounds(asked: Asked) -> np.ndarray:
    """Select goal bounds on a static level of one cost."""
    out = _jumps(asked)
    if asked.uniform and asked.tabled is not None:
        out[asked.tabled] = BOUNDS
    return out


def _clusters(asked: Asked) -> np.ndarray:
    """Select clusters, unless start and goal are one tile."""
    out = asked.all_by(ASTAR)
    if asked.terrain.passable.size <= LARGEST:
        out[asked.away >= 1] = CLUSTERS
    return out


def _by_ground(asked: Asked) -> np.ndarray:
    """Select by ground and distance."""
    out, long = _bounds(asked), asked.away >= asked.settings.long_path
    if asked.uniform:
        return out
    if WORTH_IT <= asked.terrain.passable.size <= LARGEST:
        out[long] = CLUSTERS
    if asked.tabled is not None:
        out[asked.tabled & long] = REGIONS
    return out


def _forced(asked: Asked) -> np.ndarray:
    """Select the forced engine where it serves the ground."""
    return asked.all_by(FORCED if serves(asked.terrain, asked.settings.engine, asked.uniform) else ASTAR)


@dataclass(frozen=True)
class EngineRule:
    """Rule of one value of the setting ``paths.engine`` for the stages of an update."""

    codes: Callable[[Asked], np.ndarray]
    """Returns the engine codes before results of earlier searches count, uint8[n]."""
    forced: bool = True
    """The search is named by the setting, not selected by the ground."""
    free: bool = False
    """The ground selects again at any time; routes are kept, crowds share trees."""
    sliced: bool = False
    """No search answers within the tick."""
    fields: bool = False
    """Groups may share a flow field."""
    always_fields: bool = False
    """They share it even where it costs more than their own searches."""
    clusters: bool = False
    """Clusters are built at loading time, however small the map is."""
    static: bool = False
    """It reads tables that only a static level has."""
    tables: bool = False
    """It reads tables made on demand; jump points answer until they are ready."""
    own_costs: bool = False
    """A cost modifier may change its ground."""


RULES: dict[str, EngineRule] = {
    Engine.AUTO: EngineRule(_by_ground, forced=False, free=True, fields=True),
    Engine.FLOW: EngineRule(_by_ground, forced=False, fields=True, always_fields=True),
    Engine.ASTAR: EngineRule(_sliced, sliced=True),
    Engine.JPS: EngineRule(_jumps),
    Engine.JPS_PLUS_GB: EngineRule(_bounds, static=True),
    Engine.HPA: EngineRule(_clusters, clusters=True),
    **{name: EngineRule(_forced, tables=True, own_costs=name == Engine.MACHINE) for name in PATH_ENGINES},
}
"""Rules by value of the setting; engines that only answer when forced share one."""


def rule_of(settings: PathSettings) -> EngineRule:
    """Return the rule of the engine that is set."""
    return RULES[settings.engine]


def full_smoother(settings: PathSettings) -> str:
    """Return the name of the smoother of full paths, empty for none.

    They are not smoothed if a modifier used other costs than the ground's.
    """
    return "" if rule_of(settings).own_costs and settings.modifier != CostModifier.NONE else settings.smooths


def may_go_long(terrain: Terrain, settings: PathSettings) -> bool:
    """Return True if a path may use clusters although another engine was selected."""
    return rule_of(settings).free and WORTH_IT <= terrain.passable.size <= LARGEST


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

    The codes are ASTAR, JPS, CLUSTERS, FORCED, BOUNDS, REGIONS or LEGS. ``plain`` holds results of earlier searches
    (:class:`ai.paths.requests.request_columns.Learnt`). ``tabled`` marks classes with tables of a static level,
    ``urgent`` bool[n] the urgent requests.

    If a forced engine would give wrong answers or none on this ground, A* answers. Examples are jump points over many
    costs and clusters on a very large map.
    """
    same_length(starts=starts[:, 0], goals=goals[:, 0], plain=plain)
    asked = Asked(terrain, settings, is_uniform(terrain), distance(starts, goals), tabled)
    out = rule_of(settings).codes(asked)
    if may_go_long(terrain, settings):
        out[(plain == Learnt.LONG) & (out <= JPS)] = CLUSTERS
        if asked.uniform and urgent is not None:
            out[urgent & (out == JPS) & (asked.away >= settings.long_path)] = CLUSTERS
    if settings.hierarchy == Refinement.LAZY:
        out[out == CLUSTERS] = LEGS
    out[plain == Learnt.PLAIN] = ASTAR
    return out


def reason_of(terrain: Terrain, settings: PathSettings, code: int, away: int, plain: int) -> str:
    """Return a short reason for ``code`` on a path of ``away`` tiles."""
    kinds = f"{int(np.count_nonzero(terrain.cost_counts))} ground costs"
    if plain == Learnt.PLAIN:
        return "no search ends within a tick"
    rule = rule_of(settings)
    if rule.forced:
        fits = code == FORCED or settings.engine == ENGINE_NAMES[code]
        if code == JPS and rule.static:
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
