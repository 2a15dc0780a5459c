"""Execution DAG: steps of a plan in partial order, with verified conditions.

Source: the planning article of the Journal of Game Development, 3.5 to 3.7. A step begins when all its predecessors are
done and its actor is free. Preconditions are verified at its start and effects at its end; the check returns the index
of the first that fails, or -1. A failure stops the dispatch; the caller plans again from the world as it is, or gives
up. Conditions that must hold while a step runs are ours. Times are in ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record


class StepState(IntEnum):
    """Set of a step: waiting, ready, running, done or failed."""

    WAITING = 0
    READY = 1
    RUNNING = 2
    DONE = 3
    FAILED = 4


@dataclass(frozen=True)
class PlanStep:
    """Step of a plan: its actor, its predecessors, and its conditions by name.

    ``requires`` hold at its start, ``keeps`` while it runs, ``brings`` at its end.
    """

    name: str
    actor: str
    after: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()


@record
class StepFailure:
    """Failure of a step: the kind of condition, its index and its name."""

    step: str
    kind: str
    index: int
    condition: str
    tick: int

    @property
    def words(self) -> str:
        """Return the failure in words."""
        return f"{self.kind} {self.index} of {self.step} fails: {self.condition}"


@record
class DagRun:
    """State of one run: ``state: int8[n]`` and the tick of its last change, ``since: int32[n]``."""

    state: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    since: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    plans: int = 1
    """Number of plans so far."""
    failures: list[StepFailure] = field(default_factory=list)


class StepHands(Protocol):
    """Body of the actors, and their view of the world."""

    def holds(self, step: PlanStep, condition: str) -> bool:
        """Return whether a condition of a step holds now."""

    def begin(self, step: PlanStep) -> None:
        """Begin a step."""

    def finished(self, step: PlanStep, began: int) -> bool:
        """Return whether the body has done what it can; ``began`` is its first tick."""


def check_steps(steps: Sequence[PlanStep]) -> None:
    """Raise ValueError in one line for an unknown predecessor or a circle."""
    names = [one.name for one in steps]
    if len(set(names)) != len(names):
        raise ValueError(f"two steps of a plan share a name: {sorted(names)}")
    for one in steps:
        for name in one.after:
            if name not in names:
                raise ValueError(f"step {one.name} comes after {name}, which the plan does not hold")
    left = list(steps)
    while left:
        free = [one for one in left if not {other.name for other in left} & set(one.after)]
        if not free:
            raise ValueError(f"the steps {sorted(one.name for one in left)} wait for each other")
        left = [one for one in left if one not in free]


def begin_dag(steps: Sequence[PlanStep], tick: int) -> DagRun:
    """Return a run in which the steps without predecessors are ready."""
    check_steps(steps)
    run = DagRun(np.zeros(len(steps), np.int8), np.full(len(steps), tick, np.int32))
    _promote(steps, run, tick)
    return run


def first_broken(step: PlanStep, conditions: Sequence[str], holds: Callable[[PlanStep, str], bool]) -> int:
    """Return the index of the first condition that fails, or -1."""
    return next((k for k, name in enumerate(conditions) if not holds(step, name)), -1)


def advance_dag(
    steps: Sequence[PlanStep], run: DagRun, tick: int, hands: StepHands, verifies: bool = True
) -> StepFailure | None:
    """End the finished steps and begin the ready ones whose actor is free.

    Returns the first failure, after which nothing more begins. Without verification no condition is looked at.
    """
    changed = True
    while changed:
        changed = False
        for k, step in enumerate(steps):
            if run.state[k] != StepState.RUNNING:
                continue
            failed = _verify(run, k, step, "condition", step.keeps, tick, hands, verifies)
            if failed is not None:
                return failed
            if hands.finished(step, int(run.since[k])):
                failed = _verify(run, k, step, "effect", step.brings, tick, hands, verifies)
                if failed is not None:
                    return failed
                _set(run, k, StepState.DONE, tick)
                changed = True
        _promote(steps, run, tick)
        for k, step in enumerate(steps):
            if run.state[k] != StepState.READY or _busy(steps, run, step.actor):
                continue
            failed = _verify(run, k, step, "precondition", step.requires, tick, hands, verifies)
            if failed is not None:
                return failed
            _set(run, k, StepState.RUNNING, tick)
            hands.begin(step)
    return None


def plan_again(steps: Sequence[PlanStep], old: DagRun, tick: int, kept: Collection[str] = ()) -> DagRun:
    """Return the run of a new plan, with the old one's failures.

    The steps of ``kept`` are done already.
    """
    run = begin_dag(steps, tick)
    run.plans, run.failures = old.plans + 1, old.failures
    for k, step in enumerate(steps):
        if step.name in kept:
            _set(run, k, StepState.DONE, tick)
    _promote(steps, run, tick)
    return run


def all_done(run: DagRun) -> bool:
    """Return whether every step is done."""
    return bool((run.state == StepState.DONE).all())


def names_in(steps: Sequence[PlanStep], run: DagRun, state: StepState) -> list[str]:
    """Return the names of the steps in one set."""
    return [step.name for k, step in enumerate(steps) if run.state[k] == state]


def depths(steps: Sequence[PlanStep]) -> dict[str, int]:
    """Return for each step the number of steps on the longest chain before it."""
    found: dict[str, int] = {}
    while len(found) < len(steps):
        for one in steps:
            if one.name not in found and all(name in found for name in one.after):
                found[one.name] = max((found[name] + 1 for name in one.after), default=0)
    return found


def _set(run: DagRun, k: int, state: StepState, tick: int) -> None:
    run.state[k], run.since[k] = state, tick


def _promote(steps: Sequence[PlanStep], run: DagRun, tick: int) -> None:
    """Make the waiting steps ready whose predecessors are all done."""
    done = set(names_in(steps, run, StepState.DONE))
    for k, step in enumerate(steps):
        if run.state[k] == StepState.WAITING and done.issuperset(step.after):
            _set(run, k, StepState.READY, tick)


def _busy(steps: Sequence[PlanStep], run: DagRun, actor: str) -> bool:
    return any(one.actor == actor and run.state[k] == StepState.RUNNING for k, one in enumerate(steps))


def _verify(
    run: DagRun, k: int, step: PlanStep, kind: str, conditions: Sequence[str], tick: int, hands: StepHands,
    verifies: bool,
) -> StepFailure | None:  # fmt: skip
    """Note the first condition that fails; return the failure, or None."""
    index = first_broken(step, conditions, hands.holds) if verifies else -1
    if index < 0:
        return None
    _set(run, k, StepState.FAILED, tick)
    run.failures.append(StepFailure(step.name, kind, index, conditions[index], tick))
    return run.failures[-1]


TECHNIQUES = (
    {
        "slug": "execution-dag",
        "name": "Execution DAG with verified preconditions and effects",
        "ids": ("JOGD-3.5", "JOGD-3.6", "JOGD-3.7"),
        "source": "Journal of Game Development, 3",
        "functions": ("advance_dag", "first_broken", "plan_again"),
        "test": "tests/ai/decision/execution/test_execution_dag.py",
        "exhibit": "levels/exhibits/squads/two_squads.steps.toml",
        "overlay": "squads",
        "setting": "tactics.doctrine.verifies",
        "measure": "unnoticed",
        "direction": "down",
        "claim": "Suppress and flank runs on it; its plan comes from geometry, not from a symbolic planner.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
