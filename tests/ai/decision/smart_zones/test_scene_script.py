"""Scene scripts: the truth table of triggers, and the first fault of bad data."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from ai.decision.smart_zones.scene_script import (
    Category,
    SceneBehaviour,
    SceneColumn,
    SceneRole,
    SceneScript,
    SceneTrigger,
    fault_of,
)


def show() -> SceneScript:
    """Return a juggler's show of the source: three stages, spectators, passers-by."""
    behaviours = {
        name: SceneBehaviour(name, least=least, most=most)
        for name, least, most in (
            ("announce", 10, 10), ("juggle", 40, 40), ("bye", 10, 10), ("gather", 4, 4), ("comment", 6, 6),
            ("applaud", 6, 6), ("congratulate", 5, 5), ("look", 7, 7),
        )
    }  # fmt: skip
    roles = (
        SceneRole("juggler", Category.MAIN, ((0.0, 0.0),)),
        SceneRole("spectator", Category.SUPPORTING, tuple((k - 2.0, 2.0) for k in range(5))),
        SceneRole("passer", Category.EXTRA, tuple((k - 2.0, 4.0) for k in range(9))),
    )
    columns = (
        SceneColumn("announce", {"juggler": ((("announce", 1.0),),), "spectator": ((("gather", 1.0),),)}),
        SceneColumn(
            "show",
            {
                "juggler": ((("juggle", 1.0),),),
                "spectator": ((("comment", 3.0), ("applaud", 1.0)),),
                "passer": ((("look", 1.0),),),
            },
        ),
        SceneColumn("end", {"juggler": ((("bye", 1.0),),), "spectator": ((("congratulate", 1.0),),)}),
    )
    return SceneScript("show", "a juggler's show", roles, behaviours, columns)


def test_a_trigger_is_a_conjunction_and_a_period_fires_once_in_each() -> None:
    """Compare the conditions with "and", and a period with a division."""
    trigger = SceneTrigger(pause=50, every=100, present=2)
    for pause, period, presence in itertools.product((False, True), repeat=3):
        # tick 210: the period of tick 190 is the one before, that of tick 205 the same; 49 or 50 ticks since the end.
        assert trigger.holds(210, 190 if period else 205, 160 if pause else 161, 2 if presence else 1) == (
            pause and period and presence
        )
    started, times = -1, []
    for tick in range(1, 601):
        if SceneTrigger(every=90).holds(tick, started, 0, 0):
            started = tick
            times.append(tick)
    assert times == [90, 180, 270, 360, 450, 540]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"roles": (SceneRole("juggler", Category.EXTRA, ((0.0, 0.0),)),)}, "role: no role is main"),
        ({"roles": (SceneRole("juggler", Category.MAIN, ()),)}, "role.juggler.seats"),
        ({"columns": ()}, "column: the timeline is empty"),
        ({"columns": (SceneColumn("c", {"spectator": ((("gather", 1.0),),)}),)}, "column.c: no main role has a row"),
        ({"columns": (SceneColumn("c", {"juggler": ((("hop", 1.0),),)}),)}, "column.c.juggler: there is no behaviour"),
        ({"columns": (SceneColumn("c", {"juggler": ((("bye", 0.0),),)}),)}, "column.c.juggler: a box needs weights"),
        ({"behaviours": {"bye": SceneBehaviour("bye", faces="south")}}, "behaviour.bye.faces"),
        ({"behaviours": {"bye": SceneBehaviour("bye", least=9, most=3)}}, "behaviour.bye.ticks"),
        ({"behaviours": {"bye": SceneBehaviour("bye", takes_over="cook")}}, "behaviour.bye.takes_over"),
    ],
)
def test_bad_data_is_named_by_its_key(change: dict, words: str) -> None:
    assert fault_of(show()) == ""
    assert fault_of(replace(show(), **change)).startswith(words)
