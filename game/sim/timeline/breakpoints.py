"""Breakpoints on the record: events, changes of state, rising meters, techniques.

They read chronicle and tracks, so they fire forwards and backwards and cost nothing while none is set. Units: ticks; a
meter runs from 0 to 1.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from game.sim.timeline.keyframes import History
from game.sim.timeline.unit_tracks import METER_EVERY

EVENT, ENTERS, LEAVES, METER, DECIDES = "event", "enters", "leaves", "meter", "decides"


@dataclass(frozen=True)
class Breakpoint:
    """Condition at which time stops.

    ``what`` is a kind of mark, a state as ``machine.State``, or the slug of a technique. ``unit`` is -1 for events of
    any unit. ``value`` is the meter's value. ``module`` is that of the technique, as it is imported.
    """

    kind: str
    unit: int = -1
    what: str = ""
    value: float = 0.0
    module: str = ""

    def times(self, history: History) -> list[int]:
        """Return the recorded ticks at which it fires, ascending."""
        if self.kind == EVENT:
            units = (self.unit,) if self.unit >= 0 else ()
            return sorted({mark.tick for mark in history.chronicle.marks({self.what}, units)})
        if self.kind == DECIDES:
            return sorted({*history.tracks.decided_in(self.module, self.unit), *history.ran.get(self.what, ())})
        if self.kind == METER:
            return self._crossings(*history.tracks.meter(self.unit))
        bars = history.tracks.bars(self.unit)
        if self.kind == ENTERS:
            return [bar.start for bar in bars if bar.state == self.what]
        return [bar.end for bar in bars[:-1] if bar.state == self.what]

    def _crossings(self, ticks: np.ndarray, values: np.ndarray) -> list[int]:
        """Return the sampled ticks at which the meter rises to the value."""
        before = np.concatenate([[0.0], values[:-1]])
        before[np.diff(ticks, prepend=-2 * METER_EVERY) > METER_EVERY] = 0.0  # an empty meter leaves no sample
        found: list[int] = ticks[(before < self.value) & (values >= self.value)].tolist()
        return found


def first_fired(stops: Iterable[Breakpoint], history: History, after: int, until: int) -> tuple[int, Breakpoint] | None:
    """Return the first breakpoint that fires later than ``after`` and not later than ``until``."""
    found = []
    for order, stop in enumerate(stops):
        times = stop.times(history)
        at = bisect_right(times, after)
        if at < len(times) and times[at] <= until:
            found.append((times[at], order, stop))
    if not found:
        return None
    tick, _, stop = min(found, key=lambda f: f[:2])
    return tick, stop


def last_fired(stops: Iterable[Breakpoint], history: History, before: int) -> tuple[int, Breakpoint] | None:
    """Return the last breakpoint that fired earlier than a tick."""
    found = []
    for order, stop in enumerate(stops):
        times = stop.times(history)
        at = bisect_left(times, before)
        if at:
            found.append((times[at - 1], -order, stop))
    if not found:
        return None
    tick, _, stop = max(found, key=lambda f: f[:2])
    return tick, stop
