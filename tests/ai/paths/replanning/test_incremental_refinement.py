"""Incremental refinement: full paths walked leg by leg.

Oracles: exact A*, the invariants of walking, counts of refined hops, and a restored run.
"""

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.paths import Decision, Phase
from ai.paths.replanning.incremental_refinement import LEG, dearest
from ai.search.astar.astar import AStarSearch
from ai.search.hierarchy.cluster_graph import ClusterGraph
from tests.ai.paths.replanning.test_local_replanning import Crowd
from tests.ai.paths.walkers import Walkers

ROOM = 16


def house(rooms: int = 7) -> np.ndarray:
    """Return ``bool[112, 112]``: seven by seven rooms with doors between neighbours."""
    ground = np.ones((rooms * ROOM, rooms * ROOM), bool)
    ground[ROOM::ROOM] = ground[:, ROOM::ROOM] = False
    for i in range(rooms):
        for k in range(1, rooms):
            ground[ROOM * i + 5 + (i + k) % 5, ROOM * k] = True
            ground[ROOM * k, ROOM * i + 4 + (i + 2 * k) % 6] = True
    return ground


def walkers(starts: list, goals: list, kind: type = Walkers, rooms: int = 7, **settings: object) -> Walkers:
    chosen = {"engine": "hpa", "hierarchy": "lazy", "levels": 3, "straight": False, "quick": False, **settings}
    world = kind.on(house(rooms), starts, **chosen)
    world.manager.engines.choose(world.terrain, world.settings, 0)  # as when a level is loaded
    world.order(np.array(goals))
    return world


def told(world: Walkers, decision: Decision, slot: int = 0) -> int:
    return sum(row.decision == decision for row in world.manager.trace.of(slot, 4096))


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_only_the_leg_at_hand_is_a_path_and_the_way_is_about_as_short_as_the_best(levels: int) -> None:
    world = walkers([(3, 3)], [(108, 108)], levels=levels)
    best = AStarSearch(112, 112)
    best.begin(world.terrain, 0, (3, 3), (108, 108))
    best.run(world.terrain, 1 << 40)
    walked = longest = 0.0
    while not world.tick or world.manager.requests.phase[0] != Phase.IDLE:
        x, y = world.x[0], world.y[0]
        arrived, lost = world.live(1)  # fails when it stands in a wall
        walked += float(np.hypot(world.x[0] - x, world.y[0] - y))
        longest = max(longest, world.path_left(0))
        assert not lost and world.tick < 2000
        if world.manager.requests.phase[0] == Phase.LEGS:
            walk = world.manager.legs.walks[0]
            assert walk.refined <= walked * 1.5 + 2 * (LEG + 2 * ROOM), "parts not walked yet are not refined"
    assert arrived == {0} and walked < 1.1 * best.cost
    assert longest < 2 * (LEG + 2 * ROOM) < best.cost / 1.2
    (choice,) = [row.choice for row in world.manager.trace.of(0, 4096) if row.decision == Decision.BY_LEGS]
    hops = world.manager.trace.of(0, 4096)[-2].numbers[2]
    assert choice == ("hpa", f"{hops} hops on {levels} levels, leg by leg")
    assert told(world, Decision.BY_LEGS) == 1 and told(world, Decision.LEG) > 4


def test_a_cancelled_unit_has_paid_only_for_the_part_it_walked() -> None:
    spent = []
    for ticks in (20, 2000):
        world = walkers([(3, 3)], [(108, 108)])
        world.live(ticks)
        spent.append(world.manager.statistics.revolutions_total)
    assert spent[0] < spent[1] / 2


def test_an_edit_far_ahead_makes_another_plan_while_the_leg_at_hand_is_walked_on() -> None:
    world = walkers([(3, 3)], [(108, 108)])
    world.live(20)
    walk = world.manager.legs.walks[0]
    # The first doors of its plan more than three rooms away.
    hops = walk.hops[np.abs(walk.hops - (3, 3)).max(axis=1) > 3 * ROOM]
    doors = [(int(y), int(x)) for y, x in hops if y % ROOM == 0 or x % ROOM == 0]
    leg = world.path(0)
    for y, x in doors[:1]:
        world.terrain.edit(y, x, y + 1, x + 1, passable=0)
    x, y = world.x[0], world.y[0]
    world.live(1)
    assert told(world, Decision.LEGS_AGAIN) == 1 and told(world, Decision.CUT) == 0 and walk.replans == 1
    (again,) = [row for row in world.manager.trace.of(0, 4096) if row.decision == Decision.LEGS_AGAIN]
    assert again.numbers[:2] == (1, len(walk.hops) - 1)
    assert world.path(0)[-1] == leg[-1] and (world.x[0], world.y[0]) != (x, y), "it walks on meanwhile"
    assert doors[0] not in {(int(y), int(x)) for y, x in walk.hops}
    arrived, _ = world.live(3000)
    assert arrived == {0} and told(world, Decision.CUT) == 0


def test_an_edit_off_its_way_changes_no_plan() -> None:
    world = walkers([(3, 3)], [(3, 108)])
    world.live(20)
    world.terrain.edit(100, 100, 101, 101, passable=0)
    assert world.live(2000)[0] == {0}
    assert told(world, Decision.LEGS_AGAIN) == 0 and told(world, Decision.REPLANNED) == 0


def test_a_body_in_the_way_has_the_plan_thrown_away_and_another_made_round_it() -> None:
    ground = np.zeros((40, 60), bool)
    ground[5:35, 2:12] = ground[5:35, 48:58] = True
    ground[10, 12:48] = ground[30, 12:48] = True
    world = Crowd.among(ground, [(15, 5)], [(10, 30)], engine="hpa", hierarchy="lazy", straight=False, quick=False)
    world.order(np.array([(15, 54)]), slots=[0])
    arrived, lost = world.go(1500)
    assert arrived == {0} and not lost
    assert Decision.LEGS_BLOCKED in world.decisions(0)


def test_many_keep_to_the_budget_and_to_their_goals() -> None:
    starts = [(3 + 2 * (i // 6), 2 + 2 * (i % 6)) for i in range(30)]
    goals = [(104 + i // 6, 100 + i % 6) for i in range(30)]
    world = walkers(starts, goals, budget=6000)
    edited = 0
    for _ in range(1200):
        world.live(1)
        assert world.manager.statistics.revolutions_this_tick <= 6000
        if edited == 0 and world.tick >= 300 and not (world.y.astype(int) == 48).any():
            edited = world.tick
            world.terrain.edit(48, 0, 49, 112, passable=0)
            world.terrain.edit(48, 60, 49, 62, passable=1)
        if (world.manager.requests.phase[:30] == Phase.IDLE).all():
            break
    assert edited and (world.manager.requests.phase[:30] == Phase.IDLE).all() and world.manager.statistics.lost == 0
    assert [(int(y), int(x)) for y, x in zip(world.y, world.x, strict=True)] == goals
    assert not world.manager.legs.walks or world.live(1)
    assert not world.manager.legs.walks


def test_a_budget_too_small_for_a_plan_takes_the_resumable_search() -> None:
    world = walkers([(3, 3)], [(108, 108)], budget=200)
    assert world.live(3000)[0] == {0}
    assert told(world, Decision.TOO_DEAR) == 1 and told(world, Decision.BY_ASTAR) == 1


@pytest.mark.parametrize("more", [-2, -1, 0, 1])
def test_a_unit_on_its_way_whose_next_leg_costs_over_half_the_budget_asks_for_a_full_search(more: int) -> None:
    """The next leg is due at the end of the one at hand."""
    world = walkers([(3, 3)], [(108, 108)])
    world.live(5)
    search = world.manager.legs.searches[0]
    world.settings.budget = 2 * dearest(search, plans=False) + more
    legs = told(world, Decision.LEG)
    for _ in range(120):
        world.live(1)
        if told(world, Decision.LEG) > legs or told(world, Decision.TOO_DEAR):
            break
    dear = more < 0
    assert (told(world, Decision.LEG) > legs, told(world, Decision.TOO_DEAR)) == (not dear, int(dear))
    if dear:
        world.settings.budget = 20_000
        world.live(3)
        assert told(world, Decision.BY_ASTAR) == told(world, Decision.TOO_DEAR) == 1
        assert world.manager.requests.phase[0] == Phase.READY and world.path(0)[-1] == (108, 108)


def test_a_run_goes_on_the_same_from_a_snapshot() -> None:
    world = walkers([(3, 3), (3, 50)], [(108, 108), (100, 3)])
    for more in (3, 150, 150):
        world.live(more)
        again = restore(snapshot(world))
        for each in (world, again):
            each.live(40)
        assert digest(world) == digest(again)
        assert world.manager.statistics.revolutions_total == again.manager.statistics.revolutions_total
        world.terrain.edit(70, 40, 72, 90, passable=0)


def test_levels_that_a_level_asks_for_are_made_when_it_is_loaded() -> None:
    world = walkers([(3, 3)], [(108, 108)])
    assert world.manager.engines.paths[0].raised and world.manager.engines.paths[0].levels == 3
    world.think()
    assert world.manager.statistics.mended_this_tick == 0 and told(world, Decision.BY_LEGS) == 1


def test_levels_set_in_play_are_made_in_slices_while_whole_ways_serve() -> None:
    world = walkers([(3, 3), (3, 50)], [(108, 108), (100, 3)], rooms=16, hierarchy="whole", budget=1000)
    world.settings.hierarchy, world.settings.levels = "lazy", 4
    paths, made = world.manager.engines.paths[0], []
    again = None
    while not paths.raised or paths.levels < 4:
        world.live(1)
        spent = world.manager.statistics
        made.append(spent.mended_this_tick)
        assert spent.mended_this_tick <= 500 and spent.mended_this_tick + spent.revolutions_this_tick <= 1000
        if len(made) == 3:
            again = restore(snapshot(world))
        elif again is not None:
            again.live(1)
            assert digest(world) == digest(again), "a half-built level is saved"
    assert len(made) > 6 and min(made[:-1]) > 400
    assert told(world, Decision.BY_LEGS) == 0 and told(world, Decision.BY_CLUSTERS) == 1
    for found, fresh in zip(paths.graph.upper, ClusterGraph.build(world.terrain, 0, paths.size, 4).upper, strict=True):
        assert (found.slots == fresh.slots).all() and (found.counts == fresh.counts).all()
        for c, n in enumerate(fresh.counts.tolist()):
            assert (found.distances[c, :n, :n] == fresh.distances[c, :n, :n]).all()
    world.settings.budget = 12_000
    world.order(np.array([(100, 50)]), slots=[0])
    world.live(1)
    assert told(world, Decision.BY_LEGS) == 1
