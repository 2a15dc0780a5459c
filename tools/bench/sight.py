"""Sight benchmark: microseconds per observer, per line and per watcher.

The rows stand beside tcod where it is installed. The map is ``brc202d`` from the folder that ``--maps`` or
``FOGLINE_MAPS`` names, else a generated one of its size; the row names the map. tcod runs as a careful user runs it,
on a window cut out around each observer.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from ai.grid.movingai import read_map
from ai.perception.awareness.exposure_map import exposure_map
from ai.perception.awareness.vision import Vision
from ai.perception.settings import VisionSettings
from ai.perception.sight.line_of_sight import line_clear, lines_clear_parallel, lines_clear_serial
from ai.perception.sight.shadowcast import (
    CIRCLES,
    RECIPROCALS,
    SightBits,
    field_of_view,
    field_of_view_parallel,
    field_of_view_serial,
)
from ai.perception.sight.team_sight import team_sight
from game.level.level_writer import LevelBuilder
from game.level.model import GROUND
from game.level.reading import load_level
from game.sim.create_world import add_unit, create_world
from game.sim.stage_clock import settle
from game.sim.tick import STAGES
from game.world.orders import Order, OrderKind

SHARE, MILLIONS, EXPOSURE_US, PERCEIVE_MS = 0.16, 10.0, 1000.0, 4.0
"""Goals of the sight benchmark.

They are tcod's time for a view, pairs per second, a tick of the exposure map, and the p99 of the perceive stage.
"""
OBSERVERS = 1000
RADIUS = 20
PAIRS = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``--maps DIR``: a folder with MovingAI maps."""
    if "--maps" not in parser._option_string_actions:
        parser.add_argument("--maps", type=Path, help="folder with MovingAI .map files")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one dict per measurement.

    Keys: algorithm, mode, us_mean (median run), threads, map and the unit of work.
    """
    name, opaque = _map(getattr(args, "maps", None) or os.environ.get("FOGLINE_MAPS"))
    open_tiles = np.argwhere(opaque == 0).astype(np.int32)
    rng = np.random.default_rng(0)
    observers = open_tiles[rng.choice(len(open_tiles), OBSERVERS, replace=False)]
    found = [*_views(opaque, observers), *_lines(opaque, open_tiles, rng), *_units(rng), _stage(rng)]
    return [{"map": name, **row} if "map" not in row else row for row in found]


def summary(found: list[dict[str, Any]]) -> int:
    """Print a line for each goal, ``ok`` or ``MISS``.

    A missed goal is no error.
    """
    for met, text in goals_met(found):
        print(f"{'ok  ' if met else 'MISS'} {text}")
    return 0


def goals_met(found: list[dict[str, Any]]) -> Iterator[tuple[bool, str]]:
    """Return the result of each goal as text.

    A goal without a row is left out.
    """
    for row in found:
        name, threads = row["algorithm"], f"{row['threads']} thread{'' if row['threads'] == 1 else 's'}"
        if "share_of_tcod" in row:
            share = row["share_of_tcod"]
            yield share <= SHARE, f"field of view, {threads}: {share:.3f} of tcod's time (goal at most {SHARE})"
        if "million_per_second" in row:
            millions = row["million_per_second"]
            yield millions >= MILLIONS, f"lines, {threads}: {millions:.1f} million per second (goal {MILLIONS:g})"
        if name == "exposure_map":
            us = row["us_mean"]
            yield us < EXPOSURE_US, f"exposure map: {us / 1000:.2f} ms per tick (goal below {EXPOSURE_US / 1000:g})"
        if name == "perceive_stage":
            yield row["p99_ms"] < PERCEIVE_MS, f"perceive: p99 {row['p99_ms']:.2f} ms (goal below {PERCEIVE_MS:g})"


def _map(folder: str | Path | None) -> tuple[str, NDArray[np.uint8]]:
    path = Path(folder) / "brc202d.map" if folder else None
    if path is None or not path.is_file():
        rooms = (np.random.default_rng(1).random((481, 530)) < 0.02).astype(np.uint8)
        rooms[::24] = rooms[:, ::24] = 1
        rooms[::24, 7::24] = rooms[9::24, ::24] = 0
        return "made-up rooms 481x530", rooms
    return "brc202d", (~read_map(path)).astype(np.uint8)


def _median_us(work: Callable[[], object], items: int, runs: int = 25) -> float:
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times) / items * 1e6


def _row(algorithm: str, mode: str, us: float, threads: int, unit: str, **more: Any) -> dict[str, Any]:
    return {"algorithm": algorithm, "mode": mode, "us_mean": round(us, 4), "threads": threads, "per": unit, **more}


def _views(opaque: NDArray[np.uint8], observers: NDArray[np.int32]) -> list[dict[str, Any]]:
    bits = SightBits(opaque)
    ys, xs = (np.ascontiguousarray(observers[:, k]) for k in (0, 1))
    radii = np.full(len(ys), RADIUS, np.int32)
    out = np.zeros((len(ys), 2 * RADIUS + 1), np.uint64)
    arrays = (bits.rows, bits.columns, bits.height, bits.width, CIRCLES, RECIPROCALS, ys, xs, radii, out)
    threads = min(2, numba.config.NUMBA_NUM_THREADS)
    numba.set_num_threads(threads)
    first_y, first_x = ys[:1].copy(), xs[:1].copy()
    found = [
        _row("shadowcast", "batch", _median_us(lambda: field_of_view_serial(*arrays), len(ys)), 1, "observer"),
        _row("shadowcast", "batch", _median_us(lambda: field_of_view_parallel(*arrays), len(ys)), threads, "observer"),
        _row(
            "shadowcast", "single", _median_us(lambda: field_of_view(bits, first_y, first_x, RADIUS), 1), 1, "observer"
        ),
        _row("pack", "single", _median_us(lambda: SightBits(opaque), 1, 5), 1, "map"),
    ]
    if importlib.util.find_spec("tcod"):
        us = _tcod(opaque, observers)
        found.append(_row("tcod", "single", us, 1, "observer", version=importlib.metadata.version("tcod")))
        for row in found[:2]:
            row["share_of_tcod"] = round(row["us_mean"] / us, 4)
    return found


def _tcod(opaque: NDArray[np.uint8], observers: NDArray[np.int32]) -> float:
    from tcod.constants import FOV_SYMMETRIC_SHADOWCAST
    from tcod.map import compute_fov

    clear = opaque == 0

    def work() -> None:
        for y, x in observers.tolist():
            y0, x0 = max(0, y - RADIUS), max(0, x - RADIUS)
            part = np.ascontiguousarray(clear[y0 : y + RADIUS + 1, x0 : x + RADIUS + 1])
            compute_fov(part, (y - y0, x - x0), radius=RADIUS, algorithm=FOV_SYMMETRIC_SHADOWCAST)

    return _median_us(work, len(observers), 9)


def _lines(opaque: NDArray[np.uint8], open_tiles: NDArray[np.int32], rng: np.random.Generator) -> list[dict[str, Any]]:
    """Pairs at all distances up to 20 tiles."""
    starts = open_tiles[rng.integers(len(open_tiles), size=PAIRS)]
    angle, distance = rng.uniform(0, 2 * np.pi, PAIRS), RADIUS * np.sqrt(rng.random(PAIRS))
    offset = np.trunc(np.stack([np.sin(angle), np.cos(angle)], 1) * distance[:, None])
    ends = np.clip(starts + offset, 0, np.array(opaque.shape) - 1).astype(np.int32)
    out = np.zeros(PAIRS, np.uint8)
    y, x = starts[0].tolist()
    threads = min(2, numba.config.NUMBA_NUM_THREADS)
    serial = _median_us(lambda: lines_clear_serial(opaque, starts, ends, out), PAIRS)
    shared = _median_us(lambda: lines_clear_parallel(opaque, starts, ends, out), PAIRS)
    return [
        _row("line_clear", "batch", serial, 1, "pair", million_per_second=round(1 / serial, 1)),
        _row("line_clear", "batch", shared, threads, "pair", million_per_second=round(1 / shared, 1)),
        _row("line_clear", "single", _median_us(lambda: line_clear(opaque, y, x, y + 5, x + 9), 1), 1, "pair"),
    ]


def _stage(rng: np.random.Generator) -> dict[str, Any]:
    """Measure the whole perceive stage of the game.

    It runs eyes, ears, stimuli and knowledge of 500 guards over 100 intruders.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bench.tiled-project").write_text("{}")
        builder = LevelBuilder(256, 256)
        builder.ground[rng.random((256, 256)) < 0.05] = GROUND["wall"]
        builder.write(Path(folder) / "guards.tmx")
        world = create_world(load_level(Path(folder) / "guards.tmx"), 1, extra_units=0)
    kinds = {t.name: i for i, t in enumerate(world.types)}
    tiles = np.argwhere(world.terrain.passable & 1)
    places = tiles[rng.choice(len(tiles), 600, replace=False)] + 0.5
    for k, (y, x) in enumerate(places):
        add_unit(world, kinds["guard" if k < 500 else "raider"], int(k < 500), float(x), float(y))
    goals = [float(v) for y, x in places[rng.permutation(600)[:100]] for v in (x, y)]
    world.pending.append(Order(int(OrderKind.MOVE_EACH), 0, tuple(range(500, 600)), points=tuple(goals)))
    times = []
    settle()  # as the window does before it plays
    for number in range(220):
        for name, stage in STAGES:
            start = time.perf_counter()
            stage(world)
            if name == "perceive" and number >= 20:
                times.append((time.perf_counter() - start) * 1e3)
    p50, p99 = (round(float(np.percentile(times, q)), 3) for q in (50, 99))
    return _row(
        "perceive_stage", "single", statistics.median(times) * 1e3, 1, "tick of 500 guards, 100 intruders",
        p50_ms=p50, p99_ms=p99, map="random 256x256",
    )  # fmt: skip


def _units(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Measure guards over intruders, observers' exposure, and a crowd's fog.

    The crowd lifts the fog in slices; each row gives the number of units.
    """
    count = 600
    opaque = (rng.random((256, 256)) < 0.05).astype(np.uint8)
    x, y = rng.uniform(0, 256, (2, count))
    columns = {
        "ids": np.arange(count, dtype=np.int32),
        "alive": np.ones(count, np.uint8),
        "side": (np.arange(count) < 500).astype(np.uint8),
        "x": x,
        "y": y,
        "stance": np.zeros(count, np.uint8),
        "head": rng.uniform(-3, 3, count),
        "watching": (np.arange(count) < 500).astype(np.uint8),
        "reach": np.full(count, 18.0),
        "half_angle": np.full(count, 1.0),
        "meter": np.zeros(count),
        "meter_target": np.full(count, -1, np.int32),
        "seen_x": np.zeros(count),
        "seen_y": np.zeros(count),
        "seen_tick": np.zeros(count, np.int32),
        "event": np.zeros(count, np.uint32),
    }
    eyes = Vision(VisionSettings())
    cover = np.zeros_like(opaque)
    perceive = _median_us(lambda: eyes.update(1, opaque, cover, **columns), 1)
    chart, none = exposure_map(256, 256), np.zeros(20)
    watchers = np.stack([*rng.uniform(0, 256, (2, 20)), none, none + RADIUS, none + np.pi, none], 1)
    slices = 20 * (2 * RADIUS + 1) // 10 + 1
    exposure = _median_us(lambda: chart.update(eyes, opaque, cover, watchers, slices), 1, 50)
    assert chart.rounds >= 5, "a round takes ten ticks at most"
    wide = (rng.random((1024, 1024)) < 0.05).astype(np.uint8)
    sight = team_sight(1024, 1024)
    many = 10_000
    ids, side = np.arange(many, dtype=np.int32), (np.arange(many) % 2).astype(np.uint8)
    alive, radius = np.ones(many, np.uint8), np.full(many, RADIUS, np.int32)
    at = rng.uniform(1, 1023, (2, many))
    sight.update(wide, None, ids, alive, side, at[0], at[1], radius, many)

    def fog() -> None:
        at[:] = np.clip(at + rng.uniform(-0.2, 0.2, at.shape), 0, 1023)
        sight.update(wide, [], ids, alive, side, at[0], at[1], radius, 1000)

    return [
        _row("three_test_vision", "batch", perceive, 1, "tick of 500 watchers, 100 intruders", map="random 256x256"),
        _row(
            "exposure_map",
            "batch",
            exposure,
            1,
            "tick, a tenth of 20 watchers, three stances",
            map="random 256x256",
        ),
        _row("team_sight", "batch", _median_us(fog, 1), 1, "tick of 10,000 units, 1,000 moved", map="random 1024x1024"),
    ]
