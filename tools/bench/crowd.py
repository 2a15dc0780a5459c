"""Crowd benchmark: microseconds per step of the motion stages for 10,000 units.

The rows stand beside scipy's k-d tree and RVO2 where these are installed.

Two crossing crowds at 0.25 units per square tile, 10 neighbours within 3 tiles, as in the literature on local
avoidance. ``avoidance`` is the work that RVO2 does in a step: it finds the neighbours and computes the reaction to
them. ``steer`` and ``move`` are the whole stages of a tick with walls, whiskers, right of way, position correction and
the progress watch.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from ai.core.thread_pool import threads_for
from ai.steering.avoidance.anticipatory_avoidance import avoid, foresee
from ai.steering.motion_step import move, steer
from ai.steering.settings import SteeringSettings
from ai.steering.steering_columns import Bodies, SteeringState, Waypoints
from game.checks.headless import begin, go_on, prepare_kernels
from game.checks.scripts.script import Script, load_script
from game.level.level_writer import LEVELS
from game.sim.stage_clock import settle
from tools.bench import count, crowd_groups, positive
from tools.bench.crowds import crowd_scenarios, published_measures

DENSITY = 0.25
TICKS = 60
AGAIN = 60
"""Ticks of a world that are run twice, to compare the hashes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Run the benchmark with the options of the command line.

    ``--units N`` sets the number of units (10,000). ``--worlds`` times whole ticks as well. ``--groups N`` times
    orders to N groups of 1,000 units instead.
    """
    parser.add_argument("--units", type=positive, default=10_000, metavar="N", help="number of units (10000)")
    parser.add_argument(
        "--worlds",
        action="store_true",
        help="whole ticks of the great plain too: ten thousand units with separate goals, the same with every"
        " technique of walking units on, a hundred thousand in a hundred orders (minutes)",
    )
    parser.add_argument(
        "--scenarios",
        nargs="*",
        metavar="NAME",
        help="play scenes of crowds (all, or these; a name may end in *) beside RVO2: arrivals, overlap, reversals",
    )
    parser.add_argument("--quick", action="store_true", help="of the scenes only those of at most 150 units")
    parser.add_argument("--choices", action="store_true", help="of the scenes: every kind of avoidance, side by side")
    parser.add_argument(
        "--measures",
        nargs="?",
        type=Path,
        const=Path(),
        metavar="PNG",
        help="published measures of walkers: flow of a bottleneck and speed over density; PNG is a plot of them",
    )
    parser.add_argument("--groups", type=count, default=0, metavar="N", help="orders to 1 and to N groups of 1000")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one dict per measurement.

    Keys: algorithm, mode, us_mean and us_min (per step), p99, threads, units. ``of_tree`` is the ratio of the
    smallest times, because a busy machine disturbs these least.
    """
    if getattr(args, "scenarios", None) is not None:
        return crowd_scenarios.rows(args.scenarios, args.quick, args.choices)
    if getattr(args, "measures", None) is not None:
        return published_measures.rows(args.measures if args.measures.name else None)
    if getattr(args, "groups", 0):
        return crowd_groups.rows(int(args.groups))
    n = int(getattr(args, "units", 10_000))
    most = numba.config.NUMBA_NUM_THREADS
    found = [row for threads in sorted({1, min(2, most)}) for row in _stages(n, threads)]
    found += [_tree(n), *_peer(n)]
    tree = next(row["us_min"] for row in found if row["algorithm"] == "scipy cKDTree query")
    for row in found:
        row["of_tree"] = row["us_min"] / tree
    if getattr(args, "worlds", False):
        numba.set_num_threads(min(2, most))
        found += _world(10_000, 600, None) + _world(10_000, 600, "ten_thousand.each.toml")
        found += _world(100_000, 300, "ten_thousand.groups.toml")
    return found


def _world(units: int, ticks: int, script: str | None) -> list[dict[str, Any]]:
    """Return rows per stage, and one per tick, of the great plain.

    Wall times are in microseconds. The tick's row also holds the hash, the largest memory so far in MB and the
    largest number of revolutions in a tick. It holds the hashes after ``AGAIN`` ticks of this run and of a second
    run on one thread.
    """
    level = LEVELS / "exhibits/motion/ten_thousand.tmx"
    prepare_kernels(("mission", "lab"))
    own = load_script(level.with_name(script)).model_copy(update={"expect": []}) if script else None  # not the laws
    run = begin(level, 7, units, own, recording=False)
    settle()
    early = go_on(run, min(AGAIN, ticks)).session.world.hash()
    go_on(run, ticks - run.session.world.tick)
    grouped = own is not None and bool(own.order)
    name = f"world of {units}, {'a hundred orders' if grouped else 'each bound elsewhere'}"
    name += ", every technique at once" if own is not None and not grouped else ""
    threads = numba.get_num_threads() if units >= run.session.world.settings.steering.threads_from else 1
    table = [(stage, values) for stage, values in run.clock.stages.items()] + [("tick", run.clock.ticks)]
    out = []
    for stage, values in table:
        row = _row(f"{name}: {stage}", units, [v / 1000.0 for v in values], threads)
        row["mode"] = "tick"
        row["us_p50"] = float(np.percentile(values, 50)) * 1000.0
        out.append(row)
    report = run.report()
    del run  # the second world may lie where the first one did
    out[-1] |= {
        "hash": report["hash"],
        "memory_mb": report["memory_mb"],
        "revolutions_per_tick_max": report["paths"]["revolutions_per_tick_max"],
        "hash_early": early,
        "hash_again": again(level, units, own, min(AGAIN, ticks)),
    }
    return out


def again(level: Path, units: int, script: Script | None, ticks: int) -> str:
    """Return the hash after this many ticks on one thread.

    Level, seed and orders are the same.
    """
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return go_on(begin(level, 7, units, script, recording=False), ticks).session.world.hash()
    finally:
        numba.set_num_threads(threads)


def summary(found: list[dict[str, Any]]) -> int:
    """Prints the worlds that were not the same twice; 1 when there are any."""
    differ = [row for row in found if row.get("hash_early") != row.get("hash_again")]
    for row in differ:
        print(f"{row['algorithm']}: {row['hash_early']} the first time, {row['hash_again']} the second")
    return 1 if differ else 0


def _crowd(n: int) -> tuple[Bodies, Waypoints, NDArray[np.uint8]]:
    """Build open ground with a border; half the units cross east, half south."""
    side = int(np.ceil(np.sqrt(n / DENSITY)))
    rng = np.random.default_rng(1)
    x, y = rng.uniform(10.0, 10.0 + side, (2, n))
    east = np.arange(n) % 2 == 0
    goal_x, goal_y = np.where(east, x + 500.0, x), np.where(east, y, y + 500.0)
    bodies = Bodies(
        id=np.arange(n, dtype=np.int32), alive=np.ones(n, np.uint8), moving=np.ones(n, np.uint8),
        holding=np.zeros(n, np.uint8), movement_class=np.zeros(n, np.uint8), x=x, y=y, vx=np.zeros(n), vy=np.zeros(n),
        facing=np.zeros(n), radius=np.full(n, 0.3), speed=np.full(n, 1.5), turn_rate=np.full(n, 7.0),
        turn_to=np.full(n, np.nan), goal_x=goal_x, goal_y=goal_y, stuck=np.zeros(n, np.int16),
        event=np.zeros(n, np.uint32), band=np.full(n, -1, np.int32),
    )  # fmt: skip
    return bodies, Waypoints.straight(goal_x, goal_y), np.ones((side + 40, side + 40), np.uint8)


def _row(algorithm: str, units: int, seconds: list[float], threads: int = 1) -> dict[str, Any]:
    us = np.array(seconds) * 1e6
    return {
        "algorithm": algorithm,
        "mode": "batch",
        "us_mean": float(us.mean()),
        "us_min": float(us.min()),
        "us_p99": float(np.percentile(us, 99)),
        "threads": threads,
        "units": units,
    }


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _stages(n: int, threads: int) -> list[dict[str, Any]]:
    numba.set_num_threads(threads)
    bodies, path, passable = _crowd(n)
    state, settings = SteeringState(), SteeringSettings(threads_from=1)
    times: dict[str, list[float]] = {"avoidance": [], "steer": [], "move": [], "steer + move": []}
    for tick in range(TICKS + 10):
        a = _timed(lambda tick=tick: steer(state, settings, passable, tick, bodies, path))  # type: ignore[misc]
        b = _timed(lambda: move(state, settings, passable, bodies, path.final))
        c = _timed(lambda: _avoidance(state, settings, bodies, n))
        if tick >= 10:
            for name, value in zip(times, (c, a, b, a + b), strict=True):
                times[name].append(value)
    return [_row(name, n, values, threads) for name, values in times.items()]


def _avoidance(state: SteeringState, settings: SteeringSettings, b: Bodies, n: int) -> None:
    """Sort, gather neighbours and sum forces: what an avoidance library does in a step."""
    s, lat = state, state.spatial_hash
    lat.build(b.id, b.alive, b.x, b.y, b.vx, b.vy, b.radius, s.want_x[:n], s.want_y[:n])
    threads, p = threads_for(n, settings.threads_from), settings.packed()
    lat.gather(settings.sense_radius, settings.neighbours, threads, b.moving)
    lat.pool.run(foresee, lat.count, threads, p, lat.body)
    lat.pool.run(
        avoid, lat.count, threads, p, lat.ids, lat.order, lat.body, lat.nearest, lat.near_count, b.moving, b.holding,
        np.ones(n, np.uint8), b.band, b.stuck, s.foresight, s.ahead, s.force_x, s.force_y,
    )  # fmt: skip


def _tree(n: int) -> dict[str, Any]:
    bodies, _, _ = _crowd(n)
    points = np.column_stack([bodies.x, bodies.y])

    def query() -> None:
        cKDTree(points).query(points, k=11, distance_upper_bound=3.0)

    return _row("scipy cKDTree query", n, [_timed(query) for _ in range(10)])


def _peer(n: int) -> list[dict[str, Any]]:
    """RVO2 (ORCA in C++) through its binding pyrvo; without it no row."""
    if importlib.util.find_spec("pyrvo") is None:
        return []
    pyrvo = importlib.import_module("pyrvo")
    bodies, _, _ = _crowd(n)
    simulator = pyrvo.RVOSimulator()
    simulator.set_time_step(0.05)
    simulator.set_agent_defaults(3.0, 10, 3.0, 3.0, 0.3, 1.5)
    for i in range(n):
        simulator.add_agent((float(bodies.x[i]), float(bodies.y[i])))
        simulator.set_agent_pref_velocity(i, (1.5, 0.0) if i % 2 == 0 else (0.0, 1.5))
    seconds = [_timed(simulator.do_step) for _ in range(35)]
    return [_row(f"RVO2 (pyrvo {importlib.metadata.version('pyrvo')})", n, seconds[5:])]
