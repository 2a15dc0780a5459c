"""Watcher intel of your side: last seen enemy watchers, and tiles they look at.

Only sightings by the side's own eyes (its fog of war) count. A watcher out of sight stays for a while at its last
place, as a ghost. It is removed when that place is in sight and empty. From these the exposure map is computed, a
few rows a tick, and published whole.

Sources: AI for Games, 6.2 (knowledge by side under the fog); Game AI Pro 2, 34.2 (exposure map).
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.perception.awareness.exposure_map import exposure_map
from game.world.mind_kinds import minds_that
from game.world.stealth.side_records import SideSightings, Sighting
from game.world.units import Side
from game.world.world import World

KEPT = 400
"""Ticks for which a watcher out of sight keeps its last place."""
WANDER = 0.75
"""Radians that a guard's head may turn to either side on post.

A hiding unit takes this range into account.
"""
MOST_TILES = 1 << 18
"""Tiles of a map above which no side keeps such a chart."""
MOST_WATCHERS = 64
LOOK_EVERY = 4


def sightings_of(world: World, side: int) -> SideSightings | None:
    """Return a side's sightings, None when it keeps none."""
    return next((s for s in world.sightings if s.side == side), None)


def look_out(world: World) -> None:
    """Note visible watchers for your side and advance its exposure map, once a tick."""
    u, n = world.units, world.units.count
    height, width = world.terrain.passable.shape
    if not n or height * width > MOST_TILES:
        return
    side = int(Side.RAIDERS)
    known = sightings_of(world, side)
    if is_due(world.tick, LOOK_EVERY, 1) or known is None:
        watches = minds_that(world.types, "watches")[u.kind[:n]] & (u.side[:n] != side)
        if known is None:
            if not watches.any() or not (u.side[:n] == side).any():
                return
            known = SideSightings(side, exposure_map(height, width))
            world.sightings.append(known)
        _note(world, known, np.flatnonzero(watches))
    known.chart.update(
        world.vision, world.terrain.opaque, world.terrain.cover, _eyes(world, known),
        world.settings.rules.exposure_rows, world.light.level, world.low,
    )  # fmt: skip


def _note(world: World, known: SideSightings, slots: np.ndarray) -> None:
    u = world.units
    seen = world.sight.sees_positions(known.side, u.x[slots], u.y[slots])
    for slot in slots[seen].tolist():
        unit = int(u.id[slot])
        if u.alive[slot] and not u.asleep[slot]:
            known.about[unit] = Sighting(unit, float(u.x[slot]), float(u.y[slot]), float(u.facing[slot]), world.tick)
        else:
            known.about.pop(unit, None)
    for unit, last in list(known.about.items()):
        gone = world.tick - last.tick > KEPT
        if last.tick < world.tick and (gone or world.sight.sees(known.side, int(last.y), int(last.x))):
            del known.about[unit]


def _eyes(world: World, known: SideSightings) -> np.ndarray:
    """Return known watchers, ``float64[n, 6]``: x, y, facing, reach, half angle, alertness.

    The half angle includes the turning of the head.
    """
    u = world.units
    rows = []
    for unit in sorted(known.about)[:MOST_WATCHERS]:
        last = known.about[unit]
        slot = u.slot(unit)
        kind = world.types[int(u.kind[slot])]
        mood = int(u.mood[slot]) if last.tick >= world.tick - LOOK_EVERY else 0
        rows.append((last.x, last.y, last.facing, kind.cone_range, min(math.pi, kind.cone_half_angle + WANDER), mood))
    return np.array(rows, np.float64).reshape(-1, 6)
