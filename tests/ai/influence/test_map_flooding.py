"""Map flooding, against the corridor of its source and a path-distance partition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from ai.influence.map_flooding import flood


def test_corridor_is_flooded_and_not_compared() -> None:
    """The weak city keeps all ground behind it, unlike in an argmax."""
    made = flood(np.ones((1, 30), bool), np.array([[0, 0], [0, 5]]), np.array([10.0, 2.0]))
    assert made.owner[0].tolist() == [0] * 5 + [1] * 25
    assert 10 / 7 > made.strength[0, 6] == 1.0


def test_equal_cities_share_open_ground_by_distance() -> None:
    cities = np.array([[3, 4], [15, 17]])
    made = flood(np.ones((20, 20), bool), cities, np.array([5.0, 5.0]))
    y, x = np.mgrid[:20, :20]
    paths = []
    for cy, cx in cities:
        dy, dx = np.abs(y - cy), np.abs(x - cx)
        paths.append(np.maximum(dy, dx) + (np.sqrt(2) - 1) * np.minimum(dy, dx))
    clear = np.abs(paths[0] - paths[1]) > 1e-9
    assert (made.owner == (paths[1] < paths[0]))[clear].all()
    assert np.allclose(made.strength, 5 / (1 + np.minimum(*paths)))


def test_domains_are_connected_round_walls_and_above_the_threshold() -> None:
    rng = np.random.default_rng(4)
    ground = rng.random((24, 24)) > 0.3
    cities = np.array([[2, 2], [20, 4], [11, 19]])
    ground[cities[:, 0], cities[:, 1]] = True
    made = flood(ground, cities, np.array([3.0, 6.0, 4.0]), threshold=0.3)
    for k, city in enumerate(cities):
        pieces, count = ndimage.label(made.owner == k, np.ones((3, 3)))
        assert count == 1
        assert pieces[tuple(city)] == 1
    assert made.strength[made.owner >= 0].min() >= 0.3
    assert (made.owner[~ground] == -1).all()
    assert made.expanded == (made.owner >= 0).sum(), "each tile is expanded once"


def test_bad_sources_are_named() -> None:
    with pytest.raises(ValueError, match="source 0 at"):
        flood(np.ones((2, 2), bool), np.array([[5, 0]]), np.array([1.0]))
    with pytest.raises(ValueError, match="each source"):
        flood(np.ones((2, 2), bool), np.array([[0, 0]]), np.array([1.0, 2.0]))
