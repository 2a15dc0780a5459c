"""Rooms and houses that an intent means, by place or by a believed enemy.

Source: John Reynolds, AI Game Programming Wisdom, 5.5 (rooms and doors are known beforehand, enemies are not). The
areas are those through which sound spreads. Places are (x, y) in tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ai.squad.houses.decision_support import House, house_of
from game.minds.squad.intents import INTENTS
from game.systems.noise import rooms
from game.world.groups.squads import Squad
from game.world.world import World

NEAR = 14.0
"""Tiles from the place of an intent within which houses are cleared."""
LARGEST_ROOM = 400
"""Tiles of an area that still counts as a room to clear."""
IN_HOUSES = "clear_room", "search_house", "door_assault"
"""Manoeuvres whose place is a room."""


@dataclass(frozen=True)
class RoomMeant:
    """Room at a place, its nearest opening, all openings, and its house.

    Tiles are (y, x).
    """

    place: tuple[float, float] | None = None
    room: np.ndarray | None = None
    door: tuple[int, int] | None = None
    exits: tuple[tuple[int, int], ...] = ()
    house: House | None = None


def room_meant(world: World, squad: Squad, living: np.ndarray) -> RoomMeant:
    """Return the room that a squad's intent means; the fields are empty without one.

    An intent that seeks the enemy in houses means the room of the known enemy nearest to its place.
    """
    intent = INTENTS.get(squad.intent)
    if intent is None or not (intent.at_room or intent.in_houses):
        return RoomMeant()
    u = world.units
    start = float(u.x[living[0]]), float(u.y[living[0]])
    if intent.at_room:
        return _room(world, (squad.x, squad.y), start)
    if squad.task is not None and squad.task.kind in IN_HOUSES:
        return _room(world, (squad.task.x, squad.task.y), start)
    far = sorted((math.dist((e.x, e.y), (squad.x, squad.y)), e.x, e.y) for e in squad.enemies.values())
    for place in ((x, y) for d, x, y in far if d <= NEAR):
        found = _room(world, place, start)
        if found.room is not None:
            return found
    return RoomMeant()


def _room(world: World, place: tuple[float, float], start: tuple[float, float]) -> RoomMeant:
    """Return the room at a place for a squad at ``start``.

    Open country is no room: its area is the largest of the map, or too large.
    """
    graph = rooms(world)
    areas = graph.areas_at(*place)
    if not areas:
        return RoomMeant()
    sizes = np.bincount(graph.area[graph.area >= 0], minlength=graph.count)
    area = min(areas, key=lambda a: (int(sizes[a]), a))
    if area == int(sizes.argmax()) or not 0 < int(sizes[area]) <= LARGEST_ROOM:
        return RoomMeant()
    chokes = [graph.chokes[k] for k in graph.chokes_of(area) if graph.chokes[k].walkable]
    exits = tuple((int(c.y), int(c.x)) for c in chokes)
    door = exits[0] if exits else None
    if len(exits) > 1:  # the opening that is nearest by path
        far = graph.distances(*start, np.array([c.x for c in chokes]), np.array([c.y for c in chokes]))
        door = exits[int(np.argmin(far))]
    return RoomMeant(place, graph.area == area, door, exits, house_of(graph, area, start, LARGEST_ROOM))
