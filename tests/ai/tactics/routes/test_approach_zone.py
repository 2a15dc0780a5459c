"""Approach zone: avenues hold the path, and flank routes keep out."""

import math

import numpy as np

from ai.grid.terrain import Terrain
from ai.tactics.routes.approach_zone import (
    MOST_WIDE,
    approach_zone,
    avenue,
    dilated,
    flank_route,
    region_path,
    zone_tiles,
)
from ai.tactics.unseen_paths import weighted_path


def _grid(rows: int, columns: int, walls: frozenset[tuple[int, int]] = frozenset()) -> tuple[list, np.ndarray]:
    """Build regions of 6 tiles a side in a grid; walls are impassable."""
    links: list = []
    for y in range(rows):
        for x in range(columns):
            around = [(y + dy, x + dx) for dy, dx in ((-1, 0), (0, 1), (1, 0), (0, -1))]
            fit = [(a, b) for a, b in around if 0 <= a < rows and 0 <= b < columns and (a, b) not in walls]
            links.append([] if (y, x) in walls else [(a * columns + b, 6.0) for a, b in fit])
    centres = np.array([(6.0 * x + 3, 6.0 * y + 3) for y in range(rows) for x in range(columns)])
    return links, centres


def test_on_open_ground_the_avenue_is_the_symmetric_trapezoid() -> None:
    links, centres = _grid(9, 11)
    made = avenue(links, centres, 4 * 11 + 0, 4 * 11 + 10)
    assert made is not None and made.path == tuple(range(44, 55))
    rows = sorted({r // 11 for r in made.regions if r % 11 == 5})
    assert rows == [1, 2, 3, 4, 5, 6, 7], "widest in the middle: 0.35 of 60 tiles to each side"
    assert {(8 - r // 11) * 11 + r % 11 for r in made.regions} == set(made.regions)


def test_a_path_outside_the_trapezoid_is_caught_by_the_hybrid_alone() -> None:
    walls = frozenset((y, 5) for y in range(8))
    links, centres = _grid(9, 11, walls)
    start, goal = 0 * 11 + 3, 0 * 11 + 7
    plain = approach_zone((21.0, 3.0), (45.0, 3.0))
    path = region_path(links, start, goal)
    assert not plain.holds(centres[path][:, 0], centres[path][:, 1]).all()
    made = avenue(links, centres, start, goal)
    assert made is not None and set(path) <= set(made.regions)
    assert not any((r // 11, r % 11) in walls for r in made.regions)
    # The trapezoid is widened to a share of the distance at most, and does not hold the far end of the path.
    assert made.zone.wide == MOST_WIDE * 24.0
    assert not made.zone.holds(centres[path][:, 0], centres[path][:, 1]).all()


def test_dead_ends_are_left_out_and_without_a_path_there_is_no_avenue() -> None:
    links, centres = _grid(3, 5)
    made = avenue(links, centres, 5, 9, dead_ends=frozenset((2,)))
    assert made is not None and 2 not in made.regions
    assert 2 in dilated(links, made.path, 2)
    cut, centres = _grid(3, 5, frozenset((y, 2) for y in range(3)))
    assert avenue(cut, centres, 5, 9) is None and region_path(cut, 5, 9) == []


def test_the_flank_route_keeps_out_of_the_zone_and_arrives_from_the_side() -> None:
    terrain = Terrain.build(np.ones((60, 80), bool))
    start, enemy = (30, 10), (30, 60)
    zone = approach_zone((10.5, 30.5), (60.5, 30.5))
    goal = (26, 60)
    discs = (((60.5, 30.5), 5.0), ((10.5, 30.5), 3.0))
    closed = zone_tiles(zone, (60, 80), discs)
    route = flank_route(terrain, 0, start, goal, closed)
    assert route is not None and not closed[route[:, 0], route[:, 1]].any()
    plain = weighted_path(terrain, terrain.cost, 0, start, goal)
    assert plain is not None
    bearings = []
    for path in (route, plain):
        y, x = next((y, x) for y, x in path.tolist() if math.hypot(y - enemy[0], x - enemy[1]) <= 9)
        bearings.append(abs(math.remainder(math.atan2(y - enemy[0], x - enemy[1]) - math.pi, math.tau)))
    assert math.degrees(bearings[0]) > 45 > math.degrees(bearings[1])


def test_a_blocked_flank_has_no_route_and_the_polygon_has_the_widths() -> None:
    ground = np.zeros((21, 60), bool)
    ground[7:14] = True
    zone = approach_zone((5.5, 10.5), (55.5, 10.5))
    closed = zone_tiles(zone, ground.shape, (((5.5, 10.5), 3.0), ((55.5, 10.5), 3.0)))
    assert flank_route(Terrain.build(ground), 0, (10, 5), (10, 55), closed) is None
    corners = zone.corners()
    assert corners[0][1] - corners[5][1] == 6.0 and corners[1][1] - corners[4][1] == 2 * 0.35 * 50
    point = approach_zone((5.0, 5.0), (5.0, 5.0))
    assert point.holds(np.array([5.0, 9.0]), np.array([6.0, 5.0])).tolist() == [True, False]
