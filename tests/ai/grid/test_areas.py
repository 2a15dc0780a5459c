"""Areas remain after doors and narrow passages are removed.

Sound takes the shortest path between them.
"""

from __future__ import annotations

import heapq
import math
from itertools import pairwise

import numpy as np
import pytest

from ai.grid.areas import AreaGraph, area_graph


def read(text: str) -> tuple[np.ndarray, np.ndarray, list[tuple[int, int, int, int]]]:
    """Read a picture of a map.

    '#' is wall, '.' floor, 'D' a door of one tile, 'w' a window: open to sound, not walkable.
    """
    rows = [line for line in text.split("\n") if line]
    grid = np.array([list(r) for r in rows])
    doors = [(int(y), int(x), int(y) + 1, int(x) + 1) for y, x in np.argwhere(grid == "D")]
    return grid != "#", (grid != "#") & (grid != "w"), doors


TWO_ROOMS = """
###########
#....#....#
#....D....#
#....#....#
#....w....#
###########
"""


def graph_of(text: str) -> AreaGraph:
    is_open, walkable, doors = read(text)
    return area_graph(is_open, walkable, doors)


def test_two_rooms_a_door_and_a_window() -> None:
    graph = graph_of(TWO_ROOMS)
    assert graph.count == 2
    assert [(c.x, c.y, c.walkable, c.areas) for c in graph.chokes] == [
        (5.5, 2.5, True, (0, 1)),
        (5.5, 4.5, False, (0, 1)),
    ]
    assert graph.path(0, 1, walkable=True) == [0, 1]
    assert graph.between(0, 1) == [0, 1]
    assert graph.between(0, 1, walkable=True) == [0]
    assert graph.dead_end(0)
    walled = graph_of(TWO_ROOMS.replace("D", "#"))
    assert walled.path(0, 1, walkable=True) is None
    assert walled.path(0, 1) == [0, 1], "one still hears through the window"


def test_a_breach_in_the_wall_becomes_a_choke_and_a_wide_one_joins_the_rooms() -> None:
    assert len(graph_of(TWO_ROOMS.replace("#....D....#", "#.........#")).chokes) == 2
    wide = TWO_ROOMS.replace("#....D....#", "#.........#").replace("#....w....#", "#.........#")
    wide = wide.replace("#....#....#", "#.........#")
    assert graph_of(wide).count == 1


def test_a_corridor_is_an_area_between_its_mouths() -> None:
    graph = graph_of("""
#################
#....#######....#
#...............#
#....#######....#
#################
""")
    assert (graph.count, len(graph.chokes)) == (3, 2)
    (corridor,) = graph.areas_at(8.5, 2.5)
    assert sorted(len(n) for n in graph.adjacency()) == [1, 1, 2]
    assert len(graph.neighbours(corridor)) == 2


@pytest.mark.parametrize("seed", range(6))
def test_every_open_tile_has_an_area_and_areas_are_what_chokes_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    is_open = rng.random((30, 40)) > 0.25
    graph = area_graph(is_open, is_open)
    assert ((graph.area == -1) == ~is_open).all()
    seen = np.full(is_open.shape, -1)
    for y, x in np.argwhere(graph.area >= 0):
        if seen[y, x] >= 0:
            continue
        todo, label = [(int(y), int(x))], graph.area[y, x]
        seen[y, x] = 1
        while todo:
            a, b = todo.pop()
            for c, d in ((a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)):
                if 0 <= c < 30 and 0 <= d < 40 and graph.area[c, d] >= 0 and seen[c, d] < 0:
                    assert graph.area[c, d] == label, "areas touch only through chokes"
                    seen[c, d] = 1
                    todo.append((c, d))
    assert all(len(c.areas) >= 2 for c in graph.chokes)


def test_the_sources_example_is_summed_leg_by_leg() -> None:
    """The path crosses a window, the nearer of two chokes, and a door.

    It leads from A to D.
    """
    graph = graph_of("""
#####################
#....#....D....#....#
#....w....#....#....#
#....#....#....D....#
#....#....#....#....#
#....#....w....#....#
#####################
""")
    window1, door2, door3 = (5.5, 2.5), (10.5, 1.5), (15.5, 3.5)
    source, ear = (2.5, 2.5), (18.5, 4.5)
    legs = [source, window1, door2, door3, ear]
    expected = sum(math.dist(a, b) for a, b in pairwise(legs))
    assert graph.distance(*source, *ear) == pytest.approx(expected)
    assert graph.distance(*ear, *source) == pytest.approx(expected)
    assert graph.distance(2.5, 2.5, 1.5, 4.5) == pytest.approx(math.dist((2.5, 2.5), (1.5, 4.5)))


def dijkstra(graph: AreaGraph, a: tuple[float, float], b: tuple[float, float]) -> float:
    """The same path over chokes in plain Python."""
    if set(graph.areas_at(*a)) & set(graph.areas_at(*b)):
        return math.dist(a, b)
    places = {-1: a, -2: b, **{k: (c.x, c.y) for k, c in enumerate(graph.chokes)}}
    areas = {k: set(c.areas) for k, c in enumerate(graph.chokes)}
    areas |= {-1: set(graph.areas_at(*a)), -2: set(graph.areas_at(*b))}
    adds = {k: graph.place[k, 2] for k in range(len(graph.chokes))} | {-1: 0.0, -2: 0.0}
    best, todo = {-1: 0.0}, [(0.0, -1)]
    while todo:
        cost, at = heapq.heappop(todo)
        if at == -2:
            return cost
        for other in places:
            if other != at and areas[at] & areas[other]:
                more = cost + math.dist(places[at], places[other]) + (adds[at] + adds[other]) / 2
                if more < best.get(other, math.inf):
                    best[other] = more
                    heapq.heappush(todo, (more, other))
    return math.inf


@pytest.mark.parametrize("seed", range(8))
def test_sound_distance_equals_dijkstra_over_the_chokes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    is_open = np.ones((26, 34), bool)
    is_open[::5] = is_open[:, ::5] = False
    doors = []
    for _ in range(26):
        y, x = (int(v) for v in rng.integers((1, 1), (25, 33)))
        if not is_open[y, x] and (y % 5 == 0) != (x % 5 == 0):
            is_open[y, x] = True
            if rng.random() < 0.5:
                doors.append((y, x, y + 1, x + 1))
    graph = area_graph(is_open, is_open, doors)
    graph.mute([float(rng.choice([0.0, 4.0, 9.0])) for _ in doors])
    tiles = np.argwhere(graph.area != -1)
    for _ in range(60):
        a, b = (tuple(float(v) + 0.5 for v in tiles[k][::-1]) for k in rng.integers(len(tiles), size=2))
        got = graph.distance(*a, *b)
        assert got == pytest.approx(dijkstra(graph, a, b))
        assert got >= math.dist(a, b) - 1e-9
    ax, ay = (float(v) + 0.5 for v in tiles[0][::-1])
    many = graph.distances(ax, ay, tiles[:50, 1] + 0.5, tiles[:50, 0] + 0.5)
    assert many.tolist() == [graph.distance(ax, ay, x + 0.5, y + 0.5) for y, x in tiles[:50].tolist()]


def test_a_shut_door_adds_to_the_way_and_a_wall_ends_it() -> None:
    graph = graph_of(TWO_ROOMS.replace("w", "#"))
    before = graph.distance(2.5, 2.5, 8.5, 2.5)
    graph.mute([6.0])
    assert graph.distance(2.5, 2.5, 8.5, 2.5) == before + 6.0
    assert graph_of(TWO_ROOMS.replace("w", "#").replace("D", "#")).distance(2.5, 2.5, 8.5, 2.5) == math.inf


def test_a_sound_in_solid_rock_or_off_the_map() -> None:
    graph = graph_of(TWO_ROOMS)
    assert graph.distance(0.5, 2.5, 2.5, 2.5) == 2.0, "rock beside a room sounds into it"
    assert graph.distance(-3.0, 2.5, 2.5, 2.5) == math.inf
    assert graph.distance(math.nan, 2.5, 2.5, 2.5) == math.inf
    assert area_graph(np.zeros((3, 3), bool), np.zeros((3, 3), bool)).count == 0
    with pytest.raises(ValueError, match="one shape"):
        area_graph(np.ones((3, 3), bool), np.ones((3, 4), bool))
