"""Plays of assets/data/playbooks.toml: drawn formations with reserved places.

A place may be reserved for unit types or named units.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ai.core.serialization import record
from game.world.unit_types import DATA, rows_of


@record
class Play:
    """Play: drawn places of a formation.

    ``at`` float64[m, 2] (forward, right) in spacings, ``facing`` float64[m] radians to the heading, ``reserved``
    the unit types and names that may take each slot (none: any unit), ``relax`` as
    :func:`ai.formation.playbook.fill_play` takes it.
    """

    name: str
    label: str
    relax: float
    at: np.ndarray
    facing: np.ndarray
    reserved: list[list[str]]

    def fits(self, who: list[tuple[str, str]]) -> np.ndarray:
        """Return bool[n, m]: the slots that each of ``who`` (type, name) may take."""
        out = np.ones((len(who), len(self.reserved)), bool)
        for k, words in enumerate(self.reserved):
            if words:
                out[:, k] = [kind in words or (name != "" and name in words) for kind, name in who]
        return out


class _SlotRow(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    at: tuple[Annotated[float, Field(ge=-100, le=100)], Annotated[float, Field(ge=-100, le=100)]]
    facing: float = 0.0
    reserved: list[str] = Field(default_factory=list, alias="for")


class _PlayRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    label: str
    relax: float = Field(default=0.5, ge=0, le=1)
    slots: list[_SlotRow] = Field(min_length=1, max_length=200)


def load_plays(folder: Path = DATA) -> list[Play]:
    """Return all plays in file order; ValueError names file, row and key."""
    path = folder / "playbooks.toml"
    out = []
    for name, row in rows_of(path, "playbook", _PlayRow).items():
        at = np.array([slot.at for slot in row.slots], float)
        apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + 9.0 * np.eye(len(at))
        if apart.min() < 1.0 - 1e-9:
            first, second = sorted(int(i) + 1 for i in np.unravel_index(int(np.argmin(apart)), apart.shape))
            raise ValueError(f"{path}: [playbook.{name}] slots {first} and {second} are less than one spacing apart")
        facing = np.radians([slot.facing for slot in row.slots])
        facing = (facing + math.pi) % (2 * math.pi) - math.pi
        out.append(Play(name, row.label, row.relax, at, facing, [list(slot.reserved) for slot in row.slots]))
    return out
