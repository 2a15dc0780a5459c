"""Decision trace: a ring that records every decision with its reasons.

An entry holds the considered options, their scores, the winner, the time, the cause, and the function that decided. One
ring of fixed size holds the entries of all minds of a world. Writing allocates nothing; the oldest entry is
overwritten. The ring is saved but never hashed: it explains the world and takes no part in it.

Source: AI Game Programming Wisdom, 6.6 (transparent log: the language constructs themselves write it). Units: ticks (20
a second); ids are unit ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ai.core.serialization import record

TICKS_PER_SECOND = 20

_FIELD, _ITEM, _PAIR = "\x1f", "\x1e", "\x1d"

DECISION, TRANSITION, MESSAGE, ORDER = "decision", "transition", "message", "order"
PERCEPT = "percept"
"""Kind of an entry that explains why a watcher notices a unit.

``cause`` is text; ``considered`` are the terms of the identification time.
"""


@dataclass(frozen=True)
class TraceEntry:
    """Decision, read from the ring.

    ``decided`` is what the unit does now, as text that follows its name ("searches the reeds"). ``considered`` are
    (name, score) pairs, names as gerunds ("going home"). ``cause`` is the reason as text ("it saw a raider 6 tiles
    off"), and ``since`` the tick of the cause (-1: none). ``function`` decided. ``before`` and ``after`` are the states
    of a transition.
    """

    tick: int
    unit: int
    kind: str
    decided: str
    considered: tuple[tuple[str, float], ...] = ()
    winner: str = ""
    cause: str = ""
    since: int = -1
    function: str = ""
    before: str = ""
    after: str = ""


@record
class TraceRing:
    """Fixed-size ring of :class:`TraceEntry`.

    ``written`` counts all entries ever made.
    """

    size: int = 4096
    written: int = 0
    ticks: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    units: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.size <= 0:
            raise ValueError(f"a trace ring needs a size above 0, got {self.size}")
        if len(self.ticks) != self.size:
            self.ticks = np.full(self.size, -1, np.int32)
            self.units = np.full(self.size, -1, np.int32)
            self.lines = [""] * self.size

    def add(
        self,
        tick: int,
        unit: int,
        kind: str,
        decided: str,
        *,
        considered: Iterable[tuple[str, float]] = (),
        winner: str = "",
        cause: str = "",
        since: int = -1,
        function: str = "",
        before: str = "",
        after: str = "",
    ) -> None:
        """Write one entry over the oldest."""
        at = self.written % self.size
        self.ticks[at] = tick
        self.units[at] = unit
        options = _ITEM.join(f"{name}{_PAIR}{score:.6g}" for name, score in considered)
        self.lines[at] = _FIELD.join((kind, decided, options, winner, cause, str(since), function, before, after))
        self.written += 1

    def _entry(self, at: int) -> TraceEntry:
        kind, decided, options, winner, cause, since, function, before, after = self.lines[at].split(_FIELD)
        pairs = (option.split(_PAIR) for option in options.split(_ITEM) if option)
        return TraceEntry(
            int(self.ticks[at]),
            int(self.units[at]),
            kind,
            decided,
            tuple((name, float(score)) for name, score in pairs),
            winner,
            cause,
            int(since),
            function,
            before,
            after,
        )

    def _places(self) -> np.ndarray:
        """Return the positions of all stored entries, oldest first."""
        held = min(self.written, self.size)
        return (np.arange(self.written - held, self.written) % self.size).astype(np.int64)

    def last(self, unit: int, count: int = 5, kinds: Sequence[str] | None = None) -> list[TraceEntry]:
        """Return the newest ``count`` stored entries of ``unit``, newest first.

        With ``kinds``, only these kinds count.
        """
        places = self._places()
        found = []
        for at in places[self.units[places] == unit][::-1]:
            if kinds is None or self.lines[at].split(_FIELD, 1)[0] in kinds:
                found.append(self._entry(int(at)))
                if len(found) >= count:
                    break
        return found

    def since(self, written: int, kind: str = "") -> list[TraceEntry]:
        """Return the stored entries written after the counter ``written``, oldest first.

        With ``kind``, only this kind counts.
        """
        first = max(written, self.written - self.size)
        places = [n % self.size for n in range(first, self.written)]
        return [self._entry(at) for at in places if not kind or self.lines[at].startswith(kind + _FIELD)]


def line_of(entry: TraceEntry) -> str:
    """Return one log line.

    It has the time, unit, kind, decision, cause, other options, and the function that decided.
    """
    what = f"{entry.before} -> {entry.after}" if entry.kind == TRANSITION else entry.decided
    line = f"{entry.tick / TICKS_PER_SECOND:8.2f} s  unit {entry.unit:<5} {entry.kind:<10} {what}"
    if entry.cause:
        line += f" | {entry.cause}"
    if entry.considered:
        line += " | " + ", ".join(f"{name} {score:.3g}" for name, score in entry.considered)
    return line + (f" | {entry.function}" if entry.function else "")


def next_best(entry: TraceEntry) -> str:
    """Return the losing option with the highest score; "" for none.

    Of equal options the earlier one wins.
    """
    best, best_score = "", 0.0
    for name, score in entry.considered:
        if name != entry.winner and score > best_score:
            best, best_score = name, score
    return best


def sentence(who: str, entry: TraceEntry, tick: int) -> str:
    """Return the inspector's sentence.

    ``who`` is the unit's name ("Guard 4"); ``tick`` is now. For example: "Guard 4 searches the reeds: it saw a raider 6
    tiles off 2.3 s ago; next best was going home."
    """
    text = f"{who} {entry.decided}"
    if entry.cause:
        text += f": {entry.cause}"
        if entry.since >= 0:
            age = max(0, tick - entry.since) / TICKS_PER_SECOND
            text += " just now" if age < 0.05 else f" {age:.1f} s ago"
    other = next_best(entry)
    if other:
        text += f"; next best was {other}"
    return text + "."


TECHNIQUES = (
    {
        "slug": "behaviour-log",
        "name": "Transparent log of state machines",
        "ids": ("AW-6.6-4",),
        "source": "AI Game Programming Wisdom, 6.6",
        "functions": ("TraceRing.add", "TraceRing.last"),
        "test": "tests/ai/decision/test_decision_trace.py",
        "exhibit": "levels/exhibits/minds/canvass.interrupt.toml",
        "overlay": "timeline",
        "reason": "Every mind runs on it, so no setting switches it off.",
        "claim": (
            "One ring of fixed size serves all minds, in place of one for each object. It also keeps scores and "
            "the deciding function; Lab shows it, and there are no text files."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
