"""Request lifecycle: withdraw a request, repeat it, or give it up.

Source: "AI Game Programming Wisdom", 3.3.
"""

from __future__ import annotations

import numpy as np

from ai.paths.requests.path_queue import SearchQueue
from ai.paths.requests.request_columns import Phase, Requests
from ai.paths.state.path_state import PathState
from ai.paths.state.path_trace import Decision
from ai.paths.update_context import PathTick


def withdraw(queue: SearchQueue, requests: Requests, slots: np.ndarray) -> None:
    """Close the open searches of ``slots`` and clear their queue data."""
    if queue.open and (requests.phase[slots] == Phase.OPEN).any():
        leaving = set(slots.tolist())
        for entry in [e for e in queue.open if e.slot in leaving]:
            queue.drop(entry)
    requests.urgent[slots] = 0
    requests.starved[slots] = 0


def ask_again(manager: PathState, slots: np.ndarray, tick: int) -> None:
    """Record a failure: request again from where the unit stands, with one try less."""
    requests = manager.requests
    withdraw(manager.queue, requests, slots)
    requests.phase[slots] = Phase.NEW
    requests.asked[slots] = tick
    requests.tries[slots] += 1
    manager.statistics.replanned += len(slots)
    manager.trace.note_many(tick, requests.unit[slots], Decision.REPLANNED, requests.tries[slots])


def lose(now: PathTick, slots: np.ndarray, decision: Decision, a: object = 0, b: object = 0, c: object = 0) -> None:
    """Give up: remove the path and report the loss to the unit."""
    if len(slots) == 0:
        return
    manager = now.manager
    withdraw(manager.queue, manager.requests, slots)
    manager.store.clear(slots)
    manager.requests.phase[slots] = Phase.IDLE
    manager.statistics.lost += len(slots)
    now.lost.extend(slots.tolist())
    now.note_many(slots, decision, a, b, c)
