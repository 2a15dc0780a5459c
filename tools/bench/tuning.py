"""Path tuning: each setting of the path manager and its symptom.

One fixed workload is played once for each value of one setting at a time. It is walkers on a map with walls, ordered
about in waves. The symptoms are counted, not timed: priority paths (a quick path was too short or the budget too low),
tiles walked beyond the shortest path (units backtrack), ticks without movement (units pause), the largest number of
revolutions in a tick (spikes), and the 95th percentile of the latency of full paths. ``us_mean`` is the time of one
update.

Source: "AI Game Programming Wisdom", 3.3, the summary box on looks versus performance.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths import PathManager, PathSettings, Phase
from ai.search.astar.astar import AStarSearch
from tools.bench import positive

BASE = PathSettings(
    engine="astar", budget=400, allowance=20, increment=20, allowance_cap=400, quick_full_load=60, straight=False
)


@dataclass(frozen=True)
class Sweep:
    """A tuned setting with its values and its differences from BASE.

    The values are in the direction in which the source says to change it.
    """

    knob: str
    values: tuple[Any, ...]
    when: str = ""
    others: dict[str, Any] = field(default_factory=dict)


SWEEPS = (
    Sweep("budget", (100, 200, 400, 800, 1600)),
    Sweep("quick_tiles_max", (3, 6, 9, 15, 24)),
    # A priority path keeps a unit moving that would pause. Without priority paths the row shows how long a quick
    # path has to last.
    Sweep("quick_tiles_max", (3, 6, 12, 24, 48), "no priority paths", {"priority_tick_cap": 0, "budget": 200}),
    Sweep("splice", (False, True)),
    # Nearer than a quick path's length, the splice leads back to where the quick path went wrong. Beyond it a cap
    # of 400 revolutions is seldom enough, and the path stays unchanged.
    Sweep("splice_reach", (0.0, 0.5, 1.0), "too near", {"budget": 200}),
    Sweep("splice_reach", (1.0, 1.5, 2.0, 3.0)),
    Sweep("increment", (0, 5, 20, 80)),
    Sweep("increment", (0, 5, 20), "small first turn", {"budget": 200, "allowance": 10, "allowance_cap": 2000}),
    Sweep("slicing", ("equal", "progressive", "biased")),
    Sweep("priority_tick_cap", (0, 250, 1000, 5000)),
    Sweep("engine", ("astar", "hpa")),
)

STEP = 4.0 / 20.0


def workload(size: int, seed: int) -> np.ndarray:
    """bool[size, size]: open ground with straight walls, the largest connected part of it."""
    rng = np.random.default_rng(seed)
    ground = np.ones((size, size), bool)
    for _ in range(size * size // 26):
        y, x, length = (int(v) for v in rng.integers((0, 0, 4), (size, size, 18)))
        if rng.random() < 0.5:
            ground[y, x : x + length] = False
        else:
            ground[y : y + length, x] = False
    labels = Components.build(Terrain.build(ground)).label_map(0)
    best = np.bincount(labels[labels > 0]).argmax()
    return labels == best


def play(settings: PathSettings, ground: np.ndarray, units: int, ticks: int, seed: int = 1) -> dict[str, Any]:
    """Symptoms of one run of the workload."""
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(ground)
    components = Components.build(terrain)
    tiles = np.argwhere(ground).astype(np.int32)
    at = tiles[rng.choice(len(tiles), units, replace=False)]
    goals = tiles[rng.choice(len(tiles), units, replace=False)]
    y, x = at[:, 0] + 0.5, at[:, 1] + 0.5
    manager = PathManager.build(terrain, units)
    manager.engines.choose(terrain, settings, 0)  # as when a level is loaded
    walked = np.zeros(units)
    stood = 0
    spent = 0.0
    arrived: set[int] = set()
    slots = np.arange(units)
    waves = np.array_split(slots, 6)
    for tick in range(ticks):
        if tick % 10 == 0 and tick // 10 < len(waves):
            wave = waves[tick // 10]
            manager.request(wave, wave, goals[wave], 0, tick, wave % 2)
        began = time.perf_counter()
        news = manager.update(terrain, components, x, y, tick, settings)
        spent += time.perf_counter() - began
        arrived.update(news.arrived.tolist())
        store = manager.store
        dx, dy = store.wp_x[:units] - x, store.wp_y[:units] - y
        far = np.hypot(dx, dy)
        under_way = manager.requests.phase[:units] != Phase.IDLE
        share = np.where((store.path_len[:units] > 0) & under_way, np.minimum(1.0, STEP / np.maximum(far, 1e-9)), 0.0)
        x, y = x + dx * share, y + dy * share
        walked += far * share
        stood += int((under_way & (far * share < 1e-6)).sum())
        if len(arrived) == units:
            break
    best = np.zeros(units)
    search = AStarSearch(terrain.height, terrain.width)
    for unit in sorted(arrived):
        search.begin(terrain, 0, tuple(at[unit]), tuple(goals[unit]))
        search.run(terrain, 1 << 40)
        best[unit] = search.cost
    there = sorted(arrived)
    statistics = manager.statistics
    return {
        "arrived": len(arrived),
        "priority": statistics.priority,
        "quick": statistics.quick,
        "extra_tiles": float((walked[there] - best[there]).sum() / max(1, len(there))),
        "stood_ticks": stood / units,
        "latency_p95": statistics.latency(0.95),
        "queue_max": statistics.revolutions_per_tick_max,
        "instant_mean": statistics.quick_revolutions_total / max(1, statistics.ticks),
        "us_mean": spent / max(1, statistics.ticks) * 1e6,
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``tuning``."""
    parser.add_argument("--units", type=positive, default=120, help="walkers (default 120)")
    parser.add_argument("--size", type=positive, default=128, help="side of the map in tiles (default 128)")
    parser.add_argument("--ticks", type=positive, default=1500, help="ticks of one run at most (default 1500)")
    parser.add_argument("--knob", choices=sorted({s.knob for s in SWEEPS}), help="measure only this setting")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """A row a knob and value."""
    ground = workload(args.size, 2)
    play(BASE, ground, 8, 30)
    out = []
    for sweep in SWEEPS:
        if args.knob in (None, sweep.knob):
            for value in sweep.values:
                settings = replace(BASE, **{**sweep.others, sweep.knob: value})
                name = f"{sweep.knob}={value}" + (f" ({sweep.when})" if sweep.when else "")
                row = {"algorithm": name, "mode": "single", "threads": 1}
                out.append(row | play(settings, ground, args.units, args.ticks))
    return out


TECHNIQUES = (
    {
        "slug": "path-tuning",
        "name": "Tuning of path quality against speed",
        "ids": ("AW-3.3-9",),
        "source": "AI Game Programming Wisdom, 3.3",
        "functions": ("play", "rows"),
        "test": "tests/ai/paths/test_tuning.py",
        "exhibit": "levels/exhibits/paths/slicing.toml",
        "overlay": "queue",
        "setting": "paths.budget",
        "reason": "The exhibit is that of another technique.",
        "claim": "A fixed workload played for each value; there is no automatic tuner.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
