"""People choose the other gate: routes that cost time, from a congestion map published every few ticks.

The map and the choice are ai.paths.congestion; here they meet the world.  A unit with a new order takes the fastest way
at once, one that is under way changes only when another has been better for a while.  A counted number is asked a tick,
in one call, while a budget of expansions lasts.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from ai.paths.congestion import CongestionMap, Crowding
from ai.paths.fastest_ways import FastestWays
from ai.paths.requests import Phase, among
from ai.paths.way_costs import smooth, way_costs
from ai.scheduling.periods import whose_turn
from ai.state import record
from game.world.world import World

PHASES = (Phase.WAITING, Phase.OPEN, Phase.READY, Phase.PARTIAL, Phase.FLOWING, Phase.LEGS)


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@record
class CrowdingSettings:
    """Numbers of the choice between ways; times in ticks.

    Off unless a level asks for it: it pays where two ways are about as long and one is full (exhibit two_gates).
    Elsewhere the searches by time find the way that is walked already, and each is dearer than the one that found it:
    among ten thousand on 1024 x 1024 tiles the plan stage takes 47 ms of processor time in place of 11.
    """

    on: bool = field(
        default=False,
        metadata={"doc": "ways avoid crowds; pays where ways are about as long, up to 40 ms a tick among ten thousand"},
    )
    weight: float = _number(3.0, "tiles that a tile of way through one body a square tile costs more", 0.0, 100.0)
    replan: int = _number(20, "ticks between two looks of a unit at other ways", 1, 10_000)
    per_tick: int = _number(16, "units that look for another way in a tick", 0, 10_000)
    margin: float = _number(0.15, "share by which another way must be better", 0.0, 0.9)
    hold: int = _number(20, "ticks for which it must have been better", 0, 10_000)
    effort: int = _number(40_000, "expansions of one search", 1, 10_000_000)
    budget: int = _number(60_000, "expansions of all searches of a tick, the last one ends its own", 1, 100_000_000)


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
    if crowd.map.tick < 0 or world.turns.due("congestion", world.tick):
        mass = (u.radius[:n] / 0.3) ** 2
        crowd.map.publish(u.id[:n], u.alive[:n], u.x[:n], u.y[:n], u.vx[:n], u.vy[:n], mass, world.tick)
    if settings.weight <= 0.0 or world.paths.requests.capacity < n:
        return
    r, store = world.paths.requests, world.paths.store
    able = (u.alive[:n] == 1) & (u.moving[:n] == 1) & among(r.phase[:n], PHASES) & (store.path_len[:n] > 0)
    fresh = able & (world.tick - r.asked[:n] <= 1)
    due = able & whose_turn(world.tick, u.id[:n], settings.replan)
    # As many as fit by what their searches cost of late into the tick's expansions; the others stay in line.
    line = world.turns.ways
    line.budget = settings.budget
    new = np.sort(u.id[:n][fresh]).tolist()
    line.tasks = new + [i for i in line.tasks if able[u.slot(i)] and i not in new]
    waiting = set(line.tasks)
    line.tasks += [i for i in np.sort(u.id[:n][due]).tolist() if i not in waiting]
    served = line.due(again=False)
    served, line.tasks = served[: settings.per_tick], served[settings.per_tick :] + line.tasks
    if served:
        slots = u.slots(served)
        _choose(world, crowd, slots, fresh[slots])


def _choose(world: World, crowd: Crowding, slots: np.ndarray, fresh: np.ndarray) -> None:
    """Units compare the ways they are on with the fastest ones, as many as the tick's budget of expansions allows; who
    has no turn left looks again when it is due."""
    u, t, r, settings, store = (
        world.units,
        world.terrain,
        world.paths.requests,
        world.settings.crowding,
        world.paths.store,
    )
    if crowd.scratch is None:
        crowd.scratch = FastestWays(t.passable.size)
    speeds = np.maximum(u.speed[slots], 0.5)
    starts = np.column_stack([np.floor(u.y[slots]), np.floor(u.x[slots])]).astype(np.int32)
    found = crowd.scratch.find(
        crowd.map, t, u.klass[slots], speeds, starts, r.goal[slots], settings.weight, settings.effort, settings.budget
    )
    for unit, work in zip(u.id[slots].tolist(), found.spent.tolist(), strict=True):
        world.turns.ways.spent(unit, work)
    rows = np.flatnonzero(np.diff(found.offsets) >= 2)
    slots, fresh, speeds = slots[rows], fresh[rows], speeds[rows]
    if not len(slots):
        return
    on_way = (store.final[slots] == 1) & (r.phase[slots] == Phase.READY)
    ways = [np.vstack([[u.y[slot], u.x[slot]], store.waypoints(slot)[:, :2] + 0.5]) for slot in slots[on_way].tolist()]
    now = np.full(len(slots), np.inf)
    now[on_way] = way_costs(crowd.map, t, u.klass[slots[on_way]], speeds[on_way], ways, settings.weight)
    takes = fresh.copy()
    takes[~fresh] = crowd.decides(
        slots[~fresh], now[~fresh], found.costs[rows[~fresh]], world.tick, settings.margin, settings.hold
    )
    new = [found.way(row) for row in rows[takes].tolist()]
    corners = smooth(crowd.map, t, u.klass[slots[takes]], speeds[takes], new, settings.weight)
    for slot, way in zip(slots[takes].tolist(), corners, strict=True):
        world.paths.take_way(t, slot, way)
