"""Table of the classes and properties that a map may use.

The table validates objects, writes ``levels/.tiled-project`` and the tables in ``levels/README.md``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from game.level.model import GROUNDS, SIDES
from game.level.tmx.xml_tree import finite, truth

Value = bool | int | float | str


class BadValue(ValueError):
    """Error for a value that a member cannot take; names the allowed values."""


@dataclass(frozen=True)
class SchemaMember:
    """Property of a class.

    Its kind is one of ``string int float bool color enum``.  Limits are inclusive.
    """

    name: str
    kind: str
    default: Value
    doc: str
    low: float = -1e9
    high: float = 1e9
    values: tuple[str, ...] = ()
    enum: str = ""
    """Name of the enumeration in Tiled."""

    def convert(self, value: Any) -> Value:
        """Convert a value to this member's kind.

        Text is converted too, because Tiled's plain properties are text.
        """
        text = str(value).strip()
        if self.kind == "bool":
            result = value if isinstance(value, bool) else truth(text)
            if result is None:
                raise BadValue(f"{self.name} must be true or false, not {text!r}")
            return bool(result)
        if self.kind in ("int", "float"):
            number = None if isinstance(value, bool) else finite(text)
            whole = self.kind == "int"
            if number is None or (whole and number != int(number)):
                raise BadValue(f"{self.name} must be a {'whole ' if whole else ''}number, not {text!r}")
            if not self.low <= number <= self.high:
                raise BadValue(f"{self.name} must be {self.low:g} to {self.high:g}, not {number:g}")
            return int(number) if whole else number
        if self.kind == "enum" and text not in self.values:
            raise BadValue(f"{self.name} must be one of {', '.join(v or '(empty)' for v in self.values)}, not {text!r}")
        if self.kind == "color" and isinstance(value, str):
            return rgb(text)
        return str(value) if self.kind == "string" else text


def rgb(text: str) -> str:
    """Return a colour as ``#rrggbb``; Tiled writes ``#aarrggbb``."""
    digits = text.lstrip("#").lower()
    if len(digits) == 8:
        digits = digits[2:]
    if len(digits) == 3:
        digits = "".join(c * 2 for c in digits)
    if len(digits) != 6 or any(c not in "0123456789abcdef" for c in digits):
        raise BadValue(f"a colour must look like #aarrggbb, not {text!r}")
    return f"#{digits}"


@dataclass(frozen=True)
class ObjectClass:
    """Class of objects: the shapes that may carry it, and its members.

    An object's name is its ``name``.
    """

    name: str
    doc: str
    color: str
    shapes: tuple[str, ...]
    members: tuple[SchemaMember, ...]
    use: str = "object"


AREA = ("rectangle", "ellipse", "polygon")
ANY = (*AREA, "point", "tile", "text")

SIDE = SchemaMember("side", "enum", "raiders", "the side of the unit", values=SIDES, enum="side")
FACING = SchemaMember("facing", "float", 0.0, "degrees clockwise from east", -360, 360)
DOOR_KINDS = ("door", "gate", "drawbridge")
OPENERS = ("all", "nobody", *SIDES)
OBJECTIVE_KINDS = ("take", "bring", "reach", "clear", "use", "hold")
EVENTS = ("lifted", "used", "entered", "alarm", "start")
EFFECTS = ("wake", "rouse", "open", "shut", "say", "spring", "command")
BLOCKS = ("auto", "yes", "no")


@dataclass(frozen=True)
class PropKind:
    """Effect of a prop on its tiles: passability, sight, cover 0 to 3."""

    blocks: bool
    opaque: bool
    cover: int = 0


PROP_KINDS = {
    "chest": PropKind(False, False),
    "winch": PropKind(False, False),
    "lever": PropKind(False, False),
    "barrel": PropKind(True, False, 2),
    "crate": PropKind(True, False, 2),
    "cart": PropKind(True, False, 2),
    "rock": PropKind(True, False, 2),
    "house": PropKind(True, True),
    "barn": PropKind(True, True),
    "tower": PropKind(True, True),
    "tent": PropKind(True, True),
    "lamp": PropKind(False, False),
    "fire": PropKind(False, False),
    "flag": PropKind(False, False),
    "haystack": PropKind(True, True, 2),
    "well": PropKind(True, False, 2),
    "fence": PropKind(True, False, 1),
    "bush": PropKind(False, False, 2),
    "log": PropKind(False, False, 2),
    "stump": PropKind(False, False, 1),
    "sacks": PropKind(True, False, 2),
    "boat": PropKind(True, False, 1),
    "cannon": PropKind(True, False, 2),
    "table": PropKind(True, False, 1),
    "bench": PropKind(False, False),
    "bed": PropKind(True, False, 1),
    "generator": PropKind(True, False, 2),
    "vent": PropKind(False, False),
    "grille": PropKind(False, False),
    "kennel": PropKind(True, False, 2),
    "coal": PropKind(True, False, 2),
    "sign": PropKind(False, False),
    "stack": PropKind(True, True),
}
"""Kinds of props and their effect on the ground."""

CLASSES: tuple[ObjectClass, ...] = (
    ObjectClass(
        "spawn",
        "One unit at the start.",
        "#1f5fa8",
        ANY,
        (
            SIDE,
            SchemaMember("kind", "string", "", "unit type; empty: raider, guard or soldier, by the side"),
            SchemaMember("group", "int", 0, "control group 1 to 9 of the player's units, or a patrol's number", 0, 255),
            FACING,
            SchemaMember("route", "string", "", "name of the route that the unit patrols"),
            SchemaMember("asleep", "bool", False, "does nothing until a trigger wakes it"),
            SchemaMember("torch", "bool", False, "carries a burning torch"),
        ),
    ),
    ObjectClass(
        "route",
        "A patrol route. Units walk a polygon round and round, a polyline to and fro.",
        "#d1491f",
        ("polyline", "polygon"),
        (
            SchemaMember("loop", "bool", False, "after the last point the unit walks to the first"),
            SchemaMember("wait", "float", 0.0, "seconds to stand at each point", 0, 600),
        ),
    ),
    ObjectClass(
        "door",
        "Tiles that open and shut. A shut door stops walkers. A shut drawbridge is raised and stops every unit.",
        "#8a6a3a",
        ("rectangle",),
        (
            SchemaMember("kind", "enum", "door", "what it looks like", values=DOOR_KINDS, enum="door_kind"),
            SchemaMember("open", "bool", False, "open at the start"),
            SchemaMember(
                "opens_for",
                "enum",
                "all",
                "the side that may open and shut it by hand",
                values=OPENERS,
                enum="opens_for",
            ),
            SchemaMember("blocks_sight", "bool", True, "blocks sight while shut (a drawbridge never does)"),
        ),
    ),
    ObjectClass(
        "zone",
        "A place with a scene: units that are free there get a role.",
        "#8fb0b5",
        AREA,
        (
            SchemaMember("scene", "string", "", "a row of assets/data/scenes.toml, such as fire, cards or relief"),
            SchemaMember("cast", "string", "", "names or routes of spawns that may take part, by commas; empty: any"),
            SchemaMember("reach", "float", 0.0, "tiles from which units are fetched for main roles", 0, 512),
            SchemaMember("every", "float", 0.0, "seconds, at most one scene in each; 0: as the scene says", 0, 36_000),
            SchemaMember("rounds", "int", 0, "times it is played before it ends; 0: as the scene says", 0, 10_000),
        ),
    ),
    ObjectClass("region", "A named area for objectives, triggers and expectations.", "#4a9a5a", AREA, ()),
    ObjectClass(
        "objective",
        "A goal of the mission. Objectives are listed by their object ids.",
        "#f2c230",
        ANY,
        (
            SchemaMember(
                "kind", "enum", "reach", "what the player has to do", values=OBJECTIVE_KINDS, enum="objective_kind"
            ),
            SchemaMember("text", "string", "", "words shown to the player"),
            SchemaMember("target", "string", "", "name of the prop (take, bring, use)"),
            SchemaMember("region", "string", "", "name of the region (bring, reach, clear)"),
            SchemaMember("optional", "bool", False, "not needed to win"),
        ),
    ),
    ObjectClass(
        "prop",
        "A thing on the map.",
        "#a39c90",
        (*AREA, "point", "tile"),
        (
            SchemaMember("kind", "enum", "crate", "what it is", values=tuple(PROP_KINDS), enum="prop_kind"),
            FACING,
            SchemaMember("door", "string", "", "name of the door that it opens (winch, lever)"),
            SchemaMember("blocks", "enum", "auto", "whether it blocks walking", values=BLOCKS, enum="blocks"),
        ),
    ),
    ObjectClass(
        "light",
        "A lamp at night.",
        "#ffd9a0",
        (*AREA, "point", "tile"),
        (
            SchemaMember("radius", "float", 5.0, "tiles", 0.5, 64),
            SchemaMember("color", "color", "#ffffd9a0", "colour"),
            SchemaMember("strength", "float", 1.0, "0 to 1", 0, 1),
            SchemaMember("angle", "float", 360.0, "degrees of the light cone; 360 is a full circle", 1, 360),
            FACING,
            SchemaMember("on", "bool", True, "lit at the start"),
            SchemaMember("switchable", "bool", True, "units can light it and put it out"),
        ),
    ),
    ObjectClass(
        "text",
        "Text on the map; any Tiled text object is one.",
        "#2a2730",
        ANY,
        (
            SchemaMember("text", "string", "", "the words, when it is not a Tiled text object"),
            SchemaMember("size", "float", 0.0, "height of a line in tiles; 0: the text object's own", 0, 64),
            SchemaMember("color", "color", "#ff2a2730", "colour"),
        ),
    ),
    ObjectClass(
        "trigger",
        "Starts an effect when an event happens.",
        "#7a5aa8",
        ANY,
        (
            SchemaMember("on", "enum", "start", "the event that starts it", values=EVENTS, enum="trigger_on"),
            SchemaMember("source", "string", "", "name of the prop (lifted, used) or region (entered)"),
            SchemaMember(
                "does",
                "enum",
                "wake",
                "the effect; spring: the region is a trap and needs on = entered; command: the side's units are squads",
                values=EFFECTS,
                enum="trigger_does",
            ),
            SchemaMember(
                "target",
                "string",
                "",
                "name or route of sleeping spawns (wake; rouse: they run to the alarm), name of a door (open, shut), "
                "names of regions with commas (command)",
            ),
            SchemaMember("side", "enum", "guards", "the side that is commanded", values=SIDES, enum="side"),
            SchemaMember("intent", "string", "hold", "intent of its squads, such as hold or take (command)"),
            SchemaMember("text", "string", "", "the message to show (say)"),
            SchemaMember("delay", "float", 0.0, "seconds between event and effect", 0, 3600),
            SchemaMember("once", "bool", True, "only the first time"),
        ),
    ),
)
OBJECTS = {c.name: c for c in CLASSES}

LEVEL = ObjectClass(
    "level",
    "The map itself.",
    "#e4dac2",
    (),
    (
        SchemaMember("title", "string", "", "name in the menu; empty: made from the file name"),
        SchemaMember("story", "string", "", "two sentences shown before the start"),
        SchemaMember("night", "bool", False, "dark, so that lamps give light"),
        SchemaMember("par", "int", 0, "seconds of a good run, for the medal", 0, 36_000),
        SchemaMember("unseen", "bool", False, "the medal needs a run in which no raider is identified"),
        SchemaMember("empty_walkable", "bool", True, "tiles that are empty in every layer are walkable"),
        SchemaMember(
            "static", "bool", False, "no door or edit ever changes the map; search tables are made when it is loaded"
        ),
    ),
    use="map",
)

TERRAIN: tuple[SchemaMember, ...] = (
    SchemaMember("walkable", "bool", True, "whether units can walk on the tile"),
    SchemaMember("crawl", "bool", False, "a vent: only crawling units pass"),
    SchemaMember("cost", "float", 1.0, "cost of a step; 1 is ordinary ground", 0.125, 31.875),
    SchemaMember("blocks_sight", "bool", False, "blocks the line of sight"),
    SchemaMember("cover", "int", 0, "cover of a unit on the tile: 0 none to 3 full", 0, 3),
    SchemaMember("noise", "float", 1.0, "loudness of a step: grass 0.75, gravel 1.75, metal 2.5", 0, 4),
    SchemaMember("ground", "enum", "", "kind of ground: sets picture and default properties", values=GROUNDS,
           enum="ground"),
)  # fmt: skip
"""Properties of a tile, a layer or a group of layers.

A property of a layer applies to all its tiles.
"""
TERRAIN_BY_NAME = {m.name: m for m in TERRAIN}


@dataclass(frozen=True)
class ProjectPlace:
    """Place of Fogline as seen from the folder of a Tiled project."""

    python: str = "python"
    main: str = "../main.py"
    tiled: str = "../assets/tiled"
    """Folder of the extension and the rules; empty without them."""


def tiled_project(place: ProjectPlace = ProjectPlace()) -> str:
    """Return the text of ``.tiled-project``: our classes, commands and extension.

    Tiled 1.10 and later read it.
    """
    enums: dict[str, tuple[str, ...]] = {}
    for member in (*(m for c in (*CLASSES, LEVEL) for m in c.members), *TERRAIN):
        if member.enum:
            enums[member.enum] = member.values
    rows: list[dict[str, Any]] = []
    for name, values in enums.items():
        rows.append({"name": name, "storageType": "string", "type": "enum", "values": values, "valuesAsFlags": False})
    for c in (*CLASSES, LEVEL):
        members = [_member_row(m) for m in c.members]
        row = {"color": "#ff" + c.color[1:], "drawFill": True, "members": members, "name": c.name, "type": "class"}
        rows.append({**row, "useAs": ["property", c.use]})
    rows = [{"id": number, **row} for number, row in enumerate(rows, 1)]
    project = {
        "automappingRulesFile": f"{place.tiled}/rules/rules.txt" if place.tiled else "",
        "commands": [_command(word, place) for word in ("play", "check")],
        "compatibilityVersion": 1100,
        "extensionsPath": f"{place.tiled}/extensions" if place.tiled else "extensions",
        "folders": ["."],
        "properties": [
            {"name": "fogline_main", "type": "string", "value": place.main},
            {"name": "fogline_python", "type": "string", "value": place.python},
        ],
        "propertyTypes": rows,
    }
    return json.dumps(project, indent=1) + "\n"


def _command(word: str, place: ProjectPlace) -> dict[str, Any]:
    """Return a command of Tiled's File menu, which saves the map first.

    Tiled puts quotes round the path of the map.
    """
    return {
        "arguments": f'"{place.main}" {word} %mapfile',
        "command": place.python,
        "enabled": True,
        "name": f"Fogline: {word.capitalize()}",
        "saveBeforeExecute": True,
        "shortcut": "",
        "showOutput": True,
        "workingDirectory": "%projectpath",
    }


def _member_row(member: SchemaMember) -> dict[str, Any]:
    row: dict[str, Any] = {"name": member.name}
    if member.enum:
        row["propertyType"] = member.enum
    return {**row, "type": "string" if member.kind == "enum" else member.kind, "value": member.default}


def markdown() -> str:
    """Return the tables of ``levels/README.md``."""
    lines = ["Properties of tiles (in the tileset), layers and groups:", ""]
    lines += _table(TERRAIN)
    for c in (LEVEL, *CLASSES):
        where = "the map (Map > Map Properties)" if c.use == "map" else ", ".join(c.shapes)
        lines += ["", f"`{c.name}`: {c.doc} On: {where}.", ""]
        lines += _table(c.members) if c.members else ["No properties besides its name."]
    return "\n".join(lines) + "\n"


def _table(members: tuple[SchemaMember, ...]) -> list[str]:
    lines = ["| property | type | default | meaning |", "| --- | --- | --- | --- |"]
    for m in members:
        kind = " / ".join(f"`{v}`" for v in m.values) if m.values else m.kind
        default = "" if m.default == "" else f"`{str(m.default).lower() if isinstance(m.default, bool) else m.default}`"
        lines.append(f"| `{m.name}` | {kind} | {default} | {m.doc} |")
    return lines
