"""Spatial hash: it lists exactly the neighbours of a search over all pairs.

The slots do not change their order.
"""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from ai.steering.spatial_hash import CONTACT_REACH, S_X, S_Y, SpatialHash


def crowd(n, size, seed, alive_share=1.0):
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0.0, size, (2, n))
    ids = np.sort(rng.choice(5 * n, n, replace=False)).astype(np.int32)
    return ids, (rng.random(n) < alive_share).astype(np.uint8), x, y


def built(ids, alive, x, y, radius=0.3):
    n = len(ids)
    spatial_hash = SpatialHash(8)
    z = np.zeros(n)
    spatial_hash.build(ids, alive, x, y, z, z, np.full(n, radius), z, z)
    return spatial_hash


@pytest.mark.parametrize(("n", "size"), [(1, 5.0), (300, 20.0), (300, 6.0), (400, 700.0)])
def test_nearest_neighbours_are_those_of_a_search_over_all_pairs(n, size):
    """Sparse, dense, and wider than the torus, so that aliases are removed.

    The torus has 128 cells of 1.5 tiles.
    """
    ids, alive, x, y = crowd(n, size, seed=n, alive_share=0.9)
    spatial_hash = built(ids, alive, x, y)
    spatial_hash.gather(3.0, 10)
    living = np.flatnonzero(alive)
    assert spatial_hash.count == len(living)
    for j in range(spatial_hash.count):
        slot = spatial_hash.order[j]
        assert spatial_hash.rank[slot] == j
        d2 = (x[living] - x[slot]) ** 2 + (y[living] - y[slot]) ** 2
        expected = sorted((d, ids[s]) for d, s in zip(d2, living, strict=True) if s != slot and d <= 9.0)[:10]
        got = [spatial_hash.ids[q] for q in spatial_hash.nearest[j, : spatial_hash.near_count[j]]]
        assert sorted(got) == sorted(i for _, i in expected)


def test_contacts_are_all_pairs_within_reach_listed_by_id():
    ids, alive, x, y = crowd(300, 14.0, seed=4)
    spatial_hash = built(ids, alive, x, y)
    spatial_hash.gather(3.0, 10)
    tree = cKDTree(np.column_stack([x, y]))
    for j in range(spatial_hash.count):
        slot = spatial_hash.order[j]
        near = tree.query_ball_point((x[slot], y[slot]), 0.6 + CONTACT_REACH)
        expected = sorted(ids[s] for s in near if s != slot)
        got = [int(spatial_hash.ids[q]) for q in spatial_hash.contacts[j, : spatial_hash.contact_count[j]]]
        assert got == sorted(got)
        assert got == expected or len(got) == 16 < len(expected)


def test_ties_in_distance_go_to_the_lower_id():
    angles = np.arange(12) * np.pi / 6
    x = np.concatenate([[10.0], 10.0 + np.round(np.cos(angles) * 4) / 4])
    y = np.concatenate([[10.0], 10.0 + np.round(np.sin(angles) * 4) / 4])
    ids = np.array([0, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], np.int32)
    spatial_hash = built(ids, np.ones(13, np.uint8), x, y)
    spatial_hash.gather(3.0, 4)
    j = spatial_hash.rank[0]
    d2 = (spatial_hash.body[S_X] - 10.0) ** 2 + (spatial_hash.body[S_Y] - 10.0) ** 2
    expected = sorted((d2[q], spatial_hash.ids[q]) for q in range(13) if q != j)[:4]
    assert [spatial_hash.ids[q] for q in spatial_hash.nearest[j, :4]] == [i for _, i in expected]


def test_permuting_slots_changes_no_list():
    ids, alive, x, y = crowd(200, 9.0, seed=7)
    shuffled = np.random.default_rng(1).permutation(200)
    a = built(ids, alive, x, y)
    b = built(ids[shuffled], alive[shuffled], x[shuffled], y[shuffled])
    for spatial_hash in (a, b):
        spatial_hash.gather(3.0, 10)
    assert np.array_equal(a.ids[:200], b.ids[:200])
    assert np.array_equal(a.body[:, :200], b.body[:, :200])
    assert np.array_equal(a.nearest[:200, :10], b.nearest[:200, :10])
    assert np.array_equal(a.contacts[:200], b.contacts[:200])


def test_bad_input_is_told():
    with pytest.raises(ValueError, match="must be positive"):
        SpatialHash(4, cell=0.0)
    with pytest.raises(ValueError, match="differ in length"):
        z = np.zeros(2)
        SpatialHash(4).build(np.zeros(3, np.int32), np.ones(3, np.uint8), z, z, z, z, z, z, z)
    with pytest.raises(ValueError, match="between 0 and 16"):
        SpatialHash(4).gather(3.0, 17)
