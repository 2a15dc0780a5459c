"""Time-out and fallback: no unit goes on with an act that makes no progress.

A watched act has a deadline of twice its expected length. A report of progress (a distance in tiles that falls below
the best one so far by a step) moves the deadline on. An act past its deadline is given up. The pair of act and target
is then barred for a cooldown, so that the mind chooses another one. The caller plays the fallback, a confused gesture.

Rows: int64[n, 6] of unit, act, target, deadline, expected length and end of the bar; float64[n] of best distances.
Ticks never decrease.

Source: "AI Game Programming Wisdom", 1.4 (every action needs a time-out and a fallback). Factor, step and cooldown are
not from the source.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from ai.core.serialization import record

UNIT, ACT, TARGET, DEADLINE, EXPECTED, BARRED = range(6)
FACTOR = 2
"""Expected lengths until the deadline."""
STEP = 0.25
"""Tiles by which a distance must fall to count as progress."""


@record
class ActDeadlines:
    """Acts under watch and barred acts."""

    cooldown: int = 200
    """Ticks for which a failed pair of act and target is barred."""
    rows: np.ndarray = field(default_factory=lambda: np.zeros((0, 6), np.int64))
    best: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def watch(self, unit: int, act: int, target: int, tick: int, expected: int) -> None:
        """Watch an act of an expected length in ticks; the last watch ends."""
        self.finish(unit)
        row = np.array([[unit, act, target, tick + FACTOR * expected, expected, -1]], np.int64)
        self.rows = np.concatenate((self.rows, row))
        self.best = np.append(self.best, math.inf)

    def progress(self, unit: int, distance: float, tick: int) -> None:
        """Report the distance that is left; a smaller one moves the deadline on."""
        for at in self._watched(unit).tolist():
            if distance <= self.best[at] - STEP:
                self.best[at] = distance
                self.rows[at, DEADLINE] = tick + FACTOR * self.rows[at, EXPECTED]

    def finish(self, unit: int) -> None:
        """End the watch: the act is done or replaced."""
        keep = np.ones(len(self.rows), bool)
        keep[self._watched(unit)] = False
        self.rows, self.best = self.rows[keep], self.best[keep]

    def fail(self, unit: int, tick: int) -> None:
        """End the watch and bar the pair of act and target for the cooldown."""
        self.rows[self._watched(unit), BARRED] = tick + self.cooldown

    def overdue(self, tick: int) -> list[int]:
        """Return the units past their deadline, oldest watch first; drop old bars."""
        keep = (self.rows[:, BARRED] < 0) | (self.rows[:, BARRED] > tick)
        self.rows, self.best = self.rows[keep], self.best[keep]
        late: list[int] = self.rows[(self.rows[:, BARRED] < 0) & (self.rows[:, DEADLINE] <= tick), UNIT].tolist()
        return late

    def barred(self, unit: int, act: int, target: int, tick: int) -> bool:
        """Return true if the pair failed within the cooldown."""
        rows = self.rows
        same = (rows[:, UNIT] == unit) & (rows[:, ACT] == act) & (rows[:, TARGET] == target)
        return bool((same & (rows[:, BARRED] > tick)).any())

    def _watched(self, unit: int) -> np.ndarray:
        found: np.ndarray = np.flatnonzero((self.rows[:, UNIT] == unit) & (self.rows[:, BARRED] < 0))
        return found


TECHNIQUES = (
    {
        "slug": "act-deadlines",
        "name": "Time-out and fallback for every act",
        "ids": ("AW-1.4-2",),
        "source": "AI Game Programming Wisdom, 1.4",
        "functions": ("ActDeadlines.overdue", "ActDeadlines.barred"),
        "test": "tests/ai/animation/tracks/test_act_deadlines.py",
        "exhibit": "levels/exhibits/minds/blocked_lever.toml",
        "overlay": "body",
        "setting": "body.time_outs",
        "measure": "walked",
        "direction": "up",
        "claim": (
            "Acts that report their success are watched by a deadline, walks are not, and no act of the game "
            "reports progress. The fallback is a shrug. Factor, step and cooldown are ours."
        ),
    },
)
