"""Tracks of units: their states, deaths and meters, tick by tick.

They are flat columns that grow with what changes, not with time. Filling them reads the world and changes nothing.
States come from the transitions in the decision trace, so no mind is asked. Units: ticks, unit ids; a meter runs from
0 to 1.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.decision.decision_trace import DECISION, TRANSITION, TraceEntry, TraceRing
from game.world.world import World

SQUADS = -10
"""Track number of squad 0; that of squad ``n`` is ``SQUADS - n``."""
AT_REST, GONE = "at rest", "gone"
"""States of a squad without a manoeuvre, and of one that has ended."""
DEAD = "dead"
"""State of a unit from its death on."""
METER_EVERY = 4
"""Ticks between two samples of the meters."""
MOST_CHANGES, MOST_SAMPLES = 1_000_000, 2_000_000
"""Rows of a game, 10 and 32 MB; later ones are left out."""


@dataclass(frozen=True)
class Bar:
    """State of a unit from ``start`` to ``end``, in ticks; ``state`` is ``machine.State``."""

    start: int
    end: int
    state: str

    @property
    def skill(self) -> str:
        """Return the name of the state machine, or the whole state without one."""
        return self.state.partition(".")[0]

    @property
    def step(self) -> str:
        """Return the name of the state within its machine."""
        return self.state.partition(".")[2] or self.state


def entries_of(trace: TraceRing, tick: int, kind: str = "") -> list[TraceEntry]:
    """Return the newest entries of the trace that are of a tick, oldest first."""
    first = trace.written
    while first > max(trace.written - trace.size, 0) and trace.ticks[(first - 1) % trace.size] == tick:
        first -= 1
    return trace.since(first, kind)


@dataclass
class UnitTracks:
    """States and meters of one branch of a game, oldest first."""

    ticks: array[int] = field(default_factory=lambda: array("i"))
    units: array[int] = field(default_factory=lambda: array("i"))
    states: array[int] = field(default_factory=lambda: array("h"))
    """Indices of ``words``."""
    words: list[str] = field(default_factory=list)
    meter_ticks: array[int] = field(default_factory=lambda: array("i"))
    watchers: array[int] = field(default_factory=lambda: array("i"))
    watched: array[int] = field(default_factory=lambda: array("i"))
    meters: array[float] = field(default_factory=lambda: array("f"))
    decided: array[int] = field(default_factory=lambda: array("i"))
    """Ticks of decisions; ``deciders`` are their units, ``functions`` indices of ``sources``."""
    deciders: array[int] = field(default_factory=lambda: array("i"))
    functions: array[int] = field(default_factory=lambda: array("h"))
    sources: list[str] = field(default_factory=list)
    last: int = -1
    """Last tick that was noted."""
    squads: dict[int, str] = field(default_factory=dict)
    """Manoeuvre of each squad at that tick, by track number."""

    def note(self, world: World) -> None:
        """Note a finished tick, unless it is known."""
        tick = world.tick
        if tick <= self.last:
            return
        self.last = tick
        entries = entries_of(world.trace, tick)
        changes = [(e.unit, e.after) for e in entries if e.kind == TRANSITION]
        self._note_decisions(tick, [e for e in entries if e.kind in (DECISION, TRANSITION)])
        died = [(h.unit, DEAD) for h in world.events if h.kind in ("killed", "taken_down", "trapped")]
        self._add(tick, [*changes, *((unit, state) for unit, state in died if not self._lives(world, unit))])
        self._note_squads(world)
        if is_due(tick, METER_EVERY) and len(self.meter_ticks) < MOST_SAMPLES:
            u, n = world.units, world.units.count
            filled = np.flatnonzero((u.meter[:n] > 0) & (u.meter_target[:n] >= 0))
            if len(filled):
                self.meter_ticks.extend([tick] * len(filled))
                self.watchers.extend(u.id[filled].tolist())
                self.watched.extend(u.meter_target[filled].tolist())
                self.meters.extend(u.meter[filled].tolist())

    def _note_decisions(self, tick: int, entries: list[TraceEntry]) -> None:
        for entry in entries[: MOST_CHANGES - len(self.decided)]:
            if entry.function not in self.sources:
                self.sources.append(entry.function)
            self.decided.append(tick)
            self.deciders.append(entry.unit)
            self.functions.append(self.sources.index(entry.function))

    def _note_squads(self, world: World) -> None:
        now = {
            SQUADS - squad.id: squad.task.kind if squad.task is not None else AT_REST
            for squad in world.squads.rows.values()
        }
        gone = {number: GONE for number, state in self.squads.items() if number not in now and state != GONE}
        changes = [(number, state) for number, state in (now | gone).items() if self.squads.get(number) != state]
        self.squads.update(changes)
        self._add(world.tick, changes)

    @staticmethod
    def _lives(world: World, unit: int) -> bool:
        return bool(world.units.alive[world.units.slot(unit)])

    def _add(self, tick: int, changes: Iterable[tuple[int, str]]) -> None:
        for unit, state in changes:
            if len(self.ticks) >= MOST_CHANGES:
                return
            if state not in self.words:
                self.words.append(state)
            self.ticks.append(tick)
            self.units.append(unit)
            self.states.append(self.words.index(state))

    def until(self, tick: int) -> UnitTracks:
        """Return a copy with what was noted up to a tick."""
        n, m = bisect_right(self.ticks, tick), bisect_right(self.meter_ticks, tick)
        k = bisect_right(self.decided, tick)
        squads = {unit: self.words[state] for unit, state in zip(self.units[:n], self.states[:n], strict=True)}
        return UnitTracks(
            self.ticks[:n], self.units[:n], self.states[:n], list(self.words), self.meter_ticks[:m],
            self.watchers[:m], self.watched[:m], self.meters[:m], self.decided[:k], self.deciders[:k],
            self.functions[:k], list(self.sources), min(self.last, tick),
            {unit: state for unit, state in squads.items() if unit <= SQUADS},
        )  # fmt: skip

    def decisions(self, unit: int) -> list[int]:
        """Return the ticks at which a unit decided something, ascending."""
        return sorted({t for t, of in zip(self.decided, self.deciders, strict=True) if of == unit})

    def decided_in(self, module: str, unit: int = -1) -> list[int]:
        """Return the ticks at which a module's function decided.

        It decided for ``unit``, or for any unit if that is -1.
        """
        of = {at for at, name in enumerate(self.sources) if name.startswith(f"{module}.")}
        rows = zip(self.decided, self.deciders, self.functions, strict=True)
        return sorted({tick for tick, by, function in rows if function in of and unit in (-1, by)})

    def bars(self, unit: int) -> list[Bar]:
        """Return the states of a unit in order.

        States that last no tick are left out. A unit without a change has no bars.
        """
        rows = np.flatnonzero(np.array(self.units) == unit).tolist()
        ends = [*(self.ticks[row] for row in rows[1:]), self.last][: len(rows)]
        bars = [Bar(self.ticks[row], end, self.words[self.states[row]]) for row, end in zip(rows, ends, strict=True)]
        return [bar for bar in bars if bar.end > bar.start or bar is bars[-1]]

    def meter(self, unit: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the fullest meter of or about a unit.

        The arrays are the ticks int64[n] and the values float64[n].
        """
        of = (np.array(self.watchers) == unit) | (np.array(self.watched) == unit)
        if not of.any():
            return np.zeros(0, np.int64), np.zeros(0)
        ticks, at = np.unique(np.array(self.meter_ticks)[of], return_inverse=True)
        values = np.zeros(len(ticks))
        np.maximum.at(values, at, np.array(self.meters)[of])
        return ticks.astype(np.int64), values
