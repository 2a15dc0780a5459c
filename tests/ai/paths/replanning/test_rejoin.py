"""Joining a path again: the cheapest join, never behind the point reached."""

import itertools

import numpy as np
import pytest

from ai.core.serialization import restore, snapshot
from ai.paths import Phase
from ai.paths.quick.quick_path import rejoin
from ai.paths.replanning.local_replanning_grid import BODY, WHOLE, ReplanningGrid
from ai.paths.update_context import PathTick
from tests.ai.paths.replanning.test_local_replanning import Crowd
from tests.ai.paths.walkers import Walkers, walls
from tests.ai.search.grids import distances


def cheapest(window: ReplanningGrid, first: int) -> float:
    """Return the least cost over free samples of the path from row ``first``."""
    open_ = (window.passable & 1).astype(bool) & ~window.barred
    rows = window.tiles - (window.top, window.left)
    far = distances(open_, window.cost, (window.here[0] - window.top, window.here[1] - window.left))
    free = (np.arange(len(rows)) >= first) & ~window.barred[rows[:, 0], rows[:, 1]]
    return float(np.where(free, far[rows[:, 0], rows[:, 1]] + window.rest, np.inf).min(initial=np.inf))


def window_of(world: Walkers, *, displaced: bool = False) -> ReplanningGrid:
    now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, 2, world.settings)
    return ReplanningGrid(now, 0, displaced=displaced)


@pytest.mark.parametrize("seed", range(8))
def test_the_way_round_is_the_cheapest_in_its_window(seed: int) -> None:
    """Compare with scipy's Dijkstra over the same squares."""
    rng = np.random.default_rng(seed)
    ground = walls(40, seed, 40)
    ground[20, 5:35] = True
    world = Crowd.among(ground, [(20, 8)], [(20, 14), (19, 14), (21, 14), (20, 18)])
    world.terrain.edit(10, 10, 30, 30, cost=rng.integers(8, 20, (20, 20)).astype(np.uint8))
    world.order((20, 34), slots=[0])
    world.go(1)
    window = window_of(world)
    window.bar(world.x[1:], world.y[1:])
    found = window.join()
    assert found is not None
    rows = window.tiles - (window.top, window.left)
    barred = window.barred[rows[:, 0], rows[:, 1]]
    first = next((i for i in range(len(rows)) if not barred[i] and barred[:i].any() and not barred[i : i + 2].any()), 0)
    assert found.cost == pytest.approx(cheapest(window, first), rel=1e-3)
    assert not any(window.barred[y - window.top, x - window.left] for y, x in found.tiles.tolist())
    assert BODY < 0.6


@pytest.mark.parametrize("seed", range(8))
def test_without_a_body_in_the_way_the_join_is_the_cheapest_from_the_point_reached(seed: int) -> None:
    """A unit stands on a line askew to the tiles, or beside it."""
    rng = np.random.default_rng(seed)
    ground = walls(40, seed, 60)
    label = Walkers.on(ground, [(0, 0)]).components.label_map(0)
    tiles = np.argwhere(label == np.bincount(label[label > 0]).argmax())
    compared = 0
    for start, goal in tiles[rng.integers(len(tiles), size=(4, 2))]:
        world = Walkers.on(ground, [tuple(start)])
        world.order(tuple(goal))
        world.live(2)
        if world.manager.requests.phase[0] != Phase.READY:
            continue
        window = window_of(world)
        assert window.projected == 0 and window.join().cost == pytest.approx(cheapest(window, 0), rel=1e-3)
        world.y[0], world.x[0] = tiles[np.argsort(np.abs(tiles - start).max(axis=1))[6 + compared]] + 0.5
        window = window_of(world, displaced=True)
        joined, best = window.join(), cheapest(window, window.projected)
        assert joined.cost == pytest.approx(best, rel=1e-3) if joined else np.isinf(best)
        compared += 1
    assert compared > 0


def test_a_unit_without_ground_under_it_joins_nothing() -> None:
    world = Walkers.on(np.ones((40, 40), bool), [(3, 3)])
    world.order((3, 30))
    world.live(1)
    assert window_of(world).join() is not None
    world.terrain.edit(0, 0, 40, 40, passable=0)
    window = window_of(world)
    assert len(window.tiles) > 5 and window.here == (-1, -1) and window.join() is None


@pytest.mark.parametrize("seed", range(8))
def test_a_flood_that_reaches_its_limit_says_that_tiles_are_left(seed: int) -> None:
    world = Walkers.on(walls(40, seed, 12), [(20, 20)])
    world.terrain.edit(18, 18, 23, 32, passable=15)
    world.order((20, 30))
    world.live(1)
    window = window_of(world)
    count = int(np.isfinite(distances(window.passable & 1 > 0, window.cost, (20 - window.top, 20 - window.left))).sum())
    for limit in (1, 9, count - 1, count, count + 1, WHOLE):
        joined = window.join(limit=limit)
        assert (window.revolutions, window.cut) == (min(limit, count), limit < count)
        assert joined is None or joined.revolutions == window.revolutions
    assert joined is not None and joined.cost == pytest.approx(10.0, abs=0.6)


def test_two_hundred_displacements_never_lead_back_and_cost_less_than_the_waypoint_left() -> None:
    rng = np.random.default_rng(3)
    ground = walls(60, 2, 45)
    world = Walkers.on(ground, [(1, 1)])
    label = world.components.label_map(0)
    tiles = np.argwhere(label == np.bincount(label[label > 0]).argmax())
    ours, theirs, forward = [], [], 0
    while len(ours) < 200:
        start, goal = tiles[rng.integers(len(tiles), size=2)]
        world = Walkers.on(ground, [tuple(start)], straight=False)
        world.order(tuple(goal))
        world.live(2)
        points = np.array(world.path(0))
        if len(points) < 4 or world.manager.requests.phase[0] != Phase.READY:
            continue
        for _ in range(10):
            again = restore(snapshot(world))
            pushed = np.array(start) + rng.integers(-5, 6, 2)
            if not ((pushed >= 0) & (pushed < 60)).all() or label[tuple(pushed)] != label[tuple(start)]:
                continue
            again.y[0], again.x[0] = pushed + 0.5
            now = PathTick(again.manager, again.terrain, again.components, again.x, again.y, 3, again.settings)
            if not rejoin(now, 0):
                continue
            path = np.array(again.path(0))
            old = np.vstack([pushed, points])
            assert (path[-1] == points[-1]).all(), "it still leads to the goal"
            rows = [int(np.flatnonzero((points == p).all(axis=1))[0]) for p in path if (points == p).all(axis=1).any()]
            assert all(b > a for a, b in itertools.pairwise(rows)), "progress along the path never decreases"
            forward += len(rows) > 1
            ours.append(np.hypot(*np.diff(np.vstack([pushed, path]), axis=0).T).sum())
            back = Walkers.on(ground, [tuple(pushed)], straight=False)
            back.order(tuple(points[0]))
            back.live(2)
            first = np.array([tuple(pushed), *back.path(0)])
            theirs.append(np.hypot(*np.diff(first, axis=0).T).sum() + np.hypot(*np.diff(old[1:], axis=0).T).sum())
    assert np.mean(ours) < np.mean(theirs)
    assert forward > 100, "most paths come back to two or more points"
    assert np.mean(np.array(ours) <= np.array(theirs) + 1.5) > 0.97
