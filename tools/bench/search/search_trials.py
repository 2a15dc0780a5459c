"""Timing of searches against each other: trials take turns, round by round.

The speed of a machine changes from minute to minute by more than the distance between our goals. So no search is timed
alone. Each has a round, then the next one, including other libraries, and the best round of each question counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Tile = tuple[int, int]

ROUNDS, ENOUGH = 9, 2.0
"""Rounds of a trial, and seconds after which it begins no other round.

A slow search is disturbed little.
"""

QUICK = 0.25
"""Seconds below which all questions are asked a second time at once.

The arrays of the other searches have just passed through the caches, and searches are compared warm.
"""


@dataclass
class Questions:
    """A map with its questions.

    Tiles are int32[n, 2], optima float64[n] (nan where none is published). ``every`` int32[m, 4] are all rows of
    the scenario, for batches; None: these questions.
    """

    name: str
    ground: np.ndarray
    starts: np.ndarray
    goals: np.ndarray
    optima: np.ndarray
    every: np.ndarray | None = None

    @property
    def rows(self) -> list[list[int]]:
        """[start y, start x, goal y, goal x] of each."""
        return np.hstack((self.starts, self.goals)).tolist()

    def first(self, count: int) -> Questions:
        """The first so many."""
        return Questions(self.name, self.ground, self.starts[:count], self.goals[:count], self.optima[:count])


@dataclass
class Answers:
    """Result of one algorithm: times, revolutions, costs and preparation.

    Times are microseconds per question, revolutions are per question, costs are in tiles. ``queries`` is the
    number of questions if it differs from the number of costs.
    """

    us: np.ndarray
    costs: np.ndarray
    expansions: np.ndarray
    preprocess_s: float = 0.0
    memory_mb: float = 0.0
    queries: int | None = None


@dataclass
class Trial:
    """A search on the questions of one map.

    ``ask`` takes (start y, start x, goal y, goal x), and ``read`` returns cost and revolutions of the last answer.
    A ``batch`` asks everything in one call without arguments, ``queries`` questions, and ``told`` answers for all.
    ``repeat`` is the number of times that each question is asked in a round.
    """

    questions: Questions
    ask: Callable[..., Any]
    read: Callable[[], tuple[float, float]] | None = None
    rounds: int = ROUNDS
    repeat: int = 1
    batch: bool = False
    told: Callable[[], tuple[np.ndarray, np.ndarray]] | None = None
    queries: int | None = None
    preprocess_s: float = 0.0
    memory_mb: float = 0.0
    threads: int = 1
    us: np.ndarray = field(init=False)
    spent: float = 0.0

    def __post_init__(self) -> None:
        self.us = np.full(len(self.questions.starts), np.inf)

    def round(self) -> None:
        """Ask everything once more and keep the best times.

        Each question is asked ``repeat`` times; quick ones are asked once more.
        """
        began = time.perf_counter()
        for again in range(self.repeat + 1):
            if again == self.repeat and time.perf_counter() - began > QUICK * self.repeat:
                break
            if self.batch:
                first = time.perf_counter()
                self.ask()
                us = (time.perf_counter() - first) * 1e6 / (self.queries or len(self.us))
                self.us = np.minimum(self.us, us)
                continue
            for i, row in enumerate(self.questions.rows):
                first = time.perf_counter()
                self.ask(*row)
                self.us[i] = min(self.us[i], (time.perf_counter() - first) * 1e6)
        self.spent += time.perf_counter() - began

    def answers(self) -> Answers:
        """The times, with cost and revolutions of each question asked once more."""
        count = len(self.us)
        costs, expansions = np.full(count, np.nan), np.zeros(count)
        if self.told is not None:
            costs, expansions = self.told()
        elif self.read is not None:
            for i, row in enumerate(self.questions.rows):
                self.ask(*row)
                costs[i], expansions[i] = self.read()
        return Answers(self.us, costs, expansions, self.preprocess_s, self.memory_mb, self.queries)


def take_turns(trials: Iterable[Trial]) -> None:
    """Run the rounds of all trials, one round of each in turn.

    None is begun after ENOUGH seconds of a trial.
    """
    every = list(trials)
    for trial in every:
        if trial.batch:
            trial.ask()
        else:
            trial.ask(*trial.questions.rows[0])
    for turn in range(max((trial.rounds for trial in every), default=0)):
        for trial in every:
            if turn < trial.rounds and (turn == 0 or trial.spent < ENOUGH):
                trial.round()


def overhead(questions: Questions, ask: Callable[[int, int, int, int], Any]) -> Trial:
    """Return the cost of a call from a tile to itself.

    It is the cost of Python above the kernel.
    """
    here = Questions(questions.name, questions.ground, questions.starts, questions.starts, questions.optima)
    return Trial(here, ask, repeat=3)


class Timed:
    """A search and the seconds spent in it."""

    def __init__(self, find: Callable[[Tile, Tile], np.ndarray | None]) -> None:
        self._find = find
        self.seconds = 0.0

    def __call__(self, start: Tile, goal: Tile) -> np.ndarray | None:
        """Ask it."""
        began = time.perf_counter()
        path = self._find(start, goal)
        self.seconds += time.perf_counter() - began
        return path
