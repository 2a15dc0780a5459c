"""Repaired jump tables equal new ones, for any slices and edits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.canonical import SUCCESSORS
from ai.search.jps.jps import UniformGround
from ai.search.jps.jps_plus import UnfinishedGoalBounds, goal_bound_table, jump_tables
from ai.search.jps.jump_tables import JumpTables
from tests.ai.search.grids import rooms


def walked(ground: UniformGround, y: int, x: int, k: int) -> int:
    """A jump distance by walking: the definition, step by step, on the bordered map."""

    def jump(y: int, x: int, k: int) -> int:
        steps = 0
        while ground.moves[y, x] >> k & 1:
            y, x, steps = y + int(MOVE_Y[k]), x + int(MOVE_X[k]), steps + 1
            kept = int(SUCCESSORS[k, ground.moves[y, x]]) & ~(1 << k)
            if k < 4 and kept:
                return steps
            if k >= 4 and any(jump(y, x, other) > 0 for other in range(4) if kept >> other & 1):
                return steps
        return -steps

    return jump(y, x, k)


@pytest.mark.parametrize("seed", range(4))
def test_tables_say_what_a_walk_finds(seed: int) -> None:
    ground = UniformGround.build(Terrain.build(rooms(np.random.default_rng(seed), 19, 23)))
    jumps = JumpTables.build(ground).jumps.reshape(*ground.moves.shape, 8)
    for y, x in np.argwhere(ground.ground):
        assert [int(v) for v in jumps[y, x]] == [walked(ground, int(y), int(x), k) for k in range(8)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_mended_tables_equal_tables_built_anew(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = (int(n) for n in rng.integers(3, 45, 2))
    terrain = Terrain.build(rooms(rng, height, width))
    ground = UniformGround.build(terrain)
    tables = JumpTables.begin(ground)
    for _ in range(int(rng.integers(1, 9))):
        # Repairs are broken off anywhere, or run to their end.
        for _ in range(int(rng.integers(0, 60))):
            tables.advance(ground, int(rng.integers(1, 6)))
        y, x = int(rng.integers(height)), int(rng.integers(width))
        y1, x1 = min(y + int(rng.integers(1, 5)), height), min(x + int(rng.integers(1, 5)), width)
        before = terrain.revision
        terrain.edit(y, x, y1, x1, passable=int(rng.integers(2)) * 15)
        ground.update(terrain)
        tables.edited(ground, terrain.changes_since(before))
    while tables.advance(ground, 7):
        pass
    assert tables.ready
    assert np.array_equal(tables.jumps, jump_tables(UniformGround.build(terrain)))


def test_a_door_costs_a_fraction_of_the_tables() -> None:
    rng = np.random.default_rng(0)
    terrain = Terrain.build(rng.random((256, 256)) < 0.9)
    ground = UniformGround.build(terrain)
    tables = JumpTables.begin(ground)
    whole = used = 0
    while used := tables.advance(ground, 100):
        whole += used
    shares = []
    for y, x in rng.integers(1, 255, (20, 2)).tolist():
        before = terrain.revision
        terrain.edit(y, x, y + 1, x + 1, passable=0 if terrain.passable[y, x] else 15)
        ground.update(terrain)
        tables.edited(ground, terrain.changes_since(before))
        spent = 0
        while used := tables.advance(ground, 50):
            assert used < 50 + 20, "a slice ends a line late at most"
            spent += used
        shares.append(spent / whole)
    assert np.median(shares) < 0.25


def test_tables_that_are_not_told_of_an_edit_refuse() -> None:
    terrain = Terrain.build(np.ones((9, 9), bool))
    ground = UniformGround.build(terrain)
    tables, bounds = JumpTables.build(ground), UnfinishedGoalBounds(ground)
    assert tables.advance(ground, 10) == 0
    terrain.edit(4, 4, 5, 5, passable=0)
    ground.update(terrain)
    with pytest.raises(ValueError, match="revision"):
        tables.advance(ground, 10)
    with pytest.raises(ValueError, match="edited while"):
        bounds.advance(10)
    with pytest.raises(ValueError, match="do not fit"):
        tables.edited(UniformGround.build(Terrain.build(np.ones((3, 3), bool))), [])


def test_goal_bounds_in_slices_are_the_same() -> None:
    ground = UniformGround.build(Terrain.build(rooms(np.random.default_rng(3), 21, 26)))
    under_way = UnfinishedGoalBounds(ground)
    while under_way.advance(37):
        assert under_way.done <= under_way.total
    told: list[tuple[int, int]] = []
    whole = goal_bound_table(ground, lambda done, total: told.append((done, total)))
    assert np.array_equal(under_way.bounds, whole)
    assert told[-1] == (under_way.total, under_way.total)
