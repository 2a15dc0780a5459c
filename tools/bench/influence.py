"""Influence benchmark: one full field, a sliced tick of four sides, blur and flooding.

A field of 256 x 256 tiles is made from N sources by stamping, and beside it by ``scipy.ndimage.convolve`` of the map of
sources with the same template, in one run and with equal results. Blurs are compared in the same way. The goal of a
sliced tick is 1 ms for all layers of four sides.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import ndimage

from ai.grid.terrain import Terrain
from ai.influence.convolution import binomial, blurred
from ai.influence.influence_pipeline import ENEMIES, OWN, InfluenceMaps, LayerRow, advance, direct_map
from ai.influence.limited_spread import SpreadGround, template
from ai.influence.map_flooding import flood
from game.systems.tactics.side_influence import load_layers
from game.world.rules.tactics_settings import TacticsSettings
from tools.bench import positive

SIDE = 256
REACH = 8
SIDES = 4
TICK_US = 1000.0
"""Goal of a sliced tick, microseconds."""
RUNS = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``--sources N``: number of sources of the field, and of units over all sides."""
    parser.add_argument("--sources", type=positive, default=200, help="number of sources (200)")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one dict per measurement.

    Keys: algorithm, mode, us_mean (median run), us_p99 for ticks, threads, and the unit of work.
    """
    rng = np.random.default_rng(1)
    terrain, ground = _ground(rng)
    open_tiles = np.argwhere(terrain.passable != 0)
    chosen = open_tiles[rng.choice(len(open_tiles), args.sources, replace=False)]
    return [*_fields(ground, chosen), *_blurs(rng), _flooding(terrain, chosen), *_ticks(ground, chosen)]


def summary(found: list[dict[str, Any]]) -> int:
    """Print whether the goal of a tick is met; return the exit code."""
    tick = next(row for row in found if row["algorithm"] == "influence tick, moving")
    met = tick["us_p99"] < TICK_US
    words = "met" if met else "NOT MET"
    print(f"a sliced tick of {SIDES} sides: p99 {tick['us_p99']:.0f} us, goal {TICK_US:.0f} us: {words}")
    return 0 if met else 1


def _ground(rng: np.random.Generator) -> tuple[Terrain, SpreadGround]:
    opaque = np.zeros((SIDE, SIDE), np.uint8)
    for _ in range(400):
        y, x, n = int(rng.integers(0, SIDE)), int(rng.integers(0, SIDE)), int(rng.integers(3, 12))
        if rng.random() < 0.5:
            opaque[y, x : x + n] = 1
        else:
            opaque[y : y + n, x] = 1
    terrain = Terrain.build(opaque == 0, None, opaque)
    return terrain, SpreadGround(SIDE, SIDE, terrain)


def _median(work: Callable[[], object]) -> float:
    work()
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e6


def _row(algorithm: str, us: float, unit: str, **more: object) -> dict[str, Any]:
    return {"algorithm": algorithm, "mode": "single", "us_mean": us, "threads": 1, "unit": unit, **more}


def _sources(tiles: np.ndarray) -> np.ndarray:
    """Return sources of strength 1 that run 4 tiles/s and shoot 9 tiles."""
    n = len(tiles)
    columns = [tiles[:, 1] + 0.5, tiles[:, 0] + 0.5, np.ones(n), np.full(n, 4.0), np.full(n, 9.0), np.arange(n)]
    return np.column_stack(columns)


def _fields(ground: SpreadGround, tiles: np.ndarray) -> list[dict[str, Any]]:
    sources = {OWN: _sources(tiles)}
    unit = f"field {SIDE} x {SIDE}, {len(tiles)} sources"
    found = []
    for spread in ("open", "sight", "path"):
        row = LayerRow("field", OWN, "linear", "fixed", float(REACH), spread)
        us = _median(lambda row=row: direct_map(row, sources, ground))  # type: ignore[misc]
        found.append(_row(f"stamps, {spread}", us, unit))
    impulses = np.zeros((SIDE, SIDE))
    np.add.at(impulses, (tiles[:, 0], tiles[:, 1]), 1.0)
    kernel = template("linear", REACH).astype(np.float64)
    theirs = ndimage.convolve(impulses, kernel, mode="constant")
    ours = direct_map(LayerRow("field", OWN, "linear", "fixed", float(REACH)), sources, ground)
    if not np.allclose(ours, theirs, atol=1e-4):
        raise ValueError("the stamped field differs from the convolution of scipy")
    us = _median(lambda: ndimage.convolve(impulses, kernel, mode="constant"))
    found.append(_row("scipy.ndimage.convolve", us, unit))
    return found


def _blurs(rng: np.random.Generator) -> list[dict[str, Any]]:
    field, row = rng.random((SIDE, SIDE)), binomial(2)
    kernel, unit = np.outer(row, row), f"blur of {SIDE} x {SIDE} by 5 x 5"

    def separable() -> np.ndarray:
        half = ndimage.convolve1d(field, row, axis=0, mode="constant")
        return np.asarray(ndimage.convolve1d(half, row, axis=1, mode="constant"))

    inside = slice(2, -2)
    if not np.allclose(blurred(field, 2)[inside, inside], separable()[inside, inside]):
        raise ValueError("the blur differs from that of scipy")
    return [
        _row("blurred", _median(lambda: blurred(field, 2)), unit),
        _row("scipy.ndimage.convolve1d twice", _median(separable), unit),
        _row("scipy.ndimage.convolve 5 x 5", _median(lambda: ndimage.convolve(field, kernel, mode="constant")), unit),
    ]


def _flooding(terrain: Terrain, tiles: np.ndarray) -> dict[str, Any]:
    some = tiles[:8]
    strengths = np.full(len(some), 6.0)
    is_open = terrain.passable != 0
    us = _median(lambda: flood(is_open, some, strengths, threshold=0.05))
    return _row("map flooding", us, f"{SIDE} x {SIDE}, {len(some)} sources")


def _ticks(ground: SpreadGround, tiles: np.ndarray) -> list[dict[str, Any]]:
    """Time every tick of ten updates in processor time, which others do not lengthen.

    Each side knows its own units and as many enemies. All units move by a tile between updates, or all stand and their
    stamps are kept.
    """
    layers, settings = load_layers(), TacticsSettings()
    parts = np.array_split(tiles, SIDES)
    found = []
    for words, step in (("moving", 1), ("standing", 0)):
        maps, times = InfluenceMaps(layers), []
        kept = SpreadGround(SIDE, SIDE, ground.terrain, kept={})

        def take(side: int, step: int = step, maps: InfluenceMaps = maps) -> dict[str, np.ndarray]:
            passes = sum(state.passes for state in maps.sides)
            moved = [(part + step * passes) % SIDE for part in parts]
            return {OWN: _sources(moved[side]), ENEMIES: _sources(moved[(side + 1) % SIDES])}

        for tick in range(1, 10 * settings.period + 1):
            for side in range(SIDES):
                maps.want(side, tick)
            begin = time.thread_time()
            advance(maps, take, kept, tick, settings.period, settings.work)
            times.append((time.thread_time() - begin) * 1e6)
        warm = np.array(times[2 * settings.period :])
        unit = f"tick: {SIDES} sides, {len(layers)} layers, work at most {maps.most_work}"
        p99 = float(np.percentile(warm, 99))
        found.append(_row(f"influence tick, {words}", float(warm.mean()), unit, us_p99=p99))
    return found
