"""The message router (AI Game Programming Wisdom, 6.6).

Oracle: a sorted list of (due, serial) kept by the test itself.
"""

import numpy as np
import pytest

from ai.core.serialization import compare, from_bytes, to_bytes
from ai.decision.message_router import MessageRouter, Redundancy


def run(router, ticks, alive=lambda unit: True, scope_of=lambda unit: ""):
    log = []
    for tick in ticks:
        router.deliver(tick, alive, scope_of, lambda m, tick=tick: log.append((tick, m.name, m.receiver)))
    return log


def test_a_thousand_messages_arrive_in_the_tick_they_are_due_in_a_stable_order():
    rng = np.random.default_rng(4)
    router, expected = MessageRouter(), []
    for serial in range(1000):
        sent, delay = int(rng.integers(0, 50)), int(rng.integers(0, 60))
        router.send(f"m{serial}", 0, serial % 7, sent, delay)
        expected.append((sent + delay, serial))
    log = run(router, range(120))
    assert [(tick, int(name[1:])) for tick, name, _ in log] == sorted(expected)
    assert router.waiting == []
    assert router.delivered == 1000


def test_at_once_means_within_the_same_delivery():
    router, log = MessageRouter(), []

    def give(message):
        log.append(message.name)
        if message.name == "ask":
            router.send("answer", message.receiver, message.sender, 3)

    router.send("ask", 1, 2, 3)
    router.send("other", 1, 2, 3)
    router.deliver(3, lambda u: True, lambda u: "", give)
    assert log == ["ask", "other", "answer"]


def test_the_dead_get_no_post():
    router = MessageRouter()
    router.send("hello", 1, 2, 0, 5)
    router.send("hello", 1, 3, 0, 5)
    assert run(router, range(10), alive=lambda unit: unit != 2) == [(5, "hello", 3)]
    assert router.dropped_dead == 1


def test_scope_drops_what_was_meant_for_another_state():
    router = MessageRouter()
    router.send("TIMEOUT", 1, 1, 0, 5, scope="Rest#1")
    router.send("TIMEOUT", 2, 2, 0, 5, scope="Rest#1")
    scopes = {1: "Rest#2", 2: "Rest#1"}
    assert run(router, range(10), scope_of=lambda unit: scopes[unit]) == [(5, "TIMEOUT", 2)]
    assert router.dropped_scope == 1


@pytest.mark.parametrize(
    ("policy", "arrivals"),
    [(Redundancy.IGNORE, [10, 22, 34, 46]), (Redundancy.REPLACE, []), (Redundancy.KEEP, list(range(10, 50, 2)))],
)
def test_steady_hits_every_tenth_of_a_second_under_each_policy(policy, arrivals):
    """A delay of half a second, a hit every 0.1 s.

    IGNORE fires repeatedly, REPLACE never fires.
    """
    router, log = MessageRouter(), []
    for tick in range(50):
        if tick % 2 == 0:
            router.send("FLEE", 1, 1, tick, 10, redundancy=policy)
        router.deliver(tick, lambda u: True, lambda u: "", lambda m, tick=tick: log.append(tick))
    assert log == arrivals


def test_cancelling_and_asking_what_waits():
    router = MessageRouter()
    router.send("late", 1, 2, 0, 30)
    router.send("soon", 1, 2, 0, 3)
    router.send("soon", 1, 3, 0, 3)
    assert [m.name for m in router.pending(2)] == ["soon", "late"]
    assert (router.receivers(2), router.receivers(3), router.receivers(30)) == ([], [2, 3], [2, 3])
    assert router.cancel(2, "late") == 1
    assert router.cancel(2) == 1
    assert run(router, range(40)) == [(3, "soon", 3)]


def test_an_endless_exchange_is_told_and_a_negative_delay_refused():
    router = MessageRouter()
    router.send("ping", 1, 2, 0)
    with pytest.raises(RuntimeError, match="endless exchange"):
        router.deliver(0, lambda u: True, lambda u: "", lambda m: router.send("ping", m.receiver, m.sender, 0))
    with pytest.raises(ValueError, match="negative"):
        router.send("past", 1, 2, 0, -1)


def test_waiting_messages_survive_a_save():
    router = MessageRouter()
    router.send("alarm", 1, 2, 0, 8, data={"x": 3.5, "who": 12}, scope="Rest#1")
    copy = from_bytes(to_bytes(router))
    assert compare(copy, router) == []
    assert run(copy, range(10), scope_of=lambda u: "Rest#1") == run(router, range(10), scope_of=lambda u: "Rest#1")
