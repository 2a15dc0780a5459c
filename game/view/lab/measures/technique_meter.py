"""Technique meter: milliseconds and calls of each technique in the last profiled ticks.

It profiles whole ticks and adds up the deciding functions that the register names, kernels included. A time holds what
those functions call. A call between two functions of one technique counts once.

Source: AI Game Programming Wisdom, 6.3 (Bob Alexander): each group of work keeps its costs.
"""

from __future__ import annotations

import cProfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

KEPT = 100
"""Samples of each technique."""
Key = tuple[str, str]
"""File and qualified name of a function."""


@dataclass(frozen=True)
class TechniqueTimes:
    """Costs of a technique: milliseconds a tick, and calls of all time."""

    slug: str
    now: float
    mean: float
    p99: float
    calls: int
    """Calls in all profiled ticks."""
    call_us: float
    """Microseconds of a call, on average."""
    most: float
    """Largest cost of one tick in milliseconds."""


def deciding_functions(root: Path, register: Iterable[Mapping[str, Any]]) -> dict[Key, tuple[str, ...]]:
    """Return the slugs of each deciding function in the rows of the register."""
    found: dict[Key, tuple[str, ...]] = {}
    for row in register:
        for name in row["functions"]:
            key = (str(root / row["module"]), str(name))
            found[key] = (*found.get(key, ()), str(row["slug"]))
    return found


class TechniqueMeter:
    """Profile of the ticks between :meth:`begin` and :meth:`end`."""

    def __init__(
        self, functions: Mapping[Key, tuple[str, ...]], timer: Callable[[], float] = time.perf_counter
    ) -> None:
        self.functions = functions
        self.slugs = sorted({slug for slugs in functions.values() for slug in slugs})
        self.fault = ""
        """Reason why nothing is profiled, such as another profiler; empty without one."""
        self.numbers: list[int] = []
        """Numbers of the samples, oldest first.

        A run that begins again has a tick twice, and a number once.
        """
        self._at = {slug: index for index, slug in enumerate(self.slugs)}
        self._samples = np.zeros((0, len(self.slugs)))
        self._calls = np.zeros(len(self.slugs), np.int64)
        self._total = np.zeros(len(self.slugs))
        self._most = np.zeros(len(self.slugs))
        self._profile = cProfile.Profile(timer, builtins=False)
        self._runs = False

    def begin(self) -> None:
        """Start the profile, unless it runs."""
        if self._runs or self.fault:
            return
        try:
            self._profile.enable()
        except ValueError as error:
            self.fault = f"{error}"
        else:
            self._runs = True

    def end(self) -> None:
        """Stop the profile."""
        if self._runs:
            self._profile.disable()
            self._runs = False

    def take(self, number: int, keep: bool = True) -> None:
        """Make a sample of what was profiled since the last call, or drop it."""
        self.end()
        entries = self._profile.getstats()
        self._profile.clear()
        if keep and not self.fault:
            self._note(number, entries)

    def _note(self, number: int, entries: Iterable[Any]) -> None:
        ms, calls = np.zeros(len(self.slugs)), np.zeros(len(self.slugs), np.int64)
        for entry in entries:
            for slug in self._slugs_of(entry.code):
                at = self._at[slug]
                ms[at] += entry.totaltime * 1000
                calls[at] += entry.callcount
                for inner in entry.calls or ():
                    if inner.code is not entry.code and slug in self._slugs_of(inner.code):
                        ms[at] -= inner.totaltime * 1000
        self._samples = np.concatenate([self._samples[-KEPT + 1 :], ms[None]])
        self.numbers = [*self.numbers[-KEPT + 1 :], number]
        self._calls += calls
        self._total += ms
        self._most = np.maximum(self._most, ms)

    def _slugs_of(self, code: Any) -> tuple[str, ...]:
        """Return the techniques of a code object; a text stands for a builtin."""
        return () if isinstance(code, str) else self.functions.get((code.co_filename, code.co_qualname), ())

    def sample(self, number: int) -> dict[str, float]:
        """Return milliseconds by technique in a sample, without those that did nothing."""
        if number not in self.numbers:
            return {}
        row = self._samples[self.numbers.index(number)]
        return {slug: float(ms) for slug, ms in zip(self.slugs, row, strict=True) if ms > 0}

    def rows(self) -> list[TechniqueTimes]:
        """Return the techniques that worked in the kept samples, the dearest first."""
        samples, made = self._samples, []
        for at, slug in enumerate(self.slugs):
            of = samples[:, at]
            if of.any():
                per_call = float(self._total[at]) / max(int(self._calls[at]), 1) * 1000
                times = (float(of[-1]), float(of.mean()), float(np.percentile(of, 99)))
                made.append(TechniqueTimes(slug, *times, int(self._calls[at]), per_call, float(self._most[at])))
        return sorted(made, key=lambda row: (-row.mean, row.slug))


TECHNIQUES = (
    {
        "slug": "technique-meter",
        "name": "Costs by technique",
        "ids": ("AW-6.3-4",),
        "source": "AI Game Programming Wisdom, 6.3",
        "functions": ("TechniqueMeter.take", "TechniqueMeter.rows"),
        "test": "tests/game/view/lab/test_budget.py",
        "reason": "A tool of Lab: it measures any level, and no setting switches it.",
        "claim": "Groups are techniques, not tasks; the largest cost is that of a tick, not of one task.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
