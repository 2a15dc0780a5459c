"""Shared flow field for a group.

Oracles: exact A*, invariants of walking, and a run restored in the middle.
"""

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.grid.terrain import Terrain
from ai.paths import Decision, Phase
from ai.search.astar.astar import AStarSearch
from ai.search.fields.flow_field import FlowField
from tests.ai.paths.walkers import Walkers


def group(n: int = 60, **settings: object) -> Walkers:
    """Send ``n`` walkers from the west to tiles around one tile in the east.

    A wall with a gate is in between.
    """
    ground = np.ones((80, 120), bool)
    ground[:70, 60] = False
    ground[38:42, 60] = True
    starts = [(10 + i // 10 * 9, 2 + 3 * (i % 10)) for i in range(n)]
    world = Walkers.on(ground, starts, **{"engine": "flow", "straight": False, **settings})
    world.order(np.array([(37 + i // 10, 100 + i % 10) for i in range(n)]))
    return world


def decisions(world: Walkers, decision: Decision) -> int:
    return sum(row.decision == decision for row in world.manager.trace.recent(4096))


def test_a_group_shares_one_field_and_each_unit_ends_on_its_own_place() -> None:
    world = group()
    arrived, lost = world.live(1500)
    assert len(arrived) == 60 and not lost
    tiles = {(int(y), int(x)) for y, x in zip(world.y, world.x, strict=True)}
    assert len(tiles) == 60
    assert decisions(world, Decision.BY_FIELD) == 60 and decisions(world, Decision.BY_JPS) == 0


def test_it_costs_less_than_searches_of_their_own_and_stays_within_the_budget() -> None:
    spent = {}
    for engine in ("flow", "astar"):
        world = group(engine=engine, budget=3000)
        for _ in range(120):
            world.live(1)
            assert world.manager.statistics.revolutions_this_tick <= 3000
        spent[engine] = world.manager.statistics.revolutions_total
    assert spent["flow"] <= 80 * 120 < spent["astar"]


def test_the_way_along_the_field_is_about_as_short_as_the_best() -> None:
    world = group()
    best = AStarSearch(80, 120)
    best.begin(world.terrain, 0, (10, 2), (37, 100))
    best.run(world.terrain, 1 << 40)
    walked = 0.0
    for _ in range(1500):
        x, y = world.x[0], world.y[0]
        world.live(1)
        walked += float(np.hypot(world.x[0] - x, world.y[0] - y))
        if world.manager.requests.phase[0] == Phase.IDLE:
            break
    assert walked < best.cost * 1.08 + 2


def test_small_groups_and_short_ways_take_searches_of_their_own() -> None:
    world = group(n=20)
    world.live(30)
    assert decisions(world, Decision.FIELD_BEGUN) == 0
    world = group(engine="auto", flow_worth=1)
    world.live(30)
    assert decisions(world, Decision.FIELD_BEGUN) == 0


@pytest.mark.parametrize("shut_at", [1, 3, 60, 150])
def test_nobody_is_led_through_a_door_that_shut(shut_at: int) -> None:
    world = group(budget=2000, door_wait=0)
    world.live(shut_at)
    standing = (world.x.astype(int) == 60).any()
    if not standing:
        world.terrain.edit(38, 60, 42, 61, passable=0)
    _, lost = world.live(2500)  # fails when a unit stands in a wall
    assert not lost and (world.manager.requests.phase[:60] == Phase.IDLE).all()


def test_a_field_in_use_is_mended_in_slices_and_followed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    slices: list[tuple[bool, int, int]] = []
    run = FlowField.run

    def watched(field: FlowField, terrain: Terrain, revolutions: int) -> int:
        ready, used = field.ready, run(field, terrain, revolutions)
        slices.append((ready, revolutions, used))
        return used

    monkeypatch.setattr(FlowField, "run", watched)
    world = group(door_wait=0, flow_slice=50)
    world.live(60)
    assert max(allowed for ready, allowed, _ in slices if not ready) > 50, "a new field uses its whole budget"
    (shared,) = world.manager.shared.fields
    before = shared.field.moves.copy()
    slices.clear()
    world.terrain.edit(38, 60, 41, 61, passable=0)
    stale = ticks = 0
    while shared.field.revision != world.terrain.revision:
        assert np.array_equal(shared.field.moves, before), "the old field stays complete until the new one is ready"
        stale += int((world.manager.requests.phase[:60] == Phase.FLOWING).sum())
        world.live(1)  # fails when a unit stands in a wall
        ticks += 1
        assert ticks < 2000
    assert ticks > 20 and stale > 20 * 10
    mending = [(allowed, used) for ready, allowed, used in slices if ready]
    assert max(allowed for allowed, _ in mending) <= 50 and max(used for _, used in mending) == 50
    fresh = FlowField.build(world.terrain, 0, shared.field.goals)
    fresh.run(world.terrain, 1 << 40)
    assert np.array_equal(np.isfinite(shared.field.costs), np.isfinite(fresh.costs))
    np.testing.assert_allclose(shared.field.costs, fresh.costs)
    _, lost = world.live(2500)
    assert not lost and (world.manager.requests.phase[:60] == Phase.IDLE).all()


def test_a_run_goes_on_the_same_from_a_snapshot() -> None:
    world = group(budget=2000)
    world.live(4)
    for more in (1, 20):
        again = restore(snapshot(world))
        for each in (world, again):
            each.live(more)
        assert digest(world) == digest(again)
        world.terrain.edit(30, 70, 50, 71, passable=0)


def test_a_field_is_completed_although_an_unused_door_keeps_moving() -> None:
    """The flood of 10,000 tiles takes ten ticks of this budget.

    The door moves every fourth tick.
    """
    ground = np.ones((100, 100), bool)
    ground[20, 3:97] = ground[80, 3:97] = False
    starts = [(83 + i // 20, 5 + 4 * (i % 20)) for i in range(120)]
    world = Walkers.on(ground, starts, engine="auto", straight=False, budget=1000)
    world.order(np.array([(3 + i // 12, 45 + i % 12) for i in range(120)]))
    for tick in range(24):
        if tick % 4 == 3:
            world.terrain.edit(98, 98, 99, 99, passable=0 if tick % 8 == 3 else 15)
        world.live(1)
        assert world.manager.statistics.revolutions_this_tick <= 1000
    assert decisions(world, Decision.BY_FIELD) == 120
    (shared,) = world.manager.shared.fields
    fresh = FlowField.build(world.terrain, 0, shared.field.goals)
    fresh.run(world.terrain, 1 << 40)
    shared.field.run(world.terrain, 1 << 40)
    np.testing.assert_array_equal(shared.field.costs, fresh.costs)


def test_units_that_waited_too_long_for_a_field_search_and_it_gets_the_rest() -> None:
    world = group(engine="flow", budget=150)
    world.live(40)
    (shared,) = world.manager.shared.fields
    assert not shared.field.ready and decisions(world, Decision.FULL) == 0
    for _ in range(70):
        world.live(1)
        assert world.manager.statistics.revolutions_this_tick <= 150
    assert decisions(world, Decision.FULL) == 60 and decisions(world, Decision.BY_FIELD) == 0
    assert shared.field.flood.revolutions > 40 * 150, "the rest of the budget"
