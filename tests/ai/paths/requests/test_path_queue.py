"""Queue of full searches: budget, turns and schemes.

Oracles: sums, scipy's Dijkstra, and searches without slices.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.grid.terrain import Terrain
from ai.paths import Decision, PathManager, Phase, Slicing
from ai.paths.requests.path_queue import OpenSearch, SearchQueue
from ai.paths.settings import PathSettings
from ai.paths.update_context import PathTick
from ai.search.astar.astar import AStarSearch
from tests.ai.paths.walkers import Walkers, from_rows, walls
from tests.ai.search.grids import distances

SERPENT = from_rows([("." * 39 + "#" if y % 4 == 1 else "#" + "." * 39) if y % 2 else "." * 40 for y in range(40)])
for _y in range(1, 40, 2):
    SERPENT[_y] = False
    SERPENT[_y, 39 if _y % 4 == 1 else 0] = True
"""Rows joined at alternating ends: a path from top to bottom visits all tiles."""


def pairs(ground: np.ndarray, n: int, seed: int) -> tuple[list, np.ndarray]:
    """Starts and goals anywhere on open ground."""
    rng = np.random.default_rng(seed)
    ys, xs = np.nonzero(ground)
    start, goal = rng.integers(len(ys), size=(2, n))
    return list(zip(ys[start].tolist(), xs[start].tolist(), strict=True)), np.stack([ys[goal], xs[goal]], axis=1)


def saturated(n: int = 200, **chosen: object) -> Walkers:
    ground = walls(64, 3, 12)
    starts, goals = pairs(ground, n, 5)
    world = Walkers.on(ground, starts, **chosen)
    world.order(goals)
    return world


@pytest.mark.parametrize("slicing", list(Slicing))
@pytest.mark.parametrize("budget", [77, 1000])
def test_no_tick_of_the_queue_exceeds_the_budget(slicing, budget) -> None:
    world = saturated(budget=budget, slicing=str(slicing), straight=False)
    spent = []
    for _ in range(120):
        world.think()
        spent.append(world.manager.statistics.revolutions_this_tick)
    assert max(spent) == budget, "and with work left it is used to the last revolution"
    assert world.manager.statistics.revolutions_per_tick_max == budget
    assert world.manager.statistics.revolutions_total == sum(spent)


def test_instant_searches_stay_within_their_caps() -> None:
    world = saturated(budget=300, straight=False)
    s = world.settings
    longest = s.quick_tiles_max * s.quick_effort
    for _ in range(80):
        before = world.manager.statistics
        counts = (before.quick, before.splice + before.led_back, before.priority, before.full, before.failed)
        world.think()
        world.walk()
        now = world.manager.statistics
        quick, splices, priority, full, failed = (
            b - a
            for a, b in zip(
                counts, (now.quick, now.splice + now.led_back, now.priority, now.full, now.failed), strict=True
            )
        )
        bound = quick * longest + s.priority_tick_cap + (full + failed + splices + priority) * 5 * s.splice_cap
        assert now.quick_this_tick <= bound


def test_an_order_for_two_hundred_makes_no_spike() -> None:
    world = saturated(straight=False)
    world.settings.budget = 500
    for _ in range(60):
        world.think()
    total = 0
    search = AStarSearch(64, 64)
    starts, goals = pairs(walls(64, 3, 12), 200, 5)
    for start, goal in zip(starts, goals.tolist(), strict=True):
        search.begin(world.terrain, 0, start, tuple(goal))
        if world.components.reachable(0, *start, *goal):
            total += search.run(world.terrain, 1 << 40)
    assert total > 10 * world.manager.statistics.revolutions_per_tick_max, "in one tick it is ten times as much"


def test_open_searches_take_turns() -> None:
    world = Walkers.on(SERPENT, [(0, x) for x in range(8)], budget=40, allowance=10, increment=0, quick=False)
    world.order((38, 20))
    turns: list[int] = []
    for _ in range(30):
        world.think()
        turns += world.manager.queue.served
    assert len(set(turns)) == 8
    for i in range(len(turns) - 8):
        assert set(turns[i : i + 8]) == set(range(8)), "between two turns of one search, every other has one"


@pytest.mark.parametrize("slicing", list(Slicing))
def test_a_queued_search_ends_as_an_unsliced_one(slicing) -> None:
    ground = walls(40, 8, 10)
    starts, goals = pairs(ground, 24, 2)
    world = Walkers.on(
        ground, starts, budget=60, allowance=7, increment=3, slicing=str(slicing), quick=False, straight=False,
        splice=False, priority=False, smooth=False,
    )  # fmt: skip
    world.order(goals)
    lengths: dict[int, float] = {}
    for _ in range(3000):
        world.think()
        for slot in range(24):
            if slot not in lengths and world.manager.store.final[slot] and world.manager.store.path_len[slot] > 0:
                lengths[slot] = world.path_left(slot)
        if len(lengths) == 24:
            break
    # No unit walked, so each path starts on the tile that its unit stands on.
    for slot, start in enumerate(starts):
        goal = world.manager.requests.goal[slot]
        optimum = distances(ground, np.full(ground.shape, 8), start)[tuple(goal)]
        assert lengths[slot] == pytest.approx(optimum, abs=1e-6)


@pytest.mark.parametrize("slicing", list(Slicing))
@pytest.mark.parametrize("seed", range(4))
def test_turns_are_as_long_as_a_model_of_the_scheme_says(slicing: Slicing, seed: int) -> None:
    rng = np.random.default_rng(seed)
    allowance, increment, cap, bias = (int(rng.integers(low, low + 9)) for low in (1, 0, 12, 2))
    asked = {"allowance": allowance, "increment": increment, "allowance_cap": cap, "bias": bias}
    chosen, terrain, queue = PathSettings(slicing=str(slicing), **asked), Terrain.build(SERPENT), SearchQueue()
    times = [bias if slicing == Slicing.BIASED and unit % 2 else 1 for unit in range(3)]
    for unit in range(3):
        slab, start = queue.slab_for(terrain, chosen), (0, unit)
        queue.slabs[slab].begin(terrain, 0, start, (38, 20))
        first = queue.first_allowance(chosen, unit % 2 == 1)
        assert first == allowance * times[unit] and isinstance(first, int)
        queue.open.append(OpenSearch(unit, unit, slab, first, unit % 2 == 1, 0, start, (38, 20)))
    grants, turn = [allowance * t for t in times], 0
    for budget in rng.integers(1, 120, 10).tolist():
        left, expected = budget, []
        while left > 0:
            unit = turn % 3
            used = min(left, max(1, budget // 3) if slicing == Slicing.EQUAL else grants[unit])
            grants[unit] = min(cap * times[unit], grants[unit] + increment * times[unit])
            left, turn = left - used, turn + 1
            expected.append((unit, used, False))
        queue.served.clear()
        assert [(entry.unit, used, ended) for entry, used, ended in queue.turns(terrain, chosen, budget)] == expected
        assert queue.served == [unit for unit, _, _ in expected]


@pytest.mark.parametrize("slot", [0, 1, 62, 63, 64, 127, 128, 400])
def test_a_request_makes_room_for_its_slot_and_no_more_than_that(slot: int) -> None:
    """Columns have a power of two of rows, at least 64."""
    terrain = Terrain.build(SERPENT)
    manager = PathManager.build(terrain, 1)
    manager.request([slot], [9], (38, 20), 0, 5)
    rows = 64
    while rows <= slot:
        rows *= 2
    assert manager.store.capacity == manager.requests.capacity == rows
    assert manager.requests.phase[slot] == Phase.NEW and (manager.requests.phase != Phase.IDLE).sum() == 1
    assert manager.requests.unit[slot] == 9 and manager.requests.asked[slot] == 5


@pytest.mark.parametrize("priority", [True, False])
def test_after_an_update_every_path_is_followed_as_far_as_its_unit_has_come(priority: bool) -> None:
    """Paths written late in a tick do not wait for the next one."""
    world = saturated(100, budget=300, straight=False, priority=priority)
    for _ in range(50):
        world.think()
        store = world.manager.store
        heads = store.path_len.copy(), store.flags.copy(), store.aim[:2].copy()
        tick = world.tick
        now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, tick, world.settings)
        now.advance(np.arange(100))
        for before, after in zip(heads, (store.path_len, store.flags, store.aim[:2]), strict=True):
            assert np.array_equal(before, after)
        world.walk()


def latencies(slicing: Slicing, favoured: np.ndarray | int = 0, budget: int = 150) -> np.ndarray:
    """Return the ticks until each full path.

    Unit 0 has a very long path. The others have short ones, requested a few at a time.
    """
    world = Walkers.on(
        SERPENT, [(0, 0)] + [(8, x) for x in range(39)], budget=budget, allowance=10, increment=10, allowance_cap=120,
        slicing=str(slicing), quick=False, straight=False, splice=False, priority=False, open_searches=8,
    )  # fmt: skip
    goals = np.array([(38, 20)] + [(12, (x * 7) % 40) for x in range(39)])
    told = np.full(40, -1)
    asked = np.zeros(40, int)
    marks = np.broadcast_to(favoured, 40)
    world.order(goals[:1], slots=[0], favoured=marks[:1])
    for tick in range(400):
        if tick < 39:
            world.order(goals[tick + 1 : tick + 2], slots=[tick + 1], favoured=marks[tick + 1 : tick + 2])
            asked[tick + 1] = world.tick
        world.think()
        ready = (world.manager.store.final[:40] == 1) & (told < 0)
        told[ready] = world.tick
    assert (told >= 0).all(), "no request starves"
    return told - asked


def test_progressive_slicing_serves_the_long_search_sooner_than_equal_and_starves_no_short_one() -> None:
    progressive, equal = latencies(Slicing.PROGRESSIVE), latencies(Slicing.EQUAL)
    assert progressive[0] < equal[0]
    assert progressive[1:].max() <= 4 * equal[1:].max()


def test_biased_slicing_serves_the_favoured_sooner() -> None:
    ground = walls(64, 3, 12)
    starts, goals = pairs(ground, 200, 5)
    favoured = np.arange(200) % 2
    means = {}
    for slicing in (Slicing.PROGRESSIVE, Slicing.BIASED):
        world = Walkers.on(
            ground, starts, budget=400, slicing=str(slicing), quick=False, straight=False, priority=False
        )
        world.order(goals, favoured)
        told = np.full(200, -1)
        for _ in range(600):
            world.think()
            told[(world.manager.store.final[:200] == 1) & (told < 0)] = world.tick
        assert (told >= 0).all()
        means[slicing] = told[favoured == 1].mean(), told[favoured == 0].mean()
    assert means[Slicing.BIASED][0] < 0.7 * means[Slicing.BIASED][1]
    assert means[Slicing.BIASED][0] < means[Slicing.PROGRESSIVE][0]


@pytest.mark.parametrize("bias", [1, 3, 6])
def test_a_request_that_is_not_favoured_waits_no_longer_than_its_share(bias: int) -> None:
    """Mix one plain request with favoured ones that never end.

    Every tick brings two favoured requests, more than the queue serves. After ``bias`` of them the plain one is next.
    """
    ground = np.ones((12, 60), bool)
    world = Walkers.on(
        ground, [(0, x % 60) for x in range(120)], slicing="biased", bias=bias, budget=20, allowance=60, increment=0,
        open_searches=1, admissions=1, quick=False, straight=False, splice=False, priority=False, remembered_routes=0,
    )  # fmt: skip
    manager, opened = world.manager, []
    world.order((11, 59), favoured=1, slots=range(1, 3))
    world.order((11, 59), favoured=0, slots=[0])
    for tick in range(58):
        world.order((11, 59), favoured=1, slots=range(3 + 2 * tick, 5 + 2 * tick))
        world.think()
        rows = manager.trace.recent(4000)
        opened += [row.unit for row in rows if row.decision == Decision.ADMITTED and row.tick == world.tick]
        waiting = manager.requests.phase == Phase.WAITING
        assert (waiting & (manager.requests.favoured == 1)).any(), "favoured requests wait all the time"
    assert 0 in opened[: bias + 1] and len(opened) > bias + 1


def test_all_schemes_do_the_same_work() -> None:
    totals = set()
    for slicing in Slicing:
        world = saturated(60, slicing=str(slicing), quick=False, straight=False, splice=False, priority=False)
        for _ in range(200):
            world.think()
        totals.add(world.manager.statistics.revolutions_total)
    assert len(totals) == 1


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_any_mix_of_requests_and_cancellations_keeps_the_books(data) -> None:
    ground = walls(32, data.draw(st.integers(0, 5)), 10)
    starts, goals = pairs(ground, 12, data.draw(st.integers(0, 99)))
    world = Walkers.on(ground, starts, budget=data.draw(st.sampled_from([5, 60, 5000])), open_searches=3)
    for _ in range(30):
        slots = data.draw(st.lists(st.integers(0, 11), max_size=6, unique=True))
        act = data.draw(st.sampled_from(["order", "cancel", "replan", "nothing"]))
        if act == "order" and slots:
            world.order(goals[[(s * 5 + world.tick) % 12 for s in slots]], slots=slots)
        elif act == "cancel":
            world.manager.cancel(slots, world.tick)
        elif act == "replan":
            world.manager.replan(slots, world.tick)
        world.think()
        world.walk()
        manager = world.manager
        queue, phase = manager.queue, manager.requests.phase
        assert manager.statistics.revolutions_this_tick <= world.settings.budget
        assert sorted(e.slot for e in queue.open) == np.flatnonzero(phase == Phase.OPEN).tolist()
        assert sorted(queue.free + [e.slab for e in queue.open]) == list(range(len(queue.slabs)))
        assert len(queue.slabs) <= 3
        idle = phase == Phase.IDLE
        waiting = np.flatnonzero(phase == Phase.WAITING)
        assert len(np.unique(manager.requests.ticket[waiting])) == len(waiting)
        assert (manager.requests.urgent[idle] == 0).all()


@pytest.mark.parametrize(("side", "slabs"), [(64, 0), (512, 3), (2600, 2)])
def test_slabs_of_large_maps_are_there_before_the_first_tick_and_search_as_new_ones(side: int, slabs: int) -> None:
    terrain = Terrain.build(np.ones((side, side), bool))
    queue = SearchQueue()
    queue.prepare(terrain, PathSettings(open_searches=3))
    assert len(queue.slabs) == slabs and queue.free == list(range(slabs))
    for slab in queue.slabs[:1]:
        fresh = AStarSearch(side, side)
        for search in (slab, fresh):
            search.begin(terrain, 0, (5, 5), (9, 40))
            search.run(terrain, 1000)
        assert slab.__digest__() == fresh.__digest__() and (slab.path() == fresh.path()).all()


def test_the_listing_shows_open_searches_in_turn_order_then_waiting_requests() -> None:
    world = Walkers.on(
        SERPENT, [(0, x) for x in range(6)], budget=10, open_searches=2, allowance=5, quick=False, priority=False
    )
    world.order((38, 20))
    world.think()
    world.think()
    rows = world.manager.listing(world.tick)
    assert [r.stage for r in rows] == ["open", "open", "waiting", "waiting", "waiting", "waiting"]
    assert [r.unit for r in rows[2:]] == [2, 3, 4, 5]
    assert sum(r.revolutions for r in rows) == world.manager.statistics.revolutions_total == 20
    assert all(r.age == 2 and r.goal == (38, 20) for r in rows)
    assert rows[3].start == (0, 3)
