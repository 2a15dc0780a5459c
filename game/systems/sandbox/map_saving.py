"""Saves the present map as a level that opens again.

Tiled and the loader open it. The file holds the ground as it is painted now, the living units where they stand, and
all objects of the level. A saved map is read again before it gets its name: a map that would read otherwise is not
written.
"""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import Any

import numpy as np

from game.level.errors import LevelError
from game.level.level_writer import LevelBuilder
from game.level.map_art import ImageLayer, StampLayer
from game.level.model import GROUND, SIDES, TICKS_PER_SECOND, Level
from game.level.passability_masks import ALL, CRAWL, WADE, WALK
from game.level.reading import load_level
from game.level.schema import LEVEL
from game.level.terrain.grounds import RULES
from game.systems.sandbox.brushes import present_ground
from game.world.world import World

FIELDS = ("passable", "cost", "opaque", "cover", "noise")
_OPENERS: dict[tuple[int, ...], str] = {(0, 1, 2, 3): "all", (): "nobody"}
_OPENERS |= {(side,): name for side, name in enumerate(SIDES)}
MOST_LAYERS = 60
"""Largest number of layers of tiles with rules of their own."""


def save_map(world: World, level: Level, path: Path, overwrite: bool = False) -> None:
    """Write the present map to a .tmx file, whole or not at all.

    Raises ValueError in one line.
    """
    if path.suffix.lower() != ".tmx":
        raise ValueError(f"{path}: a map's name ends in .tmx")
    if not path.resolve().parent.is_dir():
        raise ValueError(f"{path}: the folder does not exist; make it first")
    if path.exists() and not overwrite:
        raise ValueError(f"{path}: the file exists already; choose another name or delete it")
    draft = path.with_name(f".{path.stem}.draft.tmx")
    wrong = ""
    try:
        for own_blocks in (True, False):
            layers: list[tuple[np.ndarray, dict[str, Any]]] = []
            for _ in range(2):
                builder = _builder(world, level, layers, own_blocks)
                builder.write(draft, overwrite=True, packed=level.width * level.height > 1 << 14)
                odd = _differences(world, load_level(draft))
                if not odd.any():
                    builder.write(path, overwrite=overwrite, packed=level.width * level.height > 1 << 14)
                    return
                layers = _layers(world, odd)
            y, x = (int(v[0]) for v in np.nonzero(odd))
            wrong = f"tile {x},{y} would be read otherwise"
    except LevelError as error:
        wrong = str(error).replace(str(draft), "").lstrip(": ")
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    raise ValueError(f"{path}: the map cannot be saved: {wrong}")


def not_kept(level: Level) -> str:
    """Return one sentence about pictures that are lost, or an empty text."""
    pictured = any(isinstance(layer, ImageLayer | StampLayer) for layer in level.layers)
    if level.painted and not pictured:
        return ""
    return "The map's own tiles and pictures are not kept: the copy is painted with Fogline's ground."


def _wanted(world: World) -> tuple[np.ndarray, ...]:
    """Return the five values of every tile, in the order of FIELDS."""
    terrain = world.terrain
    return terrain.passable, terrain.cost, terrain.opaque, terrain.cover, world.loudness


def _differences(world: World, read: Level) -> np.ndarray:
    """Return bool[H, W]: tiles that a read level has otherwise than the world."""
    odd = np.zeros(read.passable.shape, bool)
    for name, values in zip(FIELDS, _wanted(world), strict=True):
        odd |= getattr(read, name) != values
    return odd


def _layers(world: World, odd: np.ndarray) -> list[tuple[np.ndarray, dict[str, Any]]]:
    """Return a mask and properties for each kind of odd tile."""
    values = np.stack(_wanted(world))
    kinds = np.unique(values[:, odd].T, axis=0)
    if len(kinds) > MOST_LAYERS:
        raise ValueError(f"the map has {len(kinds)} kinds of tiles with rules of their own, at most {MOST_LAYERS}")
    out = []
    for passable, cost, opaque, cover, noise in kinds.tolist():
        mask = odd & (values == np.array([passable, cost, opaque, cover, noise])[:, None, None]).all(axis=0)
        says: dict[str, Any] = {"walkable": passable == ALL}
        if passable != ALL and passable & CRAWL:
            says["crawl"] = True
        says |= {"cost": cost / 8, "blocks_sight": bool(opaque), "cover": cover, "noise": noise / 8}
        out.append((mask, says))
    return out


def _builder(world: World, level: Level, layers: list[tuple[np.ndarray, dict[str, Any]]], blocks: bool) -> LevelBuilder:
    known = {m.name: m for m in LEVEL.members}
    given = {k: v for k, v in level.properties.items() if k in known and v != known[k].default and k != "static"}
    builder = LevelBuilder(level.width, level.height, **{"title": level.title, **given})
    ground = present_ground(level.ground, world)
    void = ground == GROUND["void"]
    ground[void & (world.terrain.passable & WALK != 0)] = GROUND["stone"]
    ground[void & (world.terrain.passable & WALK == 0)] = GROUND["wall"]
    builder.ground[:] = ground
    for number, (mask, says) in enumerate(layers, 1):
        builder.relay(f"sandbox {number}", mask, **says)
    _add_places(builder, world, level, blocks)
    _add_units(builder, world)
    _add_words(builder, world, level)
    return builder


def _walkable(world: World, x: float, y: float) -> bool:
    terrain = world.terrain
    row, column = math.floor(y), math.floor(x)
    return terrain.inside(row, column) and bool(terrain.passable[row, column] & WALK)


def _routes(world: World) -> dict[str, tuple[tuple[tuple[float, float], ...], bool, int]]:
    """Return points, loop and wait of each walkable route by name."""
    out = {}
    for route in world.routes:
        points = tuple(p for p in route.points if _walkable(world, *p))
        if len(points) >= 2:
            out[route.name] = (points, route.loop and len(points) > 2, route.wait)
    return out


def _add_places(builder: LevelBuilder, world: World, level: Level, blocks: bool) -> None:
    """Add doors, props, lamps, regions and routes."""
    drawn = {p.id: p for p in level.props}
    for name, (points, loop, wait) in _routes(world).items():
        builder.add("route", name=name, points=points, closed=loop, wait=wait / TICKS_PER_SECOND, layer="routes")
    for region in level.regions:
        builder.add("region", name=region.name, points=region.points, closed=True, layer="places")
    for door in world.doors:
        size = door.x1 - door.x0, door.y1 - door.y0
        builder.add(
            "door", door.x0, door.y0, *size, name=door.name or f"door {door.id}", kind=door.kind, open=door.open,
            opens_for=_OPENERS.get(tuple(sorted(door.opens_for)), "all"), blocks_sight=bool(door.opaque_shut),
            layer="places",
        )  # fmt: skip
    for prop in world.props:
        was = drawn.get(prop.id)
        says = "auto" if was is None else "yes" if was.blocks else "no"
        builder.add(
            "prop", prop.x - prop.width / 2, prop.y - prop.height / 2, prop.width, prop.height, name=prop.name,
            kind=prop.kind, facing=_degrees(prop.facing), door=prop.door, blocks=says if blocks else "no",
            layer="places",
        )  # fmt: skip
    for light in world.lights:
        if light.id < 0:
            continue  # a torch goes with its carrier
        angle = 360.0 if light.half_angle >= math.pi else 2 * math.degrees(light.half_angle)
        builder.add(
            "light", light.x, light.y, name=light.name, radius=light.radius, color=light.color, angle=angle,
            strength=light.strength, facing=_degrees(light.facing), on=light.on, switchable=light.switchable,
            layer="lights",
        )  # fmt: skip


def _degrees(angle: float) -> float:
    return round(math.degrees(angle) % 360, 4)


def _add_units(builder: LevelBuilder, world: World) -> None:
    """Add the living units by id, but none on blocked ground."""
    u, routes = world.units, _routes(world)
    torches = {light.carrier for light in world.lights}
    slots = u.living()
    for slot in slots[np.argsort(u.id[slots], kind="stable")].tolist():
        unit, x, y = int(u.id[slot]), float(u.x[slot]), float(u.y[slot])
        if not _walkable(world, x, y):
            continue
        route = world.routes_of.get(unit, "")
        builder.add(
            "spawn", x, y, name=world.names.get(unit, ""), side=SIDES[int(u.side[slot])], group=int(u.group[slot]),
            kind=world.types[int(u.kind[slot])].name, facing=_degrees(float(u.facing[slot])), layer="spawns",
            route=route if route in routes else "", asleep=bool(u.asleep[slot]), torch=unit in torches,
        )  # fmt: skip


def _add_words(builder: LevelBuilder, world: World, level: Level) -> None:
    """Add zones, objectives, triggers and texts.

    Zones and triggers about units that are gone are left out.
    """
    u = world.units
    living = [int(u.id[slot]) for slot in u.living().tolist()]
    called = {n for unit in living for n in (world.names.get(unit, ""), world.routes_of.get(unit, "")) if n}
    asleep = [unit for unit in living if u.asleep[u.slot(unit)]]
    sleepers = {n for unit in asleep for n in (world.names.get(unit, ""), world.routes_of.get(unit, "")) if n}
    for zone in level.zones:
        cast = tuple(name for name in zone.cast if name in called)
        if cast or not zone.cast:
            builder.add(
                "zone", name=zone.name, points=zone.points, closed=True, scene=zone.scene, cast=",".join(cast),
                reach=zone.reach, every=zone.every / TICKS_PER_SECOND, layer="places",
            )  # fmt: skip
    for n, o in enumerate(level.objectives):
        builder.add(
            "objective", 1.5 + n, 0.5, name=o.name, kind=o.kind, text=o.text, target=o.target, region=o.region,
            optional=o.optional, layer="mission",
        )  # fmt: skip
    doors = {door.name for door in world.doors}
    for n, t in enumerate(level.triggers):
        known = {"wake": sleepers, "rouse": sleepers, "open": doors, "shut": doors}.get(t.does)
        if known is not None and t.target not in known:
            continue
        builder.add(
            "trigger", 1.5 + n, 1.5, name=t.name, on=t.on, source=t.source, does=t.does, target=t.target, text=t.text,
            delay=t.delay / TICKS_PER_SECOND, once=t.once, side=SIDES[t.side], intent=t.intent, layer="mission",
        )  # fmt: skip
    for words in level.texts:
        wide, high = max(len(words.text) * words.size * 0.6, 1.0), words.size * 1.3
        c, s = math.cos(words.angle), math.sin(words.angle)
        x, y = words.x - (c * wide - s * high) / 2, words.y - (s * wide + c * high) / 2
        builder.add(
            "text", x, y, wide, high, text=words.text, size=words.size, color=words.color,
            rotation=math.degrees(words.angle), layer="words",
        )  # fmt: skip


assert RULES["water"].passable == WADE, "a blocked tile of water is waded, so such tiles need no layer"
