"""Proof of every answer on every row of the scenarios.

Run ``python -m tools.bench search --only all --check --problems 0 --maps DIR``.

A row of an exact search is proved when its path is legal and as long as the published optimum. The tolerance is 1e-4
relative, or half of the last place where a file gives two. Otherwise the output names the row, and it is proved when
it is as long as scipy's Dijkstra says.

Three kinds of paths must be legal, exist exactly where a path exists, and have a mean excess after smoothing of at
most 2.5 % over rows with an optimum above 20. They are paths of HPA*, full paths that the game requests at both its
settings, and paths over regions.

Any-angle paths must be legal and in the mean no longer than A* with post-smoothing. In the mean they must be near the
visibility optimum in both models of the grid: between corners (the source's) on a sample of rows, and between centres
(the positions of bodies) in windows of the map.

With ``--json FILE`` rows are written as they are finished. Rows in the file are not proved again while the sources of
their search and the map are the same. Goal bounds are kept in the cache folder.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import Progress

from ai.core.kernels import source_digest
from ai.grid.movingai import Scenario, read_map, read_scenario
from ai.grid.terrain import Terrain
from ai.paths.settings import PathSettings
from ai.search.any_angle.any_angle import CORNERS, ThetaStar, smoothed
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.astar.astar_costs import AStarOverCosts, CostGround
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from ai.search.hierarchy.hpa_batch import WAY, HpaBatch
from ai.search.jps.goal_bounds_files import load_bounds, save_bounds, tables_folder
from ai.search.jps.jps import JumpPointSearch, UniformAStar, UniformGround
from ai.search.jps.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_path import RegionSearch
from ai.search.smoothing.octile_smoothing import smooth_path
from ai.search.subgoals.subgoal_search import MOST_LEVELS, SubgoalSearch
from tools.bench.search.search_referee import Referee, Visibility, length_of, line_length, windows
from tools.bench.search.search_trials import Timed

TOLERANCE = 1e-4
TWO_PLACES = 0.005
"""Half of the last place in files that give two."""

MOST_EXCESS = 0.025
VISIBLE = {"theta": 0.005, "lazy_theta": 0.01}
SEEN_ROWS = 60
"""Rows of a map whose any-angle optimum between corners is computed."""

Tile = tuple[int, int]
Find = Callable[[Tile, Tile], np.ndarray | None]


@dataclass
class Suite:
    """A map with its scenario and the data shared by the searches."""

    name: str
    ground: np.ndarray
    scenario: Scenario
    rows: np.ndarray
    rounding: float
    referee: Referee

    @classmethod
    def read(cls, path: Path, problems: int) -> Suite:
        """Read a ``.map`` and the ``.map.scen`` or ``.scen`` beside it.

        At most ``problems`` rows of the scenario are read (0: all).
        """
        beside = path.with_name(f"{path.name}.scen")
        file = beside if beside.is_file() else path.with_suffix(".scen")
        scenario, ground = read_scenario(file), read_map(path)
        rows = np.arange(len(scenario.optima))
        if problems:
            rows = rows[:: max(1, len(rows) // problems)]
        words = [line.split()[-1] for line in file.read_text(encoding="utf-8").splitlines()[1:] if line.strip()]
        two = all(word[-3:-2] == "." for word in words)
        return cls(path.stem, ground, scenario, rows, TWO_PLACES if two else 0.0, Referee(ground))

    @property
    def digest(self) -> str:
        """Return the digest of the map and of its questions."""
        told = hashlib.blake2b(np.packbits(self.ground).tobytes(), digest_size=8)
        for array in (self.rows, self.scenario.starts[self.rows], self.scenario.goals[self.rows]):
            told.update(np.ascontiguousarray(array).tobytes())
        return told.hexdigest()

    def question(self, row: int) -> tuple[Tile, Tile]:
        """Start and goal (y, x) of a scenario row."""
        (sy, sx), (gy, gx) = self.scenario.starts[row].tolist(), self.scenario.goals[row].tolist()
        return (sy, sx), (gy, gx)

    def published(self, row: int, length: float) -> bool:
        """Return True if a length is the published optimum of a row."""
        optimum = float(self.scenario.optima[row])
        return abs(length - optimum) <= max(TOLERANCE * optimum, self.rounding)


def _astar(suite: Suite) -> Find:
    return UniformAStar(UniformGround.build(Terrain.build(suite.ground))).find


def _resumable(suite: Suite) -> Find:
    terrain = Terrain.build(suite.ground)
    slices = AStarSearch(terrain.height, terrain.width)

    def find(start: Tile, goal: Tile) -> np.ndarray | None:
        if not suite.ground[start]:
            # The search lets a unit out of a wall when a door shut on it. Here no unit may stand in a
            # wall.
            return None
        slices.begin(terrain, 0, start, goal)
        while slices.run(terrain, 5000):
            pass
        return slices.path() if slices.status == FOUND else None

    return find


def _plus(bounded: bool, batch: bool = False) -> Callable[[Suite], Find]:
    def make(suite: Suite) -> Find:
        ground = UniformGround.build(Terrain.build(suite.ground))
        bounds = None
        if bounded:
            folder = tables_folder()
            bounds = load_bounds(ground, folder)
            if bounds is None:
                with Progress() as bar:
                    task = bar.add_task(f"{suite.name}: goal bounds", total=1)
                    bounds = goal_bound_table(ground, lambda done, total: bar.update(task, completed=done / total))
                save_bounds(ground, bounds, folder)
        search = JPSPlus(ground, jump_tables(ground), bounds)
        if not batch:
            return search.find
        points, offsets, _ = search.find_batch(suite.scenario.starts[suite.rows], suite.scenario.goals[suite.rows])
        answers = iter([points[a:b][::-1].copy() for a, b in itertools.pairwise(offsets.tolist())])

        def find(start: Tile, goal: Tile) -> np.ndarray | None:
            jumps = next(answers)
            return _walked(jumps) if len(jumps) else None

        return find

    return make


def _walked(jumps: np.ndarray) -> np.ndarray:
    """Every tile along jump points."""
    parts = [jumps[:1]]
    for a, b in itertools.pairwise(jumps):
        steps = int(np.abs(b - a).max())
        parts.append(a + np.sign(b - a) * np.arange(1, steps + 1)[:, None])
    return np.concatenate(parts)


def _subgoal(levels: int) -> Callable[[Suite], Find]:
    return lambda suite: SubgoalSearch.over(UniformGround.build(Terrain.build(suite.ground)), levels).find


def _hpa(levels: int) -> Callable[[Suite], Find]:
    def make(suite: Suite) -> Find:
        terrain = Terrain.build(suite.ground)
        search = HierarchicalSearch(ClusterGraph.build(terrain, levels=levels))
        return lambda start, goal: search.find(terrain, start, goal)

    return make


def _regions(suite: Suite) -> Find:
    terrain = Terrain.build(suite.ground)
    search = RegionSearch(Regions.build(terrain))

    def find(start: Tile, goal: Tile) -> np.ndarray | None:
        path = search.find(terrain, start, goal)
        return None if path is None else smooth_path(terrain, 0, path)

    return find


def _long_paths(heuristic_weight: int) -> Callable[[Suite], Find]:
    """Ask the path manager's search at one of its two settings.

    All rows are one call.
    """

    def make(suite: Suite) -> Find:
        terrain = Terrain.build(suite.ground)
        # The search lets a unit out of a wall when a door shut on it. Here no unit may stand in a wall.
        rows = [row for row in suite.rows.tolist() if all(suite.ground[tile] for tile in suite.question(row))]
        starts, goals = suite.scenario.starts[rows], suite.scenario.goals[rows]
        paths = HpaBatch.build(terrain).plan(terrain, starts, goals, 1 << 60, heuristic_weight)
        found = {
            (tuple(starts[i].tolist()), tuple(goals[i].tolist())): paths.tiles[paths.offsets[i] : paths.offsets[i + 1]]
            for i in np.flatnonzero(paths.outcome == WAY).tolist()
        }

        def find(start: Tile, goal: Tile) -> np.ndarray | None:
            path = found.get((start, goal))
            return None if path is None else smooth_path(terrain, 0, path)

        return find

    return make


EXACT: dict[str, tuple[str, Callable[[Suite], Find]]] = {
    "astar": ("jps.jps", _astar),
    "astar_resumable": ("astar.astar", _resumable),
    "astar_weighted": (
        "astar.astar_costs",
        lambda suite: AStarOverCosts(CostGround.build(Terrain.build(suite.ground))).find,
    ),
    "jps": ("jps.jps", lambda suite: JumpPointSearch(UniformGround.build(Terrain.build(suite.ground))).find),
    "jps_plus": ("jps.jps_plus", _plus(False)),
    "jps_plus_gb": ("jps.jps_plus", _plus(True)),
    "jps_plus_gb_batch": ("jps.jps_plus", _plus(True, batch=True)),
    "subgoal_1": ("subgoals.subgoal_search", _subgoal(1)),
    "subgoal_2": ("subgoals.subgoal_search", _subgoal(2)),
    "subgoal_n": ("subgoals.subgoal_search", _subgoal(MOST_LEVELS)),
}
"""Searches by name: the module whose sources the proof covers, and the search.

The search runs on one map.
"""

NEAR: dict[str, tuple[str, Callable[[Suite], Find]]] = {
    "hpa": ("hierarchy.hpa", _hpa(1)),
    "hpa_3_levels": ("hierarchy.hpa", _hpa(3)),
    "long_ways": ("hierarchy.hpa_batch", _long_paths(PathSettings().heuristic_weight)),
    "long_ways_crowd": ("hierarchy.hpa_batch", _long_paths(PathSettings().crowd_heuristic_weight)),
    "regions": ("regions.region_path", _regions),
}

ANY_ANGLE = {"theta": ("any_angle.any_angle", False), "lazy_theta": ("any_angle.any_angle", True)}


def check_rows(
    folder: Path | None,
    only: str,
    problems: int,
    most_bounded: int = 1 << 30,
    kept: Path | None = None,
    algorithms: str = "",
) -> list[dict[str, Any]]:
    """Return a row per map and search.

    ``problems`` caps the scenario rows per map (0: all). Goal bounds are made for maps of at most ``most_bounded``
    open tiles. ``kept`` is the file that is continued.

    ValueError without a folder of maps.
    """
    if folder is None:
        raise ValueError("--check needs --maps DIR (or FOGLINE_MAPS)")
    names = [n for n in only.split(",") if n and n != "all"] or [p.stem for p in sorted(folder.glob("*.map"))]
    wanted = algorithms.split(",") if algorithms else [*EXACT, *NEAR, *ANY_ANGLE]
    before = json.loads(kept.read_text(encoding="utf-8")) if kept is not None and kept.is_file() else []
    known = {(r["map"], r["algorithm"], r["digest"]): r for r in before}
    found: list[dict[str, Any]] = []
    suites = [Suite.read(folder / f"{name}.map", problems) for name in names]
    suites.sort(key=lambda suite: int(np.count_nonzero(suite.ground)))
    # Slow preparations and slow answers come last, and small maps first.
    for stage in range(3):
        for suite in suites:
            for algorithm in wanted:
                dear = algorithm.startswith("jps_plus_gb")
                if stage != (2 if algorithm in ANY_ANGLE else int(dear)):
                    continue
                if dear and np.count_nonzero(suite.ground) > most_bounded:
                    continue
                key = suite.name, algorithm, f"{suite.digest}-{_sources(algorithm)}"
                row = known.get(key)
                if row is None:
                    row = {**_proved(suite, algorithm), "digest": key[2]}
                    print(_told(row), flush=True)
                found.append(row)
                if kept is not None:
                    kept.write_text(json.dumps(found + _others(before, found), indent=1) + "\n", encoding="utf-8")
    return found + _others(before, found)


def _others(before: list[dict[str, Any]], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the file of maps and searches that were not asked for."""
    asked = {(row["map"], row["algorithm"]) for row in found}
    return [row for row in before if (row["map"], row["algorithm"]) not in asked]


def _sources(algorithm: str) -> str:
    module = {**EXACT, **NEAR, **ANY_ANGLE}[algorithm][0]
    return source_digest(f"ai.search.{module}")


def _told(row: dict[str, Any]) -> str:
    text = f"{'ok  ' if row['optimal'] else 'FAIL'} {row['map']} {row['algorithm']}: {row['queries']} rows"
    for part in ("published", "referee", "excess_mean", "excess_corners", "excess_centres"):
        if row.get(part) is not None:
            value = row[part]
            text += f", {part} {len(value) if isinstance(value, list) else value:.6g}"
    for named in row.get("unproved", [])[:10]:
        text += f"\n     UNPROVED {named}"
    return text


def _proved(suite: Suite, algorithm: str) -> dict[str, Any]:
    began = time.perf_counter()
    head = {"map": suite.name, "algorithm": algorithm, "mode": "check", "threads": 1, "queries": len(suite.rows)}
    if algorithm in ANY_ANGLE:
        search = ThetaStar(UniformGround.build(Terrain.build(suite.ground)), ANY_ANGLE[algorithm][1])
        find = Timed(search.find)
        found = _any_angle(suite, algorithm, find, search)
    else:
        find = Timed({**EXACT, **NEAR}[algorithm][1](suite))
        found = (_exact if algorithm in EXACT else _near)(suite, algorithm, find)
    us = find.seconds / max(len(suite.rows), 1) * 1e6
    return {**head, "us_mean": us, **found, "seconds": round(time.perf_counter() - began, 1)}


def _asked(suite: Suite, algorithm: str) -> Iterator[tuple[int, Tile, Tile]]:
    with Progress() as bar:
        for row in bar.track(suite.rows.tolist(), description=f"{suite.name}: {algorithm}"):
            yield (row, *suite.question(row))


def _tile_length(suite: Suite, path: np.ndarray | None, start: Tile, goal: Tile) -> float:
    """Return the length of an answer in tiles.

    It is infinite without a path, and nan for a path that is not legal from start to goal.
    """
    if path is None:
        return np.inf
    if tuple(path[0].tolist()) != start or tuple(path[-1].tolist()) != goal:
        return np.nan
    return length_of(suite.ground, path)


def _named(suite: Suite, row: int, length: float, optimum: float) -> str:
    (sy, sx), (gy, gx) = suite.question(row)
    ours, theirs = (
        f"{v:.5f}" if np.isfinite(v) else "no path" if np.isinf(v) else "illegal" for v in (length, optimum)
    )
    published = float(suite.scenario.optima[row])
    return f"row {row}, (y, x) {sy},{sx} to {gy},{gx}: published {published:g}, ours {ours}, Dijkstra {theirs}"


def _exact(suite: Suite, algorithm: str, find: Find) -> dict[str, Any]:
    """Count the rows proved by the published optimum.

    Rows proved by the referee and rows without proof are named.
    """
    published = 0
    settled: list[str] = []
    unproved: list[str] = []
    for row, start, goal in _asked(suite, algorithm):
        length = _tile_length(suite, find(start, goal), start, goal)
        if suite.published(row, length):
            published += 1
            continue
        optimum = suite.referee.length(row, start, goal)
        same = length == optimum or abs(length - optimum) <= 1e-9 * optimum
        (settled if same else unproved).append(_named(suite, row, length, optimum))
    return {"optimal": not unproved, "published": published, "referee": settled, "unproved": unproved}


def _near(suite: Suite, algorithm: str, find: Find) -> dict[str, Any]:
    """Check that paths are legal and exist where a path exists.

    Their mean excess must be small; ``excess_short`` is that of optima up to 20 tiles.
    """
    unproved: list[str] = []
    long: list[float] = []
    short: list[float] = []
    for row, start, goal in _asked(suite, algorithm):
        length = _tile_length(suite, find(start, goal), start, goal)
        optimum = float(suite.scenario.optima[row])
        doubtful = not np.isfinite(length) or length < optimum * (1 - TOLERANCE) - suite.rounding
        if doubtful:
            optimum = suite.referee.length(row, start, goal)
            if np.isinf(optimum) and np.isinf(length):
                continue
            if not np.isfinite(length) or length < optimum * (1 - 1e-9):
                unproved.append(_named(suite, row, length, optimum))
                continue
        if optimum > 0:
            (long if optimum > 20 else short).append(length / optimum - 1)
    mean = float(np.mean(long)) if long else 0.0
    return {
        "optimal": not unproved and mean <= MOST_EXCESS,
        "excess_mean": mean,
        "excess_max": float(max(long, default=0.0)),
        "excess_short": float(np.mean(short)) if short else 0.0,
        "unproved": unproved,
    }


def _any_angle(suite: Suite, algorithm: str, find: Find, search: ThetaStar) -> dict[str, Any]:
    """Check any-angle paths in both models of the grid.

    Paths between tile centres are checked on every row against A* with post-smoothing. In both models a sample is
    checked against optima.
    """
    uniform = search.ground
    plain = UniformAStar(uniform)
    unproved: list[str] = []
    ours = others = 0.0
    for row, start, goal in _asked(suite, algorithm):
        path, tiles = find(start, goal), plain.find(start, goal)
        if path is None or tiles is None:
            if (path is None) != (tiles is None):
                unproved.append(_named(suite, row, np.inf, np.nan))
            continue
        ends = tuple(path[0].tolist()) == start and tuple(path[-1].tolist()) == goal
        length = line_length(suite.ground, path)
        if not ends or not abs(length - search.length) <= 1e-6 * (1 + length):
            unproved.append(_named(suite, row, length, search.length))
            continue
        ours += length
        others += float(np.hypot(*np.diff(smoothed(uniform, tiles).astype(float), axis=0).T).sum())
    excess = {
        "excess_corners": _excess_between_corners(suite, uniform, search.lazy),
        "excess_centres": _excess_between_centres(suite, search.lazy),
    }
    return {
        "optimal": not unproved and ours <= others and max(excess.values()) <= VISIBLE[algorithm],
        "excess_mean": ours / others - 1 if others else 0.0,
        **excess,
        "unproved": unproved,
    }


def _excess_between_corners(suite: Suite, uniform: UniformGround, lazy: bool) -> float:
    """Mean excess over the visibility optimum on a sample of rows."""
    visibility = Visibility(suite.ground)
    search = ThetaStar(uniform, lazy, CORNERS)
    excess = []
    for row in suite.rows[:: max(1, len(suite.rows) // SEEN_ROWS)].tolist():
        start, goal = suite.question(row)
        if search.find(start, goal) is None or start == goal:
            continue
        excess.append(search.length / visibility.optimum(uniform, start, goal, search.length) - 1)
    return _mean_excess(suite, excess)


def _excess_between_centres(suite: Suite, lazy: bool) -> float:
    """Mean excess over the visibility optimum in windows of the map."""
    excess = []
    for cut, asked in windows(suite.ground):
        search = ThetaStar(UniformGround.build(Terrain.build(cut)), lazy)
        for start, goal, optimum in asked:
            path = search.find(start, goal)
            excess.append(np.inf if path is None else line_length(cut, path) / optimum - 1)
    return _mean_excess(suite, excess)


def _mean_excess(suite: Suite, excess: list[float]) -> float:
    if excess and min(excess) < -1e-9:
        raise AssertionError(f"{suite.name}: a path is shorter than the visibility optimum by {min(excess)}")
    return float(np.mean(excess)) if excess else 0.0
