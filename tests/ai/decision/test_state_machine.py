"""The state machine language (AI Game Programming Wisdom, 6.5 and 6.6).

Oracle: a plain list into which every handler writes its name; the promised order is spelled out by hand.
"""

import pytest

from ai.core.serialization import compare, digest, from_bytes, to_bytes
from ai.decision.decision_trace import MESSAGE, TRANSITION, TraceRing
from ai.decision.message_router import Message, MessageRouter
from ai.decision.state_machine import (
    FlipFlop,
    MachineError,
    MachineState,
    State,
    StateMachine,
    Turn,
    initialise,
    leave,
    receive,
    update,
)


def note(word, then=""):
    def handler(turn, *_):
        turn.host.append(f"{word} in {turn.running.state}")
        if then:
            turn.set_state(then)
            turn.host.append(f"after wish in {turn.running.state}")

    return handler


def letter(name, sender=7):
    return Message(name, sender, 1, 0, 0, 0)


def turn_of(machine, log, tick=0, running=None, trace=None, router=None):
    return Turn(log, 1, tick, running or MachineState(), machine, trace, router)


WALK = StateMachine(
    "walker",
    (
        State("Rest", note("enter"), note("update", then="Walk"), note("exit")),
        State("Walk", note("enter"), note("update"), note("exit"), {"SHOUT": note("shout", then="Rest")}),
        State("Deaf", note("enter"), on={"SHOUT": lambda turn, message: False}),
    ),
    on={"SHOUT": note("anywhere"), "DEAD": note("dies")},
)


def test_exit_then_enter_then_update_in_the_next_tick():
    log = []
    running = MachineState()
    initialise(turn_of(WALK, log, 0, running))
    update(turn_of(WALK, log, 1, running))
    update(turn_of(WALK, log, 2, running))
    assert log == [
        "enter in Rest",
        "update in Rest",
        "after wish in Rest",  # the rest of the handler still runs in the old state
        "exit in Rest",
        "enter in Walk",
        "update in Walk",
    ]


def test_time_in_state_starts_with_the_entry():
    running = MachineState()
    log = []
    initialise(turn_of(WALK, log, 5, running))
    assert turn_of(WALK, log, 9, running).in_state == 4
    update(turn_of(WALK, log, 9, running))
    assert (running.state, running.entered) == ("Walk", 9)
    assert turn_of(WALK, log, 30, running).in_state == 21


def test_entering_may_chain_in_the_same_tick():
    chain = StateMachine(
        "chain",
        (State("A", update=note("update", then="B")), State("B", note("enter", then="C")), State("C", note("enter"))),
    )
    running, log = MachineState(), []
    initialise(turn_of(chain, log, 0, running))
    update(turn_of(chain, log, 1, running))
    assert running.state == "C"
    assert running.entered == 1
    assert log[-1] == "enter in C"


def test_a_machine_that_flips_for_ever_raises_and_names_itself():
    pingpong = StateMachine(
        "pingpong", (State("Ping", lambda t: t.set_state("Pong")), State("Pong", lambda t: t.set_state("Ping")))
    )
    with pytest.raises(FlipFlop, match="pingpong of unit 1"):
        initialise(turn_of(pingpong, []))


def test_a_state_cannot_ask_for_another_while_it_is_left():
    stubborn = StateMachine(
        "stubborn", (State("A", update=lambda t: t.set_state("B"), exit=lambda t: t.set_state("A")), State("B"))
    )
    turn = turn_of(stubborn, [])
    initialise(turn)
    with pytest.raises(MachineError, match="while exiting"):
        update(turn)


def test_the_last_wish_of_a_handler_counts():
    def both(turn):
        turn.set_state("B")
        turn.set_state("C")

    machine = StateMachine("wishes", (State("A", update=both), State("B"), State("C")))
    turn = turn_of(machine, [])
    initialise(turn)
    update(turn)
    assert turn.running.state == "C"


def test_unknown_states_and_double_names_are_told():
    with pytest.raises(MachineError, match="different names"):
        StateMachine("twice", (State("A"), State("A")))
    turn = turn_of(WALK, [])
    with pytest.raises(MachineError, match="no state Fly"):
        turn.set_state("Fly")


def test_messages_go_to_the_state_first_and_to_the_global_response_second():
    """A table over all states: the handler of SHOUT, and DEAD handled everywhere."""
    answers = {}
    for name in ("Rest", "Walk", "Deaf"):
        running, log = MachineState(state=name), []
        assert receive(turn_of(WALK, log, 3, running), letter("SHOUT"))
        answers[name] = (log[0].split()[0], running.state)
        running, log = MachineState(state=name), []
        assert receive(turn_of(WALK, log, 3, running), letter("DEAD"))
        assert log == [f"dies in {name}"]
        assert not receive(turn_of(WALK, log, 3, running), letter("UNHEARD_OF"))
    assert answers == {"Rest": ("anywhere", "Rest"), "Walk": ("shout", "Rest"), "Deaf": ("anywhere", "Deaf")}


def test_every_transition_and_message_is_traced_by_the_language_itself():
    """A probe notes the state after every event; the trace records exactly these changes."""
    trace, running = TraceRing(64), MachineState()
    seen = []

    def probe(turn):
        if not seen or seen[-1][1] != running.state:
            seen.append((turn.tick, running.state))

    first = turn_of(WALK, [], 0, running, trace)
    initialise(first)
    probe(first)
    for tick in range(1, 40):
        turn = turn_of(WALK, [], tick, running, trace)
        update(turn)
        probe(turn)
        if tick % 5 == 0:
            turn = turn_of(WALK, [], tick, running, trace)
            receive(turn, letter("SHOUT"))
            probe(turn)
    told = [(e.tick, e.after.split(".")[1]) for e in trace.since(0) if e.kind == TRANSITION]
    assert told == seen
    assert len(seen) > 10
    heard = [e for e in trace.since(0) if e.kind == MESSAGE]
    assert [e.tick for e in heard] == list(range(5, 40, 5))
    assert all("handled by" in e.decided for e in heard)
    assert any(e.function.endswith("handler") for e in trace.since(0))


def test_a_running_machine_is_state_that_can_be_saved_in_the_middle():
    running, log = MachineState(), []
    initialise(turn_of(WALK, log, 0, running))
    running.memory["lost at"] = 12.5
    copy = from_bytes(to_bytes(running))
    assert compare(copy, running) == []
    assert digest(copy) == digest(running)
    update(turn_of(WALK, [], 1, copy))
    update(turn_of(WALK, [], 1, running))
    assert compare(copy, running) == []


def test_leaving_runs_exit_once_and_stops_the_machine():
    running, log = MachineState(), []
    initialise(turn_of(WALK, log, 0, running))
    leave(turn_of(WALK, log, 1, running))
    leave(turn_of(WALK, log, 2, running))
    assert log.count("exit in Rest") == 1
    assert running.state == ""


WOUNDED = StateMachine(
    "wounded",
    (
        State(
            "Wander", on={"ATTACKED": lambda t, m: t.remind("FLEE", 10), "FLEE": lambda t, m: t.set_state("RunAway")}
        ),
        State(
            "RunAway",
            lambda t: t.remind("CALM", 140),
            on={"CALM": lambda t, m: t.set_state("Wander"), "FLEE": lambda t, m: t.set_state("Wander")},
        ),
    ),
)


def live_through(hits, last_tick):
    """Return the ticks at which the wounded machine changes state.

    It is hit at the given ticks.
    """
    router, running, changes = MessageRouter(), MachineState(), []
    initialise(turn_of(WOUNDED, [], 0, running, router=router))
    for tick in range(last_tick):
        before = running.state
        if tick in hits:
            router.send("ATTACKED", 9, 1, tick)
        router.deliver(
            tick,
            lambda unit: True,
            lambda unit: running.scope,
            lambda message, tick=tick: receive(turn_of(WOUNDED, [], tick, running, router=router), message),
        )
        if running.state != before:
            changes.append((tick, running.state))
    return changes


def test_three_hits_in_0_4_s_still_flee_the_full_7_s():
    """The book's example: half a second to react, then 140 ticks of running.

    Messages queued meanwhile do not shorten it.
    """
    assert live_through({10, 14, 18}, 300) == [(20, "RunAway"), (160, "Wander")]


def test_an_unscoped_timer_of_an_earlier_visit_would_have_cut_it_short():
    """Without scope, a late FLEE that arrives in RunAway ends it early."""
    router, running = MessageRouter(), MachineState()
    initialise(turn_of(WOUNDED, [], 0, running, router=router))
    router.send("FLEE", 1, 1, 0, 10)
    router.send("FLEE", 1, 1, 4, 10, redundancy=2)
    states = {}
    for tick in range(20):
        router.deliver(
            tick,
            lambda unit: True,
            lambda unit: running.scope,
            lambda message, tick=tick: receive(turn_of(WOUNDED, [], tick, running, router=router), message),
        )
        states[tick] = running.state
    assert (states[10], states[14]) == ("RunAway", "Wander")
