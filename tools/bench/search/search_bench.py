"""``python -m tools.bench search``: our searches beside other libraries, in one process, on the same questions.

With ``--maps DIR`` the questions are scenario rows of MovingAI maps; without it they are seeded tiles of built-in maps.

A JSON row has ``map, algorithm, mode, threads, queries, optimal, us_mean, us_p99, expansions_mean, preprocess_s,
memory_mb``.  Rows of repairs (``mode`` begins with ``repair_``) have three more: ``us_median``, ``us_max`` and
``slice_max_us``, as in :mod:`tools.bench.search.search_repair`; rows of ``--check`` are described in
:mod:`tools.bench.search.search_check`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ai.grid.components import Components
from ai.grid.movingai import read_map, read_scenario
from ai.grid.terrain import Terrain
from ai.search.modular_astar.modular_astar import ModularAstar, Storage
from tools.bench import positive
from tools.bench.search.generated_city import city
from tools.bench.search.search_check import check_rows
from tools.bench.search.search_peers import PEERS, installed
from tools.bench.search.search_ratios import ratio_lines
from tools.bench.search.search_repair import repair_rows
from tools.bench.search.search_runs import ALGORITHMS
from tools.bench.search.search_trials import ROUNDS, Answers, Questions, Trial, take_turns

DEFAULT_MAPS = "brc202d,Archipelago,maze512-8-0,16room_000,random512-30-0"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this benchmark."""
    parser.add_argument("--maps", type=Path, metavar="DIR", help="folder with MovingAI .map and .map.scen files")
    parser.add_argument("--only", default="", help=f"maps to run, comma separated (default: {DEFAULT_MAPS}; 'all')")
    parser.add_argument("--city", type=positive, metavar="SIDE", help="a generated city of this many tiles a side")
    parser.add_argument("--problems", type=positive, default=100, metavar="N", help="questions per map (default 100)")
    parser.add_argument("--algorithms", default="", help="algorithms to run, comma separated (default: all)")
    parser.add_argument("--no-peers", action="store_true", help="leave out other libraries")
    parser.add_argument("--no-repairs", action="store_true", help="leave out repairs after edits")
    parser.add_argument("--check", action="store_true", help="prove every answer instead, on every map and row")


def _asked_of(name: str, ground: np.ndarray, count: int, rng: np.random.Generator) -> Questions:
    """Seeded questions between tiles of the largest component."""
    labels = Components.build(Terrain.build(ground), classes=1).label_map(0)
    tiles = np.argwhere(labels == np.bincount(labels[labels > 0]).argmax()).astype(np.int32)
    pick = rng.integers(len(tiles), size=(2, count))
    return Questions(name, ground, tiles[pick[0]], tiles[pick[1]], np.full(count, np.nan))


def built_in(count: int) -> list[Questions]:
    """Maps made here, for machines without the MovingAI files."""
    rng = np.random.default_rng(1)
    noise = rng.random((256, 256)) < 0.8
    rooms = np.ones((256, 256), bool)
    rooms[::16], rooms[:, ::16] = False, False
    for k in range(0, 256, 16):
        rooms[k, rng.integers(1, 256, 40)] = True
        rooms[rng.integers(1, 256, 40), k] = True
    return [_asked_of("noise256", noise, count, rng), _asked_of("rooms256", rooms, count, rng)]


def rooms320(count: int) -> Questions:
    """Rooms of 19 x 19 tiles on 320 x 320 tiles, with doors.

    There is a door in every wall.

    It is the map on which HPA* is measured.
    """
    rng = np.random.default_rng(1)
    ground = np.ones((320, 320), bool)
    ground[::20] = ground[-1] = False
    ground[:, ::20] = ground[:, -1] = False
    for y in range(0, 320, 20):
        for x in range(0, 320, 20):
            along, down = rng.integers(1, 19, 2).tolist()
            if y:
                ground[y, x + along] = True
            if x:
                ground[y + down, x] = True
    return _asked_of("rooms320", ground, count, rng)


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
        every = np.hstack((scenario.starts, scenario.goals))
        some = scenario.starts[rows], scenario.goals[rows], scenario.optima[rows]
        found.append(Questions(name, read_map(path), *some, every))
    if not found:
        raise ValueError(f"{folder}: holds none of the maps {', '.join(names) or '*.map'}; choose others with --only")
    return found


EXACT = (
    "astar", "astar_resumable", "astar_weighted", "jps", "jps_plus", "jps_plus_gb",
    "subgoal_1", "subgoal_2", "subgoal_n",
)  # fmt: skip
"""Algorithms whose costs must be the published optima."""


def row_of(questions: Questions, algorithm: str, mode: str, answers: Answers) -> dict[str, Any]:
    """JSON row of one measurement."""
    known = np.isfinite(questions.optima)
    wrong = np.abs(answers.costs - questions.optima) > 1e-4 * questions.optima + 6e-3
    return {
        "map": questions.name,
        "algorithm": algorithm,
        "mode": mode,
        "threads": 1,
        "queries": answers.queries or len(questions.optima),
        "optimal": bool(not wrong[known].any())
        if known.any() and algorithm in EXACT and mode not in ("early_stop", "overhead")
        else None,
        "us_mean": float(answers.us.mean()),
        # A batch is one call, so the time of its most expensive questions is unknown.
        "us_p99": None if mode == "batch" else float(np.percentile(answers.us, 99)),
        "expansions_mean": float(answers.expansions.mean()),
        "preprocess_s": answers.preprocess_s,
        "memory_mb": answers.memory_mb,
    }


Entry = tuple[str, str, Trial]
"""Algorithm, mode, and its trial."""


def ours(questions: Questions, terrain: Terrain, names: Iterable[str], modes: str = "") -> list[Entry]:
    """Trials of our searches, of all modes or one."""
    return [
        (name, mode, trial)
        for name in names
        for mode, trial in ALGORITHMS[name](questions, terrain).items()
        if modes in ("", mode)
    ]


def peer_trials(questions: Questions, names: Iterable[str], weights: np.ndarray) -> list[Entry]:
    """Trials of other libraries; costs are not compared, since some of them cut corners.

    ``weights`` float64[height, width] is the price of entering a tile, infinite where it is blocked.
    """
    found: list[Entry] = []
    for name in names:
        maker, share = PEERS[name]
        some = questions.first(max(3, int(len(questions.optima) * share)))
        found.append((name, "single", Trial(some, maker(weights), rounds=1 if share < 0.1 else ROUNDS)))
    return found


def timed_rows(entries: list[Entry]) -> list[dict[str, Any]]:
    """Let the trials take turns, and make a row of each."""
    take_turns(trial for _, _, trial in entries)
    found = []
    for name, mode, trial in entries:
        if name in PEERS:
            count = len(trial.us)
            row = row_of(trial.questions, name, mode, Answers(trial.us, np.full(count, np.nan), np.zeros(count)))
            row |= {"optimal": None, "expansions_mean": None, "memory_mb": None}
        else:
            row = row_of(trial.questions, name, mode.removesuffix("_threads"), trial.answers())
        row["threads"] = trial.threads
        found.append(row)
    return found


def patchy_costs(ground: np.ndarray) -> np.ndarray:
    """Terrain costs in seeded patches of 12 x 12 tiles: road, grass, wood, reeds.

    Each is a whole multiple of the least, for other libraries add them as float32: pyastar2d ends in a segmentation
    fault on noise when sums are rounded.
    """
    height, width = ground.shape
    patches = np.random.default_rng(3).choice([4, 8, 8, 12, 20], (height // 12 + 1, width // 12 + 1))
    return np.kron(patches, np.ones((12, 12), int))[:height, :width].astype(np.uint8)


def costs_rows(questions: Questions, peers: list[str]) -> list[dict[str, Any]]:
    """Measure the searches that support terrain costs, ours and others.

    All run on the same map under patchy costs.
    """
    terrain = Terrain.build(questions.ground, patchy_costs(questions.ground))
    nobody_knows = np.full(len(questions.starts), np.nan)
    unknown = Questions(f"{questions.name}+costs", questions.ground, questions.starts, questions.goals, nobody_knows)
    weights = np.where(questions.ground, terrain.cost / terrain.lowest_cost, np.inf)
    able = [name for name in peers if name in ("pyastar2d", "tcod")]
    known = ours(unknown, terrain, ("astar_weighted", "astar_resumable", "regions"))
    known = [entry for entry in known if entry[1] in ("single", "batch")]
    return timed_rows(known + peer_trials(unknown, able, weights))


def machine_trials(questions: Questions, terrain: Terrain) -> list[Entry]:
    """Measure the modular search per open list, and plain A* with a heap.

    The slow ones answer a few questions only.
    """
    ground = np.where(questions.ground, terrain.cost, 0).astype(np.uint8)
    modular_astar = ModularAstar(*ground.shape)
    found: list[Entry] = []
    for storage in (Storage.HEAP, Storage.CHEAP_LIST, Storage.SORTED_LIST):

        def ask(sy: int, sx: int, gy: int, gx: int, storage: Storage = storage) -> None:
            modular_astar.begin(ground, (sy, sx), (gy, gx), storage)
            modular_astar.run(1 << 60)
            modular_astar.path()

        few = questions if storage == Storage.HEAP else questions.first(5)
        trial = Trial(few, ask, lambda: (modular_astar.cost, float(modular_astar.revolutions)))
        found.append(("modular_astar", storage.name.lower(), trial))
    return found


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """All rows: for each map our algorithms, then the installed peers."""
    if args.check:
        folder = args.maps or (Path(os.environ["FOGLINE_MAPS"]) if "FOGLINE_MAPS" in os.environ else None)
        return check_rows(folder, args.only, args.problems, kept=args.json, algorithms=args.algorithms)
    if args.city:
        problems = [_asked_of(f"city{args.city}", city(args.city), args.problems, np.random.default_rng(2))]
    else:
        problems = from_folder(args.maps, args.only, args.problems) if args.maps else built_in(args.problems)
    wanted = args.algorithms.split(",") if args.algorithms else list(ALGORITHMS)
    found = []
    if "hpa" in wanted:
        house = rooms320(args.problems)
        found += timed_rows(ours(house, Terrain.build(house.ground), ("astar", "hpa")))
    peers = [] if args.no_peers else installed()
    for questions in problems:
        terrain = Terrain.build(questions.ground)
        entries = ours(questions, terrain, wanted)
        entries += peer_trials(questions, peers, np.where(questions.ground, 1.0, np.inf))
        if not args.algorithms:
            entries += machine_trials(questions, terrain)
        found += timed_rows(entries)
        if "astar_weighted" in wanted:
            found += costs_rows(questions, peers)
        if not args.no_repairs and not args.algorithms:
            found += repair_rows(questions.name, questions.ground)
    return found


def summary(found: list[dict[str, Any]]) -> int:
    """Print ratios against their goals, or the number of proved answers.

    Return 1 when an answer was wrong.
    """
    for line in ratio_lines(found):
        print(line)
    wrong = [row for row in found if row["optimal"] is False]
    for row in wrong:
        print(f"WRONG: {row['algorithm']} on {row['map']}")
    return 1 if wrong else 0
