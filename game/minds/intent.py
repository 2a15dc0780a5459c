"""Intents: columns a mind writes for its own unit; later stages execute them."""

from __future__ import annotations

import math

from game.world.units import Event
from game.world.world import World


def go_to(world: World, slot: int, x: float, y: float, pace: int | None = None) -> None:
    """Walk to (x, y): requests a path in this tick's plan stage.

    The goal may be any tile; an unreachable one is replaced by the nearest reachable tile there.
    """
    u = world.units
    u.goal_x[slot], u.goal_y[slot] = x, y
    u.path_request[slot] = 1
    u.moving[slot] = 1
    u.holding[slot] = 0
    u.stuck[slot] = 0
    u.turn_to[slot] = math.nan
    if pace is not None:
        u.pace[slot] = pace


def halt(world: World, slot: int) -> None:
    """Stop where it stands and forget the path."""
    u = world.units
    u.moving[slot] = 0
    u.path_request[slot] = 0
    u.stuck[slot] = 0
    world.paths_to_cancel.append(int(u.id[slot]))


def turn(world: World, slot: int, angle: float) -> None:
    """Turn body and head toward ``angle`` while standing."""
    world.units.turn_to[slot] = angle
    world.units.head[slot] = angle


def look(world: World, slot: int, angle: float) -> None:
    """Turn only the head."""
    world.units.head[slot] = angle


def aim(world: World, slot: int, target: int) -> None:
    """Shoot at unit ``target`` once the weapon is ready and the line clear.

    -1 stops.
    """
    world.units.target[slot] = target


def set_timer(world: World, slot: int, ticks: int) -> None:
    """Raise the TIMER event in ``ticks`` ticks."""
    world.units.timer[slot] = world.tick + ticks


def wake(world: World, slot: int, why: Event) -> None:
    """Raise an event bit on a unit's mind."""
    world.units.event[slot] |= int(why)
