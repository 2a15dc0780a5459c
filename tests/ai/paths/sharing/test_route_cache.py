"""Route cache: the same question costs nothing while no edit matters.

An edit that could matter drops routes, and a snapshot keeps them.
"""

import numpy as np

from ai.core.serialization import digest, restore, snapshot
from ai.grid.terrain import Terrain
from ai.paths import Decision
from ai.paths.sharing.route_cache import KEPT_A_TICK, RouteCache
from ai.search.jps.jps import UniformAStar, UniformGround
from tests.ai.paths.walkers import Walkers, walls

GROUND = walls(40, 7, 14)


def patrol() -> Walkers:
    """Walker between two far corners of a walled map.

    It is ordered there, back and there again.
    """
    label = Walkers.on(GROUND, [(0, 0)]).components.label_map(0)
    tiles = np.argwhere(label == np.bincount(label[label > 0]).argmax())
    here, there = tuple(tiles[0].tolist()), tuple(tiles[-1].tolist())
    world = Walkers.on(GROUND, [here], engine="auto")
    for goal in (there, here, there):
        world.order(goal)
        world.live(400)
        assert (int(world.y[0]), int(world.x[0])) == goal
    return world


def test_a_round_that_is_walked_again_is_searched_once() -> None:
    world = patrol()
    statistics = world.manager.statistics
    assert statistics.full == 1 and statistics.cached == 2, "back along the same path, and there again"
    told = [row for row in world.manager.trace.of(0, 200) if row.decision == Decision.BY_CACHE]
    assert len(told) == 2 and "no search" in told[0].sentence


def test_the_answer_is_as_short_as_a_search_would_find_after_any_edits() -> None:
    """A route is dropped or still optimal after any edit.

    The oracle is A* from scratch.
    """
    rng = np.random.default_rng(4)
    terrain = Terrain.build(GROUND)
    cache, answered = RouteCache(), 0
    tiles = np.argwhere(GROUND)
    for tick in range(150):
        start, goal = (tuple(t.tolist()) for t in tiles[rng.integers(len(tiles), size=2)])
        cache.follow(terrain)
        search = UniformAStar(UniformGround.build(terrain))
        for known in list(cache.routes.values())[-3:]:
            ends = tuple(known.tiles[0].tolist()), tuple(known.tiles[-1].tolist())
            found = cache.find(0, *ends)
            best = search.find(*ends)
            assert found is not None and best is not None
            answered += 1
            length = np.hypot(*np.diff(found[0], axis=0).T).sum()
            assert abs(length - np.hypot(*np.diff(best, axis=0).T).sum()) < 1e-6
        path = search.find(start, goal)
        if path is not None:
            cache.keep(terrain, 0, path, tick, 16)
        if tick % 3 == 0:
            y, x = rng.integers(0, 39, 2).tolist()
            terrain.edit(y, x, y + 1, x + 2, passable=int(rng.choice([0, 255])))
    assert answered > 100 and cache.dropped > 20 and len(cache.routes) <= 16


def test_a_door_on_it_drops_a_route_and_one_far_away_does_not() -> None:
    terrain = Terrain.build(np.ones((9, 60), bool))
    cache = RouteCache()
    cache.keep(terrain, 0, np.column_stack([np.full(20, 4), np.arange(20)]), 1, 16)
    terrain.edit(4, 50, 5, 51, passable=0)
    assert cache.follow(terrain) == 0 and cache.find(0, (4, 3), (4, 19)) is not None
    terrain.edit(4, 12, 5, 13, passable=0)
    assert cache.follow(terrain) == 1 and cache.find(0, (4, 3), (4, 19)) is None


def test_only_so_many_are_kept_and_none_where_a_search_is_forced() -> None:
    terrain, cache = Terrain.build(np.ones((4, 40), bool)), RouteCache()
    for tick in range(3):
        for x in range(20):
            cache.keep(terrain, 0, np.array([[1, x], [1, x + 1]]), tick, 10)
    assert len(cache.routes) == 10 and cache.next_number == 3 * KEPT_A_TICK
    forced = patrol()
    forced.settings.engine = "jps"
    before = forced.manager.statistics.cached
    forced.order((int(forced.manager.requests.same_from[0]) // 40, int(forced.manager.requests.same_from[0]) % 40))
    forced.live(3)
    assert forced.manager.statistics.cached == before


def test_a_run_goes_on_the_same_from_a_snapshot() -> None:
    world = patrol()
    again = restore(snapshot(world))
    for each in (world, again):
        each.order((2, 2))
    for _ in range(20):
        world.live(1)
        again.live(1)
        assert digest(world) == digest(again)
