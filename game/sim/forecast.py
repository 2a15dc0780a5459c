"""Forecast of undisturbed watchers: a copy of the world without enemies, run ahead.

The copy is the world itself, so its watchers keep to their routes by the very code that moves them now. Their
view on the way is computed by the kernel of their eyes. It is worked out in slices for the window; the world
never knows of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.core.scheduling.periods import is_due
from ai.core.serialization import restore
from game.sim.tick import SpreadTick
from game.world.mind_kinds import minds_that
from game.world.mission_state import Mission
from game.world.units import Stance
from game.world.world import World

HORIZON = 200
"""Ticks that are foretold: ten seconds."""
EVERY = 4
"""Ticks between two samples."""
MOST_UNITS, MOST_WATCHERS = 400, 64
"""Larger worlds are not foretold."""
_DRIFT, _TURN = 0.75, 0.6
"""Tiles and radians of deviation from the forecast that count as a disturbance."""


@dataclass(frozen=True)
class Sample:
    """Sample of the watchers at a tick, with the map and light they see.

    A row each in the order of :attr:`Forecast.watchers`.
    """

    tick: int
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    head: NDArray[np.float64]
    mood: NDArray[np.uint8]
    asleep: NDArray[np.uint8]
    opaque: NDArray[np.uint8]
    cover: NDArray[np.uint8]
    light: NDArray[np.uint8]


@dataclass(frozen=True)
class Foreseen:
    """Future sighting: watcher id, seconds until it, position, and seconds to identify."""

    watcher: int
    after: float
    x: float
    y: float
    seconds: float


def can_foretell(world: World, side: int) -> bool:
    """Return true if the world is small enough and has watchers of another side."""
    return world.units.count <= MOST_UNITS and 0 < len(_watchers(world, side)) <= MOST_WATCHERS


def _watchers(world: World, side: int) -> NDArray[np.int64]:
    u = world.units
    live = u.living()
    guards = minds_that(world.types, "watches")
    return live[(u.side[live] != side) & guards[u.kind[live]]]


class Forecast:
    """The watchers of other sides than ``side`` from a tick of ``world`` on."""

    def __init__(self, world: World, side: int) -> None:
        self.side, self.begun = side, int(world.tick)
        self.watchers = _watchers(world, side)
        copy = restore(world.snapshot())
        assert isinstance(copy, World)
        u = copy.units
        others = np.flatnonzero((u.side[: u.count] == side) & (u.alive[: u.count] == 1))
        u.alive[others] = 0
        u.hidden[others] = 1  # removed, without bodies to find
        copy.mission = Mission()
        copy.pending.clear()
        self._copy = copy
        self._spread = SpreadTick()
        self.samples: list[Sample] = []
        self._note(world)

    @property
    def last(self) -> int:
        """Tick up to which it is known."""
        return self.samples[-1].tick

    def advance(self, until: int, time_is_up: Callable[[], bool]) -> None:
        """Run the copy on towards a tick within the time; at least one stage."""
        while self._copy.tick < until or not self._spread.whole:
            if self._spread.advance(self._copy, time_is_up) and is_due(self._copy.tick, EVERY):
                self._note(self._copy)
            if time_is_up():
                return

    def forget_before(self, tick: int) -> None:
        """Drop what lies behind, but for the sample that holds now."""
        while len(self.samples) > 1 and self.samples[1].tick <= tick:
            self.samples.pop(0)

    def holds(self, world: World, seen: Collection[int] | None = None) -> bool:
        """Return true if events matched the forecast so far.

        It compares all watchers, or those ``seen`` alone.
        """
        sample = next((s for s in self.samples if s.tick == world.tick), None)
        if sample is None:
            return self.samples[0].tick <= world.tick <= self.last + EVERY
        u, told = world.units, np.ones(len(self.watchers), bool)
        if seen is not None:
            told = np.isin(u.id[self.watchers], list(seen))
        if not told.any():
            return True
        w = self.watchers[told]
        if not u.alive[w].all() or (u.asleep[w] != sample.asleep[told]).any():
            return False
        apart = np.hypot(u.x[w] - sample.x[told], u.y[w] - sample.y[told])
        turned = np.abs(np.remainder(u.head[w] - sample.head[told] + np.pi, 2 * np.pi) - np.pi)
        return bool((apart <= _DRIFT).all() and (turned <= _TURN).mean() > 0.7)

    def seen(
        self, x: float, y: float, now: int, stance: int = Stance.STAND, moving: float = 0.0, within: int = HORIZON
    ) -> list[Foreseen]:
        """Return watchers that will see a unit at (x, y), the first ahead.

        Within so many ticks of ``now``.
        """
        found: dict[int, Foreseen] = {}
        for sample in self.samples:
            if now <= sample.tick <= now + within:
                for k in range(len(self.watchers)):
                    unit = int(self._copy.units.id[self.watchers[k]])
                    if unit in found:
                        continue
                    seconds = self._seconds(sample, k, x, y, stance, moving)
                    if math.isfinite(seconds):
                        after = (sample.tick - now) / 20.0
                        found[unit] = Foreseen(unit, after, float(sample.x[k]), float(sample.y[k]), seconds)
        return sorted(found.values(), key=lambda f: (f.after, f.watcher))

    def _seconds(self, sample: Sample, k: int, x: float, y: float, stance: int, moving: float) -> float:
        """Return seconds for watcher ``k`` to identify the unit at that time.

        Infinite where it would not see it.
        """
        kind = self._copy.types[int(self._copy.units.kind[self.watchers[k]])]
        far = kind.cone_range * 1.2 + 1.0
        dx, dy = x - sample.x[k], y - sample.y[k]
        if sample.asleep[k] or dx * dx + dy * dy > far * far:
            return math.inf
        ty, tx = int(y), int(x)
        _y0, x0, seconds = self._copy.vision.seconds_to_identify(
            sample.opaque, sample.cover, float(sample.x[k]), float(sample.y[k]), float(sample.head[k]),
            float(kind.cone_range), float(kind.cone_half_angle), int(stance), moving=moving,
            alert=int(sample.mood[k]), light=sample.light, low=self._copy.low, rows=(ty, ty + 1),
        )  # fmt: skip
        inside = seconds.shape[0] > 0 and 0 <= tx - x0 < seconds.shape[1]
        return float(seconds[0, tx - x0]) if inside else math.inf

    def _note(self, world: World) -> None:
        u, w, terrain = world.units, self.watchers, world.terrain
        before = self.samples[-1] if self.samples else None

        def kept(now: NDArray[np.uint8], then: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
            return then if then is not None and np.array_equal(now, then) else now.copy()

        self.samples.append(
            Sample(
                int(world.tick), u.x[w].copy(), u.y[w].copy(), u.head[w].copy(), u.mood[w].copy(), u.asleep[w].copy(),
                kept(terrain.opaque, before.opaque if before else None),
                kept(terrain.cover, before.cover if before else None),
                kept(world.light.level, before.light if before else None),
            )
        )  # fmt: skip
