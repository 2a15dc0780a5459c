"""Settings of the path manager.  Work is counted in revolutions: one tile taken off an open list each."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Any

from ai.core.serialization import record


class Slicing(StrEnum):
    """How the queue's budget is shared ("AI Game Programming Wisdom", 3.3)."""

    PROGRESSIVE = "progressive"
    """Every search starts with a small allowance a turn and gets more each time it comes round."""
    EQUAL = "equal"
    """Budget divided by the number of open searches."""
    BIASED = "biased"
    """Progressive, but requests with a bias get a multiple, and are let in first."""


class PriorityEnd(StrEnum):
    """What becomes of a queued search whose walker ran out of path, after its bounded extra revolutions."""

    KEEP = "keep"
    """The walker gets the partial path and the search goes on in the queue: its work is not lost."""
    FINISH = "finish"
    """The source's rule: whatever came out is handed over and the search leaves the queue."""


class Engine(StrEnum):
    """Which search answers a full request."""

    AUTO = "auto"
    """The one that fits the ground and the way; see :mod:`ai.paths.engines.path_engines`."""
    ASTAR = "astar"
    """Resumable A* over terrain costs, sliced over ticks."""
    JPS = "jps"
    """Jump point search, where all ground costs the same."""
    HPA = "hpa"
    """Search over clusters with landmarks."""
    FLOW = "flow"
    """One flow field for every group that is large enough; the others as auto."""
    JPS_PLUS = "jps_plus"
    """Jump points read from tables; this one and the next four by choice only, see
    :mod:`ai.paths.engines.forced_engine`."""
    JPS_PLUS_GB = "jps_plus_gb"
    """The same with goal bounds, which only a level marked static has; jump points on any other."""
    SUBGOAL = "subgoal"
    """Subgoal graph of two levels."""
    THETA = "theta"
    """Any-angle paths."""
    REGIONS = "regions"
    """Next-hop table over regions; by itself only on static levels."""
    LAZY_THETA = "lazy_theta"
    """Any-angle paths, a line of sight tested only where it is needed."""
    MACHINE = "modular_astar"
    """The A* machine, with the storage and the modifier of the settings."""


class Refinement(StrEnum):
    """How a way over clusters is handed out."""

    WHOLE = "whole"
    """Searched on the lowest level and laid whole: a crowd's ways cost least so."""
    LAZY = "lazy"
    """Planned on the highest level, made into tiles leg by leg as the unit comes near, planned anew when the map
    changes ahead; see :mod:`ai.paths.replanning.incremental_refinement`."""


class CostModifier(StrEnum):
    """What the A* machine changes about the ground; see :mod:`ai.paths.engines.machine_engine`."""

    NONE = "none"
    SCOUT = "scout"
    """Ground without cover is dearer."""
    DEER = "deer"
    """Only ground with cover is open."""


class Waiting(StrEnum):
    """Where open nodes of the A* machine wait; see :class:`ai.search.modular_astar.modular_astar.Storage`."""

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
    """Numbers of the path manager; ``doc``, bounds and choices are in each field's metadata."""

    budget: int = _number(12_000, "revolutions a tick for the queue of full searches", 1, 10_000_000)
    open_searches: int = _number(16, "searches open at once; each keeps a slab of the map's size", 1, 64)
    admissions: int = _number(100, "searches let in a tick at most", 1, 4096)
    engine: str = _choice(Engine.AUTO, "search that answers full requests; auto takes the one that fits", Engine)
    long_path: int = _number(48, "ways at least so many tiles long are searched over clusters", 1, 100_000)
    hierarchy: str = _choice(Refinement.WHOLE, "how a way over clusters is handed out", Refinement)
    levels: int = _number(2, "levels of clusters of ways that are handed out leg by leg", 1, 5)
    long_after: int = _number(3000, "revolutions after which a short way counts as a long one after all", 1, 10_000_000)
    heuristic_weight: int = _number(
        2, "64ths by which the search over clusters trusts its estimate too much; 0 not at all", 0, 64
    )
    crowd_heuristic_weight: int = _number(4, "the same while more than a thousand requests wait", 0, 64)
    storage: str = _choice(Waiting.CHEAP_LIST, "A* machine: where open nodes wait", Waiting)
    modifier: str = _choice(
        CostModifier.NONE, "A* machine: whose errand changes what tiles cost or which are open", CostModifier
    )
    modifier_strength: int = _number(
        16, "A* machine: eighths of a tile that a scout pays for each step of cover a tile lacks", 1, 120
    )
    flow_group: int = _number(24, "units bound for one spot from which on they may share a flow field", 1, 100_000)
    flow_worth: int = _number(
        250, "revolutions a unit's own search is expected to take, against a field's", 1, 1_000_000
    )
    flow_slice: int = _number(
        1000, "revolutions a tick for mending a flow field in use, a third of a millisecond", 1, 10_000_000
    )
    slicing: str = _choice(Slicing.PROGRESSIVE, "how the budget is shared", Slicing)
    allowance: int = _number(200, "revolutions of a search's first turn", 1, 1_000_000)
    increment: int = _number(200, "revolutions added each time it comes round", 0, 1_000_000)
    allowance_cap: int = _number(4000, "most revolutions of one turn", 1, 10_000_000)
    bias: int = _number(4, "biased: how many times more a favoured request gets", 1, 64)
    give_up: int = _number(
        2_000_000, "revolutions after which a full search hands over its best partial path", 1, 2**40
    )
    cost_ceiling: float = _number(0.0, "highest cost of a path that a full search looks for, tiles; 0: any", 0.0, 1e6)
    straight: bool = _switch(True, "try a straight line before any search")
    remembered_routes: int = _number(64, "ways found lately that answer the same question without a search", 0, 4096)
    quick: bool = _switch(True, "quick path at once")
    starts_a_tick: int = _number(
        1024, "new requests that get their quick path in one tick, and a quarter more of those who wait", 1, 1_000_000
    )
    quick_tiles_min: int = _number(3, "tiles of a quick path while the queue is empty", 1, 64)
    quick_tiles_max: int = _number(15, "tiles of a quick path while the queue is full", 1, 64)
    quick_full_load: int = _number(200, "requests in the queue that count as full", 1, 1_000_000)
    quick_effort: int = _number(6, "revolutions of a quick search a tile of its length", 1, 100)
    splice: bool = _switch(True, "splice path when the full path arrives")
    splice_reach: float = _number(2.0, "where the splice meets the full path, in lengths of the quick path", 0.0, 16.0)
    splice_cap: int = _number(400, "revolutions of one splice search", 1, 100_000)
    priority: bool = _switch(True, "priority path when a walker runs out")
    priority_cap: int = _number(250, "extra revolutions of one priority path", 1, 100_000)
    priority_tick_cap: int = _number(2500, "revolutions of all priority paths of a tick", 0, 10_000_000)
    priority_end: str = _choice(PriorityEnd.KEEP, "what becomes of the search behind a priority path", PriorityEnd)
    smooth: bool = _switch(True, "pull paths straight where that costs no more")
    tries: int = _number(6, "failures in a row before a path is given up as lost", 1, 1000)
    rate_limit_requests: int = _number(10, "same way asked for more often than this is refused", 1, 30_000)
    rate_limit_ticks: int = _number(600, "ticks in which those are counted, and for which they are refused", 1, 100_000)
    patience: int = _number(200, "ticks to wait where an edit cut the way before the path is lost", 0, 100_000)
    door_wait: int = _number(30, "ticks a unit keeps a way that was cut far ahead, or by a door that flaps", 0, 10_000)
    door_far: int = _number(32, "tiles from which on a cut is far ahead", 1, 100_000)
    local_searches: int = _number(1, "fine local searches a tick, for all units together; 0 none", 0, 64)
    local_after: int = _number(10, "ticks without progress after which a body in the way is looked for", 1, 1000)
    deepening: bool = _switch(True, "local searches begin small, and look farther each time they fail")
    deepening_first: int = _number(40, "revolutions of the first of them", 1, 625)
    deepening_step: int = _number(60, "revolutions more of each that follows", 1, 625)
    deepening_delay: int = _number(20, "ticks between two of them, in which the way may clear", 1, 1000)
    rejoin: bool = _switch(True, "who was pushed off its path joins it further on, not where it left it")
    futility: bool = _switch(True, "who gets nowhere takes one step more each second, and gives up when walled in")
    futile_share: float = _number(0.2, "share of its speed below which a unit gets nowhere", 0.0, 1.0)
    futile_limit: int = _number(12, "seconds on end of getting nowhere after which a walled-in unit gives up", 1, 250)
    hazards: bool = _switch(True, "ways lead round places where comrades came to harm")
    hazard_ticks: int = _number(1200, "ticks for which such a place is remembered", 1, 1_000_000)
    near: float = _number(0.75, "within this a waypoint may be left for the next, tiles", 0.05, 2.0)
    touch: float = _number(0.36, "within this a waypoint is left unseen, tiles", 0.01, 1.0)
    arrive: float = _number(0.35, "within this the goal counts as reached, tiles", 0.01, 2.0)

    @property
    def pulls(self) -> bool:
        """Whether full paths are pulled straight: not when a modifier saw other costs than the ground's."""
        return self.smooth and not (self.engine == Engine.MACHINE and self.modifier != CostModifier.NONE)

    def quick_tiles(self, load: int) -> int:
        """Length of a quick path, tiles: proportional to the load of the queue, from its least to its greatest."""
        low, high = self.quick_tiles_min, max(self.quick_tiles_min, self.quick_tiles_max)
        return low + (high - low) * min(max(load, 0), self.quick_full_load) // self.quick_full_load
