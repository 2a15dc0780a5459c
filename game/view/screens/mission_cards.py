"""The missions of the menu: which maps they are, what their cards say, and the picture on them."""

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
    """One card: the map, its title, story and par in seconds as the map says them, a line and a picture."""

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
    """The rows of ``missions.toml``; raises ValueError in one line for a bad file or a map that is not there."""
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
    par = said.get("par", "")  # a wrong one is told when the level is opened
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
    """The map's own properties, without reading the map: they stand at its head."""
    out: dict[str, str] = {}
    for _, element in ElementTree.iterparse(level, ("end",)):
        if element.tag == "property":
            out[element.get("name", "")] = element.get("value") or element.text or ""
        elif element.tag in ("properties", "tileset", "layer"):
            break
    return out
