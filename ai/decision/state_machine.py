"""The state machine language: states with enter, update, exit and message blocks, and deferred transitions.

A machine is *data*: its definition is a table of module-level functions (:class:`State`, :class:`Machine`), its
running part a record (:class:`MachineState`).  A handler gets a :class:`Turn`, which is made for one event and then
thrown away; through it the handler reads its host, asks for a change of state and writes its memory.

``set_state`` only notes the wish.  The rest of the handler still runs in the OLD state; then the machine exits it,
enters the new one, and goes on as long as entering asks for another change.  A machine that flips between states
without end raises :class:`FlipFlop`.  Every transition is traced by the language itself.

Source: AI Game Programming Wisdom, 6.5 and 6.6 (global responses before the first state).  Units: ticks.
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
"""Returns False to let the machine's global response have the message; anything else has consumed it."""


class MachineError(RuntimeError):
    """A machine's definition or behaviour breaks the rules of the language."""


class FlipFlop(MachineError):
    """A machine kept changing state without coming to rest."""


@record
class MachineState:
    """The running part of a machine: where it is, since when, and what it remembers.

    ``entries`` counts how many states were entered; with it a timer can tell this visit from the last.
    """

    state: str = ""
    entered: int = 0
    entries: int = 0
    memory: Memory = field(default_factory=dict)

    @property
    def scope(self) -> str:
        """Names this visit to this state, for scoped messages."""
        return f"{self.state}#{self.entries}"


@dataclass(frozen=True)
class State:
    """One state.  ``phrase`` says it after a unit's name ("searches the reeds"); ``doing`` as a gerund."""

    name: str
    enter: Handler | None = None
    update: Handler | None = None
    exit: Handler | None = None
    on: Mapping[str, MessageHandler] = field(default_factory=dict)
    phrase: str = ""
    doing: str = ""


@dataclass(frozen=True)
class StateMachine:
    """A definition: states (the first is the start) and the responses valid in all of them."""

    name: str
    states: tuple[State, ...]
    on: Mapping[str, MessageHandler] = field(default_factory=dict)
    chain_limit: int = 8

    def __post_init__(self) -> None:
        names = [s.name for s in self.states]
        if not names or len(set(names)) != len(names):
            raise MachineError(f"machine {self.name} needs states with names of their own, got {names}")

    def state(self, name: str) -> State:
        """The state called ``name``; raises MachineError when there is none."""
        for state in self.states:
            if state.name == name:
                return state
        raise MachineError(f"machine {self.name} has no state {name}; it has {[s.name for s in self.states]}")


@dataclass(eq=False)
class Turn(Generic[H]):
    """What a handler gets: its host, the time, its running state, and the means to act.  Never stored."""

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
    """What the last choice of a skill considered; a transition that names nothing else is told with these."""
    doing: str = ""
    """Gerund of the running skill, the winner among the options."""

    @property
    def memory(self) -> Memory:
        """Numbers and strings that last from event to event; kept when the state changes."""
        return self.running.memory

    @property
    def scope(self) -> str:
        """Names this visit to this state, for scoped messages."""
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
        """Ask to be in state ``name`` after this handler; a later wish in the same handler replaces an earlier one.

        ``because`` and ``since`` (a tick) explain it, ``decided`` replaces the state's phrase, ``considered`` lists
        what else could have been.  Raises MachineError while exiting, and for an unknown state.
        """
        if self.exiting:
            raise MachineError(f"{self.machine.name}: {self.running.state} asks for {name} while it is left")
        self.machine.state(name)
        self.pending, self.because, self.since = name, because, since
        self.decided, self.considered = decided, considered

    def left_state(self) -> None:
        """Runs between EXIT and ENTER; a turn with a behaviour stack clears it here."""

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
        """Send oneself a message ``delay`` ticks from now: a timer; scoped to this visit to this state."""
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
    """One UPDATE for the current state, then the transitions it asked for."""
    block = turn.machine.state(turn.running.state).update
    if block is not None:
        _run(turn, block)
    _settle(turn)


def receive(turn: Turn[Any], message: Message) -> bool:
    """Offer ``message`` to the current state, then to the global responses; returns whether one consumed it.

    The trace tells of it; one that came from no router (serial below 0: an event of the own body) only if handled.
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
        turn.trace.add(turn.tick, turn.unit, MESSAGE, fate, cause=f"from unit {message.sender}", since=message.sent_at)
    _settle(turn)
    return bool(taker)


def leave(turn: Turn[Any]) -> None:
    """EXIT of the current state without a next one: the machine stops."""
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
    """Carry out pending changes until the machine rests."""
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
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
