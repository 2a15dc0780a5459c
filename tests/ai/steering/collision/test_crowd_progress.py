"""A crowd shares its progress: compared with connected components found by scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ai.steering.collision.crowd_progress import LINKED_FROM, share_progress


def shared(links, moving, stuck, still, waits_for=None, order=None):
    """Run the kernel on units in contact.

    ``links`` are the pairs in contact, ``order`` the rows of the spatial hash.
    """
    n = len(moving)
    order = np.arange(n, dtype=np.int32) if order is None else np.asarray(order, np.int32)
    rank = np.empty(n, np.int32)
    rank[order] = np.arange(n, dtype=np.int32)
    contacts, count = np.zeros((n, 16), np.int32), np.zeros(n, np.int32)
    for a, b in links:
        for i, j in ((a, b), (b, a)):
            contacts[rank[i], count[rank[i]]] = rank[j]
            count[rank[i]] += 1
    still = np.array(still, np.int32)
    waits_for = np.full(n, -1, np.int32) if waits_for is None else np.asarray(waits_for, np.int32)
    alive = np.ones(n, np.uint8)
    share_progress(
        n, order, rank, contacts, count, alive, np.asarray(moving, np.uint8), np.asarray(stuck, np.int16), waits_for,
        still, np.empty(n, np.int32),
    )  # fmt: skip
    return still


@pytest.mark.parametrize("seed", range(8))
def test_every_unit_has_the_shortest_standstill_of_its_connected_crowd(seed: int) -> None:
    dice = np.random.default_rng(seed)
    n = 40
    moving, stuck = dice.random(n) < 0.8, dice.integers(0, 3, n)
    before = dice.integers(0, 300, n)
    before[0], moving[0], stuck[0] = LINKED_FROM + 50, True, 1
    links = [(a, b) for a in range(n) for b in range(a) if dice.random() < 0.04]
    got = shared(links, moving, stuck, before, order=dice.permutation(n))

    own = np.where(moving & (stuck > 0), before + 1, 0)
    walked = [(a, b) for a, b in links if moving[a] and moving[b]]
    rows = np.array(walked, np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(rows)), (rows[:, 0], rows[:, 1])), shape=(n, n))
    _, label = connected_components(graph, directed=False)
    for i in range(n):
        crowd = np.flatnonzero((label == label[i]) & moving)
        assert got[i] == (own[crowd].min() if moving[i] else 0), i


def test_a_unit_that_waits_before_a_passage_shares_the_progress_of_the_unit_it_waits_for() -> None:
    got = shared([], [1, 1, 1], [1, 0, 1], [100, 100, 100], waits_for=[1, -1, -1])
    assert got.tolist() == [0, 0, 101]


def test_a_unit_that_rests_neither_counts_nor_links_two_crowds() -> None:
    got = shared([(0, 1), (1, 2)], [1, 0, 1], [1, 1, 0], [100, 100, 100])
    assert got.tolist() == [101, 0, 0]


def test_the_order_of_slots_does_not_matter() -> None:
    links, moving, stuck, still = [(0, 3), (3, 1), (2, 4)], [1] * 5, [1, 1, 1, 1, 0], [90, 80, 70, 60, 50]
    assert (
        shared(links, moving, stuck, still).tolist()
        == shared(links, moving, stuck, still, order=[4, 2, 0, 1, 3]).tolist()
    )
