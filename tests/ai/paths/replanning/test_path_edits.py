"""Path edits: the map changes under stored paths.

The oracle is the ground itself; no unit may ever stand on a closed tile.
"""

import numpy as np
import pytest

from ai.core.serialization import compare, digest, from_bytes, restore, snapshot, to_bytes
from ai.paths import Decision, Phase
from ai.paths.splice.path_splicing import remember, search_at_once
from ai.paths.update_context import PathTick
from tests.ai.paths.requests.test_path_queue import pairs
from tests.ai.paths.walkers import Walkers, walls
from tests.ai.search.grids import distances, path_cost

TWO_DOORS = np.ones((21, 40), bool)
TWO_DOORS[:, 20] = False
TWO_DOORS[3, 20] = TWO_DOORS[17, 20] = True

ONE_DOOR = np.ones((21, 40), bool)
ONE_DOOR[:, 20] = False
ONE_DOOR[10, 20] = True


def test_a_closed_door_sends_everyone_round_long_before_it() -> None:
    world = Walkers.on(TWO_DOORS, [(3, x) for x in range(8)])
    world.order((3, 35))
    for _ in range(5):
        world.think()
        world.walk()
    assert all(world.path(s)[-1] == (3, 35) and len(world.path(s)) == 1 for s in range(8)), "straight through the door"
    world.terrain.edit(3, 20, 4, 21, passable=0)
    world.think()
    for slot in range(8):
        assert (3, 20) not in world.path(slot)
    arrived, lost = world.live(900)
    assert (len(arrived), lost) == (8, set())


def test_an_edit_elsewhere_disturbs_nobody() -> None:
    world = Walkers.on(TWO_DOORS, [(3, x) for x in range(8)])
    world.order((3, 35))
    for _ in range(5):
        world.think()
    paths = [world.path(s) for s in range(8)]
    statistics = world.manager.statistics
    spent = statistics.revolutions_total + statistics.quick_revolutions_total
    world.terrain.edit(19, 30, 21, 33, passable=0)
    world.think()
    assert [world.path(s) for s in range(8)] == paths
    assert statistics.revolutions_total + statistics.quick_revolutions_total == spent


@pytest.mark.parametrize("period", [20, 7])
def test_a_door_that_opens_and_closes_all_the_time_loses_nobody(period) -> None:
    world = Walkers.on(ONE_DOOR, [(y, x) for y in range(4, 17) for x in range(0, 12, 3)])
    world.order((10, 36))
    arrived: set[int] = set()
    shut = False
    for tick in range(4000):
        if tick % period == 0:
            in_door = ((world.y.astype(int) == 10) & (world.x.astype(int) == 20)).any()
            if not in_door:
                shut = not shut
                world.terrain.edit(10, 20, 11, 21, passable=0 if shut else 255)
        news = world.think()
        assert len(news.lost) == 0
        arrived.update(news.arrived.tolist())
        world.walk()
        assert world.terrain.passable[world.y.astype(int), world.x.astype(int)].all(), "through a closed door"
        if len(arrived) == len(world.x):
            break
    assert len(arrived) == len(world.x)


def test_a_unit_that_is_cut_off_goes_near_waits_and_loses_its_path() -> None:
    world = Walkers.on(ONE_DOOR, [(10, 2)], patience=40)
    world.order((10, 36))
    world.live(5)
    world.terrain.edit(10, 20, 11, 21, passable=0)
    arrived, lost = world.live(400)
    assert (arrived, lost) == (set(), {0})
    assert int(world.x[0]) == 19
    kinds = [r.decision for r in world.manager.trace.of(0)]
    assert kinds[-2:] == [Decision.PARKED, Decision.LOST]


def test_a_door_that_opens_in_time_gives_the_goal_back() -> None:
    world = Walkers.on(ONE_DOOR, [(10, 2)], patience=400)
    world.order((10, 36))
    world.live(5)
    world.terrain.edit(10, 20, 11, 21, passable=0)
    world.live(150)
    assert world.manager.requests.phase[0] == Phase.PARKED
    world.terrain.edit(10, 20, 11, 21, passable=255)
    assert world.live(400) == ({0}, set())
    assert int(world.x[0]) == 36


def test_a_group_sent_to_the_bank_crosses_when_the_bridge_comes_down() -> None:
    """Substitute goals on the near side give way to the ordered far side.

    The order was for the far side; a single query sent the units to tiles on the near side.
    """
    world = Walkers.on(ONE_DOOR, [(10, x) for x in range(6)])
    world.terrain.edit(10, 20, 11, 21, passable=0)
    places = np.array([(8 + i, 19) for i in range(6)])
    world.manager.request(np.arange(6), np.arange(6), places, 0, 0, ordered_at=(10, 35))
    world.live(40)
    assert [tuple(g) for g in world.manager.requests.goal[:6].tolist()] == [tuple(p) for p in places.tolist()]
    world.terrain.edit(10, 20, 11, 21, passable=255)
    assert world.live(400) == (set(range(6)), set())
    assert (world.x > 33).all()
    assert len(set(zip(world.x.astype(int).tolist(), world.y.astype(int).tolist(), strict=True))) == 6


def test_a_goal_that_is_built_over_is_replaced() -> None:
    world = Walkers.on(ONE_DOOR, [(10, 2)])
    world.order((10, 12))
    world.live(5)
    world.terrain.edit(10, 12, 11, 13, passable=0)
    world.think()
    assert world.terrain.passable[tuple(world.manager.requests.goal[0])]
    world.live(100)
    assert abs(world.x[0] - 12.5) + abs(world.y[0] - 10.5) < 1.5


def test_an_open_search_keeps_its_tiles_and_its_result_is_checked() -> None:
    world = Walkers.on(TWO_DOORS, [(3, 2)], budget=6, straight=False, priority=False)
    world.order((3, 35))
    for _ in range(4):
        world.think()
    slab = world.manager.queue.slabs[0]
    assert slab.status == 0 and slab.tile_status[3, 20] != 0, "still open, and it has read the door's tile"
    world.terrain.edit(3, 20, 4, 21, passable=0)
    world.settings.budget = 20_000
    world.think()
    assert Decision.CUT in {r.decision for r in world.manager.trace.of(0)}
    arrived, lost = world.live(900)
    assert (arrived, lost) == ({0}, set())


@pytest.mark.parametrize("seed", range(8))
def test_a_search_in_one_call_is_exact_within_its_limit_and_charged(seed: int) -> None:
    ground = walls(24, seed, 12)
    starts, goals = pairs(ground, 6, seed)
    world, even = Walkers.on(ground, starts), np.full(ground.shape, 8)
    now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, 1, world.settings)
    for slot, (start, goal) in enumerate(zip(starts, map(tuple, goals.tolist()), strict=True)):
        best = distances(ground, even, start)[goal]
        for cap in (1, 20, 60, 600):
            before = world.manager.statistics.quick_this_tick
            found, tiles, spent = search_at_once(now, slot, start, goal, cap)
            assert world.manager.statistics.quick_this_tick == before + spent and spent <= cap
            assert tuple(tiles[0]) == start and (tuple(tiles[-1]) == goal) == found
            assert found or spent == cap or np.isinf(best)
            assert not found or path_cost(ground, even, tiles) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(8))
def test_a_found_path_answers_the_same_request_again_unless_a_search_is_forced(seed: int) -> None:
    ground = walls(24, seed, 20)
    starts, goals = pairs(ground, 1, seed)
    start, goal = starts[0], tuple(goals[0].tolist())
    for engine in ("auto", "astar"):
        world = Walkers.on(ground, starts, engine=engine)
        now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, 1, world.settings)
        found, tiles, _ = search_at_once(now, 0, start, goal, 1 << 20)
        if not found or len(tiles) < 3:
            continue
        remember(now, 0, tiles)
        known = world.manager.routes.find(0, start, goal)
        assert (known is not None) == (engine == "auto")
        assert known is None or np.array_equal(known[0], tiles)
        world.settings.straight = False
        world.order(goals)
        world.think()
        told = [row.decision for row in world.manager.trace.of(0)]
        assert (Decision.BY_CACHE in told) == (engine == "auto")
        assert engine != "auto" or world.manager.statistics.quick == 0, "it needs no search at all"


def test_a_unit_pushed_off_its_path_is_led_back() -> None:
    world = Walkers.on(TWO_DOORS, [(3, 12)])
    world.order((3, 35))
    for _ in range(45):
        world.think()
        world.walk()
    assert world.x[0] > 20
    # A shove through the wall to the side it came from.
    world.x[0], world.y[0] = 18.5, 9.5
    arrived, lost = world.live(900)
    assert (arrived, lost) == ({0}, set())
    assert world.manager.statistics.led_back + world.manager.statistics.replanned >= 1


def test_stuck_units_ask_again_and_lose_their_path_in_the_end() -> None:
    world = Walkers.on(ONE_DOOR, [(10, 2)], tries=3)
    world.order((10, 36))
    lost = 0
    for _ in range(6):
        world.manager.replan([0], world.tick)
        lost += len(world.think().lost)
    assert lost == 1
    assert world.manager.store.path_len[0] == 0
    assert world.manager.trace.of(0)[-1].decision == Decision.LOST
    world.manager.replan([0], world.tick)
    assert len(world.think().lost) == 0, "a lost path is not requested again"


def test_a_cancelled_path_is_gone_and_frees_its_search() -> None:
    world = Walkers.on(ONE_DOOR, [(10, 2), (9, 2)], budget=5, straight=False)
    world.order((10, 36))
    world.think()
    assert len(world.manager.queue.open) == 2
    world.manager.cancel([0], world.tick)
    assert [e.unit for e in world.manager.queue.open] == [1]
    assert world.manager.store.path_len[0] == 0
    world.settings.budget = 20_000
    assert 0 not in world.live(100)[0]


def test_a_world_restored_in_mid_search_goes_on_identically() -> None:
    """Snapshots and saved bytes are taken at several ticks.

    Searches are open, doors move, and walkers are starved at that time.
    """
    ground = walls(48, 4, 9)
    starts, goals = pairs(ground, 40, 6)

    def live(world: Walkers, until: int) -> list[str]:
        hashes = []
        while world.tick < until:
            if world.tick % 9 == 5:
                y, x = goals[world.tick % 40]
                shut = int(world.terrain.passable[y, x]) == 255
                world.terrain.edit(int(y), int(x), int(y) + 1, int(x) + 1, passable=0 if shut else 255)
            if world.tick == 20:
                world.manager.replan([3, 5], world.tick)
            world.think()
            world.walk()
            hashes.append(digest(world))
        return hashes

    def fresh() -> Walkers:
        world = Walkers.on(ground, starts, budget=50, allowance=15, straight=False, open_searches=5)
        world.order(goals, favoured=np.arange(40) % 2)
        return world

    whole = live(fresh(), 60)
    assert whole == live(fresh(), 60), "two runs"
    for at in (1, 7, 16, 41):
        world = fresh()
        live(world, at)
        assert at > 20 or world.manager.queue.open, "in the middle of a search"
        frozen, saved = snapshot(world), to_bytes(world)
        live(world, at + 5)
        for again in (restore(frozen), from_bytes(saved)):
            assert live(again, 60) == whole[at:]
        assert compare(restore(frozen), from_bytes(saved)) == []


def test_units_are_served_by_id_whatever_their_slots() -> None:
    ground = walls(48, 4, 9)
    starts, goals = pairs(ground, 30, 6)
    order = np.random.default_rng(1).permutation(30)
    tracks = []
    for slots in (np.arange(30), order):
        # Unit u lives in slot slots[u].
        unit_of = np.argsort(slots)
        world = Walkers.on(ground, [starts[u] for u in unit_of], budget=100, straight=False)
        world.manager.request(np.arange(30), unit_of, goals[unit_of], 0, 0)
        track = []
        for _ in range(80):
            world.think()
            world.walk()
            track.append((world.x[slots].copy(), world.y[slots].copy()))
        tracks.append(np.array(track))
    assert np.array_equal(tracks[0], tracks[1])
