"""Invariants of fair stealth: guards' knowledge, its display, and their search.

Each examines the running world from outside, with separate arithmetic where the library has arithmetic; the
simulation sees none of them.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.perception.awareness.detection_meter import SUSPICIOUS
from game.checks.expectations import Expectation
from game.sim.tick import STAGES
from game.systems.stealth.foresight import seconds_around
from game.world.mind_kinds import minds_that
from game.world.world import World, copies_of

EARLY, OFTEN, SELDOM = 1200, 20, 60
"""Ticks between two samples of the foresight: often early, seldom later."""
_REACT = 3
"""Ticks within which a mind has had its turn after its eyes were sure."""


def guards_of(world: World) -> np.ndarray:
    """Slots of the living guards."""
    u = world.units
    live = u.living()
    return live[minds_that(world.types, "watches")[u.kind[live]]]


class MeterIsState(Expectation):
    """The detection meter shows the guard's state.

    It is full exactly when the guard has identified an enemy, and then it fights. From the mark of suspicion on,
    with an unidentified target, it looks, searches or fights.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.full_since: dict[int, int] = {}
        self.unsure_since: dict[int, int] = {}
        self.before: dict[int, float] = {}

    def watch(self, world: World) -> None:
        if self.first is not None:
            return
        u = world.units
        told = {e.unit for e in world.events if e.kind == "identified"}
        for slot in guards_of(world).tolist():
            unit, meter = int(u.id[slot]), float(u.meter[slot])
            who = f"{world.name_of(unit)}, tick {world.tick}"
            was = self.before.get(unit, 0.0)
            if meter >= 1.0 > was and unit not in told:
                self.first = f"{who}: the meter is full but no unit was identified"
            if meter < 1.0 and unit in told:
                self.first = f"{who}: a unit was identified but the meter stands at {meter:.2f}"
            seen_now = u.seen_tick[slot] == world.tick
            if meter >= 1.0 and seen_now and not u.asleep[slot]:
                since = self.full_since.setdefault(unit, world.tick)
                mind = world.minds.get(unit)
                if world.tick - since > _REACT and (mind is None or mind.skill != "fight"):
                    self.first = f"{who}: identified an enemy {world.tick - since} ticks ago and does not fight"
            else:
                self.full_since.pop(unit, None)
            if seen_now and not u.asleep[slot] and world.vision.state_of(meter) == SUSPICIOUS:
                since = self.unsure_since.setdefault(unit, world.tick)
                mind = world.minds.get(unit)
                skill = mind.skill if mind is not None else "nothing"
                if world.tick - since > _REACT and skill not in ("investigate", "search", "fight"):
                    self.first = f"{who}: has suspected a unit for {world.tick - since} ticks; its mind is on {skill}"
            else:
                self.unsure_since.pop(unit, None)
            self.before[unit] = meter

    def verdict(self, world: World) -> str | None:
        return self.first


class Foretold(Expectation):
    """Foresight of any tile matches the eyes in the next tick.

    A raider stands there or is put there.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.checked = 0

    def watch(self, world: World) -> None:
        if self.first is not None or not is_due(world.tick, OFTEN if world.tick <= EARLY else SELDOM):
            return
        copy = copies_of(world)()
        u = copy.units
        if not is_due(world.tick, 2 * OFTEN):
            _stray(copy)
        for slot in u.living(0).tolist():
            u.x[slot] = u.prev_x[slot] = math.floor(u.x[slot]) + 0.5
            u.y[slot] = u.prev_y[slot] = math.floor(u.y[slot]) + 0.5
            u.vx[slot] = u.vy[slot] = 0.0
        watchers = [s for s in guards_of(copy).tolist() if not u.asleep[s]]
        told: dict[int, float] = {}
        around: dict[tuple[int, int], tuple[int, int, np.ndarray]] = {}
        for w in watchers:
            best = math.inf
            for slot in u.living().tolist():
                if u.side[slot] == u.side[w]:
                    continue
                look = w, int(u.stance[slot])
                if look not in around:
                    around[look] = seconds_around(copy, int(u.id[w]), look[1])
                y0, x0, seconds = around[look]
                j, i = int(u.y[slot]) - y0, int(u.x[slot]) - x0
                if 0 <= j < seconds.shape[0] and 0 <= i < seconds.shape[1]:
                    best = min(best, float(seconds[j, i]))
            told[w] = best
        for w in watchers:
            u.meter[w], u.meter_target[w] = 0.0, -1
            copy.vision.others[w], copy.vision.progress[w] = -1, 0.0
        for _, stage in STAGES[:2]:
            stage(copy)
        for w in watchers:
            expected = 0.0 if math.isinf(told[w]) else min(1.0, 1.0 / max(1e-9, told[w] * 20.0))
            self.checked += expected > 0
            if abs(float(copy.units.meter[w]) - (1.0 if expected > 1 - 1e-9 else expected)) > 1e-9:
                who = copy.name_of(int(u.id[w]))
                self.first = f"{who}: foretold {expected:.4f}, found {copy.units.meter[w]:.4f}, tick {world.tick}"
                return

    def verdict(self, world: World) -> str | None:
        return self.first if self.first or self.checked else "no unit was ever in view"


def _stray(world: World) -> None:
    """Send each raider to a tile in a guard's view, another every tick."""
    u = world.units
    watchers = [s for s in guards_of(world).tolist() if not u.asleep[s]]
    height, width = world.terrain.passable.shape
    for k, slot in enumerate(u.living(0).tolist() if watchers else ()):
        w = watchers[(world.tick // 40 + k) % len(watchers)]
        mixed = world.tick * 7919 + k * 104_729
        for trial in range(20):
            dx, dy = (mixed + trial * 31) % 23 - 11, (mixed // 23 + trial * 17) % 23 - 11
            x, y = int(u.x[w]) + dx, int(u.y[w]) + dy
            if 0 <= x < width and 0 <= y < height and world.terrain.passable[y, x] >> int(u.movement_class[slot]) & 1:
                u.x[slot] = u.prev_x[slot] = x + 0.5
                u.y[slot] = u.prev_y[slot] = y + 0.5
                u.stance[slot] = (mixed + trial) % 3
                break


class PossibleHoldsTruth(Expectation):
    """A side's possible places hold a lost enemy until it is identified.

    ``count``: ticks and enemies that must be checked, 1 unless given.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.checked = 0

    def watch(self, world: World) -> None:
        u = world.units
        for known in world.knowledge if self.first is None else ():
            for found in known.maps:
                slot = u.slot(found.unit)
                # The map speaks of the perceive stage, before this tick's move.
                y, x = int(u.prev_y[slot]), int(u.prev_x[slot])
                if not u.alive[slot] or found.settled:
                    continue
                self.checked += 1
                if not found.possible[y, x]:
                    who = world.name_of(found.unit)
                    self.first = f"{who} stood at ({x}, {y}), which was thought impossible, tick {world.tick}"
                    return

    def verdict(self, world: World) -> str | None:
        least = 1 if self.row.count is None else self.row.count
        return self.first if self.first or self.checked >= least else "no enemy was ever lost"


class PossibleLaw(Expectation):
    """A lost enemy is thought possible at ``at`` from ``start`` to ``by``.

    At some tick; with ``open = false`` at none. It concerns ticks with possible places, and some must exist.
    """

    def start(self, world: World) -> None:
        self.kept = False
        self.first: int | None = None

    def watch(self, world: World) -> None:
        if world.tick < self.row.start or (self.row.by is not None and world.tick > self.row.by):
            return
        x, y = self.row.at or (0.0, 0.0)
        for known in world.knowledge:
            for found in known.maps:
                self.kept = True
                if found.possible[int(y), int(x)] and self.first is None:
                    self.first = world.tick

    def verdict(self, world: World) -> str | None:
        if self.row.at is None:
            raise ValueError("expectation possible needs at")
        if not self.kept:
            return "no enemy was ever lost"
        if self.row.open is False:
            return None if self.first is None else f"thought possible in tick {self.first}"
        return "never thought possible" if self.first is None else None


STEALTH_LAWS = {
    "possible": PossibleLaw,
    "meter_is_state": MeterIsState,
    "foretold": Foretold,
    "possible_holds_truth": PossibleHoldsTruth,
}
