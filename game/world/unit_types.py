"""Unit types and weapons, from assets/data/units.toml and weapons.toml.

The rows are validated and turned into records.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ai.core.serialization import record
from ai.formation.group_pipeline import USUAL_STAGES, read_group_stages
from ai.steering.navigation_pipeline import USUAL, read_stages
from game.level.files import parse_toml, read_words
from game.world.mind_kinds import MIND_KINDS

M = TypeVar("M", bound=BaseModel)

DATA = Path(__file__).resolve().parent.parent.parent / "assets" / "data"


@record
class Weapon:
    """Ranged weapon: distances in tiles, times in ticks.

    Chances 0..1 are at point-blank and at full range.
    """

    name: str
    reach: float
    reload: int
    damage: int
    chance_near: float
    chance_far: float
    noise: float


@record
class UnitType:
    """Unit type: properties of all units of a kind.

    Speeds in tiles a second, angles in radians, ranges in tiles.
    """

    name: str
    label: str
    hp: int
    weapon: str
    radius: float
    walk: float
    run: float
    crouch: float
    prone: float
    turn_rate: float
    sight: float
    cone_range: float
    cone_half_angle: float
    movement_class: str
    mind: str = "soldier"
    """Mind of the unit: ``soldier`` (obeys) or ``guard``."""
    ears: str = "none"
    """``people`` or ``dog``; with ``none`` noise means nothing to it."""
    noise: float = 1.0
    """Factor on the noise of its steps."""
    foresight: float = 0.0
    """Seconds that it looks ahead for collisions; 0: as the motion settings say."""
    stages: list[str] = field(default_factory=lambda: [stage.name.lower() for stage in USUAL])
    """Pipeline stages of its desired velocity, in order (ai.steering.navigation_pipeline)."""
    sway: float = 0.0
    """Sway off the desired direction, radians, if its pipeline has it."""
    circle: float = 0.0
    """Turning radius of a vehicle, tiles, if its pipeline has it."""
    group_stages: list[str] = field(default_factory=lambda: [stage.name.lower() for stage in USUAL_STAGES])
    """Pipeline stages of a group's speed, in order (ai.formation.group_entity)."""
    tools: list[str] = field(default_factory=list)
    """Abilities beyond walking and shooting, names of game.systems.interaction.abilities."""


class _WeaponRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    reach: float = Field(ge=0, le=64)
    reload: int = Field(ge=1, le=2000)
    damage: int = Field(ge=0, le=100)
    chance_near: float = Field(ge=0, le=1)
    chance_far: float = Field(ge=0, le=1)
    noise: float = Field(ge=0, le=64)


class _UnitRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    label: str
    hp: int = Field(ge=1, le=1000)
    weapon: str
    radius: float = Field(gt=0, le=0.49)
    walk: float = Field(gt=0, le=10)
    run: float = Field(gt=0, le=10)
    crouch: float = Field(gt=0, le=10)
    prone: float = Field(gt=0, le=10)
    turn_rate: float = Field(gt=0, le=100)
    sight: float = Field(gt=0, le=31)
    cone_range: float = Field(gt=0, le=31)
    cone_half_angle: float = Field(gt=0, le=3.2)
    movement_class: Literal["walk", "crawl", "opens_doors", "wade"]
    mind: str = "soldier"
    ears: Literal["none", "people", "dog"] = "none"
    noise: float = Field(default=1.0, ge=0, le=4)
    foresight: float = Field(default=0.0, ge=0, le=60)
    pipeline: str = "usual"
    group: str = "usual"
    tools: list[Literal["stone", "whistle", "hook", "take_down", "drag"]] = Field(default_factory=list)

    @field_validator("mind")
    @classmethod
    def _kind(cls, word: str) -> str:
        if word not in MIND_KINDS:
            raise ValueError(f"no kind of mind is called {word!r}, only {', '.join(MIND_KINDS)}")
        return word


class _PipelineRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    stages: list[str]
    sway: float = Field(default=0.0, ge=0, le=3.2)
    circle: float = Field(default=0.0, ge=0, le=10)

    @field_validator("stages")
    @classmethod
    def _known(cls, words: list[str]) -> list[str]:
        read_stages(words)
        return words


class _GroupRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    stages: list[str]

    @field_validator("stages")
    @classmethod
    def _known(cls, words: list[str]) -> list[str]:
        read_group_stages(words)
        return words


def load_types(folder: Path = DATA) -> tuple[list[UnitType], list[Weapon]]:
    """Unit types and weapons in file order; raises ValueError naming file, row and key."""
    weapons = [
        Weapon(name, **row.model_dump()) for name, row in rows_of(folder / "weapons.toml", "weapon", _WeaponRow).items()
    ]
    pipelines = rows_of(folder / "units.toml", "pipeline", _PipelineRow)
    marches = rows_of(folder / "units.toml", "group", _GroupRow)
    units = []
    for name, row in rows_of(folder / "units.toml", "unit", _UnitRow).items():
        values = row.model_dump()
        chosen = values.pop("pipeline")
        if chosen not in pipelines:
            raise ValueError(f"{folder / 'units.toml'}: unit {name}: there is no [pipeline.{chosen}]")
        marching = values.pop("group")
        if marching not in marches:
            raise ValueError(f"{folder / 'units.toml'}: unit {name}: there is no [group.{marching}]")
        values["group_stages"] = list(marches[marching].stages)
        units.append(UnitType(name, **values, **pipelines[chosen].model_dump()))
    known = {w.name for w in weapons}
    for unit in units:
        if unit.weapon not in known:
            raise ValueError(
                f"{folder / 'units.toml'}: unit {unit.name}: weapon {unit.weapon!r} is not in weapons.toml"
            )
    return units, weapons


def rows_of(path: Path, table: str, model: type[M]) -> dict[str, M]:
    """Return validated rows of a data file's ``[table.NAME]`` tables.

    ValueError names file, row and key. The file is read every time but parsed once per content, as every new
    world asks. The rows are shared: copy one before a change.
    """
    return rows_in(path, read_words(path), table, model)


def rows_in(path: Path, text: str, table: str, model: type[M]) -> dict[str, M]:
    """Return validated rows of a text that was read from ``path``."""
    return dict(_rows(path, text, table, model))


@lru_cache(maxsize=64)
def _rows(path: Path, text: str, table: str, model: type[M]) -> dict[str, M]:
    found = parse_toml(path, text).get(table, {})
    rows = {}
    for name, row in found.items() if isinstance(found, dict) else ():
        try:
            rows[name] = model.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(p) for p in first["loc"]) or "its table"
            raise ValueError(f"{path}: [{table}.{name}] {place}: {first['msg']}") from None
    if not rows:
        raise ValueError(f"{path}: no [{table}.NAME] tables")
    return rows
