"""Laws of hearing and searching: sound goes by the shortest way, and searchers behave like people who search."""

from __future__ import annotations

import heapq
import math

import numpy as np

from ai.scheduling.periods import is_due
from ai.squad.search import SpotState
from game.sim.expect import Expectation
from game.world.sounds import rooms
from game.world.units import Units
from game.world.world import World

EVERY = 40
"""Ticks between two trials of a costly law."""
CALM_GAP = 1


class SoundByDijkstra(Expectation):
    """The way of a sound between any two rooms is the shortest over doors and openings, by a search of its own."""

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
        """Standing for a look with the eyes on a wall less than a tile away.

        A wall is a tile that blocks sight and that nobody can walk on.  The rule of sight does not ask the two ends of
        a line, so the tile a tile ahead is seen even where it blocks what lies behind it: in a wood somebody can stand
        there, and looking is how he is found; in a wall nobody can.
        """
        u = world.units
        mind = world.minds.get(int(u.id[slot]))
        if mind is None or mind.machine.state not in ("Sweep", "Cover") or u.moving[slot]:
            return False
        if not any(b.name == "look about" for b in mind.stack):
            return False
        x = float(u.x[slot]) + math.cos(float(u.head[slot]))
        y = float(u.y[slot]) + math.sin(float(u.head[slot]))
        height, width = world.terrain.opaque.shape
        if not (0 <= x < width and 0 <= y < height):
            return True
        tile = int(y), int(x)
        return bool(world.terrain.opaque[tile]) and not world.terrain.passable[tile] & 1

    def verdict(self, world: World) -> str | None:
        if self.first is None and self.most < (self.row.count or 1):
            return f"at most {self.most} searched together"
        return self.first


SEARCH_LAWS = {"sound_by_dijkstra": SoundByDijkstra, "searches_well": SearchesWell}
