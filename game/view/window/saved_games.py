"""Saved games of the player: their folder, names and pictures, and the newest."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote

from game.view.window.user_options import data_folder

SUFFIX = ".fogsave"
AUTO = ".auto"
SAVE_PICTURE = (224, 126)
"""Size in pixels of a save's picture."""


def saves_folder() -> Path:
    """Return the folder of saved games."""
    return data_folder() / "saves"


def prefix_of(level: str) -> str:
    """Return the beginning of a level's saves; no other level's name begins with it."""
    return quote(level, safe="") + "@"


def all_saves() -> list[Path]:
    """Return all saves, the youngest last."""
    try:
        found = [p for p in saves_folder().iterdir() if p.name.endswith(SUFFIX)]
        return sorted(found, key=lambda p: (p.stat().st_mtime_ns, p.name))
    except OSError:
        return []


def newest_save(level: str) -> Path | None:
    """Return the youngest save of a level, autosaves included, None when there is none."""
    return next((p for p in reversed(all_saves()) if p.name.startswith(prefix_of(level))), None)


def newest_game() -> Path | None:
    """Return the youngest save of any level, None when there is none."""
    return next(reversed(all_saves()), None)


def level_of(save: Path) -> str:
    """Return the name of a save's level."""
    return unquote(save.name.partition("@")[0])


def tick_of(save: Path) -> int:
    """Return the tick of a save, 0 for a name without one."""
    digits = save.name.rpartition("@")[2].partition(".")[0]
    return int(digits) if digits.isdecimal() else 0


def is_auto(save: Path) -> bool:
    """Return whether a save was written without the player."""
    return save.name.endswith(AUTO + SUFFIX)


def picture_file(save: Path) -> Path:
    """Return the file of a save's picture."""
    return save.with_name(save.name + ".png")
