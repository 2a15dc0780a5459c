"""The resumable A* equals Dijkstra, for any division into slices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core.serialization import compare, digest, from_bytes, restore, snapshot, to_bytes
from ai.grid.movingai import read_map, read_scenario
from ai.grid.terrain import Terrain
from ai.search.astar.astar import BLOCKED, CLOSED, FAILED, FOUND, IDLE, OPEN, PASSABLE, RUNNING, AStarSearch
from tests.ai.search.grids import benchmark_folder, costs, distances, path_cost, rooms

EVERYTHING = 1 << 40


def random_problem(seed: int, height: int = 31, width: int = 38) -> tuple[Terrain, tuple, tuple]:
    rng = np.random.default_rng(seed)
    ground = rooms(rng, height, width)
    terrain = Terrain.build(ground, costs(rng, height, width))
    open_tiles = np.argwhere(ground)
    start, goal = (tuple(int(v) for v in open_tiles[rng.integers(len(open_tiles))]) for _ in range(2))
    return terrain, start, goal


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_cost_is_dijkstras_and_the_path_is_legal(seed: int) -> None:
    terrain, start, goal = random_problem(seed)
    ground = terrain.passable > 0
    best = distances(ground, terrain.cost, start)[goal]
    search = AStarSearch(terrain.height, terrain.width)
    search.begin(terrain, 0, start, goal)
    search.run(terrain, EVERYTHING)
    path = search.path()
    assert tuple(path[0]) == start
    assert path_cost(ground, terrain.cost, path) == pytest.approx(search.cost, rel=1e-12)
    if np.isfinite(best):
        assert search.status == FOUND and tuple(path[-1]) == goal
        assert search.cost == pytest.approx(best, rel=1e-11)
    else:
        assert search.status == FAILED and not search.capped


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_any_split_of_the_revolutions_gives_the_same_search(seed: int, slices: list) -> None:
    terrain, start, goal = random_problem(seed)
    whole, cut = (AStarSearch(terrain.height, terrain.width) for _ in range(2))
    for search in (whole, cut):
        search.begin(terrain, 0, start, goal)
    whole.run(terrain, EVERYTHING)
    turn = 0
    while cut.status == RUNNING:
        allowed = slices[turn % len(slices)]
        used = cut.run(terrain, allowed)
        assert used == allowed or cut.status != RUNNING
        turn += 1
    assert (cut.status, cut.revolutions, cut.cost) == (whole.status, whole.revolutions, whole.cost)
    assert np.array_equal(cut.path(), whole.path())
    assert np.array_equal(cut.tile_status, whole.tile_status)
    y0, x0, y1, x1 = whole.dirty_rectangle
    assert np.array_equal(whole.dirty_status, whole.tile_status[y0:y1, x0:x1])
    assert np.array_equal(cut.open_tiles(), whole.open_tiles())


@pytest.mark.parametrize("seed", range(25))
def test_a_used_slab_searches_like_a_new_one(seed: int) -> None:
    """Reset by the dirty rectangle forgets everything (AIGPW 3.4)."""
    used = AStarSearch(31, 38)
    for turn in range(4):
        terrain, start, goal = random_problem(seed * 10 + turn)
        fresh = AStarSearch(31, 38)
        for search in (used, fresh):
            search.begin(terrain, 0, start, goal)
            assert np.count_nonzero(search.tile_status) == 1, "only the start is known"
            search.run(terrain, 100 if turn % 2 else EVERYTHING)
        assert np.array_equal(used.tile_status, fresh.tile_status)
        assert np.array_equal(used.path(), fresh.path())
        y0, x0, y1, x1 = used.dirty_rectangle
        outside = used.tile_status.copy()
        outside[y0:y1, x0:x1] = 0
        assert not outside.any()


@pytest.mark.parametrize("seed", range(12))
def test_status_bytes_tell_the_lists(seed: int) -> None:
    """The open bit marks the open list; blocked tiles are never open."""
    terrain, start, goal = random_problem(seed)
    search = AStarSearch(terrain.height, terrain.width)
    search.begin(terrain, 0, start, goal)
    ground = terrain.passable > 0
    while search.status == RUNNING:
        flags = search.tile_status & 15
        listed = np.zeros_like(ground)
        listed[tuple(search.open_tiles().T)] = True
        assert np.array_equal(flags & OPEN > 0, listed)
        assert not np.any((flags & OPEN > 0) & (flags & CLOSED > 0))
        assert not np.any(flags[~ground] & (OPEN | CLOSED))
        assert np.all(ground[flags & PASSABLE > 0]) and not np.any(ground[flags & BLOCKED > 0])
        search.run(terrain, 7)


def test_revolutions_are_the_nodes_expanded() -> None:
    terrain, start, goal = random_problem(5)
    search = AStarSearch(terrain.height, terrain.width)
    search.begin(terrain, 0, start, goal)
    search.run(terrain, EVERYTHING)
    closed = np.count_nonzero(search.tile_status & CLOSED)
    assert closed <= search.revolutions <= closed + search.reopened
    assert search.run(terrain, 100) == 0, "an ended search costs nothing"


def tripwire() -> tuple[Terrain, AStarSearch]:
    """Return a field of 17 x 60 and a search along its middle row.

    The search has reached column 4.
    """
    terrain = Terrain.build(np.ones((17, 60), bool))
    search = AStarSearch(17, 60)
    search.begin(terrain, 0, (5, 0), (5, 59))
    search.run(terrain, 4)
    return terrain, search


def test_a_tile_keeps_the_status_it_was_first_seen_with() -> None:
    """Frozen tile status (AIGPW 3.3): edits behind the search front have no effect.

    Edits ahead of it do.
    """
    terrain, search = tripwire()
    seen = search.tile_status & PASSABLE > 0
    assert seen[5, :6].all() and not seen[:, 32:].any()
    terrain.edit(0, 0, 17, 3, passable=0, cost=200)
    search.run(terrain, EVERYTHING)
    assert search.status == FOUND and search.cost == 59
    assert np.all(search.tile_status[seen] & PASSABLE)

    terrain, search = tripwire()
    terrain.edit(0, 40, 16, 41, passable=0)
    search.run(terrain, EVERYTHING)
    assert search.status == FOUND and [16, 40] in search.path().tolist()


def test_cheaper_ground_that_appears_meanwhile_cannot_upset_the_order() -> None:
    terrain, search = tripwire()
    terrain.edit(0, 32, 17, 60, cost=1)
    search.run(terrain, EVERYTHING)
    assert search.status == FOUND and search.cost == 59, "counted no lower than the lowest cost at the start"


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("through_bytes", [False, True])
def test_a_search_saved_in_the_middle_goes_on_alike(seed: int, through_bytes: bool) -> None:
    terrain, start, goal = random_problem(seed)
    search = AStarSearch(terrain.height, terrain.width)
    # An earlier search leaves its rubbish in the slab.
    search.begin(terrain, 0, goal, start)
    search.run(terrain, 300)
    search.begin(terrain, 0, start, goal)
    search.run(terrain, 37)
    copy = from_bytes(to_bytes(search)) if through_bytes else restore(snapshot(search))
    assert digest(copy) == digest(search) and compare(copy, search) == []
    for one in (search, copy):
        one.run(terrain, EVERYTHING)
    assert np.array_equal(copy.path(), search.path())
    assert (copy.status, copy.revolutions, copy.cost) == (search.status, search.revolutions, search.cost)


def test_the_hash_tells_searches_apart_and_reads_no_tiles() -> None:
    terrain, start, goal = random_problem(11)
    seen = set()
    search = AStarSearch(terrain.height, terrain.width)
    for a, b in ((start, goal), (goal, start)):
        search.begin(terrain, 0, a, b)
        while search.status == RUNNING:
            seen.add(digest(search))
            search.run(terrain, 1)
        seen.add(digest(search))
    assert len(seen) >= search.revolutions + 2
    search._g[:] = 0
    assert digest(search) in seen


def test_a_saved_search_is_only_its_dirty_part() -> None:
    terrain = Terrain.build(np.ones((600, 600), bool))
    search = AStarSearch(600, 600)
    search.begin(terrain, 0, (300, 300), (303, 500))
    search.run(terrain, 20)
    assert snapshot(search).nbytes() < 20_000


@pytest.mark.parametrize("seed", range(30))
def test_the_partial_path_ends_at_the_closed_node_nearest_to_the_goal(seed: int) -> None:
    """Ties go to the cheaper node, then to the lower index.

    Source: AIGPW 3.5, partial paths.
    """
    terrain, start, goal = random_problem(seed)
    terrain.edit(goal[0], goal[1], goal[0] + 1, goal[1] + 1, passable=0)
    if start == goal:
        return
    search = AStarSearch(terrain.height, terrain.width)
    search.begin(terrain, 0, start, goal, cap=60 if seed % 2 else None)
    search.run(terrain, 25)
    for _ in range(2):
        keys = []
        for y, x in np.argwhere(search.tile_status & CLOSED):
            dy, dx = abs(int(y) - goal[0]), abs(int(x) - goal[1])
            h = max(dy, dx) + (2**0.5 - 1) * min(dy, dx)
            keys.append((round(h, 6), int(search.tile_g[y, x]), int(y), int(x)))
        path = search.path()
        assert tuple(path[-1]) == min(keys)[2:]
        assert path_cost(terrain.passable > 0, terrain.cost, path) == pytest.approx(search.cost)
        search.run(terrain, EVERYTHING)
    assert search.status == FAILED
    assert search.revolutions <= 60 or seed % 2 == 0


def test_a_cap_ends_the_search_and_says_so() -> None:
    terrain = Terrain.build(np.ones((40, 40), bool))
    terrain.edit(0, 20, 39, 21, passable=0)
    search = AStarSearch(40, 40)
    search.begin(terrain, 0, (5, 5), (5, 35), cap=30)
    assert search.run(terrain, 20) == 20 and search.status == RUNNING
    assert search.run(terrain, 20) == 10 and search.status == FAILED and search.capped
    search.begin(terrain, 0, (5, 5), (5, 35), cap=0)
    assert search.run(terrain, 20) == 0 and search.capped and len(search.path()) == 1


def test_a_start_shut_in_still_walks_out() -> None:
    ground = np.ones((7, 7), bool)
    ground[3, 3] = False
    terrain = Terrain.build(ground)
    search = AStarSearch(7, 7)
    search.begin(terrain, 0, (3, 3), (0, 0))
    search.run(terrain, EVERYTHING)
    assert search.status == FOUND
    assert search.cost == pytest.approx(path_cost(ground, terrain.cost, search.path()))
    assert search.cost == pytest.approx(3 * 2**0.5)
    search.begin(terrain, 0, (0, 0), (3, 3))
    search.run(terrain, EVERYTHING)
    assert search.status == FAILED, "but nobody walks into a wall"


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1)])
def test_the_smallest_maps(shape: tuple) -> None:
    terrain = Terrain.build(np.ones(shape, bool))
    search = AStarSearch(*shape)
    last = (shape[0] - 1, shape[1] - 1)
    search.begin(terrain, 0, (0, 0), last)
    search.run(terrain, EVERYTHING)
    assert search.status == FOUND and search.cost == max(shape) - 1
    assert len(search.path()) == max(shape)


def test_classes_search_their_own_ground() -> None:
    ground = np.full((3, 5), 0b111, np.uint8)
    ground[:, 2] = 0b010
    terrain = Terrain.build(ground)
    search = AStarSearch(3, 5)
    for movement_class, wanted in ((0, FAILED), (1, FOUND), (2, FAILED)):
        search.begin(terrain, movement_class, (1, 0), (1, 4))
        search.run(terrain, EVERYTHING)
        assert search.status == wanted


def test_bad_questions_are_refused() -> None:
    terrain = Terrain.build(np.ones((5, 6), bool))
    search = AStarSearch(5, 6)
    assert search.status == IDLE
    with pytest.raises(ValueError, match="never begun"):
        search.path()
    with pytest.raises(ValueError, match=r"goal .* outside a terrain of 5 x 6"):
        search.begin(terrain, 0, (0, 0), (5, 0))
    with pytest.raises(ValueError, match="start"):
        search.begin(terrain, 0, (0, -1), (2, 0))
    with pytest.raises(ValueError, match="class"):
        search.begin(terrain, 9, (0, 0), (2, 0))
    with pytest.raises(ValueError, match="the terrain is 5 x 6"):
        AStarSearch(6, 5).begin(terrain, 0, (0, 0), (2, 0))
    with pytest.raises(ValueError, match="slab"):
        AStarSearch(0, 5)


def test_a_large_search_grows_its_pool_and_goes_on() -> None:
    rng = np.random.default_rng(2)
    terrain = Terrain.build(np.ones((220, 220), bool), rng.integers(1, 256, (220, 220)))
    search = AStarSearch(220, 220)
    search.begin(terrain, 0, (0, 0), (219, 219))
    search.run(terrain, EVERYTHING)
    best = distances(terrain.passable > 0, terrain.cost, (0, 0))[219, 219]
    assert search.cost == pytest.approx(best, rel=1e-11)


@pytest.mark.skipif(benchmark_folder() is None, reason="FOGLINE_MAPS names no folder of MovingAI maps")
def test_published_optima_of_the_benchmark_maps() -> None:
    disputed = 0
    for path in sorted(benchmark_folder().glob("*.map")):
        ground, scenario = read_map(path), read_scenario(f"{path}.scen")
        terrain, search = Terrain.build(ground), AStarSearch(*ground.shape)
        for row in range(len(scenario.optima) - 1, 0, -max(1, len(scenario.optima) // 12)):
            search.begin(terrain, 0, scenario.starts[row], scenario.goals[row])
            search.run(terrain, EVERYTHING)
            if search.cost != pytest.approx(scenario.optima[row], rel=1e-4, abs=6e-3):
                # A few rows of one map (battleground) are published 0.586 too short for its own rules.
                start, goal = tuple(scenario.starts[row]), tuple(scenario.goals[row])
                best = distances(ground, terrain.cost, start)[goal]
                assert search.cost == pytest.approx(best, rel=1e-9), (path.name, row)
                disputed += 1
            assert path_cost(ground, terrain.cost, search.path()) == pytest.approx(search.cost)
    assert disputed <= 2


def test_a_ceiling_below_dijkstras_cost_ends_the_search_and_one_above_does_not() -> None:
    judged = 0
    for seed in range(8):
        terrain, start, goal = random_problem(seed)
        best = distances(terrain.passable > 0, terrain.cost, start)[goal]
        if 0.0 < best < np.inf:
            judged += 1
            for share, end in ((0.9, FAILED), (1.1, FOUND)):
                search = AStarSearch(terrain.height, terrain.width)
                search.begin(terrain, 0, start, goal, ceiling=share * best)
                search.run(terrain, EVERYTHING)
                assert search.status == end and not search.capped
    assert judged >= 6
