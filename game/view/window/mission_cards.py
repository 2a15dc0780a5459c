"""Mission cards of the menu: map, texts and picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.level.files import read_toml
from game.view.painting.palette import ASSETS

LEVELS = ASSETS.parent / "levels"
PICTURES = ASSETS / "missions"


@dataclass(frozen=True)
class MissionCard:
    """Card: map, texts and picture.

    Title, story and par in seconds come from the map.
    """

    level: Path
    title: str
    story: str
    par: int
    unseen: bool
    line: str
    picture: Path


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    level: str
    picture: str
    line: str


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    mission: list[_Row] = Field(default_factory=list)


def load_missions(folder: Path = LEVELS) -> list[MissionCard]:
    """Return the cards of ``missions.toml``.

    Raises ValueError in one line for a bad file or a missing map.
    """
    path = folder / "missions.toml"
    try:
        return [_mission(folder, row) for row in _File.model_validate(read_toml(path)).mission]
    except (OSError, ElementTree.ParseError) as error:
        raise ValueError(f"{path}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _mission(folder: Path, row: _Row) -> MissionCard:
    level = folder / row.level
    said = _headline(level)
    title = said.get("title") or level.stem.replace("_", " ").capitalize()
    par = said.get("par", "")  # a wrong par is reported when the level is opened
    unseen = said.get("unseen") == "true"
    return MissionCard(
        level,
        title,
        said.get("story", ""),
        int(par) if par.isdecimal() else 0,
        unseen,
        row.line,
        PICTURES / row.picture,
    )


def _headline(level: Path) -> dict[str, str]:
    """Return the properties at the head of a map's file, without reading the rest."""
    out: dict[str, str] = {}
    for _, element in ElementTree.iterparse(level, ("end",)):
        if element.tag == "property":
            out[element.get("name", "")] = element.get("value") or element.text or ""
        elif element.tag in ("properties", "tileset", "layer"):
            break
    return out
