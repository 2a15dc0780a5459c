"""Squad benchmark: planned and emergent squads against charging ones; think stage of 25 squads.

A pair of squads fights on ``two_squads`` once for each seed; sides change with the seed. A win is more living units
after two minutes or at the end of one squad. A draw is no win. The interval is Wilson's of 95 %. The think stage is
that of ``skirmish_25_squads`` (200 units in 25 squads). Its goal counts processor time, because other work on the
machine lengthens the time by the clock.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from rich.progress import track
from scipy.stats import binomtest

from game.checks.squad_duel import duel
from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tools.bench import positive

PAIRS = (("fight", "charge", 0.7), ("emergent", "charge", 0.6))
"""Intents of two squads, and the goal for the first one's wins."""
SQUAD = 8
"""Units of a squad in the large skirmish."""
THINK_MS = 6.0
"""Goal for p99 of the think stage, milliseconds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``--seeds N``: fights of a pair; ``--ticks N``: length of the large skirmish."""
    parser.add_argument("--seeds", type=positive, default=50, help="fights of each pair of squads (50)")
    parser.add_argument("--ticks", type=positive, default=600, help="ticks of the large skirmish (600)")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one dict per pair of intents, and one for the think stage.

    Keys: algorithm, mode, us_mean (a tick), threads; wins, fights, share, low and high, goal.
    """
    level = load_level(find_level("two_squads"))
    found = []
    for ours, theirs, goal in PAIRS:
        began, ticks, wins, draws = time.perf_counter(), 0, 0, 0
        for seed in track(range(args.seeds), f"{ours} against {theirs}"):
            fight = duel(level, ours, theirs, seed)
            wins, ticks = wins + (fight.won == 1.0), ticks + fight.ticks
            draws += fight.won == 0.5
        share = binomtest(wins, args.seeds).proportion_ci(method="wilson")
        found.append(
            {
                "algorithm": f"{ours} against {theirs}", "mode": "single",
                "us_mean": (time.perf_counter() - began) * 1e6 / max(ticks, 1), "threads": 1, "wins": wins,
                "draws": draws, "fights": args.seeds, "share": wins / args.seeds, "low": float(share.low),
                "high": float(share.high), "goal": goal,
            }
        )  # fmt: skip
    return [*found, _think_stage(args.ticks)]


def _think_stage(ticks: int) -> dict[str, Any]:
    session = Session(load_level(find_level("skirmish_25_squads")), 1, recording=False)
    give_squads(session)
    spent: list[tuple[float, float]] = []
    last = [(0.0, 0.0)]

    def after(stage: str) -> None:
        now = time.perf_counter(), time.process_time()
        if stage == "think":
            spent.append(((now[0] - last[0][0]) * 1e3, (now[1] - last[0][1]) * 1e3))
        last[0] = now

    for _ in range(ticks):
        last[0] = time.perf_counter(), time.process_time()
        session.advance(after)
    wall, own = np.array(spent).T
    return {
        "algorithm": "think stage, 25 squads", "mode": "single", "us_mean": float(wall.mean()) * 1e3,
        "threads": 1, "p99_ms": float(np.percentile(wall, 99)), "own_p99_ms": float(np.percentile(own, 99)),
        "goal": THINK_MS,
    }  # fmt: skip


def _times(row: dict[str, Any]) -> str:
    return f"p99 {row['own_p99_ms']:.2f} ms of processor time, {row['p99_ms']:.2f} ms by the clock"


def give_squads(session: Session) -> None:
    """Form squads of eight by id, each to fight the other side."""
    u = session.world.units
    for side in (0, 1):
        foes = u.living(1 - side)
        x, y = float(u.x[foes].mean()), float(u.y[foes].mean())
        ids = sorted(int(i) for i in u.id[u.living(side)])
        for k in range(0, len(ids), SQUAD):
            session.give(Order(int(OrderKind.SQUAD), side, tuple(ids[k : k + SQUAD]), x, y, name="fight"))


def summary(found: list[dict[str, Any]]) -> int:
    """Print whether the goals are met; return the exit code."""
    missed = 0
    for row in found:
        good = row["share"] >= row["goal"] if "share" in row else row["own_p99_ms"] < row["goal"]
        shown = f"{row['share']:.0%} of {row['fights']}" if "share" in row else _times(row)
        print(f"{row['algorithm']}: {shown}, goal {row['goal']:g}: {'met' if good else 'NOT MET'}")
        missed += not good
    return int(missed > 0)
