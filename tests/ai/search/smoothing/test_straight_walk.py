"""Straight walks equal geometry tile by tile; smoothed paths stay walkable and cheap."""

import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.smoothing.straight_walk import line_walkable, pull_string, pull_strings_of
from tests.ai.search.grids import costs, rooms


def distance_to_tile(ax: float, ay: float, bx: float, by: float, y: int, x: int) -> float:
    """Return the distance between a segment and a unit square.

    It is 0 when they meet, otherwise between corners and sides.
    """

    def to_segment(px: float, py: float, segment: tuple) -> float:
        x0, y0, x1, y1 = segment
        dx, dy = x1 - x0, y1 - y0
        t = 0.0 if dx == dy == 0 else max(0.0, min(1.0, ((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy)))
        return math.hypot(px - x0 - t * dx, py - y0 - t * dy)

    # Clip the segment against the square (Liang-Barsky): does it enter?
    t0, t1 = 0.0, 1.0
    for p, q in ((ax - bx, ax - x), (bx - ax, x + 1 - ax), (ay - by, ay - y), (by - ay, y + 1 - ay)):
        if p == 0:
            if q < 0:
                t0, t1 = 1.0, 0.0
        elif p < 0:
            t0 = max(t0, q / p)
        else:
            t1 = min(t1, q / p)
    if t0 <= t1:
        return 0.0
    corners = [to_segment(cx, cy, (ax, ay, bx, by)) for cy in (y, y + 1) for cx in (x, x + 1)]
    sides = [(x, y, x + 1, y), (x, y + 1, x + 1, y + 1), (x, y, x, y + 1), (x + 1, y, x + 1, y + 1)]
    ends = [to_segment(px, py, side) for side in sides for px, py in ((ax, ay), (bx, by))]
    return min(corners + ends)


@pytest.mark.parametrize("radius", [0.02, 0.3, 0.49, 1.2])
def test_a_line_is_clear_when_no_wall_is_nearer_than_the_radius(radius: float) -> None:
    rng = np.random.default_rng(int(radius * 100))
    ground = np.pad(rng.random((24, 26)) < 0.93, 3, constant_values=True)
    terrain = Terrain.build(ground)
    lines = np.column_stack([rng.uniform(2, hi, 300) for hi in (30, 28, 30, 28)])
    lines[:100] = np.floor(lines[:100]) + 0.5
    lines[100:120, 2:] = lines[100:120, :2]
    clear, _ = line_walkable(terrain, lines, 0, radius)
    walls = np.argwhere(~ground)
    wanted = []
    for line in lines.tolist():
        nearest = min(distance_to_tile(*line, int(y), int(x)) for y, x in walls)
        wanted.append(None if abs(nearest - radius) < 1e-6 else nearest > radius)
    judged = [(c, w) for c, w in zip(clear.tolist(), wanted, strict=True) if w is not None]
    assert len(judged) > 150 and all(c == w for c, w in judged)
    assert 20 < clear.sum() < 290


def test_the_cost_is_length_times_ground() -> None:
    rng = np.random.default_rng(7)
    terrain = Terrain.build(np.ones((30, 30), bool), rng.integers(1, 200, (30, 30)))
    lines = rng.uniform(1, 29, (60, 4))
    _, cost = line_walkable(terrain, lines, 0, 0.0)
    for line, found in zip(lines, cost, strict=True):
        t = (np.arange(200_000) + 0.5) / 200_000
        x, y = line[0] + t * (line[2] - line[0]), line[1] + t * (line[3] - line[1])
        sampled = terrain.cost[y.astype(int), x.astype(int)].mean() / 8 * math.hypot(*(line[2:] - line[:2]))
        assert found == pytest.approx(sampled, rel=2e-4)
    diagonal = np.array([[1.5, 1.5, 9.5, 9.5]])
    along = terrain.cost[range(1, 10), range(1, 10)].astype(int)
    assert line_walkable(terrain, diagonal, 0, 0.3)[1][0] == pytest.approx(
        math.sqrt(2) * (along[:-1] + along[1:]).sum() / 16
    )


def test_the_edge_of_the_map_is_a_wall() -> None:
    terrain = Terrain.build(np.ones((5, 5), bool))
    lines = [[0.3, 2, 4.7, 2], [0.29, 2, 4, 2], [2, 2, 2, 4.71], [-1, 2, 2, 2], [2, 2, 9, 2]]
    assert line_walkable(terrain, lines)[0].tolist() == [True, False, False, False, False]
    with pytest.raises(ValueError, match="finite"):
        line_walkable(terrain, [[0, 0, math.nan, 1]])
    with pytest.raises(ValueError, match="lines"):
        line_walkable(terrain, [[0, 0, 1]])


@pytest.mark.parametrize("seed", range(15))
def test_a_pulled_string_is_walkable_no_dearer_and_shorter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(rooms(rng, 50, 60), costs(rng, 50, 60))
    tiles = np.argwhere(terrain.passable > 0)
    search = AStarSearch(50, 60)
    for _ in range(5):
        start, goal = (tuple(tiles[i].tolist()) for i in rng.integers(len(tiles), size=2))
        search.begin(terrain, 0, start, goal)
        search.run(terrain, 1 << 40)
        if search.status != FOUND or start == goal:
            continue
        path = search.path()
        pulled = pull_string(terrain, path)
        assert np.array_equal(pulled[0], path[0]) and np.array_equal(pulled[-1], path[-1])
        assert len(pulled) <= len(path)
        rows = {tuple(t) for t in path.tolist()}
        assert all(tuple(t) in rows for t in pulled.tolist())
        centres = pulled[:, ::-1] + 0.5
        clear, cost = line_walkable(terrain, np.hstack((centres[:-1], centres[1:])))
        assert clear.all()
        assert cost.sum() <= search.cost * (1 + 1e-9)


def test_a_string_stays_on_the_road() -> None:
    """The road is kept: a line over a field is shorter but costs more."""
    cost = np.full((20, 20), 40, np.uint8)
    cost[10, :11] = 8
    cost[:11, 10] = 8
    terrain = Terrain.build(np.ones((20, 20), bool), cost)
    path = [(10, x) for x in range(11)] + [(y, 10) for y in range(9, -1, -1)]
    assert pull_string(terrain, path).tolist() == [[10, 0], [10, 10], [0, 10]]
    even = Terrain.build(np.ones((20, 20), bool))
    assert pull_string(even, path).tolist() == [[10, 0], [0, 10]]


def test_many_strings_at_once_are_each_as_alone() -> None:
    terrain = Terrain.build(np.ones((9, 40), bool))
    paths = [[(1, x) for x in range(40)], [(0, 0)], [], [(y, y) for y in range(9)]]
    pulled = pull_strings_of(terrain, paths, [0, 1, 0, 0])
    assert [p.tolist() for p in pulled] == [[[1, 0], [1, 39]], [[0, 0]], [], [[0, 0], [8, 8]]]
    assert len(pull_string(terrain, paths[0], reach=13)) == 4
    with pytest.raises(ValueError, match="leaves"):
        pull_string(terrain, [(0, 40)])
