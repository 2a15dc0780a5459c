"""Laws of motion for each body: none jitters, none outruns or outturns its type, and slots are only storage."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from game.sim.expect import Expectation
from game.world.world import World, restore_world

TICKS_A_SECOND = 20
REVERSALS = 2.5
"""Most times a second, over five seconds, that a body's step leads back on the last one.  To give way and come back is
two; who makes room for two at once may tremble between them for half a second (levels/regression/formation_crowded.tmx
has 2.2); a body that trembles on its way does it ten times a second or more."""
WINDOW = 100
SPEED_WORTH = 0.4
"""Tiles a second below which a step has no direction to speak of."""
NUDGE = 0.25
"""Tiles that a body may be pushed in a tick besides walking: half of what two can overlap before the sweeps."""
COMPARED, COMPARED_MANY, MANY = 200, 40, 300
"""Ticks for which the permuted world runs beside, and for how many units from ``MANY`` units on."""


class Steady(Expectation):
    """No body turns round more than two and a half times a second on its way, over any five seconds."""

    def start(self, world: World) -> None:
        """Before the first tick."""
        n = len(self.slots)
        self.last = np.zeros((n, 2))
        self.turns = np.zeros((WINDOW, n), np.uint8)
        self.worst: tuple[float, int, int] | None = None

    def watch(self, world: World) -> None:
        """After a tick."""
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
        """None, or who broke it."""
        if self.worst is None:
            return None
        rate, unit, tick = self.worst
        return f"{world.name_of(unit)} turned round {rate:.1f} times a second up to tick {tick}"


class WithinType(Expectation):
    """No body is faster than its type runs, turns faster than its type turns, or is pushed farther than a nudge."""

    def start(self, world: World) -> None:
        """Before the first tick."""
        self.first: str | None = None
        self.facing = world.units.facing[self.slots].copy()

    def watch(self, world: World) -> None:
        """After a tick."""
        if self.first is not None:
            return
        u, dt = world.units, 1.0 / TICKS_A_SECOND
        s = self.slots
        live = u.alive[s] == 1
        run = np.array([t.run for t in world.types])[u.kind[s]]
        turned = np.abs((u.facing[s] - self.facing + np.pi) % (2 * np.pi) - np.pi)
        self.facing = u.facing[s].copy()
        step = np.hypot(u.x[s] - u.prev_x[s], u.y[s] - u.prev_y[s])
        for words, wrong in (
            ("was faster than its type", np.hypot(u.vx[s], u.vy[s]) > run * 1.0001),
            ("turned faster than its type", turned > u.turn_rate[s] * dt + 1e-6),
            ("was thrown about", step > run * dt + NUDGE),
        ):
            bad = s[wrong & live]
            if len(bad):
                self.first = f"{self.names(world, bad)} {words} at tick {world.tick}"
                return

    def verdict(self, world: World) -> str | None:
        """None, or who broke it."""
        return self.first


class SlotsDoNotMatter(Expectation):
    """A second world with its slots permuted, ids kept and the same orders, walks the same ways to the last bit."""

    def start(self, world: World) -> None:
        """Before the first tick."""
        n = world.units.count
        self.first: str | None = None
        self.other: World | None = restore_world(world.snapshot()) if n > 1 else None
        self.ticks = COMPARED if n < MANY else COMPARED_MANY
        if self.other is not None:
            # A permutation that leaves hardly anybody in place: 7919 is a prime larger than most crowds.
            order = np.argsort((np.arange(n, dtype=np.int64) * 7919 + 11) % (n * 13 + 1), kind="stable")
            permute(self.other, order)

    def watch(self, world: World) -> None:
        """After a tick."""
        from game.sim.tick import tick

        if self.other is None or self.first is not None or world.tick > self.ticks:
            return
        self.other.pending.extend(world.recording.get("orders", ()))
        tick(self.other)
        a, b = world.units, self.other.units
        ids = np.arange(world.units.next_id)
        for name in ("x", "y", "facing", "moving"):
            one, two = getattr(a, name)[a.slot_of[ids]], getattr(b, name)[b.slot_of[ids]]
            if not np.array_equal(one, two):
                unit = int(ids[one != two][0])
                self.first = f"{world.name_of(unit)} went another way ({name}) at tick {world.tick}"
                return

    def verdict(self, world: World) -> str | None:
        """None, or who broke it."""
        return self.first


def permute(world: World, order: np.ndarray) -> None:
    """Move unit ``order[k]`` of a world at tick 0 into slot k; ids stay."""
    u = world.units
    n = len(order)
    for f in fields(u):
        if "dtype" in f.metadata:
            column = getattr(u, f.name)
            column[:n] = column[order]
    u.slot_of[u.id[:n]] = np.arange(n)
    s = world.sight
    for name in ("seen_id", "seen_y", "seen_x", "seen_radius", "seen_side"):
        column = getattr(s, name)
        if len(column) >= n:
            column[:n] = column[order]
    s.rows = None  # follows from the columns


BODY_LAWS = {"steady": Steady, "within_type": WithinType, "slots": SlotsDoNotMatter}
