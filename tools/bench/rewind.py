"""Rewind benchmark: saving a moment of a session and returning to it later."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from game.checks.headless import prepare_kernels, scatter_orders
from game.level.reading import load_level
from game.sim.session import Session
from tools.bench import positive

ROOT = Path(__file__).resolve().parent.parent.parent
RUNS = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``--ticks N``: how long is played between keeping and returning."""
    parser.add_argument("--ticks", type=positive, default=100)


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for saving and one for returning; ``max_ms`` is the worst.

    Both run on the first mission and among a thousand units.
    """
    prepare_kernels()
    found = []
    for name, units in (("the_crossing", None), ("regression/thousand_512", 1000)):
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


def _ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000
