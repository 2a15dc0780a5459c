"""Crowd scenarios: whether all arrive, and when, beside RVO2.

``python -m tools.bench crowd --scenarios [NAMES]``; figures/crowd_scenarios.json holds the last run.
"""

from __future__ import annotations

import fnmatch
import sys
from typing import Any

from game.checks.headless import prepare_kernels
from tools.bench.crowds.runs import peer, play
from tools.bench.crowds.scenes import all_scenes

QUICK_UNITS = 150
"""Most units of a scene that ``--quick`` plays."""

CHOICES: dict[str, dict[str, Any]] = {
    "Fogline": {},
    "Fogline, paths mind no crowds": {"crowding.on": False},
    "Fogline, reciprocal (ORCA-like)": {"steering.avoidance": 4},
    "Fogline, social force": {"steering.avoidance": 3},
    "Fogline, separation": {"steering.avoidance": 1},
    "Fogline, context maps": {"steering.method": 2},
    "Fogline, looks farther": {"steering.sense_radius": 6.0, "steering.horizon": 8.0, "steering.neighbours": 16},
}
"""Choices of avoidance that ``--choices`` compares, the shipped one first."""


def rows(names: list[str], quick: bool = False, choices: bool = False) -> list[dict[str, Any]]:
    """A row a scene and player.  ValueError names a scene that does not exist."""
    scenes = all_scenes()
    for name in names:
        if not fnmatch.filter(scenes, name):
            raise ValueError(f"there is no scene {name!r}; scenes are {', '.join(scenes)}")
    wanted = [name for name in scenes if not names or any(fnmatch.fnmatch(name, each) for each in names)]
    prepare_kernels(("mission", "lab"))
    out: list[dict[str, Any]] = []
    for name in wanted:
        scene = scenes[name]()
        if quick and scene.count > QUICK_UNITS:
            continue
        for words, settings in CHOICES.items() if choices else list(CHOICES.items())[:1]:
            out.append(play(scenes[name](), settings, words))
        rival = peer(scene) if not any(move.shape for move in scene.moves) else None
        if rival is not None:
            out.append(rival)
        for row in out[-2:]:
            print(f"{name}: {row['algorithm']} {row['arrived']} of {row['units']}", file=sys.stderr)
    return out
