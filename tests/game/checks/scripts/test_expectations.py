"""Expectations of scripts: a kept one passes, a broken one is named.

A wrong script ends with an error of one line.
"""

from pathlib import Path

import pytest

from game.checks.check import CheckSetup, run_check
from game.checks.headless import run_level
from game.checks.scripts.script import Script, load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from tests.game.sim.small_levels import bridge_level

MOVE = {"tick": 1, "units": "raiders", "kind": "move", "at": (20.5, 6.5)}


def failures(path: Path, *expect: dict, ticks: int = 260, orders: tuple[dict, ...] = (MOVE,)) -> list[str]:
    script = Script.model_validate({"ticks": ticks, "order": list(orders), "expect": list(expect)})
    return run_level(path, script=script, recording=False).failures()


KINDS = [
    ({"kind": "arrives", "region": "east"}, {"kind": "arrives", "at": (2, 12)}, "0 of 4 arrived"),
    ({"kind": "arrives", "region": "east", "by": 200}, {"kind": "arrives", "region": "east", "by": 5}, "by tick 5"),
    ({"kind": "arrives", "radius": 2.0}, {"kind": "arrives", "radius": 2.0, "by": 5}, "by tick 5"),
    ({"kind": "enters", "region": "east"}, {"kind": "enters", "at": (2, 12)}, "0 of 1"),
    ({"kind": "never_enters", "at": (2, 12)}, {"kind": "never_enters", "region": "east"}, "entered at tick"),
    ({"kind": "settles"}, {"kind": "settles", "by": 3}, "settled only"),
    ({"kind": "alive"}, {"kind": "dead"}, "0 of 4 are dead"),
    ({"kind": "max_ticks", "by": 300}, {"kind": "max_ticks", "by": 3}, "took"),
    ({"kind": "path_stage_seen", "stage": "full"}, {"kind": "path_stage_seen", "stage": "priority"}, "priority"),
    ({"kind": "outcome", "outcome": "sandbox"}, {"kind": "outcome", "outcome": "won"}, "sandbox"),
    ({"kind": "happens", "event": "order"}, {"kind": "happens", "event": "killed"}, "0 times"),
    (
        {"kind": "statistic", "name": "failed", "at_most": 0},
        {"kind": "statistic", "name": "requested", "at_most": 0},
        "requested is",
    ),
]
"""Rows of a kept expectation, a broken one and its failure.

All are about one walk over the bridge.
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the failures of a run with both expectations of each row of KINDS."""
    path = bridge_level(tmp_path_factory.mktemp("bridge"))
    assert failures(path, *(kept for kept, _, _ in KINDS)) == []
    return failures(path, *(row for kept, broken, _ in KINDS for row in (kept, broken)))


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[kept["kind"] for kept, _, _ in KINDS])
def test_each_kind_passes_when_kept_and_says_what_happened_when_broken(told: list[str], number: int) -> None:
    assert len(told) == len(KINDS)
    _, broken, words = KINDS[number]
    assert told[number].startswith(f"{broken['kind']}: ") and words in told[number]


def test_the_laws_of_motion_hold_on_the_bridge(tmp_path: Path) -> None:
    laws = [{"kind": "no_wall"}, {"kind": "no_overlap"}, {"kind": "progress"}]
    assert failures(bridge_level(tmp_path, raiders=9), *laws) == []


def test_progress_reports_units_without_speed(tmp_path: Path) -> None:
    """Set the speed of units that have an order to move to 0."""
    path = bridge_level(tmp_path)
    script = Script.model_validate({"ticks": 160, "order": [MOVE], "expect": [{"kind": "progress"}]})
    import game.sim.stages.steer_stage as steer

    def frozen(world: object) -> None:
        world.units.speed[:] = 0.0  # type: ignore[attr-defined]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steer, "set_speeds", frozen)
        lines = run_level(path, script=script, recording=False).failures()
    assert len(lines) == 1 and "got no nearer" in lines[0]


def test_no_overlap_and_no_wall_report_four_units_put_into_the_river(tmp_path: Path) -> None:
    path = bridge_level(tmp_path)
    script = Script.model_validate({"ticks": 20, "expect": [{"kind": "no_overlap"}, {"kind": "no_wall"}]})
    import game.sim.stages.move_stage as move

    def teleport(world: object) -> None:
        world.units.x[:4], world.units.y[:4] = 11.5, 2.5  # type: ignore[attr-defined]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(move, "move", lambda *_: None)
        patch.setattr("game.sim.stages.body_stage.run", teleport)
        patch.setattr("game.sim.tick.STAGES", (("orders", _count), ("move", teleport)))
        lines = run_level(path, script=script, recording=False).failures()
    assert [line.split(":")[0] for line in lines] == ["no_overlap", "no_wall"]


def _count(world: object) -> None:
    world.tick += 1  # type: ignore[attr-defined]


def test_check_passes_then_fails_and_names_the_broken_expectation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bridge_level(tmp_path)
    script = path.with_suffix(".toml")
    text = '[[order]]\ntick = 1\nkind = "move"\nat = [20.5, 6.5]\n[[expect]]\nkind = "arrives"\nregion = "east"\n'
    script.write_text("ticks = 260\n" + text)
    assert run_check([path]) == 0
    script.write_text("ticks = 20\n" + text)
    assert run_check([tmp_path], CheckSetup(json=tmp_path / "report.json")) == 1
    printed = capsys.readouterr().out
    assert "1 passed, 0 failed" in printed and "FAIL  small" in printed and "arrives: 0 of 4" in printed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ticks = 0", "ticks"),
        ("colour = 1", "colour"),
        ("[[expect]]\nkind = 'flies'", "kind"),
        ("[[order]]\ntick = 1\nkind = 'move'", "needs at"),
        ("[[order]]\ntick = 1\nkind = 'move'\nat = [nan, 3]", "finite"),
        ("[[order]]\ntick = 1\nkind = 'formation'\nname = 'ranks'\nvalue = inf", r"order\.0\.value: .*finite"),
        ("[[order]]\ntick = 1\nkind = 'stance'\nvalue = nan", r"order\.0\.value: .*finite"),
        ("[[order]]\ntick = 1\nkind = 'move_each'\nwithin = 1e308", r"order\.0\.within: .*10000"),
        ("settings = {'steering.dt' = inf}", r"settings\.steering\.dt: .*finite"),
        ("[[track]]\nname = 'a'\n[[track.step]]\nwhen = {near = ['all', 'all', inf]}", r"near\.2: .*finite"),
        ("[[expect]]\nkind = 'arrives'\nradius = nan", r"expect\.0\.radius: .*finite"),
        ("[[expect]]\nkind = 'arrives'\nby = -4", r"expect\.0\.by"),
        ("[[order]]\ntick = 1\nkind = 'stance'\nvalue = 'prone'", "needs value = a number from 0 to 2"),
        ("[[order]]\ntick = 1\nkind = 'pace'", "needs value = a number from 0 to 1"),
        ("[[order]]\ntick = 1\nkind = 'attack'\ntarget = []", r"order\.0\.target"),
        ("ticks = = 3", "not valid TOML"),
    ],
)
def test_a_wrong_script_ends_in_one_line_with_file_and_place(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=words) as caught:
        load_script(path)
    assert "\n" not in str(caught.value) and "wrong.toml" in str(caught.value)


SLIPS = {
    "settings = {'minds.grace' = -5}": "settings: setting minds.grace must lie",
    "settings = {'paths.budget' = 'much'}": "settings: setting paths.budget takes int",
    "[[order]]\ntick = 1\nkind = 'stop'\nunits = 'id:x'": r"order\.0: no unit is meant by 'id:x'",
    "[[order]]\ntick = 1\nkind = 'move'\nregion = 'zz'": r"order\.0: there is no region 'zz'",
    "[[track]]\nname = 'a'\n[[track.step]]\nwhen = {inside = ['all', 'zz']}": r"track\.0\.step\.0: there is no region",
    "[[track]]\nname = 'a'\n[[track.step]]\nwhen = {door_open = 'zz'}": r"track\.0\.step\.0: there is no door",
    "[[order]]\ntick = 1\nkind = 'formation'\nname = 'shape'\nvalue = 'zz'": r"order\.0: there is no formation 'zz'",
    "[[order]]\ntick = 1\nkind = 'formation'": r"order\.0: an order about formations names one of",
    "[[expect]]\nkind = 'inside_out'": "expectation inside_out needs at",
    "[[expect]]\nkind = 'enters'\nregion = 'zz'": "expectation enters: there is no region",
    "[[expect]]\nkind = 'happens'\nevent = 'kiled'": "'kiled' is none of order,",
}


@pytest.mark.parametrize("text", SLIPS, ids=SLIPS.values())
def test_a_name_that_the_level_lacks_is_reported_with_file_and_place(tmp_path: Path, text: str) -> None:
    path = bridge_level(tmp_path)
    script = path.with_suffix(".toml")
    script.write_text("ticks = 3\n" + text)
    with pytest.raises(ValueError, match=SLIPS[text]) as caught:
        run_level(path, script=load_script(script), recording=False)
    assert str(caught.value).startswith(f"{script}: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "value", "words"), [("no.such", 1, "no setting"), ("paths.budget", -5, "between")])
def test_an_unknown_or_wrong_setting_order_ends_the_run_in_one_line(tmp_path, name, value, words) -> None:
    order = {"tick": 2, "kind": "setting", "name": name, "value": value}
    script = Script.model_validate({"ticks": 3, "order": [order]})
    with pytest.raises(ValueError, match=f"script: .*{words}"):
        run_level(bridge_level(tmp_path), script=script, recording=False)


def test_a_track_waits_for_its_conditions_and_gives_orders_once(tmp_path: Path) -> None:
    script = Script.model_validate(
        {
            "ticks": 400,
            "track": [
                {
                    "name": "there and back",
                    "step": [
                        {"orders": [{"kind": "move", "at": (20.5, 6.5)}]},
                        {"when": {"inside": ("raiders", "east")}, "orders": [{"kind": "move", "at": (3.5, 6.5)}]},
                        {"when": {"after": 60, "idle": "raiders"}},
                    ],
                }
            ],
            "expect": [{"kind": "arrives", "region": "east"}, {"kind": "arrives", "at": (3.5, 6.5), "radius": 3}],
        }
    )
    run = run_level(bridge_level(tmp_path), script=script)
    assert run.failures() == []
    assert run.player == ScriptedPlayer(run.player.tracks) and run.player.tracks[0].step == 3
    assert len(run.session.log) == 2


def test_an_attack_on_a_region_without_units_is_refused(tmp_path: Path) -> None:
    order = {"tick": 1, "kind": "attack", "target": "region:east"}
    run = run_level(bridge_level(tmp_path), script=Script.model_validate({"ticks": 1, "order": [order]}))
    assert [(e.kind, e.text) for e in run.session.world.events] == [("refused", "there is no unit -1")]
