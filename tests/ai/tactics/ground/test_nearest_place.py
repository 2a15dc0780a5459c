"""Nearest places: rings, and the search that ends at the first suitable tile."""

import numpy as np
import pytest

from ai.grid.moves import COST_UNIT
from ai.grid.terrain import Terrain
from ai.search.astar.astar import CLOSED, AStarSearch
from ai.search.fields.bounded_flood import bounded_flood
from ai.tactics.ground.nearest_place import nearby_places, nearby_tiles, nearest_by_path, rings


@pytest.mark.parametrize(("y", "x"), [(0, 0), (7, 3), (14, 14)])
def test_tiles_come_in_the_order_of_their_distance_also_at_the_border(y: int, x: int) -> None:
    tiles = nearby_tiles(y, x, 6, (15, 15))
    far = np.hypot(*(tiles - (y, x)).T)
    wanted = {(a, b) for a in range(15) for b in range(15) if (a - y) ** 2 + (b - x) ** 2 <= 36}
    assert (np.diff(far) >= 0).all() and {tuple(t) for t in tiles.tolist()} == wanted


@pytest.mark.parametrize("share", [0.1, 0.6])
def test_places_equal_a_sort_of_all_within_the_radius(share: float) -> None:
    suitable = np.random.default_rng(3).random((20, 20)) < share
    found = list(nearby_places(suitable, 9, 4, 8))
    all_of_them = [(int(a), int(b)) for a, b in np.argwhere(suitable) if (a - 9) ** 2 + (b - 4) ** 2 <= 64]
    assert found == sorted(all_of_them, key=lambda t: ((t[0] - 9) ** 2 + (t[1] - 4) ** 2, t))
    with pytest.raises(ValueError, match="radius"):
        rings(-1)


def _costs(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    costs = rng.choice(np.array([0, 8, 8, 8, 16, 24], np.uint8), (24, 24))
    costs[12, 12] = 8
    return costs


@pytest.mark.parametrize("seed", range(6))
def test_it_equals_the_minimum_over_all_places_and_expands_no_more_than_it_must(seed: int) -> None:
    costs = _costs(seed)
    suitable = (np.random.default_rng(seed + 50).random(costs.shape) < 0.03) & (costs > 0)
    reach = bounded_flood(Terrain.build(costs > 0, np.maximum(costs, 1)), 0, 12, 12, 200.0)
    walks = np.where(suitable, reach.distance, np.inf)
    found = nearest_by_path(costs, suitable, 12, 12)
    assert found is not None
    assert found.cost == pytest.approx(walks.min(), rel=1e-9) and walks[found.tile] == pytest.approx(walks.min())
    assert found.revolutions <= int((reach.distance <= found.cost + 1e-9).sum())
    assert found.route[0].tolist() == [12, 12] and tuple(found.route[-1]) == found.tile
    assert nearest_by_path(costs, suitable & ~np.isfinite(walks), 12, 12) is None, "no suitable place can be reached"


def test_behind_a_thin_wall_the_straight_nearest_is_wrong_and_the_path_right() -> None:
    costs = np.full((15, 30), 8, np.uint8)
    costs[0:14, 10] = 0
    suitable = np.zeros(costs.shape, bool)
    suitable[2, 11] = suitable[2, 3] = True  # behind the wall, and down the room
    assert next(iter(nearby_places(suitable, 2, 9, 12))) == (2, 11)
    found = nearest_by_path(costs, suitable, 2, 9)
    assert found is not None and found.tile == (2, 3) and found.cost == pytest.approx(6.0)


@pytest.mark.parametrize("seed", range(4))
def test_a_bounded_flood_is_the_whole_flood_up_to_its_limit(seed: int) -> None:
    costs = _costs(seed)
    terrain = Terrain.build(costs > 0, np.maximum(costs, 1))
    whole, part = bounded_flood(terrain, 0, 12, 12, 200.0), bounded_flood(terrain, 0, 12, 12, 7.0)
    tiles = np.argwhere(np.ones(costs.shape, bool))
    full = whole.at(tiles)
    assert np.array_equal(part.at(tiles), np.where(full <= 7.0, full, np.inf))
    with pytest.raises(ValueError, match="outside"):
        bounded_flood(terrain, 0, 99, 0, 3.0)
    with pytest.raises(ValueError, match="positive"):
        bounded_flood(terrain, 0, 1, 1, 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_a_bounded_flood_equals_the_flood_of_the_search_engine(seed: int) -> None:
    costs = _costs(seed)
    terrain = Terrain.build(costs > 0, np.maximum(costs, 1))
    search = AStarSearch(*costs.shape)
    search.begin_flood(terrain, 0, [(12, 12)])
    search.run(terrain, 1 << 40)
    wanted = np.where(search.tile_status & CLOSED, search.tile_g / COST_UNIT, np.inf)
    found = bounded_flood(terrain, 0, 12, 12, 500.0)
    assert (found.y0, found.x0) == (0, 0) and np.array_equal(found.distance, wanted)
    assert found.revolutions == np.isfinite(wanted).sum()
