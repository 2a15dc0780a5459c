"""Parses XML with our own expat parser and refuses unneeded features.

Refused are entities of the file's own, deep nesting, too many elements and huge files.  A document type without a body
is ignored, because old Tiled versions wrote one; no external file is loaded.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from game.level.errors import LevelError, quoted

MOST_BYTES = 128 << 20
MOST_ELEMENTS = 1_000_000
MOST_DEPTH = 48
MOST_OF_A_KIND = 100_000
"""Largest number of objects, of properties or of chunks in one file."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")


class Node(ElementTree.Element):
    """Element that knows its line and file."""

    line: int = 0
    file: Path = Path()

    def at(self) -> str:
        """Return the place for an error message."""
        return f"line {self.line} <{self.tag}>"


def read_xml(path: Path, data: bytes, root: str) -> Node:
    """Return the tree of ``data``, the bytes of ``path``; raises LevelError.

    The outermost element must be ``root``.
    """
    if len(data) > MOST_BYTES:
        raise LevelError(path, "", f"the file has {len(data) >> 20} MB", f"at most {MOST_BYTES >> 20} MB are read")
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = 1 << 18
    builder = ElementTree.TreeBuilder(element_factory=Node)
    depth = count = 0
    seen = {"object": 0, "property": 0, "chunk": 0}

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth += 1
        count += 1
        if depth > MOST_DEPTH:
            raise LevelError(
                path, f"line {parser.CurrentLineNumber}", "elements are nested too deeply", "flatten groups"
            )
        if tag in seen:
            seen[tag] += 1
            if seen[tag] > MOST_OF_A_KIND:
                wrong = f"more than {MOST_OF_A_KIND} elements <{tag}>"
                raise LevelError(path, f"line {parser.CurrentLineNumber}", wrong, "use fewer, or tile layers instead")
        if count > MOST_ELEMENTS:
            cure = "in Tiled set Map > Map Properties > Tile Layer Format to CSV"
            raise LevelError(path, "", f"more than {MOST_ELEMENTS} XML elements", cure)
        node = builder.start(tag, attributes)
        assert isinstance(node, Node)
        node.line = parser.CurrentLineNumber
        node.file = path

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def refuse(*_: object) -> int:
        wrong = "the file declares entities of its own, which no Tiled map needs"
        raise LevelError(path, f"line {parser.CurrentLineNumber}", wrong, "delete the <!DOCTYPE ...> part")

    def doctype(name: str, system: str | None, public: str | None, inner: int) -> None:
        """Accept the header of old Tiled versions; its reference is not loaded."""
        if inner:
            refuse()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = refuse
    parser.UnparsedEntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        what = f"not well-formed XML ({expat.ErrorString(error.code)})"
        if data.lstrip()[:1] == b"{":
            what = "this is JSON, not XML"
        cure = "open it in Tiled and save it again as .tmx" if root == "map" else f"save it again in Tiled as a {root}"
        raise LevelError(path, f"line {error.lineno}", what, cure) from None
    except (ValueError, LookupError) as error:
        if isinstance(error, LevelError):
            raise
        raise LevelError(path, "", "its text encoding cannot be read", "save it again in Tiled (UTF-8)") from None
    tree = builder.close()
    assert isinstance(tree, Node)
    if tree.tag != root:
        raise LevelError(
            path, "line 1", f"the outermost element is {quoted(tree.tag)}, not '{root}'", f"choose a Tiled {root} file"
        )
    return tree


def integer(node: Node, name: str, low: int, high: int, default: int | None = None) -> int:
    """Return the attribute as a whole number in ``low..high``.

    Raises LevelError, also for a missing attribute without default.
    """
    text = node.get(name)
    if text is None:
        if default is None:
            raise LevelError(node.file, node.at(), f"attribute {name} is missing", "save the file again in Tiled")
        return default
    return _integer(node, name, text.strip(), low, high)


def _integer(node: Node, name: str, text: str, low: int, high: int) -> int:
    if not _INTEGER.fullmatch(text):
        # Some tools write "16.0", which is a whole number.
        value = finite(text)
        if value is None or value != int(value):
            raise LevelError(node.file, node.at(), f"{name}={quoted(text)} is not a whole number", "correct it")
        number = int(value)
    else:
        number = int(text)
    if not low <= number <= high:
        wrong = f"{name}={number} is outside {low}..{high}"
        raise LevelError(node.file, node.at(), wrong, "correct it in Tiled")
    return number


def finite(text: str) -> float | None:
    """Return the text as a finite number, or None."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def real(node: Node, name: str, default: float, low: float = -1e9, high: float = 1e9) -> float:
    """Return the attribute as a finite number in ``low..high``; raises LevelError."""
    text = node.get(name)
    if text is None:
        return default
    value = finite(text)
    if value is None:
        raise LevelError(node.file, node.at(), f"{name}={quoted(text)} is not a finite number", "correct it")
    if not low <= value <= high:
        raise LevelError(node.file, node.at(), f"{name}={value:g} is outside {low:g}..{high:g}", "correct it in Tiled")
    return value


def flag(node: Node, name: str, default: bool) -> bool:
    """Return the attribute as a bool (1, 0, true, false); raises LevelError."""
    text = node.get(name)
    if text is None:
        return default
    value = truth(text)
    if value is None:
        raise LevelError(node.file, node.at(), f"{name}={quoted(text)} is neither 1 nor 0", "correct it")
    return value


def truth(text: str) -> bool | None:
    """Return the text as a truth value, or None."""
    return {"1": True, "true": True, "0": False, "false": False}.get(text.strip().lower())
