"""The line of those who wait for the one local search of a tick, and what the last search looked like."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.scheduling.task_groups import CountGroup
from ai.core.serialization import record, unhashed

PLACES = 64
"""Most who wait at a time: one is served a tick, and who waits longer has moved on by then."""


@record
class LocalPicture:
    """The last local search, for overlays: corner, what was barred, what was dear, the tiles of the new way."""

    unit: int = -1
    tick: int = -1
    y: int = 0
    x: int = 0
    barred: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), bool))
    tiles: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), np.int32))


@record
class LocalLine:
    """Who waits for a local search, by slot: since when, why; and how many ticks the longest wait was.

    Local searches cost about the same, so that a counted number a tick runs: a count group.
    """

    turns: CountGroup = field(default_factory=lambda: CountGroup(1))
    since: dict[int, int] = field(default_factory=dict)
    why: dict[int, int] = field(default_factory=dict)
    longest: int = unhashed(lambda: 0)
    picture: LocalPicture = unhashed(LocalPicture)

    def ask(self, slot: int, tick: int, why: int) -> bool:
        """Take a place at the end of the line; False when the slot has one, or the line is full."""
        if len(self.turns.tasks) >= PLACES or slot in self.since:
            return False
        self.turns.tasks.append(slot)
        self.since[slot] = tick
        self.why[slot] = why
        return True

    @property
    def slots(self) -> list[int]:
        """Who waits, first come first."""
        return self.turns.tasks

    def leave(self, slot: int) -> tuple[int, int]:
        """A slot's turn has come: (since when it waited, why)."""
        return self.since.pop(slot), self.why.pop(slot)

    def clear(self) -> None:
        """Nobody waits any more."""
        self.turns.tasks.clear()
        self.since.clear()
        self.why.clear()
