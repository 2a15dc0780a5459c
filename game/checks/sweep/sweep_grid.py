"""Grid of a sweep: which games are played, in which order."""

from __future__ import annotations

import copyreg
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from game.checks.scripts.script import Script, load_script, scripts_of
from game.level.finding import find_level
from game.level.model import Level
from game.level.reading import load_level
from game.world.rules.world_settings import default_settings
from game.world.settings import parse_value

Value = bool | int | float | str


def _read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


def _reduced(mapping: MappingProxyType[Any, Any]) -> tuple[Any, tuple[dict[Any, Any]]]:
    return _read_only, (dict(mapping),)


copyreg.pickle(MappingProxyType, _reduced)  # levels travel to other processes, and their properties are read-only

MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class SweepTask:
    """Task of a sweep: one game, small enough to send anywhere."""

    number: int
    level: str
    digest: str
    script: str
    seed: int
    settings: tuple[tuple[str, Value], ...]
    ticks: int | None

    @property
    def key(self) -> tuple[str, str, int, tuple[tuple[str, Value], ...]]:
        """Key of this game; its row of results has the same values."""
        return self.digest, self.script, self.seed, self.settings


@dataclass(frozen=True)
class SweepGrid:
    """Tasks of a sweep, and the levels and scripts that they name.

    ``levels`` are by digest; ``scripts`` by name, "" being no script.
    """

    tasks: list[SweepTask]
    levels: dict[str, Level]
    scripts: dict[str, Script | None] = field(default_factory=dict)


def sweep_grid(
    levels: Sequence[Path],
    seeds: Sequence[int],
    vary: Sequence[str] = (),
    script: Path | None = None,
    ticks: int | None = None,
) -> SweepGrid:
    """Return all games of ``levels x seeds x values``; each ``vary`` is ``NAME=VALUE,VALUE``.

    A level's own script is played unless ``script`` is given. Raises ValueError, in one line, for a level, script,
    setting or value that is not there, and for more than a million games.
    """
    if not levels:
        raise ValueError("sweep: name at least one level, as levels/the_crossing.tmx")
    axes = [_axis(row) for row in vary]
    names = [name for name, _ in axes]
    if len(set(names)) < len(names):
        raise ValueError(f"sweep --vary: {max(names, key=names.count)} is named twice; put its values in one list")
    found: dict[str, Level] = {}
    played: dict[str, Script | None] = {}
    tasks: list[SweepTask] = []
    combinations = [tuple(zip(names, values, strict=True)) for values in itertools.product(*(v for _, v in axes))]
    if len(levels) * len(seeds) * len(combinations) > MOST_RUNS:
        raise ValueError(f"sweep: {len(levels) * len(seeds) * len(combinations)} games are more than {MOST_RUNS}")
    for path in levels:
        level = load_level(find_level(path))
        own = _script_of(level, script)
        name = own.stem if own is not None else ""
        found[level.digest] = replace(level, layers=(), tilesets=())  # a game without a window needs no pictures
        played[name] = load_script(own) if own is not None else None
        for settings, seed in itertools.product(combinations, seeds):
            tasks.append(SweepTask(len(tasks), level.name, level.digest, name, seed, settings, ticks))
    return SweepGrid(tasks, found, played)


def _script_of(level: Level, given: Path | None) -> Path | None:
    if given is not None:
        return given
    return next((p for p in scripts_of(level.path) if p.stem == level.path.stem), None)


def _axis(row: str) -> tuple[str, list[Value]]:
    """Return the setting and the values of one ``NAME=VALUE,VALUE``."""
    name, equals, values = row.partition("=")
    if not equals or not values:
        raise ValueError(f"sweep --vary {row}: write NAME=VALUE,VALUE; run --list-settings names them")
    tree = default_settings()
    return name, [parse_value(tree, name, value) for value in values.split(",")]


def parse_seeds(text: str) -> list[int]:
    """Return the seeds of ``0-99``, ``3`` or ``1,5,9-12``.

    ValueError in one line for anything else."""
    seeds: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or len(part) > 21:
            raise ValueError(f"--seeds {text[:40]}: write 0-99, or 1,5,9")
        low, high = int(first), int(last) if dash else int(first)
        if high < low or high - low >= MOST_RUNS:
            raise ValueError(f"--seeds {text[:40]}: from {low} to {high} is no range of at most {MOST_RUNS} seeds")
        seeds += range(low, high + 1)
    return list(dict.fromkeys(seeds))
