"""Soak benchmark: memory and tick times of a long game by quarters."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from game.checks.headless import prepare_kernels
from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.create_world import scatter_goals
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tools.bench import positive

UNITS = 1000
AGAIN = 400
"""Ticks after which every unit gets another place to go to."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this bench."""
    parser.add_argument("--ticks", type=positive, default=576_000, help="an hour at 8x by default")
    parser.add_argument("--level", default="thousand_512")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each quarter: resident memory in MB, tick times in ms."""
    prepare_kernels()
    session = Session(load_level(find_level(Path(args.level))), 1, units=UNITS, recording=True)
    out = []
    for quarter in range(4):
        times = np.zeros(args.ticks // 4)
        for at in range(len(times)):
            if session.world.tick % AGAIN == 0:
                ids, points = scatter_goals(session.world)
                turn = (session.world.tick // AGAIN * 97) % len(ids)
                shifted = points[2 * turn :] + points[: 2 * turn]
                session.give(Order(int(OrderKind.MOVE_EACH), 0, tuple(ids), points=tuple(shifted)))
            start = time.perf_counter()
            session.advance()
            times[at] = (time.perf_counter() - start) * 1000
        p50, p99 = np.percentile(times, (50, 99))
        out.append(
            {
                "algorithm": f"soak_quarter_{quarter + 1}", "mode": "single",
                "us_mean": round(float(times.mean()) * 1000),
                "threads": 1, "ticks": len(times), "p50_ms": round(float(p50), 2), "p99_ms": round(float(p99), 2),
                "memory_mb": round(_resident_mb(), 1),
            }
        )  # fmt: skip
    return out


def _resident_mb() -> float:
    """Return the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def summary(found: list[dict[str, Any]]) -> int:
    """Print how the last quarter compares with the second."""
    second, last = found[1], found[3]
    growth = 100.0 * (last["memory_mb"] / second["memory_mb"] - 1.0)
    print(
        f"memory {growth:+.1f} %, p99 {second['p99_ms']} ms in the second quarter and {last['p99_ms']} ms in the last"
    )
    return 0
