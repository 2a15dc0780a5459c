"""Decision trace ring; the oracle is a list cut to the ring's size."""

import numpy as np
import pytest

from ai.core.serialization import compare, from_bytes, snapshot, to_bytes
from ai.decision.decision_trace import DECISION, TRANSITION, TraceRing, line_of, next_best, sentence


def test_the_ring_keeps_the_newest_and_gives_them_back_whole():
    rng = np.random.default_rng(5)
    ring, all_written = TraceRing(50), []
    for tick in range(180):
        unit = int(rng.integers(0, 4))
        row = (tick, unit, f"does {tick}", (("going home", 0.25), ("waiting", 0.5)), tick - 3)
        ring.add(
            tick, unit, DECISION, row[2], considered=row[3], winner="waiting", since=row[4], cause="it; was | told"
        )
        all_written.append(row)
    held = [(e.tick, e.unit, e.decided, e.considered, e.since) for e in ring.since(0)]
    assert held == all_written[-50:]
    for unit in range(4):
        mine = [r for r in all_written[-50:] if r[1] == unit][::-1]
        assert [(e.tick, e.decided) for e in ring.last(unit, 5)] == [(r[0], r[2]) for r in mine[:5]]
    assert [e.tick for e in ring.since(175)] == [175, 176, 177, 178, 179]
    assert len(ring.since(0)) == 50
    assert ring.since(0)[0].cause == "it; was | told"


def test_the_newest_of_a_kind():
    ring = TraceRing(8)
    ring.add(1, 3, TRANSITION, "runs")
    ring.add(2, 3, DECISION, "takes to running")
    assert ring.last(3, 1, [TRANSITION])[0].tick == 1
    assert ring.last(3, 1)[0].tick == 2
    assert ring.last(4) == []


def test_the_plain_sentence_of_the_inspector():
    ring = TraceRing(8)
    ring.add(
        100,
        4,
        TRANSITION,
        "searches the reeds",
        considered=(("searching", 0.9), ("going home", 0.4), ("waiting", 0.1)),
        winner="searching",
        cause="it saw a raider 6 tiles off",
        since=54,
    )
    entry = ring.last(4)[0]
    assert next_best(entry) == "going home"
    expected = "Guard 4 searches the reeds: it saw a raider 6 tiles off 2.3 s ago; next best was going home."
    assert sentence("Guard 4", entry, 100) == expected
    ring.add(200, 4, TRANSITION, "walks its round")
    assert sentence("Guard 4", ring.last(4)[0], 230) == "Guard 4 walks its round."


def test_lines_of_two_units_can_be_compared_by_time():
    ring = TraceRing(8)
    ring.add(20, 1, TRANSITION, "", before="guard.Patrol", after="guard.Chase", cause="it saw a raider")
    ring.add(23, 2, DECISION, "runs", considered=(("running", 1.0),), function="game.minds.guard.guard.alarmed")
    lines = [line_of(entry) for entry in ring.since(0)]
    first = "1.00 s unit 1 transition guard.Patrol -> guard.Chase | it saw a raider"
    assert " ".join(lines[0].split()) == first
    assert "running 1 | game.minds.guard.guard.alarmed" in lines[1]


def test_the_ring_is_state_and_grows_no_further():
    ring = TraceRing(16)
    for tick in range(40):
        ring.add(tick, 1, DECISION, "stands")
    assert compare(from_bytes(to_bytes(ring)), ring) == []
    assert len(ring.lines) == 16
    assert snapshot(ring).root.values["written"] == 40
    with pytest.raises(ValueError, match="above 0"):
        TraceRing(0)
