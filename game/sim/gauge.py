"""One number over a run that tells what a technique changes: tiles walked, seconds on the way, work done, and so on."""

from __future__ import annotations

import copy

import numpy as np

from game.sim.script import Measure
from game.world.world import World

WORDS: dict[str, tuple[str, str]] = {
    "walked": ("walked, on average", "tiles"),
    "seconds": ("until the last one stood", "s"),
    "revolutions": ("searched", "revolutions"),
    "scrapes": ("in touch with walls and bodies", "s"),
    "noticed": ("until one was noticed", "s"),
}
"""What a measure counts and its unit."""

_TICKS_A_SECOND = 20
_SCRAPE = 0.04
"""Tiles between a body and what is beside it that count as touching."""


_MOST_PAIRS = 256
"""Units of which it is asked who touches whom."""


class Gauge:
    """Watches a world tick by tick.  ``value`` is the number so far, ``done`` whether it can still change."""

    def __init__(self, measure: Measure, units: tuple[int, ...]) -> None:
        self.measure = measure
        self.units = np.array(units, np.int64)
        self.value = 0.0
        self.done = False
        self._set_out = False

    def copy(self) -> Gauge:
        """The same number, going on by itself."""
        return copy.copy(self)

    def watch(self, world: World) -> None:
        """After each tick."""
        u = world.units
        slots = u.slots(self.units)
        if self.measure == "walked":
            self.value += float(np.hypot(u.x[slots] - u.prev_x[slots], u.y[slots] - u.prev_y[slots]).mean())
            self.done = self._at_rest(world, slots)
        elif self.measure == "seconds":
            self.done = self._at_rest(world, slots)
            if not self.done:
                self.value = world.tick / _TICKS_A_SECOND
        elif self.measure == "revolutions":
            s = world.paths.statistics
            self.value = float(s.revolutions_total + s.instant_revolutions_total)
            self.done = self._at_rest(world, slots)
        elif self.measure == "scrapes":
            self.value += _scraping(world, slots[:_MOST_PAIRS]) / _TICKS_A_SECOND
            self.done = self._at_rest(world, slots)
        elif not self.done:
            self.value = world.tick / _TICKS_A_SECOND
            self.done = any(e.kind == "identified" and _sides_differ(world, e.unit, e.other) for e in world.events)

    def _at_rest(self, world: World, slots: np.ndarray) -> bool:
        """Everybody has set out and stands again."""
        moving = bool(world.units.moving[slots].any())
        self._set_out |= moving
        return self._set_out and not moving

    @property
    def words(self) -> str:
        """The number with its unit."""
        number = f"{self.value:.0f}" if self.measure == "revolutions" else f"{self.value:.1f}"
        return f"{number} {WORDS[self.measure][1]}"


def _sides_differ(world: World, a: int, b: int) -> bool:
    u = world.units
    return a >= 0 and b >= 0 and bool(u.side[u.slot(a)] != u.side[u.slot(b)])


def _scraping(world: World, slots: np.ndarray) -> int:
    """How many moving bodies touch a tile they cannot enter or another body, by distance from their centres."""
    u, passable = world.units, world.terrain.passable
    height, width = passable.shape
    touching = np.zeros(len(slots), bool)
    x, y = u.x[slots], u.y[slots]
    bit = np.left_shift(1, u.klass[slots].astype(np.int64))
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            tx, ty = np.floor(x).astype(np.int64) + dx, np.floor(y).astype(np.int64) + dy
            inside = (tx >= 0) & (ty >= 0) & (tx < width) & (ty < height)
            open_ = np.zeros(len(slots), bool)
            open_[inside] = (passable[ty[inside], tx[inside]] & bit[inside]) != 0
            gap = np.hypot(x - np.clip(x, tx, tx + 1), y - np.clip(y, ty, ty + 1))
            touching |= ~open_ & (gap < u.radius[slots] + _SCRAPE)
    apart = np.hypot(x[:, None] - x[None], y[:, None] - y[None]) - u.radius[slots][:, None] - u.radius[slots][None]
    np.fill_diagonal(apart, np.inf)
    touching |= (apart < _SCRAPE).any(axis=1)
    return int((touching & (u.moving[slots] != 0)).sum())
