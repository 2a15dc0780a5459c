"""Level scripts: each expectation of each script holds when the script is played.

The scripts are those of the regression levels, the missions and the exhibits.
"""

import gc
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ai.paths import Phase
from game.checks.check import LEVELS, find_levels
from game.checks.exhibit_run import plays_its_script
from game.checks.headless import Run, advance, begin, go_on
from game.checks.invariants.invariants import OF_MOTION
from game.checks.scripts.script import load_script, scripts_of

SCRIPTS = [(level, script) for level in find_levels([LEVELS]) for script in scripts_of(level)]
BEGUN = {
    "the_depot.gate": (1200, {"all four": 7}, {"woken": 6, "killed": 5}),
    "the_depot.cellar": (1400, {"Odo": 2, "Tam": 5}, {"lamp": 1, "taken_down": 1}),
}
"""Scripts that are played only for their first ticks.

A row holds the number of ticks, the least step of each track and the least count of each event at that tick.
``main.py check`` plays these scripts whole, and a long test plays ``the_depot.breach``, which proves the same laws.
"""
UNANSWERED = (Phase.NEW, Phase.WAITING, Phase.OPEN)
LONG = {
    "bridge_60", "bridge_60.detail", "chase_and_loss", "circle_60", "circle_60.quarter", "circle_60.shifted",
    "corridor_80", "corridor_80.shifted", "courtyard_search", "crossing_98", "crossing_98.shifted", "fight_twenty",
    "five_hundred_one_tile", "five_hundred_one_tile.box", "formation_carters", "formation_crowded.facing",
    "formation_crowded.line", "formation_crowded.wall", "formation_field", "formation_field.arrival",
    "formation_fight", "hill_and_farm.charge", "hill_and_farm.plan", "hopeless_among_hopeful", "maze", "night_lamps",
    "office_100", "passage_60", "passage_60.box", "passage_60.vee", "patrol", "room_100", "room_100_two", "rooms_100",
    "scattered.assign", "seats_60.filled", "skirmish_25_squads", "skirmish_small", "streams_64_pillar",
    "streams_64_rounded", "ten_thousand.each", "ten_thousand.groups", "the_crossing.drawbridge", "the_crossing.rush",
    "the_depot.breach", "the_depot.gate", "the_depot.loud", "the_depot.upright", "thousand_512", "thousand_512.door",
    "thousand_512.unreachable", "two_gates.shortest", "ways_for_one",
}  # fmt: skip
"""Scripts whose tests have the mark ``long``.

Each takes 4 s of processor time or more, and a similar shorter script is played.
"""


def _is_judged_as_exhibit(script: Path) -> bool:
    """Return whether test_exhibits.py checks the expectations of the script."""
    read = load_script(script) if "exhibits" in script.parts else None
    return read is not None and read.exhibit is not None and plays_its_script(read)


HERE = sorted(
    ((level, script) for level, script in SCRIPTS if script.stem not in BEGUN and not _is_judged_as_exhibit(script)),
    key=lambda row: row[0].stem == "thousand_512",
)
"""Level and script of each test; those of ``thousand_512`` come last.

The test after them reads the same cached runs.
"""


def test_the_first_mission_and_the_thousand_have_their_scripts() -> None:
    names = {script.stem for _, script in SCRIPTS}
    assert {"the_crossing.stealth", "the_crossing.rush", "thousand_512.unreachable", "thousand_512.door"} <= names
    assert len({level for level, _ in SCRIPTS if "regression" in level.parts}) >= 10


def test_every_regression_level_carries_every_law_of_motion() -> None:
    for level, script in SCRIPTS:
        if "regression" in level.parts:
            missing = set(OF_MOTION) - {row.kind for row in load_script(script).expect}
            assert not missing, script.stem


ENDLESS = {"patrol", "thousand_512", "thousand_512.door", "thousand_512.unreachable"}


def test_endless_scripts_are_listed_and_only_the_patrol_has_no_other() -> None:
    """Compare the scripts with an ``endless`` reason with ENDLESS.

    Each map except the patrol's has a script in which every unit comes to rest.
    """
    names = {script.stem: load_script(script).endless for _, script in SCRIPTS if "regression" in script.parts}
    assert {name for name, why in names.items() if why} == ENDLESS
    maps = {name.split(".")[0] for name in names}
    assert maps - {name.split(".")[0] for name in names if name not in ENDLESS} == {"patrol"}


AFTER = 40
"""Ticks within which each path request of the thousand units is answered."""


@cache
def kept(level: Path, script: Path) -> tuple[list[str], int, int]:
    """Play a script; return failures, and revolutions and open requests at tick AFTER."""
    run = go_on(begin(level, script=load_script(script), recording=False), AFTER)
    paths = run.session.world.paths
    spent, waiting = paths.statistics.revolutions_total, len(paths.requests.in_phase(*UNANSWERED))
    found = go_on(run).failures() + left_out(run)
    del run, paths
    gc.collect()  # a world is few objects with large arrays, which the collector by itself would leave for long
    return found, spent, waiting


def left_out(run: Run) -> list[str]:
    """Return a fault when a regression script promises no end for ordered units.

    Each such unit needs an expectation that it arrives or settles, unless the script gives a reason as ``endless``.
    """
    assert run.script is not None and run.script.path is not None
    ends = [w for w in run.expectations if w.row.kind in ("arrives", "settles") and w.row.count is None]
    sent = run.first_moves.sent or set(run.session.world.routes_of)
    forgotten = sent - {unit for w in ends for unit in w.ids}
    if "regression" not in run.script.path.parts or bool(forgotten) == bool(run.script.endless):
        return []
    return [f"{len(forgotten)} ordered units are in no arrives or settles; endless = {run.script.endless!r}"]


@pytest.mark.parametrize(
    ("level", "script"),
    [pytest.param(*row, id=row[1].stem, marks=[pytest.mark.long] * (row[1].stem in LONG)) for row in HERE],
)
def test_a_level_meets_its_expectations(level: Path, script: Path) -> None:
    assert load_script(script).expect, "a script without an expectation proves nothing"
    assert kept(level, script)[0] == []


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in BEGUN])
def test_the_longest_raids_begin_as_their_scripts_say(name: str) -> None:
    """Play the beginning of a raid: tracks and events reach the figures of BEGUN.

    Expectations about the end of the raid are left out.
    Prohibitions and invariants are kept: they hold at every tick.
    """
    level, path = LEVELS / "the_depot.tmx", LEVELS / f"{name}.toml"
    ticks, steps, counts = BEGUN[name]
    script = load_script(path)
    kept = ("alive", "not_seen", "never_enters", "no_wall", "meter_is_state", "by_the_table", "searches_well")
    script.expect = [row for row in script.expect if row.kind in kept or (row.event and row.at_most == 0)]
    for row in script.expect:
        # A count in the script is of the whole raid.
        row.count = 0 if row.count else row.count
    run, happened = begin(level, script=script, recording=False), Counter[str]()
    for _ in range(ticks):
        advance(run)
        happened.update(event.kind for event in run.session.world.events)
    assert run.failures() == []
    tracks = zip(script.track, run.player.tracks, strict=True)
    reached = {track.name: state.step for track, state in tracks if track.name in steps}
    assert all(reached[track] >= step for track, step in steps.items()), reached
    assert all(happened[kind] >= count for kind, count in counts.items()), happened


@pytest.mark.long
def test_unreachable_goals_cost_no_more_revolutions_than_reachable_ones() -> None:
    """Compare two runs of the same thousand units on one map after AFTER ticks.

    By then each request for the island is answered, so its cost is complete.
    The reachable run may still search: its cost at that tick is a lower bound.
    """
    level = LEVELS / "regression/paths/thousand_512.tmx"
    _, spent, _ = kept(level, level.with_suffix(".toml"))
    _, spent_in_vain, waiting = kept(level, level.with_suffix(".unreachable.toml"))
    assert spent_in_vain <= spent and waiting == 0
