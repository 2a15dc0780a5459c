"""Observation of an agent: planes, targets, its own columns, and the mask.

All of it comes from the side's memory and the unit's own columns, so what the side does not know cannot change it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.perception.settings import TICKS_PER_SECOND
from game.env.action_table import REACH, action_mask, nearby
from game.env.side_memory import FORGOTTEN, Seen, SideMemory
from game.world.orders import OrderKind
from game.world.units import Act
from game.world.world import World

SIZE = 2 * REACH + 1
"""Tiles along a side of a plane; the unit's tile is in the middle."""

PLANES = (
    "inside",  # the tile is on the map
    "explored",  # the side has seen it once
    "visible",  # the side sees it now
    "open",  # the unit can walk there, as last seen
    "opaque",  # it stops sight, as last seen
    "cover",  # low cover, as last seen
    "friends",  # living units of the side
    "enemies",  # living enemies in sight
    "remembered",  # enemies out of sight: 1 just lost, 0 forgotten
    "bodies",  # dead enemies, as last seen
    "danger",  # known watchers that would see a standing unit there, eighths
    "light",  # light at the last look
    "noise",  # loudness of a step there, if explored; 1 is three times that of a road
    "heard",  # sounds with a place that the side's units heard, fading in three seconds
    "things",  # props and doors, as last seen
    "goal",  # region or thing of the objective
)
"""Planes of an observation, float32[len(PLANES), SIZE, SIZE], each in 0..1."""

COLUMNS = (
    "x", "y", "vx", "vy", "facing_cos", "facing_sin", "head_cos", "head_sin", "hp", "armed", "cooldown", "standing",
    "crouching", "prone", "runs", "moving", "goal_dx", "goal_dy", "carrying", "dragging", "busy", "holds", "shot_at",
    "objective_dx", "objective_dy", "objectives_left", "time",
)  # fmt: skip
"""The unit's own columns, float32[len(COLUMNS)], each in -1..1.

Positions are shares of the map; differences are shares of 64 tiles.
"""

ORDER_KINDS = int(max(OrderKind)) + 1
TARGETS = 20
"""Rows of ``targets``: eight enemies, four bodies and eight things."""
TARGET_COLUMNS = ("there", "dx", "dy", "age")
FAR = 64.0
"""Tiles that count as 1 in differences of position."""
HEARD_TICKS = 3 * TICKS_PER_SECOND
LOUD = 24.0
"""Loudness of a step, in eighths, that counts as 1."""


def observe(world: World, memory: SideMemory, unit: int, limit: int) -> dict[str, NDArray[np.generic]]:
    """Return the observation of a unit of the memory's side.

    ``limit`` is the number of ticks at which the game is cut off. Keys: ``planes``, ``targets: float32[TARGETS, 4]``,
    ``own``, ``order: int8[ORDER_KINDS]`` (the order under way, one-hot), ``action_mask``.
    """
    order = np.zeros(ORDER_KINDS, np.int8)
    order[int(world.units.order[world.units.slot(unit)])] = 1
    return {
        "planes": _planes(world, memory, unit),
        "targets": _targets(world, memory, unit),
        "own": _own(world, memory, unit, limit),
        "order": order,
        "action_mask": action_mask(world, memory, unit),
    }


def goal_of(world: World, memory: SideMemory) -> tuple[float, float] | None:
    """Return the place of the current objective in tiles, None without one.

    Only the player's side has objectives. A thing that the side has not found yet has no place.
    """
    objective = world.mission.current() if memory.side == 0 else None
    if objective is None:
        return None
    prop = world.prop(objective.target)
    carried = prop is not None and prop.carrier >= 0 and _side_of(world, prop.carrier) == memory.side
    if prop is not None and not carried:
        at = memory.things.get(prop.id)
        return (at.x, at.y) if at is not None else None
    region = world.region(objective.region)
    return region.centre if region is not None else None


def _side_of(world: World, unit: int) -> int:
    return int(world.units.side[world.units.slot(unit)])


def _planes(world: World, memory: SideMemory, unit: int) -> NDArray[np.float32]:
    u, slot = world.units, world.units.slot(unit)
    top, left = math.floor(u.y[slot]) - REACH, math.floor(u.x[slot]) - REACH
    height, width = memory.explored.shape
    y0, x0, y1, x1 = max(top, 0), max(left, 0), min(top + SIZE, height), min(left + SIZE, width)
    out = np.zeros((len(PLANES), SIZE, SIZE), np.float32)
    there = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    here = (slice(y0, y1), slice(x0, x1))
    explored = memory.explored[here]
    layers = {
        "inside": np.ones(explored.shape),
        "explored": explored,
        "visible": memory.visible[here],
        "open": memory.passable[here] >> int(u.movement_class[slot]) & 1,
        "opaque": memory.opaque[here] != 0,
        "cover": memory.cover[here] != 0,
        "danger": np.minimum(memory.danger(world)[here] / 8.0, 1.0),
        "light": memory.light[here] / 255.0,
    }
    if world.loudness.size:
        layers["noise"] = np.minimum(world.loudness[here] / LOUD, 1.0) * explored
    for name, layer in layers.items():
        out[PLANES.index(name)][there] = layer
    friends = [s for s in u.living(memory.side).tolist() if s != slot]
    _mark(out, "friends", top, left, [(float(u.x[s]), float(u.y[s]), 1.0) for s in friends])
    in_sight = set(memory.in_sight)
    _mark(out, "enemies", top, left, [(memory.enemies[i].x, memory.enemies[i].y, 1.0) for i in memory.in_sight])
    lost = [
        (at.x, at.y, max(0.0, 1.0 - (world.tick - at.tick) / FORGOTTEN))
        for i, at in memory.enemies.items()
        if i not in in_sight
    ]
    _mark(out, "remembered", top, left, lost)
    _mark(out, "bodies", top, left, [(at.x, at.y, 1.0) for at in memory.bodies.values()])
    _mark(out, "things", top, left, [(at.x, at.y, 1.0) for at in memory.things.values()])
    _mark(out, "heard", top, left, _sounds(world, memory.side))
    goal = goal_of(world, memory)
    _mark(out, "goal", top, left, [(*goal, 1.0)] if goal is not None else [])
    return out


def _mark(out: NDArray[np.float32], plane: str, top: int, left: int, marks: list[tuple[float, float, float]]) -> None:
    """Write values at positions in tiles; the larger of two is kept."""
    layer = out[PLANES.index(plane)]
    for x, y, value in marks:
        row, column = math.floor(y) - top, math.floor(x) - left
        if 0 <= row < SIZE and 0 <= column < SIZE:
            layer[row, column] = max(layer[row, column], value)


def _sounds(world: World, side: int) -> list[tuple[float, float, float]]:
    """Return sounds that the side's units heard: x, y, and 1 now .. 0 forgotten."""
    ears = world.ears
    slots = world.units.living(side)
    slots = slots[slots < len(ears.heard_tick)]
    slots = slots[(ears.heard_tick[slots] >= 0) & (world.tick - ears.heard_tick[slots] < HEARD_TICKS)]
    return [
        (float(ears.heard_x[s]), float(ears.heard_y[s]), 1.0 - float(world.tick - ears.heard_tick[s]) / HEARD_TICKS)
        for s in slots.tolist()
    ]


def _targets(world: World, memory: SideMemory, unit: int) -> NDArray[np.float32]:
    slot = world.units.slot(unit)
    x, y = float(world.units.x[slot]), float(world.units.y[slot])
    out = np.zeros((TARGETS, len(TARGET_COLUMNS)), np.float32)
    near = nearby(world, memory, unit)
    rows: list[tuple[int, tuple[int, ...], dict[int, Seen]]] = [
        (0, near.enemies, memory.enemies),
        (8, near.bodies, memory.bodies),
        (12, near.things, memory.things),
    ]
    for first, ids, known in rows:
        for row, thing in enumerate(ids, first):
            at = known[thing]
            age = min(1.0, (world.tick - at.tick) / FORGOTTEN)
            out[row] = 1.0, _share(at.x - x), _share(at.y - y), age
    return out


def _share(tiles: float) -> float:
    return min(1.0, max(-1.0, tiles / FAR))


def _own(world: World, memory: SideMemory, unit: int, limit: int) -> NDArray[np.float32]:
    u, slot = world.units, world.units.slot(unit)
    x, y = float(u.x[slot]), float(u.y[slot])
    goal = goal_of(world, memory) or (x, y)
    left = [o for o in world.mission.objectives if not o.done and not o.optional] if memory.side == 0 else []
    moving = bool(u.moving[slot])
    values = {
        "x": x / world.terrain.width,
        "y": y / world.terrain.height,
        "vx": u.vx[slot] / 8.0,
        "vy": u.vy[slot] / 8.0,
        "facing_cos": math.cos(u.facing[slot]),
        "facing_sin": math.sin(u.facing[slot]),
        "head_cos": math.cos(u.head[slot]),
        "head_sin": math.sin(u.head[slot]),
        "hp": u.hp[slot] / max(1, int(u.hp_max[slot])),
        "armed": u.weapon[slot] != 0,
        "cooldown": min(1.0, u.cooldown[slot] / 40.0),
        "standing": u.stance[slot] == 0,
        "crouching": u.stance[slot] == 1,
        "prone": u.stance[slot] == 2,
        "runs": u.pace[slot] == 1,
        "moving": moving,
        "goal_dx": _share(float(u.goal_x[slot]) - x) if moving else 0.0,
        "goal_dy": _share(float(u.goal_y[slot]) - y) if moving else 0.0,
        "carrying": u.carrying[slot] >= 0,
        "dragging": u.dragging[slot] >= 0,
        "busy": u.action[slot] != int(Act.NONE),
        "holds": u.holding[slot] != 0,
        "shot_at": unit in world.last_hit_by,
        "objective_dx": _share(goal[0] - x),
        "objective_dy": _share(goal[1] - y),
        "objectives_left": min(1.0, len(left) / 8.0),
        "time": min(1.0, world.tick / max(1, limit)),
    }
    return np.clip(np.array([float(values[name]) for name in COLUMNS], np.float32), -1.0, 1.0)
