"""``python -m tools.bench search``: our searches beside other libraries, in one process, on the same questions.

With ``--maps DIR`` the questions are scenario rows of MovingAI maps; without it they are seeded tiles of built-in maps.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ai.grid.components import Components
from ai.grid.movingai import read_map, read_scenario
from ai.grid.terrain import Terrain
from ai.search.any_angle import ThetaStar
from ai.search.astar import FOUND, AStarSearch
from ai.search.hierarchy import ClusterGraph, HierarchicalSearch
from ai.search.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.machine import PathMachine, Storage
from ai.search.subgoal import SubgoalGraph, SubgoalSearch
from ai.search.uniform import JumpPointSearch, UniformAStar, UniformGround
from ai.search.weighted import WeightedAStar, WeightedGround
from tools.bench.search_check import check_rows
from tools.bench.search_peers import PEERS, installed
from tools.bench.search_ratios import ratio_lines
from tools.bench.search_repair import repair_rows

DEFAULT_MAPS = "brc202d,Archipelago,maze512-8-0,16room_000,random512-30-0"


@dataclass
class Questions:
    """One map with its questions: tiles int32[n, 2] (y, x) and optima float64[n] (nan where nobody published one)."""

    name: str
    ground: np.ndarray
    starts: np.ndarray
    goals: np.ndarray
    optima: np.ndarray


@dataclass
class Answers:
    """What one algorithm did: microseconds and revolutions a question, costs in tiles, and what it took to prepare."""

    us: np.ndarray
    costs: np.ndarray
    expansions: np.ndarray
    preprocess_s: float = 0.0
    memory_mb: float = 0.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--maps", type=Path, metavar="DIR", help="folder of MovingAI .map and .map.scen files")
    parser.add_argument("--only", default="", help=f"maps to run, comma separated (default: {DEFAULT_MAPS}; 'all')")
    parser.add_argument("--problems", type=int, default=100, metavar="N", help="questions a map (default 100)")
    parser.add_argument("--algorithms", default="", help="algorithms to run, comma separated (default: all)")
    parser.add_argument("--no-peers", action="store_true", help="leave the other libraries out")
    parser.add_argument("--no-repairs", action="store_true", help="leave repairs after edits out")
    parser.add_argument("--check", action="store_true", help="prove every answer instead, on every map and row")


def built_in(count: int) -> list[Questions]:
    """Maps made here, for machines without the MovingAI files."""
    rng = np.random.default_rng(1)
    noise = rng.random((256, 256)) < 0.8
    rooms = np.ones((256, 256), bool)
    rooms[::16], rooms[:, ::16] = False, False
    for k in range(0, 256, 16):
        rooms[k, rng.integers(1, 256, 40)] = True
        rooms[rng.integers(1, 256, 40), k] = True
    found = []
    for name, ground in (("noise256", noise), ("rooms256", rooms)):
        labels = Components.build(Terrain.build(ground), classes=1).label_map(0)
        tiles = np.argwhere(labels == np.bincount(labels[labels > 0]).argmax()).astype(np.int32)
        pick = rng.integers(len(tiles), size=(2, count))
        found.append(Questions(name, ground, tiles[pick[0]], tiles[pick[1]], np.full(count, np.nan)))
    return found


def from_folder(folder: Path, only: str, count: int) -> list[Questions]:
    """Every n-th scenario row of the maps in ``folder``, shuffled by a fixed seed."""
    names = [p.stem for p in sorted(folder.glob("*.map"))] if only == "all" else (only or DEFAULT_MAPS).split(",")
    found = []
    for name in names:
        path = folder / f"{name}.map"
        if not path.is_file():
            continue
        scenario = read_scenario(f"{path}.scen")
        rows = np.arange(len(scenario.optima))[:: max(1, len(scenario.optima) // count)][-count:]
        rows = np.random.default_rng(0).permutation(rows)
        found.append(
            Questions(name, read_map(path), scenario.starts[rows], scenario.goals[rows], scenario.optima[rows])
        )
    return found


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
    return {"single": answers}


def run_weighted(questions: Questions, terrain: Terrain) -> dict[str, Answers]:
    """A* over terrain costs in one call."""
    WeightedGround.build(Terrain.build(np.ones((3, 3), bool)))  # compiled before it is timed
    began = time.perf_counter()
    ground = WeightedGround.build(terrain)
    prepared = time.perf_counter() - began
    search = WeightedAStar(ground)
    answers = measure(
        questions,
        lambda sy, sx, gy, gx: search.find((sy, sx), (gy, gx)),
        lambda: (search.cost, float(search.revolutions)),
    )
    answers.preprocess_s = prepared
    answers.memory_mb = (ground.price.nbytes + ground.kinds.nbytes + ground.masks.nbytes + ground.places.nbytes) / 1e6
    return {"single": answers}


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

        found = {"single": timed(kind(ground))}
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
    """HPA*: the whole path, abstract, refined and smoothed; and the abstract path alone, enough for a first move."""
    began = time.perf_counter()
    graph = ClusterGraph.build(terrain)
    prepared = time.perf_counter() - began
    search = HierarchicalSearch(graph)
    work = lambda: float(search.abstract_revolutions + search.local_revolutions)  # noqa: E731
    whole = measure(
        questions, lambda sy, sx, gy, gx: search.find(terrain, (sy, sx), (gy, gx)), lambda: (search.cost, work())
    )
    first = measure(
        questions,
        lambda sy, sx, gy, gx: search.find_abstract(terrain, (sy, sx), (gy, gx)),
        lambda: (search.cost, work()),
    )
    for answers in (whole, first):
        answers.preprocess_s = prepared
        answers.memory_mb = (graph.distances.nbytes + graph.nodes.nbytes + graph.slots.nbytes) / 1e6
    return {"single": whole, "abstract": first}


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
        best = np.inf
        for _ in range(20):
            began = time.perf_counter()
            search.find_batch(questions.starts, questions.goals)
            best = min(best, (time.perf_counter() - began) * 1e6)
        batch = Answers(np.full(len(single.us), best / len(single.us)), single.costs, single.expansions)
        for answers in (single, batch):
            answers.preprocess_s = prepared
            answers.memory_mb = (jumps.nbytes + (bounds.nbytes if bounds is not None else 0)) / 1e6
        return {"single": single, "batch": batch}

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
    "hpa": run_hpa,
    "theta": run_theta(False),
    "lazy_theta": run_theta(True),
}
"""Name -> answers a mode; none when the algorithm is not for this map."""


EXACT = ("astar", "astar_resumable", "astar_weighted", "jps", "jps_plus", "jps_plus_gb", "subgoal_1", "subgoal_2")
"""Algorithms whose costs must be the published optima."""


def row_of(questions: Questions, algorithm: str, mode: str, answers: Answers) -> dict[str, Any]:
    """One JSON row."""
    known = np.isfinite(questions.optima)
    wrong = np.abs(answers.costs - questions.optima) > 1e-4 * questions.optima + 6e-3
    return {
        "map": questions.name,
        "algorithm": algorithm,
        "mode": mode,
        "threads": 1,
        "queries": len(questions.optima),
        "optimal": bool(not wrong[known].any())
        if known.any() and algorithm in EXACT and mode != "early_stop"
        else None,
        "us_mean": float(answers.us.mean()),
        "us_p99": float(np.percentile(answers.us, 99)),
        "expansions_mean": float(answers.expansions.mean()),
        "preprocess_s": answers.preprocess_s,
        "memory_mb": answers.memory_mb,
    }


def peer_row(questions: Questions, name: str, weights: np.ndarray) -> dict[str, Any]:
    """One JSON row of another library; costs are not compared, since some of them cut corners.

    ``weights`` float64[height, width] is the price of entering a tile, infinite where it is blocked.
    """
    maker, share = PEERS[name]
    count = max(3, int(len(questions.optima) * share))
    some = Questions(
        questions.name, questions.ground, questions.starts[:count], questions.goals[:count], questions.optima[:count]
    )
    us = time_each(some, maker(weights), repeat=1 if share < 0.1 else 3)
    return {
        "map": some.name,
        "algorithm": name,
        "mode": "single",
        "threads": 1,
        "queries": count,
        "optimal": None,
        "us_mean": float(us.mean()),
        "us_p99": float(np.percentile(us, 99)),
        "expansions_mean": None,
        "preprocess_s": 0.0,
        "memory_mb": None,
    }


def patchy_costs(ground: np.ndarray) -> np.ndarray:
    """Terrain costs in seeded patches of 12 x 12 tiles: road, grass, wood, reeds."""
    height, width = ground.shape
    patches = np.random.default_rng(3).choice([6, 8, 8, 12, 20], (height // 12 + 1, width // 12 + 1))
    return np.kron(patches, np.ones((12, 12), int))[:height, :width].astype(np.uint8)


def costs_rows(questions: Questions, peers: list[str]) -> list[dict[str, Any]]:
    """The resumable A* and the peers that know terrain costs, on the same map under patchy costs."""
    terrain = Terrain.build(questions.ground, patchy_costs(questions.ground))
    unknown = Questions(
        f"{questions.name}+costs",
        questions.ground,
        questions.starts,
        questions.goals,
        np.full(len(questions.starts), np.nan),
    )
    found = [
        row_of(unknown, name, "single", ALGORITHMS[name](unknown, terrain)["single"])
        for name in ("astar_weighted", "astar_resumable")
    ]
    weights = np.where(questions.ground, terrain.cost / terrain.lowest_cost, np.inf)
    return found + [peer_row(unknown, name, weights) for name in peers if name in ("pyastar2d", "tcod")]


def machine_rows(questions: Questions, terrain: Terrain) -> list[dict[str, Any]]:
    """The generic machine with each storage, on a few questions: what the choice of an open list is worth."""
    few = Questions(questions.name, questions.ground, questions.starts[:5], questions.goals[:5], questions.optima[:5])
    ground = np.where(questions.ground, terrain.cost, 0).astype(np.uint8)
    machine = PathMachine(*ground.shape)
    found = []
    for storage in (Storage.HEAP, Storage.CHEAP_LIST, Storage.SORTED_LIST):

        def ask(sy: int, sx: int, gy: int, gx: int, storage: Storage = storage) -> None:
            machine.begin(ground, (sy, sx), (gy, gx), storage)
            machine.run(1 << 60)
            machine.path()

        answers = measure(few, ask, lambda: (machine.cost, float(machine.revolutions)))
        found.append(row_of(few, "machine", storage.name.lower(), answers))
    return found


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """All rows: for each map our algorithms, then the installed peers."""
    if args.check:
        folder = args.maps or (Path(os.environ["FOGLINE_MAPS"]) if "FOGLINE_MAPS" in os.environ else None)
        return check_rows(folder, args.only, args.problems, kept=args.json, algorithms=args.algorithms)
    problems = from_folder(args.maps, args.only, args.problems) if args.maps else built_in(args.problems)
    wanted = args.algorithms.split(",") if args.algorithms else list(ALGORITHMS)
    found = []
    for questions in problems:
        terrain = Terrain.build(questions.ground)
        for name in wanted:
            for mode, answers in ALGORITHMS[name](questions, terrain).items():
                found.append(row_of(questions, name, mode, answers))
        peers = [] if args.no_peers else installed()
        found += [peer_row(questions, name, np.where(questions.ground, 1.0, np.inf)) for name in peers]
        if "astar_weighted" in wanted:
            found += costs_rows(questions, peers)
        if not args.algorithms:
            found += machine_rows(questions, terrain)
        if not args.no_repairs and not args.algorithms:
            found += repair_rows(questions.name, questions.ground)
    return found


def summary(found: list[dict[str, Any]]) -> int:
    """Print ratios against their goals, or how many answers were proved; 1 when an answer was wrong."""
    for line in ratio_lines(found):
        print(line)
    wrong = [row for row in found if row["optimal"] is False]
    for row in wrong:
        print(f"WRONG: {row['algorithm']} on {row['map']}")
    return 1 if wrong else 0
