"""``main.py check``: every expectation of every level, pass or fail."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from game.checks.headless import Run, begin, go_on
from game.checks.scripts.script import Script, load_script, placed, scripts_of
from game.level.files import write_whole
from game.level.finding import LEVELS, find_level
from game.level.reading import load_level
from game.world.faults import StageFault


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


def _played(level_path: Path, script: Script) -> tuple[Run, list[str]]:
    """Play a script; return the run and its failures, program errors included."""
    run = begin(level_path, script=script, recording=False)
    try:
        return run, go_on(run).failures()
    except StageFault as fault:
        return run, [f"fault: {fault}"]


def run_check(paths: list[Path], report: Path | None) -> int:
    """Check levels; return 1 on any failure.

    It prints a line a script and one a failure.
    """
    rows: list[dict[str, Any]] = []
    failed = 0
    for level_path in find_levels(paths):
        scripts = scripts_of(level_path)
        if not scripts:
            level = load_level(level_path)
            print(f"----  {level_path.name}: loads, no script")
            for line in level.card.lines():
                print(f"      {line}")
            rows.append({"level": str(level_path), "script": None, "failures": [], "card": level.card.lines()})
        for script_path in scripts:
            script = load_script(script_path)
            with placed(script):
                run, failures = _played(level_path, script)
            failed += bool(failures)
            verdict = "FAIL" if failures else "pass"
            count = len(script.expect)
            print(f"{verdict}  {script_path.stem}: {count} expectations, {run.session.world.tick} ticks", flush=True)
            for line in failures:
                print(f"      {line}")
            rows.append(
                {
                    "level": str(level_path),
                    "script": str(script_path),
                    "title": script.title,
                    "ticks": run.session.world.tick,
                    "hash": run.session.world.hash(),
                    "expectations": [
                        {"kind": w.row.kind, "failure": w.verdict(run.session.world)} for w in run.expectations
                    ],
                    "failures": failures,
                }
            )
    checked = sum(1 for row in rows if row["script"])
    print(f"{checked - failed} passed, {failed} failed")
    if report is not None:
        write_whole(report, json.dumps(rows, indent=1), overwrite=True)
    return 1 if failed else 0
