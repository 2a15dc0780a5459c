"""Worker processes of this machine that play the games of a sweep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from game.checks.sweep.sweep_grid import SweepGrid, SweepTask
from game.checks.sweep.sweep_run import failed_row, play_task
from game.checks.worker_pool import WorkerPool

_grid: list[SweepGrid] = []
"""The grid of a worker process, sent once when it starts."""


def _begin(grid: SweepGrid) -> None:
    _grid.append(grid)


def _play(task: SweepTask) -> dict[str, Any]:
    grid = _grid[0]
    return play_task(task, grid.levels[task.digest], grid.scripts[task.script])


def play_locally(grid: SweepGrid, tasks: list[SweepTask], workers: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each task as it ends, in any order.

    A game that raises, or whose process dies, gives a row with the status ``failed``. Each process uses one thread.
    """
    bare = SweepGrid([], grid.levels, grid.scripts)
    with WorkerPool[SweepTask, dict[str, Any]](_play, _begin, [bare], workers) as pool:
        pool.add(tasks)
        while pool.left:
            for end in pool.ended():
                yield end.result if end.result is not None else failed_row(end.task, end.error)
