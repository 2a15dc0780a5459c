"""Pool of processes of this machine that play games.

Pebble's pool reports the one task whose process died and starts another process; the rest goes on. Results are fetched
by waiting or by polling, so that a window stays alive meanwhile.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import numba
from pebble import ProcessExpired, ProcessPool

from game.checks.headless import prepare_kernels

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Ended(Generic[T, R]):
    """End of a task: its result, or None and an error of one line."""

    task: T
    result: R | None
    error: str = ""


def _prepare(begin: Callable[..., None], given: Sequence[Any]) -> None:
    """Prepare a worker process: one thread, kernels loaded, data of all tasks kept."""
    numba.set_num_threads(1)
    begin(*given)
    prepare_kernels()


class WorkerPool(Generic[T, R]):
    """Pool of ``workers`` processes; ``play(task)`` runs in one of them.

    ``begin(*given)`` runs once in each process, for data that all tasks share.
    """

    def __init__(self, play: Callable[[T], R], begin: Callable[..., None], given: Sequence[Any], workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._play = play
        self._pool = ProcessPool(
            max_workers=workers, context=context, initializer=_prepare, initargs=[begin, list(given)]
        )
        self._waiting: dict[Future[R], T] = {}

    def add(self, tasks: Iterable[T]) -> None:
        """Add tasks; they are played in this order, as processes become free."""
        self._waiting |= {self._pool.schedule(self._play, args=[task]): task for task in tasks}

    @property
    def left(self) -> int:
        """Number of tasks whose result was not fetched yet."""
        return len(self._waiting)

    def ended(self, seconds: float | None = None) -> list[Ended[T, R]]:
        """Return the tasks that have ended since the last call.

        It waits for one at most so many seconds, without a number as long as it takes.
        """
        if not self._waiting:
            return []
        done, _ = wait(self._waiting, seconds, FIRST_COMPLETED)
        return [self._end_of(future, self._waiting.pop(future)) for future in done]

    @staticmethod
    def _end_of(future: Future[R], task: T) -> Ended[T, R]:
        try:
            return Ended(task, future.result())
        except ProcessExpired as error:
            return Ended(task, None, f"its process died (exit code {error.exitcode})")
        except Exception as error:
            return Ended(task, None, " ".join(f"{type(error).__name__}: {error}".split()))

    def stop(self) -> None:
        """Stop all processes; tasks that have not ended are lost."""
        self._waiting.clear()
        self._pool.stop()
        self._pool.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None and not self._waiting:
            self._pool.close()
            self._pool.join()
        else:
            self.stop()
