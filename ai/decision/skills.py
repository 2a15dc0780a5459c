"""Minds as prioritised skills over reusable behaviours.

A plain state machine is the simplest case: one skill. The decision is a *skill*: a small state machine with a validity
test. The capability is a *behaviour*: an action that runs for a while and then reports success or failure, such as
going to a place. Each decision scans the skills from the highest priority and takes the first valid one. A running
skill continues until it finishes or a higher one becomes valid. The last skill must always be valid, so that every mind
has one.

A skill's states push behaviours on the mind's stack. The top one runs. When it ends it is popped, and its result is
reported to the behaviour beneath it, or to the skill's machine by a message DONE or FAILED. Behaviours belong to the
state that pushed them. Leaving the state (or the skill) stops them from the top down, each exactly once.

Source: Game AI Pro 2, ch. 33 (two-layer control) and ch. 34 (skill machines, behaviour stack). Units: ticks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, TypeVar

from ai.core.serialization import record
from ai.decision.decision_trace import DECISION, TraceRing
from ai.decision.message_router import Message, MessageRouter
from ai.decision.state_machine import (
    MachineError,
    MachineState,
    Memory,
    StateMachine,
    Turn,
    initialise,
    leave,
    receive,
    update,
)

H = TypeVar("H")

DONE, FAILED = "DONE", "FAILED"


class StepOutcome(IntEnum):
    """Result of a behaviour's update."""

    RUNNING = 0
    SUCCESS = 1
    FAILURE = 2


@dataclass(frozen=True)
class Behaviour:
    """A capability that many skills use.

    ``start`` and ``stop`` run exactly once, at both ends of its time on the stack.
    """

    name: str
    update: Callable[[Any, Memory], StepOutcome]
    start: Callable[[Any, Memory], None] | None = None
    stop: Callable[[Any, Memory], None] | None = None
    resumed: Callable[[Any, Memory, StepOutcome], None] | None = None


@dataclass(frozen=True)
class Skill:
    """A decision: its machine, its validity test and its gerund ("going home").

    ``valid(host)`` returns True or False, or a number above 0 that is written to the trace as the skill's score.
    ``why(host)`` returns the reason as text, with the tick of the cause (-1 none).
    """

    name: str
    machine: StateMachine
    valid: Callable[[Any], float]
    doing: str = ""
    why: Callable[[Any], tuple[str, int]] | None = None


@dataclass(frozen=True)
class SkillList:
    """A type of mind.

    It lists its skills, highest priority first, and the behaviours they may push.
    """

    name: str
    skills: tuple[Skill, ...]
    behaviours: tuple[Behaviour, ...] = ()

    def skill(self, name: str) -> Skill:
        """Return the skill ``name``; raises MachineError when there is none."""
        for skill in self.skills:
            if skill.name == name:
                return skill
        raise MachineError(f"{self.name} has no skill {name}")

    def behaviour(self, name: str) -> Behaviour:
        """Return the behaviour ``name``; raises MachineError when there is none."""
        for behaviour in self.behaviours:
            if behaviour.name == name:
                return behaviour
        raise MachineError(f"{self.name} has no behaviour {name}")


@record
class BehaviourState:
    """Behaviour on a mind's stack."""

    name: str
    memory: Memory = field(default_factory=dict)


@record
class MindState:
    """The running part of a mind.

    It holds the active skill, its machine with the mind's memory, and the stack (top last). ``options`` are the (name,
    score) pairs of the last choice of a skill. ``beliefs`` is a record of the host's own type, or None.
    """

    skill: str = ""
    machine: MachineState = field(default_factory=MachineState)
    stack: list[BehaviourState] = field(default_factory=list)
    options: tuple[tuple[str, float], ...] = ()
    beliefs: Any = None

    @property
    def scope(self) -> str:
        """Name of this visit to this state of this skill, for scoped messages."""
        return f"{self.skill}/{self.machine.scope}"


@dataclass(eq=False)
class MindTurn(Turn[H]):
    """Turn of a mind with skills.

    It adds the behaviour stack and the end of a skill.
    """

    skills: SkillList | None = None
    mind: MindState | None = None
    finished: bool = False
    finished_because: str = ""
    preempts: bool = True
    """True if a higher skill may interrupt a running one; False in one exhibit."""

    @property
    def scope(self) -> str:
        """Return the mind's scope, which includes the skill."""
        return self._mind.scope

    @property
    def beliefs(self) -> Any:
        """Return the typed record that lasts from turn to turn."""
        return self._mind.beliefs

    @property
    def _mind(self) -> MindState:
        assert self.mind is not None
        return self.mind

    @property
    def _skills(self) -> SkillList:
        assert self.skills is not None
        return self.skills

    def finish(self, because: str = "") -> None:
        """End the running skill after this handler.

        The list is scanned again from the top.
        """
        self.finished, self.finished_because = True, because

    def push(self, name: str, **memory: float | int | str) -> None:
        """Push a behaviour on the stack and start it."""
        behaviour = self._skills.behaviour(name)
        made = BehaviourState(name, dict(memory))
        self._mind.stack.append(made)
        if behaviour.start is not None:
            behaviour.start(self, made.memory)

    def pop_all(self) -> None:
        """Stop every behaviour, from the top down."""
        stack = self._mind.stack
        while stack:
            self._stop(stack.pop())

    def _stop(self, state: BehaviourState) -> None:
        behaviour = self._skills.behaviour(state.name)
        if behaviour.stop is not None:
            behaviour.stop(self, state.memory)

    def left_state(self) -> None:
        """Stop all behaviours: they belong to the state that pushed them."""
        self.pop_all()

    def run_stack(self) -> None:
        """Update the top behaviour; when it has ended, pop it and report its result."""
        stack = self._mind.stack
        if not stack:
            return
        top = stack[-1]
        outcome = self._skills.behaviour(top.name).update(self, top.memory)
        if outcome == StepOutcome.RUNNING or not stack or stack[-1] is not top:
            return
        stack.pop()
        self._stop(top)
        if stack:
            below = self._skills.behaviour(stack[-1].name)
            if below.resumed is not None:
                below.resumed(self, stack[-1].memory, outcome)
            return
        word = DONE if outcome == StepOutcome.SUCCESS else FAILED
        note: dict[str, float | int | str] = {"behaviour": top.name}
        receive(self, Message(word, self.unit, self.unit, self.tick, self.tick, -1, "", note))


def begin_turn(
    skills: SkillList,
    mind: MindState,
    host: H,
    unit: int,
    tick: int,
    trace: TraceRing | None = None,
    router: MessageRouter | None = None,
) -> MindTurn[H]:
    """Return the turn for one mind, which need not have a skill yet."""
    first = skills.skill(mind.skill) if mind.skill else skills.skills[-1]
    turn = MindTurn(host, unit, tick, mind.machine, first.machine, trace, router, skills=skills, mind=mind)
    turn.doing = first.doing or first.name
    turn.options = mind.options
    return turn


def decide(turn: MindTurn[Any], over: bool = False) -> bool:
    """Take the first valid skill; return whether the skill changed.

    The running skill stays until a higher one is valid, even when it is no longer valid itself: it ends by ``finish``
    (``over``). Raises MachineError when no skill is valid, which a list's last skill must prevent.
    """
    mind, skills = turn._mind, turn._skills
    if not turn.preempts and not over and mind.skill not in ("", skills.skills[-1].name):
        return False
    considered: list[tuple[str, float]] = []
    chosen: Skill | None = None
    for skill in skills.skills:
        running = skill.name == mind.skill and not over
        score = float(skill.valid(turn.host))
        if running:
            score = max(score, 1.0)
        if score > 0:
            considered.append((skill.doing or skill.name, score))
            chosen = chosen or skill
    if chosen is None:
        raise MachineError(f"{skills.name} of unit {turn.unit} has no valid skill: the last must always be valid")
    turn.options = mind.options = tuple(considered)
    if chosen.name == mind.skill and not over:
        return False
    _change(turn, chosen, tuple(considered))
    return True


def take(turn: MindTurn[Any], name: str, because: str) -> None:
    """Change to a skill without asking whether it is valid.

    It runs until it finishes or a higher one is valid. Raises MachineError for an unknown name.
    """
    skill = turn._skills.skill(name)
    turn.finished_because = because
    _change(turn, replace(skill, why=None), ())
    finish_if_over(turn)


def _change(turn: MindTurn[Any], skill: Skill, considered: tuple[tuple[str, float], ...]) -> None:
    mind = turn._mind
    before = mind.skill
    why, since = turn.finished_because, -1
    if skill.why is not None:
        why, since = skill.why(turn.host)
    turn.finished, turn.finished_because = False, ""
    if before:
        leave(turn)
    mind.skill = skill.name
    turn.machine = skill.machine
    turn.doing = skill.doing or skill.name
    if turn.trace is not None:
        turn.trace.add(
            turn.tick,
            turn.unit,
            DECISION,
            f"takes to {skill.doing or skill.name}",
            considered=considered,
            winner=skill.doing or skill.name,
            cause=why or (f"it outranks {_doing(turn, before)}" if before else "it comes first"),
            since=since,
            function=f"{skill.valid.__module__}.{skill.valid.__qualname__}",
            before=before,
            after=skill.name,
        )
    turn.because, turn.since = why, since
    turn.decider = f"{skill.valid.__module__}.{skill.valid.__qualname__}"
    initialise(turn)


def _doing(turn: MindTurn[Any], name: str) -> str:
    skill = turn._skills.skill(name)
    return skill.doing or skill.name


def think(turn: MindTurn[Any]) -> None:
    """Make one decision.

    It chooses the skill, updates its machine, runs the top of the stack, and continues if the skill ended.
    """
    decide(turn)
    update(turn)
    turn.run_stack()
    finish_if_over(turn)


def hear(turn: MindTurn[Any], message: Message) -> bool:
    """Give a message to the running skill; return whether it was consumed.

    A mind without a skill first chooses one.
    """
    if not turn._mind.skill:
        decide(turn)
    taken = receive(turn, message)
    finish_if_over(turn)
    return taken


def finish_if_over(turn: MindTurn[Any]) -> None:
    """Scan again while skills end immediately.

    A list whose skills only end raises MachineError.
    """
    rounds = 0
    while turn.finished:
        rounds += 1
        if rounds > turn.machine.chain_limit:
            raise MachineError(f"{turn._skills.name} of unit {turn.unit}: skills end as soon as they start")
        decide(turn, over=True)


TECHNIQUES = (
    {
        "slug": "skills-and-behaviours",
        "name": "Prioritised skills over a behaviour stack",
        "ids": ("GP2-33.4", "GP2-34.13"),
        "source": "Game AI Pro 2, ch. 33 and 34",
        "functions": ("decide", "think"),
        "test": "tests/ai/decision/test_skills.py",
        "exhibit": "levels/exhibits/minds/canvass.interrupt.toml",
        "overlay": "minds",
        "setting": "minds.preempts",
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
        "claim": "The machinery as told; its lists are those of our soldiers, guards and dogs.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
