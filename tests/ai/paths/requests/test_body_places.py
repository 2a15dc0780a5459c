"""Body places: a point moves off walls by the shortest distance."""

import itertools

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.paths.requests.body_places import fit_bodies

FINE = 100
"""Grid points per tile of the oracle."""


def gap_to_walls(ground: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the distance of each point to the nearest blocked square.

    Outside the map all is blocked.
    """
    padded = np.pad(ground, 1)
    walls = np.argwhere(~padded) - 1
    low, high = walls[:, ::-1][None], walls[:, ::-1][None] + 1
    away = np.maximum(np.maximum(low - points[:, None], points[:, None] - high), 0.0)
    return np.asarray(np.hypot(away[..., 0], away[..., 1]).min(axis=1))


def neighbourhoods() -> list[np.ndarray]:
    """Return every map of 3 x 3 tiles whose middle is open."""
    maps = []
    for bits in itertools.product((True, False), repeat=8):
        ground = np.ones(9, bool)
        ground[[0, 1, 2, 3, 5, 6, 7, 8]] = bits
        maps.append(ground.reshape(3, 3))
    return maps


def test_the_place_is_the_nearest_one_of_a_fine_grid_where_a_body_fits() -> None:
    rng = np.random.default_rng(5)
    inside = (np.arange(FINE) + 0.5) / FINE
    grid = np.stack(np.meshgrid(1.0 + inside, 1.0 + inside), axis=-1).reshape(-1, 2)
    for ground in neighbourhoods():
        points = rng.uniform(1.0, 2.0, (6, 2))
        radius = float(rng.uniform(0.1, 0.45))
        got = fit_bodies(Terrain.build(ground), 0, points, radius)
        assert (np.floor(got) == 1).all()
        assert (gap_to_walls(ground, got) >= radius - 1e-6).all()
        fits = grid[gap_to_walls(ground, grid) >= radius]
        nearest = np.hypot(*(points[:, None] - fits[None]).transpose(2, 0, 1)).min(axis=1)
        assert (np.hypot(*(got - points).T) <= nearest + 1.0 / FINE).all()
        stays = gap_to_walls(ground, points) >= radius
        assert np.array_equal(got[stays], points[stays])


def test_the_corner_of_a_blocked_diagonal_neighbour_pushes_the_point_into_the_tile() -> None:
    ground = np.ones((3, 3), bool)
    ground[0, 0] = False
    got = fit_bodies(Terrain.build(ground), 0, np.array([[1.0, 1.0]]), 0.3)[0]
    assert got.tolist() == pytest.approx([1.0 + 0.3 / np.sqrt(2), 1.0 + 0.3 / np.sqrt(2)])


def test_points_outside_the_map_move_to_its_edge_and_no_number_is_refused() -> None:
    terrain = Terrain.build(np.ones((3, 4), bool))
    assert fit_bodies(terrain, 0, np.array([[9.0, -3.0]]), 0.3).tolist() == [[3.7, 0.3]]
    with pytest.raises(ValueError, match="finite"):
        fit_bodies(terrain, 0, np.array([[np.nan, 1.0]]), 0.3)
    with pytest.raises(ValueError, match="radius"):
        fit_bodies(terrain, 0, np.array([[1.0, 1.0]]), np.zeros(2))
