"""Decision support against all simple ways of a house, listed one by one."""

from __future__ import annotations

import numpy as np

from ai.grid.areas import AreaGraph, area_graph
from ai.squad.houses.decision_support import (
    available,
    can_reach_without,
    doors_between,
    doors_from_outside,
    exits_of,
    house_around,
    house_of,
    rooms_to_pass,
    search_order,
)
from tests.ai.squad.houses.test_search_house import ROWS

HOUSE = (
    *["." * 21] * 4,
    "....#############....",
    "....#....#......#....",
    ".........#......#....",
    "....#...........#....",
    "....#....#......#....",
    "....##.######.###....",
    "....#....#......#....",
    "....#....#......#....",
    "....#....#......#....",
    "....#....#...........",
    "....##########.######",
    "..........#.........#",
    "..........#.........#",
    "..........###########",
)
"""Four rooms in a ring with two ways out, and a fifth behind."""


def graph_of(rows: tuple[str, ...]) -> AreaGraph:
    floor = np.array([[c != "#" for c in row] for row in rows])
    return area_graph(floor, floor)


def ways(graph: AreaGraph, start: int, goal: int) -> list[tuple[list[int], list[int]]]:
    """Return every way that enters no room twice, as rooms and doors."""
    found, todo = [], [([start], [])]
    while todo:
        rooms, doors = todo.pop()
        if rooms[-1] == goal:
            found.append((rooms, doors))
            continue
        for k, choke in enumerate(graph.chokes):
            if choke.walkable and rooms[-1] in choke.areas:
                todo += [([*rooms, a], [*doors, k]) for a in choke.areas if a not in rooms]
    return found


def test_answers_equal_those_of_all_simple_ways() -> None:
    graph = graph_of(HOUSE)
    assert graph.count >= 5
    forced = 0
    for start in range(graph.count):
        for goal in range(graph.count):
            if start == goal:
                continue
            every = ways(graph, start, goal)
            must = set.intersection(*(set(rooms) for rooms, _ in every)) - {start, goal} if every else set()
            assert set(rooms_to_pass(graph, start, goal)) == must
            forced += len(must)
            assert doors_between(graph, start, goal) == sorted({k for _, doors in every for k in doors})
            for avoid in set(range(graph.count)) - {start, goal}:
                assert can_reach_without(graph, start, goal, avoid) == any(avoid not in rooms for rooms, _ in every)
    assert forced > 0


def test_exits_and_outer_doors_of_a_house_and_the_order_of_its_search() -> None:
    """The search visits each room once, the nearest first."""
    graph = graph_of(ROWS)
    sizes = [int((graph.area == a).sum()) for a in range(graph.count)]
    field = int(np.argmax(sizes))
    first, middle, last = (int(graph.area[6, x]) for x in (8, 13, 17))
    house = house_around(graph, first, sizes, 60)
    assert house == sorted((first, middle, last))
    exits = exits_of(graph, house)
    assert sorted(tuple(graph.chokes[k].tiles[0]) for k in exits) == [(7, 6), (10, 12), (10, 16)]
    assert [graph.chokes[k].tiles[0] for k in doors_from_outside(graph, middle, field)] == [(7, 11), (7, 15), (10, 12)]
    middles = np.array([np.argwhere(graph.area == a).mean(axis=0) for a in range(graph.count)])
    assert search_order(graph, first, house, middles) == [first, middle, last]
    found = house_of(graph, first, (1.5, 7.5), 60)
    assert found.rooms == (first, middle, last) and sorted(found.exits) == [(7, 6), (10, 12), (10, 16)]
    assert (found.mask() == np.isin(graph.area, house)).all()


def test_soldiers_with_less_important_work_are_free_lowest_first() -> None:
    assert available([4.0, 1.0, 6.0, 1.0, 2.0], 4.0) == [1, 3, 4]
