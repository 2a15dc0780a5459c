"""Laws of fair stealth as expectations: what a guard may know, what is shown of it, and how it searches.

Each looks at the running world from outside, with arithmetic of its own where the library has arithmetic; none of them
is seen by the simulation.
"""

from __future__ import annotations

import heapq
import math

import numpy as np

from ai.squad.search import SpotState
from ai.state import Snapshot, compare, restore, snapshot
from game.sim.expect import Expectation
from game.world.foresight import seconds_around, seen_by
from game.world.sounds import rooms
from game.world.units import Stance, Units
from game.world.world import World

EVERY = 40
"""Ticks between two trials of a costly law."""
CALM_GAP = 1
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

    Every two seconds two copies of the world are made; in one of them all raiders that nobody perceives are sent to
    other places where nobody would perceive them.  Both live through orders, perceive and think and must then agree.
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
        moved = _teleport(other, turn)
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
    """What is foretold of the tile a raider stands on is what the guards' eyes find in the next tick."""

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.checked = 0

    def watch(self, world: World) -> None:
        if self.first is not None or world.tick % 10:
            return
        from game.sim.tick import STAGES

        copy = restore(snapshot(world))
        u = copy.units
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


class SoundByDijkstra(Expectation):
    """The way of a sound between any two rooms is the shortest over doors and openings, by a search of its own."""

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.checked = 0

    def watch(self, world: World) -> None:
        if self.first is not None or world.tick % EVERY != 1:
            return
        graph = rooms(world)
        tiles = np.argwhere(graph.area >= 0)
        for k in range(12):
            a, b = (tiles[(world.tick * 131 + k * 977 + j * 7919) % len(tiles)] for j in range(2))
            one, other = (float(a[1]) + 0.5, float(a[0]) + 0.5), (float(b[1]) + 0.5, float(b[0]) + 0.5)
            got = graph.distance(*one, *other)
            plain = _dijkstra(world, one, other)
            self.checked += 1
            if not (got == plain or abs(got - plain) < 1e-6):
                self.first = f"from {one} to {other}: {got:.2f} tiles, by Dijkstra {plain:.2f}, tick {world.tick}"
                return

    def verdict(self, world: World) -> str | None:
        return self.first


def _dijkstra(world: World, one: tuple[float, float], other: tuple[float, float]) -> float:
    graph = rooms(world)
    shut = world.settings.noise.shut_door
    if set(graph.areas_at(*one)) & set(graph.areas_at(*other)):
        return math.dist(one, other)
    adds = [
        shut if c.door >= 0 and not world.doors[c.door].open and world.doors[c.door].opaque_shut else 0.0
        for c in graph.chokes
    ]
    todo: list[tuple[float, int]] = []
    goal = set(graph.areas_at(*other))
    best = [math.inf] * len(graph.chokes)
    start = set(graph.areas_at(*one))
    for k, choke in enumerate(graph.chokes):
        if start & set(choke.areas):
            heapq.heappush(todo, (math.dist(one, (choke.x, choke.y)) + adds[k], k))
    end = math.inf
    while todo:
        way, k = heapq.heappop(todo)
        if way >= best[k]:
            continue
        best[k] = way
        here = graph.chokes[k]
        if goal & set(here.areas):
            end = min(end, way + math.dist((here.x, here.y), other))
        for j, choke in enumerate(graph.chokes):
            if set(here.areas) & set(choke.areas):
                heapq.heappush(todo, (way + math.dist((here.x, here.y), (choke.x, choke.y)) + adds[j], j))
    return end


class SearchesWell(Expectation):
    """Searchers keep to the cap, never claim one spot twice, stare at no wall, clear all spots and go home in turn.

    ``by``: ticks within which a search that nobody interrupts has looked at every hiding place of its pool.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.begun: dict[int, int] = {}
        self.clear: set[int] = set()
        self.calm: list[int] = []
        self.most = 0

    def watch(self, world: World) -> None:
        u: Units = world.units
        for e in world.events:
            if e.kind == "calm" and self.first is None:
                if any(e.tick - t < CALM_GAP for t in self.calm):
                    self.first = f"two went home in tick {e.tick}"
                self.calm.append(e.tick)
        for search in world.searches if self.first is None else ():
            self.most = max(self.most, len(search.searchers))
            self.begun.setdefault(search.id, world.tick)
            held = [s.by for s in search.spots if s.state == SpotState.CLAIMED]
            places = [(s.x, s.y) for s in search.spots]
            if len(held) != len(set(held)) or len(places) != len(set(places)):
                self.first = f"two spots for one, or one for two, tick {world.tick}"
            if search.phase == 1 and len(search.investigators) > search.cap:
                self.first = f"{len(search.investigators)} investigators, {search.cap} allowed, tick {world.tick}"
            if search.spots and all(s.state == SpotState.SEARCHED for s in search.spots):
                self.clear.add(search.id)
            for unit in search.searchers:
                if self._stares(world, u.slot(unit)):
                    self.first = f"{world.name_of(unit)} stares at a wall, tick {world.tick}"
            limit = self.row.by
            if limit is not None and search.phase == 2 and search.id not in self.clear:
                spent = world.tick - self.begun[search.id]
                if spent > limit and search.refills == 0:
                    left = sum(s.state != SpotState.SEARCHED for s in search.spots)
                    self.first = f"{left} hiding places are left after {spent} ticks"

    def _stares(self, world: World, slot: int) -> bool:
        """Standing for a look with the eyes on a wall less than a tile away, though another way is open."""
        u = world.units
        mind = world.minds.get(int(u.id[slot]))
        if mind is None or mind.machine.state not in ("Sweep", "Cover") or u.moving[slot]:
            return False
        if not any(b.name == "look about" for b in mind.stack):
            return False
        x = float(u.x[slot]) + math.cos(float(u.head[slot]))
        y = float(u.y[slot]) + math.sin(float(u.head[slot]))
        height, width = world.terrain.opaque.shape
        return not (0 <= x < width and 0 <= y < height) or bool(world.terrain.opaque[int(y), int(x)])

    def verdict(self, world: World) -> str | None:
        if self.first is None and self.most < (self.row.count or 1):
            return f"at most {self.most} searched together"
        return self.first


STEALTH_LAWS = {
    "no_cheating": NoCheating,
    "meter_is_state": MeterIsState,
    "foretold": Foretold,
    "possible_holds_truth": PossibleHoldsTruth,
    "sound_by_dijkstra": SoundByDijkstra,
    "searches_well": SearchesWell,
}
