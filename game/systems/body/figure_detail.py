"""Figure detail: level of detail sets of ``assets/data/animation_lod.toml``, by the radius of a body.

The view poses figures by it, and the measure of its exhibit counts by it. No state of the world depends on it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ai.animation.animation_lod import PART_NAMES, LodSets, levels_of
from game.level.files import read_toml
from game.world.unit_types import DATA

FILE = DATA / "animation_lod.toml"
WINDOW = "animation window"
"""Region that stands for the window in an exhibit."""


class _LevelRow(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    width: float = Field(gt=0.0)
    parts: list[Literal["body", "frames", "head", "gestures"]] = Field(min_length=1)
    every: int = Field(1, ge=1, le=20)


class _ClassRow(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    radius: float = Field(ge=0.0)
    level: list[_LevelRow] = Field(min_length=1)


class FigureDetail:
    """Level of detail sets of all classes, by least radius in tiles."""

    def __init__(self, classes: dict[str, _ClassRow]) -> None:
        self.names = list(classes)
        rows = list(classes.values())
        self.radii = np.array([row.radius for row in rows])
        if self.radii[0] != 0.0 or (np.diff(self.radii) <= 0.0).any():
            raise ValueError("class: the first radius is 0, and the others rise")
        if len({len(row.level) for row in rows}) > 1:
            raise ValueError("class: all classes have the same number of levels")
        bits = [[sum(1 << PART_NAMES.index(part) for part in set(level.parts)) for level in row.level] for row in rows]
        self.sets = LodSets(
            np.array([[level.width for level in row.level] for row in rows]),
            np.array(bits, np.int64),
            np.array([[level.every for level in row.level] for row in rows], np.int64),
        )

    def classes(self, radius: np.ndarray) -> np.ndarray:
        """Return the class of bodies by radius in tiles, int64[n]."""
        found: np.ndarray = np.searchsorted(self.radii, radius, side="right") - 1
        return found

    def levels(self, radius: np.ndarray, zoom: float, in_view: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return class and level of bodies at a zoom in pixels a tile."""
        classes = self.classes(radius)
        return classes, levels_of(self.sets, classes, 2.0 * radius * zoom, in_view)


def read_detail(path: Path = FILE) -> FigureDetail:
    """Read a file of sets; raises ValueError in one line with file and key."""
    try:
        table = read_toml(path)
        rows = {name: _ClassRow.model_validate(row) for name, row in table.get("class", {}).items()}
        if set(table) != {"class"} or not rows:
            raise ValueError("class: the file has tables [class.NAME] and nothing else")
        return FigureDetail(rows)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{path}: class: {key}: {first['msg'].lower()}") from None
    except ValueError as error:
        raise ValueError(str(error) if str(path) in str(error) else f"{path}: {error}") from None


@cache
def shipped_detail() -> FigureDetail:
    """Return the sets of the game."""
    return read_detail()
