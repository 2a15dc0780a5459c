"""Door assault: a sub-team at each door, then all go in at once.

Source: John Reynolds, AI Game Programming Wisdom, 5.5 (outflanking: at least two doors that are reached without passing
the room, at least one soldier a door, a door with a much longer way is dropped, nearest soldiers first; the attack
begins when all report). The enemy faces threats from several sides at the same time. Tiles are (y, x), places (x, y).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import Terrain
from ai.search.fields.bounded_flood import bounded_flood
from ai.squad.manoeuvres.bounding_overwatch import places_around
from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, SquadTask
from ai.squad.manoeuvres.room_entry import entry_places, inward
from ai.tactics.unseen_paths import weighted_path

ACROSS = 80.0
"""Tiles of the longest way to a door."""
LONGER = 30.0
"""Tiles by which a way may exceed that to the nearest door."""
POINTS = 8
"""Points of the way of a sub-team."""
NEAR = 1.2
"""Tiles from a point at which a member goes on to the next."""


@dataclass(frozen=True)
class DoorAssault:
    """Attack through all doors at the same time.

    With one door it does not apply. ``task.team`` is the door of each member, and ``task.leg`` its point on the way.
    ``task.spots`` has ``POINTS`` points for each door; the last one lies outside the door.
    """

    name: str = "door_assault"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: two doors, a member for each, an enemy inside."""
        return (
            ("a room with two doors is meant", float(s.room is not None and len(s.exits) >= 2)),
            ("there is a member for each of two doors", float(s.alive.sum() >= 2)),
            ("an enemy is in it", 0.9 if s.room is not None and enemy_inside(s.room, s.threats) else 0.0),
        )

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Assign doors, and lay a way to each that avoids the room."""
        if s.room is None:
            return "no room is meant"
        outside = without_room(s.terrain, s.room)
        doors, walks = reachable_doors(s, outside)
        if len(doors) < 2:
            return "fewer than two doors can be reached from outside"
        if len(s.rows) < 2:
            return "two doors need two"
        doors, walks = doors[: len(s.rows)], walks[: len(s.rows)]
        if not s.doctrine.all_doors:
            doors, walks = doors[:1], walks[:1]
        task.team[:], task.leg[:] = -1, 0
        for row, k in shares(walks):
            task.team[s.rows[row]] = k
        ways = []
        for k, door in enumerate(doors):
            first = int(s.rows[int(np.argmin(walks[k]))])
            path = weighted_path(
                outside, outside.cost, s.movement_class, (int(s.y[first]), int(s.x[first])), beside(s.room, door)
            )
            if path is None or not len(path):
                return "no way leads round the room"
            at = np.linspace(0, len(path) - 1, POINTS + 1).round().astype(np.int64)[1:]
            ways.append(path[at, ::-1].astype(np.float64) + 0.5)
        task.spots = np.concatenate(ways)
        task.route = np.array([(x + 0.5, y + 0.5) for y, x in doors])
        for row in s.rows.tolist():
            self._send(task, s, row)
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Lead the sub-teams to their doors; when all are there, all go in."""
        assert s.room is not None, "a step follows a brief"
        rows = s.rows
        if task.phase == 0:
            waiting = [row for row in rows.tolist() if task.leg[row] == POINTS]
            for row in (row for row in rows.tolist() if task.leg[row] < POINTS):
                if task.task[row] == MemberTask.COVER or s.there(task, np.array([row]), NEAR)[0]:
                    task.leg[row] += 1
                    self._send(task, s, row)
            if len(waiting) == len(rows):
                task.begin_phase(1, s.tick)
                self._enter(task, s)
            return False
        inside = rows[task.task[rows] != MemberTask.COVER]
        return bool(s.there(task, inside).all())

    def _send(self, task: SquadTask, s: Situation, row: int) -> None:
        """Send a member to its present point, or let it wait at its door."""
        leg = int(task.leg[row])
        if leg == POINTS:
            task.cover(row)
            return
        x, y = task.spots[int(task.team[row]) * POINTS + leg].tolist()
        if leg == POINTS - 1:
            mates = [r for r in s.rows.tolist() if task.team[r] == task.team[row]]
            assert s.room is not None
            around = places_around(s.terrain, (int(y), int(x)), 4 * len(mates) + 8, s.movement_class)
            free = [p for p in around if not s.room[int(p[1]), int(p[0])]]
            x, y = free[min(mates.index(row), len(free) - 1)] if free else (x, y)
        task.send(row, x, y)

    def _enter(self, task: SquadTask, s: Situation) -> None:
        """Send each sub-team in through its door."""
        assert s.room is not None
        for k, (x, y) in enumerate(task.route.tolist()):
            door = int(y), int(x)
            into = inward(s.room, door)
            if into is None:
                continue
            places = entry_places(s.room, door, into)[:, ::-1] + 0.5
            for n, row in enumerate(s.rows[task.team[s.rows] == k].tolist()):
                px, py = places[n % len(places)].tolist()
                task.send(row, px, py, MemberTask.ASSAULT)


def enemy_inside(room: NDArray[np.bool_], threats: NDArray[np.float64]) -> bool:
    """Return whether an enemy is believed in a room."""
    return bool(room[threats[:, 1].astype(np.int64), threats[:, 0].astype(np.int64)].any())


def without_room(terrain: Terrain, room: NDArray[np.bool_]) -> Terrain:
    """Return the terrain with the tiles of a room closed."""
    return Terrain.build(np.where(room, 0, terrain.passable).astype(np.uint8), terrain.cost, terrain.opaque)


def beside(room: NDArray[np.bool_], door: tuple[int, int]) -> tuple[int, int]:
    """Return the tile before a door, opposite to the room, or the door."""
    into = inward(room, door)
    if into is None:
        return door
    y, x = door[0] - into[0], door[1] - into[1]
    height, width = room.shape
    return (y, x) if 0 <= y < height and 0 <= x < width else door


def reachable_doors(s: Situation, outside: Terrain) -> tuple[list[tuple[int, int]], NDArray[np.float64]]:
    """Return the doors that members reach without the room, nearest first, and the walks.

    The walks are ``float64[doors, members]``. A door whose way is much longer than to the nearest one is dropped.
    """
    assert s.room is not None
    tiles = np.column_stack([s.y[s.rows], s.x[s.rows]]).astype(np.int32)
    found = []
    for door in s.exits:
        y, x = beside(s.room, door)
        walk = bounded_flood(outside, s.movement_class, y, x, ACROSS).at(tiles)
        if np.isfinite(walk).any():
            found.append((float(walk.min()), door, walk))
    found.sort(key=lambda one: (one[0], one[1]))
    kept = [one for one in found if one[0] <= found[0][0] + LONGER]
    return [door for _, door, _ in kept], np.array([walk for _, _, walk in kept]).reshape(-1, len(tiles))


def shares(walks: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return (member, door) pairs: by turns each door gets its nearest member."""
    doors, members = walks.shape
    most, left, pairs = math.ceil(members / doors), set(range(members)), []
    for turn in range(most * doors):
        k = turn % doors
        if left:
            row = min(left, key=lambda m: (walks[k, m], m))
            left.discard(row)
            pairs.append((row, k))
    return pairs


DOOR_ASSAULT = DoorAssault()

TECHNIQUES = (
    {
        "slug": "door-assault",
        "name": "Outflanking through all doors at once",
        "ids": ("AW-5.5-4",),
        "source": "AI Game Programming Wisdom, 5.5",
        "functions": ("DoorAssault.brief", "DoorAssault.step", "reachable_doors"),
        "test": "tests/ai/squad/houses/test_door_assault.py",
        "exhibit": "levels/exhibits/squads/house.doors.toml",
        "overlay": "paths",
        "setting": "tactics.doctrine.all_doors",
        "measure": "bearings",
        "direction": "up",
        "claim": "A squad is divided by turns; there are no sergeants and no sides of entry are ordered.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
