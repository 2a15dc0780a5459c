"""Scripts of squads, read from ``assets/data/squad_scripts.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field

from ai.squad.manoeuvres.room_entry import FEWEST, MOST, PLACES, SIGN
from ai.squad.scripts.group_scripts import GroupScript, script_of
from game.world.unit_types import DATA, rows_of


class _ScriptRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    roles: dict[str, list[str]] = Field(min_length=1, max_length=8)


def load_squad_scripts(folder: Path = DATA) -> Mapping[str, GroupScript]:
    """Return all scripts by name; ValueError names file, script, role and line.

    A script that a manoeuvre needs and that is missing, or has another number of roles, is an error as well.
    """
    path = folder / "squad_scripts.toml"
    found = {}
    for name, row in rows_of(path, "script", _ScriptRow).items():
        try:
            found[name] = script_of(name, tuple((role, tuple(lines)) for role, lines in row.roles.items()), PLACES)
        except ValueError as error:
            raise ValueError(f"{path}: [script.{name}.roles] {error}") from None
    for many in range(FEWEST, MOST + 1):
        name = f"{SIGN}{many}"
        if name not in found:
            raise ValueError(f"{path}: there is no [script.{name}], which clearing a room by {many} needs")
        if len(found[name].roles) != many:
            raise ValueError(f"{path}: [script.{name}.roles] has {len(found[name].roles)} roles and needs {many}")
    return MappingProxyType(found)


@cache
def squad_scripts() -> Mapping[str, GroupScript]:
    """Return the scripts of the game."""
    return load_squad_scripts()
