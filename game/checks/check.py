"""``main.py check``: findings of maps, and expectations of their scripts, pass or fail.

Each map and each script is a task.  Several tasks are played in processes of their own; their lines are printed in the
order of the tasks.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game.checks.findings.junit_report import junit_xml
from game.checks.findings.map_findings import MapFinding, findings_of
from game.checks.headless import Run, begin, go_on
from game.checks.scripts.script import Script, load_script, placed, scripts_of
from game.checks.worker_pool import WorkerPool
from game.level.files import write_whole
from game.level.finding import LEVELS, find_level
from game.world.faults import StageFault

FEW = 4
"""Tasks that are played in this process: another process first needs seconds to load."""
ON_SCREEN = Path("-")
"""Report file that means the standard output."""


@dataclass(frozen=True)
class CheckSetup:
    """Reports and processes of a check."""

    json: Path | None = None
    """File of the report; ``-`` prints it in place of the lines."""
    junit: Path | None = None
    jobs: int = 1
    maps_only: bool = False
    """No script is played."""


@dataclass(frozen=True)
class CheckTask:
    """Map, or one script of a map, to be checked.

    A map that is ``played`` too is told of only when it has findings.
    """

    level: Path
    script: Path | None = None
    played: bool = False


@dataclass(frozen=True)
class CheckResult:
    """Lines and report of a task.

    Both are empty when there is nothing to tell.
    """

    lines: list[str] = field(default_factory=list)
    row: dict[str, Any] = field(default_factory=dict)


def find_levels(paths: Iterable[Path]) -> list[Path]:
    """Return the maps of files and folders; by default all shipped levels.

    ValueError when one is missing.
    """
    given = list(paths) or [LEVELS]
    found: list[Path] = []
    for path in given:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*.tmx"))
        else:
            found.append(find_level(path))
    if not found:
        raise ValueError(f"{given[0]}: holds no .tmx level")
    return found


def _finding_row(finding: MapFinding) -> dict[str, Any]:
    return {
        "file": finding.file,
        "place": finding.place,
        "object": finding.thing,
        "tile": finding.tile,
        "wrong": finding.wrong,
        "remedy": finding.remedy,
    }


def _check_map(path: Path, played: bool) -> CheckResult:
    """Return the findings of a map, and its card when no script is played."""
    level, findings = findings_of(path)
    if played and not findings:
        return CheckResult()
    card = level.card.lines() if level is not None else []
    failures = [finding.line() for finding in findings]
    lines = []
    if failures:
        lines.append(f"FAIL  {path.name}: {len(failures)} {'finding' if len(failures) == 1 else 'findings'} on the map")
        lines += [f"      {line}" for line in failures]
    else:
        lines.append(f"----  {path.name}: loads, no script")
        lines += [f"      {line}" for line in card]
    row = {"level": str(path), "script": None, "failures": failures, "findings": [_finding_row(f) for f in findings]}
    return CheckResult(lines, row | {"card": card})


def _played(level_path: Path, script: Script) -> tuple[Run, list[str]]:
    """Play a script; return the run and its failures, program errors included."""
    run = begin(level_path, script=script, recording=False)
    try:
        return run, go_on(run).failures()
    except StageFault as fault:
        return run, [f"fault: {fault}"]


def _check_script(level_path: Path, script_path: Path) -> CheckResult:
    """Play a script and return its expectations.

    A script that cannot be played is a failure.
    """
    row: dict[str, Any] = {"level": str(level_path), "script": str(script_path)}
    try:
        script = load_script(script_path)
        with placed(script):
            run, failures = _played(level_path, script)
    except ValueError as error:
        failures = [" ".join(str(error).split())]
        lines = [f"FAIL  {script_path.stem}: not played", *(f"      {line}" for line in failures)]
        return CheckResult(lines, row | {"failures": failures, "expectations": []})
    world = run.session.world
    verdict = "FAIL" if failures else "pass"
    lines = [f"{verdict}  {script_path.stem}: {len(script.expect)} expectations, {world.tick} ticks"]
    lines += [f"      {line}" for line in failures]
    row |= {
        "title": script.title,
        "ticks": world.tick,
        "hash": world.hash(),
        "expectations": [{"kind": w.row.kind, "failure": w.verdict(world)} for w in run.expectations],
        "failures": failures,
    }
    return CheckResult(lines, row)


def check_task(task: CheckTask) -> CheckResult:
    """Check a map or play a script; runs in any process."""
    return _check_map(task.level, task.played) if task.script is None else _check_script(task.level, task.script)


def _nothing() -> None:
    """Prepare nothing: the tasks of a check share no data."""


def _in_order(tasks: list[CheckTask], jobs: int) -> Generator[CheckResult]:
    """Yield the results in the order of the tasks, in whichever order they end."""
    if jobs == 1 or len(tasks) <= FEW:
        yield from map(check_task, tasks)
        return
    ended: dict[int, CheckResult] = {}
    number = {task: n for n, task in enumerate(tasks)}
    with WorkerPool[CheckTask, CheckResult](check_task, _nothing, [], min(jobs, len(tasks))) as pool:
        pool.add(tasks)
        for n in range(len(tasks)):
            while n not in ended:
                for end in pool.ended():
                    ended[number[end.task]] = end.result or _broken(end.task, end.error)
            yield ended.pop(n)


def _broken(task: CheckTask, error: str) -> CheckResult:
    """Return the result of a task whose process failed."""
    name = (task.script or task.level).stem
    row = {"level": str(task.level), "script": str(task.script) if task.script else None, "failures": [error]}
    return CheckResult([f"FAIL  {name}: {error}"], row)


def run_check(paths: list[Path], setup: CheckSetup = CheckSetup()) -> int:
    """Check levels; return 1 on any failure.

    It prints the lines of each task, and writes the reports.
    """
    tasks = []
    for level in find_levels(paths):
        scripts = [] if setup.maps_only else scripts_of(level)
        tasks.append(CheckTask(level, played=bool(scripts)))
        tasks += [CheckTask(level, script) for script in scripts]
    silent = setup.json == ON_SCREEN
    rows: list[dict[str, Any]] = []
    passed = failed = 0
    with closing(_in_order(list(dict.fromkeys(tasks)), setup.jobs)) as results:
        for result in results:
            if result.row:
                rows.append(result.row)
                failed += bool(result.row["failures"])
                passed += not result.row["failures"] and result.row["script"] is not None
            for line in result.lines if not silent else []:
                print(line, flush=True)
    report = json.dumps(rows, indent=1)
    if silent:
        print(report)
    else:
        print(f"{passed} passed, {failed} failed")
    if setup.json is not None and not silent:
        write_whole(setup.json, report, overwrite=True)
    if setup.junit is not None:
        write_whole(setup.junit, junit_xml(rows), overwrite=True)
    return 1 if failed else 0
