"""Dummy controller: policies, a mind on dummy and body, a script without a mind."""

import pytest

from ai.animation.tracks.act_kinds import ActKind, Reason, Status, Track, kind_table
from ai.animation.tracks.act_order import ActOrder
from ai.animation.tracks.dummy_controller import Controller, DummyController, Policy, play
from ai.animation.tracks.track_controller import TrackController

OPEN, KICK = range(2)
TABLE = kind_table([ActKind("open", Track.TORSO, 10), ActKind("kick", Track.LEGS, 10)])


def opens_or_kicks(body: Controller, ticks: int) -> list[str]:
    """Play a mind that opens a door, or kicks it when that fails."""
    said, handle, kind = [], body.order(ActOrder(1, OPEN, length=4, deadline=10), 0), OPEN
    for tick in range(ticks):
        body.advance(tick)
        end = body.status(handle)
        if end.over:
            said.append(f"{tick}: {('open', 'kick')[kind]} {end.status.name} {end.reason.name}")
            if end.status == Status.DONE or kind == KICK:
                break
            kind, handle = KICK, body.order(ActOrder(1, KICK, length=3), tick)
    return said


@pytest.mark.parametrize(
    ("policies", "said"),
    [
        ({}, ["4: open DONE NONE"]),
        ({OPEN: Policy(2, Reason.REFUSED)}, ["2: open FAILED REFUSED", "5: kick DONE NONE"]),
        ({OPEN: Policy(-1)}, ["10: open FAILED TIMED_OUT", "13: kick DONE NONE"]),
        ({OPEN: Policy(0, Reason.REFUSED), KICK: Policy(-1)}, ["0: open FAILED REFUSED"]),
    ],
)
def test_a_mind_takes_its_fallback_when_the_body_fails(policies: dict[int, Policy], said: list[str]) -> None:
    assert opens_or_kicks(DummyController(policies), 30) == said


def test_a_mind_cannot_tell_the_dummy_from_the_body() -> None:
    assert opens_or_kicks(TrackController(TABLE), 30) == opens_or_kicks(DummyController(), 30)


def test_a_script_drives_a_body_without_a_mind() -> None:
    script = [(5, ActOrder(1, OPEN, 9)), (0, ActOrder(1, OPEN, 9)), (2, ActOrder(1, KICK, 3))]
    assert play(TrackController(TABLE), script, 20) == [
        (0, 0, "running"), (2, 1, "running"), (5, 0, "merged"), (5, 1, "done"), (5, 2, "running"), (14, 2, "done"),
    ]  # fmt: skip
