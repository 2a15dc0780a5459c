"""Table of acts: tracks, priorities and stages, from assets/data/acts.toml.

A row is a value of ``Act``. Priorities follow "AI Game Programming Wisdom", 2.4. With ``layers`` off every act takes
the whole body, legs included: the variant that an exhibit compares with.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from ai.animation.tracks.act_kinds import START_OF, TRACKS_OF, WHOLE_BODY, ActKind, Track, kind_table
from game.level.files import read_words
from game.world.unit_types import DATA, rows_in
from game.world.units import Act

WORDS = tuple(act.name.lower().replace("_", " ") for act in Act)
"""Name of each act in messages."""
SHOWN = (Act.SHOOT, Act.HIT, Act.DIE, Act.USE, Act.THROW, Act.WHISTLE, Act.TAKE_DOWN, Act.LIFT, Act.SHRUG)
"""Acts that stand in the column ``action``; of several, the one that began last."""
_REGIONS = {str(track.name).lower(): int(track) for track in Track}


class _ActRow(BaseModel):
    """Row ``[act.NAME]``."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    tracks: list[str] = Field(min_length=1)
    priority: int = Field(ge=0, le=1000)
    start: int = Field(default=0, ge=0, le=200)
    stop: int = Field(default=0, ge=0, le=200)
    reports: bool = False

    @field_validator("tracks")
    @classmethod
    def _regions(cls, words: list[str]) -> list[str]:
        for word in words:
            if word not in _REGIONS:
                raise ValueError(f"there is no region {word!r}; regions are {', '.join(_REGIONS)}")
        return words


def load_acts(folder: Path = DATA) -> np.ndarray:
    """Return the table of a folder's file, int64[acts, 5].

    ValueError names file and key.
    """
    path = folder / "acts.toml"
    return acts_in(path, read_words(path))


def acts_in(path: Path, text: str) -> np.ndarray:
    """Return the table of a text that was read from ``path``."""
    rows, names = rows_in(path, text, "act", _ActRow), [act.name.lower() for act in Act]
    for name in rows:
        if name not in names:
            raise ValueError(f"{path}: [act.{name}]: there is no act {name!r}; acts are {', '.join(names)}")
    for name in names:
        if name not in rows:
            raise ValueError(f"{path}: [act.{name}]: the row is missing")
    kinds = []
    for name in names:
        row = rows[name]
        tracks = sum({_REGIONS[word] for word in row.tracks})
        kinds.append(ActKind(name, tracks, row.priority, row.start, row.stop, row.reports))
    return kind_table(kinds)


def act_table(rows: np.ndarray, layers: bool = True, tells: bool = True) -> np.ndarray:
    """Return a copy of the table, with or without layers and wind-ups."""
    table = rows.copy()
    if not layers:
        table[:, TRACKS_OF] = int(WHOLE_BODY)
    if not tells:
        table[:, START_OF] = 0
    return table
