"""Path engines: the selected search, the budget, arrival and snapshots.

Every engine keeps the budget, lets units arrive, and runs the same from a snapshot.
"""

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.paths import Decision, Phase
from ai.paths.engines import static_tables
from ai.paths.engines.engine_choice import ASTAR, CLUSTERS, JPS, choose_engines
from ai.paths.engines.forced_engine import FORCED_ENGINES
from ai.paths.settings import Engine, PathSettings
from tests.ai.paths.crowds import crowd, step
from tests.ai.paths.walkers import Walkers


def test_the_choice_follows_the_ground_and_the_length_of_the_way() -> None:
    world = crowd(False)
    starts, goals, plain = (
        np.array([[0, 0], [0, 0], [0, 0]]),
        np.array([[0, 5], [99, 99], [99, 99]]),
        np.array([0, 0, 1]),
    )
    assert choose_engines(world.terrain, PathSettings(), starts, goals, plain).tolist() == [JPS, JPS, ASTAR]
    world.terrain.edit(5, 5, 6, 6, passable=255, cost=12)
    assert choose_engines(world.terrain, PathSettings(), starts, goals, plain).tolist() == [ASTAR, CLUSTERS, ASTAR]
    forced = {
        e: choose_engines(world.terrain, PathSettings(engine=e), starts, goals, plain) for e in ("astar", "jps", "hpa")
    }
    assert forced["astar"].tolist() == [ASTAR] * 3, "forced"
    assert forced["jps"].tolist() == [ASTAR] * 3, "jump points ignore costs"
    assert forced["hpa"].tolist() == [CLUSTERS, CLUSTERS, ASTAR]


@pytest.mark.parametrize(("mixed", "reason"), [(False, Decision.BY_JPS), (True, Decision.BY_CLUSTERS)])
@pytest.mark.parametrize("budget", [1500, 60_000])
def test_all_arrive_within_the_budget_and_the_trace_says_which_search_and_why(mixed, reason, budget) -> None:
    world = crowd(mixed, budget=budget)
    for _ in range(1500):
        step(world)
        assert world.manager.statistics.revolutions_this_tick <= budget
        if (world.manager.requests.phase == Phase.IDLE).all():
            break
    assert (world.manager.requests.phase == Phase.IDLE).all()
    assert world.manager.statistics.lost == world.manager.statistics.failed == 0
    assert any(row.decision == reason for unit in range(60) for row in world.manager.trace.of(unit, 100))


@pytest.mark.parametrize("budget", [1000, 12_000])
def test_a_tick_keeps_to_its_budget_where_one_jump_may_scan_half_of_a_large_map(budget: int) -> None:
    ground = np.ones((512, 512), bool)
    ground[100:400, 256] = False
    rng = np.random.default_rng(7)
    left, right = rng.integers((120, 8), (380, 250), (40, 2)), rng.integers((120, 262), (380, 504), (40, 2))
    world = Walkers.on(ground, [tuple(s) for s in left.tolist()], engine="auto", budget=budget, splice=False)
    world.order(right)
    search = world.manager.engines.jumps_of(world.terrain, 0)
    search.find(tuple(left[0]), tuple(right[0]))
    assert search.revolutions > 1000, "one question exceeds the smaller budget"
    for limit in (10, 200, 900):
        assert search.find(tuple(left[0]), tuple(right[0]), limit) is None and search.over_limit
        assert limit <= search.revolutions <= limit + (4 * 512 >> 6) + 1
    most = 0
    for _ in range(60):
        world.think()
        most = max(most, world.manager.statistics.revolutions_this_tick)
        assert most <= budget
    assert most > 0.8 * budget, "and the budget is used"
    told = {row.decision for row in world.manager.trace.recent(4096)}
    assert (Decision.BY_JPS in told) == (budget > 5000) and (Decision.DEAR_TO_JUMP in told) == (budget < 5000)


def test_a_chosen_search_spends_no_more_than_it_is_given() -> None:
    world = crowd(False, n=20, size=120)
    tiles = np.stack([world.y, world.x], axis=1).astype(int)
    goals = tiles[::-1]
    for engine in (Engine.SUBGOAL, Engine.JPS_PLUS, Engine.THETA):
        world.settings.engine = str(engine)
        world.manager.engines.choose(world.terrain, world.settings, 0)
        search = world.manager.engines.forced_engine_of(world.terrain, str(engine), 0)
        for limit in (1, 2, 20, 30, 60):
            for start, goal in zip(tiles.tolist(), goals.tolist(), strict=True):
                found = search.find((start[0], start[1]), (goal[0], goal[1]), limit)
                assert search.revolutions <= limit
                assert found is not None or search.cut


def test_a_question_dearer_than_the_whole_budget_takes_the_resumable_search() -> None:
    world = crowd(True, n=3, budget=6, splice=False)
    for _ in range(1200):
        step(world)
        assert world.manager.statistics.revolutions_this_tick <= 6
    assert world.manager.statistics.full > 0
    assert any(row.decision == Decision.TOO_DEAR for unit in range(3) for row in world.manager.trace.of(unit, 100))


@pytest.mark.parametrize("mixed", [False, True])
def test_a_run_goes_on_the_same_from_a_snapshot(mixed: bool) -> None:
    world = crowd(mixed, budget=4000)
    for _ in range(4):
        step(world)
    again = restore(snapshot(world))
    for tick in range(40):
        if tick == 5:
            for each in (world, again):
                each.terrain.edit(70, 40, 71, 100, passable=0)
                each.components.update(each.terrain)
        step(world)
        step(again)
        assert digest(world) == digest(again)


def beside_a_shut_gate(engine: str) -> Walkers:
    """Return six units with goals on the other side of a long wall.

    The only path leads around its far end.
    """
    ground = np.ones((160, 160), bool)
    ground[80, :158] = False
    world = Walkers.on(ground, [(76, 20 + x) for x in range(6)], engine=engine, budget=4000)
    world.terrain.edit(0, 0, 40, 160, cost=12)
    world.components.update(world.terrain)
    world.manager.engines.prepare(world.terrain)
    world.order(np.array([(84, 20 + x) for x in range(6)]))
    return world


def test_a_way_that_is_near_as_the_crow_flies_and_far_on_foot_goes_over_the_clusters() -> None:
    worlds = {engine: beside_a_shut_gate(engine) for engine in ("auto", "astar")}
    latency = {}
    for engine, world in worlds.items():
        for tick in range(120):
            step(world)
            assert world.manager.statistics.revolutions_this_tick <= 4000
            if (world.manager.requests.phase[:6] == Phase.READY).all():
                latency[engine] = tick
                break
        assert world.manager.statistics.lost == world.manager.statistics.failed == 0
    trace = worlds["auto"].manager.trace.recent(4000)
    assert {row.unit for row in trace if row.decision == Decision.LONG_AFTER_ALL} == set(range(6))
    assert {row.unit for row in trace if row.decision == Decision.BY_CLUSTERS} == set(range(6))
    spent = {engine: world.manager.statistics.revolutions_total for engine, world in worlds.items()}
    assert spent["auto"] < spent["astar"] / 3 and latency["auto"] < latency["astar"] / 2, (spent, latency)
    assert worlds["auto"].path_left(0) <= 1.04 * worlds["astar"].path_left(0)


def test_waiting_rows_of_the_listing_name_their_engine() -> None:
    world = crowd(True, budget=500)
    step(world)
    rows = world.manager.listing(world.tick, 64, world.terrain, world.settings)
    assert {"hpa", "astar"} >= {row.engine for row in rows} >= {"hpa"}
    for row in rows:
        words = {"hpa": "long path", "astar": "short path"}[row.engine]
        assert row.reason.startswith("no search ends" if row.plain else words)
    world.settings.engine = str(Engine.ASTAR)
    rows = world.manager.listing(world.tick, 64, world.terrain, world.settings)
    assert {(row.engine, row.reason) for row in rows if not row.plain} == {("astar", "forced")}


@pytest.mark.parametrize("engine", FORCED_ENGINES)
@pytest.mark.parametrize("budget", [150, 4000])
def test_a_chosen_search_leads_everybody_there_within_the_budget(engine, budget, tmp_path, monkeypatch) -> None:
    world = crowd(False, n=12, size=60, engine=str(engine), budget=budget)
    world.manager.engines.choose(world.terrain, world.settings, 0)  # as when a level is loaded
    if engine == Engine.JPS_PLUS_GB:
        monkeypatch.setattr(static_tables, "tables_folder", lambda: tmp_path / "maps")
        world.manager.engines.make_static(world.terrain, [0])
    for _ in range(900):
        step(world)
        assert world.manager.statistics.revolutions_this_tick <= budget
        if (world.manager.requests.phase == Phase.IDLE).all():
            break
    assert (world.manager.requests.phase == Phase.IDLE).all()
    assert world.manager.statistics.lost == 0
    told = {row.decision for row in world.manager.trace.recent(4096)}
    # A column of a next-hop table is not filled on so small a budget.
    told_of = {Engine.JPS_PLUS_GB: Decision.BY_BOUNDS, Engine.REGIONS: Decision.TOO_DEAR if budget < 200 else None}
    assert (told_of.get(engine) or Decision.BY_CHOICE) in told


def test_a_chosen_search_leaves_ground_of_many_costs_to_the_others() -> None:
    world = crowd(True)
    starts, goals, plain = np.array([[0, 0]]), np.array([[0, 5]]), np.array([0])
    for engine in FORCED_ENGINES:
        settings = PathSettings(engine=str(engine))
        assert choose_engines(world.terrain, settings, starts, goals, plain).tolist() == [ASTAR]
