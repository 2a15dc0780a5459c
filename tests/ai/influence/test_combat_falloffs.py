"""Combat falloffs: the tables and equations of Game AI Pro 2, 31.4."""

import numpy as np
import pytest

from ai.influence.combat_falloffs import (
    CONTESTED,
    HELD,
    VACANT,
    artillery,
    commander,
    kind_of_ground,
    linear_drop,
    player_influence,
    region_influence,
    table_falloff,
    travel_time,
)


def _left(*rows: int) -> np.ndarray:
    return player_influence(7, 7, [(row - 1, 1, 5.0) for row in rows])


def test_the_tables_of_figure_31_3() -> None:
    """Tiles 7 x 7, drop 1, Manhattan distance; rows counted from 1."""
    assert _left(4)[3].tolist() == [4, 5, 4, 3, 2, 1, 0]
    three = _left(3, 4, 5)
    assert three[3].tolist() == [10, 13, 10, 7, 4, 1, 0]
    assert three[0].tolist() == [3, 6, 3, 1, 0, 0, 0]
    assert three[2].tolist() == [9, 12, 9, 6, 3, 1, 0]
    right = player_influence(7, 7, [(3, 5, 8.0), (5, 6, 8.0)])
    assert right[0].tolist() == [0, 1, 2, 3, 5, 7, 7]
    assert right[2].tolist() == [2, 3, 5, 7, 9, 11, 11]
    for row in (3, 4, 5):
        assert right[row].tolist() == [3, 5, 7, 9, 11, 13, 13]
    assert right[6].tolist() == [1, 3, 5, 7, 9, 11, 11]
    assert (three[3, 1], right[3, 1]) == (13, 5)
    assert np.array_equal(three, player_influence(7, 7, [(4, 1, 5.0), (2, 1, 5.0), (3, 1, 5.0)]))


def test_contested_differs_from_vacant_though_the_differences_are_equal() -> None:
    players = np.array([[[13.0, 0.0, 13.0]], [[13.0, 0.0, 1.0]]])
    assert kind_of_ground(players, 5.0).tolist() == [[CONTESTED, VACANT, HELD]]


def test_equations_of_the_falloffs() -> None:
    d = np.array([0.0, 10.0, 20.0, 40.0])
    assert linear_drop(20.0, d).tolist() == [20, 10, 0, 0]
    assert travel_time(6.0, np.array([0.0, 30.0, 60.0, 90.0])).tolist() == [6, 3, 0, 0]
    # Beyond its range artillery packs 5 s, walks at 2 tiles/s and unpacks 5 s.
    assert artillery(6.0, d, 20.0, 2.0, 5.0, 5.0).tolist() == pytest.approx([6, 6, 6, 6 * (60 - 20) / 60])
    edge = artillery(6.0, np.array([20.0, 20.0 + 1e-9]), 20.0, 2.0, 5.0, 5.0)
    assert edge[0] - edge[1] == pytest.approx(6.0 * 10 / 60)
    steep = commander(9.0, np.array([0.0, 1.0, 2.0, 3.0]))
    assert steep.tolist() == [9, 8, 5, 0] and (np.diff(steep, 2) < 0).all()
    assert table_falloff([(0, 4), (10, 2), (20, 0)], np.array([5.0, 15.0, 99.0])).tolist() == [3, 1, 0]
    with pytest.raises(ValueError, match="ascending"):
        table_falloff([(3, 1), (1, 2)], d)


def test_regions_of_the_source_have_15_and_13() -> None:
    """Three units of 5 in one region; two of 8 in regions 3 apart."""
    links = [[(1, 3.0)], [(0, 3.0)]]
    assert region_influence(links, [(0, 5.0)] * 3)[0] == 15
    assert region_influence(links, [(0, 8.0), (1, 8.0)]).tolist() == [13, 13]


def test_a_region_with_two_routes_counts_once() -> None:
    """The published listing gives 6 on this diamond."""
    diamond = [[(1, 1.0), (2, 1.0)], [(0, 1.0), (3, 1.0)], [(0, 1.0), (3, 1.0)], [(1, 1.0), (2, 1.0)]]
    assert region_influence(diamond, [(0, 5.0)]).tolist() == [5, 4, 4, 3]
    closed = region_influence(diamond, [(0, 5.0)], closed=frozenset((1, 2)))
    assert closed.tolist() == [5, 0, 0, 0]


@pytest.mark.parametrize("seed", range(3))
def test_regions_equal_all_pairs_distances(seed: int) -> None:
    from scipy.sparse.csgraph import shortest_path

    rng = np.random.default_rng(seed)
    n = 12
    lengths = np.where(rng.random((n, n)) < 0.3, rng.integers(1, 9, (n, n)), 0).astype(float)
    lengths = np.maximum(lengths, lengths.T)
    np.fill_diagonal(lengths, 0)
    links = [[(int(j), lengths[i, j]) for j in np.flatnonzero(lengths[i])] for i in range(n)]
    units = [(int(r), float(s)) for r, s in zip(rng.integers(0, n, 5), rng.integers(3, 12, 5), strict=True)]
    far = shortest_path(lengths, directed=False)
    wanted = sum(np.maximum(0.0, s - far[r]) for r, s in units)
    assert np.allclose(region_influence(links, units), wanted)
