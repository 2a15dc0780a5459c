"""Chronicle: marks of what happened in a game, for its timeline.

It notes the happenings of every tick, by kind and unit, in flat columns. Filling it reads the world and changes
nothing. Units: ticks, unit ids. Source of the facts: :mod:`game.world.events`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from game.world.events import Happening

MARK_KINDS = ("order", "detection", "alarm", "shot", "death", "door", "manoeuvre", "broken")
"""Kinds of marks, in the order in which they are drawn."""
MARK_OF = {
    "order": "order",
    "noticed": "detection",
    "identified": "detection",
    "found": "detection",
    "alarm": "alarm",
    "shot": "shot",
    "killed": "death",
    "taken_down": "death",
    "trapped": "death",
    "door": "door",
    "manoeuvre": "manoeuvre",
    "gave_up": "broken",
    "fault": "broken",
}
"""Kind of the mark of a happening; others leave none.

A broken promise is an order that a unit gave up, a mind with a fault, or an invariant that does not hold.
"""
MOST_MARKS = 1_000_000
"""Marks of a game, 16 MB; later happenings leave none."""


@dataclass(frozen=True)
class Mark:
    """Mark: its tick, its kind, and its units (-1 none)."""

    tick: int
    kind: str
    unit: int = -1
    other: int = -1


@dataclass
class Chronicle:
    """Marks of one branch of a game, oldest first."""

    ticks: array[int] = field(default_factory=lambda: array("i"))
    kinds: array[int] = field(default_factory=lambda: array("b"))
    units: array[int] = field(default_factory=lambda: array("i"))
    others: array[int] = field(default_factory=lambda: array("i"))
    last: int = -1
    """Last tick that was noted."""

    def note(self, tick: int, happenings: Iterable[Happening]) -> None:
        """Note the happenings of a finished tick, unless it is known."""
        if tick <= self.last:
            return
        self.last = tick
        for fact in happenings:
            kind = MARK_OF.get(fact.kind)
            if kind is None or len(self.ticks) >= MOST_MARKS:
                continue
            self.ticks.append(tick)
            self.kinds.append(MARK_KINDS.index(kind))
            self.units.append(fact.unit)
            self.others.append(fact.other)

    def add(self, tick: int, kind: str) -> None:
        """Add a mark of no unit to the tick noted last.

        An earlier or later tick takes none.
        """
        if tick == self.last and len(self.ticks) < MOST_MARKS:
            self.ticks.append(tick)
            self.kinds.append(MARK_KINDS.index(kind))
            self.units.append(-1)
            self.others.append(-1)

    def until(self, tick: int) -> Chronicle:
        """Return a copy with the marks up to a tick."""
        n = bisect_right(self.ticks, tick)
        return Chronicle(self.ticks[:n], self.kinds[:n], self.units[:n], self.others[:n], min(self.last, tick))

    def marks(self, kinds: Collection[str] = MARK_KINDS, units: Collection[int] = ()) -> list[Mark]:
        """Return the marks of these kinds by tick; with ``units``, only those about one."""
        codes = {MARK_KINDS.index(kind) for kind in kinds}
        return [
            Mark(tick, MARK_KINDS[kind], unit, other)
            for tick, kind, unit, other in zip(self.ticks, self.kinds, self.units, self.others, strict=True)
            if kind in codes and (not units or unit in units or other in units)
        ]

    def columns(self, kinds: Collection[str], units: Collection[int] = ()) -> tuple[np.ndarray, np.ndarray]:
        """Return ticks and kinds of marks, int64[n] each; kinds are indices of MARK_KINDS."""
        every, of = np.array(self.kinds, np.int64), np.array(self.ticks, np.int64)
        keep = np.isin(every, [MARK_KINDS.index(kind) for kind in kinds])
        if units:
            wanted = list(units)
            keep &= np.isin(np.array(self.units), wanted) | np.isin(np.array(self.others), wanted)
        return of[keep], every[keep]


def next_mark(marks: list[Mark], tick: int, step: int) -> Mark | None:
    """Return the next mark after a tick (``step`` 1) or before it (-1)."""
    if step > 0:
        at = bisect_right(marks, tick, key=lambda m: m.tick)
        return marks[at] if at < len(marks) else None
    at = bisect_left(marks, tick, key=lambda m: m.tick)
    return marks[at - 1] if at else None
