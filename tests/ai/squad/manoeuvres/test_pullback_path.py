"""Pullback path: its cost recounted tile by tile, and the flip between two routes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.manoeuvres.manoeuvre import begin
from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from ai.squad.manoeuvres.pullback_path import BEHIND, PathWeights, PullbackPath, pullback_path
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

TWO_ROUTES = terrain_of(
    "######################",
    "#....................#",
    "#.##################.#",
    "#.##################.#",
    "#....................#",
    "#.##.##.##.##.##.###.#",
    "#.#..#..#..#..#...##.#",
    "######################",
)
"""A lane without bypass at the top; a lane with niches below."""
START, GOAL, REACH = (1, 20), (4, 1), 9.0
NOBODY = np.zeros((0, 2))


def recounted(path: np.ndarray, weights: PathWeights, threats: np.ndarray) -> float:
    """Return the cost of a path, counted tile by tile in plain Python."""
    open_tiles, opaque = TWO_ROUTES.passable != 0, TWO_ROUTES.opaque
    tiles = [(int(y), int(x)) for y, x in path]
    total = 0.0
    for k in range(1, len(tiles)):
        (ly, lx), (ny, nx) = tiles[k - 1], tiles[k]
        total += weights.duration * math.dist(tiles[k - 1], tiles[k])
        shooters = tiles[max(0, k - BEHIND) : k] + [(int(y), int(x)) for x, y in threats.tolist()]
        fire = sum(math.dist(b, tiles[k]) <= REACH and line_clear(opaque, *b, *tiles[k]) for b in shooters)
        dy, dx = ny - ly, nx - lx
        beside = [(ny + dx, nx - dy), (ny - dx, nx + dy)]
        total += weights.cover * fire + weights.space * (not any(open_tiles[t] for t in beside))
    return total


def found(weights: PathWeights, threats: np.ndarray = NOBODY) -> PullbackPath:
    path = pullback_path(TWO_ROUTES, 0, START, GOAL, threats, REACH, weights)
    assert path is not None
    return path


@pytest.mark.parametrize("cover", [0.0, 0.25, 2.0])
def test_the_cost_is_the_sum_of_its_terms(cover: float) -> None:
    threats = np.array([[20.5, 2.5]])
    path = found(PathWeights(cover=cover), threats)
    assert path.tiles[0].tolist() == list(START) and path.tiles[-1].tolist() == list(GOAL)
    assert path.cost == pytest.approx(recounted(path.tiles, PathWeights(cover=cover), threats), rel=1e-6)
    under = [math.dist((2, 20), t) <= REACH and line_clear(TWO_ROUTES.opaque, 2, 20, *t) for t in path.tiles.tolist()]
    assert path.exposed == pytest.approx(np.mean(under))


def test_the_route_flips_where_both_cost_the_same() -> None:
    """Both lanes take equal time; the one with niches lets others pass."""
    top = np.array([(1, x) for x in range(20, 0, -1)] + [(y, 1) for y in (2, 3, 4)])
    low = np.array([(y, 20) for y in (1, 2, 3, 4)] + [(4, x) for x in range(19, 0, -1)])
    fire = lambda path: recounted(path, PathWeights(0.0, 1.0, 0.0, 0.0), NOBODY)  # noqa: E731
    space = lambda path: recounted(path, PathWeights(0.0, 0.0, 1.0, 0.0), NOBODY)  # noqa: E731
    assert space(low) < space(top)
    # A shooter that sees only the lower lane outweighs the narrowness of the upper one above a weight in closed form.
    threat = np.array([[4.5, 5.5]])
    shots = lambda path: recounted(path, PathWeights(0.0, 1.0, 0.0, 0.0), threat) - fire(path)  # noqa: E731
    assert shots(low) > shots(top)
    flip = (space(top) - space(low)) / (shots(low) + fire(low) - shots(top) - fire(top))
    assert flip > 0
    for factor, row in ((0.9, 4), (1.1, 1)):
        path = found(PathWeights(cover=flip * factor), threat)
        assert (path.tiles[len(path.tiles) // 2, 0] == row).all(), (factor, path.tiles.tolist())


def test_no_path_and_one_under_fire_are_refused() -> None:
    """A way back past the enemy's guns is refused in words."""
    closed = terrain_of(".....#.....", ".....#.....")
    assert pullback_path(closed, 0, (0, 0), (0, 10), NOBODY, REACH, PathWeights()) is None
    squad = Parade(terrain_of(*["." * 12] * 3), [(10.5, 1.5), (9.5, 1.5)], [(5.5, 0.5)])
    task = begin("pull_back", [0, 1], (1.5, 1.5), 0, 600)
    assert MANOEUVRES["pull_back"].brief(task, squad.situation()) == "the way back lies under fire"
