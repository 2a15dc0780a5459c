"""Decision support: questions about rooms and doors that a commander asks.

Source: John Reynolds, AI Game Programming Wisdom, 5.5 (can a soldier get from one room to another without passing a
third; rooms that cannot be bypassed; doors that might be travelled through; exits of an area; soldiers that do
something less important than a threshold; nearest unvisited room first). Rooms are the areas of an
:class:`ai.grid.areas.AreaGraph`, doors its walkable chokes, both by number. The graph is built anew after demolition.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from ai.grid.areas import AreaGraph


@dataclass(frozen=True)
class House:
    """Rooms of a house in the order of a search, exits and doors.

    ``area: int32[H, W]`` is the room of each tile. An exit or door is the middle tile (y, x) of an opening, and
    ``leads`` has the rooms that each door joins.
    """

    area: NDArray[np.int32]
    rooms: tuple[int, ...]
    exits: tuple[tuple[int, int], ...]
    doors: tuple[tuple[int, int], ...]
    leads: tuple[tuple[int, ...], ...]

    def mask(self) -> NDArray[np.bool_]:
        """Return the tiles of all rooms, ``bool[H, W]``."""
        return np.isin(self.area, self.rooms)

    def holds(self, places: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which places ``float64[n, 2]`` (x, y) lie in its rooms."""
        return np.isin(self.area[places[:, 1].astype(np.int64), places[:, 0].astype(np.int64)], self.rooms)


def house_of(graph: AreaGraph, room: int, start: tuple[float, float], largest: int) -> House:
    """Return the house of a room, for a team that comes from ``start``.

    The place is (x, y) in tiles. The search begins in the room with the exit that is nearest to the team.
    """
    sizes = np.bincount(graph.area[graph.area >= 0], minlength=graph.count)
    sizes[int(sizes.argmax())] = 0  # open country
    found = house_around(graph, room, sizes.tolist(), largest)
    doors = sorted({k for a in found for k in graph.chokes_of(a) if graph.chokes[k].walkable})
    out = exits_of(graph, found)
    middles = np.zeros((graph.count, 2))
    for a in found:
        middles[a] = np.argwhere(graph.area == a).mean(axis=0)
    near = min(out, key=lambda k: (np.hypot(graph.chokes[k].x - start[0], graph.chokes[k].y - start[1]), k), default=-1)
    first = min(set(graph.chokes[near].areas) & set(found)) if near >= 0 else room
    tile = {k: (int(graph.chokes[k].y), int(graph.chokes[k].x)) for k in doors}
    return House(
        graph.area, tuple(search_order(graph, first, found, middles)), tuple(tile[k] for k in out),
        tuple(tile[k] for k in doors), tuple(graph.chokes[k].areas for k in doors),
    )  # fmt: skip


def rooms_within(graph: AreaGraph, start: int, avoid: Iterable[int] = ()) -> dict[int, int]:
    """Return the rooms that are reached on foot, with the doors passed.

    The rooms of ``avoid`` are not entered.
    """
    shut = set(avoid)
    if start in shut:
        return {}
    doors = {start: 0}
    todo = deque([start])
    while todo:
        at = todo.popleft()
        for other in graph.neighbours(at, walkable=True):
            if other not in doors and other not in shut:
                doors[other] = doors[at] + 1
                todo.append(other)
    return doors


def can_reach_without(graph: AreaGraph, start: int, goal: int, avoid: int) -> bool:
    """Return whether one room can be reached from another without passing a third."""
    return goal in rooms_within(graph, start, (avoid,))


def rooms_to_pass(graph: AreaGraph, start: int, goal: int) -> list[int]:
    """Return the rooms between two that cannot be bypassed, nearest to the start first.

    The list is empty if each of them can be bypassed, or if there is no way at all.
    """
    doors = rooms_within(graph, start)
    if goal not in doors:
        return []
    between = sorted(doors.keys() - {start, goal}, key=lambda room: (doors[room], room))
    return [room for room in between if not can_reach_without(graph, start, goal, room)]


def doors_between(graph: AreaGraph, start: int, goal: int) -> list[int]:
    """Return the doors of all ways between two rooms, ascending.

    A way enters no room twice.

    A door lies on such a way if its two rooms join the two ends by ways without a common room: a flow of two through
    rooms of capacity one.
    """
    if start == goal:
        return []
    n = graph.count
    source, sink = 2 * n, 2 * n + 1
    links = [(2 * a, 2 * a + 1) for a in range(n)]
    links += [(2 * a + 1, 2 * b) for a in range(n) for b in graph.neighbours(a, walkable=True)]
    links += [(2 * start + 1, sink), (2 * goal + 1, sink)]
    found = []
    for k, choke in enumerate(graph.chokes):
        pairs = [(a, b) for a in choke.areas for b in choke.areas if a < b] if choke.walkable else []
        for pair in pairs:
            ends = np.array([*links, *((source, 2 * room) for room in pair)])
            ones = np.ones(len(ends), np.int32)
            network = csr_array((ones, (ends[:, 0], ends[:, 1])), shape=(sink + 1, sink + 1))
            if maximum_flow(network, source, sink).flow_value == 2:
                found.append(k)
                break
    return found


def exits_of(graph: AreaGraph, rooms: Iterable[int]) -> list[int]:
    """Return the doors that lead out of a set of rooms, ascending."""
    inner = set(rooms)
    return [
        k for k, choke in enumerate(graph.chokes)
        if choke.walkable and not inner.isdisjoint(choke.areas) and not inner.issuperset(choke.areas)
    ]  # fmt: skip


def doors_from_outside(graph: AreaGraph, room: int, start: int) -> list[int]:
    """Return the doors of a room that are reached from ``start`` without passing it."""
    outside = rooms_within(graph, start, (room,))
    return [k for k in exits_of(graph, (room,)) if any(a in outside for a in graph.chokes[k].areas)]


def house_around(graph: AreaGraph, room: int, sizes: Sequence[int], largest: int) -> list[int]:
    """Return the rooms joined to ``room`` on foot, each of at most ``largest`` tiles."""
    big = [a for a in range(graph.count) if not 0 < sizes[a] <= largest]
    return sorted(rooms_within(graph, room, big))


def search_order(graph: AreaGraph, first: int, rooms: Iterable[int], middles: np.ndarray) -> list[int]:
    """Return the rooms in the order of a search: the nearest unvisited one next.

    Nearness is by doors from the last room, then by the distance of the middles ``float64[rooms, 2]``, then by number.
    """
    left, order = set(rooms), [first]
    left.discard(first)
    while left:
        at = order[-1]
        doors = {room: n for room, n in rooms_within(graph, at).items() if room in left}
        if not doors:
            break
        far = {room: float(np.hypot(*(middles[room] - middles[at]))) for room in doors}
        order.append(min(doors, key=lambda room: (doors[room], far[room], room)))
        left.discard(order[-1])
    return order


def available(priorities: Sequence[float], threshold: float) -> list[int]:
    """Return the soldiers with less important work than a threshold, lowest first."""
    return sorted((k for k, p in enumerate(priorities) if p < threshold), key=lambda k: (priorities[k], k))


TECHNIQUES = (
    {
        "slug": "decision-support",
        "name": "Decision support about rooms and doors",
        "ids": ("AW-5.5-2",),
        "source": "AI Game Programming Wisdom, 5.5",
        "functions": ("rooms_to_pass", "doors_between", "exits_of", "search_order"),
        "test": "tests/ai/squad/houses/test_decision_support.py",
        "reason": "Answers to questions; the exhibits of a house show the manoeuvres that ask them.",
        "claim": (
            "The game asks for the exits, the doors and the order of a search of a house. Rooms that cannot be "
            "bypassed, doors between rooms and free soldiers are in the library only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
