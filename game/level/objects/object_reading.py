"""Objects of our classes: spawns, routes, doors, regions, objectives, props, lights, texts, triggers.

A map is ours when it lies below a ``.tiled-project`` that declares our classes; every fault in it is an error, and all
of them are collected.  In any other map a class of the same name may have another meaning.  An object that does not fit
is left out there, with a note on the card.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from game.level.errors import LevelError, nearest, perhaps, quoted
from game.level.model import (
    SIDES,
    TICKS_PER_SECOND,
    LevelDoor,
    LevelObjective,
    LevelProp,
    LevelRegion,
    LevelRoute,
    LevelTrigger,
    LevelZone,
    Light,
    Point,
    Spawn,
    Text,
)
from game.level.object_shapes import Placer
from game.level.passability_masks import WALK
from game.level.schema import OBJECTS, PROP_KINDS, BadValue, ObjectClass, Value
from game.level.spawn_clearance import clear_place
from game.level.terrain.grounds import is_wall_name
from game.level.terrain.terrain_reading import TerrainReader
from game.level.tmx.checked_map import CheckedLayer, CheckedMap, CheckedObject

STANDARD_KIND = ("raider", "guard", "soldier", "soldier")
"""Default unit type of a spawn, by side."""

SOMEWHERE = 0.6
"""Least extent of a route in tiles; a smaller one leads nowhere."""


class _Unfit(ValueError):
    """Error of an object that does not fit its class.

    It holds fault, remedy, and the tile when that is not the middle of the object.
    """


class ObjectMeanings:
    """Collects the meanings of all objects.

    Doors and props that block change ``terrain``.
    """

    def __init__(self, checked: CheckedMap, terrain: TerrainReader, properties: list[Mapping[str, Any]]) -> None:
        self.checked = checked
        self.terrain = terrain
        self.strict = checked.types.strict
        self.placer = Placer(checked.tile_width, checked.tile_height)
        self.notes: list[str] = []
        self.faults: list[LevelError] = []
        """Errors of a map of ours, in the order of reading."""
        self.spawns: list[Spawn] = []
        self.routes: list[LevelRoute] = []
        self.doors: list[LevelDoor] = []
        self.regions: list[LevelRegion] = []
        self.zones: list[LevelZone] = []
        self.objectives: list[LevelObjective] = []
        self.props: list[LevelProp] = []
        self.lights: list[Light] = []
        self.texts: list[Text] = []
        self.triggers: list[LevelTrigger] = []
        self._places: dict[tuple[str, int], str] = {}
        self._tiles: dict[int, tuple[int, int]] = {}
        self._left_out: set[str] = set()
        """Names of objects left out; a reference to one is no second fault."""
        self._properties = properties
        self._handlers: dict[str, Callable[[CheckedObject, CheckedLayer, dict[str, Any]], None]] = {
            "spawn": self._spawn,
            "route": self._route,
            "door": self._door,
            "region": self._region,
            "zone": self._zone,
            "objective": self._objective,
            "prop": self._prop,
            "light": self._light,
            "text": self._text,
            "trigger": self._trigger,
        }

    def read(self) -> None:
        """Read all objects, then check their references."""
        todo = []
        number = 0
        for index, layer in enumerate(self.checked.layers):
            for thing in layer.objects:
                todo.append((thing, layer, index, self._properties[number]))
                number += 1
        # Doors and blocking props come first, because they change the ground of the other objects.
        todo.sort(key=lambda row: {"prop": 0, "door": 1, "route": 2, "region": 2}.get(row[0].class_name, 3))
        for thing, layer, index, given in todo:
            cls = OBJECTS.get(thing.class_name)
            if cls is None and thing.shape == "text" and thing.text.strip():
                cls = OBJECTS["text"]
            if cls is None:
                self._unknown_class(thing)
                continue
            self._index = index
            self._place(thing, cls.name)
            try:
                self._fits(thing, cls)
                values = self._values(thing, cls, given)
                self._handlers[cls.name](thing, layer, values)
            except _Unfit as unfit:
                wrong, cure, *tile = unfit.args
                if self.strict:
                    place = self._place(thing, cls.name)
                    at = tile[0] if tile else self._tiles[thing.id]
                    self.faults.append(LevelError(self.checked.path, place, wrong, cure, at, thing.id))
                    self._left_out |= {thing.name, str(given.get("route", ""))} - {""}
                else:
                    self.notes.append(f"Object {thing.id} of class {cls.name} is left out: {wrong}.")
        self._clear_spawns()
        self._references()

    def _unknown_class(self, thing: CheckedObject) -> None:
        """Report an unknown class.

        Known are ours, those of the project and of tiles, and the names of walls.
        """
        name = thing.class_name
        of_tiles = any(name in tileset.classes.values() for tileset in self.checked.tilesets)
        if not name or of_tiles or name in self.checked.types.classes or is_wall_name(name):
            return
        if self.strict:
            cure = perhaps(name, OBJECTS, f"the classes are {', '.join(OBJECTS)}")
            place = self._place(thing, name)
            wrong = f"the class {quoted(name)} is unknown"
            self.faults.append(LevelError(self.checked.path, place, wrong, cure, self._tiles[thing.id], thing.id))
        elif near := nearest(name, OBJECTS):
            self.notes.append(f"Object {thing.id} has the class {quoted(name)}, which is unknown. Did you mean {near}?")

    def _clear_spawns(self) -> None:
        """Move spawns away from walls nearer than a body's radius, with a note."""
        moved = 0
        for number, spawn in enumerate(self.spawns):
            x, y = clear_place(self.terrain.passable, spawn.x, spawn.y)
            if (x, y) != (spawn.x, spawn.y):
                self.spawns[number] = replace(spawn, x=x, y=y)
                moved += 1
        if moved:
            words = "1 spawn stands" if moved == 1 else f"{moved} spawns stand"
            self.notes.append(f"{words} nearer to a wall than a body's radius and starts a little away from it.")

    def _place(self, thing: CheckedObject, class_name: str) -> str:
        x, y = self._centre_raw(thing)
        name = f" {quoted(thing.name)}" if thing.name else ""
        text = f"{thing.place} ({class_name}{name}, tile {x},{y})"
        self._places[class_name, thing.id] = text
        self._tiles[thing.id] = x, y
        return text

    def _centre_raw(self, thing: CheckedObject) -> tuple[int, int]:
        x, y = self.placer.centre(thing, 0.0, 0.0)
        return math.floor(x), math.floor(y)

    def _fits(self, thing: CheckedObject, cls: ObjectClass) -> None:
        if thing.shape not in cls.shapes:
            raise _Unfit(f"a {cls.name} cannot be a {thing.shape}", f"draw a {' or '.join(cls.shapes)} instead")

    def _values(self, thing: CheckedObject, cls: ObjectClass, given: Mapping[str, Any]) -> dict[str, Any]:
        known = {m.name for m in cls.members}
        for name in given:
            if name not in known and self.strict:
                wrong = f"a {cls.name} has no property {quoted(name)}"
                have = f"it has {', '.join(sorted(known)) or 'none'}; rename or delete it"
                raise _Unfit(wrong, perhaps(name, known, have))
        out: dict[str, Value] = {}
        for member in cls.members:
            try:
                out[member.name] = member.convert(given.get(member.name, member.default))
            except BadValue as error:
                cure = "correct the property in Tiled"
                raise _Unfit(str(error), perhaps(str(given.get(member.name)), member.values, cure)) from None
        return out

    def _centre(self, thing: CheckedObject, layer: CheckedLayer) -> Point:
        x, y = self.placer.centre(thing, layer.dx, layer.dy, self._alignment(thing))
        if not (0 <= x < self.checked.width and 0 <= y < self.checked.height):
            raise _Unfit("it lies outside the map", "move it onto the map")
        return x, y

    def _alignment(self, thing: CheckedObject) -> str:
        tileset = self.checked.tileset_of(thing.gid) if thing.gid else None
        return tileset.alignment if tileset is not None else "bottomleft"

    def _named(self, thing: CheckedObject, others: list[Any]) -> str:
        if not thing.name.strip():
            raise _Unfit("it has no name", "give the object a name in Tiled")
        if any(o.name == thing.name for o in others):
            raise _Unfit(f"another one is called {quoted(thing.name)} already", "give it a name of its own")
        return thing.name

    # the classes --------------------------------------------------------------------------------------------------

    def _spawn(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        x, y = self._centre(thing, layer)
        if not self.terrain.passable[int(y), int(x)] & WALK:
            raise _Unfit("no unit can stand there", "move the spawn to open ground")
        side = SIDES.index(v["side"])
        kind = v["kind"] or STANDARD_KIND[side]
        facing = math.radians(v["facing"])
        args = (thing.id, x, y, side, kind, v["group"], facing, v["route"], v["asleep"], thing.name, v["torch"])
        self.spawns.append(Spawn(*args))

    def _route(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        name = self._named(thing, self.routes)
        points = self.placer.outline(thing, layer.dx, layer.dy)
        if len(points) < 2:
            raise _Unfit("a route of one point", "draw at least two points")
        for number, (x, y) in enumerate(points, 1):
            inside = 0 <= x < self.checked.width and 0 <= y < self.checked.height
            if not inside or not self.terrain.passable[int(y), int(x)] & WALK:
                where = f"point {number} at tile {math.floor(x)},{math.floor(y)}"
                tile = math.floor(x), math.floor(y)
                raise _Unfit(f"its {where} cannot be walked", "move the point to open ground", tile)
        if max(math.dist(points[0], point) for point in points) < SOMEWHERE:
            self.notes.append(f"Route {quoted(name)} does not lead anywhere: its points lie together. Draw them apart.")
        loop = v["loop"] or thing.shape == "polygon"
        self.routes.append(LevelRoute(thing.id, name, points, loop, round(v["wait"] * TICKS_PER_SECOND)))

    def _door(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        name = self._named(thing, self.doors)
        if thing.rotation % 360:
            raise _Unfit("it is turned", "set its rotation to 0")
        (xa, ya), _, (xb, yb), _ = self.placer.outline(thing, layer.dx, layer.dy)
        x0, y0 = math.floor(xa + 0.5), math.floor(ya + 0.5)
        x1, y1 = max(x0 + 1, math.floor(xb + 0.5)), max(y0 + 1, math.floor(yb + 0.5))
        if x0 < 0 or y0 < 0 or x1 > self.checked.width or y1 > self.checked.height:
            raise _Unfit("it lies outside the map", "move it onto the map")
        who = v["opens_for"]
        sides = {"all": (0, 1, 2, 3), "nobody": ()}.get(who) if who not in SIDES else (SIDES.index(who),)
        assert sides is not None
        see_through = v["kind"] == "drawbridge"
        blocks = bool(v["blocks_sight"]) and not see_through
        door = LevelDoor(thing.id, name, v["kind"], y0, x0, y1, x1, bool(v["open"]), sides, blocks)
        area = np.s_[y0:y1, x0:x1]
        self.terrain.passable[area] = door.passable(door.open)
        self.terrain.opaque[area] = door.opaque(door.open)
        self.terrain.cost[area] = 8
        self.terrain.claim(area, self._index)
        self.doors.append(door)

    def _region(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        name = self._named(thing, self.regions)
        points = self.placer.outline(thing, layer.dx, layer.dy)
        if len(points) < 3 or (not thing.points and (thing.width == 0 or thing.height == 0)):
            raise _Unfit("it has no area", "draw it larger")
        self.regions.append(LevelRegion(thing.id, name, points))

    def _zone(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        points = self.placer.outline(thing, layer.dx, layer.dy)
        if len(points) < 3 or (not thing.points and (thing.width == 0 or thing.height == 0)):
            raise _Unfit("it has no area", "draw it larger")
        if not v["scene"]:
            raise _Unfit("it has no scene", "set scene to a row of assets/data/scenes.toml")
        every = round(v["every"] * TICKS_PER_SECOND)
        cast = tuple(word.strip() for word in v["cast"].split(",") if word.strip())
        name = thing.name or v["scene"]
        self.zones.append(LevelZone(thing.id, name, v["scene"], points, cast, v["reach"], every, v["rounds"]))

    def _objective(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        name = thing.name or v["kind"]
        self.objectives.append(
            LevelObjective(thing.id, name, v["kind"], v["text"] or name, v["target"], v["region"], v["optional"])
        )

    def _prop(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        x, y = self._centre(thing, layer)
        kind = PROP_KINDS[v["kind"]]
        width, height = thing.width / self.checked.tile_width, thing.height / self.checked.tile_height
        if thing.points:
            xs, ys = [p[0] for p in thing.points], [p[1] for p in thing.points]
            width = (max(xs) - min(xs)) / self.checked.tile_width
            height = (max(ys) - min(ys)) / self.checked.tile_height
        blocks = kind.blocks if v["blocks"] == "auto" else v["blocks"] == "yes"
        if blocks:
            if (thing.width and thing.height) or thing.points:
                outline = self.placer.outline(thing, layer.dx, layer.dy, self._alignment(thing))
                rows, columns = self.terrain.filler.tiles(outline, thing.place)
            else:
                rows, columns = np.array([int(y)]), np.array([int(x)])
            self.terrain.block(rows, columns, kind.opaque, self._index)
        facing = math.radians(v["facing"] + (thing.rotation if thing.shape != "point" else 0.0))
        self.props.append(
            LevelProp(thing.id, v["kind"], thing.name, x, y, width or 1.0, height or 1.0, facing, v["door"], blocks)
        )

    def _light(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        x, y = self._centre(thing, layer)
        half_angle = math.pi if v["angle"] >= 360 else math.radians(v["angle"]) / 2
        facing = math.radians(v["facing"] + (thing.rotation if thing.shape != "point" else 0.0))
        given = (v["radius"], v["color"], v["strength"], thing.name, facing, half_angle, v["on"], v["switchable"])
        self.lights.append(Light(thing.id, x, y, *given))

    def _text(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        words = " ".join((thing.text or v["text"] or thing.name).split())
        if not words:
            raise _Unfit("it says nothing", "write a text or delete the object")
        x, y = self.placer.centre(thing, layer.dx, layer.dy)
        size = v["size"] or (thing.text_size / self.checked.tile_height if thing.shape == "text" else 1.0)
        self.texts.append(Text(thing.id, x, y, words, math.radians(thing.rotation), size, v["color"]))

    def _trigger(self, thing: CheckedObject, layer: CheckedLayer, v: dict[str, Any]) -> None:
        if v["does"] == "rouse" and v["on"] != "alarm":
            raise _Unfit(
                f"it rouses on {v['on']}, and only an alarm says where to run to", "set on to alarm, or does to wake"
            )
        if v["does"] == "spring" and v["on"] != "entered":
            raise _Unfit(
                f"it springs on {v['on']}, and a trap is a region", "set on to entered, and source to a region"
            )
        delay = round(v["delay"] * TICKS_PER_SECOND)
        args = (
            v["on"],
            v["source"],
            v["does"],
            v["target"],
            v["text"],
            delay,
            v["once"],
            SIDES.index(v["side"]),
            v["intent"],
        )
        self.triggers.append(LevelTrigger(thing.id, thing.name, *args))

    # references ---------------------------------------------------------------------------------------------------

    def _references(self) -> None:
        routes = {r.name for r in self.routes}
        regions = {r.name for r in self.regions}
        props = {p.name for p in self.props}
        doors = {d.name for d in self.doors}
        sleepers = {n for s in self.spawns if s.asleep for n in (s.name, s.route) if n}
        for spawn in self.spawns:
            self._known("spawn", spawn.id, "route", spawn.route, routes)
        callable_names = {n for s in self.spawns for n in (s.name, s.route) if n}
        for zone in self.zones:
            for name in zone.cast:
                self._known("zone", zone.id, "cast", name, callable_names)
        for prop in self.props:
            self._known("prop", prop.id, "door", prop.door, doors)
        for o in self.objectives:
            needs = {"take": "target", "bring": "region", "reach": "region", "use": "target", "hold": "region"}.get(
                o.kind, ""
            )
            self._known("objective", o.id, "target", o.target, props, needs == "target")
            self._known("objective", o.id, "region", o.region, regions, needs == "region")
        for t in self.triggers:
            source = {"lifted": props, "used": props, "entered": regions}.get(t.on)
            target = {"wake": sleepers, "rouse": sleepers, "open": doors, "shut": doors}.get(t.does)
            if source is not None:
                self._known("trigger", t.id, "source", t.source, source, True)
            if target is not None:
                self._known("trigger", t.id, "target", t.target, target, True)
            for name in t.target.split(",") if t.does == "command" else ():
                self._known("trigger", t.id, "target", name.strip(), regions, True)

    def _known(self, cls: str, number: int, member: str, value: str, known: set[str], needed: bool = False) -> None:
        if (not value and not needed) or value in known or value in self._left_out:
            return
        have = ", ".join(quoted(k) for k in sorted(known)[:6] if k) or "none"
        wrong = f"{member} is empty" if not value else f"{member} {quoted(value)} does not exist"
        place = self._places[cls, number]
        if self.strict:
            cure = perhaps(value, known, f"there are: {have}")
            self.faults.append(LevelError(self.checked.path, place, wrong, cure, self._tiles[number], number))
        else:
            self.notes.append(f"Object {number} of class {cls}: {wrong}.")
