"""Threads that share the rows of a kernel call.

A kernel that takes ``first, last`` and writes only what belongs to those rows gives the same bits whoever calls it for
which rows.  Kernels release the interpreter lock, so plain threads do: one body a kernel, no twin compiled for threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from numba import get_num_threads

LEAST = 512
"""Rows below which a further thread costs more than it saves."""


class Crew:
    """As many threads as numba may use (``numba.set_num_threads``); they are started when first needed."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._threads = 1

    def run(self, kernel: Callable[..., Any], rows: int, threads: int, *arguments: Any) -> int:
        """Call ``kernel(first, last, *arguments)`` for all of 0..rows-1 on ``threads`` threads; the sum of what the
        calls return."""
        threads = min(threads, rows // LEAST)
        if threads < 2:
            return kernel(0, rows, *arguments) or 0
        pool = self._started(threads)
        step = -(-rows // threads)
        waiting = [pool.submit(kernel, first, min(rows, first + step), *arguments) for first in range(step, rows, step)]
        total = kernel(0, step, *arguments) or 0
        return total + sum(done.result() or 0 for done in waiting)

    def share(self, work: Callable[..., Any], calls: Sequence[tuple]) -> list[Any]:
        """``work(*call)`` for each of ``calls``, which write nothing in common, each in a thread of its own where there
        are as many; what they return, in their order.

        The caller parts the work by what there is to do and not by how many threads there are: so the parts are the
        same with one.
        """
        if len(calls) < 2 or get_num_threads() < 2:
            return [work(*call) for call in calls]
        pool = self._started(min(get_num_threads(), len(calls)))
        waiting = [pool.submit(work, *call) for call in calls[1:]]
        return [work(*calls[0]), *(done.result() for done in waiting)]

    def _started(self, threads: int) -> ThreadPoolExecutor:
        if self._pool is None or self._threads < threads:
            self._pool, self._threads = ThreadPoolExecutor(threads - 1), threads
        return self._pool


def halves(rows: int, least: int) -> list[tuple[int, int]]:
    """(first, last) of two halves of 0..rows-1, or of the whole where a half would have fewer than ``least`` rows."""
    middle = (rows + 1) // 2
    return [(0, rows)] if middle < least or rows < 2 else [(0, middle), (middle, rows)]


def threads_for(units: int, threads_from: int) -> int:
    """How many threads share the work of so many units: it pays for many only, and never changes a bit."""
    return get_num_threads() if units >= threads_from else 1
