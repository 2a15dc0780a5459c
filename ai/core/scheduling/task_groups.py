"""Load-balanced groups of tasks: evenly spread, by count, or by budget.

Source: AI Game Programming Wisdom, 6.3 ("An Architecture Based on Load Balancing"). A task is an id, and the owner of
the group does its work. Work is counted (nodes, rays, candidates) and never timed.
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record

PARTS = 720_720
"""Parts of a tick in which times between ticks are counted.

It divides evenly by any number of tasks up to 16.
"""


@record
class SpreadGroup:
    """Runs every task once in ``period`` ticks, at evenly spaced times.

    So the loads of two ticks differ by at most one task.
    """

    period: int
    times: dict[int, int] = field(default_factory=dict)
    """Task -> its next time, in parts of a tick."""
    cursor: int = 0
    waiting: list[int] = field(default_factory=list)
    """Tasks without a time yet."""

    def add(self, task: int) -> None:
        """Add a task; it runs within a period."""
        if task not in self.times and task not in self.waiting:
            self.waiting.append(task)

    def remove(self, task: int) -> None:
        """Remove a task."""
        self.times.pop(task, None)
        if task in self.waiting:
            self.waiting.remove(task)

    def due(self, tick: int) -> list[int]:
        """Return the tasks that run in ``tick``, by time and id.

        Each gets its next time.
        """
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
    """Runs exactly ``count`` tasks per tick in turn, or all when there are fewer.

    For tasks of equal cost.
    """

    count: int
    tasks: list[int] = field(default_factory=list)

    def due(self, again: bool = True) -> list[int]:
        """Return the tasks that run in this tick.

        With ``again`` they go to the end of the queue, otherwise they leave it.
        """
        run = self.tasks[: max(0, self.count)]
        self.tasks = self.tasks[len(run) :] + (run if again else [])
        return run


@record
class WorkGroup:
    """Runs as many tasks per tick as fit into a budget.

    The tasks run in turn; ``budget`` counts units of work. The estimate is half the running mean and half the recent
    maximum, which falls slowly: costs vary. One task always runs, so that a task that costs more than the budget does
    not stop the ring.
    """

    budget: int
    tasks: list[int] = field(default_factory=list)
    mean: dict[int, float] = field(default_factory=dict)
    worst: dict[int, float] = field(default_factory=dict)
    total: float = 0.0
    """Sum of the means of all remembered tasks."""

    def keep(self, tasks: set[int]) -> None:
        """Forget the costs of all tasks but these.

        The others no longer exist, or run again only much later.
        """
        for gone in [task for task in self.mean if task not in tasks]:
            self.total -= self.mean.pop(gone)
            del self.worst[gone]

    def estimate(self, task: int) -> float:
        """Return the expected work of a task.

        A task that never ran counts as an average one.
        """
        return self._of(task) if task in self.mean else self._average()

    def _of(self, task: int) -> float:
        return 0.5 * self.mean[task] + 0.5 * self.worst[task]

    def _average(self) -> float:
        return self.total / len(self.mean) if self.mean else 1.0

    def due(self, again: bool = True) -> list[int]:
        """Return the tasks that run in this tick.

        With ``again`` they go to the end of the queue, otherwise they leave it.
        """
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
        """Record the real cost of a task."""
        before = self.mean.get(task)
        self.mean[task] = work if before is None else before + 0.2 * (work - before)
        self.total += self.mean[task] - (before or 0.0)
        self.worst[task] = max(work, 0.9 * self.worst.get(task, 0.0))
