"""Progress of the player: missions won, best times, medals, guesses in tours."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.level.files import write_whole
from game.view.window.user_options import data_folder


class MissionRecord(BaseModel):
    """Record of one mission: number of wins, fewest ticks, and the medal."""

    model_config = ConfigDict(extra="forbid")
    won: int = Field(default=0, ge=0)
    best_ticks: int | None = Field(default=None, ge=0)
    medal: bool = False


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    missions: dict[str, MissionRecord] = {}
    tours: dict[str, dict[str, int]] = {}
    """Guesses by tour and technique, counted from 0."""


def progress_file() -> Path:
    """Return the file of the player's progress."""
    return data_folder() / "progress.json"


def read_progress() -> tuple[dict[str, MissionRecord], str]:
    """Return the records by level name, and the error as one line or "".

    A damaged file is kept beside as ``progress.json.bad``.
    """
    found, wrong = _read()
    return found.missions, wrong


def read_guesses() -> tuple[dict[str, dict[str, int]], str]:
    """Return the guesses by tour and technique, and the error as one line or ""."""
    found, wrong = _read()
    return found.tours, wrong


def _read() -> tuple[_File, str]:
    path = progress_file()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return _File(), ""
    except (OSError, ValueError) as error:
        return _File(), f"{path}: cannot be read ({error}); progress begins anew"
    try:
        return _File.model_validate(json.loads(text)), ""
    except (ValidationError, ValueError, RecursionError):
        kept = path.with_name(path.name + ".bad")
        try:
            os.replace(path, kept)
        except OSError:
            return _File(), f"{path}: is damaged; progress begins anew"
        return _File(), f"{path}: is damaged and kept as {kept.name}; progress begins anew"


def note_win(level: str, ticks: int, medal: bool) -> str:
    """Add a won mission to the file; return the error as one line.

    A medal that was earned once stays.
    """
    found, wrong = _read()
    old = found.missions.get(level, MissionRecord())
    best = ticks if old.best_ticks is None else min(ticks, old.best_ticks)
    found.missions[level] = MissionRecord(won=old.won + 1, best_ticks=best, medal=old.medal or medal)
    return _write(found) or wrong


def note_guess(tour: str, technique: str, guess: int) -> str:
    """Add a guess in a tour to the file; return the error.

    The last guess counts.
    """
    found, wrong = _read()
    found.tours.setdefault(tour, {})[technique] = guess
    return _write(found) or wrong


def _write(found: _File) -> str:
    try:
        progress_file().parent.mkdir(parents=True, exist_ok=True)
        write_whole(progress_file(), found.model_dump_json(indent=1), overwrite=True)
    except (OSError, ValueError) as error:
        return str(error)
    return ""
