"""Start-up benchmark: seconds until window, first mission and all kernels are ready.

Each row is a whole process. ``cold`` starts with an empty kernel cache, ``warm`` with the one that its own cold run
filled.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tools.bench import positive

ROOT = Path(__file__).resolve().parent.parent.parent

WINDOW = """
import os
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
from game.view.app import first_frame
first_frame()
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this bench."""
    parser.add_argument("--runs", type=positive, default=1, help="runs of each warm start (a cold one runs once)")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """A row a (what, cold or warm), ``us_mean`` in microseconds of wall time."""
    out = []
    jobs = {
        "window": [sys.executable, "-c", WINDOW],
        "first_mission": [sys.executable, "main.py", "warm-up", "--lines", "--group", "mission"],
        "all_kernels": [sys.executable, "main.py", "warm-up", "--lines"],
    }
    for name, command in jobs.items():
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "FOGLINE_KERNEL_CACHE": folder}
            for mode, runs in (("cold", 1), ("warm", max(1, args.runs))):
                times = [_seconds(command, environment) for _ in range(runs)]
                out.append(
                    {
                        "algorithm": name,
                        "mode": mode,
                        "us_mean": round(statistics.mean(times) * 1e6),
                        "threads": os.cpu_count() or 1,
                        "runs": runs,
                    }
                )
    return out


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{' '.join(command[:4])} failed: {done.stderr.strip().splitlines()[-1:]}")
    return time.perf_counter() - start
