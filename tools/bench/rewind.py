"""Rewind benchmark: kept moments, and any tick of a long game.

The rows ``reach`` play a game with a history. Then a viewing copy seeks ticks spread over all that can be reached, in
an order that never helps: each seek restores a keyframe. ``reach_seconds`` is how far back the history reaches.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ai.core.scheduling.periods import is_due
from game.checks.headless import prepare_kernels, scatter_orders
from game.level.reading import load_level
from game.sim.session import Session
from game.sim.timeline.viewing_copy import ViewingCopy
from tools.bench import positive

ROOT = Path(__file__).resolve().parent.parent.parent
RUNS = 7
LONG_GAMES = (
    ("the_crossing", 200),
    ("regression/paths/thousand_512", 200),
    ("regression/paths/thousand_512", 1000),
)
SEEKS = 120
ORDERS_EVERY = 600
"""Ticks between two orders to all scattered units: they walk for the whole game."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--ticks N`` between keeping and returning, and ``--game N`` of a long game."""
    parser.add_argument("--ticks", type=positive, default=100)
    parser.add_argument("--game", type=positive, default=12_000)


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return rows for saving and returning, and for reaching ticks; ``max_ms`` is the worst.

    They run on the first mission, there with two hundred units, and among a thousand units.
    """
    prepare_kernels()
    found = _moments(args)
    for level, units in LONG_GAMES:
        # A fresh process for each, so that its memory is that of one game.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(pool.submit(_reach, level, units, args.game).result())
    return found


def _moments(args: argparse.Namespace) -> list[dict[str, Any]]:
    found = []
    for name, units in (("the_crossing", None), ("regression/paths/thousand_512", 1000)):
        session = Session(load_level(ROOT / "levels" / f"{name}.tmx"), 1, units=units, recording=False)
        if units:
            session.give(scatter_orders(session))
        keeps, backs = [], []
        for _ in range(RUNS):
            for _ in range(args.ticks):
                session.advance()
            keeps.append(_ms(session.keep))
            for _ in range(args.ticks // 4):
                session.advance()
            backs.append(_ms(session.back))
        for algorithm, times in (("keep", keeps), ("return", backs)):
            found.append(
                {
                    "algorithm": algorithm,
                    "mode": "single",
                    "us_mean": statistics.fmean(times) * 1000,
                    "max_ms": max(times),
                    "threads": 1,
                    "level": name,
                    "units": int(session.world.units.count),
                }
            )
    return found


def _reach(level: str, units: int, ticks: int) -> dict[str, Any]:
    """Return the row of a long game: seeks, bytes and reach."""
    prepare_kernels()
    session = Session(load_level(ROOT / "levels" / f"{level}.tmx"), 1, units=units, recording=False)
    before = _resident_mb()
    history = session.remember()
    ticked, kept = [], 0.0
    for tick in range(ticks):
        if is_due(tick, ORDERS_EVERY):
            session.give(scatter_orders(session, tick // ORDERS_EVERY))
        frames = len(history.store)
        ticked.append(_ms(session.advance))
        if len(history.store) > frames:
            kept = max(kept, ticked.pop())
    grown = _resident_mb() - before
    copy = ViewingCopy(session)
    span = ticks - history.first
    times = []
    for n in range(SEEKS):
        copy.near.clear()
        tick = history.first + (n * 7919) % (span + 1)
        times.append(_ms(lambda tick=tick: copy.seek(tick)))  # type: ignore[misc]
    times.sort()
    return {
        "algorithm": "reach",
        "mode": "single",
        "us_mean": statistics.fmean(times) * 1000,
        "max_ms": times[-1],
        "threads": 1,
        "level": level,
        "units": int(session.world.units.count),
        "p50_ms": statistics.median(times),
        "tick_ms": statistics.fmean(ticked),
        "keyframe_tick_max_ms": kept,
        "game_seconds": ticks / 20,
        "reach_seconds": span / 20,
        "keyframes": len(history.frames),
        "history_mb": history.store.ledger.nbytes / 1e6,
        "process_mb_grown": grown,
    }


def _resident_mb() -> float:
    """Return the memory of this process in MB, 0 where it is unknown."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if statm.is_file() else 0.0


def _ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000
