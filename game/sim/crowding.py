"""People choose the other gate: routes that cost time, from a congestion map published every few ticks.

The map and the choice are ai.paths.congestion; here they meet the world.  A unit with a new order takes the fastest way
at once, one that is under way changes only when another has been better for a while; a counted number is asked a tick.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from ai.paths.congestion import CongestionMap, Crowding, fastest_way, smooth, way_cost
from ai.paths.requests import Phase
from ai.scheduling.periods import is_due
from ai.state import record
from game.world.world import World

PHASES = (Phase.WAITING, Phase.OPEN, Phase.READY, Phase.PARTIAL, Phase.FLOWING)
LONGEST = 4096
"""Tiles of the longest way that is laid."""


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@record
class CrowdingSettings:
    """Numbers of the choice between ways; times in ticks."""

    on: bool = field(default=False, metadata={"doc": "ways avoid crowds that stand or come the other way"})
    weight: float = _number(3.0, "tiles that a tile of way through one body a square tile costs more", 0.0, 100.0)
    period: int = _number(7, "ticks between two congestion maps", 1, 1000)
    replan: int = _number(20, "ticks between two looks of a unit at other ways", 1, 10_000)
    per_tick: int = _number(16, "units that look for another way in a tick", 0, 10_000)
    margin: float = _number(0.15, "share by which another way must be better", 0.0, 0.9)
    hold: int = _number(20, "ticks for which it must have been better", 0, 10_000)
    effort: int = _number(40_000, "expansions of one search", 1, 10_000_000)


def run(world: World) -> None:
    """Publish the map when it is due, let units choose."""
    settings = world.settings.crowding
    if not settings.on:
        return
    u, n = world.units, world.units.count
    if world.crowding is None:
        world.crowding = Crowding(CongestionMap.blank(world.terrain.height, world.terrain.width))
    crowd: Crowding = world.crowding
    crowd.reserve(u.capacity)
    if crowd.map.tick < 0 or is_due(world.tick, settings.period):
        mass = (u.radius[:n] / 0.3) ** 2
        crowd.map.publish(u.id[:n], u.alive[:n], u.x[:n], u.y[:n], u.vx[:n], u.vy[:n], mass, world.tick)
    if settings.weight <= 0.0 or world.paths.requests.capacity < n:
        return
    r, store = world.paths.requests, world.paths.store
    able = (u.alive[:n] == 1) & (u.moving[:n] == 1) & np.isin(r.phase[:n], PHASES) & (store.path_len[:n] > 0)
    fresh = able & (world.tick - r.asked[:n] <= 1)
    due = able & ((world.tick + u.id[:n]) % settings.replan == 0)
    slots = np.flatnonzero(fresh | due)
    slots = slots[np.lexsort((u.id[slots], ~fresh[slots]))][: settings.per_tick]
    for slot in slots.tolist():
        _choose(world, crowd, slot, bool(fresh[slot]))


def _choose(world: World, crowd: Crowding, slot: int, fresh: bool) -> None:
    """One unit compares the way it is on with the fastest one."""
    u, t, r, settings = world.units, world.terrain, world.paths.requests, world.settings.crowding
    bit, field_map = 1 << int(u.klass[slot]), crowd.map
    y, x = int(u.y[slot]), int(u.x[slot])
    gy, gx = int(r.goal[slot, 0]), int(r.goal[slot, 1])
    speed = max(float(u.speed[slot]), 0.5)
    tiles, total = np.zeros((LONGEST, 2), np.int32), np.zeros(1)
    count = fastest_way(
        t.passable, t.cost, bit, field_map.density, field_map.vx, field_map.vy, settings.weight, speed, y, x, gy, gx,
        settings.effort, tiles, total,
    )  # fmt: skip
    if count < 2:
        return
    store = world.paths.store
    now = np.inf
    if store.final[slot] and r.phase[slot] == Phase.READY:
        points = np.vstack([[float(u.y[slot]), float(u.x[slot])], store.waypoints(slot)[:, :2] + 0.5])
        now = way_cost(field_map, t.passable, t.cost, bit, points, settings.weight, speed)
    if fresh or crowd.decides(slot, now, float(total[0]), world.tick, settings.margin, settings.hold):
        way = smooth(field_map, t.passable, t.cost, bit, tiles[:count], settings.weight, speed)
        world.paths.take_way(t, slot, np.ascontiguousarray(way, np.int32))
