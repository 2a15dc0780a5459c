"""The line of those who wait for the one local search of a tick, and what the last search looked like."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.state import record, unhashed

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
    """Who waits for a local search: slots, since when, why; and how many ticks the longest wait was."""

    slots: list[int] = field(default_factory=list)
    since: list[int] = field(default_factory=list)
    why: list[int] = field(default_factory=list)
    longest: int = unhashed(lambda: 0)
    picture: LocalPicture = unhashed(LocalPicture)

    def ask(self, slot: int, tick: int, why: int) -> bool:
        """Take a place at the end of the line; False when the slot has one, or the line is full."""
        if len(self.slots) >= PLACES or slot in self.slots:
            return False
        self.slots.append(slot)
        self.since.append(tick)
        self.why.append(why)
        return True
