"""Every regression level keeps every promise of every script; so do The Crossing and the exhibits."""

from pathlib import Path

import pytest

from ai.paths import Phase
from game.sim.check import LEVELS, find_levels
from game.sim.headless import run_level
from game.sim.laws import OF_MOTION
from game.sim.script import load_script, scripts_of

SCRIPTS = [(level, script) for level in find_levels([LEVELS]) for script in scripts_of(level)]
ELSEWHERE = {"the_depot.cellar"}
"""By ``main.py check`` only: half a minute, and the other quiet way of the same mission proves the same laws here."""
HERE = [(level, script) for level, script in SCRIPTS if script.stem not in ELSEWHERE]


def test_there_is_a_script_for_each_promise_of_the_first_mission() -> None:
    names = {script.stem for _, script in SCRIPTS}
    assert {"the_crossing.stealth", "the_crossing.rush", "thousand_512.unreachable", "thousand_512.door"} <= names
    assert len({level for level, _ in SCRIPTS if level.parent.name == "regression"}) >= 10


def test_every_regression_level_carries_every_law_of_motion() -> None:
    for level, script in SCRIPTS:
        if level.parent.name == "regression":
            missing = set(OF_MOTION) - {row.kind for row in load_script(script).expect}
            assert not missing, script.stem


def test_in_every_regression_level_somebody_arrives_or_settles_or_it_says_why_not() -> None:
    scripts = {script.stem: load_script(script) for level, script in SCRIPTS if level.parent.name == "regression"}
    ends = {name for name, row in scripts.items() if {"arrives", "settles"} & {each.kind for each in row.expect}}
    assert ends | {name for name, row in scripts.items() if row.endless} == set(scripts)
    assert not [name for name in ends if scripts[name].endless], "it does end"
    assert set(scripts) - ends == {"patrol", "thousand_512.unreachable"}


def test_what_is_out_of_reach_costs_no_more_than_what_is_not() -> None:
    """The same thousand on the same map: after forty ticks every request for the island has had its answer, and what
    those who can reach their places have spent by then can only grow."""
    level = LEVELS / "regression" / "thousand_512.tmx"
    spent = {}
    for name in ("thousand_512", "thousand_512.unreachable"):
        script = load_script(level.with_name(f"{name}.toml"))
        world = run_level(level, 40, script=script, recording=False).session.world
        spent[name] = world.paths.statistics.revolutions_total
    assert spent["thousand_512.unreachable"] <= spent["thousand_512"]
    assert len(world.paths.requests.in_phase(Phase.NEW, Phase.WAITING, Phase.OPEN)) == 0


@pytest.mark.parametrize(("level", "script"), HERE, ids=[script.stem for _, script in HERE])
def test_a_level_keeps_its_promises(level: Path, script: Path) -> None:
    row = load_script(script)
    assert row.expect, "a script without an expectation proves nothing"
    assert run_level(level, script=row, recording=False).failures() == []
