"""Dead ends, choke points and pinch points against their textbook definitions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from ai.perception.sight.line_of_sight import line_clear
from ai.tactics.choke_points import choke_points, cul_de_sacs, members, pinch_points, visibility_sets


def random_graph(seed: int, n: int = 14, links: int = 17) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    edges = {tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(links)}
    return [sorted({b for a, b in edges if a == i} | {a for a, b in edges if b == i}) for i in range(n)]


def components(adjacency: list[list[int]], without: int) -> list[set[int]]:
    left, found = set(range(len(adjacency))) - {without}, []
    while left:
        todo, part = [left.pop()], set()
        while todo:
            at = todo.pop()
            part.add(at)
            more = set(adjacency[at]) & left
            left -= more
            todo += more
        found.append(part)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_without_a_limit_chokes_are_the_articulation_points_and_a_smaller_depth_finds_more(seed: int) -> None:
    graph = random_graph(seed)
    parts = len(components(graph, -1))
    isolated = {i for i, n in enumerate(graph) if not n}
    cut = {i for i in range(len(graph)) if i not in isolated and len(components(graph, i)) > parts}
    assert set(choke_points(graph, len(graph))) == cut
    found = [set(choke_points(graph, depth)) for depth in (1, 2, 4, 14)]
    assert all(a >= b for a, b in pairwise(found))


def test_the_leaves_of_a_tree_and_the_chains_to_them_are_dead_ends() -> None:
    tree = [[1], [0, 2], [1, 3, 5], [2, 4], [3], [2, 6, 7], [5], [5]]
    assert cul_de_sacs(tree) == {0, 1, 3, 4, 6, 7}
    assert cul_de_sacs([[1, 2], [0, 2], [0, 1]]) == set()
    assert cul_de_sacs([[1], [0, 2], [1]]) == {0, 2}, "a chain without a junction keeps its middle"


def test_a_ring_longer_than_the_depth_is_a_choke_and_no_detour_is_too_long_for_the_rest() -> None:
    ring = [[(i - 1) % 9, (i + 1) % 9] for i in range(9)]
    # From one neighbour of a place to the other there are seven steps round the ring.
    assert set(choke_points(ring, 6)) == set(range(9))
    assert choke_points(ring, 7) == {}


@pytest.mark.parametrize("seed", range(20))
def test_chokes_within_a_depth_are_those_whose_neighbours_no_short_detour_joins(seed: int) -> None:
    """Matrix powers count the detours of at most ``depth`` steps."""
    graph = random_graph(seed, 12, 16)
    steps = np.zeros((12, 12), int)
    for i, neighbours in enumerate(graph):
        steps[i, neighbours] = 1
    for depth in range(1, 7):
        expected = {}
        for place, neighbours in enumerate(graph):
            without = steps.copy()
            without[place] = without[:, place] = 0
            near = np.linalg.matrix_power(without + np.eye(12, dtype=int), depth)[np.ix_(neighbours, neighbours)] > 0
            count, group = connected_components(near)
            if count > 1:
                parts = [[n for n, g in zip(neighbours, group, strict=True) if g == k] for k in range(count)]
                expected[place] = sorted(parts)
        assert choke_points(graph, depth) == expected


@pytest.mark.parametrize("seed", range(20))
def test_dead_ends_are_the_chains_from_each_leaf_to_the_next_junction(seed: int) -> None:
    """Walk from each leaf by hand, on trees with a few extra links."""
    rng = np.random.default_rng(seed)
    edges = {(int(rng.integers(i)), i) for i in range(1, 16)} | {(0, 16), (0, 17), (0, 18)}
    edges |= {(a, b) for a, b in np.sort(rng.integers(19, size=(seed % 4, 2))).tolist() if a != b}
    graph = [sorted({b for a, b in edges if a == i} | {a for a, b in edges if b == i}) for i in range(19)]
    expected = set()
    for leaf in range(19):
        before, at = -1, leaf
        while len(graph[at]) == 1 + (at != leaf):
            expected.add(at)
            before, at = at, next(n for n in graph[at] if n != before)
    assert expected and cul_de_sacs(graph) == expected


def test_visibility_sets_equal_lines_and_lie_in_wait_beside_the_only_way_out() -> None:
    """The pinch lies at the hall's mouth, the ambush beside it.

    The graph is a room, a hall of three places and an open field.
    """
    rows = [
        "###############",
        "########......#",
        "########......#",
        "#...####......#",
        "#.............#",
        "#...####......#",
        "########......#",
        "########......#",
        "###############",
    ]
    opaque = (np.array([list(r) for r in rows]) == "#").astype(np.uint8)
    places = np.array([(3, 2), (5, 2), (4, 3), (4, 5), (4, 7), (4, 9), (1, 8), (7, 8), (2, 12), (4, 12)], np.int32)
    graph = [[2], [2], [0, 1, 3], [2, 4], [3, 5], [4, 6, 7, 8, 9], [5], [5], [5], [5]]
    sees = visibility_sets(opaque, places)
    for i, (y, x) in enumerate(places.tolist()):
        expected = [j for j, (b, a) in enumerate(places.tolist()) if line_clear(opaque, y, x, b, a)]
        assert members(sees[i]) == expected
    (pinch,) = pinch_points(graph, sees)
    assert (pinch.place, pinch.inside, pinch.outside) == (4, 3, 5)
    door, out = (
        {j for j, (y, x) in enumerate(places.tolist()) if line_clear(opaque, *places[k].tolist(), y, x)} for k in (4, 5)
    )
    assert set(pinch.ambush) == out - door == {6, 7}, "both stand beside the mouth"
