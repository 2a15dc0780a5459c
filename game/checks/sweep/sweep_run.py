"""Games of a sweep: played here, in a worker process, or elsewhere."""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

from game.checks.headless import Run, begin_level, go_on
from game.checks.scripts.script import Script
from game.checks.sweep.sweep_grid import SweepTask
from game.level.model import Level

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def play_task(task: SweepTask, level: Level, script: Script | None) -> dict[str, Any]:
    """Play a game to its end; return its row of results.

    Raises ValueError for a level of another digest.
    """
    if level.digest != task.digest:
        raise ValueError(f"{task.level}: the level here has the digest {level.digest}, the task has {task.digest}")
    run = go_on(begin_level(level, task.seed, None, script, dict(task.settings), recording=False), task.ticks)
    return {**row_of(task), "status": "done", "error": "", **_results(run)}


def row_of(task: SweepTask) -> dict[str, Any]:
    """Return the columns that name a game."""
    return {
        "level": task.level,
        "digest": task.digest,
        "script": task.script,
        "seed": task.seed,
        **{f"set.{name}": value for name, value in task.settings},
    }


def failed_row(task: SweepTask, error: str) -> dict[str, Any]:
    """Return the row of a game that ended with an error of one line."""
    return {**row_of(task), "status": "failed", "error": " ".join(error.split())[:300]}


def _results(run: Run) -> dict[str, Any]:
    world = run.session.world
    clock: dict[str, Any] = run.clock.table()
    u, mission = world.units, world.mission
    paths = world.paths.statistics.report(world.settings.paths.budget)
    sent = u.slots(sorted(run.first_moves.sent))
    near = np.hypot(u.x[sent] - u.ordered_x[sent], u.y[sent] - u.ordered_y[sent]) < 3.0
    return {
        "hash": world.hash(),
        "ticks": int(world.tick),
        "outcome": mission.status,
        "won": float(mission.status == "won"),
        "expectations_failed": len(run.failures()),
        "losses": int(((u.side[: u.count] == 0) & (u.alive[: u.count] == 0)).sum()),
        "enemy_losses": int(((u.side[: u.count] != 0) & (u.alive[: u.count] == 0)).sum()),
        "alarms": int(mission.alarms),
        "identified": int(mission.identified),
        "arrived_share": float(near.mean()) if len(sent) else 1.0,
        "moving": int((u.moving[: u.count] * u.alive[: u.count]).sum()),
        "first_move_ticks_max": int(run.first_moves.worst),
        **{f"paths.{name}": value for name, value in paths.items() if isinstance(value, int | float)},
        "tick_ms_p50": clock["tick_ms"]["p50"],
        "tick_ms_p99": clock["tick_ms"]["p99"],
        **{f"stage_ms_p50.{name}": times["p50"] for name, times in clock["stages"].items()},
    }


def version() -> dict[str, str]:
    """Return the versions that a hash depends on: sources, Python, numpy, numba."""
    digest = hashlib.blake2b(digest_size=8)
    for folder in ("ai", "game"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "view" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return {
        "sources": digest.hexdigest(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
    }
