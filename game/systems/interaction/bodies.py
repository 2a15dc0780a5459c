"""Bodies: how one falls, is dragged along, is laid down and is hidden."""

from __future__ import annotations

import math

from game.systems.body.acts import begin_act
from game.systems.interaction.hand_work import drop
from game.systems.stealth.stimulus_sources import fallen
from game.world.places import Prop
from game.world.units import Act
from game.world.world import World

DIE_TICKS = 16
BEHIND = 0.65
"""Tiles behind the back of a dragging unit at which the body lies."""


def kill(world: World, slot: int) -> None:
    """Kill a unit: it stops and drops what it carries."""
    u = world.units
    u.hp[slot] = 0
    u.alive[slot] = 0
    u.moving[slot] = 0
    u.path_request[slot] = 0
    u.vx[slot] = u.vy[slot] = 0.0
    u.target[slot] = -1
    u.meter[slot] = 0.0
    u.meter_target[slot] = -1
    world.paths_to_cancel.append(int(u.id[slot]))
    world.queues.pop(int(u.id[slot]), None)
    world.tactics.asides.pop(int(u.id[slot]), None)
    if u.carrying[slot] >= 0 or u.dragging[slot] >= 0:
        drop(world, slot)
    fallen(world, slot)
    begin_act(world, slot, Act.DIE, DIE_TICKS)
    u.target[: u.count][u.target[: u.count] == u.id[slot]] = -1


def lift_body(world: World, slot: int, body: int) -> None:
    """Take a body by the shoulders."""
    world.units.dragging[slot] = body
    world.happen("dragged", int(world.units.id[slot]), body)


def hide_body(world: World, slot: int, where: Prop) -> None:
    """Hide the body that a unit drags."""
    u = world.units
    body = int(u.dragging[slot])
    other = u.slot(body)
    u.dragging[slot] = -1
    u.hidden[other] = 1
    u.x[other] = u.prev_x[other] = where.x
    u.y[other] = u.prev_y[other] = where.y
    world.happen("hidden", int(u.id[slot]), body, where.kind)


def drag_along(world: World) -> None:
    """Move dragged bodies behind their units."""
    u, n = world.units, world.units.count
    for slot in (u.dragging[:n] >= 0).nonzero()[0].tolist():
        other = u.slot(int(u.dragging[slot]))
        x = float(u.x[slot]) - BEHIND * math.cos(float(u.facing[slot]))
        y = float(u.y[slot]) - BEHIND * math.sin(float(u.facing[slot]))
        if not _open(world, x, y):
            x, y = float(u.x[slot]), float(u.y[slot])
        u.x[other], u.y[other] = x, y
        u.facing[other] = u.facing[slot]


def _open(world: World, x: float, y: float) -> bool:
    height, width = world.terrain.passable.shape
    return 0 <= x < width and 0 <= y < height and bool(world.terrain.passable[int(y), int(x)] & 1)
