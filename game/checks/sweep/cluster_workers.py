"""Workers of a Dask cluster that play the games of a sweep.

Levels, scripts and the kernel cache are shipped once to each worker; a task is a few words. Before a worker's results
count, it plays the first game, and its hash must equal the one of this machine. The tasks of a lost worker run
elsewhere, because Dask computes lost results again.
"""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ai.core.kernels import cache_root
from game.checks.headless import prepare_kernels
from game.checks.sweep.sweep_grid import SweepGrid, SweepTask
from game.checks.sweep.sweep_run import failed_row, play_task, version

CONNECT = "10s"
WINDOW = 4
"""Tasks under way for each worker."""
FIRST_GAME = "600s"
"""Time for the first game of a worker, compiling included."""
PATIENCE = "20s"
"""Time without a finished game after which the workers are counted."""


def play_on_cluster(grid: SweepGrid, tasks: list[SweepTask], address: str) -> Iterator[dict[str, Any]]:
    """Yield a row for each task as it ends, in any order.

    Raises ValueError, in one line, without Dask, for a cluster that cannot be reached or has no worker, and for
    workers that run another version or give another hash.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("sweep --cluster needs Dask: pip install -r requirements-cluster.txt") from None
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ValueError(f"sweep --cluster {address}: no scheduler answers there ({type(error).__name__})") from None
    try:
        workers = _fit_workers(client, address)
        client.register_plugin(_kernel_plugin()(_zipped(cache_root())))
        shipped = client.scatter(SweepGrid([], grid.levels, grid.scripts), broadcast=True)
        workers = _true_workers(client, grid, tasks[0], shipped, workers)
        yield from _in_windows(client, tasks, shipped, workers)
    finally:
        client.close()


def _in_windows(client: Any, tasks: list[SweepTask], shipped: Any, workers: list[str]) -> Iterator[dict[str, Any]]:
    """Yield rows, with a few tasks a worker under way.

    So a lost worker is noticed soon."""
    from distributed import wait

    ahead, under_way = list(reversed(tasks)), dict[Any, SweepTask]()
    while ahead or under_way:
        while ahead and len(under_way) < WINDOW * len(workers):
            task = ahead.pop()
            under_way[client.submit(_play, task, shipped, pure=False, workers=workers)] = task
        try:
            with client.as_current():
                ended = wait(list(under_way), timeout=PATIENCE, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            ended = set()
        for future in ended:
            task = under_way.pop(future)
            if future.status == "finished":
                yield future.result()
            else:
                yield failed_row(task, f"{type(future.exception()).__name__}: {future.exception()}")
        if not ended and not set(client.scheduler_info(n_workers=-1)["workers"]) & set(workers):
            raise ValueError("sweep --cluster: all workers are lost; what is finished is kept, go on with --resume")


def _play(task: SweepTask, grid: SweepGrid) -> dict[str, Any]:
    return play_task(task, grid.levels[task.digest], grid.scripts[task.script])


def _fit_workers(client: Any, address: str) -> list[str]:
    """Return the addresses of workers that run this version; ValueError when none does."""
    here, found = version(), client.run(version)
    if not found:
        raise ValueError(f"sweep --cluster {address}: the scheduler has no worker; start one with dask worker")
    fit = sorted(worker for worker, there in found.items() if there == here)
    if not fit:
        worker, there = sorted(found.items())[0]
        name = next(name for name in here if there.get(name) != here[name])
        raise ValueError(f"sweep --cluster: worker {worker} has {name} {there.get(name)}, here it is {here[name]}")
    return fit


def _true_workers(client: Any, grid: SweepGrid, task: SweepTask, shipped: Any, workers: list[str]) -> list[str]:
    """Return the workers whose first game has the hash of this machine.

    ValueError when none has."""
    prepare_kernels()
    true = play_task(task, grid.levels[task.digest], grid.scripts[task.script])["hash"]
    trials = {worker: client.submit(_play, task, shipped, pure=False, workers=[worker]) for worker in workers}
    hashes: dict[str, str] = {}
    for worker, trial in trials.items():
        with contextlib.suppress(Exception):  # a worker that is lost in its first game is left out
            hashes[worker] = trial.result(timeout=FIRST_GAME)["hash"]
    if not hashes:
        raise ValueError("sweep --cluster: no worker ended its first game; look at the workers' logs")
    fit = [worker for worker in hashes if hashes[worker] == true]
    if not fit:
        raise ValueError(
            f"sweep --cluster: worker {workers[0]} gives another hash than this machine,"
            f" level {task.level}, seed {task.seed}"
        )
    return fit


def _zipped(folder: Path) -> bytes:
    """Return the compiled kernels of this machine as a zip, to be shipped."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
            if path.suffix in (".nbi", ".nbc"):
                archive.write(path, path.relative_to(folder).as_posix())
    return raw.getvalue()


def unpack_kernels(raw: bytes, folder: Path) -> None:
    """Unpack shipped kernels, unless the worker has a cache of its own."""
    if os.environ.get("FOGLINE_KERNEL_CACHE"):
        return
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        archive.extractall(folder)
    os.environ["FOGLINE_KERNEL_CACHE"] = str(folder)


def _kernel_plugin() -> Any:
    """Return the class of the plugin that unpacks kernels when a worker starts."""
    from distributed import WorkerPlugin

    class KernelPlugin(WorkerPlugin):
        """Unpacks the shipped kernels on a worker."""

        name = "fogline-kernels"

        def __init__(self, raw: bytes) -> None:
            self.raw = raw

        def setup(self, worker: Any) -> None:
            """Unpack before the first game."""
            unpack_kernels(self.raw, Path(worker.local_directory) / "fogline-kernels")

    return KernelPlugin
