"""Timeline of partial updates, for overlays and tests.

The parts of a character's loop need not run equally often. Decisions and path finding are expensive and less urgent.
Steering and moving are cheap and run in every tick. A part that is not due leaves its last order in force. The timeline
stores which part of which member ran in which tick.

Source: "Game AI Pro 2", 20.3.1 (partial updates). Times are ticks, members are ids.
"""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum

import numpy as np

from ai.core.serialization import record

KEPT = 60
"""Number of ticks that are kept."""
MOST = 1024
"""Number of members that are kept; higher ids are not."""


class Part(IntEnum):
    """Parts of a loop, from the rarest to the one in every tick."""

    LOOK = 0
    """The unit's eyes look."""
    DECIDE = 1
    """A mind, or a group, decides."""
    PATH = 2
    """A path is searched, joined, cut or extended."""
    STEER = 3
    """Neighbours, direction and avoidance are updated."""
    MOVE = 4
    """The body moves."""


@record
class Timeline:
    """A ring of ticks.

    ``ran`` uint8[KEPT, members] has the bit ``1 << part`` for each part that ran. ``count`` int64[parts] counts all
    runs since the start.
    """

    ran: np.ndarray = field(default_factory=lambda: np.zeros((KEPT, 0), np.uint8))
    tick: int = -1
    count: np.ndarray = field(default_factory=lambda: np.zeros(len(Part), np.int64))

    def note(self, tick: int, part: Part, ids: np.ndarray) -> None:
        """Record that ``part`` of each of ``ids`` (int[n]) runs in ``tick``.

        Ticks never go back.
        """
        if tick > self.tick:
            for late in range(max(self.tick + 1, tick - KEPT + 1), tick + 1):
                self.ran[late % KEPT] = 0
            self.tick = tick
        if len(ids) and (int(ids.min()) < 0 or int(ids.max()) >= MOST):
            ids = ids[(ids >= 0) & (ids < MOST)]
        if not len(ids):
            return
        more = int(ids.max()) + 1 - self.ran.shape[1]
        if more > 0:
            self.ran = np.pad(self.ran, ((0, 0), (0, more)))
        self.ran[tick % KEPT, ids] |= np.uint8(1 << part)
        self.count[part] += len(ids)

    def of(self, member: int, part: Part) -> np.ndarray:
        """Return ``bool[KEPT]``: ticks in which a part of a member ran, oldest first."""
        if not 0 <= member < self.ran.shape[1]:
            return np.zeros(KEPT, bool)
        order = (self.tick + 1 + np.arange(KEPT)) % KEPT
        bits: np.ndarray = (self.ran[order, member] >> int(part) & 1).astype(bool)
        return bits


TECHNIQUES = (
    {
        "slug": "partial-updates",
        "name": "Update rates per part of a group",
        "ids": ("GP2-20.3",),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("Timeline",),
        "test": "tests/game/sim/test_partial_updates.py",
        "exhibit": "levels/exhibits/formation/formation_parade.rates.toml",
        "overlay": "timeline",
        "setting": "formation.adapt_every",
        "measure": "seconds",
        "direction": "down",
        "claim": "Shown for the shape of a group; steering and moving run in every tick.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
