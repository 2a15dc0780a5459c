"""Group scripts: order under delays, stores, shared animations, faults in the text."""

from __future__ import annotations

import numpy as np
import pytest

from ai.core.rand import below
from ai.squad.scripts.group_scripts import (
    GroupScript,
    Primitive,
    ScriptRun,
    advance_run,
    begin_run,
    lost_signals,
    script_of,
)

PLACES = "here", "there"
PASS = (
    ("thrower", ("go here", "signal ready", "wait turned", "act throw", "signal thrown")),
    ("receiver", ("go there", "signal turned", "wait ready", "wait thrown", "act catch")),
)
"""The source's failure: by timing alone the ball flies before the receiver turns."""


class Slow:
    """Hands that need some ticks for each walk, and note the begins."""

    def __init__(self, delays: list[int]) -> None:
        self.delays, self.tick = delays, 0
        self.log: list[tuple[int, int, str]] = []

    def begin(self, row: int, what: Primitive) -> None:
        self.log.append((self.tick, row, f"{what.verb} {what.word}"))

    def complete(self, row: int, what: Primitive, began: int) -> bool:
        return what.verb not in ("go", "enter") or self.tick - began >= self.delays[row]

    def at(self, row: int, words: str) -> int:
        return next(tick for tick, r, w in self.log if r == row and w == words)


def play(script: GroupScript, run: ScriptRun, delays: list[int], waits: bool = True, most: int = 500) -> Slow:
    hands, alive = Slow(delays), np.ones(len(delays), bool)
    while not advance_run(script, run, alive, hands.tick, hands, waits) and hands.tick < most:
        hands.tick += 1
    return hands


def script() -> GroupScript:
    return script_of("pass", PASS, PLACES)


def test_no_delay_breaks_the_order_and_timing_alone_does() -> None:
    """The throw begins when the receiver has turned, and the catch after the throw."""
    broken = 0
    for k in range(40):
        delays = [below(201, 1, 0, k, row) for row in (0, 1)]
        hands = play(script(), begin_run(script(), [0, 1]), delays)
        assert hands.at(0, "act throw") >= max(delays)
        assert hands.at(1, "act catch") >= hands.at(0, "act throw")
        alone = play(script(), begin_run(script(), [0, 1]), delays, waits=False)
        broken += alone.at(0, "act throw") < delays[1] or alone.at(1, "act catch") < alone.at(0, "act throw")
    assert broken > 10


def test_a_store_that_is_not_cleared_lets_waits_fall_through() -> None:
    """A second run with old signals throws at once; a fresh one waits."""
    first = begin_run(script(), [0, 1])
    play(script(), first, [3, 5])
    stale = play(script(), begin_run(script(), [0, 1], left=first.signals), [0, 90])
    assert stale.at(0, "act throw") < 90
    assert play(script(), begin_run(script(), [0, 1]), [0, 90]).at(0, "act throw") >= 90


def test_two_groups_at_once_do_not_trigger_each_other() -> None:
    quick, slow = begin_run(script(), [0, 1]), begin_run(script(), [0, 1])
    play(script(), quick, [1, 1])
    hands = Slow([0, 50])
    for hands.tick in range(40):
        advance_run(script(), slow, np.ones(2, bool), hands.tick, hands)
    assert "thrown" in quick.signals and slow.signals == ["ready"]


def test_a_dead_signaller_is_found_and_one_whose_signal_is_in_the_store_is_not() -> None:
    run, alive = begin_run(script(), [0, 1]), np.array([True, False])
    hands = Slow([2, 9])
    for hands.tick in range(4):
        advance_run(script(), run, np.ones(2, bool), hands.tick, hands)
    assert lost_signals(script(), run, np.ones(2, bool)) == []
    assert lost_signals(script(), run, alive) == ["turned"]
    run.signals.append("turned")
    assert lost_signals(script(), run, alive) == []


def test_a_shared_animation_starts_for_all_at_one_tick_and_never_alone() -> None:
    """Two pairs climb at two walls; neither takes a partner of the other wall."""
    lines = tuple(
        (f"{wall}{k}", (f"go {'here' if k else 'there'}", f"act climb {wall}")) for wall in "ab" for k in (0, 1)
    )
    climb = script_of("climb", lines, PLACES)
    hands = play(climb, begin_run(climb, [0, 1, 2, 3]), [4, 30, 7, 11])
    assert [hands.at(row, "act climb") for row in range(4)] == [30, 30, 11, 11]


def test_a_compound_ends_when_all_its_parts_do() -> None:
    both = script_of(
        "both",
        (("one", ("go here & signal going & wait told", "act end")), ("two", ("wait going", "hold 1", "signal told"))),
        PLACES,
    )
    hands = play(both, begin_run(both, [0, 1]), [8, 0])
    assert hands.at(0, "act end") == 8


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((("one", ("dance here",)),), "one, line 1: there is no primitive 'dance'"),
        ((("one", ("go here", "go away")),), "one, line 2: there is no place 'away'; one of here, there"),
        ((("one", ("go",)),), "one, line 1: go takes one word, not none"),
        ((("one", ("hold on",)),), "one, line 1: hold takes a whole number, not 'on'"),
        ((("one", ("go here & enter there",)),), "one, line 1: two primitives of the kind ai"),
        ((("one", ("wait never",)),), "one, line 1: no role signals 'never'"),
        (
            (("one", ("wait b", "signal a")), ("two", ("wait a", "signal b"))),
            "one, line 1: it waits for a role that waits for it",
        ),
    ],
)
def test_a_fault_in_the_text_names_role_and_line(lines: tuple, words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        script_of("bad", lines, PLACES)
