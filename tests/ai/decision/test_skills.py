"""Prioritised skills with a behaviour stack (Game AI Pro 2, ch. 33 and 34).

Oracles: the first valid entry found by a one-line scan over all combinations of validity; for the stack, a bracket
matcher over the log of starts and stops.
"""

from itertools import product

import numpy as np
import pytest

from ai.core.serialization import compare, from_bytes, to_bytes
from ai.decision.decision_trace import DECISION, TraceRing
from ai.decision.message_router import Message
from ai.decision.skills import Behaviour, MindState, Skill, SkillList, StepOutcome, begin_turn, decide, hear, think
from ai.decision.state_machine import MachineError, State, StateMachine


class Host:
    def __init__(self, valid):
        self.valid = valid
        self.log = []
        self.over = False


def machine(name):
    return StateMachine(
        name,
        (
            State(
                "Only",
                lambda t: t.host.log.append(f"enter {name}"),
                lambda t: t.finish("it is over") if t.host.over == name else None,
                lambda t: t.host.log.append(f"exit {name}"),
            ),
        ),
    )


NAMES = ("burn", "chase", "search", "follow", "wander")


def is_valid(name):
    return lambda host: name in host.valid


LIST = SkillList("runner", tuple(Skill(n, machine(n), is_valid(n), doing=f"to {n}") for n in NAMES))


def test_for_every_combination_the_first_valid_skill_is_taken():
    for bits in product((0, 1), repeat=4):
        valid = {n for n, bit in zip(NAMES, bits, strict=False) if bit} | {"wander"}
        mind = MindState()
        decide(begin_turn(LIST, mind, Host(valid), 1, 0))
        assert mind.skill == next(n for n in NAMES if n in valid)


def test_a_higher_skill_interrupts_and_the_old_one_exits_once():
    mind, host = MindState(), Host({"chase", "wander"})
    think(begin_turn(LIST, mind, host, 1, 0))
    host.valid.add("burn")
    think(begin_turn(LIST, mind, host, 1, 1))
    assert host.log == ["enter chase", "exit chase", "enter burn"]


def test_a_running_skill_goes_on_until_it_finishes_even_if_no_longer_valid():
    mind, host = MindState(), Host({"chase", "wander"})
    think(begin_turn(LIST, mind, host, 1, 0))
    host.valid = {"search", "wander"}
    think(begin_turn(LIST, mind, host, 1, 1))
    assert mind.skill == "chase"
    host.over = "chase"
    think(begin_turn(LIST, mind, host, 1, 2))
    assert mind.skill == "search"


def test_a_mind_always_has_a_skill():
    with pytest.raises(MachineError, match="last must always be valid"):
        decide(begin_turn(LIST, MindState(), Host(set()), 1, 0))
    host = Host({"wander"})
    host.over = "wander"
    mind = MindState()
    think(begin_turn(LIST, mind, host, 1, 0))
    assert mind.skill == "wander"


def test_each_decision_says_what_else_was_considered():
    trace, mind = TraceRing(16), MindState()
    think(begin_turn(LIST, mind, Host({"search", "follow", "wander"}), 4, 9, trace))
    entry = trace.last(4, kinds=[DECISION])[0]
    assert entry.winner == "to search"
    assert [name for name, _ in entry.considered] == ["to search", "to follow", "to wander"]


def go(turn, memory):
    memory["left"] -= 1
    return StepOutcome.RUNNING if memory["left"] > 0 else StepOutcome(memory.get("ends", StepOutcome.SUCCESS))


def started(turn, memory):
    turn.host.log.append(f"( {memory['id']}")


def stopped(turn, memory):
    turn.host.log.append(f") {memory['id']}")


def resumed(turn, memory, outcome):
    turn.host.log.append(f"resumed {memory['id']} with {memory['left']} left after {StepOutcome(outcome).name}")


WALK = Behaviour("walk", go, started, stopped, resumed)


def on_done(turn, message):
    turn.host.log.append(f"{message.name} {message.data['behaviour']}")


STACKED = SkillList(
    "stacked",
    (
        Skill("flee", StateMachine("flee", (State("Run", lambda t: t.push("walk", id=90, left=5)),)), is_valid("flee")),
        Skill(
            "work",
            StateMachine(
                "work",
                (
                    State("Idle", on={"GO": lambda t, m: t.set_state("Busy"), "DONE": on_done, "FAILED": on_done}),
                    State("Busy", lambda t: t.push("walk", id=1, left=50)),
                ),
            ),
            lambda host: True,
        ),
    ),
    (WALK,),
)


def letter(name):
    return Message(name, 1, 1, 0, 0, 0)


def test_the_top_runs_and_what_lies_below_resumes_with_its_state_intact():
    mind, host = MindState(), Host(set())
    turn = begin_turn(STACKED, mind, host, 1, 0)
    think(turn)
    turn.push("walk", id=1, left=3)
    think(begin_turn(STACKED, mind, host, 1, 1))
    turn.push("walk", id=2, left=2, ends=int(StepOutcome.FAILURE))
    for tick in range(2, 6):
        think(begin_turn(STACKED, mind, host, 1, tick))
    assert host.log == ["( 1", "( 2", ") 2", "resumed 1 with 2 left after FAILURE", ") 1", "DONE walk"]


def test_a_skill_change_stops_the_stack_from_the_top_down():
    mind, host = MindState(), Host(set())
    turn = begin_turn(STACKED, mind, host, 1, 0)
    think(turn)
    turn.push("walk", id=1, left=30)
    turn.push("walk", id=2, left=30)
    host.valid.add("flee")
    think(begin_turn(STACKED, mind, host, 1, 1))
    assert host.log == ["( 1", "( 2", ") 2", ") 1", "( 90"]
    assert [b.memory["id"] for b in mind.stack] == [90]


def test_leaving_a_state_stops_what_it_pushed():
    mind, host = MindState(), Host(set())
    turn = begin_turn(STACKED, mind, host, 1, 0)
    think(turn)
    turn.push("walk", id=7, left=30)
    hear(begin_turn(STACKED, mind, host, 1, 1), letter("GO"))
    assert host.log == ["( 7", ") 7", "( 1"]


def test_random_pushes_and_interrupts_keep_the_brackets_matched():
    rng = np.random.default_rng(11)
    mind, host = MindState(), Host(set())
    think(begin_turn(STACKED, mind, host, 1, 0))
    for tick in range(1, 2000):
        host.valid = {"flee"} if rng.random() < 0.1 else set()
        turn = begin_turn(STACKED, mind, host, 1, tick)
        if mind.skill == "work" and rng.random() < 0.4:
            turn.push("walk", id=tick, left=int(rng.integers(1, 6)), ends=int(rng.integers(1, 3)))
        think(turn)
        if mind.skill == "flee" and rng.random() < 0.3:
            turn = begin_turn(STACKED, mind, host, 1, tick)
            turn.finish("calm again")
            host.valid = set()
            decide(turn, over=True)
    open_ones = []
    for line in host.log:
        bracket, number = line.split()[:2]
        if bracket == "(":
            open_ones.append(number)
        elif bracket == ")":
            assert open_ones.pop() == number
    assert open_ones == [str(b.memory["id"]) for b in mind.stack]
    assert len(host.log) > 1000


def test_a_mind_is_state_that_can_be_saved_with_its_stack():
    mind, host = MindState(), Host(set())
    turn = begin_turn(STACKED, mind, host, 1, 0)
    think(turn)
    turn.push("walk", id=1, left=9)
    copy = from_bytes(to_bytes(mind))
    assert compare(copy, mind) == []
    think(begin_turn(STACKED, copy, Host(set()), 1, 1))
    think(begin_turn(STACKED, mind, Host(set()), 1, 1))
    assert compare(copy, mind) == []
    assert copy.scope == "work/Idle#1"


def test_without_preemption_what_is_begun_is_finished_first() -> None:
    """A higher skill waits until the running one ends; the last skill always yields."""
    mind, host, valid = MindState(), Host({}), {"low": True, "high": False}
    skills = SkillList(
        "two",
        (
            Skill("high", StateMachine("high", (State("S"),)), lambda h: float(valid["high"])),
            Skill("low", StateMachine("low", (State("S"),)), lambda h: float(valid["low"])),
            Skill("last", StateMachine("last", (State("S"),)), lambda h: 1.0),
        ),
    )

    def serve(over: bool = False) -> str:
        turn = begin_turn(skills, mind, host, 1, 0)
        turn.preempts = False
        decide(turn, over)
        return mind.skill

    assert serve() == "low"
    valid["high"] = True
    assert serve() == "low"
    assert serve(over=True) == "high"
    valid.update(high=False, low=False)
    assert serve(over=True) == "last"
    valid["low"] = True
    assert serve() == "low"
