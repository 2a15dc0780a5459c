"""The explorer: which algorithms there are, what each can be asked, and building one for a question."""

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
    "modular_astar": "A* machine",
    "theta": "Theta*",
    "lazy_theta": "Lazy Theta*",
}
"""Every algorithm by the name the bench calls it, with the name a reader is told."""

UNIFORM = frozenset({"jps", "jps_plus", "jps_plus_gb", "subgoal_1", "subgoal_2", "subgoal_n", "theta", "lazy_theta"})
"""Those that take all open ground to cost the same."""

MOST_FOR_BOUNDS = 1 << 14
"""Goal bounds take a search from every open tile: up to so many tiles while one waits.  The explorer makes its own, of
the map as it is painted, and keeps no file of them: only levels marked static have their bounds in the cache folder."""

MOST_FOR_TWO_LEVELS = 1 << 16
"""So many tiles for the choice of local subgoals."""

MOST_TILES = 1 << 20


class Explorer(Protocol):
    """A question being looked at."""

    question: Question

    @property
    def total(self) -> int:
        """Steps to the end."""
        ...

    def frame(self, step: int) -> SearchFrame:
        """The state after ``step`` expanded nodes; beyond the end the last one."""
        ...


def why_not(terrain: Terrain, question: Question) -> str:
    """Why a question cannot be asked, in a sentence; empty when it can."""
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
    """Whether the ground has more than one cost, which algorithms of :data:`UNIFORM` do not see."""
    return int(np.count_nonzero(terrain.cost_counts)) > 1


def build(terrain: Terrain, question: Question) -> Explorer:
    """The explorer of a question; ValueError with :func:`why_not`'s sentence when it cannot be asked.

    The terrain must not be edited while the explorer is in use: build another one then.
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
        "functions": ("Explorer.frame", "costs_differ"),
        "test": "tests/ai/search/explorer/test_explorer.py",
        "exhibit": "levels/exhibits/search/astar_explorer.toml",
        "overlay": "expanded",
        "setting": "paths.engine",
        "measure": "revolutions",
        "direction": "up",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
