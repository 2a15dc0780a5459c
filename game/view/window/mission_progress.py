"""Mission progress of the player: missions won, best times, and medals, in one file."""

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


def progress_file() -> Path:
    """Return the file of the player's progress."""
    return data_folder() / "progress.json"


def read_progress() -> tuple[dict[str, MissionRecord], str]:
    """Return the records by level name, and the error as one line or "".

    A damaged file is kept beside as ``progress.json.bad``.
    """
    path = progress_file()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError) as error:
        return {}, f"{path}: cannot be read ({error}); progress begins anew"
    try:
        return dict(_File.model_validate(json.loads(text)).missions), ""
    except (ValidationError, ValueError, RecursionError):
        kept = path.with_name(path.name + ".bad")
        try:
            os.replace(path, kept)
        except OSError:
            return {}, f"{path}: is damaged; progress begins anew"
        return {}, f"{path}: is damaged and kept as {kept.name}; progress begins anew"


def note_win(level: str, ticks: int, medal: bool) -> str:
    """Add a won mission to the file; return the error as one line.

    A medal that was earned once stays.
    """
    records, wrong = read_progress()
    old = records.get(level, MissionRecord())
    best = ticks if old.best_ticks is None else min(ticks, old.best_ticks)
    records[level] = MissionRecord(won=old.won + 1, best_ticks=best, medal=old.medal or medal)
    try:
        progress_file().parent.mkdir(parents=True, exist_ok=True)
        write_whole(progress_file(), _File(missions=records).model_dump_json(indent=1), overwrite=True)
    except (OSError, ValueError) as error:
        return str(error)
    return wrong
