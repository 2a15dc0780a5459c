"""Command line: the files each subcommand writes and the errors it reports.

A mistake in the arguments ends with one line on standard error and exit code 2.
"""

import json
from pathlib import Path

import pytest

from game.cli import main
from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from tests.game.sim.small_levels import bridge_level
from tools import golden, make_great_plain
from tools.bench.__main__ import main as bench

RUN_KEYS = {
    "level", "ticks", "seed", "units", "hash", "tick_ms", "stages", "first_move_ticks_max", "paths", "memory_mb",
}  # fmt: skip
PATH_KEYS = {
    "requested", "quick", "full", "splice", "priority", "failed", "budget", "revolutions_total",
    "revolutions_per_tick_max", "instant_revolutions_per_tick_max", "full_latency_ticks_p95",
}  # fmt: skip
STAGES = ["orders", "perceive", "think", "plan", "steer", "move", "fight", "body", "analyse", "publish"]


@pytest.fixture
def level(tmp_path: Path) -> str:
    return str(bridge_level(tmp_path, raiders=4, guards=1))


def report(path: Path) -> dict:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def test_a_run_writes_every_key_of_the_report(level: str, tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    assert main(["run", level, "--ticks", "30", "--seed", "7", "--json", str(out)]) == 0
    got = report(out)
    assert set(got) >= RUN_KEYS and set(got["paths"]) >= PATH_KEYS
    assert list(got["stages"]) == STAGES
    assert set(got["tick_ms"]) == {"p50", "p99", "max"} and set(got["stages"]["plan"]) == {"p50", "p99"}
    assert (got["ticks"], got["seed"], got["units"]) == (30, 7, 5)


def test_scattered_units_get_an_order_each_and_move_within_one_tick(level: str, tmp_path: Path) -> None:
    out = tmp_path / "k.json"
    assert main(["run", level, "--ticks", "40", "--units", "12", "--json", str(out)]) == 0
    got = report(out)
    assert got["units"] == 12 and got["paths"]["requested"] >= 12
    assert got["first_move_ticks_max"] <= 1
    assert got["paths"]["revolutions_per_tick_max"] <= got["paths"]["budget"]


def test_compare_runs_a_second_world_with_the_setting(level: str, tmp_path: Path) -> None:
    out = tmp_path / "ab.json"
    arguments = ["run", level, "--ticks", "40", "--units", "6", "--json", str(out)]
    arguments += ["--set", "paths.budget=500", "paths.splice=off", "--set", "steering.whiskers=6"]
    assert main([*arguments, "--compare", "steering.acceleration=2"]) == 0
    got = report(out)
    assert set(got) == {"settings", "a", "b", "first_difference", "ways_part"}
    assert got["a"]["hash"] != got["b"]["hash"] and got["settings"]["steering.acceleration"]["b"] == 2.0
    assert 1 <= got["first_difference"]["tick"] <= got["ways_part"]["tick"] <= 40
    for key, more in (("a", []), ("b", ["--set", "steering.acceleration=2"])):
        assert main([*arguments, *more]) == 0
        assert report(out)["hash"] == got[key]["hash"], "each world is that of a run alone"


def test_a_recorded_run_is_verified(level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.json"
    main(["run", level, "--ticks", "60", "--units", "4", "--record", str(record), "--json", str(tmp_path / "x.json")])
    assert main(["replay", str(record), "--verify"]) == 0
    assert "true" in capsys.readouterr().out


def test_list_settings_names_what_set_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--list-settings"]) == 0
    names = [line.split(" = ")[0] for line in capsys.readouterr().out.splitlines()]
    assert {"paths.budget", "steering.whiskers", "rules.carry_speed"} <= set(names)


def test_new_writes_a_level_that_checks_and_never_overwrites(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.tmx"
    assert main(["new", str(path)]) == 0
    files = [path, tmp_path / "mine.toml", tmp_path / "mine.tiled-project"]
    assert main(["check", str(path)]) == 0
    assert "pass  mine: 3 expectations, 200 ticks" in capsys.readouterr().out
    assert main(["check", str(path), "--maps-only"]) == 0
    assert "How Fogline read mine" in capsys.readouterr().out
    before = [file.read_bytes() for file in files]
    assert main(["new", str(path)]) == 2
    assert [file.read_bytes() for file in files] == before and "exists already" in capsys.readouterr().err
    command = json.loads(files[2].read_text())["commands"][0]
    assert Path(command["command"]).is_file() and Path(command["arguments"].split('"')[1]).name == "main.py"


def test_new_keeps_a_script_and_a_project_that_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A script of the same name stops it; below a project it writes none."""
    (tmp_path / "own.tiled-project").write_text("{}")
    assert main(["new", str(tmp_path / "first.tmx")]) == 0
    (tmp_path / "second.toml").write_text("# mine")
    assert main(["new", str(tmp_path / "second.tmx")]) == 2
    assert "second.toml: the file exists already" in capsys.readouterr().err
    assert sorted(p.name for p in tmp_path.glob("*.t*")) == [
        "first.tmx",
        "first.toml",
        "own.tiled-project",
        "second.toml",
    ]


def test_new_with_a_bare_name_writes_a_map_for_the_sandbox(tmp_path: Path) -> None:
    assert main(["new", str(tmp_path / "mine")]) == 0
    level = load_level(tmp_path / "mine.tmx")
    assert not level.objectives and level.spawns and level.painted


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", ""],
        ["run", "no/such.tmx"],
        ["new", ""],
        ["run", "LEVEL", "--set", "nothing=1"],
        ["run", "LEVEL", "--set", "paths.budget=many"],
        ["run", "LEVEL", "--set", "paths.budget"],
        ["run", "LEVEL", "--compare", "nothing=1"],
        ["run", "LEVEL", "--compare", "paths.budget=-4"],
        ["run", "LEVEL", "--seeds", "3"],
        ["run", "LEVEL", "--script", "no/such.toml"],
        ["run", "LEVEL", "--units", "100000"],
        ["run", "LEVEL", "--ticks", "2", "--json", "no/such/folder/a.json"],
        ["run", "LEVEL", "--threads", "4096"],
        ["check", "no/such/folder"],
        ["replay", "LEVEL", "--verify"],
        ["replay", "no/such.json", "--verify"],
        ["warm-up", "--group", "all"],
        ["shot", "no/such.tmx", "--out", "OUT.png"],
        ["shot", "LEVEL", "--out", "OUT.jpg"],
        ["shot", "LEVEL", "--out", "OUT.png", "--size", "big"],
        ["shot", "LEVEL", "--out", "OUT.png", "--camera", "1,2"],
        ["shot", "LEVEL", "--out", "OUT.png", "--size", "²x²"],
        ["shot", "LEVEL", "--out", "OUT.png", "--select", "ann"],
        ["shot", "LEVEL", "--out", "OUT.png", "--select", "²"],
        ["shot", "LEVEL", "--out", "OUT.png", "--overlays", "everything"],
    ],
    ids=" ".join,
)
def test_a_mistake_ends_in_one_line(
    arguments: list[str], level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"LEVEL": level, "OUT.png": str(tmp_path / "OUT.png"), "OUT.jpg": str(tmp_path / "OUT.jpg")}
    assert main([places.get(a, a) for a in arguments]) == 2
    printed = capsys.readouterr().err.strip()
    assert printed.startswith("fogline: ") and "\n" not in printed and "Traceback" not in printed
    assert not (tmp_path / "OUT.png").exists() and not (tmp_path / "OUT.jpg").exists()


@pytest.mark.parametrize("option", ["--json", "--record"])
def test_an_output_file_that_cannot_be_written_is_reported_before_the_run(
    option: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("game.checks.headless.run_level", lambda *_, **__: pytest.fail("ran first"))
    assert main(["run", level, option, str(tmp_path / "none" / "a.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["run", level, option, str(tmp_path)]) == 2
    assert [p for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_an_unknown_subcommand_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["fly"])
    assert caught.value.code == 2
    assert "invalid choice" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["play"],
        ["run", "x.tmx", "--ticks", "-3"],
        ["run", "x.tmx", "--seed", "9" * 5000],
        ["shot", "menu"],
    ],
)
def test_wrong_arguments_are_reported_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    told = capsys.readouterr().err
    assert stopped.value.code == 2 and told.count("\n") == 1 and "--help" in told


@pytest.mark.parametrize("words", [["crowd", "--units", "-4"], ["crowd", "--units", "x"], ["crowd", "--groups", "-1"]])
def test_a_bench_refuses_a_count_that_is_no_whole_number(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        bench(words)
    assert stopped.value.code == 2 and "must be a whole number from" in capsys.readouterr().err


def test_tools_that_write_pictures_and_maps_report_a_mistake_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert golden.main(["no such picture"]) == 2
    monkeypatch.setattr(make_great_plain, "great_plain", lambda: LevelBuilder(8, 8))
    assert make_great_plain.main([str(tmp_path / "none" / "a.tmx")]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2 and "is none of" in told[0] and "cannot be written" in told[1]
