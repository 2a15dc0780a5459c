"""Making a world from a level: terrain, units, doors, props, mission."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.ndimage import label

from ai.core.rand import Stream, below
from ai.decision.decision_trace import TraceRing
from ai.decision.message_router import MessageRouter
from ai.grid.components import Components
from ai.grid.movement_classes import MovementClass
from ai.grid.terrain import Terrain
from ai.paths.manager import PathManager
from ai.perception.awareness.vision import Vision
from ai.perception.sight.light_field import light_field
from ai.perception.sight.team_sight import team_sight
from ai.perception.sight.wall_heights import low_walls
from ai.steering.steering_columns import SteeringState
from game.level.errors import LevelError, perhaps, quoted
from game.level.model import SIDES, Level, LevelZone, Spawn
from game.sim.stages.perceive_stage import see
from game.systems.lights import shine, torch
from game.world.groups.dialogue_table import dialogue_table
from game.world.groups.playbooks import load_plays
from game.world.groups.scene_zones import Scenes, Zone, load_scenes, unwalkable
from game.world.mission_state import Mission, Objective, Trigger
from game.world.places import Door, LightSource, Prop, Region, Route
from game.world.rules.world_settings import default_settings
from game.world.settings import set_value
from game.world.unit_types import load_types
from game.world.units import Pace, Units
from game.world.world import World

LOW_THINGS = ("fence", "log", "sacks", "table", "bench", "crate")
"""Props over which one looks standing, and behind which one hides crouching."""
STRIP = 8
"""Tiles: scattered units are numbered along strips of the map so high."""
LARGE, ROWS_A_UNIT = 1000, 8
"""Crowds above this have room for so many waypoints each from the start."""


def create_world(
    level: Level,
    seed: int,
    settings: dict[str, Any] | None = None,
    extra_units: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> World:
    """Create the world at tick 0.

    ``extra_units`` scatters so many soldiers in place of the level's own units. ``progress(done, total)`` is
    called while the tables of a level marked static are made.
    """
    tree = default_settings()
    for name, value in (settings or {}).items():
        set_value(tree, name, value)
    types, weapons = load_types()
    dialogue_table()  # a mistake in the table ends in one line here, not in a fight
    terrain = Terrain.build(level.passable, level.cost, level.opaque, level.cover)
    world = World(
        level_name=level.name,
        level_digest=level.digest,
        seed=int(seed),
        settings=tree,
        types=types,
        weapons=weapons,
        plays=load_plays(),
        terrain=terrain,
        components=Components.build(terrain),
        paths=PathManager.build(terrain),
        sight=team_sight(level.height, level.width, len(SIDES)),
        vision=Vision(tree.vision),
        steering=SteeringState(),
        units=Units(),
        router=MessageRouter(),
        trace=TraceRing(),
        routes=[Route(r.name, r.points, r.loop, r.wait) for r in level.routes],
        regions=[Region(r.name, r.points) for r in level.regions],
        doors=[
            Door(
                d.id, d.name, d.kind, d.y0, d.x0, d.y1, d.x1, d.open, d.opens_for,
                d.passable(True), d.passable(False), d.opaque(True), d.opaque(False),
            )
            for d in level.doors
        ],
        props=[Prop(p.id, p.kind, p.name, p.x, p.y, p.width, p.height, p.facing, p.door) for p in level.props],
        mission=_mission(level),
        scenes=_scenes(level),
        night=bool(level.properties.get("night", False)),
        loudness=level.noise.copy(),
        low=_low_walls(level),
        light=light_field(level.height, level.width),
        lights=[
            LightSource(
                s.id, s.name, s.x, s.y, s.radius, s.strength, s.color, s.facing, s.half_angle, s.on, s.switchable
            )
            for s in level.lights
        ],
    )  # fmt: skip
    if extra_units is None:
        for spawn in level.spawns:
            slot = add_unit(world, _kind_of(spawn, level, [t.name for t in types]), spawn.side, spawn.x, spawn.y)
            unit = int(world.units.id[slot])
            world.units.group[slot] = spawn.group
            world.units.facing[slot] = world.units.head[slot] = spawn.facing
            world.units.asleep[slot] = spawn.asleep
            if spawn.name:
                world.names[unit] = spawn.name
            if spawn.route:
                world.routes_of[unit] = spawn.route
            if spawn.torch:
                world.lights.append(torch(-1 - unit, unit, spawn.x, spawn.y))
    else:
        _scatter(world, extra_units)
    if level.properties.get("static", False):
        classes = np.unique(world.units.movement_class[: world.units.count]).tolist() or [int(MovementClass.WALK)]
        world.paths.engines.make_static(terrain, classes, progress)
    world.paths.queue.prepare(terrain, tree.paths)
    for movement_class in np.unique(world.units.movement_class[: world.units.count]).tolist():
        world.paths.engines.choose(terrain, tree.paths, movement_class)
    if world.units.count:
        _make_room(world)
        see(world)
        shine(world)
    return world


def add_unit(world: World, kind: int, side: int, x: float, y: float) -> int:
    """Put a unit of type row ``kind`` on the map; returns its slot."""
    u = world.units
    row = world.types[kind]
    slot = u.add()
    u.kind[slot] = kind
    u.side[slot] = side
    u.x[slot] = u.prev_x[slot] = u.goal_x[slot] = x
    u.y[slot] = u.prev_y[slot] = u.goal_y[slot] = y
    u.radius[slot] = row.radius
    u.hp[slot] = u.hp_max[slot] = row.hp
    u.weapon[slot] = next(i for i, w in enumerate(world.weapons) if w.name == row.weapon)
    u.movement_class[slot] = MovementClass[row.movement_class.upper()]
    u.turn_rate[slot] = row.turn_rate
    u.speed[slot] = row.walk
    u.pace[slot] = Pace.RUN if side == 0 else Pace.WALK
    u.fire_at_will[slot] = side != 0  # raiders hold their fire until they are shot at or ordered to fire
    return slot


def _scatter(world: World, count: int) -> None:
    """Place ``count`` soldiers on seeded walkable tiles, one a tile.

    ValueError when there are too few tiles.
    """
    kind = next(i for i, t in enumerate(world.types) if t.name == "soldier")
    open_tiles = np.flatnonzero(world.terrain.passable.reshape(-1) & 1)
    if count > len(open_tiles):
        raise ValueError(f"{world.level_name}: {count} units do not fit on {len(open_tiles)} walkable tiles")
    # A sparse Fisher-Yates: the first ``count`` places of a seeded permutation.
    moved: dict[int, int] = {}
    places = np.empty(count, np.int64)
    for i in range(count):
        j = i + below(len(open_tiles) - i, world.seed, Stream.SPAWN, 0, i)
        moved[i], moved[j] = moved.get(j, j), moved.get(i, i)
        places[i] = open_tiles[moved[i]]
    if count == 0:
        return
    # Neighbours on the map are neighbours in memory: kernels over a large crowd then seldom wait for it.
    y, x = np.divmod(places, world.terrain.width)
    along = np.lexsort((x, y // STRIP))
    y, x = y[along], x[along]
    # The first unit is created like any other; the others are copies of it.
    add_unit(world, kind, 0, float(x[0]) + 0.5, float(y[0]) + 0.5)
    world.units.add_copies(0, x + 0.5, y + 0.5)


def _make_room(world: World) -> None:
    """Allocate the memory for moving the units with the world.

    With a great crowd the first tick would wait for the system to provide it.
    """
    count = world.units.count
    world.steering.make_room(count, world.terrain.passable, world.terrain.revision)
    world.passages.follow_map(world.terrain)
    world.paths.reserve(count)
    if count > LARGE:
        world.paths.store.make_room(ROWS_A_UNIT * count)


def scatter_goals(world: World, draw: int = 0) -> tuple[list[int], list[float]]:
    """Return a seeded tile of its own component for every living unit.

    The results are ids, and x, y one after the other. Each ``draw`` gives other tiles.
    """
    u = world.units
    world.components.update(world.terrain)
    ids: list[int] = []
    points: list[float] = []
    members: dict[tuple[int, int], np.ndarray] = {}
    for slot in u.living().tolist():
        movement_class = int(u.movement_class[slot])
        label = world.components.label(movement_class, math.floor(u.y[slot]), math.floor(u.x[slot]))
        if (movement_class, label) not in members:
            members[movement_class, label] = np.flatnonzero(
                world.components.label_map(movement_class).reshape(-1) == label
            )
        tiles = members[movement_class, label]
        unit = int(u.id[slot])
        y, x = divmod(int(tiles[below(len(tiles), world.seed, Stream.SCRIPT, draw, unit)]), world.terrain.width)
        ids.append(unit)
        points += [x + 0.5, y + 0.5]
    return ids, points


def scatter_near(world: World, ids: list[int], within: float) -> list[float]:
    """Return a seeded nearby place for each of ``ids``.

    The result is x, y one after the other. A place is the middle of a tile at most ``within`` tiles away, other
    than the unit's own and not given to a lower id. The unit can walk to it without going farther away. Where no
    such tile exists, it is the unit's own place.
    """
    u, reach = world.units, math.ceil(within)
    taken: set[tuple[int, int]] = set()
    points: list[float] = []
    for unit in sorted(ids):
        slot = u.slot(unit)
        y, x = math.floor(u.y[slot]), math.floor(u.x[slot])
        y0, x0 = max(y - reach, 0), max(x - reach, 0)
        ground = world.terrain.passable[y0 : y + reach + 1, x0 : x + reach + 1] >> u.movement_class[slot] & 1
        ty, tx = np.ogrid[y0 : y0 + ground.shape[0], x0 : x0 + ground.shape[1]]
        ground = ground.astype(bool) & ((ty - y) ** 2 + (tx - x) ** 2 <= within**2)
        parts, _ = label(ground)
        here = parts[y - y0, x - x0]
        free = [
            (a + y0, b + x0)
            for a, b in np.argwhere((parts == here) & ground).tolist()
            if (a + y0, b + x0) not in taken and (a + y0, b + x0) != (y, x)
        ]
        if not free:
            points += [float(u.x[slot]), float(u.y[slot])]
            continue
        place = free[below(len(free), world.seed, Stream.SCRIPT, world.tick, unit, 1)]
        taken.add(place)
        points += [place[1] + 0.5, place[0] + 0.5]
    return points


def _low_walls(level: Level) -> np.ndarray:
    """Return heights of things that hide crouching units; empty without any."""
    boxes = [
        (p.x - p.width / 2, p.y - p.height / 2, p.x + p.width / 2, p.y + p.height / 2)
        for p in level.props
        if p.kind in LOW_THINGS
    ]
    return low_walls(level.height, level.width, boxes) if boxes else np.zeros((0, 0), np.uint8)


def _kind_of(spawn: Spawn, level: Level, known: list[str]) -> int:
    """Return the number of a spawn's unit type; LevelError when there is none."""
    if spawn.kind in known:
        return known.index(spawn.kind)
    cure = perhaps(spawn.kind, known, f"use one of {', '.join(known)}")
    wrong = f"unit kind {quoted(spawn.kind)} is not in assets/data/units.toml"
    x, y = int(spawn.x), int(spawn.y)
    raise LevelError(level.path, f"object {spawn.id} (tile {x},{y})", wrong, cure, (x, y), spawn.id)


def refuse_unknown(level: Level) -> None:
    """Raise the error of a world about an unknown unit type or zone."""
    known = [t.name for t in load_types()[0]]
    for spawn in level.spawns:
        _kind_of(spawn, level, known)
    _scenes(level)


def _scenes(level: Level) -> Scenes:
    """Return the zones of a level with their scripts.

    ValueError names file, object, fault and remedy.
    """
    if not level.zones:
        return Scenes()
    scripts, out = load_scenes(), Scenes()
    height, width = level.passable.shape

    def passable(x: float, y: float) -> bool:
        return bool(0 <= x < width and 0 <= y < height and level.passable[int(y), int(x)] & 1)

    for zone in sorted(level.zones, key=lambda z: z.id):
        place = f"{level.path}: object {zone.id} (zone {zone.name!r})"
        if zone.scene not in scripts:
            known = ", ".join(scripts)
            wrong = f"scene {quoted(zone.scene)} is not in assets/data/scenes.toml"
            cure = perhaps(zone.scene, scripts, f"use one of {known}")
            raise LevelError(level.path, f"object {zone.id} (zone {quoted(zone.name)})", wrong, cure, thing=zone.id)
        x, y = Region(zone.name, zone.points).centre
        seat = unwalkable(scripts[zone.scene], x, y, passable)
        if seat:
            raise ValueError(f"{place}: {seat} cannot be walked; move the zone or the seat")
        if not any(_takes_part(zone, spawn) for spawn in level.spawns):
            raise ValueError(f"{place}: no spawn can take part; place a guard, or correct its cast")
        own = zone.every, zone.rounds
        out.zones.append(Zone(zone.id, zone.name, zone.scene, x, y, zone.points, zone.reach, zone.cast, *own))
        out.give(out.zones[-1], scripts[zone.scene])
    return out


def _takes_part(zone: LevelZone, spawn: Spawn) -> bool:
    return not zone.cast or spawn.name in zone.cast or spawn.route in zone.cast


def _mission(level: Level) -> Mission:
    objectives = [
        Objective(o.id, o.name, o.kind, o.text, o.target, o.region, o.optional)
        for o in sorted(level.objectives, key=lambda o: o.id)
    ]
    triggers = [
        Trigger(t.id, t.name, t.on, t.source, t.does, t.target, t.text, t.delay, t.once, t.side, t.intent)
        for t in level.triggers
    ]
    return Mission("running" if objectives else "sandbox", objectives, triggers)
