"""Settings of the path manager.

Work is counted in revolutions: one tile taken off an open list.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ai.core.register import implementations
from ai.core.serialization import record

_SMOOTHERS = Path(__file__).resolve().parents[1] / "search" / "smoothing"


class Slicing(StrEnum):
    """Selects how searches share the queue's budget ("AI Game Programming Wisdom", 3.3)."""

    PROGRESSIVE = "progressive"
    """Every search starts with a small allowance and gets more in each round."""
    EQUAL = "equal"
    """Every search gets the budget divided by the number of open searches."""
    BIASED = "biased"
    """Progressive, but favoured requests get a multiple and are admitted first."""


class PriorityEnd(StrEnum):
    """Selects the fate of a queued search after its unit's priority path."""

    KEEP = "keep"
    """The unit gets the partial path and the search stays in the queue.

    So no work is lost.
    """
    FINISH = "finish"
    """The unit gets the result so far and the search leaves the queue.

    This is the rule of the source.
    """


class Engine(StrEnum):
    """Selects the search that answers a full request."""

    AUTO = "auto"
    """Selects by ground and distance; see :mod:`ai.paths.engines.engine_choice`."""
    ASTAR = "astar"
    """Resumable A* over terrain costs, sliced over ticks."""
    JPS = "jps"
    """Jump point search, where all ground costs the same."""
    HPA = "hpa"
    """Search over clusters with landmarks."""
    FLOW = "flow"
    """A flow field for every group that is large enough; auto for the others."""
    JPS_PLUS = "jps_plus"
    """Jump points from tables.

    This and the next four run only if forced; see :mod:`ai.paths.engines.forced_engine`.
    """
    JPS_PLUS_GB = "jps_plus_gb"
    """JPS+ with goal bounds, on a level marked static; jump points on any other."""
    SUBGOAL = "subgoal"
    """Subgoal graph of two levels."""
    THETA = "theta"
    """Any-angle paths by Theta*."""
    REGIONS = "regions"
    """Next-hop table over regions; auto selects it only on static levels."""
    LAZY_THETA = "lazy_theta"
    """Any-angle paths by Lazy Theta*, with line-of-sight tests only where needed."""
    MACHINE = "modular_astar"
    """Modular A* with the storage and the cost modifier of the settings."""


class Refinement(StrEnum):
    """Selects how a path over clusters is delivered."""

    WHOLE = "whole"
    """Searched on the lowest level and delivered whole; cheapest for a crowd."""
    LAZY = "lazy"
    """Planned on the highest level and refined leg by leg.

    A leg is refined as the unit approaches; the path is planned again when the map changes ahead. See
    :mod:`ai.paths.replanning.incremental_refinement`.
    """


class CostModifier(StrEnum):
    """Selects how modular A* changes the ground; see :mod:`ai.paths.engines.machine_engine`."""

    NONE = "none"
    SCOUT = "scout"
    """Ground without cover costs more."""
    DEER = "deer"
    """Only ground with cover is open."""


class Waiting(StrEnum):
    """Selects the open list of modular A*; see :class:`ai.search.modular_astar.modular_astar.Storage`."""

    HEAP = "heap"
    CHEAP_LIST = "cheap_list"
    SORTED_LIST = "sorted_list"
    FIFO = "fifo"


def _number(default: Any, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


def _choice(default: Any, doc: str, choices: type[StrEnum]) -> Any:
    return field(default=str(default), metadata={"doc": doc, "choices": tuple(str(c) for c in choices)})


def _switch(default: bool, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc})


@record
class PathSettings:
    """Settings of the path manager; each field's metadata holds doc, bounds and choices."""

    budget: int = _number(12_000, "revolutions per tick for the queue of full searches", 1, 10_000_000)
    open_searches: int = _number(16, "searches open at the same time; each keeps a slab of the map's size", 1, 64)
    admissions: int = _number(100, "largest number of searches admitted per tick", 1, 4096)
    engine: str = _choice(Engine.AUTO, "search that answers full requests; auto selects by ground and distance", Engine)
    long_path: int = _number(48, "paths of at least this many tiles are searched over clusters", 1, 100_000)
    hierarchy: str = _choice(Refinement.WHOLE, "how a path over clusters is delivered", Refinement)
    levels: int = _number(2, "cluster levels of paths that are delivered leg by leg", 1, 5)
    long_after: int = _number(3000, "revolutions after which a short path counts as a long one", 1, 10_000_000)
    heuristic_weight: int = _number(2, "heuristic weight above 1 of the search over clusters, in 1/64", 0, 64)
    crowd_heuristic_weight: int = _number(4, "the same while more than a thousand requests wait, in 1/64", 0, 64)
    storage: str = _choice(Waiting.CHEAP_LIST, "modular A*: data structure of the open list", Waiting)
    modifier: str = _choice(CostModifier.NONE, "modular A*: change of tile costs or open tiles", CostModifier)
    modifier_strength: int = _number(
        16, "modular A*: extra cost for a scout per missing step of cover, in 1/8 tile", 1, 120
    )
    next_hops: bool = _switch(True, "engine regions: paths over regions are read from a table, not searched each time")
    flow_group: int = _number(24, "smallest number of units with one goal that may share a flow field", 1, 100_000)
    flow_worth: int = _number(
        250, "revolutions expected for a unit's own search, compared with those of a field", 1, 1_000_000
    )
    flow_slice: int = _number(
        1000, "revolutions per tick to repair a flow field in use; about a third of a millisecond", 1, 10_000_000
    )
    slicing: str = _choice(Slicing.PROGRESSIVE, "how searches share the budget", Slicing)
    allowance: int = _number(200, "revolutions of a search's first turn", 1, 1_000_000)
    increment: int = _number(200, "revolutions added to the turn in each round", 0, 1_000_000)
    allowance_cap: int = _number(4000, "largest number of revolutions in one turn", 1, 10_000_000)
    bias: int = _number(4, "biased slicing: multiple of revolutions for a favoured request", 1, 64)
    give_up: int = _number(2_000_000, "revolutions after which a full search returns its best partial path", 1, 2**40)
    cost_ceiling: float = _number(0.0, "highest cost of a path that a full search accepts, tiles; 0: any", 0.0, 1e6)
    straight: bool = _switch(True, "try a straight line before any search")
    remembered_routes: int = _number(
        64, "number of recent paths kept to answer the same request without a search", 0, 4096
    )
    quick: bool = _switch(True, "answer a request with a quick path in the same tick")
    starts_a_tick: int = _number(
        2048, "requests that get a quick path in one tick; waiting ones get at least a quarter as many", 1, 1_000_000
    )
    quick_tiles_min: int = _number(3, "tiles of a quick path while the queue is empty", 1, 64)
    quick_tiles_max: int = _number(15, "tiles of a quick path while the queue is full", 1, 64)
    quick_full_load: int = _number(200, "requests in the queue that count as full", 1, 1_000_000)
    quick_effort: int = _number(6, "revolutions of a quick search per tile of its length", 1, 100)
    splice: bool = _switch(True, "join the full path by a splice path")
    splice_reach: float = _number(
        2.0, "distance along the full path to the splice's end, in quick path lengths", 0.0, 16.0
    )
    splice_cap: int = _number(400, "largest number of revolutions of a splice search", 1, 100_000)
    priority: bool = _switch(True, "give a priority path to a unit at the end of its quick path")
    priority_cap: int = _number(250, "extra revolutions of one priority path", 1, 100_000)
    priority_tick_cap: int = _number(2500, "revolutions of all priority paths per tick", 0, 10_000_000)
    priority_end: str = _choice(PriorityEnd.KEEP, "fate of the search behind a priority path", PriorityEnd)
    smooth: bool = _switch(True, "smooth paths where that costs no more")
    smoother: str = field(
        default="string_pulling",
        metadata={"doc": "module that smooths paths", "choices": implementations(_SMOOTHERS, "SMOOTHER")},
    )
    tries: int = _number(6, "failures in a row before a path is lost", 1, 1000)
    rate_limit_requests: int = _number(10, "repeats of one request above which it is refused", 1, 30_000)
    rate_limit_ticks: int = _number(
        600, "ticks over which repeats are counted, and for which they are refused", 1, 100_000
    )
    patience: int = _number(200, "ticks to wait at a cut before the path is lost", 0, 100_000)
    door_wait: int = _number(
        30, "ticks a unit keeps a path that is cut far ahead, or by a door that moves often", 0, 10_000
    )
    door_far: int = _number(32, "distance in tiles from which a cut is far ahead", 1, 100_000)
    local_searches: int = _number(1, "local searches per tick for all units together; 0: none", 0, 64)
    local_after: int = _number(10, "ticks without progress before a unit looks for a body on its path", 1, 1000)
    deepening: bool = _switch(True, "a local search starts with a small limit that grows after each failure")
    deepening_first: int = _number(40, "revolutions of the first local search", 1, 625)
    deepening_step: int = _number(60, "revolutions added to each further local search", 1, 625)
    deepening_delay: int = _number(20, "ticks between two local searches, in which the path may clear", 1, 1000)
    remembered_failures: int = _number(
        64, "number of failed local searches kept; the same search is not run again", 0, 4096
    )
    rejoin: bool = _switch(True, "a pushed unit joins its path further on, not where it left it")
    futility: bool = _switch(True, "a unit without progress escalates each second and gives up if walled in")
    futile_share: float = _number(0.2, "share of its speed below which a unit makes no progress", 0.0, 1.0)
    futile_limit: int = _number(12, "seconds in a row without progress before a walled-in unit gives up", 1, 250)
    hazards: bool = _switch(True, "paths avoid tiles where a unit of the same side was harmed")
    hazard_ticks: int = _number(1200, "ticks for which a hazard is remembered", 1, 1_000_000)
    near: float = _number(0.75, "distance at which a unit may skip to the next waypoint, tiles", 0.05, 2.0)
    touch: float = _number(
        0.36, "distance at which a waypoint is passed without a line-of-sight test, tiles", 0.01, 1.0
    )
    arrive: float = _number(0.35, "distance at which the goal counts as reached, tiles", 0.01, 2.0)

    @property
    def smooths(self) -> str:
        """Return the name of the smoother of paths; empty if they are not smoothed."""
        return self.smoother if self.smooth else ""

    def quick_tiles(self, load: int) -> int:
        """Return the length of a quick path in tiles, proportional to the queue's load.

        It lies between the smallest and the largest length of the settings.
        """
        low, high = self.quick_tiles_min, max(self.quick_tiles_min, self.quick_tiles_max)
        return low + (high - low) * min(max(load, 0), self.quick_full_load) // self.quick_full_load
