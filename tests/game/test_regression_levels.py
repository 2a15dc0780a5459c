"""Every regression level keeps every promise of every script; so do The Crossing and the exhibits."""

from functools import cache
from pathlib import Path

import pytest

from ai.paths import Phase
from game.sim.check import LEVELS, find_levels
from game.sim.headless import begin, go_on
from game.sim.laws import OF_MOTION
from game.sim.script import Script, load_script, scripts_of

SCRIPTS = [(level, script) for level in find_levels([LEVELS]) for script in scripts_of(level)]
ELSEWHERE = {"the_depot.cellar", "the_depot.gate"}
"""By ``main.py check`` only: half a minute each, and the other quiet way and the alarmed raid of the same mission prove
the same laws here."""
UNANSWERED = (Phase.NEW, Phase.WAITING, Phase.OPEN)
HERE = sorted(
    ((level, script) for level, script in SCRIPTS if script.stem not in ELSEWHERE),
    key=lambda row: row[0].stem == "thousand_512",
)
"""Those of the thousand last: the test after them reads the same runs."""


def test_there_is_a_script_for_each_promise_of_the_first_mission() -> None:
    names = {script.stem for _, script in SCRIPTS}
    assert {"the_crossing.stealth", "the_crossing.rush", "thousand_512.unreachable", "thousand_512.door"} <= names
    assert len({level for level, _ in SCRIPTS if level.parent.name == "regression"}) >= 10


def test_every_regression_level_carries_every_law_of_motion() -> None:
    for level, script in SCRIPTS:
        if level.parent.name == "regression":
            missing = set(OF_MOTION) - {row.kind for row in load_script(script).expect}
            assert not missing, script.stem


def ends_whole(script: Script) -> bool:
    """All who are sent somewhere arrive or come to rest: not only ``count`` of them, and nobody is left out."""
    ends = [row.units for row in script.expect if row.kind in ("arrives", "settles") and row.count is None]
    # Whoever a script gives orders to is of the raiders, unless it names him.
    return bool(ends) and all(
        {"all", "raiders", str(order.units)} & set(map(str, ends)) for order in script.order if order.kind in SENT
    )


SENT = ("move", "attack_move")


def test_in_every_regression_level_all_who_are_sent_arrive_or_settle_or_it_says_who_does_not_and_why() -> None:
    scripts = {script.stem: load_script(script) for level, script in SCRIPTS if level.parent.name == "regression"}
    endless = {name for name, row in scripts.items() if row.endless}
    assert endless == {name for name, row in scripts.items() if not ends_whole(row)}
    assert endless == {"patrol", "thousand_512", "thousand_512.door", "thousand_512.unreachable"}


AFTER = 40
"""Ticks by which every request of the thousand has had its answer."""


@cache
def kept(level: Path, script: Path) -> tuple[list[str], int, int]:
    """What was not kept, the steps of search in the first ticks, and the requests that were still open after them."""
    run = go_on(begin(level, script=load_script(script), recording=False), AFTER)
    paths = run.session.world.paths
    spent, waiting = paths.statistics.revolutions_total, len(paths.requests.in_phase(*UNANSWERED))
    return go_on(run).failures(), spent, waiting


@pytest.mark.parametrize(("level", "script"), HERE, ids=[script.stem for _, script in HERE])
def test_a_level_keeps_its_promises(level: Path, script: Path) -> None:
    assert load_script(script).expect, "a script without an expectation proves nothing"
    assert kept(level, script)[0] == []


def test_what_is_out_of_reach_costs_no_more_than_what_is_not() -> None:
    """The same thousand on the same map: after forty ticks every request for the island has had its answer, and what
    those who can reach their places have spent by then can only grow."""
    level = LEVELS / "regression" / "thousand_512.tmx"
    _, spent, _ = kept(level, level.with_suffix(".toml"))
    _, spent_in_vain, waiting = kept(level, level.with_suffix(".unreachable.toml"))
    assert spent_in_vain <= spent and waiting == 0
