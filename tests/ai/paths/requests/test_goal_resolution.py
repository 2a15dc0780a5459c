"""Goal resolution: reachable goals, and a tile for each unit.

The oracle is brute force over the whole map.
"""

import numpy as np
import pytest
from scipy import ndimage

from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths import Decision, Phase, find_footing, resolve_goals, spread_goals
from ai.paths.requests.goal_resolution import KnownGoals
from tests.ai.paths.walkers import Walkers, from_rows, walls

ISLAND = from_rows(
    [
        "..............",
        "..............",
        "....######....",
        "....#....#....",
        "....#....#....",
        "....######....",
        "..............",
    ]
)


def brute_nearest(labels: np.ndarray, start: tuple[int, int], goal: tuple[int, int]) -> tuple[int, int]:
    """Return the nearest tile of the start's component by (distance, y, x).

    It is the tile nearest to the goal.
    """
    ys, xs = np.nonzero(labels == labels[start])
    best = np.lexsort((xs, ys, (ys - goal[0]) ** 2 + (xs - goal[1]) ** 2))[0]
    return int(ys[best]), int(xs[best])


@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_reachable_tile_is_the_one_brute_force_finds(seed) -> None:
    ground = walls(40, seed, 7)
    labels = ndimage.label(ground)[0]
    terrain = Terrain.build(ground)
    components = Components.build(terrain)
    rng = np.random.default_rng(seed)
    ys, xs = np.nonzero(ground)
    pick = rng.integers(len(ys), size=30)
    starts = np.stack([ys[pick], xs[pick]], axis=1)
    goals = rng.integers(0, 40, size=(30, 2))
    found = resolve_goals(terrain, components, 0, starts, goals)
    for start, goal, answer in zip(starts, goals, found, strict=True):
        assert tuple(answer) == brute_nearest(labels, tuple(start), tuple(goal))


def test_a_goal_outside_the_map_means_the_nearest_tile_in_it() -> None:
    terrain = Terrain.build(np.ones((10, 10), bool))
    found = resolve_goals(terrain, Components.build(terrain), 0, [(5, 5), (5, 5)], [(-20, 4), (300, 300)])
    assert found.tolist() == [[0, 4], [9, 9]]


def test_an_unreachable_order_costs_no_search_towards_it_and_is_not_repeated() -> None:
    """Order units to a tile inside and to its neighbour outside.

    The first order must not cost more.
    """
    starts = [(y, x) for y in (0, 1, 6) for x in range(14)]
    spent = []
    for goal in ((3, 5), (1, 5)):
        world = Walkers.on(ISLAND, starts, straight=False)
        world.order(goal)
        arrived, lost = world.live(600)
        assert (len(arrived), lost) == (len(starts), set())
        requested = world.manager.statistics.requested
        for _ in range(50):
            world.think()
        statistics = world.manager.statistics
        assert statistics.requested == requested == len(starts)
        assert statistics.revolutions_this_tick + statistics.quick_this_tick == 0
        assert statistics.failed == 0, "no search ever failed"
        spent.append(statistics.revolutions_total + statistics.quick_revolutions_total)
        places = {tuple(g) for g in world.manager.requests.goal[: len(starts)].tolist()}
        assert len(places) == (len(starts) if goal == (3, 5) else 1), "a separate tile for each unreachable goal"
    assert spent[0] <= 1.2 * spent[1]


def test_a_proved_unreachable_goal_costs_no_search_until_the_ground_opens() -> None:
    world = Walkers.on(ISLAND, [(3, 5)])
    statistics = world.manager.statistics
    for _ in range(8):
        world.manager.cancel(np.arange(1), world.tick)
        world.order((0, 0))
        world.live(4)
        assert statistics.revolutions_total == statistics.quick_revolutions_total == 0
        assert statistics.failed == statistics.quick == statistics.full == 0
    world.terrain.edit(2, 5, 3, 6, passable=15)
    world.manager.cancel(np.arange(1), world.tick)
    world.order((0, 0))
    assert world.live(200) == ({0}, set()) and (int(world.y[0]), int(world.x[0])) == (0, 0)


def test_a_crowd_cut_off_is_resolved_at_a_bounded_cost() -> None:
    """Every square of goals gets the tile of brute force.

    A thousand goals lie all over the far half of 512 x 512 tiles. They take fewer looks than there are tiles, and
    none when they are asked again.
    """
    ground = np.ones((512, 512), bool)
    ground[:, 256:260] = False
    terrain = Terrain.build(ground)
    components = Components.build(terrain, classes=1)
    rng = np.random.default_rng(0)
    starts = np.column_stack([rng.integers(0, 512, 1000), rng.integers(0, 256, 1000)])
    places = np.column_stack([rng.integers(0, 512, 1000), rng.integers(260, 512, 1000)])
    known = KnownGoals()
    found = resolve_goals(terrain, components, 0, starts, places, known)
    assert (found[:, 1] == 255).all()
    assert (found[:, 0] == places[:, 0]).all(), "each has its own search"
    assert 0 < known.looked < 512 * 512 // 4
    few = resolve_goals(terrain, components, 0, starts[:30], places[:30], known)
    assert (few == np.stack([places[:30, 0], np.full(30, 255)], axis=1)).all(), "alone each has its own"
    spent = known.looked
    assert (resolve_goals(terrain, components, 0, starts, places, known) == found).all() and known.looked == spent
    terrain.edit(7, 300, 8, 301, passable=0)
    components.update(terrain)
    resolve_goals(terrain, components, 0, starts, places, known)
    assert known.looked > spent, "another map may give other answers"


def test_a_gate_that_shuts_before_a_crowd_is_charged_and_nothing_is_asked_twice() -> None:
    ground = np.ones((256, 256), bool)
    ground[:, 128] = False
    ground[100:104, 128] = True
    rng = np.random.default_rng(1)
    starts = [(int(y), int(x)) for y, x in zip(rng.integers(0, 256, 200), rng.integers(0, 100, 200), strict=True)]
    world = Walkers.on(ground, starts, engine="jps", door_wait=0, budget=400, straight=False)
    world.order(np.column_stack([rng.integers(0, 256, 200), rng.integers(140, 256, 200)]))
    world.live(3)
    world.terrain.edit(100, 128, 104, 129, passable=0)
    assert world.manager.owed == 0
    looked, charged, mended = [], [], 0
    count = Components.nearest_of

    def watched(self, *asked):
        looked.append(count(self, *asked)[1])
        return count(self, *asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Components, "nearest_of", watched)
        for _ in range(5):
            world.think()
            statistics = world.manager.statistics
            charged.append(statistics.charged_this_tick)
            mended += statistics.mended_this_tick
            assert statistics.revolutions_this_tick + statistics.charged_this_tick <= 400
    assert len(looked) == 1, "edits and new requests of one tick share the answers"
    told = sum(charged) + world.manager.owed - mended
    assert told - 50 * 5 <= looked[0] >> 6 <= told, "smoothing gets an eighth of the budget at most"


def test_footing_is_searched_for_a_unit_on_blocked_ground() -> None:
    terrain = Terrain.build(ISLAND)
    assert find_footing(terrain, 0, [(2, 4), (0, 0), (2, 6)]).tolist() == [[1, 4], [0, 0], [1, 6]]
    asked = np.array([(2, 4)], np.int32)
    find_footing(terrain, 0, asked)
    assert asked.tolist() == [[2, 4]], "the requested tile does not change"
    walled = Terrain.build(np.zeros((30, 30), bool))
    assert find_footing(walled, 0, [(15, 15)]).tolist() == [[-1, -1]]
    world = Walkers.on(np.zeros((30, 30), bool), [(15, 15)])
    world.order((3, 3))
    assert world.think().lost.tolist() == [0]
    assert world.manager.trace.of(0)[-1].decision == Decision.NO_GROUND


@pytest.mark.parametrize("n", [1, 7, 60, 500])
def test_a_group_gets_distinct_tiles_of_one_component_close_to_the_goal(n) -> None:
    ground = walls(64, 1, 20)
    terrain = Terrain.build(ground)
    components = Components.build(terrain)
    y, x = next((y, x) for y, x in np.argwhere(ground).tolist() if y >= 30 and x >= 30)
    places = spread_goals(terrain, components, 0, (y, x), n)
    assert places[0].tolist() == [y, x]
    assert len({tuple(p) for p in places.tolist()}) == n
    assert len(set(components.labels_of(0, places).tolist())) == 1
    away = np.hypot(*(places - [y, x]).T)
    assert (np.diff(away) >= -1e-9).all()
    assert away.max() <= 2.0 * np.sqrt(n / np.pi) + 3, "a disc, with room for walls"
    assert np.array_equal(places, spread_goals(terrain, components, 0, (y, x), n))


def test_places_are_not_behind_the_wall() -> None:
    ground = np.ones((40, 40), bool)
    ground[5:, 20] = False
    terrain = Terrain.build(ground)
    places = spread_goals(terrain, Components.build(terrain), 0, (30, 18), 100)
    assert (places[:, 1] < 20).all()


def test_a_small_component_has_only_so_many_places() -> None:
    terrain = Terrain.build(ISLAND)
    components = Components.build(terrain)
    assert len(spread_goals(terrain, components, 0, (3, 6), 50)) == 8
    assert spread_goals(terrain, components, 0, (3, 6), 3, start=(0, 0))[0].tolist() == [1, 6]
    assert len(spread_goals(terrain, components, 0, (3, 6), 0)) == 0


def test_bad_input_is_named() -> None:
    terrain = Terrain.build(ISLAND)
    components = Components.build(terrain)
    with pytest.raises(ValueError, match=r"starts .*map"):
        resolve_goals(terrain, components, 0, [(99, 0)], (1, 1))
    with pytest.raises(ValueError, match="whole numbers"):
        resolve_goals(terrain, components, 0, [(1.5, 0.0)], (1, 1))
    world = Walkers.on(ISLAND, [(0, 0)])
    with pytest.raises(ValueError, match="goals"):
        world.manager.request([0], [0], np.zeros((3, 2), int), 0, 0)
    with pytest.raises(ValueError, match="positions"):
        world.manager.update(terrain, components, np.zeros(2), np.zeros(1), 0, world.settings)


def test_ten_repeats_are_answered_then_refused_until_600_ticks_after_the_first() -> None:
    """A unit that stays where it is requests the same path in every tick.

    Another goal, and the same goal from another tile, is answered in the meantime.
    """
    world = Walkers.on(np.ones((8, 20), bool), [(3, 5)])

    def answered(goal: tuple[int, int]) -> bool:
        world.manager.cancel([0], world.tick)
        world.order(goal)
        lost = 0 in world.think().lost
        (told,) = [r for r in world.manager.trace.of(0, 9) if r.tick == world.tick][-1:]
        assert lost == (told.decision == Decision.RATE_LIMITED) == (len(world.path(0)) == 0)
        return not lost

    first = world.tick + 1
    assert [answered((3, 15)) for _ in range(14)] == [True] * 10 + [False] * 4
    world.tick = first + 597
    assert [answered((3, 15)) for _ in range(14)] == [False] * 3 + [True] * 10 + [False], "600 ticks after the first"
    assert not answered((3, 15)) and answered((3, 16)) and answered((3, 15))
    assert [answered((3, 15)) for _ in range(10)] == [True] * 9 + [False]
    world.y[0] += 1.0
    assert answered((3, 15))


@pytest.mark.parametrize("tile", [(0, 0), (0, 19), (7, 0), (7, 19), (3, 5), (1, 1), (5, 3), (2, 18)])
def test_a_unit_may_be_ordered_to_its_own_tile_as_often_as_one_likes(tile: tuple[int, int]) -> None:
    """A path to the next tile is refused after ten orders."""
    world = Walkers.on(np.ones((8, 20), bool), [tile])
    beside = tile[0], tile[1] + (1 if tile[1] < 10 else -1)
    for goal, refused in ((tile, False), (beside, True)):
        for n in range(14):
            world.manager.cancel([0], world.tick)
            world.order(goal)
            world.think()
            told = {r.decision for r in world.manager.trace.of(0, 9) if r.tick == world.tick}
            assert (Decision.RATE_LIMITED in told) == (refused and n >= 10), (goal, n)


def test_a_walled_in_unit_that_fails_and_asks_again_is_refused() -> None:
    """Its replanning is refused as well, and a refusal costs no search."""
    world = Walkers.on(ISLAND, [(3, 5)], tries=1)
    for _ in range(500):
        if world.manager.requests.phase[0] == Phase.IDLE:
            world.order((3, 8))
        world.manager.replan([0], world.tick)
        before = world.manager.statistics.revolutions_total + world.manager.statistics.quick_revolutions_total
        world.think()
        now = world.manager.statistics
        last = world.manager.trace.of(0, 1)[-1]
        if last.tick == world.tick and last.decision == Decision.RATE_LIMITED:
            assert now.revolutions_total + now.quick_revolutions_total == before
    assert 0 < now.straight <= 10
    assert [r for r in world.manager.trace.of(0, 2000) if r.decision == Decision.RATE_LIMITED]
