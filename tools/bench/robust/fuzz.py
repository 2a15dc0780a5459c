"""Fuzz benchmark: mutants of every kind of file are read in child processes.

The bench counts mutants that end in a traceback, take over 2 s or 500 MB, or kill the process. It names kind and seed.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tools.bench import positive

SLOW_SECONDS = 2.0
MOST_MB = 500
PATIENCE = 60
"""Seconds after which a child that tells nothing is killed."""
KINDS = ("map", "script", "replay", "save", "options", "keys", "progress")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this bench."""
    parser.add_argument("--count", type=positive, default=2000, help="mutants of all kinds together")
    parser.add_argument("--seed", type=int, default=0, help="first seed")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each kind: mutants, and how they ended."""
    each = max(1, args.count // len(KINDS))
    return [_row(kind, args.seed, each) for kind in KINDS]


def _row(kind: str, first: int, count: int) -> dict[str, Any]:
    found: dict[str, Any] = {"ok": 0, "refused": 0, "tracebacks": 0, "slow": 0, "large": 0, "crashes": 0}
    bad: list[str] = []
    at, start, base = first, time.perf_counter(), 0.0
    while at < first + count:
        for seed, verdict, seconds, megabytes in _child(kind, at, first + count - at):
            base = base or megabytes
            found["slow"] += seconds > SLOW_SECONDS
            found["large"] += megabytes - base > MOST_MB
            if verdict in ("ok", "refused"):
                found[verdict] += 1
            else:
                found["tracebacks"] += 1
                bad.append(f"{kind} {seed}: {verdict}")
            at = seed + 1
        if at < first + count:
            found["crashes"] += 1
            bad.append(f"{kind} {at}: the process died")
            at += 1
    seconds = time.perf_counter() - start
    row = {"algorithm": f"fuzz_{kind}", "mode": "batch", "us_mean": round(seconds / count * 1e6), "threads": 1}
    return {**row, "mutants": count, **found, "bad": bad[:20]}


def _child(kind: str, first: int, count: int) -> list[tuple[int, str, float, float]]:
    """Return seed, verdict, seconds and megabytes of each mutant of a child."""
    command = [sys.executable, "-m", "tools.bench.robust.fuzz", kind, str(first), str(count)]
    with tempfile.TemporaryFile("w+") as told:
        child = subprocess.Popen(command, stdout=told, stderr=subprocess.DEVNULL)
        size, quiet = -1, 0.0
        while child.poll() is None:
            time.sleep(0.2)
            now = told.seek(0, 2)
            quiet = quiet + 0.2 if now == size else 0.0
            size = now
            if quiet > PATIENCE:
                child.kill()
        told.seek(0)
        lines = [line.rstrip("\n").split("\t") for line in told if line.count("\t") == 3]
    return [(int(seed), verdict, float(seconds), float(mb)) for seed, verdict, seconds, mb in lines]


def summary(found: list[dict[str, Any]]) -> int:
    """Print what ended badly; return 1 when anything did."""
    bad = [line for row in found for line in row["bad"]]
    print("\n".join(bad) or "nothing ended badly")
    return int(any(row[name] for row in found for name in ("tracebacks", "slow", "large", "crashes")))


def _tell(kind: str, first: int, count: int) -> None:
    """Read mutants in this process, and print a line for each."""
    from tools.bench.robust.mutants_of_files import kinds, try_mutant

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        chosen = kinds(folder)[kind]
        for seed in range(first, first + count):
            start = time.perf_counter()
            verdict = try_mutant(chosen, seed, folder)
            seconds = time.perf_counter() - start
            megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{seed}\t{verdict.replace(chr(9), ' ')}\t{seconds:.4f}\t{megabytes:.0f}", flush=True)


if __name__ == "__main__":
    _tell(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
