"""Worker processes of this machine that play the games of a sweep.

Pebble's pool reports the one task whose process died and starts another process; the rest goes on.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import as_completed
from typing import Any

from pebble import ProcessExpired, ProcessPool

from game.checks.headless import prepare_kernels
from game.checks.sweep.sweep_grid import SweepGrid, SweepTask
from game.checks.sweep.sweep_run import failed_row, play_task

_grid: list[SweepGrid] = []
"""The grid of a worker process, sent once when it starts."""


def _begin(grid: SweepGrid) -> None:
    _grid.append(grid)
    prepare_kernels()


def _play(task: SweepTask) -> dict[str, Any]:
    grid = _grid[0]
    return play_task(task, grid.levels[task.digest], grid.scripts[task.script])


def play_locally(grid: SweepGrid, tasks: list[SweepTask], workers: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each task as it ends, in any order.

    A game that raises, or whose process dies, gives a row with the status ``failed``. Each process uses one thread.
    """
    os.environ["NUMBA_NUM_THREADS"] = "1"  # the children read it when they start
    bare = SweepGrid([], grid.levels, grid.scripts)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPool(max_workers=workers, context=context, initializer=_begin, initargs=[bare])
    try:
        waiting = {pool.schedule(_play, args=[task]): task for task in tasks}
        for future in as_completed(waiting):
            task = waiting.pop(future)
            try:
                yield future.result()
            except ProcessExpired as error:
                yield failed_row(task, f"its process died (exit code {error.exitcode})")
            except Exception as error:
                yield failed_row(task, f"{type(error).__name__}: {error}")
        pool.close()
    except BaseException:
        pool.stop()
        raise
    finally:
        pool.join()
