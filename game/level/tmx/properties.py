"""Custom properties: checked, with class defaults, flattened to ``outer.inner``."""

from __future__ import annotations

from game.level.errors import LevelError, quoted
from game.level.tmx.tiled_project import DEEPEST, TYPES, PropertyTypes, Typed, is_value
from game.level.tmx.xml_tree import Node


def read_properties(node: Node, types: PropertyTypes, place: str, class_name: str = "") -> Typed:
    """Return the properties of an element, on top of the members of its class.

    A bad one is left out with a note, and raises LevelError in a project of our classes.
    """
    out = types.defaults(class_name) if class_name else {}
    holder = node.find("properties")
    if holder is not None:
        _read(holder, types, place, "", out, 0)
    return out


def _read(holder: object, types: PropertyTypes, place: str, prefix: str, out: Typed, depth: int) -> None:
    assert isinstance(holder, Node)
    for child in holder.findall("property"):
        assert isinstance(child, Node)
        name = child.get("name")
        if not name:
            wrong = "a property has no name"
            types.leave_out(child.file, f"{place}, line {child.line}", wrong, "name or delete it")
            continue
        kind = child.get("type", "string")
        if kind not in TYPES:
            wrong = f"property {quoted(name)} has the type {quoted(kind)}, which Fogline does not know"
            types.leave_out(child.file, place, wrong, f"use one of {', '.join(TYPES)}")
            continue
        if kind == "class":
            if depth >= DEEPEST:
                raise LevelError(child.file, place, f"property {quoted(name)} is nested too deeply", "flatten it")
            for key, value in types.defaults(child.get("propertytype", "")).items():
                out[f"{prefix}{name}.{key}"] = value
            inner = child.find("properties")
            if inner is not None:
                _read(inner, types, place, f"{prefix}{name}.", out, depth + 1)
            continue
        text = child.get("value")
        text = (child.text or "") if text is None else text
        if is_value(kind, text):
            out[prefix + name] = (kind, text)
        else:
            wrong = f"property {quoted(prefix + name)} of type {kind} has the value {quoted(text)}"
            types.leave_out(child.file, place, wrong, "correct the value in Tiled")


def attach(node: Node, properties: Typed) -> None:
    """Write the properties into an element in the form that pytmx reads."""
    if not properties:
        return
    holder = Node("properties")
    for name, (kind, text) in properties.items():
        plain = "string" if kind in ("color", "file") or kind not in TYPES else kind
        holder.append(Node("property", {"name": name, "type": plain, "value": text}))
    node.append(holder)
