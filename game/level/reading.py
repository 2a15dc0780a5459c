"""Reads a Tiled file as a Level: ``load_level``."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from game.level.errors import LevelError
from game.level.map_art import ImageLayer, Stamp, StampLayer, TileLayer
from game.level.model import Level, LevelCard, Spawn
from game.level.object_shapes import Placer
from game.level.objects.object_reading import ObjectMeanings
from game.level.passability_masks import WALK
from game.level.schema import LEVEL, BadValue, rgb
from game.level.terrain.terrain_reading import TerrainReader
from game.level.tmx.checked_map import CheckedLayer, CheckedMap
from game.level.tmx.pytmx_bridge import tile_properties, to_pytmx
from game.level.tmx.tmx_pass import first_pass

EIGHT = 8
"""Number of raiders that a map without spawns is given."""


def load_level(path: str | Path) -> Level:
    """Return the Tiled map at ``path`` as a level.

    Raises LevelError, one line, when the map cannot be used.
    """
    level, faults = read_level(path)
    if faults:
        raise faults[0]
    return level


def read_level(path: str | Path) -> tuple[Level, list[LevelError]]:
    """Return the map at ``path`` as a level, and all faults of its objects.

    The level lacks the objects with a fault.  Raises LevelError when nothing of the map can be used.
    """
    checked = first_pass(Path(path))
    tmx = to_pytmx(checked)
    settings = _map_properties(checked, tmx.properties)
    terrain = TerrainReader(checked, tile_properties(tmx), bool(settings["empty_walkable"]))
    terrain.read()
    objects = ObjectMeanings(checked, terrain, [o.properties for o in tmx.objects])
    objects.read()
    notes = [*_terrain_notes(checked, terrain), *checked.types.note_lines(), *objects.notes]
    if not (terrain.passable & WALK).any():
        cure = "set the layer property walkable=true on the layer that is open ground"
        raise (
            objects.faults[0]
            if objects.faults
            else LevelError(checked.path, "map", "no tile of it can be walked", cure)
        )
    spawns = tuple(objects.spawns)
    if not spawns:
        spawns = raiders_on_largest_component(terrain.passable)
        notes.append(f"No spawns: {len(spawns)} raiders stand on its largest open area. Add objects of class spawn.")
    painted = bool(terrain.told_ground.all())
    meanings: dict[str, Any] = {
        "spawns": spawns,
        "routes": tuple(objects.routes),
        "doors": tuple(sorted(objects.doors, key=lambda d: d.id)),
        "regions": tuple(objects.regions),
        "zones": tuple(objects.zones),
        "objectives": tuple(sorted(objects.objectives, key=lambda o: o.id)),
        "props": tuple(sorted(objects.props, key=lambda p: p.id)),
        "lights": tuple(objects.lights),
        "triggers": tuple(sorted(objects.triggers, key=lambda t: t.id)),
    }
    arrays: dict[str, Any] = {
        name: getattr(terrain, name) for name in ("passable", "cost", "opaque", "cover", "noise", "ground")
    }
    name = checked.path.stem
    level = Level(
        name=name,
        title=str(settings["title"]) or name.replace("_", " ").strip().capitalize(),
        path=checked.path,
        digest=_digest(arrays, meanings | {"properties": {m.name: settings[m.name] for m in LEVEL.members}}),
        width=checked.width,
        height=checked.height,
        tile_size=(float(checked.tile_width), float(checked.tile_height)),
        painted=painted,
        layers=tuple(_drawn(checked)),
        tilesets=tuple(t.image for t in checked.tilesets),
        texts=tuple(objects.texts),
        properties=MappingProxyType(settings),
        background=_colour(checked.background),
        card=LevelCard(f"How Fogline read {checked.path.name}", terrain.readings(), tuple(notes), _openness(terrain)),
        **arrays,
        **meanings,
    )
    return level, objects.faults


def _map_properties(checked: CheckedMap, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return our map properties with their defaults, and all other properties."""
    out: dict[str, Any] = dict(given)
    for member in LEVEL.members:
        try:
            out[member.name] = member.convert(given.get(member.name, member.default))
        except BadValue as error:
            checked.types.leave_out(checked.path, "map", str(error), "correct it in Map > Map Properties")
            out[member.name] = member.default
    return out


def _openness(terrain: TerrainReader) -> tuple[str, ...]:
    """Return a note for a map without blocked tiles.

    Such a map often names its walls in a way that is not recognised.
    """
    if ((terrain.passable & WALK) == 0).any() or not terrain.filled.any():
        return ()
    return (
        "Nothing blocks on this map: every tile can be walked. Set the layer property walkable=false on its walls,"
        " or call that layer Walls.",
    )


def _terrain_notes(checked: CheckedMap, terrain: TerrainReader) -> list[str]:
    notes = [f"{checked.width} x {checked.height} tiles of {checked.tile_width} x {checked.tile_height} px."]
    empty = int(np.count_nonzero(~terrain.filled))
    if empty and any(layer.kind == "tiles" for layer in checked.layers):
        state = "open ground" if terrain.empty_open else "closed"
        other = "false" if terrain.empty_open else "true"
        notes.append(
            f"{empty} tiles are empty in every layer: {state}. Map property empty_walkable={other} changes it."
        )
    return notes


def raiders_on_largest_component(passable: np.ndarray) -> tuple[Spawn, ...]:
    """Return up to eight raiders near the middle of the largest area.

    They form two groups of four.

    Areas are connected by orthogonal steps, because a unit cuts no corner.  Ties go to the first area and the first
    tile, row by row.
    """
    from scipy import ndimage  # a slow import that most maps do not need

    labels, count = ndimage.label((passable & WALK) != 0)
    if not count:
        return ()
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    rows, columns = np.nonzero(labels == int(np.argmax(sizes)))
    middle_y, middle_x = float(rows.mean()), float(columns.mean())
    order = np.lexsort((columns, rows, (rows - middle_y) ** 2 + (columns - middle_x) ** 2))[:EIGHT]
    return tuple(
        Spawn(0, float(columns[i]) + 0.5, float(rows[i]) + 0.5, group=1 if n < EIGHT // 2 else 2)
        for n, i in enumerate(order)
    )


def _drawn(checked: CheckedMap) -> list[TileLayer | ImageLayer | StampLayer]:
    placer = Placer(checked.tile_width, checked.tile_height)
    out: list[TileLayer | ImageLayer | StampLayer] = []
    for layer in checked.layers:
        offset = (layer.dx / checked.tile_width, layer.dy / checked.tile_height)
        if layer.gids is not None and layer.flips is not None:
            layer.gids.flags.writeable = layer.flips.flags.writeable = False
            out.append(
                TileLayer(
                    layer.name, layer.gids, layer.flips, layer.visible, layer.opacity, offset, _colour(layer.tint)
                )
            )
        elif layer.image is not None:
            place = (layer.name, layer.image, *offset, layer.visible, layer.opacity)
            out.append(ImageLayer(*place, layer.repeat_x, layer.repeat_y, _colour(layer.tint)))
        else:
            stamps = tuple(_stamps(checked, layer, placer))
            if stamps:
                out.append(StampLayer(layer.name, stamps, layer.visible, layer.opacity, _colour(layer.tint)))
    return out


def _stamps(checked: CheckedMap, layer: CheckedLayer, placer: Placer) -> list[Stamp]:
    out = []
    for thing in layer.objects:
        if thing.shape != "tile" or not thing.visible:
            continue
        tileset = checked.tileset_of(thing.gid)
        ax, ay = placer.anchor(thing, tileset.alignment if tileset is not None else "bottomleft")
        x, y = (thing.x + layer.dx + ax) / checked.tile_width, (thing.y + layer.dy + ay) / checked.tile_height
        size = (thing.width / checked.tile_width, thing.height / checked.tile_height)
        pivot = (thing.x + layer.dx) / checked.tile_width, (thing.y + layer.dy) / checked.tile_height
        out.append(Stamp(thing.id, thing.name, thing.gid, thing.flips, x, y, *size, thing.rotation, *pivot))
    return out


def _colour(text: str) -> str:
    """Return ``#rrggbb`` from a colour of Tiled, or an empty text."""
    with contextlib.suppress(BadValue):
        return rgb(text) if text else ""
    return ""


def _digest(arrays: Mapping[str, np.ndarray], meanings: Mapping[str, Any]) -> str:
    total = hashlib.blake2b(digest_size=16)
    for name, array in sorted(arrays.items()):
        total.update(f"{name}{array.shape}".encode())
        total.update(np.ascontiguousarray(array).tobytes())
    for name, rows in sorted(meanings.items()):
        total.update(f"{name}{rows!r}".encode())
    return total.hexdigest()
