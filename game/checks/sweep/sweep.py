"""Sweep: plays what is missing of a grid, and keeps every row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game.checks.sweep.cluster_workers import play_on_cluster
from game.checks.sweep.local_workers import play_locally
from game.checks.sweep.result_store import ResultStore
from game.checks.sweep.sweep_grid import SweepGrid


@dataclass(frozen=True)
class SweepEnd:
    """End of a sweep: number of rows, failed games, and whether it was stopped."""

    rows: int
    failed: list[dict[str, Any]]
    stopped: bool


def run_sweep(
    grid: SweepGrid,
    out: Path,
    *,
    resume: bool = False,
    workers: int = 1,
    cluster: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SweepEnd:
    """Play the games of a grid that ``out`` does not hold yet.

    ``cluster`` is the address of a Dask scheduler; without one, ``workers`` processes of this machine play. Ctrl+C
    keeps what is finished. ``progress(done, total)`` is called after each game.
    """
    store = ResultStore(out, resume)
    known = store.finished(grid.tasks)
    tasks = [task for task in grid.tasks if task.number not in known]
    done, stopped = len(known), False
    rows: Iterator[dict[str, Any]] = iter(())
    try:
        if tasks:
            rows = play_on_cluster(grid, tasks, cluster) if cluster else play_locally(grid, tasks, workers)
        for row in rows:
            store.add(row)
            done += 1
            if progress is not None:
                progress(done, len(grid.tasks))
    except KeyboardInterrupt:
        stopped = True
    finally:
        table = store.close()
    return SweepEnd(len(table), [row for row in store.rows if row["status"] != "done"], stopped)
