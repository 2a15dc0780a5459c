"""Strict reading of objects: shapes, texts, tile objects and templates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from game.level.errors import LevelError
from game.level.map_art import FLIP_D, FLIP_H, FLIP_V, Point
from game.level.tmx.checked_map import EVERY_FLIP, CheckedObject, CheckedTileset
from game.level.tmx.map_folder import Room
from game.level.tmx.properties import read_properties
from game.level.tmx.tiled_project import PropertyTypes, Typed
from game.level.tmx.tileset_pass import read_points
from game.level.tmx.xml_tree import Node, flag, integer, read_xml, real

SHAPES = ("ellipse", "point", "polygon", "polyline", "text")


def flips_of(gid: int) -> int:
    """Return the flip bits of a gid as FLIP_H | FLIP_V | FLIP_D."""
    return (FLIP_H if gid >> 31 & 1 else 0) | (FLIP_V if gid >> 30 & 1 else 0) | (FLIP_D if gid >> 29 & 1 else 0)


@dataclass
class _Template:
    node: Node
    path: Path
    tileset: Path | None
    first_gid: int


class ObjectReader:
    """Reads the objects of one map.

    ``gid_of(path, local id)`` returns the map's gid of a tile in a ``.tsx``; it adds a tileset that the map lacks.
    ``tileset_of(gid)`` returns the tileset of a gid, or None.
    """

    def __init__(
        self,
        room: Room,
        types: PropertyTypes,
        gid_of: Callable[[Path, int, Node], int],
        tileset_of: Callable[[int], CheckedTileset | None],
    ) -> None:
        self.room = room
        self.types = types
        self._gid_of = gid_of
        self._tileset_of = tileset_of
        self._templates: dict[Path, _Template] = {}

    def read(self, node: Node, layer: str) -> CheckedObject | None:
        """Return the object of an ``<object>`` element; raises LevelError.

        Returns None, with a note, for an object of negative size in a foreign map.
        """
        number = integer(node, "id", 0, 1 << 31, 0)
        place = f"{layer}, object {number}"
        template = self._template(node, place) if node.get("template") else None
        base = template.node if template else node
        gid = self._gid(node, template, place)
        tileset = self._tileset_of(gid & ~EVERY_FLIP) if gid else None
        if gid and tileset is None:
            wrong = f"tile number {gid & ~EVERY_FLIP} belongs to no tileset"
            raise LevelError(node.file, place, wrong, "delete the object or add its tileset again")
        merged = Node("object", {**base.attrib, **node.attrib})
        merged.file, merged.line = node.file, node.line
        class_name = node.get("class") or node.get("type") or base.get("class") or base.get("type") or ""
        inherited: Typed = {}
        if tileset is not None:
            local = (gid & ~EVERY_FLIP) - tileset.image.first_gid
            class_name = class_name or tileset.classes.get(local, "")
            inherited = dict(tileset.properties.get(local, {}))
        properties = {**self.types.defaults(class_name), **inherited}
        if template:
            properties.update(read_properties(template.node, self.types, place))
        properties.update(read_properties(node, self.types, place))
        shape, points = self._shape(node, base, place)
        width, height = (real(merged, side, 0.0, -1e7, 1e7) for side in ("width", "height"))
        if width < 0 or height < 0:
            wrong = f"object {number} has the size {width:g} x {height:g}"
            self.types.leave_out(node.file, place, wrong, "draw it again in Tiled")
            return None
        if tileset is not None and not (merged.get("width") and merged.get("height")):
            # Old versions of Tiled wrote no size; they meant the size of the tile.
            own = tileset.size_of((gid & ~EVERY_FLIP) - tileset.image.first_gid)
            width, height = width or own[0], height or own[1]
        out = CheckedObject(
            id=number,
            name=merged.get("name", ""),
            class_name=class_name,
            place=place,
            shape="tile" if gid else shape,
            x=real(merged, "x", 0.0),
            y=real(merged, "y", 0.0),
            width=width,
            height=height,
            rotation=real(merged, "rotation", 0.0, -1e6, 1e6),
            visible=flag(merged, "visible", True),
            properties=properties,
            points=points,
            gid=gid & ~EVERY_FLIP,
            flips=flips_of(gid),
        )
        if shape == "text":
            self._text(node, base, out)
        return out

    def _gid(self, node: Node, template: _Template | None, place: str) -> int:
        if node.get("gid"):
            return integer(node, "gid", 0, 0xFFFFFFFF)
        if template is None or not template.node.get("gid"):
            return 0
        gid = integer(template.node, "gid", 0, 0xFFFFFFFF)
        plain = gid & ~EVERY_FLIP
        if template.tileset is None or plain < template.first_gid:
            raise LevelError(template.path, place, "its tile belongs to no tileset", "save the template again in Tiled")
        return self._gid_of(template.tileset, plain - template.first_gid, node) | (gid & EVERY_FLIP)

    def _shape(self, node: Node, base: Node, place: str) -> tuple[str, tuple[Point, ...]]:
        for holder in (node, base):
            for shape in SHAPES:
                child = holder.find(shape)
                if not isinstance(child, Node):
                    continue
                if shape in ("polygon", "polyline"):
                    return shape, read_points(child, place, 1)
                return shape, ()
        return "rectangle", ()

    def _text(self, node: Node, base: Node, out: CheckedObject) -> None:
        text = node.find("text")
        if text is None:
            text = base.find("text")
        assert isinstance(text, Node)
        out.text = text.text or ""
        out.text_size = real(text, "pixelsize", 16.0, 0.0, 10_000.0)
        out.text_color = text.get("color", "")

    def _template(self, node: Node, place: str) -> _Template:
        reference = node.get("template", "")
        path = self.room.find(reference, node.file, place, "template")
        if path not in self._templates:
            root = read_xml(path, self.room.read(path), "template")
            inner, tileset = root.find("object"), root.find("tileset")
            if not isinstance(inner, Node):
                raise LevelError(path, "", "the template holds no object", "save it again in Tiled")
            source, first = None, 1
            if isinstance(tileset, Node):
                first = integer(tileset, "firstgid", 1, 1 << 28, 1)
                name = tileset.get("source")
                if not name:
                    raise LevelError(
                        path, tileset.at(), "the template's tileset has no source", "save it again in Tiled"
                    )
                source = self.room.find(name, path, tileset.at(), "tileset")
            self._templates[path] = _Template(inner, path, source, first)
        return self._templates[path]
