"""Terms of a watcher's look: the description, and the factors of its time.

They are read from the columns and tables that the eyes use, after the eyes have run, and go into the trace. No
mind reads them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.decision.decision_trace import PERCEPT
from ai.perception.awareness.eye_kernels import BODY_RADIUS
from game.world.units import Stance
from game.world.world import World

MOST = 32
"""Most looks noted in one tick."""
RUNNING = 0.5
"""Share of its running speed from which a unit counts as running."""
_POINTS_X, _POINTS_Y = BODY_RADIUS * np.array([[0, 1, -1, 0, 0], [0, 0, 0, 1, -1]], np.float64)[:, :, None]
"""The middle of a body and its four sides, off its place."""
_STANCES = ("standing", "crouching", "lying")
_COVER = ("", "in the crops", "among trees", "in the reeds")
_MOODS = ("calm", "alert", "searching")


@dataclass(frozen=True)
class Look:
    """Input of a watcher's eyes: ``distance`` in tiles, ``light`` and ``moving`` 0..1."""

    stance: int
    moving: float
    light: float
    cover: int
    distance: float
    mood: int

    @property
    def manner(self) -> str:
        """Stance, or that the unit runs."""
        stance = _STANCES[min(self.stance, 2)]
        return "running" if self.stance == Stance.STAND and self.moving >= RUNNING else stance

    @property
    def circumstances(self) -> tuple[str, ...]:
        """Return a description of manner, light and cover, without the distance."""
        lit = "lit" if self.light >= 0.6 else "half lit" if self.light >= 0.3 else "in the dark"
        cover = _COVER[min(self.cover, len(_COVER) - 1)]
        return (self.manner, lit, cover) if cover else (self.manner, lit)

    @property
    def words(self) -> str:
        """Return the cause, as ``standing, lit, 9 tiles``."""
        far = round(self.distance)
        return ", ".join((*self.circumstances, f"{far} tile{'' if far == 1 else 's'}"))


def look_at(world: World, watcher: int, target: int) -> Look:
    """Return the look of one watcher (slot) at one target (slot) now."""
    return looks_at(world, np.array([watcher]), np.array([target]))[0]


def looks_at(world: World, watchers: NDArray[np.int64], targets: NDArray[np.int64]) -> list[Look]:
    """Return :func:`look_at` for pairs of slots ``int64[n]``."""
    u = world.units
    x, y = u.x[targets], u.y[targets]
    height, width = world.terrain.cover.shape
    ty, tx = np.minimum(np.maximum(y, 0), height - 1), np.minimum(np.maximum(x, 0), width - 1)
    run = np.array([t.run for t in world.types])[u.kind[targets]]
    columns = (
        u.stance[targets],
        np.minimum(1.0, np.hypot(u.vx[targets], u.vy[targets]) / run),
        _light_on(world, x, y),
        world.terrain.cover[ty.astype(np.int64), tx.astype(np.int64)],
        np.hypot(x - u.x[watchers], y - u.y[watchers]),
        np.minimum(u.mood[watchers], 2),
    )
    return [Look(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _light_on(world: World, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the light on many bodies, 0 to 1.

    It is that of the best lit part of each body, as in :func:`game.systems.stealth.foresight.lightness`.
    """
    level, opaque = world.light.level, world.terrain.opaque
    height, width = level.shape
    ty, tx = np.floor(y + _POINTS_Y).astype(np.int64), np.floor(x + _POINTS_X).astype(np.int64)
    inside = (ty >= 0) & (ty < height) & (tx >= 0) & (tx < width)
    tiles = np.where(inside, ty * width + tx, 0)
    inside[1:] &= opaque.take(tiles[1:]) == 0
    best: NDArray[np.float64] = (level.take(tiles) * inside).max(axis=0) / 255.0
    return best


def terms_of(world: World, look: Look, seconds: float) -> tuple[tuple[str, float], ...]:
    """Return the factors of the identification time.

    The first is the seconds for the distance alone, then each factor that is not 1. ``seconds`` is the result of
    the eyes. With nested zones light and motion are part of the certainty, so only stance and mood are factors.
    """
    v = world.settings.vision
    factors = []
    if v.shape != "zones":
        if look.moving > 0:
            factors.append(("in motion", 1.0 + (v.run_factor - 1.0) * look.moving))
        if look.light < 1:
            factors.append(("the light there", 1.0 / (look.light + (1.0 - look.light) / v.dark_factor)))
    stance = (1.0, v.crouch_factor, v.prone_factor)[min(look.stance, 2)]
    factors.append((_STANCES[min(look.stance, 2)], stance))
    factors.append((f"{_MOODS[look.mood]} eyes", (1.0, v.alerted_factor, v.searching_factor)[look.mood]))
    base = seconds / math.prod(factor for _, factor in factors)
    kept = [(name, factor) for name, factor in factors if abs(factor - 1.0) > 0.005]
    return ((f"{look.distance:.0f} tiles off", base), *kept)


def tell_looks(world: World, before: np.ndarray) -> None:
    """Note in the trace why meters started, passed suspicion or filled this tick.

    ``before``: the meters of the tick before, ``float64[n]``.
    """
    if world.trace is None:
        return
    u, n = world.units, world.units.count
    mark = world.settings.vision.suspicious
    slots = np.flatnonzero(u.meter[:n] > before)
    was, after = before[slots], u.meter[slots]
    told = (was <= 0) | ((was < mark) & (after >= mark)) | (after >= 1.0)
    told &= (u.meter_target[slots] >= 0) & (u.seen_tick[slots] == world.tick)
    slots = slots[told][:MOST]
    if not len(slots):
        return
    targets, seconds = u.meter_target[slots], world.vision.seconds[slots].tolist()
    looks = looks_at(world, slots, u.slots(targets))
    rows = (column.tolist() for column in (u.id[slots], targets, before[slots], u.meter[slots]))
    for unit, target, low, high, look, time in zip(*rows, looks, seconds, strict=True):
        what = "identifies" if high >= 1.0 else "suspects" if low < mark <= high else "begins to notice"
        world.trace.add(
            world.tick, unit, PERCEPT, f"{what} {world.name_of(target)}", cause=look.words,
            considered=terms_of(world, look, time), since=world.tick,
            function="game.systems.stealth.look_terms.tell_looks",
        )  # fmt: skip
