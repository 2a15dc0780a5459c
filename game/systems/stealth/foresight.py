"""Foresight: guard sight and hearing shown to you, by the watchers' own code.

It is evaluated for places without a unit. Nothing here changes the world, and no mind may read it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.perception.awareness.eye_kernels import BODY_RADIUS
from game.systems.noise import paths_of_sound
from game.systems.stealth.stimulus_system import keenness, listeners
from game.world.units import Pace, Stance
from game.world.world import World


def seconds_around(
    world: World, watcher: int, stance: int = Stance.STAND, moving: float = 0.0, **eyes: float
) -> tuple[int, int, NDArray[np.float64]]:
    """Return the seconds in which ``watcher`` would identify a unit, per tile around it.

    The unit is in the middle of the tile. Returns ``(y0, x0, float64[h, w])``, infinite where the watcher would
    not see it. ``moving`` is its speed over that of a run; ``eyes`` may replace ``x, y, head, reach, half_angle``
    of the watcher. KeyError for an unknown unit.
    """
    u = world.units
    slot = u.slot(watcher)
    kind = world.types[int(u.kind[slot])]
    own = {"x": u.x[slot], "y": u.y[slot], "head": u.head[slot]}
    own |= {"reach": kind.cone_range, "half_angle": kind.cone_half_angle}
    own |= eyes
    return world.vision.seconds_to_identify(
        world.terrain.opaque, world.terrain.cover, float(own["x"]), float(own["y"]), float(own["head"]),
        float(own["reach"]), float(own["half_angle"]), int(stance), moving=moving, alert=int(u.mood[slot]),
        light=world.light.level, low=world.low,
    )  # fmt: skip


@dataclass(frozen=True)
class SeenBy:
    """Watcher that would see a place: unit id and seconds to identify."""

    watcher: int
    seconds: float


def seen_by(
    world: World, side: int, x: float, y: float, stance: int = Stance.STAND, moving: float = 0.0
) -> list[SeenBy]:
    """Return enemy watchers that would see a soldier of ``side`` at (x, y).

    The quickest comes first.
    """
    u = world.units
    found = []
    for slot in u.living().tolist():
        if u.side[slot] == side or u.asleep[slot]:
            continue
        far = world.types[int(u.kind[slot])].cone_range * 1.2 + 1
        if (u.x[slot] - x) ** 2 + (u.y[slot] - y) ** 2 > far * far:
            continue
        unit = int(u.id[slot])
        y0, x0, seconds = seconds_around(world, unit, stance, moving)
        row, column = int(y) - y0, int(x) - x0
        if 0 <= row < seconds.shape[0] and 0 <= column < seconds.shape[1] and np.isfinite(seconds[row, column]):
            found.append(SeenBy(unit, float(seconds[row, column])))
    return sorted(found, key=lambda s: (s.seconds, s.watcher))


def lightness(world: World, x: float, y: float) -> float:
    """Return light 0..1 of a body's best lit part at (x, y)."""
    return world.light.at(x, y, world.terrain.opaque, BODY_RADIUS) / 255.0


@dataclass(frozen=True)
class HeardBy:
    """Listener that would hear a sound: unit id and the sound's path in tiles."""

    listener: int
    path: float


def heard_by(world: World, side: int, x: float, y: float, radius: float) -> list[HeardBy]:
    """Return enemy listeners of a sound of ``radius`` tiles at (x, y).

    The nearest comes first.
    """
    u = world.units
    slots = listeners(world)
    slots = slots[u.side[slots] != side]
    if not len(slots):
        return []
    paths = paths_of_sound(world, x, y, u.x[slots], u.y[slots])
    reached = paths <= radius * keenness(world, slots)
    found = [HeardBy(int(u.id[s]), float(w)) for s, w in zip(slots[reached], paths[reached], strict=True)]
    return sorted(found, key=lambda h: (h.path, h.listener))


def step_radius(world: World, unit: int, x: float, y: float, stance: int, pace: int) -> float:
    """Return tiles at which an unaware guard would hear a unit's steps.

    The unit is in the tile of (x, y) and moves in the given manner.
    """
    kind = world.types[int(world.units.kind[world.units.slot(unit)])]
    speed = {Stance.CROUCH: kind.crouch, Stance.PRONE: kind.prone}.get(
        Stance(min(stance, 2)), kind.run if pace == Pace.RUN else kind.walk
    )
    height, width = world.terrain.passable.shape
    ty, tx = min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)
    ground = float(world.loudness[ty, tx]) / 8.0 if world.loudness.size else 1.0
    by_stance = (1.0, world.settings.noise.crouch, world.settings.noise.prone)[min(stance, 2)]
    return float(world.ears.noise_of(np.array([speed]), np.array([ground * by_stance * kind.noise]))[0])
