"""What the search benchmark measures: each of our searches on the questions of one map.

Every ``run_...`` answers with one :class:`Answers` a mode: ``single`` is one call from Python, ``batch`` all in one
call, ``overhead`` what a call costs from a tile to itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ai.grid.terrain import Terrain
from ai.search.any_angle import ThetaStar
from ai.search.astar import FOUND, AStarSearch
from ai.search.hierarchy import ClusterGraph, HierarchicalSearch
from ai.search.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.long_way import LongWays
from ai.search.subgoal import MOST_LEVELS, SubgoalGraph, SubgoalSearch
from ai.search.uniform import JumpPointSearch, UniformAStar, UniformGround
from ai.search.weighted import WeightedAStar, WeightedGround


@dataclass
class Questions:
    """One map with its questions: tiles int32[n, 2] (y, x) and optima float64[n] (nan where nobody published one).

    ``every`` int32[m, 4] are all rows of the scenario, for batches; None: these questions.
    """

    name: str
    ground: np.ndarray
    starts: np.ndarray
    goals: np.ndarray
    optima: np.ndarray
    every: np.ndarray | None = None


@dataclass
class Answers:
    """What one algorithm did: microseconds and revolutions a question, costs in tiles, and what it took to prepare.

    ``queries`` is how many were asked when not as many as there are costs.
    """

    us: np.ndarray
    costs: np.ndarray
    expansions: np.ndarray
    preprocess_s: float = 0.0
    memory_mb: float = 0.0
    queries: int | None = None


ENOUGH = 3.0
"""Seconds of rounds of one search on one map."""


def time_each(questions: Questions, ask: Callable[[int, int, int, int], Any], repeat: int = 3) -> np.ndarray:
    """Microseconds a question, the best of ``repeat`` rounds each: other programs only ever make a call slower.

    No round is begun after ENOUGH seconds: what is slow is little disturbed.
    """
    rows = np.hstack((questions.starts, questions.goals)).tolist()
    ask(*rows[0])
    best = np.full(len(rows), np.inf)
    first = time.perf_counter()
    for _ in range(repeat):
        if np.isfinite(best).all() and time.perf_counter() - first > ENOUGH:
            break
        for i, row in enumerate(rows):
            began = time.perf_counter()
            ask(*row)
            best[i] = min(best[i], (time.perf_counter() - began) * 1e6)
    return best


def measure(
    questions: Questions, ask: Callable[[int, int, int, int], Any], read: Callable[[], tuple[float, float]]
) -> Answers:
    """Time ``ask``, then ask once more and ``read`` cost and revolutions of each answer."""
    us = time_each(questions, ask)
    told = []
    for row in np.hstack((questions.starts, questions.goals)).tolist():
        ask(*row)
        told.append(read())
    costs, expansions = np.array(told).T
    return Answers(us, costs, expansions)


def overhead(questions: Questions, ask: Callable[[int, int, int, int], Any]) -> Answers:
    """What a call costs from a tile to itself: Python on top of the kernel."""
    here = Questions(questions.name, questions.ground, questions.starts, questions.starts, questions.optima)
    us = time_each(here, ask, repeat=20)
    return Answers(us, np.zeros(len(us)), np.zeros(len(us)))


def run_resumable(questions: Questions, terrain: Terrain) -> dict[str, Answers]:
    """The resumable A* over terrain costs, whole search and path in one go."""
    search = AStarSearch(terrain.height, terrain.width)

    def ask(sy: int, sx: int, gy: int, gx: int) -> None:
        search.begin(terrain, 0, (sy, sx), (gy, gx))
        search.run(terrain, 1 << 40)
        search.path()

    answers = measure(
        questions, ask, lambda: (search.cost if search.status == FOUND else np.inf, float(search.revolutions))
    )
    answers.memory_mb = slab_mb(terrain)
    return {"single": answers, "overhead": overhead(questions, ask)}


def run_weighted(questions: Questions, terrain: Terrain) -> dict[str, Answers]:
    """A* over terrain costs in one call."""
    WeightedGround.build(Terrain.build(np.ones((3, 3), bool)))  # compiled before it is timed
    began = time.perf_counter()
    ground = WeightedGround.build(terrain)
    prepared = time.perf_counter() - began
    search = WeightedAStar(ground)

    def ask(sy: int, sx: int, gy: int, gx: int) -> Any:
        return search.find((sy, sx), (gy, gx))

    answers = measure(questions, ask, lambda: (search.cost, float(search.revolutions)))
    answers.preprocess_s = prepared
    answers.memory_mb = (ground.price.nbytes + ground.kinds.nbytes + ground.masks.nbytes + ground.places.nbytes) / 1e6
    return {"single": answers, "overhead": overhead(questions, ask)}


def run_uniform(kind: type[UniformAStar] | type[JumpPointSearch]) -> Callable[[Questions, Terrain], dict[str, Answers]]:
    """A search on uniform ground, tiles of the path copied out."""

    def run(questions: Questions, terrain: Terrain) -> dict[str, Answers]:
        began = time.perf_counter()
        ground = UniformGround.build(terrain)
        prepared = time.perf_counter() - began

        def timed(search: UniformAStar | JumpPointSearch) -> Answers:
            answers = measure(
                questions,
                lambda sy, sx, gy, gx: search.find((sy, sx), (gy, gx)),
                lambda: (search.cost, float(search.revolutions)),
            )
            answers.preprocess_s = prepared
            answers.memory_mb = sum(a.nbytes for a in vars(ground).values() if isinstance(a, np.ndarray)) / 1e6
            return answers

        trivial = kind(ground)
        found = {
            "single": timed(kind(ground)),
            "overhead": overhead(questions, lambda sy, sx, gy, gx: trivial.find((sy, sx), (gy, gx))),
        }
        if kind is JumpPointSearch:
            found["early_stop"] = timed(JumpPointSearch(ground, early_stop=True))
        return found

    return run


def run_theta(lazy: bool) -> Callable[[Questions, Terrain], dict[str, Answers]]:
    """Any-angle search between tile centres; its lengths are shorter than the octile optima."""

    def run(questions: Questions, terrain: Terrain) -> dict[str, Answers]:
        search = ThetaStar(UniformGround.build(terrain), lazy)
        return {
            "single": measure(
                questions,
                lambda sy, sx, gy, gx: search.find((sy, sx), (gy, gx)),
                lambda: (search.length, float(search.revolutions)),
            )
        }

    return run


def run_hpa(questions: Questions, terrain: Terrain) -> dict[str, Answers]:
    """HPA*: the whole path, abstract, refined and smoothed, over one level; over three levels what a first move takes,
    the abstract path and its first hop; and the whole path by :class:`LongWays`, all questions in one call."""
    began = time.perf_counter()
    graph = ClusterGraph.build(terrain)
    prepared = time.perf_counter() - began
    one, three = HierarchicalSearch(graph), HierarchicalSearch(ClusterGraph.build(terrain, levels=3))

    def first_move(sy: int, sx: int, gy: int, gx: int) -> None:
        hops = three.find_abstract(terrain, (sy, sx), (gy, gx))
        if hops is not None:
            three.refine(terrain, hops, 0, min(1, len(hops) - 1))

    def read(search: HierarchicalSearch) -> Callable[[], tuple[float, float]]:
        return lambda: (search.cost, float(search.abstract_revolutions + search.local_revolutions))

    found = {
        "single": measure(questions, lambda sy, sx, gy, gx: one.find(terrain, (sy, sx), (gy, gx)), read(one)),
        "first_move": measure(questions, first_move, read(three)),
    }
    ways = LongWays.build(terrain)
    best = np.inf
    for _ in range(3):
        began = time.perf_counter()
        answered = ways.plan(terrain, questions.starts, questions.goals, 1 << 60)
        best = min(best, (time.perf_counter() - began) * 1e6)
    count = len(questions.starts)
    found["batch"] = Answers(np.full(count, best / count), np.full(count, np.nan), answered.revolutions)
    for answers in found.values():
        answers.preprocess_s = prepared
        answers.memory_mb = (graph.distances.nbytes + graph.nodes.nbytes + graph.slots.nbytes) / 1e6
    return found


def run_subgoal(levels: int) -> Callable[[Questions, Terrain], dict[str, Answers]]:
    """Subgoal graphs, all tiles of the path."""

    def run(questions: Questions, terrain: Terrain) -> dict[str, Answers]:
        ground = UniformGround.build(terrain)
        SubgoalGraph(UniformGround.build(Terrain.build(np.ones((3, 3), bool))), levels)  # compiled before it is timed
        began = time.perf_counter()
        graph = SubgoalGraph(ground, levels)
        prepared = time.perf_counter() - began
        search = SubgoalSearch(graph)
        answers = measure(
            questions,
            lambda sy, sx, gy, gx: search.find((sy, sx), (gy, gx)),
            lambda: (search.cost, float(search.revolutions)),
        )
        answers.preprocess_s = prepared
        answers.memory_mb = (graph.links.nbytes + graph.first.nbytes + ground.moves.size * 20) / 1e6
        return {"single": answers}

    return run


MOST_BOUNDED = 60_000
"""Open cells up to which goal bounds are made: they take time and memory by the square."""


def run_jps_plus(bounded: bool) -> Callable[[Questions, Terrain], dict[str, Answers]]:
    """JPS+ answering with jump points, one call a question and all in one call."""

    def run(questions: Questions, terrain: Terrain) -> dict[str, Answers]:
        if bounded and np.count_nonzero(questions.ground) > MOST_BOUNDED:
            return {}
        ground = UniformGround.build(terrain)
        goal_bound_table(UniformGround.build(Terrain.build(np.ones((3, 3), bool))))  # compiled before it is timed
        began = time.perf_counter()
        jumps = jump_tables(ground)
        bounds = goal_bound_table(ground) if bounded else None
        prepared = time.perf_counter() - began
        search = JPSPlus(ground, jumps, bounds)
        single = measure(questions, search.find_jumps, lambda: (search.cost, float(search.revolutions)))
        every = np.hstack((questions.starts, questions.goals)) if questions.every is None else questions.every
        starts, goals = (np.ascontiguousarray(every[:, a : a + 2]) for a in (0, 2))
        best = np.inf
        for _ in range(20):
            began = time.perf_counter()
            search.find_batch(starts, goals)
            best = min(best, (time.perf_counter() - began) * 1e6)
        us = np.full(len(single.us), best / len(every))
        batch = Answers(us, single.costs, single.expansions, queries=len(every))
        for answers in (single, batch):
            answers.preprocess_s = prepared
            answers.memory_mb = (jumps.nbytes + (bounds.nbytes if bounds is not None else 0)) / 1e6
        return {"single": single, "batch": batch, "overhead": overhead(questions, search.find_jumps)}

    return run


def slab_mb(terrain: Terrain) -> float:
    """Memory of one search slab: status and cost bytes and int64 g a tile."""
    return (terrain.height + 2) * (terrain.width + 2) * 10 / 1e6


ALGORITHMS: dict[str, Callable[[Questions, Terrain], dict[str, Answers]]] = {
    "astar": run_uniform(UniformAStar),
    "astar_resumable": run_resumable,
    "astar_weighted": run_weighted,
    "jps": run_uniform(JumpPointSearch),
    "jps_plus": run_jps_plus(False),
    "jps_plus_gb": run_jps_plus(True),
    "subgoal_1": run_subgoal(1),
    "subgoal_2": run_subgoal(2),
    "subgoal_n": run_subgoal(MOST_LEVELS),
    "hpa": run_hpa,
    "theta": run_theta(False),
    "lazy_theta": run_theta(True),
}
"""Name -> answers a mode; none when the algorithm is not for this map."""
