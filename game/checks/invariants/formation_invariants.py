"""Invariants of formations as expectations.

Shapes are computed again at the units' positions, independent of the groups that lead them.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.formation.formation_shapes import Shape
from ai.formation.group_entity import T_BROKEN, T_STATE, Broken, GroupState
from game.checks.expectations import Expectation
from game.checks.shape_misfit import misfit
from game.world.world import World

EVERY = 5
"""Ticks between two looks of ``holds_shape``."""


class _OfShape(Expectation):
    """Shape, bound and spacing of the row."""

    def start(self, world: World) -> None:
        word = str(self.row.name or "").upper()
        if word not in Shape.__members__:
            raise ValueError(f"expectation {self.row.kind}: name = {self.row.name!r} is no formation")
        self.shape = Shape[word]
        self.bound = self.row.at_most if self.row.at_most is not None else 0.35
        self.best, self.worst, self.seen = math.inf, 0.0, 0

    def look(self, world: World) -> tuple[np.ndarray, int]:
        """Return misfits of living units, and their common group's row, else -1."""
        u = world.units
        live = self.slots[u.alive[self.slots] == 1]
        rows = np.unique(u.band[live])
        if len(live) < 2 or len(rows) != 1 or rows[0] < 0:
            return np.zeros(0), -1
        row = int(rows[0])
        facing = world.groups.heading(row) if self.row.facing is None else math.radians(self.row.facing)
        # The largest body limits the spacing, also when a smaller one was ordered.
        spacing = max(world.groups.rows[row].drill.spacing, 2.0 * float(u.radius[live].max()) + 0.1)
        return misfit(u.x[live], u.y[live], self.shape, spacing, facing), row


class Formed(_OfShape):
    """Units form the shape ``name`` in one group between ``start`` and ``by``.

    At some tick every living unit is at most ``at_most`` tiles from its place.
    """

    def watch(self, world: World) -> None:
        late = self.row.by is not None and world.tick > self.row.by
        if world.tick < self.row.start or late or self.best <= self.bound:
            return
        off, row = self.look(world)
        if row >= 0:
            self.best = min(self.best, float(off.max()))

    def verdict(self, world: World) -> str | None:
        if self.best <= self.bound:
            return None
        if math.isinf(self.best):
            return "the units were never one group"
        return f"the best {self.row.name} had a unit {self.best:.2f} tiles from its place, allowed {self.bound}"


class HoldsShape(_OfShape):
    """The unbroken group on the march keeps the shape ``name``.

    From ``start`` to ``by``, units are on average at most ``at_most`` tiles from it, for at least ``count`` looks
    (10), five ticks apart.
    """

    def watch(self, world: World) -> None:
        late = self.row.by is not None and world.tick > self.row.by
        if world.tick < self.row.start or late or not is_due(world.tick, EVERY):
            return
        off, row = self.look(world)
        if row < 0:
            return
        tag = world.groups.tag[row]
        if tag[T_STATE] == GroupState.MARCHING and tag[T_BROKEN] == Broken.NO:
            self.seen += 1
            self.worst = max(self.worst, float(off.mean()))

    def verdict(self, world: World) -> str | None:
        need = self.row.count or 10
        if self.seen < need:
            return f"it marched unbroken at {self.seen} looks only, not {need}"
        if self.worst <= self.bound:
            return None
        return f"units were {self.worst:.2f} tiles from their {self.row.name} on average, allowed {self.bound}"


class Narrows(Expectation):
    """The units break their shape for a narrow place.

    As long as their middle is at the place they are at most ``at_most`` (2) tiles wide across their group's
    heading. The middle comes there.
    """

    def start(self, world: World) -> None:
        self.widest, self.been = 0.0, False

    def watch(self, world: World) -> None:
        u = world.units
        live = self.slots[u.alive[self.slots] == 1]
        if self.row.at is None or not len(live) or u.band[live[0]] < 0:
            return
        x, y, a = u.x[live], u.y[live], world.groups.heading(int(u.band[live[0]]))
        if math.hypot(float(x.mean()) - self.row.at[0], float(y.mean()) - self.row.at[1]) <= self.row.radius:
            self.been = True
            self.widest = max(self.widest, float(np.ptp(y * math.cos(a) - x * math.sin(a))))

    def verdict(self, world: World) -> str | None:
        most = self.row.at_most if self.row.at_most is not None else 2.0
        if not self.been:
            return "their middle never came there"
        return None if self.widest <= most else f"they were {self.widest:.1f} tiles wide there, allowed {most}"


class Flows(Expectation):
    """Units enter the region without a jam: ``at_least`` every 100 ticks.

    It counts from the first unit in the region to the last (or ``count`` of them).
    """

    WINDOW = 100

    def start(self, world: World) -> None:
        self.been = np.zeros(len(self.slots), bool)
        self.counts: list[int] = []

    def watch(self, world: World) -> None:
        self.been |= self.at_place(world)
        self.counts.append(int(self.been.sum()))

    def verdict(self, world: World) -> str | None:
        counts = np.array(self.counts)
        need = len(self.slots) if self.row.count is None else self.row.count
        if not len(counts) or counts[-1] < need:
            return f"{counts[-1] if len(counts) else 0} of {need} ever came through"
        first, last = int(np.argmax(counts > 0)), int(np.argmax(counts >= need))
        low = self.row.at_least if self.row.at_least is not None else 1.0
        for tick in range(first, last - self.WINDOW):
            came = int(counts[tick + self.WINDOW] - counts[tick])
            if came < low:
                return f"only {came} came through in the 100 ticks from {tick + 1} on, not {low:g}"
        return None


class Volley(Expectation):
    """A group that fights in formation halts and fires as one.

    None of the units has shot before their group halts for the first time. At least ``count`` (all) of them fire
    their first shots in the ``at_most`` (5) ticks after, and at least ``at_least`` (1) of these in one tick.
    """

    def start(self, world: World) -> None:
        self.halted = -1
        self.first: dict[int, int] = {}

    def watch(self, world: World) -> None:
        mine = set(self.ids)
        for event in world.events:
            if event.kind == "shot" and event.unit in mine:
                self.first.setdefault(event.unit, world.tick)
            elif event.kind == "halted" and event.unit in mine and self.halted < 0:
                self.halted = world.tick

    def verdict(self, world: World) -> str | None:
        if self.halted < 0:
            return "their group never halted to fight"
        early = [unit for unit, tick in self.first.items() if tick < self.halted]
        if early:
            return f"{world.name_of(early[0])} shot at tick {self.first[early[0]]}, before they halted at {self.halted}"
        within = int(self.row.at_most if self.row.at_most is not None else 5)
        need = len(self.slots) if self.row.count is None else self.row.count
        came = sum(tick <= self.halted + within for tick in self.first.values())
        if came < need:
            return f"{came} of {need} fired within {within} ticks of the halt at {self.halted}"
        most = max(Counter(self.first.values()).values(), default=0)
        if self.row.at_least is not None and most < self.row.at_least:
            return f"at most {most} fired their first shots in one tick, not {self.row.at_least:g}"
        return None


class InsideOut(Expectation):
    """Places fill from the middle ``at`` outward.

    Of any two units whose final distances from it differ by more than a tile, the inner one rested for good
    first, in a share ``at_least`` (0.8).
    """

    def start(self, world: World) -> None:
        if self.row.at is None:
            raise ValueError("expectation inside_out needs at")
        self.rested = np.full(len(self.slots), -1)
        self.away = np.zeros(len(self.slots))

    def watch(self, world: World) -> None:
        u = world.units
        self.rested[u.moving[self.slots] != 0] = world.tick + 1
        assert self.row.at is not None
        self.away = np.hypot(u.x[self.slots] - self.row.at[0], u.y[self.slots] - self.row.at[1])

    def verdict(self, world: World) -> str | None:
        if (self.rested < 0).any():
            return f"{int((self.rested < 0).sum())} never set off"
        inner, outer = np.nonzero(self.away[None, :] > self.away[:, None] + 1.0)
        share = float((self.rested[inner] <= self.rested[outer]).mean()) if len(inner) else 0.0
        least = self.row.at_least if self.row.at_least is not None else 0.8
        return None if share >= least else f"only in {share:.0%} of pairs the unit farther in came first"


DRILL_LAWS = {
    "formed": Formed,
    "holds_shape": HoldsShape,
    "inside_out": InsideOut,
    "narrows": Narrows,
    "flows": Flows,
    "volley": Volley,
}
