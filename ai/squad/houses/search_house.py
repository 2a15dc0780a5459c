"""House search: guards at all exits, then a search room by room.

Source: John Reynolds, AI Game Programming Wisdom, 5.5 (covering exits: guards first, and when all report, a search team
of ideally two or more; nearest unvisited room first; no open doorway is passed without a check; too few soldiers are
told so). The time of a check is ours. Tiles are (y, x), places (x, y), times ticks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from ai.squad.houses.decision_support import House
from ai.squad.manoeuvres.bounding_overwatch import places_around
from ai.squad.manoeuvres.exit_cover import exit_place
from ai.squad.manoeuvres.manoeuvre import THERE, MemberTask, Situation, SquadTask
from ai.squad.manoeuvres.room_entry import EXACT, LONG, entry_places, inward

GUARDS, SEARCHERS = 0, 1
"""Teams of a search."""
CHECK = 20
"""Ticks for which a doorway is checked before the team goes in."""
STAYS = 100
"""Ticks after which the team leaves a room with a believed enemy."""


@dataclass(frozen=True)
class SearchHouse:
    """Cordon round a house and search of its rooms.

    ``task.leg`` is the exit of a guard. A searcher's leg is the phase, and ``-2 - phase`` when all are there. Phase
    ``2k`` is the check of the doorway of room ``k``, ``2k + 1`` the search of that room. ``task.spots`` are the
    doorways of the rooms in the order of the search.
    """

    name: str = "search_house"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: an enemy in a house, guards, and two that search."""
        if s.house is None:
            return (("a house is meant", 0.0),)
        return (
            ("a house is meant", 1.0),
            ("an enemy is in it", 0.95 if s.house.holds(s.threats).any() else 0.0),
            ("there is a member for each exit and two that search", float(s.alive.sum() >= len(s.house.exits) + 2)),
            ("we are not in it", float(not s.house.holds(np.column_stack([s.x[s.rows], s.y[s.rows]])).any())),
        )

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Send a guard to each exit; the others wait for them."""
        house = s.house
        if house is None or not house.exits:
            return "no house with exits is meant"
        guards = len(house.exits) if s.doctrine.guards_exits else 0
        if len(s.rows) <= guards:
            return f"it has {guards} exits, and we are {len(s.rows)}"
        task.team[:], task.leg[:] = SEARCHERS, -1
        if guards:
            exits = np.array(house.exits, np.float64) + 0.5
            walks = np.hypot(s.x[s.rows] - exits[:, 1, None], s.y[s.rows] - exits[:, 0, None])
            for k, column in zip(*linear_sum_assignment(walks), strict=True):
                row = int(s.rows[column])
                place = exit_place(s, house.exits[int(k)], (float(s.x[row]), float(s.y[row])), house.mask())
                if place is None:
                    return "an exit cannot be watched from outside"
                task.team[row], task.leg[row] = GUARDS, k
                task.watch[row] = exits[k, ::-1]
                task.send(row, *place)
        team = s.rows[task.team[s.rows] == SEARCHERS]
        task.spots = _doorways(house, float(s.x[team].mean()), float(s.y[team].mean()))
        return "" if len(task.spots) else "no doorway leads in"

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Check the next doorway, search its room, and go on; the guards stay."""
        assert s.house is not None, "a step follows a brief"
        team = s.rows[task.team[s.rows] == SEARCHERS]
        if not len(team) or task.phase >= 2 * len(task.spots):
            return True
        k, inside = divmod(task.phase, 2)
        room = s.house.area == s.house.rooms[k]
        door = int(task.spots[k, 1]), int(task.spots[k, 0])
        arrived = -2 - task.phase
        if not np.isin(task.leg[team], (task.phase, arrived)).all():
            places = self._inside(room, door) if inside else self._outside(s, room, door, len(team))
            if not places:
                task.begin_phase(2 * k + 2, s.tick)
                return False
            for n, row in enumerate(team.tolist()):
                task.leg[row] = task.phase
                task.send(row, *places[n % len(places)], MemberTask.ASSAULT if inside else MemberTask.RUN)
            task.begin_phase(task.phase, s.tick)
            return False
        waited = s.tick - task.since
        if (task.leg[team] != arrived).any():
            going = team[task.task[team] != MemberTask.COVER]
            for row in going[s.there(task, going, THERE if waited >= LONG else EXACT)].tolist():
                task.cover(row)
            if (task.task[team] == MemberTask.COVER).all():
                task.leg[team] = arrived
                task.begin_phase(task.phase, s.tick)
            return False
        held = inside and waited < STAYS and _believed_in(s.house, s.house.rooms[k], s.threats)
        if waited >= CHECK and not held:
            task.begin_phase(task.phase + 1, s.tick)
        return False

    def _outside(
        self, s: Situation, room: NDArray[np.bool_], door: tuple[int, int], many: int
    ) -> list[tuple[float, float]]:
        """Return places before a doorway, outside its room, nearest to the door first."""
        places = places_around(s.terrain, door, 3 * many + 12, s.movement_class)
        outside = [p for p in places if not room[int(p[1]), int(p[0])] and (int(p[1]), int(p[0])) != door]
        return outside[:many]

    def _inside(self, room: NDArray[np.bool_], door: tuple[int, int]) -> list[tuple[float, float]]:
        """Return places inside: the corners and both sides of the door."""
        into = inward(room, door)
        if into is None:
            return []
        return [(float(x) + 0.5, float(y) + 0.5) for y, x in entry_places(room, door, into).tolist()]


def _believed_in(house: House, room: int, threats: NDArray[np.float64]) -> bool:
    """Return whether an enemy is believed in a room."""
    at = house.area[threats[:, 1].astype(np.int64), threats[:, 0].astype(np.int64)]
    return bool((at == room).any())


def _doorways(house: House, x: float, y: float) -> NDArray[np.float64]:
    """Return a doorway for each room in the order of the search.

    The result is ``float64[rooms, 2]`` of (x, y). A doorway is the one nearest to where the team comes from: its own
    place first, then the doorway before.
    """
    found: list[tuple[float, float]] = []
    seen: set[int] = set()
    for room in house.rooms:
        ways = []
        for (ty, tx), leads in zip(house.doors, house.leads, strict=True):
            from_outside = not set(house.rooms).issuperset(leads)
            if room in leads and (from_outside or seen.intersection(leads)):
                ways.append((tx + 0.5, ty + 0.5))
        if not ways:
            return np.zeros((0, 2))
        x, y = min(ways, key=lambda at: ((at[0] - x) ** 2 + (at[1] - y) ** 2, at))
        found.append((x, y))
        seen.add(room)
    return np.array(found, np.float64).reshape(-1, 2)


SEARCH_HOUSE = SearchHouse()

TECHNIQUES = (
    {
        "slug": "search-house",
        "name": "House search by rooms, with a check of each doorway",
        "ids": ("AW-5.5-7",),
        "source": "AI Game Programming Wisdom, 5.5",
        "functions": ("SearchHouse.brief", "SearchHouse.step"),
        "test": "tests/ai/squad/houses/test_search_house.py",
        "reason": "The exhibit of covered exits shows it: two search while two guard.",
        "claim": (
            "Rooms are searched nearest first and doorways checked for a second. Corners are not sliced, no rear "
            "guard follows, and the order does not vary from day to day."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
