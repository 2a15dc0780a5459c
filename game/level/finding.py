"""Finds levels by path or by the name of a shipped level."""

from __future__ import annotations

import functools
from pathlib import Path

from game.level.errors import perhaps

LEVELS = Path(__file__).resolve().parents[2] / "levels"


@functools.cache
def shipped_levels() -> dict[str, Path]:
    """Return every shipped map by its bare name, which is unique."""
    return {path.stem: path for path in sorted(LEVELS.rglob("*.tmx"))}


def find_level(given: str | Path) -> Path:
    """Return the map that a path or a bare name means.

    An existing path is used as given.  Any other name is compared with the shipped levels, with or without ``.tmx``.
    Raises ValueError in one line, with the nearest name, when no level matches.
    """
    path = Path(given)
    if path.is_file():
        return path
    name = path.name.removesuffix(".tmx")
    found = shipped_levels().get(name)
    if found is not None and path.parent == Path():
        return found
    cure = perhaps(name, shipped_levels(), "name a Tiled map, as levels/the_crossing.tmx")
    raise ValueError(f"{given}: no such file; {cure}")
