"""Path tables: of static levels, in slices, and rebuilt at loading.

Tables of static levels last until their first edit. Others are built and repaired in slices.
"""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ai.core.serialization import digest, restore, snapshot
from ai.grid.terrain import Terrain
from ai.paths import Decision, Phase
from ai.paths.engines import static_tables
from ai.paths.engines.engine_choice import ASTAR, FORCED, reason_of
from ai.paths.engines.path_engines import Engines
from ai.paths.settings import Engine, PathSettings
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.hierarchy.cluster_graph import ClusterGraph
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.jps.jps import UniformGround
from ai.search.jps.jump_tables import JumpTables
from ai.search.regions.next_hop import NextHops
from ai.search.regions.region_graph import Regions
from tests.ai.paths.crowds import crowd, step
from tests.ai.paths.walkers import Walkers


def static_crowd(mixed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **settings: object) -> Walkers:
    """Return a crowd on a small map that is marked static.

    Tables are kept in a folder of the test's own.
    """
    monkeypatch.setattr(static_tables, "tables_folder", lambda: tmp_path / "maps")
    world = crowd(False, n=24, size=56, long_path=20, **settings)
    if mixed:
        world.terrain.edit(20, 30, 40, 50, cost=16)
        world.components.update(world.terrain)
    world.manager.engines.make_static(world.terrain, [0])
    return world


@pytest.mark.parametrize(("mixed", "reason"), [(False, Decision.BY_BOUNDS), (True, Decision.BY_REGIONS)])
def test_a_static_level_is_answered_from_tables_until_its_first_edit(mixed, reason, tmp_path, monkeypatch) -> None:
    world = static_crowd(mixed, tmp_path, monkeypatch)
    step(world)
    assert {row.decision for row in world.manager.trace.recent(4000)} >= {reason}
    for _ in range(400):
        step(world)
    assert (world.manager.requests.phase == Phase.IDLE).all() and world.manager.statistics.lost == 0
    world.terrain.edit(2, 2, 3, 3, passable=0)
    world.order(np.array([[50, 50]] * 24))
    step(world)
    engines = world.manager.engines
    assert engines.static == [] and engines.tables == {}
    assert any(row.decision == Decision.TABLES_DROPPED for row in world.manager.trace.recent(4000))
    assert reason not in {row.decision for row in world.manager.trace.recent(4000) if row.tick == world.tick}


def test_goal_bounds_give_ways_as_short_as_jump_points_within_the_limit(tmp_path, monkeypatch) -> None:
    world = static_crowd(False, tmp_path, monkeypatch)
    search, jumps = world.manager.engines.table_of(world.terrain, 0), world.manager.engines.jumps_of(world.terrain, 0)
    step(world)  # the requests get their places
    places, cut = world.manager.requests.place[:24], 0
    assert (places >= 0).all()
    for start, goal in zip(places, places[::-1], strict=True):
        path, other = search.find(tuple(start), tuple(goal), 10_000), jumps.find(tuple(start), tuple(goal))
        assert path is not None and other is not None
        assert np.hypot(*np.diff(path, axis=0).T).sum() == pytest.approx(np.hypot(*np.diff(other, axis=0).T).sum())
        if search.revolutions > 1:
            assert search.find(tuple(start), tuple(goal), search.revolutions - 1) is None and search.cut
            cut += 1
    assert cut > 12


def test_a_file_of_tables_gives_the_same_run_as_making_them(tmp_path, monkeypatch) -> None:
    """Tables are built, read from the folder, and rebuilt after the file broke.

    They are also rebuilt in a restored world.
    """
    made = static_crowd(False, tmp_path, monkeypatch)
    (file,) = (tmp_path / "maps").glob("bounds-*.npz")
    kept = static_crowd(False, tmp_path, monkeypatch)
    step(made)
    again = restore(snapshot(made))
    assert again.manager.engines.static == [0] and again.manager.engines.tables == {}
    step(kept)
    file.write_bytes(b"nonsense")
    broken = static_crowd(False, tmp_path, monkeypatch)
    step(broken)
    worlds = [made, kept, broken, again]
    for _ in range(30):
        for world in worlds:
            step(world)
        assert len({digest(world) for world in worlds}) == 1


def test_a_next_hop_table_is_made_in_slices_and_answers_within_its_limit_on_any_ground() -> None:
    """No table is built at loading: the engine is set in play."""
    world = crowd(False, n=4, size=56, engine="regions", budget=50)
    world.terrain.edit(20, 30, 40, 50, cost=16)
    world.components.update(world.terrain)
    chosen, again, made = world.manager.engines.chosen, None, []
    while not made or not chosen.ready(world.terrain, Engine.REGIONS, 0):
        step(world)
        spent = world.manager.statistics
        made.append(spent.mended_this_tick)
        assert 0 < spent.mended_this_tick <= 25
        assert spent.mended_this_tick + spent.revolutions_this_tick <= 50
        if len(made) == 3:
            again = restore(snapshot(world))
        elif again is not None:
            step(again)
            assert digest(world) == digest(again), "a half-built table is saved"
    assert len(made) > 4
    world.settings.budget, again = 12_000, None
    for tick in range(300):
        if tick == 40:
            # The units are led by regions that repaired themselves. A restored world has the same
            # regions, and a new table.
            world.terrain.edit(10, 12, 11, 40, passable=0)
            world.components.update(world.terrain)
            world.order(world.manager.requests.place[:4][::-1].copy())
            again = restore(snapshot(world))
        step(world)
        assert world.manager.statistics.revolutions_this_tick <= world.settings.budget
        if again is not None and tick < 100:
            step(again)
            assert digest(world) == digest(again)
    regions = world.manager.engines.chosen.regions[0]
    assert regions.cuts > 0 and regions.revision == world.terrain.revision
    assert any(row.decision == Decision.BY_CHOICE for row in world.manager.trace.recent(4000))
    assert world.manager.statistics.lost == 0


def test_a_table_of_thousands_of_regions_is_made_and_mended_within_the_limit_of_every_tick() -> None:
    """A table built in slices equals one built at once.

    Meanwhile another search answers, and gives this reason.
    """
    rng = np.random.default_rng(6)
    terrain = Terrain.build(np.ones((100, 100), np.uint8), np.where(rng.random((100, 100)) < 0.3, 16, 8))
    settings, engines, limit = PathSettings(engine="regions"), Engines(), 3000
    chosen, told = engines.chosen, []
    for edit in (None, (40, 40, 41, 90), (10, 10, 90, 90)):
        if edit is not None:
            terrain.edit(*edit, cost=32)
        ticks = 0
        while not ticks or not chosen.ready(terrain, Engine.REGIONS, 0):
            if ticks == 1:
                codes = engines.answers(terrain, settings, np.full(1, FORCED, np.uint8), np.zeros(1, np.uint8))
                told.append(reason_of(terrain, settings, int(codes[0]), 50, 0))
                assert codes[0] == ASTAR and engines.waits_for(terrain, settings, 0)
            assert engines.follow(terrain, 60, "regions", [0]) <= 60
            ticks += 1
        assert ticks > 4 and not engines.waits_for(terrain, settings, 0)
        regions, hops = chosen.regions[0], chosen.hops[0]
        assert hops.regions > 2000
        # Columns of requested goals are filled immediately, or postponed where one takes more than a tick.
        search, goals = engines.forced_engine_of(terrain, Engine.REGIONS, 0), [(3, 97), (97, 3), (50, 60)]
        for goal in goals:
            search.find((1, 1), goal, 1 << 40 if goal == goals[0] else limit // 3)
        while hops.wanted:
            assert 0 < engines.follow(terrain, limit // 3, "regions", [0]) <= limit // 3
        anew = Regions.build(terrain)
        fresh = NextHops.build(anew)
        number = {tuple(c): i for i, c in enumerate(anew.centres.tolist()) if anew.tiles[i]}
        to_fresh = np.array(
            [number[tuple(c)] if n else -1 for c, n in zip(regions.centres.tolist(), regions.tiles, strict=True)]
        )
        live = np.flatnonzero(to_fresh >= 0)
        for goal in goals:
            mine, theirs = regions.at(*goal), anew.at(*goal)
            assert hops.filled[mine] and fresh.route(anew, theirs, theirs) is not None
            assert np.array_equal(to_fresh[hops.table[live, mine]], fresh.table[to_fresh[live], theirs])
        unpacked = restore(snapshot(hops))
        assert np.array_equal(unpacked.filled, hops.filled) and digest(unpacked) == digest(hops)
        assert np.array_equal(unpacked.table[:, hops.filled > 0], hops.table[:, hops.filled > 0])
    assert told == ["the forced one is not ready"] * 3


def test_clusters_that_are_first_needed_in_the_middle_of_a_game_grow_in_slices_while_others_answer() -> None:
    """Ground gets its second cost in mid-game.

    No tick builds more than its slice, and in the end the table is whole.
    """
    world = crowd(False, n=40, budget=3000)
    world.terrain.edit(20, 30, 60, 90, cost=16)
    world.components.update(world.terrain)
    engines = world.manager.engines
    engines.paths.clear()  # as for a movement class without units at loading time
    left, again = [], None
    for tick in range(300):
        step(world)
        if 0 in engines.paths:
            left.append(int(engines.paths[0].dirty.sum()))
        if again is None and left and 0 < left[-1] < left[0] // 2:
            world.terrain.edit(100, 10, 101, 60, passable=0)
            world.components.update(world.terrain)
            again = restore(snapshot(world))
        elif again is not None:
            step(again)
            assert digest(world) == digest(again), f"restored in the middle of the building, tick {tick}"
        if left and left[-1] == 0:
            break
    assert again is not None and len(left) > 5 and left[-1] == 0
    slices = -np.diff(left)
    assert slices.max() < left[0] / 4
    fresh = HpaBatch.build(world.terrain)
    grown = engines.paths[0].graph
    for name in ("slots", "counts"):
        assert np.array_equal(getattr(grown, name), getattr(fresh.graph, name))
    assert {row.decision for row in world.manager.trace.recent(4000)} >= {Decision.BY_ASTAR}
    for _ in range(900):
        step(world)
    assert world.manager.statistics.lost == 0


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_mended_in_slices_equals_built_anew_after_any_edits(data: st.DataObject) -> None:
    """Random edits with slices in between give the graph of the last terrain.

    The edits are rectangles of walls, holes and mud.
    """
    terrain = crowd(False, n=1, size=70).terrain
    paths = HpaBatch.begin(terrain)
    for _ in range(data.draw(st.integers(1, 6))):
        y, x = data.draw(st.integers(0, 66)), data.draw(st.integers(0, 66))
        h, w = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
        what = data.draw(st.sampled_from([{"passable": 0}, {"passable": 255}, {"cost": 24}, {"cost": 8}]))
        terrain.edit(y, x, min(y + h, 70), min(x + w, 70), **what)
        paths.note(terrain)
        paths.work(terrain, data.draw(st.sampled_from([1, 900, 9000])))
        if data.draw(st.booleans()):
            paths = restore(snapshot(paths))
    paths.update(terrain)
    fresh = HpaBatch.build(terrain)
    assert paths.whole
    for c, count in enumerate(fresh.graph.counts.tolist()):
        assert int(paths.graph.counts[c]) == count
        assert np.array_equal(paths.graph.nodes[c, :count], fresh.graph.nodes[c, :count])
        assert np.array_equal(paths.graph.distances[c, :count, :count], fresh.graph.distances[c, :count, :count])


def test_while_jump_tables_are_mended_a_search_that_needs_none_answers() -> None:
    """Forced tables are repaired in slices after an edit, equal to fresh ones.

    A snapshot continues with the same run.
    """
    world = crowd(False, n=40, size=100, engine="jps_plus", budget=400)
    engines, reasons = world.manager.engines, set()
    for tick in range(700):
        if tick == 200:
            assert engines.chosen.jump_tables[0].ready
            world.terrain.edit(40, 10, 41, 60, passable=0)
            world.components.update(world.terrain)
            world.order(world.manager.requests.place[:40][::-1].copy())
        step(world)
        reasons |= {row.decision for row in world.manager.trace.recent(60) if row.tick == world.tick}
        if tick == 201:
            again = restore(snapshot(world))
        if 201 < tick < 230:
            step(again)
            assert digest(world) == digest(again)
    assert reasons >= {Decision.BEING_MENDED, Decision.BY_CHOICE}
    tables = engines.chosen.jump_tables[0]
    fresh = JumpTables.build(UniformGround.build(world.terrain))
    assert tables.ready and np.array_equal(tables.jumps, fresh.jumps)


@pytest.mark.parametrize("mixed", [False, True])
def test_a_restored_world_builds_its_structures_at_loading(mixed, monkeypatch) -> None:
    world = crowd(mixed, budget=1500)
    built = []
    build = UniformGround.build
    monkeypatch.setattr(UniformGround, "build", lambda *a: built.append(a) or build(*a))
    step(world)
    assert not built, "nor in the first tick of a new world"
    again = restore(snapshot(world))
    again.manager.engines.revive(again.terrain)
    assert bool(built) != mixed
    built.clear()
    monkeypatch.setattr(ClusterGraph, "_build", lambda *_: built.append(1))
    step(world)
    step(again)
    assert not built and digest(world) == digest(again)


def test_jump_points_are_there_for_every_class_that_the_level_has(monkeypatch) -> None:
    world = crowd(False, n=10, size=60)
    engines = world.manager.engines
    engines.choose(world.terrain, world.settings, 2)
    again = restore(snapshot(engines))
    again.revive(world.terrain)
    monkeypatch.setattr(UniformGround, "build", lambda *_: pytest.fail("in a tick"))
    for each in (engines, again):
        assert [each.jumps_of(world.terrain, movement_class).ground.movement_class for movement_class in (0, 2)] == [
            0,
            2,
        ]


def test_repair_beyond_its_share_is_charged_to_the_next_ticks() -> None:
    """On noise one cluster costs more than the share.

    A tile where four clusters meet touches all of them.
    """
    rng = np.random.default_rng(3)
    terrain = Terrain.build(rng.random((96, 96)) < 0.75)
    engines = Engines()
    engines.prepare(terrain)
    paths, took = engines.paths[0], []
    work = paths.graph.rebuild

    def watched(*asked):
        took.append(2 * work(*asked))
        return took[-1] // 2

    paths.graph.rebuild = watched  # type: ignore[method-assign]
    terrain.edit(32, 32, 33, 33, passable=0 if terrain.passable[32, 32] else 15)
    told = [engines.follow(terrain, 900) for _ in range(3)]
    assert max(took) > 900 == max(told) and engines.owed > 0
    assert not paths.whole, "no repair while revolutions are owed"
    for _ in range(200):
        told.append(engines.follow(terrain, 900))
        if paths.whole and not engines.owed and paths.ready:
            break
    assert paths.whole and max(told) <= 900
    assert len(took) > 1 and sum(told) >= sum(took), "all revolutions were charged, including those for landmarks"


@pytest.mark.parametrize("seed", range(3))
def test_without_next_hops_each_region_path_is_searched_and_ends_at_its_limit(seed: int) -> None:
    """Compare both with an exact search, and count revolutions against the limit."""
    rng = np.random.default_rng(seed)
    terrain = Terrain.build((rng.random((40, 40)) > 0.15).astype(np.uint8))
    regions = Regions.build(terrain, 0)
    paths = static_tables.NextHopPaths(terrain, regions)
    exact = AStarSearch(terrain.height, terrain.width)
    ends = [tuple(int(v) for v in tile) for tile in rng.permutation(np.argwhere(terrain.passable > 0))[:12]]
    compared = 0
    for start, goal in zip(ends[::2], ends[1::2], strict=True):
        exact.begin(terrain, 0, start, goal)
        exact.run(terrain, 1 << 30)
        spent = {}
        for table in (True, False):
            paths.arrange(PathSettings(next_hops=table))
            found = paths.find(start, goal, 1 << 20)
            spent[table] = paths.revolutions
            assert (found is not None) == (exact.status == FOUND) and not paths.cut
            if found is not None:
                compared += 1
                assert tuple(found[0]) == start and tuple(found[-1]) == goal
                assert (np.abs(np.diff(found, axis=0)).max(axis=1) == 1).all()
                assert np.hypot(*np.diff(found, axis=0).T).sum() <= 1.25 * exact.cost + 2.0
        if exact.status == FOUND and spent[False] > 12:
            limit = spent[False] // 3
            assert paths.find(start, goal, limit) is None and paths.cut and paths.revolutions <= limit
    assert compared >= 6
