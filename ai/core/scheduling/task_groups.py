"""Load-balanced groups of tasks: evenly spread, so many a tick, or as many as fit into a budget of work.

Source: AI Game Programming Wisdom, 6.3 ("An Architecture Based on Load Balancing").  A task is an id, its work is done
by whoever owns the group; work is counted (nodes, rays, candidates) and never timed.
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record

PARTS = 720_720
"""Parts of a tick in which times between ticks are counted: whole for any number of tasks up to 16."""


@record
class SpreadGroup:
    """Every task once in ``period`` ticks, at evenly spaced times, so that no tick has more than one above another."""

    period: int
    times: dict[int, int] = field(default_factory=dict)
    """Task -> when it runs next, in parts of a tick."""
    cursor: int = 0
    waiting: list[int] = field(default_factory=list)
    """Tasks without a time yet."""

    def add(self, task: int) -> None:
        """A new task; it runs within a period."""
        if task not in self.times and task not in self.waiting:
            self.waiting.append(task)

    def remove(self, task: int) -> None:
        """A task that is no more."""
        self.times.pop(task, None)
        if task in self.waiting:
            self.waiting.remove(task)

    def due(self, tick: int) -> list[int]:
        """Tasks that run in ``tick``, by time and id; each gets its next time."""
        self._schedule(tick)
        run = sorted(
            (task for task, time in self.times.items() if time < (tick + 1) * PARTS), key=lambda t: (self.times[t], t)
        )
        for task in run:
            del self.times[task]
        self.waiting += run
        self._schedule(tick)
        return run

    def _schedule(self, tick: int) -> None:
        step = self.period * PARTS // max(1, len(self.times) + len(self.waiting))
        self.cursor = max(self.cursor, tick * PARTS)
        for task in self.waiting:
            self.times[task] = self.cursor
            self.cursor += step
        self.waiting.clear()


@record
class CountGroup:
    """Exactly ``count`` tasks a tick (all when there are fewer), in turn: for tasks that cost the same."""

    count: int
    tasks: list[int] = field(default_factory=list)

    def due(self, again: bool = True) -> list[int]:
        """Tasks that run in this tick; with ``again`` they go to the end of the line, else they leave it."""
        run = self.tasks[: max(0, self.count)]
        self.tasks = self.tasks[len(run) :] + (run if again else [])
        return run


@record
class WorkGroup:
    """As many tasks a tick as fit by estimate into ``budget`` counted units of work, in turn.

    The estimate is half the running mean and half the dearest of late, which falls slowly: costs vary.  One task always
    runs, so that a task dearer than the budget does not stop the ring.
    """

    budget: int
    tasks: list[int] = field(default_factory=list)
    mean: dict[int, float] = field(default_factory=dict)
    worst: dict[int, float] = field(default_factory=dict)
    total: float = 0.0
    """Sum of the means of all tasks that are remembered."""

    def keep(self, tasks: set[int]) -> None:
        """Forget what all others than these cost: they are no more, or will be asked again only later."""
        for gone in [task for task in self.mean if task not in tasks]:
            self.total -= self.mean.pop(gone)
            del self.worst[gone]

    def estimate(self, task: int) -> float:
        """Expected work of a task; a task that never ran is taken for an average one."""
        return self._of(task) if task in self.mean else self._average()

    def _of(self, task: int) -> float:
        return 0.5 * self.mean[task] + 0.5 * self.worst[task]

    def _average(self) -> float:
        return self.total / len(self.mean) if self.mean else 1.0

    def due(self, again: bool = True) -> list[int]:
        """Tasks that run in this tick; with ``again`` they go to the end of the line, else they leave it."""
        run: list[int] = []
        left, unknown = float(self.budget), self._average() if self.tasks else 1.0
        for task in self.tasks:
            left -= self._of(task) if task in self.mean else unknown
            if run and left < 0.0:
                break
            run.append(task)
        self.tasks = self.tasks[len(run) :] + (run if again else [])
        return run

    def spent(self, task: int, work: float) -> None:
        """Tell what a task really cost."""
        before = self.mean.get(task)
        self.mean[task] = work if before is None else before + 0.2 * (work - before)
        self.total += self.mean[task] - (before or 0.0)
        self.worst[task] = max(work, 0.9 * self.worst.get(task, 0.0))
