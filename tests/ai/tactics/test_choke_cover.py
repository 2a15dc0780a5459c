"""Chokes are covered by different watchers, exits sealed, and no unit faces a wall.

Oracles: rooms drawn by hand, lines of sight tile by tile, a flood fill for exits.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.grid.areas import AreaGraph, area_graph
from ai.perception.sight.line_of_sight import line_clear
from ai.tactics.choke_cover import (
    ambush_posts,
    assign_posts,
    capacity,
    only_exit,
    openings_towards,
    paths_on,
    position_nodes,
)

# A room in the middle of a yard with one door (D) and two windows (W: not walkable).
ROOM = [
    "#########################",
    "#.......................#",
    "#.......................#",
    "#.......................#",
    "#.......................#",
    "#.......########........#",
    "#.......#......#........#",
    "#.......W......D........#",
    "#.......#......#........#",
    "#.......###W####........#",
    "#.......................#",
    "#.......................#",
    "#.......................#",
    "#.......................#",
    "#########################",
]


def read(rows: list[str]) -> tuple[AreaGraph, np.ndarray, np.ndarray]:
    letters = np.array([list(r) for r in rows])
    is_open, walkable = letters != "#", (letters == ".") | (letters == "D")
    doors = [(int(y), int(x), int(y) + 1, int(x) + 1) for y, x in np.argwhere(letters == "D")]
    return area_graph(is_open, walkable, doors), (~is_open).astype(np.uint8), walkable


def test_three_guards_outside_face_three_different_openings() -> None:
    graph, opaque, standing = read(ROOM)
    (room,) = graph.areas_at(11.5, 7.5)
    guards = [(3, 12.5, 3.5), (5, 5.5, 3.5), (9, 20.5, 3.5)]
    posts = assign_posts(graph, opaque, standing, room, guards)
    assert [p.unit for p in posts] == [3, 5, 9]
    assert len({p.choke for p in posts}) == 3
    for post in posts:
        choke = graph.chokes[post.choke]
        off = math.remainder(math.atan2(choke.y - post.y, choke.x - post.x) - post.facing, math.tau)
        assert abs(off) < math.radians(10)
        assert not opaque[int(post.y + math.sin(post.facing)), int(post.x + math.cos(post.facing))], "no wall before it"
        assert any(line_clear(opaque, int(post.y), int(post.x), y, x) for y, x in choke.tiles)
        assert standing[int(post.y), int(post.x)] and room not in graph.areas_at(post.x, post.y)


def test_a_fourth_goes_where_the_fewest_are_and_no_two_stand_together() -> None:
    graph, opaque, standing = read(ROOM)
    (room,) = graph.areas_at(11.5, 7.5)
    posts = assign_posts(graph, opaque, standing, room, [(k, 12.5, 3.5) for k in range(7)])
    counts = sorted(sum(p.choke == c for p in posts) for c in {p.choke for p in posts})
    assert counts == [2, 2, 3]
    for i, a in enumerate(posts):
        assert all(math.dist((a.x, a.y), (b.x, b.y)) >= 1.5 for b in posts[:i])


def test_from_inside_its_own_openings_are_watched_and_far_away_those_towards_it() -> None:
    graph, _, _ = read(ROOM)
    (room,), (yard,) = graph.areas_at(11.5, 7.5), graph.areas_at(2.5, 2.5)
    assert openings_towards(graph, room, room) == graph.chokes_of(room)
    assert openings_towards(graph, yard, room) == graph.between(yard, room)


@pytest.mark.parametrize(
    ("tall", "wide", "heads"),
    [(1, 2, 1), (2, 6, 1), (1, 23, 1), (2, 12, 2), (5, 7, 2), (6, 6, 3), (6, 8, 4), (9, 9, 4)],
)
def test_one_unit_for_each_twelve_tiles_enters_a_room_and_at_most_four(tall: int, wide: int, heads: int) -> None:
    rows = ["#" * (wide + 2), *["#" + "." * wide + "#"] * tall, "#" * (wide + 2)]
    graph, *_ = read(rows)
    assert graph.count == 1 and capacity(graph, graph.areas_at(1.5, 1.5)[0]) == heads


HOUSES = [
    "##########################",
    "#......#....D.............",
    "#......D....#.............",
    "#......#....#######.###.##",
    "########....#........#....",
    "########....#........#....",
    "##########################",
]


def test_the_only_exit_of_a_dead_end_lies_at_the_mouth_of_its_chain() -> None:
    """A chamber behind a hall: the hall's door seals both.

    A room with two exits has none.
    """
    graph, opaque, standing = read(HOUSES)
    chamber, hall, road = (graph.areas_at(x, y)[0] for x, y in ((3.5, 1.5), (10.5, 4.5), (20.5, 1.5)))
    mouth = graph.between(hall, road)
    assert only_exit(graph, chamber) == only_exit(graph, hall) == mouth[0]
    assert only_exit(graph, road) == -1
    field, *_ = read(["##########", "#...D....#", "#...#....#", "##########"])
    assert [only_exit(field, field.areas_at(x, 1.5)[0]) for x in (2.5, 7.5)] == [0, -1], "a house in a field"
    two, *_ = read(["#######", "#..D..#", "#..D..#", "#######"])
    assert all(only_exit(two, a) == -1 for a in range(two.count))
    for y, x in ambush_posts(graph, opaque, standing, mouth[0], hall).tolist():
        assert road in graph.areas_at(x + 0.5, y + 0.5)


def test_an_ambush_position_sees_the_exit_and_is_not_seen_from_inside() -> None:
    graph, opaque, standing = read(ROOM)
    (room,) = graph.areas_at(11.5, 7.5)
    door = next(k for k in range(len(graph.chokes)) if graph.chokes[k].door == 0)
    (yard,) = [a for a in graph.chokes[door].areas if a != room]
    before = tuple(position_nodes(graph, opaque, standing, door, room)[0])
    behind = tuple(position_nodes(graph, opaque, standing, door, yard)[0])
    wait = ambush_posts(graph, opaque, standing, door, room).tolist()
    assert wait
    for y, x in wait:
        assert graph.area[y, x] == yard
        assert line_clear(opaque, *behind, y, x)
        assert not line_clear(opaque, *before, y, x)


def test_position_nodes_see_their_choke_from_their_own_area() -> None:
    graph, opaque, standing = read(ROOM)
    for k, choke in enumerate(graph.chokes):
        for area in choke.areas:
            nodes = position_nodes(graph, opaque, standing, k, area)
            assert len(nodes)
            for y, x in nodes.tolist():
                assert graph.area[y, x] == area
                assert any(line_clear(opaque, y, x, *tile) for tile in choke.tiles)


HALL = [
    "#######################",
    "#....#.........#......#",
    "#....#.........#......#",
    "#..............#......#",
    "#....#................#",
    "#....#.........#......#",
    "#....#.........#......#",
    "####################.##",
    "####################..#",
    "#######################",
]


def test_inside_a_hall_the_way_on_is_kept_before_a_nearer_one_that_leads_nowhere() -> None:
    """A side room lies west, a room with another behind it lies east.

    Only the east room leads on.
    """
    graph, opaque, standing = read(HALL)
    (hall,), (side,), (on,) = graph.areas_at(9.5, 2.5), graph.areas_at(2.5, 2.5), graph.areas_at(18.5, 2.5)
    assert paths_on(graph, 6) == {hall, on} and side not in paths_on(graph, 6)
    assert paths_on(graph, 0) == set()
    guard = [(1, 7.5, 3.5)]

    def leads_to(first: set[int]) -> set[int]:
        (post,) = assign_posts(graph, opaque, standing, hall, guard, first=first)
        return set(graph.chokes[post.choke].areas) - {hall}

    assert leads_to(set()) == {side}
    assert leads_to(paths_on(graph, 6)) == {on}
