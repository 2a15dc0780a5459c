"""A path along a flow field costs the optimum; old fields are replaced whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core.serialization import digest, restore, snapshot
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.fields.flow_field import ARRIVED, NO_MOVE, FlowField
from tests.ai.search.grids import costs, distances, path_cost, rooms

EVERYTHING = 1 << 40


def random_field(seed: int) -> tuple[Terrain, FlowField, list]:
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(rooms(rng, 33, 40), costs(rng, 33, 40))
    tiles = np.argwhere(terrain.passable > 0)
    goals = tiles[rng.integers(len(tiles), size=1 + seed % 3)]
    return terrain, FlowField.build(terrain, 0, goals), [tuple(g) for g in goals.tolist()]


@pytest.mark.parametrize("seed", range(12))
def test_every_arrow_leads_home_at_the_best_cost(seed: int) -> None:
    terrain, field, goals = random_field(seed)
    assert not field.ready
    field.run(terrain, EVERYTHING)
    assert field.ready
    ground = terrain.passable > 0
    best = np.min([distances(ground, terrain.cost, goal) for goal in goals], axis=0)
    assert np.array_equal(field.moves == NO_MOVE, np.isinf(best))
    assert np.allclose(field.costs[np.isfinite(best)], best[np.isfinite(best)], rtol=1e-6)
    rng = np.random.default_rng(seed)
    reach = np.argwhere(np.isfinite(best))
    for y, x in reach[rng.integers(len(reach), size=25)].tolist():
        walk = [(y, x)]
        while field.moves[walk[-1]] != ARRIVED:
            k = field.moves[walk[-1]]
            walk.append((walk[-1][0] + int(MOVE_Y[k]), walk[-1][1] + int(MOVE_X[k])))
        assert walk[-1] in goals
        assert path_cost(ground, terrain.cost, np.array(walk)) == pytest.approx(best[y, x])


@pytest.mark.parametrize("seed", range(8))
def test_work_is_charged_tile_by_tile_in_slices_as_in_one_call(seed: int) -> None:
    """A flood costs a revolution for each tile that it reaches.

    A repair costs at least one for each tile whose cost changes. Every slice uses some of its allowance.
    """
    spent = {}
    for slice_of in (EVERYTHING, 41, 1):
        terrain, field, _ = random_field(seed)
        used = [field.run(terrain, slice_of)]
        while not field.ready:
            used.append(field.run(terrain, slice_of))
            assert len(used) < 10_000
        assert sum(used) == np.isfinite(field.costs).sum()
        before, (y, x) = field.costs, np.argwhere(np.isfinite(field.costs))[seed].tolist()
        terrain.edit(y, x, y + 1, x + 1, cost=200)
        used.append(field.run(terrain, slice_of))
        assert field.revision == terrain.revision or used[-1] > 0
        while field.revision != terrain.revision:
            used.append(field.run(terrain, slice_of))
            assert used[-1] > 0
        assert max(used) <= slice_of and min(used) >= 0
        spent[slice_of] = sum(used) - np.isfinite(before).sum()
        assert spent[slice_of] >= (before != field.costs).sum()
    assert len(set(spent.values())) == 1, spent


def test_slices_give_the_same_field_and_publish_it_whole() -> None:
    terrain, whole, _ = random_field(4)
    _, sliced, _ = random_field(4)
    whole.run(terrain, EVERYTHING)
    while not sliced.ready:
        assert np.all(sliced.moves == NO_MOVE)
        assert sliced.run(terrain, 37) <= 37
        sliced = restore(snapshot(sliced))
    assert np.array_equal(whole.moves, sliced.moves) and np.array_equal(whole.costs, sliced.costs)
    assert whole.run(terrain, 100) == 0, "a field that is up to date costs nothing"


def test_an_edit_grows_a_new_field_behind_the_old_one() -> None:
    ground = np.ones((9, 21), bool)
    ground[:, 10] = False
    ground[[1, 7], 10] = True
    terrain = Terrain.build(ground)
    field = FlowField.build(terrain, 0, [(1, 20)])
    field.run(terrain, EVERYTHING)
    old = field.moves.copy()
    terrain.edit(1, 10, 2, 11, passable=0)
    field.run(terrain, 5)
    assert np.array_equal(field.moves, old) and field.revision == 0
    field.run(terrain, EVERYTHING)
    assert field.revision == 1
    fresh = FlowField.build(terrain, 0, [(1, 20)])
    fresh.run(terrain, EVERYTHING)
    assert np.array_equal(field.moves, fresh.moves) and not np.array_equal(field.moves, old)
    terrain.edit(0, 0, 1, 1, opaque=1)
    assert field.run(terrain, EVERYTHING) == 0 and field.revision == 2, "sight is no reason to search"
    assert digest(field) == digest(restore(snapshot(field)))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_mended_field_equals_one_made_anew(seed: int) -> None:
    """Tiles and goals are edited; the repair is interrupted, saved and edited again."""
    rng = np.random.default_rng(seed)
    height, width = (int(n) for n in rng.integers(3, 36, 2))
    terrain = Terrain.build(rooms(rng, height, width), costs(rng, height, width))
    goals = [(int(rng.integers(height)), int(rng.integers(width))) for _ in range(int(rng.integers(1, 4)))]
    field = FlowField.build(terrain, 0, goals)
    if rng.random() < 0.8:
        field.run(terrain, EVERYTHING)
    for _ in range(int(rng.integers(1, 9))):
        y, x = (int(rng.integers(height)), int(rng.integers(width))) if rng.random() < 0.8 else goals[0]
        y1, x1 = min(y + int(rng.integers(1, 4)), height), min(x + int(rng.integers(1, 4)), width)
        kind = rng.random()
        if kind < 0.7:
            terrain.edit(y, x, y1, x1, passable=int(rng.integers(2)) * 15)
        elif kind < 0.9:
            terrain.edit(y, x, y1, x1, cost=int(rng.integers(1, 40)))
        else:
            terrain.edit(y, x, y1, x1, opaque=1)
        for _ in range(int(rng.integers(0, 6))):
            limit = int(rng.integers(1, 60))
            assert field.run(terrain, limit) <= limit
        if rng.random() < 0.2:
            field = restore(snapshot(field))
    for _ in range(height * width):
        field.run(terrain, 50)
    assert field.revision == terrain.revision
    fresh = FlowField.build(terrain, 0, goals)
    fresh.run(terrain, EVERYTHING)
    assert np.array_equal(field.moves, fresh.moves) and np.array_equal(field.costs, fresh.costs)


def test_a_door_far_from_the_goal_is_mended_where_it_is_felt() -> None:
    # A hut of 12 x 12 tiles with two doors.
    ground = np.ones((120, 120), bool)
    ground[80:94, 80:94] = False
    ground[81:93, 81:93] = ground[80, 85] = ground[88, 93] = True
    terrain = Terrain.build(ground)
    field = FlowField.build(terrain, 0, [(5, 60)])
    whole = field.run(terrain, EVERYTHING)
    terrain.edit(80, 85, 81, 86, passable=0)
    assert field.run(terrain, 10) <= 10 and field.revision == 0, "readers keep the old field"
    assert field.run(terrain, EVERYTHING) < whole / 20
    assert field.revision == 1


def test_bad_goals_are_refused_and_blocked_ones_lead_nowhere() -> None:
    terrain = Terrain.build(np.ones((4, 4), bool))
    with pytest.raises(ValueError, match="inside a terrain of 4 x 4"):
        FlowField.build(terrain, 0, [(0, 4)])
    with pytest.raises(ValueError, match="sources"):
        FlowField.build(terrain, 0, [])
    terrain.edit(2, 2, 3, 3, passable=0)
    field = FlowField.build(terrain, 0, [(2, 2)])
    field.run(terrain, EVERYTHING)
    assert np.all(field.moves == NO_MOVE) and field.ready


def test_a_field_mended_hundreds_of_times_is_still_one_made_anew() -> None:
    """The byte with a tile's round must survive overflow."""
    terrain = Terrain.build(np.ones((7, 9), bool))
    terrain.edit(0, 4, 7, 5, passable=0)
    field = FlowField.build(terrain, 0, [(3, 1)])
    for turn in range(300):
        door = turn % 7
        terrain.edit(door, 4, door + 1, 5, passable=15 if turn // 7 % 2 == 0 else 0)
        while field.revision != terrain.revision:
            field.run(terrain, 1000)
        if turn % 50 == 49 or 120 < turn < 135:
            fresh = FlowField.build(terrain, 0, [(3, 1)])
            while fresh.revision != terrain.revision:
                fresh.run(terrain, 1000)
            assert np.array_equal(field.moves, fresh.moves) and np.array_equal(field.costs, fresh.costs), turn
