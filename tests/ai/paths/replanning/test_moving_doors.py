"""Moving doors: no unit walks through a shut door, and none is lost.

No path is dropped without need.
"""

import numpy as np

from ai.core.serialization import digest, restore, snapshot
from ai.paths import Decision, Phase
from ai.paths.replanning.moving_doors import FLAPS, MovingDoors
from tests.ai.paths.walkers import Walkers

GATE = (30, 58, 31, 62)


def valley(**settings: object) -> Walkers:
    """Send twenty walkers from north to south through a gate in the middle.

    The map has two halves, and a detour at the east end.
    """
    ground = np.ones((64, 120), bool)
    ground[30, :118] = False
    ground[GATE[0], GATE[1] : GATE[3]] = True
    starts = [(2 + i % 4, 40 + 2 * i) for i in range(20)]
    world = Walkers.on(ground, starts, **{"engine": "auto", **settings})
    world.order(np.array([(58, 40 + 2 * i) for i in range(20)]))
    return world


def move(world: Walkers, is_open: bool) -> None:
    inside = (world.y.astype(int) == GATE[0]) & (world.x >= GATE[1]) & (world.x < GATE[3])
    if is_open or not inside.any():
        world.terrain.edit(*GATE, passable=255 if is_open else 0)


def decisions(world: Walkers, decision: Decision) -> int:
    return sum(row.decision == decision for row in world.manager.trace.recent(4096))


def test_all_arrive_through_a_gate_that_moves_every_second() -> None:
    world = valley(door_far=8)
    arrived: set[int] = set()
    for second in range(120):
        move(world, second % 2 == 0)
        got, lost = world.live(20)
        arrived |= got
        assert not lost
        if len(arrived) == 20:
            break
    assert len(arrived) == 20
    assert decisions(world, Decision.HELD) > 0 and decisions(world, Decision.HELD_OPEN) > 0


def test_a_way_cut_far_ahead_is_kept_until_the_wait_is_over() -> None:
    world = valley(door_far=8, door_wait=15)
    world.live(2)
    before = [world.manager.store.waypoints(s)[-1, :2].tolist() for s in range(20)]
    through = [s for s in range(20) if any(abs(y - 30) < 3 and 57 <= x <= 62 for y, x in world.path(s))]
    assert through
    move(world, False)
    world.live(1)
    assert decisions(world, Decision.CUT) == 0 and (world.manager.requests.held_by[through] >= 0).all()
    assert [world.manager.store.waypoints(s)[-1, :2].tolist() for s in range(20)] == before
    world.live(40)
    assert decisions(world, Decision.CUT) >= len(through)
    assert (world.manager.requests.held_by == -1).all()


def test_a_way_whose_door_opens_in_time_costs_no_search() -> None:
    world = valley(door_far=8)
    world.live(2)
    spent = world.manager.statistics.revolutions_total
    move(world, False)
    world.live(5)
    move(world, True)
    world.live(5)
    assert world.manager.statistics.revolutions_total == spent
    assert (world.manager.requests.phase[:20] == Phase.READY).all()


def test_a_run_with_held_ways_goes_on_the_same_from_a_snapshot() -> None:
    world = valley(door_far=8)
    world.live(2)
    move(world, False)
    world.live(3)
    again = restore(snapshot(world))
    for each in (world, again):
        each.live(30)
    assert digest(world) == digest(again)


def test_doors_are_counted_by_rectangle_and_old_ones_forgotten() -> None:
    doors = MovingDoors()
    number = doors.moved((1, 1, 2, 2), 5)
    assert [doors.times(doors.moved((1, 1, 2, 2), t), t) for t in (10, 20, 30)] == [2, 3, FLAPS]
    assert doors.times(number, 1000) == 0
    for i in range(200):
        assert doors.moved((i, 7, i + 1, 8), 40) == number + 1 + i, "numbers are never reused"
