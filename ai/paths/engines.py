"""Which search answers a full request: a function of saved state alone, of the ground and of the way.

*Jump points* where all ground that anyone can enter costs the same: exact, and a few microseconds a jump.  *Clusters
with landmarks* for long ways over ground of many costs: near-optimal at a tenth of the work.  Both are so quick that a
question is answered within one tick, many in one call, from structures that mend themselves by the edit.  *Resumable
A\\** for what remains: short ways over many costs, and questions dearer than a tick's budget.

Source: "AI Game Programming Wisdom", 3.2 and 3.5 (choose storage and search by the ground).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.grid.terrain import Terrain
from ai.paths.by_choice import ChosenSearch, serves
from ai.paths.settings import Engine, PathSettings
from ai.search.long_way import LongWays
from ai.search.uniform import JumpPointSearch, UniformGround
from ai.state import derived, record

ASTAR, JPS, CLUSTERS, CHOSEN = 0, 1, 2, 3
ENGINE_NAMES = (str(Engine.ASTAR), str(Engine.JPS), str(Engine.HPA), "chosen")

LARGEST = 1 << 21
"""Maps of more tiles than this are not cut into clusters: it would take seconds in one tick."""

WORTH_IT = 1 << 13
"""Maps of at least so many tiles are cut into clusters when they are loaded; on smaller ones A* is quick enough and
exact, so that only the forced engine cuts them, when first needed."""


@record
class Engines:
    """The structures behind the choice, by movement class; what follows from the terrain alone is not saved."""

    ways: dict[int, LongWays] = field(default_factory=dict)
    jumps: dict[int, JumpPointSearch] = derived(dict)
    chosen: dict[tuple[str, int], ChosenSearch] = derived(dict)

    def prepare(self, terrain: Terrain, movement_class: int = 0) -> None:
        """Build at loading time what long ways will need."""
        if not is_uniform(terrain) and WORTH_IT <= terrain.passable.size <= LARGEST:
            self.ways[movement_class] = LongWays.build(terrain, movement_class)

    def follow(self, terrain: Terrain) -> None:
        """Repair what there is after this tick's edits, and measure one more landmark where some are missing."""
        for klass in sorted(self.ways):
            self.ways[klass].update(terrain)
            self.ways[klass].measure(terrain)

    def ways_of(self, terrain: Terrain, movement_class: int) -> LongWays:
        """The clusters of a class, built on first need."""
        if movement_class not in self.ways:
            self.ways[movement_class] = LongWays.build(terrain, movement_class)
        return self.ways[movement_class]

    def jumps_of(self, terrain: Terrain, movement_class: int) -> JumpPointSearch:
        """The jump point search of a class, true to the terrain of now."""
        if movement_class not in self.jumps:
            self.jumps[movement_class] = JumpPointSearch(UniformGround.build(terrain, movement_class))
        search = self.jumps[movement_class]
        search.ground.update(terrain)
        return search

    def chosen_of(self, terrain: Terrain, engine: str, movement_class: int) -> ChosenSearch:
        """The search somebody chose, made anew when the ground has changed."""
        key = (str(engine), movement_class)
        if key not in self.chosen or self.chosen[key].revision != terrain.revision:
            self.chosen[key] = ChosenSearch(terrain, engine, movement_class)
        return self.chosen[key]


def is_uniform(terrain: Terrain) -> bool:
    """Whether all ground that anyone can enter costs the same."""
    return int(np.count_nonzero(terrain.cost_counts)) <= 1


def distance(starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Tiles as the crow flies, int64[n], by the longer axis."""
    return np.abs(np.asarray(starts, np.int64) - goals).max(axis=1, initial=0)


def choose_engines(
    terrain: Terrain, settings: PathSettings, starts: np.ndarray, goals: np.ndarray, plain: np.ndarray
) -> np.ndarray:
    """ASTAR, JPS or CLUSTERS for each way starts[i] -> goals[i]: uint8[n].

    ``plain`` marks requests that must take the resumable search.  A forced engine that would give wrong or no answers
    on this ground (jump points over many costs, clusters on a huge map) falls back to A*.
    """
    out = np.full(len(starts), ASTAR, np.uint8)
    uniform, engine = is_uniform(terrain), settings.engine
    if engine == Engine.FLOW:
        engine = str(Engine.AUTO)
    if serves(terrain, engine, uniform):
        out[:] = CHOSEN
    elif engine == Engine.JPS or (engine == Engine.AUTO and uniform):
        out[:] = JPS if uniform else ASTAR
    elif engine in (Engine.HPA, Engine.AUTO) and terrain.passable.size <= LARGEST:
        long = distance(starts, goals) >= (1 if engine == Engine.HPA else settings.long_way)
        if engine == Engine.HPA or terrain.passable.size >= WORTH_IT:
            out[long] = CLUSTERS
    out[plain > 0] = ASTAR
    return out
