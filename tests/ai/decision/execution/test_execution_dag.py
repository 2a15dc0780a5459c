"""Execution DAG: the example of the source, the longest chain, and faults put in."""

import random
from dataclasses import dataclass, field

import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.decision.execution.execution_dag import (
    DagRun,
    PlanStep,
    StepState,
    advance_dag,
    all_done,
    begin_dag,
    check_steps,
    depths,
    names_in,
    plan_again,
)

WAITING, READY, RUNNING, DONE, FAILED = StepState


@dataclass
class _World:
    """Bodies whose steps take a known time; a condition holds unless it is broken."""

    now: int = 0
    takes: dict[str, int] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    began: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)

    def holds(self, step: PlanStep, condition: str) -> bool:
        return condition not in self.broken

    def begin(self, step: PlanStep) -> None:
        self.began[step.name] = self.now

    def finished(self, step: PlanStep, began: int) -> bool:
        over = self.now - began >= self.takes.get(step.name, 1)
        if over:
            self.ended[step.name] = self.now
        return over


def _play(steps: list[PlanStep], run: DagRun, world: _World, most: int = 500) -> DagRun:
    while not all_done(run) and world.now < most:
        assert advance_dag(steps, run, world.now, world) is None
        world.now += 1
    return run


def test_the_sets_of_the_figure() -> None:
    """Steps 4 and 5 are unordered: one is ready while the other runs."""
    steps = [
        PlanStep("1", "truck"), PlanStep("2", "truck", ("1",)), PlanStep("3", "truck", ("2",)),
        PlanStep("4", "truck", ("3",)), PlanStep("5", "fred", ("3",)), PlanStep("6", "truck", ("4", "5")),
    ]  # fmt: skip
    run = begin_dag(steps, 0)
    assert [names_in(steps, run, one) for one in (DONE, RUNNING, READY, WAITING)] == [
        [], [], ["1"], ["2", "3", "4", "5", "6"]
    ]  # fmt: skip
    world = _World(takes={"5": 9})
    loader_away = PlanStep("0", "truck")  # the truck is busy, so step 4 stays ready
    with_other = [*steps, loader_away]
    run = begin_dag(with_other, 0)
    run.state[:] = DONE, DONE, DONE, READY, READY, WAITING, RUNNING
    world.takes["0"] = 99
    advance_dag(with_other, run, 0, world)
    assert [names_in(with_other, run, one) for one in (DONE, RUNNING, READY, WAITING)] == [
        ["1", "2", "3"], ["5", "0"], ["4"], ["6"]
    ]  # fmt: skip


def test_random_graphs_end_with_their_longest_chain_and_no_step_begins_too_early() -> None:
    dice = random.Random(7)
    for _ in range(60):
        n = dice.randint(1, 12)
        steps = [
            PlanStep(str(k), f"actor {k}", tuple(str(j) for j in range(k) if dice.random() < 0.3)) for k in range(n)
        ]
        dice.shuffle(steps)
        takes = {one.name: dice.randint(1, 9) for one in steps}
        world = _World(takes=takes)
        run = _play(steps, begin_dag(steps, 0), world)
        assert all_done(run)
        by_name = {one.name: one for one in steps}

        def longest(name: str, by_name: dict[str, PlanStep] = by_name, takes: dict[str, int] = takes) -> int:
            return takes[name] + max((longest(other) for other in by_name[name].after), default=0)

        assert max(world.ended.values()) == max(map(longest, by_name))
        for one in steps:
            assert all(world.began[one.name] >= world.ended[other] for other in one.after)

        def rank(name: str, by_name: dict[str, PlanStep] = by_name) -> int:
            return max((rank(other) + 1 for other in by_name[name].after), default=0)

        assert depths(steps) == {name: rank(name) for name in by_name}


def test_a_broken_condition_is_named_by_its_index_and_a_new_plan_keeps_what_is_done() -> None:
    steps = [
        PlanStep("aim", "gunner"),
        PlanStep("shoot", "gunner", ("aim",), ("weapon", "ammo", "same room"), ("alive",), ("health drops",)),
    ]
    for broken, kind, index in (("ammo", "precondition", 1), ("health drops", "effect", 0), ("alive", "condition", 0)):
        world = _World(takes={"shoot": 3})
        run = begin_dag(steps, 0)
        failure = None
        for tick in range(9):
            world.now = tick
            if tick == (0 if kind == "precondition" else 2):
                world.broken = {broken}
            failure = advance_dag(steps, run, tick, world)
            if failure is not None:
                break
        assert failure is not None and (failure.kind, failure.index, failure.step) == (kind, index, "shoot")
        assert failure.tick == {"precondition": 1, "effect": 4, "condition": 2}[kind], "noticed at once"
        assert names_in(steps, run, FAILED) == ["shoot"] and ("shoot" in world.began) == (kind != "precondition")
        world.broken = set()
        run = plan_again(steps, run, world.now, kept=("aim",))
        assert names_in(steps, run, READY) == ["shoot"] and (run.plans, len(run.failures)) == (2, 1)
        restored = restore(snapshot(run))
        assert digest(restored) == digest(run) and all_done(_play(steps, restored, world))
    blind = begin_dag(steps, 0)
    world = _World(broken={"ammo", "alive", "health drops"})
    for tick in range(5):
        world.now = tick
        assert advance_dag(steps, blind, tick, world, verifies=False) is None
    assert all_done(blind)


def test_a_circle_or_an_unknown_step_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="wait for each other"):
        check_steps([PlanStep("a", "x", ("b",)), PlanStep("b", "x", ("a",))])
    with pytest.raises(ValueError, match="comes after c"):
        check_steps([PlanStep("a", "x", ("c",))])
    with pytest.raises(ValueError, match="share a name"):
        check_steps([PlanStep("a", "x"), PlanStep("a", "x")])
