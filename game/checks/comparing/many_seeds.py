"""Many seeds of a comparison: mean difference and interval of each figure.

One pair of games is an anecdote. Seeds are played in other processes. Each task is one seed: both games, in step.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from game.checks.comparing.comparison import Comparison, GameSetup
from game.checks.comparing.intervals import Interval, interval_of
from game.checks.comparing.run_figures import Figure, figures_for
from game.checks.worker_pool import WorkerPool

MOST_SEEDS = 10_000


@dataclass(frozen=True)
class SeedResult:
    """Result of one seed: figures of both games.

    ``differs`` and ``parts`` are the ticks of first difference and of parting, -1 for none.
    """

    seed: int
    a: dict[str, float | None]
    b: dict[str, float | None]
    differs: int = -1
    parts: int = -1


@dataclass(frozen=True)
class FigureResult:
    """Result of a figure: means of both games, and mean of ``b - a``.

    Seeds count in which both games have the figure.
    """

    figure: Figure
    a: float
    b: float
    difference: Interval
    spread: float
    """Standard deviation of all values of both, the scale of a drawing."""

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.difference.mean - self.difference.half

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.difference.mean + self.difference.half


_setup: list[GameSetup] = []
"""Setup of a worker process, sent once when it starts."""


def _begin(setup: GameSetup) -> None:
    _setup.append(setup)


def _play(seed: int) -> SeedResult:
    return play_seed(_setup[0], seed)


def play_seed(setup: GameSetup, seed: int) -> SeedResult:
    """Play both games of a seed to their end."""
    comparison = Comparison.begin(setup, seed)
    comparison.to_the_end()
    d, p = comparison.difference, comparison.parting
    a, b = (figures.values for figures in comparison.figures)
    return SeedResult(seed, a, b, d.tick if d is not None else -1, p.tick if p is not None else -1)


@dataclass
class SeedRuns:
    """Games of many seeds that are under way; ``poll`` fetches those that have ended."""

    setup: GameSetup
    seeds: Sequence[int]
    workers: int = os.cpu_count() or 1
    results: list[SeedResult] = field(default_factory=list)
    failed: dict[int, str] = field(default_factory=dict)
    _pool: WorkerPool[int, SeedResult] | None = None

    def start(self) -> None:
        """Start the processes."""
        # A game without a window needs no pictures of the level.
        self.setup.check()
        bare = replace(self.setup, level=replace(self.setup.level, layers=(), tilesets=()))
        self._pool = WorkerPool(_play, _begin, [bare], min(self.workers, len(self.seeds)))
        self._pool.add(self.seeds)

    @property
    def done(self) -> int:
        """Number of seeds that have ended."""
        return len(self.results) + len(self.failed)

    @property
    def over(self) -> bool:
        """Return whether every seed has ended."""
        return self.done == len(self.seeds)

    def poll(self, seconds: float | None = 0.0) -> bool:
        """Fetch the seeds that have ended; return whether there are any.

        It waits for one at most so many seconds, without a number as long as it takes.
        """
        if self._pool is None:
            return False
        ended = self._pool.ended(seconds)
        for end in ended:
            if end.result is not None:
                self.results.append(end.result)
            else:
                self.failed[end.task] = end.error
        if self.over:
            self.stop()
        return bool(ended)

    def stop(self) -> None:
        """Stop the processes."""
        if self._pool is not None:
            self._pool.stop()
            self._pool = None

    @property
    def alike(self) -> bool:
        """Return whether several seeds all played the same pair.

        Then random numbers change nothing, and there is no interval.
        """
        return len(self.results) > 1 and all((r.a, r.b) == (self.results[0].a, self.results[0].b) for r in self.results)

    def table(self) -> list[FigureResult]:
        """Return the result of each figure so far."""
        return summary(figures_for(self.setup.script), self.results[:1] if self.alike else self.results)

    def report(self) -> dict[str, Any]:
        """Return the JSON of the seeds."""
        rows = sorted(self.results, key=lambda r: r.seed)
        return {
            "seeds": [r.seed for r in rows],
            "alike": self.alike,
            "failed": [{"seed": seed, "error": error} for seed, error in sorted(self.failed.items())],
            "first_difference_ticks": [r.differs for r in rows],
            "figures": {
                row.figure.name: {
                    "a": _plain(row.a),
                    "b": _plain(row.b),
                    "difference": _plain(row.difference.mean),
                    "low": _plain(row.low),
                    "high": _plain(row.high),
                    "pairs": row.difference.count,
                }
                for row in self.table()
            },
        }


def summary(kinds: Sequence[Figure], results: Sequence[SeedResult]) -> list[FigureResult]:
    """Return means, mean difference and interval of each figure, paired by seed."""
    rows = []
    for kind in kinds:
        pairs = [(r.a.get(kind.name), r.b.get(kind.name)) for r in sorted(results, key=lambda r: r.seed)]
        both = np.array([p for p in pairs if None not in p], np.float64).reshape(-1, 2)
        means = both.mean(axis=0) if len(both) else np.full(2, np.nan)
        spread = float(both.std()) if len(both) else 0.0
        rows.append(FigureResult(kind, float(means[0]), float(means[1]), interval_of(both[:, 1] - both[:, 0]), spread))
    return rows


def _plain(value: float) -> float | None:
    """Return a number for JSON, None for one that does not exist."""
    return None if value != value else round(value, 6)
