"""Laws of fair stealth as expectations: what a guard may know, what is shown of it, and how it searches.

Each looks at the running world from outside, with arithmetic of its own where the library has arithmetic; none of them
is seen by the simulation.
"""

from __future__ import annotations

import math

import numpy as np

from ai.state import Snapshot, compare, restore, snapshot
from game.sim.expect import Expectation
from game.world.foresight import seconds_around, seen_by
from game.world.units import Stance
from game.world.world import World

EVERY = 60
"""Ticks between two trials of a costly law."""
_REACT = 3
"""Ticks within which a mind has had its turn after its eyes were sure."""

PERCEPTS = (
    "meter", "meter_target", "seen_x", "seen_y", "seen_tick", "event", "mood", "head", "turn_to", "goal_x", "goal_y",
    "moving", "target", "path_request", "pace", "timer", "order", "asleep",
)  # fmt: skip
"""Columns of watchers that hold what they perceived and what they decided to do."""


def guards_of(world: World) -> np.ndarray:
    """Slots of the living guards."""
    u = world.units
    live = u.living()
    return live[np.array([t.mind == "guard" for t in world.types])[u.kind[live]]]


class NoCheating(Expectation):
    """Units that no guard perceives may be anywhere: percepts, beliefs and decisions stay the same bit for bit.

    Every three seconds two copies of the world are made; in one of them all raiders that nobody perceives are sent to
    other places where nobody would perceive them, or change places with each other.  Both live through orders,
    perceive and think and must then agree.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.trials = 0
        self.moved = 0

    def watch(self, world: World) -> None:
        if self.first is not None or world.tick % EVERY or not len(guards_of(world)):
            return
        saved = snapshot(world)
        for turn in range(2):
            self._trial(saved, world.tick, turn)

    def _trial(self, saved: Snapshot, tick: int, turn: int) -> None:
        from game.sim.tick import STAGES

        one, other = restore(saved), restore(saved)
        moved = _teleport(other, turn) if turn == 0 else _permute(other)
        if not moved:
            return
        self.trials += 1
        self.moved += moved
        for copy in (one, other):
            for name, stage in STAGES[:3]:
                stage(copy)
                del name
        watchers = guards_of(one)
        for column in PERCEPTS:
            a, b = getattr(one.units, column)[watchers], getattr(other.units, column)[watchers]
            same = (a == b) | ((a != a) & (b != b))
            if not same.all():
                slot = int(watchers[np.flatnonzero(~same)[0]])
                who = one.name_of(int(one.units.id[slot]))
                self.first = f"{who}: {column} depends on units it does not perceive, tick {tick}"
                return
        ids = {int(i) for i in one.units.id[watchers]}
        for what, left, right in (
            (
                "mind",
                {k: v for k, v in one.minds.items() if k in ids},
                {k: v for k, v in other.minds.items() if k in ids},
            ),
            ("knowledge", one.knowledge, other.knowledge),
            ("search", one.searches, other.searches),
        ):
            found = compare(left, right, 1)
            if found:
                self.first = f"a guard's {what} depends on units it does not perceive, tick {tick}: {found[0]}"
                return

    def verdict(self, world: World) -> str | None:
        if self.first is None and not self.trials:
            return "nobody was ever out of all guards' perception"
        return self.first


def _unperceived(world: World) -> list[int]:
    """Slots of living units that no guard of another side sees, hears, or still senses."""
    u = world.units
    watchers = guards_of(world)
    loud = max(world.settings.hearing.run_tiles * 4.0, 1.0) * 1.5
    keenest = max((max(row) for row in world.settings.hearing.keenness), default=1.0)
    found = []
    for slot in u.living().tolist():
        unit = int(u.id[slot])
        foes = watchers[u.side[watchers] != u.side[slot]]
        if not len(foes) or slot in watchers:
            continue
        if (u.meter_target[foes] == unit).any() or not _unseen(world, slot, float(u.x[slot]), float(u.y[slot])):
            continue
        grace = world.settings.minds.grace
        if any(
            b.lost_tick < 0 or world.tick - b.lost_tick <= grace
            for k in world.knowledge
            for b in [k.beliefs.about.get(unit)]
            if b is not None
        ):
            continue
        if np.hypot(u.x[foes] - u.x[slot], u.y[foes] - u.y[slot]).min() <= min(loud, 12.0) * min(keenest, 1.5):
            continue
        found.append(slot)
    return found


def _unseen(world: World, slot: int, x: float, y: float) -> bool:
    side = int(world.units.side[slot])
    around = ((0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
    return not any(seen_by(world, side, x + dx, y + dy, Stance.STAND, 1.0) for dx, dy in around)


def _teleport(world: World, turn: int) -> int:
    """Send unperceived units to other unperceived places; returns how many went."""
    u = world.units
    watchers = guards_of(world)
    slots = _unperceived(world)
    height, width = world.terrain.passable.shape
    count = 0
    for k, slot in enumerate(slots):
        if u.carrying[slot] >= 0 or u.dragging[slot] >= 0:
            continue
        for trial in range(40):
            # Places in a fixed order that has nothing to do with anybody's dice.
            mixed = (world.tick * 7919 + k * 104_729 + trial * 1_299_709 + turn * 15_485_863) % (height * width)
            y, x = divmod(mixed, width)
            foes = watchers[u.side[watchers] != u.side[slot]]
            far = np.hypot(u.x[foes] - x - 0.5, u.y[foes] - y - 0.5).min()
            if far > 18.0 and world.terrain.passable[y, x] & 1 and _unseen(world, slot, x + 0.5, y + 0.5):
                u.x[slot] = u.prev_x[slot] = x + 0.5
                u.y[slot] = u.prev_y[slot] = y + 0.5
                count += 1
                break
    return count


def _permute(world: World) -> int:
    """Let unperceived units of one side take each other's places, round about; returns how many did."""
    u = world.units
    slots = [s for s in _unperceived(world) if u.carrying[s] < 0 and u.dragging[s] < 0]
    count = 0
    for side in sorted({int(u.side[s]) for s in slots}):
        mine = np.array([s for s in slots if u.side[s] == side])
        # Each can stand where the other stood, or they stay where they are.
        klass = u.klass[mine]
        if len(mine) < 2 or (klass != klass[0]).any():
            continue
        for column in (u.x, u.y, u.prev_x, u.prev_y):
            column[mine] = column[np.roll(mine, 1)]
        count += len(mine)
    return count


class MeterIsState(Expectation):
    """What the meter shows is what the guard is: full exactly when it has identified somebody, and then it fights."""

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.full_since: dict[int, int] = {}
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
                self.first = f"{who}: the meter is full and nothing was identified"
            if meter < 1.0 and unit in told:
                self.first = f"{who}: somebody was identified and the meter stands at {meter:.2f}"
            seen_now = u.seen_tick[slot] == world.tick
            if meter >= 1.0 and seen_now and not u.asleep[slot]:
                since = self.full_since.setdefault(unit, world.tick)
                mind = world.minds.get(unit)
                if world.tick - since > _REACT and (mind is None or mind.skill != "fight"):
                    self.first = f"{who}: identified an enemy {world.tick - since} ticks ago and does not fight"
            else:
                self.full_since.pop(unit, None)
            self.before[unit] = meter

    def verdict(self, world: World) -> str | None:
        return self.first


class Foretold(Expectation):
    """What is foretold of any tile, whether a raider stands there or is put there, eyes find in the next tick."""

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.checked = 0

    def watch(self, world: World) -> None:
        if self.first is not None or world.tick % 20:
            return
        from game.sim.tick import STAGES

        copy = restore(snapshot(world))
        u = copy.units
        if world.tick % 40:
            _stray(copy)
        for slot in u.living(0).tolist():
            u.x[slot] = u.prev_x[slot] = math.floor(u.x[slot]) + 0.5
            u.y[slot] = u.prev_y[slot] = math.floor(u.y[slot]) + 0.5
            u.vx[slot] = u.vy[slot] = 0.0
        watchers = [s for s in guards_of(copy).tolist() if not u.asleep[s]]
        told: dict[int, float] = {}
        for w in watchers:
            best = math.inf
            for slot in u.living().tolist():
                if u.side[slot] == u.side[w]:
                    continue
                y0, x0, seconds = seconds_around(copy, int(u.id[w]), int(u.stance[slot]))
                j, i = int(u.y[slot]) - y0, int(u.x[slot]) - x0
                if 0 <= j < seconds.shape[0] and 0 <= i < seconds.shape[1]:
                    best = min(best, float(seconds[j, i]))
            told[w] = best
        for w in watchers:
            u.meter[w], u.meter_target[w] = 0.0, -1
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
        return self.first if self.first or self.checked else "nobody was ever in view"


def _stray(world: World) -> None:
    """Send each raider to some tile that a guard might see, another one at each tick."""
    u = world.units
    watchers = [s for s in guards_of(world).tolist() if not u.asleep[s]]
    height, width = world.terrain.passable.shape
    for k, slot in enumerate(u.living(0).tolist() if watchers else ()):
        w = watchers[(world.tick // 40 + k) % len(watchers)]
        mixed = world.tick * 7919 + k * 104_729
        for trial in range(20):
            dx, dy = (mixed + trial * 31) % 23 - 11, (mixed // 23 + trial * 17) % 23 - 11
            x, y = int(u.x[w]) + dx, int(u.y[w]) + dy
            if 0 <= x < width and 0 <= y < height and world.terrain.passable[y, x] >> int(u.klass[slot]) & 1:
                u.x[slot] = u.prev_x[slot] = x + 0.5
                u.y[slot] = u.prev_y[slot] = y + 0.5
                u.stance[slot] = (mixed + trial) % 3
                break


class PossibleHoldsTruth(Expectation):
    """Where a side thinks a lost enemy may be always holds where he is, until he is made out again."""

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
        return self.first if self.first or self.checked else "nobody was ever lost"


STEALTH_LAWS = {
    "no_cheating": NoCheating,
    "meter_is_state": MeterIsState,
    "foretold": Foretold,
    "possible_holds_truth": PossibleHoldsTruth,
}
