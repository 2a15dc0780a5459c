"""Path state: every structure that the path manager keeps between ticks.

The stages of an update work on it. :class:`ai.paths.manager.PathManager` extends it by the calls that the game makes.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record, unhashed
from ai.paths.engines.path_engines import Engines
from ai.paths.replanning.hazards import HazardMemory
from ai.paths.replanning.local_replanning_queue import LocalLine
from ai.paths.replanning.moving_doors import MovingDoors
from ai.paths.replanning.refinement_state import RefinementPlans
from ai.paths.requests.goal_resolution import KnownGoals
from ai.paths.requests.path_queue import SearchQueue
from ai.paths.requests.request_columns import Requests
from ai.paths.sharing.route_cache import RouteCache
from ai.paths.sharing.shared_searches import SharedFields
from ai.paths.state.path_statistics import PathStatistics
from ai.paths.state.path_trace import PathTrace
from ai.paths.store.path_store import PathStore
from ai.search.astar.astar import AStarSearch


@record
class Flood:
    """Tiles of the last finished search: status bytes ``tiles``, and the corner (y, x)."""

    unit: int = -1
    tick: int = -1
    revolutions: int = 0
    y: int = 0
    x: int = 0
    tiles: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.uint8))


@record
class PathState:
    """Paths, requests, open searches and the structures behind them."""

    store: PathStore
    instant: AStarSearch  # the slab of splice, priority and other same-tick searches
    requests: Requests = field(default_factory=Requests)
    queue: SearchQueue = field(default_factory=SearchQueue)
    engines: Engines = field(default_factory=Engines)
    shared: SharedFields = field(default_factory=SharedFields)
    legs: RefinementPlans = field(default_factory=RefinementPlans)
    doors: MovingDoors = field(default_factory=MovingDoors)
    local: LocalLine = field(default_factory=LocalLine)
    hazards: HazardMemory = field(default_factory=HazardMemory)
    routes: RouteCache = field(default_factory=RouteCache)
    known_goals: KnownGoals = field(default_factory=KnownGoals)
    owed: int = 0  # revolutions of finished work that later ticks are charged
    revision: int = 0
    statistics: PathStatistics = unhashed(PathStatistics)
    trace: PathTrace = unhashed(PathTrace)
    flood: Flood = unhashed(Flood)
