"""Error boundaries: a faulty mind stops its unit, a faulty stage the run.

Each message names the stage and the tick, and the unit when it is known.
"""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from game.checks.headless import run_level
from game.cli import main
from game.level.finding import find_level
from game.level.reading import load_level
from game.minds import mind_turns
from game.sim import tick as tick_module
from game.sim.replay import replay_text
from game.sim.saves import load_game, save_game
from game.sim.session import Session
from game.world.faults import StageFault
from game.world.orders import OrderKind

DEPOT = find_level(Path("the_depot"))
UNIT = 6


def broken_think(unit: int, from_tick: int):
    """Return a think function that fails for one unit from a tick on."""
    true = mind_turns.think

    def think(turn) -> None:
        if turn.unit == unit and turn.tick >= from_tick:
            raise KeyError("no such skill")
        true(turn)

    return think


@pytest.fixture
def broken_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mind_turns, "think", broken_think(UNIT, 20))


@pytest.mark.usefixtures("broken_mind")
def test_a_unit_whose_mind_fails_holds_its_place_and_the_game_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    session = Session(load_level(DEPOT))
    faults = []
    with caplog.at_level(logging.ERROR, "fogline"):
        for _ in range(120):
            session.advance()
            faults += [e for e in session.world.events if e.kind == "fault"]
    world = session.world
    slot = world.units.slot(UNIT)
    assert [e.unit for e in faults] == [UNIT] and len(caplog.records) == 1
    assert f"stage think, unit {UNIT}, tick" in faults[0].text and "KeyError: 'no such skill'" in faults[0].text
    assert "test_boundaries.py:" in faults[0].text, "the place of the error is named"
    assert world.units.order[slot] == OrderKind.HOLD and not world.units.moving[slot]
    assert UNIT not in world.minds and len(world.minds) > 3, "the other guards still think"


@pytest.mark.usefixtures("broken_mind")
def test_a_failed_mind_is_state_like_any_other(tmp_path: Path) -> None:
    """Compare the hashes with those of a second run and of a loaded game."""
    hashes = []
    for _ in range(2):
        session = Session(load_level(DEPOT))
        for _ in range(60):
            session.advance()
        hashes.append(session.world.hash())
    assert hashes[0] == hashes[1]
    save_game(session, tmp_path / "a.save")
    again = load_game(tmp_path / "a.save")
    for played in (session, again):
        for _ in range(20):
            played.advance()
    assert session.world.hash() == again.world.hash()


@pytest.mark.usefixtures("broken_mind")
def test_a_failed_mind_fails_a_headless_run() -> None:
    run = run_level(DEPOT, ticks=60)
    assert [line.startswith(f"fault: stage think, unit {UNIT}, tick 2") for line in run.failures()] == [True]


@pytest.fixture
def broken_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(world) -> None:
        if world.tick == 30:
            raise IndexError("index 7 is out of bounds")
        true(world)

    stages = list(tick_module.STAGES)
    number = [name for name, _ in stages].index("fight")
    true = stages[number][1]
    stages[number] = ("fight", fail)
    monkeypatch.setattr(tick_module, "STAGES", tuple(stages))


@pytest.mark.usefixtures("broken_stage")
def test_a_stage_that_fails_is_named_with_its_tick() -> None:
    session = Session(load_level(DEPOT))
    with pytest.raises(StageFault, match=r"tick 30, stage fight: IndexError: index 7 .*test_boundaries\.py:\d+"):
        for _ in range(60):
            session.advance()
    assert '"ticks": 30' in replay_text(session)


@pytest.mark.usefixtures("broken_stage")
def test_commands_end_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(DEPOT), "--ticks", "60"]) == 3
    told = capsys.readouterr().err.strip()
    assert "tick 30, stage fight" in told and "\n" not in told
    assert main(["check", "levels/regression/fights/skirmish_small.tmx"]) == 1
    out = capsys.readouterr().out
    assert "FAIL  skirmish_small" in out and "fault: tick 30, stage fight" in out
