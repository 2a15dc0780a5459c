"""Cost ceiling: a path is found exactly when Dijkstra's cost is below it.

No node is above it.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core.serialization import compare, digest, restore, snapshot
from ai.grid.terrain import Terrain
from ai.search.astar.astar import CLOSED, FAILED, FOUND, OPEN, RUNNING, AStarSearch
from tests.ai.search.astar.test_astar import EVERYTHING, random_problem
from tests.ai.search.grids import distances


def searched(terrain: Terrain, start: tuple, goal: tuple, ceiling: float) -> AStarSearch:
    search = AStarSearch(terrain.height, terrain.width)
    search.begin(terrain, 0, start, goal, ceiling=ceiling)
    search.run(terrain, EVERYTHING)
    return search


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.3, 1.8))
def test_it_is_found_exactly_when_dijkstras_cost_is_within_the_ceiling(seed: int, share: float) -> None:
    terrain, start, goal = random_problem(seed)
    from_start = distances(terrain.passable > 0, terrain.cost, start)
    best = from_start[goal]
    if not np.isfinite(best) or best == 0 or abs(share - 1) < 0.001:
        return
    ceiling = best * share
    whole, held = searched(terrain, start, goal, 0.0), searched(terrain, start, goal, ceiling)
    assert held.status == (FOUND if best <= ceiling else FAILED) and not held.capped
    assert held.revolutions <= whole.revolutions
    if held.status == FOUND:
        assert held.cost == pytest.approx(best, rel=1e-11)
    made = (held.tile_status & (OPEN | CLOSED)) != 0
    assert (from_start[made] <= ceiling + 1e-6).all(), "a node above the ceiling was made"
    assert held.cost <= max(ceiling, best) and tuple(held.path()[0]) == start


def test_an_open_search_keeps_its_ceiling_in_a_snapshot() -> None:
    ground = np.ones((20, 20), bool)
    ground[1:, 10] = False
    terrain, start, goal = Terrain.build(ground), (10, 2), (10, 17)
    search = AStarSearch(terrain.height, terrain.width)
    search.begin(terrain, 0, start, goal, ceiling=18.0)
    assert search.run(terrain, 2) == search.revolutions == 2, "straight on it is 15 tiles, so the search goes on"
    kept = restore(snapshot(search))
    for one in (search, kept):
        assert one.run(terrain, EVERYTHING) == one.revolutions - 2 > 0
    assert compare(search, kept) == [] and digest(search) == digest(kept) and kept.status == search.status
    assert kept.status == FAILED, "round the wall it is more than 18 tiles"


@pytest.mark.parametrize("seed", range(8))
def test_slices_and_caps_hold_below_a_ceiling(seed: int) -> None:
    """A slice uses at most its revolutions, and all slices at most the cap."""
    terrain, start, goal = random_problem(seed)
    whole = searched(terrain, start, goal, 400.0)
    for cap in (0, 1, 2, whole.revolutions, whole.revolutions + 1):
        search = AStarSearch(terrain.height, terrain.width)
        search.begin(terrain, 0, start, goal, cap, 400.0)
        assert search.run(terrain, 0) == search.run(terrain, -3) == search.revolutions == 0
        used = 0
        while search.status == RUNNING:
            now = search.run(terrain, 7)
            used += now
            assert now == min(7, cap - used + now) or search.status != RUNNING
        assert used == search.revolutions <= cap
        assert search.capped == (cap < whole.revolutions) and (search.capped or search.status == whole.status)
    with pytest.raises(ValueError, match="cap must not be negative"):
        AStarSearch(terrain.height, terrain.width).begin(terrain, 0, start, goal, -1)


def test_a_search_below_a_ceiling_grows_its_list_of_open_nodes() -> None:
    """Dear columns between cheap ones stay open: more nodes than there is room for."""
    price = np.full((150, 150), 8, np.uint8)
    price[1:, 1::2] = 255
    terrain, start, goal = Terrain.build(np.ones(price.shape, bool), price), (0, 0), (149, 148)
    best = distances(price > 0, price, start)[goal]
    held = searched(terrain, start, goal, 10.0 * best)
    assert held.status == FOUND and held.cost == pytest.approx(best)
    assert len(held.open_tiles()) > 3000, "at the end many of them are still open"
    assert searched(terrain, start, goal, best - 1.0).status == FAILED
