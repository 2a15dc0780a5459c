"""Strict first pass over a Tiled map.

It checks all data before use, inserts external files, joins chunks to layers and applies the state of groups to their
layers.  The reading of meanings uses the result; pytmx receives a flat tree without images.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from game.level.errors import LevelError, quoted
from game.level.map_art import FLIP_D, FLIP_H, FLIP_V
from game.level.tmx.checked_map import EVERY_FLIP, CheckedLayer, CheckedMap, CheckedObject, CheckedTileset
from game.level.tmx.map_folder import Room
from game.level.tmx.object_pass import ObjectReader
from game.level.tmx.picture_size import HEAD, picture_size, too_large
from game.level.tmx.properties import attach, read_properties
from game.level.tmx.tile_data import MOST_TILES, LayerChunk, read_data
from game.level.tmx.tiled_project import Typed, read_property_types
from game.level.tmx.tileset_pass import LARGEST, TilesetReader
from game.level.tmx.xml_tree import Node, flag, integer, read_xml, real

MOST_LAYER_TILES = 8 * MOST_TILES
"""Largest number of tiles of all layers together."""
MOST_TILESETS = 1024
MOST_LAYERS = 4096
MOST_OBJECTS = 100_000


@dataclass(frozen=True)
class _Group:
    """State that a layer inherits from the groups around it."""

    properties: Typed
    visible: bool = True
    opacity: float = 1.0
    dx: float = 0.0
    dy: float = 0.0
    tint: str = ""


class _Pass:
    def __init__(self, path: Path) -> None:
        self.room = Room(path)
        self.path = path
        root = read_xml(path, self.room.read(path), "map")
        for node in root.iter():
            assert isinstance(node, Node)
            node.file = self.room.map
        self.root = root
        self.budget = MOST_LAYER_TILES
        self.objects_left = MOST_OBJECTS
        self.tilesets: list[CheckedTileset] = []
        self.layers: list[CheckedLayer] = []
        self.chunks: dict[int, list[LayerChunk]] = {}

    def run(self) -> CheckedMap:
        root = self.root
        orientation = root.get("orientation", "orthogonal")
        if orientation != "orthogonal":
            cure = "in Tiled choose Map > Map Properties > Orientation > Orthogonal"
            raise LevelError(self.path, "map", f"orientation {quoted(orientation)} cannot be played", cure)
        self.infinite = flag(root, "infinite", False)
        least = 0 if self.infinite else 1
        self.width = integer(root, "width", least, MOST_TILES, 0 if self.infinite else None)
        self.height = integer(root, "height", least, MOST_TILES, 0 if self.infinite else None)
        self._area(self.width, self.height)
        self.tile_width = integer(root, "tilewidth", 1, LARGEST)
        self.tile_height = integer(root, "tileheight", 1, LARGEST)
        self.types = read_property_types(self.room)
        class_name = root.get("class", "")
        properties = read_properties(root, self.types, "map", class_name)
        self._tilesets()
        self.objects = ObjectReader(self.room, self.types, self._gid_of, self._tileset_of)
        self._layers(root, _Group({}))
        self._assemble()
        return CheckedMap(
            path=self.room.map,
            width=self.width,
            height=self.height,
            tile_width=self.tile_width,
            tile_height=self.tile_height,
            infinite=self.infinite,
            class_name=class_name,
            properties=properties,
            background=root.get("backgroundcolor", ""),
            types=self.types,
            tilesets=self.tilesets,
            layers=self.layers,
            tree=self._tree(properties),
        )

    def _area(self, width: int, height: int) -> None:
        if width * height > MOST_TILES:
            wrong = f"{width} x {height} tiles are more than {MOST_TILES}"
            raise LevelError(self.path, "map", wrong, "in Tiled choose Map > Resize Map")

    # tilesets -----------------------------------------------------------------------------------------------------

    def _tilesets(self) -> None:
        self.reader = TilesetReader(self.room, self.types)
        nodes = self.root.findall("tileset")
        if len(nodes) > MOST_TILESETS:
            raise LevelError(self.path, "map", f"{len(nodes)} tilesets", f"use at most {MOST_TILESETS}")
        for node in nodes:
            assert isinstance(node, Node)
            self.tilesets.append(self.reader.read(node))
        self.tilesets.sort(key=lambda t: t.image.first_gid)
        for a, b in zip(self.tilesets, self.tilesets[1:], strict=False):
            if a.image.first_gid == b.image.first_gid:
                wrong = f"tilesets {quoted(a.image.name)} and {quoted(b.image.name)} both start at {a.image.first_gid}"
                raise LevelError(self.path, "map", wrong, "remove one in Tiled and save again")

    def _tileset_of(self, gid: int) -> CheckedTileset | None:
        for tileset in reversed(self.tilesets):
            if tileset.image.first_gid <= gid:
                return tileset if gid < tileset.image.first_gid + max(tileset.image.count, 1) else None
        return None

    def _gid_of(self, path: Path, local: int, node: Node) -> int:
        """Return the gid of a template's tile.

        Its tileset is added to the map when the map lacks it.
        """
        for tileset in self.tilesets:
            if tileset.source == path:
                return tileset.image.first_gid + local
        first = max((t.image.first_gid + t.image.count for t in self.tilesets), default=1)
        if first > 1 << 28 or len(self.tilesets) >= MOST_TILESETS:
            raise LevelError(node.file, node.at(), "there is no room for the template's tileset", "use fewer tilesets")
        self.tilesets.append(self.reader.external(path, first, node))
        return first + local

    # layers -------------------------------------------------------------------------------------------------------

    def _layers(self, parent: Node, group: _Group) -> None:
        for node in parent:
            assert isinstance(node, Node)
            if node.tag not in ("layer", "objectgroup", "imagelayer", "group"):
                continue
            name = node.get("name", "")
            place = f"layer {quoted(name)}"
            class_name = node.get("class", "")
            state = _Group(
                {**group.properties, **read_properties(node, self.types, place, class_name)},
                group.visible and flag(node, "visible", True),
                group.opacity * real(node, "opacity", 1.0, 0.0, 1.0),
                group.dx + real(node, "offsetx", 0.0),
                group.dy + real(node, "offsety", 0.0),
                tinted(group.tint, node.get("tintcolor", "")),
            )
            if node.tag == "group":
                self._layers(node, state)
                continue
            kind = {"layer": "tiles", "objectgroup": "objects", "imagelayer": "image"}[node.tag]
            layer = CheckedLayer(
                kind, name, place, class_name, state.properties, state.visible, state.opacity, state.dx, state.dy
            )
            layer.tint = state.tint
            if len(self.layers) >= MOST_LAYERS:
                raise LevelError(self.path, place, f"more than {MOST_LAYERS} layers", "merge layers")
            if kind == "tiles":
                self._tile_layer(node, layer)
            elif kind == "objects":
                children = [n for n in node.findall("object") if isinstance(n, Node)]
                self.objects_left -= len(children)
                if self.objects_left < 0:
                    raise LevelError(self.path, place, f"more than {MOST_OBJECTS} objects", "use tiles instead")
                read = (self.objects.read(n, place) for n in children)
                layer.objects = [thing for thing in read if thing is not None]
            elif not self._image_layer(node, layer):
                continue
            self.layers.append(layer)

    def _tile_layer(self, node: Node, layer: CheckedLayer) -> None:
        data = node.find("data")
        if not isinstance(data, Node):
            raise LevelError(self.path, layer.place, "it has no tile data", "delete the layer or save the map again")
        width, height = self.width, self.height
        if not data.findall("chunk"):
            if self.infinite:
                self.chunks[len(self.layers)] = []
                return
            width = integer(node, "width", 1, MOST_TILES, self.width)
            height = integer(node, "height", 1, MOST_TILES, self.height)
            self._area(width, height)
            if width * height > self.budget:
                wrong = f"the layers hold more than {MOST_LAYER_TILES} tiles together"
                raise LevelError(self.path, layer.place, wrong, "merge layers")
        chunks = read_data(data, layer.place, width, height, self.budget)
        self.budget -= sum(c.gids.size for c in chunks)
        self.chunks[len(self.layers)] = chunks

    def _image_layer(self, node: Node, layer: CheckedLayer) -> bool:
        image = node.find("image")
        if not isinstance(image, Node):
            return False
        reference = image.get("source")
        if not reference:
            raise LevelError(self.path, layer.place, "its image has no source", "choose an image file in Tiled")
        try:
            layer.image = self.room.find(reference, node.file, layer.place, "image")
        except LevelError as error:
            self.types.leave_out(node.file, layer.place, error.wrong, error.cure)
            return False
        wrong = too_large(picture_size(self.room.head(layer.image, HEAD)) or (1, 1))
        if wrong:
            raise LevelError(layer.image, "", wrong, "make the picture smaller")
        layer.repeat_x, layer.repeat_y = flag(node, "repeatx", False), flag(node, "repeaty", False)
        layer.dx += real(node, "x", 0.0)
        layer.dy += real(node, "y", 0.0)
        return True

    def _assemble(self) -> None:
        """Join chunks to whole layers.

        An infinite map becomes the smallest rectangle around its filled chunks.
        """
        x0 = y0 = 0
        if self.infinite:
            filled = [c for chunks in self.chunks.values() for c in chunks if c.gids.any()]
            if filled:
                x0, y0 = min(c.x for c in filled), min(c.y for c in filled)
                self.width = max(c.x + c.gids.shape[1] for c in filled) - x0
                self.height = max(c.y + c.gids.shape[0] for c in filled) - y0
            self._area(self.width, self.height)
            if not self.width or not self.height:
                raise LevelError(self.path, "map", "the infinite map holds no tiles", "draw some tiles in Tiled")
            if self.width * self.height * len(self.chunks) > MOST_LAYER_TILES:
                wrong = f"the layers hold more than {MOST_LAYER_TILES} tiles together"
                raise LevelError(self.path, "map", wrong, "merge layers, or move stray chunks closer")
        for index, chunks in self.chunks.items():
            layer = self.layers[index]
            whole = np.zeros((self.height, self.width), dtype=np.uint32)
            for chunk in chunks:
                _paste(whole, chunk, x0, y0)
            del chunks[:]
            self._check_gids(layer, whole)
            layer.gids = (whole & np.uint32(~EVERY_FLIP & 0xFFFFFFFF)).astype(np.int32)
            turn = whole >> np.uint32(29)
            flips = np.zeros(whole.shape, dtype=np.uint8)
            for bit, meaning in ((4, FLIP_H), (2, FLIP_V), (1, FLIP_D)):
                flips |= ((turn & bit) != 0).astype(np.uint8) * np.uint8(meaning)
            layer.flips = flips
        for layer in self.layers:
            for thing in layer.objects:
                thing.x -= x0 * self.tile_width
                thing.y -= y0 * self.tile_height
            if layer.kind == "image":
                layer.dx -= x0 * self.tile_width
                layer.dy -= y0 * self.tile_height

    def _check_gids(self, layer: CheckedLayer, whole: np.ndarray) -> None:
        plain = (whole & np.uint32(~EVERY_FLIP & 0xFFFFFFFF)).astype(np.int64)
        firsts = np.array([t.image.first_gid for t in self.tilesets], dtype=np.int64)
        ends = np.array([t.image.first_gid + t.image.count for t in self.tilesets] + [0], dtype=np.int64)
        owner = np.searchsorted(firsts, plain, side="right") - 1
        bad = (plain > 0) & (plain >= ends[owner])
        if bad.any():
            y, x = (int(v) for v in np.argwhere(bad)[0])
            wrong = f"tile number {int(plain[y, x])} belongs to no tileset"
            raise LevelError(
                self.path, f"{layer.place}, tile {x},{y}", wrong, "erase the tile or add its tileset again"
            )

    # the tree for pytmx -------------------------------------------------------------------------------------------

    def _tree(self, properties: Typed) -> Node:
        size = {"tilewidth": str(self.tile_width), "tileheight": str(self.tile_height)}
        root = Node("map", {"orientation": "orthogonal", "width": str(self.width), "height": str(self.height), **size})
        attach(root, properties)
        for tileset in self.tilesets:
            root.append(_tileset_node(tileset))
        for layer in self.layers:
            if layer.kind == "tiles":
                root.append(_layer_node(layer))
            elif layer.kind == "objects":
                node = Node("objectgroup", {"name": layer.name})
                attach(node, layer.properties)
                for thing in layer.objects:
                    node.append(_object_node(thing))
                root.append(node)
        return root


def tinted(outer: str, inner: str) -> str:
    """Return the product of two tint colours; empty is white.

    Tiled multiplies the tints of groups and layers.
    """
    if not outer or not inner:
        return outer or inner
    try:
        pairs = [(int(a, 16), int(b, 16)) for a, b in zip(_channels(outer), _channels(inner), strict=True)]
    except ValueError:
        return inner
    return "#" + "".join(f"{a * b // 255:02x}" for a, b in pairs)


def _channels(colour: str) -> list[str]:
    """Return alpha, red, green and blue as hexadecimal digits.

    The colour is ``#rrggbb`` or ``#aarrggbb``.
    """
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 8 else "ff" + digits
    return [digits[i : i + 2] for i in range(0, 8, 2)]


def _paste(whole: np.ndarray, chunk: LayerChunk, x0: int, y0: int) -> None:
    height, width = whole.shape
    left, top = chunk.x - x0, chunk.y - y0
    right, bottom = left + chunk.gids.shape[1], top + chunk.gids.shape[0]
    cl, ct, cr, cb = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    if cl < cr and ct < cb:
        whole[ct:cb, cl:cr] = chunk.gids[ct - top : cb - top, cl - left : cr - left]


def _tileset_node(tileset: CheckedTileset) -> Node:
    image = tileset.image
    node = Node(
        "tileset",
        {
            "firstgid": str(image.first_gid),
            "name": image.name,
            "tilewidth": str(image.tile_width),
            "tileheight": str(image.tile_height),
            "tilecount": str(image.count),
        },
    )
    for local, typed in sorted(tileset.properties.items()):
        tile = Node("tile", {"id": str(local)})
        attach(tile, typed)
        node.append(tile)
    return node


def _layer_node(layer: CheckedLayer) -> Node:
    """Return a one-row layer with every tile that occurs.

    pytmx needs the set of used tiles, not their positions.
    """
    assert layer.gids is not None
    used = np.unique(layer.gids)
    node = Node("layer", {"name": layer.name, "width": str(used.size), "height": "1"})
    attach(node, layer.properties)
    data = Node("data", {"encoding": "csv"})
    data.text = ",".join(str(int(g)) for g in used)
    node.append(data)
    return node


def _object_node(thing: CheckedObject) -> Node:
    lengths = {k: repr(getattr(thing, k)) for k in ("x", "y", "width", "height", "rotation")}
    node = Node("object", {"id": str(thing.id), "name": thing.name, **lengths})
    if thing.class_name:
        node.set("type", thing.class_name)
    if thing.gid:
        node.set("gid", str(thing.gid))
    if thing.points:
        node.append(Node(thing.shape, {"points": " ".join(f"{x!r},{y!r}" for x, y in thing.points)}))
    attach(node, thing.properties)
    return node


def first_pass(path: Path) -> CheckedMap:
    """Return the checked map at ``path``.

    Raises LevelError, and no other error, when it cannot be used.
    """
    return _Pass(path).run()
