"""Terrain arrays from the layers of a map, and their card lines.

From the back to the front, each filled tile may state its ground, passability, step cost, sight and cover.  The last
statement about each holds.  Sources of a statement, in this order: the layer's property (for all its tiles), the
tile's property, the tile's ground, its collision shapes, the layer's name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game.level.map_art import FLIP_D
from game.level.model import GROUND, LayerReading
from game.level.object_shapes import Filler, Placer
from game.level.passability_masks import ALL, CRAWL, WADE, WALK
from game.level.schema import OBJECTS, TERRAIN_BY_NAME, BadValue, Value
from game.level.terrain.grounds import RULES, VOID, is_marked, is_wall_name, role_of_name
from game.level.terrain.tile_cells import covered_cells, flipped, shut_cells
from game.level.tmx.checked_map import CheckedLayer, CheckedMap, CheckedObject

SILENT = -1
FIELDS = ("passable", "cost", "opaque", "cover", "noise", "ground")
_TABLE_LIMIT = 1 << 22


class TerrainReader:
    """Builds the terrain arrays layer by layer."""

    def __init__(self, checked: CheckedMap, tile_properties: Mapping[int, Mapping[str, Any]], empty_open: bool) -> None:
        self.checked = checked
        self.tile_properties = tile_properties
        shape = (checked.height, checked.width)
        self.passable = np.full(shape, ALL, dtype=np.uint8)
        self.cost = np.full(shape, 8, dtype=np.uint8)
        self.opaque = np.zeros(shape, dtype=np.uint8)
        self.cover = np.zeros(shape, dtype=np.uint8)
        self.noise = np.full(shape, 8, dtype=np.uint8)
        self.ground = np.full(shape, VOID, dtype=np.uint8)
        self.filled = np.zeros(shape, dtype=bool)
        self.told_ground = np.zeros(shape, dtype=bool)
        """Tiles whose ground is stated by a property."""
        self._author = np.full(shape, SILENT, dtype=np.int32)
        self._only_water = np.zeros(shape, dtype=bool)
        self.empty_open = empty_open
        self.filler = Filler(checked.path, checked.width, checked.height)
        self._said: list[tuple[str, str]] = []
        self._count: list[int] = []

    def read(self) -> None:
        """Read all layers."""
        for index, layer in enumerate(self.checked.layers):
            if layer.kind == "tiles":
                self._tiles(index, layer)
            elif layer.kind == "objects":
                self._objects(index, layer)
            else:
                self._note("a picture", "It is only drawn.", 0)
        if not self.empty_open:
            hollow = ~self.filled
            self.passable[hollow] = 0
            self.opaque[hollow] = 1

    def readings(self) -> tuple[LayerReading, ...]:
        """Return one line of the card for every layer."""
        shut = (self.passable & WALK) == 0
        out = []
        for index, layer in enumerate(self.checked.layers):
            taken, change = self._said[index]
            blocking = int(np.count_nonzero(shut & (self._author == index)))
            out.append(LayerReading(layer.name or "(unnamed)", layer.kind, taken, self._count[index], blocking, change))
        return tuple(out)

    def _note(self, taken: str, change: str, count: int) -> None:
        self._said.append((taken, change))
        self._count.append(count)

    def _own(self, place: str, given: Mapping[str, Any]) -> dict[str, Value]:
        """Return the terrain properties among ``given``, converted.

        Raises LevelError for a bad one.
        """
        out = {}
        for name, member in TERRAIN_BY_NAME.items():
            if name in given and not (name == "ground" and given[name] == ""):
                try:
                    out[name] = member.convert(given[name])
                except BadValue as error:
                    self.checked.types.leave_out(self.checked.path, place, str(error), "correct the property in Tiled")
        return out

    # tile layers --------------------------------------------------------------------------------------------------

    def _tiles(self, index: int, layer: CheckedLayer) -> None:
        assert layer.gids is not None and layer.flips is not None
        gids, flips = self._shifted(layer.gids, layer), self._shifted(layer.flips, layer)
        used = used_gids(gids)
        layer_says = self._own(layer.place, {k: t for k, (_, t) in layer.properties.items()})
        role = role_of_name(layer.name)
        rows = np.full((len(used), len(FIELDS)), SILENT, dtype=np.int16)
        from_name = np.zeros(len(used), dtype=bool)
        reasons: set[str] = set()
        for i, gid in enumerate(used):
            rows[i], from_name[i], reason = self._statement(int(gid), layer, layer_says, role)
            reasons.add(reason)
        self._say(layer, layer_says, role, reasons, int(np.count_nonzero(layer.gids)))
        if not len(used):
            return
        which = _lookup(used, gids)
        present = which >= 0
        self.filled |= present
        stated = {f: np.where(present, rows[:, k][which], SILENT) for k, f in enumerate(FIELDS)}
        guessed = present & from_name[which]
        if role == "ground":
            # "Land" over "Water" makes water passable, but not a wall beneath.
            again = guessed & self._only_water
            stated["passable"] = np.where(again, ALL, stated["passable"])
            stated["ground"] = np.where(again & (stated["ground"] == SILENT), VOID, stated["ground"])
        opened = stated["passable"] != SILENT
        self._author[opened] = index
        self._only_water[opened] = (guessed & (role == "water"))[opened]
        for name in FIELDS:
            target, said = getattr(self, name), stated[name]
            target[said != SILENT] = said[said != SILENT].astype(np.uint8)
        told = stated["ground"] != SILENT
        self.told_ground[told] = ~guessed[told]
        self._shut_by_tiles(index, layer, gids, flips, layer_says)

    def _shifted(self, array: NDArray[Any], layer: CheckedLayer) -> NDArray[Any]:
        """Return a layer's array moved by its pixel offset, to the nearest whole tile."""
        right = math.floor(layer.dx / self.checked.tile_width + 0.5)
        down = math.floor(layer.dy / self.checked.tile_height + 0.5)
        if not right and not down:
            return array
        height, width = array.shape
        out = np.zeros_like(array)
        y0, x0, y1, x1 = max(down, 0), max(right, 0), min(height + down, height), min(width + right, width)
        if y0 < y1 and x0 < x1:
            out[y0:y1, x0:x1] = array[y0 - down : y1 - down, x0 - right : x1 - right]
        return out

    def _shut_by_tiles(
        self,
        index: int,
        layer: CheckedLayer,
        gids: NDArray[np.int32],
        flips: NDArray[np.uint8],
        layer_says: dict[str, Value],
    ) -> None:
        """Shut the cells that collision shapes and marks of tiles cover."""
        if "walkable" in layer_says or "ground" in layer_says:
            return
        grid = self.checked.tile_width, self.checked.tile_height
        marked_layer = is_marked({k: t for k, (_, t) in layer.properties.items()})
        for gid in used_gids(gids).tolist():
            tileset = self.checked.tileset_of(gid)
            given = self.tile_properties.get(gid, {})
            if tileset is None or "walkable" in given or given.get("ground"):
                continue
            local = gid - tileset.image.first_gid
            marked = marked_layer or is_marked(given)
            if not marked and local not in tileset.collision:
                continue
            rows, columns = np.nonzero(gids == gid)
            turns = flips[rows, columns]
            for turn in np.unique(turns).tolist():
                cells = (covered_cells if marked else shut_cells)(tileset, local, turn, grid)
                here = turns == turn
                for dx, dy in cells:
                    y, x = rows[here] + dy, columns[here] + dx
                    on = (y >= 0) & (x >= 0) & (y < gids.shape[0]) & (x < gids.shape[1])
                    self.passable[y[on], x[on]] = 0
                    self.claim((y[on], x[on]), index)

    def _statement(
        self, gid: int, layer: CheckedLayer, layer_says: dict[str, Value], role: str
    ) -> tuple[list[int], bool, str]:
        """Return the statements of a tile in this layer, and their reason.

        The second value says whether they come from the layer's name.
        """
        given = self.tile_properties.get(gid, {})
        tile_says = self._own(f"{layer.place}, tile number {gid}", given)
        says = {**tile_says, **layer_says}
        row, by_name = [SILENT] * len(FIELDS), False
        reason = "tile" if tile_says else "layer" if layer_says else ""
        ground = says.get("ground")
        if ground is not None:
            rule = RULES[str(ground)]
            row = [rule.passable, rule.cost, rule.opaque, rule.cover, rule.noise, GROUND[str(ground)]]
        elif "walkable" not in says:
            if is_marked({k: t for k, (_, t) in layer.properties.items()}) or self._marked_blocking(gid, given):
                reason = "shape"  # its picture decides which cells it shuts (_shut_by_tiles)
            elif role:
                row, by_name = self._by_role(role), True
                reason = reason or role
        if "walkable" in says:
            # Units may wade through water that they cannot walk on.
            row[0] = ALL if says["walkable"] else WADE if ground == "water" else 0
        if says.get("crawl"):
            # In a wall it opens a hole for crawling units; open ground stays open to every unit.
            row[0] = CRAWL if row[0] == SILENT else row[0] | CRAWL
        if "cost" in says:
            row[1] = max(1, min(255, round(float(says["cost"]) * 8)))
        if "blocks_sight" in says:
            row[2] = int(says["blocks_sight"])
        if "cover" in says:
            row[3] = int(says["cover"])
        if "noise" in says:
            row[4] = round(float(says["noise"]) * 8)
        return row, by_name, reason

    def _by_role(self, role: str) -> list[int]:
        if role == "walls":
            return [0, SILENT, 1, SILENT, SILENT, GROUND["wall"]]
        if role == "blocked":
            return [0, *[SILENT] * (len(FIELDS) - 1)]
        if role == "water":
            return [WADE, SILENT, 0, 0, SILENT, GROUND["water"]]
        return [SILENT] * len(FIELDS)

    def _marked_blocking(self, gid: int, given: Mapping[str, Any]) -> bool:
        """Return whether a map of another game marks this tile as blocking."""
        if is_marked(given):
            return True
        tileset = self.checked.tileset_of(gid)
        grid = self.checked.tile_width, self.checked.tile_height
        return tileset is not None and bool(shut_cells(tileset, gid - tileset.image.first_gid, 0, grid))

    def _say(self, layer: CheckedLayer, layer_says: dict[str, Value], role: str, reasons: set[str], count: int) -> None:
        if "walkable" in layer_says:
            is_open = layer_says["walkable"]
            taken = f"{'open' if is_open else 'blocked'} ground, as its property walkable says"
            change = f"Set the layer property walkable to {'false' if is_open else 'true'} to change it."
        elif "tile" in reasons:
            taken = "ground, as its tiles' properties say"
            change = "Set the layer property walkable to change all its tiles at once."
        elif layer_says:
            taken = "ground, as its properties say"
            change = "The layer property walkable or ground changes it."
        elif "shape" in reasons:
            taken = "ground; tiles marked as colliding block"
            change = "Set the layer property walkable to true to open them."
        elif role in ("walls", "blocked"):
            taken = "walls, by its name" if role == "walls" else "obstacles, by its name"
            change = "Set the layer property walkable to true to open it."
        elif role == "water":
            taken, change = "water, by its name", "Set the layer property walkable to true to open it."
        else:
            taken = "open ground"
            change = "Set the layer property walkable to false to make its tiles block."
        self._note(taken, change, count)

    # object layers ------------------------------------------------------------------------------------------------

    def _objects(self, index: int, layer: CheckedLayer) -> None:
        placer = Placer(self.checked.tile_width, self.checked.tile_height)
        layer_says = self._own(layer.place, {k: t for k, (_, t) in layer.properties.items()})
        role = role_of_name(layer.name)
        plain = [t for t in layer.objects if t.class_name not in OBJECTS]
        ours = _counted([t.class_name for t in layer.objects if t.class_name in OBJECTS])
        shapes = 0
        for thing in plain:
            says = {**layer_says, **self._own(thing.place, {k: t for k, (_, t) in thing.properties.items()})}
            marks = (layer.properties, thing.properties)
            marked = any(is_marked({k: t for k, (_, t) in given.items()}) for given in marks)
            marked |= is_wall_name(thing.class_name) or is_wall_name(thing.name)
            blocks = says["walkable"] is False if "walkable" in says else marked or role in ("walls", "blocked")
            found = [] if says.get("walkable") is True else self._tiles_of(thing, layer, placer, blocks)
            if not found:
                continue
            shapes += 1
            for rows, columns in found:
                self.block(rows, columns, bool(says.get("blocks_sight", role == "walls")), index)
        if shapes:
            taken = f"{shapes} shapes that block" + (f", and {ours}" if ours else "")
            change = "Set the layer property walkable to true to open it."
        elif ours:
            taken, change = ours, "The class of an object says what it is."
        else:
            taken = "decoration"
            change = "Set the layer property walkable to false to make its shapes block, or give objects a class."
        self._note(taken, change, len(layer.objects))

    def _tiles_of(
        self, thing: CheckedObject, layer: CheckedLayer, placer: Placer, blocks: bool
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the tiles that an object shuts, as rows and columns per shape.

        A tile object without a statement still blocks by the collision shapes of its tile.
        """
        if thing.shape == "tile":
            tileset = self.checked.tileset_of(thing.gid)
            if tileset is None or thing.width <= 0 or thing.height <= 0:
                return []
            local = thing.gid - tileset.image.first_gid
            if blocks:
                outlines = [placer.outline(thing, layer.dx, layer.dy, tileset.alignment)]
            else:
                width, height = tileset.size_of(local)
                turned = [flipped(o, width, height, thing.flips) for o in tileset.collision.get(local, ())]
                if thing.flips & FLIP_D:
                    width, height = height, width
                ax, ay = placer.anchor(thing, tileset.alignment)
                sx, sy = thing.width / width, thing.height / height
                outlines = [
                    placer.placed(tuple((ax + x * sx, ay + y * sy) for x, y in o), thing, layer.dx, layer.dy)
                    for o in turned
                ]
            return [self.filler.tiles(outline, thing.place) for outline in outlines]
        if not blocks or thing.shape not in ("rectangle", "ellipse", "polygon", "polyline"):
            return []
        if thing.shape == "polyline":
            return [self.filler.crossed(placer.outline(thing, layer.dx, layer.dy), thing.place)]
        if not thing.points and (thing.width == 0 or thing.height == 0):
            return []
        return [self.filler.tiles(placer.outline(thing, layer.dx, layer.dy), thing.place)]

    def block(self, rows: np.ndarray, columns: np.ndarray, opaque: bool, index: int) -> None:
        """Make tiles impassable on behalf of layer ``index``."""
        self.passable[rows, columns] = 0
        if opaque:
            self.opaque[rows, columns] = 1
        self.claim((rows, columns), index)

    def claim(self, tiles: tuple[Any, Any], index: int) -> None:
        """Record layer ``index`` as the one that decides these tiles' passability."""
        self._author[tiles] = index
        self._only_water[tiles] = False


def _counted(names: list[str]) -> str:
    """Return names with their counts: ``["a", "b", "a"]`` as "2 as, 1 b"."""
    return ", ".join(f"{names.count(n)} {n}{'s' if names.count(n) > 1 else ''}" for n in sorted(set(names)))


def used_gids(gids: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the gids that occur, ascending, without 0."""
    if gids.size and int(gids.max()) < _TABLE_LIMIT:
        found = np.flatnonzero(np.bincount(gids.ravel()))
    else:
        found = np.unique(gids).astype(np.int64)
    return found[found > 0]


def _lookup(used: NDArray[np.int64], gids: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the index into ``used`` of every tile, -1 for an empty one."""
    if int(used[-1]) < _TABLE_LIMIT:
        table = np.full(int(used[-1]) + 1, SILENT, dtype=np.int64)
        table[used] = np.arange(len(used))
        return table[gids]
    return np.where(gids > 0, np.searchsorted(used, gids), SILENT)
