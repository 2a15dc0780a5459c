"""The order to sneak: a way past the eyes that one's own side knows of, handed on as points of an ordinary march.

Source: Game AI Pro 2, ch. 1 (1.5.1) and ch. 34 (34.2); see ai.tactics.unseen.
"""

from __future__ import annotations

import math

import numpy as np

from ai.tactics.unseen import turning_points, unseen_path
from game.world.foresight import seconds_around
from game.world.orders import Order, OrderKind
from game.world.units import Stance
from game.world.world import World

WANDER = 0.75
"""Radians that a watcher's head may turn to either side while it stands guard."""
CAP = 60_000
"""Revolutions that one way may cost."""


def exposure_for(world: World, side: int, stance: int = Stance.STAND) -> np.ndarray:
    """``uint8[H, W]``: how many watchers of other sides, of those that ``side`` sees now, would see somebody there."""
    u = world.units
    out = np.zeros(world.terrain.passable.shape, np.uint8)
    for slot in u.living().tolist():
        if u.side[slot] == side or u.asleep[slot]:
            continue
        if world.types[int(u.kind[slot])].mind != "guard" or not world.sight.sees(side, int(u.y[slot]), int(u.x[slot])):
            continue
        # Eyes wander: who sneaks counts on a wider look than the one at this moment.
        half_angle = min(math.pi, world.types[int(u.kind[slot])].cone_half_angle + WANDER)
        y0, x0, seconds = seconds_around(world, int(u.id[slot]), stance, half_angle=half_angle)
        out[y0 : y0 + seconds.shape[0], x0 : x0 + seconds.shape[1]] += np.isfinite(seconds)
    return out


def sneak(world: World, slots: np.ndarray, order: Order) -> list[Order]:
    """The marches that carry out an order to sneak, for each unit one after the other; a plain move without a way."""
    u = world.units
    weight = world.settings.rules.sneak_weight
    made: list[Order] = []
    height, width = world.terrain.passable.shape
    goal = min(max(int(order.y), 0), height - 1), min(max(int(order.x), 0), width - 1)
    exposures: dict[int, np.ndarray] = {}
    for slot in slots.tolist():
        unit, stance = int(u.id[slot]), int(u.stance[slot])
        if stance not in exposures:
            exposures[stance] = exposure_for(world, order.side, stance)
        start = int(u.y[slot]), int(u.x[slot])
        klass = int(u.klass[slot])
        found = None
        if world.components.reachable(klass, *start, *goal):
            found = unseen_path(world.terrain, exposures[stance], weight, klass, start, goal, CAP)
        points = turning_points(found.tiles) if found is not None else np.array([goal], np.int32)
        if not len(points):
            points = np.array([goal], np.int32)
        world.recording.setdefault("sneaks", {})[unit] = None if found is None else found.tiles
        for k, (y, x) in enumerate(points.tolist()):
            made.append(Order(int(OrderKind.MOVE), order.side, (unit,), x + 0.5, y + 0.5, queued=k > 0 or order.queued))
    return made
