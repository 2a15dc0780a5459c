"""Open missions: needs on a board, for which units apply and an arbiter chooses.

Source: Damian Isla and Bruce Blumberg, AI Game Programming Wisdom, 7.1 (BBWar: a table of missions by skill; each unit
applies for the mission that is most relevant to it; an arbiter grants the best applications up to the capacity). The
relevance is priority x proficiency x nearness; the nearness is half lost in the scan and is min(1, 1 / distance) here.
A taker that is lost opens its place again. Places are (x, y) in tiles, times in ticks, units are ids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ai.core.serialization import record


@record
class OpenMission:
    """Mission on a board: a skill that is needed at a place.

    ``capacity`` is the number of units needed, ``takers`` are those that were granted it. ``text`` is what it is about.
    """

    number: int
    skill: str
    x: float
    y: float
    priority: float = 1.0
    capacity: int = 1
    text: str = ""
    target: int = -1
    posted: int = 0
    takers: list[int] = field(default_factory=list)
    barred: list[int] = field(default_factory=list)
    """Units that gave it back because they cannot do it."""

    @property
    def places(self) -> int:
        """Return the number of units that are still needed, 0 if none."""
        return max(self.capacity - len(self.takers), 0)


Missions = dict[str, list[OpenMission]]
"""Missions by skill."""


@dataclass(frozen=True)
class Bidder:
    """Unit that may apply: its place, and its proficiency by skill, 0 to 1."""

    unit: int
    x: float
    y: float
    skills: Mapping[str, float]


@dataclass(frozen=True)
class Application:
    """Application of a unit for a mission."""

    unit: int
    mission: int
    relevance: float


def relevance(mission: OpenMission, bidder: Bidder) -> float:
    """Return the relevance of a mission to a unit, 0 without its skill."""
    far = math.dist((mission.x, mission.y), (bidder.x, bidder.y))
    return mission.priority * bidder.skills.get(mission.skill, 0.0) * min(1.0, 1.0 / max(far, 1e-9))


def all_missions(missions: Missions) -> list[OpenMission]:
    """Return the missions of all skills by number."""
    return sorted((one for rows in missions.values() for one in rows), key=lambda one: one.number)


def mission_of(missions: Missions, unit: int) -> OpenMission | None:
    """Return the mission that a unit was granted, or None."""
    return next((one for one in all_missions(missions) if unit in one.takers), None)


def post(missions: Missions, mission: OpenMission) -> None:
    """Put a mission under its skill."""
    missions.setdefault(mission.skill, []).append(mission)


def close(missions: Missions, number: int) -> None:
    """Take a mission off the board."""
    for skill in list(missions):
        missions[skill] = [one for one in missions[skill] if one.number != number]
        if not missions[skill]:
            del missions[skill]


def application(missions: Missions, bidder: Bidder) -> Application | None:
    """Return the application of a unit: its most relevant open mission.

    None if no mission is more relevant than the one it holds. Of equals, the lower number goes first.
    """
    held = mission_of(missions, bidder.unit)
    best, found = relevance(held, bidder) if held is not None else 0.0, None
    for skill in sorted(bidder.skills):
        for one in missions.get(skill, ()):
            value = relevance(one, bidder)
            wins = value > best or (found is not None and value == best and one.number < found.mission)
            if one.places and wins and bidder.unit not in one.barred and one is not held:
                best, found = value, Application(bidder.unit, one.number, value)
    return found


def grant(missions: Missions, applications: Iterable[Application], arbiter: bool = True) -> list[Application]:
    """Grant the most relevant applications of each mission, up to its capacity.

    A granted unit leaves the mission that it held. Equals go by unit id. Without an arbiter each applicant takes its
    mission, whatever the capacity.
    """
    granted: list[Application] = []
    rows = sorted(applications, key=lambda one: (one.mission, -one.relevance, one.unit))
    by_number = {one.number: one for one in all_missions(missions)}
    for one in rows:
        mission = by_number[one.mission]
        if mission.places or not arbiter:
            drop_taker(missions, one.unit)
            mission.takers.append(one.unit)
            granted.append(one)
    return granted


def allot(missions: Missions, bidders: Sequence[Bidder], arbiter: bool = True) -> list[Application]:
    """Let all units apply, and grant; the losers apply again for the rest.

    A pass without a grant ends it. A unit is granted at most one mission.
    """
    granted: list[Application] = []
    for _ in range(len(bidders)):
        busy = {one.unit for one in granted}
        asked = [application(missions, one) for one in bidders if one.unit not in busy]
        now = grant(missions, [one for one in asked if one is not None], arbiter)
        if not now:
            break
        granted += now
    return granted


def drop_taker(missions: Missions, unit: int) -> None:
    """Open the place of a unit in its mission again."""
    for rows in missions.values():
        for one in rows:
            if unit in one.takers:
                one.takers.remove(unit)


def keep_takers(missions: Missions, units: Iterable[int]) -> list[int]:
    """Drop all takers but these units; return those that were lost."""
    kept = set(units)
    lost = sorted({unit for one in all_missions(missions) for unit in one.takers} - kept)
    for unit in lost:
        drop_taker(missions, unit)
    return lost


TECHNIQUES = (
    {
        "slug": "open-missions",
        "name": "Open missions with applications",
        "ids": ("AW-7.1-3",),
        "source": "AI Game Programming Wisdom, 7.1",
        "functions": ("application", "grant", "allot"),
        "test": "tests/ai/decision/blackboards/test_open_missions.py",
        "exhibit": "levels/exhibits/squads/house.watch.toml",
        "overlay": "squads",
        "setting": "tactics.missions",
        "measure": "unwatched",
        "direction": "down",
        "claim": "Members of a squad apply for exits and sides to watch; ranks, cities and attacks are not posted.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
