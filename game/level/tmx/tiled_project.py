"""Property types of a ``.tiled-project``, with default values of members.

Tiled leaves members at their default out of a map; this reader adds them again.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game.level.errors import LevelError, quoted
from game.level.schema import OBJECTS
from game.level.tmx.map_folder import Room
from game.level.tmx.xml_tree import finite, truth

MOST_BYTES = 4 << 20
MOST_NOTES = 12
DEEPEST = 3
"""Largest nesting depth of classes as members of classes."""

Typed = dict[str, tuple[str, str]]
"""Property name (``outer.inner`` for members of members) -> (Tiled type, text)."""

TYPES = ("string", "int", "float", "bool", "color", "file", "object", "class")
_COLOR = re.compile(r"#?(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8}|[0-9a-fA-F]{3})?")
_INT = re.compile(r"[+-]?[0-9]{1,18}")


_BLANK = {"int": 0, "float": 0.0, "object": 0, "bool": False, "class": {}}
"""Value of a member whose project states no default."""


def is_value(kind: str, text: str) -> bool:
    """Return whether the text is a value of that Tiled property type."""
    if kind in ("int", "object"):
        return _INT.fullmatch(text.strip()) is not None
    if kind == "float":
        return finite(text) is not None
    if kind == "bool":
        return truth(text) is not None
    if kind == "color":
        return _COLOR.fullmatch(text.strip()) is not None
    return kind in TYPES


@dataclass(frozen=True)
class ProjectMember:
    """Member of a class: Tiled type, type name, and default as text.

    The type name is that of an enumeration or a class.
    """

    name: str
    type: str
    property_type: str
    default: Any


@dataclass
class PropertyTypes:
    """Classes (name -> members) and enumerations (name -> allowed words) of a project."""

    classes: dict[str, tuple[ProjectMember, ...]] = field(default_factory=dict)
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    file: Path = Path(".tiled-project")
    notes: dict[str, int] = field(default_factory=dict)
    """Notes about parts of a map that were left out, with their counts."""
    _known: dict[str, Typed] = field(default_factory=dict)

    @property
    def strict(self) -> bool:
        """Return whether the project declares our class of spawns.

        In such a project every mistake is an error.
        """
        return {m.name for m in self.classes.get("spawn", ())} >= {m.name for m in OBJECTS["spawn"].members}

    def leave_out(self, file: Path, place: str, wrong: str, cure: str) -> None:
        """Note that a part of a foreign map is left out.

        Raises LevelError in a strict project.
        """
        if self.strict:
            raise LevelError(file, place, wrong, cure)
        self.notes[wrong] = self.notes.get(wrong, 0) + 1

    def note_lines(self) -> list[str]:
        """Return the notes as sentences, at most MOST_NOTES of them."""
        lines = [f"Left out: {wrong}{f' ({count} times)' if count > 1 else ''}." for wrong, count in self.notes.items()]
        rest = len(lines) - MOST_NOTES
        return lines if rest <= 0 else [*lines[:MOST_NOTES], f"And {rest} more of such kinds are left out."]

    def defaults(self, name: str) -> Typed:
        """Return every member of a class, with members of its members.

        Raises LevelError for a default that is not a valid value.
        """
        if name not in self._known:
            out: Typed = {}
            self._collect(name, "", {}, out, 0)
            for member, (kind, text) in out.items():
                if not is_value(kind, text):
                    wrong = f"member {quoted(member)} of type {kind} has the default {quoted(text)}"
                    raise LevelError(self.file, f"class {quoted(name)}", wrong, "correct it in Tiled")
            self._known[name] = out
        return dict(self._known[name])

    def _collect(self, name: str, prefix: str, given: dict[str, Any], out: Typed, depth: int) -> None:
        members = self.classes.get(name, ())
        if depth > DEEPEST or (depth and len(members) > 64):
            wrong = "its members are classes nested too deeply, or too many"
            raise LevelError(self.file, f"class {quoted(name)}", wrong, "make it simpler in Tiled")
        for member in members:
            value = given.get(member.name, member.default)
            if member.type == "class":
                inner = value if isinstance(value, dict) else {}
                self._collect(member.property_type, f"{prefix}{member.name}.", inner, out, depth + 1)
            else:
                out[prefix + member.name] = (member.type, _text(value))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def read_property_types(room: Room) -> PropertyTypes:
    """Return the property types of all project files of the room.

    Raises LevelError.
    """
    types = PropertyTypes()
    for path in room.project:
        types.file = path
        data = room.read(path, MOST_BYTES)
        try:
            tree = json.loads(data.decode("utf-8-sig")) if data.strip() else {}
        except (ValueError, RecursionError):
            raise LevelError(path, "", "not valid JSON", "save the project again in Tiled") from None
        rows = tree.get("propertyTypes", []) if isinstance(tree, dict) else None
        if not isinstance(rows, list):
            raise LevelError(path, "", "propertyTypes is not a list", "save the project again in Tiled")
        for row in rows:
            if not isinstance(row, dict) or not isinstance(row.get("name"), str):
                raise LevelError(path, "propertyTypes", "an entry has no name", "save the project again in Tiled")
            if row.get("type") == "class":
                types.classes[row["name"]] = _members(path, row)
            elif row.get("type") == "enum":
                values = row.get("values", [])
                if not isinstance(values, list):
                    raise LevelError(path, quoted(row["name"]), "values is not a list", "correct it in Tiled")
                types.enums[row["name"]] = tuple(str(v) for v in values)
    return types


def _members(path: Path, row: dict[str, Any]) -> tuple[ProjectMember, ...]:
    members = row.get("members", [])
    if not isinstance(members, list):
        raise LevelError(path, quoted(row["name"]), "members is not a list", "correct it in Tiled")
    out = []
    for m in members:
        if not isinstance(m, dict) or not isinstance(m.get("name"), str):
            raise LevelError(path, quoted(row["name"]), "a member has no name", "correct it in Tiled")
        kind = str(m.get("type", "string"))
        value = m.get("value", _BLANK.get(kind, ""))
        wrong = isinstance(value, float) and not math.isfinite(value)
        if wrong or (isinstance(value, dict | list) and kind != "class") or value is None:
            raise LevelError(path, quoted(row["name"]), f"member {quoted(m['name'])} has a bad default", "correct it")
        out.append(ProjectMember(m["name"], kind, str(m.get("propertyType", "")), value))
    return tuple(out)
