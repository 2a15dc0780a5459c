"""Trials of the search benchmark: each of our searches on one map.

Every ``run_...`` prepares one :class:`Trial` per mode. ``single`` is one call from Python per question, ``batch`` is
all questions in one call (``batch_threads``: the same on two threads). ``overhead`` is the cost of a call from a tile
to itself.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ai.grid.terrain import Terrain
from ai.paths.settings import PathSettings
from ai.search.any_angle.any_angle import ThetaStar
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.astar.astar_costs import AStarOverCosts, CostGround
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from ai.search.hierarchy.hpa_batch import HpaAnswers, HpaBatch
from ai.search.jps.jps import JumpPointSearch, UniformAStar, UniformGround
from ai.search.jps.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.query_batch import Search, find_batch
from ai.search.regions.next_hop import MOST_REGIONS, NextHops
from ai.search.regions.region_graph import Regions
from ai.search.regions.resumable_batch import WholeAStar, WholeRegionPaths
from ai.search.subgoals.subgoal_search import MOST_LEVELS, SubgoalGraph, SubgoalSearch
from tools.bench.search.search_trials import Questions, Trial, overhead


def batches(questions: Questions, single: Trial, searches: list[Search]) -> dict[str, Trial]:
    """Prepare a batch of all questions in one call.

    With a second search the batch runs in two threads. The preparation is that of ``single``.
    """

    def told() -> tuple[np.ndarray, np.ndarray]:
        found = find_batch(searches[0], questions.starts, questions.goals)
        return found.costs, found.revolutions.astype(float)

    def asked(these: list[Search]) -> Trial:
        return Trial(
            questions,
            lambda: find_batch(these, questions.starts, questions.goals),
            batch=True,
            told=told,
            preprocess_s=single.preprocess_s,
            memory_mb=single.memory_mb,
            threads=len(these),
        )

    return {"batch": asked(searches[:1]), **({"batch_threads": asked(searches)} if len(searches) > 1 else {})}


def run_resumable(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
    """The resumable A* over terrain costs, whole search and path in one go."""
    search = AStarSearch(terrain.height, terrain.width)

    def ask(sy: int, sx: int, gy: int, gx: int) -> None:
        search.begin(terrain, 0, (sy, sx), (gy, gx))
        search.run(terrain, 1 << 40)
        search.path()

    trial = Trial(
        questions, ask, lambda: (search.cost if search.status == FOUND else np.inf, float(search.revolutions))
    )
    trial.memory_mb = slab_mb(terrain)
    return {
        "single": trial,
        **batches(questions, trial, [WholeAStar(terrain), WholeAStar(terrain)]),
        "overhead": overhead(questions, ask),
    }


def run_regions(table: bool) -> Callable[[Questions, Terrain], dict[str, Trial]]:
    """Prepare paths over regions, not smoothed.

    They use the regions' borders, or a ``table`` of next hops that was filled before.
    """

    def run(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
        Regions.build(Terrain.build(np.ones((3, 3), bool)))  # compiled before it is timed
        began = time.perf_counter()
        regions, hops = Regions.build(terrain), None
        if table:
            if regions.open_count > MOST_REGIONS:
                return {}
            hops = NextHops.build(regions)
            while hops.fill(regions, 1 << 20):
                pass
        prepared = time.perf_counter() - began
        searches: list[Search] = [WholeRegionPaths(terrain, regions, hops) for _ in range(2)]
        search = WholeRegionPaths(terrain, regions, hops)

        def ask(sy: int, sx: int, gy: int, gx: int) -> Any:
            return search.find((sy, sx), (gy, gx))

        trial = Trial(questions, ask, lambda: (search.cost, float(search.revolutions)), preprocess_s=prepared)
        made = vars(regions).values() if hops is None else [*vars(regions).values(), *vars(hops).values()]
        trial.memory_mb = sum(a.nbytes for a in made if isinstance(a, np.ndarray)) / 1e6
        return {
            "single": trial,
            **batches(questions, trial, searches),
            "overhead": overhead(questions, ask),
        }

    return run


def run_weighted(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
    """A* over terrain costs in one call."""
    CostGround.build(Terrain.build(np.ones((3, 3), bool)))  # compiled before it is timed
    began = time.perf_counter()
    ground = CostGround.build(terrain)
    prepared = time.perf_counter() - began
    search = AStarOverCosts(ground)

    def ask(sy: int, sx: int, gy: int, gx: int) -> Any:
        return search.find((sy, sx), (gy, gx))

    trial = Trial(questions, ask, lambda: (search.cost, float(search.revolutions)))
    trial.preprocess_s = prepared
    trial.memory_mb = (ground.price.nbytes + ground.kinds.nbytes + ground.masks.nbytes + ground.places.nbytes) / 1e6
    return {
        "single": trial,
        **batches(questions, trial, [AStarOverCosts(ground), AStarOverCosts(ground)]),
        "overhead": overhead(questions, ask),
    }


def run_uniform(kind: type[UniformAStar] | type[JumpPointSearch]) -> Callable[[Questions, Terrain], dict[str, Trial]]:
    """A search on uniform ground, tiles of the path copied out."""

    def run(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
        began = time.perf_counter()
        ground = UniformGround.build(terrain)
        prepared = time.perf_counter() - began

        def asked(search: UniformAStar | JumpPointSearch) -> Trial:
            return Trial(
                questions,
                lambda sy, sx, gy, gx: search.find((sy, sx), (gy, gx)),
                lambda: (search.cost, float(search.revolutions)),
                preprocess_s=prepared,
                memory_mb=sum(a.nbytes for a in vars(ground).values() if isinstance(a, np.ndarray)) / 1e6,
            )

        single = asked(kind(ground))
        found = {
            "single": single,
            **batches(questions, single, [kind(ground), kind(ground)]),
            "overhead": overhead(questions, asked(kind(ground)).ask),
        }
        if kind is JumpPointSearch:
            found["early_stop"] = asked(JumpPointSearch(ground, early_stop=True))
        return found

    return run


def run_theta(lazy: bool) -> Callable[[Questions, Terrain], dict[str, Trial]]:
    """Any-angle search between tile centres; its lengths are shorter than the octile optima."""

    def run(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
        ground = UniformGround.build(terrain)
        search = ThetaStar(ground, lazy)

        def ask(sy: int, sx: int, gy: int, gx: int) -> Any:
            return search.find((sy, sx), (gy, gx))

        single = Trial(questions, ask, lambda: (search.length, float(search.revolutions)))
        return {
            "single": single,
            **batches(questions, single, [ThetaStar(ground, lazy), ThetaStar(ground, lazy)]),
            "overhead": overhead(questions, ask),
        }

    return run


def run_hpa(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
    """Prepare HPA*: the whole path over one level, and a first move over three.

    The whole path is abstract, refined and smoothed. The first move is the abstract path and its first hop.
    """
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

    def whole(sy: int, sx: int, gy: int, gx: int) -> Any:
        return one.find(terrain, (sy, sx), (gy, gx))

    found = {
        "single": Trial(questions, whole, read(one)),
        "overhead": overhead(questions, whole),
        "first_move": Trial(questions, first_move, read(three)),
    }
    for trial in found.values():
        trial.preprocess_s = prepared
        trial.memory_mb = (graph.distances.nbytes + graph.nodes.nbytes + graph.slots.nbytes) / 1e6
    return found


def run_hpa_batch(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
    """Prepare paths over clusters with landmarks as the path manager requests them.

    All questions are one call, and paths are not smoothed.
    """
    began = time.perf_counter()
    paths = HpaBatch.build(terrain)
    prepared = time.perf_counter() - began
    heuristic_weight = PathSettings().heuristic_weight

    def plan() -> HpaAnswers:
        return paths.plan(terrain, questions.starts, questions.goals, 1 << 60, heuristic_weight)

    def told() -> tuple[np.ndarray, np.ndarray]:
        answers = plan()
        parts = itertools.pairwise(answers.offsets.tolist())
        costs = [_cost_of(terrain, answers.tiles[a:b]) for a, b in parts]
        return np.array(costs), answers.revolutions.astype(float)

    trial = Trial(questions, plan, batch=True, told=told, preprocess_s=prepared)
    graph = paths.graph
    trial.memory_mb = (graph.distances.nbytes + graph.nodes.nbytes + graph.slots.nbytes + paths.marks.nbytes) / 1e6
    return {"batch": trial}


def _cost_of(terrain: Terrain, path: np.ndarray) -> float:
    """Cost of a tile path in tiles, infinite for none."""
    if len(path) == 0:
        return np.inf
    price = terrain.cost[path[:, 0], path[:, 1]].astype(float)
    return float((np.hypot(*np.diff(path, axis=0).T) * (price[1:] + price[:-1])).sum()) / 16


def run_subgoal(levels: int) -> Callable[[Questions, Terrain], dict[str, Trial]]:
    """Subgoal graphs, all tiles of the path."""

    def run(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
        ground = UniformGround.build(terrain)
        SubgoalGraph.build(
            UniformGround.build(Terrain.build(np.ones((3, 3), bool))), levels
        )  # compiled before it is timed
        began = time.perf_counter()
        graph = SubgoalGraph.build(ground, levels)
        prepared = time.perf_counter() - began
        search = SubgoalSearch(graph, ground)

        def ask(sy: int, sx: int, gy: int, gx: int) -> Any:
            return search.find((sy, sx), (gy, gx))

        trial = Trial(questions, ask, lambda: (search.cost, float(search.revolutions)), preprocess_s=prepared)
        trial.memory_mb = (graph.links.nbytes + graph.spans.nbytes + ground.moves.size * 20) / 1e6
        return {
            "single": trial,
            **batches(questions, trial, [SubgoalSearch(graph, ground), SubgoalSearch(graph, ground)]),
            "overhead": overhead(questions, ask),
        }

    return run


MOST_BOUNDED = 60_000
"""Open cells up to which goal bounds are made.

Goal bounds take time and memory by the square.
"""


def jumps_in_threads(searches: list[JPSPlus], starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Costs of JPS+ in a batch.

    Each search takes an equal part in a thread of its own.
    """
    parts = zip(searches, np.array_split(starts, len(searches)), np.array_split(goals, len(searches)), strict=True)
    with ThreadPoolExecutor(len(searches)) as pool:
        found = [pool.submit(search.find_batch, first, last) for search, first, last in parts]
        return np.concatenate([answers.result()[2] for answers in found])


def run_jps_plus(bounded: bool) -> Callable[[Questions, Terrain], dict[str, Trial]]:
    """JPS+ answering with jump points, one call a question and all in one call."""

    def run(questions: Questions, terrain: Terrain) -> dict[str, Trial]:
        if bounded and np.count_nonzero(questions.ground) > MOST_BOUNDED:
            return {}
        ground = UniformGround.build(terrain)
        goal_bound_table(UniformGround.build(Terrain.build(np.ones((3, 3), bool))))  # compiled before it is timed
        began = time.perf_counter()
        jumps = jump_tables(ground)
        bounds = goal_bound_table(ground) if bounded else None
        prepared = time.perf_counter() - began
        search = JPSPlus(ground, jumps, bounds)
        every = np.hstack((questions.starts, questions.goals)) if questions.every is None else questions.every
        starts, goals = (np.ascontiguousarray(every[:, a : a + 2]) for a in (0, 2))
        single = Trial(questions, search.find_jumps, lambda: (search.cost, float(search.revolutions)))

        def told() -> tuple[np.ndarray, np.ndarray]:
            answers = single.answers()
            return answers.costs, answers.expansions

        batch = Trial(questions, lambda: search.find_batch(starts, goals), batch=True, told=told, queries=len(every))
        pair = [JPSPlus(ground, jumps, bounds) for _ in range(2)]
        threads = Trial(
            questions,
            lambda: jumps_in_threads(pair, starts, goals),
            batch=True,
            told=told,
            queries=len(every),
            threads=len(pair),
        )
        batch.repeat = threads.repeat = 3
        for trial in (single, batch, threads):
            trial.preprocess_s = prepared
            trial.memory_mb = (jumps.nbytes + (bounds.nbytes if bounds is not None else 0)) / 1e6
        return {
            "single": single,
            "batch": batch,
            "batch_threads": threads,
            "overhead": overhead(questions, search.find_jumps),
        }

    return run


def slab_mb(terrain: Terrain) -> float:
    """Memory of one search slab: status and cost bytes and int64 g a tile."""
    return (terrain.height + 2) * (terrain.width + 2) * 10 / 1e6


ALGORITHMS: dict[str, Callable[[Questions, Terrain], dict[str, Trial]]] = {
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
    "hpa_long_ways": run_hpa_batch,
    "regions": run_regions(False),
    "next_hop": run_regions(True),
    "theta": run_theta(False),
    "lazy_theta": run_theta(True),
}
"""Trials by name, one per mode.

There is none when the algorithm does not support the map.
"""
