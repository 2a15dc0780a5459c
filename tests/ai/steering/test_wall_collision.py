"""Wall collision: no displacement takes a body into or through a wall.

This holds for any length; the body slides and does not stick.
"""

import numpy as np
import pytest
from scipy import ndimage

from ai.steering.collision.collision_resolution import cut_steps
from ai.steering.settings import SteeringSettings
from ai.steering.tile_surroundings import ROOMY, look_around
from ai.steering.wall_collision import walk_open
from tests.ai.steering.arena import grid


def slide(passable, x, y, dx, dy, r=0.3):
    """Return the positions after a step of any length of bodies without neighbours."""
    x, y, dx, dy = (np.atleast_1d(np.asarray(v, float)).copy() for v in (x, y, dx, dy))
    n, to, around = len(x), (x + dx, y + dy), look_around(passable)
    zeros, bytes_, rows = np.zeros(n), np.zeros(n, np.uint8), np.arange(n, dtype=np.int32)
    roomy = around[y.astype(int), x.astype(int), ROOMY] & 1
    cut_steps(
        0, n, passable, around, roomy, SteeringSettings().packed(), np.ones(n, np.uint8), rows, rows,
        np.zeros((16, n)), bytes_, np.full(n, r), np.zeros((n, 1), np.int32), np.zeros(n, np.int32), bytes_, bytes_,
        bytes_, zeros, zeros, x, y, *to, zeros.copy(), zeros.copy(), np.ones(n), np.zeros((5, n)),
    )  # fmt: skip
    return to


def clearance(passable, x, y):
    """Return the distance from each point to the nearest blocked tile.

    It uses brute force over all blocked squares.
    """
    by, bx = np.nonzero(np.pad(passable, 1) == 0)
    bx, by = bx - 1, by - 1
    dx = np.maximum(0.0, np.maximum(bx - x[:, None], x[:, None] - (bx + 1)))
    dy = np.maximum(0.0, np.maximum(by - y[:, None], y[:, None] - (by + 1)))
    return np.hypot(dx, dy).min(axis=1)


@pytest.mark.parametrize("seed", range(4))
def test_random_displacements_never_enter_or_cross_a_wall(seed):
    """Each body keeps its distance and its connected region.

    There are 10^4 steps per seed, from tiny ones to hundreds of tiles.
    """
    rng = np.random.default_rng(seed)
    passable = (rng.random((24, 30)) < 0.7).astype(np.uint8)
    open_y, open_x = np.nonzero(passable)
    pick = rng.integers(0, len(open_y), 10_000)
    x, y = open_x[pick] + 0.5, open_y[pick] + 0.5
    size = 10.0 ** rng.uniform(-2, 2.5, 10_000)
    angle = rng.uniform(0, 2 * np.pi, 10_000)
    nx, ny = slide(passable, x, y, size * np.cos(angle), size * np.sin(angle))
    assert clearance(passable, nx, ny).min() > 0.3 - 1e-9
    # Diagonal gaps between two blocked tiles are shut, so regions are 4-connected.
    region, _ = ndimage.label(passable)
    assert np.array_equal(region[ny.astype(int), nx.astype(int)], region[y.astype(int), x.astype(int)])


def test_a_step_in_the_open_is_exact():
    x, y = slide(np.ones((9, 9), np.uint8), [4.5], [4.5], [1.25], [-0.75])
    assert (x[0], y[0]) == (5.75, 3.75)


def test_an_oblique_step_slides_along_the_wall():
    room = grid("#####\n#   #\n#   #\n#   #\n#####")
    x, y = slide(room, [2.5], [1.5], [1.0], [-1.0])
    assert x[0] == pytest.approx(3.5)
    assert y[0] == pytest.approx(1.3)


def test_a_straight_step_at_a_wall_stops_its_radius_away():
    room = grid("#####\n#   #\n#####")
    x, y = slide(room, [1.5], [1.5], [50.0], [0.0])
    assert x[0] == pytest.approx(3.7)
    assert y[0] == pytest.approx(1.5)


def test_walking_straight_is_possible_just_where_the_swept_disc_is_clear():
    """Oracle: the disc sampled densely along the segment."""
    rng = np.random.default_rng(5)
    passable = (rng.random((14, 14)) < 0.85).astype(np.uint8)
    y0, x0 = (v + 0.5 for v in np.nonzero(passable))
    n = len(x0)
    pick = rng.integers(0, n, n)
    x1, y1 = x0[pick], y0[pick]
    out = [walk_open(passable, 1, *row, 0.3) for row in zip(x0, y0, x1, y1, strict=True)]
    t = np.linspace(0.0, 1.0, 200)
    for i in range(n):
        sides = np.array([-0.28, 0.28])
        length = max(np.hypot(x1[i] - x0[i], y1[i] - y0[i]), 1e-9)
        px = (x0[i] + t[:, None] * (x1[i] - x0[i]) - sides * (y1[i] - y0[i]) / length).ravel()
        py = (y0[i] + t[:, None] * (y1[i] - y0[i]) + sides * (x1[i] - x0[i]) / length).ravel()
        free = bool(passable[py.astype(int), px.astype(int)].all())
        # A corner that is only grazed may fall between samples, so one direction is exact.
        assert free or not out[i]
        if out[i] == 0 and free:
            assert clearance(passable, px, py).min() < 0.05
