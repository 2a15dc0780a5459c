"""Check: findings of maps with place and remedy, reports, and several processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from game.checks.check import CheckSetup, CheckTask, check_task, run_check
from game.checks.findings.junit_report import junit_xml
from game.checks.findings.map_findings import MapFinding, findings_of
from game.cli import main
from game.level.level_writer import LevelBuilder
from game.level.schema import tiled_project

ROOMS = """
.....#....
.....#.##.
.....#.##.
.....#....
.....#....
..........
"""
"""Two halves connected in the last row.

The right one has a block of wall.
"""

Build = Callable[[LevelBuilder], object]


def made(folder: Path, build: Build, letters: str = ROOMS, name: str = "m.tmx") -> Path:
    """Write a level of ours with a raider in the left upper corner."""
    (folder / "own.tiled-project").write_text(tiled_project())
    b = LevelBuilder.from_letters(letters)
    b.add("spawn", 0.5, 0.5, name="Ann")
    build(b)
    b.write(folder / name)
    return folder / name


def replaced(old: str, new: str) -> Build:
    """Return a build whose file gets a slip that LevelBuilder refuses to write."""

    def build(b: LevelBuilder) -> None:
        text = b.text
        b.text = lambda *a, **k: text(*a, **k).replace(old, new)  # type: ignore[method-assign]

    return build


FINDINGS: dict[str, tuple[Build, str, tuple[int, int] | None, int | None]] = {
    "shut in": (
        lambda b: (b.fill("wall", 1, 3, 4, 6), b.fill("grass", 2, 4, 3, 5), b.add("spawn", 2.5, 4.5, name="Bo")),
        "spawn is shut in: no way leads from its 1 tiles", (2, 4), 2,
    ),
    "route through a wall": (
        lambda b: b.add("route", name="r", points=((4.5, 0.5), (6.5, 0.5))),
        "from point 1 to point 2 leads through a wall at tile 5,0", (5, 0), 2,
    ),
    "way back of a loop": (
        lambda b: b.add("route", name="r", points=((6.5, 0.5), (6.5, 5.5), (4.5, 5.5), (4.5, 0.5)), loop=True),
        "from point 4 to point 1 leads through a wall", (5, 0), 2,
    ),
    "point in a wall": (
        lambda b: b.add("route", name="r", points=((6.5, 0.5), (7.5, 1.5))), "point 2 at tile 7,1", (7, 1), 2,
    ),
    "light outside": (lambda b: b.add("light", 12.5, 1.5), "outside the map; move it onto the map", (12, 1), 2),
    "region without a name": (lambda b: b.add("region", 0, 0, 2, 2), "no name; give the object a name", (1, 1), 2),
    "unknown class": (replaced('type="spawn"', 'type="spwan"'), "class 'spwan' is unknown; did you mean 'spawn'?",
                      (0, 0), 1),
    "unknown property": (
        lambda b: (b.add("spawn", 1.5, 1.5, facing=90), replaced('"facing"', '"faceing"')(b)),
        "no property 'faceing'; did you mean 'facing'?", (1, 1), 2,
    ),
    "unknown value": (
        lambda b: (b.add("spawn", 1.5, 1.5, side="guards"), replaced('value="guards"', 'value="guard"')(b)),
        "not 'guard'; did you mean 'guards'?", (1, 1), 2,
    ),
    "unknown name": (
        lambda b: (b.add("region", 0, 0, 2, 2, name="home"), b.add("objective", 1, 1, kind="reach", region="hoem")),
        "region 'hoem' does not exist; did you mean 'home'?", (1, 1), 3,
    ),
    "unknown kind of unit": (
        lambda b: b.add("spawn", 1.5, 1.5, kind="solider"), "kind 'solider' is not in assets/data/units.toml; did you "
        "mean 'soldier'?", (1, 1), 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FINDINGS)
def test_each_fault_is_one_finding_with_file_tile_object_and_remedy(tmp_path: Path, name: str) -> None:
    build, words, tile, thing = FINDINGS[name]
    _, found = findings_of(made(tmp_path, build))
    assert len(found) == 1, [f.line() for f in found]
    line = found[0].line()
    assert words in line and line.isprintable() and found[0].remedy
    assert "m.tmx" in line and f"object {thing}" in line
    assert found[0].thing == thing and (tile is None or found[0].tile == tile)


MEANT: dict[str, Build] = {
    "route round a corner": lambda b: b.add("route", name="r", points=((6.5, 0.5), (9.5, 2.5))),
    "route through a door": lambda b: (
        b.add("door", 5, 0, 1, 1, name="d"), b.add("route", name="r", points=((4.5, 0.5), (6.5, 0.5))),
    ),
    "place apart": lambda b: (
        b.fill("wall", 1, 3, 4, 6), b.fill("grass", 2, 4, 3, 5), b.add("spawn", 2.5, 4.5, name="Bo"),
        b.add("region", 2, 4, 1, 1, name="cell"),
    ),
    "object of a tile with a class": replaced("<object id", '<object id="7" gid="3" x="0" y="160"/><object id'),
    "class of the project's own": replaced("<object id", '<object id="7" type="wall" x="0" y="160"/><object id'),
}  # fmt: skip


@pytest.mark.parametrize("name", MEANT)
def test_a_map_that_is_meant_so_has_no_finding(tmp_path: Path, name: str) -> None:
    assert findings_of(made(tmp_path, MEANT[name]))[1] == []


def two_faults(b: LevelBuilder) -> None:
    b.add("light", 40, 1)
    b.add("region", 0, 0, 2, 2)


def test_all_findings_of_a_map_are_listed_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(tmp_path, two_faults)
    assert main(["check", str(path), "--json", str(tmp_path / "r.json"), "--junit", str(tmp_path / "r.xml")]) == 1
    printed = capsys.readouterr().out
    assert "FAIL  m.tmx: 2 findings on the map" in printed and "0 passed, 1 failed" in printed
    (row,) = json.loads((tmp_path / "r.json").read_text())
    assert [(f["object"], f["tile"], f["file"]) for f in row["findings"]] == [
        (3, [1, 1], row["findings"][0]["file"]),
        (2, [40, 1], row["findings"][0]["file"]),
    ]
    assert all(f["remedy"] and f["wrong"] and Path(f["file"]).name == "m.tmx" for f in row["findings"])
    suite = ET.parse(tmp_path / "r.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), len(suite)) == ("1", "1", 1)
    (failure,) = suite.findall("testcase/failure")
    assert (failure.text or "").splitlines() == row["failures"]


def test_the_report_on_the_standard_output_is_all_that_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(tmp_path, two_faults)
    path.with_suffix(".toml").write_text("ticks = 0")
    assert main(["check", str(path), "--maps-only", "--json", "-"]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert len(row["findings"]) == 2 and row["script"] is None


def test_a_report_that_cannot_be_written_is_refused_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(tmp_path, two_faults)
    assert main(["check", str(path), "--junit", str(tmp_path / "none" / "r.xml")]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "cannot be written" in told.err and told.err.count("\n") == 1


def test_a_broken_level_does_not_keep_the_others_from_being_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.tmx").write_text("<map")
    made(tmp_path, lambda b: None, name="b.tmx")
    (tmp_path / "b.toml").write_text("ticks = 0")
    made(tmp_path, lambda b: None, name="c.tmx")
    assert run_check([tmp_path]) == 1
    verdicts = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert verdicts == [
        "FAIL  a.tmx: 1 finding on the map",
        "FAIL  b: not played",
        "----  c.tmx: loads, no script",
        "0 passed, 2 failed",
    ]


def test_processes_print_in_the_order_of_the_levels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool of this test ends tasks in the opposite order."""

    class Backwards:
        def __init__(self, play: Callable[[CheckTask], object], *rest: object) -> None:
            self.play, self.tasks = play, list[CheckTask]()

        def __class_getitem__(cls, item: object) -> type:
            return cls

        def __enter__(self) -> Backwards:
            return self

        def __exit__(self, *rest: object) -> None:
            pass

        def add(self, tasks: list[CheckTask]) -> None:
            self.tasks = list(tasks)

        def ended(self) -> list[object]:
            from game.checks.worker_pool import Ended

            task = self.tasks.pop()
            return [Ended(task, None, "its process died") if task.level.stem == "d" else Ended(task, self.play(task))]

    for name in "abcdef":
        made(tmp_path, two_faults if name == "c" else lambda b: None, name=f"{name}.tmx")
    monkeypatch.setattr("game.checks.check.WorkerPool", Backwards)
    assert run_check([tmp_path], CheckSetup(jobs=2, junit=tmp_path / "r.xml")) == 1
    verdicts = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert [v.split("  ")[1][:1] for v in verdicts[:-1]] == list("abcdef")
    assert "FAIL  d: its process died" in verdicts and verdicts[-1] == "0 passed, 2 failed"
    assert [s.get("failures") for s in ET.parse(tmp_path / "r.xml").getroot()] == ["0", "0", "1", "1", "0", "0"]


def test_junit_is_valid_whatever_a_level_is_called() -> None:
    """Counts agree with the cases, and signs that XML refuses are replaced."""
    row = {
        "level": 'a<"\x00>.tmx', "script": "s\ud800.toml", "failures": ["arrives: 0 of 4 & more\x1b", "fault: x"],
        "expectations": [{"kind": "arrives", "failure": "0 of 4 & more\x1b"}, {"kind": "settles", "failure": None}],
    }  # fmt: skip
    root = ET.fromstring(junit_xml([row]))
    assert (root.get("tests"), root.get("failures")) == ("3", "2")
    cases = root.findall("testsuite/testcase")
    assert [c.get("name") for c in cases] == ["1 arrives", "2 settles", "script"]
    assert [len(c) for c in cases] == [1, 0, 1]
    assert cases[0][0].get("message") == "arrives: 0 of 4 & more?" and cases[2][0].text == "fault: x"


def test_a_finding_is_the_same_in_another_process(tmp_path: Path) -> None:
    """A result goes through pickle and JSON unharmed."""
    import pickle

    result = check_task(CheckTask(made(tmp_path, two_faults)))
    assert pickle.loads(pickle.dumps(result)) == result and json.loads(json.dumps(result.row))["findings"]
    assert MapFinding("f", "p", "w", "r").line() == "f: p: w; r"
