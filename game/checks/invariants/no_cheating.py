"""Invariant without cheating: unperceived units have no effect on guards.

It examines the running world from outside and tries copies of it; the simulation never sees it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.core.scheduling.periods import is_due
from ai.core.serialization import compare
from game.checks.expectations import Expectation
from game.checks.invariants.stealth_invariants import guards_of
from game.sim.tick import STAGES
from game.systems.stealth.foresight import heard_by, seconds_around
from game.world.units import Event, Stance
from game.world.world import World, copies_of

EVERY, OFTEN = 60, 12
"""Ticks between two samples, and during a search."""
ENOUGH = 4, 24
"""Samples of worlds without and with a search, tried one after another.

Later ones are tried now and then.
"""
NOW_AND_THEN = 10
FRESH = 2
"""Ticks for which a sighting counts as seeing."""
PLACES = 40
"""Places that are tried for one unit."""

PERCEPTS = (
    "meter", "meter_target", "seen_x", "seen_y", "seen_tick", "event", "mood", "head", "turn_to", "goal_x", "goal_y",
    "moving", "target", "path_request", "pace", "timer", "order", "asleep",
)  # fmt: skip
"""Columns of watchers that hold what they perceived and what they decided to do."""
HEARD = "agitation", "since", "heard_kind", "heard_source", "heard_tick", "heard_x", "heard_y", "noise_tick"
"""And those of their ears."""


class NoCheating(Expectation):
    """Unperceived units may be anywhere without any change in the guards.

    Percepts, beliefs and decisions stay the same bit for bit. Now and then, and when a searcher is about to
    decide, copies of the world are made. In one of them the unperceived raiders are sent to other places without
    perception. In another, units of one side and movement class exchange places. A carrier moves with its load.
    All run through orders, perceive and think, and must then agree, messages under way included.

    ``count``: so many trials must have moved a unit that guards believe in or search for: its possible places are
    kept, or a search is about it.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.trials = 0
        self.live = 0
        self.samples = [0, 0]

    def watch(self, world: World) -> None:
        if self.first is not None or not len(guards_of(world)):
            return
        live = bool(world.searches) or any(known.maps for known in world.knowledge)
        if not is_due(world.tick, OFTEN if live else EVERY) and not (live and _about_to_decide(world)):
            return
        if not unperceived(world):
            return
        self.samples[live] += 1
        if self.samples[live] > ENOUGH[live] and self.samples[live] % NOW_AND_THEN:
            return
        another = copies_of(world)
        honest = _lived(another())
        for turn in range(2):
            self._trial(another(), honest, turn)

    def _trial(self, other: World, honest: World, turn: int) -> None:
        moved = _permute(other) if turn else _teleport(other)
        if not moved:
            return
        self.trials += 1
        self.live += not _sought(other).isdisjoint(other.units.id[moved].tolist())
        tick = other.tick
        _lived(other)
        watchers = guards_of(honest)
        for column in PERCEPTS:
            a, b = getattr(honest.units, column)[watchers], getattr(other.units, column)[watchers]
            same = (a == b) | ((a != a) & (b != b))
            if not same.all():
                slot = int(watchers[np.flatnonzero(~same)[0]])
                who = honest.name_of(int(honest.units.id[slot]))
                self.first = f"{who}: {column} depends on units it does not perceive, tick {tick}"
                return
        ids = {int(i) for i in honest.units.id[watchers]}
        minds = [{unit: mind for unit, mind in w.minds.items() if unit in ids} for w in (honest, other)]
        for what, left, right in (
            ("mind", minds[0], minds[1]),
            ("knowledge", honest.knowledge, other.knowledge),
            ("search", honest.searches, other.searches),
            ("ears", _ears(honest, watchers), _ears(other, watchers)),
            ("stimuli", honest.stimuli, other.stimuli),
            ("errand", honest.errands, other.errands),
            ("post", _pending(honest, ids), _pending(other, ids)),
            ("company", honest.comrades, other.comrades),
        ):
            found = compare(left, right, 1)
            if found:
                self.first = f"a guard's {what} depends on units it does not perceive, tick {tick}: {found[0]}"
                return

    def verdict(self, world: World) -> str | None:
        if self.first is None and not self.trials:
            return "no unit was ever out of all guards' perception"
        if self.first is None and self.live < (self.row.count or 0):
            return f"{self.live} trials moved a unit that guards searched for, {self.row.count} are required"
        return self.first


def _about_to_decide(world: World) -> bool:
    """Return true if a searching guard wakes next tick and chooses its look."""
    u = world.units
    searchers = [unit for search in world.searches for unit in search.searchers]
    woken = u.event[u.slots(searchers)] & np.uint32(Event.TIMER | Event.ARRIVED | Event.HEARD | Event.LOST_SIGHT)
    told = world.router.receivers(world.tick + 1) if world.router is not None else []
    return bool(woken.any()) or not set(told).isdisjoint(searchers)


def _sought(world: World) -> set[int]:
    """Return units that a search is about, or with kept possible places."""
    return {s.target for s in world.searches} | {found.unit for known in world.knowledge for found in known.maps}


def _ears(world: World, watchers: NDArray[np.int64]) -> dict[str, NDArray[np.generic]]:
    """Return the sounds heard by each watcher, by column."""
    rows = watchers[watchers < len(world.ears.agitation)]
    return {column: getattr(world.ears, column)[rows] for column in HEARD}


def _pending(world: World, ids: set[int]) -> list[list[float | int | str]]:
    """Return messages under way to these units, in order.

    Serial numbers are left out, since other units send too.
    """
    waiting = world.router.waiting if world.router is not None else []
    return [
        [m.name, m.sender, m.receiver, m.sent_at, m.due, m.scope, *[w for row in sorted(m.data.items()) for w in row]]
        for m in waiting
        if m.receiver in ids
    ]


def _lived(world: World) -> World:
    """Return the world after the stages in which guards perceive and decide."""
    for _, stage in STAGES[:3]:
        stage(world)
    return world


class _Looks:
    """Tiles that guards of other sides see, computed once for each guard."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.kept: dict[tuple[int, int], tuple[int, int, NDArray[np.bool_]]] = {}

    def on(self, side: int, stance: int, x: float, y: float) -> bool:
        """Return true if a guard would see a running unit near (x, y).

        The unit is in some stance, in the tile or beside it.
        """
        u = self.world.units
        if self.world.pending:
            stance = int(Stance.STAND)  # it may get an order to stand up
        for slot in guards_of(self.world).tolist():
            if u.side[slot] == side or u.asleep[slot]:
                continue
            if (slot, stance) not in self.kept:
                y0, x0, seconds = seconds_around(self.world, int(u.id[slot]), stance, 1.0)
                self.kept[slot, stance] = y0, x0, np.isfinite(seconds)
            y0, x0, seen = self.kept[slot, stance]
            top, left = max(0, math.floor(y) - 1 - y0), max(0, math.floor(x) - 1 - x0)
            if seen[top : max(0, math.floor(y) + 2 - y0), left : max(0, math.floor(x) + 2 - x0)].any():
                return True
        return False


def _perceivable(world: World, looks: _Looks, slot: int, x: float, y: float) -> bool:
    """Return true if a guard would see or hear the unit at a place.

    The guard is of another side, and a foot comes down at the unit's speed. Hearing follows sound paths, round
    walls and through doors, with the ears of the listener.
    """
    u = world.units
    side, ground = int(u.side[slot]), 1.0
    if world.loudness.size:
        ground = float(world.loudness[math.floor(y), math.floor(x)]) / 8.0
    speed = np.array([math.hypot(float(u.vx[slot]), float(u.vy[slot]))])
    loud = float(world.ears.noise_of(speed, ground * world.types[int(u.kind[slot])].noise)[0])
    return looks.on(side, int(u.stance[slot]), x, y) or bool(heard_by(world, side, x, y, loud))


def unperceived(world: World, looks: _Looks | None = None) -> list[int]:
    """Return slots of living units that no guard of another side perceives.

    That means seeing, hearing, and the grace period.
    """
    u, grace = world.units, world.settings.minds.grace
    looks = looks or _Looks(world)
    watchers = guards_of(world)
    bearers = {light.carrier for light in world.lights}
    found = []
    for slot in u.living().tolist():
        unit = int(u.id[slot])
        foes = watchers[u.side[watchers] != u.side[slot]]
        if not len(foes) or slot in watchers or unit in bearers or u.dragging[slot] >= 0:
            continue
        if ((u.meter_target[foes] == unit) & (world.tick - u.seen_tick[foes] <= FRESH)).any():
            continue
        beliefs = [b for k in world.knowledge if (b := k.beliefs.about.get(unit)) is not None]
        if any(b.lost_tick < 0 or world.tick - b.lost_tick <= grace for b in beliefs):
            continue
        if not _perceivable(world, looks, slot, float(u.x[slot]), float(u.y[slot])):
            found.append(slot)
    return found


def _teleport(world: World) -> list[int]:
    """Move unperceived units to other unperceived places; return their slots."""
    u, looks = world.units, _Looks(world)
    height, width = world.terrain.passable.shape
    moved: list[int] = []
    for k, slot in enumerate(unperceived(world, looks)):
        for trial in range(PLACES):
            # Places in a fixed order that is independent of the units' random numbers.
            y, x = divmod((world.tick * 7919 + k * 104_729 + trial * 1_299_709) % (height * width), width)
            open_there = world.terrain.passable[y, x] >> int(u.movement_class[slot]) & 1
            if open_there and not _perceivable(world, looks, slot, x + 0.5, y + 0.5):
                _put(world, np.array([slot]), np.array([x + 0.5]), np.array([y + 0.5]))
                moved.append(slot)
                break
    return moved


def _permute(world: World) -> list[int]:
    """Permute unperceived units of one side and movement class; return their slots."""
    u, looks = world.units, _Looks(world)
    slots = unperceived(world, looks)
    moved: list[int] = []
    for side, movement_class in sorted({(int(u.side[s]), int(u.movement_class[s])) for s in slots}):
        mine = np.array([s for s in slots if u.side[s] == side and u.movement_class[s] == movement_class])
        if len(mine) < 2:
            continue
        x, y = u.x[np.roll(mine, 1)], u.y[np.roll(mine, 1)]
        # Another unit may be louder there than the one that stands there.
        places = zip(mine.tolist(), x.tolist(), y.tolist(), strict=True)
        if not any(_perceivable(world, looks, slot, px, py) for slot, px, py in places):
            _put(world, mine, x, y)
            moved += mine.tolist()
    return moved


def _put(world: World, slots: NDArray[np.int64], x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    u = world.units
    u.x[slots] = u.prev_x[slots] = x
    u.y[slots] = u.prev_y[slots] = y
    for prop in world.props:
        if prop.carrier in u.id[slots]:
            at = u.slot(prop.carrier)
            prop.x, prop.y = float(u.x[at]), float(u.y[at])


CHEATING_LAWS = {"no_cheating": NoCheating}
