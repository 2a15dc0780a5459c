"""Tick meter: milliseconds of each stage in the last ticks, in rings of samples.

It reads a clock, so it belongs to the window: the world never sees it. A tick that is spread over frames counts the
time of its stages alone. Times are seconds of the clock inside, milliseconds outside.

Source: Game AI Pro 2, ch. 1, 1.5.7: AI has a share of the frame, and each of its parts is measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from game.sim.tick import STAGES
from game.view.lab.measures.technique_meter import TechniqueMeter

NAMES = tuple(name for name, _ in STAGES)
KEPT = 100
"""Ticks over which mean and percentile are taken."""
TRACED = 1200
"""Ticks that a trace holds: a minute."""
PROFILED_EVERY = 5
"""Ticks between two that are profiled by technique.

A profiled tick takes about twice as long. So it is none of the samples of the stages.
"""


@dataclass(frozen=True)
class Times:
    """Milliseconds of the newest sample, their mean, and their 99th percentile."""

    now: float = 0.0
    mean: float = 0.0
    p99: float = 0.0


def times_of(samples: np.ndarray) -> Times:
    """Return the times of float64[n] milliseconds, the newest last; zeros without a sample."""
    if not len(samples):
        return Times()
    return Times(float(samples[-1]), float(samples.mean()), float(np.percentile(samples, 99)))


class TickMeter:
    """Rings of the last ticks; pass :meth:`after_stage` to a session."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.techniques: TechniqueMeter | None = None
        """Profile by technique, None while nobody looks at it."""
        self.watched: frozenset[str] = frozenset()
        """Slugs of techniques with a breakpoint; while there are any, each tick is profiled."""
        self.ticks = np.full(TRACED, -1, np.int64)
        self.starts = np.zeros((TRACED, len(NAMES)))
        self.lengths = np.zeros((TRACED, len(NAMES)))
        self.profiled = np.zeros(TRACED, bool)
        self.written = 0
        """Ticks written so far; tick number ``n`` stands in row ``n % TRACED``."""
        self._clock = clock
        self._mark = 0.0
        self._next = 0
        """Stage that a whole tick has next; 0 if a part was not measured."""

    def begin(self) -> None:
        """Start the clock; call it before stages run."""
        row = self.written % TRACED
        if self._next == 0:
            due = bool(self.watched) or self.written % PROFILED_EVERY == 0
            self.profiled[row] = self.techniques is not None and due
        if self.profiled[row] and self.techniques is not None:
            self.techniques.begin()
        self._mark = self._clock()

    def end(self) -> None:
        """Stop the profile; call it after stages ran."""
        if self.techniques is not None:
            self.techniques.end()

    def after_stage(self, name: str) -> None:
        """Note the time of a finished stage."""
        now, at, row = self._clock(), NAMES.index(name), self.written % TRACED
        if at == self._next:
            self.starts[row, at], self.lengths[row, at] = self._mark, now - self._mark
            self._next += 1
        else:
            self._next = 0
        self._mark = now

    def finished(self, tick: int) -> list[str]:
        """Write a finished tick, if all of its stages were measured.

        Return the watched techniques that ran in it.
        """
        row, whole, self._next = self.written % TRACED, self._next == len(NAMES), 0
        profiled = self.techniques is not None and bool(self.profiled[row])
        if profiled and self.techniques is not None:
            self.techniques.take(self.written, keep=whole)
        if whole:
            self.ticks[row] = tick
            self.written += 1
        if not (whole and profiled and self.techniques is not None):
            return []
        return sorted(self.watched & set(self.techniques.sample(self.written - 1)))

    def numbers(self) -> np.ndarray:
        """Return the numbers of the ticks that are kept, oldest first, int64[n]."""
        return np.arange(max(self.written - TRACED, 0), self.written)

    def rows(self) -> np.ndarray:
        """Return the rows that are written, oldest first, int64[n]."""
        return self.numbers() % TRACED

    def samples(self) -> np.ndarray:
        """Return milliseconds of the last ``KEPT`` ticks without a profile, float64[n, stages]."""
        rows = self.rows()
        of: np.ndarray = self.lengths[rows[~self.profiled[rows]][-KEPT:]] * 1000
        return of

    def figures(self) -> tuple[Times, dict[str, Times]]:
        """Return the times of whole ticks, and those of each stage by name."""
        samples = self.samples()
        stages = {name: times_of(samples[:, at]) for at, name in enumerate(NAMES)}
        return times_of(samples.sum(axis=1)), stages


TECHNIQUES = (
    {
        "slug": "tick-meter",
        "name": "Budget of AI by stage",
        "ids": ("GP2-1.7",),
        "source": "Game AI Pro 2, ch. 1",
        "functions": ("TickMeter.after_stage", "TickMeter.figures"),
        "test": "tests/game/view/lab/test_budget.py",
        "reason": "A tool of Lab: it measures any level, and no setting switches it.",
        "claim": "Work is deferred by counted budgets of its own, not by these times, so that a game stays repeatable.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
