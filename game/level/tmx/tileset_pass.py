"""Strict reading of tilesets, inside the map or in a ``.tsx``."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from game.level.errors import LevelError, quoted
from game.level.map_art import Point, TileImage, TilesetImage
from game.level.object_shapes import ELLIPSE_CORNERS
from game.level.tmx.checked_map import CheckedTileset
from game.level.tmx.map_folder import Room
from game.level.tmx.picture_size import HEAD, picture_size, too_large
from game.level.tmx.properties import read_properties
from game.level.tmx.tiled_project import PropertyTypes
from game.level.tmx.xml_tree import Node, finite, integer, read_xml, real

MOST_TILES = 1 << 20
"""Largest number of tiles of one tileset."""
LARGEST = 8192
"""Longest side of a tile or margin, in pixels."""
MOST_FRAMES = 4096
UNKNOWN = 1 << 14
"""Number of tiles of a sheet without picture and without stated number."""
_EXAMPLE = "save it in Tiled as a .tsx"


class TilesetReader:
    """Reads tilesets of one map; parses a ``.tsx`` that is used twice once."""

    def __init__(self, room: Room, types: PropertyTypes) -> None:
        self.room = room
        self.types = types
        self._external: dict[Path, CheckedTileset] = {}

    def read(self, node: Node) -> CheckedTileset:
        """Return the tileset of a ``<tileset firstgid=...>`` element; raises LevelError."""
        first_gid = integer(node, "firstgid", 1, 1 << 28)
        reference = node.get("source")
        if reference is None:
            return self._body(node, first_gid, None)
        path = self.room.find(reference, node.file, node.at(), "tileset")
        return self.external(path, first_gid, node)

    def external(self, path: Path, first_gid: int, node: Node) -> CheckedTileset:
        """Return the tileset in a ``.tsx`` file."""
        if path.suffix.lower() in (".json", ".tsj"):
            raise LevelError(node.file, node.at(), f"tileset {quoted(path.name)} is JSON", _EXAMPLE)
        if path not in self._external:
            root = read_xml(path, self.room.read(path), "tileset")
            if root.get("source"):
                raise LevelError(path, root.at(), "a tileset file refers to another tileset file", _EXAMPLE)
            self._external[path] = self._body(root, first_gid, path)
        found = self._external[path]
        return replace(found, image=replace(found.image, first_gid=first_gid))

    def _body(self, node: Node, first_gid: int, source: Path | None) -> CheckedTileset:
        name = node.get("name", "")
        place = f"tileset {quoted(name)}"
        width, height = integer(node, "tilewidth", 1, LARGEST), integer(node, "tileheight", 1, LARGEST)
        margin, spacing = integer(node, "margin", 0, LARGEST, 0), integer(node, "spacing", 0, LARGEST, 0)
        count = integer(node, "tilecount", 0, MOST_TILES, -1) if node.get("tilecount") else -1
        columns = integer(node, "columns", 0, MOST_TILES, 0)
        image = node.find("image")
        path, transparent = None, ""
        if isinstance(image, Node):
            path, size = self._image(image, place)
            transparent = image.get("trans", "")
            if size is not None:
                # The picture's size decides: an artist may enlarge a sheet without changing the numbers in the file.
                fits = max(0, (size[0] - margin + spacing) // (width + spacing))
                columns = fits or columns
                rows = max(0, (size[1] - margin + spacing) // (height + spacing))
                count = max(columns * rows, count)
            if path is None:
                columns, count = max(columns, 1), count if count > 0 else UNKNOWN
            if columns <= 0 or count <= 0 or count > MOST_TILES:
                wrong = "its image holds no whole tile" if count <= MOST_TILES else "it holds too many tiles"
                raise LevelError(node.file, place, wrong, "check tile size, margin and spacing in Tiled")
        shift = node.find("tileoffset")
        out = CheckedTileset(TilesetImage(name, first_gid, max(count, 0), width, height), source=source)
        out.on_grid = node.get("tilerendersize") == "grid"
        pictures: dict[int, TileImage] = {}
        animations: dict[int, tuple[tuple[int, int], ...]] = {}
        highest = -1
        for tile in node.findall("tile"):
            assert isinstance(tile, Node)
            local = integer(tile, "id", 0, MOST_TILES)
            highest = max(highest, local)
            self._tile(tile, f"{place}, tile {local}", local, out, pictures, animations)
        alignment = node.get("objectalignment", "unspecified")
        out.alignment = "bottomleft" if alignment == "unspecified" else alignment
        out.image = TilesetImage(
            name=name,
            first_gid=first_gid,
            count=count if isinstance(image, Node) else max(count, highest + 1),
            tile_width=width,
            tile_height=height,
            path=path,
            columns=columns,
            margin=margin,
            spacing=spacing,
            transparent=transparent,
            offset_x=integer(shift, "x", -LARGEST, LARGEST, 0) if isinstance(shift, Node) else 0,
            offset_y=integer(shift, "y", -LARGEST, LARGEST, 0) if isinstance(shift, Node) else 0,
            pictures=MappingProxyType(pictures),
            animations=MappingProxyType(animations),
        )
        return out

    def _image(self, image: Node, place: str) -> tuple[Path | None, tuple[int, int] | None]:
        """Return the file of an image and its size in pixels.

        The size is the file's own, else the one that the map states, else None.  In a foreign map a picture that is
        missing or lies outside the folder is left out with a note: None for its file.
        """
        reference = image.get("source")
        if not reference:
            wrong = "its image is embedded in the file" if image.find("data") is not None else "its image has no source"
            raise LevelError(image.file, place, wrong, "keep the image in a file of its own")
        stated = None
        if image.get("width") and image.get("height"):
            stated = integer(image, "width", 1, 1 << 20), integer(image, "height", 1, 1 << 20)
        try:
            path = self.room.find(reference, image.file, place, "image")
        except LevelError as error:
            self.types.leave_out(image.file, place, error.wrong, error.cure)
            return None, stated
        size = picture_size(self.room.head(path, HEAD)) or stated
        wrong = too_large(size) if size is not None else ""
        if wrong:
            raise LevelError(path, "", wrong, "make the picture smaller")
        return path, size

    def _tile(
        self,
        tile: Node,
        place: str,
        local: int,
        out: CheckedTileset,
        pictures: dict[int, TileImage],
        animations: dict[int, tuple[tuple[int, int], ...]],
    ) -> None:
        class_name = tile.get("class") or tile.get("type") or ""
        if class_name:
            out.classes[local] = class_name
        properties = read_properties(tile, self.types, place, class_name)
        if properties:
            out.properties[local] = properties
        image = tile.find("image")
        if isinstance(image, Node):
            path, found = self._image(image, place)
            size = found or (out.image.tile_width, out.image.tile_height)
            x, y = integer(tile, "x", 0, 1 << 20, 0), integer(tile, "y", 0, 1 << 20, 0)
            w = integer(tile, "width", 1, 1 << 20, size[0])
            pictures[local] = TileImage(path, x, y, w, integer(tile, "height", 1, 1 << 20, size[1]))
        frames = tile.findall("animation/frame")
        if len(frames) > MOST_FRAMES:
            raise LevelError(tile.file, place, f"{len(frames)} animation frames", f"at most {MOST_FRAMES} are read")
        if frames:
            animations[local] = tuple(
                (integer(f, "tileid", 0, MOST_TILES), integer(f, "duration", 0, 1 << 24))
                for f in frames
                if isinstance(f, Node)
            )
        shapes = [s for s in tile.findall("objectgroup/object") if isinstance(s, Node)]
        outlines = tuple(line for shape in shapes if len(line := _outline(shape, place)) > 2)
        if outlines:
            out.collision[local] = outlines


def _outline(shape: Node, place: str) -> tuple[Point, ...]:
    """Return the corners of a collision shape in pixels of its tile.

    A point, a polyline and a text have none.
    """
    if any(shape.find(kind) is not None for kind in ("point", "polyline", "text")) or shape.get("gid"):
        return ()
    x, y = real(shape, "x", 0.0, -1e6, 1e6), real(shape, "y", 0.0, -1e6, 1e6)
    turn = math.radians(real(shape, "rotation", 0.0, -1e6, 1e6))
    polygon = shape.find("polygon")
    if isinstance(polygon, Node):
        corners = read_points(polygon, place, 3)
    else:
        w, h = real(shape, "width", 0.0, -1e6, 1e6), real(shape, "height", 0.0, -1e6, 1e6)
        if w <= 0 or h <= 0:
            return ()
        if shape.find("ellipse") is not None:
            angles = [math.tau * k / ELLIPSE_CORNERS for k in range(ELLIPSE_CORNERS)]
            corners = tuple((w / 2 + w / 2 * math.cos(a), h / 2 + h / 2 * math.sin(a)) for a in angles)
        else:
            corners = ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h))
    c, s = math.cos(turn), math.sin(turn)
    return tuple((x + c * px - s * py, y + s * px + c * py) for px, py in corners)


def read_points(node: Node, place: str, least: int) -> tuple[Point, ...]:
    """Return the ``points`` of a polygon or polyline; raises LevelError.

    There must be at least ``least`` of them.
    """
    out = []
    for pair in (node.get("points") or "").split():
        x, _, y = pair.partition(",")
        px, py = finite(x), finite(y)
        if px is None or py is None or abs(px) > 1e9 or abs(py) > 1e9:
            raise LevelError(node.file, place, f"{quoted(pair)} is not a point", "draw the shape again in Tiled")
        out.append((px, py))
    if len(out) < least:
        wrong = f"a {node.tag} with {len(out)} points, where {least} are needed"
        raise LevelError(node.file, place, wrong, "add points or delete the object")
    return tuple(out)
