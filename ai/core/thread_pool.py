"""Threads that share the rows of a kernel call.

A kernel that takes ``first, last`` and writes only these rows gives the same bits for any division of the rows. Kernels
release the interpreter lock, so plain threads suffice: one function per kernel, and no second version compiled for
threads. A thread gets its work through a queue, in some microseconds. A future for each call would cost as much as the
smaller kernels take.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any

from numba import get_num_threads

LEAST = 512
"""Rows below which a further thread costs more than it saves."""


class ThreadPool:
    """As many threads as numba may use (``numba.set_num_threads``).

    They start when first needed, and end with the pool.
    """

    def __init__(self) -> None:
        self._hands: list[tuple[SimpleQueue[Any], SimpleQueue[Any]]] = []

    def run(self, kernel: Callable[..., Any], rows: int, threads: int, *arguments: Any) -> int:
        """Call ``kernel(first, last, *arguments)`` for 0..rows-1 on ``threads`` threads.

        Returns the sum of the results.
        """
        threads = min(threads, rows // LEAST)
        if threads < 2:
            return kernel(0, rows, *arguments) or 0
        step = -(-rows // threads)
        calls = [(first, min(rows, first + step), *arguments) for first in range(0, rows, step)]
        return sum(told or 0 for told in self._together(kernel, calls))

    def share(self, work: Callable[..., Any], calls: Sequence[tuple]) -> list[Any]:
        """Call ``work(*call)`` for each of ``calls``, in threads where possible.

        The calls write no common data. Their results are returned in order. The caller divides the work by its amount
        and not by the number of threads, so the parts are the same with one thread.
        """
        if len(calls) < 2 or get_num_threads() < 2:
            return [work(*call) for call in calls]
        return self._together(work, calls)

    def _together(self, work: Callable[..., Any], calls: Sequence[tuple]) -> list[Any]:
        """Run the first call here and each of the others in a thread.

        The first error of any is raised.
        """
        while len(self._hands) < len(calls) - 1:
            jobs: SimpleQueue[Any] = SimpleQueue()
            answers: SimpleQueue[Any] = SimpleQueue()
            threading.Thread(target=_serve, args=(jobs, answers), name="crew", daemon=True).start()
            weakref.finalize(self, jobs.put, None)
            self._hands.append((jobs, answers))
        for (jobs, _), call in zip(self._hands, calls[1:], strict=False):
            jobs.put((work, call))
        told = [_done(work, calls[0])]
        try:
            told += [answers.get() for _, answers in self._hands[: len(calls) - 1]]
        except BaseException:
            # Interrupted while waiting: late answers are dropped, and new threads start with the next call.
            for jobs, _ in self._hands:
                jobs.put(None)
            self._hands = []
            raise
        for _, error in told:
            if error is not None:
                raise error
        return [value for value, _ in told]


def _serve(jobs: SimpleQueue[Any], answers: SimpleQueue[Any]) -> None:
    """Run jobs until the job is None."""
    while (job := jobs.get()) is not None:
        answer = _done(*job)
        del job  # release its arrays while waiting
        answers.put(answer)
        del answer


def _done(work: Callable[..., Any], call: tuple) -> tuple[Any, BaseException | None]:
    try:
        return work(*call), None
    except BaseException as error:
        return None, error


def threads_for(units: int, threads_from: int) -> int:
    """Return how many threads share the work of so many units.

    Threads pay only for many units, and never change a bit.
    """
    return get_num_threads() if units >= threads_from else 1


def halves(rows: int, least: int) -> list[tuple[int, int]]:
    """Return (first, last) of two halves of 0..rows-1.

    It returns the whole range when a half would have fewer than ``least`` rows.
    """
    middle = (rows + 1) // 2
    return [(0, rows)] if middle < least or rows < 2 else [(0, middle), (middle, rows)]
