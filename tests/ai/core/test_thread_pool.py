"""Threads that share work: equal answers in order, errors, and no leaks."""

import gc
import threading
from queue import SimpleQueue

import numba
import pytest

from ai.core.thread_pool import ThreadPool, halves


def test_shared_work_is_told_in_the_order_of_its_calls_and_an_error_leaves_the_crew_whole() -> None:
    pool = ThreadPool()
    calls = [(k, k * k) for k in range(1, 4)]
    assert pool.share(divmod, calls) == [divmod(*call) for call in calls]
    with pytest.raises(ZeroDivisionError):
        pool.share(divmod, [(1, 1), (1, 0), (7, 2)])
    assert pool.share(divmod, [(9, 4), (9, 5)]) == [(2, 1), (1, 4)]


def test_an_interrupt_while_it_waits_leaves_no_answer_for_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("one thread only")
    pool, go_on = ThreadPool(), threading.Event()

    class Interrupted(SimpleQueue):  # type: ignore[type-arg]
        def get(self, *args: object, **more: object) -> object:
            if threading.current_thread() is threading.main_thread():
                raise KeyboardInterrupt
            return super().get(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("ai.core.thread_pool.SimpleQueue", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.share(lambda k: k == 0 or go_on.wait(5.0), [(0,), (1,)])
    monkeypatch.undo()
    go_on.set()
    assert pool.share(divmod, [(9, 4), (9, 5)]) == [(2, 1), (1, 4)]


def test_the_threads_of_a_crew_end_with_it() -> None:
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("one thread only")
    pool = ThreadPool()
    before = set(threading.enumerate())
    assert pool.share(lambda k: threading.current_thread().name, [(0,), (1,)])[1] == "crew"
    (hand,) = set(threading.enumerate()) - before
    del pool
    gc.collect()
    hand.join(5.0)
    assert not hand.is_alive()


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 15, 16, 101])
def test_halves_cover_all_rows_once_and_are_never_small(rows: int) -> None:
    parts = halves(rows, 8)
    assert [k for first, last in parts for k in range(first, last)] == list(range(rows))
    assert len(parts) == 1 or min(last - first for first, last in parts) >= 7
