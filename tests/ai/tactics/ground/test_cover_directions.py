"""Cover by direction and stance against exact lines."""

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.perception.sight.line_of_sight import lines_clear
from ai.tactics.ground.cover_directions import CoverTable, cover_spots, direction_of, sees_body
from ai.tactics.ground.tactical_facts import tactical_ground

SOUTH, NORTH = 4, 12


def _wall(low: bool) -> CoverTable:
    """Build a long wall along row 20.

    The place is (19, 20), north of it.
    """
    opaque, heights = np.zeros((40, 40), np.uint8), np.zeros((40, 40), np.uint8)
    (heights if low else opaque)[20, 5:36] = 2 if low else 1
    return CoverTable(opaque, heights, opaque == 0)


def test_a_low_wall_to_the_south_covers_a_crouching_unit_from_the_south_only() -> None:
    table, tile = _wall(low=True), np.array([[19, 20]], np.int32)
    standing, crouching = table.directions(tile, 0)[0], table.directions(tile, 1)[0]
    assert crouching[SOUTH] == 1.0 and standing[SOUTH] == 0.0
    assert crouching[NORTH] == standing[NORTH] == 0.0


def test_of_enemies_to_the_south_and_east_the_corner_is_chosen_until_one_moves_north() -> None:
    opaque = np.zeros((40, 40), np.uint8)
    opaque[21, 8:17] = 1  # south of A (20, 12)
    opaque[21, 20:29] = opaque[13:21, 25] = 1  # south and east of B (20, 24)
    table = CoverTable(opaque, np.zeros_like(opaque), opaque == 0)
    tiles = np.array([[20, 12], [20, 24]], np.int32)
    south, east, north = (20.5, 33.0), (36.0, 20.5), (24.5, 9.0)
    both = table.against(tiles, np.array([(12.5, 33.0), (36.0, 20.5)]))
    assert both[0] < 0.5 < both[1]
    a, b = table.against(tiles, np.array([south, north]))
    assert max(a, b) < 0.5
    assert table.against(tiles, np.zeros((0, 3))).tolist() == [1.0, 1.0]
    assert table.against(tiles[1:], np.array([east]))[0] == 1.0


def test_the_table_agrees_with_exact_lines_in_open_fixtures() -> None:
    """Stored values agree with at least 95 % of rays."""
    table, tile = _wall(low=False), np.array([[19, 20]], np.int32)
    cover = table.directions(tile)[0]
    enemies = np.array([(y, x) for y in range(40) for x in range(8, 33) if table.standing[y, x]], np.int32)
    far = np.hypot(enemies[:, 0] - 19, enemies[:, 1] - 20)
    enemies = enemies[(far >= 3) & (far <= 12)]
    seen = lines_clear(table.opaque, enemies, np.repeat(tile, len(enemies), axis=0))
    directions = direction_of((enemies[:, 1] - 20).astype(np.float64), (enemies[:, 0] - 19).astype(np.float64))
    assert ((cover[directions] >= 0.5) != seen).mean() >= 0.95


def test_it_is_computed_once_and_again_only_where_the_map_changed() -> None:
    table, tiles = _wall(low=False), np.array([[19, 20], [2, 2]], np.int32)
    first = table.directions(tiles).copy()
    rays = table.rays
    assert np.array_equal(table.directions(tiles), first) and table.rays == rays
    table.opaque[20, 5:36] = 0
    table.repair([(20, 5, 21, 36)])
    assert table.directions(tiles)[0, SOUTH] == 0.0 and table.rays > rays


def test_cover_spots_are_the_tiles_beside_something_that_shields() -> None:
    opaque, low = np.zeros((5, 5), np.uint8), np.zeros((5, 5), np.uint8)
    opaque[2, 2] = low[0, 4] = 1
    spots = cover_spots(opaque, low, opaque == 0)
    assert {(int(y), int(x)) for y, x in np.argwhere(spots)} == {(1, 2), (2, 1), (2, 3), (3, 2), (0, 3), (1, 4)}


def test_places_off_the_map_are_not_seen_and_maps_must_fit() -> None:
    ground = tactical_ground(Terrain.build(np.ones((4, 4), bool)))
    off = np.array([[-1, 0]], np.int32)
    assert not sees_body(ground.terrain.opaque, ground.low, off, np.array([[1, 1]], np.int32))[0]
    with pytest.raises(ValueError, match="differ in shape"):
        CoverTable(np.zeros((2, 2), np.uint8), np.zeros((3, 2), np.uint8), np.ones((2, 2), bool))
