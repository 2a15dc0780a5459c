"""Showcase without a display: The Crossing, played by its script.

It writes a picture and a report.
"""

from __future__ import annotations

import json
from pathlib import Path

from game.checks.headless import Run, prepare_kernels, run_level
from game.checks.scripts.script import load_script, scripts_of
from game.level.files import write_whole
from game.view.window.shot import ShotRequest, take_shot

ROOT = Path(__file__).resolve().parents[3]
CROSSING = ROOT / "levels" / "the_crossing.tmx"
PICTURE = Path("fogline-showcase.png")
REPORT = Path("fogline-showcase.json")
BEFORE_TICKS = 10
"""The picture is taken so long before the chest is lifted."""


def run_showcase(level: str | None) -> int:
    """Play ``level`` (The Crossing) headless; writes fogline-showcase.png and .json; returns the exit code."""
    path = Path(level) if level is not None else CROSSING
    print(f"fogline: no display; playing {path.name} headless (set SDL_VIDEODRIVER to choose one)", flush=True)
    prepare_kernels()
    scripts = scripts_of(path)
    chosen = next((s for s in scripts if "stealth" in s.name), scripts[0] if scripts else None)
    script = load_script(chosen) if chosen else None
    run = run_level(path, script=script)
    report = run.report()
    report["failures"] = run.failures()
    write_whole(REPORT, json.dumps(report, indent=1) + "\n", overwrite=True)
    tick, place = _moment(run)
    take_shot(ShotRequest(str(path), PICTURE, tick=tick, seed=run.session.seed, script=chosen, camera=place))
    mission = report["mission"]
    print(f"fogline: {mission['status']} after {report['ticks'] / 20:.0f} s; wrote {PICTURE} and {REPORT}")
    return 1 if report["failures"] else 0


def _moment(run: Run) -> tuple[int, tuple[float, float, int] | None]:
    """Return the tick and the place of the picture.

    It is the moment before the first thing was lifted, else the end.
    """
    if run.lifted is None:
        return run.session.world.tick, None
    event = run.lifted
    return max(1, event.tick - BEFORE_TICKS), (event.x, event.y, 32)
