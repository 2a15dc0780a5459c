"""Invariants of motion per body: no jitter, type limits, independence of slots."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from game.checks.expectations import Expectation
from game.sim.tick import tick
from game.world.units import Units
from game.world.world import World, restore_world

TICKS_A_SECOND = 20
REVERSALS = 2.0
"""Most reversals a second of a body's steps, over five seconds.

Giving way and coming back is two. The busiest body of the regression levels turns 1.8 times a second, among sixty
on one bridge. A body that trembles does it ten times or more.
"""
WINDOW = 100
SPEED_WORTH = 0.4
"""Tiles a second below which a step has no direction to speak of."""
NUDGE = 0.25
"""Most tiles of push in a tick besides walking.

It is half of the overlap that two can have before the sweeps.
"""
SECOND, PUSHED = 20, 1.2
"""Ticks of the window, and factor on the type's running distance in it.

However a body is pushed.
"""
COMPARED, TURNS = 200, 100_000
"""Ticks, and unit-ticks, for which the permuted world runs beside.

Crowds of more than five hundred are followed for so many ticks times units only: a thousand for a hundred ticks,
as a second world costs as much as the first.
"""
ALL_EVERY = 20
"""Ticks between two comparisons of all columns.

Positions and movement are compared in every tick.
"""


class Steady(Expectation):
    """No body reverses more than twice a second over five seconds (``REVERSALS``).

    Steps under 0.02 tiles a tick (``SPEED_WORTH``) are not counted: they are invisible, and they have no
    direction. So this invariant misses a body that trembles by less. It also misses a front that swings while its
    body advances. Measured by turns of more than 11 degrees a tick: one body before a gate that opens and shuts
    swings ten times a second, one of a thousand six times, one in the crowd on a bridge five. The drawn figures
    follow their bodies' fronts calmly (``game.view.painting.unit_picture``).
    """

    def start(self, world: World) -> None:
        """Prepare before the first tick."""
        n = len(self.slots)
        self.last = np.zeros((n, 2))
        self.turns = np.zeros((WINDOW, n), np.uint8)
        self.worst: tuple[float, int, int] | None = None

    def watch(self, world: World) -> None:
        """Check the world after a tick."""
        u = world.units
        step = np.column_stack([u.x[self.slots] - u.prev_x[self.slots], u.y[self.slots] - u.prev_y[self.slots]])
        worth = np.hypot(step[:, 0], step[:, 1]) * TICKS_A_SECOND > SPEED_WORTH
        worth &= u.alive[self.slots] == 1
        back = worth & ((step * self.last).sum(axis=1) < 0.0)
        self.last[worth] = step[worth]
        self.turns[world.tick % WINDOW] = back
        rate = self.turns.sum(axis=0) * (TICKS_A_SECOND / WINDOW)
        most = int(np.argmax(rate)) if len(rate) else -1
        if most >= 0 and rate[most] > REVERSALS and (self.worst is None or rate[most] > self.worst[0]):
            self.worst = float(rate[most]), int(u.id[self.slots[most]]), world.tick

    def verdict(self, world: World) -> str | None:
        """Return None, or the unit that broke it."""
        if self.worst is None:
            return None
        rate, unit, tick = self.worst
        return f"{world.name_of(unit)} turned round {rate:.1f} times a second up to tick {tick}"


class WithinType(Expectation):
    """No body exceeds its type in speed or turning, or a nudge.

    Speed is its own velocity, and its travel in a second. A nudge is the limit of a push in a tick.
    """

    def start(self, world: World) -> None:
        """Prepare before the first tick."""
        self.first: str | None = None
        self.facing = world.units.facing[self.slots].copy()
        self.came = np.zeros((SECOND, len(self.slots)))

    def watch(self, world: World) -> None:
        """Check the world after a tick."""
        if self.first is not None:
            return
        u, dt = world.units, 1.0 / TICKS_A_SECOND
        s = self.slots
        live = u.alive[s] == 1
        run = np.array([t.run for t in world.types])[u.kind[s]]
        turned = np.abs((u.facing[s] - self.facing + np.pi) % (2 * np.pi) - np.pi)
        self.facing = u.facing[s].copy()
        step = np.hypot(u.x[s] - u.prev_x[s], u.y[s] - u.prev_y[s])
        self.came[world.tick % SECOND] = step
        for words, wrong in (
            ("was faster than its type", np.hypot(u.vx[s], u.vy[s]) > run * 1.0001),
            ("came farther in a second than its type runs", self.came.sum(axis=0) > PUSHED * run * SECOND * dt),
            ("turned faster than its type", turned > u.turn_rate[s] * dt + 1e-6),
            ("was thrown about", step > run * dt + NUDGE),
        ):
            bad = s[wrong & live]
            if len(bad):
                self.first = f"{self.names(world, bad)} {words} at tick {world.tick}"
                return

    def verdict(self, world: World) -> str | None:
        """Return None, or the unit that broke it."""
        return self.first


_COLUMNS = tuple(f.name for f in fields(Units) if "dtype" in f.metadata)


class SlotsDoNotMatter(Expectation):
    """A world with permuted slots moves identically by id, to the last bit.

    Ids and orders are the same, and every column is compared by id: up to tick ``by``, or as long as its crowd allows.
    """

    def start(self, world: World) -> None:
        """Prepare before the first tick."""
        n = world.units.count
        self.first: str | None = None
        self.other: World | None = restore_world(world.snapshot(), world) if n > 1 else None
        self.ticks = min(COMPARED, TURNS // max(n, 1)) if self.row.by is None else self.row.by
        if self.other is not None:
            # A permutation that leaves almost no slot in place: 7919 is a prime larger than most crowds.
            order = np.argsort((np.arange(n, dtype=np.int64) * 7919 + 11) % (n * 13 + 1), kind="stable")
            permute(self.other, order)

    def watch(self, world: World) -> None:
        """Check the world after a tick."""
        if self.other is None or self.first is not None or world.tick > self.ticks:
            return
        self.other.pending.extend(world.recording.get("orders", ()))
        tick(self.other)
        a, b = world.units, self.other.units
        ids = np.arange(world.units.next_id)
        everything = world.tick % ALL_EVERY == 0 or world.tick == self.ticks
        for name in _COLUMNS if everything else ("x", "y", "facing", "moving"):
            one, two = getattr(a, name)[a.slot_of[ids]], getattr(b, name)[b.slot_of[ids]]
            differ = (one != two) & ((one == one) | (two == two))  # nan is nan
            if differ.any():
                unit = int(ids[differ][0])
                self.first = f"{world.name_of(unit)} moved differently ({name}) at tick {world.tick}"
                return

    def verdict(self, world: World) -> str | None:
        """Return None, or the unit that broke it."""
        return self.first


def permute(world: World, order: np.ndarray) -> None:
    """Move unit ``order[k]`` of a world at tick 0 into slot k; ids stay."""
    u = world.units
    n = len(order)
    for name in _COLUMNS:
        column = getattr(u, name)
        column[:n] = column[order]
    u.slot_of[u.id[:n]] = np.arange(n)
    s = world.sight
    for name in ("seen_id", "seen_y", "seen_x", "seen_radius", "seen_side"):
        column = getattr(s, name)
        if len(column) >= n:
            column[:n] = column[order]
    s.rows = None  # follows from the columns


BODY_LAWS = {"steady": Steady, "within_type": WithinType, "slots": SlotsDoNotMatter}
