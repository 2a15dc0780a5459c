"""State machine language: states with blocks and deferred transitions.

The blocks are enter, update, exit and message. A machine is *data*: its definition is a table of module-level functions
(:class:`State`, :class:`StateMachine`), its running part a record (:class:`MachineState`). A handler gets a
:class:`Turn` that exists for one event. Through it the handler reads its host, requests a change of state and writes
its memory.

``set_state`` only records the request. The rest of the handler still runs in the OLD state. Then the machine exits it,
enters the new one, and continues as long as entering requests another change. A machine that changes state without end
raises :class:`FlipFlop`. The language itself traces every transition.

Source: AI Game Programming Wisdom, 6.5 and 6.6 (global responses before the first state). Units: ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ai.core.serialization import record
from ai.decision.decision_trace import MESSAGE, TRANSITION, TraceRing
from ai.decision.message_router import Message, MessageRouter, Redundancy

H = TypeVar("H")

Memory = dict[str, float | int | str]
Handler = Callable[[Any], None]
MessageHandler = Callable[[Any, Message], bool | None]
"""Message handler of a state.

A result of False passes the message to the machine's global response; any other result consumes it.
"""


class MachineError(RuntimeError):
    """A machine's definition or behaviour breaks the rules of the language."""


class FlipFlop(MachineError):
    """A machine kept changing state without end."""


@record
class MachineState:
    """The running part of a machine: its state, entry time and memory.

    ``entries`` counts the entered states; with it a timer can distinguish this visit from the last.
    """

    state: str = ""
    entered: int = 0
    entries: int = 0
    memory: Memory = field(default_factory=dict)

    @property
    def scope(self) -> str:
        """Name of this visit to this state, for scoped messages."""
        return f"{self.state}#{self.entries}"


@dataclass(frozen=True)
class State:
    """State of a machine.

    ``phrase`` follows a unit's name ("searches the reeds"); ``doing`` is a gerund.
    """

    name: str
    enter: Handler | None = None
    update: Handler | None = None
    exit: Handler | None = None
    on: Mapping[str, MessageHandler] = field(default_factory=dict)
    phrase: str = ""
    doing: str = ""


@dataclass(frozen=True)
class StateMachine:
    """A definition: states (the first is the start) and global responses.

    Global responses are valid in all states.
    """

    name: str
    states: tuple[State, ...]
    on: Mapping[str, MessageHandler] = field(default_factory=dict)
    chain_limit: int = 8

    def __post_init__(self) -> None:
        names = [s.name for s in self.states]
        if not names or len(set(names)) != len(names):
            raise MachineError(f"machine {self.name} needs states with different names, got {names}")

    def state(self, name: str) -> State:
        """Return the state ``name``; raises MachineError when there is none."""
        for state in self.states:
            if state.name == name:
                return state
        raise MachineError(f"machine {self.name} has no state {name}; it has {[s.name for s in self.states]}")


@dataclass(eq=False)
class Turn(Generic[H]):
    """Argument of a handler: its host, the time, its state, and actions.

    It is never stored.
    """

    host: H
    unit: int
    tick: int
    running: MachineState
    machine: StateMachine
    trace: TraceRing | None = None
    router: MessageRouter | None = None
    pending: str = ""
    because: str = ""
    since: int = -1
    decided: str = ""
    considered: tuple[tuple[str, float], ...] = ()
    decider: str = ""
    exiting: bool = False
    options: tuple[tuple[str, float], ...] = ()
    """Options of the last choice of a skill.

    A transition without options of its own is traced with these.
    """
    doing: str = ""
    """Gerund of the running skill, the winner among the options."""

    @property
    def memory(self) -> Memory:
        """Numbers and strings that last between events and across state changes."""
        return self.running.memory

    @property
    def scope(self) -> str:
        """Name of this visit to this state, for scoped messages."""
        return self.running.scope

    @property
    def in_state(self) -> int:
        """Ticks since the state was entered."""
        return self.tick - self.running.entered

    def set_state(
        self,
        name: str,
        because: str = "",
        since: int = -1,
        *,
        decided: str = "",
        considered: tuple[tuple[str, float], ...] = (),
    ) -> None:
        """Request state ``name`` after this handler.

        A later request in the same handler replaces an earlier one. ``because`` and ``since`` (a tick) explain it.
        ``decided`` replaces the state's phrase, ``considered`` lists the other options. Raises MachineError while
        exiting, and for an unknown state.
        """
        if self.exiting:
            raise MachineError(f"{self.machine.name}: {self.running.state} requests {name} while exiting")
        self.machine.state(name)
        self.pending, self.because, self.since = name, because, since
        self.decided, self.considered = decided, considered

    def left_state(self) -> None:
        """Run between EXIT and ENTER; a turn with a behaviour stack clears it here."""

    def send(self, name: str, receiver: int, delay: int = 0, data: dict[str, float | int | str] | None = None) -> None:
        """Send a message to another unit, ``delay`` ticks from now."""
        if self.router is not None:
            self.router.send(name, self.unit, receiver, self.tick, delay, data=data)

    def remind(
        self,
        name: str,
        delay: int,
        *,
        scoped: bool = True,
        redundancy: Redundancy = Redundancy.IGNORE,
        data: dict[str, float | int | str] | None = None,
    ) -> bool:
        """Send a timer message to the unit itself, ``delay`` ticks from now.

        It is scoped to this visit to this state.
        """
        if self.router is None:
            return False
        scope = self.scope if scoped else ""
        return self.router.send(
            name, self.unit, self.unit, self.tick, delay, data=data, scope=scope, redundancy=redundancy
        )


def initialise(turn: Turn[Any]) -> None:
    """Put the machine into its first state and enter it."""
    first = turn.machine.states[0].name
    turn.pending = first
    _settle(turn, starting=True)


def update(turn: Turn[Any]) -> None:
    """Run UPDATE of the current state, then the requested transitions."""
    block = turn.machine.state(turn.running.state).update
    if block is not None:
        _run(turn, block)
    _settle(turn)


def receive(turn: Turn[Any], message: Message) -> bool:
    """Offer ``message`` to the current state, then to the global responses.

    Returns whether one consumed it. The trace records it. A message without a router (serial below 0: an event of the
    unit's own body) is recorded only if handled.
    """
    state = turn.machine.state(turn.running.state)
    taker = ""
    for owner, blocks in ((state.name, state.on), ("any state", turn.machine.on)):
        block = blocks.get(message.name)
        if block is not None:
            turn.decider = _name(block)
            if block(turn, message) is not False:
                taker = owner
                break
    if turn.trace is not None and (taker or message.serial >= 0):
        fate = f"gets {message.name} in {state.name}: " + (f"handled by {taker}" if taker else "not handled")
        cause, decider = f"from unit {message.sender}", turn.decider if taker else f"{__name__}.receive"
        turn.trace.add(turn.tick, turn.unit, MESSAGE, fate, cause=cause, since=message.sent_at, function=decider)
    _settle(turn)
    return bool(taker)


def leave(turn: Turn[Any]) -> None:
    """Run EXIT of the current state without a next one: the machine stops."""
    if turn.running.state:
        _exit(turn)
        turn.left_state()
        turn.running.state = ""
    turn.pending = ""


def _exit(turn: Turn[Any]) -> None:
    block = turn.machine.state(turn.running.state).exit
    if block is not None:
        turn.exiting = True
        try:
            block(turn)
        finally:
            turn.exiting = False


def _settle(turn: Turn[Any], starting: bool = False) -> None:
    """Carry out pending changes until none is left."""
    changes = 0
    while turn.pending:
        changes += 1
        if changes > turn.machine.chain_limit:
            raise FlipFlop(
                f"machine {turn.machine.name} of unit {turn.unit} changed state {changes} times at tick {turn.tick}, "
                f"last {turn.running.state} -> {turn.pending}"
            )
        wish, turn.pending = turn.pending, ""
        running = turn.running
        before = running.state
        if before:
            _exit(turn)
        turn.left_state()
        state = turn.machine.state(wish)
        running.state, running.entered = wish, turn.tick
        running.entries += 1
        if turn.trace is not None:
            turn.trace.add(
                turn.tick,
                turn.unit,
                TRANSITION,
                turn.decided or state.phrase or state.name,
                considered=turn.considered or turn.options,
                winner=turn.doing or state.doing or state.name,
                cause=turn.because or ("" if not starting else "it starts"),
                since=turn.since,
                function=turn.decider,
                before=f"{turn.machine.name}.{before}" if before else "",
                after=f"{turn.machine.name}.{wish}",
            )
        starting = False
        turn.because, turn.since, turn.decided, turn.considered = "", -1, "", ()
        if state.enter is not None:
            _run(turn, state.enter)


def _name(block: Callable[..., Any]) -> str:
    return f"{block.__module__}.{block.__qualname__}"


def _run(turn: Turn[Any], block: Handler) -> None:
    turn.decider = _name(block)
    block(turn)


TECHNIQUES = (
    {
        "slug": "state-machine",
        "name": "State machine of enter, update, exit and message blocks",
        "ids": ("AW-6.5-1",),
        "source": "AI Game Programming Wisdom, 6.5",
        "functions": ("StateMachine", "update", "receive"),
        "test": "tests/ai/decision/test_state_machine.py",
        "exhibit": "levels/exhibits/minds/canvass.interrupt.toml",
        "overlay": "minds",
        "reason": "Every mind runs on it, so no setting switches it off.",
        "claim": "Tables of Python functions take the place of macros.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
