"""Queue of units for the local search, and a picture of the last search."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.scheduling.task_groups import CountGroup
from ai.core.serialization import record, unhashed
from ai.paths.replanning.failure_memory import FailureMemory

PLACES = 64
"""Largest number of units in the queue.

One is served per tick, and a longer wait is useless because units move on.
"""


@record
class LocalPicture:
    """Last local search, for overlays: corner, blocked tiles, expensive tiles, new path."""

    unit: int = -1
    tick: int = -1
    y: int = 0
    x: int = 0
    barred: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), bool))
    tiles: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), np.int32))


@record
class LocalLine:
    """Queue by slot: since when, why, and the longest wait in ticks.

    ``failures`` remembers searches that are known to fail.

    Local searches cost about the same, so a counted number runs per tick (a count group).
    """

    turns: CountGroup = field(default_factory=lambda: CountGroup(1))
    since: dict[int, int] = field(default_factory=dict)
    why: dict[int, int] = field(default_factory=dict)
    failures: FailureMemory = field(default_factory=FailureMemory)
    longest: int = unhashed(lambda: 0)
    picture: LocalPicture = unhashed(LocalPicture)

    def ask(self, slot: int, tick: int, why: int) -> bool:
        """Add a slot to the queue.

        Return False if it is present or the queue is full.
        """
        if len(self.turns.tasks) >= PLACES or slot in self.since:
            return False
        self.turns.tasks.append(slot)
        self.since[slot] = tick
        self.why[slot] = why
        return True

    @property
    def slots(self) -> list[int]:
        """Return the waiting slots, first come first."""
        return self.turns.tasks

    def leave(self, slot: int) -> tuple[int, int]:
        """Remove a slot whose turn has come: (tick of its request, reason)."""
        return self.since.pop(slot), self.why.pop(slot)

    def clear(self) -> None:
        """Empty the queue."""
        self.turns.tasks.clear()
        self.since.clear()
        self.why.clear()
