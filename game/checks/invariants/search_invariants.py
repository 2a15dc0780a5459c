"""Invariants of hearing and searching: shortest sound paths, and plausible searchers."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from scipy.ndimage import label

from ai.core.scheduling.periods import is_due
from ai.perception.sight.line_of_sight import line_clear
from ai.squad.squad_search import DONE, Search, SpotState, time_for
from game.checks.expectations import Expectation
from game.systems.noise import rooms
from game.systems.stealth.foresight import seconds_around
from game.world.units import Stance, Units
from game.world.world import World

EVERY = 40
"""Ticks between two trials of a costly invariant."""
AT_HAND = 1.5
"""Tiles within which an unobstructed place is searched without sight."""
SAME_PLACE = 10.0
"""Tiles that separate two active searches of a side."""
CALM_GAP = 10
"""Least ticks between two searchers of one search that turn for home."""
STILL = 20
"""Ticks for which a standing searcher may face a wall.

It has come to a halt and turns its head.
"""


class SoundByDijkstra(Expectation):
    """Sound paths between rooms are shortest, by a separate Dijkstra search.

    They lead over doors and openings.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.checked = 0

    def watch(self, world: World) -> None:
        if self.first is not None or not is_due(world.tick, EVERY, 1):
            return
        graph = rooms(world)
        tiles = np.argwhere(graph.area >= 0)
        for k in range(12):
            # Each pair another distance apart in the list: one fixed distance may mean neighbours on some map.
            a, b = (tiles[(world.tick * 131 + k * 977 + j * (7919 + 613 * k * k)) % len(tiles)] for j in range(2))
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
        path, k = heapq.heappop(todo)
        if path >= best[k]:
            continue
        best[k] = path
        here = graph.chokes[k]
        if goal & set(here.areas):
            end = min(end, path + math.dist((here.x, here.y), other))
        for j, choke in enumerate(graph.chokes):
            if set(here.areas) & set(choke.areas):
                heapq.heappush(todo, (path + math.dist((here.x, here.y), (choke.x, choke.y)) + adds[j], j))
    return end


@dataclass
class _Pool:
    """Pool of a search: ``clear`` once all first hiding places are searched."""

    since: int
    turned: int
    """The last tick of phase 1."""
    refills: int
    phase: int = 1
    left: int = 0
    """Places that are neither searched nor out of reach."""
    count: int = 0
    clear: bool = False
    workers: int = 0
    """Number of units that go to look into places."""
    end: int = -1
    """Tick by which all places must be searched, -1 before phase 2."""
    searchers: list[int] = field(default_factory=list)


class SearchesWell(Expectation):
    """Searchers keep the rules: cap, claims, walls, coverage and staggered return.

    They keep to the cap, never claim one spot twice, face no wall, clear all spots and go home in turn. A place
    counts as searched only where the searcher's eyes, in their present direction, would find a crouching unit
    there, or from ``AT_HAND`` with nothing between.

    No unit of a side is in two searches, no two active searches are about one place, and no place is claimed in
    two. An active search for an enemy with a believed position is about that very place.

    A search ends with all of its places searched, or without a path to them, by a separate flood. It ends within
    :func:`ai.squad.squad_search.time_for`, counted from when the searchers go on to the places, or from the tick
    in which there are more places or fewer searchers. It is exempt when one of the last searchers leaves it to
    fight, for a later report elsewhere, or falls.

    ``by``: ticks within which the first pool is searched, counted from when the searchers go on to it; with it
    some search has to have been cleared.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.begun: dict[int, _Pool] = {}
        self.cleared = 0
        self.calm: dict[int, int] = {}
        """Search -> tick of the last searcher that went home."""
        self.stares: dict[int, int] = {}
        """Searcher -> ticks for which it has stood before a wall."""
        self.most = 0
        self.known: dict[tuple[int, float, float], int] = {}
        """Place of a search -> tick at which it was searched."""
        self.before: dict[int, float] = {}
        """Searcher -> how its head was turned a tick ago."""

    def watch(self, world: World) -> None:
        u: Units = world.units
        for e in world.events:
            hunt = next((s.id for s in world.searches if e.unit in s.searchers), None)
            if e.kind == "calm" and self.first is None and hunt is not None:
                if e.tick - self.calm.get(hunt, -CALM_GAP) < CALM_GAP:
                    self.first = f"two of one search went home within {e.tick - self.calm[hunt]} ticks, tick {e.tick}"
                self.calm[hunt] = e.tick
        self.first = self.first or _side_by_side(world) or _off_the_mark(world)
        searching = {unit for s in world.searches for unit in s.searchers}
        self.stares = {unit: ticks for unit, ticks in self.stares.items() if unit in searching}
        for search in world.searches if self.first is None else ():
            self.most = max(self.most, len(search.searchers))
            held = [s.by for s in search.spots if s.state == SpotState.CLAIMED]
            places = [(s.x, s.y) for s in search.spots]
            if len(held) != len(set(held)) or len(places) != len(set(places)):
                self.first = f"two spots for one, or one for two, tick {world.tick}"
            if search.phase == 1 and len(search.investigators) > search.cap:
                self.first = f"{len(search.investigators)} investigators, {search.cap} allowed, tick {world.tick}"
            for unit in search.searchers:
                self.stares[unit] = self.stares.get(unit, 0) + 1 if self._at_wall(world, u.slot(unit)) else 0
                if self.stares[unit] > (0 if self._looks_about(world, unit) else STILL):
                    self.first = f"{world.name_of(unit)} stares at a wall, tick {world.tick}"
            self._clears(search, world.tick)
            self._looks_into(world, search)
        alive = {search.id for search in world.searches}
        for number in [n for n in self.begun if n not in alive]:
            pool = self.begun.pop(number)
            if self.first is None and pool.left and not self._interrupted(world, pool):
                self.first = f"given up with {pool.left} hiding places left, tick {world.tick}"

    def _clears(self, search: Search, tick: int) -> None:
        """Follow the first pool of a search; a later message starts it again."""
        pool = self.begun.get(search.id)
        if pool is None or pool.since != search.since:
            pool = self.begun[search.id] = _Pool(search.since, tick, search.refills)
        left = sum(s.state not in DONE for s in search.spots)
        # A pool that has run dry may be widened in the very tick in which its last place was looked at.
        dry = bool(search.spots) and left == 0
        widened = pool.count > 0 and search.refills > pool.refills
        if search.phase == 2 and not pool.clear and (dry or widened):
            pool.clear = True
            self.cleared += 1
        pool.turned = tick if search.phase == 1 else pool.turned
        keeps = len(search.searchers) > 1 and search.keeper in search.searchers
        workers = len(search.searchers) - keeps
        if search.phase == 2 and (pool.phase == 1 or left > pool.left or workers < pool.workers):
            pool.end = max(pool.end, tick + time_for(left, workers, search.radius))
        if left and search.phase == 2 and tick > pool.end and self.first is None:
            self.first = f"{left} hiding places are left at tick {tick}, time was until {pool.end}"
        pool.phase, pool.left, pool.count, pool.refills = search.phase, left, len(search.spots), search.refills
        pool.workers = workers
        pool.searchers = list(search.searchers) or pool.searchers  # all may have left it in this tick
        spent = tick - pool.turned
        if self.row.by is not None and search.phase == 2 and not pool.clear and spent > self.row.by:
            self.first = f"{left} hiding places are left after {spent} ticks"

    def _looks_into(self, world: World, search: Search) -> None:
        """Return true if newly searched spots were in effective view.

        The eyes would have found a hidden unit there.
        """
        u = world.units
        for spot in search.spots:
            place = search.id, spot.x, spot.y
            if spot.state not in DONE or self.known.get(place) == spot.when:
                continue
            self.known[place] = spot.when
            slot = u.slot(spot.by)
            if spot.state == SpotState.OUT_OF_REACH:
                if _path_along(world, slot, spot.x, spot.y) and self.first is None:
                    self.first = f"a path leads to ({spot.x}, {spot.y}), tick {world.tick}"
                continue
            heads = {self.before.get(spot.by, float(u.head[slot])), float(u.head[slot])}
            x, y = float(u.prev_x[slot]), float(u.prev_y[slot])
            if math.hypot(spot.x - x, spot.y - y) <= AT_HAND:
                found = line_clear(world.terrain.opaque, int(y), int(x), int(spot.y), int(spot.x))
            else:
                found = any(_would_find(world, spot.by, x, y, look, spot.x, spot.y) for look in heads)
            if not found and self.first is None:
                self.first = f"{world.name_of(spot.by)} has not seen into ({spot.x}, {spot.y}), tick {world.tick}"
        for unit in search.searchers:
            self.before[unit] = float(u.head[u.slot(unit)])

    def _interrupted(self, world: World, pool: _Pool) -> bool:
        """Return true if a last searcher left for a fight or report, or fell."""
        minds = [world.minds.get(unit) for unit in pool.searchers]
        fallen = not world.units.alive[world.units.slots(pool.searchers)].all()
        elsewhere = {unit for search in world.searches if search.since >= pool.since for unit in search.searchers}
        called = not elsewhere.isdisjoint(pool.searchers)
        return called or fallen or any(mind is not None and mind.skill == "fight" for mind in minds)

    def _looks_about(self, world: World, unit: int) -> bool:
        """Return true if the unit stands and looks around: no tick at a wall."""
        mind = world.minds.get(unit)
        return (
            mind is not None
            and mind.machine.state in ("Sweep", "Cover")
            and any(b.name == "look about" for b in mind.stack)
        )

    def _at_wall(self, world: World, slot: int) -> bool:
        """Return true if a standing unit faces a wall within a tile.

        A wall is a tile that blocks sight and that no unit can walk on. The rule of sight ignores the two ends of
        a line, so the tile ahead is seen even where it blocks the view beyond. In a wood a unit can stand there,
        and looking finds it; in a wall none can.
        """
        u = world.units
        if u.moving[slot]:
            return False
        x = float(u.x[slot]) + math.cos(float(u.head[slot]))
        y = float(u.y[slot]) + math.sin(float(u.head[slot]))
        height, width = world.terrain.opaque.shape
        if not (0 <= x < width and 0 <= y < height):
            return True
        tile = int(y), int(x)
        return bool(world.terrain.opaque[tile]) and not world.terrain.passable[tile] & 1

    def verdict(self, world: World) -> str | None:
        if self.first is None and self.most < (1 if self.row.count is None else self.row.count):
            return f"at most {self.most} searched together"
        if self.first is None and self.row.by is not None and not self.cleared:
            return "no search has looked at all its hiding places"
        return self.first


def _would_find(world: World, unit: int, x: float, y: float, head: float, at_x: float, at_y: float) -> bool:
    """Return true if a watcher at (x, y) sees a crouching unit there."""
    y0, x0, seconds = seconds_around(world, unit, Stance.CROUCH, x=x, y=y, head=head)
    row, column = int(at_y) - y0, int(at_x) - x0
    inside = 0 <= row < seconds.shape[0] and 0 <= column < seconds.shape[1]
    return inside and bool(np.isfinite(seconds[row, column]))


def _path_along(world: World, slot: int, x: float, y: float) -> bool:
    """Return true if a path of orthogonal steps leads to a place.

    It does not cut corners.
    """
    u = world.units
    open_to_it = world.terrain.passable >> int(u.movement_class[slot]) & 1
    parts, _ = label(open_to_it)
    there = parts[int(y), int(x)]
    return bool(there) and there == parts[int(u.y[slot]), int(u.x[slot])]


def _side_by_side(world: World) -> str | None:
    """Return the conflict between two searches of one side."""
    for one, other in combinations(world.searches, 2):
        if one.side != other.side:
            continue
        both = set(one.searchers) & set(other.searchers)
        if both:
            return f"{world.name_of(min(both))} is in two searches, tick {world.tick}"
        live = not one.over(world.tick) and not other.over(world.tick)
        if live and math.hypot(one.x - other.x, one.y - other.y) <= SAME_PLACE:
            return f"two searches about one place, tick {world.tick}"
        here, there = ({(s.x, s.y) for s in search.spots if s.state == SpotState.CLAIMED} for search in (one, other))
        if here & there:
            return f"one place is claimed in two searches, tick {world.tick}"
    return None


def _off_the_mark(world: World) -> str | None:
    """Return a search away from its side's believed position of the enemy."""
    beliefs = {known.side: known.beliefs.about for known in world.knowledge}
    for search in world.searches:
        belief = beliefs.get(search.side, {}).get(search.target)
        if belief is None or search.over(world.tick):
            continue
        off = math.hypot(search.x - belief.x, search.y - belief.y)
        if off > 0.0:
            return f"a search is {off:.1f} tiles off, tick {world.tick}"
    return None


SEARCH_LAWS = {"sound_by_dijkstra": SoundByDijkstra, "searches_well": SearchesWell}
