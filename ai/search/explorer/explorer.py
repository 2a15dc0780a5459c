"""Lists the explorer's algorithms and builds the explorer of a question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from ai.grid.terrain import Terrain
from ai.search.explorer import stepped_abstract, stepped_astar, stepped_uniform
from ai.search.explorer.search_frame import Question, SearchFrame
from ai.search.explorer.textbook_astar import TextbookSearch
from ai.search.regions.next_hop import MOST_REGIONS
from ai.search.regions.region_graph import Regions

ALGORITHMS: dict[str, str] = {
    "astar": "A*",
    "dijkstra": "Dijkstra flood",
    "textbook": "A* by the book",
    "greedy": "Greedy best first",
    "jps": "Jump points",
    "jps_plus": "JPS+",
    "jps_plus_gb": "JPS+ goal bounds",
    "subgoal_1": "Subgoal graph",
    "subgoal_2": "Subgoals, 2 levels",
    "subgoal_n": "Subgoals, all levels",
    "hpa": "HPA*",
    "hpa_2": "HPA*, 2 levels",
    "hpa_batch": "Clusters, landmarks",
    "regions": "Regions",
    "next_hop": "Next-hop table",
    "modular_astar": "Modular A*",
    "theta": "Theta*",
    "lazy_theta": "Lazy Theta*",
}
"""Display name of every algorithm, by its name in the bench."""

UNIFORM = frozenset({"jps", "jps_plus", "jps_plus_gb", "subgoal_1", "subgoal_2", "subgoal_n", "theta", "lazy_theta"})
"""Algorithms that assume the same cost on all open ground."""

MOST_FOR_BOUNDS = 1 << 14
"""Largest number of tiles for which the explorer computes goal bounds.

Goal bounds need one search per open tile, while the user waits. The explorer computes them for the painted map and
writes no file. Only levels marked static keep their bounds in the cache folder.
"""

MOST_FOR_TWO_LEVELS = 1 << 16
"""Largest number of tiles for which local subgoals are chosen."""

MOST_TILES = 1 << 20


class Explorer(Protocol):
    """Protocol of a question that can be stepped through."""

    question: Question

    @property
    def total(self) -> int:
        """Number of steps to the end."""
        ...

    def frame(self, step: int) -> SearchFrame:
        """Return the state after ``step`` expanded nodes, at most the last one."""
        ...


def why_not(terrain: Terrain, question: Question) -> str:
    """Return the reason why a question is not possible, or an empty string."""
    if question.algorithm not in ALGORITHMS:
        return f"There is no algorithm {question.algorithm!r}."
    for name, tile in (("start", question.start), ("goal", question.goal)):
        if not terrain.inside(*tile):
            return f"The {name} lies outside the map."
        if not stepped_astar.passable_to(terrain, question.movement_class, tile):
            return f"The {name} is blocked."
    if question.algorithm == "jps_plus_gb" and terrain.passable.size > MOST_FOR_BOUNDS:
        return "This map is too large to bound goals while you wait."
    if question.algorithm in ("subgoal_2", "subgoal_n") and terrain.passable.size > MOST_FOR_TWO_LEVELS:
        return "This map is too large to choose local subgoals while you wait."
    if terrain.passable.size > MOST_TILES:
        return "This map is too large to step through."
    if question.algorithm == "next_hop" and _too_many_regions(terrain, question.movement_class):
        return "This map has too many regions for a table of next hops."
    return ""


def _too_many_regions(terrain: Terrain, movement_class: int) -> bool:
    few = terrain.passable.size <= MOST_REGIONS
    return not few and Regions.build(terrain, movement_class).open_count > MOST_REGIONS


def costs_differ(terrain: Terrain) -> bool:
    """Return whether the ground has more than one cost.

    The algorithms of :data:`UNIFORM` ignore costs.
    """
    return int(np.count_nonzero(terrain.cost_counts)) > 1


def build(terrain: Terrain, question: Question) -> Explorer:
    """Return the explorer of a question.

    ValueError with the sentence of :func:`why_not` when the question is not possible. Do not edit the terrain while the
    explorer is in use; build another one then.
    """
    wrong = why_not(terrain, question)
    if wrong:
        raise ValueError(wrong)
    name = question.algorithm
    if name in ("astar", "dijkstra"):
        return stepped_astar.SteppedAStar(terrain, question, flood=name == "dijkstra")
    if name == "textbook":
        return TextbookSearch(terrain, question)
    if name == "greedy":
        return TextbookSearch(terrain, Question(**{**question.__dict__, "weight": float("inf")}))
    made: dict[str, Callable[[Terrain, Question], Explorer]] = {
        "jps": stepped_uniform.SteppedJPS,
        "jps_plus": stepped_uniform.SteppedJPSPlus,
        "jps_plus_gb": stepped_uniform.SteppedBounds,
        "subgoal_1": stepped_uniform.SteppedSubgoals,
        "subgoal_2": stepped_uniform.SteppedSubgoals2,
        "subgoal_n": stepped_uniform.SteppedSubgoalsN,
        "hpa": stepped_abstract.SteppedHPA,
        "hpa_2": stepped_abstract.SteppedHPA2,
        "hpa_batch": stepped_abstract.SteppedHpaBatch,
        "regions": stepped_abstract.SteppedRegions,
        "next_hop": stepped_abstract.SteppedNextHops,
        "modular_astar": stepped_astar.SteppedModularAstar,
        "theta": stepped_uniform.SteppedTheta,
        "lazy_theta": stepped_uniform.SteppedLazyTheta,
    }
    return made[name](terrain, question)


TECHNIQUES = (
    {
        "slug": "astar-explorer",
        "name": "A* explorer: every search step by step",
        "ids": ("AW-3.1-2",),
        "source": "AI Game Programming Wisdom, 3.1",
        "functions": ("why_not", "costs_differ", "build"),
        "test": "tests/ai/search/explorer/test_explorer.py",
        "exhibit": "levels/exhibits/search/astar_explorer.toml",
        "overlay": "expanded",
        "setting": "paths.engine",
        "measure": "revolutions",
        "direction": "up",
        "claim": (
            "Six break conditions, and steps in both directions. Maps have no heights, so the cost of a climb takes "
            "the cost of the ground for its height."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
